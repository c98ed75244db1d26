"""Random programs: a few steps chained, with variables, branches, loops, scopes and gradients, run several times.

Each step is tried on a graph of Ossia's own while the program grows, which tells the dtypes and shapes of what it made,
so that most steps fit; some of those that do not are kept as the program's last step, for their error.
"""

from __future__ import annotations

import random
import warnings
from typing import Any

import numpy as np
from build import Builder
from values import FLOATS, random_array, record

DTYPES = ("float32",) * 6 + ("float64", "int32", "int32", "int64", "bool", "float16", "string", "complex64")
UNARY = """abs exp tanh sigmoid square sqrt negative sign floor ceil round sin cos softplus log1p erf rsqrt reciprocal
is_finite cumsum math.reciprocal_no_nan""".split()
ARRAYS = "identity zeros_like ones_like stop_gradient shape size rank nn.relu nn.elu nn.selu nn.relu6".split()
BINARY = """add subtract multiply divide maximum minimum squared_difference floordiv floormod equal less greater_equal
not_equal pow math.divide_no_nan truediv atan2""".split()
REDUCE = "reduce_sum reduce_mean reduce_max reduce_prod reduce_logsumexp reduce_any reduce_all reduce_min".split()
OPERATORS = """__add__ __sub__ __mul__ __truediv__ __radd__ __rsub__ __neg__ __abs__ __lt__ __ge__ __pow__ __rpow__
__floordiv__ __mod__ __invert__ __and__ __rtruediv__""".split()
NAMES = ["a", "b/c", "x.y", "n-1", "Q_1", "sub/", "_bad", "sp ace", "", "é", "a", "gradients", "1st"]
OPTIMIZERS = [
    "GradientDescentOptimizer",
    "AdamOptimizer",
    "MomentumOptimizer",
    "AdagradOptimizer",
    "RMSPropOptimizer",
    "FtrlOptimizer",
    "AdadeltaOptimizer",
]


class Grower:
    """Grows one program.

    steps: what was written so far. shadow: the builder that tries each step. rng: where chance comes from.
    """

    def __init__(self, rng: random.Random) -> None:
        import ossia as tf

        self.tf, self.rng, self.shadow, self.steps = tf, rng, Builder(tf), []
        self.fed: list[int] = []
        self.updates: list[int] = []
        self.variables: list[int] = []

    def tensors(self, *dtypes: str) -> list[Any]:
        """References to the tensors made so far, of some dtypes, with the tensors; results of calls with parts too."""
        found: list[Any] = []
        for index, result in enumerate(self.shadow.made):
            if index in self.updates:  # what it is depends on when it runs
                continue
            parts = enumerate(result) if isinstance(result, (list, tuple)) else [(None, result)]
            for key, part in parts:
                if isinstance(part, (self.tf.Tensor, self.tf.Variable)):
                    if not dtypes or part.dtype.base_dtype.name in dtypes:
                        found.append(({"v": index if key is None else [index, key]}, part))
        return found

    def pick(self, *dtypes: str) -> tuple[Any, Any]:
        """One of the tensors made so far, the late ones more often."""
        found = self.tensors(*dtypes) or self.tensors()
        return found[max(self.rng.randrange(len(found)), self.rng.randrange(len(found)))]

    def tensor_or_value(self, like: Any) -> Any:
        """An operand for `like`: another tensor of its dtype, or a Python or NumPy value."""
        rng, dtype = self.rng, like.dtype.base_dtype.name
        if rng.random() < 0.6:
            return self.pick(dtype)[0]
        if rng.random() < 0.5:
            return {"py": rng.choice([0, 1, 2, -1, 0.5, 2.0, True, [1, 2], [[1.0]], 300])}
        shape = [rng.choice([1, size or 1]) for size in (like.shape.as_list() if like.shape.ndims else [])]
        kind = dtype if rng.random() < 0.8 else "float64"
        return {"np": record(random_array(rng, kind, shape), kind)}

    def axis(self, tensor: Any) -> int:
        """An axis of a tensor, now and then one too far."""
        rank = tensor.shape.ndims or 0
        return self.rng.randint(-rank, rank - 1 if rank and self.rng.random() < 0.97 else rank)

    def start(self) -> None:
        """Placeholders, variables and constants to begin with."""
        rng = self.rng
        for _ in range(rng.randint(2, 4)):
            dtype = rng.choice(DTYPES)
            shape = [rng.choice([1, 2, 3, 3]) for _ in range(rng.choice([0, 1, 2, 2, 3]))]
            content = record(
                random_array(rng, dtype, shape, rng.choice(["benign", "benign", "positive", "ties"])), dtype
            )
            kind = rng.random()
            if kind < 0.5:
                partly = [None if rng.random() < 0.5 else size for size in shape]
                step: dict[str, Any] = {"feed": content, "p": rng.choice([shape, shape, partly, None])}
                step.update({"default": True} if rng.random() < 0.2 else {})
                step.update({"name": rng.choice(NAMES)} if rng.random() < 0.15 else {})
                if self.add({**step, "p": shape}, step):
                    self.fed.append(len(self.steps) - 1)
            elif kind < 0.85 and dtype not in ("string", "bool"):
                step = {"variable": content, "resource": rng.random() < 0.5}
                step.update({"get": f"w{len(self.steps)}"} if rng.random() < 0.4 else {})
                if self.add(step):
                    self.variables.append(len(self.steps) - 1)
            else:
                self.add({"call": "constant", "args": [{"np": content}]})
        if not self.tensors():
            self.add({"call": "constant", "args": [[1.0, 2.0]]})

    def add(self, step: dict[str, Any], written: dict[str, Any] | None = None) -> bool:
        """Try a step, write it down if it worked (as `written`, where that differs); whether it did."""
        made = len(self.shadow.made)
        try:
            self.shadow.step(step)
        except Exception:
            del self.shadow.made[made:]
            return False
        self.steps.append(written or step)
        return True

    def call(self) -> dict[str, Any]:
        """A random call on something made before."""
        rng = self.rng
        make = rng.choice(
            [
                self.unary,
                self.binary,
                self.binary,
                self.reduce,
                self.array,
                self.array,
                self.array,
                self.product,
                self.choose,
                self.other,
                self.python,
            ]
        )
        step = make()
        if rng.random() < 0.12 and "call" in step:
            step.setdefault("kwargs", {})["name"] = rng.choice(NAMES)
        return step

    def unary(self) -> dict[str, Any]:
        ref, _ = self.pick(*FLOATS, "complex64") if self.rng.random() < 0.8 else self.pick()
        return {"call": self.rng.choice(UNARY if self.rng.random() < 0.7 else ARRAYS), "args": [ref]}

    def binary(self) -> dict[str, Any]:
        ref, tensor = self.pick()
        other = self.tensor_or_value(tensor)
        if self.rng.random() < 0.4:
            method = self.rng.choice(OPERATORS)
            return {
                "method": method,
                "args": [ref] if method in ("__neg__", "__abs__", "__invert__") else [ref, other],
            }
        args = [ref, other] if self.rng.random() < 0.7 else [other, ref]
        return {"call": self.rng.choice(BINARY), "args": args}

    def reduce(self) -> dict[str, Any]:
        ref, tensor = self.pick()
        axis = self.rng.choice([None, self.axis(tensor), self.axis(tensor), [self.axis(tensor)], []])
        kwargs = {"axis": axis, **({"keepdims": True} if self.rng.random() < 0.3 else {})}
        call = self.rng.choice([*REDUCE, "argmax", "count_nonzero"])
        return {"call": call, "args": [ref], "kwargs": kwargs if call != "argmax" else {"axis": self.axis(tensor)}}

    def array(self) -> dict[str, Any]:
        rng = self.rng
        ref, tensor = self.pick()
        rank, dtype = tensor.shape.ndims or 0, tensor.dtype.base_dtype.name
        sizes = tensor.shape.as_list() if tensor.shape.ndims else []
        order = rng.sample(range(rank), rank)
        return rng.choice(
            [
                lambda: {
                    "call": "reshape",
                    "args": [ref, rng.choice([[-1], [1, -1], {"np": record(np.array([-1]), "int64")}])],
                },
                lambda: {"call": "transpose", "args": [ref], "kwargs": rng.choice([{}, {"perm": order}])},
                lambda: {"call": "expand_dims", "args": [ref, rng.choice([0, -1, rank])]},
                lambda: {"call": "squeeze", "args": [ref]},
                lambda: {"call": "concat", "args": [[ref, self.pick(dtype)[0]], self.axis(tensor)]},
                lambda: {
                    "call": "stack",
                    "args": [[ref, self.pick(dtype)[0]]],
                    "kwargs": {"axis": rng.choice([0, -1])},
                },
                lambda: {"call": "unstack", "args": [ref], "kwargs": {"axis": self.axis(tensor)}},
                lambda: {"call": "split", "args": [ref, rng.choice([1, 2, 3, [1, -1]]), self.axis(tensor)]},
                lambda: {"call": "tile", "args": [ref, [rng.choice([1, 2]) for _ in sizes]]},
                lambda: {"call": "pad", "args": [ref, [[rng.choice([0, 1]), 1] for _ in sizes]]},
                lambda: {
                    "method": "__getitem__",
                    "args": [
                        ref,
                        {
                            "expr": rng.choice(
                                [
                                    "0",
                                    "-1",
                                    "slice(1, None)",
                                    "(Ellipsis, 0)",
                                    "(Ellipsis, None)",
                                    "slice(None, None, -1)",
                                    "(0, 0)",
                                ]
                            )
                        },
                    ],
                },
                lambda: {
                    "call": "gather",
                    "args": [ref, rng.choice([0, [0, 0], [[0], [1]]])],
                    "kwargs": rng.choice([{}, {"axis": self.axis(tensor)}]),
                },
                lambda: {"call": "reverse", "args": [ref, [self.axis(tensor)]]},
                lambda: {"call": "cast", "args": [ref, {"dtype": rng.choice(DTYPES)}]},
                lambda: {"call": "broadcast_to", "args": [ref, [2, *sizes]]},
                lambda: {"call": "shape", "args": [ref]},
                lambda: {"call": "fill", "args": [sizes, self.pick()[0]]},
                lambda: {"call": "boolean_mask", "args": [ref, [True] * (sizes[0] or 1 if sizes else 1)]},
            ]
        )()

    def product(self) -> dict[str, Any]:
        rng = self.rng
        ref, tensor = self.pick(*FLOATS)
        last = (tensor.shape.as_list() or [1])[-1] if tensor.shape.ndims is not None else 2
        dtype = tensor.dtype.base_dtype.name
        weights = {"np": record(random_array(rng, dtype, [last or 1, 2]), dtype)}
        return rng.choice(
            [
                lambda: {
                    "call": "matmul",
                    "args": [ref, self.pick(dtype)[0]],
                    "kwargs": rng.choice([{}, {"transpose_b": True}, {"transpose_a": True}]),
                },
                lambda: {"call": "matmul", "args": [ref, weights]},
                lambda: {"call": "tensordot", "args": [ref, weights, 1]},
                lambda: {
                    "call": "layers.dense",
                    "args": [ref, 2],
                    "kwargs": rng.choice([{}, {"name": "d"}, {"use_bias": False}]),
                },
                lambda: {"call": "einsum", "args": ["ij,jk->ik", ref, weights]},
            ]
        )()

    def choose(self) -> dict[str, Any]:
        ref, tensor = self.pick()
        dtype = tensor.dtype.base_dtype.name
        test = self.tensors("bool")
        condition = self.rng.choice(test)[0] if test else {"py": True}
        call = self.rng.choice(["where", "where_v2", "clip_by_value", "add_n", "tuple", "case"])
        other = self.pick(dtype)[0]
        if call == "clip_by_value":
            return {"call": call, "args": [ref, other if self.rng.random() < 0.4 else 0, 1]}
        if call in ("add_n", "tuple"):
            return {"call": call, "args": [[ref, other]]}
        if call == "case":
            return {
                "cond": condition,
                "branches": [[{"call": "identity", "args": [item]}] for item in (ref, other)],
            }
        return {"call": call, "args": [condition, ref, other]}

    def other(self) -> dict[str, Any]:
        rng = self.rng
        ref, tensor = self.pick(*FLOATS)
        return rng.choice(
            [
                lambda: {
                    "call": "nn.softmax",
                    "args": [ref],
                    "kwargs": rng.choice([{}, {"axis": self.axis(tensor)}]),
                },
                lambda: {"call": "nn.log_softmax", "args": [ref]},
                lambda: {
                    "call": "nn.dropout",
                    "args": [ref],
                    "kwargs": {"rate": 0.4, **rng.choice([{}, {"seed": 3}])},
                },
                lambda: {"call": "random.uniform", "args": [[2, 3]], "kwargs": rng.choice([{}, {"seed": 7}])},
                lambda: {
                    "call": "random.normal",
                    "args": [[3]],
                    "kwargs": rng.choice([{}, {"dtype": {"dtype": "float64"}}]),
                },
                lambda: {"call": "nn.l2_normalize", "args": [ref, self.axis(tensor)]},
                lambda: {
                    "call": "losses.mean_squared_error",
                    "args": [ref, self.pick(tensor.dtype.base_dtype.name)[0]],
                },
                lambda: {"call": "losses.absolute_difference", "args": [ref, ref]},
                lambda: {"call": "clip_by_norm", "args": [ref, 1.0]},
                lambda: {"call": "nn.moments", "args": [ref, [0]]},
                lambda: {"call": "nn.top_k", "args": [ref, 1]},
                lambda: {"call": "one_hot", "args": [self.pick("int32", "int64")[0], 3]},
                lambda: {"call": "cumsum", "args": [ref], "kwargs": {"axis": self.axis(tensor), "exclusive": True}},
                lambda: {"call": "norm", "args": [ref]},
                lambda: {"call": "unique", "args": [self.pick()[0]]},
                lambda: {"call": "as_string", "args": [self.pick()[0]]},
                lambda: {"call": "string_join", "args": [[self.pick("string")[0], "x"]]},
                lambda: {
                    "call": "math.segment_sum",
                    "args": [ref, [0] * ((tensor.shape.as_list() or [1])[0] or 1)],
                },
                lambda: {
                    "call": "layers.batch_normalization",
                    "args": [ref],
                    "kwargs": {"training": rng.random() < 0.5},
                },
                lambda: {"call": "map_fn", "args": [{"fn": rng.choice(["square", "abs", "tanh"])}, ref]},
                lambda: {"call": "scan", "args": [{"fn": "add"}, ref]},
                lambda: {"call": "foldl", "args": [{"fn": "maximum"}, ref]},
                lambda: {"call": "cond", "args": [{"py": True}, {"expr": "lambda: 1.0"}, {"expr": "lambda: 2.0"}]},
                lambda: {"call": "assert_equal", "args": [ref, ref]},
                lambda: {"call": "Print", "args": [ref, [ref]]},
                lambda: {"call": "py_func", "args": [{"fn": "as_dtype"}, [ref], {"dtype": "float32"}]},
            ]
        )()

    def python(self) -> dict[str, Any]:
        """Python values in all their kinds."""
        rng = self.rng
        ref, tensor = self.pick()
        return {
            "call": rng.choice(["convert_to_tensor", "constant", "identity", "zeros_like", "reduce_sum", "shape"]),
            "args": [
                rng.choice(
                    [
                        [ref, ref],
                        [[ref], [ref]],
                        [ref, 1.0],
                        [1, ref],
                        {"tuple": [ref, 2]},
                        [[1, 2], [ref, 3]],
                        [],
                        [[]],
                        {"py": [1, 2.5]},
                        {"py": [True, 1]},
                        {"py": ["a", "b"]},
                        {"b": "x"},
                        {"py": None},
                        {"py": [None]},
                        {"expr": "np.float32(2.5)"},
                        {"expr": "np.int64(3)"},
                        {"expr": "np.bool_(True)"},
                        {"expr": "np.array([1, 2], np.uint8)"},
                        {"expr": "np.array(['a', 'b'])"},
                        {"expr": "np.array([1., 2.], np.float16)"},
                        {"expr": "tf.TensorShape([2, 3])"},
                        {"expr": "tf.TensorShape([None, 3])"},
                        {"expr": "tf.Dimension(3)"},
                        {"expr": "[tf.Dimension(3), 2]"},
                        {"expr": "range(3)"},
                        {"expr": "np.array([1, 'a'], object)"},
                        {"expr": "1 + 2j"},
                        {"py": 2**40},
                        {"py": 2**70},
                        {"py": 1e400},
                        {"expr": "np.zeros((0, 2))"},
                        {"expr": "object()"},
                        {"expr": "tf.float32"},
                        {"expr": "[np.array([1, 2]), [3, 4]]"},
                        {"py": [[1, 2], [3]]},
                        {"expr": "{1: 2}"},
                    ]
                )
            ],
        }

    def structure(self) -> dict[str, Any]:
        """A branch, loop, map or scope around steps of their own."""
        rng = self.rng
        kind = rng.choice(["cond", "cond", "loop", "loop", "map", "scope", "control"])
        if kind in ("scope", "control"):
            step = {"scope": rng.choice(NAMES), "steps": [self.call() for _ in range(rng.randint(1, 2))]}
            return {**step, **({"control": [self.pick()[0]]} if kind == "control" else {})}
        if kind == "cond":
            ref, tensor = self.pick()
            test = self.tensors("bool")
            steps = rng.choice(
                [{"call": "negative", "args": [ref]}, {"call": "identity", "args": [ref]}, self.call()]
            )
            other = rng.choice(
                [{"call": "square", "args": [ref]}, {"call": "zeros_like", "args": [ref]}, self.call()]
            )
            if rng.random() < 0.3 and self.variables:
                variable = {"v": rng.choice(self.variables)}
                steps, other = (
                    {"call": name, "args": [variable, variable]} for name in ("assign_add", "assign_sub")
                )
            scalars = [item for item in test if item[1].shape.ndims == 0]
            return {
                "cond": rng.choice(scalars)[0] if scalars else {"expr": "tf.placeholder_with_default(True, [])"},
                "branches": [[steps], [other]],
            }
        ref, tensor = self.pick(*FLOATS)
        depth = len(self.shadow.made)
        carried, dtype = {"v": depth + 1}, tensor.dtype.base_dtype.name
        if kind == "map":
            self_ref = {"v": depth}
            call = rng.choice(["square", "reduce_sum", "exp", "shape", "cumsum"])
            options = rng.choice([{}, {}, {"parallel_iterations": 1}, {"back_prop": False}])
            if rng.random() < 0.5:
                return {
                    "map": ref,
                    "function": "map_fn",
                    "body": [{"call": call, "args": [self_ref]}],
                    "options": options,
                }
            return {
                "map": ref,
                "function": rng.choice(["scan", "foldl", "foldr"]),
                "options": options,
                "body": [{"call": "multiply", "args": [self_ref, {"v": depth + 1}]}],
            }
        body = [
            rng.choice(
                [
                    {"call": "multiply", "args": [carried, 0.5]},
                    {"call": "tanh", "args": [carried]},
                    {"call": "add", "args": [carried, self.pick(dtype)[0]]},
                    {"call": "multiply", "args": [carried, carried]},
                    {"call": "concat", "args": [[carried, carried], 0]},
                    {"call": "nn.dropout", "args": [carried, 0.5]},
                    {"call": "matmul", "args": [carried, carried]},
                    {"call": "reduce_sum", "args": [carried, 0, True]},
                ]
            )
        ]
        options = rng.choice(
            [
                {},
                {},
                {"back_prop": False},
                {"parallel_iterations": 1},
                {"maximum_iterations": 2},
                {"swap_memory": True},
                {"name": "L"},
            ]
        )
        return {
            "loop": [ref],
            "limit": rng.choice([0, 1, 3]),
            "body": body,
            "next": [{"v": depth + 2}],
            "options": options,
        }

    def assignment(self) -> dict[str, Any] | None:
        """An update of a variable."""
        rng = self.rng
        if not self.variables:
            return None
        variable = {"v": rng.choice(self.variables)}
        value = self.pick(self.shadow.value(variable).dtype.base_dtype.name)[0]
        call = rng.choice(["assign", "assign_add", "assign_sub"])
        if rng.random() < 0.4:
            return {"method": call, "args": [variable, value]}
        if rng.random() < 0.3:
            return {"call": rng.choice(["scatter_update", "scatter_add"]), "args": [variable, [0], value]}
        return {"call": call, "args": [variable, value], **rng.choice([{}, {"kwargs": {"use_locking": True}}])}

    def feeds(self) -> list[Any]:
        """What a run feeds other than the program's own values: other dtypes and kinds, sometimes other shapes."""
        rng, found = self.rng, []
        for index in self.fed:
            if rng.random() < 0.3:
                content = self.steps[index]["feed"]
                dtype = content["dtype"]
                shape = list(content["shape"])
                if rng.random() < 0.2 and shape:
                    shape[rng.randrange(len(shape))] += 1
                other = rng.choice([dtype, dtype, "float64", "int32", "int64", "bool", "string"])
                found.append([{"v": index}, {"np": record(random_array(rng, other, shape), other)}])
        if rng.random() < 0.1:
            found.append([self.pick()[0], {"py": rng.choice([1, 2.5, [1.0], "a", None])}])
        return found

    def program(self) -> dict[str, Any]:
        """A whole program."""
        rng = self.rng
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self._program(rng)

    def _program(self, rng: random.Random) -> dict[str, Any]:
        self.start()
        for _ in range(rng.randint(2, 6)):
            step = self.structure() if rng.random() < 0.3 else self.call()
            if rng.random() < 0.15:
                updated = self.assignment()
                if updated and self.add(updated):
                    self.updates.append(len(self.steps) - 1)
                continue
            if self.add(step):
                if "assign" in str(step):
                    self.updates.append(len(self.steps) - 1)
            elif rng.random() < 0.12:
                self.steps.append(step)
                return {"program": self.steps, "runs": [{"fetch": []}]}
        tensors = [
            ref for ref, tensor in self.tensors() if tensor.dtype.base_dtype.name not in ("resource", "variant")
        ]
        spec: dict[str, Any] = {"program": self.steps}
        wanted = rng.sample(tensors, min(len(tensors), rng.randint(1, 4)))
        smooth = [ref for ref, tensor in self.tensors(*FLOATS)]
        sources = [{"v": index} for index in self.fed + self.variables]
        runs = [{"fetch": wanted, "feeds": []}]
        runs += [{"fetch": [update], "feeds": []} for update in ({"v": index} for index in self.updates)]
        if smooth and sources and rng.random() < 0.7:
            if rng.random() < 0.15 and self.variables:
                loss = {"call": "reduce_sum", "args": [smooth[-1]]}
                optimizer = rng.choice(OPTIMIZERS)
                extra = ", 0.9" if optimizer.startswith("Momentum") else ""
                made = len(self.steps)
                self.steps += [loss, {"call": "identity", "args": [{"v": made}]}]
                self.steps[-1] = {
                    "method": "minimize",
                    "args": [{"expr": f"tf.train.{optimizer}(0.1{extra})"}, {"v": made}],
                }
                runs += [{"fetch": [{"v": made + 1}], "feeds": []}] * 2
            else:
                xs = [ref for ref in sources if self.shadow.value(ref).dtype.base_dtype.name in FLOATS] or sources
                spec["gradients"] = [rng.sample(smooth, 1), xs]
                runs.append({"fetch": [{"v": len(self.steps)}], "feeds": []})
        runs += [{"fetch": wanted, "feeds": self.feeds()} for _ in range(rng.randint(1, 2))]
        return {**spec, "runs": runs}


def cases(rng: random.Random, count: int) -> list[dict[str, Any]]:
    """`count` programs."""
    import ossia as tf

    found = []
    for _ in range(count):
        with tf.Graph().as_default() as graph:
            graph.seed = 1234
            found.append(Grower(rng).program())
    return found

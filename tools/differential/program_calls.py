"""The calls that random programs are made of, on what a program made before."""

from __future__ import annotations

import random
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


class Calls:
    """Random calls on what the steps of a program made.

    shadow: the builder that has tried each step. updates: the steps that change variables. rng: chance.
    """

    def __init__(self, rng: random.Random) -> None:
        import ossia as tf

        self.tf, self.rng, self.shadow = tf, rng, Builder(tf)
        self.updates: list[int] = []

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

"""Random programs: a few steps chained, with variables, branches, loops, scopes and gradients, run several times.

Each step is tried on a graph of Ossia's own while the program grows, which tells the dtypes and shapes of what it made,
so that most steps fit; some of those that do not are kept as the program's last step, for their error.
"""

from __future__ import annotations

import random
import warnings
from typing import Any

from program_calls import DTYPES, NAMES, Calls
from values import FLOATS, random_array, record

OPTIMIZERS = [
    "GradientDescentOptimizer",
    "AdamOptimizer",
    "MomentumOptimizer",
    "AdagradOptimizer",
    "RMSPropOptimizer",
    "FtrlOptimizer",
    "AdadeltaOptimizer",
]


class Grower(Calls):
    """Grows one program. steps: what was written so far."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.steps: list[Any] = []
        self.fed: list[int] = []
        self.variables: list[int] = []

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
            steps = rng.choice([{"call": "negative", "args": [ref]}, {"call": "identity", "args": [ref]}, self.call()])
            other = rng.choice([{"call": "square", "args": [ref]}, {"call": "zeros_like", "args": [ref]}, self.call()])
            if rng.random() < 0.3 and self.variables:
                variable = {"v": rng.choice(self.variables)}
                steps, other = ({"call": name, "args": [variable, variable]} for name in ("assign_add", "assign_sub"))
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
        tensors = [ref for ref, tensor in self.tensors() if tensor.dtype.base_dtype.name not in ("resource", "variant")]
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

"""Random calls of public functions, in families; with varied arguments, the same calls in other Python clothes."""

from __future__ import annotations

import importlib
import random
from typing import Any

import draw
import numpy as np
import values

from ossia_testkit.op_transport import decode

MODULES = (
    "arrays", "checks", "control", "linear", "making", "math", "networks", "nn", "special", "state", "streams", "text",
    "training",
)  # fmt: skip
NAMES = ["a", "b/c", "x.y", "n-1", "Q_1", "sub/", "_bad", "sp ace", "", "é", "gradients", "1st", {"b": "raw"}, 3]


def cases(rng: random.Random, count: int, names: list[str], varied: bool = False) -> list[dict[str, Any]]:
    """`count` calls of each family (of those named, if any are); `varied`: the arguments in other Python types."""
    for module in MODULES:
        importlib.import_module("functions_" + module)
    draw.reset(rng.getrandbits(32))
    found = []
    for name, make in draw.FAMILIES.items():
        for _ in range(count if not names or name in names else 0):
            draw.form.kind = draw.chance.choice(["const", "const", "unknown", "partial"])
            case = make()
            found.append(vary(draw.chance, case) if varied else case)
    return found


def vary(rng: random.Random, case: dict[str, Any]) -> dict[str, Any]:
    """The call with some arguments in other types, and perhaps a name."""
    args = [varied(rng, item) for item in case["args"]]
    kwargs = {key: varied(rng, item) for key, item in case["kwargs"].items()}
    if rng.random() < 0.15 and not case["call"].startswith("Tensor."):
        kwargs["name"] = rng.choice(NAMES)
    return {**case, "args": args, "kwargs": kwargs, "grad": min(case["grad"], 1)}


def varied(rng: random.Random, item: Any) -> Any:
    """A value in another type that stands for the same, or nearly."""
    if rng.random() < 0.35:
        return item
    if isinstance(item, dict) and "t" in item:
        return varied_tensor(rng, item)
    if isinstance(item, dict) and "dtype" in item:
        name = item["dtype"]
        options = [{"py": name}, {"expr": f"tf.{name}.as_datatype_enum"}, {"expr": f"tf.{name}.as_numpy_dtype"}]
        return rng.choice([*options, *([{"expr": "float"}] if name == "float32" else [])])
    if isinstance(item, bool) or item is None or isinstance(item, str):
        return rng.choice([item, item, {"b": item}]) if isinstance(item, str) else item
    if isinstance(item, int):
        options = (
            [
                {"scalar": values.record(np.array(item, kind), kind)}
                for kind in ("int32", "int64", "uint8")
                if kind != "uint8" or 0 <= item < 256
            ]
            if abs(item) < 2**31
            else []
        )
        return rng.choice(
            [
                *options,
                float(item),
                {"np": values.record(np.array(item), "int64")} if options else item,
                {"dim": item} if item >= 0 else item,
                {"tuple": [item]},
                bool(item),
            ]
        )
    if isinstance(item, float):
        return rng.choice([{"scalar": values.record(np.array(item, kind), kind)} for kind in values.FLOATS] + [[item]])
    if isinstance(item, list) and all(isinstance(part, int) for part in item):
        kind = rng.choice(["int32", "int64", "int16", "float32"])
        options: list[Any] = [{"tuple": item}, {"np": values.record(np.array(item, kind), kind)}]
        if all(part >= 0 for part in item):
            options += [{"shape": item}, [{"dim": part} for part in item]]
        options.append([{"t": {"a": values.record(np.array(part), "int64"), "p": "const"}} for part in item])
        return rng.choice(options)
    if isinstance(item, list):
        return rng.choice([{"tuple": item}, [varied(rng, part) for part in item]])
    return item


def varied_tensor(rng: random.Random, item: dict[str, Any]) -> Any:
    """A tensor as an array, list, variable, list of tensors or NumPy scalar."""
    content = item["t"]["a"]
    if content["dtype"] in ("uint32", "uint64") or content["dtype"].startswith(("q", "bfloat")):
        return {"np": content} if content["dtype"] == "bfloat16" else item
    found = decode(content)
    options: list[Any] = [{"np": content}]
    if content["dtype"] not in ("string", "bool"):
        options.append({"var": {"a": content, "resource": rng.random() < 0.5}})
    if found.size < 30 and found.dtype.kind in "biuf":
        options.append({"py": found.tolist()})
    if not found.shape and found.dtype.kind != "O":
        options.append({"scalar": content})
    if found.ndim and 0 < len(found) < 5:
        rows = [values.record(np.asarray(row), content["dtype"]) for row in found] if found.dtype.kind != "O" else []
        options += (
            [[{"t": {"a": row, "p": "const"}} if rng.random() < 0.7 else {"np": row} for row in rows]] if rows else []
        )
    return rng.choice(options)

"""Hostile calls of raw ops: huge or negative sizes, indices out of range, wrong ranks and dtypes, empty inputs.

Both sides have to refuse them in the same way, or do the same; where the original dies, ours has to raise an error.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from raw_ops import DTYPES, RawCall, attr_value, call_options
from values import SMOOTH, converted, numpy_dtype, random_array

SIZES = (
    -1, -2, -7, 0, 1, 2, 100, 65537, 2**31 - 1, 2**31, -(2**31), 2**32, 2**33 + 1, 2**61, 2**62, 2**63 - 1, -(2**63),
)  # fmt: skip
NUMBERS = (0.0, -1.0, 1e-45, -1e30, 1e30, 1e300, float("nan"), float("inf"), float("-inf"), 0.5, 1.0, 2.0)
WORDS = ("", "bad", "\x00", "SAME", "VALID", "NCHW", "%", "%s%s%n", "a" * 300, "\xff", "(", "(a*)*b", "-1")
RANKS = ([], [0], [1], [1, 1], [0, 0], [2, 0], [1, 1, 1], [1, 2, 1, 1], [1, 1, 1, 1, 1], [1] * 9, [3], [5])


def change_number(rng: random.Random, call: RawCall) -> None:
    """One element, or all, of an integer input a hostile one."""
    counts = [item for item in call.flat if numpy_dtype_kind(item.dtype) in "iu" and item.array.size]
    floats = [item for item in call.flat if item.dtype in SMOOTH and not item.array.shape]
    if not counts and not floats:
        return change_shape(rng, call)
    item = rng.choice(counts + floats)
    item.array = np.array(item.array)
    every = rng.random() < 0.25
    with np.errstate(all="ignore"):
        if item in floats:
            item.array[...] = rng.choice(NUMBERS)
            return
        info = np.iinfo(item.array.dtype)
        options = [size for size in (*SIZES, *item.array.shape) if info.min <= size <= info.max]
        place = slice(None) if every else slice(at := rng.randrange(item.array.size), at + 1)
        item.array.reshape(-1)[place] = rng.choice(options)


def numpy_dtype_kind(dtype: str) -> str:
    """The kind of the dtype that holds an input, `O` for strings."""
    return "O" if dtype == "string" else numpy_dtype(dtype).kind


def change_shape(rng: random.Random, call: RawCall) -> None:
    """One input of another rank, empty, or with one size changed."""
    if not call.flat:
        return
    item = rng.choice(call.flat)
    shape = list(item.array.shape)
    if rng.random() < 0.5 or not shape:
        shape = list(rng.choice(RANKS))
    else:
        shape[rng.randrange(len(shape))] = rng.choice([0, 1, 2, 3, 7])
    item.reshape(tuple(shape))


def change_all_shapes(rng: random.Random, call: RawCall) -> None:
    """Every input empty or a scalar, or of one rank more or less."""
    kind = rng.choice(["empty", "scalar", "more", "less"])
    for item in call.flat:
        old = item.array.shape
        new = {"empty": tuple(0 for _ in old), "scalar": (), "more": (1, *old), "less": old[1:]}[kind]
        item.reshape(new)


def change_dtype(rng: random.Random, call: RawCall) -> None:
    """One input of another dtype than it may be."""
    options = [item for item in call.flat if not item.is_handle]
    if not options:
        return
    item = rng.choice(options)
    name = rng.choice(DTYPES)
    if (item.dtype == "string") != (name == "string"):
        item.array = random_array(rng, name, item.array.shape)
    else:
        item.array = converted(item.array, name)
    item.dtype = name


def change_list(rng: random.Random, call: RawCall) -> None:
    """A list of inputs without one of its items, with one twice, or empty."""
    options = [index for index, (arg, _) in enumerate(call.inputs) if arg.is_list]
    if not options:
        return change_number(rng, call)
    index = rng.choice(options)
    arg, items = call.inputs[index]
    kind = rng.choice(["less", "more", "none"])
    changed = [] if kind == "none" else items[:-1] if kind == "less" else [*items, *items[-1:]]
    call.inputs[index] = (arg, changed)


def hostile_attr(rng: random.Random, kind: str, old: Any) -> Any:
    """A value of an attribute that no program would give."""
    if kind.startswith("list("):
        items = list(old or [])
        how = rng.random()
        if how < 0.3 or not items:
            return items[:-1] if how < 0.1 else [] if how < 0.2 else [*items, *items[-1:]]
        items[rng.randrange(len(items))] = hostile_attr(rng, kind[5:-1], items[0])
        return items
    if kind == "int":
        return rng.choice(SIZES)
    if kind == "float":
        return rng.choice(NUMBERS)
    if kind == "string":
        return rng.choice(WORDS).encode("latin-1")
    if kind == "bool":
        return not old
    if kind == "type":
        return rng.choice(DTYPES)
    if kind == "shape":
        return rng.choice([None, [], [-1], [0], [2**31, 2**31], [2**62, 4], [None, 2], [1] * 9])
    return old


def change_attr(rng: random.Random, call: RawCall) -> None:
    """One attribute with a hostile value."""
    options = [attr for attr in call.definition.explicit_attrs if attr.kind not in ("func", "tensor", "list(func)")]
    if not options:
        return change_number(rng, call)
    attr = rng.choice(options)
    call.attrs[attr.name] = hostile_attr(rng, attr.kind, call.attrs.get(attr.name, attr.default))
    attr_value(call.attrs[attr.name], attr.kind)


CHANGES = (change_number,) * 5 + (change_shape,) * 4 + (change_attr,) * 4 + (
    change_all_shapes, change_dtype, change_list)  # fmt: skip


def cases(rng: random.Random, count: int, names: list[str], facts: dict[str, Any]) -> list[dict[str, Any]]:
    """`count` hostile calls of each op that the original has a kernel for (of those named, if any are)."""
    made: list[dict[str, Any]] = []
    for definition, samples, parameters, kernels in call_options(names, facts):
        for _ in range(count):
            try:
                call = RawCall(definition, *rng.choice(samples))
                if rng.random() < 0.2:
                    call.change_dtypes(rng, kernels)
                for _ in range(rng.choice([1, 1, 1, 2, 3])):
                    rng.choice(CHANGES)(rng, call)
                case = call.case(rng, parameters)
                made.append({**case, "grad": min(case["grad"], 1)})
            except (TypeError, ValueError, OverflowError):  # values that the changed dtype has no room for
                continue
    return made

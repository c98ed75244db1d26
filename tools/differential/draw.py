"""What families of random calls are written with: chance, and values of cases.

The state is the module's own, so that a family reads like the calls that it makes: `reset` seeds it.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import values
from values import random_array, record

FLOATS = ["float16", "float32", "float32", "float32", "float64"]
SMOOTH = [*FLOATS, "complex64", "complex128"]
INDEX = ["int32", "int64"]
INTEGERS = [*INDEX, "int8", "int16", "uint8", "uint16"]
NUMBERS = [*SMOOTH, *INTEGERS, "bfloat16"]
PLAIN = [*NUMBERS, "bool", "string"]
MODES = values.MODES

FAMILIES: dict[str, Callable[[], dict[str, Any]]] = {}
chance = random.Random()


class Form:
    """How the tensors of a call come: `kind` is const, unknown (fed, without a shape) or partial (some sizes known)."""

    kind = "const"


form = Form()


def reset(seed: int) -> None:
    """Start anew from a seed."""
    chance.seed(seed)


def family(name: str) -> Callable:
    """Enter the decorated function, which makes a random call, under a name."""

    def enter(function: Callable) -> Callable:
        FAMILIES[name] = function
        return function

    return enter


def call(name: str, /, *args: Any, g: int | None = None, **kwargs: Any) -> dict[str, Any]:
    """A call as a case; `g` orders of gradients are compared, by chance if it is None."""
    return {"call": name, "args": list(args), "kwargs": kwargs, "grad": chance.choice([0, 1, 1, 2]) if g is None else g}


def method(name: str, thing: Any, /, *args: Any, g: int | None = None, **kwargs: Any) -> dict[str, Any]:
    """A call of a method of `thing`, as a case."""
    return {**call(name, thing, *args, g=g, **kwargs), "method": name}


def made(name: str, /, *args: Any, **kwargs: Any) -> dict[str, Any]:
    """The result of another call, as a value of a case."""
    return {"call": {"call": name, "args": list(args), "kwargs": kwargs}}


def code(text: str) -> dict[str, str]:
    """The value of a Python expression of `tf` and `np`."""
    return {"expr": text}


def variable(dtype: str, dims: Any, mode: str | None = None) -> dict[str, Any]:
    """A variable of random values, of either kind."""
    return {"var": {"a": record(array(dtype, dims, mode), dtype), "resource": chance.random() < 0.5}}


def shape(low: int = 0, high: int = 4, zero: float = 0.08) -> list[int]:
    """A small shape of a rank from `low` to `high`; a size is 0 with probability `zero`."""
    return [0 if chance.random() < zero else chance.choice([1, 2, 3, 4]) for _ in range(chance.randint(low, high))]


def static(dims: Any) -> Any:
    """What is known of a shape in the form of this call."""
    if form.kind == "partial":
        return [None if chance.random() < 0.5 else size for size in dims]
    return "const" if form.kind == "const" else None


def array(dtype: str, dims: Any, mode: str | None = None) -> np.ndarray:
    """Random values."""
    return random_array(chance, dtype, dims, mode or chance.choice(MODES))


def tensor(dtype: str, dims: Any, mode: str | None = None, p: Any = 0) -> dict[str, Any]:
    """A tensor of random values; `p` is what is known of its shape, by the form of the call if it is 0."""
    known = static(dims) if p == 0 else p
    if dtype in ("uint32", "uint64") and known == "const":  # which the original has no constants of
        known = list(dims)
    return {"t": {"a": record(array(dtype, dims, mode), dtype), "p": known}}


def fed(content: Any, dtype: str, p: Any = 0) -> dict[str, Any]:
    """A tensor of given values."""
    found = np.array(content, object if dtype == "string" else dtype)
    return {"t": {"a": record(found, dtype), "p": static(found.shape) if p == 0 else p}}


def constant(content: Any, dtype: str) -> dict[str, Any]:
    """A constant of given values."""
    return fed(content, dtype, "const")


def texts(dims: Any, p: Any = 0) -> dict[str, Any]:
    """A tensor of random strings."""
    return tensor("string", dims, "benign", p)


def sparse(dtype: str, dims: Any = None, n: int | None = None, order: bool = True) -> tuple[dict[str, Any], list[int]]:
    """A SparseTensor of `n` random values, and its shape; now and then out of order, unless `order`."""
    dims = dims or [chance.choice([2, 3, 4]) for _ in range(chance.randint(1, 3))]
    places = list(itertools.product(*map(range, dims)))
    n = chance.randint(0, min(5, len(places))) if n is None else n
    chosen = chance.sample(places, n)
    if order or chance.random() < 0.9:
        chosen = sorted(chosen)
    indices = np.array(chosen, "int64").reshape(n, len(dims))
    return {"sparse": [fed(indices, "int64"), tensor(dtype, [n]), fed(dims, "int64")]}, dims


def maybe(p: float, **options: Any) -> dict[str, Any]:
    """Each option with probability `p`; functions among them are called for their value."""
    return {key: item() if callable(item) else item for key, item in options.items() if chance.random() < p}


def axis_of(rank: int, extra: int = 0) -> int:
    """An axis, or one that is up to `extra` too far."""
    return chance.randint(-rank - extra, rank - 1 + extra) if rank else chance.choice([0, -1])


def axes_of(rank: int) -> Any:
    """None, an axis, or several."""
    kind = chance.random()
    if kind < 0.25:
        return None
    if kind < 0.6 or rank == 0:
        return axis_of(rank, chance.random() < 0.05)
    return [
        axis - rank if chance.random() < 0.4 else axis for axis in chance.sample(range(rank), chance.randint(0, rank))
    ]


def broadcastable(dims: list[int]) -> list[int]:
    """A shape that broadcasts against another; now and then one that does not."""
    found = [1 if chance.random() < 0.35 else size for size in dims]
    while found and chance.random() < 0.3:
        found = found[1:]
    if chance.random() < 0.04 and found:
        found[-1] += 1
    return found

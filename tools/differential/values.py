"""Random arrays that look for trouble, and how cases hold them."""

from __future__ import annotations

import base64
import random
from typing import Any

import numpy as np

from ossia_testkit import recording

FLOATS = ("float16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
SMOOTH = (*FLOATS, "bfloat16", *COMPLEX)
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16")
NUMBERS = (*FLOATS, "bfloat16", *COMPLEX, *INTEGERS)
PLAIN = (*NUMBERS, "bool", "string")
MODES = ("benign", "benign", "special", "positive", "ties")

# None is denormal in float32: the original takes those for zero, in some places and not in others.
AWKWARD = [
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.49999997, 3.7, -3.7, 1e-3, 100.0, np.nan, np.inf, -np.inf,
    1.2e-38, -1.2e-38, 3e38, -3e38, 1e10, 1e-10, 88.8, -104.0,
]  # fmt: skip
TEXTS = [
    b"", b"a", b"abc", b"A b", b"\x00x", b"\xff\xfe", b"caf\xc3\xa9", b"\xe2\x82\xac", b"12", b"-3.5", b"hello world",
    b"nan", b"a,b", b" ", b" 7 ", b"a,b,,c", b"1e400", b"0x1F", b"+5", b"9223372036854775808", b"\xf0\x9f\x98\x80z",
]  # fmt: skip


def numpy_dtype(dtype: str) -> np.dtype:
    """The NumPy dtype in which a case holds values of a dtype: bfloat16 as float32, quantised types as numbers."""
    return np.dtype(
        "float32" if dtype == "bfloat16" else dtype.removeprefix("q") if dtype[:2] in ("qi", "qu") else dtype
    )


def shorten(array: np.ndarray) -> np.ndarray:
    """float32 values cut to what bfloat16 can hold."""
    whole = np.ascontiguousarray(array, np.float32).reshape(array.shape)
    return (
        ((whole.view(np.uint32) >> 16) << 16).view(np.float32)
        if whole.size and whole.ndim
        else np.float32(np.round(whole))
    )


def random_array(rng: random.Random, dtype: str, shape: Any, mode: str = "benign") -> np.ndarray:
    """An array; `mode` is benign, special (with awkward values), positive, or ties (few different values)."""
    shape = tuple(shape)
    count = int(np.prod(shape))
    if dtype in ("string", "bool"):
        found = np.empty(count, object if dtype == "string" else bool)
        found[:] = [rng.choice(TEXTS) if dtype == "string" else rng.random() < 0.5 for _ in range(count)]
        return found.reshape(shape)
    kind = numpy_dtype(dtype)
    if kind.kind in "iu":
        info = np.iinfo(kind)
        corners = [0, 1, 2, 3, 7, -1, -7, info.min, info.max, info.min + 1, info.max - 1, info.max // 2 + 1]
        items = [rng.choice(corners) if mode == "special" else rng.randint(-5, 9) for _ in range(count)]
        return np.array([min(max(item, info.min), info.max) for item in items], kind).reshape(shape)

    def number() -> float:
        if mode == "special" and rng.random() < 0.5:
            return rng.choice(AWKWARD)
        if mode == "ties":
            return rng.choice([0.0, 1.0, 2.0, -1.0])
        return abs(rng.gauss(0, 2)) + 1e-3 if mode == "positive" else rng.gauss(0, 2)

    with np.errstate(all="ignore"):
        items = [complex(number(), number()) if kind.kind == "c" else number() for _ in range(count)]
        found = np.array(items, np.complex128 if kind.kind == "c" else np.float64).reshape(shape).astype(kind)
        return shorten(found) if dtype == "bfloat16" else found


def converted(value: Any, dtype: str) -> np.ndarray:
    """A value as the array that a case holds for a dtype."""
    if dtype == "string":
        array = np.asarray(value, object)
        found = np.empty(array.size, object)
        found[:] = [item if isinstance(item, bytes) else str(item).encode() for item in array.ravel()]
        return found.reshape(array.shape)
    with np.errstate(all="ignore"):
        found = np.asarray(value).astype(numpy_dtype(dtype))
        return shorten(found) if dtype == "bfloat16" else found


def record(array: np.ndarray, dtype: str) -> dict[str, Any]:
    """An array as JSON (`ossia_testkit.op_transport.decode` reads it), marked as of `dtype`."""
    if dtype == "string":
        return recording.array_record(array)
    if dtype == "bfloat16":
        half = (np.ascontiguousarray(array, np.float32).view(np.uint32) >> 16).astype("<u2")
        data = base64.b64encode(half.tobytes()).decode()
        return {"dtype": dtype, "shape": list(np.shape(array)), "data": data}
    return {**recording.array_record(np.ascontiguousarray(array).reshape(np.shape(array))), "dtype": dtype}

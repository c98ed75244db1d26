"""Error functions and Bessel functions of float32 arrays, computed in float32: the series of `special_values`, cut off
where their terms are lost in rounding."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_ops.math import special_values
from ossia_ops.math.choice import choose, in_blocks

_ZERO = np.zeros((), np.float32)
_LOST = 1e-9  # terms that are smaller do not change a float32 number near 1
_HIGH = np.int32(-4096)  # a mask of sign, exponent and the upper 11 bits of a fraction


def in_single(fn: Callable, otherwise: Callable) -> Callable:
    """A kernel that computes `fn` for float32 and `otherwise` for other dtypes."""
    blocks = in_blocks(fn)
    return lambda x: blocks(x) if x.dtype == np.float32 else otherwise(x)


def _series(coefficients: Any, y: Any) -> Any:
    kept = coefficients[: int(np.flatnonzero(np.abs(coefficients) > _LOST)[-1]) + 1].astype(np.float32)
    return special_values.series(kept, y)


def _tail(size: Any) -> Any:
    """`erfc` for numbers that are not negative."""
    t = np.float32(2) / (np.float32(2) + size)
    # The square in two parts, of which the first is exact: exp of a rounded one would be wrong in its last digits.
    high = (np.atleast_1d(size).view(np.int32) & _HIGH).view(np.float32).reshape(np.shape(size))
    decay = np.exp(-high * high) * np.exp((high - size) * (high + size))
    return choose(size < np.float32(11), t * decay * _series(special_values.ERFC, t + t - np.float32(1)), _ZERO)


def _near(x: Any) -> Any:
    """`erf` for numbers up to 1."""
    square = np.minimum(x * x, np.float32(1))
    return x * _series(special_values.ERF, square + square - np.float32(1))


def erf(x: Any) -> Any:
    """The error function."""
    size = np.abs(x)
    far = np.copysign(np.float32(1) - _tail(size), x)
    return choose(size >= 1, far, _near(x))


def erfc(x: Any) -> Any:
    """The complementary error function."""
    size = np.abs(x)
    tail = _tail(size)
    far = choose(x < 0, np.float32(2) - tail, tail)
    return choose(size >= np.float32(0.5), far, np.float32(1) - _near(x))


_EIGHT = np.float32(8)


def _far(coefficients: Any, size: Any) -> Any:
    """A Bessel function of numbers above 8; anything for others."""
    wide = np.maximum(size, _EIGHT)
    return _series(coefficients, np.float32(16) / wide - np.float32(1)) / np.sqrt(wide)


def i0e(x: Any) -> Any:
    """The modified Bessel function of order 0, times exp(-|x|)."""
    size = np.abs(x)
    near = _series(special_values.I0_NEAR, np.minimum(size, _EIGHT) / np.float32(4) - np.float32(1))
    return choose(size > _EIGHT, _far(special_values.I0_FAR, size), near) if (size > _EIGHT).any() else near


def i1e(x: Any) -> Any:
    """The modified Bessel function of order 1, times exp(-|x|)."""
    size = np.abs(x)
    near = _series(special_values.I1_NEAR, np.minimum(size, _EIGHT) / np.float32(4) - np.float32(1)) * size
    if (size > _EIGHT).any():
        near = choose(size > _EIGHT, _far(special_values.I1_FAR, size), near)
    return np.copysign(near, x)

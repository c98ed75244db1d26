"""Functions of numbers of 16 bits, from tables of few entries, with straight lines between them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_lite.fixed_point import quantize_factor, round_half_away, scale
from ossia_lite.tensors import TensorInfo

_LOW, _HIGH = -32768, 32767
_Function = Callable[[np.ndarray], Any]


def table(function: _Function, source: tuple[float, int], result: tuple[float, int]) -> np.ndarray:
    """513 values of a function at equal distances over all numbers of 16 bits, each moved so that the line to the
    next one is not far off in the middle.

    Args:
        function: Of float32 numbers.
        source: Scale and zero point of the numbers that go in.
        result: Scale and zero point of those that come out.
    """
    low, high = (np.float32(source[0]) * np.float32(bound - source[1]) for bound in (_LOW, _HIGH))
    bottom, top = (np.float32(result[0]) * np.float32(bound - result[1]) for bound in (_LOW, _HIGH))
    step, factor = np.float32((high - low) / 512), np.float32(65536 / (top - bottom))
    places = low + step * np.arange(513, dtype=np.float32)
    with np.errstate(all="ignore"):
        values, middle = np.asarray(function(places), np.float32), np.asarray(function(places + step / 2), np.float32)
        rounded = round_half_away(values * factor)
        between = round_half_away((values[1:] * factor + rounded[:-1]) / 2)
        bias = round_half_away((between - round_half_away(middle[:-1] * factor)) / 2)
    found = np.append(rounded[:-1] - bias, rounded[-1]) + 0.0
    return np.clip(np.nan_to_num(found, nan=0, posinf=_HIGH, neginf=_LOW), _LOW, _HIGH).astype(np.int64)


def look_up(x: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The function of a table.

    Args:
        x: Integers of 16 bits.
        values: From `table`.
    """
    x = np.asarray(x, np.int64)
    place, rest = 256 + (x >> 7), x & 127
    return values[place] + (((values[place + 1] - values[place]) * rest + 64) >> 7)


def _sigmoid_table() -> np.ndarray:
    found = np.floor(65536 / (1 + np.exp(-np.arange(257) / 23.999)) + 0.5).astype(np.int64)
    for place, error in {4: 1, 65: -1, 69: -1, 71: -1, 117: -1, 163: -1, 174: -1, 255: 1}.items():
        found[place] += error  # as the runtime has it
    return found


_SIGMOID = _sigmoid_table()


def _prepared(x: np.ndarray, source: TensorInfo) -> np.ndarray:
    """The input at 12288 steps per one: a multiplier of 15 bits and a shift, or only a shift for powers of two."""
    mantissa, exponent = math.frexp(source.scale)
    if mantissa == 0.5 and exponent + 11 >= 0:
        return np.asarray(x, np.int64) * (3 << (exponent + 11))
    factor, shift = source.scale * 4096 * 3, 0
    while factor <= _HIGH / 2 and shift <= 30:
        factor, shift = factor * 2, shift + 1
    return (np.asarray(x, np.int64) * int(factor) + ((1 << shift) >> 1)) >> shift


def sigmoid16(x: np.ndarray, source: TensorInfo) -> np.ndarray:
    """The logistic function as a fraction of 15 bits.

    Args:
        x: Integers of 16 bits.
        source: Their scale.
    """
    values = _prepared(x, source)
    size = np.abs(values)
    place, rest = np.minimum(size >> 9, 255), size & 511
    found = np.where(
        size >> 9 >= 255, 0x7FFF << 10, (_SIGMOID[place] << 9) + rest * (_SIGMOID[place + 1] - _SIGMOID[place])
    )
    return np.where(values >= 0, found + (1 << 9), (1 << 25) - found + (1 << 9) - 1) >> 10


def tanh16(x: np.ndarray, source: TensorInfo) -> np.ndarray:
    """The hyperbolic tangent as a fraction of 15 bits.

    Args:
        x: Integers of 16 bits.
        source: Their scale.
    """
    values = _prepared(x, source)
    size = np.abs(values)
    place, rest = np.minimum(size >> 8, 255), size & 255
    found = np.where(
        size >> 8 >= 255, 0xFFFF << 8, (_SIGMOID[place] << 8) + rest * (_SIGMOID[place + 1] - _SIGMOID[place])
    )
    half = 1 << 23
    return np.where(values >= 0, found - half + (1 << 7), -found + half + (1 << 7) - 1) >> 8


def softmax16(x: np.ndarray, factor: float, keep: Callable[..., Any]) -> np.ndarray:
    """`exp(x)` over its sum along the last dimension, as fractions of 15 bits.

    Args:
        x: Integers of 16 bits.
        factor: What one of them stands for.
        keep: Keeps what it makes, by name.
    """
    fine = 1 / 65535
    powers = keep("powers", lambda: table(np.exp, (10 * fine, _HIGH), (2 * fine, 0)))
    inverse = keep("inverse", lambda: table(lambda v: 1 / (1 + v), (fine, _LOW), (2 * fine, 0)))
    below = x.astype(np.int64) - x.max(-1, keepdims=True)
    scaled = scale(below, *quantize_factor(factor / (10 * fine)))
    power = look_up(np.clip(scaled + _HIGH, _LOW, _HIGH), powers)
    total = power.sum(-1, keepdims=True)
    bits = np.frexp(total.astype(np.float64))[1].astype(np.int64)  # 32 less the leading zeros
    shifted = ((total << (31 - bits)) + (1 << 13)) >> 14
    place = np.clip(shifted - ((1 << 15) + (1 << 16)), _LOW, _HIGH)
    shift = bits - 1
    return np.minimum((power * look_up(place, inverse) + ((np.int64(1) << shift) >> 1)) >> shift, _HIGH)

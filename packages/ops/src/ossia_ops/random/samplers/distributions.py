"""Uniform, normal and truncated normal values of the counters of a stream, bit for bit those of the original.

Each function takes the position where the values start, their number and their dtype, and returns a flat array. Value
`i` depends on the position and on `i` alone, so the values do not depend on how the work is divided.
"""

from __future__ import annotations

import math

import numpy as np

from ossia_ops.random.samplers.elementary import cos_double, log_double, log_single, sin_double, sincos_single
from ossia_ops.random.samplers.philox import BLOCK, Philox

RESERVED = 256  # groups that a value, or a group of values made by rejection, may use up
_EPSILON = 1e-7
_TRUNCATION = 2.0


def groups_of(count: int, dtype: np.dtype) -> int:
    """Groups that `count` values take up: two values a group for 64-bit types, four for the others."""
    return -(-count // (2 if np.dtype(dtype).itemsize == 8 else 4))


def _blockwise(start: Philox, count: int, dtype: np.dtype, convert) -> np.ndarray:
    """`convert(words)` of the words from `start` on, piece by piece, as long as they are in the cache."""
    groups = groups_of(count, dtype)
    values = np.empty((groups, 2 if dtype.itemsize == 8 else 4), dtype)
    for first in range(0, groups, BLOCK):
        block = values[first : first + BLOCK]
        block[...] = convert(start.skip(first).words(len(block)))
    return values.reshape(-1)[:count]


def _pairs(words: np.ndarray) -> np.ndarray:
    """Words `[n, 4]` as 64-bit integers `[n, 2]`, first word low."""
    return words[:, 0::2] | words[:, 1::2].astype(np.uint64) << np.uint64(32)


def _unit_half(words: np.ndarray) -> np.ndarray:
    bits = (words & 0x3FF).astype(np.uint16) | np.uint16(15 << 10)
    return bits.view(np.float16) - np.float16(1)


def _unit_bfloat16(words: np.ndarray) -> np.ndarray:
    from ml_dtypes import bfloat16  # takes longer to load than all of this package

    bits = (words & 0x7F).astype(np.uint16) | np.uint16(127 << 7)
    return (bits.view(bfloat16).astype(np.float32) - np.float32(1)).astype(bfloat16)


def unit_single(words: np.ndarray) -> np.ndarray:
    """float32 values in [0, 1) from the low 23 bits of words."""
    bits = words & np.uint32(0x7FFFFF)
    bits |= np.uint32(127 << 23)
    values = bits.view(np.float32)
    values -= np.float32(1)
    return values


def unit_double(words: np.ndarray) -> np.ndarray:
    """float64 values in [0, 1) (`[n, k]`) from pairs of words (`[n, 2 k]`)."""
    bits = (words[:, 0::2] & np.uint32(0xFFFFF)).astype(np.uint64) << np.uint64(32)
    bits |= words[:, 1::2]
    bits |= np.uint64(1023 << 52)
    return bits.view(np.float64) - 1.0


_UNIT = {"float16": _unit_half, "bfloat16": _unit_bfloat16, "float32": unit_single, "float64": unit_double}


def uniform(start: Philox, count: int, dtype: np.dtype) -> np.ndarray:
    """Uniform values in [0, 1) of a floating dtype."""
    dtype = np.dtype(dtype)
    return _blockwise(start, count, dtype, _UNIT[dtype.name])


def uniform_full_int(start: Philox, count: int, dtype: np.dtype) -> np.ndarray:
    """Uniform values of all values of a 32- or 64-bit integer dtype."""
    dtype = np.dtype(dtype)
    convert = _pairs if dtype.itemsize == 8 else (lambda words: words)
    unsigned = np.dtype(f"u{dtype.itemsize}")
    return _blockwise(start, count, unsigned, convert).view(dtype)


def uniform_int(start: Philox, count: int, low: int, high: int, dtype: np.dtype) -> np.ndarray:
    """Integers in [`low`, `high`), slightly biased to the low ones as in the original; `low < high`."""
    values = uniform_full_int(start, count, np.dtype(f"u{np.dtype(dtype).itemsize}"))
    values %= values.dtype.type(high - low)
    values += values.dtype.type(low % (1 << 8 * values.itemsize))
    return values.view(dtype)


def normal_pairs_single(words: np.ndarray) -> np.ndarray:
    """Standard normals by Box and Muller: words `[n, 4]` to float32 `[n, 4]`."""
    radius = np.sqrt(np.float32(-2) * log_single(np.maximum(unit_single(words[:, 0::2]), np.float32(_EPSILON))))
    angle = unit_single(words[:, 1::2]).astype(np.float64)
    angle *= 2 * math.pi
    sine, cosine = sincos_single(angle.astype(np.float32))
    values = np.empty(words.shape, np.float32)
    np.multiply(sine, radius, out=values[:, 0::2])
    np.multiply(cosine, radius, out=values[:, 1::2])
    return values


def normal_pairs_double(words: np.ndarray) -> np.ndarray:
    """Standard normals by Box and Muller: words `[n, 4]` to float64 `[n, 2]`."""
    units = unit_double(words)
    radius = np.sqrt(-2.0 * log_double(np.maximum(units[:, 0], _EPSILON)))
    angle = 2 * math.pi * units[:, 1]
    return np.stack([sin_double(angle) * radius, cos_double(angle) * radius], axis=1)


def normal(start: Philox, count: int, dtype: np.dtype) -> np.ndarray:
    """Standard normal values of a floating dtype."""
    dtype = np.dtype(dtype)
    return _blockwise(start, count, dtype, normal_pairs_double if dtype == np.float64 else normal_pairs_single)


def truncated_normal(start: Philox, count: int, dtype: np.dtype) -> np.ndarray:
    """Standard normal values, those beyond two standard deviations left out.

    Four values (two of double precision) share a stretch of the stream, from which they take the first that are fit.
    """
    dtype = np.dtype(dtype)
    draw, width = (normal_pairs_double, 2) if dtype == np.float64 else (normal_pairs_single, 4)
    groups = groups_of(count, dtype)
    values = np.empty((groups, width), dtype)
    for first in range(0, groups, BLOCK):
        block = values[first : first + BLOCK]
        offsets = np.arange(first, first + len(block), dtype=np.uint64) * np.uint64(RESERVED // 4 * width)
        candidates = draw(start.at(offsets))
        block[...] = candidates
        rows = np.flatnonzero((np.abs(candidates) >= _TRUNCATION).any(axis=1))
        candidates, offsets = candidates[rows], offsets[rows]
        while rows.size:
            offsets = offsets + np.uint64(1)
            candidates = np.concatenate([candidates, draw(start.at(offsets))], axis=1)
            unfit = np.abs(candidates) >= _TRUNCATION
            fit_first = np.argsort(unfit, axis=1, kind="stable")[:, :width]
            block[rows] = np.take_along_axis(candidates, fit_first, axis=1)
            short = np.count_nonzero(unfit, axis=1) > candidates.shape[1] - width
            rows, candidates, offsets = rows[short], candidates[short], offsets[short]
    return values.reshape(-1)[:count]

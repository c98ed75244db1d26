"""Reciprocals and inverse square roots of integers by Newton's iteration on fractions of 31 bits.

Source: the fixed-point arithmetic of https://github.com/google/gemmlowp, which the reference kernels use.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_lite.fixed_point import high_product, rounded_shift

_LOW, _HIGH = -(1 << 31), (1 << 31) - 1


def _raised(x: Any, exponent: int) -> np.ndarray:
    return np.clip(np.asarray(x, np.int64) << exponent, _LOW, _HIGH)


def _leading_zeros(x: np.ndarray) -> np.ndarray:
    return 32 - np.frexp(x.astype(np.float64))[1].astype(np.int64)


def reciprocal(x: Any) -> tuple[np.ndarray, np.ndarray]:
    """`1 / x` as `fraction * 2**-(31 + shift)`.

    Args:
        x: Positive integers of 31 bits.

    Returns:
        The fractions and the shifts.
    """
    x = np.asarray(x, np.int64)
    zeros = _leading_zeros(x)
    half = ((x << zeros) - (1 << 31) + _HIGH + 1) >> 1  # (x / 2**k) / 2, between one half and one
    found = 1515870810 + high_product(half, -1010580540)  # 48/17 - 32/17 * half, with two integer bits
    for _ in range(3):
        rest = (1 << 29) - high_product(half, found)
        found = found + _raised(high_product(found, rest), 2)
    return _raised(found, 1), 31 - zeros


def inverse_root(x: Any) -> tuple[np.ndarray, np.ndarray]:
    """`1 / sqrt(x)` as `fraction * 2**(shift - 31)`.

    Args:
        x: Non-negative integers of 31 bits.

    Returns:
        The fractions and the shifts.
    """
    x = np.asarray(x, np.int64)
    large = np.maximum(x, 2)
    shift = np.full(x.shape, 11, np.int64)
    while (over := large >= 1 << 29).any():
        large, shift = np.where(over, large // 4, large), shift + over
    pairs = (_leading_zeros(large) - 1) // 2 - 1
    shift, whole = shift - pairs, (large << 2 * pairs) >> 1
    half, found = rounded_shift(whole, 1), np.full(x.shape, 1 << 28, np.int64)
    for _ in range(5):
        cube = _cube(found)
        found = _raised(high_product((1 << 28) + (1 << 27), found) - high_product(half, cube), 3)
    found = high_product(found, 1518500250)  # times the root of one half
    found, shift = np.where(shift < 0, found << np.maximum(-shift, 0), found), np.maximum(shift, 0)
    return np.where(x <= 1, _HIGH, found), np.where(x <= 1, 0, -shift)


def _cube(x: np.ndarray) -> np.ndarray:
    return _raised(high_product(high_product(x, x), x), 6)

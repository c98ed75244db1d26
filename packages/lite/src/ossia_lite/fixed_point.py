"""Integer arithmetic of quantized models: real factors as 31-bit fractions and shifts, applied with the rounding of
the reference kernels.

Source: B. Jacob and others, "Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only
Inference", https://arxiv.org/abs/1712.05877, section 2.2.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_lite.tensors import TensorInfo


def quantize_factor(factor: Any) -> tuple[np.ndarray, np.ndarray]:
    """Real factors as `fraction * 2**(shift - 31)`.

    Args:
        factor: One real factor, or an array of them.

    Returns:
        The fractions, integers of 31 bits, and the shifts, both int64.
    """
    mantissa, exponent = np.frexp(np.asarray(factor, np.float64))
    fraction = np.floor(mantissa * 2.0**31 + 0.5).astype(np.int64)
    shift = exponent.astype(np.int64)
    carried = fraction == 1 << 31
    fraction, shift = np.where(carried, fraction >> 1, fraction), np.where(carried, shift + 1, shift)
    tiny = shift < -31
    return np.where(tiny, 0, fraction), np.where(tiny, 0, shift)


def high_product(x: Any, y: Any) -> np.ndarray:
    """`x * y / 2**31`, rounded to the nearest integer, ties up; arguments of 32 bits.

    Args:
        x: Integers.
        y: Integers, broadcast against `x`.
    """
    product = np.asarray(x, np.int64) * np.asarray(y, np.int64)
    return np.minimum((product + (1 << 30)) >> 31, (1 << 31) - 1)


def rounded_shift(x: Any, exponent: Any) -> np.ndarray:
    """`x / 2**exponent`, rounded to the nearest integer, ties away from zero.

    Args:
        x: Integers.
        exponent: Not negative; broadcast against `x`.
    """
    x, exponent = np.asarray(x, np.int64), np.asarray(exponent, np.int64)
    mask = (np.int64(1) << exponent) - 1
    return (x >> exponent) + ((x & mask) > (mask >> 1) + (x < 0))


def scale(x: Any, fraction: Any, shift: Any) -> np.ndarray:
    """Integers times a real factor.

    Args:
        x: Integers of 32 bits.
        fraction: From `quantize_factor`; broadcast against `x`.
        shift: From `quantize_factor`; broadcast against `x`.

    Returns:
        int64 integers.
    """
    left = np.maximum(shift, 0)
    return rounded_shift(high_product(np.asarray(x, np.int64) << left, fraction), np.maximum(-np.asarray(shift), 0))


def wide_scale(x: Any, fraction: Any, shift: Any) -> np.ndarray:
    """Integers of 48 bits times a real factor, of which 15 bits are taken; rounded once.

    Args:
        x: Integers.
        fraction: From `quantize_factor`; broadcast against `x`.
        shift: From `quantize_factor`; broadcast against `x`.
    """
    fraction, total = np.asarray(fraction, np.int64), 15 - np.asarray(shift, np.int64)
    short = np.where(fraction < 0x7FFF0000, (fraction + (1 << 15)) >> 16, 0x7FFF)
    return (np.asarray(x, np.int64) * short + (np.int64(1) << (total - 1))) >> total


def limits(dtype: Any) -> tuple[int, int]:
    """The least and the greatest value of an integer type.

    Args:
        dtype: The type.
    """
    info = np.iinfo(dtype)
    return int(info.min), int(info.max)


def activation_limits(tensor: TensorInfo, activation: int) -> tuple[int, int]:
    """The quantized values between which a fused activation keeps a result.

    Args:
        tensor: The quantized result.
        activation: The number of the activation.

    Raises:
        NotImplementedError: The activation does not only clamp.
    """
    low, high = limits(tensor.dtype)
    bounds = {0: (None, None), 1: (0.0, None), 2: (-1.0, 1.0), 3: (0.0, 6.0)}.get(activation)
    if bounds is None:
        raise NotImplementedError(f"Quantized results with the fused activation {activation}.")
    least, greatest = (
        None if bound is None else tensor.zero_point + round_half_away(bound / tensor.scale) for bound in bounds
    )
    return low if least is None else max(low, int(least)), high if greatest is None else min(high, int(greatest))


def round_half_away(x: Any) -> np.ndarray:
    """The nearest integer, ties away from zero.

    Args:
        x: Real numbers.
    """
    x = np.asarray(x)
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


def to_output(values: Any, tensor: TensorInfo, activation: int = 0) -> np.ndarray:
    """Integers around zero as elements of a quantized result: its zero point added, clamped.

    Args:
        values: int64 integers in units of the result's scale.
        tensor: The result.
        activation: The number of a fused activation.
    """
    low, high = activation_limits(tensor, activation)
    return np.clip(values + tensor.zero_point, low, high).astype(tensor.dtype)

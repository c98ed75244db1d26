"""Real activations with integer weights: the activations are quantized on the fly."""

from __future__ import annotations

import numpy as np

from ossia_lite.fixed_point import round_half_away


def quantize_rows(x: np.ndarray, asymmetric: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Each row, or each image of a batch, as int8 values with a scale of its own.

    Args:
        x: Float32 numbers; the first dimension is that of the rows.
        asymmetric: Whether the range is that of the row, with a zero point, instead of symmetric around zero.

    Returns:
        The integers as double precision numbers, the scales, and the zero points; the last two broadcast against the
        first.
    """
    axes = tuple(range(1, x.ndim))
    if asymmetric:
        low = np.minimum(x.min(axes, keepdims=True, initial=0), 0).astype(np.float64)
        high = np.maximum(x.max(axes, keepdims=True, initial=0), 0).astype(np.float64)
        scale = np.where(high > low, (high - low) / 255, 1.0)
        from_low, from_high = -128 - low / scale, 127 - high / scale
        nearer = np.abs(low / scale) + 128 < np.abs(high / scale) + 127
        zero = round_half_away(np.clip(np.where(nearer, from_low, from_high), -128, 127))
        quantized = round_half_away(zero + x * (1 / scale))
        return np.clip(quantized, -128, 127), scale, zero
    largest = np.abs(x).max(axes, keepdims=True, initial=0)
    scale = np.where(largest > 0, largest / np.float32(127), np.float32(1))
    quantized = round_half_away(x * (np.float32(127) / np.where(largest > 0, largest, np.float32(127))))
    return np.clip(quantized, -127, 127).astype(np.float64), scale.astype(np.float64), np.zeros_like(scale, np.float64)

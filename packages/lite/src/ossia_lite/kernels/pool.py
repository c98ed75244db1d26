"""Pools: averages and maxima of windows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ossia_lite.fixed_point import activation_limits, limits
from ossia_lite.kernels import Call, activate
from ossia_lite.kernels.convolution import padding


def _windows(call: Call, x: np.ndarray, fill: Any) -> Iterator[np.ndarray]:
    options = call.options
    if x.ndim != 4:
        raise ValueError(f"{call.name}: an input of shape {x.shape} is no batch of images.")
    first, rows, top, bottom = _reached(x.shape[1], options.filter_height, options.stride_h, options.padding)
    start, columns, left, right = _reached(x.shape[2], options.filter_width, options.stride_w, options.padding)
    if top or bottom or left or right:
        x = np.pad(x, ((0, 0), (top, bottom), (left, right), (0, 0)), constant_values=fill)
    for row in first:
        for column in start:
            yield x[
                :,
                row : row + rows * options.stride_h : options.stride_h,
                column : column + columns * options.stride_w : options.stride_w,
            ]


def _reached(size: int, window: int, stride: int, mode: int) -> tuple[range, int, int, int]:
    """The places of a window that see more than padding, the number of results, and the padding that they need."""
    count, before, after = padding(size, window, stride, 1, mode)
    first, end = max(before - (count - 1) * stride, 0), min(window, before + size)
    before -= first
    return range(end - first), count, before, min(after, max(end - first + (count - 1) * stride - before - size, 0))


def _sum(call: Call, x: np.ndarray) -> np.ndarray:
    windows = _windows(call, x, 0)
    total = next(windows).copy()
    for window in windows:
        total += window
    return total


def _clamped(call: Call, result: np.ndarray) -> np.ndarray:
    return np.clip(result, *activation_limits(call.outputs[0], call.options.fused_activation_function)).astype(
        call.outputs[0].dtype
    )


def average_pool_2d(call: Call, x: np.ndarray) -> np.ndarray:
    """The average over the elements of a window that lie within the input."""
    count = _sum(call, np.ones((1, *x.shape[1:3], 1), np.int64))
    if x.dtype == np.float32:
        return activate(_sum(call, x) / count.astype(np.float32), call.options.fused_activation_function)
    total = _sum(call, x.astype(np.int64))
    # Ties go away from zero; the division of negative sums truncates.
    result = np.where(total > 0, (total + count // 2) // count, -((-total + count // 2) // count))
    return _clamped(call, result)


def max_pool_2d(call: Call, x: np.ndarray) -> np.ndarray:
    """The largest element of a window."""
    lowest = -np.inf if x.dtype == np.float32 else limits(x.dtype)[0]
    windows = _windows(call, x, lowest)
    best = next(windows).copy()
    for window in windows:
        np.maximum(best, window, out=best)
    if x.dtype == np.float32:
        return activate(best, call.options.fused_activation_function)
    return _clamped(call, best)


def l2_pool_2d(call: Call, x: np.ndarray) -> np.ndarray:
    """The root of the mean square over the elements of a window that lie within the input."""
    count = _sum(call, np.ones((1, *x.shape[1:3], 1), np.float32))
    return activate(np.sqrt(_sum(call, x * x) / count), call.options.fused_activation_function)

"""Images in other sizes."""

from __future__ import annotations

import numpy as np

from ossia_lite.kernels import Call
from ossia_lite.kernels.shape import sizes


def _wanted(call: Call, x: np.ndarray, size: np.ndarray) -> tuple[int, ...]:
    wanted = sizes(size)
    if x.ndim != 4 or len(wanted) != 2 or min(wanted) < 1 or min(x.shape[1:3]) < 1:
        raise ValueError(f"{call.name}: from shape {x.shape} to size {wanted}.")
    return wanted


def resize_bilinear(call: Call, x: np.ndarray, size: np.ndarray) -> np.ndarray:
    """By linear interpolation in both directions."""
    real = x.dtype.kind == "f" or x.dtype == np.uint8  # the reference has integer weights for int8 and int16 only
    axes = [_between(call, x.shape[1 + i], count, real) for i, count in enumerate(_wanted(call, x, size))]
    (top, bottom, down), (left, right, along) = axes
    down, along = down[:, None, None], along[:, None]
    one = np.float32(1) if real else 1 << 10
    values = x.astype(np.float32 if real else np.int64)
    upper, lower = values[:, top], values[:, bottom]
    total = (
        upper[:, :, left] * (one - down) * (one - along)
        + lower[:, :, left] * down * (one - along)
        + upper[:, :, right] * (one - down) * along
        + lower[:, :, right] * down * along
    )
    if real:
        return (total if x.dtype.kind == "f" else total + np.float32(0.5)).astype(x.dtype)
    half = np.where(total > 0, 1 << 19, -(1 << 19))  # weights have 10 bits in each direction
    return (np.sign(total + half) * (np.abs(total + half) >> 20)).astype(x.dtype)


def _between(call: Call, size: int, count: int, real: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each result the two elements between which it lies, and how far it is from the first; in 1/1024 for
    integers."""
    aligned, centres = call.option("align_corners") and count > 1, call.option("half_pixel_centers")
    if real:
        factor = np.float32(size - 1) / np.float32(count - 1) if aligned else np.float32(size) / np.float32(count)
        at = np.arange(count, dtype=np.float32)
        at = (at + np.float32(0.5)) * factor - np.float32(0.5) if centres else at * factor
        first = np.maximum(np.floor(at), 0).astype(np.int64)
        return first, np.minimum(np.ceil(at), size - 1).astype(np.int64), at - first.astype(np.float32)
    step = ((size - 1 << 10) + (count - 1) // 2) // (count - 1) if aligned else ((size << 10) + count // 2) // count
    place = np.arange(count, dtype=np.int64) * step
    if centres:
        place += step // 2 - (1 << 9)
    low = np.maximum(np.sign(place) * (np.abs(place) >> 10), 0)
    return low, np.minimum(place + 1023 >> 10, size - 1), place - (low << 10)


def resize_nearest_neighbor(call: Call, x: np.ndarray, size: np.ndarray) -> np.ndarray:
    """By the nearest element."""
    rows, columns = (_nearest(call, x.shape[1 + i], count) for i, count in enumerate(_wanted(call, x, size)))
    return x[:, rows][:, :, columns]


def _nearest(call: Call, size: int, count: int) -> np.ndarray:
    aligned = call.option("align_corners") and count > 1
    factor = np.float32(size - 1) / np.float32(count - 1) if aligned else np.float32(size) / np.float32(count)
    place = (np.arange(count, dtype=np.float32) + np.float32(0.5 if call.option("half_pixel_centers") else 0)) * factor
    chosen = np.floor(place + np.float32(0.5)) if call.option("align_corners") else np.floor(place)
    return np.clip(chosen, 0, size - 1).astype(np.int64)

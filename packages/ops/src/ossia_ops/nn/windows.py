"""Sliding windows: output sizes, padding, and patches of arrays, shared by convolutions and pools."""
from __future__ import annotations

from collections.abc import Sequence, Sized
from typing import Any

import numpy as np

from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.sizes import elements

Padding = tuple[tuple[int, int], ...]


def output_size(
    size: int | None, window: int | None, stride: int, dilation: int, padding: bytes, explicit: Sequence[int] = ()
) -> int | None:
    """How many windows fit along one dimension; None if the sizes are unknown.

    Raises:
      ValueError: the window is larger than the dimension, or the stride is not positive.
    """
    if stride <= 0:
        raise ValueError(f"Stride must be > 0, but got {stride}")
    if dilation < 1:
        raise ValueError(f"Dilation rate must be >= 1, but got {dilation}")
    if padding == b"SAME":
        return None if size is None else -(-size // stride)
    if size is None or window is None:
        return None
    effective = (window - 1) * dilation + 1
    total = size + sum(explicit)
    if total - effective + stride < stride and total < effective:
        raise ValueError(f"Negative dimension size caused by subtracting {effective} from {total}")
    return (total - effective) // stride + 1


def padding_amounts(
    sizes: Sequence[int],
    window: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
    padding: bytes,
    explicit: Sequence[int] = (),
) -> Padding:
    """(before, after) per spatial dimension; `explicit` holds them flat."""
    if padding == b"EXPLICIT":
        return tuple((explicit[2 * i], explicit[2 * i + 1]) for i in range(len(sizes)))
    if padding == b"VALID":
        return ((0, 0),) * len(sizes)
    amounts = []
    for size, k, s, d in zip(sizes, window, strides, dilations, strict=True):
        needed = max((-(-size // s) - 1) * s + (k - 1) * d + 1 - size, 0)
        amounts.append((needed // 2, needed - needed // 2))
    return tuple(amounts)


def fitted(
    sizes: Sequence[int],
    window: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
    padding: bytes,
    explicit: Sequence[int] = (),
) -> tuple[Padding, tuple[int, ...]]:
    """The padding, as `padding_amounts` has it, and the number of windows, per spatial dimension.

    Raises:
      InvalidArgumentError: a window does not fit.
    """
    for s, d in zip(strides, dilations, strict=True):
        if s <= 0 or d <= 0:
            raise InvalidArgumentError(None, None, f"Stride and dilation must be positive, got {s}, {d}")
    pads = padding_amounts(sizes, window, strides, dilations, padding, explicit)
    if padding == b"SAME":
        return pads, tuple(-(-size // s) for size, s in zip(sizes, strides, strict=True))
    counts = [
        window_count(size + before + after, (k - 1) * d + 1, s)
        for size, k, s, d, (before, after) in zip(sizes, window, strides, dilations, pads, strict=True)
    ]
    return pads, tuple(counts)


def window_count(size: int, window: int, stride: int) -> int:
    """How many windows lie in `size` elements; none where the window is larger by less than two strides.

    Raises:
      InvalidArgumentError: the window is larger still.
    """
    room = size - window + stride
    if room <= -stride:
        raise InvalidArgumentError(
            None,
            None,
            f"Computed output size would be negative: {-(-room // stride)} [input_size: {size}, "
            f"effective_filter_size: {window}, stride: {stride}]",
        )
    return max(room // stride, 0)


def per_dimension(value: Any, spatial: int, channels_last: bool, name: str) -> list[int]:
    """An attribute with a value for every dimension, from one value, one per spatial dimension, or all.

    Raises:
      ValueError: another number of values.
    """
    if value is None:
        value = [1]
    elif not isinstance(value, Sized):
        value = [value]
    given = len(value)
    if given == spatial + 2:
        return list(value)
    if given == 1:
        value = list(value) * spatial
    elif given != spatial:
        raise ValueError(f"{name} should be of length 1, {spatial} or {spatial + 2} but was {given}")
    return [1, *value, 1] if channels_last else [1, 1, *value]


def padded(x: np.ndarray, pads: Padding, fill: object = 0) -> np.ndarray:
    """`x` of shape [batch, *spatial, channels], with its spatial dimensions padded."""
    if not any(before or after for before, after in pads):
        return x
    shape = (x.shape[0], *(n + b + a for n, (b, a) in zip(x.shape[1:-1], pads, strict=True)), x.shape[-1])
    elements(shape)
    out = np.full(shape, fill, x.dtype)
    inside = (slice(None), *(slice(b, b + n) for n, (b, _) in zip(x.shape[1:-1], pads, strict=True)), slice(None))
    out[inside] = x
    return out


def windows(
    x: np.ndarray, window: Sequence[int], strides: Sequence[int], dilations: Sequence[int], out: Sequence[int]
) -> np.ndarray:
    """A view [batch, *out, *window, channels] of a padded array [batch, *spatial, channels]."""
    spatial = x.strides[1:-1]
    shape = (x.shape[0], *out, *window, x.shape[-1])
    steps = (
        x.strides[0],
        *(b * s for b, s in zip(spatial, strides, strict=True)),
        *(b * d for b, d in zip(spatial, dilations, strict=True)),
        x.strides[-1],
    )
    if x.flags.c_contiguous and x.size:
        return np.ndarray(shape, x.dtype, x, 0, steps)
    return np.lib.stride_tricks.as_strided(x, shape, steps, writeable=False)


def scatter_windows(
    cols: np.ndarray, shape: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> np.ndarray:
    """Add patches [batch, *out, *window, channels] back into a padded array of `shape`: the adjoint of `windows`."""
    rank = len(shape) - 2
    out, window = cols.shape[1:1 + rank], cols.shape[1 + rank:1 + 2 * rank]
    result = np.zeros(shape, cols.dtype)
    for position in np.ndindex(*window):
        target = (
            slice(None),
            *(
                slice(p * d, p * d + (o - 1) * s + 1, s)
                for p, d, o, s in zip(position, dilations, out, strides, strict=True)
            ),
            slice(None),
        )
        result[target] += cols[(slice(None),) * (1 + rank) + position]
    return result


def unpadded(x: np.ndarray, pads: Padding) -> np.ndarray:
    """The inside of a padded array."""
    if not any(before or after for before, after in pads):
        return x
    inside = (slice(None), *(slice(b, n - a) for n, (b, a) in zip(x.shape[1:-1], pads, strict=True)), slice(None))
    return x[inside]

"""What resizing ops share: checks of images and sizes, scales between grids, and sums along both dimensions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.shape_rules import constant, with_rank, with_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError

IMAGES = "{int8, uint8, int16, uint16, int32, int64, half, float, double}"
IMAGES_BFLOAT16 = "{int8, uint8, int16, uint16, int32, int64, bfloat16, half, float, double}"


def new_size(images: np.ndarray, size: np.ndarray) -> tuple[int, int]:
    """The new height and width of a batch of images.

    Raises:
        InvalidArgumentError: The images are none, or the size is not two positive integers.
        ResourceExhaustedError: Images of that size do not fit into memory.
    """
    if images.ndim != 4:
        raise InvalidArgumentError(None, None, f"input must be 4-dimensional[{','.join(map(str, images.shape))}]")
    if size.shape != (2,):
        raise InvalidArgumentError(None, None, f"shape_t must have two elements {list(size.shape)}")
    height, width = size.tolist()
    if height <= 0 or width <= 0:
        raise InvalidArgumentError(None, None, "output dimensions must be positive")
    if not images.shape[1] or not images.shape[2]:
        raise InvalidArgumentError(None, None, "input image must be of non-zero size")
    if not images.shape[3]:
        raise InvalidArgumentError(None, None, "input image must have at least one channel")
    sizes.allocatable([images.shape[0], height, width, images.shape[3]], 4)
    return height, width


def resized(images: Tensor, size: Tensor) -> tuple[int | None, ...]:
    """The static shape of images of another height and width."""
    batch, _, _, channels = with_rank(images, 4).as_tuple()
    with_value(with_rank(size, 1).as_tuple()[0], 2)
    known = constant(size)
    height, width = (None, None) if known is None else known.tolist()
    return batch, height, width, channels


def scale_between(old: int, new: int, align_corners: bool) -> np.float32:
    """How many old places one new place is, in the single precision of the original."""
    if align_corners and new > 1:
        return np.float32(old - 1) / np.float32(new - 1)
    return np.float32(old) / np.float32(new)


def along_both(images: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Weighted sums of images `[batch, height, width, channels]` along both dimensions.

    Args:
        images: Of a floating dtype, in which the sums are computed.
        rows: Weights `[new height, height]`.
        columns: Weights `[new width, width]`.
    """
    batch, height, width, channels = images.shape
    tall = np.matmul(rows, images.reshape(batch, height, width * channels))
    tall = tall.reshape(batch * len(rows), width, channels)
    return np.matmul(columns, tall).reshape(batch, len(rows), len(columns), channels)


def summed(
    images: np.ndarray, axis: int, places: np.ndarray, weights: np.ndarray, used: np.ndarray | None = None
) -> np.ndarray:
    """New places along a dimension, each the sum of weighted old ones.

    Args:
        images: `[batch, height, width, channels]`.
        axis: 1 or 2.
        places: Which old places each new one is made of, `[new, n]`.
        weights: Their weights, `[new, n]`.
        used: Which of them there are, if not all.
    """
    total: Any = np.float32(0)
    shape = [-1 if dimension == axis else 1 for dimension in range(4)]
    for tap in range(places.shape[1]):
        product = images.take(places[:, tap], axis) * weights[:, tap].reshape(shape)
        total = total + (product if used is None else np.where(used[:, tap].reshape(shape), product, np.float32(0)))
    return total


def spread(grads: np.ndarray, axis: int, old: int, places: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The gradient by old places of `summed`, along the same dimension, of which there were `old` places."""
    rows = np.moveaxis(grads, axis, 0)
    made = np.zeros((old, *rows.shape[1:]), np.float32)
    for row, own_places, own_weights in zip(rows, places.tolist(), weights.astype(np.float32)):
        for place, weight in zip(own_places, own_weights):
            made[place] += row * weight
    return np.moveaxis(made, 0, axis)


def image_gradient_shape(grads: Any, original_image: Any) -> tuple[int | None, ...]:
    """The static shape of a gradient: that of the original images."""
    return original_image.shape

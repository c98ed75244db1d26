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


def weights(old: int, new: int, places: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The matrix `[new, old]` that holds `values` `[new, n]` at the old `places` `[new, n]`, summed where they meet."""
    matrix = np.zeros((new, old), np.float32)
    np.add.at(matrix, (np.arange(new)[:, np.newaxis], places), values.astype(np.float32))
    return matrix


def image_gradient_shape(grads: Any, original_image: Any) -> tuple[int | None, ...]:
    """The static shape of a gradient: that of the original images."""
    return original_image.shape

"""Resizing by taking the nearest pixel."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant, with_rank, with_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_image.resize.grid import IMAGES, new_size, resized, scale_between
from ossia_ops.array.shape import shape as shape_of

_RAMP = np.arange(24, dtype=np.float32).reshape(1, 4, 3, 2)

resize_nearest_neighbor_op = op(
    "ResizeNearestNeighbor(images: T, size: int32) -> resized_images: T", T=IMAGES,
    align_corners="bool = false", half_pixel_centers="bool = false",
)
resize_nearest_neighbor_op.shape(resized)


def _places(old: int, new: int, align_corners: bool, half_pixel_centers: bool) -> np.ndarray:
    """The old place that is nearest to each new one."""
    scale = scale_between(old, new, align_corners)
    at = np.arange(new, dtype=np.float32)
    at = (at + np.float32(0.5)) * scale if half_pixel_centers else at * scale
    at = np.floor(at + np.float32(0.5)) if align_corners else np.floor(at)
    return np.clip(at.astype(np.int64), 0, old - 1)


@resize_nearest_neighbor_op.kernel
def _resize_nearest_neighbor_kernel(images, size, *, align_corners, half_pixel_centers):
    height, width = new_size(images, size)
    rows = _places(images.shape[1], height, align_corners, half_pixel_centers)
    columns = _places(images.shape[2], width, align_corners, half_pixel_centers)
    return images[:, rows][:, :, columns]


@resize_nearest_neighbor_op.gradient
def _resize_nearest_neighbor_gradient(node, grad):
    image = node.inputs[0]
    height_and_width = image.shape.as_list()[1:3] if image.shape.rank is not None else [None]
    if None in height_and_width:
        height_and_width = shape_of(image)[1:3]
    return resize_nearest_neighbor_grad_op(
        grad, height_and_width, align_corners=node.attrs["align_corners"],
        half_pixel_centers=node.attrs["half_pixel_centers"],
    ), None


resize_nearest_neighbor_op.samples(
    larger=(_RAMP, [7, 5]),
    smaller=(_RAMP, [2, 2]),
    corners=sample(_RAMP, [7, 5], align_corners=True),
    centers=sample(_RAMP, [7, 5], half_pixel_centers=True),
    bytes=(_RAMP.astype(np.uint8), [3, 4]),
    empty=(_RAMP[:0], [2, 3]),
    refused_rank=(_RAMP[0], [2, 2]),
    refused_size=(_RAMP, [-2, 1]),
)

resize_nearest_neighbor_grad_op = op(
    "ResizeNearestNeighborGrad(grads: T, size: int32) -> output: T",
    T="{uint8, int8, int32, half, float, double}", align_corners="bool = false", half_pixel_centers="bool = false",
)


@resize_nearest_neighbor_grad_op.shape
def _resize_nearest_neighbor_grad_shape(grads, size):
    batch, _, _, channels = with_rank(grads, 4).as_tuple()
    with_value(with_rank(size, 1).as_tuple()[0], 2)
    known = constant(size)
    height, width = (None, None) if known is None else known.tolist()
    return batch, height, width, channels


@resize_nearest_neighbor_grad_op.kernel
def _resize_nearest_neighbor_grad_kernel(grads, size, *, align_corners, half_pixel_centers):
    if grads.ndim != 4:
        raise InvalidArgumentError(None, None, f"input must be 4-dimensional: {list(grads.shape)}")
    if size.shape != (2,) or (size <= 0).any():
        raise InvalidArgumentError(None, None, f"shape_t must be two positive sizes: {size.tolist()}")
    height, width = size.tolist()
    batch, new_height, new_width, channels = grads.shape
    sizes.allocatable([batch, height, width, channels], grads.itemsize)
    tall = np.zeros((batch, height, new_width, channels), grads.dtype)
    np.add.at(tall, (slice(None), _places(height, new_height, align_corners, half_pixel_centers)), grads)
    made = np.zeros((batch, height, width, channels), grads.dtype)
    np.add.at(
        made, (slice(None), slice(None), _places(width, new_width, align_corners, half_pixel_centers)), tall
    )
    return made


resize_nearest_neighbor_grad_op.samples(
    larger=(np.ones((1, 7, 5, 2), np.float32), [4, 3]),
    corners=sample(np.ones((1, 7, 5, 2), np.float32), [4, 3], align_corners=True),
    refused_size=(np.ones((1, 7, 5, 2), np.float32), [4, 0]),
)


@public("image.resize_nearest_neighbor")
def resize_nearest_neighbor(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None, half_pixel_centers: bool = False
) -> Tensor:
    """Resizes images by taking the nearest pixel.

    Args:
        images: `[batch, height, width, channels]`, of any number type.
        size: The new height and width, two integers.
        align_corners: Whether the centers of the corner pixels stay where they are.
        half_pixel_centers: Whether a pixel stands for its middle.
        name: A name for the op.

    Returns:
        Images of the same dtype, `[batch, new height, new width, channels]`.
    """
    return resize_nearest_neighbor_op(
        images, size, align_corners=align_corners, half_pixel_centers=half_pixel_centers, name=name
    )

"""Resizing by linear interpolation between the four nearest pixels."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_image.resize.grid import IMAGES_BFLOAT16, image_gradient_shape, new_size, resized, spread
from ossia_ops.nn.resizing import Interpolation, bilinear

_RAMP = np.arange(24, dtype=np.float32).reshape(1, 4, 3, 2)

resize_bilinear_op = op(
    "ResizeBilinear(images: T, size: int32) -> resized_images: float", T=IMAGES_BFLOAT16,
    align_corners="bool = false", half_pixel_centers="bool = false",
)
resize_bilinear_op.shape(resized)


@resize_bilinear_op.kernel
def _resize_bilinear_kernel(images, size, *, align_corners, half_pixel_centers):
    height, width = new_size(images, size)
    rows = Interpolation.between(images.shape[1], height, align_corners, half_pixel_centers)
    columns = Interpolation.between(images.shape[2], width, align_corners, half_pixel_centers)
    return bilinear(images.astype(np.float32), rows, columns)


@resize_bilinear_op.gradient
def _resize_bilinear_gradient(node, grad):
    return resize_bilinear_grad_op(
        grad, node.inputs[0], align_corners=node.attrs["align_corners"],
        half_pixel_centers=node.attrs["half_pixel_centers"],
    ), None


resize_bilinear_op.samples(
    larger=(_RAMP, [7, 5]),
    smaller=(_RAMP, [2, 2]),
    corners=sample(_RAMP, [7, 5], align_corners=True),
    centers=sample(_RAMP, [7, 5], half_pixel_centers=True),
    bytes=(_RAMP.astype(np.uint8), [3, 4]),
    one=(_RAMP[:, :1, :1], [2, 3]),
    empty=(_RAMP[:0], [2, 3]),
    refused_rank=(_RAMP[0], [2, 2]),
    refused_size=(_RAMP, [2, 0]),
    refused_sizes=(_RAMP, [2, 2, 2]),
)

resize_bilinear_grad_op = op(
    "ResizeBilinearGrad(grads: float, original_image: T) -> output: T", T="{float, bfloat16, half, double}",
    align_corners="bool = false", half_pixel_centers="bool = false",
)
resize_bilinear_grad_op.shape(image_gradient_shape)


@resize_bilinear_grad_op.kernel
def _resize_bilinear_grad_kernel(grads, original_image, *, align_corners, half_pixel_centers):
    for axis in (2, 1):
        old, new = original_image.shape[axis], grads.shape[axis]
        found = Interpolation.between(old, new, align_corners, half_pixel_centers)
        fraction = found.fraction.astype(np.float32)
        places, weights = ([found.lower, found.upper], [1 - fraction, fraction])
        grads = spread(grads, axis, old, np.stack(places, axis=1), np.stack(weights, axis=1))
    return np.ascontiguousarray(grads, original_image.dtype)


resize_bilinear_grad_op.samples(
    larger=(np.ones((1, 7, 5, 2), np.float32), _RAMP),
    smaller=(np.ones((1, 2, 2, 2), np.float32), _RAMP),
    corners=sample(np.ones((1, 7, 5, 2), np.float32), _RAMP, align_corners=True),
)


@public("image.resize_bilinear")
def resize_bilinear(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None, half_pixel_centers: bool = False
) -> Tensor:
    """Resizes images by linear interpolation.

    Args:
        images: `[batch, height, width, channels]`, of any number type.
        size: The new height and width, two integers.
        align_corners: Whether the centers of the corner pixels stay where they are.
        half_pixel_centers: Whether a pixel stands for its middle.
        name: A name for the op.

    Returns:
        Images of float32, `[batch, new height, new width, channels]`.
    """
    return resize_bilinear_op(
        images, size, align_corners=align_corners, half_pixel_centers=half_pixel_centers, name=name
    )

"""Resizing by cubic convolution of the sixteen nearest pixels (Keys 1981)."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_image.resize.grid import IMAGES, image_gradient_shape, new_size, resized, scale_between, spread, summed

_RAMP = np.square(np.arange(40, dtype=np.float32)).reshape(1, 5, 4, 2)
_STEPS = 1024  # the original looks weights up in a table of so many steps between two pixels

resize_bicubic_op = op(
    "ResizeBicubic(images: T, size: int32) -> resized_images: float", T=IMAGES,
    align_corners="bool = false", half_pixel_centers="bool = false",
)
resize_bicubic_op.shape(resized)


@functools.cache
def _table(a: float) -> np.ndarray:
    """The kernel at distances up to one pixel, and from one to two pixels, `[steps + 1, 2]`."""
    near = (np.arange(_STEPS + 1) / np.float32(_STEPS)).astype(np.float32)
    a = np.float32(a)
    far = near + np.float32(1)
    inner = ((a + 2) * near - (a + 3)) * near * near + 1
    outer = ((a * far - 5 * a) * far + 8 * a) * far - 4 * a
    return np.stack([inner, outer], axis=1).astype(np.float32)


def _neighbours(old: int, new: int, align_corners: bool, half_pixel_centers: bool) -> tuple[np.ndarray, np.ndarray]:
    """The four old places around each new one and their weights, both `[new, 4]`."""
    scale = scale_between(old, new, align_corners)
    at = np.arange(new, dtype=np.float32)
    at = (at + np.float32(0.5)) * scale - np.float32(0.5) if half_pixel_centers else at * scale
    first = np.floor(at)
    offset = np.rint((at - first) * np.float32(_STEPS)).astype(np.int64)
    table = _table(-0.5 if half_pixel_centers else -0.75)
    values = np.stack(
        [table[offset, 1], table[offset, 0], table[_STEPS - offset, 0], table[_STEPS - offset, 1]], axis=1
    )
    places = first.astype(np.int64)[:, np.newaxis] + np.arange(-1, 3)
    held = np.clip(places, 0, old - 1)
    if half_pixel_centers:  # what lies outside does not count, and the rest makes up for it
        values = np.where(places == held, values, np.float32(0))
        total = values.sum(axis=1, keepdims=True, dtype=np.float32)
        scales = np.where(np.abs(total) >= 1000 * np.finfo(np.float32).tiny, 1 / total, np.float32(1))
        values = (values * scales).astype(np.float32)
    return held, values


@resize_bicubic_op.kernel
def _resize_bicubic_kernel(images, size, *, align_corners, half_pixel_centers):
    height, width = new_size(images, size)
    images = images.astype(np.float32)
    tall = summed(images, 1, *_neighbours(images.shape[1], height, align_corners, half_pixel_centers))
    return summed(tall, 2, *_neighbours(images.shape[2], width, align_corners, half_pixel_centers))


@resize_bicubic_op.gradient
def _resize_bicubic_gradient(node, grad):
    if node.inputs[0].dtype.name not in ("float32", "float64"):
        return None, None
    return resize_bicubic_grad_op(
        grad, node.inputs[0], align_corners=node.attrs["align_corners"],
        half_pixel_centers=node.attrs["half_pixel_centers"],
    ), None


resize_bicubic_op.samples(
    larger=(_RAMP, [7, 9]),
    smaller=(_RAMP, [2, 3]),
    corners=sample(_RAMP, [7, 5], align_corners=True),
    centers=sample(_RAMP, [7, 9], half_pixel_centers=True),
    bytes=(np.arange(40).reshape(1, 5, 4, 2).astype(np.uint8), [3, 4]),
    one=(_RAMP[:, :1, :1], [2, 3]),
    refused_rank=(_RAMP[0], [2, 2]),
    refused_size=(_RAMP, [2, 0]),
)

resize_bicubic_grad_op = op(
    "ResizeBicubicGrad(grads: float, original_image: T) -> output: T", T="{float, double}",
    align_corners="bool = false", half_pixel_centers="bool = false",
)
resize_bicubic_grad_op.shape(image_gradient_shape)


@resize_bicubic_grad_op.kernel
def _resize_bicubic_grad_kernel(grads, original_image, *, align_corners, half_pixel_centers):
    for axis in (2, 1):
        old, new = original_image.shape[axis], grads.shape[axis]
        grads = spread(grads, axis, old, *_neighbours(old, new, align_corners, half_pixel_centers))
    return np.ascontiguousarray(grads, original_image.dtype)


resize_bicubic_grad_op.samples(
    larger=(np.ones((1, 7, 9, 2), np.float32), _RAMP),
    centers=sample(np.ones((1, 7, 9, 2), np.float32), _RAMP, half_pixel_centers=True),
)


@public("image.resize_bicubic")
def resize_bicubic(
    images: Any, size: Any, align_corners: bool = False, name: str | None = None, half_pixel_centers: bool = False
) -> Tensor:
    """Resizes images by cubic convolution.

    Args:
        images: `[batch, height, width, channels]`, of any number type.
        size: The new height and width, two integers.
        align_corners: Whether the centers of the corner pixels stay where they are.
        half_pixel_centers: Whether a pixel stands for its middle.
        name: A name for the op.

    Returns:
        Images of float32, `[batch, new height, new width, channels]`; values may exceed those of the images.

    Source: Keys, "Cubic convolution interpolation for digital image processing" (1981).
    """
    return resize_bicubic_op(
        images, size, align_corners=align_corners, half_pixel_centers=half_pixel_centers, name=name
    )

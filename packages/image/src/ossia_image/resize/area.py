"""Resizing by the mean of what each new pixel covers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_image.resize.grid import IMAGES, new_size, resized, scale_between, summed

_RAMP = np.arange(24, dtype=np.float32).reshape(1, 4, 3, 2)

resize_area_op = op(
    "ResizeArea(images: T, size: int32) -> resized_images: float", T=IMAGES, align_corners="bool = false"
)
resize_area_op.shape(resized)


def _cover(old: int, new: int, align_corners: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The old places that each new one covers, which part of them over what it covers in all, and how many there are:
    `[new, most]` each, the last one as booleans."""
    scale = scale_between(old, new, align_corners)
    one = np.float32(1)
    start, end = (np.arange(first, first + new).astype(np.float32)[:, np.newaxis] * scale for first in (0, 1))
    first = np.floor(start)
    most = int((np.ceil(end) - first).max())
    covered = first + np.arange(most, dtype=np.float32)
    inside = covered + one <= end
    begun = np.where(inside, covered + one - start, scale)
    part = np.where(covered < start, begun, np.where(inside, one, end - covered))
    return np.clip(covered.astype(np.int64), 0, old - 1), part / scale, covered < np.ceil(end)


@resize_area_op.kernel
def _resize_area_kernel(images, size, *, align_corners):
    height, width = new_size(images, size)
    tall = summed(images.astype(np.float32), 1, *_cover(images.shape[1], height, align_corners))
    return summed(tall, 2, *_cover(images.shape[2], width, align_corners))


resize_area_op.samples(
    larger=(_RAMP, [7, 5]),
    smaller=(_RAMP, [2, 2]),
    corners=sample(_RAMP, [3, 2], align_corners=True),
    bytes=(_RAMP.astype(np.uint8), [3, 2]),
    refused_rank=(_RAMP[0], [2, 2]),
    refused_size=(_RAMP, [2, 0]),
)


@public("image.resize_area")
def resize_area(images: Any, size: Any, align_corners: bool = False, name: str | None = None) -> Tensor:
    """Resizes images by means over areas: each new pixel is the mean of what it covers.

    Args:
        images: `[batch, height, width, channels]`, of any number type.
        size: The new height and width, two integers.
        align_corners: Whether the centers of the corner pixels stay where they are.
        name: A name for the op.

    Returns:
        Images of float32, `[batch, new height, new width, channels]`.
    """
    return resize_area_op(images, size, align_corners=align_corners, name=name)

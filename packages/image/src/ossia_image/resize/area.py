"""Resizing by the mean of what each new pixel covers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_image.resize.grid import IMAGES, along_both, new_size, resized, scale_between

_RAMP = np.arange(24, dtype=np.float32).reshape(1, 4, 3, 2)

resize_area_op = op(
    "ResizeArea(images: T, size: int32) -> resized_images: float", T=IMAGES, align_corners="bool = false"
)
resize_area_op.shape(resized)


def _cover(old: int, new: int, align_corners: bool) -> np.ndarray:
    """Which part of each old place a new one covers, over what it covers in all, `[new, old]`."""
    scale = scale_between(old, new, align_corners)
    matrix = np.zeros((new, old), np.float32)
    for place in range(new):
        start, end = np.float32(place) * scale, np.float32(place + 1) * scale
        for covered in range(int(np.floor(start)), int(np.ceil(end))):
            if covered < start:
                part = scale if covered + 1 > end else covered + 1 - start
            else:
                part = end - covered if covered + 1 > end else np.float32(1)
            matrix[place, min(max(covered, 0), old - 1)] += part
    return matrix / scale


@resize_area_op.kernel
def _resize_area_kernel(images, size, *, align_corners):
    height, width = new_size(images, size)
    rows = _cover(images.shape[1], height, align_corners)
    columns = _cover(images.shape[2], width, align_corners)
    return along_both(images.astype(np.float32), rows, columns)


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

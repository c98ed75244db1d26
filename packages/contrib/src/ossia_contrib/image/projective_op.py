"""The ops that look for each pixel of their output where a projective transform says."""

from __future__ import annotations

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant_shape, with_rank
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import TensorShape

_DTYPES = "{uint8, int32, int64, half, float, double}"


def _sampled(images: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Pixels at whole places `[batch, height, width]`, zeros outside of the images."""
    height, width = images.shape[1:3]
    inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    if not height or not width:
        return np.zeros((*rows.shape, images.shape[3]), images.dtype)
    batch = np.arange(len(images))[:, None, None]
    chosen = images[batch, np.where(inside, rows, 0).astype(np.int64), np.where(inside, columns, 0).astype(np.int64)]
    return np.where(inside[..., None], chosen, np.zeros((), images.dtype))


def _transformed(
    images: np.ndarray, transforms: np.ndarray, shape: tuple[int, int], interpolation: bytes
) -> np.ndarray:
    if interpolation not in (b"NEAREST", b"BILINEAR"):
        raise InvalidArgumentError(
            None, None, f"Invalid interpolation {interpolation.decode()}. Supported types: NEAREST, BILINEAR"
        )
    if images.ndim != 4:
        raise InvalidArgumentError(None, None, "Input images must have rank 4")
    if transforms.ndim != 2 or transforms.shape[1] != 8 or len(transforms) not in (1, len(images)):
        raise InvalidArgumentError(None, None, "Input transform should be num_images x 8 or 1 x 8")
    a, b, c, d, e, f, g, h = (each[:, None, None] for each in np.broadcast_to(transforms, (len(images), 8)).T)
    y, x = np.indices(shape, np.float32)[:, None]
    with np.errstate(all="ignore"):
        depth = g * x + h * y + np.float32(1)
        column, row = (a * x + b * y + c) / depth, (d * x + e * y + f) / depth
        # What is at the horizon, or beyond all numbers, is outside.
        column, row = (np.where((depth != 0) & np.isfinite(each), each, np.float32(-2)) for each in (column, row))
        if interpolation == b"NEAREST":
            row, column = (np.trunc(each + np.copysign(np.float32(0.5), each)) for each in (row, column))
            return _sampled(images, row, column)
        top, left = np.floor(row), np.floor(column)
        dtype = images.dtype if images.dtype == np.float64 else np.float32
        up, back = (row - top)[..., None], (column - left)[..., None]
        down, on = np.float32(1) - up, np.float32(1) - back
        corners = images.astype(dtype)
        upper = on * _sampled(corners, top, left) + back * _sampled(corners, top, left + 1)
        lower = on * _sampled(corners, top + 1, left) + back * _sampled(corners, top + 1, left + 1)
        return (down * upper + up * lower).astype(images.dtype)


image_projective_transform_op = op(
    "ImageProjectiveTransform(images: dtype, transforms: float) -> transformed_images: dtype",
    dtype=_DTYPES, interpolation="string",
)


@image_projective_transform_op.shape
def _(images, transforms):
    return images.shape


@image_projective_transform_op.kernel
def _(images, transforms, *, interpolation):
    if images.ndim != 4:
        raise InvalidArgumentError(None, None, "Input images must have rank 4")
    return _transformed(images, transforms, images.shape[1:3], interpolation)



image_projective_transform_v2_op = op(
    "ImageProjectiveTransformV2(images: dtype, transforms: float, output_shape: int32) -> transformed_images: dtype",
    dtype=_DTYPES, interpolation="string",
)


@image_projective_transform_v2_op.shape
def _(images, transforms, output_shape):
    dims = with_rank(images, 4).as_tuple()
    with_rank(output_shape, 1)
    size = constant_shape(output_shape).as_tuple() or (None, None)
    return TensorShape.from_tuple((dims and dims[0], *size, dims and dims[3]))


@image_projective_transform_v2_op.kernel
def _(images, transforms, output_shape, *, interpolation):
    if output_shape.shape != (2,):
        raise InvalidArgumentError(None, None, "output shape must have two elements")
    height, width = (int(each) for each in output_shape)
    if height <= 0 or width <= 0:
        raise InvalidArgumentError(None, None, f"new image dimensions must be positive: got {height} and {width}")
    return _transformed(images, transforms, (height, width), interpolation)



_IMAGES = np.arange(24, dtype=np.float32).reshape(1, 4, 3, 2)
_TILTED = [[1.0, 0.1, 0.2, 0.3, 1.1, -1.0, 0.01, 0.02]]
image_projective_transform_op.samples(
    nearest=sample(_IMAGES, _TILTED, interpolation="NEAREST"),
    refused_rank=sample(_IMAGES[0], _TILTED, interpolation="NEAREST"),
)
image_projective_transform_v2_op.samples(
    nearest=sample(_IMAGES, _TILTED, [4, 3], interpolation="NEAREST"),
    bilinear=sample(_IMAGES, [[1.0, 0, 0.3, 0, 1, -0.4, 0, 0]], [4, 3], interpolation="BILINEAR"),
    integers=sample(_IMAGES.astype(np.uint8), _TILTED, [5, 2], interpolation="BILINEAR"),
    horizon=sample(_IMAGES.astype(np.int32), [[1.0, 0, 0, 0, 1, 0, -1, 0]], [2, 3], interpolation="NEAREST"),
    refused_transforms=sample(_IMAGES, [[1.0, 2.0]], [4, 3], interpolation="NEAREST"),
    refused_size=sample(_IMAGES, _TILTED, [0, 3], interpolation="NEAREST"),
    refused_interpolation=sample(_IMAGES, _TILTED, [4, 3], interpolation="CUBIC"),
)

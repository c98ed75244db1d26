"""Quantized images of other sizes by linear interpolation."""
from __future__ import annotations

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import SCALAR, with_rank
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import TensorShape
from ossia_ops.nn.resizing import Interpolation, bilinear, check_images, resized_shape
from ossia_quantization.quantize import bound_of, integers

quantized_resize_bilinear_op = op(
    "QuantizedResizeBilinear(images: T, size: int32, min: float, max: float) -> resized_images: T, out_min: float, "
    "out_max: float", T="{quint8, qint32, float}", align_corners="bool = false", half_pixel_centers="bool = false",
)


@quantized_resize_bilinear_op.shape
def _(images, size, min, max):
    result = TensorShape(resized_shape(images, size))
    for bound in (min, max):
        with_rank(bound, 0)
    return result, SCALAR, SCALAR


@quantized_resize_bilinear_op.kernel
def _(images, size, min, max, *, align_corners, half_pixel_centers):
    height, width = check_images(images, size)
    for bound in (min, max):
        if np.ndim(bound):
            raise InvalidArgumentError(None, None, "min and max must be scalars")
    if align_corners and half_pixel_centers:
        raise InvalidArgumentError(None, None, "If half_pixel_centers is True, align_corners must be False.")
    shape = len(images), height, width, images.shape[3]
    sizes.allocatable(shape, 16)
    values = images if images.dtype == np.float32 else integers(images).astype(np.float64)
    rows = Interpolation.between(images.shape[1], height, align_corners, half_pixel_centers)
    columns = Interpolation.between(images.shape[2], width, align_corners, half_pixel_centers)
    found = bilinear(values, rows, columns)
    if images.dtype != np.float32:
        found = np.floor(found + 0.5).astype(integers(images).dtype).view(images.dtype)
    return found, np.float32(bound_of(min)), np.float32(bound_of(max))


_IMAGES = (np.arange(2 * 3 * 4 * 2, dtype=np.float32) * 37 % 50).reshape(2, 3, 4, 2)
_SIZE = np.array([5, 3], np.int32)
quantized_resize_bilinear_op.samples(
    plain=(_IMAGES, _SIZE, -1.0, 15.0),
    smaller=(_IMAGES, _SIZE - 2, -1.0, 15.0),
    aligned=sample(_IMAGES, _SIZE, -1.0, 15.0, align_corners=True),
    one_aligned=sample(_IMAGES, np.array([1, 1], np.int32), -1.0, 15.0, align_corners=True),
    centers=sample(_IMAGES, _SIZE, -1.0, 15.0, half_pixel_centers=True),
    refused_rank=(_IMAGES[0], _SIZE, -1.0, 15.0),
    refused_size=(_IMAGES, _SIZE[:1], -1.0, 15.0),
    refused_zero=(_IMAGES, _SIZE * 0, -1.0, 15.0),
    refused_huge=(_IMAGES, np.array([2**31 - 1, 2**31 - 1], np.int32), -1.0, 15.0),
    refused_empty=(_IMAGES[:, :0], _SIZE, -1.0, 15.0),
    refused_min=(_IMAGES, _SIZE, [-1.0], 15.0),
)

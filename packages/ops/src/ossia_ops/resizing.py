"""Images of other sizes by linear interpolation: of quantized images, and within convolutions of resized images."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ossia_core import sizes
from ossia_core.errors import InvalidArgumentError
from ossia_core.opdef import op, sample
from ossia_core.shape_rules import SCALAR, constant, with_rank, with_value
from ossia_core.shapes import TensorShape
from ossia_ops.quantize import integers


class Interpolation(NamedTuple):
    """For each place along a new dimension, its two neighbours in the old one and how far the first is behind."""

    lower: np.ndarray
    upper: np.ndarray
    fraction: np.ndarray

    @classmethod
    def between(cls, old: int, new: int, align_corners: bool = False, half_pixel_centers: bool = False) -> Any:
        """The interpolation that makes `new` places of `old` ones, in the single precision of the original.

        Args:
          old, new: how many places there are.
          align_corners: whether the first and the last place stay what they are.
          half_pixel_centers: whether a place stands for the middle of its pixel.
        """
        aligned = align_corners and new > 1
        scale = np.float32(old - 1) / np.float32(new - 1) if aligned else np.float32(old) / np.float32(new)
        places = np.arange(new, dtype=np.float32)
        if half_pixel_centers:
            places = (places + np.float32(0.5)) * scale - np.float32(0.5)
        else:
            places = places * scale
        floor = np.floor(places)
        lower = np.maximum(floor, 0).astype(np.int64)
        upper = np.minimum(np.ceil(places) if half_pixel_centers else floor + 1, old - 1).astype(np.int64)
        return cls(lower, upper, places - (floor if half_pixel_centers else lower.astype(np.float32)))


def check_images(images: np.ndarray, size: np.ndarray) -> tuple[int, int]:
    """The new height and width of a batch of images.

    Raises:
      InvalidArgumentError: the images are none, or the size is not two positive integers.
    """
    if images.ndim != 4:
        raise InvalidArgumentError(None, None, f"input must be 4-dimensional: {list(images.shape)}")
    if size.shape != (2,):
        raise InvalidArgumentError(None, None, f"shape_t must have two elements: {list(size.shape)}")
    height, width = size.tolist()
    if height <= 0 or width <= 0:
        raise InvalidArgumentError(None, None, "output dimensions must be positive")
    if not images.shape[1] or not images.shape[2]:
        raise InvalidArgumentError(None, None, "input image must be of non-zero size")
    if not images.shape[3]:
        raise InvalidArgumentError(None, None, "input image must have at least one channel")
    return height, width


def resized_shape(images: Any, size: Any) -> tuple[int | None, int | None, int | None, int | None]:
    """The static sizes of images of another height and width.

    Raises:
      ValueError: the images are not of rank 4, or the size is not two integers.
    """
    batch, _, _, channels = with_rank(images, 4).as_tuple()
    with_value(with_rank(size, 1).as_tuple()[0], 2)
    known = constant(size)
    height, width = (None, None) if known is None else known.tolist()
    return batch, height, width, channels


def bilinear(images: np.ndarray, rows: Interpolation, columns: Interpolation) -> np.ndarray:
    """Images [batch, height, width, channels] interpolated first along their rows, then between them."""
    wide = images[:, :, columns.lower]
    wide = wide + (images[:, :, columns.upper] - wide) * columns.fraction[:, np.newaxis].astype(images.dtype)
    top = wide[:, rows.lower]
    return top + (wide[:, rows.upper] - top) * rows.fraction[:, np.newaxis, np.newaxis].astype(images.dtype)


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
    return found, np.float32(min), np.float32(max)


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

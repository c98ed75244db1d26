"""Images of other sizes by linear interpolation, for convolutions of resized images and for quantized images."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ossia_core.declare.shape_rules import constant, with_rank, with_value
from ossia_core.names.errors import InvalidArgumentError


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
        lower = np.clip(floor, 0, old - 1).astype(np.int64)
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

"""Glimpses: windows of one size around points of images."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant, merge_dim, with_rank, with_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public

_IMAGES = np.arange(48, dtype=np.float32).reshape(2, 4, 3, 2)

extract_glimpse_op = op(
    "ExtractGlimpse(input: float, size: int32, offsets: float) -> glimpse: float", centered="bool = true",
    normalized="bool = true", uniform_noise="bool = true", noise="string = 'uniform'",
)


@extract_glimpse_op.shape
def _extract_glimpse_shape(input, size, offsets):
    batch, _, _, channels = with_rank(input, 4).as_tuple()
    count, two = with_rank(offsets, 2).as_tuple()
    with_value(two, 2)
    with_value(with_rank(size, 1).as_tuple()[0], 2)
    known = constant(size)
    height, width = (None, None) if known is None else known.tolist()
    return merge_dim(batch, count), height, width, channels


@extract_glimpse_op.kernel
def _extract_glimpse_kernel(input, size, offsets, *, centered, normalized, uniform_noise, noise):
    if input.ndim != 4:
        raise InvalidArgumentError(None, None, f"input must be images of 4 dimensions, not {list(input.shape)}")
    if size.shape != (2,):
        raise InvalidArgumentError(None, None, f"input must be a vector of size 2 (height, width){list(size.shape)}")
    if offsets.shape != (len(input), 2):
        raise InvalidArgumentError(None, None, f"offsets must be a matrix of two columns{list(offsets.shape)}")
    height, width = size.tolist()
    if height < 0 or width < 0:
        raise InvalidArgumentError(None, None, f"size must not be negative: {size.tolist()}")
    batch, rows, columns, channels = input.shape
    sizes.allocatable([batch, height, width, channels], 4)
    made = np.empty((batch, height, width, channels), np.float32)
    for image, (y, x), glimpse in zip(input, offsets, made):
        top = _start(float(y), rows, height, centered, normalized)
        left = _start(float(x), columns, width, centered, normalized)
        inside_rows = slice(max(top, 0), max(min(top + height, rows), 0))
        inside_columns = slice(max(left, 0), max(min(left + width, columns), 0))
        part = image[inside_rows, inside_columns]
        if part.shape[0] < height or part.shape[1] < width:
            glimpse[...] = _outside(image, glimpse.shape, uniform_noise, noise)
        if part.size:
            above, before = inside_rows.start - top, inside_columns.start - left
            glimpse[above : above + part.shape[0], before : before + part.shape[1]] = part
    return made


def _start(offset: float, old: int, new: int, centered: bool, normalized: bool) -> int:
    """The first row of a glimpse, in the coordinates of the image."""
    if normalized:
        offset *= old
    if centered:
        offset /= 2.0
        offset += old / 2.0
    start = offset - new / 2.0
    return int(np.trunc(start)) if np.isfinite(start) and abs(start) < 2**31 else 2**31


def _outside(image: np.ndarray, shape: tuple[int, ...], uniform_noise: bool, noise: bytes) -> np.ndarray:
    """What stands where a glimpse reaches beyond its image; the original draws it without a seed, too."""
    random = np.random.default_rng()
    if noise == b"zero":
        return np.zeros(shape, np.float32)
    if uniform_noise and noise == b"uniform":
        return random.random(shape, np.float32)
    mean, deviation = image.mean(axis=(0, 1)), image.std(axis=(0, 1))
    return (random.standard_normal(shape, np.float32) * deviation + mean).astype(np.float32)


extract_glimpse_op.not_differentiable()
extract_glimpse_op.samples(
    centered=sample(_IMAGES, [2, 2], [[0.0, 0.1], [-0.2, 0.0]], noise="zero"),
    corner=sample(_IMAGES, [2, 1], [[1.0, 2.0], [2.0, 1.0]], centered=False, normalized=False, noise="zero"),
    zeros=sample(_IMAGES, [3, 3], [[1.0, 1.0], [-1.0, 0.0]], noise="zero"),
    refused_offsets=(_IMAGES, [2, 2], [[0.0, 0.1]]),
    refused_size=(_IMAGES, [2, 2, 2], [[0.0, 0.1], [0.0, 0.0]]),
)


@public("image.extract_glimpse")
def extract_glimpse(
    input: Any, size: Any, offsets: Any, centered: bool = True, normalized: bool = True,
    uniform_noise: bool = True, name: str | None = None, noise: str = "uniform",
) -> Tensor:
    """Takes a window out of each image.

    Args:
        input: `[batch, height, width, channels]`, of float32.
        size: The height and width of the windows.
        offsets: Where the windows are, `[batch, 2]`: y and x.
        centered: Whether (0, 0) is the middle of an image; else its upper left corner.
        normalized: Whether 1 is the size of an image; else a pixel.
        uniform_noise: Whether what lies outside of an image is uniform noise; else normal noise.
        name: A name for the op.
        noise: `"uniform"`, `"gaussian"` or `"zero"`: what stands for pixels outside.

    Returns:
        A tensor of float32, `[batch, height, width, channels]`.

    Source: Mnih et al., "Recurrent models of visual attention" (2014).
    """
    return extract_glimpse_op(
        input=input, size=size, offsets=offsets, centered=centered, normalized=normalized,
        uniform_noise=uniform_noise, noise=noise, name=name,
    )


@public("compat.v2.image.extract_glimpse")
def extract_glimpse_v2(
    input: Any, size: Any, offsets: Any, centered: bool = True, normalized: bool = True, noise: str = "uniform",
    name: str | None = None,
) -> Tensor:
    """As `tf.image.extract_glimpse`, with the arguments of the second version."""
    return extract_glimpse_op(
        input=input, size=size, offsets=offsets, centered=centered, normalized=normalized, uniform_noise=False,
        noise=noise, name=name,
    )

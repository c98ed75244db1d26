"""Image summaries."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import scalar as scalar_shape
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import provides, public
from ossia_core.proto import Summary
from ossia_summary.scalar import _text
from ossia_summary.scopes import collect, summary_scope

_ZERO = 1e-6  # images whose values all stay below are black
_PNG_COLOUR_TYPE = {1: 0, 3: 2, 4: 6}
_MAX_PNG_SIDE = 2**31 - 1

image_summary_op = op(
    "ImageSummary(tag: string, tensor: T) -> summary: string",
    max_images="int >= 1 = 3",
    T="{uint8, float, half, double} = DT_FLOAT",
    bad_color="tensor = { dtype: DT_UINT8 tensor_shape { dim { size: 4 } } "
    "int_val: 255 int_val: 0 int_val: 0 int_val: 255 }",
)
image_summary_op.shape(scalar_shape)


@image_summary_op.kernel
def _(tag, tensor, *, max_images, bad_color):
    if max_images >= 2**31:
        raise InvalidArgumentError(None, None, "max_images must be < 2^31")
    if np.ndim(tag):
        raise InvalidArgumentError(None, None, f"Tags must be a scalar, got shape {list(np.shape(tag))}")
    return image_proto(_text(np.asarray(tag, object).item()), tensor, max_images, bad_color).SerializeToString()


def image_proto(tag: str, tensor: Any, max_images: int, bad_color: Any) -> Any:
    """The Summary of a batch of images.

    Raises:
      InvalidArgumentError: it is no batch of images of 1, 3 or 4 channels, or `bad_color` has fewer.
    """
    tensor = np.asarray(tensor)
    shape = tensor.shape
    if len(shape) != 4 or shape[3] not in _PNG_COLOUR_TYPE:
        raise InvalidArgumentError(None, None, f"Tensor must be 4-D with last dim 1, 3, or 4, not {dims_text(shape)}")
    if 0 in shape[1:3] or max(shape[1:3]) > _MAX_PNG_SIDE:
        raise InvalidArgumentError(
            None, None, f"input tensor must have non-zero dims. Found: [{', '.join(map(str, shape))}]."
        )
    bad_color = np.asarray(bad_color)
    if bad_color.size < shape[3]:
        raise InvalidArgumentError(
            None, None, f"expected depth <= bad_color.size, got depth = {shape[3]}, bad_color.size = {bad_color.size}"
        )
    summary = Summary()
    for i, pixels in enumerate(tensor[:max_images]):
        pixels = _normalised(pixels, bad_color.ravel()[: shape[3]])
        value = summary.value.add(tag=f"{tag}/image" if max_images == 1 else f"{tag}/image/{i}")
        value.image.height, value.image.width, value.image.colorspace = pixels.shape
        value.image.encoded_image_string = png(pixels)
    return summary


def _normalised(image: np.ndarray, bad_color: np.ndarray) -> np.ndarray:
    """Bytes of an image: the largest becomes 255, with negative ones 0 becomes 127; NaN and infinity `bad_color`."""
    image = image.astype(np.float32)
    finite = np.isfinite(image).all(axis=2)
    values = image[finite]
    low, high = (values.min(), values.max()) if values.size else (np.float32(np.inf), -np.float32(np.inf))
    if low < 0:
        extent, offset, span = max(abs(low), abs(high)), np.float32(128), np.float32(127)
    else:
        extent, offset, span = high, np.float32(0), np.float32(255)
    scale = np.float32(0) if extent < _ZERO else span / extent
    pixels = np.empty(image.shape, np.uint8)
    pixels[finite] = (values * scale + offset).astype(np.uint8)
    pixels[~finite] = bad_color
    return pixels


def png(pixels: np.ndarray) -> bytes:
    """A PNG file of `[height, width, channels]` bytes with 1 (grey), 3 (RGB) or 4 (RGBA) channels."""
    height, width, channels = pixels.shape
    rows = np.zeros((height, 1 + width * channels), np.uint8)  # a filter type of 0 before each row
    rows[:, 1:] = pixels.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, _PNG_COLOUR_TYPE[channels], 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes())), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


image_summary_op.not_differentiable()
image_summary_op.samples(
    positive=(b"p", np.linspace(0, 1, 24, dtype=np.float32).reshape(1, 2, 4, 3)),
    negative=(b"p", np.linspace(-1, 1, 24, dtype=np.float32).reshape(2, 3, 4, 1)),
    nan=(b"p", np.full((1, 2, 2, 4), np.nan, np.float32)),
    bytes=(b"p", np.arange(12, dtype=np.uint8).reshape(1, 2, 2, 3)),
)


@provides("ossia_summary_kinds", "image")
def image(name: str, tensor: Any, max_outputs: int = 3, collections: Any = None, family: str | None = None) -> Tensor:
    """A summary of images.

    Args:
        name: Name of the op; tags are this with its scope, and `/image` or `/image/0`, `/image/1` and so on.
        tensor: `[batch, height, width, channels]`, 1, 3 or 4 channels. Values are scaled, so that the largest of an
            image is 255 or, where an image has negative values, that 0 is at 127.
        max_outputs: How many images of the batch are kept.
        collections: Names of the collections to add it to; `["summaries"]` if None.
        family: Groups tags: a prefix of name and tag.

    Returns:
        A scalar string tensor, a serialised `Summary`.
    """
    with summary_scope(name, family, [tensor]) as (tag, scope):
        return collect(image_summary_op(tag, tensor, max_images=max_outputs, name=scope), collections)


@public("image_summary")
def image_summary(
    tag: Any, tensor: Any, max_images: int | None = 3, collections: Any = None, name: str | None = None
) -> Tensor:
    """`tf.summary.image` under its first name, with the tag as a string or string tensor of its own."""
    with name_scope(name, "ImageSummary", [tag, tensor]) as scope:
        return collect(
            image_summary_op(tag, tensor, max_images=3 if max_images is None else max_images, name=scope), collections
        )

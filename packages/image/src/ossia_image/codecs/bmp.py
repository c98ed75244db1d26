"""BMP: uncompressed images of 8, 24 and 32 bits, bottom-up or top-down."""

from __future__ import annotations

import io
import struct
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import with_rank
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import provides, public
from ossia_image.codecs.registry import check_size, contents_of, library


def decode(data: bytes, channels: int = 0) -> np.ndarray:
    """The image in a BMP file, uint8 `[height, width, channels]`.

    Raises:
        InvalidArgumentError: The file is damaged, or has another number of channels.
    """
    if len(data) < 32:
        raise InvalidArgumentError(None, None, f"Incomplete bmp content of {len(data)} bytes: no header")
    if data[:2] != b"BM":
        raise InvalidArgumentError(None, None, "Invalid BMP data: no header")
    offset, _, width, height, _, bits = struct.unpack("<IIiiHH", data[10:30])
    own = bits // 8
    if own not in (1, 3, 4) or bits % 8:
        raise InvalidArgumentError(None, None, f"Number of channels of the file must be 1, 3 or 4, was {own}")
    if channels and channels != own:
        raise InvalidArgumentError(None, None, f"channels attribute {channels} does not match {own} of the file")
    rows = abs(height)
    check_size(rows, width, own)
    stride = (own * width + 3) // 4 * 4
    if offset < 26 or offset + rows * stride > len(data):
        raise InvalidArgumentError(None, None, f"Incomplete bmp content of {len(data)} bytes")
    lines = np.frombuffer(data, np.uint8, rows * stride, offset).reshape(rows, stride)[:, : width * own]
    pixels = lines.reshape(rows, width, own)
    if height > 0:
        pixels = pixels[::-1]
    order = {1: [0], 3: [2, 1, 0], 4: [2, 1, 0, 3]}[own]
    return np.ascontiguousarray(pixels[..., order])


@provides("ossia_image_codecs", "bmp")
class BmpCodec:
    """BMP files."""

    def matches(self, header: bytes) -> bool:
        """Whether a file begins as a BMP file does."""
        return header.startswith(b"BM")

    def decode(self, data: bytes, channels: int) -> np.ndarray:
        """The image of a file."""
        return decode(data, channels)

    def encode(self, image: np.ndarray) -> bytes:
        """A file."""
        made = io.BytesIO()
        library("PIL.Image").fromarray(image).save(made, "BMP")
        return made.getvalue()


decode_bmp_op = op("DecodeBmp(contents: string) -> image: uint8", channels="int = 0")


@decode_bmp_op.shape
def _decode_bmp_shape(contents, *, channels):
    with_rank(contents, 0)
    if channels < 0:
        raise ValueError(f"channels must be non-negative, got {channels}")
    return None, None, channels or None


@decode_bmp_op.kernel
def _decode_bmp_kernel(contents, *, channels):
    if channels not in (0, 1, 3, 4):
        raise InvalidArgumentError(None, None, f"channels must be 0, 1, 3 or 4, got {channels}")
    return decode(contents_of(contents), channels)


@public("image.decode_bmp", "io.decode_bmp", "compat.v2.image.decode_bmp", "compat.v2.io.decode_bmp")
def decode_bmp(contents: Any, channels: int = 0, name: str | None = None) -> Tensor:
    """Decodes a BMP image.

    Args:
        contents: The file, a scalar string.
        channels: 1, 3 or 4, or 0 for what the file has.
        name: A name for the op.

    Returns:
        A tensor of uint8, `[height, width, channels]`.
    """
    return decode_bmp_op(contents, channels=channels, name=name)

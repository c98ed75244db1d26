"""GIF: all frames, composed through Pillow."""

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
from ossia_image.codecs.registry import MAX_PIXELS, check_size, codec_of, contents_of, damages, library


def decode(data: bytes) -> np.ndarray:
    """The frames of a GIF file, uint8 `[frames, height, width, 3]`.

    Raises:
        InvalidArgumentError: The file is damaged, or holds more pixels than a decoder should make room for.
    """
    if data[:3] != b"GIF" or len(data) < 13:
        raise InvalidArgumentError(None, None, "Invalid GIF data: no header")
    width, height = struct.unpack("<HH", data[6:10])
    check_size(height, width, 3)
    frames = bytearray()
    try:
        image = library("PIL.Image").open(io.BytesIO(data), formats=["GIF"])
        width, height = image.size  # what the first frame needs, if that is more than the file says
        check_size(height, width, 3)
        if image.tile and image.tile[0][1] != (0, 0, width, height):
            raise InvalidArgumentError(None, None, "Invalid GIF data: the first frame does not fill the canvas")
        while True:
            if len(frames) + height * width * 3 > 4 * MAX_PIXELS:
                raise InvalidArgumentError(None, None, "Invalid GIF data: too many frames")
            frames += image.convert("RGB").crop((0, 0, width, height)).tobytes()
            image.seek(image.tell() + 1)
    except EOFError:
        pass
    except damages() as error:
        raise InvalidArgumentError(None, None, f"Invalid GIF data: {str(error)[:200]}") from None
    if not frames:
        raise InvalidArgumentError(None, None, "Invalid GIF data: no frames")
    return np.frombuffer(frames, np.uint8).reshape(-1, height, width, 3)


@provides("ossia_image_codecs", "gif")
class GifCodec:
    """GIF files of one frame."""

    def matches(self, header: bytes) -> bool:
        """Whether a file begins as a GIF file does."""
        return header.startswith(b"GIF")

    def decode(self, data: bytes, channels: int) -> np.ndarray:
        """The only frame of a file.

        Raises:
            InvalidArgumentError: There are several.
        """
        frames = decode(data)
        if len(frames) != 1 or channels not in (0, 3):
            raise InvalidArgumentError(None, None, f"Got {len(frames)} frames, but animated gifs need decode_gif")
        return frames[0]

    def encode(self, image: np.ndarray) -> bytes:
        """A file, its colours reduced to 256."""
        made = io.BytesIO()
        library("PIL.Image").fromarray(image).save(made, "GIF")
        return made.getvalue()


decode_gif_op = op("DecodeGif(contents: string) -> image: uint8")


@decode_gif_op.shape
def _decode_gif_shape(contents):
    with_rank(contents, 0)
    return None, None, None, 3


@decode_gif_op.kernel
def _decode_gif_kernel(contents):
    data = contents_of(contents)
    other = None if data.startswith(b"GIF") else codec_of(data)
    return other.decode(data, 3)[np.newaxis] if other else decode(data)


@public("image.decode_gif", "io.decode_gif", "compat.v2.image.decode_gif", "compat.v2.io.decode_gif")
def decode_gif(contents: Any, name: str | None = None) -> Tensor:
    """Decodes the frames of a GIF image.

    Args:
        contents: The file, a scalar string.
        name: A name for the op.

    Returns:
        A tensor of uint8, `[frames, height, width, 3]`.
    """
    return decode_gif_op(contents, name=name)

"""`decode_image`: images of whichever format."""

from __future__ import annotations

from typing import Any

from ossia_core.control.cond import cond
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_image.codecs.bmp import decode_bmp
from ossia_image.codecs.gif import decode_gif
from ossia_image.codecs.jpeg import decode_jpeg, is_jpeg
from ossia_image.codecs.png import decode_png
from ossia_image.conversion import convert_image_dtype
from ossia_ops.array.gather import gather
from ossia_ops.control.assertion import Assert
from ossia_ops.math.comparison import equal, not_equal
from ossia_ops.math.logical import logical_and
from ossia_ops.strings.elementwise import substr


@public("image.decode_image", "io.decode_image", "compat.v2.image.decode_image", "compat.v2.io.decode_image")
def decode_image(
    contents: Any, channels: int | None = None, dtype: Any = dtypes.uint8, name: str | None = None,
    expand_animations: bool = True,
) -> Tensor:
    """Decodes a JPEG, PNG, GIF or BMP image, or one of a format that a plugin knows.

    Args:
        contents: The file, a scalar string.
        channels: How many channels to give; None or 0 for what the file has.
        dtype: The dtype of the result; values are scaled to its range.
        name: A name for the ops.
        expand_animations: Whether a GIF gives all its frames, `[frames, height, width, channels]`; else the first one.

    Returns:
        A tensor `[height, width, channels]`, or for a GIF of all frames.

    Raises:
        ValueError: `channels` is none of 0, 1, 3 and 4.
    """
    with name_scope(name, "decode_image"):
        if channels not in (None, 0, 1, 3, 4):
            raise ValueError("channels must be in (None, 0, 1, 3, 4)")
        start = substr(contents, 0, 3)

        def bmp() -> Tensor:
            signature = substr(contents, 0, 2)
            is_bmp = equal(signature, "BM", name="is_bmp")
            check = Assert(is_bmp, ["Unable to decode bytes as JPEG, PNG, GIF, or BMP"])
            coloured = not_equal(channels or 0, 1, name="check_channels")
            grey = Assert(coloured, ["Channels must be in (None, 0, 3) when decoding BMP images"])
            with control_dependencies([check, grey]):
                return convert_image_dtype(decode_bmp(contents), dtype)

        def gif() -> Tensor:
            channels_here = 0 if channels is None else channels
            not_grey = not_equal(channels_here, 1, name="check_gif_channels")
            good = logical_and(not_grey, not_equal(channels_here, 4, name="check_gif_channels"))
            check = Assert(good, ["Channels must be in (None, 0, 3) when decoding GIF images"])
            with control_dependencies([check]):
                frames = convert_image_dtype(decode_gif(contents), dtype)
                return frames if expand_animations else gather(frames, 0)

        def gif_or_bmp() -> Tensor:
            return cond(equal(start, b"\x47\x49\x46", name="is_gif"), gif, bmp, name="cond_gif")

        def png() -> Tensor:
            return convert_image_dtype(
                decode_png(contents, channels or 0, dtype=dtypes.uint8 if dtype == dtypes.uint8 else dtypes.uint16),
                dtype,
            )

        def png_or_other() -> Tensor:
            with name_scope("is_png"):
                is_png = equal(substr(contents, 0, 3), b"\211PN")
            return cond(is_png, png, gif_or_bmp, name="cond_png")

        def jpeg() -> Tensor:
            good = not_equal(channels or 0, 4, name="check_jpeg_channels")
            check = Assert(good, ["Channels must be in (None, 0, 1, 3) when decoding JPEG images"])
            with control_dependencies([check]):
                return convert_image_dtype(decode_jpeg(contents, channels or 0), dtype)

        return cond(is_jpeg(contents), jpeg, png_or_other, name="cond_jpeg")

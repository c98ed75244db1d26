"""PNG: through Pillow; images of 16 bits in several channels by an own reader and writer over zlib."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import scalar, with_rank
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import provides, public
from ossia_image.codecs.registry import check_size, codec_of, contents_of, damages, library

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # colour type -> samples per pixel
_PASSES = ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1))


def _refused(reason: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, f"Invalid PNG data: {reason}")


def _chunks(data: bytes) -> dict[bytes, bytes]:
    """The chunks of a file by type, IDAT joined.

    Raises:
        InvalidArgumentError: A chunk is cut off or damaged.
    """
    found: dict[bytes, bytes] = {}
    at = len(SIGNATURE)
    while at + 12 <= len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        content = data[at + 8 : at + 8 + length]
        if len(content) < length or at + 12 + length > len(data):
            break
        (checksum,) = struct.unpack(">I", data[at + 8 + length : at + 12 + length])
        if zlib.crc32(kind + content) != checksum:
            raise _refused(f"checksum of {kind!r}")
        found[kind] = found.get(kind, b"") + content if kind == b"IDAT" else content
        if kind == b"IEND":
            return found
        at += 12 + length
    raise _refused("it ends too early")


def header(data: bytes) -> tuple[int, int, int, int, int]:
    """Width, height, bits per sample, colour type and interlace method.

    Raises:
        InvalidArgumentError: It is no PNG file, or of a size that no decoder should make room for.
    """
    if not data.startswith(SIGNATURE) or len(data) < 33 or data[12:16] != b"IHDR":
        raise _refused("no header")
    width, height, bits, colour, _, _, interlace = struct.unpack(">IIBBBBB", data[16:29])
    if colour not in _SAMPLES or bits not in (1, 2, 4, 8, 16) or interlace > 1:
        raise _refused("unknown format")
    check_size(height, width, 4)
    return width, height, bits, colour, interlace


def decode(data: bytes, channels: int, dtype: Any) -> np.ndarray:
    """The image in a PNG file, `[height, width, channels]`.

    Args:
        data: The file.
        channels: 1, 2, 3 or 4, or 0 for as many as the file has.
        dtype: np.uint8 or np.uint16.

    Raises:
        InvalidArgumentError: The file is damaged.
    """
    width, height, bits, colour, interlace = header(data)
    if bits == 16 and (colour != 0 or dtype == np.uint8 or b"tRNS" in data):
        pixels, own = _sixteen_bits(data, width, height, colour, interlace)
    else:
        pixels, own = _by_pillow(data, bits, colour)
    made = _with_channels(pixels, channels or (own if colour == 3 else _SAMPLES[colour]), bits)
    if dtype == np.uint16 and made.dtype == np.uint8:
        made = made.astype(np.uint16) * 257
    elif dtype == np.uint8 and made.dtype == np.uint16:
        made = (made >> 8).astype(np.uint8)
    return np.ascontiguousarray(made)


def _by_pillow(data: bytes, bits: int, colour: int) -> tuple[np.ndarray, int]:
    try:
        image = library("PIL.Image").open(io.BytesIO(data), formats=["PNG"])
        transparent = "transparency" in image.info
        image.load()
        if colour == 3:
            image = image.convert("RGBA" if transparent else "RGB")
        elif bits == 16:
            return np.asarray(image).astype(np.uint16)[..., np.newaxis], 1
        elif image.mode == "1":
            image = image.convert("L")
        if transparent and image.mode in ("L", "RGB"):
            image = image.convert("LA" if image.mode == "L" else "RGBA")
        pixels = np.asarray(image)
    except damages() as error:
        raise _refused(str(error)[:200]) from None
    pixels = pixels[..., np.newaxis] if pixels.ndim == 2 else pixels
    return pixels, pixels.shape[2]


def _with_channels(pixels: np.ndarray, channels: int, bits: int) -> np.ndarray:
    """Pixels with another number of channels: grey repeated, colours mixed to grey, alpha dropped or full; full is
    the largest number of so many bits, as the original has it for few of them, too."""
    own = pixels.shape[2]
    if own == channels:
        return pixels
    colours, alpha = (pixels[..., :-1], pixels[..., -1:]) if own in (2, 4) else (pixels, None)
    if channels >= 3 and colours.shape[2] == 1:
        colours = np.repeat(colours, 3, axis=2)
    elif channels <= 2 and colours.shape[2] == 3:
        weights = np.array([9797, 19234, 3737], np.int64)  # of 32768: red, green, blue
        half = 16384 if pixels.dtype == np.uint16 else 0
        colours = ((colours.astype(np.int64) @ weights + half) >> 15)[..., np.newaxis].astype(pixels.dtype)
    if channels in (2, 4):
        if alpha is None:
            full = min((1 << bits) - 1, np.iinfo(pixels.dtype).max)
            alpha = np.full((*pixels.shape[:2], 1), full, pixels.dtype)
        colours = np.concatenate([colours, alpha], axis=2)
    return colours


def _sixteen_bits(data: bytes, width: int, height: int, colour: int, interlace: int) -> tuple[np.ndarray, int]:
    samples = _SAMPLES[colour]
    step = samples * 2
    parts = [(0, 0, 1, 1)] if not interlace else _PASSES
    areas = [
        (top, left, down, across, -(-(height - top) // down), -(-(width - left) // across))
        for top, left, down, across in parts
        if height > top and width > left
    ]
    wanted = sum(rows * (1 + columns * step) for *_, rows, columns in areas)
    chunks = _chunks(data)
    try:
        inflater = zlib.decompressobj()
        raw = inflater.decompress(chunks.get(b"IDAT", b""), wanted + 1)
    except zlib.error as error:
        raise _refused(str(error)) from None
    if len(raw) < wanted:
        raise _refused("too few pixels")
    pixels = np.zeros((height, width, samples), np.uint16)
    at = 0
    for top, left, down, across, rows, columns in areas:
        size = rows * (1 + columns * step)
        lines = np.frombuffer(raw, np.uint8, size, at).reshape(rows, 1 + columns * step)
        plain = _unfiltered(lines, step)
        values = plain.reshape(rows, columns, samples, 2).astype(np.uint16)
        pixels[top::down, left::across] = values[..., 0] << 8 | values[..., 1]
        at += size
    key = chunks.get(b"tRNS")
    if key is not None and colour in (0, 2) and len(key) >= 2 * samples:
        transparent = (pixels == np.frombuffer(key, ">u2", samples)).all(axis=2, keepdims=True)
        pixels = np.concatenate([pixels, np.where(transparent, 0, 65535).astype(np.uint16)], axis=2)
    return pixels, pixels.shape[2]


def _unfiltered(lines: np.ndarray, step: int) -> np.ndarray:
    """Rows of bytes without the filters that stand before each of them.

    Raises:
        InvalidArgumentError: There is no such filter.
    """
    made = np.zeros((len(lines), lines.shape[1] - 1), np.uint8)
    above = np.zeros(lines.shape[1] - 1, np.uint8)
    for row, line in zip(made, lines):
        kind, values = line[0], line[1:]
        if kind == 0:
            row[:] = values
        elif kind == 1:
            row[:] = np.add.accumulate(values.reshape(-1, step), axis=0, dtype=np.uint8).reshape(-1)
        elif kind == 2:
            row[:] = values + above
        elif kind in (3, 4):
            _unfilter_row(row, values, above, step, kind)
        else:
            raise _refused(f"unknown filter {kind}")
        above = row
    return made


def _unfilter_row(row: np.ndarray, values: np.ndarray, above: np.ndarray, step: int, kind: int) -> None:
    made = [0] * len(values)
    before = above.tolist()
    for at, value in enumerate(values.tolist()):
        left = made[at - step] if at >= step else 0
        up = before[at]
        if kind == 3:
            guess = (left + up) >> 1
        else:
            corner = before[at - step] if at >= step else 0
            first = left + up - corner
            distances = abs(first - left), abs(first - up), abs(first - corner)
            nearest = min(distances)
            guess = left if distances[0] == nearest else up if distances[1] == nearest else corner
        made[at] = (value + guess) & 255
    row[:] = made


def encode(image: np.ndarray, compression: int = -1) -> bytes:
    """An image `[height, width, 1 to 4]` of uint8 or uint16 as a PNG file."""
    height, width, samples = image.shape
    colour = {1: 0, 2: 4, 3: 2, 4: 6}[samples]
    big = image.astype(image.dtype.newbyteorder(">"))
    rows = np.zeros((height, 1 + width * samples * image.itemsize), np.uint8)
    rows[:, 1:] = np.frombuffer(big.tobytes(), np.uint8).reshape(height, -1)

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    shape = struct.pack(">IIBBBBB", width, height, image.itemsize * 8, colour, 0, 0, 0)
    pixels = zlib.compress(rows.tobytes(), compression)
    return b"".join((SIGNATURE, chunk(b"IHDR", shape), chunk(b"IDAT", pixels), chunk(b"IEND", b"")))


@provides("ossia_image_codecs", "png")
class PngCodec:
    """PNG files."""

    def matches(self, header: bytes) -> bool:
        """Whether a file begins as a PNG file does."""
        return header.startswith(SIGNATURE)

    def decode(self, data: bytes, channels: int) -> np.ndarray:
        """The image of a file, uint8."""
        return decode(data, channels, np.uint8)

    def encode(self, image: np.ndarray) -> bytes:
        """A file."""
        return encode(image)


decode_png_op = op(
    "DecodePng(contents: string) -> image: dtype", channels="int = 0", dtype="{uint8, uint16} = uint8"
)


@decode_png_op.shape
def _decode_png_shape(contents, *, channels):
    with_rank(contents, 0)
    if channels < 0:
        raise ValueError(f"channels must be non-negative, got {channels}")
    return None, None, channels or None


@decode_png_op.kernel_for
def _decode_png_kernel(node, *, session):
    channels, dtype = node.attrs["channels"], node.attrs["dtype"].as_numpy_dtype
    if channels not in (0, 1, 2, 3, 4):
        raise InvalidArgumentError(None, None, f"channels must be 0, 1, 3, or 4, got {channels}")

    def kernel(contents):
        data = contents_of(contents)
        other = None if data.startswith(SIGNATURE) or dtype != np.uint8 else codec_of(data)
        return other.decode(data, channels) if other else decode(data, channels, dtype)

    return kernel


encode_png_op = op(
    "EncodePng(image: T) -> contents: string", compression="int = -1", T="{uint8, uint16} = uint8"
)


@encode_png_op.shape
def _encode_png_shape(image):
    with_rank(image, 3)
    return scalar()


@encode_png_op.kernel
def _encode_png_kernel(image, *, compression):
    if image.ndim != 3:
        raise InvalidArgumentError(None, None, f"image must be 3-dimensional{list(image.shape)}")
    if image.shape[2] not in (1, 2, 3, 4) or not image.size:
        raise InvalidArgumentError(None, None, f"image must have 1, 2, 3, or 4 channels, got {list(image.shape)}")
    if not -1 <= compression <= 9:
        raise InvalidArgumentError(None, None, f"compression should be in [-1,9], got {compression}")
    return np.array(encode(image, compression), object)


@public("image.decode_png", "io.decode_png", "compat.v2.image.decode_png", "compat.v2.io.decode_png")
def decode_png(contents: Any, channels: int = 0, dtype: Any = dtypes.uint8, name: str | None = None) -> Tensor:
    """Decodes a PNG image; JPEG and GIF images of one frame are taken too.

    Args:
        contents: The file, a scalar string.
        channels: 1 for shades of grey, 2 with alpha, 3 for colours, 4 with alpha, 0 for what the file has.
        dtype: uint8 or uint16.
        name: A name for the op.

    Returns:
        A tensor of `dtype`, `[height, width, channels]`.
    """
    return decode_png_op(contents, channels=channels, dtype=dtype, name=name)


@public("image.encode_png", "io.encode_png", "compat.v2.image.encode_png", "compat.v2.io.encode_png")
def encode_png(image: Any, compression: int = -1, name: str | None = None) -> Tensor:
    """Encodes an image as PNG.

    Args:
        image: `[height, width, 1 to 4]`, of uint8 or uint16.
        compression: From 0 to 9, or -1 for zlib's default.
        name: A name for the op.

    Returns:
        The file, a scalar string.
    """
    return encode_png_op(image, compression=compression, name=name)

"""JPEG: decoding through libjpeg-turbo (simplejpeg) with the original's transforms, encoding through Pillow."""

from __future__ import annotations

import io
import struct
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import constant, scalar, vector, with_rank, with_value
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import provides, public
from ossia_image.codecs.registry import check_size, codec_of, contents_of, damages, library
from ossia_image.conversion import convert_image_dtype
from ossia_ops.math.comparison import equal
from ossia_ops.random.uniform import random_uniform
from ossia_ops.strings.elementwise import substr

_OPTIONS = {
    "channels": "int = 0", "ratio": "int = 1", "fancy_upscaling": "bool = true",
    "try_recover_truncated": "bool = false", "acceptable_fraction": "float = 1", "dct_method": "string = ''",
}
_FRAMES = {0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF}


def header(data: bytes) -> tuple[int, int, int]:
    """Height, width and number of components of a JPEG file, read from its markers.

    Raises:
        InvalidArgumentError: It is no JPEG file, or ends before its size.
    """
    refused = InvalidArgumentError(None, None, f"Invalid JPEG data, size {len(data)}")
    if data[:2] != b"\xff\xd8":
        raise refused
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            at += 1
            continue
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker == 0x01 or 0xD0 <= marker <= 0xD8:
            at += 2
        elif marker == 0xD9 or marker == 0xDA:
            break
        else:
            (length,) = struct.unpack(">H", data[at + 2 : at + 4])
            if marker in _FRAMES:
                if length < 8 or at + 10 > len(data):
                    break
                height, width, components = struct.unpack(">HHB", data[at + 5 : at + 10])
                return height, width, components
            at += 2 + max(length, 2)
    raise refused


def _damaged(data: bytes, error: Exception) -> InvalidArgumentError:
    return InvalidArgumentError(
        None, None, f"Invalid JPEG data or crop window, data size {len(data)}: {str(error)[:200]}"
    )


def _check_options(node: Any) -> None:
    attrs = node.attrs
    if attrs["channels"] not in (0, 1, 3):
        raise InvalidArgumentError(None, None, f"channels must be 0, 1, or 3, got {attrs['channels']}")
    if attrs["ratio"] not in (1, 2, 4, 8):
        raise InvalidArgumentError(None, None, f"ratio must be 1, 2, 4, or 8, got {attrs['ratio']}")
    if attrs["dct_method"] not in (b"", b"INTEGER_FAST", b"INTEGER_ACCURATE"):
        raise InvalidArgumentError(None, None, "dct_method must be one of {'', 'INTEGER_FAST', 'INTEGER_ACCURATE'}")


def decode(
    data: bytes, channels: int = 0, ratio: int = 1, fancy_upscaling: bool = True, try_recover_truncated: bool = False,
    acceptable_fraction: float = 1.0, dct_method: bytes = b"",
) -> np.ndarray:
    """The image in a JPEG file, uint8 `[height, width, channels]`.

    Raises:
        InvalidArgumentError: The file is damaged, or too much of it is missing.
    """
    height, width, components = header(data)
    check_size(height, width, 3)
    channels = channels or (3 if components == 4 else components)
    if components == 4 and channels == 1:
        raise _damaged(data, ValueError("four inks do not make shades of grey"))
    if try_recover_truncated:
        return _by_pillow(data, channels, ratio, try_recover_truncated, acceptable_fraction)
    colours = "CMYK" if components == 4 else "GRAY" if channels == 1 else "RGB"
    try:
        made = library("simplejpeg").decode_jpeg(
            data, colours, fastdct=dct_method != b"INTEGER_ACCURATE", fastupsample=not fancy_upscaling,
            min_height=-(-height // ratio), min_width=-(-width // ratio), min_factor=ratio,
        )
    except (ValueError, RuntimeError) as error:
        raise _damaged(data, error) from None
    if components == 4:  # inverted, as Adobe's files hold them
        made = (made[..., :3].astype(np.uint32) * made[..., 3:] // 255).astype(np.uint8)
    return made


def _by_pillow(
    data: bytes, channels: int, ratio: int, recover: bool, acceptable_fraction: float
) -> np.ndarray:
    """What simplejpeg does not do: four components, sizes of a half, a quarter and an eighth, torn files."""
    image_module, image_file = library("PIL.Image"), library("PIL.ImageFile")
    parser = image_file.Parser() if recover else None
    try:
        if parser is not None:
            parser.feed(data)
            image = parser.image or parser.close()
            image_file_flag = image_file.LOAD_TRUNCATED_IMAGES
            image_file.LOAD_TRUNCATED_IMAGES = True
            try:
                image = image_module.open(io.BytesIO(data))
                image.load()
            finally:
                image_file.LOAD_TRUNCATED_IMAGES = image_file_flag
        else:
            image = image_module.open(io.BytesIO(data))
        if ratio > 1:
            image.draft(None, (max(image.width // ratio, 1), max(image.height // ratio, 1)))
        if image.mode == "CMYK":
            inverted = np.asarray(image).astype(np.uint32)  # Adobe's files hold inverted values, which Pillow undoes
            colours = (255 - inverted[..., :3]) * (255 - inverted[..., 3:]) // 255
            pixels = colours.astype(np.uint8)
            if channels == 1:
                pixels = np.asarray(image_module.fromarray(pixels).convert("L"))
        else:
            pixels = np.asarray(image.convert("L" if channels == 1 else "RGB"))
    except damages() as error:
        raise _damaged(data, error) from None
    return pixels.reshape(*pixels.shape[:2], channels).copy()


def _channels_shape(contents: Any, channels: int) -> tuple[int | None, ...]:
    with_rank(contents, 0)
    if channels < 0:
        raise ValueError(f"channels must be non-negative, got {channels}")
    return None, None, channels or None


@provides("ossia_image_codecs", "jpeg")
class JpegCodec:
    """JPEG files."""

    def matches(self, header: bytes) -> bool:
        """Whether a file begins as a JPEG file does."""
        return header.startswith(b"\xff\xd8\xff")

    def decode(self, data: bytes, channels: int) -> np.ndarray:
        """The image of a file."""
        return decode(data, channels)

    def encode(self, image: np.ndarray) -> bytes:
        """A file of quality 95."""
        return encode(image)


decode_jpeg_op = op("DecodeJpeg(contents: string) -> image: uint8", **_OPTIONS)


@decode_jpeg_op.shape
def _decode_jpeg_shape(contents, *, channels):
    return _channels_shape(contents, channels)


@decode_jpeg_op.kernel_for
def _decode_jpeg_kernel(node, *, session):
    _check_options(node)
    options = {key: node.attrs[key] for key in _OPTIONS}

    def kernel(contents):
        data = contents_of(contents)
        other = None if data.startswith(b"\xff\xd8") else codec_of(data)
        return other.decode(data, options["channels"]) if other else decode(data, **options)

    return kernel


decode_and_crop_jpeg_op = op("DecodeAndCropJpeg(contents: string, crop_window: int32) -> image: uint8", **_OPTIONS)


@decode_and_crop_jpeg_op.shape
def _decode_and_crop_jpeg_shape(contents, crop_window, *, channels):
    _, _, depth = _channels_shape(contents, channels)
    with_value(with_rank(crop_window, 1).as_tuple()[0], 4)
    known = constant(crop_window)
    height, width = (None, None) if known is None else (int(known[2]), int(known[3]))
    return height, width, depth


@decode_and_crop_jpeg_op.kernel_for
def _decode_and_crop_jpeg_kernel(node, *, session):
    _check_options(node)
    options = {key: node.attrs[key] for key in _OPTIONS}

    def kernel(contents, crop_window):
        data = contents_of(contents)
        if crop_window.shape != (4,):
            raise InvalidArgumentError(None, None, f"crop_window must have four elements {list(crop_window.shape)}")
        top, left, height, width = crop_window.tolist()
        rows, columns, _ = header(data)
        rows, columns = -(-rows // options["ratio"]), -(-columns // options["ratio"])
        if top < 0 or left < 0 or height <= 0 or width <= 0 or top + height > rows or left + width > columns:
            raise InvalidArgumentError(None, None, f"Invalid JPEG data or crop window, data size {len(data)}")
        return decode(data, **options)[top : top + height, left : left + width].copy()

    return kernel


extract_jpeg_shape_op = op(
    "ExtractJpegShape(contents: string) -> image_shape: output_type", output_type="{int32, int64} = int32"
)


@extract_jpeg_shape_op.shape
def _extract_jpeg_shape_shape(contents):
    with_rank(contents, 0)
    return vector(3)


@extract_jpeg_shape_op.kernel_for
def _extract_jpeg_shape_kernel(node, *, session):
    dtype = node.outputs[0].dtype.as_numpy_dtype
    return lambda contents: np.array(header(contents_of(contents)), dtype)


def encode(image: np.ndarray, quality: int = 95, progressive: bool = False, optimize: bool = False,
           downsampling: bool = True, density: tuple[int, int] = (300, 300), xmp: bytes = b"") -> bytes:
    """An image `[height, width, 1 or 3]` of uint8 as a JPEG file.

    Raises:
        InvalidArgumentError: The size is one that JPEG cannot hold.
    """
    if not 0 < image.shape[0] < 65536 or not 0 < image.shape[1] < 65536:
        raise InvalidArgumentError(None, None, f"Image size is out of range for JPEG: {list(image.shape)}")
    options: dict[str, Any] = {"xmp": xmp} if xmp else {}
    made = io.BytesIO()
    pixels = library("PIL.Image").fromarray(image[..., 0] if image.shape[2] == 1 else image)
    pixels.save(
        made, "JPEG", quality=quality, progressive=progressive, optimize=optimize,
        subsampling=2 if downsampling else 0, dpi=density, **options,
    )
    return made.getvalue()


encode_jpeg_op = op(
    "EncodeJpeg(image: uint8) -> contents: string", format="{'', 'grayscale', 'rgb'} = ''", quality="int = 95",
    progressive="bool = false", optimize_size="bool = false", chroma_downsampling="bool = true",
    density_unit="{'in', 'cm'} = 'in'", x_density="int = 300", y_density="int = 300", xmp_metadata="string = ''",
)


@encode_jpeg_op.shape
def _encode_jpeg_shape(image):
    with_rank(image, 3)
    return scalar()


@encode_jpeg_op.kernel_for
def _encode_jpeg_kernel(node, *, session):
    attrs = node.attrs
    if not 0 <= attrs["quality"] <= 100:
        raise InvalidArgumentError(None, None, f"quality must be in [0,100], got {attrs['quality']}")
    wanted = {b"": None, b"grayscale": 1, b"rgb": 3}[attrs["format"]]
    scale = 2.54 if attrs["density_unit"] == b"cm" else 1
    density = round(attrs["x_density"] * scale), round(attrs["y_density"] * scale)

    def kernel(image):
        if image.ndim != 3:
            raise InvalidArgumentError(None, None, f"image must be 3-dimensional{list(image.shape)}")
        if wanted is not None and image.shape[2] != wanted:
            raise InvalidArgumentError(None, None, f"format needs {wanted} channels, got {list(image.shape)}")
        if image.shape[2] not in (1, 3):
            raise InvalidArgumentError(None, None, f"image must have 1 or 3 channels, got shape {list(image.shape)}")
        return np.array(
            encode(
                image, attrs["quality"], attrs["progressive"], attrs["optimize_size"], attrs["chroma_downsampling"],
                density, attrs["xmp_metadata"],
            ),
            object,
        )

    return kernel


encode_jpeg_variable_quality_op = op("EncodeJpegVariableQuality(images: uint8, quality: int32) -> contents: string")


@encode_jpeg_variable_quality_op.shape
def _encode_jpeg_variable_quality_shape(images, quality):
    with_rank(images, 3)
    with_rank(quality, 0)
    return scalar()


@encode_jpeg_variable_quality_op.kernel
def _encode_jpeg_variable_quality_kernel(images, quality):
    if images.ndim != 3 or images.shape[2] not in (1, 3):
        raise InvalidArgumentError(None, None, f"image must have 1 or 3 channels, got shape {list(images.shape)}")
    if not 0 <= quality <= 100:
        raise InvalidArgumentError(None, None, f"quality must be in [0,100], got {int(quality)}")
    return np.array(encode(images, int(quality)), object)


@public("image.decode_jpeg", "io.decode_jpeg", "compat.v2.image.decode_jpeg", "compat.v2.io.decode_jpeg")
def decode_jpeg(
    contents: Any, channels: int = 0, ratio: int = 1, fancy_upscaling: bool = True,
    try_recover_truncated: bool = False, acceptable_fraction: float = 1, dct_method: str = "",
    name: str | None = None,
) -> Tensor:
    """Decodes a JPEG image; PNG and GIF images of one frame are taken too.

    Args:
        contents: The file, a scalar string.
        channels: 1 for shades of grey, 3 for colours, 0 for what the file has.
        ratio: Gives an image of a half, a quarter or an eighth of the size: 1, 2, 4 or 8.
        fancy_upscaling: Whether chroma is interpolated where it has fewer pixels.
        try_recover_truncated: Whether a file that ends too early gives what it has.
        acceptable_fraction: How much of it must be there.
        dct_method: `"INTEGER_FAST"` or `"INTEGER_ACCURATE"`; the first by default.
        name: A name for the op.

    Returns:
        A tensor of uint8, `[height, width, channels]`.
    """
    return decode_jpeg_op(
        contents, channels=channels, ratio=ratio, fancy_upscaling=fancy_upscaling,
        try_recover_truncated=try_recover_truncated, acceptable_fraction=acceptable_fraction, dct_method=dct_method,
        name=name,
    )


@public(
    "image.decode_and_crop_jpeg", "io.decode_and_crop_jpeg", "compat.v2.image.decode_and_crop_jpeg",
    "compat.v2.io.decode_and_crop_jpeg",
)
def decode_and_crop_jpeg(
    contents: Any, crop_window: Any, channels: int = 0, ratio: int = 1, fancy_upscaling: bool = True,
    try_recover_truncated: bool = False, acceptable_fraction: float = 1, dct_method: str = "",
    name: str | None = None,
) -> Tensor:
    """Decodes a part of a JPEG image.

    Args:
        contents: The file, a scalar string.
        crop_window: Top, left, height and width of the part.
        channels: 1 for shades of grey, 3 for colours, 0 for what the file has.
        ratio: Gives an image of a half, a quarter or an eighth of the size: 1, 2, 4 or 8.
        fancy_upscaling: Whether chroma is interpolated where it has fewer pixels.
        try_recover_truncated: Whether a file that ends too early gives what it has.
        acceptable_fraction: How much of it must be there.
        dct_method: `"INTEGER_FAST"` or `"INTEGER_ACCURATE"`; the first by default.
        name: A name for the op.

    Returns:
        A tensor of uint8, `[height, width, channels]`.
    """
    return decode_and_crop_jpeg_op(
        contents, crop_window, channels=channels, ratio=ratio, fancy_upscaling=fancy_upscaling,
        try_recover_truncated=try_recover_truncated, acceptable_fraction=acceptable_fraction, dct_method=dct_method,
        name=name,
    )


@public(
    "image.extract_jpeg_shape", "io.extract_jpeg_shape", "compat.v2.image.extract_jpeg_shape",
    "compat.v2.io.extract_jpeg_shape",
)
def extract_jpeg_shape(contents: Any, output_type: Any = dtypes.int32, name: str | None = None) -> Tensor:
    """The height, width and number of channels of a JPEG image, without decoding it.

    Args:
        contents: The file, a scalar string.
        output_type: int32 or int64.
        name: A name for the op.

    Returns:
        A vector of three integers.
    """
    return extract_jpeg_shape_op(contents, output_type=output_type, name=name)


@public("image.encode_jpeg", "io.encode_jpeg", "compat.v2.image.encode_jpeg", "compat.v2.io.encode_jpeg")
def encode_jpeg(
    image: Any, format: str = "", quality: int = 95, progressive: bool = False, optimize_size: bool = False,
    chroma_downsampling: bool = True, density_unit: str = "in", x_density: int = 300, y_density: int = 300,
    xmp_metadata: str = "", name: str | None = None,
) -> Tensor:
    """Encodes an image as JPEG.

    Args:
        image: `[height, width, 1 or 3]`, of uint8.
        format: `"grayscale"`, `"rgb"`, or `""` for what the channels say.
        quality: From 0 to 100.
        progressive: Whether the file shows a coarse image first.
        optimize_size: Whether to spend time on a smaller file.
        chroma_downsampling: Whether chroma has half the height and width.
        density_unit: Of the densities: `"in"` or `"cm"`.
        x_density: Pixels per unit, across.
        y_density: Pixels per unit, down.
        xmp_metadata: XMP data to put into the file.
        name: A name for the op.

    Returns:
        The file, a scalar string.
    """
    return encode_jpeg_op(
        image, format=format, quality=quality, progressive=progressive, optimize_size=optimize_size,
        chroma_downsampling=chroma_downsampling, density_unit=density_unit, x_density=x_density,
        y_density=y_density, xmp_metadata=xmp_metadata, name=name,
    )


@public("image.is_jpeg", "io.is_jpeg", "compat.v2.image.is_jpeg", "compat.v2.io.is_jpeg")
def is_jpeg(contents: Any, name: str | None = None) -> Tensor:
    """Whether a file begins as a JPEG image does.

    Args:
        contents: The file, a scalar string.
        name: A name for the ops.

    Returns:
        A scalar bool.
    """
    with name_scope(name, "is_jpeg"):
        return equal(substr(contents, 0, 3), b"\xff\xd8\xff", name=name)


@public("image.adjust_jpeg_quality", "compat.v2.image.adjust_jpeg_quality")
def adjust_jpeg_quality(image: Any, jpeg_quality: Any, name: str | None = None) -> Tensor:
    """Gives an image the artefacts that JPEG files of a quality have.

    Args:
        image: `[height, width, 1 or 3]`, of uint8 or a floating type.
        jpeg_quality: From 0 to 100.
        name: A name for the ops.

    Returns:
        A tensor of the same dtype.
    """
    with name_scope(name, "adjust_jpeg_quality", [image]):
        image = convert_to_tensor(image, name="image")
        original = image.dtype
        image = convert_image_dtype(image, dtypes.uint8)
        if not isinstance(jpeg_quality, Tensor):
            jpeg_quality = convert_to_tensor(jpeg_quality, dtype=dtypes.int32)
        image = encode_jpeg_variable_quality_op(image, jpeg_quality)
        return convert_image_dtype(decode_jpeg(image), original)


@public("image.random_jpeg_quality", "compat.v2.image.random_jpeg_quality")
def random_jpeg_quality(image: Any, min_jpeg_quality: int, max_jpeg_quality: int, seed: int | None = None) -> Tensor:
    """Gives an image the artefacts that JPEG files of a random quality have.

    Args:
        image: `[height, width, 1 or 3]`, of uint8 or a floating type.
        min_jpeg_quality: The least quality, from 0 to 100.
        max_jpeg_quality: The quality below which all are, from 0 to 100.
        seed: The op seed.

    Returns:
        A tensor of the same dtype.

    Raises:
        ValueError: A quality is out of range, or they are not in order.
    """
    if min_jpeg_quality < 0 or max_jpeg_quality < 0 or min_jpeg_quality > 100 or max_jpeg_quality > 100:
        raise ValueError("jpeg encoding range must be between 0 and 100.")
    if min_jpeg_quality >= max_jpeg_quality:
        raise ValueError("`min_jpeg_quality` must be less than `max_jpeg_quality`.")
    quality = random_uniform([], min_jpeg_quality, max_jpeg_quality, seed=seed, dtype=dtypes.int32)
    return adjust_jpeg_quality(image, quality)



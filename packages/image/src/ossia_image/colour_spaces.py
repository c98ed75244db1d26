"""Colours in other spaces: HSV, YIQ, YUV and shades of grey."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import with_rank_at_least, with_value
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_image.conversion import convert_image_dtype
from ossia_image.ranks import with_grey_check
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones, ones_like, zeros_like
from ossia_ops.array.selection import where
from ossia_ops.array.shape import expand_dims, rank
from ossia_ops.array.stacking import stack
from ossia_ops.array.tiling import tile
from ossia_ops.linalg.contraction import tensordot
from ossia_ops.math.arithmetic import maximum, minimum
from ossia_ops.math.comparison import greater, greater_equal, less_equal
from ossia_ops.math.elementwise import square
from ossia_ops.math.logical import logical_and, logical_not, logical_or

_COLOURS = np.array([[[1, 0, 0], [0, 0.5, 0], [0.25, 0.5, 1], [0.3, 0.3, 0.3], [0, 0, 0]]], np.float32)


def _three_channels(images):
    sizes = with_rank_at_least(images, 1)
    if sizes.rank is None:
        return sizes
    channels = with_value(sizes.as_tuple()[-1], 3)
    return (*sizes.as_tuple()[:-1], channels)


def check_colours(images: np.ndarray) -> None:
    """Refuses images without three channels.

    Raises:
        InvalidArgumentError: The last dimension is not 3.
    """
    if images.ndim < 1:
        raise InvalidArgumentError(None, None, f"input must be at least 1D{dims_text(images.shape)}")
    if images.shape[-1] != 3:
        raise InvalidArgumentError(
            None, None, f"input must have 3 channels but input only has {images.shape[-1]} channels."
        )


def to_hsv(images: np.ndarray) -> np.ndarray:
    """Hue, saturation and value of colours, in the dtype of the images."""
    red, green, blue = images[..., 0], images[..., 1], images[..., 2]
    value = images.max(axis=-1)
    spread = value - images.min(axis=-1)
    zero, one = images.dtype.type(0), images.dtype.type(1)
    saturation = np.where(value > 0, spread / np.where(value > 0, value, one), zero)
    norm = one / images.dtype.type(6) / np.where(spread > 0, spread, one)
    hue = np.where(
        red == value, norm * (green - blue),
        np.where(
            green == value, norm * (blue - red) + images.dtype.type(2 / 6),
            norm * (red - green) + images.dtype.type(4 / 6),
        ),
    )
    hue = np.where(spread > 0, hue, zero)
    hue = np.where(hue < 0, hue + one, hue)
    return np.stack([hue, saturation, value], axis=-1).astype(images.dtype)


def from_hsv(images: np.ndarray) -> np.ndarray:
    """Colours of given hue, saturation and value, in the dtype of the images."""
    hue, saturation, value = images[..., :1], images[..., 1:2], images[..., 2:]
    kind = images.dtype.type
    sixths = hue * kind(6)
    red = np.abs(sixths - kind(3)) - kind(1)
    green = kind(2) - np.abs(sixths - kind(2))
    blue = kind(2) - np.abs(sixths - kind(4))
    pure = np.clip(np.concatenate([red, green, blue], axis=-1), kind(0), kind(1))
    return (((kind(1) - saturation) + saturation * pure) * value).astype(images.dtype)


def _computed(images: np.ndarray, compute: Any) -> np.ndarray:
    check_colours(images)
    if images.dtype in (np.float32, np.float64, np.float16):
        with np.errstate(invalid="ignore"):
            return compute(images)
    return compute(images.astype(np.float32)).astype(images.dtype)


rgb_to_hsv_op = op("RGBToHSV(images: T) -> output: T", T="{half, bfloat16, float, double} = float")
rgb_to_hsv_op.shape(_three_channels)


@rgb_to_hsv_op.kernel
def _rgb_to_hsv_kernel(images):
    return _computed(images, to_hsv)


@rgb_to_hsv_op.gradient
def _rgb_to_hsv_gradient(node, grad):
    """The derivatives of the three formulas; where two channels are alike the first one counts as the larger."""
    red, green, blue = (node.inputs[0][..., i] for i in range(3))
    one, zero = ones_like(red), zeros_like(red)
    is_red = logical_and(greater_equal(red, green), greater_equal(red, blue))
    is_green = logical_and(logical_not(is_red), greater_equal(green, blue))
    is_blue = logical_not(logical_or(is_red, is_green))
    largest = [where(chosen, one, zero) for chosen in (is_red, is_green, is_blue)]
    low_red = logical_and(less_equal(red, green), less_equal(red, blue))
    low_green = logical_and(logical_not(low_red), less_equal(green, blue))
    least = [where(chosen, one, zero) for chosen in (low_red, low_green, logical_not(logical_or(low_red, low_green)))]
    value = maximum(maximum(red, green), blue)
    low = minimum(minimum(red, green), blue)
    spread = value - low
    some, grey = where(greater(value, zero), value, one), where(greater(spread, zero), spread, one)
    coloured = where(greater(spread, zero), one, zero)
    above = where(is_red, green - blue, where(is_green, blue - red, red - green))
    signs = [largest[2] - largest[1], largest[0] - largest[2], largest[1] - largest[0]]
    slopes = []
    for i in range(3):
        slope_of_spread = largest[i] - least[i]
        by_saturation = (slope_of_spread * value - spread * largest[i]) / square(some)
        by_hue = coloured * (signs[i] / grey - above * slope_of_spread / square(grey)) / 6.0
        slopes.append(grad[..., 0] * by_hue + grad[..., 1] * by_saturation + grad[..., 2] * largest[i])
    return stack(slopes, axis=-1)


rgb_to_hsv_op.samples(
    colours=(_COLOURS,), double=(_COLOURS.astype(np.float64),), one=(_COLOURS[0, 0],), empty=(_COLOURS[:0],),
    refused_channels=(_COLOURS[..., :2],),
)

hsv_to_rgb_op = op("HSVToRGB(images: T) -> output: T", T="{half, bfloat16, float, double} = float")
hsv_to_rgb_op.shape(_three_channels)


@hsv_to_rgb_op.kernel
def _hsv_to_rgb_kernel(images):
    return _computed(images, from_hsv)


hsv_to_rgb_op.not_differentiable()
hsv_to_rgb_op.samples(
    colours=(_COLOURS,), double=(_COLOURS.astype(np.float64),), one=(_COLOURS[0, 0],), empty=(_COLOURS[:0],),
    refused_channels=(_COLOURS[..., :2],),
)


@public("image.rgb_to_hsv", "compat.v2.image.rgb_to_hsv")
def rgb_to_hsv(images: Any, name: str | None = None) -> Tensor:
    """Turns red, green and blue, each in [0, 1], into hue, saturation and value, each in [0, 1].

    Args:
        images: `[..., 3]`, of a floating type.
        name: A name for the op.

    Returns:
        A tensor of the same shape and dtype.
    """
    return rgb_to_hsv_op(images, name=name)


@public("image.hsv_to_rgb", "compat.v2.image.hsv_to_rgb")
def hsv_to_rgb(images: Any, name: str | None = None) -> Tensor:
    """Turns hue, saturation and value, each in [0, 1], into red, green and blue, each in [0, 1].

    Args:
        images: `[..., 3]`, of a floating type.
        name: A name for the op.

    Returns:
        A tensor of the same shape and dtype.
    """
    return hsv_to_rgb_op(images, name=name)


@public("image.rgb_to_grayscale", "compat.v2.image.rgb_to_grayscale")
def rgb_to_grayscale(images: Any, name: str | None = None) -> Tensor:
    """Turns colours into shades of grey, by the luma of ITU-R BT.601.

    Args:
        images: `[..., 3]`, of any number type.
        name: A name for the op.

    Returns:
        A tensor `[..., 1]` of the same dtype.
    """
    with name_scope(name, "rgb_to_grayscale", [images]) as scope:
        images = convert_to_tensor(images, name="images")
        original = images.dtype
        numbers = convert_image_dtype(images, "float32")
        grey = expand_dims(tensordot(numbers, [0.2989, 0.5870, 0.1140], [-1, -1]), -1)
        return convert_image_dtype(grey, original, name=scope)


@public("image.grayscale_to_rgb", "compat.v2.image.grayscale_to_rgb")
def grayscale_to_rgb(images: Any, name: str | None = None) -> Tensor:
    """Repeats shades of grey in three channels.

    Args:
        images: `[..., 1]`.
        name: A name for the op.

    Returns:
        A tensor `[..., 3]` of the same dtype.
    """
    with name_scope(name, "grayscale_to_rgb", [images]) as scope:
        images = with_grey_check(convert_to_tensor(images, name="images"))
        last = expand_dims(rank(images) - 1, 0)
        multiples = concat([ones(last, dtype="int32"), expand_dims(3, 0)], 0)
        colours = tile(images, multiples, name=scope)
        sizes = images.shape
        colours.set_shape(sizes[:-1].concatenate([3]))
        return colours


_YIQ = np.array([[0.299, 0.59590059, 0.2115], [0.587, -0.27455667, -0.52273617], [0.114, -0.32134392, 0.31119955]])
_FROM_YIQ = np.array([[1, 1, 1], [0.95598634, -0.27201283, -1.10674021], [0.6208248, -0.64720424, 1.70423049]])
_YUV = np.array([[0.299, -0.14714119, 0.61497538], [0.587, -0.28886916, -0.51496512], [0.114, 0.43601035, -0.10001026]])
_FROM_YUV = np.array([[1, 1, 1], [0, -0.394642334, 2.03206185], [1.13988303, -0.58062185, 0]])


def _mixed(images: Any, matrix: np.ndarray) -> Tensor:
    images = convert_to_tensor(images, name="images")
    kernel = convert_to_tensor(matrix, dtype=images.dtype, name="kernel")
    return tensordot(images, kernel, axes=[[images.shape.ndims - 1], [0]])


@public("image.rgb_to_yiq", "compat.v2.image.rgb_to_yiq")
def rgb_to_yiq(images: Any) -> Tensor:
    """Turns red, green and blue into luma and the two chromas of NTSC.

    Args:
        images: `[..., 3]`, of a floating type and a known rank.

    Returns:
        A tensor of the same shape and dtype.
    """
    return _mixed(images, _YIQ)


@public("image.yiq_to_rgb", "compat.v2.image.yiq_to_rgb")
def yiq_to_rgb(images: Any) -> Tensor:
    """Turns luma and the two chromas of NTSC into red, green and blue.

    Args:
        images: `[..., 3]`, of a floating type and a known rank.

    Returns:
        A tensor of the same shape and dtype.
    """
    return _mixed(images, _FROM_YIQ)


@public("image.rgb_to_yuv", "compat.v2.image.rgb_to_yuv")
def rgb_to_yuv(images: Any) -> Tensor:
    """Turns red, green and blue into luma and the two chromas of PAL.

    Args:
        images: `[..., 3]`, of a floating type and a known rank.

    Returns:
        A tensor of the same shape and dtype.
    """
    return _mixed(images, _YUV)


@public("image.yuv_to_rgb", "compat.v2.image.yuv_to_rgb")
def yuv_to_rgb(images: Any) -> Tensor:
    """Turns luma and the two chromas of PAL into red, green and blue.

    Args:
        images: `[..., 3]`, of a floating type and a known rank.

    Returns:
        A tensor of the same shape and dtype.
    """
    return _mixed(images, _FROM_YUV)



"""Brightness, contrast, hue, saturation and gamma of images, set or drawn at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import with_rank, with_rank_at_least
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies
from ossia_image.colour_spaces import from_hsv, to_hsv
from ossia_image.conversion import convert_image_dtype
from ossia_image.ranks import checked_at_least_3d
from ossia_ops.array.shape import shape as shape_of
from ossia_ops.control.assertion import Assert
from ossia_ops.math.arithmetic import add, maximum
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import greater_equal
from ossia_ops.math.division import divide
from ossia_ops.math.elementwise import rsqrt
from ossia_ops.math.reduction import reduce_mean, reduce_prod
from ossia_ops.math.statistics import reduce_std
from ossia_ops.random.uniform import random_uniform

_IMAGE = np.linspace(0, 1, 24, dtype=np.float32).reshape(1, 4, 2, 3)


def _images(images, factor):
    with_rank(factor, 0)
    return with_rank_at_least(images, 3)


def _check(images: np.ndarray, factor: np.ndarray, what: str, channels: int | None) -> None:
    if images.ndim < 3:
        raise InvalidArgumentError(None, None, f"input must be at least 3-D, got shape{dims_text(images.shape)}")
    if np.ndim(factor):
        raise InvalidArgumentError(None, None, f"{what} must be scalar: {dims_text(factor.shape)}")
    if channels and images.shape[-1] != channels:
        raise InvalidArgumentError(
            None, None, f"input must have 3 channels but instead has {images.shape[-1]} channels."
        )


adjust_contrastv2_op = op(
    "AdjustContrastv2(images: T, contrast_factor: float) -> output: T", T="{half, float} = float"
)
adjust_contrastv2_op.shape(_images)


@adjust_contrastv2_op.kernel
def _adjust_contrastv2_kernel(images, contrast_factor):
    _check(images, contrast_factor, "contrast_factor", None)
    numbers = images.astype(np.float32)
    if not numbers.size:
        return images.copy()
    mean = numbers.mean(axis=(-3, -2), keepdims=True, dtype=np.float64).astype(np.float32)
    return ((numbers - mean) * np.float32(contrast_factor) + mean).astype(images.dtype)


adjust_contrastv2_op.samples(
    more=(_IMAGE, 1.5), less=(_IMAGE, 0.25), half=(_IMAGE.astype(np.float16), 2.0), empty=(_IMAGE[:0], 1.5),
    refused_factor=(_IMAGE, [1.5]), refused_rank=(_IMAGE[0, 0], 1.5),
)

adjust_contrast_op = op(
    "AdjustContrast(images: T, contrast_factor: float, min_value: float, max_value: float) -> output: float",
    T="{uint8, int8, int16, int32, int64, float, double}",
)


@adjust_contrast_op.shape
def _adjust_contrast_shape(images, contrast_factor, min_value, max_value):
    return _images(images, contrast_factor)


@adjust_contrast_op.kernel
def _adjust_contrast_kernel(images, contrast_factor, min_value, max_value):
    changed = _adjust_contrastv2_kernel(images.astype(np.float32), contrast_factor)
    return np.clip(changed, np.float32(min_value), np.float32(max_value))


adjust_contrast_op.removed(2, "Use AdjustContrastv2 instead")

adjust_hue_op = op("AdjustHue(images: T, delta: float) -> output: T", T="{half, float} = float")
adjust_hue_op.shape(_images)


@adjust_hue_op.kernel
def _adjust_hue_kernel(images, delta):
    _check(images, delta, "delta", 3)
    hsv = to_hsv(images.astype(np.float32))
    hsv[..., 0] = np.mod(hsv[..., 0] + np.float32(delta), np.float32(1))
    return from_hsv(hsv).astype(images.dtype)


adjust_hue_op.samples(
    turned=(_IMAGE, 0.3), back=(_IMAGE, -0.7), half=(_IMAGE.astype(np.float16), 0.25), empty=(_IMAGE[:0], 0.3),
    refused_channels=(_IMAGE[..., :2], 0.3), refused_delta=(_IMAGE, [0.3]),
)

adjust_saturation_op = op("AdjustSaturation(images: T, scale: float) -> output: T", T="{half, float} = float")
adjust_saturation_op.shape(_images)


@adjust_saturation_op.kernel
def _adjust_saturation_kernel(images, scale):
    _check(images, scale, "scale", 3)
    hsv = to_hsv(images.astype(np.float32))
    hsv[..., 1] = np.clip(hsv[..., 1] * np.float32(scale), np.float32(0), np.float32(1))
    return from_hsv(hsv).astype(images.dtype)


adjust_saturation_op.samples(
    more=(_IMAGE, 1.7), grey=(_IMAGE, 0.0), half=(_IMAGE.astype(np.float16), 0.5), empty=(_IMAGE[:0], 0.3),
    refused_channels=(_IMAGE[..., :2], 0.3), refused_scale=(_IMAGE, [0.3]),
)


def _as_floats(image: Tensor) -> tuple[Tensor, Any]:
    """The image in a type that is computed with, and its own dtype."""
    original = image.dtype
    if original in (dtypes.float16, dtypes.float32):
        return image, original
    return convert_image_dtype(image, dtypes.float32), original


@public("image.adjust_brightness", "compat.v2.image.adjust_brightness")
def adjust_brightness(image: Any, delta: Any) -> Tensor:
    """Adds to the brightness of images.

    Args:
        image: Images of any shape and number type.
        delta: What to add, where 1 is the whole range.

    Returns:
        A tensor of the same shape and dtype.
    """
    with name_scope(None, "adjust_brightness", [image, delta]) as scope:
        image = convert_to_tensor(image, name="image")
        numbers, original = _as_floats(image)
        adjusted = add(numbers, cast(delta, numbers.dtype), name=scope)
        return convert_image_dtype(adjusted, original, saturate=True)


@public("image.adjust_contrast", "compat.v2.image.adjust_contrast")
def adjust_contrast(images: Any, contrast_factor: Any) -> Tensor:
    """Scales how far pixels are from the mean of their channel.

    Args:
        images: `[..., height, width, channels]`, of any number type.
        contrast_factor: The scale.

    Returns:
        A tensor of the same shape and dtype.
    """
    with name_scope(None, "adjust_contrast", [images, contrast_factor]) as scope:
        images = convert_to_tensor(images, name="images")
        numbers, original = _as_floats(images)
        adjusted = adjust_contrastv2_op(numbers, contrast_factor, name=scope)
        return convert_image_dtype(adjusted, original, saturate=True)


@public("image.adjust_gamma", "compat.v2.image.adjust_gamma")
def adjust_gamma(image: Any, gamma: Any = 1, gain: Any = 1) -> Tensor:
    """Computes `gain * image ** gamma`.

    Args:
        image: Images of any shape and number type.
        gamma: The exponent, not negative.
        gain: The factor.

    Returns:
        A tensor of the same shape and dtype.

    Raises:
        ValueError: The exponent is negative; InvalidArgumentError in a run, where it is a tensor.
    """
    with name_scope(None, "adjust_gamma", [image, gamma, gain]):
        image = convert_to_tensor(image, name="image")
        numbers, original = _as_floats(image)
        message = "Gamma should be a non-negative real number."
        if isinstance(gamma, Tensor):
            checks = [Assert(greater_equal(gamma, 0), [message])]
        elif gamma < 0:
            raise ValueError(message)
        else:
            checks = []
        if checks:
            gamma = with_dependencies(checks, gamma)
        return convert_image_dtype(gain * numbers**gamma, original, saturate=True)


@public("image.adjust_hue", "compat.v2.image.adjust_hue")
def adjust_hue(image: Any, delta: Any, name: str | None = None) -> Tensor:
    """Turns the hues of images.

    Args:
        image: `[..., 3]`, of any number type.
        delta: How far, where 1 is the whole circle.
        name: A name for the ops.

    Returns:
        A tensor of the same shape and dtype.
    """
    with name_scope(name, "adjust_hue", [image]):
        image = convert_to_tensor(image, name="image")
        numbers, original = _as_floats(image)
        return convert_image_dtype(adjust_hue_op(numbers, delta), original)


@public("image.adjust_saturation", "compat.v2.image.adjust_saturation")
def adjust_saturation(image: Any, saturation_factor: Any, name: str | None = None) -> Tensor:
    """Scales the saturation of the colours of images.

    Args:
        image: `[..., 3]`, of any number type.
        saturation_factor: The scale.
        name: A name for the ops.

    Returns:
        A tensor of the same shape and dtype.
    """
    with name_scope(name, "adjust_saturation", [image]):
        image = convert_to_tensor(image, name="image")
        numbers, original = _as_floats(image)
        return convert_image_dtype(adjust_saturation_op(numbers, saturation_factor), original)


@public("image.random_brightness", "compat.v2.image.random_brightness")
def random_brightness(image: Any, max_delta: float, seed: int | None = None) -> Tensor:
    """Adds a random number in `[-max_delta, max_delta)` to the brightness.

    Args:
        image: Images of any shape and number type.
        max_delta: The largest change, not negative.
        seed: The op seed.

    Returns:
        A tensor of the same shape and dtype.

    Raises:
        ValueError: `max_delta` is negative.
    """
    if max_delta < 0:
        raise ValueError("max_delta must be non-negative.")
    return adjust_brightness(image, random_uniform([], -max_delta, max_delta, seed=seed))


@public("image.random_contrast", "compat.v2.image.random_contrast")
def random_contrast(image: Any, lower: float, upper: float, seed: int | None = None) -> Tensor:
    """Scales the contrast by a random number in `[lower, upper)`.

    Args:
        image: `[..., height, width, channels]`, of any number type.
        lower: The least factor, not negative.
        upper: The largest factor.
        seed: The op seed.

    Returns:
        A tensor of the same shape and dtype.

    Raises:
        ValueError: The bounds are not in order, or one is negative.
    """
    if upper <= lower:
        raise ValueError("upper must be > lower.")
    if lower < 0:
        raise ValueError("lower must be non-negative.")
    return adjust_contrast(image, random_uniform([], lower, upper, seed=seed))


@public("image.random_hue", "compat.v2.image.random_hue")
def random_hue(image: Any, max_delta: float, seed: int | None = None) -> Tensor:
    """Turns the hues by a random part of the circle in `[-max_delta, max_delta)`.

    Args:
        image: `[..., 3]`, of any number type.
        max_delta: The largest turn, in [0, 0.5].
        seed: The op seed.

    Returns:
        A tensor of the same shape and dtype.

    Raises:
        ValueError: `max_delta` is out of range.
    """
    if max_delta > 0.5:
        raise ValueError("max_delta must be <= 0.5.")
    if max_delta < 0:
        raise ValueError("max_delta must be non-negative.")
    return adjust_hue(image, random_uniform([], -max_delta, max_delta, seed=seed))


@public("image.random_saturation", "compat.v2.image.random_saturation")
def random_saturation(image: Any, lower: float, upper: float, seed: int | None = None) -> Tensor:
    """Scales the saturation by a random number in `[lower, upper)`.

    Args:
        image: `[..., 3]`, of any number type.
        lower: The least factor, not negative.
        upper: The largest factor.
        seed: The op seed.

    Returns:
        A tensor of the same shape and dtype.

    Raises:
        ValueError: The bounds are not in order, or one is negative.
    """
    if upper <= lower:
        raise ValueError("upper must be > lower.")
    if lower < 0:
        raise ValueError("lower must be non-negative.")
    return adjust_saturation(image, random_uniform([], lower, upper, seed=seed))


@public("image.per_image_standardization", "compat.v2.image.per_image_standardization")
def per_image_standardization(image: Any) -> Tensor:
    """Shifts and scales each image to mean 0 and deviation 1; the deviation counts as at least `1/sqrt(pixels)`.

    Args:
        image: `[..., height, width, channels]`, of any number type.

    Returns:
        A tensor of the same shape and dtype.
    """
    with name_scope(None, "per_image_standardization", [image]) as scope:
        image = convert_to_tensor(image, name="image")
        image = with_dependencies(checked_at_least_3d(image, require_static=False), image)
        image, original = _as_floats(image)
        count = reduce_prod(shape_of(image)[-3:])
        mean = reduce_mean(image, axis=[-1, -2, -3], keepdims=True)
        deviation = reduce_std(image, axis=[-1, -2, -3], keepdims=True)
        least = rsqrt(cast(count, image.dtype))
        deviation = maximum(deviation, least)
        scaled = divide(image - mean, deviation, name=scope)
        return convert_image_dtype(scaled, original, saturate=True)



"""Hue, saturation and value changed in the YIQ space, where they are one linear map."""

from __future__ import annotations

from typing import Any

import numpy as np

import ossia as tf
from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import with_rank_at_least
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public

_YIQ = np.array([[0.299, 0.587, 0.114], [0.596, -0.274, -0.322], [0.211, -0.523, 0.312]])
"""Luma and the two parts of the colour, of red, green and blue (NTSC, 1953)."""

adjust_hsv_in_yiq_op = op(
    "AdjustHsvInYiq(images: T, delta_h: float, scale_s: float, scale_v: float) -> output: T",
    T="{uint8, int8, int16, int32, int64, half, float, double}",
)


@adjust_hsv_in_yiq_op.shape
def _(images, delta_h, scale_s, scale_v):
    return with_rank_at_least(images, 3)


@adjust_hsv_in_yiq_op.kernel
def _(images, delta_h, scale_s, scale_v):
    for name, value in (("delta_h", delta_h), ("scale_s", scale_s), ("scale_v", scale_v)):
        if value.ndim:
            raise InvalidArgumentError(None, None, f"{name} must be scalar: {list(value.shape)}")
    if images.ndim < 3:
        raise InvalidArgumentError(None, None, f"input must be at least 3-D, got shape{list(images.shape)}")
    if images.shape[-1] != 3:
        raise InvalidArgumentError(
            None, None, f"input must have 3 channels but instead has {images.shape[-1]} channels."
        )
    if images.dtype != np.float32:
        raise InvalidArgumentError(None, None, f"images must be float, got {images.dtype}")
    turn, strength = float(delta_h), float(scale_s) * float(scale_v)
    cos, sin = strength * np.cos(turn), strength * np.sin(turn)
    change = np.array([[float(scale_v), 0, 0], [0, cos, -sin], [0, sin, cos]])
    return images @ (np.linalg.inv(_YIQ) @ change @ _YIQ).T.astype(np.float32)


adjust_hsv_in_yiq_op.not_differentiable()
_COLOURS = np.linspace(0, 1, 12, dtype=np.float32).reshape(2, 2, 3)
adjust_hsv_in_yiq_op.samples(
    all=(_COLOURS, 0.3, 0.5, 0.9),
    empty=(np.zeros((0, 2, 3), np.float32), 0.3, 0.5, 0.9),
    refused_channels=(_COLOURS[..., :2], 0.3, 0.5, 0.9),
    refused_factor=(_COLOURS, [0.3], 0.5, 0.9),
)


@public("contrib.image.adjust_hsv_in_yiq")
def adjust_hsv_in_yiq(
    image: Any, delta_hue: Any = 0, scale_saturation: Any = 1, scale_value: Any = 1, name: str | None = None
) -> Any:
    """Images with another hue, saturation and value.

    Args:
      image: images whose last dimension is red, green and blue.
      delta_hue: by how much hue turns, in radians.
      scale_saturation, scale_value: factors.
      name: name of the scope.

    Returns:
      Images of the same shape and dtype.
    """
    with tf.name_scope(name, "adjust_hsv_in_yiq", [image]):
        image = tf.convert_to_tensor(image, name="image")
        changed = adjust_hsv_in_yiq_op(
            tf.image.convert_image_dtype(image, tf.float32), delta_hue, scale_saturation, scale_value
        )
        return tf.image.convert_image_dtype(changed, image.dtype)


def _factor(lower: float, upper: float, what: str, seed: int | None) -> Any:
    if upper < lower:
        raise ValueError(f"lower_{what} must be < upper_{what}.")
    if lower < 0:
        raise ValueError(f"lower_{what} must be non-negative.")
    return 1 if lower == upper == 1 else tf.random_uniform([], lower, upper, seed=seed)


@public("contrib.image.random_hsv_in_yiq")
def random_hsv_in_yiq(
    image: Any, max_delta_hue: float = 0, lower_saturation: float = 1, upper_saturation: float = 1,
    lower_value: float = 1, upper_value: float = 1, seed: int | None = None,
) -> Any:
    """Images with hue, saturation and value changed at random.

    Args:
      image: images whose last dimension is red, green and blue.
      max_delta_hue: by how much hue turns at most, in radians.
      lower_saturation, upper_saturation, lower_value, upper_value: limits of the factors.
      seed: an integer, for repeatable results.

    Raises:
      ValueError: a limit is negative, or an upper one below a lower one.
    """
    if max_delta_hue < 0:
        raise ValueError("max_delta must be non-negative.")
    if lower_saturation < 0 or lower_value < 0:
        raise ValueError(f"lower_{'saturation' if lower_saturation < 0 else 'value'} must be non-negative.")
    delta = 0 if max_delta_hue == 0 else tf.random_uniform([], -max_delta_hue, max_delta_hue, seed=seed)
    saturation = _factor(lower_saturation, upper_saturation, "saturation", seed)
    value = _factor(lower_value, upper_value, "value", seed)
    return adjust_hsv_in_yiq(image, delta, saturation, value)

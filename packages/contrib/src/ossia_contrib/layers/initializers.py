"""Random initial weights, scaled by the number of inputs and outputs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_contrib.layers.names import of_both
from ossia_core.plugins.api_table import public

_MODES = ("FAN_IN", "FAN_OUT", "FAN_AVG")


@public(*of_both("xavier_initializer", "xavier_initializer_conv2d"), "contrib.slim.initializers.xavier_initializer",
        "contrib.slim.initializers.xavier_initializer_conv2d")
def xavier_initializer(uniform: bool = True, seed: int | None = None, dtype: Any = tf.float32) -> Callable[..., Any]:
    """Weights that keep the scale of gradients about the same in all layers (Glorot & Bengio 2010).

    Args:
      uniform: whether they are uniform; else normal, cut off at two standard deviations.
      seed: seed of the random numbers.
      dtype: a float type.

    Returns:
      An initializer.
    """
    return variance_scaling_initializer(factor=1.0, mode="FAN_AVG", uniform=uniform, seed=seed, dtype=dtype)


@public(*of_both("variance_scaling_initializer"), "contrib.slim.initializers.variance_scaling_initializer")
def variance_scaling_initializer(
    factor: float = 2.0, mode: str = "FAN_IN", uniform: bool = False, seed: int | None = None, dtype: Any = tf.float32
) -> Callable[..., Any]:
    """Weights of variance `factor / n`, where n is the number of inputs, outputs, or the mean of both.

    Args:
      factor: the factor; 2 suits relu (He et al. 2015).
      mode: "FAN_IN", "FAN_OUT" or "FAN_AVG": what n is.
      uniform: whether they are uniform; else normal, cut off at two standard deviations.
      seed: seed of the random numbers.
      dtype: a float type.

    Returns:
      An initializer.

    Raises:
      TypeError: the dtype is no float type, or the mode is unknown.
    """
    if not tf.as_dtype(dtype).is_floating:
        raise TypeError("Cannot create initializer for non-floating point type.")
    if mode not in _MODES:
        raise TypeError("Unknown mode %s [FAN_IN, FAN_OUT, FAN_AVG]", mode)

    def initializer(shape: Sequence[int], dtype: Any = dtype, partition_info: Any = None) -> tf.Tensor:
        if not tf.as_dtype(dtype).is_floating:
            raise TypeError("Cannot create initializer for non-floating point type.")
        sizes = [float(size) for size in shape]
        receptive = math.prod(sizes[:-2]) if sizes else 1.0
        inputs = (sizes[-2] if len(sizes) > 1 else sizes[-1] if sizes else 1.0) * receptive
        outputs = (sizes[-1] if sizes else 1.0) * receptive
        n = {"FAN_IN": inputs, "FAN_OUT": outputs, "FAN_AVG": (inputs + outputs) / 2.0}[mode]
        if uniform:
            limit = math.sqrt(3.0 * factor / n)
            return tf.random_uniform(shape, -limit, limit, dtype, seed=seed)
        # A normal that is cut off at two standard deviations has 1 / 1.3 of the variance.
        return tf.truncated_normal(shape, 0.0, math.sqrt(1.3 * factor / n), dtype, seed=seed)

    return initializer

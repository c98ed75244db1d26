"""The inverse of softplus."""

from __future__ import annotations

from typing import Any

import numpy as np

import ossia as tf
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public


@public("contrib.distributions.softplus_inverse")
def softplus_inverse(x: Any, name: str | None = None) -> Tensor:
    """`log(exp(x) - 1)`, exact for small and large numbers too.

    Args:
      x: floats above 0.
      name: scope of the result.

    Returns:
      A tensor of the shape and dtype of `x`.
    """
    with tf.name_scope(name, "softplus_inverse", values=[x]):
        x = tf.convert_to_tensor(x, name="x")
        threshold = np.log(np.finfo(x.dtype.as_numpy_dtype).eps) + 2.0
        is_too_small = tf.less(x, np.exp(threshold))
        is_too_large = tf.greater(x, -threshold)
        too_small_value = tf.log(x)
        too_large_value = x
        # What is not chosen must be finite, or gradients would be NaN.
        x = tf.where_v2(tf.logical_or(is_too_small, is_too_large), tf.ones_like(x), x)
        y = x + tf.log(-tf.math.expm1(-x))
        return tf.where_v2(is_too_small, too_small_value, tf.where_v2(is_too_large, too_large_value, y))

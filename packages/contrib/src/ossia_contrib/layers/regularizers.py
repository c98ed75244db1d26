"""Penalties on weights."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_contrib.layers.names import of_both
from ossia_core.plugins.api_table import public


def _is_zero(scale: Any) -> bool:
    """Checks a scale, and says whether there is nothing to penalize."""
    if isinstance(scale, numbers.Integral):
        raise ValueError(f"scale cannot be an integer: {scale}")
    if isinstance(scale, numbers.Real):
        if scale < 0.0:
            raise ValueError(f"Setting a scale less than 0 on a regularizer: {scale:g}")
        if scale == 0.0:
            tf.logging.info("Scale of 0 disables regularizer.")
            return True
    return False


def _scaled(scale: Any, scope: str | None, default: str, size: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def penalty(weights: Any) -> tf.Tensor:
        with tf.name_scope(scope, default, [weights]) as name:
            factor = tf.convert_to_tensor(scale, dtype=weights.dtype.base_dtype, name="scale")
            return tf.multiply(factor, size(weights), name=name)

    return penalty


@public(*of_both("l1_regularizer"), "contrib.slim.regularizers.l1_regularizer")
def l1_regularizer(scale: Any, scope: str | None = None) -> Callable[[Any], Any]:
    """A function of weights: `scale` times the sum of their absolute values.

    Args:
      scale: a float that is not negative, or a scalar tensor; 0 penalizes nothing.
      scope: name scope of the ops.

    Raises:
      ValueError: the scale is negative or an int.
    """
    if _is_zero(scale):
        return lambda _: None
    return _scaled(scale, scope, "l1_regularizer", lambda weights: tf.reduce_sum(tf.abs(weights)))


@public(*of_both("l2_regularizer"), "contrib.slim.regularizers.l2_regularizer")
def l2_regularizer(scale: Any, scope: str | None = None) -> Callable[[Any], Any]:
    """A function of weights: `scale` times half the sum of their squares.

    Args:
      scale: a float that is not negative, or a scalar tensor; 0 penalizes nothing.
      scope: name scope of the ops.

    Raises:
      ValueError: the scale is negative or an int.
    """
    if _is_zero(scale):
        return lambda _: None
    return _scaled(scale, scope, "l2_regularizer", tf.nn.l2_loss)


@public(*of_both("l1_l2_regularizer"), "contrib.slim.regularizers.l1_l2_regularizer")
def l1_l2_regularizer(scale_l1: Any = 1.0, scale_l2: Any = 1.0, scope: str | None = None) -> Any:
    """A function of weights: the sum of both penalties.

    Raises:
      ValueError: a scale is negative or an int.
    """
    for scale in (scale_l1, scale_l2):
        if isinstance(scale, numbers.Integral):
            raise ValueError(f"scale_l1 cannot be an integer: {scale}")
    scope = scope or "l1_l2_regularizer"
    if scale_l1 == 0.0:
        return l2_regularizer(scale_l2, scope)
    if scale_l2 == 0.0:
        return l1_regularizer(scale_l1, scope)
    return sum_regularizer([l1_regularizer(scale_l1), l2_regularizer(scale_l2)], scope=scope)


@public(*of_both("sum_regularizer"), "contrib.slim.regularizers.sum_regularizer")
def sum_regularizer(
    regularizer_list: Sequence[Callable | None], scope: str | None = None
) -> Callable[[Any], Any] | None:
    """A function of weights: the sum of several penalties; None if there are none."""
    regularizers = [regularizer for regularizer in regularizer_list if regularizer is not None]
    if not regularizers:
        return None

    def penalty(weights: Any) -> Any:
        with tf.name_scope(scope, "sum_regularizer", [weights]) as name:
            found = [regularizer(weights) for regularizer in regularizers]
            found = [value for value in found if value is not None]
            return tf.add_n(found, name=name)

    return penalty


@public(*of_both("apply_regularization"), "contrib.slim.regularizers.apply_regularization")
def apply_regularization(regularizer: Callable, weights_list: Sequence[Any] | None = None) -> tf.Tensor:
    """The sum of the penalties on several weights, which joins REGULARIZATION_LOSSES.

    Args:
      regularizer: a function of weights.
      weights_list: the weights; those in the collection WEIGHTS if None.

    Raises:
      ValueError: a penalty is no scalar, or there are no weights.
    """
    weights = weights_list or tf.get_collection(tf.GraphKeys.WEIGHTS)
    if not weights:
        raise ValueError("No weights to regularize.")
    with tf.name_scope("get_regularization_penalty", values=weights) as scope:
        found = [regularizer(weight) for weight in weights]
        penalties = [tf.constant(0.0) if value is None else value for value in found]
        for value in penalties:
            if (rank := value.shape.ndims) != 0:
                raise ValueError(f"regularizer must return a scalar Tensor instead of a Tensor with rank {rank}.")
        total = tf.add_n(penalties, name=scope)
        tf.add_to_collection(tf.GraphKeys.REGULARIZATION_LOSSES, total)
        return total

"""Rows of a batch that are repeated at random, each at its own rate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public
from ossia_optimizers.moving_average import assign_moving_average


def _repeated_range(counts: tf.Tensor, name: str | None = None) -> tf.Tensor:
    """The index of each element of `counts`, as often as the element says."""
    with tf.name_scope(name, "repeat_range") as scope:
        size = tf.shape(counts)[0]
        pieces = tf.TensorArray(tf.int32, size=size, infer_shape=False)

        def repeated(pieces: tf.TensorArray, index: tf.Tensor) -> tuple[tf.TensorArray, tf.Tensor]:
            piece = tf.fill(counts[index:index + 1], index)
            return pieces.write(index, piece), index + 1

        pieces, number = tf.while_loop(lambda _, index: index < size, repeated, [pieces, 0])
        return tf.cond(number > 0, pieces.concat, lambda: tf.zeros([0], tf.int32), name=scope)


@public("contrib.training.resample_at_rate")
def resample_at_rate(
    inputs: Sequence[Any], rates: Any, scope: str | None = None, seed: int | None = None, back_prop: bool = False
) -> list[tf.Tensor]:
    """Repeats rows, how often drawn from a Poisson distribution of each row's rate.

    Args:
      inputs: tensors `[rows, ...]`.
      rates: how often each row comes on average, `[rows]`.
      scope: name scope.
      seed: seed of the draws.
      back_prop: whether gradients go through the choice.

    Returns:
      The tensors with their rows repeated; all have the same.
    """
    with tf.name_scope(scope, "resample_at_rate", list(inputs) + [rates]):
        rates = tf.convert_to_tensor(rates, name="rates")
        counts = tf.cast(tf.random.poisson(rates, (), rates.dtype, seed=seed), tf.int32)
        indices = _repeated_range(counts)
        if not back_prop:
            indices = tf.stop_gradient(indices)
        return [tf.gather(each, indices) for each in inputs]


@public("contrib.training.weighted_resample")
def weighted_resample(
    inputs: Sequence[Any], weights: Any, overall_rate: float, scope: str | None = None, mean_decay: float = 0.999,
    seed: int | None = None,
) -> tuple[list[tf.Tensor], tf.Tensor]:
    """Repeats rows in proportion to their weights, which are measured against their moving average.

    Args:
      inputs: tensors `[rows, ...]`.
      weights: weight of each row, `[rows]`.
      overall_rate: how many rows come, on average, for one.
      scope: name scope.
      mean_decay: decay of the moving average of the weights.
      seed: seed of the draws.

    Returns:
      The tensors with their rows repeated, and the rate of each row that came.
    """
    with tf.name_scope(scope, "weighted_resample", list(inputs) + [weights]) as scope:
        weights = tf.convert_to_tensor(weights, name="weights")
        with tf.variable_scope("estimate_mean"):
            mean = tf.get_variable(
                "estimated_mean", initializer=tf.cast(0, weights.dtype), trainable=False,
                collections=[tf.GraphKeys.LOCAL_VARIABLES],
            )
            mean = assign_moving_average(mean, tf.reduce_mean(weights), mean_decay)
        rates = weights * overall_rate / mean
        results = resample_at_rate([rates, *inputs], rates, scope=scope, seed=seed, back_prop=False)
        return results[1:], results[0]

"""Losses of predictions and labels, element by element."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.losses.weighting import add_loss, both, checked, compute_weighted_loss, present
from ossia_core.plugins.api_table import public


@public(*both("absolute_difference"))
def absolute_difference(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None
) -> tf.Tensor:
    """The absolute difference of predictions and labels, a mean over what has weight.

    Args:
      predictions: floats, `[batch, d1, ..., dn]`.
      labels: the values that they should have, of the same shape.
      weights: a scalar, `[batch]` or of the shape of `predictions`; a weight of 0 leaves an element out.
      scope: name scope.

    Returns:
      A scalar, which joins the losses of the graph.

    Raises:
      ValueError: the shapes do not fit.
    """
    with tf.name_scope(scope, "absolute_difference", [predictions, labels, weights]) as scope:
        predictions, labels = checked(predictions, labels)
        return compute_weighted_loss(tf.abs(tf.subtract(predictions, labels)), weights, scope=scope)


@public(*both("mean_squared_error"))
def mean_squared_error(predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None) -> tf.Tensor:
    """The squared difference of predictions and labels, a mean over what has weight; else as `absolute_difference`."""
    with tf.name_scope(scope, "mean_squared_error", [predictions, labels, weights]) as scope:
        predictions, labels = checked(predictions, labels)
        return compute_weighted_loss(tf.squared_difference(predictions, labels), weights, scope=scope)


@public(*both("log_loss"))
def log_loss(
    predictions: Any, labels: Any = None, weights: Any = 1.0, epsilon: float = 1e-7, scope: str | None = None
) -> tf.Tensor:
    """The log likelihood of labels in 0..1 under predicted probabilities, negated; `epsilon` keeps the logs finite."""
    with tf.name_scope(scope, "log_loss", [predictions, labels, weights]) as scope:
        predictions, labels = checked(predictions, labels)
        losses = -tf.multiply(labels, tf.log(predictions + epsilon)) - tf.multiply(
            (1 - labels), tf.log(1 - predictions + epsilon)
        )
        return compute_weighted_loss(losses, weights, scope=scope)


@public(*both("cosine_distance"))
def cosine_distance(
    predictions: Any, labels: Any = None, axis: int | None = None, weights: Any = 1.0, scope: str | None = None,
    dim: int | None = None,
) -> tf.Tensor:
    """One less the product along `axis` of predictions and labels, which are unit vectors there.

    Args:
      predictions, labels, weights, scope: as for `absolute_difference`.
      axis: the axis of the vectors.
      dim: the older name of `axis`.

    Raises:
      ValueError: no axis is given, or the shapes do not fit.
    """
    if dim is not None:
        if axis is not None:
            raise ValueError("Cannot specify both 'axis' and 'dim'")
        axis = dim
    if axis is None:
        raise ValueError("You must specify 'axis'.")
    with tf.name_scope(scope, "cosine_distance_loss", [predictions, labels, weights]) as scope:
        predictions, labels = checked(predictions, labels)
        radial = tf.multiply(predictions, labels)
        losses = 1 - tf.reduce_sum(radial, axis=[axis])
        return compute_weighted_loss(losses, weights, scope=scope)


@public(*both("hinge_loss"))
def hinge_loss(logits: Any, labels: Any = None, scope: str | None = None) -> tf.Tensor:
    """The hinge loss of each logit, which is not weighted and joins no collection.

    Args:
      logits: floats.
      labels: 0 or 1, of the same shape.
      scope: name scope.

    Returns:
      Losses of the shape of `logits`.

    Raises:
      ValueError: the shapes differ.
    """
    with tf.name_scope(scope, "hinge_loss", [logits, labels]) as scope:
        logits.get_shape().assert_is_compatible_with(labels.get_shape())
        labels = tf.cast(labels, tf.float32)
        ones = tf.ones_like(labels)
        labels = tf.subtract(2 * labels, ones)
        return tf.nn.relu(tf.subtract(ones, tf.multiply(labels, logits)))


@public(*both("mean_pairwise_squared_error"))
def mean_pairwise_squared_error(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None
) -> tf.Tensor:
    """How differences between pairs of elements of one example differ from those of its labels, squared.

    Args:
      predictions: `[batch, d1, ..., dn]`.
      labels: of the same shape.
      weights: a scalar, or `[batch]`.
      scope: name scope.

    Returns:
      A scalar, which joins the losses of the graph.

    Raises:
      ValueError: the shapes do not fit, or `weights` has more than one dimension or an unknown rank.
    """
    with tf.name_scope(scope, "mean_pairwise_squared_error", [predictions, labels, weights]) as scope:
        predictions, labels = checked(predictions, labels)
        weights = tf.cast(tf.convert_to_tensor(weights), tf.float32)
        deltas = tf.subtract(predictions, labels)
        if weights.shape.ndims is None:
            raise ValueError("weights.get_shape().ndims cannot be None")
        axes = list(range(1, deltas.shape.ndims))
        squares = tf.reduce_sum(tf.square(deltas), axis=axes)
        count = present(deltas, weights, per_batch=True)
        first = 2.0 * tf.div_no_nan(squares, count, name="value")
        total = tf.reduce_sum(deltas, axis=axes)
        second = 2.0 * tf.div_no_nan(tf.square(total), tf.square(count), name="value")
        batch = first - second
        reduced = tf.reduce_sum(batch, axis=list(range(weights.shape.ndims, batch.shape.ndims)))
        loss = tf.reduce_sum(tf.multiply(reduced, weights))
        loss = tf.where(tf.reduce_sum(count) > 0, loss, tf.zeros_like(loss), name="value")
        add_loss(loss)
        return loss

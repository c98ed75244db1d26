"""The mean of losses over the elements that have weight, and the collection of losses."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.framework.arg_scope import add_arg_scope
from ossia_core.plugins.api_table import public


def both(name: str) -> tuple[str, str]:
    """The public names of a loss."""
    return f"contrib.losses.{name}", f"contrib.slim.losses.{name}"


def checked(predictions: Any, labels: Any) -> tuple[Any, Any]:
    """Predictions and labels of one shape, as floats.

    Raises:
      ValueError: their shapes differ.
    """
    predictions.get_shape().assert_is_compatible_with(labels.get_shape())
    return tf.cast(predictions, tf.float32), tf.cast(labels, tf.float32)


def _narrowed(losses: Any, weights: Any) -> Any:
    """Weights of a last dimension of one, without it where the losses have as many dimensions."""
    losses_rank, shape = losses.shape.ndims, weights.shape
    if losses_rank is None:
        raise ValueError("losses.get_shape().ndims cannot be None")
    if shape.ndims is None:
        raise ValueError("weights.get_shape().ndims cannot be None")
    if shape.ndims > 1 and shape[-1].is_compatible_with(1):
        return tf.squeeze(weights, [-1])
    return weights


def _scaled_sum(losses: Any, weights: Any) -> Any:
    """The sum of the losses, each with its weight."""
    axes = list(range(weights.shape.ndims, losses.shape.ndims))
    return tf.reduce_sum(tf.multiply(tf.reduce_sum(losses, axis=axes), weights))


def present(losses: Any, weights: Any, per_batch: bool = False) -> Any:
    """How many losses have a weight that is not 0, in all or of each example of the batch."""
    if weights.shape.ndims == 0:
        batch = tf.reshape(tf.slice(tf.shape(losses), [0], [1]), [])
        each = tf.div(tf.cast(tf.size(losses), tf.float32), tf.cast(batch, tf.float32))
        each = tf.where(tf.equal(weights, 0), 0.0, each)
        each = tf.multiply(tf.ones(tf.reshape(batch, [1])), each)
        return each if per_batch else tf.reduce_sum(each)
    nonzero = tf.cast(tf.not_equal(weights, 0), tf.float32)
    found = tf.reduce_sum(nonzero, axis=list(range(1, weights.shape.ndims)))
    shape = tf.slice(tf.shape(losses), [weights.shape.ndims], [-1])
    found = tf.multiply(found, tf.cast(tf.reduce_prod(shape), tf.float32))
    return found if per_batch else tf.reduce_sum(found)


@public(*both("compute_weighted_loss"))
@add_arg_scope
def compute_weighted_loss(losses: Any, weights: Any = 1.0, scope: str | None = None) -> tf.Tensor:
    """The weighted sum of losses, divided by how many have a weight other than 0; it joins the losses of the graph.

    Args:
      losses: `[batch, d1, ..., dn]`.
      weights: a scalar, or `[batch, d1, ..., dk]` with k up to n.
      scope: name scope.

    Returns:
      A scalar of the dtype of `losses`.

    Raises:
      ValueError: the rank of `weights` or of `losses` is not known.
    """
    with tf.name_scope(scope, "weighted_loss", [losses, weights]):
        losses = tf.convert_to_tensor(losses)
        dtype = losses.dtype
        losses = tf.cast(losses, tf.float32)
        weights = tf.cast(tf.convert_to_tensor(weights), tf.float32)
        weights = _narrowed(losses, weights)
        losses.shape[: weights.shape.ndims].assert_is_compatible_with(weights.shape)
        total = _scaled_sum(losses, weights)
        number = present(losses, weights)
        mean = tf.div_no_nan(tf.reduce_sum(total), number, name="value")
        mean = tf.cast(mean, dtype)
        add_loss(mean)
        return mean


@public(*both("add_loss"))
@add_arg_scope
def add_loss(loss: Any, loss_collection: str | None = tf.GraphKeys.LOSSES) -> None:
    """Puts a loss into a collection; nowhere if that is None."""
    if loss_collection:
        tf.add_to_collection(loss_collection, loss)


@public(*both("get_losses"))
def get_losses(scope: str | None = None, loss_collection: str = tf.GraphKeys.LOSSES) -> list[Any]:
    """The losses of a collection, those below a scope if one is given."""
    return tf.get_collection(loss_collection, scope)


@public(*both("get_regularization_losses"))
def get_regularization_losses(scope: str | None = None) -> list[Any]:
    """The losses of regularizers, those below a scope if one is given."""
    return tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES, scope)


@public(*both("get_total_loss"))
def get_total_loss(add_regularization_losses: bool = True, name: str = "total_loss") -> tf.Tensor:
    """The sum of all losses of the graph.

    Args:
      add_regularization_losses: whether those of regularizers count.
      name: name of the result.

    Raises:
      ValueError: there are none.
    """
    losses = get_losses()
    if add_regularization_losses:
        losses += get_regularization_losses()
    return tf.add_n(losses, name=name)

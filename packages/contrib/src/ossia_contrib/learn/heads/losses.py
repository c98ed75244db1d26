"""Losses of heads: each gives the loss that is trained and its average weighted by example."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_nn.weights import broadcast_weights

Losses = tuple[tf.Tensor, tf.Tensor]


def weights_of(features: Any, weight_column_name: str | None) -> Any:
    """The weights among the features as floats, a column of one number each; None without a name.

    Raises:
      ValueError: the features have no such column.
    """
    if not weight_column_name:
        return None
    if weight_column_name not in features:
        raise ValueError(f"Weights {weight_column_name} missing from features.")
    with tf.name_scope(None, "weight_tensor", tuple(features.values())):
        weights = tf.cast(features[weight_column_name], tf.float32)
        shape = weights.shape
        if shape.ndims == 0:
            return weights
        if shape.ndims == 1:
            return tf.reshape(weights, shape=(-1, 1))
        return weights


def weighted(losses: tf.Tensor, weights: Any) -> Losses:
    """The mean of weighted losses, and their sum divided by that of the weights."""
    with tf.name_scope("loss", values=(losses, weights)) as name:
        if weights is None:
            loss = tf.reduce_mean(losses, name=name)
            return loss, loss
        weights = broadcast_weights(weights, losses)
        with tf.name_scope(None, "weighted_loss", (losses, weights)) as inner:
            products = tf.multiply(losses, weights, name=inner)
        mean = tf.reduce_mean(products, name=name)
        return mean, tf.div(tf.reduce_sum(products), tf.cast(tf.reduce_sum(weights), tf.float32),
                            name="weighted_average_loss")


def _column(values: Any) -> Any:
    return tf.expand_dims(values, axis=1) if values.shape.ndims == 1 else values


def mean_squared(labels: Any, logits: Any, weights: Any = None) -> Losses:
    """Squared differences."""
    with tf.name_scope(None, "mean_squared_loss", (logits, labels)) as name:
        logits, labels = _column(tf.convert_to_tensor(logits)), _column(tf.convert_to_tensor(labels))
        logits.shape.assert_is_compatible_with(labels.shape)
        return weighted(tf.squared_difference(logits, tf.cast(labels, tf.float32), name=name), weights)


def poisson(labels: Any, logits: Any, weights: Any = None) -> Losses:
    """Negative logarithms of the likelihood of counts whose rates have these logarithms."""
    with tf.name_scope(None, "_poisson_loss", (logits, labels)) as name:
        logits, labels = _column(tf.convert_to_tensor(logits)), _column(tf.convert_to_tensor(labels))
        logits.shape.assert_is_compatible_with(labels.shape)
        losses = tf.nn.log_poisson_loss(labels, logits, compute_full_loss=True, name=name)
        return weighted(losses, weights)


def two_classes(labels: Any, logits: Any, weights: Any = None) -> Losses:
    """Cross-entropies of single logits."""
    with tf.name_scope(None, "log_loss_with_two_classes", (logits, labels)) as name:
        logits = tf.convert_to_tensor(logits)
        labels = _column(tf.cast(labels, tf.float32))
        losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name=name)
        return weighted(losses, weights)


def classes(labels: Any, logits: Any, weights: Any = None) -> Losses:
    """Cross-entropies of one class of several.

    Raises:
      ValueError: labels are no integers.
    """
    with tf.name_scope(None, "softmax_cross_entropy_loss", (logits, labels)) as name:
        labels = tf.convert_to_tensor(labels)
        if not labels.dtype.is_integer:
            raise ValueError(f"Labels dtype should be integer Instead got {labels.dtype}.")
        squeezed = labels.shape.ndims == 2
        if squeezed:
            labels = tf.squeeze(labels, axis=(1,))
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)
        if squeezed:
            losses = tf.expand_dims(losses, axis=(1,))
        return weighted(losses, weights)


def hinge(labels: Any, logits: Any, weights: Any = None) -> Losses:
    """Hinge losses of single logits."""
    with tf.name_scope(None, "hinge_loss", (logits, labels)) as name:
        message = "labels shape should be either [batch_size, 1] or [batch_size]"
        shaped = tf.Assert(tf.less_equal(tf.rank(labels), 2), (message,))
        with tf.control_dependencies((shaped,)):
            labels = tf.reshape(labels, shape=(-1, 1))
        losses = tf.losses.hinge_loss(labels=labels, logits=logits, scope=name,
                                      reduction=tf.losses.Reduction.NONE)
        return weighted(losses, weights)


def labels_apart(labels: Any, logits: Any, weights: Any = None) -> Losses:
    """Cross-entropies of labels that do not exclude each other."""
    with tf.name_scope(None, "sigmoid_cross_entropy_loss", (logits, labels)) as name:
        losses = tf.nn.sigmoid_cross_entropy_with_logits(
            labels=tf.cast(labels, tf.float32), logits=logits, name=name
        )
        return weighted(losses, weights)

"""Cross entropies of classes, weighted."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.losses.weighting import both, compute_weighted_loss
from ossia_core.plugins.api_table import public


@public(*both("sigmoid_cross_entropy"))
def sigmoid_cross_entropy(
    logits: Any, multi_class_labels: Any, weights: Any = 1.0, label_smoothing: float = 0, scope: str | None = None
) -> tf.Tensor:
    """The cross entropy of classes that do not exclude each other.

    Args:
      logits: `[batch, classes]`.
      multi_class_labels: 0 or 1, of the same shape.
      weights: a scalar, `[batch]` or of the shape of `logits`.
      label_smoothing: how far labels move towards 0.5, from 0 to 1.
      scope: name scope.

    Returns:
      A scalar, which joins the losses of the graph.

    Raises:
      ValueError: the shapes do not fit.
    """
    with tf.name_scope(scope, "sigmoid_cross_entropy_loss", [logits, multi_class_labels, weights]) as scope:
        logits.get_shape().assert_is_compatible_with(multi_class_labels.get_shape())
        multi_class_labels = tf.cast(multi_class_labels, logits.dtype)
        if label_smoothing > 0:
            multi_class_labels = multi_class_labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=multi_class_labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope=scope)


@public(*both("softmax_cross_entropy"))
def softmax_cross_entropy(
    logits: Any, onehot_labels: Any, weights: Any = 1.0, label_smoothing: float = 0, scope: str | None = None
) -> tf.Tensor:
    """The cross entropy of one class of several.

    Args:
      logits: `[batch, classes]`.
      onehot_labels: probabilities of the classes, of the same shape.
      weights: a scalar, or `[batch]`.
      label_smoothing: how far labels move towards the mean of all classes, from 0 to 1.
      scope: name scope.

    Returns:
      A scalar, which joins the losses of the graph.

    Raises:
      ValueError: the shapes do not fit.
    """
    with tf.name_scope(scope, "softmax_cross_entropy_loss", [logits, onehot_labels, weights]) as scope:
        logits.get_shape().assert_is_compatible_with(onehot_labels.get_shape())
        onehot_labels = tf.cast(onehot_labels, logits.dtype)
        if label_smoothing > 0:
            classes = tf.cast(tf.shape(onehot_labels)[1], logits.dtype)
            rest = label_smoothing / classes
            onehot_labels = onehot_labels * (1.0 - label_smoothing) + rest
        losses = tf.nn.softmax_cross_entropy_with_logits_v2(
            labels=tf.stop_gradient(onehot_labels, name="xentropy/labels_stop_gradient"), logits=logits,
            name="xentropy",
        )
        return compute_weighted_loss(losses, weights, scope=scope)


@public(*both("sparse_softmax_cross_entropy"))
def sparse_softmax_cross_entropy(logits: Any, labels: Any, weights: Any = 1.0, scope: str | None = None) -> tf.Tensor:
    """The cross entropy of one class of several, whose labels are indices.

    Args:
      logits: `[batch, classes]`.
      labels: `[batch]` or `[batch, 1]`.
      weights: a scalar, `[batch]` or `[batch, 1]`.
      scope: name scope.

    Returns:
      A scalar, which joins the losses of the graph.

    Raises:
      ValueError: the shapes do not fit.
    """
    with tf.name_scope(scope, "sparse_softmax_cross_entropy_loss", [logits, labels, weights]) as scope:
        labels = tf.reshape(labels, shape=[tf.shape(labels)[0]])
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope=scope)

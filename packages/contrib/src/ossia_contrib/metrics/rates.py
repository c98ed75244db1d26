"""Metrics over batches that `tf.metrics` does not have: rates of errors, recall of the best k, counts."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.metrics.names import both
from ossia_core.plugins.api_table import public
from ossia_nn.metrics.accumulation import Pair, aligned, collected, metric_variable
from ossia_nn.weights import broadcast_weights


@public(*both("accuracy"))
def accuracy(predictions: Any, labels: Any, weights: Any = None, name: str | None = None) -> tf.Tensor:
    """The part of the predictions that equals the labels, of this batch alone.

    Args:
      predictions: ints, bools or strings.
      labels: of the same shape and dtype.
      weights: weights of the elements, or None.
      name: name scope.

    Returns:
      A scalar.

    Raises:
      ValueError: the dtypes differ, or are others.
    """
    if not (labels.dtype.is_integer or labels.dtype in (tf.bool, tf.string)):
        raise ValueError(f"Labels should have bool, string, or integer dtype, but received {labels.dtype}")
    if not labels.dtype.is_compatible_with(predictions.dtype):
        raise ValueError(f"Dtypes of predictions and labels should match. Given: {predictions.dtype} {labels.dtype}")
    with tf.name_scope(name, "accuracy", values=[predictions, labels]):
        correct = tf.cast(tf.equal(predictions, labels), tf.float32)
        if weights is not None:
            correct = tf.multiply(correct, weights)
            number = tf.multiply(weights, tf.ones_like(correct))
            return tf.div(tf.reduce_sum(correct), tf.reduce_sum(number))
        return tf.reduce_mean(correct)


@public(*both("streaming_recall_at_k"))
def streaming_recall_at_k(
    predictions: Any, labels: Any, k: int, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Pair:
    """How often the label of an example is among its `k` best predictions.

    Args:
      predictions: floats `[batch, classes]`.
      labels: class indices `[batch]`.
      k: how many count.
      weights, metrics_collections, updates_collections, name: as for `tf.metrics.mean`.

    Returns:
      The value, and the op that takes a batch in.
    """
    found = tf.cast(tf.nn.in_top_k(predictions, labels, k), tf.float32)
    return tf.metrics.mean(found, weights, metrics_collections, updates_collections, name or f"recall_at_{k}")


def _rate(
    default_name: str, wrong: Any, right: Any, predictions: Any, labels: Any, weights: Any, metrics_collections: Any,
    updates_collections: Any, name: str | None,
) -> Pair:
    with tf.variable_scope(name, default_name, (predictions, labels, weights)):
        predictions, labels, weights = aligned(
            tf.cast(predictions, tf.bool), tf.cast(labels, tf.bool), weights
        )
        bad, bad_update = wrong(labels, predictions, weights)
        good, good_update = right(labels, predictions, weights)

        def rate(bad: Any, good: Any, name: str) -> Any:
            return tf.where(tf.greater(bad + good, 0), tf.div(bad, bad + good), 0, name)

        value = rate(bad, good, "value")
        update = rate(bad_update, good_update, "update_op")
        return collected(value, metrics_collections), collected(update, updates_collections)


@public(*both("streaming_false_positive_rate"))
def streaming_false_positive_rate(
    predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Pair:
    """The part of the negatives that is taken for positive.

    Args:
      predictions, labels: of one shape, taken as bools.
      weights, metrics_collections, updates_collections, name: as for `tf.metrics.mean`.

    Returns:
      The value, and the op that takes a batch in.
    """
    return _rate(
        "false_positive_rate", tf.metrics.false_positives, tf.metrics.true_negatives, predictions, labels, weights,
        metrics_collections, updates_collections, name,
    )


@public(*both("streaming_false_negative_rate"))
def streaming_false_negative_rate(
    predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Pair:
    """The part of the positives that is taken for negative; arguments as for `streaming_false_positive_rate`."""
    return _rate(
        "false_negative_rate", tf.metrics.false_negatives, tf.metrics.true_positives, predictions, labels, weights,
        metrics_collections, updates_collections, name,
    )


@public(*both("count"))
def count(
    values: Any, weights: Any = None, metrics_collections: Any = None, updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """How many values there were, or the sum of their weights.

    Args:
      values: any tensor.
      weights, metrics_collections, updates_collections, name: as for `tf.metrics.mean`.

    Returns:
      The number, and the op that takes a batch in.
    """
    with tf.variable_scope(name, "count", (values, weights)):
        total = metric_variable([], tf.float32, name="count")
        if weights is None:
            number = tf.cast(tf.size(values), tf.float32)
        else:
            values = tf.cast(values, tf.float32)
            values, _, weights = aligned(values, None, weights)
            number = tf.reduce_sum(broadcast_weights(tf.cast(weights, tf.float32), values))
        with tf.control_dependencies([values]):
            update = tf.assign_add(total, number)
        return collected(tf.identity(total), metrics_collections), collected(update, updates_collections)

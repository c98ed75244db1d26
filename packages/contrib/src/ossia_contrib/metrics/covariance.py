"""The covariance and the correlation of predictions and labels over batches."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.metrics.names import both
from ossia_core.plugins.api_table import public
from ossia_nn.metrics.accumulation import Pair, aligned, collected, metric_variable
from ossia_nn.weights import broadcast_weights


@public(*both("streaming_covariance"))
def streaming_covariance(
    predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Pair:
    """The unbiased covariance of predictions and labels, updated batch by batch (Chan et al. 1979).

    Args:
      predictions, labels: floats of one shape.
      weights: how often each element counts, or None.
      metrics_collections, updates_collections, name: as for `tf.metrics.mean`.

    Returns:
      The value, NaN up to a count of 1, and the op that takes a batch in.
    """
    with tf.variable_scope(name, "covariance", (predictions, labels, weights)):
        predictions, labels, weights = aligned(predictions, labels, weights)
        predictions.shape.assert_is_compatible_with(labels.shape)
        count = metric_variable([], tf.float32, name="count")
        mean_prediction = metric_variable([], tf.float32, name="mean_prediction")
        mean_label = metric_variable([], tf.float32, name="mean_label")
        comoment = metric_variable([], tf.float32, name="comoment")
        if weights is None:
            batch = tf.cast(tf.size(labels), tf.float32)
            weighted_predictions, weighted_labels = predictions, labels
        else:
            weights = broadcast_weights(weights, labels)
            batch = tf.reduce_sum(weights)
            weighted_predictions = tf.multiply(predictions, weights)
            weighted_labels = tf.multiply(labels, weights)
        new_count = tf.assign_add(count, batch)
        old_count = new_count - batch

        def moved(mean: Any, weighted: Any) -> tuple[Any, Any]:
            """The mean of the batch, and that of all before it."""
            of_batch = tf.div_no_nan(tf.reduce_sum(weighted), batch)
            delta = tf.div_no_nan((of_batch - mean) * batch, new_count)
            return of_batch, tf.assign_add(mean, delta) - delta

        batch_prediction, old_prediction = moved(mean_prediction, weighted_predictions)
        batch_label, old_label = moved(mean_label, weighted_labels)
        products = (predictions - batch_prediction) * (labels - batch_label)
        if weights is not None:
            products = products * weights
        delta = tf.reduce_sum(products) + (old_prediction - batch_prediction) * (old_label - batch_label) * (
            old_count * batch / new_count
        )
        new_comoment = tf.assign_add(comoment, delta)
        covariance = tf.where(tf.less_equal(count, 1.0), float("nan"), tf.truediv(comoment, count - 1), "covariance")
        with tf.control_dependencies([new_comoment]):
            update = tf.where(tf.less_equal(count, 1.0), float("nan"), tf.truediv(comoment, count - 1), "update_op")
        return collected(covariance, metrics_collections), collected(update, updates_collections)


@public(*both("streaming_pearson_correlation"))
def streaming_pearson_correlation(
    predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Pair:
    """The correlation coefficient of predictions and labels; arguments as for `streaming_covariance`."""
    with tf.variable_scope(name, "pearson_r", (predictions, labels, weights)):
        predictions, labels, weights = aligned(predictions, labels, weights)
        predictions.shape.assert_is_compatible_with(labels.shape)
        if weights is not None:
            weights = broadcast_weights(weights, labels)
        both_, both_update = streaming_covariance(predictions, labels, weights=weights, name="covariance")
        first, first_update = streaming_covariance(
            predictions, predictions, weights=weights, name="variance_predictions"
        )
        second, second_update = streaming_covariance(labels, labels, weights=weights, name="variance_labels")
        value = tf.truediv(both_, tf.multiply(tf.sqrt(first), tf.sqrt(second)), name="pearson_r")
        update = tf.truediv(
            both_update, tf.multiply(tf.sqrt(first_update), tf.sqrt(second_update)), name="update_op"
        )
        return collected(value, metrics_collections), collected(update, updates_collections)

"""Metrics that heads compute in evaluations, and their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public
from ossia_nn.weights import broadcast_weights


@public("contrib.learn.head.mkey")
class MetricKey:
    """Names of the metrics of heads."""

    LOSS = "loss"
    AUC = "auc"
    AUC_PR = "auc_precision_recall"
    CLASS_AUC = "auc/class%d"
    CLASS_AUC_PR = "auc_precision_recall/class%d"
    PREDICTION_MEAN = "labels/prediction_mean"
    CLASS_PREDICTION_MEAN = "labels/prediction_mean/class%d"
    CLASS_LOGITS_MEAN = "labels/logits_mean/class%d"
    CLASS_PROBABILITY_MEAN = "labels/probability_mean/class%d"
    LABEL_MEAN = "labels/actual_label_mean"
    CLASS_LABEL_MEAN = "labels/actual_label_mean/class%d"
    ACCURACY = "accuracy"
    ACCURACY_BASELINE = "accuracy/baseline_label_mean"
    ACCURACY_MEAN = "accuracy/threshold_%f_mean"
    PRECISION_MEAN = "precision/positive_threshold_%f_mean"
    RECALL_MEAN = "recall/positive_threshold_%f_mean"


def of_head(head_name: str | None, key: str) -> str:
    """The name of a metric with that of its head."""
    return f"{key}/{head_name}" if head_name else key


def mean(values: Any, weights: Any = None) -> Any:
    """The weighted mean of values."""
    if weights is not None:
        weights = broadcast_weights(tf.cast(weights, tf.float32), values)
    return tf.metrics.mean(values, weights=weights)


def column_mean(values: Any, weights: Any = None, class_id: int | None = None) -> Any:
    """The mean of values, or of one column of them."""
    values = tf.cast(values, tf.float32)
    if weights is not None:
        weights = broadcast_weights(tf.cast(weights, tf.float32), values)
    if class_id is not None:
        if weights is not None:
            weights = weights[:, class_id]
        values = values[:, class_id]
    return tf.metrics.mean(values, weights)


def class_mean(ids: Any, weights: Any, class_id: int) -> Any:
    """How often class ids are this one."""
    chosen = tf.where(
        tf.equal(tf.cast(class_id, tf.int32), tf.cast(ids, tf.int32)), tf.ones_like(ids), tf.zeros_like(ids)
    )
    return tf.metrics.mean(chosen, weights)


def auc(predictions: Any, labels: Any, weights: Any = None, class_id: int | None = None, curve: str = "ROC") -> Any:
    """The area under a curve, of all predictions or of one column of them."""
    predictions = tf.cast(predictions, tf.float32)
    if labels.dtype.base_dtype != tf.bool:
        labels = tf.cast(labels, tf.bool)
    if weights is not None:
        weights = broadcast_weights(tf.cast(weights, tf.float32), predictions)
    if class_id is not None:
        if weights is not None:
            weights = weights[:, class_id]
        predictions, labels = predictions[:, class_id], labels[:, class_id]
    return tf.metrics.auc(labels, predictions, weights, curve=curve)


def at_thresholds(
    predictions: Any, labels: Any, weights: Any, thresholds: Iterable[float], head_name: str | None
) -> dict[str, Any]:
    """Accuracy, precision and recall of probabilities that are cut at thresholds, by name."""
    found = {}
    for threshold in thresholds:
        rounded = tf.cast(tf.greater_equal(predictions, threshold), tf.float32)
        found[of_head(head_name, MetricKey.ACCURACY_MEAN % threshold)] = tf.metrics.accuracy(labels, rounded, weights)
        for key, metric in (
            (MetricKey.PRECISION_MEAN, tf.metrics.precision_at_thresholds),
            (MetricKey.RECALL_MEAN, tf.metrics.recall_at_thresholds),
        ):
            found[of_head(head_name, key % threshold)] = _at(metric, predictions, labels, weights, threshold)
    return found


def _at(metric: Callable, predictions: Any, labels: Any, weights: Any, threshold: float) -> Any:
    value, update = metric(labels, predictions=predictions, thresholds=(threshold,), weights=weights)
    return tf.squeeze(value), tf.squeeze(update)

"""Metrics of binary labels."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_estimator.heads.keys import MetricKeys
from ossia_nn.metrics import means, thresholds
from ossia_nn.weights import broadcast_weights
from ossia_ops.array.shape import squeeze
from ossia_ops.math.arithmetic import maximum
from ossia_ops.math.cast import to_float
from ossia_ops.math.comparison import greater_equal

Metric = tuple[Any, Any]


def mean_of_labels(labels: Tensor, weights: Any = None, name: str | None = None) -> Metric:
    """The mean of labels that are 0 or 1."""
    with name_scope(name, "labels_mean", (labels, weights)) as scope:
        labels = to_float(labels, name="labels")
        if weights is not None:
            weights = broadcast_weights(weights, labels)
        return means.mean(labels, weights=weights, name=scope)


def mean_of_predictions(predictions: Tensor, weights: Any = None, name: str | None = None) -> Metric:
    """The mean of predictions."""
    with name_scope(name, "predictions_mean", (predictions, weights)) as scope:
        predictions = to_float(predictions, name="predictions")
        if weights is not None:
            weights = broadcast_weights(weights, predictions)
        return means.mean(predictions, weights=weights, name=scope)


def accuracy_of_the_commoner(labels_mean: Metric) -> Metric:
    """The accuracy of predicting the commoner class for all."""
    with name_scope(None, "accuracy_baseline", labels_mean):
        value, update = labels_mean
        return (
            maximum(value, 1.0 - value, name="value"),
            maximum(update, 1.0 - update, name="update_op"),
        )


def area_under_curve(
    labels: Tensor, predictions: Tensor, weights: Any = None, curve: str = "ROC", name: str | None = None
) -> Metric:
    """The area under a curve of predictions."""
    with name_scope(name, "auc", (predictions, labels)) as scope:
        predictions = to_float(predictions, name="predictions")
        if weights is not None:
            weights = broadcast_weights(weights, predictions)
        return thresholds.auc(labels=labels, predictions=predictions, weights=weights, curve=curve, name=scope)


def accuracy_at(labels: Tensor, predictions: Tensor, weights: Any, threshold: float, name: str | None = None) -> Metric:
    """The accuracy where what reaches a threshold counts as 1."""
    with name_scope(name, f"accuracy_at_{threshold}", (predictions, labels, weights)) as scope:
        above = to_float(greater_equal(predictions, threshold))
        return means.accuracy(labels=labels, predictions=above, weights=weights, name=scope)


def precision_at(
    labels: Tensor, predictions: Tensor, weights: Any, threshold: float, name: str | None = None
) -> Metric:
    """The precision where what exceeds a threshold counts as 1."""
    with name_scope(name, f"precision_at_{threshold}", (predictions, labels, weights)) as scope:
        value, update = thresholds.precision_at_thresholds(
            labels=labels, predictions=predictions, thresholds=(threshold,), weights=weights, name=scope
        )
        return squeeze(value), squeeze(update)


def recall_at(labels: Tensor, predictions: Tensor, weights: Any, threshold: float, name: str | None = None) -> Metric:
    """The recall where what exceeds a threshold counts as 1."""
    with name_scope(name, f"recall_at_{threshold}", (predictions, labels, weights)) as scope:
        value, update = thresholds.recall_at_thresholds(
            labels=labels, predictions=predictions, thresholds=(threshold,), weights=weights, name=scope
        )
        return squeeze(value), squeeze(update)


def at_thresholds(labels: Tensor, predictions: Tensor, weights: Any, limits: Sequence[float]) -> dict[str, Metric]:
    """Accuracy, precision and recall at each threshold, by the keys of the metrics."""
    return {
        pattern % limit: measure(labels, predictions, weights, limit, pattern % limit)
        for limit in limits
        for pattern, measure in (
            (MetricKeys.ACCURACY_AT_THRESHOLD, accuracy_at),
            (MetricKeys.PRECISION_AT_THRESHOLD, precision_at),
            (MetricKeys.RECALL_AT_THRESHOLD, recall_at),
        )
    }

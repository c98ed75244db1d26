"""Points on the curves that precision, recall and false positive rate make over the thresholds."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.metrics import thresholds as unchecked
from ossia_contrib.metrics.names import both
from ossia_core.plugins.api_table import public
from ossia_nn.metrics.accumulation import Pair, aligned, collected, metric_variable
from ossia_nn.metrics.thresholds import decision_counts, even_thresholds

_EPSILON = 1e-7

PrecisionRecallData = collections.namedtuple(
    "PrecisionRecallData", ["tp", "fp", "tn", "fn", "precision", "recall", "thresholds"]
)


def _at_best_threshold(
    default_name: str, compute: Callable, labels: Any, predictions: Any, weights: Any,
    num_thresholds: int, metrics_collections: Any, updates_collections: Any, name: str | None,
) -> Pair:
    with tf.variable_scope(name, default_name, (labels, predictions, weights)):
        values, updates = _all_counts(labels, predictions, even_thresholds(num_thresholds, 1.0 + _EPSILON), weights)
        value, update = compute(*values, "value"), compute(*updates, "update_op")
        return collected(value, metrics_collections), collected(update, updates_collections)


def _all_counts(labels: Any, predictions: Any, thresholds: list[float], weights: Any) -> tuple[list[Any], list[Any]]:
    counts = unchecked.decision_counts(predictions, labels, thresholds, weights, unchecked.KINDS)
    return [counts[kind][0] for kind in unchecked.KINDS], [counts[kind][1] for kind in unchecked.KINDS]


@public(*both("f1_score"))
def f1_score(
    labels: Any, predictions: Any, weights: Any = None, num_thresholds: int = 200, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Pair:
    """The largest harmonic mean of precision and recall over the thresholds.

    Args:
      labels: bools, or numbers taken as such.
      predictions: floats in `[0, 1]`, of the same shape.
      weights: how often each element counts, or None.
      num_thresholds: how many thresholds are tried.
      metrics_collections, updates_collections, name: as for `tf.metrics.mean`.

    Returns:
      The score, and the op that takes a batch in.
    """
    def compute(counts: dict[str, Any], kind: str) -> tf.Tensor:
        tp, fn, fp = counts["tp"], counts["fn"], counts["fp"]
        precision = tf.div(tp, _EPSILON + tp + fp, name=f"precision_{kind}")
        recall = tf.div(tp, _EPSILON + tp + fn, name=f"recall_{kind}")
        return tf.reduce_max(2.0 * precision * recall / (precision + recall + _EPSILON))

    with tf.variable_scope(name, "f1", (labels, predictions, weights)):
        thresholds = even_thresholds(num_thresholds, 1.0 + _EPSILON)
        values, updates = decision_counts(labels, predictions, thresholds, weights, ("tp", "fp", "fn"))
        value, update = compute(values, "value"), compute(updates, "update")
        return collected(value, metrics_collections), collected(update, updates_collections)


@public(*both("precision_at_recall"))
def precision_at_recall(
    labels: Any, predictions: Any, target_recall: float, weights: Any = None, num_thresholds: int = 200,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> Pair:
    """The precision at the highest threshold that has the recall wanted.

    Args:
      labels, predictions, weights, num_thresholds: as for `f1_score`.
      target_recall: a number in `[0, 1]`.
      metrics_collections, updates_collections, name: as for `tf.metrics.mean`.

    Returns:
      The precision, and the op that takes a batch in.

    Raises:
      ValueError: the recall is outside of `[0, 1]`.
    """
    if target_recall < 0 or target_recall > 1:
        raise ValueError("`target_recall` must be in the range [0, 1].")

    def compute(tp: Any, fn: Any, tn: Any, fp: Any, name: str) -> tf.Tensor:
        recalls = tf.div(tp, tp + fn + _EPSILON)
        index = tf.reduce_sum(tf.cast(tf.greater_equal(recalls, target_recall), tf.int64)) - 1
        return tf.div(tp[index] + _EPSILON, tp[index] + fp[index] + _EPSILON, name)

    return _at_best_threshold(
        "precision_at_recall", compute, labels, predictions, weights, num_thresholds, metrics_collections,
        updates_collections, name,
    )


@public(*both("recall_at_precision"))
def recall_at_precision(
    labels: Any, predictions: Any, precision: float, weights: Any = None, num_thresholds: int = 200,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
    strict_mode: bool = False,
) -> Pair:
    """The recall at the threshold whose precision is closest to the one wanted.

    Args:
      labels, predictions, weights, num_thresholds: as for `f1_score`.
      precision: a number in `[0, 1]`.
      metrics_collections, updates_collections, name: as for `tf.metrics.mean`.
      strict_mode: whether the precision must be reached; without such a threshold the recall is 0.

    Returns:
      The recall, and the op that takes a batch in.

    Raises:
      ValueError: the precision is outside of `[0, 1]`.
    """
    if not 0 <= precision <= 1:
        raise ValueError("`precision` must be in the range [0, 1].")

    def compute(tp: Any, fn: Any, tn: Any, fp: Any, name: str) -> tf.Tensor:
        precisions = tf.div(tp, tp + fp + _EPSILON)
        if not strict_mode:
            index = tf.argmin(tf.abs(precisions - precision), 0, output_type=tf.int32)
            return tf.div(tp[index], tp[index] + fn[index] + _EPSILON, name)
        index = tf.argmax(tf.div(1.0, precisions - precision + _EPSILON), 0, output_type=tf.int32)
        return tf.cond(
            precisions[index] >= precision,
            lambda: tf.div(tp[index], tp[index] + fn[index] + _EPSILON, name),
            lambda: 0.0,
        )

    return _at_best_threshold(
        "recall_at_precision", compute, labels, predictions, weights, num_thresholds, metrics_collections,
        updates_collections, name,
    )


@public(*both("streaming_curve_points"))
def streaming_curve_points(
    labels: Any = None, predictions: Any = None, weights: Any = None, num_thresholds: int = 200,
    metrics_collections: Any = None, updates_collections: Any = None, curve: str = "ROC", name: str | None = None,
) -> Pair:
    """Points of the ROC curve, or of that of precision over recall.

    Args:
      labels, predictions, weights, num_thresholds: as for `f1_score`.
      metrics_collections, updates_collections, name: as for `tf.metrics.mean`.
      curve: `ROC` or `PR`.

    Returns:
      Points `[thresholds, 2]`, and the op that takes a batch in.

    Raises:
      ValueError: an unknown curve.
    """
    with tf.variable_scope(name, "curve_points", (labels, predictions, weights)):
        if curve not in ("ROC", "PR"):
            raise ValueError(f"curve must be either ROC or PR, {curve} unknown")
        epsilon = 1e-6
        thresholds = even_thresholds(num_thresholds, 1.0 + _EPSILON)
        (tp, fn, tn, fp), updates = _all_counts(labels, predictions, thresholds, weights)
        recall = tf.div(tp + epsilon, tp + fn + epsilon)
        if curve == "ROC":
            points = tf.stack([tf.div(fp, fp + tn + epsilon), recall], axis=1)
        else:
            points = tf.stack([recall, tf.div(tp + epsilon, tp + fp + epsilon)], axis=1)
        update = tf.group(*updates)
        return collected(points, metrics_collections), collected(update, updates_collections)


@public(*both("precision_recall_at_equal_thresholds"))
def precision_recall_at_equal_thresholds(
    labels: Any, predictions: Any, weights: Any = None, num_thresholds: int | None = None,
    use_locking: bool | None = None, name: str | None = None,
) -> tuple[PrecisionRecallData, tf.Operation]:
    """Counts, precision and recall at thresholds `i / (num_thresholds - 1)`, in time that does not grow with these.

    Args:
      labels: bools.
      predictions: floats in `[0, 1]`, of the same shape.
      weights: how often each element counts, or None.
      num_thresholds: how many thresholds, 201 by default.
      use_locking: whether counts are changed under a lock, as they are by default.
      name: of the variable scope.

    Returns:
      Tensors `[thresholds]`: `tp`, `fp`, `tn`, `fn`, `precision`, `recall`, `thresholds`; and the op that takes a
      batch in.

    Raises:
      ValueError: the shapes do not fit each other.
    """
    tf.assert_type(labels, tf.bool)
    use_locking = use_locking is not False
    number = 201 if num_thresholds is None else num_thresholds
    with tf.variable_scope(name, "precision_recall_at_equal_thresholds", (labels, predictions, weights)):
        message = "predictions must be in [0, 1]"
        with tf.control_dependencies([
            tf.assert_greater_equal(predictions, tf.cast(0.0, dtype=predictions.dtype), message=message),
            tf.assert_less_equal(predictions, tf.cast(1.0, dtype=predictions.dtype), message=message),
        ]):
            predictions, labels, weights = aligned(predictions, labels, weights)
            if weights is None:
                weights = tf.constant(1.0)
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
        is_true = tf.cast(labels, tf.float64)
        weights = tf.cast(weights, tf.float64)
        positive, negative = is_true * weights, (1.0 - is_true) * weights
        scores = tf.reshape(predictions, [-1])
        positive, negative = tf.reshape(positive, [-1]), tf.reshape(negative, [-1])
        buckets = tf.cast(tf.floor(scores * (number - 1)), tf.int32)
        with tf.name_scope("variables"):
            of_positives = metric_variable([number], tf.float64, name="tp_buckets")
            of_negatives = metric_variable([number], tf.float64, name="fp_buckets")
        with tf.name_scope("update_op"):
            update_positives = tf.scatter_add(of_positives, buckets, positive, use_locking=use_locking)
            update_negatives = tf.scatter_add(of_negatives, buckets, negative, use_locking=use_locking)
        tp = tf.cumsum(of_positives, reverse=True, name="tp")
        fp = tf.cumsum(of_negatives, reverse=True, name="fp")
        tn, fn = fp[0] - fp, tp[0] - tp
        least = tf.constant(_EPSILON, dtype=tf.float64)
        precision, recall = tp / tf.maximum(least, tp + fp), tp / tf.maximum(least, tp + fn)
        result = [tf.cast(each, predictions.dtype) for each in (tp, fp, tn, fn, precision, recall)]
        result.append(tf.lin_space(0.0, 1.0, number))
        return PrecisionRecallData(*result), tf.group(update_positives, update_negatives)

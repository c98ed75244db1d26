"""Counts and rates of decisions at several thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ossia as tf
from ossia_contrib.metrics.names import both
from ossia_core.plugins.api_table import public
from ossia_nn.metrics.accumulation import Pair, aligned, collected, metric_variable
from ossia_nn.weights import broadcast_weights

KINDS = ("true_positives", "false_negatives", "true_negatives", "false_positives")


def decision_counts(
    predictions: Any, labels: Any, thresholds: Sequence[float], weights: Any, wanted: tuple[str, ...]
) -> dict[str, Pair]:
    """Of each kind of decision the counts `[thresholds]`, and the op that takes a batch in."""
    predictions, labels, weights = aligned(predictions, labels, weights)
    predictions.shape.assert_is_compatible_with(labels.shape)
    number = len(thresholds)
    column = tf.reshape(predictions, [-1, 1])
    row = tf.reshape(tf.cast(labels, dtype=tf.bool), [1, -1])
    size = column.shape.as_list()[0]
    if size is None:
        size = tf.shape(column)[0]
    limits = tf.tile(tf.expand_dims(tf.constant(thresholds), [1]), tf.stack([1, size]))
    positive = tf.greater(tf.tile(tf.transpose(column), [number, 1]), limits)
    negative = tf.logical_not(positive) if {"true_negatives", "false_negatives"} & set(wanted) else None
    true = tf.tile(row, [number, 1])
    false = tf.logical_not(true) if {"true_negatives", "false_positives"} & set(wanted) else None
    spread = None
    if weights is not None:
        weights = broadcast_weights(tf.cast(weights, dtype=tf.float32), predictions)
        spread = tf.tile(tf.reshape(weights, [1, -1]), [number, 1])
    parts = {"true_positives": (true, positive), "false_negatives": (true, negative),
             "true_negatives": (false, negative), "false_positives": (false, positive)}
    found = {}
    for kind in KINDS:
        if kind in wanted:
            variable = metric_variable([number], tf.float32, name=kind)
            hits = tf.cast(tf.logical_and(*parts[kind]), dtype=tf.float32)
            if spread is not None:
                hits *= spread
            found[kind] = variable.value(), tf.assign_add(variable, tf.reduce_sum(hits, 1))
    return found


@public(*both("streaming_true_positives_at_thresholds"))
def streaming_true_positives_at_thresholds(
    predictions: Any, labels: Any, thresholds: Sequence[float], weights: Any = None
) -> Pair:
    """How many positives are found, by the threshold above which a prediction counts as positive.

    Args:
      predictions: floats.
      labels: of the same shape, taken as bools.
      thresholds: the thresholds.
      weights: how often each element counts, or None.

    Returns:
      The counts, one for each threshold, and the op that takes a batch in.
    """
    return decision_counts(predictions, labels, thresholds, weights, ("true_positives",))["true_positives"]


@public(*both("streaming_false_negatives_at_thresholds"))
def streaming_false_negatives_at_thresholds(
    predictions: Any, labels: Any, thresholds: Sequence[float], weights: Any = None
) -> Pair:
    """How many positives are missed; arguments as for `streaming_true_positives_at_thresholds`."""
    return decision_counts(predictions, labels, thresholds, weights, ("false_negatives",))["false_negatives"]


@public(*both("streaming_true_negatives_at_thresholds"))
def streaming_true_negatives_at_thresholds(
    predictions: Any, labels: Any, thresholds: Sequence[float], weights: Any = None
) -> Pair:
    """How many negatives are seen as such; arguments as for `streaming_true_positives_at_thresholds`."""
    return decision_counts(predictions, labels, thresholds, weights, ("true_negatives",))["true_negatives"]


@public(*both("streaming_false_positives_at_thresholds"))
def streaming_false_positives_at_thresholds(
    predictions: Any, labels: Any, thresholds: Sequence[float], weights: Any = None
) -> Pair:
    """How many negatives pass for positive; arguments as for `streaming_true_positives_at_thresholds`."""
    return decision_counts(predictions, labels, thresholds, weights, ("false_positives",))["false_positives"]


def _rate(
    wrong: str, right: str, short: str, predictions: Any, labels: Any, thresholds: Sequence[float], weights: Any,
    metrics_collections: Any, updates_collections: Any, name: str | None,
) -> Pair:
    with tf.variable_scope(name, f"{wrong[:-1]}_rate_at_thresholds", (predictions, labels, weights)):
        counts = decision_counts(predictions, labels, thresholds, weights, (wrong, right))
        (bad, bad_update), (good, good_update) = counts[wrong], counts[right]
        value = tf.div(bad, 1e-7 + bad + good, name=f"{short}_value")
        update = tf.div(bad_update, 1e-7 + bad_update + good_update, name=f"{short}_update_op")
        return collected(value, metrics_collections), collected(update, updates_collections)


@public(*both("streaming_false_positive_rate_at_thresholds"))
def streaming_false_positive_rate_at_thresholds(
    predictions: Any, labels: Any, thresholds: Sequence[float], weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Pair:
    """The part of the negatives that passes for positive, by threshold.

    Args:
      predictions, labels, thresholds, weights: as for `streaming_true_positives_at_thresholds`.
      metrics_collections, updates_collections, name: as for `tf.metrics.mean`.

    Returns:
      The rates, one for each threshold, and the op that takes a batch in.
    """
    return _rate(
        "false_positives", "true_negatives", "fpr", predictions, labels, thresholds, weights, metrics_collections,
        updates_collections, name,
    )


@public(*both("streaming_false_negative_rate_at_thresholds"))
def streaming_false_negative_rate_at_thresholds(
    predictions: Any, labels: Any, thresholds: Sequence[float], weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Pair:
    """The part of the positives that is missed, by threshold; as `streaming_false_positive_rate_at_thresholds`."""
    return _rate(
        "false_negatives", "true_positives", "fnr", predictions, labels, thresholds, weights, metrics_collections,
        updates_collections, name,
    )

"""Counts of right and wrong decisions, and precision and recall made of them."""

from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.variables.assignment import assign_add
from ossia_core.variables.variable_scope import variable_scope
from ossia_nn.metrics.accumulation import Pair, aligned_truth, collected, metric_variable
from ossia_ops.array.selection import where
from ossia_ops.array.shape import rank
from ossia_ops.math.arithmetic import multiply
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import equal, greater
from ossia_ops.math.division import div
from ossia_ops.math.logical import logical_and
from ossia_ops.math.reduction import reduce_sum


def _count(values: Tensor, weights: Any, metrics_collections: Any, updates_collections: Any) -> Pair:
    """How many of the booleans were True, weighted."""
    builder("debugging.assert_type")(values, dtypes.bool)
    count = metric_variable([], dtypes.float32, name="count")
    values = cast(values, dtypes.float32)
    if weights is not None:
        with control_dependencies((builder("debugging.assert_rank_in")(weights, (0, rank(values))),)):
            weights = cast(weights, dtypes.float32)
            values = multiply(values, weights)
    result = collected(builder("identity")(count), metrics_collections)
    return result, collected(assign_add(count, reduce_sum(values)), updates_collections)


def _decisions(
    name: str | None,
    default: str,
    label: bool,
    prediction: bool,
    labels: Any,
    predictions: Any,
    weights: Any,
    metrics_collections: Any,
    updates_collections: Any,
) -> Pair:
    with variable_scope(name, default, (predictions, labels, weights)):
        predictions, labels, weights = aligned_truth(predictions, labels, weights)
        chosen = logical_and(equal(labels, label), equal(predictions, prediction))
        return _count(chosen, weights, metrics_collections, updates_collections)


@public("metrics.true_positives")
def true_positives(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """How many were rightly taken for positive.

    Args:
      labels, predictions: tensors of one shape, taken as booleans.
      weights: numbers of their rank, or one number.
      metrics_collections, updates_collections: names of collections that result and update join.
      name: name of the variable scope.

    Returns:
      A pair: the count so far, and an op that takes in a batch and gives the count after.
    """
    return _decisions(
        name, "true_positives", True, True, labels, predictions, weights, metrics_collections, updates_collections
    )


@public("metrics.true_negatives")
def true_negatives(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """How many were rightly taken for negative; arguments and results as for `true_positives`."""
    return _decisions(
        name, "true_negatives", False, False, labels, predictions, weights, metrics_collections, updates_collections
    )


@public("metrics.false_positives")
def false_positives(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """How many were wrongly taken for positive; arguments and results as for `true_positives`."""
    return _decisions(
        name, "false_positives", False, True, labels, predictions, weights, metrics_collections, updates_collections
    )


@public("metrics.false_negatives")
def false_negatives(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """How many were wrongly taken for negative; arguments and results as for `true_positives`."""
    return _decisions(
        name, "false_negatives", True, False, labels, predictions, weights, metrics_collections, updates_collections
    )


def _part(hits: Any, misses: Any, name: str) -> Tensor:
    return where(greater(hits + misses, 0), div(hits, hits + misses), 0, name)


@public("metrics.precision")
def precision(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The part of what was taken for positive that is; arguments and results as for `true_positives`."""
    with variable_scope(name, "precision", (predictions, labels, weights)):
        predictions, labels, weights = aligned_truth(predictions, labels, weights)
        hits, update_hits = true_positives(labels, predictions, weights)
        misses, update_misses = false_positives(labels, predictions, weights)
        result = collected(_part(hits, misses, "value"), metrics_collections)
        return result, collected(_part(update_hits, update_misses, "update_op"), updates_collections)


@public("metrics.recall")
def recall(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The part of the positive ones that was taken for positive; arguments and results as for `true_positives`."""
    with variable_scope(name, "recall", (predictions, labels, weights)):
        predictions, labels, weights = aligned_truth(predictions, labels, weights)
        hits, update_hits = true_positives(labels, predictions, weights)
        misses, update_misses = false_negatives(labels, predictions, weights)
        result = collected(_part(hits, misses, "value"), metrics_collections)
        return result, collected(_part(update_hits, update_misses, "update_op"), updates_collections)

"""Means over batches: of values, of errors, of agreement."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.scopes import control_dependencies
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.variables.assignment import assign_add
from ossia_core.variables.variable_scope import variable_scope
from ossia_nn.metrics.accumulation import Pair, aligned, collected, metric_variable, ratio
from ossia_nn.weights import broadcast_weights
from ossia_ops.array.fill import ones_like, zeros_like
from ossia_ops.array.selection import where
from ossia_ops.array.shape import size
from ossia_ops.math.arithmetic import multiply, squared_difference, subtract
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import equal, less
from ossia_ops.math.division import div
from ossia_ops.math.elementwise import abs as absolute
from ossia_ops.math.elementwise import sqrt
from ossia_ops.math.histogram import remove_squeezable_dimensions
from ossia_ops.math.reduction import reduce_sum


@public("metrics.mean")
def mean(
    values: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The weighted mean of all values seen.

    Args:
      values: a tensor.
      weights: numbers that broadcast to `values`; 0 leaves an element out.
      metrics_collections, updates_collections: names of collections that result and update join.
      name: name of the variable scope.

    Returns:
      A pair: the mean so far, and an op that takes in `values` and gives the mean after.
    """
    with variable_scope(name, "mean", (values, weights)):
        values = cast(values, dtypes.float32)
        total, count = (
            metric_variable([], dtypes.float32, name="total"),
            metric_variable([], dtypes.float32, name="count"),
        )
        if weights is None:
            number = cast(size(values), dtypes.float32)
        else:
            values, _, weights = aligned(values, None, weights)
            weights = broadcast_weights(cast(weights, dtypes.float32), values)
            values = multiply(values, weights)
            number = reduce_sum(weights)
        update_total = assign_add(total, reduce_sum(values))
        with control_dependencies([values]):
            update_count = assign_add(count, number)
        result = collected(ratio(total, count, "value"), metrics_collections)
        return result, collected(ratio(update_total, update_count, "update_op"), updates_collections)


@public("metrics.mean_tensor")
def mean_tensor(
    values: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The weighted mean of each element over all tensors seen; arguments and results as for `mean`."""
    with variable_scope(name, "mean", (values, weights)):
        values = cast(values, dtypes.float32)
        total = metric_variable(values.shape, dtypes.float32, name="total_tensor")
        count = metric_variable(values.shape, dtypes.float32, name="count_tensor")
        number = ones_like(values)
        if weights is not None:
            values, _, weights = aligned(values, None, weights)
            weights = broadcast_weights(cast(weights, dtypes.float32), values)
            values = multiply(values, weights)
            number = multiply(number, weights)
        update_total = assign_add(total, values)
        with control_dependencies([values]):
            update_count = assign_add(count, number)
        result = collected(ratio(total, count, "value"), metrics_collections)
        return result, collected(ratio(update_total, update_count, "update_op"), updates_collections)


@public("metrics.accuracy")
def accuracy(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """How often `predictions` equal `labels`; the other arguments and the results as for `mean`."""
    predictions, labels, weights = aligned(predictions, labels, weights)
    predictions.shape.assert_is_compatible_with(labels.shape)
    if labels.dtype != predictions.dtype:
        predictions = cast(predictions, labels.dtype)
    correct = cast(equal(predictions, labels), dtypes.float32)
    return mean(correct, weights, metrics_collections, updates_collections, name or "accuracy")


@public("metrics.mean_absolute_error")
def mean_absolute_error(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The mean of `abs(predictions - labels)`; the other arguments and the results as for `mean`."""
    predictions, labels, weights = aligned(predictions, labels, weights)
    return mean(
        absolute(predictions - labels), weights, metrics_collections, updates_collections, name or "mean_absolute_error"
    )


@public("metrics.mean_squared_error")
def mean_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The mean of `(labels - predictions)**2`; the other arguments and the results as for `mean`."""
    predictions, labels, weights = aligned(predictions, labels, weights)
    return mean(
        squared_difference(labels, predictions),
        weights,
        metrics_collections,
        updates_collections,
        name or "mean_squared_error",
    )


@public("metrics.root_mean_squared_error")
def root_mean_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The root of `mean_squared_error`; the other arguments and the results as for `mean`."""
    predictions, labels, weights = aligned(predictions, labels, weights)
    squared, update = mean_squared_error(labels, predictions, weights, None, None, name or "root_mean_squared_error")
    result = collected(sqrt(squared), metrics_collections)
    return result, collected(sqrt(update), updates_collections)


@public("metrics.mean_cosine_distance")
def mean_cosine_distance(
    labels: Any,
    predictions: Any,
    dim: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """1 less the mean of the products summed along `dim`; the other arguments and the results as for `mean`."""
    predictions, labels, weights = aligned(predictions, labels, weights)
    products = reduce_sum(multiply(predictions, labels), axis=[dim], keepdims=True)
    similarity, update = mean(products, weights, None, None, name or "mean_cosine_distance")
    similarity, update = subtract(1.0, similarity), subtract(1.0, update)
    return collected(similarity, metrics_collections), collected(update, updates_collections)


@public("metrics.mean_relative_error")
def mean_relative_error(
    labels: Any,
    predictions: Any,
    normalizer: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The mean of `abs(labels - predictions) / normalizer`, 0 where that is 0; else as `mean`."""
    predictions, labels, weights = aligned(predictions, labels, weights)
    predictions, normalizer = remove_squeezable_dimensions(predictions, normalizer)
    predictions.shape.assert_is_compatible_with(normalizer.shape)
    errors = where(equal(normalizer, 0.0), zeros_like(labels), div(absolute(labels - predictions), normalizer))
    return mean(errors, weights, metrics_collections, updates_collections, name or "mean_relative_error")


@public("metrics.percentage_below")
def percentage_below(
    values: Any,
    threshold: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The part of the values below `threshold`; the other arguments and the results as for `mean`."""
    below = cast(less(values, threshold), dtypes.float32)
    return mean(below, weights, metrics_collections, updates_collections, name or "percentage_below_threshold")

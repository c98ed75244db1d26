"""Metrics per class: intersection over union, and accuracy."""

from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.variables.assignment import assign_add
from ossia_core.variables.variable_scope import variable_scope
from ossia_nn.metrics.accumulation import Pair, collected, metric_variable, ratio
from ossia_ops.array.fill import ones, ones_like
from ossia_ops.array.selection import where
from ossia_ops.array.shape import reshape, size
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import equal, greater, not_equal
from ossia_ops.math.division import div
from ossia_ops.math.histogram import confusion_matrix
from ossia_ops.math.reduction import reduce_mean, reduce_sum


def _flat(x: Any) -> Any:
    """A vector of the elements, if there is more than one dimension.

    Raises:
      TypeError: the rank is unknown.
    """
    rank = x.shape.ndims
    if rank is None:
        raise TypeError(f"The rank of {x.name} has to be known, so that classes can be counted")
    return reshape(x, [-1]) if rank > 1 else x


@public("metrics.mean_iou")
def mean_iou(
    labels: Any,
    predictions: Any,
    num_classes: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The mean over classes of intersection over union of predicted and true members.

    Args:
      labels, predictions: class numbers below `num_classes`, of one shape.
      num_classes: how many classes there are.
      weights: one number per label.
      metrics_collections, updates_collections: names of collections that result and update join.
      name: name of the variable scope.

    Returns:
      A pair: the mean so far, and an op that takes in a batch and gives the confusion matrix after.

    Raises:
      TypeError: a rank is unknown.
    """
    with variable_scope(name, "mean_iou", (predictions, labels, weights)):
        predictions.shape.assert_is_compatible_with(labels.shape)
        total, update = streamed_confusion_matrix(labels, predictions, num_classes, weights)
        return collected(_mean_ratio(total), metrics_collections), collected(update, updates_collections)


def streamed_confusion_matrix(labels: Any, predictions: Any, num_classes: Any, weights: Any = None) -> Pair:
    """A variable that adds up confusion matrices, and the op that takes in a batch.

    Args:
      labels, predictions: class numbers below `num_classes`, of one shape.
      num_classes: how many classes there are.
      weights: one number per label.
    """
    total = metric_variable([num_classes, num_classes], dtypes.float64, name="total_confusion_matrix")
    predictions, labels = cast(predictions, dtypes.int64), cast(labels, dtypes.int64)
    number = cast(num_classes, dtypes.int64)
    predictions, labels = _flat(predictions), _flat(labels)
    if weights is not None:
        weights = _flat(weights)
    current = confusion_matrix(labels, predictions, number, weights=weights, dtype=dtypes.float64)
    return total, assign_add(total, current)


def _mean_ratio(total: Any) -> Tensor:
    rows = cast(reduce_sum(total, 0), dtypes.float32)
    columns = cast(reduce_sum(total, 1), dtypes.float32)
    both = cast(builder("diag_part")(total), dtypes.float32)
    either = rows + columns - both
    valid = reduce_sum(cast(not_equal(either, 0), dtypes.float32))
    either = where(greater(either, 0), either, ones_like(either))
    ratios = div(both, either)
    return where(greater(valid, 0), reduce_sum(ratios, name="mean_iou") / valid, 0)


@public("metrics.mean_per_class_accuracy")
def mean_per_class_accuracy(
    labels: Any,
    predictions: Any,
    num_classes: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The mean over classes of the part of their members that was recognized; arguments as for `mean_iou`.

    Returns:
      A pair: the mean so far, and an op that takes in a batch and gives the accuracy per class after.
    """
    with variable_scope(name, "mean_accuracy", (predictions, labels, weights)):
        labels = cast(labels, dtypes.int64)
        labels, predictions = _flat(labels), _flat(predictions)
        predictions.shape.assert_is_compatible_with(labels.shape)
        total = metric_variable([num_classes], dtypes.float32, name="total")
        count = metric_variable([num_classes], dtypes.float32, name="count")
        counted = ones([size(labels)], dtypes.float32)
        if labels.dtype != predictions.dtype:
            predictions = cast(predictions, labels.dtype)
        correct = cast(equal(predictions, labels), dtypes.float32)
        if weights is not None:
            weights = cast(_flat(weights), dtypes.float32)
            correct *= weights
            counted *= weights
        scatter_add = builder("scatter_add")
        update_total = scatter_add(total, labels, counted)
        update_count = scatter_add(count, labels, correct)
        result = reduce_mean(ratio(count, total, None), name="mean_accuracy")
        return collected(result, metrics_collections), collected(
            ratio(update_count, update_total, "update_op"), updates_collections
        )

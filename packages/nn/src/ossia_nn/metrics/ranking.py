"""Metrics of the k best predictions: recall, precision and average precision."""

from __future__ import annotations

import math
import operator
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.composites import SparseTensor, SparseTensorValue, convert_to_tensor_or_sparse_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.variables.assignment import assign_add
from ossia_nn.metrics.accumulation import Pair, collected, metric_variable
from ossia_nn.weights import assert_broadcastable, broadcast_weights
from ossia_ops.array.fill import fill, ones_like, zeros_like
from ossia_ops.array.selection import where_v2
from ossia_ops.array.sets import set_difference, set_intersection, set_size
from ossia_ops.array.shape import expand_dims, rank, reshape, shape, size
from ossia_ops.math.arithmetic import add, minimum, multiply
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import equal, greater_equal
from ossia_ops.math.division import div, div_no_nan
from ossia_ops.math.reduction import reduce_max, reduce_sum, reduced_shape


def name_at_k(name: str, k: int | None = None, class_id: int | None = None) -> str:
    """The name of a metric at k, and of one class."""
    # Truncated: what is no number is a TypeError before there are any nodes.
    name = f"{name}_at_{_whole(k)}" if k is not None else f"{name}_at_k"
    return f"{name}_class{_whole(class_id)}" if class_id is not None else name


def _whole(number: Any) -> int:
    return math.trunc(number) if isinstance(number, float) else operator.index(number)


def expanded_labels(labels: Any, predictions: Any) -> Any:
    """Labels with a last dimension, if predictions have one more."""
    with name_scope(None, "expand_labels", (labels, predictions)) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        cond, concat = builder("cond"), builder("concat")
        if isinstance(labels, SparseTensor):
            return cond(
                equal(rank(predictions), size(labels.dense_shape) + 1),
                lambda: builder("sparse.reshape")(labels, shape=concat((labels.dense_shape, (1,)), 0), name=scope),
                lambda: labels,
            )
        labels_rank, predictions_rank = labels.shape.ndims, predictions.shape.ndims
        if labels_rank is not None and predictions_rank is not None:
            if predictions_rank == labels_rank:
                return labels
            if predictions_rank == labels_rank + 1:
                return expand_dims(labels, -1, name=scope)
            raise ValueError(f"Unexpected labels shape {labels.shape} for predictions shape {predictions.shape}.")
        return cond(
            equal(rank(predictions), rank(labels) + 1), lambda: expand_dims(labels, -1, name=scope), lambda: labels
        )


def of_one_class(ids: Any, class_id: Any) -> SparseTensor:
    """The ids that are `class_id`, as a SparseTensor."""
    ids = convert_to_tensor_or_sparse_tensor(ids)
    if isinstance(ids, SparseTensor):
        return builder("sparse.retain")(ids, equal(ids.values, class_id))
    sizes = shape(ids, out_type=dtypes.int64)
    last = size(sizes) - 1
    filled_shape = reduced_shape(sizes, reshape(last, [1]))
    found = set_intersection(fill(filled_shape, cast(class_id, dtypes.int64)), ids)
    return SparseTensor(indices=found.indices, values=found.values, dense_shape=sizes)


def _of_class(labels: Any, predictions: Any, class_id: Any) -> tuple[Any, Any]:
    if class_id is None:
        return labels, predictions
    return of_one_class(labels, class_id), of_one_class(predictions, class_id)


def _sized(kind: str, labels: Any, predictions: Any, class_id: Any, weights: Any, name: str | None = None) -> Tensor:
    """How many decisions of a kind there are per example, weighted."""
    with name_scope(name, f"{kind}s", (predictions, labels, weights)):
        labels, predictions = _of_class(labels, predictions, class_id)
        if kind == "true_positive":
            chosen = set_intersection(predictions, labels)
        else:
            chosen = set_difference(predictions, labels, aminusb=kind == "false_positive")
        count = cast(set_size(chosen), dtypes.float64)
        if weights is not None:
            with control_dependencies((assert_broadcastable(weights, count),)):
                weights = cast(weights, dtypes.float64)
                count = multiply(count, weights)
        return count


def _streamed(kind: str, labels: Any, predictions: Any, k: Any, class_id: Any, weights: Any) -> Pair:
    """The variable that counts decisions of a kind, and its update."""
    with name_scope(None, name_at_k(kind, k, class_id), (predictions, labels, weights)) as scope:
        total = cast(reduce_sum(_sized(kind, labels, predictions, class_id, weights)), dtypes.float64)
        variable = metric_variable([], dtypes.float64, name=scope)
        return variable, assign_add(variable, total, name="update")


def _top(
    definition: str,
    wrong: str,
    labels: Any,
    predictions_idx: Any,
    k: Any,
    class_id: Any,
    weights: Any,
    metrics_collections: Any,
    updates_collections: Any,
    name: str | None,
) -> Pair:
    with name_scope(name, name_at_k(definition, k, class_id), (predictions_idx, labels, weights)) as scope:
        labels = expanded_labels(labels, predictions_idx)
        predictions = cast(predictions_idx, dtypes.int64)
        hits, update_hits = _streamed("true_positive", labels, predictions, k, class_id, weights)
        misses, update_misses = _streamed(wrong, labels, predictions, k, class_id, weights)
        result = collected(div(hits, add(hits, misses), name=scope), metrics_collections)
        update = div(update_hits, add(update_hits, update_misses), name="update")
        return result, collected(update, updates_collections)


@public("metrics.recall_at_top_k")
def recall_at_top_k(
    labels: Any,
    predictions_idx: Any,
    k: int | None = None,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """`recall_at_k` for predictions that are the numbers of the best classes already."""
    return _top(
        "recall",
        "false_negative",
        labels,
        predictions_idx,
        k,
        class_id,
        weights,
        metrics_collections,
        updates_collections,
        name,
    )


@public("metrics.recall_at_k")
def recall_at_k(
    labels: Any,
    predictions: Any,
    k: int,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The part of the labels that is among the `k` best predictions.

    Args:
      labels: int64 tensor or SparseTensor [..., labels], or [...] for one label each.
      predictions: scores [..., classes].
      k: how many predictions count.
      class_id: count this class only.
      weights: one number per example.
      metrics_collections, updates_collections: names of collections that result and update join.
      name: name of the scope.

    Returns:
      A pair: the recall so far, and an op that takes in a batch and gives the recall after.
    """
    with name_scope(name, name_at_k("recall", k, class_id), (predictions, labels, weights)) as scope:
        _, best = builder("nn.top_k")(predictions, k)
        return recall_at_top_k(labels, best, k, class_id, weights, metrics_collections, updates_collections, name=scope)


@public("metrics.precision_at_top_k")
def precision_at_top_k(
    labels: Any,
    predictions_idx: Any,
    k: int | None = None,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """`precision_at_k` for predictions that are the numbers of the best classes already."""
    return _top(
        "precision",
        "false_positive",
        labels,
        predictions_idx,
        k,
        class_id,
        weights,
        metrics_collections,
        updates_collections,
        name,
    )


@public("metrics.precision_at_k", "metrics.sparse_precision_at_k")
def precision_at_k(
    labels: Any,
    predictions: Any,
    k: int,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The part of the `k` best predictions that is among the labels; arguments and results as for `recall_at_k`."""
    with name_scope(name, name_at_k("precision", k, class_id), (predictions, labels, weights)) as scope:
        _, best = builder("nn.top_k")(predictions, k)
        return precision_at_top_k(
            labels, best, k, class_id, weights, metrics_collections, updates_collections, name=scope
        )


def _repeated(tensor: Any, multiple: int, dim: int, name: str) -> Any:
    """The tensor with a new dimension before `dim`, repeated along it."""
    with name_scope(name, "expand_and_tile", (tensor, multiple, dim)) as scope:
        tensor = convert_to_tensor_or_sparse_tensor(tensor)
        concat = builder("concat")
        if isinstance(tensor, SparseTensor):
            place = reshape(size(tensor.dense_shape) + dim, [1]) if dim < 0 else [dim]
            slice_ = builder("slice")
            sizes = concat(
                (slice_(tensor.dense_shape, [0], place), [1], slice_(tensor.dense_shape, place, [-1])),
                0,
                name="expanded_shape",
            )
            expanded = builder("sparse.reshape")(tensor, shape=sizes, name="expand")
            if multiple == 1:
                return expanded
            return builder("sparse.concat")(dim - 1 if dim < 0 else dim, [expanded] * multiple, name=scope)
        expanded = expand_dims(tensor, dim if dim >= 0 else dim - 1, name="expand")
        if multiple == 1:
            return expanded
        counts = ones_like(shape(tensor))
        return builder("tile")(
            expanded, concat((counts[:dim], (multiple,), counts[dim:]), 0, name="multiples"), name=scope
        )


def num_relevant(labels: Any, k: int) -> Tensor:
    """How many of the labels can be among the k best."""
    with name_scope(None, "num_relevant", (labels,)) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            return minimum(set_size(labels), k, name=scope)
        number = reduce_sum(where_v2(greater_equal(labels, 0), ones_like(labels), zeros_like(labels)), axis=-1)
        return minimum(number, k, name=scope)


def average_precisions(labels: Any, predictions_idx: Any) -> Tensor:
    """The average precision of each example."""
    with name_scope(None, "average_precision", (predictions_idx, labels)) as scope:
        predictions_idx = cast(predictions_idx, dtypes.int64, name="predictions_idx")
        if predictions_idx.shape.ndims == 0:
            raise ValueError("The rank of predictions_idx must be at least 1.")
        k = predictions_idx.shape.as_list()[-1]
        if k is None:
            raise ValueError("The last dimension of predictions_idx must be set.")
        labels = expanded_labels(labels, predictions_idx)
        per_k = expand_dims(predictions_idx, -1, name="predictions_idx_per_k")
        labels_per_k = _repeated(labels, multiple=k, dim=-1, name="labels_per_k")
        cumsum = builder("cumsum")
        relevant = _sized("true_positive", labels_per_k, per_k, None, None, name="relevant_per_k")
        hits = cumsum(relevant, axis=-1, name="tp_per_k")
        retrieved = cumsum(ones_like(relevant), axis=-1, name="retrieved_per_k")
        precision = div(cast(hits, dtypes.float64), cast(retrieved, dtypes.float64), name="precision_per_k")
        relevant_precision = multiply(precision, cast(relevant, dtypes.float64), name="relevant_precision_per_k")
        total = reduce_sum(relevant_precision, axis=(-1,), name="precision_sum")
        return div(total, cast(num_relevant(labels, k), dtypes.float64), name=scope)


@public("metrics.average_precision_at_k", "metrics.sparse_average_precision_at_k")
def average_precision_at_k(
    labels: Any,
    predictions: Any,
    k: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The mean over examples of the precision averaged over the places of right predictions among the `k` best.

    Arguments and results as for `recall_at_k`.

    Raises:
      ValueError: `k` is less than 1.
    """
    if k < 1:
        raise ValueError(f"Invalid k={k}.")
    with name_scope(name, name_at_k("average_precision", k), (predictions, labels, weights)) as scope:
        _, best = builder("nn.top_k")(predictions, k)
        labels = _without_unknown(labels, cast(shape(predictions)[-1], dtypes.int64))
        return streamed_average(labels, best, weights, metrics_collections, updates_collections, scope)


def _without_unknown(labels: Any, classes: Tensor) -> Any:
    """The labels, with -1 for those that are no class."""
    sparse = isinstance(labels, (SparseTensor, SparseTensorValue))
    values = labels.values if sparse else labels

    def masked() -> Any:
        known = where_v2(greater_equal(values, classes), -1 * ones_like(values), values)
        return type(labels)(labels.indices, known, labels.dense_shape) if sparse else known

    return builder("cond")(greater_equal(reduce_max(values), classes), masked, lambda: labels)


def streamed_average(
    labels: Any,
    predictions_idx: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> Pair:
    """The mean over examples, so far, of average precisions, and its update."""
    with name_scope(name, "average_precision_at_top_k", (predictions_idx, labels, weights)) as scope:
        average = average_precisions(labels, predictions_idx)
        if weights is not None:
            weights = broadcast_weights(cast(weights, dtypes.float64), average)
            average = multiply(average, weights)
        with name_scope(None, "max", (average,)) as max_scope:
            most = metric_variable([], dtypes.float64, name=max_scope)
            batch = (
                cast(size(average, name="batch_max"), dtypes.float64)
                if weights is None
                else reduce_sum(weights, name="batch_max")
            )
            update_most = assign_add(most, batch, name="update")
        with name_scope(None, "total", (average,)) as total_scope:
            total = metric_variable([], dtypes.float64, name=total_scope)
            update_total = assign_add(total, reduce_sum(average, name="batch_total"), name="update")
        result = collected(div_no_nan(total, most, name="mean"), metrics_collections)
        return result, collected(div_no_nan(update_total, update_most, name=scope), updates_collections)

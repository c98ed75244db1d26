"""What metrics share: their variables, their weights, and the collections that results and updates join."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.collections import GraphKeys, add_to_collections
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.variables.options import VariableAggregation, VariableSynchronization
from ossia_core.variables.variable import VariableV1
from ossia_ops.array.fill import zeros
from ossia_ops.array.shape import expand_dims, rank, squeeze
from ossia_ops.math.arithmetic import maximum
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import equal
from ossia_ops.math.division import div_no_nan
from ossia_ops.math.histogram import remove_squeezable_dimensions


def metric_variable(shape: Any, dtype: Any, name: str | None = None) -> Any:
    """A local variable of zeros in the collections LOCAL_VARIABLES and METRIC_VARIABLES."""
    return VariableV1(
        lambda: zeros(shape, dtype),
        trainable=False,
        collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES],
        validate_shape=True,
        synchronization=VariableSynchronization.ON_READ,
        aggregation=VariableAggregation.SUM,
        name=name,
    )


def collected(value: Any, collections: Any) -> Any:
    """`value`, added to the collections (a name, several, or None)."""
    if collections:
        add_to_collections(collections, value)
    return value


def ratio(part: Any, whole: Any, name: str | None) -> Tensor:
    """`part / whole`, 0 where `whole` is not positive."""
    return div_no_nan(part, maximum(whole, 0), name=name)


def aligned(predictions: Any, labels: Any = None, weights: Any = None) -> tuple[Tensor, Any, Any]:
    """Predictions, labels and weights of ranks that fit: a last dimension of 1 is removed, or added to the weights."""
    predictions = convert_to_tensor(predictions)
    if labels is not None:
        labels, predictions = remove_squeezable_dimensions(labels, predictions)
        predictions.shape.assert_is_compatible_with(labels.shape)
    if weights is None:
        return predictions, labels, None
    weights = convert_to_tensor(weights)
    weights_rank, predictions_rank = weights.shape.ndims, predictions.shape.ndims
    if weights_rank == 0:
        return predictions, labels, weights
    if weights_rank is not None and predictions_rank is not None:
        if weights_rank - predictions_rank == 1:
            weights = squeeze(weights, [-1])
        elif predictions_rank - weights_rank == 1:
            weights = expand_dims(weights, [-1])
        return predictions, labels, weights
    return predictions, labels, _aligned_in_run(predictions, weights)


def _aligned_in_run(predictions: Tensor, weights: Tensor) -> Tensor:
    cond = builder("cond")
    weights_rank = rank(weights)
    difference = weights_rank - rank(predictions)
    last = None if weights.shape.ndims is None else weights.shape.as_tuple()[-1]

    def expanded() -> Tensor:
        return cond(equal(difference, -1), lambda: expand_dims(weights, [-1]), lambda: weights)

    def squeezed() -> Tensor:
        return weights if last not in (None, 1) else squeeze(weights, [-1])

    def adjusted() -> Tensor:
        return cond(equal(difference, 1), squeezed, expanded)

    return cond(equal(weights_rank, 0), lambda: weights, adjusted)


def aligned_truth(predictions: Any, labels: Any, weights: Any) -> tuple[Tensor, Any, Any]:
    """`aligned`, with predictions and labels as booleans."""
    return aligned(cast(predictions, dtypes.bool), cast(labels, dtypes.bool), weights)


Pair = tuple[Any, Any]
Compute = Callable[..., Tensor]

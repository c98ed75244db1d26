"""Losses as a program writes them that may run as several replicas; here there is always one."""
from __future__ import annotations

from typing import Any

from ossia_core.control.cond import cond
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_debugging.comparisons import assert_greater_equal
from ossia_nn.weights import broadcast_weights
from ossia_ops.array.shape import expand_dims, rank, shape, squeeze
from ossia_ops.math.arithmetic import multiply
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import equal
from ossia_ops.math.reduction import reduce_sum

_REPLICAS = 1


@public("nn.compute_average_loss", "compat.v2.nn.compute_average_loss")
def compute_average_loss(per_example_loss: Any, sample_weight: Any = None, global_batch_size: Any = None) -> Tensor:
    """The sum of the losses of a replica's examples, divided by the number of examples of all replicas.

    Args:
      per_example_loss: losses, [batch] or of more dimensions.
      sample_weight: a weight for each example; broadcast to the losses.
      global_batch_size: the number of examples of all replicas; that of the losses if None.

    Returns:
      A scalar of the dtype of the losses.

    Raises:
      ValueError: the losses are a scalar, or the weights do not fit.
    """
    losses = convert_to_tensor(per_example_loss)
    if losses.shape.ndims == 0:
        raise ValueError(
            "Invalid value passed for `per_example_loss`. Expected a tensor with at least rank 1, received: "
            f"{losses}"
        )
    checks = []
    if losses.shape.ndims is None:
        checks.append(
            assert_greater_equal(
                rank(losses),
                cast(1, dtypes.int32),
                message="Invalid value passed for `per_example_loss`. Expected a tensor with at least rank 1.",
            )
        )
    with control_dependencies(checks):
        return _average(losses, sample_weight, global_batch_size)


def _average(losses: Tensor, sample_weight: Any, global_batch_size: Any) -> Tensor:
    kind = losses.dtype
    if sample_weight is not None:
        losses = cast(_weighted(cast(losses, dtypes.float32), sample_weight), kind)
    if global_batch_size is None:
        global_batch_size = cast(shape(losses)[0] * _REPLICAS, kind)
    return reduce_sum(losses) / global_batch_size


def _weighted(losses: Tensor, weights: Any) -> Tensor:
    weights = _fitted(convert_to_tensor(cast(weights, dtypes.float32)), losses)
    return multiply(losses, broadcast_weights(weights, losses))


def _fitted(weights: Tensor, losses: Tensor) -> Tensor:
    """Weights with a last dimension of size 1 less or more, where that gives them the rank of the losses."""
    if losses.shape.ndims is not None and weights.shape.ndims is not None:
        known = weights.shape.ndims - losses.shape.ndims
        if known == 1:
            return squeeze(weights, [-1])
        return expand_dims(weights, [-1]) if known == -1 and weights.shape.ndims else weights
    own_rank = rank(weights)
    difference = own_rank - rank(losses)

    def expanded() -> Tensor:
        return cond(equal(difference, -1), lambda: expand_dims(weights, [-1]), lambda: weights)

    def adjusted() -> Tensor:
        return cond(equal(difference, 1), lambda: squeeze(weights, [-1]), expanded)

    return cond(equal(own_rank, 0), lambda: weights, adjusted)


@public("nn.scale_regularization_loss", "compat.v2.nn.scale_regularization_loss")
def scale_regularization_loss(regularization_loss: Any) -> Tensor:
    """The sum of a regularization loss, divided by the number of replicas.

    Args:
      regularization_loss: a tensor.
    """
    return reduce_sum(regularization_loss) / float(_REPLICAS)

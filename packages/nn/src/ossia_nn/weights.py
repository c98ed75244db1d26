"""Weights of losses and metrics: whether they broadcast to the values they weigh, and making them do so."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_ops.array.fill import ones_like
from ossia_ops.array.shape import expand_dims, rank, shape, size, squeeze
from ossia_ops.math.arithmetic import multiply
from ossia_ops.math.comparison import equal

_PREFIX = "weights can not be broadcast to values."


def assert_broadcastable(weights: Any, values: Any) -> Operation:
    """An op that fails unless `weights` is a scalar, or of the rank of `values` with sizes that are the same or 1.

    Raises:
      ValueError: it is known that they do not fit.
    """
    with name_scope(None, "assert_broadcastable", (weights, values)) as scope:
        with name_scope(None, "weights", (weights,)) as weights_scope:
            weights = convert_to_tensor(weights, name=weights_scope)
            weights_shape, weights_rank = shape(weights, name="shape"), rank(weights, name="rank")
        with name_scope(None, "values", (values,)) as values_scope:
            values = convert_to_tensor(values, name=values_scope)
            values_shape, values_rank = shape(values, name="shape"), rank(values, name="rank")
        checked = _check_static(weights.shape, values.shape)
        if checked:
            return builder("no_op")(name=checked)
        is_scalar = equal(0, weights_rank, name="is_scalar")
        data = (
            _PREFIX,
            "weights.shape=",
            weights.name,
            weights_shape,
            "values.shape=",
            values.name,
            values_shape,
            "is_scalar=",
            is_scalar,
        )
        cond = builder("cond")
        valid = cond(
            is_scalar,
            lambda: is_scalar,
            lambda: _same_rank_and_sizes(weights_rank, weights_shape, values_rank, values_shape),
            name="is_valid_shape",
        )
        return builder("Assert")(valid, data, name=scope)


def _check_static(weights: Any, values: Any) -> str | None:
    """The name of the op that stands for a check that has succeeded, None if it has to be made in a run."""
    if weights.ndims is None or values.ndims is None:
        return None
    if weights.ndims == 0:
        return "static_scalar_check_success"
    if weights.ndims != values.ndims:
        raise ValueError(
            f"{_PREFIX} values.rank={values.ndims}. weights.rank={weights.ndims}. values.shape={values}. "
            f"weights.shape={weights}."
        )
    if not (weights.is_fully_defined() and values.is_fully_defined()):
        return None
    for i, (w, v) in enumerate(zip(weights.as_list(), values.as_list(), strict=True)):
        if w not in (1, v):  # here the original knows the shapes as arrays, and writes them as such
            has, wanted = (np.array(s.as_list()) for s in (weights, values))
            raise ValueError(f"{_PREFIX} Mismatch at dim {i}. values.shape={wanted} weights.shape={has}.")
    return "static_dims_check_success"


def _same_rank_and_sizes(
    weights_rank: Tensor, weights_shape: Tensor, values_rank: Tensor, values_shape: Tensor
) -> Tensor:
    with name_scope(
        None, "has_valid_nonscalar_shape", (weights_rank, weights_shape, values_rank, values_shape)
    ) as scope:
        same = equal(values_rank, weights_rank, name="is_same_rank")
        return builder("cond")(same, lambda: _same_sizes(weights_shape, values_shape), lambda: same, name=scope)


def _same_sizes(weights_shape: Tensor, values_shape: Tensor) -> Tensor:
    with name_scope(None, "has_invalid_dims", (weights_shape, values_shape)) as scope:
        sizes = expand_dims(values_shape, -1)
        valid = builder("concat")((sizes, ones_like(sizes)), axis=1)
        invalid = builder("sets.difference")(expand_dims(weights_shape, -1), valid)
        return equal(0, size(invalid.values, name="num_invalid_dims"), name=scope)


def broadcast_weights(weights: Any, values: Any) -> Tensor:
    """The weights in the shape of the values."""
    with name_scope(None, "broadcast_weights", (weights, values)) as scope:
        values = convert_to_tensor(values, name="values")
        weights = convert_to_tensor(weights, dtype=values.dtype.base_dtype, name="weights")
        if (
            weights.shape.is_fully_defined()
            and values.shape.is_fully_defined()
            and weights.shape.is_compatible_with(values.shape)
        ):
            return weights
        with control_dependencies((assert_broadcastable(weights, values),)):
            return multiply(weights, ones_like(values), name=scope)


def _last_may_be_one(x: Tensor) -> bool:
    return x.shape.ndims is None or bool(x.shape.ndims) and x.shape.as_tuple()[-1] in (1, None)


def squeezed_weights(weights: Any, values: Tensor) -> Tensor:
    """Weights of one dimension more than `values`, the last of size 1, without it."""
    weights = convert_to_tensor(weights)
    if values.shape.ndims is not None and weights.shape.ndims is not None:
        return squeeze(weights, [-1]) if weights.shape.ndims - values.shape.ndims == 1 else weights
    difference = rank(weights) - rank(values)
    if _last_may_be_one(weights):
        return builder("cond")(equal(1, difference), lambda: squeeze(weights, [-1]), lambda: weights)
    return weights

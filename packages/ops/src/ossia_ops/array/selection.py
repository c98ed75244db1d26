"""Choosing elements by a condition."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import broadcast, merge
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.array.fill import zeros, zeros_like
from ossia_ops.array.shape import reshape, shape
from ossia_ops.math.broadcast import broadcast_gradient_args_op
from ossia_ops.math.choice import choose

select_op = op("Select(condition: bool, t: T, e: T) -> output: T", T="type")


@select_op.shape
def _(condition, t, e):
    data = merge(t, e)
    rank = condition.shape.ndims
    if rank is None or data.ndims is None or rank == 0:
        return data
    if rank == 1:
        if data.ndims == 0:
            raise ValueError("Shapes must be equal rank, but are 0 and 1")
        merge(condition, data[:1])
        return data
    return merge(data, condition)


def _check_choice(node: Any, condition: Any, t: Any, e: Any) -> None:
    """Refuses a condition that is neither a scalar, nor one per row, nor of the shape of what it chooses from."""
    by_row = condition.ndim == 1 and t.ndim != 1
    if by_row and not t.ndim:
        raise InvalidArgumentError(None, None, "'then' must be at least a vector, but saw shape: []")
    if by_row and len(condition) != len(t):
        raise InvalidArgumentError(
            None,
            None,
            f"Number of batches of 'then' must match size of 'cond', but saw: {len(t)} vs. {len(condition)}",
        )
    if (by_row or not condition.ndim) and t.shape != e.shape:
        raise InvalidArgumentError(
            None,
            None,
            f"'then' and 'else' must have the same size.  but received: {dims_text(t.shape)} vs. {dims_text(e.shape)}",
        )
    if by_row or not condition.ndim:
        return
    for i, other in enumerate((t, e), 1):
        if other.shape != condition.shape:
            raise InvalidArgumentError(
                None,
                None,
                f"Inputs to operation {node.name} of type Select must have the same size and shape.  Input 0: "
                f"{dims_text(condition.shape)} != input {i}: {dims_text(other.shape)}",
            )


@select_op.kernel
def _(condition, t, e, *, node):
    if not condition.shape == t.shape == e.shape:
        _check_choice(node, condition, t, e)
        condition = condition.reshape(condition.shape + (1,) * (t.ndim - 1)) if condition.ndim == 1 else condition
    return choose(condition, t, e)


@select_op.gradient
def _(node, grad):
    condition, x, _ = node.inputs
    none = zeros_like(x)
    return None, select_op(condition, grad, none), select_op(condition, none, grad)


select_op.samples(
    elements=([True, False], [1.0, 2.0], [3.0, 4.0]),
    rows=([True, False], [[1], [2]], [[3], [4]]),
    scalar=(True, [1], [2]),
)


select_v2_op = op("SelectV2(condition: bool, t: T, e: T) -> output: T", T="type")


@select_v2_op.shape
def _(condition, t, e):
    return broadcast(condition, broadcast(t, e))


@select_v2_op.kernel
def _(condition, t, e):
    try:
        return choose(condition, t, e)
    except ValueError:
        shapes = [str(list(np.shape(v))).replace(" ", "") for v in (condition, t, e)]
        raise InvalidArgumentError(
            None, None, f"condition {shapes[0]}, then {shapes[1]}, and else {shapes[2]} must be broadcastable"
        ) from None


@select_v2_op.gradient
def _(node, grad):
    from ossia_ops.math.reduction import reduce_sum
    condition, x, y = node.inputs
    none = zeros([], grad.dtype.base_dtype)
    x_grad = select_v2_op(condition, grad, none)
    x_shape, output_shape = shape(x), shape(node.outputs[0])
    axes, _ = broadcast_gradient_args_op(x_shape, output_shape)
    x_grad = reshape(reduce_sum(x_grad, axes, keepdims=True), x_shape)
    y_grad = select_v2_op(condition, none, grad)
    y_shape = shape(y)
    axes, _ = broadcast_gradient_args_op(y_shape, output_shape)
    return None, x_grad, reshape(reduce_sum(y_grad, axes, keepdims=True), y_shape)


select_v2_op.samples(broadcast=([[True], [False]], [1., 2.], 0.))


_MOST_DIMENSIONS = 8  # of what the original finds positions in

where_op = op("Where(input: T) -> index: int64",
              T="{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, "
              "uint16, complex128, half, uint32, uint64, bool} = DT_BOOL")


@where_op.shape
def _(input):
    return (None, input.shape.ndims)


@where_op.kernel
def _(input):
    if not 0 < np.ndim(input) <= _MOST_DIMENSIONS:
        raise InvalidArgumentError(None, None, f"WhereOp : Unhandled input dimensions: {np.ndim(input)}")
    return np.argwhere(input).astype(np.int64)


where_op.samples(bool=[[True, False], [False, True]], float=[0., np.nan, 2.], empty=np.zeros((0, 2), bool))


@public("where")
@dispatches
def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """The positions of true elements, or a choice between `x` and `y`.

    Args:
      condition: a bool tensor; with `x` and `y` a scalar, a vector of one bool per row, or of their shape.
      x: taken where the condition is true.
      y: taken where it is false, of the shape of `x`.
      name: name of the result.

    Returns:
      Without `x` and `y` an int64 tensor of shape [number of true elements, rank], in row-major order; else a tensor
      like `x`.

    Raises:
      ValueError: only one of `x` and `y` is given.
    """
    return _where(select_op, condition, x, y, name)


@public("compat.v2.where", "where_v2")
def where_v2(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """Like `where`, but `condition`, `x` and `y` are broadcast to one shape."""
    return _where(select_v2_op, condition, x, y, name)


def _where(select: Any, condition: Any, x: Any, y: Any, name: str | None) -> Tensor:
    if x is None and y is None:
        with name_scope(name, "Where", [condition]) as name:
            condition = convert_to_tensor(condition, name="condition", preferred_dtype=dtypes.bool)
            return where_op(condition, name=name)
    if x is None or y is None:
        raise ValueError("x and y must both be non-None or both be None.")
    return select(condition, x, y, name=name)

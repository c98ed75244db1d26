"""Softmax and its logarithm, along any dimension."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import OpDef, op, sample
from ossia_core.declare.shape_rules import constant as constant_value
from ossia_core.declare.shape_rules import with_rank_at_least
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import rank
from ossia_ops.nn.activation import FLOATS

_SAMPLES = {
    "plain": sample(np.array([[1.0, 2.0, 4.0], [-1.0, 0.0, 1.0]], "f4")),
    "far": sample(np.array([[1000.0, 0.0, -1000.0]], "f4")),
    "empty": sample(np.zeros((0, 3), "f4")),
    "half": sample(np.array([[1.0, 2.0]], "f2")),
}


def centred(x: np.ndarray) -> np.ndarray:
    """A copy of `x` less its largest value per row, in float32 at least."""
    if not x.size:
        return np.zeros(x.shape, np.float32 if x.dtype.itemsize < 4 else x.dtype)
    if x.dtype.itemsize < 4:
        x = x.astype(np.float32)
    return np.subtract(x, np.maximum.reduce(x, axis=-1, keepdims=True), order="C")  # callers index its rows as one


def _shape(logits: Tensor) -> Any:
    return with_rank_at_least(logits, 1)


def _check(logits: np.ndarray) -> None:
    if logits.ndim < 1:
        raise InvalidArgumentError(None, None, f"logits must have >= 1 dimension, got {dims_text(logits.shape)}")


softmax_op = op("Softmax(logits: T) -> softmax: T", T=FLOATS)
softmax_op.shape(_shape)
softmax_op.samples(**_SAMPLES)


@softmax_op.kernel
def _(logits):
    _check(logits)
    x = centred(logits)
    np.exp(x, out=x)
    x /= np.add.reduce(x, axis=-1, keepdims=True)
    return x.astype(logits.dtype, copy=False)


@softmax_op.gradient
def _(node, grad):
    from ossia_ops.math.reduction import reduce_sum
    probabilities = node.outputs[0]
    return (grad - reduce_sum(grad * probabilities, -1, keepdims=True)) * probabilities


log_softmax_op = op("LogSoftmax(logits: T) -> logsoftmax: T", T=FLOATS)
log_softmax_op.shape(_shape)
log_softmax_op.samples(**_SAMPLES)


@log_softmax_op.kernel
def _(logits):
    _check(logits)
    x = centred(logits)
    x -= np.log(np.add.reduce(np.exp(x), axis=-1, keepdims=True))
    return x.astype(logits.dtype, copy=False)


@log_softmax_op.gradient
def _(node, grad):
    from ossia_ops.math.exponential import exp
    from ossia_ops.math.reduction import reduce_sum
    probabilities = exp(node.outputs[0])
    return grad - reduce_sum(grad, -1, keepdims=True) * probabilities


def positive_axis(axis: Any, tensor: Tensor) -> Any:
    """`axis` counted from the front, an integer or a tensor, with the ops that the original builds for it."""
    size = rank(tensor)
    if not isinstance(axis, Tensor):
        return axis if axis >= 0 else axis + size
    from ossia_ops.array.selection import where
    from ossia_ops.math.comparison import less
    return where(less(axis, 0), axis + size, axis)


def _along(definition: OpDef, logits: Any, axis: Any, name: str | None) -> Tensor:
    """The op, which works on the last dimension, on dimension `axis`."""
    from ossia_ops.math.arithmetic import subtract
    transpose, concat, range_ = builder("transpose"), builder("concat"), builder("range")

    def swap(x: Tensor, last: Tensor, name: str | None = None) -> Tensor:
        order = concat([range_(dim), [last], range_(dim + 1, last), [dim]], 0)
        return transpose(x, order, name=name)

    logits = convert_to_tensor(logits)
    ndims = logits.shape.ndims
    fixed = not isinstance(axis, Tensor)
    if fixed and axis == -1:
        return definition(logits, name=name)
    if ndims is None:
        raise TypeError("The rank of `logits` must be known unless the axis is the last one.")
    if fixed and axis == ndims - 1:
        return definition(logits, name=name)
    value = axis if fixed else constant_value(axis)
    if value is not None and not -ndims <= value < ndims:
        raise InvalidArgumentError(
            None,
            None,
            f"Dimension ({int(value)}) must be in the range [{-ndims}, {ndims}) where {ndims} is the number of "
            "dimensions in the input.",
        )
    dim = positive_axis(axis, logits)
    input_rank = rank(logits)
    dim = dim % ndims
    if isinstance(dim, np.integer):
        dim = np.int64(dim)
    swapped = swap(logits, subtract(input_rank, 1))
    return swap(definition(swapped), subtract(input_rank, 1), name)


def _axis(axis: Any, dim: Any) -> Any:
    if dim is not None:
        if axis is not None:
            raise ValueError("Cannot specify both 'dim' and 'axis'")
        axis = dim
    return -1 if axis is None else axis


@public("nn.softmax", "math.softmax")
def softmax(logits: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Tensor:
    """`exp(logits) / reduce_sum(exp(logits), axis, keepdims=True)`.

    Args:
      logits: a tensor of floating-point numbers.
      axis: the dimension that sums to 1, the last one by default.
      name: name of the result.
      dim: the old name of `axis`.
    """
    return _along(softmax_op, logits, _axis(axis, dim), name)


@public("nn.log_softmax", "math.log_softmax")
def log_softmax(logits: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Tensor:
    """`logits - log(reduce_sum(exp(logits), axis, keepdims=True))`; arguments as for `softmax`."""
    return _along(log_softmax_op, logits, _axis(axis, dim), name)

"""Broadcasting as ops: shapes of results, and the way back that gradients take."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import broadcast as broadcast_rule
from ossia_core.declare.shape_rules import constant_shape, merge_dim, with_rank
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape, as_shape
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import reshape, shape, shape_of
from ossia_ops.element_types import INDEX_32

broadcast_args_op = op("BroadcastArgs(s0: T, s1: T) -> r0: T", T=INDEX_32)


@broadcast_args_op.shape
def _(s0, s1):
    a, b = with_rank(s0, 1).as_tuple()[0], with_rank(s1, 1).as_tuple()[0]
    return (None if a is None or b is None else max(a, b),)


@broadcast_args_op.kernel
def _(s0, s1):
    for place, dims in enumerate((s0, s1)):
        if dims.ndim != 1:
            raise InvalidArgumentError(None, None, f"In[{place}] must be a vector.{dims_text(dims.shape)}")
    return np.array(_broadcast(s0.tolist(), s1.tolist()), s0.dtype)


def _broadcast(a: list[int], b: list[int]) -> list[int]:
    rank = max(len(a), len(b))
    result = []
    for m, n in zip([1] * (rank - len(a)) + a, [1] * (rank - len(b)) + b):
        if m != n and 1 not in (m, n):
            raise InvalidArgumentError(None, None, f"Incompatible shapes: {a} vs. {b}")
        result.append(n if m == 1 else m)
    return result


broadcast_args_op.samples(longer=([2, 1], [3]), equal=([2, 3], [2, 3]), scalar=(np.zeros(0, np.int32), [4]))


@public("broadcast_dynamic_shape")
def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Tensor:
    """The shape, a vector, of what is computed elementwise from tensors of two shapes."""
    return broadcast_args_op(shape_x, shape_y)


@public("broadcast_static_shape")
def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """The TensorShape of what is computed elementwise from tensors of two shapes.

    Raises:
      ValueError: the shapes cannot be broadcast.
    """
    try:
        return broadcast_rule(as_shape(shape_x), as_shape(shape_y))
    except ValueError:
        raise ValueError(f"Incompatible shapes for broadcasting: {shape_x} and {shape_y}") from None


broadcast_gradient_args_op = op("BroadcastGradientArgs(s0: T, s1: T) -> r0: T, r1: T", T=INDEX_32)


@broadcast_gradient_args_op.shape
def _(s0, s1):
    with_rank(s0, 1), with_rank(s1, 1)
    return (None,), (None,)


@broadcast_gradient_args_op.kernel
def _(s0, s1):
    first, second = reduced_axes(s0.tolist(), s1.tolist())
    return np.array(first, s0.dtype), np.array(second, s0.dtype)


broadcast_gradient_args_op.not_differentiable()
broadcast_gradient_args_op.samples(
    row=([2, 3], [3]), both=([1, 3], [2, 1]), ones=([1, 3], [1, 1]), equal=([5, 1], [5, 1])
)


def reduced_axes(a: list[int], b: list[int]) -> tuple[list[int], list[int]]:
    """The axes of the result along which tensors of shape `a` and `b` are repeated.

    Raises:
      InvalidArgumentError: the shapes cannot be broadcast.
    """
    if a == b:
        return [], []
    rank = len(_broadcast(a, b))
    a, b = [1] * (rank - len(a)) + a, [1] * (rank - len(b)) + b
    return [i for i in range(rank) if a[i] == 1], [i for i in range(rank) if b[i] == 1]


class Reduction:
    """How the gradient of a broadcast result becomes that of one operand: summed along `axes`, put into `shape`."""

    def __init__(self, shape: Any, axes: Any, needed: bool = True) -> None:
        self.shape, self.axes, self.needed = shape, axes, needed

    def __call__(self, grad: Tensor) -> Tensor:
        """The operand's gradient."""
        if not self.needed:
            return grad
        from ossia_ops.math.reduction import reduce_sum
        return reshape(reduce_sum(grad, self.axes), self.shape)


def reductions(x: Tensor, y: Tensor) -> tuple[Reduction, Reduction]:
    """The reductions for both operands, computed when they are run."""
    x_shape, y_shape = shape(x), shape(y)
    x_axes, y_axes = broadcast_gradient_args_op(x_shape, y_shape)
    return Reduction(x_shape, x_axes), Reduction(y_shape, y_axes)


def static_reductions(x: Tensor, y: Tensor, grad: Tensor) -> tuple[Reduction, Reduction]:
    """Like `reductions`, but with constant axes, and only where needed, if all shapes are known."""
    if not isinstance(grad, Tensor):  # slices
        return reductions(x, y)
    if x.shape.is_fully_defined() and y.shape.is_fully_defined() and grad.shape.is_fully_defined():
        x_sizes, y_sizes = x.shape.as_list(), y.shape.as_list()
        x_axes, y_axes = reduced_axes(x_sizes, y_sizes)
        # The original computes the axes by an op that nothing uses, once in a graph for a pair of shapes.
        seen = get_default_graph().__dict__.setdefault("_broadcast_pairs", set())
        pair = tuple(x_sizes), tuple(y_sizes)
        if pair not in seen:
            broadcast_gradient_args_op(np.array(x_sizes, np.int32), np.array(y_sizes, np.int32))
            seen.add(pair)
        result = grad.shape.as_list()
        return Reduction(x_sizes, x_axes, x_sizes != result), Reduction(y_sizes, y_axes, y_sizes != result)
    x_shape, y_shape = shape_of(x, optimize=False), shape_of(y, optimize=False)
    x_axes, y_axes = broadcast_gradient_args_op(x_shape, y_shape)
    return Reduction(x_shape, x_axes), Reduction(y_shape, y_axes)


def same_known_shapes(*tensors: Any) -> bool:
    """Whether all are tensors of one fully known shape."""
    first = tensors[0].shape
    return first.is_fully_defined() and all(
        isinstance(t, Tensor) and t.shape.as_tuple() == first.as_tuple() for t in tensors
    )


broadcast_to_op = op("BroadcastTo(input: T, shape: Tidx) -> output: T", T="type", Tidx=INDEX_32)
broadcast_to_op.forwards(when=lambda shape: True)


@broadcast_to_op.shape
def _(input, shape):
    wanted, dims = constant_shape(shape), input.shape.as_tuple()
    if wanted.ndims is None or dims is None:
        return wanted
    if len(dims) > wanted.ndims:
        raise ValueError(f"Shape must be at most rank {wanted.ndims} but is rank {len(dims)}")
    filled = wanted.as_list()
    for i in range(1, len(dims) + 1):
        if dims[-i] not in (None, 0, 1):  # what has no elements is refused when it runs
            filled[-i] = merge_dim(dims[-i], filled[-i])
    return tuple(filled)


@broadcast_to_op.kernel
def _(input, shape):
    dims, array = shape.tolist(), np.asarray(input)
    if array.ndim > len(dims):
        raise InvalidArgumentError(
            None, None,
            f"Rank of input ({array.ndim}) must be no greater than rank of output shape ({len(dims)})."
        )
    sizes.allocatable(dims, array.dtype.itemsize)
    if 0 in dims:  # whatever the input is
        return np.empty(dims, array.dtype)
    try:
        return np.broadcast_to(array, dims).copy()
    except ValueError:
        raise InvalidArgumentError(
            None, None, f"Incompatible shapes: {dims_text(array.shape)} vs. {dims_text(dims)}"
        ) from None


@broadcast_to_op.gradient
def _(node, grad):
    from ossia_ops.math.reduction import reduce_sum
    wanted = node.inputs[1]
    old = shape(node.inputs[0])
    _, axes = broadcast_gradient_args_op(wanted, old)
    return [reshape(reduce_sum(grad, axes, keepdims=True), old), None]


broadcast_to_op.samples(rows=([1., 2.], [3, 2]), scalar=(1, [2]), empty=([1.], [0]))


@public("broadcast_to")
def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """`input` repeated along dimensions of size 1, and along new leading ones, to fill `shape`."""
    return broadcast_to_op(input, shape, name=name)

"""Tensors made of updates at index tuples."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op
from ossia_core.declare.shape_rules import constant_shape, merge, unchanged, with_rank, with_rank_at_least
from ossia_core.graph.tensor import Tensor
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.fill import zeros_like
from ossia_ops.array.gather import gather_nd, nd_index
from ossia_ops.element_types import INDEX
from ossia_ops.state.row_updates import accumulate


def _check_updates(dims: Any, indices: Tensor, updates: Tensor, name: str = "output") -> None:
    """ValueError unless the static shapes of indices, updates and result go together."""
    with_rank_at_least(indices, 1)
    with_rank_at_least(updates, 1)
    b, u = indices.shape.as_tuple(), updates.shape.as_tuple()
    if b is None or u is None or b[-1] is None:
        return
    outer, depth = len(b) - 1, b[-1]
    try:
        merge(TensorShape(b[:-1]), TensorShape(u[:outer]))
    except ValueError as error:
        raise ValueError(
            f"The outer {outer} dimensions of indices.shape={dims_text(b)} must match the outer {outer} dimensions of "
            f"updates.shape={dims_text(u)}: {error}"
        ) from None
    if dims is None:
        return
    if 0 in dims and (None not in b and 0 not in b or None not in u and 0 not in u):
        raise ValueError("Indices and updates specified for empty output shape")
    try:
        merge(TensorShape(dims[depth:]), TensorShape(u[outer:]))
    except ValueError as error:
        raise ValueError(
            f"The inner {len(dims) - depth} dimensions of {name}.shape={dims_text(dims)} must match the inner "
            f"{len(u) - outer} dimensions of updates.shape={dims_text(u)}: {error}"
        ) from None


def scattered(result: Any, indices: Any, updates: Any, combine: Any = None) -> Any:
    """Write `updates` to the array `result` at the index tuples in the last dimension of `indices`.

    Args:
      result: an array, changed in place.
      indices: an integer array.
      updates: an array of shape `indices.shape[:-1] + result.shape[indices.shape[-1]:]`.
      combine: a ufunc whose `at` accumulates; None overwrites.

    Raises:
      InvalidArgumentError: an index is out of range, or the shapes do not fit.
    """
    for label, array in (("Indices", indices), ("Updates", updates)):
        if array.ndim < 1:
            raise InvalidArgumentError(None, None, f"{label} shape must have rank at least one. Found:[]")
    depth = indices.shape[-1]
    outer = indices.ndim - 1
    if (indices.size or updates.size) and not (result.size and indices.size and updates.size):
        raise InvalidArgumentError(None, None, "Indices and updates specified for empty output shape")
    if updates.shape[:outer] != indices.shape[:-1]:
        raise InvalidArgumentError(
            None,
            None,
            f"Outer dimensions of indices and update must match. Indices shape: {dims_text(indices.shape)}, updates "
            f"shape:{dims_text(updates.shape)}",
        )
    inner = result.ndim - depth
    if inner < 0 or updates.ndim - outer != inner:
        raise InvalidArgumentError(
            None,
            None,
            "Inner dimensions of output shape must match inner dimensions of updates shape. Output: "
            f"{dims_text(result.shape)} updates: {dims_text(updates.shape)}",
        )
    if updates.shape[outer:] != result.shape[depth:]:
        raise InvalidArgumentError(
            None,
            None,
            f"The inner {inner} dimensions of output.shape={dims_text(result.shape)} must match the inner {inner} "
            f"dimensions of updates.shape={dims_text(updates.shape)}",
        )
    if not result.size:
        return result
    if not depth:
        raise InvalidArgumentError(
            None,
            None,
            "Only indices.shape[-1] values between 1 and 5 are currently supported.  Requested rank: 0",
        )
    index = nd_index(indices, result.shape[:depth], "", result.shape)
    if combine is None:
        result[index] = updates
    elif result.flags.c_contiguous and indices.size:
        rows = np.ravel_multi_index(index, result.shape[:depth]).reshape(-1)
        each = result.shape[depth:]
        accumulate(result.reshape(-1, *each), rows, updates.reshape(-1, *each), combine)
    else:
        combine.at(result, index, updates)
    return result


scatter_nd_op = op("ScatterNd(indices: Tindices, updates: T, shape: Tindices) -> output: T", T="type", Tindices=INDEX)


@scatter_nd_op.shape
def _(indices, updates, shape):
    with_rank(shape, 1)
    dims = constant_shape(shape)
    _check_updates(dims.as_tuple(), indices, updates)
    return dims


@scatter_nd_op.kernel
def _(indices, updates, shape):
    dims, updates = shape.tolist(), np.asarray(updates)
    sizes.allocatable(dims, updates.dtype.itemsize)
    if 0 in dims and indices.size and updates.size:
        raise InvalidArgumentError(
            None, None, f"Indices and updates specified for empty output.  indices shape: {dims_text(indices.shape)}"
        )
    if updates.dtype == object:
        return scattered(np.full(dims, b"", object), indices, updates, np.add)
    if updates.dtype == bool:
        return scattered(np.zeros(dims, bool), indices, updates, np.logical_or)
    return scattered(np.zeros(dims, updates.dtype), indices, updates, np.add)


@scatter_nd_op.gradient
def _(node, grad):
    return [None, gather_nd(grad, node.inputs[0]), None]


scatter_nd_op.samples(
    elements=([[0], [2], [0]], [1.0, 2.0, 3.0], [4]),
    rows=([[1]], [[1, 2]], [3, 2]),
    none=(np.zeros((0, 1), np.int32), np.zeros(0, "f4"), [2]),
    strings=([[2], [0], [2]], [b"a", b"b", b"c"], [4]),
)


@public("scatter_nd", "manip.scatter_nd")
def scatter_nd(indices: Any, updates: Any, shape: Any, name: str | None = None) -> Tensor:
    """Zeros of the given shape, plus `updates` at the index tuples in the last dimension of `indices`; repeated ones
    add up."""
    return scatter_nd_op(indices, updates, shape, name=name)


def _numbers(tensor):
    if tensor.dtype == object:
        raise InvalidArgumentError(None, None, "No OpKernel was registered for strings")
    return np.array(tensor)


def _updated_shape(tensor, indices, updates):
    with_rank_at_least(tensor, 1)
    _check_updates(tensor.shape.as_tuple(), indices, updates)
    return unchanged(tensor)


tensor_scatter_update_op = op("TensorScatterUpdate(tensor: T, indices: Tindices, updates: T) -> output: T", T="type",
                              Tindices=INDEX)


tensor_scatter_update_op.shape(_updated_shape)


@tensor_scatter_update_op.kernel
def _(tensor, indices, updates):
    return scattered(np.array(tensor), indices, np.asarray(updates))


@tensor_scatter_update_op.gradient
def _(node, grad):
    _, indices, updates = node.inputs
    updates_grad = gather_nd(grad, indices)
    kept = lookup("Identity")(grad)
    return [tensor_scatter_update_op(kept, indices, zeros_like(updates, grad.dtype)), None, updates_grad]


tensor_scatter_update_op.samples(plain=([1., 2., 3.], [[0], [2]], [5., 6.]))


@public("tensor_scatter_update", "tensor_scatter_nd_update")
def tensor_scatter_update(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Tensor:
    """`tensor` with `updates` in place of what stands at the index tuples in the last dimension of `indices`."""
    return tensor_scatter_update_op(tensor, indices, updates, name=name)


tensor_scatter_add_op = op("TensorScatterAdd(tensor: T, indices: Tindices, updates: T) -> output: T", T="type",
                           Tindices=INDEX)


tensor_scatter_add_op.shape(_updated_shape)


@tensor_scatter_add_op.kernel
def _(tensor, indices, updates):
    return scattered(_numbers(tensor), indices, np.asarray(updates), np.add)


@tensor_scatter_add_op.gradient
def _(node, grad):
    updates_grad = gather_nd(grad, node.inputs[1])
    return [lookup("Identity")(grad), None, updates_grad]


tensor_scatter_add_op.samples(
    plain=([1., 2., 3.], [[0], [0]], [5., 6.]), refused_strings=([b"x", b"y"], [[0]], [b"a"])
)


@public("tensor_scatter_add", "tensor_scatter_nd_add")
def tensor_scatter_add(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Tensor:
    """`tensor` plus `updates` at the index tuples in the last dimension of `indices`; repeated ones add up."""
    return tensor_scatter_add_op(tensor, indices, updates, name=name)


tensor_scatter_sub_op = op("TensorScatterSub(tensor: T, indices: Tindices, updates: T) -> output: T", T="type",
                           Tindices=INDEX)


tensor_scatter_sub_op.shape(_updated_shape)


@tensor_scatter_sub_op.kernel
def _(tensor, indices, updates):
    return scattered(_numbers(tensor), indices, np.asarray(updates), np.subtract)


@tensor_scatter_sub_op.gradient
def _(node, grad):
    updates_grad = gather_nd(grad, node.inputs[1])
    kept = lookup("Identity")(grad)
    return [kept, None, -updates_grad]


tensor_scatter_sub_op.samples(
    plain=([1., 2., 3.], [[0], [0]], [5., 6.]), refused_strings=([b"x", b"y"], [[0]], [b"a"])
)


@public("tensor_scatter_sub", "tensor_scatter_nd_sub")
def tensor_scatter_sub(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Tensor:
    """`tensor` minus `updates` at the index tuples in the last dimension of `indices`; repeated ones add up."""
    return tensor_scatter_sub_op(tensor, indices, updates, name=name)


scatter_nd_non_aliasing_add_op = op("ScatterNdNonAliasingAdd(input: T, indices: Tindices, updates: T) -> output: T",
                                    T="{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
                                    "qint32, bfloat16, uint16, complex128, half, uint32, uint64, bool}",
                                    Tindices=INDEX)


@scatter_nd_non_aliasing_add_op.shape
def _(input, indices, updates):
    _check_updates(input.shape.as_tuple(), indices, updates, "input")
    return unchanged(input)


@scatter_nd_non_aliasing_add_op.kernel
def _(input, indices, updates):
    result = np.array(input)
    return scattered(result, indices, np.asarray(updates), np.logical_or if result.dtype == bool else np.add)


@scatter_nd_non_aliasing_add_op.gradient
def _(node, grad):
    return [grad, None, gather_nd(grad, node.inputs[1])]


scatter_nd_non_aliasing_add_op.samples(plain=([1., 2., 3.], [[0], [0]], [5., 6.]))

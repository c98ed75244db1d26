"""Sums and maxima over dimensions of sparse tensors, as dense tensors and as sparse ones."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ossia_core.declare.opdef import OpDef, op, sample
from ossia_core.declare.shape_rules import constant
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, sizes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.gather import gather_nd
from ossia_ops.array.shape import one_of, reshape
from ossia_ops.element_types import NUMBERS, REALS
from ossia_ops.math.cast import cast
from ossia_ops.math.reduction import reduced_shape, reduction_axes
from ossia_ops.sparse.rows import beyond, check_parts, order_of, starts_of

_INPUTS = "(input_indices: int64, input_values: T, input_shape: int64, reduction_axes: int32) -> "
_SPARSE_OUTPUTS = "output_indices: int64, output_values: T, output_shape: int64"
_X = ([[0, 0], [0, 2], [1, 1]], np.array([1.0, -2.0, 3.0], "f4"), [2, 3])


def _rule(input_indices, input_values, input_shape, reduction_axes, *, keep_dims):
    dims, axes = constant(input_shape), constant(reduction_axes)
    if dims is None or axes is None or not dims.size:
        return UNKNOWN_SHAPE
    dims = dims.ravel()  # a run refuses what is no vector
    # An axis below the range reduces nothing here, one above it wraps around; a run refuses both.
    reduced = {int(math.fmod(axis + dims.size, dims.size)) for axis in np.ravel(axes)}
    return TensorShape([1 if i in reduced else int(d) for i, d in enumerate(dims) if keep_dims or i not in reduced])


def _reduced(indices: Any, values: Any, shape: Any, axes: Any, function: np.ufunc) -> tuple:
    """The elements that are left, their places in the kept dimensions, and which dimensions are reduced."""
    check_parts(indices, values, shape)
    if axes.ndim > 1:
        raise InvalidArgumentError(None, None, f"The axes should be a scalar or a vector, not {dims_text(axes.shape)}")
    rank = len(shape)
    for axis in np.ravel(axes).tolist():
        if not -rank <= axis < rank:
            raise InvalidArgumentError(
                None, None, f"Invalid reduction dimension {axis}, for input with {rank} dimensions."
            )
    gone = np.zeros(rank, bool)
    gone[np.ravel(axes)] = True
    # Within a group elements are added in row-major order.
    count = rank - int(np.count_nonzero(gone))
    if gone[:count].any():
        indices = np.concatenate([indices[:, ~gone], indices[:, gone]], axis=1)
    order = order_of(indices)
    rows, values = indices[order, :count], values[order]
    starts = starts_of(rows)
    if len(starts):
        values = function.reduceat(values, starts, dtype=values.dtype)
    if function is np.fmax and values.dtype.kind == "f":
        values = np.where(np.isnan(values), values.dtype.type(-np.inf), values)
    return values, rows[starts], gone


def _dense(indices: Any, values: Any, shape: Any, axes: Any, keep_dims: bool, function: np.ufunc) -> np.ndarray:
    values, rows, gone = _reduced(indices, values, shape, axes, function)
    kept = shape[~gone]
    sizes.allocatable(np.where(gone, 1, shape).tolist(), values.dtype.itemsize)
    if beyond(rows, kept).any():
        raise InvalidArgumentError(None, None, f"Indices are out of bounds of the shape {dims_text(shape)}")
    result = np.zeros(kept.tolist(), values.dtype)
    if len(rows):
        result[tuple(rows.T)] = values if kept.size else values[0]
    return result.reshape(np.where(gone, 1, shape).tolist()) if keep_dims else result


def _sparse(indices: Any, values: Any, shape: Any, axes: Any, keep_dims: bool, function: np.ufunc) -> tuple:
    values, rows, gone = _reduced(indices, values, shape, axes, function)
    if not keep_dims:
        return rows, values, shape[~gone]
    places = np.zeros((len(rows), len(shape)), np.int64)
    places[:, ~gone] = rows
    return places, values, np.where(gone, 1, shape)


def _pair(name: str, kinds: str, function: np.ufunc) -> tuple[OpDef, OpDef]:
    dense = op(f"{name}{_INPUTS}output: T", keep_dims="bool = false", T=kinds)
    sparse = op(f"{name}Sparse{_INPUTS}{_SPARSE_OUTPUTS}", keep_dims="bool = false", T=kinds)
    dense.shape(_rule)

    @sparse.shape
    def _(input_indices, input_values, input_shape, reduction_axes):
        return UNKNOWN_SHAPE, UNKNOWN_SHAPE, UNKNOWN_SHAPE

    @dense.kernel
    def _(input_indices, input_values, input_shape, reduction_axes, *, keep_dims):
        return _dense(input_indices, input_values, input_shape, reduction_axes, keep_dims, function)

    @sparse.kernel
    def _(input_indices, input_values, input_shape, reduction_axes, *, keep_dims):
        return _sparse(input_indices, input_values, input_shape, reduction_axes, keep_dims, function)

    for definition in (dense, sparse):
        definition.samples(
            rows=(*_X, 1),
            kept=sample(*_X, [-2], keep_dims=True),
            all=(*_X, [0, 1]),
            first=(*_X, 0),
            unordered=([[1, 2], [0, 2], [1, 1]], *_X[1:], [-1]),
            none=(*_X, np.zeros(0, np.int32)),
            empty=(np.zeros((0, 2), np.int64), np.zeros(0, np.float32), [2, 3], 0),
            refused_shape=(*_X[:2], 2, 1),
        )
    return dense, sparse


# Of a number and NaN the original's maximum is the number.
sparse_reduce_max_op, sparse_reduce_max_sparse_op = _pair("SparseReduceMax", REALS, np.fmax)
sparse_reduce_sum_op, sparse_reduce_sum_sparse_op = _pair("SparseReduceSum", NUMBERS, np.add)


@sparse_reduce_sum_op.gradient
def _(node, grad):
    indices, _, shape, axes = node.inputs
    kept = reduced_shape(shape, axes)
    grad = reshape(grad, kept)
    scale = shape // cast(kept, dtypes.int64)
    return [None, gather_nd(grad, indices // scale), None, None]


def _reduce(definition: OpDef, x: Any, axis: Any, keepdims: Any, old_axis: Any, keep_dims: Any) -> Any:
    keepdims = one_of("keepdims", keepdims, "keep_dims", keep_dims)
    if axis is not None and old_axis is not None:
        raise ValueError("Can't specify both axis' and 'reduction_indices'.")
    axis = old_axis if axis is None else axis
    return definition(
        x.indices, x.values, x.dense_shape, reduction_axes(x, axis), keep_dims=False if keepdims is None else keepdims
    )


@public("sparse.reduce_sum", "sparse_reduce_sum")
def sparse_reduce_sum(
    sp_input: SparseTensor, axis: Any = None, keepdims: Any = None, reduction_axes: Any = None, keep_dims: Any = None
) -> Tensor:
    """The sums over dimensions of a sparse tensor, as a dense one.

    Args:
      sp_input: a SparseTensor of numbers.
      axis: the dimension or dimensions, which may count from the back; all if None.
      keepdims: whether reduced dimensions stay, with size 1.
      reduction_axes: old name of `axis`.
      keep_dims: old name of `keepdims`.

    Raises:
      ValueError: an argument is given under both of its names.
    """
    return _reduce(sparse_reduce_sum_op, sp_input, axis, keepdims, reduction_axes, keep_dims)


@public("sparse.reduce_max", "sparse_reduce_max")
def sparse_reduce_max(
    sp_input: SparseTensor, axis: Any = None, keepdims: Any = None, reduction_axes: Any = None, keep_dims: Any = None
) -> Tensor:
    """The maxima over dimensions of a sparse tensor, of the elements that are there, as a dense tensor; 0 where there
    is none. The arguments are those of `sparse_reduce_sum`."""
    return _reduce(sparse_reduce_max_op, sp_input, axis, keepdims, reduction_axes, keep_dims)


@public("sparse.reduce_sum_sparse", "sparse_reduce_sum_sparse")
def sparse_reduce_sum_sparse(
    sp_input: SparseTensor, axis: Any = None, keepdims: Any = None, reduction_axes: Any = None, keep_dims: Any = None
) -> SparseTensor:
    """The sums over dimensions of a sparse tensor, as a sparse one, without a gradient. The arguments are those of
    `sparse_reduce_sum`."""
    return SparseTensor(
        *_reduce(sparse_reduce_sum_sparse_op, sp_input, axis, keepdims, reduction_axes, keep_dims)
    )


@public("sparse.reduce_max_sparse", "sparse_reduce_max_sparse")
def sparse_reduce_max_sparse(
    sp_input: SparseTensor, axis: Any = None, keepdims: Any = None, reduction_axes: Any = None, keep_dims: Any = None
) -> SparseTensor:
    """The maxima over dimensions of a sparse tensor, as a sparse one. The arguments are those of
    `sparse_reduce_sum`."""
    return SparseTensor(
        *_reduce(sparse_reduce_max_sparse_op, sp_input, axis, keepdims, reduction_axes, keep_dims)
    )


def _reduce_v2(dense: OpDef, sparse: OpDef, x: Any, axis: Any, keepdims: Any, is_sparse: bool, name: Any) -> Any:
    axes = reduction_axes(x, axis)
    keepdims = False if keepdims is None else keepdims
    parts = (x.indices, x.values, x.dense_shape, axes)
    if is_sparse:
        return SparseTensor(*sparse(*parts, keep_dims=keepdims, name=name))
    return dense(*parts, keep_dims=keepdims, name=name)


@public("compat.v2.sparse.reduce_sum")
def sparse_reduce_sum_v2(
    sp_input: SparseTensor, axis: Any = None, keepdims: Any = None, output_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor | SparseTensor:
    """The sums over dimensions of a sparse tensor.

    Args:
      sp_input: a SparseTensor of numbers.
      axis: the dimension or dimensions, which may count from the back; all if None.
      keepdims: whether reduced dimensions stay, with size 1.
      output_is_sparse: whether the result is a SparseTensor.
      name: name of the op.
    """
    return _reduce_v2(
        sparse_reduce_sum_op, sparse_reduce_sum_sparse_op, sp_input, axis, keepdims, output_is_sparse, name
    )


@public("compat.v2.sparse.reduce_max")
def sparse_reduce_max_v2(
    sp_input: SparseTensor, axis: Any = None, keepdims: Any = None, output_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor | SparseTensor:
    """The maxima over dimensions of a sparse tensor; the arguments are those of `tf.compat.v2.sparse.reduce_sum`."""
    return _reduce_v2(
        sparse_reduce_max_op, sparse_reduce_max_sparse_op, sp_input, axis, keepdims, output_is_sparse, name
    )

"""Sparse tensors made of sizes and dense tensors, expanded, of another shape, and as indicators; slices masked."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.shape_rules import constant as constant_value
from ossia_core.graph.composites import IndexedSlices, SparseTensor
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity, with_dependencies
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import fill, ones, ones_like, zeros
from ossia_ops.array.gather import gather, gather_nd
from ossia_ops.array.part import slice_
from ossia_ops.array.selection import where, where_v2
from ossia_ops.array.shape import expand_dims, shape
from ossia_ops.array.stacking import stack
from ossia_ops.array.unique import setdiff1d
from ossia_ops.math.arithmetic import add, maximum, minimum
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import not_equal
from ossia_ops.math.reduction import reduce_max
from ossia_ops.math.sequence import range as range_of
from ossia_ops.sparse.dense import as_sparse, sparse_tensor_to_dense
from ossia_ops.sparse.order import sparse_merge


@public("sparse.from_dense", "compat.v2.sparse.from_dense")
def from_dense(tensor: Any, name: str | None = None) -> SparseTensor:
    """The elements of a tensor that are not 0, as a sparse tensor.

    Args:
      tensor: a tensor of numbers.
      name: name scope.

    Raises:
      TypeError: the elements are strings or bools.
    """
    with name_scope(name, "dense_to_sparse"):
        tensor = convert_to_tensor(tensor)
        indices = where(not_equal(tensor, constant(0, tensor.dtype)))
        return SparseTensor(indices, gather_nd(tensor, indices), shape(tensor, out_type=dtypes.int64))


def _size(value: Any, what: str) -> Tensor:
    """A size as an int64 scalar."""
    if isinstance(value, Tensor):
        return cast(value, dtypes.int64)
    if not isinstance(value, (int, np.integer)):
        raise TypeError(f"{what} must be an integer value")
    return convert_to_tensor(value, dtypes.int64, what)


@public("sparse.eye", "compat.v2.sparse.eye")
def sparse_eye(
    num_rows: Any, num_columns: Any = None, dtype: Any = dtypes.float32, name: str | None = None
) -> SparseTensor:
    """A sparse matrix with ones on the diagonal.

    Args:
      num_rows: number of rows, a number or an integer scalar.
      num_columns: number of columns; as many as rows if None.
      dtype: dtype of the elements.
      name: name scope.

    Raises:
      TypeError: a size is no integer.
    """
    with name_scope(name, "eye", [num_rows, num_columns]):
        rows = _size(num_rows, "num_rows")
        columns = rows if num_columns is None else _size(num_columns, "num_columns")
        diagonal = minimum(rows, columns)
        places = range_of(diagonal, dtype=dtypes.int64)
        return SparseTensor(stack([places, places], axis=1), ones(diagonal, dtype=dtype), [rows, columns])


@public("sparse.expand_dims", "compat.v2.sparse.expand_dims")
def sparse_expand_dims(sp_input: SparseTensor, axis: Any = None, name: str | None = None) -> SparseTensor:
    """A sparse tensor with a dimension of size 1 more.

    Args:
      sp_input: a SparseTensor of known rank.
      axis: where the dimension stands, a number in [-rank - 1, rank] or an integer scalar; last if None.
      name: name scope.

    Raises:
      TypeError: `axis` is no integer.
    """
    rank = sp_input.dense_shape.shape[0]
    axis = -1 if axis is None else axis
    with name_scope(name, "expand_dims", [sp_input]):
        if not isinstance(axis, (Tensor, int, np.integer)):
            raise TypeError("axis must be an integer value in range [-rank(sp_input) - 1, rank(sp_input)]")
        axis = convert_to_tensor(axis, name="axis", dtype=dtypes.int32)
        axis = where_v2(axis >= 0, axis, axis + rank + 1)
        indices, dims = sp_input.indices, sp_input.dense_shape
        column = zeros([shape(indices)[0], 1], dtype=dtypes.int64)
        rows = concat([slice_(indices, [0, 0], [-1, axis]), column, slice_(indices, [0, axis], [-1, -1])], axis=1)
        before, after = slice_(dims, [0], [axis]), slice_(dims, [axis], [-1])
        new_shape = convert_to_tensor([1], name="new_shape", dtype=dtypes.int64)
        return SparseTensor(rows, sp_input.values, concat([before, new_shape, after], axis=0))


@public("sparse.reset_shape", "sparse_reset_shape", "compat.v2.sparse.reset_shape")
def sparse_reset_shape(sp_input: Any, new_shape: Any = None) -> SparseTensor:
    """A sparse tensor with the same elements in a larger shape, or in the smallest that holds them.

    Args:
      sp_input: a SparseTensor.
      new_shape: the shape, an integer vector; no size may be less than it was. The smallest if None.

    Raises:
      TypeError: `sp_input` is no SparseTensor.
      ValueError: it is known that the ranks differ or that a size is too small. A run raises InvalidArgumentError where
        only it can tell.
    """
    x = as_sparse(sp_input)
    indices, values, old = identity(x.indices), identity(x.values), identity(x.dense_shape)
    if new_shape is None:
        highest = reduce_max(indices, axis=0)
        return SparseTensor(indices, values, maximum(constant(0, dtypes.int64), add(highest, ones_like(old))))
    wanted = convert_to_tensor(new_shape)
    wanted.shape.assert_has_rank(1)
    wanted = cast(wanted, dtypes.int64)
    wanted.shape[0].assert_is_compatible_with(old.shape[0])
    known = constant_value(wanted)
    if known is None or not x.shape.is_fully_defined():
        wanted = with_dependencies([builder("assert_equal")(shape(old), shape(wanted))], wanted)
        wanted = with_dependencies([builder("assert_less_equal")(old, wanted)], wanted)
        return SparseTensor(indices, values, wanted)
    if (np.array(x.shape.as_list()) > known).any():
        raise ValueError(f"Requested new_shape should have dimension sizes >= sp_input.shape.  Found new_shape "
                         f"({np.array(x.shape.as_list())}), sp_input.shape ({known}).")
    return SparseTensor(indices, values, known)


@public("sparse.to_indicator", "sparse_to_indicator", "compat.v2.sparse.to_indicator")
def sparse_to_indicator(sp_input: Any, vocab_size: Any, name: str | None = None) -> Tensor:
    """Which ids occur in each row of a sparse tensor of ids.

    Args:
      sp_input: a SparseTensor of integers in [0, vocab_size).
      vocab_size: how many ids there are.
      name: name of the result.

    Returns:
      A bool tensor of the shape of `sp_input` with `vocab_size` as its last dimension, True where the id occurs.

    Raises:
      TypeError: `sp_input` is no SparseTensor, or `vocab_size` neither a tensor nor a number.
    """
    x = as_sparse(sp_input)
    with name_scope(name, "SparseToIndicator", [x]) as name:
        found = fill(expand_dims(shape(x.indices)[0], 0), True)
        merged = sparse_merge(x, SparseTensor(x.indices, found, x.dense_shape), vocab_size, name)
        return sparse_tensor_to_dense(merged, default_value=False, validate_indices=False, name=name)


@public("sparse.mask", "sparse_mask", "compat.v2.sparse.mask")
def sparse_mask(a: IndexedSlices, mask_indices: Any, name: str | None = None) -> IndexedSlices:
    """Slices without those at some indices.

    Args:
      a: an IndexedSlices.
      mask_indices: the indices to leave out, a vector.
      name: name of the values.
    """
    with name_scope(name, "sparse_mask", [a, mask_indices]) as name:
        indices, kept = setdiff1d(a.indices, mask_indices)
        return IndexedSlices(gather(a.values, kept, name=name), indices, a.dense_shape)

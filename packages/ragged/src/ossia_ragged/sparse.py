"""Ragged tensors from sparse ones and back."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.names import dtypes
from ossia_ops.array.selection import where
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import equal, not_equal
from ossia_ops.math.logical import logical_and
from ossia_ops.math.reduction import reduce_all, reduce_any
from ossia_ragged.to_sparse_op import ragged_tensor_to_sparse_op


def from_sparse(
    cls: Any, st_input: Any, name: str | None = None, row_splits_dtype: Any = dtypes.int64
) -> Any:
    """The rows of a sparse matrix, whose entries stand at the start of their rows without a gap.

    Raises:
      TypeError: `st_input` is no SparseTensor.
      ValueError: its rank is not 2.
    """
    kind = dtypes.as_dtype(row_splits_dtype)
    if not isinstance(st_input, SparseTensor):
        raise TypeError(f"Expected SparseTensor, got {type(st_input).__name__}")
    with name_scope(name, "RaggedFromSparse", [st_input.indices, st_input.values, st_input.dense_shape]):
        rank = st_input.shape.ndims or (st_input.indices.shape.as_list() or [None, None])[-1]
        if rank is None:
            raise ValueError("rank(st_input) must be 2")
        if rank != 2:
            raise ValueError("rank(st_input) must be 2")
        places, columns = st_input.indices[:, :-1], st_input.indices[:, -1]
        new_row = reduce_any(not_equal(places[1:], places[:-1]), axis=1)
        joined = where(new_row, equal(columns[1:], 0), equal(columns[1:], columns[:-1] + 1))
        starts_at_zero = equal(columns[:1], 0)
        packed = logical_and(reduce_all(starts_at_zero), reduce_all(joined))
        check = builder("Assert")(
            packed, ["SparseTensor is not right-ragged", "SparseTensor.indices =", st_input.indices])
        with control_dependencies([check]):
            rows = cast(st_input.indices[:, 0], kind)
            return cls.from_value_rowids(st_input.values, rows, nrows=cast(st_input.dense_shape[0], kind),
                                         validate=False)


def to_sparse(self: Any, name: str | None = None) -> SparseTensor:
    """The same as a sparse tensor."""
    with name_scope(name, "RaggedToSparse", [self]):
        return SparseTensor(*ragged_tensor_to_sparse_op(
            list(self.nested_row_splits), self.flat_values, name=name))

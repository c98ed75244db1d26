"""Matrices of zeros, as linear operators."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.shape_rules import constant
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.source import no_op
from ossia_linear_operators.identity import BatchSized, as_sizes
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import zeros
from ossia_ops.array.shape import shape
from ossia_ops.array.stacking import stack


@public("linalg.LinearOperatorZeros", "compat.v2.linalg.LinearOperatorZeros")
class LinearOperatorZeros(BatchSized):
    """Matrices all of whose elements are zero.

    Args:
      num_rows: number of rows, an integer scalar.
      num_columns: number of columns; that of rows if None.
      batch_shape: shape of the batch, a vector of integers.
      dtype: dtype of the matrices, float32 if None.
      is_non_singular: False.
      is_self_adjoint: True, unless the matrices are not square.
      is_positive_definite: False.
      is_square: whether the matrices are square.
      assert_proper_shapes: whether to check sizes when the graph runs, where they are not known before.
      name: the operator's name.

    Raises:
      ValueError: a size is negative or of a wrong rank, sizes and hints contradict one another, or a hint cannot hold.
      TypeError: a size is no integer.
    """

    def __init__(self, num_rows: Any, num_columns: Any = None, batch_shape: Any = None, dtype: Any = None,
                 is_non_singular: bool | None = False, is_self_adjoint: bool | None = True,
                 is_positive_definite: bool | None = False, is_square: bool | None = True,
                 assert_proper_shapes: bool = False, name: str = "LinearOperatorZeros") -> None:
        dtype = dtypes.float32 if dtype is None else dtype
        self._assert_proper_shapes = assert_proper_shapes
        with name_scope(name):
            if not is_self_adjoint and is_square:
                raise ValueError("A zero operator is always self adjoint.")
            if is_non_singular:
                raise ValueError("A zero operator is always singular.")
            if is_positive_definite:
                raise ValueError("A zero operator is always not positive-definite.")
            super().__init__(dtype=dtype, is_non_singular=is_non_singular, is_self_adjoint=is_self_adjoint,
                             is_positive_definite=is_positive_definite, is_square=is_square, name=name)
            self._num_rows = as_sizes(num_rows, "num_rows")
            self._num_rows_static = constant(self._num_rows)
            self._num_columns = as_sizes(num_rows if num_columns is None else num_columns, "num_columns")
            self._num_columns_static = constant(self._num_columns)
            self._num_rows = self._checked_size(self._num_rows, "num_rows", self._num_rows_static,
                                                assert_proper_shapes)
            self._num_columns = self._checked_size(self._num_columns, "num_columns", self._num_columns_static,
                                                   assert_proper_shapes)
            self._take_batch_shape(batch_shape, assert_proper_shapes)
            rows, columns = self._num_rows_static, self._num_columns_static
            if is_square and rows is not None and columns is not None and rows != columns:
                raise ValueError(
                    f"LinearOperatorZeros initialized as is_square=True, but got num_rows({rows}) != "
                    f"num_columns({columns})"
                )

    def _shape(self):
        rows, columns = (None if known is None else int(known)
                         for known in (self._num_rows_static, self._num_columns_static))
        return self._with_batch(TensorShape((rows, columns)))

    def _shape_tensor(self):
        return self._with_batch_tensor(stack((self._num_rows, self._num_columns), axis=0))

    def _assert_non_singular(self):
        raise InvalidArgumentError(None, None, "Zero operators are always non-invertible.")

    def _assert_positive_definite(self):
        raise InvalidArgumentError(None, None, "Zero operators are always non-positive definite.")

    def _assert_self_adjoint(self):
        return no_op("assert_self_adjoint")

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = self._fitting(x)
        if self._is_square_hint:
            if adjoint_arg:
                whole: Any = concat([shape(x)[:-2], [shape(x)[-1], shape(x)[-2]]], axis=0)
            else:
                whole = shape(x)
        else:
            of_x = shape(x)
            rows = self._num_columns if adjoint else self._num_rows
            columns = of_x[-2] if adjoint_arg else of_x[-1]
            whole = concat([of_x[:-2], [rows, columns]], axis=0)
        return self._broadcast(zeros(shape=whole, dtype=x.dtype))

    def _determinant(self):
        return self._for_batch()

    def _trace(self):
        return self._for_batch()

    def _for_batch(self) -> Tensor:
        if self.batch_shape.is_fully_defined():
            return zeros(shape=self.batch_shape, dtype=self.dtype)
        return zeros(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _diag_part(self):
        return self._diag_of(zeros)

    def add_to_tensor(self, mat: Any, name: str = "add_to_tensor") -> Tensor:
        """The tensor itself, of the dtype of the matrices and broadcast to their batch."""
        return self._broadcast(mat)

"""Identity matrices, as linear operators, and what they share with their multiples."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.shape_rules import constant
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies
from ossia_core.primitives.source import no_op
from ossia_linear_operators.batches import turned
from ossia_linear_operators.operator import LinearOperator
from ossia_ops.array.concat import concat
from ossia_ops.array.diagonal import matrix_diag_part, matrix_set_diag
from ossia_ops.array.fill import ones, zeros
from ossia_ops.array.shape import shape
from ossia_ops.array.stacking import stack
from ossia_ops.math.broadcast import broadcast_static_shape
from ossia_ops.math.cast import cast
from ossia_ops.math.reduction import reduce_min


def as_sizes(value: Any, name: str) -> Tensor:
    """Sizes as a tensor; int32 if that does not follow from `value`, as it does not from an empty list."""
    return convert_to_tensor(value, dtype=dtypes.int32 if isinstance(value, (list, tuple)) else None, name=name)


class Sized(LinearOperator):
    """What operators share that are given as sizes: checks of these, and the smaller of the two."""

    _assert_proper_shapes: bool

    def _checked_size(self, size: Any, name: str, known: Any, asserted: bool) -> Any:
        """A number of rows or columns, with assertions that it is one, as far as that is not known.

        Raises:
          TypeError: it is no integer.
          ValueError: it is no scalar, or negative.
        """
        if asserted:
            check = builder("debugging.assert_rank")(size, 0, message=f"Argument {name} must be a 0-D Tensor.")
            positive = builder("debugging.assert_non_negative")(size, message=f"Argument {name} must be non-negative.")
            size = with_dependencies([check, positive], size)
        if not size.dtype.is_integer:
            raise TypeError(f"Argument {name} must be integer type. Found: {size}")
        if known is not None:
            if known.ndim != 0:
                raise ValueError(f"Argument {name} must be a 0-D Tensor. Found: {known}")
            if known < 0:
                raise ValueError(f"Argument {name} must be non-negative. Found: {known}")
        return size

    def _checked_batch(self, batch: Any, known: Any, asserted: bool) -> Any:
        """The shape of a batch, with assertions that it is one, as far as that is not known."""
        if batch is None:
            return None
        if asserted:
            check = builder("debugging.assert_rank")(batch, 1, message="Argument batch_shape must be a 1-D Tensor.")
            positive = builder("debugging.assert_non_negative")(
                batch, message="Argument batch_shape must be non-negative.")
            batch = with_dependencies([check, positive], batch)
        if not batch.dtype.is_integer:
            raise TypeError(f"Argument batch_shape must be integer type. Found: {batch}")
        if known is not None:
            if known.ndim != 1:
                raise ValueError(f"Argument batch_shape must be a 1-D Tensor. Found: {known}")
            if np.any(known < 0):
                raise ValueError(f"Argument batch_shape must be non-negative. Found: {known}")
        return batch

    def _fitting(self, x: Any) -> Any:
        """`x`, with an assertion that its rows are as many as the columns of the operator, if such are asked for."""
        if not self._assert_proper_shapes:
            return x
        message = "Dimensions are not compatible.  shape[-2] of argument to be the same as this operator"
        check = builder("debugging.assert_equal")(shape(x)[-2], self.domain_dimension_tensor(), message=message)
        return with_dependencies([check], x)

    def _smaller_size(self) -> int | None:
        rows, columns = self.range_dimension.value, self.domain_dimension.value
        return None if rows is None or columns is None else min(rows, columns)

    def _smaller_size_tensor(self) -> Tensor:
        return reduce_min(self.shape_tensor()[-2:])

    def _diag_of(self, filled: Any) -> Tensor:
        """A tensor of the shape of the diagonals: `filled` is `ones` or `zeros`."""
        if self.shape.is_fully_defined():
            whole: Any = self.batch_shape.concatenate([self._smaller_size()])
        else:
            whole = concat([self.batch_shape_tensor(), [self._smaller_size_tensor()]], axis=0)
        return filled(whole, dtype=self.dtype)


class BatchSized(Sized):
    """Operators whose batch shape is an argument."""

    _batch_shape_arg: Any
    _batch_shape_static: Any

    def _take_batch_shape(self, batch_shape: Any, asserted: bool) -> None:
        self._batch_shape_arg = self._batch_shape_static = None
        if batch_shape is not None:
            self._batch_shape_arg = as_sizes(batch_shape, "batch_shape_arg")
            self._batch_shape_static = constant(self._batch_shape_arg)
            self._batch_shape_arg = self._checked_batch(self._batch_shape_arg, self._batch_shape_static, asserted)

    def _with_batch(self, matrix: TensorShape) -> TensorShape:
        if self._batch_shape_arg is None:
            return matrix
        if self._batch_shape_static is None:
            rank = self._batch_shape_arg.shape[0].value if self._batch_shape_arg.shape.ndims == 1 else None
            batch = TensorShape(None) if rank is None else TensorShape([None] * rank)
        else:
            batch = TensorShape(tuple(int(size) for size in self._batch_shape_static))
        return batch.concatenate(matrix)

    def _with_batch_tensor(self, matrix: Any) -> Any:
        return matrix if self._batch_shape_arg is None else concat((self._batch_shape_arg, matrix), 0)

    def _broadcast(self, x: Any) -> Any:
        """`x` broadcast to the batch shape of the operator."""
        if self._batch_shape_arg is None:
            return x
        own: Any = self.batch_shape.concatenate([1, 1])
        both = broadcast_static_shape(x.shape, own)
        if own.is_fully_defined():
            if both == x.shape:
                return x
        else:
            own = concat((self.batch_shape_tensor(), [1, 1]), 0)
        return x + zeros(shape=own, dtype=self.dtype)


@public("linalg.LinearOperatorIdentity", "compat.v2.linalg.LinearOperatorIdentity")
class LinearOperatorIdentity(BatchSized):
    """Identity matrices.

    Args:
      num_rows: number of rows and columns, an integer scalar.
      batch_shape: shape of the batch, a vector of integers; without it operator and argument need not be of the same
        batch shape, and no broadcasting is done.
      dtype: dtype of the matrices, float32 if None.
      is_non_singular: True.
      is_self_adjoint: True.
      is_positive_definite: True.
      is_square: True.
      assert_proper_shapes: whether to check sizes when the graph runs, where they are not known before.
      name: the operator's name.

    Raises:
      ValueError: a size is negative or of a wrong rank, or a hint is not True.
      TypeError: a size is no integer.
    """

    def __init__(self, num_rows: Any, batch_shape: Any = None, dtype: Any = None, is_non_singular: bool | None = True,
                 is_self_adjoint: bool | None = True, is_positive_definite: bool | None = True,
                 is_square: bool | None = True, assert_proper_shapes: bool = False,
                 name: str = "LinearOperatorIdentity") -> None:
        dtype = dtypes.float32 if dtype is None else dtype
        self._assert_proper_shapes = assert_proper_shapes
        with name_scope(name):
            if not is_self_adjoint:
                raise ValueError("An identity operator is always self adjoint.")
            if not is_non_singular:
                raise ValueError("An identity operator is always non-singular.")
            if not is_positive_definite:
                raise ValueError("An identity operator is always positive-definite.")
            if not is_square:
                raise ValueError("An identity operator is always square.")
            super().__init__(dtype=dtype, is_non_singular=is_non_singular, is_self_adjoint=is_self_adjoint,
                             is_positive_definite=is_positive_definite, is_square=is_square, name=name)
            self._num_rows = as_sizes(num_rows, "num_rows")
            self._num_rows_static = constant(self._num_rows)
            self._num_rows = self._checked_size(self._num_rows, "num_rows", self._num_rows_static,
                                                assert_proper_shapes)
            self._take_batch_shape(batch_shape, assert_proper_shapes)

    def _shape(self):
        rows = None if self._num_rows_static is None else int(self._num_rows_static)
        return self._with_batch(TensorShape((rows, rows)))

    def _shape_tensor(self):
        return self._with_batch_tensor(stack((self._num_rows, self._num_rows), axis=0))

    def _assert_non_singular(self):
        return no_op("assert_non_singular")

    def _assert_positive_definite(self):
        return no_op("assert_positive_definite")

    def _assert_self_adjoint(self):
        return no_op("assert_self_adjoint")

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._broadcast(self._fitting(turned(x, adjoint_arg)))

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._matmul(rhs, adjoint_arg=adjoint_arg)

    def _determinant(self):
        return ones(self.batch_shape_tensor(), dtype=self.dtype)

    def _log_abs_determinant(self):
        return zeros(self.batch_shape_tensor(), dtype=self.dtype)

    def _trace(self):
        if self.batch_shape.is_fully_defined():
            units = ones(self.batch_shape, dtype=self.dtype)
        else:
            units = ones(self.batch_shape_tensor(), dtype=self.dtype)
        size = self._smaller_size()
        return (cast(self._smaller_size_tensor(), self.dtype) if size is None else float(size)) * units

    def _diag_part(self):
        return self._diag_of(ones)

    def add_to_tensor(self, mat: Any, name: str = "add_to_tensor") -> Tensor:
        """The sum of the matrices and a tensor of their dtype and a shape that broadcasts with theirs."""
        with self._scope(name):
            mat = convert_to_tensor(mat, name="mat")
            return matrix_set_diag(mat, 1.0 + matrix_diag_part(mat))

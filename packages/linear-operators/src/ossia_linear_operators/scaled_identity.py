"""Multiples of identity matrices, as linear operators."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.declare.shape_rules import constant
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_linear_operators.batches import as_parameter, turned
from ossia_linear_operators.identity import Sized, as_sizes
from ossia_ops.array.concat import concat
from ossia_ops.array.diagonal import matrix_diag_part, matrix_set_diag
from ossia_ops.array.fill import ones, zeros_like
from ossia_ops.array.shape import expand_dims, shape
from ossia_ops.array.stacking import stack
from ossia_ops.math.cast import cast
from ossia_ops.math.complex_numbers import conj, imag, real
from ossia_ops.math.elementwise import abs as absolute
from ossia_ops.math.exponential import log


@public("linalg.LinearOperatorScaledIdentity", "compat.v2.linalg.LinearOperatorScaledIdentity")
class LinearOperatorScaledIdentity(Sized):
    """Identity matrices, each times a number.

    Args:
      num_rows: number of rows and columns, an integer scalar.
      multiplier: the numbers, a floating or complex tensor of the batch shape.
      is_non_singular: whether no number is zero.
      is_self_adjoint: whether all numbers are real; True for real dtypes.
      is_positive_definite: whether all real parts are positive.
      is_square: True.
      assert_proper_shapes: whether to check `num_rows` when the graph runs, where it is not known before.
      name: the operator's name.

    Raises:
      ValueError: `num_rows` is negative or no scalar, or `is_square` is not True.
      TypeError: `num_rows` is no integer.
    """

    def __init__(self, num_rows: Any, multiplier: Any, is_non_singular: bool | None = None,
                 is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
                 is_square: bool | None = True, assert_proper_shapes: bool = False,
                 name: str = "LinearOperatorScaledIdentity") -> None:
        self._assert_proper_shapes = assert_proper_shapes
        with name_scope(name, values=[multiplier, num_rows]):
            self._multiplier = as_parameter(multiplier, "multiplier")
            if not self._multiplier.dtype.is_complex:
                if is_self_adjoint is False:
                    raise ValueError("A real diagonal operator is always self adjoint.")
                is_self_adjoint = True
            if not is_square:
                raise ValueError("A ScaledIdentity operator is always square.")
            super().__init__(dtype=self._multiplier.dtype, is_non_singular=is_non_singular,
                             is_self_adjoint=is_self_adjoint, is_positive_definite=is_positive_definite,
                             is_square=is_square, name=name)
            self._num_rows = as_sizes(num_rows, "num_rows")
            self._num_rows_static = constant(self._num_rows)
            self._num_rows = self._checked_size(self._num_rows, "num_rows", self._num_rows_static,
                                                assert_proper_shapes)
            self._num_rows_cast_to_dtype = cast(self._num_rows, self.dtype)
            self._num_rows_cast_to_real_dtype = cast(self._num_rows, self.dtype.real_dtype)

    @property
    def multiplier(self) -> Any:
        """The numbers, of the batch shape."""
        return self._multiplier

    def _shape(self):
        rows = None if self._num_rows_static is None else int(self._num_rows_static)
        return self.multiplier.shape.concatenate(TensorShape((rows, rows)))

    def _shape_tensor(self):
        matrix = stack((self._num_rows, self._num_rows), axis=0)
        return concat((shape(self.multiplier), matrix), 0)

    def _assert_non_singular(self):
        return builder("debugging.assert_positive")(absolute(self.multiplier),
                                                    message="LinearOperator was singular")

    def _assert_positive_definite(self):
        return builder("debugging.assert_positive")(real(self.multiplier),
                                                    message="LinearOperator was not positive definite.")

    def _assert_self_adjoint(self):
        imaginary = imag(self.multiplier)
        return builder("debugging.assert_equal")(zeros_like(imaginary), imaginary,
                                                 message="LinearOperator was not self-adjoint")

    def _matrices(self, adjoint: bool) -> Tensor:
        """The numbers, with two more dimensions."""
        factors = expand_dims(expand_dims(self.multiplier, -1), -1)
        return conj(factors) if adjoint else factors

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = self._fitting(turned(x, adjoint_arg))
        return x * self._matrices(adjoint)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        rhs = self._fitting(turned(rhs, adjoint_arg))
        return rhs / self._matrices(adjoint)

    def _determinant(self):
        return self.multiplier ** self._num_rows_cast_to_dtype

    def _log_abs_determinant(self):
        return self._num_rows_cast_to_real_dtype * log(absolute(self.multiplier))

    def _trace(self):
        if self.batch_shape.is_fully_defined():
            units = ones(self.batch_shape, dtype=self.dtype)
        else:
            units = ones(self.batch_shape_tensor(), dtype=self.dtype)
        size = self._smaller_size()
        return self.multiplier * (cast(self._smaller_size_tensor(), self.dtype) if size is None else size) * units

    def _diag_part(self):
        return self._diag_of(ones) * self.multiplier[..., None]

    def add_to_tensor(self, mat: Any, name: str = "add_to_tensor") -> Tensor:
        """The sum of the matrices and a tensor of their dtype and a shape that broadcasts with theirs."""
        with self._scope(name):
            factors = expand_dims(self.multiplier, -1)
            mat = convert_to_tensor(mat, name="mat")
            return matrix_set_diag(mat, factors + matrix_diag_part(mat))

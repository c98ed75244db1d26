"""Reflections at hyperplanes, as linear operators."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_core.primitives.source import no_op
from ossia_linear_operators.batches import as_parameter, turned
from ossia_linear_operators.operator import LinearOperator
from ossia_ops.array.concat import concat
from ossia_ops.array.diagonal import matrix_diag_part, matrix_set_diag
from ossia_ops.array.fill import ones, zeros
from ossia_ops.array.shape import shape
from ossia_ops.linalg.matmul import matmul
from ossia_ops.linalg.norms import norm
from ossia_ops.math.cast import cast
from ossia_ops.math.complex_numbers import conj


@public("linalg.LinearOperatorHouseholder", "compat.v2.linalg.LinearOperatorHouseholder")
class LinearOperatorHouseholder(LinearOperator):
    """The reflections `I - 2 v v^H / |v|^2` at the hyperplanes that are orthogonal to vectors `v`.

    Args:
      reflection_axis: the vectors, a floating or complex tensor of shape [..., n].
      is_non_singular: True or None.
      is_self_adjoint: True or None.
      is_positive_definite: False or None.
      is_square: True or None.
      name: the operator's name.

    Raises:
      ValueError: `reflection_axis` is a scalar, or a hint cannot hold.
    """

    def __init__(self, reflection_axis: Any, is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
                 is_positive_definite: bool | None = None, is_square: bool | None = None,
                 name: str = "LinearOperatorHouseholder") -> None:
        with name_scope(name, values=[reflection_axis]):
            self._reflection_axis = as_parameter(reflection_axis, "reflection_axis")
            dims = self._reflection_axis.shape
            if dims.ndims is not None and dims.ndims < 1:
                raise ValueError("Argument reflection_axis must have at least 1 dimension. "
                                 f"Found: {self._reflection_axis}")
            if is_self_adjoint is False:
                raise ValueError("A Householder operator is always self adjoint.")
            if is_positive_definite is True:
                raise ValueError("A Householder operator is always non-positive definite.")
            if is_square is False:
                raise ValueError("A Householder operator is always square.")
            super().__init__(dtype=self._reflection_axis.dtype, graph_parents=[self._reflection_axis],
                             is_non_singular=is_non_singular, is_self_adjoint=True, is_positive_definite=False,
                             is_square=True, name=name)

    @property
    def reflection_axis(self) -> Any:
        """The vectors, of shape [..., n]."""
        return self._reflection_axis

    def _shape(self):
        dims = self._reflection_axis.shape
        return dims.concatenate(dims[-1:])

    def _shape_tensor(self):
        whole = shape(self._reflection_axis)
        return concat((whole, [whole[-1]]), axis=0)

    def _assert_non_singular(self):
        return no_op("assert_non_singular")

    def _assert_positive_definite(self):
        raise InvalidArgumentError(None, None, "Householder operators are always non-positive definite.")

    def _assert_self_adjoint(self):
        return no_op("assert_self_adjoint")

    def _unit(self, axis: Any) -> Tensor:
        return axis / norm(axis, axis=-1, keepdims=True)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        # A reflection takes twice the part along the axis away.
        x = turned(x, adjoint_arg)
        axis = self._unit(convert_to_tensor(self.reflection_axis))[..., None]
        along = matmul(axis, x, adjoint_a=True)
        return x - 2.0 * axis * along

    def _trace(self):
        # All eigenvalues are 1, but for one that is -1.
        return cast(self.domain_dimension_tensor() - 2, self.dtype) * ones(
            shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _determinant(self):
        return -ones(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _log_abs_determinant(self):
        return zeros(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._matmul(rhs, adjoint, adjoint_arg)

    def _to_dense(self):
        axis = self._unit(self.reflection_axis)[..., None]
        reflection = -2 * matmul(axis, axis, adjoint_b=True)
        return matrix_set_diag(reflection, 1.0 + matrix_diag_part(reflection))

    def _diag_part(self):
        axis = self._unit(convert_to_tensor(self.reflection_axis))
        return 1.0 - 2 * axis * conj(axis)

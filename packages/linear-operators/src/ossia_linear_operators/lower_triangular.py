"""Lower triangular matrices, as linear operators."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.scopes import name_scope
from ossia_core.plugins.api_table import public
from ossia_linear_operators.assertions import no_zeros
from ossia_linear_operators.batches import as_parameter, triangular_solve_broadcast, turned
from ossia_linear_operators.operator import LinearOperator
from ossia_ops.array.diagonal import matrix_band_part, matrix_diag_part
from ossia_ops.array.shape import shape
from ossia_ops.linalg.matmul import matmul
from ossia_ops.math.elementwise import abs as absolute
from ossia_ops.math.exponential import log
from ossia_ops.math.reduction import reduce_prod, reduce_sum


@public("linalg.LinearOperatorLowerTriangular", "compat.v2.linalg.LinearOperatorLowerTriangular")
class LinearOperatorLowerTriangular(LinearOperator):
    """Square matrices that are zero above the diagonal.

    Args:
      tril: a floating or complex tensor of shape [..., n, n], of which only the lower triangles are read.
      is_non_singular: whether no element of the diagonals is zero.
      is_self_adjoint: whether the matrices equal their adjoints, being diagonal and real.
      is_positive_definite: whether they are positive definite.
      is_square: True or None.
      name: the operator's name.

    Raises:
      ValueError: `tril` has fewer than two dimensions, or `is_square` is False.
    """

    def __init__(self, tril: Any, is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
                 is_positive_definite: bool | None = None, is_square: bool | None = None,
                 name: str = "LinearOperatorLowerTriangular") -> None:
        if is_square is False:
            raise ValueError("Only square lower triangular operators supported at this time.")
        with name_scope(name, values=[tril]):
            self._tril = as_parameter(tril, "tril")
            if self._tril.shape.ndims is not None and self._tril.shape.ndims < 2:
                raise ValueError(f"Argument tril must have at least 2 dimensions. Found: {self._tril}")
            super().__init__(dtype=self._tril.dtype, graph_parents=[self._tril], is_non_singular=is_non_singular,
                             is_self_adjoint=is_self_adjoint, is_positive_definite=is_positive_definite,
                             is_square=True, name=name)

    def _lower(self) -> Any:
        return matrix_band_part(self._tril, -1, 0)

    def _shape(self):
        return self._tril.shape

    def _shape_tensor(self):
        return shape(self._tril)

    def _assert_non_singular(self):
        return no_zeros(matrix_diag_part(self._tril), "Singular operator:  Diagonal contained zero values.")

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return matmul(self._lower(), x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _determinant(self):
        return reduce_prod(matrix_diag_part(self._tril), axis=[-1])

    def _log_abs_determinant(self):
        return reduce_sum(log(absolute(matrix_diag_part(self._tril))), axis=[-1])

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        rhs = turned(rhs, adjoint_arg)
        return triangular_solve_broadcast(self._lower(), rhs, lower=True, adjoint=adjoint)

    def _to_dense(self):
        return self._lower()

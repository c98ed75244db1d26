"""Diagonal matrices, as linear operators."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.scopes import name_scope
from ossia_core.plugins.api_table import public
from ossia_linear_operators.assertions import no_imaginary_parts, no_zeros
from ossia_linear_operators.batches import as_parameter, turned
from ossia_linear_operators.operator import LinearOperator
from ossia_ops.array.concat import concat
from ossia_ops.array.diagonal import matrix_diag, matrix_diag_part, matrix_set_diag
from ossia_ops.array.shape import expand_dims, shape
from ossia_ops.math.cast import cast
from ossia_ops.math.complex_numbers import conj, real
from ossia_ops.math.elementwise import abs as absolute
from ossia_ops.math.exponential import log
from ossia_ops.math.reduction import reduce_prod, reduce_sum


@public("linalg.LinearOperatorDiag", "compat.v2.linalg.LinearOperatorDiag")
class LinearOperatorDiag(LinearOperator):
    """Square matrices that are zero outside the diagonal.

    Args:
      diag: the diagonals, a floating or complex tensor of shape [..., n].
      is_non_singular: whether no element is zero.
      is_self_adjoint: whether all elements are real; True for real dtypes.
      is_positive_definite: whether all real parts are positive.
      is_square: True or None.
      name: the operator's name.

    Raises:
      ValueError: `diag` is a scalar, or a hint cannot hold.
    """

    def __init__(self, diag: Any, is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
                 is_positive_definite: bool | None = None, is_square: bool | None = None,
                 name: str = "LinearOperatorDiag") -> None:
        with name_scope(name, values=[diag]):
            self._diag = as_parameter(diag, "diag")
            if self._diag.shape.ndims is not None and self._diag.shape.ndims < 1:
                raise ValueError(f"Argument diag must have at least 1 dimension. Found: {self._diag}")
            if not self._diag.dtype.is_complex:
                if is_self_adjoint is False:
                    raise ValueError("A real diagonal operator is always self adjoint.")
                is_self_adjoint = True
            if is_square is False:
                raise ValueError("Only square diagonal operators currently supported.")
            super().__init__(dtype=self._diag.dtype, graph_parents=[self._diag], is_non_singular=is_non_singular,
                             is_self_adjoint=is_self_adjoint, is_positive_definite=is_positive_definite,
                             is_square=True, name=name)

    @property
    def diag(self) -> Any:
        """The diagonals, of shape [..., n]."""
        return self._diag

    def _shape(self):
        dims = self._diag.shape
        return dims.concatenate(dims[-1:])

    def _shape_tensor(self):
        whole = shape(self._diag)
        return concat((whole, [whole[-1]]), axis=0)

    def _assert_non_singular(self):
        return no_zeros(self._diag, "Singular operator:  Diagonal contained zero values.")

    def _assert_positive_definite(self):
        if self.dtype.is_complex:
            message = ("Diagonal operator had diagonal entries with non-positive real part, thus was not positive "
                       "definite.")
        else:
            message = "Real diagonal operator had non-positive diagonal entries, thus was not positive definite."
        return builder("debugging.assert_positive")(real(self._diag), message=message)

    def _assert_self_adjoint(self):
        return no_imaginary_parts(self._diag, "This diagonal operator contained non-zero imaginary values.  Thus it "
                                              "was not self-adjoint.")

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        diag = conj(self._diag) if adjoint else self._diag
        x = turned(x, adjoint_arg)
        return expand_dims(diag, -1) * x

    def _matvec(self, x, adjoint=False):
        return (conj(self._diag) if adjoint else self._diag) * x

    def _determinant(self):
        return reduce_prod(self._diag, axis=[-1])

    def _log_abs_determinant(self):
        total = reduce_sum(log(absolute(self._diag)), axis=[-1])
        return cast(total, dtype=self.dtype) if self.dtype.is_complex else total

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        diag = conj(self._diag) if adjoint else self._diag
        rhs = turned(rhs, adjoint_arg)
        inverse = expand_dims(1.0 / diag, -1)
        return rhs * inverse

    def _to_dense(self):
        return matrix_diag(self._diag)

    def _diag_part(self):
        return self.diag

    def _add_to_tensor(self, x):
        own = matrix_diag_part(x)
        return matrix_set_diag(x, self._diag + own)

"""The adjoints of linear operators, as linear operators."""
from __future__ import annotations

from ossia_core.graph.scopes import name_scope
from ossia_core.plugins.api_table import public
from ossia_linear_operators.hints import agreed
from ossia_linear_operators.operator import LinearOperator
from ossia_ops.array.concat import concat
from ossia_ops.array.transposition import adjoint as adjoint_of
from ossia_ops.math.complex_numbers import conj


@public("linalg.LinearOperatorAdjoint", "compat.v2.linalg.LinearOperatorAdjoint")
class LinearOperatorAdjoint(LinearOperator):
    """The adjoint of a linear operator: its matrices transposed and conjugated.

    Args:
      operator: a LinearOperator.
      is_non_singular: whether the matrices are invertible; what is known of `operator` if None, as for the others.
      is_self_adjoint: whether they equal their adjoints.
      is_positive_definite: whether they are positive definite.
      is_square: whether they are square.
      name: the operator's name; that of `operator` and `_adjoint` if None.

    Raises:
      ValueError: a hint contradicts what is known of `operator`.
    """

    def __init__(self, operator: LinearOperator, is_non_singular: bool | None = None,
                 is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
                 is_square: bool | None = None, name: str | None = None) -> None:
        self._operator = operator
        known = agreed(operator, "adjoint", is_square=is_square, is_non_singular=is_non_singular,
                       is_self_adjoint=is_self_adjoint, is_positive_definite=is_positive_definite)
        name = operator.name + "_adjoint" if name is None else name
        with name_scope(name, values=operator.graph_parents):
            super().__init__(dtype=operator.dtype, graph_parents=operator.graph_parents, name=name, **known)

    @property
    def operator(self) -> LinearOperator:
        """The operator whose adjoint this is."""
        return self._operator

    def _assert_non_singular(self):
        return self.operator.assert_non_singular()

    def _assert_positive_definite(self):
        return self.operator.assert_positive_definite()

    def _assert_self_adjoint(self):
        return self.operator.assert_self_adjoint()

    def _shape(self):
        dims = self.operator.shape
        if dims.ndims is None:
            return dims
        return dims[:-2].concatenate([dims[-1], dims[-2]])

    def _shape_tensor(self):
        whole = self.operator.shape_tensor()
        return concat([whole[:-2], [whole[-1], whole[-2]]], axis=-1)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self.operator.matmul(x, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _matvec(self, x, adjoint=False):
        return self.operator.matvec(x, adjoint=not adjoint)

    def _determinant(self):
        determinant = self.operator.determinant()
        return conj(determinant) if self.is_self_adjoint is not True else determinant

    def _log_abs_determinant(self):
        return self.operator.log_abs_determinant()

    def _trace(self):
        trace = self.operator.trace()
        return conj(trace) if self.is_self_adjoint is not True else trace

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self.operator.solve(rhs, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _solvevec(self, rhs, adjoint=False):
        return self.operator.solvevec(rhs, adjoint=not adjoint)

    def _to_dense(self):
        dense = self.operator.to_dense()
        return dense if self.is_self_adjoint is True else adjoint_of(dense)

    def _add_to_tensor(self, x):
        return self.to_dense() + x

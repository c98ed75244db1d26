"""The inverses of linear operators, as linear operators."""
from __future__ import annotations

from ossia_core.graph.scopes import name_scope
from ossia_core.plugins.api_table import public
from ossia_linear_operators.hints import agreed
from ossia_linear_operators.operator import LinearOperator


@public("linalg.LinearOperatorInversion", "compat.v2.linalg.LinearOperatorInversion")
class LinearOperatorInversion(LinearOperator):
    """The inverse of a linear operator: it is multiplied with by solving.

    Args:
      operator: a LinearOperator, square and not known to be singular.
      is_non_singular: True or None.
      is_self_adjoint: whether the matrices equal their adjoints; what is known of `operator` if None.
      is_positive_definite: whether they are positive definite; what is known of `operator` if None.
      is_square: True or None.
      name: the operator's name; that of `operator` and `_inv` if None.

    Raises:
      ValueError: `operator` is singular, or a hint contradicts what is known of it.
    """

    def __init__(self, operator: LinearOperator, is_non_singular: bool | None = None,
                 is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
                 is_square: bool | None = None, name: str | None = None) -> None:
        self._operator = operator
        for hint, given in (("is_non_singular", is_non_singular), ("is_square", is_square)):
            known = getattr(operator, hint)
            if given is False or known is False:
                raise ValueError(
                    f"operator and supplied hints must have `{hint}` equal to `True` or `None`.  Found {known}, {given}"
                )
        hints = agreed(operator, "inverse", is_square=is_square, is_non_singular=is_non_singular,
                       is_self_adjoint=is_self_adjoint, is_positive_definite=is_positive_definite)
        name = operator.name + "_inv" if name is None else name
        with name_scope(name, values=operator.graph_parents):
            super().__init__(dtype=operator.dtype, graph_parents=operator.graph_parents, name=name, **hints)

    @property
    def operator(self) -> LinearOperator:
        """The operator whose inverse this is."""
        return self._operator

    def _assert_non_singular(self):
        return self.operator.assert_non_singular()

    def _assert_positive_definite(self):
        return self.operator.assert_positive_definite()

    def _assert_self_adjoint(self):
        return self.operator.assert_self_adjoint()

    def _shape(self):
        return self.operator.shape

    def _shape_tensor(self):
        return self.operator.shape_tensor()

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self.operator.solve(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _determinant(self):
        return 1.0 / self.operator.determinant()

    def _log_abs_determinant(self):
        return -1.0 * self.operator.log_abs_determinant()

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self.operator.matmul(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

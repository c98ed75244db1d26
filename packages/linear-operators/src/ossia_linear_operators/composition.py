"""Products of linear operators, applied one after the other, as linear operators."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.scopes import name_scope
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_linear_operators.hints import all_known, checked_operators, parents
from ossia_linear_operators.operator import LinearOperator
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import zeros
from ossia_ops.array.shape import shape
from ossia_ops.array.stacking import stack
from ossia_ops.math.broadcast import broadcast_static_shape


@public("linalg.LinearOperatorComposition", "compat.v2.linalg.LinearOperatorComposition")
class LinearOperatorComposition(LinearOperator):
    """The product of linear operators, the last of which is applied first.

    Args:
      operators: LinearOperators of one dtype whose sizes fit.
      is_non_singular: whether the matrices are invertible; True if all operators are.
      is_self_adjoint: whether they equal their adjoints.
      is_positive_definite: whether they are positive definite.
      is_square: whether they are square.
      name: the operator's name; those of the operators, joined by `_o_`, if None.

    Raises:
      ValueError: there are no operators, sizes do not fit, or a hint contradicts what is known.
      TypeError: dtypes differ.
    """

    def __init__(self, operators: Any, is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
                 is_positive_definite: bool | None = None, is_square: bool | None = None,
                 name: str | None = None) -> None:
        self._operators = checked_operators(operators)
        is_non_singular = all_known(self._operators, "is_non_singular", is_non_singular)
        name = "_o_".join(operator.name for operator in self._operators) if name is None else name
        tensors = parents(self._operators)
        with name_scope(name, values=tensors):
            super().__init__(dtype=self._operators[0].dtype, graph_parents=tensors, is_non_singular=is_non_singular,
                             is_self_adjoint=is_self_adjoint, is_positive_definite=is_positive_definite,
                             is_square=is_square, name=name)

    @property
    def operators(self) -> list[Any]:
        """The factors, in their order."""
        return self._operators

    def _shape(self):
        inner = self.operators[0].domain_dimension
        for operator in self.operators[1:]:
            inner.assert_is_compatible_with(operator.range_dimension)
            inner = operator.domain_dimension
        matrix = TensorShape([self.operators[0].range_dimension, self.operators[-1].domain_dimension])
        batch = self.operators[0].batch_shape
        for operator in self.operators[1:]:
            batch = broadcast_static_shape(batch, operator.batch_shape)
        return batch.concatenate(matrix)

    def _shape_tensor(self):
        matrix = stack([self.operators[0].range_dimension_tensor(), self.operators[-1].domain_dimension_tensor()])
        # A sum of zeros of all batch shapes has the shape that they broadcast to.
        whole = zeros(shape=self.operators[0].batch_shape_tensor())
        for operator in self.operators[1:]:
            whole += zeros(shape=operator.batch_shape_tensor())
        return concat((shape(whole), matrix), 0)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        order = list(self.operators) if adjoint else list(reversed(self.operators))
        result = order[0].matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for operator in order[1:]:
            result = operator.matmul(result, adjoint=adjoint)
        return result

    def _determinant(self):
        result = self.operators[0].determinant()
        for operator in self.operators[1:]:
            result *= operator.determinant()
        return result

    def _log_abs_determinant(self):
        result = self.operators[0].log_abs_determinant()
        for operator in self.operators[1:]:
            result += operator.log_abs_determinant()
        return result

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        order = list(reversed(self.operators)) if adjoint else list(self.operators)
        result = order[0].solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for operator in order[1:]:
            result = operator.solve(result, adjoint=adjoint)
        return result

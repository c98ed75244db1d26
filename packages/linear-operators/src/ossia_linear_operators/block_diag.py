"""Linear operators beside one another on the diagonal, as linear operators."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.scopes import name_scope
from ossia_core.names.shapes import Dimension, TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import group
from ossia_linear_operators.batches import broadcast_batches
from ossia_linear_operators.hints import all_known, checked_operators, parents
from ossia_linear_operators.operator import LinearOperator
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import zeros
from ossia_ops.array.shape import shape, squeeze
from ossia_ops.array.split import split
from ossia_ops.array.stacking import stack
from ossia_ops.math.broadcast import broadcast_static_shape


@public("linalg.LinearOperatorBlockDiag", "compat.v2.linalg.LinearOperatorBlockDiag")
class LinearOperatorBlockDiag(LinearOperator):
    """Square matrices that have the matrices of other operators on their diagonals, and zeros elsewhere.

    Args:
      operators: square LinearOperators of one dtype.
      is_non_singular: whether the matrices are invertible; True if all operators are.
      is_self_adjoint: whether they equal their adjoints; True if all operators do.
      is_positive_definite: whether they are positive definite; True if all operators are.
      is_square: True.
      name: the operator's name; those of the operators, joined by `_ds_`, if None.

    Raises:
      ValueError: there are no operators, one is not square, or a hint contradicts what is known.
      TypeError: dtypes differ.
    """

    def __init__(self, operators: Any, is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
                 is_positive_definite: bool | None = None, is_square: bool | None = True,
                 name: str | None = None) -> None:
        self._operators = checked_operators(operators)
        is_non_singular = all_known(self._operators, "is_non_singular", is_non_singular)
        is_self_adjoint = all_known(self._operators, "is_self_adjoint", is_self_adjoint)
        is_positive_definite = all_known(self._operators, "is_positive_definite", is_positive_definite)
        if not (is_square and all(operator.is_square for operator in self._operators)):
            raise ValueError("Can only represent a block diagonal of square matrices.")
        name = "_ds_".join(operator.name for operator in self._operators) if name is None else name
        tensors = parents(self._operators)
        with name_scope(name, values=tensors):
            super().__init__(dtype=self._operators[0].dtype, graph_parents=tensors, is_non_singular=is_non_singular,
                             is_self_adjoint=is_self_adjoint, is_positive_definite=is_positive_definite,
                             is_square=True, name=name)

    @property
    def operators(self) -> list[Any]:
        """The operators on the diagonal."""
        return self._operators

    def _shape(self):
        columns = sum((operator.domain_dimension for operator in self.operators), Dimension(0))
        rows = sum((operator.range_dimension for operator in self.operators), Dimension(0))
        batch = self.operators[0].batch_shape
        for operator in self.operators[1:]:
            batch = broadcast_static_shape(batch, operator.batch_shape)
        return batch.concatenate(TensorShape([rows, columns]))

    def _shape_tensor(self):
        columns = self.operators[0].domain_dimension_tensor()
        rows = self.operators[0].range_dimension_tensor()
        for operator in self.operators[1:]:
            columns += operator.domain_dimension_tensor()
            rows += operator.range_dimension_tensor()
        matrix = stack([columns, rows])
        whole = zeros(shape=self.operators[0].batch_shape_tensor())
        for operator in self.operators[1:]:
            whole += zeros(shape=operator.batch_shape_tensor())
        return concat((shape(whole), matrix), 0)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        blocks = self._split(x, -1 if adjoint_arg else -2)
        results = [operator.matmul(block, adjoint=adjoint, adjoint_arg=adjoint_arg)
                   for operator, block in zip(self.operators, blocks, strict=True)]
        return concat(broadcast_batches(results), axis=-2)

    def _split(self, x: Any, axis: int) -> list[Any]:
        """`x` cut into the parts that belong to the operators."""
        dimensions = [operator.domain_dimension.value for operator in self.operators]
        if None in dimensions:
            return split(x, [operator.domain_dimension_tensor() for operator in self.operators], axis=axis)
        return split(x, dimensions, axis=axis)

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
        blocks = self._split(rhs, -1 if adjoint_arg else -2)
        results = [operator.solve(block, adjoint=adjoint, adjoint_arg=adjoint_arg)
                   for operator, block in zip(self.operators, blocks, strict=True)]
        return concat(broadcast_batches(results), axis=-2)

    def _diag_part(self):
        # As columns, so that batches broadcast.
        parts = [operator.diag_part()[..., None] for operator in self.operators]
        return squeeze(concat(broadcast_batches(parts), axis=-2), axis=-1)

    def _trace(self):
        result = self.operators[0].trace()
        for operator in self.operators[1:]:
            result += operator.trace()
        return result

    def _to_dense(self):
        columns: Any = 0
        rows = []
        for block in broadcast_batches([operator.to_dense() for operator in self.operators]):
            leading = shape(block)[:-1]
            left = zeros(shape=concat([leading, [columns]], axis=-1), dtype=block.dtype)
            columns += shape(block)[-1]
            right_columns = self.domain_dimension_tensor() - columns
            right = zeros(shape=concat([leading, [right_columns]], axis=-1), dtype=block.dtype)
            rows.append(concat([left, block, right], axis=-1))
        return concat(rows, axis=-2)

    def _assert_non_singular(self):
        return group([operator.assert_non_singular() for operator in self.operators])

    def _assert_self_adjoint(self):
        return group([operator.assert_self_adjoint() for operator in self.operators])

    def _assert_positive_definite(self):
        return group([operator.assert_positive_definite() for operator in self.operators])

"""Kronecker products of linear operators, as linear operators."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import group
from ossia_linear_operators.batches import turned
from ossia_linear_operators.hints import all_known, checked_operators, parents
from ossia_linear_operators.operator import LinearOperator
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones_like, zeros
from ossia_ops.array.shape import rank, reshape, shape
from ossia_ops.array.transposition import matrix_transpose, transpose
from ossia_ops.math.broadcast import broadcast_dynamic_shape, broadcast_static_shape
from ossia_ops.math.cast import cast
from ossia_ops.math.sequence import range as sequence


def _last_first(x: Tensor) -> Tensor:
    """`x` with its last dimension moved to the front."""
    dimensions = rank(x)
    return transpose(x, concat([[dimensions - 1], sequence(0, dimensions - 1)], axis=0))


def _first_last(x: Tensor) -> Tensor:
    """`x` with its first dimension moved to the end."""
    dimensions = rank(x)
    return transpose(x, concat([sequence(1, dimensions), [0]], axis=0))


def _columns_joined(x: Tensor) -> Tensor:
    """The columns of the matrices one after the other, in one vector."""
    columns = matrix_transpose(x)
    return reshape(columns, concat([shape(x)[:-2], [-1]], axis=0))


def _columns_apart(x: Tensor, count: Any) -> Tensor:
    """The vectors cut into `count` columns of a matrix."""
    whole = reshape(x, concat([shape(x)[:-1], [count, -1]], axis=0))
    return matrix_transpose(whole)


@public("linalg.LinearOperatorKronecker", "compat.v2.linalg.LinearOperatorKronecker")
class LinearOperatorKronecker(LinearOperator):
    """The Kronecker product of linear operators: block matrices, the blocks being multiples of the next operator.

    Args:
      operators: LinearOperators of one dtype.
      is_non_singular: whether the matrices are invertible; True if all operators are.
      is_self_adjoint: whether they equal their adjoints; True if all operators do.
      is_positive_definite: whether they are positive definite; True if all operators are.
      is_square: whether they are square.
      name: the operator's name; those of the operators, joined by `_x_`, if None.

    Raises:
      ValueError: there are no operators, or a hint contradicts what is known.
      TypeError: dtypes differ.
    """

    def __init__(self, operators: Any, is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
                 is_positive_definite: bool | None = None, is_square: bool | None = None,
                 name: str | None = None) -> None:
        self._operators = checked_operators(operators, "a list of >=1 operators")
        is_non_singular = all_known(self._operators, "is_non_singular", is_non_singular)
        is_self_adjoint = all_known(self._operators, "is_self_adjoint", is_self_adjoint)
        is_positive_definite = all_known(self._operators, "is_positive_definite", is_positive_definite)
        name = "_x_".join(operator.name for operator in self._operators) if name is None else name
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
        columns, rows = self.operators[0].domain_dimension, self.operators[0].range_dimension
        for operator in self.operators[1:]:
            columns, rows = columns * operator.domain_dimension, rows * operator.range_dimension
        batch = self.operators[0].batch_shape
        for operator in self.operators[1:]:
            batch = broadcast_static_shape(batch, operator.batch_shape)
        return batch.concatenate(TensorShape([rows, columns]))

    def _shape_tensor(self):
        columns = self.operators[0].domain_dimension_tensor()
        for operator in self.operators[1:]:
            columns *= operator.domain_dimension_tensor()
        rows = self.operators[0].range_dimension_tensor()
        for operator in self.operators[1:]:
            rows *= operator.range_dimension_tensor()
        batch = self.operators[0].batch_shape_tensor()
        for operator in self.operators[1:]:
            batch = broadcast_dynamic_shape(batch, operator.batch_shape_tensor())
        return concat((batch, [rows, columns]), 0)

    def _one_by_one(self, x: Tensor, size: Callable[[Any], Any], to_columns: Callable[[Any, Tensor], Tensor],
                    to_vectors: Callable[[Any, Tensor], Tensor]) -> Tensor:
        """`x` with each operator applied to its part of the rows, which are indexed by all parts together.

        Args:
          x: a tensor of shape [..., rows, k].
          size: the number of elements that an operator takes.
          to_columns: what an operator does to columns.
          to_vectors: what an operator does to vectors.
        """
        x += zeros(concat([ones_like(self.batch_shape_tensor()), [1, 1]], axis=0), dtype=x.dtype)
        result = _last_first(x)[None, ...]
        for operator in self.operators[:-1]:
            result = _columns_apart(result, size(operator))
            result = matrix_transpose(to_columns(operator, matrix_transpose(result)))
            result = _last_first(_columns_joined(_first_last(result)))
        result = to_vectors(self.operators[-1], result)
        return _first_last(_columns_joined(_first_last(result)))

    def _with_static_shape(self, result: Tensor, x: Any, adjoint: bool) -> Tensor:
        """The result of `_one_by_one`, with what is known of its shape."""
        rows = self.domain_dimension if adjoint else self.range_dimension
        if x.shape.is_fully_defined():
            batch = broadcast_static_shape(x.shape[:-2], self.batch_shape)
            result.set_shape(batch.concatenate(TensorShape([rows, x.shape[-1]])))
        return result

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = turned(x, adjoint_arg)
        result = self._one_by_one(
            x, lambda operator: operator.range_dimension_tensor() if adjoint else operator.domain_dimension_tensor(),
            lambda operator, columns: operator.matmul(columns, adjoint=adjoint),
            lambda operator, vectors: operator.matvec(vectors, adjoint=adjoint))
        return self._with_static_shape(result, x, adjoint)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        rhs = turned(rhs, adjoint_arg)
        result = self._one_by_one(
            rhs, lambda operator: operator.range_dimension_tensor() if adjoint else operator.domain_dimension_tensor(),
            lambda operator, columns: operator.solve(columns, adjoint=adjoint),
            lambda operator, vectors: operator.solvevec(vectors, adjoint=adjoint))
        return self._with_static_shape(result, rhs, not adjoint)

    def _determinant(self):
        # det(A x B) = det(A)^b det(B)^a for matrices of a and b rows.
        total = self.domain_dimension_tensor()
        result: Any = 1.0
        for operator in self.operators:
            result *= operator.determinant() ** cast(total / operator.domain_dimension_tensor(), self.dtype)
        return result

    def _log_abs_determinant(self):
        total = self.domain_dimension_tensor()
        result: Any = 0.0
        for operator in self.operators:
            result += operator.log_abs_determinant() * cast(total / operator.domain_dimension_tensor(), self.dtype)
        return result

    def _trace(self):
        result: Any = 1.0
        for operator in self.operators:
            result *= operator.trace()
        return result

    def _diag_part(self):
        result = self.operators[0].diag_part()
        for operator in self.operators[1:]:
            result = result[..., :, None]
            result *= operator.diag_part()[..., None, :]
            result = reshape(result, concat([shape(result)[:-2], [-1]], axis=0))
        if self.range_dimension > self.domain_dimension:
            size = self.domain_dimension
        else:
            size = self.range_dimension
        result.set_shape(self.batch_shape.concatenate(size))
        return result

    def _to_dense(self):
        result = self.operators[0].to_dense()
        for operator in self.operators[1:]:
            result = result[..., :, None, :, None]
            result *= operator.to_dense()[..., None, :, None, :]
            result = reshape(result, concat([shape(result)[:-4], [
                shape(result)[-4] * shape(result)[-3], shape(result)[-2] * shape(result)[-1]]], axis=0))
        result.set_shape(self.shape)
        return result

    def _each(self, assertion: str) -> Any:
        """An assertion about each of the operators, which says as much about their product if they are square."""
        if not all(operator.is_square for operator in self.operators):
            raise InvalidArgumentError(None, None,
                                       f"{assertion} is there for Kronecker products of square operators only.")
        return group([getattr(operator, assertion)() for operator in self.operators])

    def _assert_non_singular(self):
        return self._each("assert_non_singular")

    def _assert_self_adjoint(self):
        return self._each("assert_self_adjoint")

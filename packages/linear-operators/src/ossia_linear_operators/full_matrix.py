"""Dense matrices, as linear operators."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.plugins.api_table import public
from ossia_linear_operators.batches import as_parameter
from ossia_linear_operators.operator import LinearOperator
from ossia_ops.array.shape import shape
from ossia_ops.linalg.matmul import matmul

_DTYPES = ("float16", "float32", "float64", "complex64", "complex128")


@public("linalg.LinearOperatorFullMatrix", "compat.v2.linalg.LinearOperatorFullMatrix")
class LinearOperatorFullMatrix(LinearOperator):
    """Matrices that a tensor holds.

    Args:
      matrix: a floating or complex tensor of shape [..., rows, columns].
      is_non_singular: whether the matrices are invertible.
      is_self_adjoint: whether they equal their adjoints.
      is_positive_definite: whether they are positive definite.
      is_square: whether they are square.
      name: the operator's name.

    Raises:
      TypeError: `matrix` is of another dtype.
      ValueError: `matrix` has fewer than two dimensions.
    """

    def __init__(self, matrix: Any, is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
                 is_positive_definite: bool | None = None, is_square: bool | None = None,
                 name: str = "LinearOperatorFullMatrix") -> None:
        with name_scope(name, values=[matrix]):
            self._matrix = as_parameter(matrix, "matrix")
            _check_matrix(self._matrix)
            super().__init__(dtype=self._matrix.dtype, graph_parents=[self._matrix], is_non_singular=is_non_singular,
                             is_self_adjoint=is_self_adjoint, is_positive_definite=is_positive_definite,
                             is_square=is_square, name=name)

    def _shape(self):
        return self._matrix.shape

    def _shape_tensor(self):
        return shape(self._matrix)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return matmul(self._matrix, x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _to_dense(self):
        return self._matrix


def _check_matrix(matrix: Any) -> None:
    matrix = convert_to_tensor(matrix, name="matrix")
    if matrix.dtype.name not in _DTYPES:
        raise TypeError(f"Argument matrix must have a dtype of {', '.join(_DTYPES)}. Found: {matrix.dtype}")
    if matrix.shape.ndims is not None and matrix.shape.ndims < 2:
        raise ValueError(f"Argument matrix must have at least 2 dimensions. Found: {matrix}")

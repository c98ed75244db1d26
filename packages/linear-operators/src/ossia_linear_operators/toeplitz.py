"""Matrices that are constant along their diagonals, as linear operators."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.plugins.api_table import public
from ossia_linear_operators.batches import turned
from ossia_linear_operators.circulant import LinearOperatorCirculant
from ossia_linear_operators.circulant_base import as_complex
from ossia_linear_operators.operator import LinearOperator
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones, zeros_like
from ossia_ops.array.reversal import reverse
from ossia_ops.array.shape import shape
from ossia_ops.math.broadcast import broadcast_dynamic_shape, broadcast_static_shape
from ossia_ops.math.cast import cast
from ossia_signal.fourier import fft


@public("linalg.LinearOperatorToeplitz", "compat.v2.linalg.LinearOperatorToeplitz")
class LinearOperatorToeplitz(LinearOperator):
    """Square matrices that are constant along their diagonals, given by their first columns and rows.

    Products are those of a circulant matrix of twice the size, by way of Fourier transforms.

    Args:
      col: the first columns, a tensor of shape [..., n].
      row: the first rows, a tensor of shape [..., n], whose first elements are not read.
      is_non_singular: whether the matrices are invertible.
      is_self_adjoint: whether they equal their adjoints.
      is_positive_definite: whether they are positive definite.
      is_square: True or None.
      name: the operator's name.

    Raises:
      ValueError: `col` or `row` is a scalar, their sizes differ, or `is_square` is False.
    """

    def __init__(self, col: Any, row: Any, is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
                 is_positive_definite: bool | None = None, is_square: bool | None = None,
                 name: str = "LinearOperatorToeplitz") -> None:
        with name_scope(name, values=[row, col]):
            self._row = convert_to_tensor(row, name="row")
            self._col = convert_to_tensor(col, name="col")
            for which, vectors in (("row", self._row), ("col", self._col)):
                if vectors.shape.ndims is not None and vectors.shape.ndims < 1:
                    raise ValueError(f"Argument {which} must have at least 1 dimension. Found: {vectors}")
            if self._row.shape.ndims is not None and self._col.shape.ndims is not None:
                sizes = self._row.shape[-1].value, self._col.shape[-1].value
                if None not in sizes and sizes[0] != sizes[1]:
                    raise ValueError("Expected square matrix, got row and col with mismatched dimensions.")
            if is_square is False:
                raise ValueError("Only square Toeplitz operators currently supported.")
            super().__init__(dtype=self._row.dtype, graph_parents=[self._row, self._col],
                             is_non_singular=is_non_singular, is_self_adjoint=is_self_adjoint,
                             is_positive_definite=is_positive_definite, is_square=True, name=name)
            # The first column of a circulant matrix that has this one in its upper left corner.
            whole = concat([self._col, zeros_like(self._col[..., 0:1]), reverse(self._row[..., 1:], axis=[-1])],
                           axis=-1)
            self._circulant = LinearOperatorCirculant(fft(as_complex(whole)), input_output_dtype=self._row.dtype)

    @property
    def col(self) -> Any:
        """The first columns, of shape [..., n]."""
        return self._col

    @property
    def row(self) -> Any:
        """The first rows, of shape [..., n]."""
        return self._row

    def _shape(self):
        dims = broadcast_static_shape(self.row.shape, self.col.shape)
        return dims.concatenate(dims[-1:])

    def _shape_tensor(self):
        whole = broadcast_dynamic_shape(shape(self.row), shape(self.col))
        return concat((whole, [whole[-1]]), axis=0)

    def _assert_self_adjoint(self):
        message = "row and col are not the same, and so this operator is not self-adjoint."
        return builder("debugging.assert_equal")(self.row, self.col, message=message)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = turned(x, adjoint_arg)
        longer = concat([x, zeros_like(x)], axis=-2)
        result = self._circulant.matmul(longer, adjoint=adjoint, adjoint_arg=False)
        return cast(result[..., :self.domain_dimension_tensor(), :], self.dtype)

    def _trace(self):
        return cast(self.domain_dimension_tensor(), dtype=self.dtype) * self.col[..., 0]

    def _diag_part(self):
        return self.col[..., 0:1] * ones([self.domain_dimension_tensor()], self.dtype)

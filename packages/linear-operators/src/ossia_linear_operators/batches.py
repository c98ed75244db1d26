"""Matrices of batches whose shapes differ: their shapes side by side, products and solutions of what is broadcast."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.variables.variable import Variable
from ossia_ops.array.concat import concat
from ossia_ops.array.shape import reshape, shape
from ossia_ops.array.transposition import adjoint as adjoint_of
from ossia_ops.array.transposition import transpose
from ossia_ops.linalg.solving import cholesky_solve, matrix_solve, matrix_triangular_solve
from ossia_ops.math.broadcast import broadcast_dynamic_shape, broadcast_static_shape, broadcast_to


def as_parameter(value: Any, name: str, dtype: Any = None) -> Any:
    """A parameter of an operator: a variable as it is, so that the operator follows it, anything else as a tensor."""
    if isinstance(value, Variable):
        return value
    return None if value is None else convert_to_tensor(value, dtype=dtype, name=name)


def sizes(values: Any, name: str | None = None) -> Tensor:
    """Known sizes as an int32 tensor."""
    return convert_to_tensor(values, dtype=dtypes.int32, name=name)


def turned(x: Any, adjoint: bool) -> Any:
    """The adjoint of `x`, if it is asked for."""
    return adjoint_of(x) if adjoint else x


def broadcast_batches(matrices: list[Any], name: str | None = None) -> list[Tensor]:
    """The matrices repeated so that all have the same batch shape.

    Args:
      matrices: tensors of rank 2 or more.
      name: name scope.

    Raises:
      ValueError: the batch shapes do not broadcast.
    """
    with name_scope(name or "broadcast_matrix_batch_dims", values=matrices):
        matrices = [convert_to_tensor(matrix) for matrix in matrices]
        if len(matrices) < 2:
            return matrices
        batch = matrices[0].shape[:-2]
        for matrix in matrices[1:]:
            batch = broadcast_static_shape(batch, matrix.shape[:-2])
        if batch.is_fully_defined():
            wanted = batch.concatenate([None, None])
            return [matrix if matrix.shape.is_compatible_with(wanted) and matrix.shape[:-2].is_fully_defined()
                    else broadcast_to(matrix, concat([batch, shape(matrix)[-2:]], axis=0)) for matrix in matrices]
        whole = shape(matrices[0])[:-2]
        for matrix in matrices[1:]:
            whole = broadcast_dynamic_shape(whole, shape(matrix)[:-2])
        return [broadcast_to(matrix, concat([whole, shape(matrix)[-2:]], axis=0)) for matrix in matrices]


class _AsColumns:
    """Right-hand sides of more dimensions than the matrix: the leading ones become further columns, where the matrix is
    larger than what it is applied to, so that it need not be repeated."""

    def __init__(self, matrix: Tensor, rhs: Tensor, adjoint: bool) -> None:
        self.matrix, self.adjoint, self.rhs, self.moved = matrix, adjoint, rhs, False
        if matrix.shape.ndims is None or rhs.shape.ndims is None or matrix.shape.ndims >= rhs.shape.ndims:
            return
        extra = rhs.shape.ndims - matrix.shape.ndims
        rows, columns = matrix.shape[-1].value, rhs.shape[-1].value
        repeats = rhs.shape[:extra].num_elements()
        # The original slices both before it decides, and again.
        shape(rhs)[:extra], shape(rhs)[extra:]
        if None not in (rows, columns, repeats) and (rows <= columns or repeats < 2):
            return
        self.moved, self._extra, self._rank = True, extra, rhs.shape.ndims
        self.matrix, self.adjoint = turned(matrix, adjoint), False
        self._leading = shape(rhs)[:extra]
        self._main = shape(rhs)[extra:]
        order = [*range(extra, self._rank), *range(extra)]
        reordered = transpose(rhs, perm=order)
        self.rhs = reshape(reordered, concat((self._main[:-1], [-1]), axis=0))

    def back(self, solution: Tensor) -> Tensor:
        """The solution with the leading dimensions in their places."""
        if not self.moved:
            return solution
        apart = reshape(solution, concat((shape(solution)[:-1], [self._main[-1]], self._leading), axis=0))
        return transpose(apart, perm=[*range(self._rank - self._extra, self._rank), *range(self._rank - self._extra)])


def solve_broadcast(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """Solutions of linear equations whose batch shapes broadcast."""
    with name_scope(name, "MatrixSolveWithBroadcast", [matrix, rhs]):
        matrix = convert_to_tensor(matrix, name="matrix")
        rhs = convert_to_tensor(rhs, name="rhs", dtype=matrix.dtype)
        columns = _AsColumns(matrix, rhs, adjoint)
        matrix, rhs = broadcast_batches([columns.matrix, columns.rhs])
        return columns.back(matrix_solve(matrix, rhs, adjoint=columns.adjoint))


def triangular_solve_broadcast(matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False,
                               name: str | None = None) -> Tensor:
    """Solutions of triangular linear equations whose batch shapes broadcast."""
    with name_scope(name, "MatrixTriangularSolve", [matrix, rhs]):
        matrix = convert_to_tensor(matrix, name="matrix")
        rhs = convert_to_tensor(rhs, name="rhs", dtype=matrix.dtype)
        columns = _AsColumns(matrix, rhs, adjoint)
        matrix, rhs = broadcast_batches([columns.matrix, columns.rhs])
        lower = lower if columns.adjoint == adjoint else not lower
        return columns.back(matrix_triangular_solve(matrix, rhs, lower=lower, adjoint=columns.adjoint))


def cholesky_solve_broadcast(factor: Any, rhs: Any, name: str | None = None) -> Tensor:
    """Solutions of linear equations, given Cholesky factors, whose batch shapes broadcast."""
    with name_scope(name, "CholeskySolveWithBroadcast", [factor, rhs]):
        factor, rhs = broadcast_batches([factor, rhs])
        return cholesky_solve(factor, rhs)

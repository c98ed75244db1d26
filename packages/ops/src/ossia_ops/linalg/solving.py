"""Inverses of matrices and solutions of linear equations."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_ops.array.diagonal import matrix_band_part
from ossia_ops.linalg.matmul import matmul
from ossia_ops.linalg.matrix_shapes import MATRIX, check_solvable, check_square, precise, solution, square

_SINGULAR = "Input matrix is not invertible."


def _adjoint(x: Any) -> Any:
    return np.conj(np.swapaxes(x, -1, -2))


def _negative_products(a: Tensor, b: Tensor, adjoint: bool) -> Tensor:
    """The gradient for the matrix: from solutions and their gradients, in an order that `adjoint` turns around."""
    return -matmul(b, a, adjoint_b=True) if adjoint else -matmul(a, b, adjoint_b=True)


matrix_inverse_op = op("MatrixInverse(input: T) -> output: T", adjoint="bool = false", T=MATRIX)
matrix_inverse_op.shape(square)


def _check_first_pivot(matrices: np.ndarray, message: str) -> None:
    """Refuse matrices whose first column starts with NaN: of these the original finds that no pivot is above 0."""
    if matrices.size and np.isnan(matrices[..., 0, 0]).any():
        raise InvalidArgumentError(None, None, message)


@matrix_inverse_op.kernel
def _(input, *, adjoint):
    check_square(input)
    matrix = _adjoint(input) if adjoint else input
    _check_first_pivot(matrix, "Input is not invertible.")
    try:
        return np.linalg.inv(precise(matrix)).astype(input.dtype, copy=False)
    except np.linalg.LinAlgError:
        raise InvalidArgumentError(None, None, "Input is not invertible.") from None


@matrix_inverse_op.gradient
def _(node, grad):
    inverse = node.outputs[0]
    return [-matmul(inverse, matmul(grad, inverse, adjoint_b=True), adjoint_a=True)]


matrix_inverse_op.samples(plain=[[2.0, 1.0], [1.0, 3.0]], batch=[[[2.0]], [[4.0]]],
                          adjoint=sample([[2.0, 1.0], [0.0, 3.0]], adjoint=True))


@public("linalg.inv", "matrix_inverse", "compat.v2.linalg.inv")
@dispatches
def matrix_inverse(input: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The inverses of square matrices.

    Args:
      input: a tensor of shape [..., n, n].
      adjoint: whether to invert the adjoint matrices.
      name: name of the result.
    """
    return matrix_inverse_op(input, adjoint=adjoint, name=name)


matrix_solve_op = op("MatrixSolve(matrix: T, rhs: T) -> output: T", adjoint="bool = false", T=MATRIX)


@matrix_solve_op.shape
def _(matrix, rhs):
    return solution(matrix, rhs, True)


@matrix_solve_op.kernel
def _(matrix, rhs, *, adjoint):
    check_square(matrix)
    check_solvable(matrix, rhs)
    matrix = _adjoint(matrix) if adjoint else matrix
    _check_first_pivot(matrix, _SINGULAR)
    try:
        return np.linalg.solve(matrix, rhs)
    except np.linalg.LinAlgError:
        raise InvalidArgumentError(None, None, _SINGULAR) from None


@matrix_solve_op.gradient
def _(node, grad):
    adjoint = node.get_attr("adjoint")
    rhs_grad = matrix_solve(node.inputs[0], grad, adjoint=not adjoint)
    return [_negative_products(rhs_grad, node.outputs[0], adjoint), rhs_grad]


matrix_solve_op.samples(plain=([[2.0, 1.0], [1.0, 3.0]], [[1.0], [2.0]]),
                        adjoint=sample([[2.0, 1.0], [0.0, 3.0]], [[1.0], [2.0]], adjoint=True))


@public("linalg.solve", "matrix_solve", "compat.v2.linalg.solve")
@dispatches
def matrix_solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The solutions `x` of `matrix @ x = rhs`.

    Args:
      matrix: a tensor of shape [..., n, n].
      rhs: a tensor of shape [..., n, k].
      adjoint: whether to use the adjoint matrices.
      name: name of the result.
    """
    return matrix_solve_op(matrix, rhs, adjoint=adjoint, name=name)


matrix_triangular_solve_op = op("MatrixTriangularSolve(matrix: T, rhs: T) -> output: T", lower="bool = true",
                                adjoint="bool = false", T=MATRIX)


@matrix_triangular_solve_op.shape
def _(matrix, rhs):
    return solution(matrix, rhs, True)


@matrix_triangular_solve_op.kernel
def _(matrix, rhs, *, lower, adjoint):
    if matrix.ndim >= 2 and matrix.shape[-1] != matrix.shape[-2]:
        raise InvalidArgumentError(None, None, "First input (lhs) must be a square matrix.")
    check_square(matrix)
    check_solvable(matrix, rhs)
    if not np.diagonal(matrix, axis1=-2, axis2=-1).all():
        raise InvalidArgumentError(None, None, _SINGULAR)
    if adjoint:
        matrix, lower = _adjoint(matrix), not lower
    result, count = np.empty_like(rhs), matrix.shape[-1]
    for i in range(count) if lower else range(count - 1, -1, -1):
        done = slice(0, i) if lower else slice(i + 1, count)
        known = matrix[..., i:i + 1, done] @ result[..., done, :]
        result[..., i:i + 1, :] = (rhs[..., i:i + 1, :] - known) / matrix[..., i:i + 1, i:i + 1]
    return result


@matrix_triangular_solve_op.gradient
def _(node, grad):
    adjoint, lower = node.get_attr("adjoint"), node.get_attr("lower")
    rhs_grad = matrix_triangular_solve(node.inputs[0], grad, lower=lower, adjoint=not adjoint)
    matrix_grad = _negative_products(rhs_grad, node.outputs[0], adjoint)
    return [matrix_band_part(matrix_grad, -1, 0) if lower else matrix_band_part(matrix_grad, 0, -1), rhs_grad]


matrix_triangular_solve_op.samples(
    lower=([[2.0, 9.0], [1.0, 3.0]], [[1.0], [2.0]]),
    upper=sample([[2.0, 1.0], [9.0, 3.0]], [[1.0], [2.0]], lower=False),
    adjoint=sample([[2.0, 9.0], [1.0, 3.0]], [[1.0], [2.0]], adjoint=True),
)


@public("linalg.triangular_solve", "matrix_triangular_solve", "compat.v2.linalg.triangular_solve")
def matrix_triangular_solve(matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False,
                            name: str | None = None) -> Tensor:
    """The solutions `x` of `matrix @ x = rhs` for triangular matrices.

    Args:
      matrix: a tensor of shape [..., n, n], of which only one triangle is read.
      rhs: a tensor of shape [..., n, k].
      lower: whether that is the lower triangle.
      adjoint: whether to use the adjoint matrices.
      name: name of the result.
    """
    return matrix_triangular_solve_op(matrix, rhs, lower=lower, adjoint=adjoint, name=name)


@public("linalg.cholesky_solve", "cholesky_solve", "compat.v2.linalg.cholesky_solve")
def cholesky_solve(chol: Any, rhs: Any, name: str | None = None) -> Tensor:
    """The solutions `x` of `A @ x = rhs` where `A = chol @ adjoint(chol)`.

    Args:
      chol: Cholesky factors, lower triangular matrices of shape [..., n, n].
      rhs: a tensor of shape [..., n, k].
      name: name scope.
    """
    with name_scope(name, "cholesky_solve", [chol, rhs]):
        half = matrix_triangular_solve(chol, rhs, adjoint=False, lower=True)
        return matrix_triangular_solve(chol, half, adjoint=True, lower=True)

"""Functions of tensors that also take linear operators: what they do with those."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_linear_operators.operator import LinearOperator
from ossia_ops.array import diagonal, transposition
from ossia_ops.linalg import determinant as determinants
from ossia_ops.linalg import factorization, solving
from ossia_ops.linalg import matmul as products


def adjoint(matrix: Any, name: str | None = None) -> Any:
    """The adjoint of an operator."""
    return matrix.adjoint(name)


def cholesky(input: Any, name: str | None = None) -> Any:
    """The Cholesky factor of an operator."""
    return input.cholesky(name)


def diag_part(input: Any, name: str = "diag_part", **unused: Any) -> Any:
    """The diagonals of an operator."""
    return input.diag_part(name)


def determinant(input: Any, name: str | None = None) -> Any:
    """The determinants of an operator."""
    return input.determinant(name)


def inverse(input: Any, adjoint: bool = False, name: str | None = None) -> Any:
    """The inverse of an operator, or of its adjoint."""
    inverted = input.inverse(name)
    return inverted.adjoint() if adjoint else inverted


def logdet(matrix: Any, name: str | None = None) -> Any:
    """The logarithms of the determinants of a self-adjoint positive definite operator.

    Raises:
      ValueError: the operator is not known to be that.
    """
    if not (matrix.is_positive_definite and matrix.is_self_adjoint):
        raise ValueError("Expected an operator that is self-adjoint and positive definite.")
    return matrix.log_abs_determinant(name)


def matmul(a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, adjoint_a: bool = False,
           adjoint_b: bool = False, a_is_sparse: bool = False, b_is_sparse: bool = False,
           name: str | None = None) -> Any:
    """The product of an operator with a tensor or another operator, or of a tensor with an operator.

    Raises:
      ValueError: a factor is to be transposed, or given as sparse.
    """
    if transpose_a or transpose_b:
        raise ValueError("Linear operators cannot be transposed.")
    if a_is_sparse or b_is_sparse:
        raise ValueError("Products of linear operators know no sparse matrices.")
    if isinstance(a, LinearOperator):
        return a.matmul(b, adjoint=adjoint_a, adjoint_arg=adjoint_b, name=name)
    # A B = (B^H A^H)^H
    return transposition.adjoint(b.matmul(a, adjoint=not adjoint_b, adjoint_arg=not adjoint_a, name=name))


def solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Any:
    """What solving an operator for a tensor or another operator gives.

    Raises:
      ValueError: only `rhs` is an operator.
    """
    if not isinstance(matrix, LinearOperator):
        raise ValueError("With a LinearOperator as `rhs`, `matrix` has to be one too.")
    return matrix.solve(rhs, adjoint=adjoint, name=name)


def trace(x: Any, name: str | None = None) -> Any:
    """The traces of an operator."""
    return x.trace(name)


HANDLERS: dict[Callable, Callable] = {
    determinants.logdet: logdet,
    determinants.matrix_determinant: determinant,
    diagonal.matrix_diag_part: diag_part,
    diagonal.trace: trace,
    factorization.cholesky: cholesky,
    products.matmul: matmul,
    solving.matrix_inverse: inverse,
    solving.matrix_solve: solve,
    transposition.adjoint: adjoint,
}
"""What handles linear operators, by the function that they were given to."""

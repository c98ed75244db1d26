"""The products of two linear operators."""
from __future__ import annotations

from typing import Any

from ossia_linear_operators import hints
from ossia_linear_operators.algebra import register
from ossia_linear_operators.circulant import LinearOperatorCirculant
from ossia_linear_operators.composition import LinearOperatorComposition
from ossia_linear_operators.diag import LinearOperatorDiag
from ossia_linear_operators.identity import LinearOperatorIdentity
from ossia_linear_operators.lower_triangular import LinearOperatorLowerTriangular
from ossia_linear_operators.operator import LinearOperator
from ossia_linear_operators.scaled_identity import LinearOperatorScaledIdentity
from ossia_linear_operators.zeros import LinearOperatorZeros


def of_commuting(a: Any, b: Any) -> dict[str, Any]:
    """The hints of the product of two square operators that commute."""
    return {"is_non_singular": hints.non_singular(a, b), "is_self_adjoint": hints.commuting_self_adjoint(a, b),
            "is_positive_definite": hints.commuting_positive_definite(a, b), "is_square": True}


def of_any(a: Any, b: Any) -> dict[str, Any]:
    """The hints of the product of any two operators."""
    is_square = hints.square(a, b)
    if is_square is False:
        return {"is_non_singular": False, "is_self_adjoint": False, "is_positive_definite": False, "is_square": False}
    return {"is_non_singular": hints.non_singular(a, b) if is_square else None, "is_square": is_square}


@register("matmul", LinearOperator, LinearOperator)
def _(a, b):
    return LinearOperatorComposition([a, b], **of_any(a, b))


@register("matmul", LinearOperatorIdentity, LinearOperator)
def _(identity, operator):
    return operator


@register("matmul", LinearOperator, LinearOperatorIdentity)
def _(operator, identity):
    return operator


def _check_square(a: Any, b: Any) -> None:
    if not a.is_square or not b.is_square:
        raise ValueError(
            "Matmul with non-square `LinearOperator`s or non-square `LinearOperatorZeros` not supported at this time."
        )


@register("matmul", LinearOperatorZeros, LinearOperator)
def _(zeros, operator):
    _check_square(zeros, operator)
    return zeros


@register("matmul", LinearOperator, LinearOperatorZeros)
def _(operator, zeros):
    _check_square(zeros, operator)
    return zeros


@register("matmul", LinearOperatorDiag, LinearOperatorDiag)
def _(a, b):
    return LinearOperatorDiag(a.diag * b.diag, **of_commuting(a, b))


@register("matmul", LinearOperatorDiag, LinearOperatorScaledIdentity)
def _(a, b):
    return LinearOperatorDiag(a.diag * b.multiplier, **of_commuting(a, b))


@register("matmul", LinearOperatorScaledIdentity, LinearOperatorDiag)
def _(a, b):
    return LinearOperatorDiag(b.diag * a.multiplier, **of_commuting(b, a))


@register("matmul", LinearOperatorDiag, LinearOperatorLowerTriangular)
def _(a, b):
    return LinearOperatorLowerTriangular(a.diag[..., None] * b.to_dense(), is_non_singular=hints.non_singular(a, b),
                                         is_self_adjoint=hints.commuting_self_adjoint(a, b), is_square=True)


@register("matmul", LinearOperatorLowerTriangular, LinearOperatorDiag)
def _(a, b):
    return LinearOperatorLowerTriangular(a.to_dense() * b.diag, is_non_singular=hints.non_singular(a, b),
                                         is_self_adjoint=hints.commuting_self_adjoint(a, b), is_square=True)


@register("matmul", LinearOperatorCirculant, LinearOperatorCirculant)
def _(a, b):
    return LinearOperatorCirculant(a.spectrum * b.spectrum, **of_commuting(a, b))

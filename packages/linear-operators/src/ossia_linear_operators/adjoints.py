"""The adjoints of linear operators."""
from __future__ import annotations

from typing import Any

from ossia_linear_operators.adjoint import LinearOperatorAdjoint
from ossia_linear_operators.algebra import register
from ossia_linear_operators.block_diag import LinearOperatorBlockDiag
from ossia_linear_operators.circulant import LinearOperatorCirculant
from ossia_linear_operators.diag import LinearOperatorDiag
from ossia_linear_operators.householder import LinearOperatorHouseholder
from ossia_linear_operators.identity import LinearOperatorIdentity
from ossia_linear_operators.kronecker import LinearOperatorKronecker
from ossia_linear_operators.operator import LinearOperator
from ossia_linear_operators.scaled_identity import LinearOperatorScaledIdentity
from ossia_ops.math.complex_numbers import conj


def kept(operator: Any) -> dict[str, Any]:
    """The hints of an operator, for one of the same kind."""
    return {"is_non_singular": operator.is_non_singular, "is_self_adjoint": operator.is_self_adjoint,
            "is_positive_definite": operator.is_positive_definite, "is_square": True}


@register("adjoint", LinearOperator)
def _(operator):
    return LinearOperatorAdjoint(operator, is_non_singular=operator.is_non_singular,
                                 is_self_adjoint=operator.is_self_adjoint,
                                 is_positive_definite=operator.is_positive_definite, is_square=operator.is_square)


@register("adjoint", LinearOperatorAdjoint)
def _(operator):
    return operator.operator


@register("adjoint", LinearOperatorIdentity)
@register("adjoint", LinearOperatorHouseholder)
def _(operator):
    return operator


@register("adjoint", LinearOperatorBlockDiag)
@register("adjoint", LinearOperatorKronecker)
def _(operator):
    return type(operator)([part.adjoint() for part in operator.operators], **kept(operator))


@register("adjoint", LinearOperatorDiag)
def _(operator):
    diag = conj(operator.diag) if operator.diag.dtype.is_complex else operator.diag
    return LinearOperatorDiag(diag, **kept(operator))


@register("adjoint", LinearOperatorScaledIdentity)
def _(operator):
    multiplier = conj(operator.multiplier) if operator.multiplier.dtype.is_complex else operator.multiplier
    return LinearOperatorScaledIdentity(operator._num_rows, multiplier, **kept(operator))


@register("adjoint", LinearOperatorCirculant)
def _(operator):
    spectrum = conj(operator.spectrum) if operator.spectrum.dtype.is_complex else operator.spectrum
    return LinearOperatorCirculant(spectrum, **kept(operator))

"""The inverses of linear operators."""
from __future__ import annotations

from ossia_linear_operators.adjoints import kept
from ossia_linear_operators.algebra import register
from ossia_linear_operators.block_diag import LinearOperatorBlockDiag
from ossia_linear_operators.circulant import LinearOperatorCirculant
from ossia_linear_operators.diag import LinearOperatorDiag
from ossia_linear_operators.householder import LinearOperatorHouseholder
from ossia_linear_operators.identity import LinearOperatorIdentity
from ossia_linear_operators.inversion import LinearOperatorInversion
from ossia_linear_operators.kronecker import LinearOperatorKronecker
from ossia_linear_operators.operator import LinearOperator
from ossia_linear_operators.scaled_identity import LinearOperatorScaledIdentity


@register("inverse", LinearOperator)
def _(operator):
    return LinearOperatorInversion(operator, is_non_singular=operator.is_non_singular,
                                   is_self_adjoint=operator.is_self_adjoint,
                                   is_positive_definite=operator.is_positive_definite, is_square=operator.is_square)


@register("inverse", LinearOperatorInversion)
def _(operator):
    return operator.operator


@register("inverse", LinearOperatorIdentity)
@register("inverse", LinearOperatorHouseholder)
def _(operator):
    return operator


@register("inverse", LinearOperatorBlockDiag)
@register("inverse", LinearOperatorKronecker)
def _(operator):
    return type(operator)([part.inverse() for part in operator.operators], **kept(operator))


@register("inverse", LinearOperatorDiag)
def _(operator):
    return LinearOperatorDiag(1.0 / operator.diag, **kept(operator))


@register("inverse", LinearOperatorScaledIdentity)
def _(operator):
    return LinearOperatorScaledIdentity(operator._num_rows, 1.0 / operator.multiplier,
                                        is_non_singular=operator.is_non_singular, is_self_adjoint=True,
                                        is_positive_definite=operator.is_positive_definite, is_square=True)


@register("inverse", LinearOperatorCirculant)
def _(operator):
    return LinearOperatorCirculant(1.0 / operator.spectrum, **kept(operator))

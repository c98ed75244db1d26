"""What solving a linear operator for another gives: the product of the first one's inverse and the other."""
from __future__ import annotations

from ossia_linear_operators import hints
from ossia_linear_operators.algebra import register
from ossia_linear_operators.circulant import LinearOperatorCirculant
from ossia_linear_operators.composition import LinearOperatorComposition
from ossia_linear_operators.diag import LinearOperatorDiag
from ossia_linear_operators.identity import LinearOperatorIdentity
from ossia_linear_operators.inversion import LinearOperatorInversion
from ossia_linear_operators.lower_triangular import LinearOperatorLowerTriangular
from ossia_linear_operators.operator import LinearOperator
from ossia_linear_operators.products import of_any, of_commuting
from ossia_linear_operators.scaled_identity import LinearOperatorScaledIdentity


@register("solve", LinearOperator, LinearOperator)
def _(a, b):
    return LinearOperatorComposition([LinearOperatorInversion(a), b], **of_any(a, b))


@register("solve", LinearOperatorInversion, LinearOperator)
def _(inversion, operator):
    return inversion.operator.matmul(operator)


@register("solve", LinearOperatorIdentity, LinearOperator)
def _(identity, operator):
    return operator


@register("solve", LinearOperatorDiag, LinearOperatorDiag)
def _(a, b):
    return LinearOperatorDiag(b.diag / a.diag, **of_commuting(a, b))


@register("solve", LinearOperatorDiag, LinearOperatorScaledIdentity)
def _(a, b):
    return LinearOperatorDiag(b.multiplier / a.diag, **of_commuting(a, b))


@register("solve", LinearOperatorScaledIdentity, LinearOperatorDiag)
def _(a, b):
    return LinearOperatorDiag(b.diag / a.multiplier, **of_commuting(a, b))


@register("solve", LinearOperatorDiag, LinearOperatorLowerTriangular)
def _(a, b):
    return LinearOperatorLowerTriangular(b.to_dense() / a.diag[..., None], is_non_singular=hints.non_singular(a, b),
                                         is_self_adjoint=hints.commuting_self_adjoint(a, b), is_square=True)


@register("solve", LinearOperatorCirculant, LinearOperatorCirculant)
def _(a, b):
    return LinearOperatorCirculant(b.spectrum / a.spectrum, **of_commuting(a, b))

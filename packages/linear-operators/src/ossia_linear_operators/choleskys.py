"""The Cholesky factors of linear operators."""
from __future__ import annotations

from ossia_linear_operators.algebra import register
from ossia_linear_operators.block_diag import LinearOperatorBlockDiag
from ossia_linear_operators.diag import LinearOperatorDiag
from ossia_linear_operators.identity import LinearOperatorIdentity
from ossia_linear_operators.kronecker import LinearOperatorKronecker
from ossia_linear_operators.lower_triangular import LinearOperatorLowerTriangular
from ossia_linear_operators.operator import LinearOperator
from ossia_linear_operators.scaled_identity import LinearOperatorScaledIdentity
from ossia_ops.linalg.factorization import cholesky
from ossia_ops.math.elementwise import sqrt

_POSITIVE = {"is_non_singular": True, "is_self_adjoint": True, "is_positive_definite": True, "is_square": True}


@register("cholesky", LinearOperator)
def _(operator):
    return LinearOperatorLowerTriangular(cholesky(operator.to_dense()), is_non_singular=True, is_self_adjoint=False,
                                         is_square=True)


@register("cholesky", LinearOperatorDiag)
def _(operator):
    return LinearOperatorDiag(sqrt(operator.diag), **_POSITIVE)


@register("cholesky", LinearOperatorIdentity)
def _(operator):
    return LinearOperatorIdentity(operator._num_rows, batch_shape=operator.batch_shape, dtype=operator.dtype,
                                  **_POSITIVE)


@register("cholesky", LinearOperatorScaledIdentity)
def _(operator):
    return LinearOperatorScaledIdentity(operator._num_rows, sqrt(operator.multiplier), **_POSITIVE)


@register("cholesky", LinearOperatorBlockDiag)
@register("cholesky", LinearOperatorKronecker)
def _(operator):
    return type(operator)([part.cholesky() for part in operator.operators], is_non_singular=True, is_self_adjoint=False,
                          is_square=True)

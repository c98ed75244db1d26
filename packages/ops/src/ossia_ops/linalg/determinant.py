"""Determinants of matrices, their logarithms and signs."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import merge_dim, with_rank_at_least
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_ops.array.concat import concat
from ossia_ops.array.diagonal import matrix_diag_part
from ossia_ops.array.shape import reshape, shape
from ossia_ops.linalg.factorization import cholesky
from ossia_ops.linalg.matrix_shapes import check_square, square
from ossia_ops.linalg.solving import matrix_inverse
from ossia_ops.math.complex_numbers import real
from ossia_ops.math.exponential import log
from ossia_ops.math.reduction import reduce_sum

_DETERMINED = "{half, float, double, complex64, complex128}"


def _batch(x: Any) -> Any:
    dims = square(x).as_tuple()
    return None if dims is None else dims[:-2]


def _per_matrix(values: Tensor, like: Tensor) -> Tensor:
    return reshape(values, concat([shape(like), [1, 1]], 0))


matrix_determinant_op = op("MatrixDeterminant(input: T) -> output: T", T=_DETERMINED)


@matrix_determinant_op.shape
def _(input):
    dims = with_rank_at_least(input, 2).as_tuple()
    if dims is None:
        return None
    merge_dim(dims[-1], dims[-2])
    return dims[:-2]



@matrix_determinant_op.kernel
def _(input):
    check_square(input)
    return np.asarray(np.linalg.det(input), input.dtype)


@matrix_determinant_op.gradient
def _(node, grad):
    inverse = matrix_inverse(node.inputs[0], adjoint=True)
    return [_per_matrix(grad * node.outputs[0], node.outputs[0]) * inverse]


matrix_determinant_op.samples(plain=[[2.0, 1.0], [1.0, 3.0]], singular=[[1.0, 2.0], [2.0, 4.0]],
                              batch=[[[2.0]], [[4.0]]], empty=sample(np.zeros((0, 0), np.float32)))


@public("linalg.det", "matrix_determinant", "compat.v2.linalg.det")
@dispatches
def matrix_determinant(input: Any, name: str | None = None) -> Tensor:
    """The determinants of square matrices.

    Args:
      input: a tensor of shape [..., n, n].
      name: name of the result.
    """
    return matrix_determinant_op(input, name=name)


log_matrix_determinant_op = op("LogMatrixDeterminant(input: T) -> sign: T, log_abs_determinant: T", T=_DETERMINED)


@log_matrix_determinant_op.shape
def _(input):
    batch = _batch(input)
    return batch, batch


@log_matrix_determinant_op.kernel
def _(input):
    check_square(input)
    sign, logarithm = np.linalg.slogdet(input)
    infinite = ~np.isfinite(logarithm)
    if np.any(infinite):
        sign = np.where(infinite, 0, sign)
        logarithm = np.where(infinite, np.where(logarithm > 0, np.inf, -np.inf), logarithm)
    return np.asarray(sign, input.dtype), np.asarray(logarithm, input.dtype)


@log_matrix_determinant_op.gradient
def _(node, unused_sign_grad, grad):
    inverse = matrix_inverse(node.inputs[0], adjoint=True)
    return [_per_matrix(grad, node.outputs[1]) * inverse]


log_matrix_determinant_op.samples(plain=[[2.0, 1.0], [1.0, 3.0]], negative=[[-2.0]], singular=[[1.0, 2.0], [2.0, 4.0]],
                                  infinite=[[np.inf]])


@public("linalg.slogdet", "compat.v2.linalg.slogdet")
def slogdet(input: Any, name: str | None = None) -> Any:
    """The signs of determinants and the logarithms of their absolute values.

    Args:
      input: a tensor of shape [..., n, n].
      name: name of the results.

    Returns:
      A tuple (sign, log_abs_determinant).
    """
    return log_matrix_determinant_op(input, name=name)


@public("linalg.logdet", "compat.v2.linalg.logdet")
@dispatches
def logdet(matrix: Any, name: str | None = None) -> Tensor:
    """The logarithms of determinants of hermitian positive definite matrices.

    Args:
      matrix: a tensor of shape [..., n, n].
      name: name scope.
    """
    with name_scope(name, "logdet", [matrix]):
        factor = cholesky(matrix)
        return 2.0 * reduce_sum(log(real(matrix_diag_part(factor))), axis=[-1])

"""Factors of matrices: Cholesky, QR, and eigenvalues and vectors of self-adjoint matrices."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op, sample
from ossia_core.declare.shape_rules import with_rank_at_least
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.diagonal import matrix_band_part, matrix_diag, matrix_diag_part, matrix_set_diag
from ossia_ops.array.eye import eye
from ossia_ops.array.fill import zeros_like
from ossia_ops.array.shape import expand_dims, shape
from ossia_ops.array.transposition import adjoint
from ossia_ops.linalg.matmul import matmul
from ossia_ops.linalg.matrix_shapes import MATRIX, check_square, precise, smaller, square
from ossia_ops.linalg.solving import matrix_triangular_solve

cholesky_op = op("Cholesky(input: T) -> output: T", T=MATRIX)
cholesky_op.shape(square)


@cholesky_op.kernel
def _(input):
    check_square(input)
    try:
        return np.linalg.cholesky(precise(input)).astype(input.dtype, copy=False)
    except np.linalg.LinAlgError:
        raise InvalidArgumentError(None, None, "Cholesky decomposition was not successful. The input might not be "
                                               "valid.") from None


@cholesky_op.gradient
def _(node, grad):
    factor = node.outputs[0]
    count = shape(factor)[-1]
    unit = eye(count, batch_shape=shape(factor)[:-2], dtype=factor.dtype)
    inverse = matrix_triangular_solve(factor, unit)
    middle = matmul(factor, grad, adjoint_a=True)
    middle = matrix_set_diag(middle, 0.5 * matrix_diag_part(middle))
    middle = matrix_band_part(middle, -1, 0)
    result = matmul(matmul(inverse, middle, adjoint_a=True), inverse)
    result += adjoint(result)
    return [result * 0.5]


cholesky_op.samples(plain=[[2.0, 1.0], [1.0, 3.0]], batch=[[[4.0]], [[9.0]]], complex=[[2 + 0j, 1j], [-1j, 3 + 0j]])


@public("linalg.cholesky", "cholesky", "compat.v2.linalg.cholesky")
@dispatches
def cholesky(input: Any, name: str | None = None) -> Tensor:
    """The lower triangular factors `L` of hermitian positive definite matrices `L @ adjoint(L)`.

    Args:
      input: a tensor of shape [..., n, n], of which only the lower triangles are read.
      name: name of the result.
    """
    return cholesky_op(input, name=name)


qr_op = op("Qr(input: T) -> q: T, r: T", full_matrices="bool = false", T=MATRIX)


@qr_op.shape
def _(input, *, full_matrices):
    dims = with_rank_at_least(input, 2).as_tuple()
    if dims is None:
        return None, None
    *batch, m, n = dims
    inner = m if full_matrices else smaller(m, n)
    return TensorShape([*batch, m, inner]), TensorShape([*batch, inner, n])


@qr_op.kernel
def _(input, *, full_matrices):
    if input.ndim < 2:
        raise InvalidArgumentError(None, None, f"Input tensor 0 must have rank >= 2, got {input.ndim}")
    wide = input.astype(np.float32) if input.dtype == np.float16 else input
    q, r = np.linalg.qr(wide, mode="complete" if full_matrices else "reduced")
    return q.astype(input.dtype), r.astype(input.dtype)


@qr_op.gradient
def _(node, q_grad, r_grad):
    q, r = node.outputs
    if q.dtype.is_complex:
        raise NotImplementedError(f"QrGrad not implemented for dtype: {q.dtype}")
    if q.shape.ndims is None or r.shape.as_list()[-2:].count(None):
        raise NotImplementedError("QrGrad not implemented with dynamic shapes.")
    if r.shape.as_list()[-2] != r.shape.as_list()[-1]:
        raise NotImplementedError("QrGrad not implemented when ncols > nrows or full_matrices is true and "
                                  "ncols != nrows.")

    def divided(x: Tensor) -> Tensor:
        return adjoint(matrix_triangular_solve(r, adjoint(x), lower=False, adjoint=False))

    in_q = matmul(q, q_grad, adjoint_a=True)
    skew_q = in_q - adjoint(in_q)
    in_r = matmul(r, r_grad, adjoint_b=True)
    skew_r = in_r - adjoint(in_r)
    lower = matrix_band_part(skew_q + skew_r, -1, 0)
    first = matmul(q, r_grad + divided(lower))
    return [first + divided(q_grad - matmul(q, in_q))]


qr_op.samples(tall=[[2.0, 1.0], [1.0, 3.0], [0.0, 1.0]], wide=[[2.0, 1.0, 3.0], [1.0, 3.0, 0.5]],
              full=sample([[2.0], [1.0]], full_matrices=True))


@public("linalg.qr", "qr", "compat.v2.linalg.qr")
def qr(input: Any, full_matrices: bool = False, name: str | None = None) -> Any:
    """The factors of matrices `q @ r`, with orthonormal columns in `q` and upper triangular `r`.

    Args:
      input: a tensor of shape [..., m, n].
      full_matrices: whether `q` is square, rather than of min(m, n) columns.
      name: name of the results.

    Returns:
      A tuple (q, r).
    """
    return qr_op(input, full_matrices=full_matrices, name=name)


self_adjoint_eig_v2_op = op("SelfAdjointEigV2(input: T) -> e: T, v: T", compute_v="bool = true", T=MATRIX)


@self_adjoint_eig_v2_op.shape
def _(input, *, compute_v):
    whole = square(input)
    dims = whole.as_tuple()
    return None if dims is None else TensorShape(dims[:-1]), whole if compute_v else TensorShape((0,))


@self_adjoint_eig_v2_op.kernel
def _(input, *, compute_v):
    check_square(input)
    if not compute_v:
        return np.linalg.eigvalsh(precise(input)).astype(input.dtype), np.zeros(0, input.dtype)
    values, vectors = np.linalg.eigh(precise(input))
    return values.astype(input.dtype), vectors.astype(input.dtype, copy=False)


@self_adjoint_eig_v2_op.gradient
def _(node, e_grad, v_grad):
    e, v = node.outputs
    with control_dependencies([e_grad, v_grad]):
        if node.get_attr("compute_v"):
            differences = expand_dims(e, -2) - expand_dims(e, -1)
            inverse = matrix_set_diag(lookup("Reciprocal")(differences), zeros_like(e))
            middle = matrix_diag(e_grad) + inverse * matmul(v, v_grad, adjoint_a=True)
        else:
            _, v = self_adjoint_eig_v2_op(node.inputs[0])
            middle = matrix_diag(e_grad)
        result = matmul(v, matmul(middle, v, adjoint_b=True))
        # Only the lower triangle is read, so that the gradient for it is that for both.
        result = matrix_band_part(result + adjoint(result), -1, 0)
        return [matrix_set_diag(result, 0.5 * matrix_diag_part(result))]


self_adjoint_eig_v2_op.samples(values=sample([[2.0, 1.0], [1.0, 3.0]], compute_v=False),
                               diagonal=[[1.0, 0.0], [0.0, 3.0]])


@public("linalg.eigh", "self_adjoint_eig", "compat.v2.linalg.eigh")
def self_adjoint_eig(tensor: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Eigenvalues, in ascending order, and eigenvectors of self-adjoint matrices.

    Args:
      tensor: a tensor of shape [..., n, n], of which only the lower triangles are read.
      name: name of the results.

    Returns:
      A tuple (e, v): the eigenvalues of shape [..., n], and the eigenvectors in the columns of [..., n, n].
    """
    e, v = self_adjoint_eig_v2_op(tensor, compute_v=True, name=name)
    return e, v


@public("linalg.eigvalsh", "self_adjoint_eigvals", "compat.v2.linalg.eigvalsh")
def self_adjoint_eigvals(tensor: Any, name: str | None = None) -> Tensor:
    """Eigenvalues of self-adjoint matrices, in ascending order.

    Args:
      tensor: a tensor of shape [..., n, n], of which only the lower triangles are read.
      name: name of the result.
    """
    return self_adjoint_eig_v2_op(tensor, compute_v=False, name=name)[0]

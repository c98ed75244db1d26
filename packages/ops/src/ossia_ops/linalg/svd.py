"""Singular value decompositions, and what is computed through them."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op, sample
from ossia_core.declare.shape_rules import with_rank_at_least
from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.diagonal import matrix_diag, matrix_set_diag
from ossia_ops.array.eye import eye
from ossia_ops.array.fill import zeros_like
from ossia_ops.array.shape import expand_dims, shape
from ossia_ops.array.transposition import adjoint, matrix_transpose
from ossia_ops.linalg.matmul import matmul
from ossia_ops.linalg.matrix_shapes import MATRIX, precise, smaller
from ossia_ops.math.complex_numbers import real
from ossia_ops.math.elementwise import square

svd_op = op("Svd(input: T) -> s: T, u: T, v: T", compute_uv="bool = true", full_matrices="bool = false", T=MATRIX)


@svd_op.shape
def _(input, *, compute_uv, full_matrices):
    dims = with_rank_at_least(input, 2).as_tuple()
    if dims is None:
        return (None, None, None) if compute_uv else (None, TensorShape((0,)), TensorShape((0,)))
    *batch, m, n = dims
    inner = smaller(m, n)
    values = TensorShape([*batch, inner])
    if not compute_uv:
        return values, TensorShape((0,)), TensorShape((0,))
    left = TensorShape([*batch, m, m if full_matrices else inner])
    return values, left, TensorShape([*batch, n, n if full_matrices else inner])


def _empty(input: Any, full_matrices: bool) -> tuple:
    *batch, m, n = input.shape
    sides = [np.broadcast_to(np.eye(size, size if full_matrices else min(m, n), dtype=input.dtype),
                             (*batch, size, size if full_matrices else min(m, n))).copy() for size in (m, n)]
    return np.zeros((*batch, min(m, n)), input.dtype), *sides


@svd_op.kernel
def _(input, *, compute_uv, full_matrices):
    if input.ndim < 2:
        raise InvalidArgumentError(None, None, f"Input tensor 0 must have rank >= 2, got {input.ndim}")
    finite = np.isfinite(input).all(axis=(-2, -1))
    known = input if finite.all() else np.where(finite[..., None, None], input, 0)
    if not input.size:
        values, left, right = _empty(input, full_matrices)
    elif compute_uv:
        left, values, right = np.linalg.svd(precise(known), full_matrices=full_matrices)
        left, right = (m.astype(input.dtype, copy=False) for m in (left, np.conj(np.swapaxes(right, -1, -2))))
    else:
        values = np.linalg.svd(precise(known), compute_uv=False)
    values = values.astype(input.dtype)
    values[~finite] = np.nan
    if not compute_uv:
        return values, np.zeros(0, input.dtype), np.zeros(0, input.dtype)
    return values, left, right


@svd_op.gradient
def _(node, s_grad, u_grad, v_grad):
    values = matrix_diag(s_grad)
    if not node.get_attr("compute_uv"):
        _, u, v = svd(node.inputs[0], compute_uv=True)
        return [matmul(u, matmul(values, v, adjoint_b=True))]
    if node.inputs[0].dtype.is_complex:
        raise NotImplementedError("SVD gradient is not implemented for complex types and compute_uv=True.")
    full, (s, u, v) = node.get_attr("full_matrices"), node.outputs
    m, n = _inner_sizes(node.inputs[0])
    tall = m > n
    if tall:
        # The gradient for the transposed matrix.
        m, n, u, v, u_grad, v_grad = n, m, v, u, v_grad, u_grad
    if full and n - m > 1:
        raise NotImplementedError("svd gradient is not implemented for abs(m - n) > 1 when full_matrices is True")
    with control_dependencies([s_grad, u_grad, v_grad]):
        result = _gradient(s, u, v, values, u_grad, v_grad, m, n, full)
        return [matrix_transpose(result) if tall else result]


def _inner_sizes(x: Tensor) -> tuple[int, int]:
    dims = x.shape.as_tuple()
    if dims is None or None in dims[-2:]:
        raise NotImplementedError("SVD gradient has not been implemented for input with unknown inner matrix shape.")
    return dims[-2], dims[-1]


def _gradient(s: Tensor, u: Tensor, v: Tensor, values: Tensor, u_grad: Tensor, v_grad: Tensor, m: int, n: int,
              full: bool) -> Tensor:
    """The gradient for matrices of m rows and at least as many columns."""
    scaled, squares = matrix_diag(s), square(s)
    sizes = shape(s)
    unit = eye(sizes[-1], batch_shape=sizes[:-1], dtype=s.dtype)
    differences = expand_dims(squares, -2) - expand_dims(squares, -1)
    weights = matrix_set_diag(lookup("Reciprocal")(differences + unit), zeros_like(s))
    inverse = matrix_diag(lookup("Reciprocal")(s))
    v1, v1_grad = v[..., :, :m], v_grad[..., :, :m]
    in_u, in_v = matmul(u, u_grad, adjoint_a=True), matmul(v1, v1_grad, adjoint_a=True)
    in_u, in_v = weights * in_u, weights * in_v
    middle = values + matmul(in_u + adjoint(in_u), scaled) + matmul(scaled, in_v + adjoint(in_v))
    first = matmul(u, matmul(middle, v1, adjoint_b=True))
    if m == n:
        return first
    rest = matrix_transpose(v1_grad)
    rest -= matmul(matmul(rest, v1), v1, adjoint_b=True)
    if full:
        v2, v2_grad = v[..., :, m:n], v_grad[..., :, m:n]
        rest -= matmul(matmul(v1, v2_grad, adjoint_a=True), v2, adjoint_b=True)
    return first + matmul(matmul(u, inverse), rest)


svd_op.samples(values=sample([[2.0, 1.0], [1.0, 3.0], [0.0, 1.0]], compute_uv=False))


@public("linalg.svd", "svd")
def svd(tensor: Any, full_matrices: bool = False, compute_uv: bool = True, name: str | None = None) -> Any:
    """The singular values and vectors of matrices `u @ diag(s) @ adjoint(v)`.

    Args:
      tensor: a tensor of shape [..., m, n].
      full_matrices: whether `u` and `v` are square, rather than of min(m, n) columns.
      compute_uv: whether to compute singular vectors.
      name: name of the results.

    Returns:
      A tuple (s, u, v), or `s` alone: singular values, in descending order, left and right singular vectors.
    """
    s, u, v = svd_op(tensor, compute_uv=compute_uv, full_matrices=full_matrices, name=name)
    s = real(s)
    return (s, u, v) if compute_uv else s

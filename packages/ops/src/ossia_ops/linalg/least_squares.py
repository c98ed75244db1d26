"""Solutions of linear equations in the sense of least squares, and pseudo-inverses."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import with_rank
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_ops.array.eye import eye
from ossia_ops.array.selection import where_v2
from ossia_ops.array.shape import expand_dims, shape
from ossia_ops.array.transposition import matrix_transpose
from ossia_ops.linalg.factorization import cholesky
from ossia_ops.linalg.matmul import matmul
from ossia_ops.linalg.matrix_shapes import MATRIX, check_solvable, solution
from ossia_ops.linalg.solving import cholesky_solve
from ossia_ops.linalg.svd import svd
from ossia_ops.math.arithmetic import maximum
from ossia_ops.math.cast import cast
from ossia_ops.math.reduction import reduce_max

matrix_solve_ls_op = op("MatrixSolveLs(matrix: T, rhs: T, l2_regularizer: double) -> output: T", T=MATRIX,
                        fast="bool = true")


@matrix_solve_ls_op.shape
def _(matrix, rhs, l2_regularizer):
    with_rank(l2_regularizer, 0)
    return solution(matrix, rhs, False)


@matrix_solve_ls_op.kernel
def _(matrix, rhs, l2_regularizer, *, fast):
    check_solvable(matrix, rhs)
    if np.ndim(l2_regularizer) or l2_regularizer < 0:
        raise InvalidArgumentError(None, None, "l2_regularizer must be a scalar >= 0.")
    if not fast:
        return (np.linalg.pinv(matrix) @ rhs).astype(matrix.dtype)
    adjoint = np.conj(np.swapaxes(matrix, -1, -2))
    tall = matrix.shape[-2] >= matrix.shape[-1]
    gramian = adjoint @ matrix if tall else matrix @ adjoint
    gramian = gramian + np.asarray(l2_regularizer, matrix.dtype) * np.eye(gramian.shape[-1], dtype=matrix.dtype)
    try:
        return np.linalg.solve(gramian, adjoint @ rhs) if tall else adjoint @ np.linalg.solve(gramian, rhs)
    except np.linalg.LinAlgError:
        raise InvalidArgumentError(None, None, "Input matrix was rank deficient or ill-conditioned. Try setting "
                                               "fast=False or provide a larger l2_regularizer > 0.") from None


matrix_solve_ls_op.samples(tall=([[2.0], [1.0]], [[1.0], [2.0]], 0.0), wide=([[2.0, 1.0]], [[1.0]], 0.5),
                           regularized=([[2.0, 1.0], [1.0, 3.0], [0.5, 4.0]], [[1.0], [2.0], [3.0]], 0.1),
                           slow=sample([[2.0], [1.0]], [[1.0], [2.0]], 0.0, fast=False))


@matrix_solve_ls_op.gradient
def _(node, grad):
    if not node.get_attr("fast"):
        raise ValueError("Gradient not defined for fast=False")
    matrix = node.inputs[0]
    dims = matrix.shape[-2:].as_tuple()
    if dims is not None and None not in dims:
        return [*(_slopes_of_tall if dims[0] >= dims[1] else _slopes_of_wide)(node, grad), None]
    from ossia_core.control.cond import cond

    sizes = shape(matrix)[-2:]
    slopes = cond(sizes[0] > sizes[1], lambda: _slopes_of_tall(node, grad), lambda: _slopes_of_wide(node, grad))
    return [*slopes, None]


def _slopes_of_tall(node: Any, grad: Tensor) -> list[Tensor]:
    matrix, rhs, regularizer = node.inputs
    x = node.outputs[0]
    z = cholesky_solve(_gramian_factor(matrix, cast(regularizer, matrix.dtype), True), grad)
    product = matmul(x, z, adjoint_b=True)
    both = product + matrix_transpose(product)
    of_matrix = -matmul(matrix, both) + matmul(rhs, z, adjoint_b=True)
    return [of_matrix, matmul(matrix, z)]


def _slopes_of_wide(node: Any, grad: Tensor) -> list[Tensor]:
    matrix, rhs, regularizer = node.inputs
    factor = _gramian_factor(matrix, cast(regularizer, matrix.dtype), False)
    of_rhs = cholesky_solve(factor, matmul(matrix, grad))
    z = cholesky_solve(factor, rhs)
    through_matrix = -matmul(of_rhs, matmul(z, matrix, adjoint_a=True))
    rest = grad - matmul(matrix, of_rhs, adjoint_a=True)
    return [through_matrix + matmul(z, rest, adjoint_b=True), of_rhs]


def _gramian_factor(matrix: Tensor, regularizer: Any, tall: bool) -> Tensor:
    gramian = matmul(matrix, matrix, adjoint_a=tall, adjoint_b=not tall)
    if isinstance(regularizer, Tensor) or regularizer != 0:
        sizes = shape(matrix)
        batch = sizes[:-2]
        gramian += regularizer * eye(sizes[-1] if tall else sizes[-2], batch_shape=batch, dtype=matrix.dtype)
    return cholesky(gramian)


def _of_tall(matrix: Tensor, rhs: Tensor, regularizer: Any) -> Tensor:
    factor = _gramian_factor(matrix, regularizer, True)
    return cholesky_solve(factor, matmul(matrix, rhs, adjoint_a=True))


def _of_wide(matrix: Tensor, rhs: Tensor, regularizer: Any) -> Tensor:
    factor = _gramian_factor(matrix, regularizer, False)
    return matmul(matrix, cholesky_solve(factor, rhs), adjoint_a=True)


@public("linalg.lstsq", "matrix_solve_ls", "compat.v2.linalg.lstsq")
def matrix_solve_ls(matrix: Any, rhs: Any, l2_regularizer: Any = 0.0, fast: bool = True,
                    name: str | None = None) -> Tensor:
    """The `x` for which the squares of `matrix @ x - rhs` are least, or `x` itself is where several are.

    Args:
      matrix: a tensor of shape [..., m, n].
      rhs: a tensor of shape [..., m, k].
      l2_regularizer: weight of the squares of `x` in what is minimised.
      fast: whether to solve the normal equations, rather than to go through an orthogonal decomposition, which ignores
        the regularizer but takes matrices of any rank.
      name: name scope.

    Returns:
      A tensor of shape [..., n, k].
    """
    matrix = convert_to_tensor(matrix, name="matrix")
    if matrix.dtype.base_dtype == dtypes.complex128 and not (
        isinstance(l2_regularizer, (int, float)) and l2_regularizer == 0
    ):
        raise NotImplementedError(
            "matrix_solve_ls is currently disabled for complex128 and l2_regularizer != 0 due to poor accuracy."
        )
    if not fast:
        return matrix_solve_ls_op(matrix, rhs, l2_regularizer, fast=fast, name=name)
    with name_scope(name, "matrix_solve_ls", [matrix, rhs, l2_regularizer]):
        dims = matrix.shape.as_tuple()
        if dims is not None and None not in dims[-2:]:
            build = _of_tall if dims[-2] >= dims[-1] else _of_wide
            return build(matrix, rhs, l2_regularizer)
        from ossia_core.control.cond import cond
        sizes = shape(matrix)[-2:]
        return cond(sizes[-2] >= sizes[-1], lambda: _of_tall(matrix, rhs, l2_regularizer),
                    lambda: _of_wide(matrix, rhs, l2_regularizer))


@public("linalg.pinv", "compat.v2.linalg.pinv")
def pinv(a: Any, rcond: Any = None, validate_args: bool = False, name: str | None = None) -> Tensor:
    """The Moore-Penrose pseudo-inverses of matrices.

    Args:
      a: a floating-point tensor of shape [..., m, n].
      rcond: singular values at most this part of the largest count as zero; 10 max(m, n) times the smallest
        difference of the dtype from 1 if None.
      validate_args: whether to check the arguments further.
      name: name scope.

    Returns:
      A tensor of shape [..., n, m].
    """
    with name_scope(name or "pinv"):
        a = convert_to_tensor(a, name="a")
        if not a.dtype.is_floating:
            raise TypeError(f"Input `a` must have `float`-like `dtype` (saw {a.dtype.name}).")
        if a.shape.ndims is not None and a.shape.ndims < 2:
            raise ValueError(f"Input `a` must have at least 2 dimensions (saw: {a.shape.ndims}).")
        kind = a.dtype.as_numpy_dtype
        if rcond is None:
            rows, columns = (shape(a)[i] if size is None else size for i, size in zip((-2, -1), _inner(a), strict=True))
            if isinstance(rows, Tensor) or isinstance(columns, Tensor):
                largest: Any = cast(maximum(rows, columns), a.dtype)
            else:
                largest = float(max(rows, columns))
            rcond = 10.0 * largest * np.finfo(kind).eps
        rcond = convert_to_tensor(rcond, dtype=a.dtype, name="rcond")
        values, left, right = svd(a, full_matrices=False, compute_uv=True)
        cutoff = rcond * reduce_max(values, axis=-1)
        values = where_v2(values > expand_dims(cutoff, -1), values, np.array(np.inf, kind))
        result = matmul(right / expand_dims(values, -2), left, adjoint_b=True)
        if a.shape.ndims is not None:
            result.set_shape(a.shape[:-2].concatenate([a.shape[-1], a.shape[-2]]))
        return result


def _inner(a: Tensor) -> tuple:
    dims = a.shape.as_tuple()
    return (None, None) if dims is None else dims[-2:]

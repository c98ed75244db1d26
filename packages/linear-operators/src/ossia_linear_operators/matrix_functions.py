"""Square roots and logarithms of matrices."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_linear_operators.schur import schur, triangular_logarithm, triangular_square_root
from ossia_ops.array.concat import concat
from ossia_ops.array.eye import eye
from ossia_ops.array.part import slice_
from ossia_ops.array.shape import reshape, shape, size
from ossia_ops.array.tiling import tile
from ossia_ops.array.transposition import matrix_transpose
from ossia_ops.linalg.matrix_shapes import MATRIX, square
from ossia_ops.linalg.solving import matrix_solve
from ossia_ops.math.arithmetic import add_op
from ossia_ops.math.reduction import reduce_prod

_MOST_PARALLEL = 1e5  # condition of eigenvectors that are used


def _check(input: Any) -> None:
    if input.ndim < 2:
        raise InvalidArgumentError(None, None, f"Input tensor 0 must have rank >= 2, got {input.ndim}")
    if input.shape[-1] != input.shape[-2]:
        raise InvalidArgumentError(None, None, "Input matrix must be square.")


def _through_schur(input: Any, of_triangular: Callable[[Any], Any]) -> Any:
    """A function of each matrix: not a number throughout where it has no finite value that the algorithms find."""
    size = input.shape[-1]
    result = np.empty(input.shape, np.complex128)
    flat = result.reshape(-1, size, size) if input.size else result[:0]
    with np.errstate(all="ignore"):
        for matrix, place in zip(input.reshape(flat.shape), flat, strict=True):
            decomposed = schur(matrix) if np.isfinite(matrix).all() else None
            if decomposed is None:
                place[...] = complex(np.nan, np.nan)
                continue
            triangular, basis = decomposed
            if np.tril(matrix, -1).any():
                # Negative zeros, by-products of the decomposition, would put values on the negative real axis on the
                # other side of the cut.
                triangular.imag += 0.0
            found = of_triangular(triangular)
            place[...] = basis @ found @ basis.conj().T if np.isfinite(found).all() else complex(np.nan, np.nan)
    return result


def _through_eigenvectors(input: Any, of_values: Callable[[Any], Any]) -> tuple[Any, Any, Any]:
    """A function of all matrices at once, which results are as accurate as those that the algorithms find, and the
    eigenvalues."""
    known = np.isfinite(input).all(axis=(-2, -1))
    kind = np.complex128 if np.iscomplexobj(input) else np.float64
    matrix = (input if known.all() else np.where(known[..., None, None], input, 0)).astype(kind)
    with np.errstate(all="ignore"):
        try:
            values, vectors = np.linalg.eig(matrix)
        except np.linalg.LinAlgError:
            return matrix.astype(np.complex128), np.zeros_like(known), np.full(input.shape[:-1], np.nan)
        # Near the cut and near 0, and where eigenvectors are nearly parallel, a decomposition without them decides.
        sizes = np.abs(values)
        apart = ((values.real > 0) | (np.abs(values.imag) > 1e-6 * sizes)).all(-1)
        usable = known & apart & (sizes.min(-1) > 1e-6 * sizes.max(-1))
        try:
            inverse = np.linalg.inv(vectors)
        except np.linalg.LinAlgError:
            usable &= np.linalg.cond(vectors) < _MOST_PARALLEL
            inverse = np.linalg.inv(np.where(usable[..., None, None], vectors, np.eye(input.shape[-1])))
        condition = np.linalg.norm(vectors, axis=(-2, -1)) * np.linalg.norm(inverse, axis=(-2, -1))
        usable &= condition < _MOST_PARALLEL * input.shape[-1] ** 0.5
        error = np.abs((vectors * values[..., None, :]) @ inverse - matrix).max(axis=(-2, -1))
        result = (vectors * of_values(values.astype(np.complex128))[..., None, :]) @ inverse
        return result, usable & (error <= 1e-11 * np.abs(matrix).max(axis=(-2, -1))), values


matrix_square_root_op = op("MatrixSquareRoot(input: T) -> output: T", T=MATRIX)
matrix_square_root_op.shape(square)


@matrix_square_root_op.kernel
def _(input):
    _check(input)
    if not input.size:
        return input.copy()
    result, found, values = _through_eigenvectors(input, np.sqrt)
    real = not np.iscomplexobj(input)
    # A real matrix with a negative eigenvalue has no real root that is a function of it.
    rootless = ((values.real < 0) & (values.imag == 0)).any(axis=-1) & real
    rest = ~(found | rootless)
    if rest.any():
        result[rest] = _through_schur(input[rest], triangular_square_root)
    result[rootless] = np.nan
    return (result.real if real else result).astype(input.dtype)


def _kronecker(a: Tensor, b: Tensor) -> Tensor:
    """The Kronecker products of the matrices of two batches of the same shape."""
    a_shape, b_shape = shape(a), shape(b)
    a_size, b_size = a_shape[-1], b_shape[-1]
    batch = slice_(a_shape, [0], [lookup("Sub")(size(a_shape), 2, name="Sub")])
    a_apart = concat([batch, [a_size], [1], [a_size], [1]], 0)
    b_apart = concat([batch, [1], [b_size], [1], [b_size]], 0)
    a, b = reshape(a, a_apart), reshape(b, b_apart)
    whole = a_size * b_size
    joined = concat([batch, [whole], [whole]], 0)
    return reshape(a * b, joined)


@matrix_square_root_op.gradient
def _(node, grad):
    # The derivative X of the root R of A solves X R + R X = dA: a linear system for the elements of X.
    root = node.outputs[0]
    whole = shape(root)
    count = whole[-1]
    batch_size = reduce_prod(whole[0:-2])
    flat = tile(reshape(eye(count, dtype=root.dtype), [-1]), [batch_size])
    identity = reshape(flat, whole)
    system = add_op(_kronecker(identity, matrix_transpose(root)), _kronecker(root, identity))
    batch = slice_(whole, [0], [lookup("Sub")(size(whole), 2, name="Sub")])
    columns = concat([batch, [count * count], [1]], 0)
    found = matrix_solve(system, reshape(matrix_transpose(grad), columns))
    return [matrix_transpose(reshape(found, whole))]


matrix_square_root_op.samples(plain=[[2.0, 1.0], [1.0, 3.0]], turned=[[1.0, -1.0], [1.0, 1.0]],
                              defective=[[4.0, 1.0], [0.0, 4.0]], batch=[[[2.0]], [[4.0]]])


@public("linalg.sqrtm", "matrix_square_root", "compat.v2.linalg.sqrtm")
def matrix_square_root(input: Any, name: str | None = None) -> Tensor:
    """The square roots of square matrices: the `x` with `x @ x = input` whose eigenvalues have no negative real part.

    Args:
      input: a tensor of shape [..., n, n].
      name: name of the result.

    Returns:
      A tensor of the shape of `input`; its elements are not numbers where a matrix has no such root, or no real one.
    """
    return matrix_square_root_op(input, name=name)


matrix_logarithm_op = op("MatrixLogarithm(input: T) -> output: T", T="{complex64, complex128}")
matrix_logarithm_op.shape(square)


@matrix_logarithm_op.kernel
def _(input):
    _check(input)
    if not input.size:
        return input.copy()
    result, found, _ = _through_eigenvectors(input, np.log)
    if not found.all():
        result[~found] = _through_schur(input[~found], triangular_logarithm)
    return result.astype(input.dtype)


matrix_logarithm_op.samples(plain=[[2.0 + 0j, 1.0], [1.0, 3.0]], defective=[[4.0 + 0j, 1.0], [0.0, 4.0]],
                            complex=[[1j, 1.0], [0.5, 2.0]], batch=[[[2.0 + 0j]], [[-4.0 + 0j]]])


@public("linalg.logm", "compat.v2.linalg.logm")
def matrix_logarithm(input: Any, name: str | None = None) -> Tensor:
    """The logarithms of square complex matrices: the matrices whose exponentials are `input` and the imaginary parts of
    whose eigenvalues lie between -pi and pi.

    Args:
      input: a complex tensor of shape [..., n, n].
      name: name of the result.

    Returns:
      A tensor of the shape of `input`; its elements are not numbers where a matrix is singular.
    """
    return matrix_logarithm_op(input, name=name)

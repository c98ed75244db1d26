"""Matrix ops of older graphs: batch forms from the time before the plain ones took batches, and what was replaced."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import OpDef, op, sample
from ossia_core.declare.shape_rules import unknown
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import TensorShape
from ossia_ops.array.diagonal import matrix_band_part_op, matrix_diag_op, matrix_diag_part_op, matrix_set_diag_op
from ossia_ops.linalg.determinant import matrix_determinant_op
from ossia_ops.linalg.factorization import cholesky_op, self_adjoint_eig_v2_op
from ossia_ops.linalg.least_squares import matrix_solve_ls_op
from ossia_ops.linalg.matrix_shapes import check_square, square
from ossia_ops.linalg.solving import matrix_inverse_op, matrix_solve_op, matrix_triangular_solve_op
from ossia_ops.linalg.svd import svd_op

_REAL = "{double, float}"
_A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 5.0]], np.float32)
_L = np.linalg.cholesky(_A)


# -- what was replaced ----------------------------------------------------------------------------------

cholesky_grad_op = op("CholeskyGrad(l: T, grad: T) -> output: T", T="{half, float, double}")
cholesky_grad_op.shape(lambda l, grad: square(l))


@cholesky_grad_op.kernel
def _(l, grad):
    check_square(l)
    if l.shape != grad.shape:
        raise InvalidArgumentError(None, None, "Inputs (L and grad) must have the same shape.")
    factor, dtype = np.tril(l.astype(np.float64)), l.dtype
    if not l.size:
        return np.array(l)
    middle = np.tril(np.swapaxes(factor, -1, -2) @ np.tril(grad))
    diagonal = np.arange(l.shape[-1])
    middle[..., diagonal, diagonal] *= 0.5
    inverse = _inverse(factor)
    whole = np.swapaxes(inverse, -1, -2) @ middle @ inverse
    return (0.5 * (whole + np.swapaxes(whole, -1, -2))).astype(dtype)


def _inverse(factor: np.ndarray) -> np.ndarray:
    try:
        return np.linalg.inv(factor)
    except np.linalg.LinAlgError:
        return np.full(factor.shape, np.nan)


cholesky_grad_op.samples(plain=(_L, _A), batch=(np.stack([_L, 2 * _L]), np.stack([_A, _A])))


self_adjoint_eig_op = op("SelfAdjointEig(input: T) -> output: T", T="{double, float, half}")


@self_adjoint_eig_op.shape
def _(input):
    dims = square(input).as_tuple()
    if dims is None:
        return None
    return TensorShape((*dims[:-2], None if dims[-1] is None else dims[-1] + 1, dims[-1]))


def _values_above_vectors(input: Any) -> np.ndarray:
    check_square(input)
    values, vectors = np.linalg.eigh(input)
    return np.concatenate([values[..., None, :], vectors], axis=-2).astype(input.dtype)


self_adjoint_eig_op.kernel(_values_above_vectors)
self_adjoint_eig_op.removed(11, "Use SelfAdjointEigV2 instead")
self_adjoint_eig_op.samples(one=[[2.0]], batch=[[[2.0]], [[5.0]]])


# -- batch forms ----------------------------------------------------------------------------------------

def _batch_form(version: int, signature: str, kernel: Any, samples: dict[str, Any], **attrs: str) -> OpDef:
    """A batch form, whose shape the original does not infer; graphs have it up to a version."""
    definition = op("Batch" + signature, **attrs)
    plain = definition.type.removeprefix("Batch")
    definition.removed(version, f"Use {'SelfAdjointEigV2' if plain == 'SelfAdjointEig' else plain} instead")
    definition.shape(unknown)
    definition.kernel(kernel)
    definition.samples(**samples)
    return definition


_batch_form(13, "Cholesky(input: T) -> output: T", cholesky_op.kernel_fn, {"plain": _A}, T=_REAL)
_batch_form(13, "CholeskyGrad(l: T, grad: T) -> output: T", cholesky_grad_op.kernel_fn, {"plain": (_L, _A)},
            T="{float, double}")
_batch_form(13, "MatrixDeterminant(input: T) -> output: T", matrix_determinant_op.kernel_fn, {"plain": _A},
            T="{float, double, complex64, complex128}")
_batch_form(13, "MatrixInverse(input: T) -> output: T", matrix_inverse_op.kernel_fn, {"plain": _A},
            adjoint="bool = false", T=_REAL)
_batch_form(13, "MatrixSolve(matrix: T, rhs: T) -> output: T", matrix_solve_op.kernel_fn, {"plain": (_A, _L)},
            adjoint="bool = false", T=_REAL)
_batch_form(13, "MatrixSolveLs(matrix: T, rhs: T, l2_regularizer: double) -> output: T", matrix_solve_ls_op.kernel_fn,
            {"plain": (_A, _L, 0.5)}, T=_REAL, fast="bool = true")
_batch_form(13, "MatrixTriangularSolve(matrix: T, rhs: T) -> output: T", matrix_triangular_solve_op.kernel_fn,
            {"plain": (_L, _A)}, lower="bool = true", adjoint="bool = false", T=_REAL)
_batch_form(11, "SelfAdjointEig(input: T) -> output: T", _values_above_vectors, {"one": [[2.0]]}, T=_REAL)
_batch_form(14, "MatrixBandPart(input: T, num_lower: int64, num_upper: int64) -> band: T",
            matrix_band_part_op.kernel_fn, {"plain": (_A, np.int64(0), np.int64(1))}, T="type")
_batch_form(14, "MatrixDiag(diagonal: T) -> output: T", matrix_diag_op.kernel_fn, {"plain": _A}, T="type")
_batch_form(14, "MatrixDiagPart(input: T) -> diagonal: T", matrix_diag_part_op.kernel_fn, {"plain": _A}, T="type")
_batch_form(14, "MatrixSetDiag(input: T, diagonal: T) -> output: T", matrix_set_diag_op.kernel_fn,
            {"plain": (_A, [1.0, 2.0, 3.0])}, T="type")
_batch_form(13, "SelfAdjointEigV2(input: T) -> e: T, v: T", self_adjoint_eig_v2_op.kernel_fn,
            {"values": sample(_A, compute_v=False)}, compute_v="bool = true", T=_REAL).shape(lambda input: (None, None))
_batch_form(13, "Svd(input: T) -> s: T, u: T, v: T", svd_op.kernel_fn, {"values": sample(_A, compute_uv=False)},
            compute_uv="bool = true", full_matrices="bool = false",
            T="{double, float, complex64, complex128}").shape(lambda input: (None, None, None))

"""Exponentials of matrices.

They are Padé approximants of a degree that the norm of a matrix decides on; the largest ones are scaled down first, and
their approximants squared: Higham, "The scaling and squaring method for the matrix exponential revisited" (2005).
"""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.control.while_loop import while_loop
from ossia_core.declare.opdef import op
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_ops.array.concat import concat
from ossia_ops.array.eye import eye
from ossia_ops.array.selection import where
from ossia_ops.array.shape import reshape, shape, size
from ossia_ops.linalg.matmul import matmul
from ossia_ops.linalg.matrix_shapes import MATRIX, check_square, square
from ossia_ops.linalg.solving import matrix_solve
from ossia_ops.math.arithmetic import maximum, pow
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import less
from ossia_ops.math.elementwise import abs, floor
from ossia_ops.math.exponential import log
from ossia_ops.math.reduction import reduce_max, reduce_sum

# The numerators' coefficients by degree, and the 1-norms up to which the degrees are accurate in single and in double
# precision, as the paper's tables have them; larger norms are halved until they are at most the last.
_COEFFICIENTS: dict[int, list[float]] = {
    3: [120.0, 60.0, 12.0],
    5: [30240.0, 15120.0, 3360.0, 420.0, 30.0],
    7: [17297280.0, 8648640.0, 1995840.0, 277200.0, 25200.0, 1512.0, 56.0],
    9: [17643225600.0, 8821612800.0, 2075673600.0, 302702400.0, 30270240.0, 2162160.0, 110880.0, 3960.0, 90.0],
    13: [64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0,
         10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0],
}
_SINGLE = ([4.258730016922831e-001, 1.880152677804762e000], 3.925724783138660)
_DOUBLE = ([1.495585217958292e-002, 2.539398330063230e-001, 9.504178996162932e-001, 2.097847961257068e000],
           5.371920351148152)


def _approximant(matrix: Tensor, degree: int) -> tuple[Tensor, Tensor]:
    """The odd and the even part of the numerator of the approximant of a degree."""
    factors = [constant(value, matrix.dtype) for value in _COEFFICIENTS[degree]]
    identity = eye(shape(matrix)[-2], batch_shape=shape(matrix)[:-2], dtype=matrix.dtype)
    square = matmul(matrix, matrix)
    if degree == 13:
        return _largest(matrix, square, identity, factors)
    powers = [identity, square]
    while len(powers) <= degree // 2:
        powers.append(matmul(powers[-1], square))
    # The highest odd power, whose coefficient is 1, comes first; then all in falling order.
    inner = powers[-1]
    for power in range(len(powers) - 2, -1, -1):
        inner = inner + factors[2 * power + 1] * powers[power]
    odd = matmul(matrix, inner)
    even = factors[-1] * powers[-1]
    for power in range(len(powers) - 2, -1, -1):
        even = even + factors[2 * power] * powers[power]
    return odd, even


def _largest(matrix: Tensor, square: Tensor, identity: Tensor, factors: list[Tensor]) -> tuple[Tensor, Tensor]:
    """Degree 13, whose powers from the eighth on are products with the sixth."""
    fourth = matmul(square, square)
    sixth = matmul(fourth, square)
    high = sixth + factors[11] * fourth + factors[9] * square
    inner = (matmul(sixth, high) + factors[7] * sixth + factors[5] * fourth + factors[3] * square
             + factors[1] * identity)
    odd = matmul(matrix, inner)
    high = factors[12] * sixth + factors[10] * fourth + factors[8] * square
    even = (matmul(sixth, high) + factors[6] * sixth + factors[4] * fourth + factors[2] * square
            + factors[0] * identity)
    return odd, even


def _chosen(norm: Tensor, limits: list[float], values: list[Tensor]) -> Tensor:
    below = [less(norm, constant(limit, norm.dtype)) for limit in limits]
    result = values[-1]
    for condition, value in zip(reversed(below), reversed(values[:-1]), strict=True):
        result = where(condition, value, result)
    return result


@public("linalg.expm", "compat.v2.linalg.expm")
def matrix_exponential(input: Any, name: str | None = None) -> Tensor:
    """The exponentials of square matrices.

    Args:
      input: a floating-point or complex tensor of shape [..., n, n].
      name: name scope.

    Returns:
      A tensor of the shape of `input`.

    Raises:
      ValueError: `input` has another dtype, or no matrices in its last two dimensions.
    """
    with name_scope(name, "matrix_exponential", [input]):
        matrix = convert_to_tensor(input, name="input")
        if matrix.shape[-2:].as_tuple() == (0, 0):
            return matrix
        batch_shape: Any = matrix.shape[:-2]
        if not batch_shape.is_fully_defined():
            batch_shape = shape(matrix)[:-2]
        matrix = reshape(matrix, concat(([-1], shape(matrix)[-2:]), axis=0))
        norm = reduce_max(reduce_sum(abs(matrix), axis=size(shape(matrix)) - 2), axis=-1)
        if matrix.dtype in (dtypes.float16, dtypes.float32, dtypes.complex64):
            (limits, largest), degrees = _SINGLE, [3, 5, 7]
        elif matrix.dtype in (dtypes.float64, dtypes.complex128):
            (limits, largest), degrees = _DOUBLE, [3, 5, 7, 9, 13]
        else:
            raise ValueError(f"tf.linalg.expm does not support matrices of type {matrix.dtype!r}")
        ratio = log(norm / constant(largest, norm.dtype)) / log(constant(2.0, norm.dtype))
        squarings = maximum(floor(ratio), 0.0)
        parts = [_approximant(matrix, degree) for degree in degrees[:-1]]
        scale = pow(constant(2.0, matrix.dtype), cast(squarings, matrix.dtype))
        parts.append(_approximant(matrix / scale[..., np.newaxis, np.newaxis], degrees[-1]))
        odd = _chosen(norm, limits, [part[0] for part in parts])
        even = _chosen(norm, limits, [part[1] for part in parts])
        numerator = odd + even
        result = matrix_solve(-odd + even, numerator)
        most = reduce_max(squarings)

        def squared(i: Tensor, r: Tensor) -> tuple[Tensor, Tensor]:
            return i + 1, where(less(i, squarings), matmul(r, r), r)

        _, result = while_loop(lambda i, _: less(i, most), squared, [constant(0.0, most.dtype), result])
        if isinstance(batch_shape, Tensor) or not matrix.shape.is_fully_defined():
            return reshape(result, concat((batch_shape, shape(result)[-2:]), axis=0))
        return reshape(result, batch_shape.concatenate(result.shape[-2:]))


matrix_exponential_op = op("MatrixExponential(input: T) -> output: T", T=MATRIX)
matrix_exponential_op.removed(27, "Use Python implementation tf.linalg.matrix_exponential instead.")
matrix_exponential_op.shape(square)


@matrix_exponential_op.kernel
def _(input):
    check_square(input)
    if not input.size:
        return np.array(input)
    wide = np.complex128 if np.iscomplexobj(input) else np.float64
    known = np.isfinite(input).all(axis=(-2, -1), keepdims=True)
    matrix = np.where(known, input, 0).astype(wide)
    norm = np.abs(matrix).sum(-2).max(-1)
    # Each matrix is halved until its approximant is accurate, which is squared as often.
    halvings = np.maximum(np.ceil(np.log2(np.maximum(norm, _DOUBLE[1]) / _DOUBLE[1])), 0).astype(int)
    matrix = np.ldexp(1.0, -halvings)[..., np.newaxis, np.newaxis] * matrix
    factors = _COEFFICIENTS[13]
    second, identity = matrix @ matrix, np.eye(input.shape[-1])
    fourth = second @ second
    sixth = fourth @ second
    odd = matrix @ (sixth @ (sixth + factors[11] * fourth + factors[9] * second) + factors[7] * sixth
                    + factors[5] * fourth + factors[3] * second + factors[1] * identity)
    even = (sixth @ (factors[12] * sixth + factors[10] * fourth + factors[8] * second) + factors[6] * sixth
            + factors[4] * fourth + factors[2] * second + factors[0] * identity)
    result = np.linalg.solve(even - odd, even + odd)
    with np.errstate(all="ignore"):
        for done in range(halvings.max(initial=0)):
            again = halvings > done
            result[again] = result[again] @ result[again]
        return np.where(known, result, np.nan).astype(input.dtype)


_MATRIX = [[1.0, 2.0], [3.0, 4.0]]
matrix_exponential_op.samples(
    plain=np.array(_MATRIX, np.float32),
    double=np.array(_MATRIX),
    batch=np.array([_MATRIX, np.zeros((2, 2)), [[0.0, 40.0], [-40.0, 0.0]]]),
    complex=np.array([[1j, 2.0], [0.5, -1j]], np.complex64),
    zeros=np.zeros((3, 3), np.complex128),
    empty=np.zeros((0, 0), np.float32),
    nan=np.array([[np.nan, 1.0], [1.0, 1.0]], np.float32),
    overflow=np.array([[1e3, 1.0], [1.0, 1.0]], np.float32),
    refused_rank=np.zeros(3, np.float32),
    refused_square=np.zeros((1, 2), np.float32),
)

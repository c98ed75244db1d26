"""Products and equations of tridiagonal matrices, which are given by their diagonals."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import merge, merge_dim, with_rank_at_least, with_value
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.concat import concat
from ossia_ops.array.diagonal import matrix_diag_part
from ossia_ops.array.fill import zeros
from ossia_ops.array.gather import gather_nd
from ossia_ops.array.padding import pad
from ossia_ops.array.shape import expand_dims, rank, squeeze
from ossia_ops.array.stacking import stack
from ossia_ops.array.transposition import matrix_transpose, transpose
from ossia_ops.math.complex_numbers import conj
from ossia_ops.math.reduction import reduce_sum

_TYPES = "{double, float, complex64, complex128}"


def _checked_rhs(rhs: Any, batch: tuple, size: int) -> None:
    if rhs.ndim < 2:
        raise InvalidArgumentError(None, None, f"Input must have rank >= 2, but got {rhs.ndim}")
    if rhs.shape[:-2] != batch:
        raise InvalidArgumentError(None, None, f"Batch dimensions of inputs differ: {list(batch)} and "
                                               f"{dims_text(rhs.shape[:-2])}")
    if rhs.shape[-2] != size:
        raise InvalidArgumentError(None, None, "Expected the same number of left-hand sides and right-hand sides, got "
                                               f"{size} and {rhs.shape[-2]}.")


# -- products -------------------------------------------------------------------------------------------

tridiagonal_mat_mul_op = op("TridiagonalMatMul(superdiag: T, maindiag: T, subdiag: T, rhs: T) -> output: T", T=_TYPES)


@tridiagonal_mat_mul_op.shape
def _(superdiag, maindiag, subdiag, rhs):
    product = with_rank_at_least(rhs, 2)
    diagonals = merge(merge(with_rank_at_least(superdiag, 2), with_rank_at_least(maindiag, 2)),
                      with_rank_at_least(subdiag, 2)).as_tuple()
    dims = product.as_tuple()
    if diagonals is None or dims is None:
        return product
    merge(TensorShape(diagonals[:-2]), TensorShape(dims[:-2]))
    merge_dim(diagonals[-2], 1)
    merge_dim(diagonals[-1], dims[-2])
    return product


@tridiagonal_mat_mul_op.kernel
def _(superdiag, maindiag, subdiag, rhs):
    for diagonal in (superdiag, maindiag, subdiag):
        if diagonal.ndim < 2:
            raise InvalidArgumentError(None, None, f"Input must have rank >= 2, but got {diagonal.ndim}")
        if diagonal.shape[-2] != 1:
            raise InvalidArgumentError(None, None, f"Diagonal must be of shape [..., 1, n], got {diagonal.shape}")
        _checked_rhs(rhs, diagonal.shape[:-2], diagonal.shape[-1])
    result = maindiag[..., 0, :, None] * rhs
    result[..., :-1, :] += superdiag[..., 0, :-1, None] * rhs[..., 1:, :]
    result[..., 1:, :] += subdiag[..., 0, 1:, None] * rhs[..., :-1, :]
    return result


def _margins(x: Tensor, last: list[list[int]], none: Tensor | None = None) -> Tensor:
    """Paddings that leave the batch dimensions of `x` as they are."""
    none = _no_margins(x) if none is None else none
    return concat((none, constant(last)), axis=0)


def _no_margins(x: Tensor) -> Tensor:
    return zeros((rank(x) - 2, 2), dtype=dtypes.int32)


def _moved_up(x: Tensor) -> Tensor:
    paddings = _margins(x, [[0, 1], [0, 0]])
    return pad(x[..., 1:, :], paddings)


def _moved_down(x: Tensor) -> Tensor:
    paddings = _margins(x, [[1, 0], [0, 0]])
    return pad(x[..., :-1, :], paddings)


@tridiagonal_mat_mul_op.gradient
def _(node, grad):
    above, main, below = (matrix_transpose(x, conjugate=True) for x in node.inputs[:3])
    rhs = conj(node.inputs[3])
    of_above = reduce_sum(_moved_up(rhs) * grad, axis=-1)
    of_main = reduce_sum(rhs * grad, axis=-1)
    of_below = reduce_sum(_moved_down(rhs) * grad, axis=-1)
    of_rhs = _moved_down(above * grad) + main * grad + _moved_up(below * grad)
    return [*(expand_dims(x, -2) for x in (of_above, of_main, of_below)), of_rhs]


tridiagonal_mat_mul_op.samples(
    plain=([[1.0, 2.0, 9.0]], [[2.0, 3.0, 4.0]], [[9.0, 1.0, 0.5]], [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
    single=([[9.0]], [[2.0]], [[9.0]], [[3.0]]),
    complex=([[1j, 0]], [[2.0 + 0j, 1j]], [[0j, 1.0]], [[1.0 + 1j], [2.0]]),
)


# -- equations ------------------------------------------------------------------------------------------

tridiagonal_solve_op = op("TridiagonalSolve(diagonals: T, rhs: T) -> output: T", partial_pivoting="bool = true",
                          T=_TYPES)


@tridiagonal_solve_op.shape
def _(diagonals, rhs):
    left, right = with_rank_at_least(diagonals, 2).as_tuple(), with_rank_at_least(rhs, 2).as_tuple()
    if right is None:
        return TensorShape(None)
    if left is None:
        return TensorShape(right)
    merge(TensorShape(left[:-2]), TensorShape(right[:-2]))
    with_value(left[-2], 3)
    merge_dim(left[-1], right[-2])
    return TensorShape(right)


_SINGULAR = "The matrix is not invertible."
_NO_PIVOT = "The matrix is not invertible, or needs exchanges of rows: try partial_pivoting=True."


def _without_exchanges(above: Any, main: Any, below: Any, rhs: Any) -> Any:
    """Elimination row by row; the rows are the first dimension of all arguments."""
    size = len(main)
    above, result = above.copy(), np.empty_like(rhs)
    for i in range(size):
        pivot = main[i] - below[i] * above[i - 1] if i else main[0]
        if not pivot.all():
            raise InvalidArgumentError(None, None, _NO_PIVOT)
        above[i] = above[i] / pivot
        result[i] = (rhs[i] - below[i][:, None] * result[i - 1] if i else rhs[0]) / pivot[:, None]
    for i in range(size - 2, -1, -1):
        result[i] -= above[i][:, None] * result[i + 1]
    return result


def _with_exchanges(above: Any, main: Any, below: Any, rhs: Any) -> Any:
    """Elimination where of each row and the next the one with the larger pivot comes first; a row then reaches two
    columns beyond its pivot."""
    size = len(main)
    pivots, nexts, seconds, result = main.copy(), above.copy(), np.zeros_like(above), rhs.copy()
    for i in range(size - 1):
        exchanged = np.abs(below[i + 1]) > np.abs(pivots[i])
        last = above[i + 1] if i + 2 < size else np.zeros_like(main[0])
        upper = [np.where(exchanged, below[i + 1], pivots[i]), np.where(exchanged, main[i + 1], nexts[i]),
                 np.where(exchanged, last, 0)]
        lower = [np.where(exchanged, pivots[i], below[i + 1]), np.where(exchanged, nexts[i], main[i + 1]),
                 np.where(exchanged, 0, last)]
        if not upper[0].all():
            raise InvalidArgumentError(None, None, _SINGULAR)
        factor = lower[0] / upper[0]
        swap = exchanged[:, None]
        first, second = np.where(swap, result[i + 1], result[i]), np.where(swap, result[i], result[i + 1])
        pivots[i], nexts[i], seconds[i] = upper
        pivots[i + 1], nexts[i + 1] = lower[1] - factor * upper[1], lower[2] - factor * upper[2]
        result[i], result[i + 1] = first, second - factor[:, None] * first
    if not pivots[-1].all():
        raise InvalidArgumentError(None, None, _SINGULAR)
    for i in range(size - 1, -1, -1):
        if i + 1 < size:
            result[i] -= nexts[i][:, None] * result[i + 1]
        if i + 2 < size:
            result[i] -= seconds[i][:, None] * result[i + 2]
        result[i] /= pivots[i][:, None]
    return result


@tridiagonal_solve_op.kernel
def _(diagonals, rhs, *, partial_pivoting):
    if diagonals.ndim < 2:
        raise InvalidArgumentError(None, None, f"Expected diagonals to have rank at least 2, got {diagonals.ndim}")
    if diagonals.shape[-2] != 3:
        raise InvalidArgumentError(None, None, "Expected diagonals to be provided as a matrix with 3 rows, got "
                                               f"{diagonals.shape[-2]} rows.")
    size = diagonals.shape[-1]
    _checked_rhs(rhs, diagonals.shape[:-2], size)
    if not rhs.size:
        return np.empty_like(rhs)
    flat = np.moveaxis(diagonals.reshape(-1, 3, size), 0, -1)
    columns = np.moveaxis(rhs.reshape(-1, *rhs.shape[-2:]), 0, 1)
    solve = _with_exchanges if partial_pivoting else _without_exchanges
    with np.errstate(all="ignore"):
        found = solve(flat[0], flat[1], flat[2], columns)
    return np.ascontiguousarray(np.moveaxis(found, 1, 0)).reshape(rhs.shape)


def _extended(x: Tensor, kept: tuple, margin: Tensor, at_end: bool, axis: int) -> Tensor:
    """What is `kept` of `x`, with zeros at an end of an axis.

    `margin` is those zeros or, where it is int32, paddings of no batch dimension.
    """
    if margin.dtype is not dtypes.int32:
        part = x[kept]
        return concat((part, margin) if at_end else (margin, part), axis=axis)
    paddings = _margins(x, [[0, 1] if at_end else [1, 0]] + [[0, 0]] * (-1 - axis), margin)
    return pad(x[kept], paddings)


def _margin(x: Tensor, last: list) -> Tensor:
    if x.shape.is_fully_defined():
        return zeros([*x.shape[:-2].as_list(), *last], dtype=x.dtype)
    return _no_margins(x)


def _transposed(diagonals: Tensor) -> Tensor:
    """The diagonals of the transposed matrices."""
    main = diagonals[..., 1, :]
    margin = _margin(diagonals, [1])
    above = _extended(diagonals, (..., 2, slice(1, None)), margin, True, -1)
    below = _extended(diagonals, (..., 0, slice(None, -1)), margin, False, -1)
    return stack([above, main, below], axis=-2)


def _products_on_diagonals(x: Tensor, y: Tensor) -> Tensor:
    """The three diagonals of the products of `x` and the adjoint of `y`."""
    on_main = reduce_sum(x * y, axis=-1)
    margin = _margin(y, [1, y.shape[-1].value])
    on_above = reduce_sum(x * _extended(y, (..., slice(1, None), slice(None)), margin, True, -2), axis=-1)
    on_below = reduce_sum(x * _extended(y, (..., slice(None, -1), slice(None)), margin, False, -2), axis=-1)
    return stack([on_above, on_main, on_below], axis=-2)


@tridiagonal_solve_op.gradient
def _(node, grad):
    of_rhs = tridiagonal_solve_op(_transposed(node.inputs[0]), grad, partial_pivoting=node.get_attr("partial_pivoting"))
    return [-_products_on_diagonals(of_rhs, node.outputs[0]), of_rhs]


tridiagonal_solve_op.samples(
    plain=([[1.0, 2.0, 9.0], [2.0, 3.0, 4.0], [9.0, 1.0, 0.5]], [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
    exchanged=([[1.0, 2.0, 9.0], [0.5, 1.0, 4.0], [9.0, 3.0, 2.0]], [[1.0], [3.0], [5.0]]),
    no_exchanges=sample([[1.0, 2.0, 9.0], [2.0, 3.0, 4.0], [9.0, 1.0, 0.5]], [[1.0], [3.0], [5.0]],
                        partial_pivoting=False),
    batch=([[[9.0], [2.0], [9.0]], [[9.0], [4.0], [9.0]]], [[[1.0]], [[2.0]]]),
)


# -- public functions -----------------------------------------------------------------------------------


def _known_size(matrices: Any, of_both: bool) -> int:
    """The size of square matrices, an array or a tensor; with `of_both`, rows and columns must both be known."""
    dims = TensorShape(matrices.shape).as_tuple()
    known = [] if dims is None else [size for size in dims[-2:] if size is not None]
    if not known or (of_both and len(known) < 2):
        raise ValueError('The size of the matrix needs to be known for diagonals_format="matrix"')
    if known[0] != known[-1]:
        raise ValueError(f"Expected last two dimensions of diagonals to be same, got {known[0]} and {known[1]}")
    return known[0]


@public("linalg.tridiagonal_matmul", "compat.v2.linalg.tridiagonal_matmul")
def tridiagonal_matmul(diagonals: Any, rhs: Any, diagonals_format: str = "compact", name: str | None = None) -> Tensor:
    """The products of tridiagonal matrices and others.

    Args:
      diagonals: the tridiagonal matrices, in the form that `diagonals_format` says.
      rhs: a tensor of shape [..., n, k].
      diagonals_format: `compact` for a tensor of shape [..., 3, n] of the diagonals above, on and below the main one;
        the last element of the first and the first element of the last are not read; `sequence` for a tuple of
        three tensors of shape [..., n] that are the same diagonals; `matrix` for a tensor of shape [..., n, n] of which
        only the three diagonals are read.
      name: name of the result.

    Returns:
      A tensor of the shape of `rhs`.

    Raises:
      ValueError: `diagonals_format` is another, or shapes do not fit it.
    """
    if diagonals_format == "compact":
        above, main, below = diagonals[..., 0, :], diagonals[..., 1, :], diagonals[..., 2, :]
    elif diagonals_format == "sequence":
        above, main, below = diagonals
    elif diagonals_format == "matrix":
        size = _known_size(diagonals, of_both=True)
        main = matrix_diag_part(diagonals)
        # Elements that are not on a diagonal stand for those beyond its ends, which are not read.
        turned = transpose(diagonals)
        above = transpose(gather_nd(turned, [*([i + 1, i] for i in range(size - 1)), [0, 0]]))
        below = transpose(gather_nd(turned, [[0, 0], *([i, i + 1] for i in range(size - 1))]))
    else:
        raise ValueError(f"Unrecognized diagonals_format: {diagonals_format}")
    return tridiagonal_mat_mul_op(expand_dims(above, -2), expand_dims(main, -2), expand_dims(below, -2), rhs, name=name)


def _compact(diagonals: Any) -> Tensor:
    if not isinstance(diagonals, (tuple, list)) or len(diagonals) != 3:
        raise ValueError("Expected diagonals to be a sequence of length 3.")
    above, main, below = (convert_to_tensor(x) for x in diagonals)
    if not all(main.shape[:-1].is_compatible_with(x.shape[:-1]) for x in (above, below)):
        raise ValueError(f"Batch shapes of diagonals differ: {above.shape}, {main.shape} and {below.shape}")
    size = main.shape[-1].value

    def padded(x: Tensor, name: str, margin: list[int]) -> Tensor:
        length = x.shape[-1].value
        if size is None and length is not None:
            raise TypeError(f"The size of {name} is known to be {length}, that of the main diagonal is not known")
        if size is None or length is None or length == size:
            return x
        if length != size - 1:
            raise ValueError(f"Expected {name} to have length {size} or {size - 1}, got {length}")
        return pad(x, [[0, 0]] * (x.shape.ndims - 1) + [margin])

    below = padded(below, "subdiagonal", [1, 0])
    above = padded(above, "superdiagonal", [0, 1])
    return stack((above, main, below), axis=-2)


def _solve_compact(diagonals: Any, rhs: Any, transpose_rhs: bool, conjugate_rhs: bool, name: str | None,
                   partial_pivoting: bool) -> Tensor:
    left, right = diagonals.shape, rhs.shape
    # The length of an unknown shape is refused by the shape itself.
    ranks = len(left), len(right)
    if ranks[0] < 2:
        raise ValueError(f"Expected diagonals to have rank at least 2, got {ranks[0]}")
    if ranks[1] not in (ranks[0], ranks[0] - 1):
        raise ValueError(f"Expected the rank of rhs to be {ranks[0] - 1} or {ranks[0]}, got {ranks[1]}")
    if left[-2] != 3 and left[-2] is not None:  # TensorShape gives a Dimension, an array a number
        raise ValueError(f"Expected 3 diagonals got {left[-2]}")
    if not left[:-2].is_compatible_with(right[:ranks[0] - 2]):
        raise ValueError(f"Batch shapes {left[:-2]} and {right[:ranks[0] - 2]} are incompatible")
    is_vector = ranks[1] == ranks[0] - 1
    if is_vector:
        if conjugate_rhs:
            rhs = conj(rhs)
        rhs = expand_dims(rhs, -1)
    elif transpose_rhs:
        rhs = matrix_transpose(rhs, conjugate=conjugate_rhs)
    elif conjugate_rhs:
        rhs = conj(rhs)
    if not left[-1].is_compatible_with(rhs.shape[-2]):
        raise ValueError("Expected number of left-hand sided and right-hand sides to be equal, got "
                         f"{left[-1]} and {rhs.shape[-2]}")
    result = tridiagonal_solve_op(diagonals, rhs, partial_pivoting=partial_pivoting, name=name)
    if is_vector:
        return squeeze(result, -1)
    return matrix_transpose(result) if transpose_rhs else result


@public("linalg.tridiagonal_solve", "compat.v2.linalg.tridiagonal_solve")
def tridiagonal_solve(diagonals: Any, rhs: Any, diagonals_format: str = "compact", transpose_rhs: bool = False,
                      conjugate_rhs: bool = False, name: str | None = None, partial_pivoting: bool = True) -> Tensor:
    """The solutions `x` of `matrix @ x = rhs` for tridiagonal matrices.

    Args:
      diagonals: the tridiagonal matrices, in the form that `diagonals_format` says.
      rhs: a tensor of shape [..., n, k], or [..., n] for one right-hand side a matrix.
      diagonals_format: `compact`, `sequence` or `matrix`, as for `tridiagonal_matmul`; in a sequence, those above and
        below the main one may also have n - 1 elements.
      transpose_rhs: whether `rhs` of shape [..., k, n] is transposed before, and the solutions after it.
      conjugate_rhs: whether the conjugate of `rhs` is used.
      name: name of the solutions.
      partial_pivoting: whether rows are exchanged where that makes the solution more accurate.

    Returns:
      A tensor of the shape of `rhs`.

    Raises:
      ValueError: `diagonals_format` is another, or shapes do not fit it.
      InvalidArgumentError: a matrix is singular, or has a pivot of zero and `partial_pivoting` is false.
    """
    if diagonals_format == "compact":
        pass_on = diagonals
    elif diagonals_format == "sequence":
        pass_on = _compact(diagonals)
    elif diagonals_format == "matrix":
        size = _known_size(diagonals, of_both=False)
        places = [[[min(i + 1, size - 1), i] if i + 1 < size else [0, 0], [i, i], [i - 1, i] if i else [0, 0]]
                  for i in range(size)]
        pass_on = transpose(gather_nd(transpose(diagonals), places))
    else:
        raise ValueError(f"Unrecognized diagonals_format: {diagonals_format}")
    return _solve_compact(pass_on, rhs, transpose_rhs, conjugate_rhs, name, partial_pivoting)

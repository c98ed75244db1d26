"""Several diagonals of matrices at once, kept one below the other, the upper ones first, filled up at the end."""
from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op
from ossia_core.declare.shape_rules import constant as constant_value
from ossia_core.declare.shape_rules import with_rank, with_rank_at_least, with_rank_at_most
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_ops.array.diagonal import matrix_diag, matrix_diag_part, matrix_set_diag, set_diag_gradient
from ossia_ops.array.fill import zeros_like


def _bounds(k: Any) -> tuple[int, int]:
    """The lowest and the highest diagonal.

    Raises:
      ValueError: `k` has another number of elements than 1 or 2, or they are out of order.
    """
    values = np.ravel(k).tolist()
    if len(values) not in (1, 2) or np.ndim(k) > 1:
        raise ValueError(f"diag_index must be a vector with one or two elements. It has {len(values)} elements.")
    low, high = values[0], values[-1]
    if low > high:
        raise ValueError("lower_diag_index is greater than upper_diag_index")
    return low, high


def _longest(rows: int, columns: int, low: int, high: int) -> int:
    return min(rows + min(high, 0), columns - max(low, 0))


def _check_bounds(rows: int, columns: int, low: int, high: int) -> None:
    if not (-rows < low < columns or low == 0) or not (-rows < high < columns or high == 0):
        raise InvalidArgumentError(
            None, None, f"diagonals {low} to {high} are outside of a matrix of shape [{rows}, {columns}]"
        )


def _check_static_bounds(rows: int, columns: int, low: int, high: int) -> None:
    for name, d in (("lower", low), ("upper", high)):
        if not -rows < d < columns and d:
            raise ValueError(f"{name}_diag_index is out of bound.")


def _span(rows: int, columns: int, d: int) -> tuple[int, int, int]:
    """Where diagonal `d` starts (row, column), and its length."""
    row, column = max(-d, 0), max(d, 0)
    return row, column, min(rows - row, columns - column)


def _scalar(x: Any) -> Any:
    if np.ndim(x):
        raise InvalidArgumentError(
            None, None, f"padding_value must be a scalar, received shape {dims_text(np.shape(x))}"
        )
    return np.asarray(x)[()]


def _is_main(k: Tensor) -> bool:
    known = constant_value(k)
    return known is not None and not known.any()


matrix_diag_part_v2_op = op("MatrixDiagPartV2(input: T, k: int32, padding_value: T) -> diagonal: T", T="type")


@matrix_diag_part_v2_op.shape
def _(input, k, padding_value):
    dims, bounds = with_rank_at_least(input, 2).as_tuple(), constant_value(k)
    with_rank_at_most(k, 1), with_rank(padding_value, 0)
    if dims is None or bounds is None:
        return None
    low, high = _bounds(bounds)
    longest = None
    if None not in dims[-2:]:
        _check_static_bounds(*dims[-2:], low, high)
        longest = _longest(*dims[-2:], low, high)
    return (*dims[:-2], *([] if low == high else [high - low + 1]), longest)


@matrix_diag_part_v2_op.kernel
def _(input, k, padding_value):
    x, (low, high) = np.asarray(input), _bounds(k)
    if x.ndim < 2:
        raise InvalidArgumentError(None, None, f"input must be at least 2-dim, received shape: {dims_text(x.shape)}")
    rows, columns = x.shape[-2:]
    _check_bounds(rows, columns, low, high)
    result = np.full(
        (*x.shape[:-2], high - low + 1, _longest(rows, columns, low, high)), _scalar(padding_value), x.dtype
    )
    for i, d in enumerate(range(high, low - 1, -1)):
        row, column, length = _span(rows, columns, d)
        result[..., i, :length] = x[..., row + np.arange(length), column + np.arange(length)]
    return result if low != high else result[..., 0, :]


@matrix_diag_part_v2_op.gradient
def _(node, grad):
    x, k = node.inputs[:2]
    if _is_main(k):
        last = x.shape[-2:]
        if last.is_fully_defined() and last.as_list()[0] == last.as_list()[1]:
            return matrix_diag(grad), None, None
        return matrix_set_diag(zeros_like(x), grad), None, None
    return matrix_set_diag_v2_op(zeros_like(x), grad, k), None, None


matrix_diag_part_v2_op.samples(
    main=([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], 0, 0.0),
    band=([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [-1, 1], 9.0),
    lower=([[1, 2], [3, 4]], -1, 0),
)


matrix_diag_v2_op = op("MatrixDiagV2(diagonal: T, k: int32, num_rows: int32, num_cols: int32, "
                       "padding_value: T) -> output: T", T="type")


def _matrix_size(length: int, low: int, high: int, rows: int, columns: int) -> tuple[int, int]:
    """The number of rows and columns of a matrix with these diagonals; -1 where it is to be inferred."""
    least_rows, least_columns = length - min(high, 0), length + max(low, 0)
    if rows == columns == -1:
        rows = columns = max(least_rows, least_columns)
    rows = least_rows if rows == -1 else rows
    columns = least_columns if columns == -1 else columns
    if rows < least_rows or columns < least_columns:
        raise ValueError("num_rows is too small" if rows < least_rows else "num_cols is too small.")
    if rows != least_rows and columns != least_columns:
        raise ValueError(
            "num_rows and num_cols are not consistent with lower_diag_index, upper_diag_index, and the length of the "
            f"given diagonals.\nnum_rows = {rows} != min_num_rows = {least_rows}, num_cols = {columns} != min_num_cols "
            f"= {least_columns}"
        )
    return rows, columns


@matrix_diag_v2_op.shape
def _(diagonal, k, num_rows, num_cols, padding_value):
    dims, bounds = with_rank_at_least(diagonal, 1).as_tuple(), constant_value(k)
    with_rank_at_most(k, 1), with_rank(num_rows, 0), with_rank(num_cols, 0), with_rank(padding_value, 0)
    rows, columns = constant_value(num_rows), constant_value(num_cols)
    if dims is None or bounds is None or rows is None or columns is None:
        return None
    low, high = _bounds(bounds)
    batch = dims[:-1] if low == high else dims[:-2]
    if low != high and len(dims) > 1 and dims[-2] not in (None, high - low + 1):
        raise ValueError("The number of rows of `diagonal` must match the number of diagonals")
    if dims[-1] is None:
        return (*batch, None if rows == -1 else int(rows), None if columns == -1 else int(columns))
    return (*batch, *_matrix_size(dims[-1], low, high, int(rows), int(columns)))


@matrix_diag_v2_op.kernel
def _(diagonal, k, num_rows, num_cols, padding_value):
    x, (low, high) = np.asarray(diagonal), _bounds(k)
    if x.ndim < 1 + (low != high):
        raise InvalidArgumentError(
            None, None, f"diagonal must be at least {1 + (low != high)}-dim, received shape: {dims_text(x.shape)}"
        )
    if low == high:
        x = x[..., None, :]
    if x.shape[-2] != high - low + 1:
        raise InvalidArgumentError(None, None, "The number of rows of `diagonal` must match the number of diagonals")
    rows, columns = _matrix_size(x.shape[-1], low, high, operator.index(num_rows), operator.index(num_cols))
    result = np.full((*x.shape[:-2], rows, columns), _scalar(padding_value), x.dtype)
    return _placed(result, x, low, high)


def _placed(matrices: Any, diagonals: Any, low: int, high: int) -> Any:
    rows, columns = matrices.shape[-2:]
    for i, d in enumerate(range(high, low - 1, -1)):
        row, column, length = _span(rows, columns, d)
        if length > 0:
            matrices[..., row + np.arange(length), column + np.arange(length)] = diagonals[..., i, :length]
    return matrices


@matrix_diag_v2_op.gradient
def _(node, grad):
    k = node.inputs[1]
    part = (
        matrix_diag_part(grad) if _is_main(k) else matrix_diag_part_v2_op(grad, k, lookup("Cast")(0, DstT=grad.dtype))
    )
    return part, None, None, None, None


matrix_diag_v2_op.samples(
    main=([1.0, 2.0], 0, -1, -1, 0.0), band=([[1.0, 2.0], [3.0, 4.0]], [0, 1], 2, 3, 0.0), lower=([1, 2], -1, -1, -1, 7)
)


matrix_set_diag_v2_op = op("MatrixSetDiagV2(input: T, diagonal: T, k: int32) -> output: T", T="type")


@matrix_set_diag_v2_op.shape
def _(input, diagonal, k):
    dims = with_rank_at_least(input, 2).as_tuple()
    with_rank_at_least(diagonal, 1), with_rank_at_most(k, 1)
    bounds = constant_value(k)
    if dims is None:
        return None
    if bounds is None:
        with_rank_at_most(with_rank_at_least(diagonal, len(dims) - 1), len(dims))
        return input.shape
    low, high = _bounds(bounds)
    with_rank(diagonal, len(dims) - (low == high))
    if None not in dims[-2:]:
        _check_static_bounds(*dims[-2:], low, high)
    return input.shape


@matrix_set_diag_v2_op.kernel
def _(input, diagonal, k):
    x, diagonals, (low, high) = np.array(input), np.asarray(diagonal), _bounds(k)
    if x.ndim < 2:
        raise InvalidArgumentError(None, None, f"input must be at least 2-dim, received shape: {dims_text(x.shape)}")
    _check_bounds(*x.shape[-2:], low, high)
    if low == high:
        diagonals = diagonals[..., None, :] if diagonals.ndim else diagonals
    expected = (*x.shape[:-2], high - low + 1, _longest(*x.shape[-2:], low, high))
    if diagonals.shape != expected:
        raise InvalidArgumentError(
            None, None, f"diagonals of shape {dims_text(expected)} are needed, received {dims_text(diagonals.shape)}"
        )
    return _placed(x, diagonals, low, high)


@matrix_set_diag_v2_op.gradient
def _(node, grad):
    x, diagonal, k = node.inputs
    if _is_main(k):
        return (*set_diag_gradient(x, diagonal, grad), None)
    part = matrix_diag_part_v2_op(grad, k, lookup("Cast")(0, DstT=grad.dtype))
    return matrix_set_diag_v2_op(grad, lookup("ZerosLike")(diagonal), k), part, None


matrix_set_diag_v2_op.samples(
    main=([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [7.0, 8.0], 0),
    band=([[1.0, 2.0], [3.0, 4.0]], [[9.0, 0.0], [7.0, 8.0]], [0, 1]),
)

"""Diagonals and bands of matrices."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import merge, merge_dim, unchanged, with_rank_at_least
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import colocate_with, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import zeros, zeros_like
from ossia_ops.array.part import slice_
from ossia_ops.array.shape import rank, shape
from ossia_ops.element_types import INDEX_64, SIGNED
from ossia_ops.linalg.matrix_shapes import smaller
from ossia_ops.math.choice import choose
from ossia_ops.math.reduction import reduce_min, reduce_sum

diag_op = op("Diag(diagonal: T) -> output: T", T=SIGNED)


@diag_op.shape
def _(diagonal):
    dims = with_rank_at_least(diagonal, 1).as_tuple()
    return None if dims is None else dims + dims


@diag_op.kernel
def _(diagonal):
    if not diagonal.ndim:
        raise InvalidArgumentError(None, None, "Input must be at least rank 1, got 0")
    result = np.zeros((diagonal.size, diagonal.size), diagonal.dtype)
    np.fill_diagonal(result, diagonal.reshape(-1))
    return result.reshape(diagonal.shape * 2)


@diag_op.gradient
def _(node, grad):
    return diag_part_op(grad)


diag_op.samples(vector=[1., 2.], matrix=[[1, 2], [3, 4]])


@public("diag", "linalg.tensor_diag")
def diag(diagonal: Any, name: str | None = None) -> Tensor:
    """A tensor of twice the dimensions with `diagonal` where the first half of the indices equals the second, else
    zeros."""
    return diag_op(diagonal, name=name)


diag_part_op = op("DiagPart(input: T) -> diagonal: T", T=SIGNED)


@diag_part_op.shape
def _(input):
    dims = input.shape.as_tuple()
    if dims is None:
        return None
    if len(dims) % 2 or not dims:
        raise ValueError(f"Input must have even and non-zero rank, input rank is {len(dims)}")
    half = len(dims) // 2
    return TensorShape(list(map(merge_dim, dims[:half], dims[half:])))


@diag_part_op.kernel
def _(input):
    half = input.ndim // 2
    if input.ndim % 2:
        raise InvalidArgumentError(
            None, None, f"The rank of the tensor should be even and positive, got shape {dims_text(input.shape)}"
        )
    if input.shape[:half] != input.shape[half:]:
        differ = next((i for i in range(half) if input.shape[i] != input.shape[half + i]), 0)
        raise InvalidArgumentError(
            None, None,
            f"Invalid shape {dims_text(input.shape)}: dimensions {differ} and {half + differ} do not match."
        )
    count = int(np.prod(input.shape[:half], dtype=np.int64))
    return np.diagonal(input.reshape(count, count)).reshape(input.shape[:half]).copy()


@diag_part_op.gradient
def _(node, grad):
    return diag_op(grad)


diag_part_op.samples(matrix=[[1., 2.], [3., 4.]])


@public("diag_part", "linalg.tensor_diag_part")
def diag_part(input: Any, name: str | None = None) -> Tensor:
    """The elements for which the first half of the indices equals the second."""
    return diag_part_op(input, name=name)


matrix_diag_op = op("MatrixDiag(diagonal: T) -> output: T", T="type")


@matrix_diag_op.shape
def _(diagonal):
    dims = with_rank_at_least(diagonal, 1).as_tuple()
    return None if dims is None else (*dims, dims[-1])


@matrix_diag_op.kernel
def _(diagonal):
    x = np.asarray(diagonal)
    if not x.ndim:
        raise InvalidArgumentError(None, None, "diagonal must be at least 1-dim, received shape: []")
    size = x.shape[-1]
    result = np.full((*x.shape, size), b"", object) if x.dtype == object else np.zeros((*x.shape, size), x.dtype)
    result[..., np.arange(size), np.arange(size)] = x
    return result


@matrix_diag_op.gradient
def _(node, grad):
    return matrix_diag_part(grad)


matrix_diag_op.samples(vector=[1., 2.], batch=[[1, 2], [3, 4]])


@public("matrix_diag", "linalg.diag")
def matrix_diag(
    diagonal: Any, name: str = "diag", k: Any = 0, num_rows: Any = -1, num_cols: Any = -1, padding_value: Any = 0
) -> Tensor:
    """Square matrices with the vectors in the last dimension of `diagonal` on their diagonals.

    Args:
      diagonal: a tensor of rank 1 or more.
      name: name of the result.
      k: without effect, as are the arguments that follow; they belong to a later version of the op.
      num_rows: see `k`.
      num_cols: see `k`.
      padding_value: see `k`.
    """
    return matrix_diag_op(diagonal, name=name)


matrix_diag_part_op = op("MatrixDiagPart(input: T) -> diagonal: T", T="type")


@matrix_diag_part_op.shape
def _(input):
    dims = with_rank_at_least(input, 2).as_tuple()
    if dims is None:
        return None
    return (*dims[:-2], smaller(*dims[-2:]))


@matrix_diag_part_op.kernel
def _(input):
    if input.ndim < 2:
        raise InvalidArgumentError(
            None, None, f"input must be at least 2-dim, received shape: {dims_text(input.shape)}"
        )
    return np.diagonal(input, axis1=-2, axis2=-1).copy()


@matrix_diag_part_op.gradient
def _(node, grad):
    x = node.inputs[0]
    last = x.shape[-2:]
    if last.is_fully_defined() and last.as_list()[0] == last.as_list()[1]:
        return matrix_diag(grad)
    return matrix_set_diag(zeros_like(x), grad)


matrix_diag_part_op.samples(square=[[1., 2.], [3., 4.]], wide=[[[1, 2, 3], [4, 5, 6]]])


@public("matrix_diag_part", "linalg.diag_part")
@dispatches
def matrix_diag_part(input: Any, name: str = "diag_part", k: Any = 0, padding_value: Any = 0) -> Tensor:
    """The diagonals of the matrices in the last two dimensions; `k` and `padding_value` have no effect."""
    return matrix_diag_part_op(input, name=name)


matrix_set_diag_op = op("MatrixSetDiag(input: T, diagonal: T) -> output: T", T="type")


@matrix_set_diag_op.shape
def _(input, diagonal):
    a, d = with_rank_at_least(input, 2).as_tuple(), with_rank_at_least(diagonal, 1).as_tuple()
    if a is not None:
        shortest = smaller(*a[-2:])
        if d is None:
            return input.shape
        if len(d) != len(a) - 1:
            raise ValueError(f"Shape must be rank {len(a) - 1} but is rank {len(d)}")
        batch = merge(TensorShape(a[:-2]), TensorShape(d[:-1])).as_tuple()
        merge_dim(shortest, d[-1])
        return (*batch, *a[-2:])
    return None if d is None else (*d[:-1], None, None)


@matrix_set_diag_op.kernel
def _(input, diagonal):
    for what, given, least in (("input", input, 2), ("diagonal", diagonal, 1)):
        if given.ndim < least:
            raise InvalidArgumentError(
                None, None, f"{what} must be at least {least}-dim, received shape: {dims_text(given.shape)}"
            )
    if diagonal.shape != (*input.shape[:-2], min(input.shape[-2:])):
        raise InvalidArgumentError(
            None,
            None,
            f"must have diagonal.shape == input.shape[:-2] + min(input.shape[-2:]), but received input shape: "
            f"{dims_text(input.shape)} and diagonal shape: {dims_text(diagonal.shape)}",
        )
    result = np.array(input)
    index = np.arange(diagonal.shape[-1])
    result[..., index, index] = diagonal
    return result


@matrix_set_diag_op.gradient
def _(node, grad):
    return set_diag_gradient(*node.inputs, grad)


def set_diag_gradient(x: Tensor, diagonal: Tensor, grad: Tensor) -> tuple[Tensor, Tensor]:
    """The gradients by the matrices, whose diagonals do not matter, and by the diagonals."""
    full = x.shape.merge_with(grad.shape)
    batch = full[:-2].merge_with(diagonal.shape[:-1])
    last = full[-2:]
    if batch.is_fully_defined() and last.is_fully_defined():
        diagonal_shape: Any = [*batch.as_list(), min(last.as_list())]
    else:
        with colocate_with(grad):
            dims, count = shape(grad), rank(grad)
            batch_dims = slice_(dims, [0], [count - 2])
            smallest = reduce_min(slice_(dims, [count - 2], [2]))
            diagonal_shape = concat([batch_dims, [smallest]], 0)
    x_grad = matrix_set_diag(grad, zeros(diagonal_shape, grad.dtype))
    return x_grad, matrix_diag_part(grad)


matrix_set_diag_op.samples(plain=([[1., 2., 3.], [4., 5., 6.]], [7., 8.]))


@public("matrix_set_diag", "linalg.set_diag")
def matrix_set_diag(input: Any, diagonal: Any, name: str = "set_diag", k: Any = 0) -> Tensor:
    """Matrices with other diagonals; `k` has no effect."""
    return matrix_set_diag_op(input, diagonal, name=name)


matrix_band_part_op = op("MatrixBandPart(input: T, num_lower: Tindex, num_upper: Tindex) -> band: T", T="type",
                         Tindex=INDEX_64)


matrix_band_part_op.shape(lambda input, num_lower, num_upper: unchanged(input))


@matrix_band_part_op.kernel
def _(input, num_lower, num_upper):
    if input.ndim < 2:
        raise InvalidArgumentError(
            None, None, f"input must be at least 2-dim, received shape: {dims_text(input.shape)}"
        )
    for name, count in (("num_lower", num_lower), ("num_upper", num_upper)):
        if np.ndim(count):
            raise InvalidArgumentError(None, None, f"{name} must be scalar, got shape {dims_text(np.shape(count))}")
    rows, columns = input.shape[-2:]
    lower, upper = int(num_lower), int(num_upper)
    if lower > rows:
        raise InvalidArgumentError(
            None, None, f"num_lower must be negative or less or equal to number of rows ({rows}) got: {lower}"
        )
    if upper > columns:
        raise InvalidArgumentError(
            None, None, f"num_upper must be negative or less or equal to number of columns ({columns}) got: {upper}"
        )
    lower, upper = rows if lower < 0 else lower, columns if upper < 0 else upper
    # The rows from `first` to `last` have a band of full width, each one place further right: a view of equal strides.
    first, last = lower, min(rows, columns - upper)
    if last - first < rows // 2 or not input.flags.c_contiguous:
        return _in_band(input, 0, lower, upper)
    result = np.zeros(input.shape, input.dtype)
    bands = [
        np.lib.stride_tricks.as_strided(
            each[..., first:, first - lower :],
            (*each.shape[:-2], last - first, lower + 1 + upper),
            (*each.strides[:-2], each.strides[-2] + each.strides[-1], each.strides[-1]),
        )
        for each in (input, result)
    ]
    bands[1][...] = bands[0]
    result[..., :first, :] = _in_band(input[..., :first, :], 0, lower, upper)
    result[..., last:, :] = _in_band(input[..., last:, :], last, lower, upper)
    return result


def _in_band(x: Any, row: int, lower: int, upper: int) -> Any:
    """Rows of matrices from number `row` on, with zeros outside the band."""
    rows, columns = x.shape[-2:]
    inside = np.tri(rows, columns, row + upper, bool)
    inside &= ~np.tri(rows, columns, row - lower - 1, bool)
    return choose(np.broadcast_to(inside, x.shape), x, np.zeros((), x.dtype))


@matrix_band_part_op.gradient
def _(node, grad):
    return matrix_band_part_op(grad, node.inputs[1], node.inputs[2]), None, None


matrix_band_part_op.samples(lower=([[1., 2.], [3., 4.]], -1, 0), band=([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 1, 0))


@public("matrix_band_part", "linalg.band_part")
def matrix_band_part(input: Any, num_lower: Any, num_upper: Any, name: str | None = None) -> Tensor:
    """Matrices with zeros outside the central band of `num_lower` lower and `num_upper` upper diagonals; -1 keeps them
    all."""
    return matrix_band_part_op(input, num_lower, num_upper, name=name)


@public("trace", "linalg.trace")
@dispatches
def trace(x: Any, name: str | None = None) -> Tensor:
    """The sums of the diagonals of the matrices in the last two dimensions."""
    with name_scope(name, "Trace", [x]) as name:
        x = convert_to_tensor(x, name="x")
        return reduce_sum(matrix_diag_part(x), [-1], name=name)

"""Sparse tensors turned into dense ones, and their products with dense matrices."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant_shape, merge_dim, with_rank
from ossia_core.graph.composites import SparseTensor, SparseTensorValue
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.fill import zeros, zeros_like
from ossia_ops.array.gather import gather, gather_nd
from ossia_ops.array.transposition import transpose
from ossia_ops.element_types import INDEX
from ossia_ops.math.reduction import reduce_sum
from ossia_ops.sparse.rows import beyond


def as_sparse(value: Any) -> SparseTensor:
    """`value` as a SparseTensor.

    Raises:
      TypeError: it is neither a SparseTensor nor a SparseTensorValue.
    """
    if isinstance(value, SparseTensorValue):
        return SparseTensor.from_value(value)
    if not isinstance(value, SparseTensor):
        raise TypeError("Input must be a SparseTensor.")
    return value


def row_text(row: Any) -> str:
    """A row of indices in an error: `[1,2]`."""
    return "[" + ",".join(map(str, np.asarray(row).tolist())) + "]"


def check_inside(indices: Any, dims: Any, what: str = "indices") -> None:
    """Refuses rows of `indices` outside of `dims`.

    Raises:
      InvalidArgumentError: there is one.
    """
    outside = beyond(indices, dims)
    if outside.any():
        row = int(np.argmax(outside))
        raise InvalidArgumentError(
            None, None,
            f"{what}[{row}] = {row_text(indices[row])} is out of bounds: need 0 <= index < {row_text(dims)}")


sparse_to_dense_op = op("SparseToDense(sparse_indices: Tindices, output_shape: Tindices, sparse_values: T, "
                        "default_value: T) -> dense: T", validate_indices="bool = true", T="type", Tindices=INDEX)


@sparse_to_dense_op.shape
def _(sparse_indices, output_shape, sparse_values, default_value):
    return constant_shape(output_shape)


@sparse_to_dense_op.kernel
def _(sparse_indices, output_shape, sparse_values, default_value, *, validate_indices):
    if sparse_indices.ndim > 2:
        raise InvalidArgumentError(
            None, None,
            f"sparse_indices should be a scalar, vector, or matrix, got shape {dims_text(sparse_indices.shape)}"
        )
    if output_shape.ndim != 1:
        raise InvalidArgumentError(
            None, None, f"output_shape should be a vector, got shape {dims_text(output_shape.shape)}"
        )
    if np.ndim(default_value):
        raise InvalidArgumentError(None, None, "default_value should be a scalar.")
    indices = sparse_indices.reshape(-1, 1) if sparse_indices.ndim < 2 else sparse_indices
    dims = tuple(output_shape.tolist())
    if indices.shape[1] != len(dims):
        raise InvalidArgumentError(None, None, f"output_shape has incorrect number of elements: {len(dims)} should be: "
                                               f"{indices.shape[1]}")
    if np.ndim(sparse_values) and sparse_values.shape != (len(indices),):
        raise InvalidArgumentError(None, None, "sparse_values has incorrect shape "
                                               f"{dims_text(sparse_values.shape)}, should be [] or [{len(indices)}]")
    kind = np.asarray(default_value).dtype
    sizes.allocatable(dims, kind.itemsize)
    if not validate_indices and indices.size and ((indices < 0) | (indices >= dims)).any():
        raise InvalidArgumentError(None, None, f"Indices are not valid (out of bounds).  Shape: {dims_text(dims)}")
    check_inside(indices, dims)
    if validate_indices and len(indices) > 1:
        flat = np.ravel_multi_index(tuple(indices.T), dims) if dims else np.zeros(len(indices))
        wrong = np.flatnonzero(np.diff(flat) <= 0)
        if wrong.size:
            row = int(wrong[0]) + 1
            what = "repeated" if flat[row] == flat[row - 1] else (
                "out of order. Many sparse ops require sorted indices.")
            raise InvalidArgumentError(None, None, f"indices[{row}] = {row_text(indices[row])} is {what}")
    result = np.full(dims, np.asarray(default_value)[()], kind)
    result[tuple(indices.T)] = sparse_values
    return result


@sparse_to_dense_op.gradient
def _(node, grad):
    indices, output_shape = node.inputs[:2]
    values_grad = gather_nd(grad, indices)
    default_grad = reduce_sum(grad) - reduce_sum(values_grad)
    return [zeros_like(indices), zeros_like(output_shape), values_grad, default_grad]


sparse_to_dense_op.samples(matrix=([[0, 1], [1, 0]], [2, 2], [1.0, 2.0], 0.0), vector=([1, 3], [4], 5, -1),
                           strings=([0], [2], ["a"], "b"), none=(np.zeros((0, 2), np.int64), np.array([2, 2]), [], 1.0))


@public("sparse_to_dense")
def sparse_to_dense(sparse_indices: Any, output_shape: Any, sparse_values: Any, default_value: Any = 0,
                    validate_indices: bool = True, name: str | None = None) -> Tensor:
    """A tensor with values at some places and a default at all others.

    Args:
      sparse_indices: the places, of shape [n, rank]; for a vector as result also [n] or a scalar.
      output_shape: shape of the result.
      sparse_values: the values, one per place or a scalar for all.
      default_value: the value everywhere else.
      validate_indices: whether to check that places are in row-major order and none occurs twice.
      name: name of the result.
    """
    return sparse_to_dense_op(sparse_indices, output_shape, sparse_values, default_value=default_value,
                              validate_indices=validate_indices, name=name)


@public("sparse.to_dense", "sparse_tensor_to_dense", "compat.v2.sparse.to_dense")
def sparse_tensor_to_dense(sp_input: Any, default_value: Any = None, validate_indices: bool = True,
                           name: str | None = None) -> Tensor:
    """A sparse tensor as a dense one.

    Args:
      sp_input: a SparseTensor.
      default_value: the value where `sp_input` has none; zero if None.
      validate_indices: whether to check that indices are in row-major order and none occurs twice.
      name: name of the result.
    """
    x = as_sparse(sp_input)
    if default_value is None:
        default_value = zeros([], dtype=x.dtype)
    return sparse_to_dense(x.indices, x.dense_shape, x.values, default_value=default_value,
                           validate_indices=validate_indices, name=name)


_DENSE = 32  # so many times more elements than there are, and the matrix is not made dense
_LARGEST = 1 << 24  # elements of a matrix that is
_LONG = 64  # elements of a row that are taken one after the other

sparse_tensor_dense_mat_mul_op = op(
    "SparseTensorDenseMatMul(a_indices: Tindices, a_values: T, a_shape: int64, b: T) -> product: T", T="type",
    Tindices="{int32, int64} = DT_INT64", adjoint_a="bool = false", adjoint_b="bool = false")


@sparse_tensor_dense_mat_mul_op.shape
def _(a_indices, a_values, a_shape, b, *, adjoint_a, adjoint_b):
    with_rank(a_indices, 2), with_rank(a_values, 1)
    left, right = with_rank(constant_shape(a_shape), 2).as_tuple(), with_rank(b, 2).as_tuple()
    rows, inner = left[::-1] if adjoint_a else left
    other, columns = right[::-1] if adjoint_b else right
    merge_dim(inner, other)
    return TensorShape((rows, columns))


def _check_product(a_indices, a_values, a_shape, b):
    ranks = (("b", b, 2, "matrix"), ("a_shape", a_shape, 1, "vector"), ("a_values", a_values, 1, "vector"),
             ("a_indices", a_indices, 2, "matrix"))
    for name, part, rank, kind in ranks:
        if np.ndim(part) != rank:
            raise InvalidArgumentError(None, None, f"Tensor '{name}' is not a {kind}")
    if a_shape.size != 2:
        raise InvalidArgumentError(None, None, "Tensor 'a_shape' must have 2 elements")
    for what, there, name, entries in (("rows", len(a_indices), "a_values", a_values.size),
                                       ("columns", a_indices.shape[1], "a_shape", 2)):
        if there != entries:
            raise InvalidArgumentError(
                None, None, f"Number of {what} of a_indices does not match number of entries in {name}"
            )


@sparse_tensor_dense_mat_mul_op.kernel
def _(a_indices, a_values, a_shape, b, *, adjoint_a, adjoint_b):
    _check_product(a_indices, a_values, a_shape, b)
    rows, columns = a_indices.T
    count, inner = a_shape.tolist()
    if adjoint_a:
        # The original transposes complex values without conjugating them.
        rows, columns, count, inner = columns, rows, inner, count
    b = np.conj(b.T) if adjoint_b else b
    if inner != b.shape[0]:
        raise InvalidArgumentError(
            None, None,
            f"Cannot multiply A and B because inner dimension does not match: {inner} vs. {b.shape[0]}.  Did you "
            "forget a transpose?  "
            f"Dimensions of A: {dims_text(a_shape.tolist())}.  Dimensions of B: {dims_text(b.shape)}"
        )
    for values, size, letter, column in ((columns, inner, "k", 0 if adjoint_a else 1),
                                         (rows, count, "m", 1 if adjoint_a else 0)):
        outside = (values < 0) | (values >= size)
        if outside.any():
            row = int(np.argmax(outside))
            raise InvalidArgumentError(
                None, None, f"{letter} ({values[row]}) from index[{row},{column}] out of bounds (>={size})"
            )
    sizes.allocatable((count, b.shape[1]), b.dtype.itemsize)
    if b.dtype.kind == "f" and b.dtype.itemsize >= 4 and count * inner <= min(_DENSE * len(rows), _LARGEST):
        if np.isfinite(b).all():  # else a zero of the dense matrix would not be one of the product
            dense = np.zeros((count, inner), b.dtype)
            np.add.at(dense.reshape(-1), rows * inner + columns, a_values)
            return dense @ b
    result = np.zeros((count, b.shape[1]), b.dtype)
    if result.size and len(rows):
        _add_products(result, rows, columns, a_values, b)
    return result


def _add_products(result: np.ndarray, rows: Any, columns: Any, values: Any, b: np.ndarray) -> None:
    """Add the products of sparse elements and rows of `b`: the first of each row of the result together, then the
    second, and so on; what is left of long rows, row by row."""
    if (rows[1:] < rows[:-1]).any():
        order = np.argsort(rows, kind="stable")
        rows, columns, values = rows[order], columns[order], values[order]
    starts = np.flatnonzero(np.concatenate([[True], rows[1:] != rows[:-1]]))
    lengths = np.diff(starts, append=len(rows))
    by_length = np.argsort(-lengths, kind="stable")
    starts, lengths = starts[by_length], lengths[by_length]
    plain = bool((values == 1).all())
    totals = b.take(columns[starts], axis=0)
    if not plain:
        totals *= values[starts, None]
    for place in range(1, min(int(lengths[0]), _LONG)):
        own = starts[: np.count_nonzero(lengths > place)] + place
        products = b.take(columns[own], axis=0)
        if not plain:
            products *= values[own, None]
        totals[: len(own)] += products
    for row in range(np.count_nonzero(lengths > _LONG)):
        rest = slice(starts[row] + _LONG, starts[row] + lengths[row])
        totals[row] += values[rest] @ b[columns[rest]]
    result[rows[starts]] = totals


@sparse_tensor_dense_mat_mul_op.gradient
def _(node, grad):
    indices, values, shape, b = node.inputs
    if values.dtype.is_complex:
        raise NotImplementedError("SparseTensorDenseMatMul op does not support complex gradients.")
    adjoint_a, adjoint_b = node.get_attr("adjoint_a"), node.get_attr("adjoint_b")
    b_grad = sparse_tensor_dense_mat_mul_op(indices, values, shape, grad, adjoint_a=not adjoint_a)
    if adjoint_b:
        b_grad = transpose(b_grad)
    rows, columns = indices[:, 0], indices[:, 1]
    of_grad = gather(grad, columns if adjoint_a else rows)
    of_b = gather(transpose(b) if adjoint_b else b, rows if adjoint_a else columns)
    return [None, reduce_sum(of_grad * of_b, axis=1), None, b_grad]


sparse_tensor_dense_mat_mul_op.samples(
    plain=(np.array([[0, 1], [1, 0]]), [2.0, 3.0], np.array([2, 2]), [[1.0], [4.0]]),
    adjoint=sample(np.array([[0, 1]]), [2.0], np.array([2, 3]), [[1.0, 4.0]], adjoint_a=True, adjoint_b=True),
)


@public("sparse.sparse_dense_matmul", "sparse.matmul", "sparse_tensor_dense_matmul",
        "compat.v2.sparse.sparse_dense_matmul")
def sparse_tensor_dense_matmul(sp_a: Any, b: Any, adjoint_a: bool = False, adjoint_b: bool = False,
                               name: str | None = None) -> Tensor:
    """The product of a sparse and a dense matrix.

    Args:
      sp_a: a SparseTensor of rank 2.
      b: a matrix.
      adjoint_a: whether to take the adjoint of `sp_a`.
      adjoint_b: whether to take the adjoint of `b`.
      name: name scope.
    """
    a = as_sparse(sp_a)
    with name_scope(name, "SparseTensorDenseMatMul", [a.indices, a.values, b]) as name:
        b = convert_to_tensor(b, name="b")
        return sparse_tensor_dense_mat_mul_op(a.indices, a.values, a.dense_shape, b, adjoint_a=adjoint_a,
                                              adjoint_b=adjoint_b)

"""Sparse tensors as strings: a row of three serialised tensors each, for indices, values and shape."""

from __future__ import annotations

import sys
from itertools import pairwise
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import vector, with_rank
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.dtypes import DType
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_io.tensors import parsed_tensor, serialized_tensor
from ossia_ops.sparse.dense import as_sparse
from ossia_ops.sparse.rows import check_order

_OUT_TYPE = "{string, variant} = DT_STRING"

serialize_sparse_op = op(
    "SerializeSparse(sparse_indices: int64, sparse_values: T, sparse_shape: int64) -> serialized_sparse: out_type",
    T="type",
    out_type=_OUT_TYPE,
)


@serialize_sparse_op.shape
def _(sparse_indices, sparse_values, sparse_shape):
    _check_ranks(sparse_indices, sparse_values, sparse_shape)
    return vector(3)


def _check_ranks(indices: Tensor, values: Tensor, shape: Tensor) -> None:
    for tensor, rank in ((indices, 2), (values, 1), (shape, 1)):
        with_rank(tensor, rank)


@serialize_sparse_op.kernel
def _(sparse_indices, sparse_values, sparse_shape, *, T, out_type):
    _check(sparse_indices, sparse_values, sparse_shape)
    return _row(sparse_indices, sparse_values, sparse_shape, T, out_type)


def _check(indices: Any, values: Any, shape: Any) -> None:
    sizes = [np.shape(part) for part in (indices, values, shape)]
    if [len(size) for size in sizes] != [2, 1, 1] or sizes[0] != (sizes[1][0], sizes[2][0]):
        raise _invalid(
            f"Input indices, values and shape should be a matrix and two vectors that fit, got shapes {sizes}"
        )


def _serialized_slices(array: np.ndarray, bounds: list[int], dtype: DType) -> list[bytes]:
    """The serialised tensors of the slices of an array between successive bounds."""
    slices = list(pairwise(bounds))
    if array.dtype == object or sys.byteorder != "little":
        return [serialized_tensor(array[start:end], dtype, pack_strings=True) for start, end in slices]
    content, width = array.tobytes(), array.itemsize * int(np.prod(array.shape[1:]))
    heads = {0: serialized_tensor(array[:0], dtype)}  # of tensors of so many rows: all that comes before their elements
    for start, end in slices:
        if end - start not in heads:
            heads[end - start] = serialized_tensor(array[start:end], dtype)[: (start - end) * width]
    return [heads[end - start] + content[start * width : end * width] for start, end in slices]


def _invalid(message: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, message)


def _row(indices: Any, values: Any, shape: Any, dtype: DType, out_type: DType) -> np.ndarray:
    row = np.empty(3, object)
    parts = (indices, dtypes.int64), (values, dtype), (shape, dtypes.int64)
    for i, (part, kind) in enumerate(parts):
        row[i] = serialized_tensor(part, kind, pack_strings=True) if out_type is dtypes.string else np.array(part)
    return row


serialize_sparse_op.samples(
    plain=(np.array([[0, 1]], np.int64), [2.5], np.array([2, 3], np.int64)),
    empty=(np.zeros((0, 1), np.int64), np.zeros(0, np.float32), np.array([4], np.int64)),
)

serialize_many_sparse_op = op(
    "SerializeManySparse(sparse_indices: int64, sparse_values: T, sparse_shape: int64) -> serialized_sparse: out_type",
    T="type",
    out_type=_OUT_TYPE,
)


@serialize_many_sparse_op.shape
def _(sparse_indices, sparse_values, sparse_shape):
    _check_ranks(sparse_indices, sparse_values, sparse_shape)
    return (None, 3)


@serialize_many_sparse_op.kernel
def _(sparse_indices, sparse_values, sparse_shape, *, T, out_type):
    _check(sparse_indices, sparse_values, sparse_shape)
    indices, values, shape = (np.asarray(part) for part in (sparse_indices, sparse_values, sparse_shape))
    if shape.size < 2:
        raise _invalid(f"Rank of input SparseTensor should be > 1, but saw rank: {shape.size}")
    count = int(shape[0])
    check_order(indices, shape)
    if count > np.iinfo(np.int32).max:
        raise _invalid(f"a first dimension of {count} rows cannot be serialised")
    bounds = np.searchsorted(indices[:, 0], np.arange(count + 1)).tolist()
    rows = np.empty((count, 3), object)
    if out_type is dtypes.string:
        rows[:, 0] = _serialized_slices(indices[:, 1:], bounds, dtypes.int64)
        rows[:, 1] = _serialized_slices(values, bounds, T)
        rows[:, 2] = serialized_tensor(shape[1:], dtypes.int64)
        return rows
    for i in range(count):
        part = slice(bounds[i], bounds[i + 1])
        rows[i] = _row(indices[part, 1:], values[part], shape[1:], T, out_type)
    return rows


serialize_many_sparse_op.samples(plain=(np.array([[0, 1], [2, 0]], np.int64), [2.5, 3.5], np.array([3, 2], np.int64)))

deserialize_sparse_op = op(
    "DeserializeSparse(serialized_sparse: Tserialized) -> sparse_indices: int64, sparse_values: dtype, "
    "sparse_shape: int64",
    dtype="type",
    Tserialized=_OUT_TYPE,
)


@deserialize_sparse_op.shape
def _(serialized_sparse):
    dims = serialized_sparse.shape.as_tuple()
    if dims is not None and (not dims or dims[-1] not in (None, 3)):
        raise ValueError(f"Dimension must be 3 but is {dims[-1] if dims else 'missing'}")
    return (None, None), (None,), (None,)


@deserialize_sparse_op.kernel
def _(serialized_sparse, *, dtype, Tserialized):
    return _joined(np.asarray(serialized_sparse, object), dtype, Tserialized)


deserialize_many_sparse_op = op(
    "DeserializeManySparse(serialized_sparse: string) -> sparse_indices: int64, "
    "sparse_values: dtype, sparse_shape: int64",
    dtype="type",
)


@deserialize_many_sparse_op.shape
def _(serialized_sparse):
    columns = with_rank(serialized_sparse, 2).as_tuple()[1]
    if columns not in (None, 3):
        raise ValueError(f"Dimension must be 3 but is {columns}")
    return (None, None), (None,), (None,)


@deserialize_many_sparse_op.kernel
def _(serialized_sparse, *, dtype):
    rows = np.asarray(serialized_sparse, object)
    if rows.ndim != 2:
        raise _invalid(f"Serialized sparse should have rank 2, but has shape {dims_text(rows.shape)}")
    return _joined(rows, dtype, dtypes.string)


def _joined(rows: np.ndarray, dtype: DType, kind: DType) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One sparse tensor of many, stacked along the dimensions before the last; its shape is the largest."""
    if not rows.ndim or rows.shape[-1] != 3:
        raise _invalid(f"Serialized sparse should have 3 as the last dimension, but has shape {dims_text(rows.shape)}")
    if not rows.size:
        raise _invalid(
            f"Serialized sparse should have at least 1 serialized tensor, but has a zero dimension "
            f"{dims_text(rows.shape)}"
        )
    outer = rows.shape[:-1]
    parts = [_unpacked(row, i, dtype, kind) for i, row in enumerate(rows.reshape(-1, 3))]
    rank = len(parts[0][2])
    for i, part in enumerate(parts):
        if len(part[2]) != rank:
            raise _invalid(
                f"Inconsistent shape across SparseTensors: rank prior to SparseTensor[{i}] was: {rank} but rank of "
                f"SparseTensor[{i}] is: {len(part[2])}"
            )
    counts = [len(part[1]) for part in parts]
    prefix = np.indices(outer).reshape(len(outer), -1).T if outer else np.zeros((1, 0), np.int64)
    indices = np.concatenate([np.repeat(prefix, counts, axis=0), np.concatenate([part[0] for part in parts])], axis=1)
    largest = np.max([part[2] for part in parts], axis=0, initial=0)
    return (
        indices.astype(np.int64),
        np.concatenate([part[1] for part in parts]),
        np.concatenate([np.array(outer, np.int64), largest.astype(np.int64)]),
    )


def _parsed(text: bytes) -> np.ndarray:
    try:
        return parsed_tensor(text)
    except InvalidArgumentError:
        raise _invalid("Could not parse serialized proto") from None


def _type_name(dtype: DType) -> str:
    from ossia_core.proto import DataType

    return DataType.Name(dtype.as_datatype_enum).removeprefix("DT_").lower()


def _unpacked(row: np.ndarray, i: int, dtype: DType, kind: DType) -> list[np.ndarray]:
    """Indices, values and shape of one serialised sparse tensor.

    Raises:
        InvalidArgumentError: It is none, or its parts do not fit.
    """
    parts = [_parsed(text) for text in row] if kind is dtypes.string else [np.asarray(part) for part in row]
    indices, values, shape = parts
    kinds = (2, "represent an index matrix"), (1, "represent a values vector"), (1, "be a shape vector")
    for column, (part, (rank, what)) in enumerate(zip(parts, kinds, strict=True)):
        if part.ndim != rank:
            raise _invalid(
                f"Expected serialized_sparse[{i}, {column}] to {what} but received shape {dims_text(part.shape)}"
            )
    wanted = (dtypes.int64, "indices"), (dtype, "values"), (dtypes.int64, "shape")
    for part, (expected, what) in zip(parts, wanted, strict=True):
        found = dtypes.as_dtype(part.dtype)
        if found is not expected.base_dtype:
            raise _invalid(
                f"Requested SparseTensor of type {_type_name(expected)} but SparseTensor[{i}].{what}.dtype() == "
                f"{_type_name(found)}"
            )
    if len(indices) != len(values):
        raise _invalid(
            f"Expected row counts of SparseTensor[{i}].indices and SparseTensor[{i}].values to match but they do not: "
            f"{len(indices)} vs. {len(values)}"
        )
    if indices.shape[1] != len(shape):
        raise _invalid(
            f"Expected column counts of SparseTensor[{i}].indices to match size of SparseTensor[{i}].shape but they do "
            f"not: {indices.shape[1]} vs. {len(shape)}"
        )
    return [indices, values, shape]


_PARTS = [
    serialized_tensor(np.array([[1]], np.int64), dtypes.int64),
    serialized_tensor(np.array([2.5], np.float32), dtypes.float32),
    serialized_tensor(np.array([3], np.int64), dtypes.int64),
]
deserialize_sparse_op.samples(one=sample(_PARTS, dtype="float"), several=sample([[_PARTS, _PARTS]], dtype="float"))
deserialize_many_sparse_op.samples(two=sample([_PARTS, _PARTS], dtype="float"))


@public("serialize_sparse", "io.serialize_sparse")
def serialize_sparse(sp_input: Any, name: str | None = None, out_type: Any = dtypes.string) -> Tensor:
    """A sparse tensor as a vector of three strings.

    Args:
        sp_input: A SparseTensor.
        name: Name of the op.
        out_type: `tf.string` or `tf.variant`.

    Raises:
        TypeError: `sp_input` is no SparseTensor.
    """
    return serialize_sparse_v2(sp_input, out_type, name)


@public("compat.v2.io.serialize_sparse")
def serialize_sparse_v2(sp_input: Any, out_type: Any = dtypes.string, name: str | None = None) -> Tensor:
    """`tf.io.serialize_sparse` with `out_type` before `name`."""
    x = as_sparse(sp_input)
    return serialize_sparse_op(x.indices, x.values, x.dense_shape, name=name, out_type=out_type)


@public("serialize_many_sparse", "io.serialize_many_sparse")
def serialize_many_sparse(sp_input: Any, name: str | None = None, out_type: Any = dtypes.string) -> Tensor:
    """The rows of a sparse tensor of rank 2 or more as rows of three strings each.

    Args:
        sp_input: A SparseTensor whose indices are in order.
        name: Name of the op.
        out_type: `tf.string` or `tf.variant`.

    Returns:
        A tensor of shape `[rows, 3]`.

    Raises:
        TypeError: `sp_input` is no SparseTensor.
    """
    return serialize_many_sparse_v2(sp_input, out_type, name)


@public("compat.v2.io.serialize_many_sparse")
def serialize_many_sparse_v2(sp_input: Any, out_type: Any = dtypes.string, name: str | None = None) -> Tensor:
    """`tf.io.serialize_many_sparse` with `out_type` before `name`."""
    x = as_sparse(sp_input)
    return serialize_many_sparse_op(x.indices, x.values, x.dense_shape, name=name, out_type=out_type)


@public("deserialize_many_sparse", "io.deserialize_many_sparse", "compat.v2.io.deserialize_many_sparse")
def deserialize_many_sparse(
    serialized_sparse: Any, dtype: Any, rank: int | None = None, name: str | None = None
) -> SparseTensor:
    """Sparse tensors that were serialised, stacked to one.

    Args:
        serialized_sparse: A string tensor of shape `[n, 3]`.
        dtype: Their dtype.
        rank: The rank of the result, one more than theirs, if it is known.
        name: Name of the op.

    Returns:
        A SparseTensor, in each dimension as large as the largest; running it raises InvalidArgumentError for strings
        that are no sparse tensors of this dtype and of one rank.
    """
    indices, values, shape = deserialize_many_sparse_op(serialized_sparse, dtype=dtype, name=name)
    indices.set_shape([None, rank])
    shape.set_shape([rank])
    return SparseTensor(indices, values, shape)

"""Sparse tensors on their way through a queue: they wait in a table, and their numbers pass through the queue."""
from __future__ import annotations

import itertools
import threading
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import with_rank
from ossia_core.forks import renewed
from ossia_core.names import errors, sizes
from ossia_core.names.errors import dims_text
from ossia_core.names.shapes import TensorShape
from ossia_ops.sparse.rows import check_order


class SparseTable:
    """Sparse tensors by number: their indices, values and shape."""

    def __init__(self) -> None:
        self._lock = renewed(threading.Lock())
        self._tensors: dict[int, tuple[np.ndarray, np.ndarray, np.ndarray]] = {}
        self._numbers = itertools.count()

    def add(self, indices: np.ndarray, values: np.ndarray, shape: np.ndarray) -> int:
        """Keeps a tensor; returns its number."""
        with self._lock:
            number = next(self._numbers)
            self._tensors[number] = np.array(indices), np.array(values), np.array(shape)
            return number

    def take(self, numbers: list[int]) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """The tensors with these numbers, which are then forgotten; InvalidArgumentError for an unknown one."""
        with self._lock:
            seen: set[int] = set()
            for number in numbers:
                if number not in self._tensors or number in seen:
                    raise errors.InvalidArgumentError(None, None, f"Unable to find SparseTensor: {number} in map")
                seen.add(number)
            return [self._tensors.pop(number) for number in numbers]


def _table(node: Any, context: Any) -> SparseTable:
    name = node.attrs["shared_name"].decode(errors="backslashreplace") or node.name
    return context.session_state.resource(node.attrs["container"], name, "sparse table", SparseTable)


def _check(indices: np.ndarray, values: np.ndarray, shape: np.ndarray) -> None:
    if indices.ndim != 2 or values.ndim != 1 or shape.ndim != 1 or indices.shape != (len(values), len(shape)):
        raise errors.InvalidArgumentError(
            None,
            None,
            "A sparse tensor needs indices [n, rank], values [n] and a shape [rank], but they have the shapes "
            f"{dims_text(indices.shape)}, {dims_text(values.shape)} and {dims_text(shape.shape)}",
        )
    sizes.elements(shape.tolist())


_ATTRS = {"container": "string = ''", "shared_name": "string = ''"}
add_sparse_to_tensors_map_op = op(
    "AddSparseToTensorsMap(sparse_indices: int64, sparse_values: T, sparse_shape: int64) -> sparse_handle: int64",
    stateful=True,
    T="type",
    **_ATTRS,
)


@add_sparse_to_tensors_map_op.shape
def _(sparse_indices, sparse_values, sparse_shape):
    with_rank(sparse_indices, 2)
    with_rank(sparse_values, 1)
    with_rank(sparse_shape, 1)
    return TensorShape([])


@add_sparse_to_tensors_map_op.kernel
def _(sparse_indices, sparse_values, sparse_shape, *, node, context):
    _check(sparse_indices, sparse_values, sparse_shape)
    return np.int64(_table(node, context).add(sparse_indices, sparse_values, sparse_shape))


add_many_sparse_to_tensors_map_op = op(
    "AddManySparseToTensorsMap(sparse_indices: int64, sparse_values: T, sparse_shape: int64) -> sparse_handles: int64",
    stateful=True,
    T="type",
    **_ATTRS,
)


@add_many_sparse_to_tensors_map_op.shape
def _(sparse_indices, sparse_values, sparse_shape):
    with_rank(sparse_indices, 2)
    with_rank(sparse_values, 1)
    with_rank(sparse_shape, 1)
    return TensorShape([None])


@add_many_sparse_to_tensors_map_op.kernel
def _(sparse_indices, sparse_values, sparse_shape, *, node, context):
    _check(sparse_indices, sparse_values, sparse_shape)
    if len(sparse_shape) < 2:
        raise errors.InvalidArgumentError(None, None, "Rank of input SparseTensor should be > 1, but saw rank: 1")
    table, rows = _table(node, context), sparse_indices[:, 0]
    count = int(sparse_shape[0])
    check_order(sparse_indices, sparse_shape)
    ends = np.searchsorted(rows, np.arange(count + 1))
    return np.array(
        [
            table.add(sparse_indices[start:end, 1:], sparse_values[start:end], sparse_shape[1:])
            for start, end in zip(ends[:-1], ends[1:])
        ],
        np.int64,
    )


take_many_sparse_from_tensors_map_op = op(
    "TakeManySparseFromTensorsMap(sparse_handles: int64) -> sparse_indices: int64, sparse_values: dtype, "
    "sparse_shape: int64",
    stateful=True,
    dtype="type",
    **_ATTRS,
)


@take_many_sparse_from_tensors_map_op.shape
def _(sparse_handles):
    with_rank(sparse_handles, 1)
    return TensorShape([None, None]), TensorShape([None]), TensorShape([None])


@take_many_sparse_from_tensors_map_op.kernel
def _(sparse_handles, *, dtype, node, context):
    parts = _table(node, context).take(np.ravel(sparse_handles).tolist())
    if not parts:
        raise errors.InvalidArgumentError(
            None, None, "Must have at least 1 serialized SparseTensor, but input matrix has 0 rows"
        )
    kind = np.dtype(dtype.as_numpy_dtype)
    wrong = next((values.dtype for _, values, _ in parts if values.dtype != kind), None)
    if wrong is not None:
        raise errors.InvalidArgumentError(None, None, f"A sparse tensor of {dtype.name} is asked for, not of {wrong}")
    ranks = {len(shape) for _, _, shape in parts}
    if len(ranks) > 1:
        raise errors.InvalidArgumentError(
            None, None, f"Sparse tensors of different ranks {sorted(ranks)} cannot be stacked"
        )
    rows = np.repeat(np.arange(len(parts)), [len(values) for _, values, _ in parts])
    indices = np.concatenate([indices for indices, _, _ in parts])
    values = np.concatenate([values for _, values, _ in parts])
    largest = np.max([shape for _, _, shape in parts], axis=0)
    return (
        np.concatenate([rows[:, None], indices], axis=1).astype(np.int64),
        values,
        np.array([len(parts), *largest], np.int64),
    )


add_sparse_to_tensors_map_op.samples(
    matrix=(np.array([[0, 1]], np.int64), np.array([2], np.float32), np.array([2, 2], np.int64))
)
add_many_sparse_to_tensors_map_op.samples(
    two_rows=(np.array([[0, 1], [1, 0]], np.int64), np.array([2, 3], np.float32), np.array([2, 2], np.int64))
)

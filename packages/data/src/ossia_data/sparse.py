"""Datasets of sparse tensors: slices of one, and batches of rows."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ossia_core.names import errors
from ossia_data.elements import Element, Elements, Iteration, dataset_op, scalar
from ossia_data.settings import BOTH


class SparseSlices(Elements):
    """The slices of a sparse tensor along its first dimension, each as indices, values and dense shape."""

    def __init__(self, indices: Any, values: Any, dense_shape: Any) -> None:
        self._indices, self._values, self._shape = np.array(indices), np.array(values), np.array(dense_shape)

    def start(self, iteration: Iteration) -> Iterator[Element]:
        rows = self._indices[:, 0] if self._indices.size else np.zeros(0, np.int64)
        ends = np.searchsorted(rows, np.arange(self.cardinality() + 1))
        return iter(
            [self._indices[begin:end, 1:], self._values[begin:end], self._shape[1:]]
            for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
        )

    def cardinality(self) -> int:
        return int(self._shape[0])


sparse_tensor_slice_dataset_op = dataset_op(
    "SparseTensorSliceDataset(indices: int64, values: Tvalues, dense_shape: int64) -> handle: variant", stateful=True,
    outputs=False, Tvalues="type",
)


@sparse_tensor_slice_dataset_op.kernel
def _(indices, values, dense_shape):
    if np.ndim(indices) != 2 or np.ndim(values) != 1 or np.ndim(dense_shape) != 1:
        raise errors.InvalidArgumentError(
            None, None, "Input indices should be a matrix, input values and shape should be vectors"
        )
    if len(indices) != len(values) or indices.shape[1] != len(dense_shape):
        raise errors.InvalidArgumentError(
            None, None,
            f"Number of values must match first dimension of indices. Got {len(values)} values, indices shape: "
            f"{list(indices.shape)}",
        )
    if not len(dense_shape):
        raise errors.InvalidArgumentError(None, None, "The shape argument requires at least one element.")
    if (np.diff(indices[:, 0]) < 0).any():
        raise errors.UnimplementedError(
            None, None, "The SparseTensor must be ordered in the batch dimension; handling arbitrarily ordered input "
            "is not currently supported."
        )
    return SparseSlices(indices, values, dense_shape)


class SparseBatch(Elements):
    """Batches of tensors of any size as sparse tensors."""

    def __init__(self, source: Elements, size: int, row_shape: list[int]) -> None:
        self.inputs, self._size, self._row = (source,), size, row_shape

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _SparseBatches(self.input.start(iteration), self._size, self._row)

    def cardinality(self) -> int:
        there = self.input.cardinality()
        return there if there < 0 else -(-there // self._size)


class _SparseBatches:
    def __init__(self, source: Iterator[Element], size: int, row_shape: list[int]) -> None:
        self._source, self._size, self._row = source, size, row_shape

    def __iter__(self) -> _SparseBatches:
        return self

    def __next__(self) -> Element:
        rows: list[np.ndarray] = []
        while len(rows) < self._size:
            try:
                rows.append(np.asarray(next(self._source)[0]))
            except StopIteration:
                if not rows:
                    raise
                break
        return [_sparse_rows(rows, self._row)]


def _sparse_rows(rows: list[np.ndarray], row_shape: list[int]) -> np.ndarray:
    dims = [max((row.shape[i] for row in rows if row.ndim == len(row_shape)), default=0) if d < 0 else d
            for i, d in enumerate(row_shape)]
    indices = []
    for number, row in enumerate(rows):
        if row.ndim != len(row_shape):
            raise errors.InvalidArgumentError(
                None, None,
                f"Input element had shape ({', '.join(map(str, row.shape))}) that is incompatible with the row shape "
                f"{row_shape}.",
            )
        if any(size > limit for size, limit in zip(row.shape, dims, strict=True)):
            raise errors.DataLossError(
                None, None, f"Input element had shape {list(row.shape)} that is larger than the row shape {dims}."
            )
        inner = np.indices(row.shape).reshape(row.ndim, -1).T
        indices.append(np.concatenate([np.full((len(inner), 1), number), inner], 1))
    found = np.empty(3, object)
    found[0] = np.concatenate(indices).astype(np.int64)
    found[1] = np.concatenate([row.ravel() for row in rows])
    found[2] = np.array([len(rows), *dims], np.int64)
    return found


for _prefix in BOTH:
    _dense = dataset_op(
        f"{_prefix}DenseToSparseBatchDataset(input_dataset: variant, batch_size: int64, row_shape: int64) "
        "-> handle: variant"
    )

    @_dense.kernel
    def _(input_dataset, batch_size, row_shape):
        if scalar(batch_size, "batch_size") <= 0:
            raise errors.InvalidArgumentError(None, None, "Batch size must be greater than zero.")
        return SparseBatch(input_dataset, int(batch_size), [int(d) for d in row_shape])

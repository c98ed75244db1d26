"""Crosses of features: every combination of what rows of sparse and dense matrices hold, as text or as a hash."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import vector
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, sizes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.math.cast import cast
from ossia_ops.sparse.rows import check_parts
from ossia_ops.strings.farmhash import fingerprints64

_HASH_KEY = 0xDECAFCAFFE
_MUL = np.uint64(0xC6A4A7935BD1E995)
_SHIFT = np.uint64(47)

sparse_cross_op = op(
    "SparseCross(indices: N * int64, values: sparse_types, shapes: N * int64, dense_inputs: dense_types) -> "
    "output_indices: int64, output_values: out_type, output_shape: int64",
    N="int >= 0",
    hashed_output="bool",
    num_buckets="int >= 0",
    hash_key="int",
    sparse_types="list({int64, string}) >= 0",
    dense_types="list({int64, string}) >= 0",
    out_type="{int64, string}",
    internal_type="{int64, string}",
)


@sparse_cross_op.shape
def _(indices, values, shapes, dense_inputs):
    return TensorShape((None, 2)), vector(None), vector(2)


@sparse_cross_op.kernel
def _(indices, values, shapes, dense_inputs, *, out_type, num_buckets, hash_key):
    # The type says whether they are hashed, whatever `hashed_output` is.
    join = functools.partial(hashes, num_buckets=num_buckets, hash_key=hash_key)
    return crossed(indices, values, shapes, dense_inputs, join if out_type is dtypes.int64 else texts)


def crossed(
    indices: Any, values: Any, shapes: Any, dense_inputs: Any, join: Callable[..., np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The crosses of all rows as the parts of a sparse tensor.

    Args:
      indices, values, shapes: the parts of the sparse inputs.
      dense_inputs: the dense inputs.
      join: makes the crosses of the values of each input, with where its rows start and end, and of the places of the
        values that a cross takes.

    Raises:
      InvalidArgumentError: there are no inputs, or they have not as many rows.
    """
    columns = [_sparse_column(i, *parts) for i, parts in enumerate(zip(indices, values, shapes, strict=True))]
    columns += [_dense_column(x) for x in dense_inputs]
    if not columns:
        raise InvalidArgumentError(None, None, "There is nothing to cross: no inputs are given")
    batch = len(columns[0][1])
    for i, (_, ends) in enumerate(columns):
        if len(ends) != batch:
            where = f"dense tensor {i - len(values)}" if i >= len(values) else f"position {i}"
            raise InvalidArgumentError(None, None, f"Expected batch size {batch} got {len(ends)} at {where}")
    sizes_of = [ends[:, 1] - ends[:, 0] for _, ends in columns]
    counts = [math.prod(each) for each in zip(*(lengths.tolist() for lengths in sizes_of))]  # in Python: none overflows
    sizes.allocatable((sum(counts), 2), 8)
    number = np.array(counts, np.int64)
    rows = np.repeat(np.arange(batch), number)
    place = np.arange(len(rows)) - np.repeat(np.cumsum(number) - number, number)
    chosen: list[np.ndarray] = []
    rest = place
    for (_, ends), lengths in zip(reversed(columns), reversed(sizes_of), strict=True):
        own = lengths[rows]
        chosen.insert(0, ends[rows, 0] + rest % own)
        rest = rest // own
    return np.stack([rows, place], axis=1), join(columns, chosen), np.array([batch, max(counts, default=0)], np.int64)


def _sparse_column(position: int, indices: Any, values: Any, shape: Any) -> tuple[np.ndarray, np.ndarray]:
    """The values, and for each row of the matrix where its own start and end."""
    if indices.ndim == 2 and indices.shape[1] != 2:
        raise InvalidArgumentError(
            None, None, f"Expected D2 of index to be 2 got {indices.shape[1]} at position {position}"
        )
    check_parts(indices, values, shape)
    batch, rows = int(shape[0]), indices[:, 0]
    sizes.allocatable((batch, 2), 8)
    # As in the original, what comes after a row that is out of order or outside does not count.
    wrong = (rows < 0) | (rows >= batch)
    wrong[1:] |= rows[1:] < rows[:-1]
    rows = rows[: np.argmax(wrong)] if wrong.any() else rows
    ends = np.searchsorted(rows, np.arange(batch + 1))
    return values, np.stack([ends[:-1], ends[1:]], axis=1)


def _dense_column(x: Any) -> tuple[np.ndarray, np.ndarray]:
    if x.ndim != 2:
        raise InvalidArgumentError(None, None, f"Dense inputs should be matrices, not of shape {dims_text(x.shape)}")
    starts = np.arange(len(x)) * x.shape[1]
    return x.ravel(), np.stack([starts, starts + x.shape[1]], axis=1)


def texts(columns: Sequence[tuple[np.ndarray, np.ndarray]], chosen: Sequence[np.ndarray]) -> np.ndarray:
    """The crosses as byte strings."""
    words = [
        np.array([v if isinstance(v, bytes) else b"%d" % v for v in values.tolist()], object)[places].tolist()
        for (values, _), places in zip(columns, chosen, strict=True)
    ]
    result = np.empty(len(chosen[0]), object)
    result[:] = [b"_X_".join(each) for each in zip(*words)]
    return result


def hashes(
    columns: Sequence[tuple[np.ndarray, np.ndarray]], chosen: Sequence[np.ndarray], num_buckets: int, hash_key: int,
    combine: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None,
) -> np.ndarray:
    """The crosses as numbers below `num_buckets`, or below 2**63 - 1 if that is 0.

    Args:
      columns, chosen: as `crossed` gives them.
      num_buckets: how many numbers there are.
      hash_key: where the hash starts.
      combine: makes one hash of that so far and the next; of fingerprints by default.
    """
    combine = combine or _joined
    result = np.array([hash_key & (2**64 - 1)], np.uint64)
    for (values, _), places in zip(columns, chosen, strict=True):
        numbers = fingerprints64(values.tolist()) if values.dtype.kind == "O" else values.astype(np.uint64)
        result = combine(result, numbers[places])
    return (result % np.uint64(num_buckets or 2**63 - 1)).astype(np.int64)


def _joined(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """A fingerprint of two fingerprints."""
    result = first ^ _MUL ^ (_mixed(second * _MUL) * _MUL)
    return _mixed(_mixed(result * _MUL) * _MUL)


def _mixed(x: np.ndarray) -> np.ndarray:
    return x ^ (x >> _SHIFT)


_ATTRS = {"hash_key": _HASH_KEY, "num_buckets": 0}
_SPARSE = ([[0, 0], [0, 1], [1, 0]], ["a", "b", "c"], [2, 2])
_PARTS = tuple([part] for part in _SPARSE)
sparse_cross_op.samples(
    typed=sample(*_PARTS, [[["x"], ["y"]]], hashed_output=False, out_type="int64", internal_type="string", **_ATTRS),
    text=sample(*_PARTS, [[["x"], ["y"]]], hashed_output=False, out_type="string", internal_type="string", **_ATTRS),
    hash=sample(*_PARTS, [np.array([[1, 2], [3, 4]])], hashed_output=True, out_type="int64", internal_type="int64",
                hash_key=7, num_buckets=100),
)


@public("sparse.cross", "compat.v2.sparse.cross")
def sparse_cross(inputs: Any, name: str | None = None) -> SparseTensor:
    """Crosses of features, as text: what each combination holds, joined by "_X_".

    Args:
      inputs: a list of SparseTensors and tensors, matrices of strings or integers with one row per example.
      name: name of the op.

    Returns:
      A SparseTensor of strings with one row per example: each combination of one value of every input, the sparse
      inputs first, the last input changing fastest.

    Raises:
      TypeError: `inputs` is no list of tensors.
    """
    return _cross(inputs, False, 0, None, name)


@public("sparse.cross_hashed", "compat.v2.sparse.cross_hashed")
def sparse_cross_hashed(
    inputs: Any, num_buckets: int = 0, hash_key: int | None = None, name: str | None = None
) -> SparseTensor:
    """Crosses of features, as numbers.

    Args:
      inputs: as for `sparse.cross`.
      num_buckets: numbers are below it; below 2**63 - 1 if it is 0.
      hash_key: where the hash starts; a constant if None.
      name: name of the op.

    Returns:
      A SparseTensor of int64 numbers with one row per example, in the order of `sparse.cross`.

    Raises:
      TypeError: `inputs` is no list of tensors.
    """
    return _cross(inputs, True, num_buckets, hash_key, name)


def _cross(inputs: Any, hashed: bool, num_buckets: int, hash_key: int | None, name: str | None) -> SparseTensor:
    if not isinstance(inputs, list):
        raise TypeError("Inputs must be a list")
    if not all(isinstance(x, (SparseTensor, Tensor)) for x in inputs):
        raise TypeError("All inputs must be SparseTensors")
    sparse = [x for x in inputs if isinstance(x, SparseTensor)]
    dense = [x for x in inputs if not isinstance(x, SparseTensor)]
    is_text = all(x.dtype == dtypes.string for x in inputs)
    values = [x.values if x.dtype == dtypes.string else cast(x.values, dtypes.int64) for x in sparse]
    dense = [x if x.dtype == dtypes.string else cast(x, dtypes.int64) for x in dense]
    return SparseTensor(
        *sparse_cross_op(
            [x.indices for x in sparse],
            values,
            [x.dense_shape for x in sparse],
            dense,
            hashed_output=hashed,
            num_buckets=num_buckets,
            hash_key=hash_key or _HASH_KEY,
            out_type=dtypes.int64 if hashed else dtypes.string,
            internal_type=dtypes.string if is_text else dtypes.int64,
            name=name,
        )
    )

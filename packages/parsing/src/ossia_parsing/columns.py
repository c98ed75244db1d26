"""What the parsing kernels fill: the dense and sparse results of one feature over a batch of examples."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ossia_core.names import dtypes, sizes
from ossia_core.names.dtypes import DType
from ossia_parsing.example_wire import Malformed, feature_values
from ossia_parsing.refusals import Damaged, Mistyped


def values_of(feature: bytes | None, dtype: DType, sparse: bool = True) -> Any:
    """The values of a feature, None if it is absent or empty.

    Args:
        feature: A serialised Feature.
        dtype: The dtype that they must have.
        sparse: Whether there may be any number of them.

    Raises:
        Refused: The feature is damaged, or of another dtype.
    """
    if feature is None:
        return None
    try:
        kind, values = feature_values(feature)
    except Malformed as error:
        raise Damaged from error
    if kind is not None and kind is not dtype:
        raise Mistyped(dtype, kind, feature, sparse)
    return values


def array_of(values: Any, dtype: DType) -> np.ndarray:
    """Values as a vector."""
    if dtype is dtypes.string:
        array = np.empty(len(values), object)
        array[:] = values
        return array
    return np.asarray(values, dtype.as_numpy_dtype)


def joined(parts: list[Any], dtype: DType) -> np.ndarray:
    """Several lists of values as one vector."""
    if dtype is dtypes.string:
        return array_of([text for part in parts for text in part], dtype)
    return np.concatenate(parts) if parts else np.zeros(0, dtype.as_numpy_dtype)


def ragged(parts: list[Any], dtype: DType) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Indices, values and shape of the sparse matrix whose rows the parts are."""
    lengths = np.array([len(part) for part in parts], np.int64)
    return _indices(lengths), joined(parts, dtype), np.array([len(parts), lengths.max(initial=0)], np.int64)


def _indices(lengths: np.ndarray) -> np.ndarray:
    """Row and column of each of so many values a row."""
    rows = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
    firsts = np.cumsum(lengths) - lengths
    return np.stack([rows, np.arange(len(rows), dtype=np.int64) - firsts[rows]], axis=1)


def ragged_lists(parts: list[list[Any]], dtype: DType) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Indices, values and shape of the sparse tensor of rank 3 that lists of rows are."""
    flat = [row for rows in parts for row in rows]
    lengths = np.array([len(row) for row in flat], np.int64)
    counts = np.array([len(rows) for rows in parts], np.int64)
    cells, outer = _indices(lengths), _indices(counts)
    indices = np.column_stack([outer[cells[:, 0]], cells[:, 1]])
    return indices, joined(flat, dtype), np.array([len(parts), counts.max(initial=0), lengths.max(initial=0)], np.int64)


def dense(parts: list[Any], dtype: DType, shape: tuple[int, ...]) -> np.ndarray:
    """Rows of one shape in one tensor."""
    sizes.allocatable((len(parts), *shape), 8)
    return joined(parts, dtype).reshape(len(parts), *shape)


def padded(parts: list[Any], dtype: DType, row: tuple[int, ...], padding: Any) -> np.ndarray:
    """Lists of rows of one shape in one tensor, each filled up to the longest."""
    width = math.prod(row)
    longest = max((len(part) for part in parts), default=0)
    rows = longest // width if width else 0
    sizes.allocatable((len(parts), rows, *row), 8)
    result = np.full(
        (len(parts), rows * width), padding, dtype.as_numpy_dtype if dtype is not dtypes.string else object
    )
    for i, part in enumerate(parts):
        result[i, : len(part)] = array_of(part, dtype)
    return result.reshape(len(parts), rows, *row)

"""What the parsing kernels fill: the dense and sparse results of one feature over a batch of examples."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ossia_core import dtypes, sizes
from ossia_core.dtypes import DType, engine_name
from ossia_core.errors import InvalidArgumentError, dims_text
from ossia_parsing.example_wire import Malformed, feature_values


def invalid(message: str) -> InvalidArgumentError:
    """An InvalidArgumentError of a kernel."""
    return InvalidArgumentError(None, None, message)


def values_of(feature: bytes | None, dtype: DType, where: str) -> Any:
    """The values of a feature, None if it is absent or empty.

    Args:
        feature: A serialised Feature.
        dtype: The dtype that they must have.
        where: What the error begins with.

    Raises:
        InvalidArgumentError: The feature is damaged, or of another dtype.
    """
    if feature is None:
        return None
    try:
        kind, values = feature_values(feature)
    except Malformed as error:
        raise invalid(f"{where}.  Can't parse serialized Example: {error}") from error
    if kind is not None and kind is not dtype:
        raise invalid(
            f"{where}.  Data types don't match. Expected type: {engine_name(dtype)}, Actual type: {engine_name(kind)}"
        )
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


def check_rows(count: int, row: tuple[int, ...], where: str, dtype: DType) -> None:
    """Refuses a number of values that does not make whole rows.

    Raises:
        InvalidArgumentError: There is a part of a row.
    """
    width = math.prod(row)
    if width == 0 and count or width and count % width:
        raise invalid(
            f"{where}.  Number of {engine_name(dtype)} values is not a multiple of stride length. Saw {count} values "
            f"but output shape is: [?,{','.join(map(str, row))}]"
        )


def check_count(count: int, shape: tuple[int, ...], where: str, dtype: DType) -> None:
    """Refuses a number of values that does not fill a shape.

    Raises:
        InvalidArgumentError: There are more or fewer.
    """
    if count != math.prod(shape):
        raise invalid(
            f"{where}.  Number of {engine_name(dtype)} values != expected.  "
            f"Values size: {count} but output shape: {dims_text(shape)}"
        )


def text(value: Any) -> str:
    """A byte string in a message."""
    return value.decode("utf-8", "backslashreplace")[:200] if isinstance(value, bytes) else str(value)

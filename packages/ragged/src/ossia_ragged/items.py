"""Indexing of ragged tensors: `[]` with numbers, slices, new axes and ellipses."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import zeros
from ossia_ops.array.gather import gather as dense_gather
from ossia_ops.array.shape import shape, size
from ossia_ops.array.stacking import stack
from ossia_ops.math.arithmetic import maximum, minimum
from ossia_ops.math.cast import cast
from ossia_ops.math.sequence import range as range_of
from ossia_ragged.gathering import gather
from ossia_ragged.ranges import ragged_range
from ossia_ragged.rows import Rows
from ossia_ragged.tensor import RaggedTensor


def getitem(ragged: Any, key: Any) -> Any:
    """What `ragged[key]` gives.

    Args:
      ragged: a ragged tensor.
      key: a number, slice, `tf.newaxis` or `...`, or a tuple of them.

    Returns:
      A tensor or ragged tensor.

    Raises:
      ValueError: a number for a ragged dimension other than the first: the rows may be too short.
      IndexError: more keys than dimensions.
      TypeError: a key of another kind.
    """
    with name_scope(None, "RaggedGetItem", [ragged]):
        return _item(ragged, list(key) if isinstance(key, (list, tuple)) else [key])


def _item(ragged: Any, keys: list) -> Any:
    if not keys:
        return ragged
    key, rest = keys[0], keys[1:]
    if key is Ellipsis:
        return _item(ragged, _next_dimension(keys, ragged.shape.ndims))
    if key is None:
        inner = _item(ragged, rest)
        count = shape(inner.row_splits, out_type=inner.row_splits.dtype)[0]
        return RaggedTensor(inner, stack([0, count - 1]), internal=True)
    if isinstance(key, slice):
        return _inner_items(_rows(ragged, key), rest)
    starts, limits = ragged.row_splits[:-1], ragged.row_splits[1:]
    return ragged.values[starts[key]:limits[key]][rest]


def _inner_items(value: Any, keys: list) -> Any:
    """`value`, its rows indexed by `keys`."""
    if not keys:
        return value
    if isinstance(value, Tensor):
        return value[[slice(None), *keys]]
    key, rest = keys[0], keys[1:]
    if key is Ellipsis:
        return _inner_items(value, _next_dimension(keys, value.values.shape.ndims))
    if key is None:
        inner = _inner_items(value, rest)
        count = shape(inner.row_splits, out_type=inner.row_splits.dtype)[0]
        return RaggedTensor(inner, range_of(count), internal=True)
    if not isinstance(key, slice):
        raise ValueError("Cannot index into an inner ragged dimension.")
    if key != slice(None):
        value = _columns(value, key)
    return value.with_values(_inner_items(value.values, rest))


def _next_dimension(keys: list, dimensions: int | None) -> list:
    """The keys, which begin with an ellipsis, with one for the next dimension first."""
    if dimensions is None:
        raise ValueError("Ellipsis not supported for unknown shape RaggedTensors")
    count = sum(key is not None for key in keys)
    if count > dimensions + 1:
        raise IndexError("Too many indices for RaggedTensor")
    return keys[1:] if count == dimensions + 1 else [slice(None), *keys]


def _rows(ragged: Rows, rows: slice) -> Any:
    if rows == slice(None):
        return ragged
    starts, limits = ragged.row_splits[:-1][rows], ragged.row_splits[1:][rows]
    zero = zeros([1], starts.dtype)
    if rows.step not in (None, 1):
        return _ranges(starts, limits, 1, ragged.values)
    # Without rows there are no starts, and the splits are a single zero.
    splits = concat([zero[size(starts):], starts[:1], limits], axis=0)
    first, last = splits[0], splits[-1]
    return RaggedTensor(ragged.values[first:last], splits - first, internal=True)


def _columns(ragged: Rows, columns: slice) -> Any:
    starts, limits = ragged.row_splits[:-1], ragged.row_splits[1:]
    start, stop, step = columns.start, columns.stop, columns.step
    step = 1 if step is None else step
    first, last = starts, limits
    if start is not None and not (isinstance(start, int) and start == 0):
        first = _moved(start, ragged.row_splits[:-1], ragged.row_splits[1:])
    if stop is not None and not (isinstance(stop, int) and stop == 0):
        last = _moved(stop, ragged.row_splits[:-1], ragged.row_splits[1:])
    return _ranges(first, last, step, ragged.values)


def _moved(offset: Any, starts: Tensor, limits: Tensor) -> Tensor:
    """The place `offset` into each row, from its end for a negative one, but within the row."""
    def from_start() -> Tensor:
        return minimum(starts + offset, limits)

    def from_end() -> Tensor:
        return maximum(limits + offset, starts)

    if isinstance(offset, Tensor):
        offset = cast(offset, starts.dtype)
        return builder("cond")(offset >= 0, from_start, from_end)
    return from_start() if offset >= 0 else from_end()


def _ranges(starts: Tensor, limits: Tensor, step: Any, values: Any) -> Any:
    """The values from each of the starts to its limit, as rows."""
    step = convert_to_tensor(step, name="step")
    step = cast(step, starts.dtype)
    places = ragged_range(starts, limits, step, row_splits_dtype=starts.dtype)
    pick = gather if isinstance(values, Rows) else dense_gather
    return places.with_values(pick(values, places.values))

"""What cuts values into rows: row splits, row lengths and the row of every value."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_ops.array.concat import concat
from ossia_ops.array.shape import shape
from ossia_ops.math.cast import cast, cast_op
from ossia_ops.math.cumulative import cumsum
from ossia_ops.math.histogram import bincount
from ossia_ops.math.sequence import range as range_of
from ossia_ragged.repeats import repeat


def lengths_of_splits(splits: Tensor) -> Tensor:
    """How far each of the splits is from the next one."""
    return splits[1:] - splits[:-1]


def splits_of_lengths(lengths: Tensor, axis: int = -1) -> Tensor:
    """Row splits, from the lengths of rows."""
    return concat([[0], cumsum(lengths)], axis=axis)


def segments_of_splits(splits: Tensor, name: str | None = None) -> Tensor:
    """The row of every value, from row splits."""
    with name_scope(name, "RaggedSplitsToSegmentIds", [splits]):
        lengths = lengths_of_splits(splits)
        rows = range_of(shape(splits, out_type=splits.dtype)[-1] - 1)
        return repeat(rows, lengths, axis=0)


def splits_of_segments(rows: Tensor, number: Any, dtype: Any) -> Tensor:
    """Row splits, from the row of every value and the number of rows, as int32."""
    counts = bincount(rows, minlength=number, maxlength=number, dtype=dtype)
    return concat([[0], cumsum(counts)], axis=0)


@public("ragged.row_splits_to_segment_ids", "compat.v2.ragged.row_splits_to_segment_ids")
def row_splits_to_segment_ids(splits: Any, name: str | None = None, out_type: Any = None) -> Tensor:
    """The row of every value, from row splits: `[0, 2, 2, 3]` gives `[0, 0, 2]`.

    Args:
      splits: a vector of int32 or int64.
      name: name scope.
      out_type: int32 or int64; as `splits` have by default.

    Raises:
      ValueError: `splits` are of another dtype.
    """
    with name_scope(name, "RaggedSplitsToSegmentIds", [splits]) as scope:
        splits = convert_to_tensor(splits, name="splits", preferred_dtype=dtypes.int64)
        if splits.dtype not in (dtypes.int32, dtypes.int64):
            raise ValueError("splits must have dtype int32 or int64")
        splits.shape.assert_has_rank(1)
        if out_type is not None:
            splits = cast(splits, out_type)
    return segments_of_splits(splits, scope)


def _whole(what: str, value: Any, rank: int) -> Tensor:
    """Integers of a known rank, as int32."""
    numbers = convert_to_tensor(value, name=what, preferred_dtype=dtypes.int32)
    if not numbers.dtype.is_integer:
        raise TypeError(f"{what} must be an integer tensor; dtype={numbers.dtype}")
    numbers.shape.assert_has_rank(rank)
    return cast_op(numbers, DstT=dtypes.int32)


@public("ragged.segment_ids_to_row_splits", "compat.v2.ragged.segment_ids_to_row_splits")
def segment_ids_to_row_splits(
    segment_ids: Any, num_segments: Any = None, out_type: Any = None, name: str | None = None
) -> Tensor:
    """Row splits, from the row of every value: `[0, 0, 2]` gives `[0, 2, 2, 3]`.

    Args:
      segment_ids: a vector that never falls.
      num_segments: number of rows; one more than the last row id by default.
      out_type: int32 or int64; that of `segment_ids` or of `num_segments` by default, int64 if neither is a tensor.
      name: name scope.

    Raises:
      TypeError: `segment_ids` or `num_segments` are no integers.
      ValueError: they have another rank.
    """
    if out_type is None:
        tensors = [value for value in (segment_ids, num_segments) if isinstance(value, Tensor)]
        out_type = tensors[0].dtype if tensors else dtypes.int64
    kind = dtypes.as_dtype(out_type)
    with name_scope(name, "SegmentIdsToRaggedSplits", [segment_ids]):
        ids = _whole("segment_ids", segment_ids, 1)
        number = None
        if num_segments is not None:
            number = _whole("num_segments", num_segments, 0)
        splits = splits_of_segments(ids, number, kind)
        known = None if number is None else get_static_value(number)
        if known is not None:
            splits.set_shape([int(known) + 1])
        return splits

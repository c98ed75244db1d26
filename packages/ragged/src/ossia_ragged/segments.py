"""Rows of ragged tensors brought together by segment."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.names import dtypes
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones_like, zeros
from ossia_ops.array.gather import gather
from ossia_ops.math import segment
from ossia_ops.math.arithmetic import maximum
from ossia_ops.math.cumulative import cumsum
from ossia_ops.math.elementwise import sqrt
from ossia_ragged.partitions import lengths_of_splits
from ossia_ragged.ranges import ragged_range
from ossia_ragged.rows import Rows, same_row_splits_dtypes, tensor_or_ragged
from ossia_ragged.tensor import RaggedTensor


def aggregate(by_segment: Callable, data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """`by_segment` of the elements that stand at one place in the rows of one segment.

    Args:
      by_segment: an unsorted segment function of dense tensors.
      data: a tensor or ragged tensor.
      segment_ids: the segment of each row; or ragged, of each element.
      num_segments: how many segments there are.
      name: name scope.

    Raises:
      ValueError: `segment_ids` are ragged and `data` is not, or they are no integers.
    """
    if not isinstance(data, Rows) and not isinstance(segment_ids, Rows):
        return by_segment(data, segment_ids, num_segments)
    with name_scope(name, "RaggedSegment", [data, segment_ids, num_segments]):
        data, segment_ids = same_row_splits_dtypes(tensor_or_ragged(data, name="data"),
                                                   tensor_or_ragged(segment_ids, name="segment_ids"))
        if segment_ids.dtype not in (dtypes.int32, dtypes.int64):
            raise ValueError("segment_ids must have dtype int32 or int64.")
        if isinstance(segment_ids, Rows):
            if not isinstance(data, Rows):
                raise ValueError("segment_ids.shape must be a prefix of data.shape, but segment_ids is ragged and data "
                                 "is not.")
            check = builder("debugging.assert_equal")(
                segment_ids.row_splits, data.row_splits, message="segment_ids.shape must be a prefix of data.shape")
            with control_dependencies([check]):
                return aggregate(by_segment, data.values, segment_ids.values, num_segments)
        lengths, kind = lengths_of_splits(data.row_splits), data.row_splits.dtype
        longest = maximum(segment.unsorted_segment_max(lengths, segment_ids, num_segments), 0)
        splits = concat([zeros([1], kind), cumsum(longest)], axis=0)
        starts = gather(splits, segment_ids)
        places = ragged_range(starts, starts + lengths, row_splits_dtype=kind).values
        return RaggedTensor(aggregate(by_segment, data.values, places, splits[-1]), splits, internal=True)


def unsorted_segment_sum(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """Sums by segment."""
    return aggregate(segment.unsorted_segment_sum, data, segment_ids, num_segments, name or "RaggedSegmentSum")


def unsorted_segment_prod(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """Products by segment."""
    return aggregate(segment.unsorted_segment_prod, data, segment_ids, num_segments, name or "RaggedSegmentProd")


def unsorted_segment_min(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """Minima by segment."""
    return aggregate(segment.unsorted_segment_min, data, segment_ids, num_segments, name or "RaggedSegmentMin")


def unsorted_segment_max(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """Maxima by segment."""
    return aggregate(segment.unsorted_segment_max, data, segment_ids, num_segments, name or "RaggedSegmentMax")


def unsorted_segment_mean(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """Means by segment."""
    with name_scope(name, "RaggedSegmentMean", [data, segment_ids, num_segments]):
        total, count = _sum_and_count(data, segment_ids, num_segments)
        if isinstance(total, Rows):
            return total.with_flat_values(total.flat_values / count.flat_values)
        return total / count


def unsorted_segment_sqrt_n(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """Sums by segment, divided by the square root of the numbers of elements."""
    with name_scope(name, "RaggedSegmentSqrtN", [data, segment_ids, num_segments]):
        total, count = _sum_and_count(data, segment_ids, num_segments)
        if isinstance(total, Rows):
            return total.with_flat_values(total.flat_values / sqrt(count.flat_values))
        return total / sqrt(count)


def _sum_and_count(data: Any, segment_ids: Any, num_segments: Any) -> tuple[Any, Any]:
    total = unsorted_segment_sum(data, segment_ids, num_segments)
    ones = data.with_flat_values(ones_like(data.flat_values))
    return total, unsorted_segment_sum(ones, segment_ids, num_segments)

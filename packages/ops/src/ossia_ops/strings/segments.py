"""Strings joined by segment."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import merge_prefix, size_given, with_rank
from ossia_core.graph.tensor import Tensor
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public

_WORDS = np.array([b"a", b"b", b"c", b"d"], object)

unsorted_segment_join_op = op(
    "UnsortedSegmentJoin(inputs: string, segment_ids: Tindices, num_segments: Tnumsegments) -> output: string",
    separator="string = ''", Tindices="{int32, int64}", Tnumsegments="{int32, int64} = DT_INT32",
)


@unsorted_segment_join_op.shape
def _(inputs, segment_ids, num_segments):
    with_rank(num_segments, 0)
    if inputs.shape.ndims is None or segment_ids.shape.ndims is None:
        return None
    size = size_given(num_segments, 2)
    return (size, *merge_prefix(inputs, segment_ids).as_list()[segment_ids.shape.ndims :])


@unsorted_segment_join_op.kernel
def _(inputs, segment_ids, num_segments, *, separator):
    if np.ndim(num_segments):
        raise InvalidArgumentError(None, None, "Number of segments must be a scalar")
    count = int(num_segments)
    if count < 0:
        raise InvalidArgumentError(None, None, f"Number of segments must be >= 0, got {count}")
    if not segment_ids.ndim:
        raise InvalidArgumentError(None, None, "segment_ids must have rank 1 at least")
    if inputs.shape[:segment_ids.ndim] != segment_ids.shape:
        raise InvalidArgumentError(None, None, f"segment_ids.shape = {dims_text(segment_ids.shape)} does not start "
                                               f"inputs.shape = {dims_text(inputs.shape)}")
    ids = segment_ids.reshape(-1).tolist()
    if any(not 0 <= i < count for i in ids):
        raise InvalidArgumentError(
            None, None, "segment_ids are not allowed to exceed num_segments or to have negative values.")
    inner = inputs.shape[segment_ids.ndim:]
    sizes.allocatable((count, *inner), 8)
    width = int(np.prod(inner))
    rows = inputs.reshape(len(ids), width)
    parts: dict[int, list[int]] = {}
    for place, segment in enumerate(ids):
        parts.setdefault(segment, []).append(place)
    out = np.full((count, width), b"", object)
    for segment, places in parts.items():
        for column in range(width):
            # Nothing so far has no separator behind it.
            pieces = rows[places, column].tolist()
            first = next((k for k, piece in enumerate(pieces) if piece), len(pieces))
            out[segment, column] = separator.join(pieces[first:])
    return out.reshape(count, *inner)


unsorted_segment_join_op.samples(
    nothing=sample([b"", b"a", b"", b"b", b"", b""], [0, 0, 0, 0, 1, 1], 2, separator=":"),
    rows=sample(_WORDS.reshape(2, 2), np.array([1, 1], np.int32), np.int32(3), separator=":"),
    all=sample(_WORDS.reshape(2, 2), np.array([[0, 1], [0, 1]], np.int32), np.int32(2)),
)


@public("strings.unsorted_segment_join", "compat.v2.strings.unsorted_segment_join")
def unsorted_segment_join(
    inputs: Any, segment_ids: Any, num_segments: Any, separator: str = "", name: str | None = None
) -> Tensor:
    """Strings of the same segment joined, in their order.

    Args:
      inputs: strings.
      segment_ids: the segment of each string, or of each part of `inputs`, from 0.
      num_segments: how many segments there are.
      separator: what stands between two strings.
      name: name of the result.

    Returns:
      A string tensor whose first dimension is `num_segments`; empty strings for segments without strings.

    Raises:
      InvalidArgumentError: in a run, a segment that is negative or not below `num_segments`.
    """
    return unsorted_segment_join_op(inputs, segment_ids, num_segments, separator=separator, name=name)

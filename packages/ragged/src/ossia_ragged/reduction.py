"""Sums, products, extremes and joined strings along dimensions of ragged tensors."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.graph.scopes import name_scope
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_ops.array.fill import ones_like
from ossia_ops.array.shape import shape
from ossia_ops.math import reduction as dense
from ossia_ops.math import segment
from ossia_ops.math.arithmetic import maximum
from ossia_ops.math.cast import cast
from ossia_ops.strings.elementwise import reduce_join_v2
from ossia_ops.strings.segments import unsorted_segment_join
from ossia_ragged.axes import positive_axis
from ossia_ragged.partitions import lengths_of_splits, segments_of_splits
from ossia_ragged.ranges import ragged_range
from ossia_ragged.rows import Rows, tensor_or_ragged
from ossia_ragged.segments import aggregate


def _reduced(
    reduce: Callable, by_segment: Callable, value: Any, axis: Any, keepdims: Any, name: str | None = None
) -> Any:
    """`value` reduced along dimensions: within dense ones by `reduce`, along ragged ones by `by_segment`."""
    if not isinstance(value, Rows):
        return reduce(value, axis, name=name)
    if keepdims:
        raise ValueError("keepdims=True is not supported for RaggedTensors.")
    if isinstance(axis, Tensor):
        known = get_static_value(axis)
        if known is None:
            raise ValueError("axis must be known at graph construction time.")
        axis = known.tolist()
    if axis is None:
        return reduce(value.flat_values, None, name=name)
    with name_scope(name, "RaggedReduce", [value, axis]):
        if isinstance(axis, (tuple, list)):
            if not axis:
                return value
            if len(axis) > 1:
                # The innermost first, so that the others keep their numbers.
                axes = sorted(positive_axis(one, value.shape.ndims) for one in axis)
                inner = _reduced(reduce, by_segment, value, axes[-1], keepdims)
                return _reduced(reduce, by_segment, inner, axes[:-1] if len(axes) > 2 else [axes[0]], keepdims)
            axis = axis[0]
        axis = positive_axis(axis, value.shape.ndims)
        if axis > 1:
            return value.with_values(_reduced(reduce, by_segment, value.values, axis - 1, keepdims))
        if axis == 0:
            lengths = lengths_of_splits(value.row_splits)
            count = maximum(dense.reduce_max(lengths), 0)
            places = ragged_range(lengths, row_splits_dtype=lengths.dtype).values
            return aggregate(by_segment, value.values, places, count)
        count = shape(value.row_splits)[0] - 1
        return aggregate(by_segment, value.values, segments_of_splits(value.row_splits), count)


def reduce_sum(value: Any, axis: Any = None, keepdims: Any = None, name: str | None = None) -> Any:
    """Sums along `axis`, a dimension or a list of them."""
    return _reduced(dense.reduce_sum, segment.unsorted_segment_sum, tensor_or_ragged(value), axis, keepdims,
                    name or "RaggedReduceSum")


def reduce_prod(value: Any, axis: Any = None, keepdims: Any = None, name: str | None = None) -> Any:
    """Products along `axis`."""
    return _reduced(dense.reduce_prod, segment.unsorted_segment_prod, tensor_or_ragged(value), axis, keepdims,
                    name or "RaggedReduceProd")


def reduce_min(value: Any, axis: Any = None, keepdims: Any = None, name: str | None = None) -> Any:
    """Minima along `axis`."""
    return _reduced(dense.reduce_min, segment.unsorted_segment_min, tensor_or_ragged(value), axis, keepdims,
                    name or "RaggedReduceMin")


def reduce_max(value: Any, axis: Any = None, keepdims: Any = None, name: str | None = None) -> Any:
    """Maxima along `axis`."""
    return _reduced(dense.reduce_max, segment.unsorted_segment_max, tensor_or_ragged(value), axis, keepdims,
                    name or "RaggedReduceMax")


def reduce_mean(value: Any, axis: Any = None, keepdims: Any = None, name: str | None = None) -> Any:
    """Means along `axis`: sums divided by the numbers of elements."""
    with name_scope(name, "RaggedReduceMean", [value, axis]):
        value = tensor_or_ragged(value)
        total = reduce_sum(value, axis, keepdims)
        if isinstance(value, Rows):
            ones = value.with_flat_values(ones_like(value.flat_values))
        else:
            ones = ones_like(value)
        count = reduce_sum(ones, axis, keepdims)
        if isinstance(total, Rows):
            return total.with_flat_values(total.flat_values / count.flat_values)
        return total / count


def reduce_all(value: Any, axis: Any = None, keepdims: Any = None, name: str | None = None) -> Any:
    """Whether all are true along `axis`."""
    with name_scope(name, "RaggedReduceAll", [value, axis]):
        return _logical(reduce_prod, tensor_or_ragged(value), axis, keepdims)


def reduce_any(value: Any, axis: Any = None, keepdims: Any = None, name: str | None = None) -> Any:
    """Whether any is true along `axis`."""
    with name_scope(name, "RaggedReduceAny", [value, axis]):
        return _logical(reduce_sum, tensor_or_ragged(value), axis, keepdims)


def _logical(reduce: Callable, value: Any, axis: Any, keepdims: Any) -> Any:
    return _cast(reduce(_cast(value, dtypes.int32), axis, keepdims), dtypes.bool)


def _cast(value: Any, dtype: Any) -> Any:
    return value.with_flat_values(cast(value.flat_values, dtype)) if isinstance(value, Rows) else cast(value, dtype)


def reduce_join(
    value: Any, axis: Any = None, keepdims: Any = None, separator: str = "", name: str | None = None
) -> Any:
    """Strings joined along `axis`."""
    def by_segment(data: Any, ids: Any, count: Any) -> Any:
        return unsorted_segment_join(data, ids, count, separator)

    def joined(data: Any, axis: Any, name: Any = None) -> Any:
        return reduce_join_v2(data, axis, separator=separator, name=name)

    return _reduced(joined, by_segment, tensor_or_ragged(value), axis, keepdims, name or "RaggedSegmentJoin")

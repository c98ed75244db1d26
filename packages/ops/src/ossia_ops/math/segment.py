"""Reductions of rows that belong together, by the numbers of their segments."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op
from ossia_core.declare.shape_rules import merge_prefix, size_given, with_rank, with_rank_at_least
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones, ones_like, zeros_like
from ossia_ops.array.gather import gather
from ossia_ops.array.selection import where
from ossia_ops.array.shape import expand_dims, rank, reshape, shape
from ossia_ops.element_types import INDEX, INDEX_32, NUMBERS, REALS
from ossia_ops.math.arithmetic import maximum
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import equal, greater, greater_equal
from ossia_ops.math.division import truediv
from ossia_ops.math.elementwise import sqrt
from ossia_ops.math.logical import logical_and
from ossia_ops.state.row_updates import accumulate, reduce_runs

# -- rows with sorted segment numbers -------------------------------------------------------------------

def _segment_shape(data, segment_ids):
    with_rank(segment_ids, 1)
    dims = with_rank_at_least(data, 1).as_tuple()
    return None if dims is None else (None, *dims[1:])


def _starts(ids: Any, count: int) -> tuple[Any, Any]:
    """Where each segment present starts, and its number.

    Raises:
      InvalidArgumentError: the numbers are not sorted, negative, or not as many as rows.
    """
    if ids.ndim != 1 or len(ids) != count:
        what = "a vector." if ids.ndim != 1 else "the same size as dimension 0 of input."
        raise InvalidArgumentError(None, None, f"segment_ids should be {what}")
    if len(ids) and int(ids[0]) < 0:
        raise InvalidArgumentError(
            None, None, f"Segment id {ids[0]} out of range [0, {max(int(ids[-1]) + 1, 0)}), possibly because "
            "'segment_ids' input is not sorted.")
    if (ids[1:] < ids[:-1]).any():
        raise InvalidArgumentError(None, None, "segment ids are not increasing")
    starts = np.flatnonzero(np.concatenate([[True], ids[1:] != ids[:-1]])) if len(ids) else np.zeros(0, np.intp)
    return starts, ids[starts]


def _segments(data: Any, ids: Any, reduce: Any, default: Any) -> Any:
    if not np.ndim(data):
        raise InvalidArgumentError(None, None, "data must be at least 1-dimensional")
    starts, numbers = _starts(ids, len(data))
    count = int(ids[-1]) + 1 if len(ids) else 0
    sizes.allocatable((count, *data.shape[1:]), data.dtype.itemsize)
    result = np.full((count, *data.shape[1:]), default, data.dtype)
    if len(starts) and data.size > len(data):
        reduce_runs(data, starts, reduce, result, numbers)
    elif len(starts):
        result[numbers] = reduce.reduceat(data, starts, axis=0, dtype=data.dtype) if data.size else result[numbers]
    return result


def _counts(ids: Any, kind: Any) -> Any:
    """The number of rows per segment, at least 1."""
    return np.maximum(np.bincount(ids), 1).astype(kind)


def _mean(totals: Any, counts: Any) -> Any:
    divisor = counts.reshape((-1,) + (1,) * (totals.ndim - 1))
    return lookup("TruncateDiv").kernel_fn(totals, divisor)  # type: ignore[misc]


segment_sum_op = op("SegmentSum(data: T, segment_ids: Tindices) -> output: T", T=NUMBERS, Tindices=INDEX)


segment_sum_op.shape(_segment_shape)


@segment_sum_op.kernel
def _(data, segment_ids):
    return _segments(data, segment_ids, np.add, 0)


@segment_sum_op.gradient
def _(node, grad):
    return gather(grad, node.inputs[1]), None


segment_sum_op.samples(
    plain=([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [0, 0, 2]), none=(np.zeros((0, 2), "f4"), np.zeros(0, np.int32))
)


@public("segment_sum", "math.segment_sum")
def segment_sum(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """Sums of the rows of `data` with equal numbers in `segment_ids`, a sorted vector; 0 for numbers that do not
    occur."""
    return segment_sum_op(data, segment_ids, name=name)


segment_mean_op = op("SegmentMean(data: T, segment_ids: Tindices) -> output: T", T=NUMBERS, Tindices=INDEX)


segment_mean_op.shape(_segment_shape)


@segment_mean_op.kernel
def _(data, segment_ids):
    totals = _segments(data, segment_ids, np.add, 0)
    return _mean(totals, _counts(segment_ids, data.dtype)) if len(totals) else totals


@segment_mean_op.gradient
def _(node, grad):
    data, ids = node.inputs
    input_rank = rank(data)
    ones_shape = concat([shape(ids), lookup("Fill")(expand_dims(input_rank - 1, 0), 1)], 0)
    from ossia_core.graph.convert import constant
    counts = segment_sum(lookup("Fill")(ones_shape, constant(1, grad.dtype)), ids)
    return gather(truediv(grad, counts), ids), None


segment_mean_op.samples(plain=([[1., 2.], [3., 4.], [5., 6.]], [0, 0, 2]))


@public("segment_mean", "math.segment_mean")
def segment_mean(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """Means of the rows of `data` with equal numbers in `segment_ids`, a sorted vector; 0 for numbers that do not
    occur."""
    return segment_mean_op(data, segment_ids, name=name)


segment_prod_op = op("SegmentProd(data: T, segment_ids: Tindices) -> output: T", T=NUMBERS, Tindices=INDEX)


segment_prod_op.shape(_segment_shape)


@segment_prod_op.kernel
def _(data, segment_ids):
    return _segments(data, segment_ids, np.multiply, 1)


segment_prod_op.samples(plain=([[1., 2.], [3., 4.], [5., 6.]], [0, 0, 2]))


@public("segment_prod", "math.segment_prod")
def segment_prod(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """Products of the rows of `data` with equal numbers in `segment_ids`, a sorted vector; 1 for numbers that do not
    occur."""
    return segment_prod_op(data, segment_ids, name=name)


def _segment_extremes(data: Any, ids: Any, extreme: np.ufunc, none: float) -> Any:
    """The extremes of rows: NaN counts only in a row that is alone; `none` is the extreme of several that are NaN."""
    result = _segments(data, ids, extreme, 0)
    if data.dtype.kind == "f":
        several = np.bincount(ids, minlength=len(result)) > 1 if len(result) else np.zeros(0, bool)
        result[several.reshape(-1, *[1] * (result.ndim - 1)) & np.isnan(result)] = none
    return result


def _segment_extreme_gradient(node: Any, grad: Any) -> tuple[Tensor, None]:
    """The gradient goes to the extreme rows, in equal shares where there are several."""
    data, ids = node.inputs
    none = zeros_like(data, data.dtype)
    chosen = equal(data, gather(node.outputs[0], ids))
    count = segment_sum(cast(chosen, grad.dtype), ids)
    return where(chosen, gather(truediv(grad, count), ids), none), None


segment_max_op = op("SegmentMax(data: T, segment_ids: Tindices) -> output: T", T=REALS, Tindices=INDEX)


segment_max_op.shape(_segment_shape)


@segment_max_op.kernel
def _(data, segment_ids):
    return _segment_extremes(data, segment_ids, np.fmax, -np.inf)


segment_max_op.gradient(_segment_extreme_gradient)
segment_max_op.samples(
    plain=([[1.0, 2.0], [3.0, 0.0], [5.0, 6.0]], [0, 0, 2]),
    nan=([[np.nan, 2.0], [np.nan, np.nan], [np.nan, 6.0]], [0, 0, 1]),
)


@public("segment_max", "math.segment_max")
def segment_max(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """Maxima of the rows of `data` with equal numbers in `segment_ids`, a sorted vector; 0 for numbers that do not
    occur."""
    return segment_max_op(data, segment_ids, name=name)


segment_min_op = op("SegmentMin(data: T, segment_ids: Tindices) -> output: T", T=REALS, Tindices=INDEX)


segment_min_op.shape(_segment_shape)


@segment_min_op.kernel
def _(data, segment_ids):
    return _segment_extremes(data, segment_ids, np.fmin, np.inf)


segment_min_op.gradient(_segment_extreme_gradient)
segment_min_op.samples(
    plain=([[1.0, 2.0], [3.0, 0.0], [5.0, 6.0]], [0, 0, 2]),
    nan=([[np.nan, 2.0], [np.nan, np.nan], [np.nan, 6.0]], [0, 0, 1]),
)


@public("segment_min", "math.segment_min")
def segment_min(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """Minima of the rows of `data` with equal numbers in `segment_ids`, a sorted vector; 0 for numbers that do not
    occur."""
    return segment_min_op(data, segment_ids, name=name)


# -- rows with segment numbers in any order -------------------------------------------------------------

def _unsorted_shape(data, segment_ids, num_segments):
    with_rank(num_segments, 0)
    a, b = data.shape.as_tuple(), segment_ids.shape.as_tuple()
    count = size_given(num_segments, 2)
    if b is None:
        return None
    if a is not None:
        merge_prefix(data, segment_ids)
    return None if a is None else (count, *a[len(b):])


def _unsorted(data: Any, ids: Any, count: Any, combine: Any, initial: Any) -> Any:
    if np.ndim(count):
        raise InvalidArgumentError(
            None, None, f"num_segments should be a scalar, not shape {dims_text(np.shape(count))}"
        )
    if int(count) < 0:
        raise InvalidArgumentError(None, None, f"Input num_segments == {count} must not be negative.")
    number = int(count)
    if data.shape[:ids.ndim] != ids.shape:
        raise InvalidArgumentError(
            None, None,
            f"data.shape = {dims_text(data.shape)} does not start with segment_ids.shape = {dims_text(ids.shape)}"
        )
    flat = ids.reshape(-1)
    if flat.size and int(flat.max()) >= number:
        bad = int(np.flatnonzero(flat >= number)[0])
        place = dims_text(np.unravel_index(bad, ids.shape)) if ids.ndim else ""
        raise InvalidArgumentError(
            None, None, f"segment_ids{place} = {flat[bad]} is out of range [0, {number})"
        )
    dims = (number, *data.shape[ids.ndim:])
    sizes.allocatable(dims, data.dtype.itemsize)
    result = np.full(dims, initial, data.dtype)
    rows = data.reshape((flat.size, *dims[1:]))
    if flat.size and int(flat.min()) < 0:
        # Rows with negative numbers belong to no segment.
        rows, flat = rows[flat >= 0], flat[flat >= 0]
    if combine in (np.maximum, np.minimum) and data.dtype.kind not in "iu" and np.isnan(rows).any():
        return _after_nan(result, flat, rows, combine)
    accumulate(result, flat, rows, combine)
    return result


def _after_nan(result: np.ndarray, ids: np.ndarray, rows: np.ndarray, extreme: np.ufunc) -> np.ndarray:
    """The extremes of rows, counted anew after each NaN, as the original does: NaN itself if it comes last."""
    order = np.argsort(ids, kind="stable")
    ids, rows = ids[order], rows[order]
    starts = np.flatnonzero(np.concatenate([[True], ids[1:] != ids[:-1]]))
    place = np.arange(len(rows)).reshape(-1, *[1] * (rows.ndim - 1))
    last_nan = np.maximum.reduceat(np.where(np.isnan(rows), place, -1), starts, axis=0)
    last = np.append(starts[1:], len(rows)).reshape(-1, *[1] * (rows.ndim - 1)) - 1
    counted = place > last_nan[np.repeat(np.arange(len(starts)), np.diff(starts, append=len(rows)))]
    least = rows.dtype.type(-np.inf if extreme is np.maximum else np.inf)
    found = extreme.reduceat(np.where(counted, rows, least), starts, axis=0)
    found = np.where(last_nan < 0, extreme(found, result[ids[starts]]), found)
    result[ids[starts]] = np.where(last_nan == last, rows.dtype.type(np.nan), found)
    return result


def _kept(
    params: Tensor, ids: Tensor, clipped: Tensor | None = None, positive: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """The rows of `params` at `ids`, zeros where they are negative; the clipped ids; the mask of the others."""
    if clipped is None:
        clipped = maximum(ids, zeros_like(ids))
    rows = gather(params, clipped)
    if positive is None:
        positive = greater_equal(ids, 0)
        if rows.shape.ndims is None or positive.shape.ndims is None:
            trailing = ones([rank(rows) - rank(positive)], "int32")
            positive = reshape(positive, concat([shape(positive), trailing], 0))
        else:
            for _ in range(rows.shape.ndims - positive.shape.ndims):
                positive = expand_dims(positive, -1)
        positive = positive & ones_like(rows, dtype="bool")
    return where(positive, rows, zeros_like(rows)), clipped, positive


unsorted_segment_sum_op = op("UnsortedSegmentSum(data: T, segment_ids: Tindices, "
                             "num_segments: Tnumsegments) -> output: T", T=NUMBERS, Tindices=INDEX,
                             Tnumsegments=INDEX_32)


unsorted_segment_sum_op.shape(_unsorted_shape)


@unsorted_segment_sum_op.kernel
def _(data, segment_ids, num_segments):
    return _unsorted(data, segment_ids, num_segments, np.add, 0)


@unsorted_segment_sum_op.gradient
def _(node, grad):
    return _kept(grad, node.inputs[1])[0], None, None


unsorted_segment_sum_op.samples(
    plain=([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [1, 0, 1], 3), negative=([1, 2], [-1, 0], 1), none=([1.0], [0], 1)
)


@public("unsorted_segment_sum", "math.unsorted_segment_sum")
@dispatches
def unsorted_segment_sum(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """Sums of the rows of `data` with equal numbers in `segment_ids`; rows with negative numbers are left out.

    Args:
      data: a tensor.
      segment_ids: an integer tensor with the leading dimensions of `data`.
      num_segments: number of rows of the result, a scalar.
      name: name of the result.
    """
    return unsorted_segment_sum_op(data, segment_ids, num_segments, name=name)


def _unsorted_extreme_gradient(node: Any, grad: Any) -> tuple[Tensor, None, None]:
    data, ids, number = node.inputs
    outputs, clipped, positive = _kept(node.outputs[0], ids)
    chosen = logical_and(equal(data, outputs), positive)
    count = unsorted_segment_sum(cast(chosen, grad.dtype), ids, number)
    shares, _, _ = _kept(truediv(grad, count), ids, clipped, positive)
    return where(chosen, shares, zeros_like(shares)), None, None


unsorted_segment_max_op = op("UnsortedSegmentMax(data: T, segment_ids: Tindices, "
                             "num_segments: Tnumsegments) -> output: T", T=REALS, Tindices=INDEX,
                             Tnumsegments=INDEX_32)


unsorted_segment_max_op.shape(_unsorted_shape)


@unsorted_segment_max_op.kernel
def _(data, segment_ids, num_segments):
    return _unsorted(data, segment_ids, num_segments, np.maximum, _limits(data.dtype)[0])


def _limits(dtype: Any) -> tuple[Any, Any]:
    info = np.iinfo(dtype) if dtype.kind in "iu" else np.finfo(dtype) if dtype.kind == "f" else None
    if info is None:
        from ossia_core.names import dtypes
        found = dtypes.as_dtype(dtype)
        return found.min, found.max
    return info.min, info.max


unsorted_segment_max_op.gradient(_unsorted_extreme_gradient)
unsorted_segment_max_op.samples(
    plain=([[1.0, 2.0], [3.0, 4.0], [5.0, 0.0]], [1, 0, 1], 3),
    nan=([np.nan, 1.0, 1.0, np.nan, -np.inf, np.inf], [0, 0, 1, 1, 2, 2], 4),
    ints=([1, 2], [0, 0], 2),
)


@public("unsorted_segment_max", "math.unsorted_segment_max")
@dispatches
def unsorted_segment_max(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """Maxima of the rows of `data` with equal numbers in `segment_ids`; the lowest number of the dtype where there is
    no row."""
    return unsorted_segment_max_op(data, segment_ids, num_segments, name=name)


unsorted_segment_min_op = op("UnsortedSegmentMin(data: T, segment_ids: Tindices, "
                             "num_segments: Tnumsegments) -> output: T", T=REALS, Tindices=INDEX,
                             Tnumsegments=INDEX_32)


unsorted_segment_min_op.shape(_unsorted_shape)


@unsorted_segment_min_op.kernel
def _(data, segment_ids, num_segments):
    return _unsorted(data, segment_ids, num_segments, np.minimum, _limits(data.dtype)[1])


unsorted_segment_min_op.gradient(_unsorted_extreme_gradient)
unsorted_segment_min_op.samples(
    plain=([[1.0, 2.0], [3.0, 4.0], [5.0, 0.0]], [1, 0, 1], 3),
    nan=([np.nan, 1.0, 1.0, np.nan, -np.inf, np.inf], [0, 0, 1, 1, 2, 2], 4),
)


@public("unsorted_segment_min", "math.unsorted_segment_min")
@dispatches
def unsorted_segment_min(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """Minima of the rows of `data` with equal numbers in `segment_ids`; the highest number of the dtype where there is
    no row."""
    return unsorted_segment_min_op(data, segment_ids, num_segments, name=name)


unsorted_segment_prod_op = op("UnsortedSegmentProd(data: T, segment_ids: Tindices, "
                              "num_segments: Tnumsegments) -> output: T", T=NUMBERS, Tindices=INDEX,
                              Tnumsegments=INDEX_32)


unsorted_segment_prod_op.shape(_unsorted_shape)


@unsorted_segment_prod_op.kernel
def _(data, segment_ids, num_segments):
    return _unsorted(data, segment_ids, num_segments, np.multiply, 1)


@unsorted_segment_prod_op.gradient
def _(node, grad):
    data, ids, number = node.inputs
    # A row gets the product of the others: all of its segment divided by it, unless it is the only zero there.
    is_zero = equal(data, 0)
    zeros_in_segment = unsorted_segment_sum(cast(is_zero, "int32"), ids, number)
    grad = where(greater(zeros_in_segment, 1), zeros_like(grad), grad)
    nonzero = where(is_zero, ones_like(data), data)
    nonzero_product = unsorted_segment_prod_op(nonzero, ids, number)
    clipped = maximum(ids, zeros_like(ids))
    product_of_all = gather(node.outputs[0], clipped)
    product_of_nonzero = gather(nonzero_product, clipped)
    others = where(is_zero, product_of_nonzero, product_of_all / data)
    return _kept(grad, ids, clipped)[0] * others, None, None


unsorted_segment_prod_op.samples(plain=([[1., 2.], [3., 4.], [5., 0.]], [1, 0, 1], 3))


@public("unsorted_segment_prod", "math.unsorted_segment_prod")
@dispatches
def unsorted_segment_prod(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """Products of the rows of `data` with equal numbers in `segment_ids`; 1 where there is no row."""
    return unsorted_segment_prod_op(data, segment_ids, num_segments, name=name)


def _sizes_of_segments(data: Tensor, ids: Tensor, number: Any) -> Tensor:
    """The number of rows in each segment, at least 1, to divide by."""
    counts = unsorted_segment_sum(ones(shape(ids), data.dtype), ids, number)
    static = ids.shape.ndims
    if static is not None and data.shape.ndims is not None:
        dims: Any = [number] + [1] * (data.shape.ndims - static)
    else:
        dims = concat([[number], ones(rank(data) - rank(ids), "int32")], axis=0)
    return maximum(reshape(counts, dims), 1)


@public("unsorted_segment_mean", "math.unsorted_segment_mean")
@dispatches
def unsorted_segment_mean(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """Means of the rows of `data` with equal numbers in `segment_ids`; 0 where there is no row."""
    with name_scope(name, "UnsortedSegmentMean"):
        data, segment_ids = convert_to_tensor(data), convert_to_tensor(segment_ids)
        counts = _sizes_of_segments(data, segment_ids, num_segments)
        return unsorted_segment_sum(data, segment_ids, num_segments) / counts


@public("unsorted_segment_sqrt_n", "math.unsorted_segment_sqrt_n")
@dispatches
def unsorted_segment_sqrt_n(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """Sums of the rows of `data` with equal numbers in `segment_ids`, divided by the root of their number."""
    with name_scope(name, "UnsortedSegmentSqrtN"):
        data, segment_ids = convert_to_tensor(data), convert_to_tensor(segment_ids)
        counts = _sizes_of_segments(data, segment_ids, num_segments)
        return unsorted_segment_sum(data, segment_ids, num_segments) / sqrt(counts)

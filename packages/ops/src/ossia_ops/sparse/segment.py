"""Reductions of chosen rows that belong together, by the numbers of their segments."""
from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import constant as constant_value
from ossia_core.declare.shape_rules import merge, with_rank, with_rank_at_least
from ossia_core.graph.tensor import Tensor
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_ops.array.gather import gather, gathered
from ossia_ops.array.shape import shape
from ossia_ops.element_types import INDEX_32, REALS
from ossia_ops.math.segment import unsorted_segment_sum
from ossia_ops.state.row_updates import accumulate, reduce_runs


def _rule(data, indices, segment_ids):
    merge(with_rank(indices, 1), with_rank(segment_ids, 1))
    dims = with_rank_at_least(data, 1).as_tuple()
    return None if dims is None else (None, *dims[1:])


def _counted_rule(data, indices, segment_ids, num_segments):
    dims = _rule(data, indices, segment_ids)
    with_rank(num_segments, 0)
    count = constant_value(num_segments)
    if count is not None and count < 0:
        raise ValueError("Cannot specify a negative value for num_segments")
    return dims if dims is None or count is None else (int(count), *dims[1:])


def _combined(data: Any, indices: Any, ids: Any, number: Any = None, divisor: Any = None) -> Any:
    """The sums of the chosen rows per segment, divided by `divisor(rows in the segment)`."""
    if not np.ndim(data):
        raise InvalidArgumentError(None, None, "data must be at least 1-dimensional")
    for given, what in ((indices, "indices"), (ids, "segment_ids")):
        if given.ndim != 1:
            raise InvalidArgumentError(None, None, f"{what} should be a vector.")
    if indices.shape != ids.shape:
        raise InvalidArgumentError(None, None, "segment_ids and indices should have same size.")
    count = int(ids[-1]) + 1 if len(ids) else 0
    if number is not None:
        number = operator.index(number)
        if count > number:
            raise InvalidArgumentError(None, None, "segment ids must be < num_segments")
        count = number
    if count < 0:
        raise InvalidArgumentError(None, None, "segment ids must be >= 0")
    _check_runs(ids, indices, count, len(data))
    sizes.allocatable((count, *data.shape[1:]), data.dtype.itemsize)
    result = np.zeros((count, *data.shape[1:]), data.dtype)
    if len(ids) and data.size > len(data):
        starts = np.flatnonzero(np.concatenate([[True], ids[1:] != ids[:-1]]))
        reduce_runs(data, starts, np.add, result, ids[starts], indices)
    else:
        accumulate(result, ids, gathered(data, indices, 0), np.add)
    if divisor is not None and count:
        lengths = np.maximum(np.bincount(ids, minlength=count), 1).astype(data.dtype)
        result /= divisor(lengths).reshape((-1,) + (1,) * (result.ndim - 1))
    return result


def _check_runs(ids: Any, indices: Any, count: int, rows: int) -> None:
    """Refuses segments out of order or outside, and rows that there are not: of the first segment where something is
    wrong, as the original goes through them."""
    if not len(ids):
        return
    outside = (indices < 0) | (indices >= rows)
    wrong = (ids < 0) | (ids >= count) | outside
    wrong[:-1] |= ids[1:] < ids[:-1]
    if not wrong.any():
        return
    run = ids[wrong.argmax()]
    start = end = int(wrong.argmax())
    while start and ids[start - 1] == run:
        start -= 1
    while end < len(ids) and ids[end] == run:
        end += 1
    if end < len(ids) and ids[end] < run:
        raise InvalidArgumentError(None, None, "segment ids are not increasing")
    if not 0 <= run < count:
        raise InvalidArgumentError(
            None, None,
            f"Segment id {run} out of range [0, {count}), possibly because 'segment_ids' input is not sorted."
        )
    place = start + int(outside[start:end].argmax())
    raise InvalidArgumentError(None, None, f"Bad: indices[{place}] == {indices[place]} out of range [0, {rows})")


def _first_size(x: Tensor) -> Tensor:
    return shape(x)[0]


def _sum_gradient(node: Any, grad: Any) -> list:
    data, indices, ids = node.inputs[:3]
    number = _first_size(data)
    return [unsorted_segment_sum(gather(grad, ids), indices, number), *[None] * (len(node.inputs) - 1)]


def _mean_gradient(node: Any, grad: Any) -> list:
    data, indices, ids = node.inputs[:3]
    return [sparse_segment_mean_grad_op(grad, indices, ids, _first_size(data)), *[None] * (len(node.inputs) - 1)]


def _sqrt_gradient(node: Any, grad: Any) -> list:
    data, indices, ids = node.inputs[:3]
    return [sparse_segment_sqrt_n_grad_op(grad, indices, ids, _first_size(data)), *[None] * (len(node.inputs) - 1)]


def _grad_rule(grad, indices, segment_ids, output_dim0):
    dims = with_rank_at_least(grad, 1).as_tuple()
    merge(segment_ids, with_rank(indices, 1))
    with_rank(output_dim0, 0)
    count = constant_value(output_dim0)
    if count is not None and count < 0:
        raise ValueError("Cannot specify a negative value for output_dim0")
    return None if dims is None else (None if count is None else int(count), *dims[1:])


def _check_segments(ids: Any, count: int) -> None:
    """Refuses segments that the `count` rows of a gradient are not for."""
    if not ids.size:
        return
    if int(ids[-1]) >= count:
        raise InvalidArgumentError(None, None, "Invalid number of segments")
    outside = (ids < 0) | (ids >= count)
    if outside.any():
        raise InvalidArgumentError(None, None, f"Segment id {ids[outside.argmax()]} out of range [0, {count}).")


def _distributed(grad: Any, indices: Any, ids: Any, count: Any, divisor: Any) -> Any:
    """Back from segments to rows."""
    number = operator.index(count)
    if indices.shape != ids.shape:
        raise InvalidArgumentError(None, None, "segment_ids and indices should have same size.")
    if indices.size and (int(indices.min()) < 0 or int(indices.max()) >= number):
        raise InvalidArgumentError(None, None, f"Index out of range [0, {number}).")
    _check_segments(ids, len(grad))
    sizes.allocatable((number, *grad.shape[1:]), grad.dtype.itemsize)
    lengths = (
        np.maximum(np.bincount(ids, minlength=len(grad)), 1).astype(grad.dtype)
        if len(ids)
        else np.ones(len(grad), grad.dtype)
    )
    rows = gathered(grad / divisor(lengths).reshape((-1,) + (1,) * (grad.ndim - 1)), ids, 0)
    result = np.zeros((number, *grad.shape[1:]), grad.dtype)
    accumulate(result, indices, rows, np.add)
    return result


sparse_segment_sum_op = op("SparseSegmentSum(data: T, indices: Tidx, segment_ids: int32) -> output: T", T=REALS,
                           Tidx=INDEX_32)


sparse_segment_sum_op.shape(_rule)


@sparse_segment_sum_op.kernel
def _(data, indices, segment_ids):
    return _combined(data, indices, segment_ids)


sparse_segment_sum_op.gradient(_sum_gradient)
sparse_segment_sum_op.samples(plain=([[1., 2.], [3., 4.]], [1, 0, 1], [0, 0, 2]))


sparse_segment_sum_with_num_segments_op = op("SparseSegmentSumWithNumSegments(data: T, indices: Tidx, "
                                             "segment_ids: int32, num_segments: Tnumsegments) -> output: T", T=REALS,
                                             Tidx=INDEX_32, Tnumsegments=INDEX_32)


sparse_segment_sum_with_num_segments_op.shape(_counted_rule)


@sparse_segment_sum_with_num_segments_op.kernel
def _(data, indices, segment_ids, num_segments):
    return _combined(data, indices, segment_ids, num_segments)


sparse_segment_sum_with_num_segments_op.gradient(_sum_gradient)
sparse_segment_sum_with_num_segments_op.samples(plain=([[1., 2.], [3., 4.]], [1, 0, 1], [0, 0, 2], 4))


@public("sparse_segment_sum", "sparse.segment_sum")
def sparse_segment_sum(
    data: Any, indices: Any, segment_ids: Any, name: str | None = None, num_segments: Any = None
) -> Tensor:
    """Sums of chosen rows of `data`, by segment.

    Args:
      data: a tensor.
      indices: which rows, an integer vector.
      segment_ids: the number of the segment of each chosen row, a sorted int32 vector.
      name: name of the result.
      num_segments: number of rows of the result; up to the last segment if None.
    """
    if num_segments is None:
        return sparse_segment_sum_op(data, indices, segment_ids, name=name)
    return sparse_segment_sum_with_num_segments_op(data, indices, segment_ids, num_segments, name=name)


sparse_segment_mean_op = op("SparseSegmentMean(data: T, indices: Tidx, segment_ids: int32) -> output: T",
                            T="{float, double}", Tidx=INDEX_32)


sparse_segment_mean_op.shape(_rule)


@sparse_segment_mean_op.kernel
def _(data, indices, segment_ids):
    return _combined(data, indices, segment_ids, None, lambda n: n)


sparse_segment_mean_op.gradient(_mean_gradient)
sparse_segment_mean_op.samples(plain=([[1., 2.], [3., 4.]], [1, 0, 1], [0, 0, 2]))


sparse_segment_mean_with_num_segments_op = op("SparseSegmentMeanWithNumSegments(data: T, indices: Tidx, "
                                              "segment_ids: int32, num_segments: Tnumsegments) -> output: T",
                                              T="{float, double}", Tidx=INDEX_32, Tnumsegments=INDEX_32)


sparse_segment_mean_with_num_segments_op.shape(_counted_rule)


@sparse_segment_mean_with_num_segments_op.kernel
def _(data, indices, segment_ids, num_segments):
    return _combined(data, indices, segment_ids, num_segments, lambda n: n)


sparse_segment_mean_with_num_segments_op.gradient(_mean_gradient)
sparse_segment_mean_with_num_segments_op.samples(plain=([[1., 2.], [3., 4.]], [1, 0, 1], [0, 0, 2], 4))


sparse_segment_mean_grad_op = op("SparseSegmentMeanGrad(grad: T, indices: Tidx, segment_ids: int32, "
                                 "output_dim0: int32) -> output: T", T="{float, double}", Tidx=INDEX_32)


sparse_segment_mean_grad_op.shape(_grad_rule)


@sparse_segment_mean_grad_op.kernel
def _(grad, indices, segment_ids, output_dim0):
    return _distributed(grad, indices, segment_ids, output_dim0, lambda n: n)


sparse_segment_mean_grad_op.samples(
    plain=([[1., 2.], [3., 4.]], [1, 0, 1], [0, 0, 1], 3), refused_count=([[1., 2.]], [1, 0, 1], [0, 0, 1], 3),
    refused_segment=([[1., 2.]], [1, 0, 1], [0, 1, 0], 3), unsorted=([[1., 2.], [3., 4.]], [1, 0, 1], [0, 1, 0], 3),
)


@public("sparse_segment_mean", "sparse.segment_mean")
def sparse_segment_mean(
    data: Any, indices: Any, segment_ids: Any, name: str | None = None, num_segments: Any = None
) -> Tensor:
    """Means of chosen rows of `data`, by segment; the arguments are those of `sparse_segment_sum`."""
    if num_segments is None:
        return sparse_segment_mean_op(data, indices, segment_ids, name=name)
    return sparse_segment_mean_with_num_segments_op(data, indices, segment_ids, num_segments, name=name)


sparse_segment_sqrt_n_op = op("SparseSegmentSqrtN(data: T, indices: Tidx, segment_ids: int32) -> output: T",
                              T="{float, double}", Tidx=INDEX_32)


sparse_segment_sqrt_n_op.shape(_rule)


@sparse_segment_sqrt_n_op.kernel
def _(data, indices, segment_ids):
    return _combined(data, indices, segment_ids, None, np.sqrt)


sparse_segment_sqrt_n_op.gradient(_sqrt_gradient)
sparse_segment_sqrt_n_op.samples(plain=([[1., 2.], [3., 4.]], [1, 0, 1], [0, 0, 2]))


sparse_segment_sqrt_n_with_num_segments_op = op("SparseSegmentSqrtNWithNumSegments(data: T, indices: Tidx, "
                                                "segment_ids: int32, num_segments: Tnumsegments) -> output: T",
                                                T="{float, double}", Tidx=INDEX_32, Tnumsegments=INDEX_32)


sparse_segment_sqrt_n_with_num_segments_op.shape(_counted_rule)


@sparse_segment_sqrt_n_with_num_segments_op.kernel
def _(data, indices, segment_ids, num_segments):
    return _combined(data, indices, segment_ids, num_segments, np.sqrt)


sparse_segment_sqrt_n_with_num_segments_op.gradient(_sqrt_gradient)
sparse_segment_sqrt_n_with_num_segments_op.samples(plain=([[1., 2.], [3., 4.]], [1, 0, 1], [0, 0, 2], 4))


sparse_segment_sqrt_n_grad_op = op("SparseSegmentSqrtNGrad(grad: T, indices: Tidx, segment_ids: int32, "
                                   "output_dim0: int32) -> output: T", T="{float, double}", Tidx=INDEX_32)


sparse_segment_sqrt_n_grad_op.shape(_grad_rule)


@sparse_segment_sqrt_n_grad_op.kernel
def _(grad, indices, segment_ids, output_dim0):
    return _distributed(grad, indices, segment_ids, output_dim0, np.sqrt)


sparse_segment_sqrt_n_grad_op.samples(
    plain=([[1., 2.], [3., 4.]], [1, 0, 1], [0, 0, 1], 3), refused_count=([[1., 2.]], [1, 0, 1], [0, 0, 1], 3),
    refused_segment=([[1., 2.]], [1, 0, 1], [0, 1, 0], 3), unsorted=([[1., 2.], [3., 4.]], [1, 0, 1], [0, 1, 0], 3),
)


@public("sparse_segment_sqrt_n", "sparse.segment_sqrt_n")
def sparse_segment_sqrt_n(
    data: Any, indices: Any, segment_ids: Any, name: str | None = None, num_segments: Any = None
) -> Tensor:
    """Sums, divided by the root of the number of rows, of chosen rows of `data`, by segment; the arguments are those of
    `sparse_segment_sum`."""
    if num_segments is None:
        return sparse_segment_sqrt_n_op(data, indices, segment_ids, name=name)
    return sparse_segment_sqrt_n_with_num_segments_op(data, indices, segment_ids, num_segments, name=name)


@public("compat.v2.sparse.segment_sum")
def sparse_segment_sum_v2(
    data: Any, indices: Any, segment_ids: Any, num_segments: Any = None, name: str | None = None
) -> Tensor:
    """Sums of chosen rows of `data`, by segment; the arguments are those of `sparse_segment_sum`."""
    return sparse_segment_sum(data, indices, segment_ids, name=name, num_segments=num_segments)


@public("compat.v2.sparse.segment_mean")
def sparse_segment_mean_v2(
    data: Any, indices: Any, segment_ids: Any, num_segments: Any = None, name: str | None = None
) -> Tensor:
    """Means of chosen rows of `data`, by segment; the arguments are those of `sparse_segment_sum`."""
    return sparse_segment_mean(data, indices, segment_ids, name=name, num_segments=num_segments)


@public("compat.v2.sparse.segment_sqrt_n")
def sparse_segment_sqrt_n_v2(
    data: Any, indices: Any, segment_ids: Any, num_segments: Any = None, name: str | None = None
) -> Tensor:
    """Sums, divided by the root of the number of rows, of chosen rows of `data`, by segment; the arguments are those of
    `sparse_segment_sum`."""
    return sparse_segment_sqrt_n(data, indices, segment_ids, name=name, num_segments=num_segments)

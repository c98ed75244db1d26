"""The op below rows that count."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import merge_dim, vector, with_rank_at_most
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError

ragged_range_op = op(
    "RaggedRange(starts: T, limits: T, deltas: T) -> rt_nested_splits: Tsplits, rt_dense_values: T",
    T="{bfloat16, float, double, int32, int64} = DT_INT32", Tsplits="{int32, int64} = DT_INT64",
)


@ragged_range_op.shape
def _(starts, limits, deltas):
    size: int | None = 1
    bounds = [with_rank_at_most(x, 1) for x in (starts, limits, deltas)]
    sizes = [shape.as_tuple()[0] if shape.ndims else None for shape in bounds if shape.ndims != 0]
    if sizes:
        size = sizes[0]
        for other in sizes[1:]:
            size = merge_dim(other, size)
    return vector(None if size is None else size + 1), vector(None)


@ragged_range_op.kernel
def _(starts, limits, deltas, *, Tsplits):
    for name, x in (("starts", starts), ("limits", limits), ("deltas", deltas)):
        if np.ndim(x) > 1:
            raise InvalidArgumentError(None, None, f"{name} must be a scalar or vector")
    lengths = {len(x) for x in (starts, limits, deltas) if np.ndim(x)}
    if len(lengths) > 1:
        raise InvalidArgumentError(None, None, "starts, limits, and deltas must have the same shape")
    size = lengths.pop() if lengths else 1
    first, last, step = (np.broadcast_to(x, size) for x in (starts, limits, deltas))
    if not step.all():
        raise InvalidArgumentError(None, None, "Requires delta != 0")
    if first.dtype.kind in "iu":
        counts = _whole_counts(first, last, step)
    else:
        distance = last.astype(np.float64) - first.astype(np.float64)
        steps = np.ceil(np.abs(distance / step))
        if not np.isfinite(steps).all():
            raise InvalidArgumentError(None, None, "Requires a range of finite size")
        steps[distance * step <= 0] = 0
        sizes.allocatable((int(steps.sum()),), starts.dtype.itemsize)
        counts = steps.astype(np.int64)
    total = int(counts.sum())
    sizes.allocatable((total,), starts.dtype.itemsize)
    splits = np.zeros(size + 1, np.int64)
    np.cumsum(counts, out=splits[1:])
    kind, steps_of_all = starts.dtype, deltas if np.ndim(deltas) == 0 else np.repeat(step, counts)
    if kind.kind in "iu":  # which wrap around
        before = first - step * splits[:-1].astype(kind)
        values = np.repeat(before, counts) + steps_of_all * np.arange(total, dtype=kind)
    else:
        place = np.arange(total) - np.repeat(splits[:-1], counts)
        values = (np.repeat(first, counts) + steps_of_all * place.astype(kind)).astype(kind)
    return splits.astype(Tsplits.as_numpy_dtype), values


def _whole_counts(first: Any, last: Any, step: Any) -> np.ndarray:
    """How many whole numbers there are in each range.

    Raises:
      ResourceExhaustedError: too many for memory.
    """
    wide = [x.astype(np.int64) for x in (first, last, step)]
    if max((abs(int(end)) for x in wide[:2] if x.size for end in (x.min(), x.max())), default=0) >= 1 << 62:
        wide = [x.astype(object) for x in wide]  # Python's integers: differences may need 65 bits
    start, stop, by = wide
    counts = np.maximum(0, -((start - stop) // by))
    sizes.allocatable((int(counts.sum(dtype=np.float64 if counts.dtype != object else object)),), first.dtype.itemsize)
    return counts.astype(np.int64)


ragged_range_op.not_differentiable()
ragged_range_op.samples(
    rows=(np.array([0, 5, 8], np.int32), np.array([3, 5, 2], np.int32), np.array([1, 1, -2], np.int32)),
    floats=sample(np.zeros(1, np.float32), np.ones(1, np.float32), np.full(1, 0.25, np.float32), T="float"),
)

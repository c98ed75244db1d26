"""The op below rows that count."""
from __future__ import annotations

import numpy as np

from ossia_core import sizes
from ossia_core.errors import InvalidArgumentError
from ossia_core.opdef import op, sample
from ossia_core.shape_rules import vector

ragged_range_op = op(
    "RaggedRange(starts: T, limits: T, deltas: T) -> rt_nested_splits: Tsplits, rt_dense_values: T",
    T="{bfloat16, float, double, int32, int64} = DT_INT32", Tsplits="{int32, int64} = DT_INT64",
)


@ragged_range_op.shape
def _(starts, limits, deltas):
    size: int | None = 1
    for x in (starts, limits, deltas):
        if x.shape.ndims is not None and x.shape.ndims > 1:
            raise ValueError(f"Shape must be at most rank 1 but is rank {x.shape.ndims}")
    known = [x.shape.as_list()[0] if x.shape.ndims else None for x in (starts, limits, deltas) if x.shape.ndims != 0]
    if known:
        size = next((n for n in known if n is not None), None)
        if any(n is not None and n != size for n in known):
            raise ValueError(f"Dimensions must be equal, but are {known}")
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
    triples = [np.broadcast_to(x, size) for x in (starts, limits, deltas)]
    rows, total = [], 0
    for start, limit, delta in zip(*triples, strict=True):
        if delta == 0:
            raise InvalidArgumentError(None, None, "Requires delta != 0")
        if start.dtype.kind in "iu":
            count = max(0, -((int(start) - int(limit)) // int(delta)))
        else:
            steps = np.ceil(np.abs((float(limit) - float(start)) / float(delta)))
            if not np.isfinite(steps):
                raise InvalidArgumentError(None, None, "Requires a range of finite size")
            count = int(steps) if (float(limit) - float(start)) * float(delta) > 0 else 0
        total += count
        sizes.allocatable((total,), starts.dtype.itemsize)
        rows.append((start, delta, count))
    values = np.concatenate([(start + delta * np.arange(count).astype(starts.dtype)).astype(starts.dtype)
                             for start, delta, count in rows] or [np.zeros(0, starts.dtype)])
    splits = np.cumsum([0, *[count for _, _, count in rows]])
    return splits.astype(Tsplits.as_numpy_dtype), values


ragged_range_op.not_differentiable()
ragged_range_op.samples(
    rows=(np.array([0, 5, 8], np.int32), np.array([3, 5, 2], np.int32), np.array([1, 1, -2], np.int32)),
    floats=sample(np.zeros(1, np.float32), np.ones(1, np.float32), np.full(1, 0.25, np.float32), T="float"),
)

"""The ops below ragged tensors: to sparse and dense tensors, rows gathered, and rows that count."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core import sizes
from ossia_core.errors import InvalidArgumentError
from ossia_core.opdef import op, sample
from ossia_core.shape_rules import vector
from ossia_core.shapes import TensorShape

_SPLITS = np.array([0, 2, 2, 3])


def checked_splits(splits: Any, size: int, what: str = "row_splits") -> np.ndarray:
    """Row splits that start at 0, never fall and end at `size`.

    Raises:
      InvalidArgumentError: they are anything else.
    """
    if splits.ndim != 1 or not len(splits):
        raise InvalidArgumentError(None, None, f"{what} must be a vector with one element at least, got shape "
                                               f"{list(splits.shape)}")
    if splits[0] != 0:
        raise InvalidArgumentError(None, None, f"First value of {what} must be 0, got {splits[0]}")
    if np.any(splits[1:] < splits[:-1]):
        raise InvalidArgumentError(None, None, f"{what} must not fall")
    if splits[-1] != size:
        raise InvalidArgumentError(None, None, f"{what} must end at the number of values, {size}, got {splits[-1]}")
    return splits


def _checked_nest(nested: Any, values: Any) -> None:
    if not values.ndim:
        raise InvalidArgumentError(None, None, "ragged values must have rank 1 at least")
    for splits, inner in zip(nested, [*nested[1:], None], strict=True):
        checked_splits(splits, len(values) if inner is None else len(inner) - 1)


ragged_tensor_to_sparse_op = op(
    "RaggedTensorToSparse(rt_nested_splits: RAGGED_RANK * Tsplits, rt_dense_values: T) -> "
    "sparse_indices: int64, sparse_values: T, sparse_dense_shape: int64",
    RAGGED_RANK="int >= 1", T="type", Tsplits="{int32, int64} = DT_INT64",
)


@ragged_tensor_to_sparse_op.shape
def _(rt_nested_splits, rt_dense_values):
    for splits in rt_nested_splits:
        if splits.shape.ndims not in (None, 1):
            raise ValueError("Shape must be rank 1")
    dims = rt_dense_values.shape.dims
    if dims is None:
        return TensorShape([None, None]), TensorShape([None]), TensorShape([None])
    rank = len(rt_nested_splits) + len(dims)
    count = rt_dense_values.shape.num_elements()
    return TensorShape([count, rank]), TensorShape([count]), TensorShape([rank])


@ragged_tensor_to_sparse_op.kernel
def _(rt_nested_splits, rt_dense_values):
    _checked_nest(rt_nested_splits, rt_dense_values)
    shape = [len(rt_nested_splits[0]) - 1]
    rows = np.arange(shape[0]).reshape(-1, 1)
    for splits in rt_nested_splits:
        lengths = np.diff(splits)
        shape.append(int(lengths.max()) if len(lengths) else 0)
        columns = np.arange(int(splits[-1])) - np.repeat(splits[:-1], lengths)
        rows = np.column_stack((np.repeat(rows, lengths, axis=0), columns))
    inner = rt_dense_values.shape[1:]
    count = int(np.prod(inner))
    within = np.indices(inner).reshape(len(inner), count).T
    indices = np.column_stack((np.repeat(rows, count, axis=0), np.tile(within, (len(rows), 1))))
    return indices.astype(np.int64), rt_dense_values.reshape(-1), np.array([*shape, *inner], np.int64)


@ragged_tensor_to_sparse_op.gradient
def _(node, unused_indices_grad, values_grad, unused_shape_grad):
    from ossia_ops.shape import reshape, shape_of
    return [None] * (len(node.inputs) - 1) + [reshape(values_grad, shape_of(node.inputs[-1]))]


ragged_tensor_to_sparse_op.samples(
    rows=([_SPLITS], np.array([1.0, 2.0, 3.0])),
    nested=([np.array([0, 1, 3]), _SPLITS], np.arange(6).reshape(3, 2)),
    falling=([np.array([0, 2, 1])], np.array([1.0])),
)


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
    one=sample(np.float32(0), np.float32(1), np.float32(0.25)),
    zero=(np.array([0], np.int32), np.array([3], np.int32), np.array([0], np.int32)),
)

ragged_gather_op = op(
    "RaggedGather(params_nested_splits: PARAMS_RAGGED_RANK * Tsplits, params_dense_values: Tvalues, "
    "indices: Tindices) -> output_nested_splits: OUTPUT_RAGGED_RANK * Tsplits, output_dense_values: Tvalues",
    Tvalues="type", Tindices="{int32, int64}", Tsplits="{int32, int64} = DT_INT64", PARAMS_RAGGED_RANK="int >= 1",
    OUTPUT_RAGGED_RANK="int >= 0",
)


@ragged_gather_op.shape
def _(params_nested_splits, params_dense_values, indices, *, OUTPUT_RAGGED_RANK):
    values = params_dense_values.shape
    inner = TensorShape(None) if values.ndims is None else TensorShape([None, *values.as_list()[1:]])
    if indices.shape.ndims is not None and indices.shape.ndims + len(params_nested_splits) - 1 != OUTPUT_RAGGED_RANK:
        raise ValueError("Shape does not fit OUTPUT_RAGGED_RANK")
    return [vector(None)] * OUTPUT_RAGGED_RANK, inner


@ragged_gather_op.kernel
def _(params_nested_splits, params_dense_values, indices):
    _checked_nest(params_nested_splits, params_dense_values)
    rows = len(params_nested_splits[0]) - 1
    flat = indices.reshape(-1)
    wrong = flat[(flat < 0) | (flat >= rows)]
    if wrong.size:
        raise InvalidArgumentError(None, None, f"indices[...] = {wrong[0]} is not in [0, {rows})")
    kind = params_nested_splits[0].dtype
    # The dimensions of the indices beyond the first become rows of equal length.
    out = [(np.arange(int(np.prod(indices.shape[:i])) + 1) * indices.shape[i]).astype(kind)
           for i in range(1, indices.ndim)]
    chosen = flat.astype(np.int64)
    for splits in params_nested_splits:
        starts, lengths = splits[:-1][chosen], np.diff(splits)[chosen]
        ends = np.concatenate(([0], np.cumsum(lengths)))
        out.append(ends.astype(kind))
        chosen = np.arange(int(ends[-1])) + np.repeat(starts - ends[:-1], lengths)
    return out, params_dense_values[chosen]


ragged_gather_op.samples(
    rows=sample([_SPLITS], np.array([1.0, 2.0, 3.0]), np.array([2, 0, 0]), OUTPUT_RAGGED_RANK=1),
    beyond=sample([_SPLITS], np.array([1.0, 2.0, 3.0]), np.array([3]), OUTPUT_RAGGED_RANK=1),
)

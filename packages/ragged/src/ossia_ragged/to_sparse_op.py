"""The op that makes a sparse tensor of a ragged one."""
from __future__ import annotations

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import with_rank
from ossia_core.names.shapes import TensorShape
from ossia_ragged.checks import checked_nest

ragged_tensor_to_sparse_op = op(
    "RaggedTensorToSparse(rt_nested_splits: RAGGED_RANK * Tsplits, rt_dense_values: T) -> "
    "sparse_indices: int64, sparse_values: T, sparse_dense_shape: int64",
    RAGGED_RANK="int >= 1", T="type", Tsplits="{int32, int64} = DT_INT64",
)


@ragged_tensor_to_sparse_op.shape
def _(rt_nested_splits, rt_dense_values):
    for splits in rt_nested_splits:
        with_rank(splits, 1)
    dims = rt_dense_values.shape.dims
    if dims is None:
        return TensorShape([None, None]), TensorShape([None]), TensorShape([None])
    rank = len(rt_nested_splits) + len(dims)
    count = rt_dense_values.shape.num_elements()
    return TensorShape([count, rank]), TensorShape([count]), TensorShape([rank])


@ragged_tensor_to_sparse_op.kernel(alias=True)
def _(rt_nested_splits, rt_dense_values):
    checked_nest(rt_nested_splits, rt_dense_values)
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
    from ossia_ops.array.shape import reshape, shape_of
    return [None] * (len(node.inputs) - 1) + [reshape(values_grad, shape_of(node.inputs[-1]))]


ragged_tensor_to_sparse_op.samples(
    rows=([np.array([0, 2, 2, 3])], np.array([1.0, 2.0, 3.0])),
    nested=([np.array([0, 1, 3]), np.array([0, 2, 2, 3])], np.arange(6).reshape(3, 2)),
)

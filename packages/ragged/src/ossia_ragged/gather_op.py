"""The op that gathers rows of ragged tensors."""
from __future__ import annotations

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import vector, with_rank
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import TensorShape
from ossia_ragged.checks import checked_nest

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
    for splits in params_nested_splits:
        with_rank(splits, 1)
    with_rank(indices, OUTPUT_RAGGED_RANK - len(params_nested_splits) + 1)
    return [vector(None)] * OUTPUT_RAGGED_RANK, inner


@ragged_gather_op.kernel
def _(params_nested_splits, params_dense_values, indices):
    checked_nest(params_nested_splits, params_dense_values)
    rows = len(params_nested_splits[0]) - 1
    flat = indices.reshape(-1)
    wrong = flat[(flat < 0) | (flat >= rows)]
    if wrong.size:
        raise InvalidArgumentError(None, None, f"indices = {wrong[0]} is not in [0, {rows})")
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
    # For a single index the outermost dimension is gone.
    return out if indices.ndim else out[1:], params_dense_values[chosen]


@ragged_gather_op.gradient
def _(node, *grads):
    from ossia_core.graph.composites import IndexedSlices
    from ossia_ops.array.gather import gather
    from ossia_ops.array.shape import reshape, shape_of
    from ossia_ragged.ranges import ragged_range
    *nested, values, indices = node.inputs
    splits = nested[0]
    for inner in nested[1:]:
        splits = gather(inner, splits)
    rows = reshape(indices, [-1])
    places = ragged_range(gather(splits, rows), gather(splits[1:], rows)).values
    return [None] * len(nested) + [IndexedSlices(grads[-1], places, shape_of(values)), None]


ragged_gather_op.samples(
    rows=sample([np.array([0, 2, 2, 3])], np.array([1.0, 2.0, 3.0]), np.array([2, 0, 0]), OUTPUT_RAGGED_RANK=1),
)

"""The softmax of the rows of a sparse tensor."""

from __future__ import annotations

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import with_rank
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.scopes import name_scope
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.sparse.cwise import sparse_dense_cwise_add_op
from ossia_ops.sparse.reduction import sparse_reduce_sum_op
from ossia_ops.sparse.rows import check_parts, order_of, starts_of

sparse_softmax_op = op(
    "SparseSoftmax(sp_indices: int64, sp_values: T, sp_shape: int64) -> output: T", T="{float, double}"
)


@sparse_softmax_op.shape
def _(sp_indices, sp_values, sp_shape):
    with_rank(sp_indices, 2)
    with_rank(sp_shape, 1)
    return with_rank(sp_values, 1)


@sparse_softmax_op.kernel
def _(sp_indices, sp_values, sp_shape):
    check_parts(sp_indices, sp_values, sp_shape)
    if len(sp_shape) < 2:
        raise InvalidArgumentError(
            None, None, f"Input should have rank >= 2, but received shape: {dims_text(sp_shape)}"
        )
    order = order_of(sp_indices)
    values, starts = sp_values[order], starts_of(sp_indices[order, :-1])
    if not len(values):
        return values
    lengths = np.diff(starts, append=len(values))
    powers = np.exp(values - np.repeat(np.maximum.reduceat(values, starts), lengths))
    return powers / np.repeat(np.add.reduceat(powers, starts), lengths)


@sparse_softmax_op.gradient
def _(node, grad):
    indices, shape = node.inputs[0], node.inputs[2]
    result = node.outputs[0]
    totals = -sparse_reduce_sum_op(indices, result * grad, shape, [-1], keep_dims=True)
    return [None, sparse_dense_cwise_add_op(indices, grad, shape, totals) * result, None]


sparse_softmax_op.samples(
    rows=([[0, 0], [0, 2], [1, 1]], np.array([1.0, 2.0, 3.0], "f4"), [2, 3]),
    large=([[0, 0], [0, 1]], np.array([1000.0, 999.0], "f4"), [1, 2]),
    nan=([[0, 0], [0, 1], [1, 0]], np.array([np.nan, 1.0, 2.0], "f4"), [2, 2]),
    empty=(np.zeros((0, 2), np.int64), np.zeros(0, np.float32), [2, 3]),
)


@public("sparse.softmax", "sparse_softmax", "compat.v2.sparse.softmax")
def sparse_softmax(sp_input: SparseTensor, name: str | None = None) -> SparseTensor:
    """The softmax along the last dimension, over the elements that are there.

    Args:
      sp_input: a SparseTensor of floats, of rank 2 or more.
      name: name scope.

    Returns:
      A SparseTensor with the same indices. Elements are taken in row-major order, also where the indices are not.
    """
    with name_scope(name, "SparseSoftmax", [sp_input.indices, sp_input.values]):
        values = sparse_softmax_op(sp_input.indices, sp_input.values, sp_input.dense_shape)
        return SparseTensor(sp_input.indices, values, sp_input.dense_shape)

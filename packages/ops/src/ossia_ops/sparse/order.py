"""Sparse tensors with their indices in order, and values under indices that other sparse tensors hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import with_rank
from ossia_core.graph.composites import SparseTensor, SparseTensorValue
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_ops.array.concat import concat
from ossia_ops.array.gather import gather
from ossia_ops.array.shape import expand_dims, shape_of
from ossia_ops.array.transposition import invert_permutation
from ossia_ops.math.cast import cast
from ossia_ops.math.sequence import range as range_of
from ossia_ops.sparse.dense import as_sparse

sparse_reorder_op = op(
    "SparseReorder(input_indices: int64, input_values: T, input_shape: int64) -> output_indices: int64, "
    "output_values: T",
    T="type",
)


@sparse_reorder_op.shape
def _(input_indices, input_values, input_shape):
    with_rank(input_shape, 1)
    return with_rank(input_indices, 2), with_rank(input_values, 1)


@sparse_reorder_op.kernel
def _(input_indices, input_values, input_shape):
    shapes = [np.shape(x) for x in (input_indices, input_values, input_shape)]
    if [len(shape) for shape in shapes] == [2, 1, 1] and shapes[0][0] != shapes[1][0]:
        raise InvalidArgumentError(
            None,
            None,
            "indices and values rows (indexing dimension) must match. "
            f"(indices = {shapes[0][0]}, values = {shapes[1][0]})",
        )
    if [len(shape) for shape in shapes] != [2, 1, 1] or shapes[0] != (*shapes[1], *shapes[2]):
        raise InvalidArgumentError(
            None,
            None,
            f"Input indices, values and shape should be a matrix and two vectors that fit, got shapes {shapes}",
        )
    order = np.lexsort(input_indices.T[::-1]) if input_indices.shape[1] else np.arange(len(input_values))
    return input_indices[order], input_values[order]


@sparse_reorder_op.gradient
def _(node, unused_indices_grad, values_grad):
    indices, shape = node.inputs[0], node.inputs[2]
    count = shape_of(indices)[0]
    entries = SparseTensor(indices, range_of(count), shape)
    inverse = invert_permutation(sparse_reorder(entries).values)
    return None, gather(values_grad, inverse), None


sparse_reorder_op.samples(
    mixed=(np.array([[1, 0], [0, 2], [0, 1]]), np.array([1.0, 2.0, 3.0]), np.array([2, 3])),
    empty=(np.zeros((0, 2), np.int64), np.zeros(0), np.array([2, 3])),
)


@public("sparse_reorder", "sparse.reorder", "compat.v2.sparse.reorder")
def sparse_reorder(sp_input: Any, name: str | None = None) -> SparseTensor:
    """The sparse tensor with its indices in row-major order.

    Args:
      sp_input: a SparseTensor.
      name: name of the op.

    Raises:
      TypeError: `sp_input` is no SparseTensor.
    """
    x = as_sparse(sp_input)
    indices, values = sparse_reorder_op(x.indices, x.values, x.dense_shape, name=name)
    if x.shape.is_fully_defined():
        return SparseTensor(indices, values, x.shape.as_list())
    return SparseTensor(indices, values, identity(x.dense_shape))


@public("sparse_merge", "sparse.merge")
def sparse_merge(
    sp_ids: Any, sp_values: Any, vocab_size: Any, name: str | None = None, already_sorted: bool = False
) -> SparseTensor:
    """Values placed where ids say: one dimension per tensor of ids instead of their last.

    Args:
      sp_ids: a SparseTensor of integers, or a list of them, with the indices of `sp_values`.
      sp_values: a SparseTensor.
      vocab_size: size of the new dimension, or a list of one per tensor of ids.
      name: name of the scope.
      already_sorted: whether the result is in order as it comes.

    Raises:
      TypeError: an argument is of another type.
      ValueError: there are not as many sizes as tensors of ids.
    """
    if isinstance(sp_ids, (SparseTensor, SparseTensorValue)):
        sp_ids = [sp_ids]
        if not isinstance(vocab_size, (Tensor, int, np.integer)):
            raise TypeError(f"vocab_size has to be a Tensor or Python int. Found {type(vocab_size)}")
        vocab_size = [vocab_size]
    else:
        if not isinstance(sp_ids, (list, tuple)):
            raise TypeError(f"sp_ids has to be a SparseTensor or list thereof. Found {type(sp_ids)}")
        if not isinstance(vocab_size, (list, tuple)):
            raise TypeError(f"vocab_size has to be a list of Tensors or Python ints. Found {type(vocab_size)}")
        for size in vocab_size:
            if not isinstance(size, (Tensor, int, np.integer)):
                raise TypeError(f"vocab_size has to be a list of Tensors or Python ints. Found {type(size)}")
    if len(sp_ids) != len(vocab_size):
        raise ValueError("sp_ids and vocab_size have to have equal lengths.")
    with name_scope(name, "SparseMerge", [sp_ids, sp_values]):
        tensors = [as_sparse(ids) for ids in sp_ids]
        values = as_sparse(sp_values)
        columns = [expand_dims(cast(ids.values, dtypes.int64), 1) for ids in tensors]
        sizes = [cast(size, dtypes.int64) for size in vocab_size]
        indices = concat([tensors[0].indices[:, :-1], *columns], 1)
        shape = concat([tensors[0].dense_shape[:-1], sizes], 0)
        merged = SparseTensor(indices, values.values, shape)
        if already_sorted:
            return merged
        ordered = sparse_reorder(merged)
        return SparseTensor(ordered.indices, ordered.values, shape)

"""Elements of tensors chosen by index tuples, batch by batch."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.opdef import lookup
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones
from ossia_ops.array.gather import gather_nd_op
from ossia_ops.array.grid import meshgrid
from ossia_ops.array.shape import expand_dims, rank, reshape, shape, squeeze
from ossia_ops.array.stacking import stack, unstack
from ossia_ops.array.tiling import tile
from ossia_ops.array.transposition import transpose
from ossia_ops.math.cast import cast_op
from ossia_ops.math.sequence import range_op


def batch_gather_nd(params: Any, indices: Any, batch_dims: int, name: str | None = None) -> Tensor:
    """`gather_nd` for each place in the first `batch_dims` dimensions, by a graph that needs these to be known.

    Args:
      params: a tensor.
      indices: an integer tensor whose last dimension holds indices into the dimensions of `params` after the first.
      batch_dims: number of leading dimensions that `params` and `indices` share.
      name: name of the scope.

    Raises:
      ValueError: `batch_dims` is negative, or too large.
    """
    with name_scope(name, "BatchGatherND", [params, indices]):
        indices = convert_to_tensor(indices, name="indices")
        params = convert_to_tensor(params, name="params")
        if batch_dims < 0:
            raise ValueError("tf.gather_nd does not allow negative batch_dims.")
        params_rank, indices_rank = params.shape.ndims, indices.shape.ndims
        if indices_rank is not None and batch_dims >= indices_rank:
            raise ValueError(f"batch_dims = {batch_dims} must be less than rank(indices) = {indices_rank}")
        if params_rank is not None and batch_dims >= params_rank:
            raise ValueError(f"batch_dims = {batch_dims} must be less than rank(params) = {params_rank}")
        expand = batch_dims == 0
        if expand:
            params, indices, batch_dims = expand_dims(params, axis=0), expand_dims(indices, axis=0), 1
        params_shape, indices_shape = shape(params), shape(indices)
        batch_shape = params_shape[:batch_dims]
        batch_size = lookup("Prod")(batch_shape, [0], keep_dims=False)
        inner_rank = rank(indices) - batch_dims - 1
        inner_shape = indices_shape[batch_dims:-1]
        ranges = [
            cast_op(range_op(0, count, 1), DstT=indices.dtype.base_dtype) for count in unstack(batch_shape, axis=0)
        ]
        flat = transpose(stack([reshape(t, [-1]) for t in meshgrid(*ranges, indexing="ij")]))
        flat_shape = shape(flat)
        flat = reshape(flat, concat([flat_shape[:1], ones(inner_rank, dtypes.int32), flat_shape[1:]], axis=0))
        flat = tile(flat, concat([[1], inner_shape, [1]], axis=0))
        rows = reshape(indices, concat([[batch_size], indices_shape[batch_dims:]], axis=0))
        result = gather_nd_op(params, concat([flat, rows], axis=-1))
        result = reshape(result, concat([batch_shape, shape(result)[1:]], axis=0))
        return squeeze(result, axis=0) if expand else result

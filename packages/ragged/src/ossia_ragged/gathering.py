"""Rows and elements gathered from ragged tensors, and by ragged indices."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones
from ossia_ops.array.gather import batch_gather as dense_batch_gather
from ossia_ops.array.gather import gather as dense_gather
from ossia_ops.array.gather import gather_nd as dense_gather_nd
from ossia_ops.array.shape import expand_dims as dense_expand_dims
from ossia_ops.array.shape import rank, reshape, shape
from ossia_ops.math.cast import cast
from ossia_ragged.dense import to_tensor
from ossia_ragged.gather_op import ragged_gather_op
from ossia_ragged.repeats import repeat
from ossia_ragged.rows import Rows, same_row_splits_dtypes, tensor_or_ragged
from ossia_ragged.shapes import expand_dims
from ossia_ragged.tensor import RaggedTensor
from ossia_ragged.tiling import tile


def gather(
    params: Any, indices: Any, validate_indices: Any = None, name: str | None = None, axis: Any = None,
    batch_dims: Any = 0,
) -> Any:
    """The rows of `params` that `indices` name.

    Args:
      params: a tensor or ragged tensor.
      indices: a tensor or ragged tensor of int32 or int64.
      validate_indices: not used.
      name: name scope.
      axis: 0 or None.
      batch_dims: 0.

    Raises:
      ValueError: another `axis` or `batch_dims`, or indices of unknown rank.
    """
    if axis is not None and (not isinstance(axis, int) or axis != 0):
        raise ValueError("axis != 0 is not supported for ragged gather yet.")
    if not isinstance(batch_dims, int) or batch_dims != 0:
        raise ValueError("batch_dims != 0 is not supported for ragged gather yet.")
    with name_scope(name, "RaggedGather", [params, indices]):
        params, indices = same_row_splits_dtypes(tensor_or_ragged(params, name="params"),
                                                 tensor_or_ragged(indices, name="indices"))
        if isinstance(indices, Rows):
            return indices.with_values(gather(params, indices.values))
        if not isinstance(params, Rows):
            return dense_gather(params, indices)
        if indices.shape.ndims is None:
            raise ValueError("rank(indices) must be known statically")
        nested, values = ragged_gather_op(
            list(params.nested_row_splits), params.flat_values, indices,
            OUTPUT_RAGGED_RANK=indices.shape.ndims + params.ragged_rank - 1)
        result = values
        for splits in reversed(nested):
            result = RaggedTensor(result, splits, internal=True)
        return result


def batch_gather(params: Any, indices: Any, name: str | None = None) -> Any:
    """From each row of `params` the elements that the same row of `indices` names.

    Raises:
      ValueError: the rank of `indices` is not known, or 0, or too large for rows of different lengths.
    """
    with name_scope(name, "RaggedBatchGather", [params, indices]):
        params, indices = same_row_splits_dtypes(tensor_or_ragged(params, name="params"),
                                                 tensor_or_ragged(indices, name="indices"))
        known = indices.shape.ndims
        if known is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        if known == 0:
            raise ValueError("indices.rank must be at least 1.")
        if isinstance(indices, Rows):
            return _ragged_batch_gather(params, indices)
        if not isinstance(params, Rows):
            return dense_batch_gather(params, indices)
        if known == 1:
            return gather(params, indices)
        if known > 2:
            kind = params.row_splits.dtype
            rows = RaggedTensor.from_tensor(indices, ragged_rank=known - 2, row_splits_dtype=kind)
            result = _ragged_batch_gather(params, rows)
            return to_tensor(result) if isinstance(result, Rows) and result.ragged_rank == known - 2 else result
        starts = dense_expand_dims(params.row_starts(), 1)
        return gather(params.values, cast(indices, starts.dtype) + starts)


def _ragged_batch_gather(params: Any, indices: Any) -> Any:
    kind = indices.row_splits.dtype
    if not isinstance(params, Rows):
        params = RaggedTensor.from_tensor(params, ragged_rank=1, row_splits_dtype=kind)
    if indices.shape.ndims > 2 or indices.ragged_rank > 1:
        check = builder("debugging.assert_equal")(params.row_splits, indices.row_splits)
        with control_dependencies([check]):
            return RaggedTensor(batch_gather(params.values, indices.values), indices.row_splits, internal=True)
    lengths, starts = indices.row_lengths(), params.row_starts()
    moved = repeat(starts, lengths, axis=0)
    places = cast(indices.values, moved.dtype) + moved
    return RaggedTensor(gather(params.values, places), indices.row_splits, internal=True)


def gather_nd(params: Any, indices: Any, batch_dims: Any = 0, name: str | None = None) -> Any:
    """The slices or elements of `params` at the places that the rows of `indices` name.

    Raises:
      ValueError: `batch_dims` is not 0; the shape of `indices` is not known enough, or the innermost dimension ragged.
    """
    if not isinstance(batch_dims, int) or batch_dims != 0:
        raise ValueError("batch_dims != 0 is not supported for ragged gather yet.")
    if not isinstance(tensor_or_ragged(params), Rows) and not isinstance(tensor_or_ragged(indices), Rows):
        return dense_gather_nd(params, indices, name)
    with name_scope(name, "RaggedGatherNd", [params, indices]):
        params, indices = same_row_splits_dtypes(tensor_or_ragged(params, name="params"),
                                                 tensor_or_ragged(indices, name="indices"))
        known = indices.shape.ndims
        if known is None:
            raise ValueError("indices.rank be statically known.")
        if known == 0:
            raise ValueError("indices.rank must be at least 1.")
        if isinstance(indices, Rows) and known == indices.ragged_rank + 1:
            raise ValueError("The innermost dimension of indices may not be ragged")
        count = indices.shape.as_list()[-1]
        if count is None:
            raise ValueError("indices.shape[-1] must be statically known.")
        if known > 2:
            dense = not isinstance(indices, Rows)
            if dense:
                indices = RaggedTensor.from_tensor(indices, ragged_rank=known - 2,
                                                   row_splits_dtype=params.row_splits.dtype)
            result = indices.with_flat_values(gather_nd(params, indices.flat_values))
            return result.to_tensor() if dense and result.ragged_rank == known - 2 else result
        if count == 0:
            dims = params.ragged_rank + rank(params.flat_values)
            for _ in range(known - 1):
                params = expand_dims(params, axis=0)
            return tile(params, concat([shape(indices)[:-1], ones([dims], dtypes.int32)], axis=0))
        if count == 1:
            return gather(params, reshape(indices, [-1]))
        return _elements(params, indices, count)


def _elements(params: Any, indices: Tensor, count: int) -> Any:
    """What `gather_nd` gives for places of two indices at least: they become places in the values."""
    indices = cast(indices, params.row_splits.dtype)
    places = indices[..., 0]
    values = params
    for dim in range(1, min(count, params.ragged_rank + 1)):
        starts = values.row_splits if dim == 1 else values.row_starts()
        places = dense_gather(starts, places) + indices[..., dim]
        values = values.values
    if count > params.ragged_rank + 1:
        inner = concat([dense_expand_dims(places, 1), indices[..., params.ragged_rank + 1:]], axis=1)
        return dense_gather_nd(values, inner)
    return gather(values, places)

"""Embeddings: rows of tables, possibly cut into shards, chosen by ids, and their combinations under sparse ids."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import colocate_with, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_core.variables.partition import PartitionedVariable
from ossia_core.variables.resource import ResourceVariable
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import fill, ones_like, zeros_like
from ossia_ops.array.gather import gather
from ossia_ops.array.part import slice_ as slice_of
from ossia_ops.array.partition import dynamic_partition, parallel_dynamic_stitch_op
from ossia_ops.array.selection import where
from ossia_ops.array.shape import expand_dims, rank, reshape, shape, size
from ossia_ops.array.stacking import stack
from ossia_ops.array.tiling import tile
from ossia_ops.array.unique import unique
from ossia_ops.math.arithmetic import maximum
from ossia_ops.math.arithmetic import pow as power
from ossia_ops.math.cast import cast
from ossia_ops.math.clip import clip_by_norm
from ossia_ops.math.division import div
from ossia_ops.math.elementwise import sqrt
from ossia_ops.math.logical import logical_and
from ossia_ops.math.reduction import reduce_prod, reduce_sum
from ossia_ops.math.segment import segment_sum
from ossia_ops.math.sequence import range as range_of
from ossia_ops.sparse.segment import sparse_segment_mean, sparse_segment_sqrt_n, sparse_segment_sum
from ossia_ops.sparse.shape import sparse_fill_empty_rows, sparse_reshape, sparse_retain

_COMBINERS = ("mean", "sqrtn", "sum")


def _as_list(params: Any) -> list:
    if isinstance(params, PartitionedVariable):
        return list(params)
    return params if isinstance(params, list) else [params]


@public("nn.embedding_lookup")
def embedding_lookup(
    params: Any,
    ids: Any,
    partition_strategy: str = "mod",
    name: str | None = None,
    validate_indices: bool = True,
    max_norm: Any = None,
) -> Tensor:
    """The rows of a table of embeddings at `ids`.

    Args:
      params: the table, or a list or partitioned variable with its shards along the first dimension.
      ids: an integer tensor of any shape.
      partition_strategy: "mod": row `id` is in shard `id % n`; "div": each shard holds consecutive rows.
      name: name of the result.
      validate_indices: ignored; ids are always checked.
      max_norm: rows of a larger L2 norm are scaled down to it.

    Returns:
      The rows, of shape `ids.shape + params.shape[1:]`.

    Raises:
      ValueError: there are no tables, or the strategy is unknown.
    """
    return transformed_lookup(params, ids, partition_strategy, name, max_norm)


def transformed_lookup(
    params: Any, ids: Any, partition_strategy: str, name: str | None, max_norm: Any, transform_fn: Any = None
) -> Tensor:
    """The rows of a table of embeddings at `ids`, and what a function makes of them where they are stored.

    Args:
      params, ids, partition_strategy, name, max_norm: as for `embedding_lookup`.
      transform_fn: from rows to as many rows; None leaves them as they are.

    Returns:
      The rows, of shape `ids.shape` and that of a row.

    Raises:
      ValueError: there are no tables, or the strategy is unknown.
    """
    if params is None or isinstance(params, (list, tuple)) and not params:
        raise ValueError("Need at least one param" if params is not None else "params must be specified")
    params = _as_list(params)
    with name_scope(name, "embedding_lookup", [*params, ids]) as name:
        if not any(isinstance(p, ResourceVariable) for p in params):
            params = [
                p if isinstance(p, Tensor) else convert_to_tensor(p, name=f"params_{i}") for i, p in enumerate(params)
            ]
        ids = convert_to_tensor(ids, name="ids")
        # A function of rows is not given the rows of ids of any other shape than a list.
        if len(params) == 1 and (transform_fn is None or ids.shape.ndims == 1):
            with colocate_with(params[0]):
                rows = clipped(gather(params[0], ids, name=name), ids, max_norm)
                if transform_fn is not None:
                    rows = transform_fn(rows)
            # Where the rows are used is not where they are stored.
            return identity(rows)
        return _from_shards(params, ids, partition_strategy, name, max_norm, transform_fn)


def _from_shards(
    params: list, ids: Tensor, strategy: str, name: str, max_norm: Any, transform_fn: Any
) -> Tensor:
    count, flat = len(params), reshape(ids, [-1])
    positions = range_of(size(flat))
    if strategy == "mod":
        shard, row = flat % count, flat // count
    elif strategy == "div":
        total = _total_rows(params, flat.dtype)
        per_shard, extras = total // count, total % count
        # The first shards hold one row more.
        shard = maximum(flat // (per_shard + 1), (flat - extras) // per_shard)
        row = where(shard < extras, flat % (per_shard + 1), (flat - extras) % per_shard)
    else:
        raise ValueError(f"Unrecognized partition strategy: {strategy}")
    shard = cast(shard, dtypes.int32)
    rows_of, positions_of = dynamic_partition(row, shard, count), dynamic_partition(positions, shard, count)
    parts = []
    for table, rows in zip(params, rows_of, strict=True):
        with colocate_with(table):
            part = gather(table, rows)
            parts.append(part if transform_fn is None else transform_fn(clipped(part, rows, max_norm)))
    result = parallel_dynamic_stitch_op(positions_of, parts, name=name)
    stored = params if transform_fn is None else parts
    element: Any = stored[0].shape[1:]
    for table in stored[1:]:
        element = element.merge_with(table.shape[1:])
    if element.is_fully_defined():
        inner = element.as_list()
    else:
        with colocate_with(stored[0]):
            inner = shape(stored[0])
        inner = inner[1:]
    result = reshape(result, concat([shape(ids), inner], 0))
    result.set_shape(ids.shape.concatenate(element))
    return clipped(result, ids, max_norm) if transform_fn is None else result


def _total_rows(params: list, dtype: Any) -> Tensor:
    sizes: list = []
    for table in params:
        dims = table.shape.as_tuple()
        if dims is not None and dims[0] is not None:
            sizes.append(dims[0])
        else:
            with colocate_with(table):
                sizes.append(shape(table)[0])
    if any(isinstance(n, Tensor) for n in sizes):
        return reduce_sum(cast(stack(sizes), dtype))
    return constant(sum(sizes), dtype)


def clipped(rows: Tensor, ids: Tensor, max_norm: Any) -> Tensor:
    """The rows at `ids`, those of a larger L2 norm than `max_norm` scaled down to it."""
    if max_norm is None:
        return rows
    # As in the original, rank 0 counts as not known.
    outer, whole = ids.shape.ndims or None, rows.shape.ndims or None
    if outer is None or whole is None:
        axes: Any = range_of(rank(ids) if outer is None else outer, rank(rows) if whole is None else whole)
    else:
        axes = list(range(outer, whole))
    return clip_by_norm(rows, max_norm, axes=axes)


@public("nn.embedding_lookup_sparse")
def embedding_lookup_sparse(
    params: Any, sp_ids: SparseTensor, sp_weights: SparseTensor | None, partition_strategy: str = "mod",
    name: str | None = None, combiner: str | None = None, max_norm: Any = None,
) -> Tensor:
    """One combined embedding per row of sparse ids.

    Args:
      params: the table or its shards, as for `embedding_lookup`.
      sp_ids: a SparseTensor of ids in row-major order; no row may be empty.
      sp_weights: weights of the ids, with the same indices, or None.
      partition_strategy: "mod" or "div".
      name: name of the result.
      combiner: "sum"; "mean": the sum divided by that of the weights; "sqrtn": divided by the root of that of their
          squares.
      max_norm: embeddings of a larger L2 norm are scaled down to it before they are combined.

    Raises:
      TypeError: `sp_ids` or `sp_weights` is no SparseTensor.
      ValueError: the combiner is unknown.
    """
    combiner = "mean" if combiner is None else combiner
    if combiner not in _COMBINERS:
        raise ValueError("combiner must be one of 'mean', 'sqrtn' or 'sum'")
    params = _as_list(params)
    if not isinstance(sp_ids, SparseTensor):
        raise TypeError("sp_ids must be SparseTensor")
    if sp_weights is not None:
        if not isinstance(sp_weights, SparseTensor):
            raise TypeError("sp_weights must be either None or SparseTensor")
        for part in ("values", "indices", "dense_shape"):
            getattr(sp_ids, part).shape.assert_is_compatible_with(getattr(sp_weights, part).shape)
    with name_scope(name, "embedding_lookup_sparse", [*params, sp_ids]) as name:
        segments = sp_ids.indices[:, 0]
        if segments.dtype != dtypes.int32:
            segments = cast(segments, dtypes.int32)
        ids, index = unique(sp_ids.values)
        embeddings = embedding_lookup(params, ids, partition_strategy=partition_strategy, max_norm=max_norm)
        if sp_weights is None:
            combine = {"mean": sparse_segment_mean, "sqrtn": sparse_segment_sqrt_n, "sum": sparse_segment_sum}[combiner]
            return combine(embeddings, index, segments, name=name)
        weights = sp_weights.values
        if weights.dtype != embeddings.dtype:
            weights = cast(weights, embeddings.dtype)
        return _weighted(gather(embeddings, index), weights, segments, combiner, name)


def _weighted(embeddings: Tensor, weights: Tensor, segments: Tensor, combiner: str, name: str) -> Tensor:
    ones_shape = fill(expand_dims(rank(embeddings) - 1, 0), 1)
    static = weights.shape
    weights = reshape(weights, concat([shape(weights), ones_shape], 0))
    if embeddings.shape.ndims is not None:
        weights.set_shape(static.concatenate([1] * (embeddings.shape.ndims - 1)))
    embeddings = embeddings * weights
    if combiner == "sum":
        return segment_sum(embeddings, segments, name=name)
    total = segment_sum(embeddings, segments)
    if combiner == "mean":
        return div(total, segment_sum(weights, segments), name=name)
    return div(total, sqrt(segment_sum(power(weights, 2), segments)), name=name)


@public("nn.safe_embedding_lookup_sparse")
def safe_embedding_lookup_sparse(embedding_weights: Any, sparse_ids: SparseTensor,
                                 sparse_weights: SparseTensor | None = None, combiner: str = "mean",
                                 default_id: int | None = None, name: str | None = None,
                                 partition_strategy: str = "div", max_norm: Any = None) -> Tensor:
    """One combined embedding per row of sparse ids, where rows may be empty and ids or weights invalid.

    Args:
      embedding_weights: the table or its shards, as for `embedding_lookup`.
      sparse_ids: a SparseTensor of ids of rank 2 or more; negative ids do not count.
      sparse_weights: weights of the ids, with the same indices, or None; unless summed, those below or at 0 do not
        count.
      combiner: "sum", "mean" or "sqrtn".
      default_id: the id that empty rows get; their embedding is zero if None.
      name: name scope.
      partition_strategy: "mod" or "div".
      max_norm: embeddings of a larger L2 norm are scaled down to it before they are combined.

    Raises:
      ValueError: there are no tables.
    """
    if embedding_weights is None:
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    tables = _as_list(embedding_weights)
    if not tables:
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    dtype = None if sparse_weights is None else sparse_weights.dtype
    tables = [
        t if isinstance(t, ResourceVariable) and dtype in (None, t.dtype) else convert_to_tensor(t, dtype=dtype)
        for t in tables
    ]
    with name_scope(name, "embedding_lookup", [*tables, sparse_ids, sparse_weights]) as scope:
        original = sparse_ids.dense_shape
        known = sparse_ids.dense_shape.shape[0].value
        dims = size(original) if known is None else known
        rows = reduce_prod(slice_of(original, [0], [dims - 1]))
        sparse_ids = sparse_reshape(sparse_ids, [rows, gather(original, dims - 1)])
        if sparse_weights is not None:
            sparse_weights = SparseTensor(sparse_ids.indices, sparse_weights.values, sparse_ids.dense_shape)
        sparse_ids, sparse_weights = without_invalid_ids(sparse_ids, sparse_weights)
        if combiner != "sum" and sparse_weights is not None:
            valid = sparse_weights.values > 0
            sparse_ids, sparse_weights = sparse_retain(sparse_ids, valid), sparse_retain(sparse_weights, valid)
        sparse_ids, empty = sparse_fill_empty_rows(sparse_ids, default_id or 0)
        if sparse_weights is not None:
            sparse_weights, _ = sparse_fill_empty_rows(sparse_weights, 1.0)
        result = embedding_lookup_sparse(tables, sparse_ids, sparse_weights, combiner=combiner,
                                         partition_strategy=partition_strategy,
                                         name=None if default_id is None else scope, max_norm=max_norm)
        if default_id is None:
            tiled = tile(reshape(empty, [-1, 1]), stack([1, shape(result)[1]]))
            result = where(tiled, zeros_like(result), result, name=scope)
        outer = slice_of(cast(original, dtypes.int32), [0], [dims - 1])
        final = reshape(result, concat([outer, slice_of(shape(result), [1], [-1])], 0))
        if known is not None and result.shape.ndims is not None:
            final.set_shape(TensorShape([None] * (known - 1)).concatenate(result.shape[1:]))
        return final


def without_invalid_ids(ids: SparseTensor, weights: SparseTensor | None) -> tuple[SparseTensor, SparseTensor | None]:
    """The ids that are not negative, and their weights."""
    valid = ids.values >= 0
    if weights is None:
        return sparse_retain(ids, valid), None
    valid = logical_and(valid, ones_like(weights.values, dtype=dtypes.bool))
    return sparse_retain(ids, valid), sparse_retain(weights, valid)


@public("compat.v2.nn.embedding_lookup")
def embedding_lookup_v2(params: Any, ids: Any, max_norm: float | None = None, name: str | None = None) -> Tensor:
    """`embedding_lookup` in contiguous parts: its strategy "div"."""
    return embedding_lookup(params, ids, "div", name, max_norm=max_norm)


@public("compat.v2.nn.embedding_lookup_sparse")
def embedding_lookup_sparse_v2(
    params: Any, sp_ids: Any, sp_weights: Any, combiner: str | None = None, max_norm: float | None = None,
    name: str | None = None,
) -> Tensor:
    """`embedding_lookup_sparse` in contiguous parts: its strategy "div"."""
    return embedding_lookup_sparse(params, sp_ids, sp_weights, "div", name, combiner, max_norm)


@public("compat.v2.nn.safe_embedding_lookup_sparse")
def safe_embedding_lookup_sparse_v2(
    embedding_weights: Any, sparse_ids: Any, sparse_weights: Any = None, combiner: str = "mean",
    default_id: int | None = None, max_norm: float | None = None, name: str | None = None,
) -> Tensor:
    """`safe_embedding_lookup_sparse` in contiguous parts: its strategy "div"."""
    return safe_embedding_lookup_sparse(
        embedding_weights, sparse_ids, sparse_weights, combiner, default_id, name, "div", max_norm
    )

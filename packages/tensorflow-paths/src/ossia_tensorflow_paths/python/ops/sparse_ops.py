"""Sparse tensors in and out of strings and maps, as `sparse_ops` and `string_ops` have them."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia import raw_ops

_DEFAULT_HASH_KEY = 0xDECAFCAFFE


def _ranked(parts: Any, rank: int | None) -> tf.SparseTensor:
    indices, values, shape = parts
    indices.set_shape([None, rank])
    shape.set_shape([rank])
    return tf.SparseTensor(indices, values, shape)


def deserialize_sparse(serialized_sparse: Any, dtype: Any, rank: int | None = None, name: str | None = None) -> Any:
    """The sparse tensor, of a rank that may be known, that strings hold."""
    found = raw_ops.DeserializeSparse(serialized_sparse=serialized_sparse, dtype=dtype, name=name)
    return _ranked(found, rank)


def _add_sparse_to_tensors_map(
    sp_input: Any, container: str | None = None, shared_name: str | None = None, name: str | None = None
) -> Any:
    """Puts a sparse tensor into a map, and returns the number that stands for it."""
    return raw_ops.AddSparseToTensorsMap(
        sparse_indices=sp_input.indices, sparse_values=sp_input.values, sparse_shape=sp_input.dense_shape,
        container=container or "", shared_name=shared_name or "", name=name,
    )


def _add_many_sparse_to_tensors_map(
    sp_input: Any, container: str | None = None, shared_name: str | None = None, name: str | None = None
) -> Any:
    """Puts the rows of a sparse tensor into a map, and returns the numbers that stand for them."""
    return raw_ops.AddManySparseToTensorsMap(
        sparse_indices=sp_input.indices, sparse_values=sp_input.values, sparse_shape=sp_input.dense_shape,
        container=container or "", shared_name=shared_name or "", name=name,
    )


def _take_many_sparse_from_tensors_map(
    sparse_map_op: Any, sparse_handles: Any, rank: int | None = None, name: str | None = None
) -> Any:
    """Takes sparse tensors out of the map of a node that puts them in, as the rows of one.

    Raises:
        TypeError: `sparse_map_op` is no operation.
        ValueError: It is of another type.
    """
    if not isinstance(sparse_map_op, tf.Operation):
        raise TypeError("sparse_map_op be an Operation")
    if sparse_map_op.type not in ("AddSparseToTensorsMap", "AddManySparseToTensorsMap"):
        raise ValueError(
            "sparse_map_op must be one of AddSparseToTensorsMap or AddSparseToTensorsMap. Instead, found "
            f"`{sparse_map_op.type}`."
        )
    with tf.colocate_with(sparse_map_op):
        found = raw_ops.TakeManySparseFromTensorsMap(
            sparse_handles=sparse_handles, dtype=sparse_map_op.get_attr("T"),
            container=sparse_map_op.get_attr("container"),
            shared_name=sparse_map_op.get_attr("shared_name") or sparse_map_op.name, name=name,
        )
    return _ranked(found, rank)


def sparse_dense_cwise_add(sp_t: Any, dense_t: Any) -> Any:
    """The values of a sparse tensor, with what a dense one holds in their places added."""
    values = raw_ops.SparseDenseCwiseAdd(
        sp_indices=sp_t.indices, sp_values=sp_t.values, sp_shape=sp_t.dense_shape, dense=dense_t
    )
    return tf.SparseTensor(sp_t.indices, values, sp_t.dense_shape)


def string_split_v2(source: Any, sep: str | None = None, maxsplit: int = -1) -> Any:
    """Strings cut at a separator, or at runs of white space, as the rows of a sparse tensor."""
    cut = tf.convert_to_tensor("" if sep is None else sep, dtype=tf.string)
    source = tf.convert_to_tensor(source, dtype=tf.string)
    return _ranked(raw_ops.StringSplitV2(input=source, sep=cut, maxsplit=maxsplit), 2)


def sparse_merge_impl(
    sp_ids: Any, sp_values: Any, vocab_size: Any, name: str | None = None, already_sorted: bool = False
) -> Any:
    """`tf.sparse.merge`."""
    return tf.sparse.merge(sp_ids, sp_values, vocab_size, name, already_sorted)


def _sparse_cross_internal(
    inputs: Any, hashed_output: bool = False, num_buckets: int = 0, hash_key: int | None = None,
    name: str | None = None,
) -> Any:
    """Crosses of features, as text or as hashes."""
    if hashed_output:
        return tf.sparse.cross_hashed(inputs, num_buckets, hash_key, name)
    return tf.sparse.cross(inputs, name)

"""Features of any rank as matrices, dense and sparse."""

from __future__ import annotations

from typing import Any

import ossia as tf


def inner_flatten(inputs: Any, new_rank: int, scope: str | None = None) -> Any:
    """A tensor of `new_rank`, whose last dimension takes the place of those that are too many."""
    with tf.name_scope(scope, "InnerFlatten", [inputs, new_rank]):
        if isinstance(inputs, tf.SparseTensor):
            outer = inputs.dense_shape[: new_rank - 1]
            inner = inputs.dense_shape[new_rank - 1 :]
            return tf.sparse.reshape(inputs, tf.concat((outer, [tf.reduce_prod(inner)]), 0))
        inputs = tf.convert_to_tensor(inputs)
        check = tf.debugging.assert_rank_at_least(inputs, new_rank, message="inputs has rank less than new_rank")
        with tf.control_dependencies([check]):
            outer = tf.strided_slice(tf.shape(inputs), [0], [new_rank - 1])
            flat = tf.reshape(inputs, tf.concat((outer, [-1]), 0))
        if inputs.shape.ndims is not None and inputs.shape[new_rank - 1 :].is_fully_defined():
            flat.set_shape([*inputs.shape[: new_rank - 1], inputs.shape[new_rank - 1 :].num_elements()])
        return flat


def of_rank(tensor: Any, rank: int, column_name: str | None = None) -> Any:
    """A dense feature of a rank: flattened, or with one dimension more.

    Raises:
      ValueError: it lacks more than one dimension.
    """
    given = tensor.get_shape().ndims
    if given is not None:
        which = f"for column '{column_name}'" if column_name is not None else ""
        if rank > given + 1:
            raise ValueError(
                f"Rank of input Tensor ({given}) should be the same as output_rank ({rank}) {which}. For example, "
                "sequence data should typically be 3 dimensional (rank 3) while non-sequence data is typically 2 "
                "dimensional (rank 2)."
            )
        if rank == given + 1:
            tf.logging.warning(
                "Rank of input Tensor (%d) should be the same as output_rank (%d) for column. Will attempt to expand "
                "dims. It is highly recommended that you resize your input, as this behavior may change.", given, rank,
            )
            return tf.expand_dims(tensor, -1, name="expand_dims")
        if rank == given:
            return tensor
    return inner_flatten(tensor, rank)


def dense_to_sparse_tensor(dense: Any, ignore_value: Any = None, name: str | None = None) -> tf.SparseTensor:
    """The elements of a dense tensor that are not `ignore_value`; "" or 0 by default."""
    with tf.name_scope("DenseToSparseTensor"):
        dense = tf.convert_to_tensor(dense)
        if ignore_value is None:
            ignore_value = "" if dense.dtype == tf.string else 0
        ignored = ignore_value if dense.dtype == tf.string else tf.cast(ignore_value, dense.dtype, name="ignore_value")
        indices = tf.where(tf.not_equal(dense, ignored), name="indices")
        return tf.SparseTensor(
            indices=indices, values=tf.gather_nd(dense, indices, name="values"),
            dense_shape=tf.shape(dense, out_type=tf.int64, name="dense_shape"),
        )

"""Bags of words as vectors, and embeddings of rows that may be empty."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.framework import variables
from ossia_contrib.layers.columns.shapes import dense_to_sparse_tensor
from ossia_contrib.layers.names import of_both
from ossia_core.plugins.api_table import public


@public(*of_both("safe_embedding_lookup_sparse"))
def safe_embedding_lookup_sparse(
    embedding_weights: Any, sparse_ids: Any, sparse_weights: Any = None, combiner: str | None = None,
    default_id: int | None = None, name: str | None = None, partition_strategy: str = "div", max_norm: Any = None,
) -> tf.Tensor:
    """`tf.nn.safe_embedding_lookup_sparse`; the combiner is "mean" by default."""
    return tf.nn.safe_embedding_lookup_sparse(
        embedding_weights, sparse_ids, sparse_weights, combiner or "mean", default_id, name, partition_strategy,
        max_norm,
    )


@public(*of_both("bow_encoder"))
def bow_encoder(
    ids: Any, vocab_size: int, embed_dim: int, sparse_lookup: bool = True, initializer: Any = None,
    regularizer: Callable | None = None, trainable: bool = True, scope: Any = None, reuse: bool | None = None,
) -> tf.Tensor:
    """The mean of the learned vectors of the words of each example.

    Args:
      ids: integers `[batch, words]`, a tensor or a sparse tensor.
      vocab_size: how many words there are.
      embed_dim: size of the vectors.
      sparse_lookup: whether words of id 0 do not count.
      initializer, regularizer: of the vectors.
      trainable: whether they are trained.
      scope: variable scope; "bow_encoder" by default.
      reuse: whether to use vectors that exist.

    Returns:
      Floats `[batch, embed_dim]`.

    Raises:
      TypeError: the ids are sparse, and `sparse_lookup` is not wanted.
    """
    with tf.variable_scope(scope, "bow_encoder", [ids], reuse=reuse):
        embeddings = variables.model_variable(
            "embeddings", shape=[vocab_size, embed_dim], initializer=initializer, regularizer=regularizer,
            trainable=trainable,
        )
        if sparse_lookup:
            sparse = ids if isinstance(ids, tf.SparseTensor) else dense_to_sparse_tensor(ids)
            return tf.nn.safe_embedding_lookup_sparse([embeddings], sparse, combiner="mean", default_id=0)
        if isinstance(ids, tf.SparseTensor):
            raise TypeError("ids are expected to be dense Tensor, got: %s", ids)
        return tf.reduce_mean(tf.nn.embedding_lookup(embeddings, ids), axis=1)

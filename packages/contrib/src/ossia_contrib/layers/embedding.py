"""Sequences of ids as sequences of learned vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.framework import variables
from ossia_contrib.framework.arg_scope import add_arg_scope
from ossia_contrib.layers.names import of_both
from ossia_core.plugins.api_table import public


@public(*of_both("embed_sequence"))
@add_arg_scope
def embed_sequence(
    ids: Any, vocab_size: int | None = None, embed_dim: int | None = None, unique: bool = False,
    initializer: Any = None, regularizer: Callable | None = None, trainable: bool = True, scope: Any = None,
    reuse: bool | None = None,
) -> tf.Tensor:
    """The learned vector of each id.

    Args:
      ids: integers `[batch, time]`.
      vocab_size: number of ids.
      embed_dim: size of the vectors.
      unique: whether to look each id of a batch up once.
      initializer, regularizer: of the vectors.
      trainable: whether they are trained.
      scope: variable scope; "EmbedSequence" by default.
      reuse: whether to use vectors that exist; then sizes may be left out.

    Returns:
      Floats `[batch, time, embed_dim]`.

    Raises:
      ValueError: sizes are missing, where nothing is reused.
    """
    if not (reuse or (vocab_size and embed_dim)):
        raise ValueError(
            f"Must specify vocab size and embedding dimension when not reusing. Got vocab_size={vocab_size} and "
            f"embed_dim={embed_dim}"
        )
    with tf.variable_scope(scope, "EmbedSequence", [ids], reuse=reuse):
        shape = None if vocab_size is None or embed_dim is None else [vocab_size, embed_dim]
        embeddings = variables.model_variable(
            "embeddings", shape=shape, initializer=initializer, regularizer=regularizer, trainable=trainable
        )
        if unique:
            return embedding_lookup_unique(embeddings, ids)
        return tf.nn.embedding_lookup(embeddings, ids)


@public(*of_both("embedding_lookup_unique"))
def embedding_lookup_unique(params: Any, ids: Any, partition_strategy: str = "mod", name: str | None = None) -> Any:
    """`tf.nn.embedding_lookup` that looks up each id once."""
    with tf.name_scope(name, "EmbeddingLookupUnique", [params, ids]):
        ids = tf.convert_to_tensor(ids)
        shape = tf.shape(ids)
        flat = tf.reshape(ids, tf.reduce_prod(shape, keepdims=True))
        once, places = tf.unique(flat)
        found = tf.nn.embedding_lookup(params, once, partition_strategy)
        gathered = tf.gather(found, places)
        outputs = tf.reshape(gathered, tf.concat([shape, tf.shape(found)[1:]], 0))
        outputs.set_shape(ids.shape.concatenate(found.shape[1:]))
        return outputs

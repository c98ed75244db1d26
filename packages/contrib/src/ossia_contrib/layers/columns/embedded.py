"""Columns of categories as inputs of networks: embeddings and ones among zeros."""

from __future__ import annotations

import collections
import math
from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_contrib.layers.columns.base import DeepArguments, FeatureColumn, transformed
from ossia_contrib.layers.columns.shapes import inner_flatten
from ossia_contrib.layers.columns.sparse import SparseColumn
from ossia_contrib.layers.names import of_both
from ossia_core.plugins.api_table import public


class _OneHotColumn(FeatureColumn, collections.namedtuple("_OneHotColumn", ["sparse_id_column"])):
    @property
    def name(self) -> str:  # type: ignore[override]
        return f"{self.sparse_id_column.name}_one_hot"

    @property
    def length(self) -> int:
        """How many ids there are."""
        return self.sparse_id_column.length

    @property
    def config(self) -> dict[str, Any]:
        return self.sparse_id_column.config

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        columns_to_tensors[self] = transformed(self.sparse_id_column, columns_to_tensors)

    def _to_dnn_input_layer(
        self, input_tensor: Any, weight_collections: Any = None, trainable: bool = True, output_rank: int = 2
    ) -> Any:
        ids = inner_flatten(self.sparse_id_column.id_tensor(input_tensor), output_rank)
        weights = self.sparse_id_column.weight_tensor(input_tensor)
        if weights is not None:
            merged = tf.sparse_merge(sp_ids=ids, sp_values=weights, vocab_size=self.length)
            merged = tf.sparse.slice(merged, [0, 0], merged.dense_shape)  # without ids of -1
            return tf.sparse.to_dense(merged)
        dense = tf.sparse.to_dense(ids, default_value=-1)
        hot = tf.one_hot(dense, depth=self.length, on_value=1.0, off_value=0.0)
        return tf.reduce_sum(hot, axis=[output_rank - 1])


@public(*of_both("one_hot_column"))
def one_hot_column(sparse_id_column: Any) -> Any:
    """How often each id of a column occurs, for networks."""
    return _OneHotColumn(sparse_id_column)


class _EmbeddingColumn(
    FeatureColumn,
    collections.namedtuple(
        "_EmbeddingColumn",
        ["sparse_id_column", "dimension", "combiner", "initializer", "ckpt_to_load_from", "tensor_name_in_ckpt",
         "shared_embedding_name", "shared_vocab_size", "max_norm", "trainable"],
    ),
):
    @property
    def name(self) -> str:  # type: ignore[override]
        kind = "embedding" if self.shared_embedding_name is None else "shared_embedding"
        return f"{self.sparse_id_column.name}_{kind}"

    @property
    def length(self) -> int:
        """How many ids there are."""
        return self.sparse_id_column.length if self.shared_vocab_size is None else self.shared_vocab_size

    @property
    def config(self) -> dict[str, Any]:
        return self.sparse_id_column.config

    @property
    def key(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)}" for name in self._fields if name != "initializer")
        return f"_EmbeddingColumn({fields})"

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        columns_to_tensors[self] = transformed(self.sparse_id_column, columns_to_tensors)

    def _deep_embedding_lookup_arguments(self, input_tensor: Any) -> Any:
        return DeepArguments(
            self.sparse_id_column.id_tensor(input_tensor), self.sparse_id_column.weight_tensor(input_tensor),
            self.length, self.initializer, self.combiner, self.dimension, self.shared_embedding_name, None,
            self.max_norm, self.trainable,
        )


def _checked(initializer: Any, ckpt_to_load_from: Any, tensor_name_in_ckpt: Any, name: str) -> None:
    if initializer is not None and not callable(initializer):
        raise ValueError(f"initializer must be callable if specified. Embedding of column_name: {name}")
    if (ckpt_to_load_from is None) != (tensor_name_in_ckpt is None):
        raise ValueError("Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them.")


@public(*of_both("embedding_column"))
def embedding_column(
    sparse_id_column: Any, dimension: int, combiner: str = "mean", initializer: Callable | None = None,
    ckpt_to_load_from: str | None = None, tensor_name_in_ckpt: str | None = None, max_norm: float | None = None,
    trainable: bool = True,
) -> Any:
    """An embedding of the ids of a column, for networks.

    Args:
      sparse_id_column: a column of categories.
      dimension: size of the embedding.
      combiner: how those of several ids are combined: "mean", "sum" or "sqrtn".
      initializer: initial values; normal by default, with the root of the number of ids as inverse deviation.
      ckpt_to_load_from, tensor_name_in_ckpt: a checkpoint for the embeddings, and their name in it.
      max_norm: largest norm of an embedding.
      trainable: whether they are trained.

    Raises:
      ValueError: the initializer is no function.
    """
    if initializer is None:
        stddev = 1 / math.sqrt(sparse_id_column.length)
        initializer = tf.truncated_normal_initializer(mean=0.0, stddev=stddev)
    _checked(initializer, ckpt_to_load_from, tensor_name_in_ckpt, sparse_id_column.name)
    return _EmbeddingColumn(
        sparse_id_column, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt, None, None,
        max_norm, trainable,
    )


@public(*of_both("shared_embedding_columns"))
def shared_embedding_columns(
    sparse_id_columns: Sequence[Any], dimension: int, combiner: str = "mean",
    shared_embedding_name: str | None = None, initializer: Callable | None = None,
    ckpt_to_load_from: str | None = None, tensor_name_in_ckpt: str | None = None, max_norm: float | None = None,
    trainable: bool = True,
) -> tuple[Any, ...]:
    """Embeddings of several columns from one table.

    Args:
      sparse_id_columns: columns of one kind, with as many ids.
      shared_embedding_name: name of the table; of the columns by default.
      dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt, max_norm, trainable: as for
          `embedding_column`.

    Raises:
      TypeError: the columns are of several kinds.
      ValueError: there are none, or they differ in their ids.
    """
    if not sparse_id_columns:
        raise ValueError("The input sparse_id_columns should have at least one element.")
    columns = list(sparse_id_columns)
    if len({type(column) for column in columns}) > 1:
        raise TypeError("Columns passed to shared_embedding_columns must have the same type.")
    compared = ("is_integerized", "bucket_size", "lookup_config", "combiner", "dtype")
    if isinstance(columns[0], SparseColumn):
        for name in compared:
            if any(getattr(column, name) != getattr(columns[0], name) for column in columns):
                raise ValueError(f"The sparse_id_columns passed to shared_embedding_columns differ in {name}.")
    vocab_size = columns[0].length
    if initializer is None:
        initializer = tf.truncated_normal_initializer(mean=0.0, stddev=1 / math.sqrt(vocab_size))
    _checked(initializer, ckpt_to_load_from, tensor_name_in_ckpt, columns[0].name)
    if not shared_embedding_name:
        names = sorted(column.name for column in columns)
        shown = names[:3] + ([f"plus_{len(names) - 3}_others"] if len(names) > 3 else [])
        shared_embedding_name = "_".join(shown) + "_shared_embedding"
    return tuple(
        _EmbeddingColumn(
            column, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt, shared_embedding_name,
            vocab_size, max_norm, trainable,
        )
        for column in columns
    )


@public(*of_both("scattered_embedding_column"))
def scattered_embedding_column(
    column_name: str, size: int, dimension: int, hash_key: int, combiner: str = "mean", initializer: Any = None
) -> Any:
    """An embedding whose elements are scattered over one vector by hashes.

    Raises:
      NotImplementedError: always.
    """
    raise NotImplementedError("tf.contrib.layers.scattered_embedding_column is not part of Ossia.")

"""Columns of categories: hashed, by keys or files, integers, weighted and crossed."""

from __future__ import annotations

import collections
from collections.abc import Sequence
from typing import Any

import ossia as tf
from ossia_contrib.layers.columns.base import FeatureColumn, WideArguments, transformed
from ossia_contrib.layers.columns.crosses import sparse_feature_cross
from ossia_contrib.layers.columns.dense import BucketizedColumn
from ossia_contrib.layers.columns.shapes import dense_to_sparse_tensor, of_rank
from ossia_contrib.layers.names import of_both
from ossia_core.plugins.api_table import public

_SparseIdLookupConfig = collections.namedtuple(
    "_SparseIdLookupConfig", ["vocabulary_file", "keys", "num_oov_buckets", "vocab_size", "default_value"]
)


class _Categories(FeatureColumn):
    """A column whose values are ids, each with a weight in linear models and an embedding in networks."""

    length: Any

    def id_tensor(self, input_tensor: Any) -> Any:
        """The ids of the transformed feature."""
        return input_tensor

    def weight_tensor(self, input_tensor: Any) -> Any:
        """The weights of the ids, or None."""
        return None

    def _wide_embedding_lookup_arguments(self, input_tensor: Any) -> Any:
        return WideArguments(
            self.id_tensor(input_tensor), self.weight_tensor(input_tensor), self.length, tf.zeros_initializer(),
            self.combiner,  # type: ignore[attr-defined]
        )


class _SparseColumn(
    _Categories,
    collections.namedtuple(
        "_SparseColumn", ["column_name", "is_integerized", "bucket_size", "lookup_config", "combiner", "dtype"]
    ),
):
    @property
    def name(self) -> str:  # type: ignore[override]
        return self.column_name

    @property
    def length(self) -> int:  # type: ignore[override]
        """How many ids there are."""
        if self.lookup_config is not None:
            return self.lookup_config.vocab_size + self.lookup_config.num_oov_buckets
        return self.bucket_size

    @property
    def config(self) -> dict[str, Any]:
        return {self.column_name: tf.VarLenFeature(self.dtype)}

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        columns_to_tensors[self] = self._ids(self.sparse(columns_to_tensors[self.name]))

    def sparse(self, feature: Any) -> tf.SparseTensor:
        """The raw feature as a sparse tensor."""
        if isinstance(feature, tf.SparseTensor):
            return feature
        ignored = "" if feature.dtype == tf.string else -1
        return dense_to_sparse_tensor(of_rank(feature, 2, self.name), ignored)

    def _ids(self, feature: Any) -> Any:
        raise NotImplementedError

    def _to_dnn_input_layer(
        self, input_tensor: Any, weight_collections: Any = None, trainable: bool = True, output_rank: int = 2
    ) -> Any:
        raise ValueError(
            f"SparseColumn is not supported in DNN. Please use embedding_column or one_hot_column. column: {self}"
        )


class _SparseColumnIntegerized(_SparseColumn):
    def _ids(self, feature: Any) -> Any:
        values = tf.mod(feature.values, self.bucket_size, name="mod")
        return tf.SparseTensor(feature.indices, values, feature.dense_shape)


class _SparseColumnHashed(_SparseColumn):
    def _ids(self, feature: Any) -> Any:
        text = tf.as_string(feature.values) if self.dtype.is_integer else feature.values
        values = tf.strings.to_hash_bucket_fast(text, self.bucket_size, name="lookup")
        return tf.SparseTensor(feature.indices, values, feature.dense_shape)


class _SparseColumnKeys(_SparseColumn):
    def _ids(self, feature: Any) -> Any:
        table = tf.contrib.lookup.index_table_from_tensor(
            mapping=tuple(self.lookup_config.keys), default_value=self.lookup_config.default_value, dtype=self.dtype,
            name="lookup",
        )
        return table.lookup(feature)


class _SparseColumnVocabulary(_SparseColumn):
    def _ids(self, feature: Any) -> Any:
        if self.dtype.is_integer:
            feature = tf.SparseTensor(feature.indices, tf.as_string(feature.values), feature.dense_shape)
        table = tf.contrib.lookup.index_table_from_file(
            vocabulary_file=self.lookup_config.vocabulary_file, num_oov_buckets=self.lookup_config.num_oov_buckets,
            vocab_size=self.lookup_config.vocab_size, default_value=self.lookup_config.default_value,
            name=self.name + "_lookup",
        )
        return table.lookup(feature)


def _checked_size(bucket_size: int, column_name: str) -> None:
    if bucket_size < 1:
        raise ValueError(f"bucket_size must be at least 1. bucket_size: {bucket_size}, column_name: {column_name}")


def _checked_type(dtype: Any, column_name: str) -> Any:
    dtype = tf.as_dtype(dtype)
    if dtype != tf.string and not dtype.is_integer:
        raise ValueError(f"dtype must be string or integer. dtype: {dtype}, column_name: {column_name}")
    return dtype


@public(*of_both("sparse_column_with_integerized_feature"))
def sparse_column_with_integerized_feature(
    column_name: str, bucket_size: int, combiner: str = "sum", dtype: Any = tf.int64
) -> Any:
    """A column of ids that are integers from 0 to below `bucket_size`.

    Args:
      column_name: name of the feature.
      bucket_size: how many ids there are.
      combiner: how the weights of several ids are combined: "sum", "mean" or "sqrtn".
      dtype: an int type.

    Raises:
      ValueError: the size is not positive, or the dtype no int type.
    """
    dtype = tf.as_dtype(dtype)
    if not dtype.is_integer:
        raise ValueError(f"dtype must be an integer. dtype: {dtype}, column_name: {column_name}")
    _checked_size(bucket_size, column_name)
    return _SparseColumnIntegerized(column_name, True, bucket_size, None, combiner, dtype)


@public(*of_both("sparse_column_with_hash_bucket"))
def sparse_column_with_hash_bucket(
    column_name: str, hash_bucket_size: int, combiner: str = "sum", dtype: Any = tf.string, hash_keys: Any = None
) -> Any:
    """A column of categories whose ids are hashes.

    Args:
      column_name: name of the feature.
      hash_bucket_size: how many ids there are.
      combiner: how the weights of several ids are combined.
      dtype: string or an int type.
      hash_keys: keys of several hashes.

    Raises:
      ValueError: the size is not positive, or the dtype another.
      NotImplementedError: there are `hash_keys`.
    """
    if hash_keys is not None:
        raise NotImplementedError("hash_keys of sparse_column_with_hash_bucket are not part of Ossia.")
    _checked_size(hash_bucket_size, column_name)
    dtype = _checked_type(dtype, column_name)
    return _SparseColumnHashed(column_name, False, hash_bucket_size, None, combiner, dtype)


@public(*of_both("sparse_column_with_keys"))
def sparse_column_with_keys(
    column_name: str, keys: Sequence[Any], default_value: int = -1, combiner: str = "sum", dtype: Any = tf.string
) -> Any:
    """A column of categories whose ids are their places in a list.

    Args:
      column_name: name of the feature.
      keys: the categories.
      default_value: id of others.
      combiner: how the weights of several ids are combined.
      dtype: string or an int type.

    Raises:
      ValueError: the dtype is another.
    """
    keys = tuple(keys)
    dtype = _checked_type(dtype, column_name)
    config = _SparseIdLookupConfig(None, keys, 0, len(keys), default_value)
    return _SparseColumnKeys(column_name, False, None, config, combiner, dtype)


@public(*of_both("sparse_column_with_vocabulary_file"))
def sparse_column_with_vocabulary_file(
    column_name: str, vocabulary_file: str, num_oov_buckets: int = 0, vocab_size: int | None = None,
    default_value: int = -1, combiner: str = "sum", dtype: Any = tf.string,
) -> Any:
    """A column of categories whose ids are the numbers of their lines in a file.

    Args:
      column_name: name of the feature.
      vocabulary_file: the file.
      num_oov_buckets: how many further ids categories have that it lacks.
      vocab_size: number of lines.
      default_value: id of others, without further ids.
      combiner: how the weights of several ids are combined.
      dtype: string or an int type.

    Raises:
      ValueError: there is no size, or the dtype is another.
    """
    if vocab_size is None:
        raise ValueError(f"vocab_size should be defined. column_name: {column_name}")
    dtype = _checked_type(dtype, column_name)
    config = _SparseIdLookupConfig(vocabulary_file, None, num_oov_buckets, vocab_size, default_value)
    return _SparseColumnVocabulary(column_name, False, None, config, combiner, dtype)


class _WeightedSparseColumn(
    _Categories, collections.namedtuple("_WeightedSparseColumn", ["sparse_id_column", "weight_column_name", "dtype"])
):
    @property
    def name(self) -> str:  # type: ignore[override]
        return f"{self.sparse_id_column.name}_weighted_by_{self.weight_column_name}"

    @property
    def config(self) -> dict[str, Any]:
        return {**self.sparse_id_column.config, self.weight_column_name: tf.VarLenFeature(self.dtype)}

    @property
    def length(self) -> int:  # type: ignore[override]
        """How many ids there are."""
        return self.sparse_id_column.length

    @property
    def combiner(self) -> str:
        """How weights are combined."""
        return self.sparse_id_column.combiner

    def id_tensor(self, input_tensor: Any) -> Any:
        return input_tensor[0]

    def weight_tensor(self, input_tensor: Any) -> Any:
        return input_tensor[1]

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        ids = transformed(self.sparse_id_column, columns_to_tensors)
        weights = columns_to_tensors[self.weight_column_name]
        if not isinstance(weights, tf.SparseTensor):
            weights = dense_to_sparse_tensor(weights)
        if not self.dtype.is_floating:
            weights = tf.cast(weights, tf.float32)
        columns_to_tensors[self] = (ids, weights)


@public(*of_both("weighted_sparse_column"))
def weighted_sparse_column(sparse_id_column: Any, weight_column_name: str, dtype: Any = tf.float32) -> Any:
    """A column of ids, each with a weight from another feature.

    Args:
      sparse_id_column: the column of the ids.
      weight_column_name: the feature of the weights.
      dtype: an int or float type, of the weights.

    Raises:
      ValueError: the dtype is another.
    """
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype is not convertible to float. Given {dtype!r}")
    return _WeightedSparseColumn(sparse_id_column, weight_column_name, dtype)


class _CrossedColumn(
    _Categories,
    collections.namedtuple(
        "_CrossedColumn",
        ["columns", "hash_bucket_size", "hash_key", "combiner", "ckpt_to_load_from", "tensor_name_in_ckpt"],
    ),
):
    @property
    def name(self) -> str:  # type: ignore[override]
        return "_X_".join(sorted(column.name for column in self.columns))

    @property
    def config(self) -> dict[str, Any]:
        return {name: parsed for column in self.columns for name, parsed in column.config.items()}

    @property
    def length(self) -> int:  # type: ignore[override]
        """How many ids there are."""
        return self.hash_bucket_size

    def leaves(self) -> list[Any]:
        """The columns that are crossed, those of inner crosses included."""
        found: list[Any] = []
        for column in self.columns:
            found.extend(column.leaves() if isinstance(column, _CrossedColumn) else [column])
        return found

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        tensors = []
        for column in self.leaves():
            if isinstance(column, _SparseColumn):
                tensors.append(column.sparse(columns_to_tensors[column.name]))
                continue
            tensor = transformed(column, columns_to_tensors)
            tensors.append(column.to_sparse_tensor(tensor) if isinstance(column, BucketizedColumn) else tensor)
        columns_to_tensors[self] = sparse_feature_cross(
            tensors, hashed_output=True, num_buckets=self.hash_bucket_size, hash_key=self.hash_key, name="cross"
        )


@public(*of_both("crossed_column"))
def crossed_column(
    columns: Sequence[Any], hash_bucket_size: int, combiner: str = "sum", ckpt_to_load_from: str | None = None,
    tensor_name_in_ckpt: str | None = None, hash_key: int | None = None,
) -> Any:
    """A column of the combinations of categories.

    Args:
      columns: columns of categories, buckets or crosses.
      hash_bucket_size: how many ids there are.
      combiner: how the weights of several ids are combined.
      ckpt_to_load_from, tensor_name_in_ckpt: a checkpoint for the weights, and their name in it.
      hash_key: start of the hash by fingerprints; None for the older hash.

    Raises:
      TypeError: a column is another one.
      ValueError: there are less than two, or only one of name and checkpoint is given.
    """
    for column in columns:
        if not isinstance(column, (_SparseColumn, _CrossedColumn, BucketizedColumn)):
            raise TypeError(
                "columns must be a set of _SparseColumn, _CrossedColumn, or _BucketizedColumn instances. "
                f"(column {column} is a {type(column).__name__})"
            )
    if len(columns) < 2:
        raise ValueError(f"columns must contain at least 2 elements. columns: {columns}")
    if (ckpt_to_load_from is None) != (tensor_name_in_ckpt is None):
        raise ValueError("Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them.")
    ordered = tuple(sorted(columns, key=lambda column: column.name))
    return _CrossedColumn(ordered, hash_bucket_size, hash_key, combiner, ckpt_to_load_from, tensor_name_in_ckpt)


SparseColumn: Any = _SparseColumn

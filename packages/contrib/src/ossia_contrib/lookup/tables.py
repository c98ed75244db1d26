"""Vocabularies and other tables under the names of `tf.contrib.lookup`."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public, public_value
from ossia_tensorflow_paths.python.ops import lookup_ops

FastHashSpec = lookup_ops.FastHashSpec
HasherSpec = lookup_ops.HasherSpec
IdTableWithHashBuckets = lookup_ops.IdTableWithHashBuckets
KeyValueTensorInitializer = tf.lookup.KeyValueTensorInitializer
StrongHashSpec = lookup_ops.StrongHashSpec
TextFileIdTableInitializer = lookup_ops.TextFileIdTableInitializer
TextFileIndex = tf.lookup.TextFileIndex
TextFileInitializer = tf.lookup.TextFileInitializer
TextFileStringTableInitializer = lookup_ops.TextFileStringTableInitializer
index_table_from_file = lookup_ops.index_table_from_file
index_to_string_table_from_file = lookup_ops.index_to_string_table_from_file
for _name in (
    "FastHashSpec", "HasherSpec", "IdTableWithHashBuckets", "KeyValueTensorInitializer", "StrongHashSpec",
    "TextFileIdTableInitializer", "TextFileIndex", "TextFileInitializer", "TextFileStringTableInitializer",
    "index_table_from_file", "index_to_string_table_from_file",
):
    public_value(f"contrib.lookup.{_name}", name=_name)


@public("contrib.lookup.HashTable")
class HashTable(lookup_ops.HashTable):
    """A table that is filled once and gives a default value for other keys.

    Args:
      initializer: what fills the table.
      default_value: the value of keys that are not in the table, a scalar.
      shared_name: name under which other sessions of a cluster share the table; not shared by default.
      name: name of the table.
    """

    def __init__(
        self, initializer: Any, default_value: Any, shared_name: str | None = None, name: str | None = None
    ) -> None:
        self._shared_as, self._named = shared_name or "", name or "hash_table"
        super().__init__(initializer, default_value, name)

    def _create_resource(self) -> Any:
        return tf.raw_ops.HashTableV2(
            shared_name=self._shared_as, key_dtype=self.key_dtype, value_dtype=self.value_dtype, name=self._named
        )


@public("contrib.lookup.index_table_from_tensor")
def index_table_from_tensor(
    mapping: Any, num_oov_buckets: int = 0, default_value: int = -1, hasher_spec: Any = FastHashSpec,
    dtype: Any = tf.string, name: str | None = None,
) -> Any:
    """A table from words to their places in a list.

    Args:
      mapping: the words.
      num_oov_buckets: number of places behind them for other words, by a hash.
      default_value: what other words get without such places.
      hasher_spec: the hash.
      dtype: dtype of the words.
      name: name of the ops.
    """
    return lookup_ops.index_table_from_tensor(mapping, num_oov_buckets, default_value, hasher_spec, dtype, name)


@public("contrib.lookup.index_to_string_table_from_tensor")
def index_to_string_table_from_tensor(mapping: Any, default_value: str = "UNK", name: str | None = None) -> Any:
    """A table from places in a list to its words.

    Args:
      mapping: the words.
      default_value: what other places get.
      name: name of the ops.
    """
    return lookup_ops.index_to_string_table_from_tensor(mapping, default_value, name)

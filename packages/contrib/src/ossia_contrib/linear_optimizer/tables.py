"""A table that is divided among several, by the first number of its keys."""

from __future__ import annotations

from typing import Any

import ossia as tf


class ShardedTable:
    """A table of `DenseHashTable`s; keys are pairs of integers.

    Args:
      key_dtype: dtype of the keys.
      value_dtype: dtype of the values.
      default_value: the value of keys that are not in the table.
      empty_key: a key that is never inserted.
      deleted_key: another one.
      num_shards: how many tables there are.
      checkpoint: whether savers save the tables.
      name: name scope of the tables.
    """

    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any, empty_key: Any, deleted_key: Any,
        num_shards: int = 1, checkpoint: bool = True, name: str = "ShardedMutableHashTable",
    ) -> None:
        self._value_dtype = value_dtype
        with tf.name_scope(name, "sharded_mutable_hash_table"):
            self._tables = [
                tf.lookup.experimental.DenseHashTable(
                    key_dtype, value_dtype, default_value, empty_key, deleted_key, checkpoint=checkpoint,
                    name=f"{name}-{shard + 1}-of-{num_shards}",
                )
                for shard in range(num_shards)
            ]

    def size(self, name: str | None = None) -> tf.Tensor:
        """How many keys there are."""
        with tf.name_scope(name, "sharded_mutable_hash_table_size"):
            return tf.add_n([table.size() for table in self._tables])

    def _shards(self, keys: tf.Tensor) -> tf.Tensor:
        if keys.shape.ndims != 1:
            keys = tf.reshape(tf.slice(keys, [0, 0], [keys.shape[0].value or tf.shape(keys)[0], 1]), [-1])
        return tf.cast(tf.mod(tf.abs(keys), len(self._tables)), tf.int32)

    def lookup(self, keys: tf.Tensor) -> tf.Tensor:
        """The values of keys."""
        if len(self._tables) == 1:
            return self._tables[0].lookup(keys)
        shards = self._shards(keys)
        parts = tf.dynamic_partition(keys, shards, len(self._tables))
        values = [table.lookup(part) for table, part in zip(self._tables, parts, strict=True)]
        rows = keys.shape[0].value
        indices = tf.range(0, tf.shape(keys)[0] if rows is None else rows)
        result = tf.dynamic_stitch(tf.dynamic_partition(indices, shards, len(self._tables)), values)
        result.set_shape(tf.TensorShape([rows]).concatenate(values[0].shape[1:]))
        return result

    def insert(self, keys: tf.Tensor, values: tf.Tensor) -> tf.Operation:
        """The op that sets the values of keys."""
        if len(self._tables) == 1:
            return self._tables[0].insert(keys, values)
        shards = self._shards(keys)
        key_parts = tf.dynamic_partition(keys, shards, len(self._tables))
        value_parts = tf.dynamic_partition(values, shards, len(self._tables))
        return tf.group(*[
            table.insert(part, values)
            for table, part, values in zip(self._tables, key_parts, value_parts, strict=True)
        ])

    def export(self, name: str | None = None) -> tuple[list[tf.Tensor], list[tf.Tensor]]:
        """The keys and the values of each table, with those of empty buckets."""
        with tf.name_scope(name, "sharded_mutable_hash_table_export"):
            pairs = [table.export() for table in self._tables]
        return [pair[0] for pair in pairs], [pair[1] for pair in pairs]

    def values(self) -> list[tf.Tensor]:
        """The values of each table, in the current name scope."""
        return [table.export()[1] for table in self._tables]

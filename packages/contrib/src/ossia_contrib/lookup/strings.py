"""The first names of the functions of `tf.contrib.lookup`, which were for strings only."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.lookup import tables
from ossia_core.plugins.api_table import public


@public("contrib.lookup.string_to_index_table_from_tensor")
def string_to_index_table_from_tensor(
    mapping: Any, num_oov_buckets: int = 0, default_value: int = -1,
    hasher_spec: Any = tables.FastHashSpec, name: str | None = None,
) -> Any:
    """`index_table_from_tensor` of strings.

    Args:
      mapping: the strings, in the order of their ids.
      num_oov_buckets: how many ids there are for other strings.
      default_value: the id of other strings, without such.
      hasher_spec: how the ids of other strings are found.
      name: name of the table.
    """
    return tables.index_table_from_tensor(mapping, num_oov_buckets, default_value, hasher_spec, tf.string, name)


@public("contrib.lookup.string_to_index_table_from_file")
def string_to_index_table_from_file(
    vocabulary_file: Any = None, num_oov_buckets: int = 0, vocab_size: int | None = None, default_value: int = -1,
    hasher_spec: Any = tables.FastHashSpec, name: str | None = None,
) -> Any:
    """`index_table_from_file` of strings.

    Args:
      vocabulary_file: a file with a string on each line.
      num_oov_buckets: how many ids there are for other strings.
      vocab_size: how many lines there are.
      default_value: the id of other strings, without `num_oov_buckets`.
      hasher_spec: how the ids of other strings are found.
      name: name of the table.
    """
    return tables.index_table_from_file(
        vocabulary_file, num_oov_buckets, vocab_size, default_value, hasher_spec, key_dtype=tf.string, name=name
    )


@public("contrib.lookup.string_to_index")
def string_to_index(tensor: Any, mapping: Any, default_value: int = -1, name: str | None = None) -> tf.Tensor:
    """The ids of strings.

    Args:
      tensor: strings of any shape.
      mapping: the strings, in the order of their ids.
      default_value: the id of other strings.
      name: name of the table.
    """
    return tables.index_table_from_tensor(mapping=mapping, default_value=default_value, name=name).lookup(tensor)


@public("contrib.lookup.index_to_string")
def index_to_string(tensor: Any, mapping: Any, default_value: str = "UNK", name: str | None = None) -> tf.Tensor:
    """The strings of ids.

    Args:
      tensor: int64 ids of any shape.
      mapping: the strings, in the order of their ids.
      default_value: the string of other ids.
      name: name of the table.
    """
    return tables.index_to_string_table_from_tensor(
        mapping=mapping, default_value=default_value, name=name
    ).lookup(tensor)

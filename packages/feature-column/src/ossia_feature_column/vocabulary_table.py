"""The tables behind columns with vocabularies: from words to ids, with those of buckets behind them."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.names import dtypes
from ossia_lookup.lookup import (
    KeyValueTensorInitializer,
    StaticHashTable,
    StaticVocabularyTable,
    TextFileIndex,
    TextFileInitializer,
)
from ossia_ops.array.shape import size
from ossia_ops.math.cast import cast
from ossia_ops.math.sequence import range as range_of


def table_of_list(words: tuple, num_oov_buckets: int, default_value: int, dtype: Any, name: str) -> Any:
    """A table from words to their places."""
    with name_scope(name):
        keys = convert_to_tensor(words)
        ids = cast(range_of(size(keys)), dtypes.int64)
        with name_scope(None, "hash_table"):
            if dtype.is_integer:
                keys = cast(keys, dtypes.int64)
            initializer = KeyValueTensorInitializer(keys, ids, name="table_init")
            return _table(initializer, num_oov_buckets, default_value, dtype)


def table_of_file(
    path: str, vocabulary_size: int, num_oov_buckets: int, default_value: int, dtype: Any, name: str
) -> Any:
    """A table from the first lines of a file to their numbers."""
    with name_scope(name), name_scope(None, "hash_table"):
        initializer = TextFileInitializer(
            path, dtypes.int64 if dtype.is_integer else dtype, TextFileIndex.WHOLE_LINE, dtypes.int64,
            TextFileIndex.LINE_NUMBER, vocab_size=vocabulary_size, name="table_init",
        )
        return _table(initializer, num_oov_buckets, default_value, dtype)


def _table(initializer: Any, num_oov_buckets: int, default_value: int, dtype: Any) -> Any:
    if num_oov_buckets:
        return StaticVocabularyTable(initializer, num_oov_buckets, lookup_key_dtype=dtype)
    return StaticHashTable(initializer, default_value)

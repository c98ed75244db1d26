"""What programs that translate words take from `lookup_ops`: tables made from a vocabulary in a file or a tensor."""

from __future__ import annotations

import collections
import numbers
from typing import Any

import ossia as tf
from ossia_lookup import lookup

LookupInterface = lookup.LookupInterface
TableInitializerBase = lookup.TableInitializerBase
InitializableLookupTableBase = InitializableLookupTableBaseV1 = lookup.InitializableTable
MutableDenseHashTable = tf.lookup.experimental.DenseHashTable
HasherSpec = collections.namedtuple("HasherSpec", ["hasher", "key"])
FastHashSpec = HasherSpec("fasthash", None)


class StrongHashSpec(HasherSpec):
    """Buckets that one who does not know the key, two numbers, cannot aim at.

    Raises:
        ValueError: `key` is no pair.
        TypeError: It is not of integers.
    """

    __slots__ = ()

    def __new__(cls, key: Any) -> Any:
        if len(key) != 2:
            raise ValueError(f"key must have size 2, got {len(key)}.")
        if not all(isinstance(part, numbers.Integral) for part in key):
            raise TypeError(f"Invalid key {key}. Must be unsigned integer values.")
        return super().__new__(cls, "stronghash", key)


class HashTable(tf.lookup.StaticHashTable):
    """A table that is filled once; `init` is another name of `initializer`."""

    @property
    def init(self) -> Any:
        """The op that fills the table."""
        return self.initializer


class TextFileIdTableInitializer(tf.lookup.TextFileInitializer):
    """Fills a table with the lines of a file, and their numbers."""

    def __init__(
        self, filename: Any, key_column_index: int = -2, value_column_index: int = -1, vocab_size: int | None = None,
        delimiter: str = "\t", name: str = "text_file_id_table_init", key_dtype: Any = tf.string,
    ) -> None:
        super().__init__(
            filename, key_dtype, key_column_index, tf.int64, value_column_index, vocab_size, delimiter, name
        )


class TextFileStringTableInitializer(tf.lookup.TextFileInitializer):
    """Fills a table with the numbers of lines of a file, and the lines."""

    def __init__(
        self, filename: Any, key_column_index: int = -1, value_column_index: int = -2, vocab_size: int | None = None,
        delimiter: str = "\t", name: str = "text_file_string_table_init",
    ) -> None:
        super().__init__(
            filename, tf.int64, key_column_index, tf.string, value_column_index, vocab_size, delimiter, name
        )


class IdTableWithHashBuckets(tf.lookup.StaticVocabularyTable):
    """A table of ids, with ids behind its own for what is not in it, or with no others than these.

    Raises:
        ValueError: There is neither a table nor a bucket, or no such hash.
        TypeError: `hasher_spec` is none, or dtypes do not fit.
    """

    def __init__(
        self, table: Any, num_oov_buckets: int, hasher_spec: Any = FastHashSpec, name: str | None = None,
        key_dtype: Any = None,
    ) -> None:
        if table is None and num_oov_buckets <= 0:
            raise ValueError("oov_buckets must be > 0 if no table is supplied.")
        wanted = table.key_dtype if key_dtype is None and table is not None else tf.as_dtype(key_dtype or tf.string)
        if wanted != tf.string and not wanted.is_integer:
            raise TypeError(f"Invalid key_dtype, expected integer or string, got {wanted}.")
        if table is not None:
            if table.key_dtype.is_integer != wanted.is_integer:
                raise TypeError(f"Invalid key dtype, expected {table.key_dtype} but got {wanted}.")
            if table.value_dtype != tf.int64:
                raise TypeError(f"Invalid value dtype, expected {tf.int64} but got {table.value_dtype}.")
        if not isinstance(hasher_spec, HasherSpec):
            raise TypeError(f"hasher_spec must be of type HasherSpec, got {hasher_spec}")
        self._table, self._buckets, self._hasher = table, num_oov_buckets, hasher_spec
        self.key_dtype, self.value_dtype = wanted, tf.int64
        self._name = name or (table.name if table is not None else "hash_bucket")

    @property
    def init(self) -> Any:
        """The op that fills the table."""
        return self.initializer

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The ids of keys; those of buckets only if there are some."""
        return super().lookup(keys, name) if self._buckets or self._table is None else self._table.lookup(keys, name)

    def _bucket_of(self, texts: Any) -> Any:
        if self._hasher.hasher == "fasthash":
            return super()._bucket_of(texts)
        if self._hasher.hasher != "stronghash":
            raise ValueError(f"Unknown hasher {self._hasher.hasher}")
        return tf.strings.to_hash_bucket_strong(texts, self._buckets, self._hasher.key, name="hash_bucket")


def _check_file(vocabulary_file: Any) -> None:
    if vocabulary_file is None or isinstance(vocabulary_file, str) and not vocabulary_file:
        raise ValueError("vocabulary_file must be specified and must not be empty.")


def _check_keys(num_oov_buckets: int, dtype: Any) -> None:
    if num_oov_buckets < 0:
        raise ValueError(f"num_oov_buckets must be greater or equal than 0, got {num_oov_buckets}.")
    if dtype != tf.string and not dtype.is_integer:
        raise TypeError("Only integer and string keys are supported.")


def _numbers_of(words: Any) -> Any:
    return tf.cast(tf.range(tf.size(words)), tf.int64)


def _with_buckets(table: Any, num_oov_buckets: int, hasher_spec: Any, dtype: Any) -> Any:
    if not num_oov_buckets:
        return table
    return IdTableWithHashBuckets(table, num_oov_buckets, hasher_spec, key_dtype=dtype)


def index_table_from_file(
    vocabulary_file: Any = None, num_oov_buckets: int = 0, vocab_size: int | None = None, default_value: int = -1,
    hasher_spec: Any = FastHashSpec, key_dtype: Any = tf.string, name: str | None = None, key_column_index: int = -2,
    value_column_index: int = -1, delimiter: str = "\t",
) -> Any:
    """A table from the words of a file, one a line, to their numbers.

    Args:
        vocabulary_file: Path of the file.
        num_oov_buckets: How many ids there are for other words.
        vocab_size: How many lines are read; all if None.
        default_value: The id of other words if there are no buckets.
        hasher_spec: How words find their buckets.
        key_dtype: dtype of the words, string or an integer.
        name: Name scope.
        key_column_index, value_column_index: Columns of words and ids, or a `TextFileIndex`.
        delimiter: What separates columns.

    Raises:
        ValueError: No file, or a negative number of buckets or lines.
        TypeError: The dtype of the words is another.
    """
    _check_file(vocabulary_file)
    key_dtype = tf.as_dtype(key_dtype)
    if num_oov_buckets < 0:
        raise ValueError(f"num_oov_buckets must be greater or equal than 0, got {num_oov_buckets}.")
    if vocab_size is not None and vocab_size < 1:
        named = tf.get_static_value(vocabulary_file) if isinstance(vocabulary_file, tf.Tensor) else vocabulary_file
        raise ValueError(f"vocab_size must be greater than 0, got {vocab_size}. vocabulary_file: {named}")
    _check_keys(num_oov_buckets, key_dtype)
    with tf.name_scope(name, "string_to_index"), tf.name_scope(None, "hash_table"):
        initializer = TextFileIdTableInitializer(
            vocabulary_file, key_column_index, value_column_index, vocab_size, delimiter, "table_init",
            tf.int64 if key_dtype.is_integer else key_dtype,
        )
        return _with_buckets(HashTable(initializer, default_value), num_oov_buckets, hasher_spec, key_dtype)


def index_table_from_tensor(
    vocabulary_list: Any, num_oov_buckets: int = 0, default_value: int = -1, hasher_spec: Any = FastHashSpec,
    dtype: Any = tf.string, name: str | None = None,
) -> Any:
    """A table from words to their places in `vocabulary_list`; other arguments as for `index_table_from_file`.

    Raises:
        ValueError: No words, words of another dtype, or a negative number of buckets.
        TypeError: `dtype` is neither string nor an integer.
    """
    if vocabulary_list is None:
        raise ValueError("vocabulary_list must be specified.")
    dtype = tf.as_dtype(dtype)
    _check_keys(num_oov_buckets, dtype)
    with tf.name_scope(name, "string_to_index"):
        words = tf.convert_to_tensor(vocabulary_list)
        if words.dtype.is_integer != dtype.is_integer:
            expected = "integer" if dtype.is_integer else "non-integer"
            raise ValueError(f"Expected {expected}, got {words.dtype}.")
        if not dtype.is_integer and words.dtype.base_dtype != dtype:
            raise ValueError(f"Expected {dtype}, got {words.dtype}.")
        ids = _numbers_of(words)
        with tf.name_scope(None, "hash_table"):
            keys = tf.cast(words, tf.int64) if words.dtype.is_integer else words
            initializer = tf.lookup.KeyValueTensorInitializer(keys, ids, name="table_init")
            return _with_buckets(HashTable(initializer, default_value), num_oov_buckets, hasher_spec, dtype)


def index_to_string_table_from_file(
    vocabulary_file: Any, vocab_size: int | None = None, default_value: str = "UNK", name: str | None = None,
    key_column_index: int = -1, value_column_index: int = -2, delimiter: str = "\t",
) -> Any:
    """A table from numbers to the words of a file, one a line; `default_value` for other numbers.

    Raises:
        ValueError: No file, or no lines.
    """
    _check_file(vocabulary_file)
    if vocab_size is not None and vocab_size < 1:
        raise ValueError(f"vocab_size must be greater than 0, got {vocab_size}.")
    with tf.name_scope(name, "index_to_string"):
        initializer = TextFileStringTableInitializer(
            vocabulary_file, key_column_index, value_column_index, vocab_size, delimiter, "table_init"
        )
        return HashTable(initializer, default_value)


def index_to_string_table_from_tensor(
    vocabulary_list: Any, default_value: str = "UNK", name: str | None = None
) -> Any:
    """A table from places in `vocabulary_list` to the words there; `default_value` for other places.

    Raises:
        ValueError: No words.
    """
    if vocabulary_list is None:
        raise ValueError("vocabulary_list must be specified.")
    with tf.name_scope(name, "index_to_string"):
        words = tf.convert_to_tensor(vocabulary_list, tf.string)
        initializer = tf.lookup.KeyValueTensorInitializer(_numbers_of(words), words, name="table_init")
        return HashTable(initializer, default_value)

"""Tables from keys to values: fixed ones, filled from tensors or text files, and vocabularies with room for more."""
from __future__ import annotations

import uuid
from typing import Any

from ossia_core.graph.collections import GraphKeys, add_to_collection
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import device, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.source import no_op
from ossia_lookup.tables import (
    hash_table_v2_op,
    initialize_table_from_text_file_v2_op,
    lookup_table_export_v2_op,
    lookup_table_find_v2_op,
    lookup_table_import_v2_op,
    lookup_table_size_v2_op,
)
from ossia_ops.array.selection import where_v2
from ossia_ops.math.arithmetic import add
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import not_equal
from ossia_ops.strings.hashes import string_to_hash_bucket_fast
from ossia_ops.strings.numbers import as_string


class LookupInterface:
    """What all tables have in common.

    Args:
      key_dtype: dtype of the keys.
      value_dtype: dtype of the values.
    """

    def __init__(self, key_dtype: Any, value_dtype: Any) -> None:
        self.key_dtype, self.value_dtype = dtypes.as_dtype(key_dtype), dtypes.as_dtype(value_dtype)

    @property
    def name(self) -> str:
        """Name of the table."""
        raise NotImplementedError

    def size(self, name: str | None = None) -> Tensor:
        """The number of keys in the table."""
        raise NotImplementedError

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The values of keys."""
        raise NotImplementedError


class TableInitializerBase:
    """What fills a table.

    Args:
      key_dtype: dtype of the keys.
      value_dtype: dtype of the values.
    """

    shared_name = ""
    """The name under which sessions share the table."""

    def __init__(self, key_dtype: Any, value_dtype: Any) -> None:
        self.key_dtype, self.value_dtype = dtypes.as_dtype(key_dtype), dtypes.as_dtype(value_dtype)

    def initialize(self, table: Any) -> Any:
        """The op that fills `table`."""
        raise NotImplementedError


class InitializableTable(LookupInterface):
    """A table that is filled once; a subclass makes the table itself.

    Args:
      default_value: the value of keys that are not in the table, a scalar.
      initializer: what fills the table.
    """

    def __init__(self, default_value: Any, initializer: Any) -> None:
        super().__init__(initializer.key_dtype.base_dtype, initializer.value_dtype.base_dtype)
        self.default_value = convert_to_tensor(default_value, dtype=self.value_dtype)
        self.default_value.shape.merge_with(())
        self.resource_handle = self._create_resource()
        self.initializer = initializer.initialize(self)

    def _create_resource(self) -> Tensor:
        """The handle of the table."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        """Name of the table."""
        return self.resource_handle.op.name.split("/")[-1]

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The values of keys.

        Args:
          keys: a tensor or SparseTensor of keys.
          name: name scope.

        Returns:
          A tensor or SparseTensor of values.

        Raises:
          TypeError: the keys are of another dtype.
        """
        flat = keys.values if isinstance(keys, SparseTensor) else keys
        if flat.dtype.base_dtype != self.key_dtype:
            raise TypeError(f"Signature mismatch. Keys must be dtype {self.key_dtype}, got {flat.dtype}.")
        with name_scope(name, f"{self.name}_Lookup", (self.resource_handle, flat, self.default_value)):
            values = lookup_table_find_v2_op(self.resource_handle, flat, self.default_value)
        values.set_shape(flat.shape)
        return SparseTensor(keys.indices, values, keys.dense_shape) if isinstance(keys, SparseTensor) else values

    def size(self, name: str | None = None) -> Tensor:
        """The number of keys in the table."""
        with name_scope(name, f"{self.name}_Size", [self.resource_handle]):
            return lookup_table_size_v2_op(self.resource_handle)


@public("lookup.KeyValueTensorInitializer", "compat.v2.lookup.KeyValueTensorInitializer")
class KeyValueTensorInitializer(TableInitializerBase):
    """Fills a table with keys and values from tensors.

    Args:
      keys: the keys.
      values: as many values.
      key_dtype: dtype of the keys, if `keys` are Python values.
      value_dtype: dtype of the values, if `values` are Python values.
      name: name scope of the op.
    """

    def __init__(self, keys: Any, values: Any, key_dtype: Any = None, value_dtype: Any = None,
                 name: str | None = None) -> None:
        self._keys = convert_to_tensor(keys, dtype=key_dtype, name="keys")
        self._values = convert_to_tensor(values, dtype=value_dtype, name="values")
        self._name = "key_value_init" if name is None else name
        super().__init__(self._keys.dtype, self._values.dtype)

    @property
    def shared_name(self) -> str:  # type: ignore[override]
        """A name that no other table has."""
        return f"hash_table_{uuid.uuid4()}"

    def initialize(self, table: Any) -> Any:
        """The op that fills `table`."""
        with name_scope(self._name, values=(table.resource_handle, self._keys, self._values)):
            fill = lookup_table_import_v2_op(table.resource_handle, self._keys, self._values)
        add_to_collection(GraphKeys.TABLE_INITIALIZERS, fill)
        return fill


@public("lookup.TextFileIndex", "compat.v2.lookup.TextFileIndex")
class TextFileIndex:
    """What to take from a line of a file, besides the number of a column: all of it, or its number from 0."""

    WHOLE_LINE = -2
    LINE_NUMBER = -1


@public("lookup.TextFileInitializer", "compat.v2.lookup.TextFileInitializer")
class TextFileInitializer(TableInitializerBase):
    """Fills a table from the lines of a text file.

    Args:
      filename: path of the file.
      key_dtype: dtype of the keys.
      key_index: a column from 0, or a `TextFileIndex`.
      value_dtype: dtype of the values.
      value_index: a column from 0, or a `TextFileIndex`.
      vocab_size: how many lines to read; all if None.
      delimiter: what separates columns.
      name: name scope of the op.

    Raises:
      ValueError: an index does not fit its dtype.
    """

    def __init__(self, filename: Any, key_dtype: Any, key_index: int, value_dtype: Any, value_index: int,
                 vocab_size: int | None = None, delimiter: str = "\t", name: str | None = None) -> None:
        super().__init__(key_dtype, value_dtype)
        for what, dtype, index in (("Key", self.key_dtype, key_index), ("Value", self.value_dtype, value_index)):
            if index == TextFileIndex.LINE_NUMBER and dtype != dtypes.int64:
                raise ValueError(f"Signature mismatch. {what}s must be dtype {dtypes.int64}, got {dtype}.")
            if what == "Value" and index == TextFileIndex.WHOLE_LINE and dtype != dtypes.string:
                raise ValueError(f"Signature mismatch. {what}s must be dtype {dtypes.string}, got {dtype}.")
            if index < -2:
                raise ValueError(f"Invalid {what.lower()} index {index}.")
        if not isinstance(filename, Tensor) and not filename:
            raise ValueError(f"Filename required for {name}.")
        if vocab_size is not None and vocab_size <= 0:
            raise ValueError(f"Invalid vocab_size {vocab_size}.")
        self._columns: dict[str, Any] = {"key_index": key_index, "value_index": value_index, "delimiter": delimiter,
                         "vocab_size": -1 if vocab_size is None else vocab_size}
        self._name = "text_file_init" if name is None else name
        size = "" if vocab_size is None else f"_{vocab_size}"
        self.shared_name = f"hash_table_{filename}{size}_{key_index}_{value_index}"
        with device("/CPU:*"):
            self._filename = convert_to_tensor(filename, dtype=dtypes.string, name="asset_path")

    def initialize(self, table: Any) -> Any:
        """The op that fills `table`."""
        with name_scope(self._name, "text_file_init", (table.resource_handle,)):
            fill = initialize_table_from_text_file_v2_op(table.resource_handle, self._filename, **self._columns)
        add_to_collection(GraphKeys.TABLE_INITIALIZERS, fill)
        add_to_collection(GraphKeys.ASSET_FILEPATHS, self._filename)
        return fill


@public("lookup.StaticHashTable", "compat.v2.lookup.StaticHashTable")
class StaticHashTable(InitializableTable):
    """A table that is filled once and gives a default value for other keys.

    Args:
      initializer: what fills the table.
      default_value: the value of keys that are not in the table, a scalar.
      name: name of the table.
    """

    def __init__(self, initializer: Any, default_value: Any, name: str | None = None) -> None:
        self._made = initializer.shared_name, name or "hash_table"
        super().__init__(default_value, initializer)

    def _create_resource(self) -> Tensor:
        shared_name, name = self._made
        return hash_table_v2_op(
            shared_name=shared_name, key_dtype=self.key_dtype, value_dtype=self.value_dtype, name=name
        )

    def export(self, name: str | None = None) -> tuple[Tensor, Tensor]:
        """All keys and their values."""
        with name_scope(name, f"{self.name}_Export", [self.resource_handle]):
            keys, values = lookup_table_export_v2_op(self.resource_handle, Tkeys=self.key_dtype,
                                                     Tvalues=self.value_dtype)
        keys.set_shape([None])
        values.set_shape([None])
        return keys, values


@public("lookup.StaticVocabularyTable", "compat.v2.lookup.StaticVocabularyTable")
class StaticVocabularyTable(LookupInterface):
    """A table from words to ids in which words that are not in it have ids too: those of buckets behind its own.

    Args:
      initializer: what fills the table with the ids from 0; None if there are only buckets.
      num_oov_buckets: how many buckets there are.
      lookup_key_dtype: dtype of the keys to look up, string or an integer; that of the initializer by default.
      name: name of the table.

    Raises:
      ValueError: there is no bucket.
      TypeError: the dtypes do not fit.
    """

    def __init__(
        self, initializer: Any, num_oov_buckets: int, lookup_key_dtype: Any = None, name: str | None = None
    ) -> None:
        if num_oov_buckets <= 0:
            raise ValueError("oov_buckets must be > 0.")
        if initializer is not None:
            if initializer.key_dtype != dtypes.string and not initializer.key_dtype.is_integer:
                raise TypeError("Invalid key dtype, expected string or integer, but got "
                                f"{initializer.key_dtype}.")
            if initializer.value_dtype != dtypes.int64:
                raise TypeError(f"Invalid value dtype, expected {dtypes.int64} but got {initializer.value_dtype}.")
        wanted = None if lookup_key_dtype is None else dtypes.as_dtype(lookup_key_dtype)
        self._table, self._buckets = None, num_oov_buckets
        if initializer is None:
            super().__init__(dtypes.string, dtypes.int64)  # whatever dtype was asked for
            self._name = name or "hash_bucket"
            return
        wanted = wanted or initializer.key_dtype
        if wanted.is_integer != initializer.key_dtype.is_integer:
            raise TypeError(f"Invalid key dtype, expected {'integer' if wanted.is_integer else 'non-integer'} but got "
                            f"{initializer.key_dtype}.")
        self._table = StaticHashTable(initializer, default_value=-1)
        super().__init__(wanted, dtypes.int64)
        self._name = name or self._table.name

    @property
    def name(self) -> str:
        """Name of the table."""
        return self._name

    @property
    def resource_handle(self) -> Any:
        """Handle of the table of words, or None."""
        return None if self._table is None else self._table.resource_handle

    @property
    def initializer(self) -> Any:
        """The op that fills the table of words."""
        if self._table is not None:
            return self._table.initializer
        with name_scope(None, "init"):
            return no_op()

    def size(self, name: str | None = None) -> Tensor:
        """The number of ids: of the words in the table and of the buckets."""
        with name_scope(name, f"{self.name}_Size"):
            words = self._table.size() if self._table is not None else constant(0, dtypes.int64)
            return words + self._buckets

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The ids of keys.

        Args:
          keys: a tensor or SparseTensor of keys.
          name: name scope.

        Returns:
          A tensor or SparseTensor of int64 ids.

        Raises:
          TypeError: the keys are of another dtype.
        """
        if keys.dtype.base_dtype != self.key_dtype:
            raise TypeError(f"Signature mismatch. Keys must be dtype {self.key_dtype}, got {keys.dtype}.")
        values = keys.values if isinstance(keys, SparseTensor) else keys
        if self._table is not None and self._table.key_dtype == dtypes.int64:
            values = cast(values, dtypes.int64)
        with name_scope(name, f"{self.name}_Lookup"):
            texts = as_string(values) if values.dtype.is_integer else values
            ids = self._bucket_of(texts)
            if self._table is not None:
                words = self._table.lookup(values)
                beyond = add(ids, self._table.size())
                known = not_equal(words, self._table.default_value)
                ids = where_v2(known, words, beyond)
        return SparseTensor(keys.indices, ids, keys.dense_shape) if isinstance(keys, SparseTensor) else ids

    def _bucket_of(self, texts: Tensor) -> Tensor:
        """The numbers of the buckets of texts."""
        return string_to_hash_bucket_fast(texts, num_buckets=self._buckets, name="hash_bucket")

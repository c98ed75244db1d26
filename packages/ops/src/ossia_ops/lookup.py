"""Tables from keys to values: fixed ones, filled from tensors or text files, and ones that programs change."""
from __future__ import annotations

import uuid
from typing import Any

import numpy as np

from ossia_core import dtypes
from ossia_core.api_table import public
from ossia_core.errors import FailedPreconditionError, InvalidArgumentError, NotFoundError
from ossia_core.graph.collections import GraphKeys, add_to_collection, get_collection
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import device, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.opdef import lookup, op, sample
from ossia_core.primitives.identity import group
from ossia_core.session.state import resource_name
from ossia_core.shape_rules import scalar, unknown

_OPTIONS = dict(container="string = ''", shared_name="string = ''", use_node_name_sharing="bool = false",
                key_dtype="type", value_dtype="type")


class TableState:
    """The entries of one table in one session.

    Args:
      key_dtype: dtype of the keys.
      value_dtype: dtype of the values.
      fixed: whether the table is filled once, before it is read.
    """

    def __init__(self, key_dtype: Any, value_dtype: Any, fixed: bool) -> None:
        self.key_dtype, self.value_dtype, self.fixed = key_dtype, value_dtype, fixed
        self.entries: dict | None = None if fixed else {}

    def filled(self) -> dict:
        """The entries.

        Raises:
          FailedPreconditionError: a fixed table was not filled yet.
        """
        if self.entries is None:
            raise FailedPreconditionError(None, None, "Table not initialized.")
        return self.entries

    def values(self, items: list, shape: tuple) -> Any:
        """`items` as an array of the dtype of values."""
        kind = np.dtype(object) if self.value_dtype == dtypes.string else self.value_dtype.as_numpy_dtype
        result = np.empty(len(items), kind)
        result[:] = items
        return result.reshape(shape)

    def fill(self, pairs: list) -> None:
        """Fills a fixed table.

        Raises:
          InvalidArgumentError: one key comes with different values.
        """
        entries: dict = {}
        for key, value in pairs:
            if entries.setdefault(key, value) != value:
                raise InvalidArgumentError(None, None, f"HashTable has different value for same key. Key {key} has "
                                                       f"{entries[key]} and trying to add value {value}")
        self.entries = entries


def _pairs(keys: Any, values: Any) -> list:
    if keys.shape != values.shape:
        raise InvalidArgumentError(None, None, f"Expected shape {list(keys.shape)} for values, got "
                                               f"{list(values.shape)}")
    return list(zip(keys.reshape(-1).tolist(), values.reshape(-1).tolist(), strict=True))


def _check_keys(table: TableState, keys: Any, values: Any = None) -> None:
    for given, dtype, what in ((keys, table.key_dtype, "key"), (values, table.value_dtype, "value")):
        if given is not None and dtypes.as_dtype(np.asarray(given).dtype) != dtype:
            raise InvalidArgumentError(None, None, f"Expected {what} dtype {dtype.name}, got "
                                                   f"{dtypes.as_dtype(np.asarray(given).dtype).name}")


def _table_of(node: Any, session: Any, fixed: bool) -> TableState:
    attrs = node.attrs
    return session.resource(attrs["container"], resource_name(node), "table",
                            lambda: TableState(attrs["key_dtype"], attrs["value_dtype"], fixed))


hash_table_v2_op = op("HashTableV2() -> table_handle: resource", **_OPTIONS, stateful=True)
hash_table_v2_op.shape(scalar)
hash_table_v2_op.resource(lambda node, session: _table_of(node, session, True))
hash_table_v2_op.not_differentiable()
hash_table_v2_op.samples(plain=sample(key_dtype="string", value_dtype="int64"))

mutable_hash_table_v2_op = op("MutableHashTableV2() -> table_handle: resource", **_OPTIONS, stateful=True)
mutable_hash_table_v2_op.shape(scalar)
mutable_hash_table_v2_op.resource(lambda node, session: _table_of(node, session, False))
mutable_hash_table_v2_op.not_differentiable()
mutable_hash_table_v2_op.samples(plain=sample(key_dtype="int64", value_dtype="float"))

lookup_table_find_v2_op = op("LookupTableFindV2(table_handle: resource, keys: Tin, default_value: Tout) -> "
                             "values: Tout", Tin="type", Tout="type", stateful=True)
lookup_table_find_v2_op.shape(unknown)
lookup_table_find_v2_op.not_differentiable()


@lookup_table_find_v2_op.kernel
def _(table_handle, keys, default_value):
    _check_keys(table_handle, keys, default_value)
    entries, default = table_handle.filled(), np.asarray(default_value)[()]
    return table_handle.values([entries.get(key, default) for key in keys.reshape(-1).tolist()], keys.shape)


lookup_table_size_v2_op = op("LookupTableSizeV2(table_handle: resource) -> size: int64", stateful=True)
lookup_table_size_v2_op.shape(scalar)
lookup_table_size_v2_op.not_differentiable()


@lookup_table_size_v2_op.kernel
def _(table_handle):
    return np.int64(len(table_handle.entries or ()))


lookup_table_import_v2_op = op("LookupTableImportV2(table_handle: resource, keys: Tin, values: Tout)", Tin="type",
                               Tout="type", stateful=True)
initialize_table_v2_op = op("InitializeTableV2(table_handle: resource, keys: Tkey, values: Tval)", Tkey="type",
                            Tval="type", stateful=True)
initialize_table_v2_op.not_differentiable()


def _fill(table_handle, keys, values):
    _check_keys(table_handle, keys, values)
    table_handle.fill(_pairs(keys, values))


lookup_table_import_v2_op.kernel(_fill)
initialize_table_v2_op.kernel(_fill)

lookup_table_export_v2_op = op("LookupTableExportV2(table_handle: resource) -> keys: Tkeys, values: Tvalues",
                               Tkeys="type", Tvalues="type", stateful=True)
lookup_table_export_v2_op.shape(lambda table_handle: (None, None))


@lookup_table_export_v2_op.kernel
def _(table_handle):
    entries = table_handle.filled()
    kind = table_handle.key_dtype
    keys = np.empty(len(entries), object if kind == dtypes.string else kind.as_numpy_dtype)
    keys[:] = list(entries)
    return keys, table_handle.values(list(entries.values()), (len(entries),))


lookup_table_insert_v2_op = op("LookupTableInsertV2(table_handle: resource, keys: Tin, values: Tout)", Tin="type",
                               Tout="type", stateful=True)
lookup_table_insert_v2_op.not_differentiable()


@lookup_table_insert_v2_op.kernel
def _(table_handle, keys, values):
    _check_keys(table_handle, keys, values)
    table_handle.filled().update(_pairs(keys, values))


lookup_table_remove_v2_op = op("LookupTableRemoveV2(table_handle: resource, keys: Tin)", Tin="type", stateful=True)


@lookup_table_remove_v2_op.kernel
def _(table_handle, keys):
    _check_keys(table_handle, keys)
    for key in keys.reshape(-1).tolist():
        table_handle.filled().pop(key, None)


initialize_table_from_text_file_v2_op = op(
    "InitializeTableFromTextFileV2(table_handle: resource, filename: string)", key_index="int >= -2",
    value_index="int >= -2", vocab_size="int >= -1 = -1", delimiter="string = '\t'", stateful=True)
initialize_table_from_text_file_v2_op.not_differentiable()


@initialize_table_from_text_file_v2_op.kernel
def _(table_handle, filename, *, key_index, value_index, vocab_size, delimiter):
    path = np.asarray(filename).reshape(-1)[0].decode()
    try:
        with open(path, "rb") as file:
            lines = file.read().splitlines()
    except OSError as error:
        raise NotFoundError(None, None, f"{path}; {error.strerror}") from None
    if vocab_size > len(lines):
        raise InvalidArgumentError(None, None, f"Invalid vocab_size in {path}: expected {vocab_size} but got "
                                               f"{len(lines)}")
    lines = lines if vocab_size == -1 else lines[:vocab_size]
    if not lines:
        raise InvalidArgumentError(None, None, f"Failed to initialize table from {path}: it is empty")
    table_handle.fill([(_part(line, i, key_index, delimiter, table_handle.key_dtype),
                        _part(line, i, value_index, delimiter, table_handle.value_dtype))
                       for i, line in enumerate(lines)])


def _part(line: bytes, number: int, index: int, delimiter: bytes, dtype: Any) -> Any:
    """What a line of a file says: its number for -1, the whole of it for -2, else one column."""
    if index == -1:
        return number
    if index >= 0:
        columns = line.split(delimiter)
        if index >= len(columns):
            raise InvalidArgumentError(None, None, f"Invalid number of columns in line {number} ({line.decode()}): "
                                                   f"expected {index + 1} got {len(columns)}")
        line = columns[index]
    if dtype == dtypes.string:
        return line
    try:
        return int(line) if dtype.is_integer else float(line)
    except ValueError:
        raise InvalidArgumentError(None, None, f"Field {line.decode()} in line {number} is not a valid "
                                               f"{dtype.name}.") from None


@public("lookup.KeyValueTensorInitializer", "compat.v2.lookup.KeyValueTensorInitializer")
class KeyValueTensorInitializer:
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
        self.key_dtype, self.value_dtype = self._keys.dtype, self._values.dtype

    @property
    def shared_name(self) -> str:
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
class TextFileInitializer:
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
        self.key_dtype, self.value_dtype = dtypes.as_dtype(key_dtype), dtypes.as_dtype(value_dtype)
        for what, dtype, index in (("Key", self.key_dtype, key_index), ("Value", self.value_dtype, value_index)):
            if index == TextFileIndex.LINE_NUMBER and dtype != dtypes.int64:
                raise ValueError(f"Signature mismatch. {what}s must be dtype {dtypes.int64}, got {dtype}.")
            if index < -2:
                raise ValueError(f"Invalid {what.lower()} index {index}.")
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


@public("lookup.StaticHashTable")
class StaticHashTable:
    """A table that is filled once and gives a default value for other keys.

    Args:
      initializer: what fills the table.
      default_value: the value of keys that are not in the table, a scalar.
      name: name of the table.
    """

    def __init__(self, initializer: Any, default_value: Any, name: str | None = None) -> None:
        self.key_dtype, self.value_dtype = initializer.key_dtype.base_dtype, initializer.value_dtype.base_dtype
        self.default_value = convert_to_tensor(default_value, dtype=self.value_dtype)
        self.default_value.shape.merge_with(())
        self.resource_handle = hash_table_v2_op(shared_name=initializer.shared_name, key_dtype=self.key_dtype,
                                                value_dtype=self.value_dtype, name=name or "hash_table")
        self.initializer = initializer.initialize(self)

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

    def export(self, name: str | None = None) -> tuple[Tensor, Tensor]:
        """All keys and their values."""
        with name_scope(name, f"{self.name}_Export", [self.resource_handle]):
            keys, values = lookup_table_export_v2_op(self.resource_handle, Tkeys=self.key_dtype,
                                                     Tvalues=self.value_dtype)
        keys.set_shape([None])
        values.set_shape([None])
        return keys, values


@public("initializers.tables_initializer", "tables_initializer", "initialize_all_tables")
def tables_initializer(name: str = "init_all_tables") -> Any:
    """The op that fills all tables of the default graph.

    Args:
      name: name of the op.
    """
    initializers = get_collection(GraphKeys.TABLE_INITIALIZERS)
    if initializers:
        return group(*initializers, name=name)
    return lookup("NoOp")(name=name)

"""The ops on lookup tables, each in its form by reference (V1) and by handle (V2)."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ossia_core.declare.opdef import OpDef, op, sample
from ossia_core.declare.shape_rules import merge, scalar, vector, with_rank, with_rank_at_most
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.primitives.state import resource_name
from ossia_lookup.table_state import DenseTable, FixedTable, Table
from ossia_ops.strings.vocabulary import refuse_fewer, text_lines

_OPTIONS = dict(container="string = ''", shared_name="string = ''", use_node_name_sharing="bool = false",
                key_dtype="type", value_dtype="type")
_SHAPED = dict(**_OPTIONS, value_shape="shape = { }")
_NUMBERS = ("bool", "float32", "float64", "int32", "int64")
# The kinds of tables that there are: kind -> key dtype -> value dtypes.
_KINDS: dict[str, dict[str, tuple[str, ...]]] = {
    "HashTable": {"string": (*_NUMBERS, "string"), "int64": ("float32", "float64", "int32", "int64", "string"),
                  "int32": ("float32", "float64", "int32", "string")},
    "MutableHashTable": {"string": _NUMBERS, "int64": ("float32", "float64", "int32", "int64", "string"),
                         "int32": ("float32", "float64", "int32")},
    "MutableHashTableOfTensors": {"string": _NUMBERS, "int64": ("float32", "float64", "int32", "int64", "string"),
                                  "int32": ("float32", "float64", "int32")},
    "MutableDenseHashTable": {"string": _NUMBERS, "int64": _NUMBERS, "int32": ("float32", "float64", "int32")},
}


def _both(signature: str, reads: bool = False, **attrs: str) -> tuple[OpDef, OpDef]:
    """Declares an op on a table in both forms; the signature leaves the handle out. `reads`: it changes nothing."""
    name, _, rest = signature.partition("(")
    rest = rest if rest.startswith(")") else ", " + rest
    made = (op(f"{name}(table_handle: Ref(string){rest}", **attrs),
            op(f"{name}V2(table_handle: resource{rest}", stateful=True, **attrs))
    for definition in made:
        definition.reads("table_handle") if reads else definition.changes("table_handle")
        if name not in ("LookupTableExport", "LookupTableImport"):
            definition.not_differentiable()
    return made


def _makers(kind: str, inputs: str = "", more: str = "", **attrs: str) -> tuple[OpDef, OpDef]:
    """Declares the op that makes tables of a kind in both forms."""
    made = (op(f"{kind}({inputs}) -> table_handle: Ref(string)", stateful=True, **attrs),
            op(f"{kind}V2({inputs}{more}) -> table_handle: resource", stateful=True, **attrs))
    made[0].shape(lambda *_: vector(2))
    made[1].shape(scalar)
    for definition in made:
        definition.not_differentiable()
    return made


def _table(node: Any, session: Any, kind: str, make: Any) -> Table:
    attrs = node.attrs
    key, value = attrs["key_dtype"], attrs["value_dtype"]
    if value.name not in _KINDS[kind].get(key.name, ()):
        raise InvalidArgumentError(None, None, f"There is no {kind} from {key.name} to {value.name}")
    table = session.resource(attrs["container"], resource_name(node), "table", make)
    table.name = resource_name(node)
    if (table.key_dtype, table.value_dtype) != (key, value):
        raise InvalidArgumentError(None, None, f"Table {resource_name(node)} is from {table.key_dtype.name} to "
                                               f"{table.value_dtype.name}, not from {key.name} to {value.name}")
    return table


def _resource_of(kind: str, make: Any) -> Any:
    def resource(node: Any, session: Any) -> Table:
        attrs = node.attrs
        return _table(node, session, kind, lambda: make(attrs["key_dtype"], attrs["value_dtype"], attrs))
    return resource


def _vector_shape(attrs: Any) -> tuple:
    shape = attrs["value_shape"]
    if shape.ndims != 1 or not shape.is_fully_defined():
        raise InvalidArgumentError(None, None, "Default value must be a vector, got shape "
                                               f"{dims_text(shape.as_tuple() or ())}")
    return shape.as_tuple()


hash_table_op, hash_table_v2_op = _makers("HashTable", **_OPTIONS)
mutable_hash_table_op, mutable_hash_table_v2_op = _makers("MutableHashTable", **_OPTIONS)
mutable_hash_table_of_tensors_op, mutable_hash_table_of_tensors_v2_op = _makers("MutableHashTableOfTensors", **_SHAPED)
mutable_dense_hash_table_op, mutable_dense_hash_table_v2_op = _makers(
    "MutableDenseHashTable", "empty_key: key_dtype", ", deleted_key: key_dtype", **_SHAPED,
    initial_num_buckets="int = 131072", max_load_factor="float = 0.8")

for _definition in (hash_table_op, hash_table_v2_op):
    _definition.resource(_resource_of("HashTable", lambda key, value, _: FixedTable(key, value)))
hash_table_v2_op.in_any_order()
for _definition in (mutable_hash_table_op, mutable_hash_table_v2_op):
    _definition.resource(_resource_of("MutableHashTable", lambda key, value, _: Table(key, value)))
for _definition in (mutable_hash_table_of_tensors_op, mutable_hash_table_of_tensors_v2_op):
    _definition.resource(_resource_of(
        "MutableHashTableOfTensors", lambda key, value, attrs: Table(key, value, _vector_shape(attrs))))


def _dense_kernel(node: Any, *, session: Any) -> Any:
    attrs = node.attrs

    def kernel(empty_key: Any, deleted_key: Any = None) -> Table:
        return _table(node, session, "MutableDenseHashTable", lambda: DenseTable(
            attrs["key_dtype"], attrs["value_dtype"], attrs["value_shape"].as_tuple(), empty_key, deleted_key,
            attrs["initial_num_buckets"], attrs["max_load_factor"]))
    return kernel


for _definition in (mutable_dense_hash_table_op, mutable_dense_hash_table_v2_op):
    _definition.kernel_for(_dense_kernel)
    _definition.makes()
hash_table_v2_op.samples(plain=sample(key_dtype="string", value_dtype="int64"))
mutable_hash_table_v2_op.samples(plain=sample(key_dtype="int64", value_dtype="float"))
mutable_hash_table_of_tensors_v2_op.samples(plain=sample(key_dtype="int64", value_dtype="float", value_shape=[2]))
mutable_dense_hash_table_v2_op.samples(plain=sample(np.int64(0), np.int64(-1), value_dtype="int64"))


lookup_table_find_op, lookup_table_find_v2_op = _both(
    "LookupTableFind(keys: Tin, default_value: Tout) -> values: Tout", reads=True, Tin="type", Tout="type")
lookup_table_insert_op, lookup_table_insert_v2_op = _both(
    "LookupTableInsert(keys: Tin, values: Tout)", Tin="type", Tout="type")
lookup_table_size_op, lookup_table_size_v2_op = _both("LookupTableSize() -> size: int64", reads=True)
lookup_table_export_op, lookup_table_export_v2_op = _both(
    "LookupTableExport() -> keys: Tkeys, values: Tvalues", reads=True, Tkeys="type", Tvalues="type")
lookup_table_import_op, lookup_table_import_v2_op = _both(
    "LookupTableImport(keys: Tin, values: Tout)", Tin="type", Tout="type")
initialize_table_op, initialize_table_v2_op = _both(
    "InitializeTable(keys: Tkey, values: Tval)", Tkey="type", Tval="type")
initialize_table_from_text_file_op, initialize_table_from_text_file_v2_op = _both(
    "InitializeTableFromTextFile(filename: string)", key_index="int >= -2", value_index="int >= -2",
    vocab_size="int >= -1 = -1", delimiter="string = '\t'")
lookup_table_remove_v2_op = op("LookupTableRemoveV2(table_handle: resource, keys: Tin)", Tin="type", stateful=True)
lookup_table_remove_v2_op.changes("table_handle")


_SHAPED_MAKERS = ("MutableHashTableV2", "MutableHashTableOfTensorsV2", "MutableDenseHashTableV2")


def _maker_of(handle: Any) -> tuple[Any, tuple, int] | None:
    """The op that makes a table by handle whose shapes are known, the shape of a value, and the rank of a key."""
    maker = getattr(handle, "op", None)
    if maker is None or maker.type not in _SHAPED_MAKERS:
        return None
    shape = maker.attrs.get("value_shape")
    inner = () if shape is None else shape.as_tuple()
    rank = maker.inputs[0].shape.ndims if maker.inputs else 0
    return None if inner is None or rank is None else (maker, inner, rank)


def _find_shape(table_handle: Any, keys: Any, default_value: Any) -> Any:
    with_rank_at_most(default_value, 1)
    found = _maker_of(table_handle)
    if found is None:
        return None
    maker, inner, rank = found
    for given, dtype in ((keys, maker.attrs["key_dtype"]), (default_value, maker.attrs["value_dtype"])):
        if given.dtype.base_dtype != dtype:
            raise ValueError("Trying to read value with wrong dtype. Expected "
                             f"{dtype.name} got {given.dtype.base_dtype.name}")
    if keys.shape.ndims is None:
        return None
    dims, suffix = keys.shape.as_list(), maker.inputs[0].shape.as_list() if maker.inputs else []
    if rank and (len(dims) < rank or any(a is not None and b is not None and a != b
                                         for a, b in zip(dims[-rank:], suffix, strict=True))):
        raise ValueError(f"Expected keys to have suffix {suffix} but saw shape: {keys.shape}")
    return TensorShape([*dims[:len(dims) - rank], *inner])


def _export_shape(table_handle: Any, *, Tkeys: Any, Tvalues: Any) -> Any:
    maker = getattr(table_handle, "op", None)
    if maker is None or maker.type not in _SHAPED_MAKERS:
        return vector(None), None
    for given, dtype in ((Tkeys, maker.attrs["key_dtype"]), (Tvalues, maker.attrs["value_dtype"])):
        if given != dtype:
            raise ValueError(f"Trying to read value with wrong dtype. Expected {dtype.name} got {given.name}")
    shape = maker.attrs.get("value_shape")
    inner = TensorShape([]) if shape is None else shape
    return vector(None), TensorShape([None]).concatenate(inner)


def _filled_shape(table_handle: Any, keys: Any, values: Any) -> None:
    with_rank(keys, 1)
    if keys.shape.ndims is not None and values.shape.ndims is not None:
        with_rank(values, 1)
        merge(keys, TensorShape((values.shape.as_list() or [None])[:1]))


for _definition in (lookup_table_find_op, lookup_table_find_v2_op):
    _definition.shape(_find_shape)
for _definition in (lookup_table_size_op, lookup_table_size_v2_op):
    _definition.shape(scalar)
for _definition in (lookup_table_export_op, lookup_table_export_v2_op):
    _definition.shape(_export_shape)


def _find(table_handle, keys, default_value):
    table_handle.check_dtypes(keys, default_value)
    return table_handle.find(np.asarray(keys), default_value)


def _insert(table_handle, keys, values):
    table_handle.check_dtypes(keys, values)
    table_handle.insert(np.asarray(keys), np.asarray(values))


def _fill(table_handle, keys, values):
    table_handle.check_dtypes(keys, values)
    table_handle.fill(np.asarray(keys), np.asarray(values))


def _initialize(table_handle, keys, values):
    if np.ndim(keys) != 1:
        raise InvalidArgumentError(None, None, f"Keys must be a vector, but received shape {dims_text(np.shape(keys))}")
    if not isinstance(table_handle, FixedTable):
        table_handle.initialize([])
    _fill(table_handle, keys, values)


def _export(table_handle, *, Tkeys, Tvalues):
    if (Tkeys, Tvalues) != (table_handle.key_dtype, table_handle.value_dtype):
        raise InvalidArgumentError(None, None, f"The table is from {table_handle.key_dtype.name} to "
                                               f"{table_handle.value_dtype.name}")
    return table_handle.export()


@lookup_table_remove_v2_op.kernel
def _(table_handle, keys):
    table_handle.check_dtypes(keys)
    table_handle.remove(np.asarray(keys))


def _from_text_file(table_handle, filename, *, key_index, value_index, vocab_size, delimiter):
    if np.size(filename) != 1:
        raise InvalidArgumentError(None, None, "filename should be a single string, got shape "
                                               f"{dims_text(np.shape(filename))}")
    path = np.asarray(filename, object).reshape(-1)[0].decode(errors="surrogateescape")
    if len(delimiter) != 1:
        raise InvalidArgumentError(None, None, "delimiter should be only 1 char")
    for what, index, dtype in (("Key", key_index, table_handle.key_dtype),
                               ("Value", value_index, table_handle.value_dtype)):
        for meaning, number, needed in (("line number", -1, dtypes.int64), ("whole line", -2, dtypes.string)):
            if index == number and dtype != needed and not (what == "Key" and index == -2 and dtype.is_integer):
                raise InvalidArgumentError(None, None, f"{what} index for {meaning} requires table {what.lower()} "
                                                       f"dtype of {needed.name}, got {dtype.name}")
    lines = text_lines(path, vocab_size)
    last = max(key_index, value_index)  # what the original says it expected is the index, not the number

    def pairs() -> Iterator[tuple]:
        for i, line in enumerate(lines):
            if last >= 0 and last >= line.count(delimiter) + 1:
                shown = line[:200].decode(errors="replace")
                raise InvalidArgumentError(None, None, f"Invalid number of columns in {path} line {i} ({shown}) : "
                                                       f"expected {last} got {line.count(delimiter) + 1}")
            yield (_part(line, i, key_index, delimiter, table_handle.key_dtype),
                   _part(line, i, value_index, delimiter, table_handle.value_dtype))
        refuse_fewer(path, lines, vocab_size)

    table_handle.initialize(pairs())


def _part(line: bytes, number: int, index: int, delimiter: bytes, dtype: Any) -> Any:
    """What a line of a file says: its number for -1, the whole of it for -2, else one column."""
    if index == -1:
        return number
    if index >= 0:
        line = line.split(delimiter)[index]
    if dtype == dtypes.string:
        return line
    try:
        value = int(line) if dtype.is_integer else float(line)
        if dtype.is_integer and not dtype.min <= value <= dtype.max:
            raise ValueError(value)
        return dtype.as_numpy_dtype(value).item()
    except ValueError:
        shown = line[:200].decode(errors="replace")
        raise InvalidArgumentError(
            None, None, f"Field {shown} in line {number} is not a valid {dtype.name}.") from None


for _kernel, _definitions in (
    (_find, (lookup_table_find_op, lookup_table_find_v2_op)),
    (_insert, (lookup_table_insert_op, lookup_table_insert_v2_op)),
    (lambda table_handle: np.int64(table_handle.size()), (lookup_table_size_op, lookup_table_size_v2_op)),
    (_export, (lookup_table_export_op, lookup_table_export_v2_op)),
    (_fill, (lookup_table_import_op, lookup_table_import_v2_op)),
    (_initialize, (initialize_table_op, initialize_table_v2_op)),
    (_from_text_file, (initialize_table_from_text_file_op, initialize_table_from_text_file_v2_op)),
):
    for _definition in _definitions:
        _definition.kernel(_kernel)
for _definition in (lookup_table_import_v2_op, initialize_table_op, initialize_table_v2_op):
    _definition.shape(_filled_shape)
for _definition in (initialize_table_from_text_file_op, initialize_table_from_text_file_v2_op):
    _definition.shape(lambda table_handle, filename: with_rank(filename, 0) and None)

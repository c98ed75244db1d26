"""Samples of the ops on lookup tables: each makes a table, fills it and looks at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import Steps, lookup, sample, steps

_KEYS, _VALUES = np.array([3, 5, 3, -1]), np.array([1, 2, 4, 8], np.float32)
_WORDS = np.array([b"a", b"", b"cc"], object)
_FILE = {"words.txt": b"a\t1\nb\t22\r\ncc\t-3\n", "blank.txt": b"", "gap.txt": b"a\n\nb\n"}


def _forms(name: str) -> tuple[Any, Any]:
    """The ops of a name by reference and by handle, as functions."""
    import ossia as tf

    return getattr(tf.raw_ops, name), getattr(tf.raw_ops, f"{name}V2")


class _Maker:
    """Makes a table in one of the two forms, and ops on it."""

    def __init__(self, by_handle: bool, kind: str, key: str, value: str, **more: Any) -> None:
        self.by_handle = by_handle
        for name in [name for name in ("deleted_key",) if name in more and not by_handle]:
            del more[name]
        dtypes = {"value_dtype": value} if kind == "MutableDenseHashTable" else {"key_dtype": key, "value_dtype": value}
        self.handle = _forms(kind)[by_handle](**dtypes, **more)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def build(**inputs: Any) -> Any:
            return _forms(name)[self.by_handle](table_handle=self.handle, **inputs)

        return build


def _in_both(name: str, **table: Callable[..., Any]) -> None:
    """Adds stories that take the form (by handle or not) to both forms of an op."""
    for by_handle, suffix in ((False, ""), (True, "V2")):
        lookup(name + suffix).samples(**{reason: _story(make, by_handle) for reason, make in table.items()})


def _story(make: Callable[..., Any], by_handle: bool) -> Steps:
    if make.__code__.co_argcount == 1:
        return steps(lambda: make(by_handle), getattr(make, "files", None))
    return steps(lambda given: make(by_handle, given), getattr(make, "files", None))


def _with_files(make: Callable[..., Any]) -> Callable[..., Any]:
    make.files = _FILE  # type: ignore[attr-defined]
    return make


# -- tables that are filled once ----------------------------------------------------------------------------


def _filled(by_handle: bool, given: Any) -> Any:
    table = _Maker(by_handle, "HashTable", "string", "int64")
    yield table.InitializeTable(keys=given(_WORDS), values=given(np.array([1, -2, 3])))
    yield table.LookupTableSize()
    yield table.LookupTableFind(keys=given([[b"a", b"b"], [b"cc", b""]]), default_value=given(np.int64(-1)))
    yield table.LookupTableExport(Tkeys="string", Tvalues="int64")[0].op


def _filled_again(by_handle: bool) -> Any:
    import ossia as tf

    table = _Maker(by_handle, "HashTable", "int64", "string")
    yield table.InitializeTable(keys=tf.constant([1, 2], tf.int64), values=tf.constant(["x", "y"]))
    yield table.InitializeTable(keys=tf.constant([3, 4], tf.int64), values=tf.constant(["x", "y"]))


def _filled_twice_alike(by_handle: bool) -> Any:
    import ossia as tf

    table = _Maker(by_handle, "HashTable", "int64", "float")
    fill = table.InitializeTable(keys=tf.constant([1, 2], tf.int64), values=tf.constant([1.5, -2.0]))
    yield from (fill, fill)
    yield table.LookupTableFind(keys=tf.constant([[2], [7]], tf.int64), default_value=tf.constant(0.0))


def _filled_with(keys: Any, values: Any, key: str = "int64", value: str = "float") -> Callable[..., Any]:
    def filled(by_handle: bool, given: Any) -> Any:
        table = _Maker(by_handle, "HashTable", key, value)
        yield table.InitializeTable(keys=given(keys), values=given(values))
        yield table.LookupTableSize()

    return filled


def _unfilled(what: str) -> Callable[..., Any]:
    def unfilled(by_handle: bool) -> Any:
        import ossia as tf

        table = _Maker(by_handle, "HashTable", "int64", "float")
        if what == "LookupTableFind":
            yield table.LookupTableFind(keys=tf.constant([1], tf.int64), default_value=tf.constant(0.0))
        elif what == "LookupTableExport":
            yield table.LookupTableExport(Tkeys="int64", Tvalues="float")
        else:
            yield table.LookupTableSize()

    return unfilled


def _imported_into_fixed(by_handle: bool) -> Any:
    import ossia as tf

    table = _Maker(by_handle, "HashTable", "int64", "float")
    yield table.LookupTableImport(keys=tf.constant([1], tf.int64), values=tf.constant([1.0]))
    yield table.LookupTableSize()


def _inserted_into_fixed(by_handle: bool) -> Any:
    import ossia as tf

    table = _Maker(by_handle, "HashTable", "int64", "float")
    yield table.LookupTableInsert(keys=tf.constant([1], tf.int64), values=tf.constant([1.0]))


_in_both("HashTable", filled=_filled)
_in_both(
    "InitializeTable",
    twice_alike=_filled_twice_alike,
    refused_none=_filled_with(np.zeros(0, np.int64), np.zeros(0, "f4")),
    alike=_filled_with(np.array([1, 1]), np.array([2, 2], "f4")),
    twice=_filled_again,
    refused_conflict=_filled_with(np.array([1, 1]), np.array([2, 3], "f4")),
    refused_lengths=_filled_with(np.array([1, 2]), np.array([2], "f4")),
    refused_matrix=_filled_with(np.array([[1, 2]]), np.array([[2, 3]], "f4")),
    refused_keys=_filled_with(np.array([1, 2], np.int32), np.array([2, 3], "f4")),
    refused_values=_filled_with(np.array([1, 2]), np.array([2, 3], "f8")),
    refused_kind=_filled_with(np.array([1, 2], "f4"), np.array([2, 3], "f4"), "float"),
)


def _from_file(name: str, key: str, value: str, **columns: Any) -> Callable[..., Any]:
    @_with_files
    def filled(by_handle: bool, given: Any) -> Any:
        table = _Maker(by_handle, "HashTable", key, value)
        yield table.InitializeTableFromTextFile(filename=given(name), **columns)
        yield table.LookupTableSize()
        keys = [b"a", b"22", b"b\t22", b"cc\t-3"] if key == "string" else [0, 2, 22, -3]
        missing = {"string": b"?", "float": 0.5}.get(value, -7)
        yield table.LookupTableFind(keys=given(keys, key), default_value=given(missing, value))

    return filled


_in_both(
    "InitializeTableFromTextFile",
    numbers=_from_file("words.txt", "string", "int64", key_index=-2, value_index=-1),
    lines=_from_file("words.txt", "int64", "string", key_index=-1, value_index=-2),
    columns=_from_file("words.txt", "string", "int64", key_index=0, value_index=1),
    swapped=_from_file("words.txt", "int64", "string", key_index=1, value_index=0),
    floats=_from_file("words.txt", "string", "float", key_index=0, value_index=1),
    first=_from_file("words.txt", "string", "int64", key_index=-2, value_index=-1, vocab_size=2),
    refused_missing=_from_file("none.txt", "string", "int64", key_index=-2, value_index=-1),
    refused_blank=_from_file("blank.txt", "string", "int64", key_index=-2, value_index=-1),
    refused_gap=_from_file("gap.txt", "string", "int64", key_index=-2, value_index=-1),
    refused_size=_from_file("words.txt", "string", "int64", key_index=-2, value_index=-1, vocab_size=9),
    refused_column=_from_file("words.txt", "string", "int64", key_index=0, value_index=2),
    refused_number=_from_file("words.txt", "int64", "string", key_index=0, value_index=1),
    refused_line_kind=_from_file("words.txt", "string", "int64", key_index=-1, value_index=-2),
    refused_delimiter=_from_file("words.txt", "string", "int64", key_index=0, value_index=1, delimiter="ab"),
    refused_names=_from_file(["words.txt", "gap.txt"], "string", "int64", key_index=-2, value_index=-1),  # type: ignore[arg-type]
)


# -- tables that change -------------------------------------------------------------------------------------


def _changed(by_handle: bool, given: Any) -> Any:
    import ossia as tf

    table = _Maker(by_handle, "MutableHashTable", "int64", "float")
    yield table.LookupTableSize()
    yield table.LookupTableInsert(keys=given(_KEYS), values=given(_VALUES))
    yield table.LookupTableSize()
    yield table.LookupTableFind(keys=given(np.array([[3, 4], [5, -1]])), default_value=given(np.float32(0.5)))
    yield table.LookupTableImport(keys=given(np.array([7])), values=given(np.array([0.25], np.float32)))
    yield table.LookupTableExport(Tkeys=tf.int64, Tvalues=tf.float32)
    yield table.LookupTableFind(keys=given(np.array([3, 7])), default_value=given(np.float32(0.5)))


def _words(by_handle: bool) -> Any:
    import ossia as tf

    table = _Maker(by_handle, "MutableHashTable", "string", "bool")
    yield table.LookupTableInsert(keys=tf.constant([["a"], ["b"]]), values=tf.constant([[True], [False]]))
    yield table.LookupTableFind(keys=tf.constant(["b", "c", "a"]), default_value=tf.constant(True))
    yield table.LookupTableInsert(keys=tf.constant("b"), values=tf.constant(True))
    yield table.LookupTableFind(keys=tf.constant("b"), default_value=tf.constant(False))


def _rows(by_handle: bool, given: Any) -> Any:
    import ossia as tf

    table = _Maker(by_handle, "MutableHashTableOfTensors", "int64", "int32", value_shape=[2])
    yield table.LookupTableInsert(keys=given(np.array([1, 2])), values=given(np.array([[1, 2], [3, 4]], np.int32)))
    yield table.LookupTableFind(keys=given(np.array([[2], [9]])), default_value=given(np.array([-1, -2], np.int32)))
    yield table.LookupTableSize()
    keys, values = table.LookupTableExport(Tkeys=tf.int64, Tvalues=tf.int32)
    yield [tf.sort(keys), tf.reduce_sum(values, 0)]  # in no order that is promised


def _changed_with(kind: str, keys: Any, values: Any, **more: Any) -> Callable[..., Any]:
    def changed(by_handle: bool, given: Any) -> Any:
        table = _Maker(by_handle, kind, "int64", "float", **more)
        yield table.LookupTableInsert(keys=given(keys), values=given(values))
        yield table.LookupTableSize()

    return changed


def _found_with(keys: Any, default: Any, kind: str = "MutableHashTable", **more: Any) -> Callable[..., Any]:
    def found(by_handle: bool, given: Any) -> Any:
        table = _Maker(by_handle, kind, "int64", "float", **more)
        yield table.LookupTableFind(keys=given(keys), default_value=given(default))

    return found


def _imported_with(keys: Any, values: Any, kind: str = "MutableHashTable", **more: Any) -> Callable[..., Any]:
    def imported(by_handle: bool, given: Any) -> Any:
        table = _Maker(by_handle, kind, "int64", "float", **more)
        yield table.LookupTableImport(keys=given(keys), values=given(values))
        yield table.LookupTableSize()

    return imported


def _exported_as(key: str, value: str) -> Callable[..., Any]:
    def exported(by_handle: bool) -> Any:
        yield _Maker(by_handle, "MutableHashTable", "int64", "float").LookupTableExport(Tkeys=key, Tvalues=value)

    return exported


def _initialized_mutable(by_handle: bool) -> Any:
    import ossia as tf

    table = _Maker(by_handle, "MutableHashTable", "int64", "float")
    yield table.InitializeTable(keys=tf.constant([1], tf.int64), values=tf.constant([1.0]))


_PAIR: dict[str, Any] = {"kind": "MutableHashTableOfTensors", "value_shape": [2]}
_DENSE: dict[str, Any] = {
    "kind": "MutableDenseHashTable",
    "empty_key": np.int64(0),
    "deleted_key": np.int64(-1),
    "value_shape": [],
    "initial_num_buckets": 4,
}
_in_both("MutableHashTable", changed=_changed, words=_words)
_in_both("MutableHashTableOfTensors", rows=_rows)
_in_both(
    "LookupTableFind",
    none=_found_with(np.zeros((0, 2), np.int64), np.float32(1)),
    refused_unset=_unfilled("LookupTableFind"),
    refused_keys=_found_with(np.array([1], np.int32), np.float32(1)),
    refused_default=_found_with(np.array([1]), np.float64(1)),
    refused_vector=_found_with(np.array([1, 2]), np.ones(2, np.float32)),
    refused_matrix=_found_with(np.array([1, 2]), np.ones((1, 2), np.float32)),
    refused_width=_found_with(np.array([1, 2]), np.ones(3, np.float32), **_PAIR),
    refused_dense_default=_found_with(np.array([1, 2]), np.ones(3, np.float32), **_DENSE),
    refused_empty_key=_found_with(np.array([0]), np.float32(1), **_DENSE),
)
_in_both(
    "LookupTableInsert",
    none=_changed_with("MutableHashTable", np.zeros(0, np.int64), np.zeros(0, np.float32)),
    nan=_changed_with("MutableHashTable", np.array([1]), np.array([np.nan], np.float32)),
    refused_fixed=_inserted_into_fixed,
    refused_lengths=_changed_with("MutableHashTable", _KEYS, _VALUES[:2]),
    refused_keys=_changed_with("MutableHashTable", _KEYS.astype("i4"), _VALUES),
    refused_values=_changed_with("MutableHashTable", _KEYS, _VALUES.astype("f8")),
    refused_width=_changed_with(keys=_KEYS, values=np.ones((4, 3), np.float32), **_PAIR),
    refused_flat=_changed_with(keys=_KEYS, values=_VALUES, **_PAIR),
    refused_empty_key=_changed_with(keys=np.array([3, 0]), values=np.ones(2, np.float32), **_DENSE),
    refused_dense_lengths=_changed_with(keys=np.array([3, 4]), values=np.ones(3, np.float32), **_DENSE),
)
_in_both(
    "LookupTableImport",
    none=_imported_with(np.zeros(0, np.int64), np.zeros(0, np.float32)),
    fixed=_imported_into_fixed,
    refused_lengths=_imported_with(_KEYS, _VALUES[:2]),
    refused_keys=_imported_with(_KEYS.astype("i4"), _VALUES),
    refused_buckets=_imported_with(np.array([3, 4, 5]), np.ones(3, np.float32), **_DENSE),
)
_in_both(
    "LookupTableExport",
    empty=_exported_as("int64", "float"),
    refused_keys=_exported_as("string", "float"),
    refused_values=_exported_as("int64", "double"),
    unset=_unfilled("LookupTableExport"),
)
_in_both("LookupTableSize", unset=_unfilled("LookupTableSize"))
_MATRIX = _imported_with(_KEYS.reshape(2, 2), _VALUES.reshape(2, 2))
lookup("LookupTableImport").samples(matrix=_story(_MATRIX, False))
lookup("LookupTableImportV2").samples(refused_matrix=_story(_MATRIX, True))
lookup("LookupTableInsertV2").samples(
    refused_deleted_key=_story(_changed_with(keys=np.array([3, -1]), values=np.ones(2, np.float32), **_DENSE), True)
)
_TENSORS = _imported_with(np.array([4]), np.array([[0, 7]], np.float32), **_PAIR)
lookup("LookupTableImport").samples(rows=_story(_TENSORS, False))
lookup("LookupTableImportV2").samples(refused_rows=_story(_TENSORS, True))
lookup("InitializeTable").samples(refused_mutable=_story(_initialized_mutable, False))


# -- tables of buckets ----------------------------------------------------------------------------------------


def _buckets(by_handle: bool, given: Any) -> Any:
    import ossia as tf

    table = _Maker(
        by_handle,
        "MutableDenseHashTable",
        "int64",
        "int64",
        empty_key=given(np.int64(0)),
        deleted_key=given(np.int64(-1)),
        initial_num_buckets=4,
    )
    yield table.LookupTableInsert(keys=given(np.array([11, 12, 13, 14, 12])), values=given(np.array([1, 2, 3, 4, 5])))
    yield table.LookupTableSize()
    if by_handle:
        yield tf.raw_ops.LookupTableRemoveV2(table_handle=table.handle, keys=given(np.array([12, 99])))
    yield table.LookupTableFind(keys=given(np.array([11, 12, 15])), default_value=given(np.int64(-9)))
    keys, values = table.LookupTableExport(Tkeys=tf.int64, Tvalues=tf.int64)
    yield [tf.reshape(keys, [-1]), tf.reshape(values, [-1])]  # of other shapes than the static ones


def _bucket_rows(by_handle: bool) -> Any:
    import ossia as tf

    table = _Maker(
        by_handle,
        "MutableDenseHashTable",
        "int64",
        "float",
        empty_key=tf.constant([0, 0], tf.int64),
        deleted_key=tf.constant([-1, -1], tf.int64),
        value_shape=[3],
        initial_num_buckets=4,
    )
    yield table.LookupTableInsert(keys=tf.constant([[1, 2], [0, 1]], tf.int64), values=tf.ones([2, 3]))
    yield table.LookupTableFind(keys=tf.constant([[0, 1], [5, 5]], tf.int64), default_value=tf.zeros([3]))
    yield table.LookupTableSize()


def _bad_buckets(**options: Any) -> Steps:
    def made() -> Any:
        import ossia as tf

        options.setdefault("empty_key", np.int64(0))
        options.setdefault("deleted_key", np.int64(-1))
        table = tf.raw_ops.MutableDenseHashTableV2(value_dtype="float", **options)
        yield tf.raw_ops.LookupTableSizeV2(table_handle=table)

    return steps(made)


_in_both("MutableDenseHashTable", buckets=_buckets, rows=_bucket_rows)
lookup("MutableDenseHashTableV2").samples(
    refused_buckets=_bad_buckets(initial_num_buckets=3),
    refused_load=_bad_buckets(max_load_factor=1.5),
    refused_same=_bad_buckets(deleted_key=np.int64(0)),
    refused_shapes=_bad_buckets(deleted_key=np.array([-1])),
    refused_none=_bad_buckets(initial_num_buckets=0),
)


def _removed(given: Any) -> Any:
    import ossia as tf

    table = _Maker(True, "MutableHashTable", "int64", "float")
    yield table.LookupTableInsert(keys=given(_KEYS), values=given(_VALUES))
    yield tf.raw_ops.LookupTableRemoveV2(table_handle=table.handle, keys=given(np.array([3, 100, -1])))
    yield table.LookupTableExport(Tkeys=tf.int64, Tvalues=tf.float32)


def _removed_from(kind: str, keys: Any, **more: Any) -> Steps:
    def removed(given: Any) -> Any:
        import ossia as tf

        table = _Maker(True, kind, "int64", "float", **more)
        yield tf.raw_ops.LookupTableRemoveV2(table_handle=table.handle, keys=given(keys))
        yield table.LookupTableSize()

    return steps(removed)


lookup("LookupTableRemoveV2").samples(
    some=steps(_removed),
    none=_removed_from("MutableHashTable", np.zeros(0, np.int64)),
    refused_keys=_removed_from("MutableHashTable", np.zeros(1, np.int32)),
    refused_fixed=_removed_from("HashTable", np.zeros(1, np.int64)),
    refused_empty_key=_removed_from(keys=np.array([0]), **_DENSE),
    refused_deleted_key=_removed_from(keys=np.array([-1]), **_DENSE),
)
lookup("HashTableV2").samples(refused_kind=sample(key_dtype="float", value_dtype="int64"))

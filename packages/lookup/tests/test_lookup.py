"""Lookup tables: graphs as the original's, and what sessions find in them."""
import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests

test_graphs = golden_tests(__file__, "lookup_cases.py")


def found(fetches, init=True):
    with tf.Session() as session:
        if init:
            session.run(tf.tables_initializer())
        return session.run(fetches)


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def static_table(keys=("a", "b"), values=(1, 2)):
    return tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(list(keys), tf.constant(list(values), tf.int64)), -1)


def test_pairs():
    table = static_table()
    values, size = found([table.lookup(tf.constant([["b", "z"], ["a", "b"]])), table.size()])
    assert values.tolist() == [[2, -1], [1, 2]]
    assert values.dtype == "int64"
    assert size == 2


def test_names():
    table = static_table()
    values = table.lookup(tf.constant(["a"]))
    assert values.op.name == "hash_table_Lookup/LookupTableFindV2"
    assert table.initializer.name == "key_value_init/LookupTableImportV2"
    assert values.shape.as_list() == [1]


def test_sparse_keys():
    values = found(static_table().lookup(tf.SparseTensor([[0, 1]], ["b"], [1, 2])))
    assert values.values.tolist() == [2]
    assert values.indices.tolist() == [[0, 1]]


def test_export():
    keys, values = found(static_table().export())
    assert sorted(zip(keys.tolist(), values.tolist(), strict=True)) == [(b"a", 1), (b"b", 2)]


def test_lines_of_a_file(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("emerson 10\nlake 20\npalmer 30\n")
    columns = tf.lookup.TextFileInitializer(str(path), tf.string, 0, tf.int64, 1, delimiter=" ")
    lines = tf.lookup.TextFileInitializer(str(path), tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64,
                                          tf.lookup.TextFileIndex.LINE_NUMBER)
    keys = tf.constant(["lake", "lake 20"])
    first, second = found([tf.lookup.StaticHashTable(init, -1).lookup(keys) for init in (columns, lines)])
    assert first.tolist() == [20, -1]
    assert second.tolist() == [-1, 1]


def test_not_filled():
    with pytest.raises(tf.errors.FailedPreconditionError, match="Table not initialized"):
        found(static_table().lookup(tf.constant(["a"])), init=False)


def test_one_key_with_two_values():
    static_table(("a", "a"))
    with pytest.raises(tf.errors.FailedPreconditionError, match="different value for same key"):
        found([])


def test_whole_lines_are_strings():
    index = tf.lookup.TextFileIndex
    with pytest.raises(ValueError, match="Signature mismatch. Values must be dtype"):
        tf.lookup.TextFileInitializer("words.txt", tf.string, index.LINE_NUMBER + 2, tf.int64, index.WHOLE_LINE)

"""Tables of words as programs make them with `lookup_ops`: 1.15's ids, nodes and refusals."""

import pytest

import ossia as tf
from ossia_lookup.dense_table import MutableHashTable
from ossia_tensorflow_paths.python.ops import lookup_ops as vocabularies


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.fixture
def words(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("to\nbe\nor\n")
    return str(path)


def values(*fetches):
    with tf.Session() as session:
        session.run(tf.tables_initializer())
        return [value.tolist() for value in session.run(list(fetches))]


def test_words_of_a_file(words):
    table = vocabularies.index_table_from_file(words, default_value=7)
    assert table.name == "hash_table" and table.init is table.initializer
    assert values(table.lookup(tf.constant(["or", "not"])), table.size()) == [[2, 7], 3]
    few = vocabularies.index_table_from_file(words, vocab_size=2)
    assert values(few.lookup(tf.constant(["be", "or"]))) == [[1, -1]]


def test_buckets(words):
    fast = vocabularies.index_table_from_file(words, num_oov_buckets=2)
    strong = vocabularies.index_table_from_file(words, 3, hasher_spec=vocabularies.StrongHashSpec([1, 2]))
    keys = tf.constant(["x", "q", "b", "to"])
    assert values(fast.lookup(keys), fast.size()) == [[3, 4, 3, 0], 5]
    assert [op.type for op in strong.lookup(keys).graph.get_operations()].count("StringToHashBucketStrong") == 1
    assert values(vocabularies.IdTableWithHashBuckets(None, 3).lookup(keys)) == [[2, 2, 1, 1]]


def test_words_of_a_tensor(graph):
    ids = vocabularies.index_table_from_tensor(["a", "b"], num_oov_buckets=1, name="words").lookup(tf.constant(["b"]))
    assert ids.name == "hash_table_Lookup/SelectV2:0"
    made = ["words/Const", "words/Size", "words/range/start", "words/range/delta", "words/range", "words/Cast",
            "words/hash_table/Const", "words/hash_table/hash_table", "words/hash_table/table_init/LookupTableImportV2"]
    assert [op.name for op in graph.get_operations()][:9] == made
    numbers = vocabularies.index_table_from_tensor(tf.constant([30, 40]), 1, dtype=tf.int32)
    assert values(ids, numbers.lookup(tf.constant([40, 5]))) == [[1], [1, 2]]


def test_ids_to_words(words):
    back = vocabularies.index_to_string_table_from_file(words)
    named = vocabularies.index_to_string_table_from_tensor(["a", "b"], "?", name="back")
    ids = tf.constant([1, 9], tf.int64)
    assert values(back.lookup(ids), named.lookup(ids)) == [[b"be", b"UNK"], [b"b", b"?"]]


def test_refused(words):
    for error, make, arguments in [
        (ValueError, vocabularies.index_table_from_file, {"vocabulary_file": ""}),
        (ValueError, vocabularies.index_table_from_file, {"vocabulary_file": words, "vocab_size": 0}),
        (ValueError, vocabularies.index_table_from_file, {"vocabulary_file": words, "num_oov_buckets": -1}),
        (TypeError, vocabularies.index_table_from_file, {"vocabulary_file": words, "key_dtype": tf.float32}),
        (TypeError, vocabularies.IdTableWithHashBuckets, {"table": None, "num_oov_buckets": 1, "hasher_spec": 3}),
        (ValueError, vocabularies.index_table_from_tensor, {"vocabulary_list": None}),
        (ValueError, vocabularies.index_table_from_tensor, {"vocabulary_list": []}),
        (ValueError, vocabularies.index_table_from_tensor, {"vocabulary_list": [1]}),
        (ValueError, vocabularies.index_to_string_table_from_file, {"vocabulary_file": None}),
        (ValueError, vocabularies.index_to_string_table_from_tensor, {"vocabulary_list": None}),
        (ValueError, vocabularies.IdTableWithHashBuckets, {"table": None, "num_oov_buckets": 0}),
        (ValueError, vocabularies.StrongHashSpec, {"key": [1]}),
        (TypeError, vocabularies.StrongHashSpec, {"key": ["a", 1]}),
    ]:
        with pytest.raises(error):
            make(**arguments)


def test_tables_that_programs_change():
    table = MutableHashTable(tf.string, tf.int64, -1, name="t")
    assert table.resource_handle.op.type == "MutableHashTableV2" and table.name == "t"
    with tf.Session() as session:
        session.run(table.insert(tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64)))
        found = table.lookup(tf.constant(["b", "c"]))
        assert found.op.name == "t_lookup_table_find/LookupTableFindV2"
        assert session.run(found).tolist() == [2, -1]
        session.run(table.remove(tf.constant(["b", "c"])))
        assert [part.tolist() for part in session.run(table.export())] == [[b"a"], [1]]
        assert session.run(table.size()) == 1
    with pytest.raises(TypeError, match="Signature mismatch"):
        table.remove(tf.constant([1]))


def test_tables_of_vectors_that_programs_change():
    table = MutableHashTable(tf.int64, tf.float32, [0.0, -1.0])
    handle = table.resource_handle
    assert handle.op.type == "MutableHashTableOfTensorsV2" and handle.op.get_attr("value_shape").dim[0].size == 2
    assert table.export()[1].shape.as_list() == [None, 2]
    with tf.Session() as session:
        session.run(table.insert([3], [[1.0, 2.0]]))
        assert session.run(table.lookup([3, 4])).tolist() == [[1.0, 2.0], [0.0, -1.0]]


def test_tables_that_programs_change_are_saved(tmp_path):
    table = MutableHashTable(tf.string, tf.int64, -1, name="t")
    MutableHashTable(tf.string, tf.int64, -1, name="not_saved", checkpoint=False)
    saver = tf.train.Saver()
    with tf.Session() as session:
        session.run(table.insert(["a", "b"], [1, 2]))
        path = saver.save(session, str(tmp_path / "model"))
        assert tf.train.list_variables(path) == [("t-keys", [2]), ("t-values", [2])]
        session.run([table.insert(["c"], [3]), table.remove(tf.constant(["a"]))])
        saver.restore(session, path)
        assert session.run(table.lookup(["a", "b", "c"])).tolist() == [1, 2, -1]


def test_ids_of_a_table_without_buckets():
    words = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [0], tf.string, tf.int64), -1)
    table = vocabularies.IdTableWithHashBuckets(words, 0)
    assert table.size().op.name == "hash_table_Size/add"
    assert values(table.size(), table.lookup(tf.constant(["a", "b"]))) == [1, [0, -1]]


def test_files_with_fewer_lines_than_were_asked_for(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("to\nbe\nto\n")
    table = vocabularies.HashTable(vocabularies.TextFileIdTableInitializer(str(path), vocab_size=5), -1)
    with tf.Session() as session, pytest.raises(tf.errors.FailedPreconditionError, match="for same key"):
        session.run(table.init)
    path.write_text("")
    table = vocabularies.HashTable(vocabularies.TextFileIdTableInitializer(str(path), vocab_size=2), -1)
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="expected 2 but got 0"):
        session.run(table.init)

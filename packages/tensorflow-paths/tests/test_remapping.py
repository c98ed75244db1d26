"""Matrices of checkpoints for other vocabularies: graphs, values and refusals as the original has them."""

import numpy as np
import pytest

import ossia as tf
from ossia_tensorflow_paths.python.ops import variables
from ossia_tensorflow_paths.python.training import checkpoint_ops as remapping

OLD, NEW = "knitting sewing eminem dj", "eminem knitting cat dj"


@pytest.fixture
def files(tmp_path):
    """The prefix of a checkpoint with the matrix `m`, and the options that name the vocabularies of its rows."""
    for name, words in (("old", OLD), ("new", NEW)):
        (tmp_path / name).write_text("".join(f"{word}\n" for word in words.split()))
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("m", initializer=np.arange(12.0, dtype=np.float32).reshape(4, 3))
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(session, str(tmp_path / "model"))
    return path, {f"{age}_row_vocab_file": str(tmp_path / age) for age in ("old", "new")}


def made(make):
    with tf.Graph().as_default() as graph, tf.Session() as session:
        value = session.run(make())
        return value, [op.type for op in graph.get_operations() if op.type != "Const"]


def test_rows_and_buckets(files):
    path, rows = files
    initializer = remapping._load_and_remap_matrix_initializer(
        path, "m", 4, 3, num_row_oov_buckets=1, initializer=tf.ones_initializer(), **rows
    )
    value, types = made(lambda: initializer([5, 3]))
    assert value.tolist() == [[6, 7, 8], [0, 1, 2], [1, 1, 1], [9, 10, 11], [1, 1, 1]]
    assert types == [
        "GenerateVocabRemapping", "Mul", "Sub", "Mul", "Less", "Pack", "Fill", "LoadAndRemapMatrix", "ConcatV2"
    ]  # fmt: skip
    part = variables._PartitionInfo(full_shape=[5, 3], var_offset=[2, 0])
    assert made(lambda: initializer([3, 3], partition_info=part))[0].tolist() == value[2:].tolist()
    last = variables._PartitionInfo(full_shape=[5, 3], var_offset=[4, 0])
    assert made(lambda: initializer([1, 3], partition_info=last))[0].tolist() == [[1, 1, 1]]


def test_columns_and_buckets_of_both(files):
    path, rows = files
    columns = {name.replace("row", "col"): file for name, file in rows.items()}
    zeros = tf.zeros_initializer()
    value, types = made(lambda: remapping._load_and_remap_matrix(path, "m", 0, 4, 3, zeros, **columns))
    assert value.tolist() == [[2, 0, 0], [5, 3, 0], [8, 6, 0], [11, 9, 0]]
    assert types[:2] == ["Range", "GenerateVocabRemapping"]
    both = made(lambda: remapping._load_and_remap_matrix(
        path, "m", 0, 4, 3, zeros, num_row_oov_buckets=1, num_col_oov_buckets=2, max_rows_in_memory=2, **rows, **columns
    ))[0]
    assert both.tolist() == [[8, 6, 0, 0, 0], [2, 0, 0, 0, 0], [0] * 5, [11, 9, 0, 0, 0], [0] * 5]


def test_embeddings_of_new_words_are_small_and_random(files):
    path, rows = files
    initializer = remapping._load_embedding_initializer(
        path, "m", 4, 3, rows["old_row_vocab_file"], rows["new_row_vocab_file"], num_oov_buckets=1
    )
    value, _ = made(lambda: initializer([5, 3]))
    assert value[[0, 1, 3]].tolist() == [[6, 7, 8], [0, 1, 2], [9, 10, 11]]
    assert 0 < np.abs(value[[2, 4]]).max() <= 2 / np.sqrt(3)


@pytest.mark.parametrize(("options", "shape", "text"), [
    ({"num_col_oov_buckets": -2}, [4, 1], "num_col_oov_buckets must be >= 0, but received -2"),
    ({"new_row_vocab_file": None}, [4, 3], "must both be specified or left unspecified"),
    ({"new_row_vocab_file": None, "old_row_vocab_file": None}, [4, 3], "either row or column vocab files"),
    ({}, [4], "Expected 2-dim shape"),
    ({}, [0, 3], "Expected 1st dim of shape to be > 0"),
    ({}, [4, 2], r"Expected 2nd dim of shape to be new_col_vocab_size \(3\) \+ num_col_oov_buckets \(0\) = 3"),
    ({}, [6, 3], "would exceed expected total row count"),
])
def test_refusals(files, options, shape, text):
    path, rows = files
    initializer = remapping._load_and_remap_matrix_initializer(path, "m", 4, 3, **{**rows, **options})
    with tf.Graph().as_default(), pytest.raises(ValueError, match=text):
        initializer(shape)
    with pytest.raises(TypeError, match="only float32"):
        initializer(shape, dtype=tf.float64)
    with tf.Graph().as_default(), pytest.raises(ValueError, match="num_row_oov_buckets must be >= 0, but received -1"):
        remapping._load_and_remap_matrix(path, "m", 0, 4, 3, tf.zeros_initializer(), num_row_oov_buckets=-1)

"""Columns in `input_layer` and `linear_model`: graphs, variables, collections and values as the original's."""
import numpy as np
import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests

test_graphs = golden_tests(__file__, "columns_cases.py")


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def ran(fetches):
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        return session.run(fetches)


def test_vocabulary_file(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("red\nblue\ngreen\n")
    column = tf.feature_column.categorical_column_with_vocabulary_file
    features = {"word": tf.constant([["blue"], ["other"], [""]])}
    oov = tf.feature_column.indicator_column(column("word", str(path), 2, num_oov_buckets=1))
    assert ran(tf.feature_column.input_layer(features, [oov])).tolist() == [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    counted = column("word", str(path), default_value=2)
    assert counted.vocabulary_size == 3
    layer = tf.feature_column.input_layer(features, [tf.feature_column.indicator_column(counted)])
    assert ran(layer).tolist() == [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    assert [str(v) for v in tf.get_collection(tf.GraphKeys.ASSET_FILEPATHS)]


def test_file_of_integers(tmp_path):
    path = tmp_path / "numbers.txt"
    path.write_text("7\n3\n")
    column = tf.feature_column.categorical_column_with_vocabulary_file("n", str(path), dtype=tf.int64)
    layer = tf.feature_column.input_layer({"n": [[3], [7], [8]]}, [tf.feature_column.indicator_column(column)])
    assert ran(layer).tolist() == [[0, 1], [1, 0], [0, 0]]


def test_table_from_a_checkpoint(tmp_path):
    column = tf.feature_column.categorical_column_with_identity("id", 3)
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("saved", initializer=[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(session, str(tmp_path / "model"))
    embedding = tf.feature_column.embedding_column(column, 2, ckpt_to_load_from=path, tensor_name_in_ckpt="saved")
    layer = tf.feature_column.input_layer({"id": [[2], [0]]}, [embedding])
    assert ran(layer).tolist() == [[5, 6], [1, 2]]


def test_trained_saved_and_restored(tmp_path):
    column = tf.feature_column.categorical_column_with_vocabulary_list("word", ["a", "b"])
    columns = [tf.feature_column.numeric_column("x"), tf.feature_column.embedding_column(column, 2)]

    def model():
        prediction = tf.feature_column.linear_model({"x": [[1.0], [2.0]], "word": [["a"], ["b"]]}, columns)
        return prediction, tf.reduce_mean(tf.square(prediction - [[1.0], [-1.0]]))

    prediction, loss = model()
    step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        before = session.run(loss)
        for _ in range(20):
            session.run(step)
        trained = session.run([prediction, loss])
        path = tf.train.Saver().save(session, str(tmp_path / "model"))
    assert trained[1] < before / 2
    with tf.Graph().as_default(), tf.Session() as session:
        prediction, _ = model()
        session.run(tf.tables_initializer())
        tf.train.Saver().restore(session, path)
        np.testing.assert_array_equal(session.run(prediction), trained[0])


def test_parsed_examples():
    columns = [tf.feature_column.numeric_column("x", default_value=7.0),
               tf.feature_column.indicator_column(tf.feature_column.categorical_column_with_identity("id", 3))]
    examples = [tf.train.Example(), tf.train.Example()]
    examples[0].features.feature["x"].float_list.value.append(1.0)
    examples[0].features.feature["id"].int64_list.value.extend([2, 2])
    features = tf.io.parse_example(
        [example.SerializeToString() for example in examples], tf.feature_column.make_parse_example_spec(columns)
    )
    assert ran(tf.feature_column.input_layer(features, columns)).tolist() == [[0, 0, 2, 1], [0, 0, 0, 7]]

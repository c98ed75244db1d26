"""Feature columns of old agree with TensorFlow 1.15.5: graphs, names, collections, values."""

from ossia_testkit.golden import golden_tests

test_columns = golden_tests(__file__, "columns_cases.py")


def test_weights_begin_with_those_of_a_checkpoint(tmp_path):
    """The numbers are those of TensorFlow 1.15.5."""
    import numpy as np

    import ossia as tf

    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("table", initializer=np.arange(20, dtype="f4").reshape(10, 2))
        tf.get_variable("cross", initializer=np.arange(6, dtype="f4").reshape(6, 1))
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(session, str(tmp_path / "model"))
    layers = tf.contrib.layers

    def given(*values):
        return tf.SparseTensor([[0, 0], [1, 0]], list(values), [2, 1])

    with tf.Graph().as_default(), tf.Session() as session:
        ids = layers.sparse_column_with_integerized_feature("a", 10)
        table = layers.embedding_column(ids, 2, ckpt_to_load_from=path, tensor_name_in_ckpt="table")
        words = layers.sparse_column_with_keys("b", ["x", "y"]), layers.sparse_column_with_hash_bucket("c", 5)
        cross = layers.crossed_column(words, 6, ckpt_to_load_from=path, tensor_name_in_ckpt="cross", hash_key=7)
        embedded = layers.input_from_feature_columns({"a": given(np.int64(3), np.int64(7))}, [table])
        summed, _, _ = layers.weighted_sum_from_feature_columns(
            {"b": given("x", "y"), "c": given("p", "q")}, [cross], 1
        )
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        assert session.run(embedded).tolist() == [[6, 7], [14, 15]]
        assert session.run(summed).tolist() == [[2], [0]]

"""The first names of the functions of `tf.contrib.lookup`, and input functions of `tf.contrib.learn.io`."""

import numpy as np
from golden_case import Case


def initialised(fetches):
    return Case({"result": fetches})


def case_string_to_index(tf):
    return initialised(tf.contrib.lookup.string_to_index(tf.constant(["b", "z"]), ["a", "b"], name="t"))


def case_index_to_string(tf):
    return initialised(tf.contrib.lookup.index_to_string(tf.constant([1, 7], tf.int64), ["a", "b"]))


def case_table_from_tensor(tf):
    table = tf.contrib.lookup.string_to_index_table_from_tensor(["a", "b"], num_oov_buckets=3)
    return initialised(table.lookup(tf.constant(["b", "z"])))


def case_mutable_table(tf):
    table = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1)
    return table.insert(["a"], tf.constant([3], tf.int64)).name


def case_numpy_input(tf):
    features, labels = tf.contrib.learn.io.numpy_input_fn({"x": np.arange(4.0)}, np.arange(4), batch_size=2)()
    return [features["x"].name, labels.name]

"""Inputs that columns cannot take, or only just: the same errors and values as the original's."""
import os
import tempfile

from golden_case import Case, raises


def vocabulary(lines):
    path = os.path.join(tempfile.mkdtemp(), "words.txt")
    with open(path, "w") as target:
        target.write(lines)
    return path


def file_column(tf, lines, size=None, **options):
    column = tf.feature_column.categorical_column_with_vocabulary_file("v", vocabulary(lines), size, **options)
    return Case(tf.feature_column.input_layer({"v": tf.constant([["a"], ["z"]])}, [
        tf.feature_column.indicator_column(column)]), graph=False, collections=False)


def case_vocabulary_that_lacks_a_line(tf):
    return file_column(tf, "a\nb\n", 3)


def case_vocabulary_with_a_line_too_many(tf):
    return file_column(tf, "a\nb\nc\n", 2)


def case_vocabulary_with_a_word_twice(tf):
    return file_column(tf, "a\na\nb\n", 3)


def case_empty_vocabulary(tf):
    return {"file": raises(file_column, tf, ""), "list": raises(
        tf.feature_column.categorical_column_with_vocabulary_list, "v", [])}


def case_refused_vocabularies(tf):
    listed, filed = (tf.feature_column.categorical_column_with_vocabulary_list,
                     tf.feature_column.categorical_column_with_vocabulary_file)
    return {
        "twice": raises(listed, "v", ["a", "a"]), "mixed": raises(listed, "v", ["a", 1]),
        "dtype": raises(listed, "v", [1, 2], tf.string), "floats": raises(listed, "v", [1.5, 2.5]),
        "both": raises(listed, "v", ["a"], default_value=2, num_oov_buckets=1),
        "negative": raises(listed, "v", ["a"], num_oov_buckets=-1), "size": raises(filed, "v", "/no/file", -1),
        "none": raises(filed, "v", ""), "missing": raises(filed, "v", "/no/such/file"),
    }


def identity(tf, ids, sparse=False, default=None, buckets=4):
    column = tf.feature_column.categorical_column_with_identity("i", buckets, default)
    given = tf.constant(ids, tf.int64)
    if sparse:
        given = tf.SparseTensor([[i, 0] for i in range(len(ids))], given, [len(ids) + 1, 1])
    layer = tf.feature_column.input_layer({"i": given}, [tf.feature_column.indicator_column(column)])
    return Case(layer, graph=False, collections=False)


def case_negative_id(tf):
    return identity(tf, [[1], [-2]])


def case_id_that_is_ignored(tf):
    return identity(tf, [[1], [-1]])


def case_id_too_large(tf):
    return identity(tf, [[1], [4]])


def case_ids_with_a_default(tf):
    return identity(tf, [[1], [9], [-7]], default=2)


def case_negative_sparse_id(tf):
    return identity(tf, [0, -1], sparse=True)


def case_empty_rows(tf):
    return identity(tf, [3], sparse=True)


def batch(tf, rows, kinds="nbhec"):
    column = tf.feature_column
    number = column.numeric_column("n", 2)
    hashed = column.categorical_column_with_hash_bucket("h", 5)
    columns = {
        "n": number, "b": column.bucketized_column(column.numeric_column("m"), [0.0, 1.0]),
        "h": column.indicator_column(hashed), "e": column.embedding_column(hashed, 3),
        "c": column.indicator_column(column.crossed_column(["h", "g"], 7)),
    }
    features = {
        "n": tf.zeros([rows, 2]), "m": tf.zeros([rows, 1]), "h": tf.fill([rows, 1], "x"), "g": tf.fill([rows, 2], "y"),
    }
    return Case(tf.feature_column.input_layer(features, [columns[kind] for kind in kinds]), graph=False)


def case_batch_of_none(tf):
    return batch(tf, 0)


def case_batch_of_one(tf):
    return batch(tf, 1, "nbhc")


def case_batch_of_none_linear(tf):
    column = tf.feature_column
    columns = [column.numeric_column("n"), column.categorical_column_with_hash_bucket("h", 5)]
    return Case(column.linear_model({"n": tf.zeros([0, 1]), "h": tf.fill([0, 1], "x")}, columns), graph=False)


def weighted(tf, ids, weights, sparse=False):
    column = tf.feature_column.weighted_categorical_column(
        tf.feature_column.categorical_column_with_identity("i", 4), "w")
    ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant(ids, tf.int64), [2, 2])
    weights = tf.constant(weights)
    if sparse:
        weights = tf.SparseTensor([[0, 0], [1, 0]], weights, [2, 2])
    layer = tf.feature_column.input_layer(
        {"i": ids, "w": weights}, [tf.feature_column.indicator_column(column)])
    return Case(layer, graph=False, collections=False)


def case_weights(tf):
    return weighted(tf, [1, 2, 1], [[0.5, 2.0], [3.0, 1.0]])


def case_weights_of_fewer_columns(tf):
    return weighted(tf, [1, 2, 1], [[0.5], [3.0]])


def case_weights_of_other_places(tf):
    return weighted(tf, [1, 2, 1], [0.5, 3.0], sparse=True)


def case_weights_that_are_words(tf):
    return raises(weighted, tf, [1, 2, 1], [["a", "b"], ["c", "d"]])


def case_numbers_of_another_shape(tf):
    column = tf.feature_column.numeric_column("n", 3)
    found = {}
    for name, value in (("fewer", [[1.0, 2.0]]), ("words", [["a", "b", "c"]]), ("flat", [1.0, 2.0, 3.0])):
        found[name] = raises(tf.feature_column.input_layer, {"n": tf.constant(value)}, [column])
    found["sparse"] = raises(
        tf.feature_column.input_layer, {"n": tf.SparseTensor([[0, 0]], [1.0], [1, 3])}, [column])
    found["missing"] = raises(tf.feature_column.input_layer, {"m": tf.constant([[1.0]])}, [column])
    found["none"] = raises(tf.feature_column.input_layer, {"n": tf.constant([[1.0]])}, [])
    return found


def case_integers_for_words(tf):
    column = tf.feature_column.categorical_column_with_vocabulary_list("v", ["a"])
    return {
        "list": raises(tf.feature_column.input_layer, {"v": tf.constant([[1]])},
                       [tf.feature_column.indicator_column(column)]),
        "hash": raises(tf.feature_column.input_layer, {"h": tf.constant([[1]])}, [tf.feature_column.indicator_column(
            tf.feature_column.categorical_column_with_hash_bucket("h", 3))]),
        "float": raises(tf.feature_column.input_layer, {"i": tf.constant([[1.0]])}, [
            tf.feature_column.indicator_column(tf.feature_column.categorical_column_with_identity("i", 3))]),
    }

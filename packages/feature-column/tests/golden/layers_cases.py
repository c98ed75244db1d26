"""Columns in `DenseFeatures` and `SequenceFeatures`, those of sequences too."""

from golden_case import Case, raises


def features(tf):
    return dict(
        age=tf.constant([[1.0], [20.0], [50.0]]),
        dense=tf.constant([["red"], ["blue"], [""]]),
        col=tf.SparseTensor([[0, 0], [0, 1], [2, 0]], ["red", "zzz", "blue"], [3, 2]),
        colw=tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [0.5, 2.0, 1.0], [3, 2]),
    )


def sequences(tf):
    inputs = features(tf)
    return dict(col=inputs["col"], colw=inputs["colw"])


def hashed(tf, key="col"):
    return tf.feature_column.categorical_column_with_hash_bucket(key, 5)


def steps(tf):
    return tf.feature_column.sequence_categorical_column_with_hash_bucket("col", 5)


def embedding(tf, column):
    return tf.feature_column.embedding_column(column, 2, initializer=tf.ones_initializer())


def dense(tf, *columns):
    layer = tf.keras.layers.DenseFeatures(list(columns))
    return Case([layer(features(tf)), [v.name for v in layer.weights], layer.name], init=True)


def sequence(tf, *columns):
    layer = tf.keras.experimental.SequenceFeatures(list(columns))
    return Case([layer(sequences(tf)), [v.name for v in layer.weights], layer.name], init=True)


def case_dense(tf):
    fc = tf.feature_column
    return dense(tf, fc.numeric_column("age"), embedding(tf, hashed(tf)), fc.indicator_column(hashed(tf, "dense")))


def case_dense_shared(tf):
    shared = tf.compat.v2.feature_column.shared_embeddings
    return dense(tf, *shared([hashed(tf), hashed(tf, "dense")], 2, initializer=tf.ones_initializer()))


def case_dense_twice(tf):
    layer = tf.keras.layers.DenseFeatures([embedding(tf, hashed(tf))])
    other = tf.keras.layers.DenseFeatures([embedding(tf, hashed(tf))])
    inputs = features(tf)
    return Case([layer(inputs), layer(inputs), other(inputs)], init=True)


def case_sequence_numeric(tf):
    return sequence(tf, tf.feature_column.sequence_numeric_column("colw"))


def case_sequence_numeric_pairs(tf):
    return sequence(tf, tf.feature_column.sequence_numeric_column("colw", 2, -1.0, normalizer_fn=lambda x: x * 2.0))


def case_sequence_embedding(tf):
    return sequence(tf, embedding(tf, steps(tf)), tf.feature_column.sequence_numeric_column("colw"))


def case_sequence_indicator(tf):
    return sequence(tf, tf.feature_column.indicator_column(steps(tf)))


def linear(tf, column):
    return Case(tf.feature_column.linear_model(sequences(tf), [column]), init=True)


def case_sequence_linear(tf):
    return linear(tf, steps(tf))


def case_refused(tf):
    fc = tf.feature_column
    sequential, plain = tf.keras.experimental.SequenceFeatures, tf.keras.layers.DenseFeatures
    shared = tf.compat.v2.feature_column.shared_embeddings
    return [
        raises(sequential, [fc.numeric_column("colw")]), raises(sequential, [hashed(tf)]), raises(sequential, [3]),
        raises(plain, [fc.sequence_numeric_column("colw")]), raises(plain, [hashed(tf)]), raises(plain, [3]),
        raises(plain, fc.shared_embedding_columns([hashed(tf)], 2)), raises(plain, []),
        raises(sequential([fc.indicator_column(hashed(tf))]), features(tf)),
        raises(plain([fc.indicator_column(steps(tf))]), features(tf)),
        raises(plain([fc.numeric_column("none")]), features(tf)),
        raises(fc.input_layer, features(tf), shared([hashed(tf)], 2)),
        raises(fc.sequence_numeric_column, "a", shape=0), raises(fc.sequence_numeric_column, "a", dtype=tf.string),
        raises(fc.sequence_numeric_column, "a", normalizer_fn=3),
    ]

"""Models of `tf.contrib.legacy_seq2seq`."""
import numpy as np


def _inputs(tf):
    return [tf.constant(np.cos(np.arange(6) + i).reshape(2, 3).astype(np.float32)) for i in range(2)]


def _ids(tf, steps=2):
    return [tf.constant([i, 3 - i]) for i in range(steps)]


def _scope(tf):
    return tf.variable_scope("root", initializer=tf.constant_initializer(0.3))


def case_basic(tf):
    legacy = tf.contrib.legacy_seq2seq
    with _scope(tf):
        return [legacy.basic_rnn_seq2seq(_inputs(tf), _inputs(tf), tf.nn.rnn_cell.GRUCell(3)), legacy.tied_rnn_seq2seq(_inputs(tf), _inputs(tf), tf.nn.rnn_cell.BasicLSTMCell(3), loop_function=lambda x, i: x)]


def case_rnn_decoder(tf):
    cell = tf.nn.rnn_cell.GRUCell(4)
    with _scope(tf):
        return tf.contrib.legacy_seq2seq.rnn_decoder(_inputs(tf), cell.zero_state(2, tf.float32), cell)


def case_embedding(tf):
    with _scope(tf):
        return tf.contrib.legacy_seq2seq.embedding_rnn_seq2seq(_ids(tf), _ids(tf, 3), tf.nn.rnn_cell.BasicLSTMCell(3), 4, 5, embedding_size=2, feed_previous=True)


def case_embedding_by_tensor(tf):
    with _scope(tf):
        return tf.contrib.legacy_seq2seq.embedding_rnn_seq2seq(_ids(tf), _ids(tf, 3), tf.nn.rnn_cell.BasicLSTMCell(3), 4, 5, embedding_size=2, feed_previous=tf.constant(True))


def case_embedding_projected(tf):
    projection = (tf.ones([3, 5]), tf.zeros([5]))
    with _scope(tf):
        return tf.contrib.legacy_seq2seq.embedding_rnn_seq2seq(_ids(tf), _ids(tf), tf.nn.rnn_cell.GRUCell(3), 4, 5, embedding_size=2, output_projection=projection, feed_previous=True)


def case_embedding_tied(tf):
    legacy = tf.contrib.legacy_seq2seq
    with _scope(tf):
        first = legacy.embedding_tied_rnn_seq2seq(_ids(tf), _ids(tf), tf.nn.rnn_cell.GRUCell(3), 5, 2)
        second = legacy.embedding_tied_rnn_seq2seq(_ids(tf), _ids(tf), tf.nn.rnn_cell.GRUCell(3), 5, 2, feed_previous=tf.constant(False), scope="other")
    return [first, second]


def case_attention(tf):
    with _scope(tf):
        return tf.contrib.legacy_seq2seq.embedding_attention_seq2seq(_ids(tf), _ids(tf), tf.nn.rnn_cell.BasicLSTMCell(3), 4, 5, embedding_size=2, num_heads=2, feed_previous=True, initial_state_attention=True)


def case_attention_by_tensor(tf):
    with _scope(tf):
        return tf.contrib.legacy_seq2seq.embedding_attention_seq2seq(_ids(tf), _ids(tf), tf.nn.rnn_cell.GRUCell(3), 4, 5, embedding_size=2, feed_previous=tf.constant(False))


def case_attention_decoder(tf):
    cell = tf.nn.rnn_cell.GRUCell(3)
    with _scope(tf):
        return tf.contrib.legacy_seq2seq.attention_decoder(_inputs(tf), tf.zeros([2, 3]), tf.ones([2, 4, 3]), cell, output_size=2)


def case_one_to_many(tf):
    inputs = {"a": _ids(tf), "b": _ids(tf)}
    cells = {"a": tf.nn.rnn_cell.GRUCell(3), "b": tf.nn.rnn_cell.GRUCell(3)}
    with _scope(tf):
        return tf.contrib.legacy_seq2seq.one2many_rnn_seq2seq(_ids(tf), inputs, tf.nn.rnn_cell.GRUCell(3), cells, 4, {"a": 4, "b": 5}, 2)


def case_buckets(tf):
    legacy = tf.contrib.legacy_seq2seq
    weights = [tf.ones([2]) for _ in range(2)]
    with _scope(tf):
        return legacy.model_with_buckets(_ids(tf), _ids(tf), _ids(tf), weights, [(1, 1), (2, 2)], lambda x, y: legacy.embedding_rnn_seq2seq(x, y, tf.nn.rnn_cell.GRUCell(3), 4, 5, 2), per_example_loss=True)


def case_buckets_too_long(tf):
    return tf.contrib.legacy_seq2seq.model_with_buckets([], [], [], [], [(1, 1)], None)

"""Recurrent cells and the functions that run them. Dropout inside a loop draws in no fixed order in the original: graphs only."""

import numpy as np
from golden_case import Case

X = np.arange(30).reshape(2, 5, 3).astype("f4") / 30


def _run(tf, cell, n=None, values=True, **kw):
    x = tf.placeholder(tf.float32, [None, 5, 3])
    o, s = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32, sequence_length=n, **kw)
    v = tf.trainable_variables()
    g = tf.gradients(tf.reduce_sum(o * o), v)
    return Case([o, s, g], feeds={x: X}, values=values)


def case_basic(tf):
    return _run(tf, tf.nn.rnn_cell.BasicRNNCell(4))


def case_gru(tf):
    return _run(tf, tf.nn.rnn_cell.GRUCell(4))


def case_lstm(tf):
    return _run(tf, tf.nn.rnn_cell.BasicLSTMCell(4))


def case_lstm_len(tf):
    return _run(tf, tf.nn.rnn_cell.BasicLSTMCell(4), n=[2, 5])


def case_lstmcell(tf):
    return _run(tf, tf.nn.rnn_cell.LSTMCell(4))


def case_lstmcell_full(tf):
    return _run(tf, tf.nn.rnn_cell.LSTMCell(4, use_peepholes=True, cell_clip=1.0, num_proj=3, proj_clip=0.5))


def case_lstm_nontuple(tf):
    return _run(tf, tf.nn.rnn_cell.BasicLSTMCell(4, state_is_tuple=False))


def case_multi(tf):
    return _run(tf, tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(4), tf.nn.rnn_cell.BasicLSTMCell(3)]))


def case_multi_dropout(tf):
    return _run(
        tf,
        tf.nn.rnn_cell.MultiRNNCell(
            [tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.BasicLSTMCell(4), output_keep_prob=0.5) for _ in range(2)]
        ),
        values=False,
    )


def case_dropout_all(tf):
    return _run(tf, tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.BasicLSTMCell(4), 0.7, 0.8, 0.9, seed=3), values=False)


def case_residual(tf):
    return _run(tf, tf.nn.rnn_cell.ResidualWrapper(tf.nn.rnn_cell.GRUCell(3)))


def case_bidirectional(tf):
    x = tf.placeholder(tf.float32, [None, 5, 3])
    o, s = tf.nn.bidirectional_dynamic_rnn(
        tf.nn.rnn_cell.GRUCell(4), tf.nn.rnn_cell.GRUCell(4), x, dtype=tf.float32, sequence_length=[5, 3]
    )
    return Case([o, s], feeds={x: X})


def case_bidirectional2(tf):
    x = tf.placeholder(tf.float32, [None, 5, 3])
    o, s = tf.nn.bidirectional_dynamic_rnn(tf.nn.rnn_cell.LSTMCell(4), tf.nn.rnn_cell.LSTMCell(4), x, dtype=tf.float32)
    return Case([o, s], feeds={x: X})


def case_static(tf):
    x = tf.placeholder(tf.float32, [2, 5, 3])
    o, s = tf.nn.static_rnn(tf.nn.rnn_cell.BasicLSTMCell(4), tf.unstack(x, axis=1), dtype=tf.float32)
    return Case([o, s], feeds={x: X})


def case_static_len(tf):
    x = tf.placeholder(tf.float32, [2, 5, 3])
    o, s = tf.nn.static_rnn(tf.nn.rnn_cell.GRUCell(4), tf.unstack(x, axis=1), dtype=tf.float32, sequence_length=[2, 4])
    return Case([o, s], feeds={x: X})


def case_static_bi(tf):
    x = tf.placeholder(tf.float32, [2, 5, 3])
    o, s, t = tf.nn.static_bidirectional_rnn(
        tf.nn.rnn_cell.GRUCell(4), tf.nn.rnn_cell.GRUCell(4), tf.unstack(x, axis=1), dtype=tf.float32
    )
    return Case([o, s, t], feeds={x: X})


def case_reuse_names(tf):
    x = tf.placeholder(tf.float32, [None, 5, 3])
    c = tf.nn.rnn_cell.BasicLSTMCell(4)
    with tf.variable_scope("a"):
        o, s = tf.nn.dynamic_rnn(c, x, dtype=tf.float32)
    s0 = c.zero_state(2, tf.float32)
    out, s1 = c(tf.ones([2, 3]), s0)
    return Case([out, s1], feeds={x: X})

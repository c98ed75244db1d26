"""tf.nn.dropout."""
import numpy as np
from golden_case import Case, raises

X = np.arange(1., 21.).reshape(4, 5).astype(np.float32)


def case_dropout(tf):
    return Case([tf.nn.dropout(tf.constant(X), 0.5), tf.nn.dropout(X, rate=0.25, seed=3, name="d"), tf.compat.v2.nn.dropout(X, 0.75)],
                steps=3, tolerance=0)


def case_noise_shape(tf):
    x = tf.placeholder(tf.float32, [4, None])
    return Case([tf.nn.dropout(x, rate=0.5, noise_shape=[4, 1]), tf.nn.dropout(x, rate=0.5, noise_shape=[None, 1]),
                 tf.nn.dropout(x, rate=0.5, noise_shape=tf.constant([1, 5])), tf.nn.dropout(x, 0.5, noise_shape=[1, tf.shape(x)[1]]),
                 tf.nn.dropout(x, 0.5, [5])], feeds={x: X}, steps=2, tolerance=0)


def case_nothing_dropped(tf):
    x = tf.constant(X)
    return [tf.nn.dropout(x, 1.0), tf.nn.dropout(x, rate=0), tf.nn.dropout(x, rate=tf.constant(0.0)), tf.nn.dropout(X, 1)]


def case_tensor_rate(tf):
    rate = tf.placeholder(tf.float32)
    scalar = tf.placeholder(tf.float32, [])
    return Case([tf.nn.dropout(X, rate=rate), tf.nn.dropout(X, keep_prob=scalar)], feeds={rate: 0.5, scalar: 0.25}, steps=2)


def case_dtypes(tf):
    return Case([tf.nn.dropout(X.astype(t), 0.5) for t in (np.float16, np.float64)], steps=2)


def case_gradient(tf):
    x = tf.constant(X)
    return Case(tf.gradients(tf.nn.dropout(x, 0.5) ** 2, x), steps=2)


def case_refused(tf):
    return [raises(tf.nn.dropout, X, 0.0), raises(tf.nn.dropout, X, 1.5), raises(tf.nn.dropout, X, rate=1.0), raises(tf.nn.dropout, X),
            raises(tf.nn.dropout, X, 0.5, rate=0.5), raises(tf.nn.dropout, [1, 2], 0.5), raises(tf.nn.dropout, X, rate=[0.5]),
            raises(tf.nn.dropout, X, rate=tf.constant([0.5])), raises(tf.nn.dropout, X, rate=tf.constant(1))]

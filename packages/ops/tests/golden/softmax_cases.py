"""Softmax and log-softmax along any dimension."""
import numpy as np
from golden_case import Case, raises

X = np.arange(24).reshape(2, 3, 4) * 0.75 % 5 - 2


def case_last(tf):
    x = tf.placeholder(tf.float32, [None, 3, 4])
    return Case([f(x) for f in (tf.nn.softmax, tf.nn.log_softmax, tf.math.softmax)] + [tf.nn.softmax(x, axis=2), tf.nn.softmax(x, dim=-1)], feeds={x: X})


def case_first(tf):
    x = tf.placeholder(tf.float32, [None, 3, 4])
    return Case([tf.nn.softmax(x, axis=0, name="q"), tf.nn.log_softmax(x, axis=0)], feeds={x: X})


def case_middle(tf):
    x = tf.placeholder(tf.float64, [None, 3, 4])
    return Case([tf.nn.softmax(x, axis=1), tf.nn.softmax(x, axis=-2), tf.nn.softmax(x, axis=tf.constant(1))], feeds={x: X})


def case_unknown_rank(tf):
    x = tf.placeholder(tf.float32)
    return Case([tf.nn.softmax(x), tf.nn.log_softmax(x)], feeds={x: X})


def case_vector(tf):
    return [tf.nn.softmax([1.0, 2.0]), tf.nn.softmax([1000.0, -1000.0]), tf.nn.log_softmax([1000.0, -1000.0])]


def case_half(tf):
    x = tf.constant(X, tf.float16)
    return [tf.nn.softmax(x), tf.nn.log_softmax(x)]


def case_special(tf):
    x = tf.constant([[1.0, -np.inf], [np.nan, 1.0], [np.inf, 1.0]])
    return [tf.nn.softmax(x), tf.nn.log_softmax(x)]


def case_empty(tf):
    return [tf.nn.softmax(tf.zeros([0, 3])), tf.nn.log_softmax(tf.zeros([0, 3])), tf.nn.softmax([])]


def case_gradients(tf):
    x, g = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None, 4])
    a = tf.gradients(tf.nn.softmax(x), x, grad_ys=g)
    b = tf.gradients(tf.nn.log_softmax(x), x, grad_ys=g)
    return Case([a, b, tf.gradients(a, [x, g]), tf.gradients(b, [x, g])], feeds={x: X[0], g: X[1]})


def case_refused(tf):
    x = tf.placeholder(tf.float32, [None, 3, 4])
    return [raises(tf.nn.softmax, x, axis=3), raises(tf.nn.softmax, x, axis=-4), raises(tf.nn.softmax, 1.0), raises(tf.nn.softmax, [1, 2]),
            raises(tf.nn.softmax, x, axis=1, dim=1), raises(tf.nn.softmax, tf.placeholder(tf.float32), axis=1)]

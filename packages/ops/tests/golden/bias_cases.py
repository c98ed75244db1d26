"""Biases, dense products with biases, and their gradients."""
import numpy as np
from golden_case import Case, raises

X = np.arange(24).reshape(2, 3, 4) * 0.25 - 2


def case_matrix(tf):
    x, b = tf.placeholder(tf.float32, [None, 3]), tf.constant([1.0, 2.0, 3.0])
    y = tf.nn.bias_add(x, b)
    return Case({"y": y, "grads": tf.gradients(y, [x, b], grad_ys=x)}, feeds={x: X[0].T})


def case_channels_first(tf):
    x, b = tf.placeholder(tf.float32, [None, 3, None]), tf.constant([1.0, 2.0, 3.0])
    y = tf.nn.bias_add(x, b, data_format="NCW")
    return Case({"grads": tf.gradients(tf.square(y), [x, b]), "shape": y.shape}, feeds={x: X}, graph_only=True)


def case_ranks(tf):
    x = tf.placeholder(tf.float32)
    five = tf.zeros([2, 3, 1, 2, 4])
    return Case([tf.nn.bias_add(x, [1.0, 2.0, 0.0, 1.0], name="b"), tf.nn.bias_add(five, [1.0, 2.0, 3.0, 4.0]),
                 tf.nn.bias_add(tf.constant(X), [1.0, 2.0, 3.0, 4.0], data_format="NHWC")], feeds={x: X})


def case_second_gradient(tf):
    x, b = tf.placeholder(tf.float32, [None, 3, 4], name="x"), tf.constant([1.0, 2.0, 3.0, 1.0], name="b")
    first = tf.gradients(tf.nn.bias_add(x, b), b, grad_ys=x)
    return Case(tf.gradients(first, x), feeds={x: X})


def case_second_gradient_first(tf):
    x, b = tf.placeholder(tf.float32, [None, 3, 4], name="x"), tf.constant([1.0, 2.0, 3.0], name="b")
    first = tf.gradients(tf.nn.bias_add(x, b, data_format="NCHW"), b, grad_ys=x)
    return Case(tf.gradients(first, x), graph_only=True)


def case_dense(tf):
    x, w = tf.placeholder(tf.float32, [None, 4]), tf.constant(X[0].T, tf.float32)
    return Case([tf.nn.xw_plus_b(x, w, [1.0, 2.0, 3.0]), tf.nn.relu_layer(x, w, [1.0, 2.0, 3.0]), tf.nn.xw_plus_b(x, w, [1.0, 2.0, 3.0], name="u")],
                feeds={x: X[1]})


def case_old_op(tf):
    x, b = tf.placeholder(tf.float32, [None, 3]), tf.constant([1.0, 2.0, 3.0])
    y = tf.raw_ops.BiasAddV1(value=x, bias=b)
    return Case([y, tf.gradients(y, [x, b])], feeds={x: X[0].T})


def case_integers(tf):
    return [tf.nn.bias_add([[1, 2], [3, 4]], [5, 6]), tf.raw_ops.BiasAddGrad(out_backprop=[[1, 2], [3, 4]])]


def case_empty(tf):
    x = tf.zeros([0, 3])
    b = tf.constant([1.0, 2.0, 3.0])
    return tf.gradients(tf.nn.bias_add(x, b), [x, b])


def case_refused(tf):
    x = tf.zeros([2, 3, 4])
    return [raises(tf.nn.bias_add, x, [1.0, 2.0, 3.0]), raises(tf.nn.bias_add, x, [1.0] * 4, data_format="CHW"), raises(tf.nn.bias_add, x, [[1.0] * 4]),
            raises(tf.nn.bias_add, tf.zeros([3]), [1.0] * 3), raises(tf.nn.bias_add, tf.zeros([3, 2]), [1.0] * 2, data_format="NCHW"),
            raises(tf.nn.bias_add, [[1, 2]], [1.0, 2.0])]


def case_refused_when_run(tf):
    x = tf.placeholder(tf.float32)
    return Case(tf.nn.bias_add(x, [1.0, 2.0]), feeds={x: X})

"""Convolutions of any rank, dilated, transposed, depthwise and separable; generic pools; morphology."""
import numpy as np
from golden_case import Case, raises

X = (np.arange(2 * 6 * 5 * 4) * 37 % 101).reshape(2, 6, 5, 4) / 50.0 - 1
W = (np.arange(3 * 2 * 4 * 3) * 17 % 29).reshape(3, 2, 4, 3) / 20.0 - 0.7
V = (np.arange(2 * 4 * 5 * 3 * 2) * 37 % 101).reshape(2, 4, 5, 3, 2) / 50.0 - 1
K3 = (np.arange(2 * 3 * 2 * 2 * 3) * 17 % 29).reshape(2, 3, 2, 2, 3) / 20.0 - 0.7


def ph(tf, value, batch=True):
    shape = list(np.shape(value))
    return tf.placeholder(tf.float32, [None] + shape[1:] if batch else shape)


def with_gradients(tf, y, xs, feeds):
    return Case({"y": y, "grads": tf.gradients(y, xs, grad_ys=tf.cos(y))}, feeds=feeds)


def case_same(tf):
    x, w = ph(tf, X), tf.constant(W, tf.float32)
    return with_gradients(tf, tf.nn.convolution(x, w, "SAME"), [x, w], {x: X})


def case_strided(tf):
    x, w = ph(tf, X), tf.constant(W, tf.float32)
    return with_gradients(tf, tf.nn.convolution(x, w, "VALID", strides=[2, 1], name="k"), [x, w], {x: X})


def case_dilated(tf):
    x, w = ph(tf, X), tf.constant(W, tf.float32)
    return with_gradients(tf, tf.nn.convolution(x, w, "SAME", dilation_rate=[2, 2]), [x, w], {x: X})


def case_dilated_valid(tf):
    x, w = ph(tf, X), tf.constant(W, tf.float32)
    return with_gradients(tf, tf.nn.convolution(x, w, "VALID", dilation_rate=[2, 1]), [x, w], {x: X})


def case_dilated_unknown(tf):
    x, w = tf.placeholder(tf.float32, [None, None, None, 4]), tf.constant(W, tf.float32)
    y = tf.placeholder(tf.float32)
    return Case([tf.nn.convolution(x, w, "SAME", dilation_rate=[2, 2]), tf.nn.convolution(y, w, "SAME", dilation_rate=[1, 2], name="u")], feeds={x: X, y: X})


def case_dilated_unknown_filter(tf):
    x, w = tf.placeholder(tf.float32, [None, None, None, 4]), tf.placeholder(tf.float32, [None, None, 4, 3])
    return Case(tf.nn.convolution(x, w, "VALID", dilation_rate=[2, 2]), feeds={x: X, w: W})


def case_first(tf):
    x, w = tf.placeholder(tf.float32, [None, 4, 6, 5]), tf.constant(W, tf.float32)
    return Case(tf.nn.convolution(x, w, "SAME", dilation_rate=[1, 2], data_format="NCHW"), graph_only=True)


def case_one(tf):
    x, w = ph(tf, X[0]), tf.constant(W[0], tf.float32)
    y = [tf.nn.convolution(x, w, "SAME"), tf.nn.convolution(x, w, "SAME", dilation_rate=[2]), tf.nn.conv1d(x, w, 2, "VALID"), tf.nn.conv1d(x, w, [1, 1, 1], "SAME", name="n")]
    return Case([y, tf.gradients(y, [x, w])], feeds={x: X[0]})


def case_one_first(tf):
    x, w = tf.placeholder(tf.float32, [None, 4, 6]), tf.constant(W[0], tf.float32)
    return Case([tf.nn.conv1d(x, w, 2, "VALID", data_format="NCW"), tf.nn.conv1d_transpose(x, tf.zeros([3, 2, 4]), tf.placeholder(tf.int32, [3]), 2, data_format="NCW")],
                graph_only=True)


def case_three(tf):
    x, w = ph(tf, V), tf.constant(K3, tf.float32)
    y = tf.nn.conv3d(x, w, [1, 1, 2, 1, 1], "SAME")
    return with_gradients(tf, y, [x, w], {x: V})


def case_three_valid(tf):
    x, w = ph(tf, V), tf.constant(K3, tf.float32)
    y = tf.nn.convolution(x, w, "VALID")
    return with_gradients(tf, y, [x, w], {x: V})


def case_three_second(tf):
    x, w = ph(tf, V), tf.constant(K3, tf.float32)
    first = tf.gradients(tf.nn.conv3d(x, w, [1, 1, 1, 1, 1], "SAME"), [x, w])
    return Case(tf.gradients([first[0] * x, first[1] * w], [x, w]), feeds={x: V})


def case_transposed(tf):
    x, w = ph(tf, X), tf.constant(W.transpose(0, 1, 3, 2), tf.float32)
    y = tf.nn.conv2d_transpose(x, w, [2, 12, 10, 3], [1, 2, 2, 1])
    return with_gradients(tf, y, [x, w], {x: X})


def case_transposed_unknown(tf):
    x, w, s = ph(tf, X), tf.constant(W.transpose(0, 1, 3, 2), tf.float32), tf.placeholder(tf.int32, [4])
    return Case(tf.nn.conv2d_transpose(x, w, s, 2, padding="VALID", name="t"), feeds={x: X, s: [2, 13, 10, 3]})


def case_transposed_ranks(tf):
    x, w = ph(tf, X[0]), tf.constant(W[0].transpose(0, 2, 1), tf.float32)
    u, v = ph(tf, V), tf.constant(K3.transpose(0, 1, 2, 4, 3), tf.float32)
    return Case([tf.nn.conv1d_transpose(x, w, [6, 10, 3], 2), tf.nn.conv3d_transpose(u, v, [2, 4, 5, 3, 3], [1, 1, 1, 1, 1]),
                 tf.nn.conv_transpose(x, w, [6, 5, 3], 1), tf.nn.conv_transpose(u, v, [2, 8, 10, 6, 3], 2)], feeds={x: X[0], u: V})


def case_atrous(tf):
    x, w = ph(tf, X), tf.constant(W, tf.float32)
    v = tf.constant(W.transpose(0, 1, 3, 2), tf.float32)
    return Case([tf.nn.atrous_conv2d(x, w, 2, "SAME"), tf.nn.atrous_conv2d(x, w, 1, "SAME", name="a"), tf.nn.atrous_conv2d_transpose(x, v, [2, 6, 5, 3], 2, "SAME"),
                 tf.nn.atrous_conv2d_transpose(x, v, [2, 10, 7, 3], 2, "VALID")], feeds={x: X})


def case_atrous_unknown(tf):
    x, v, s = ph(tf, X), tf.constant(W.transpose(0, 1, 3, 2), tf.float32), tf.placeholder(tf.int32, [4])
    return Case(tf.nn.atrous_conv2d_transpose(x, v, s, 2, "SAME"), feeds={x: X, s: [2, 6, 5, 3]})


def case_depthwise(tf):
    x, w = ph(tf, X), tf.constant(W, tf.float32)
    return with_gradients(tf, tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "SAME"), [x, w], {x: X})


def case_depthwise_strided(tf):
    x, w = ph(tf, X), tf.constant(W[..., :1], tf.float32)
    return with_gradients(tf, tf.nn.depthwise_conv2d(x, w, [1, 2, 2, 1], "VALID"), [x, w], {x: X})


def case_depthwise_dilated(tf):
    x, w = ph(tf, X), tf.constant(W, tf.float32)
    return with_gradients(tf, tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "SAME", rate=[2, 2]), [x, w], {x: X})


def case_depthwise_second(tf):
    x, w = ph(tf, X), tf.constant(W, tf.float32)
    first = tf.gradients(tf.nn.depthwise_conv2d_native(x, w, [1, 1, 1, 1], "SAME"), [x, w])
    return Case(tf.gradients([first[0] * x, first[1] * w], [x, w]), feeds={x: X})


def case_separable(tf):
    x, w, p = ph(tf, X), tf.constant(W[..., :2], tf.float32), tf.constant(np.sin(np.arange(40)).reshape(1, 1, 8, 5), tf.float32)
    y = tf.nn.separable_conv2d(x, w, p, [1, 1, 1, 1], "SAME")
    z = tf.nn.separable_conv2d(x, w, p, [1, 1, 1, 1], "SAME", rate=[2, 2], name="s")
    return Case([y, z, tf.gradients(y, [x, w, p])], feeds={x: X})


def case_pools(tf):
    x = ph(tf, X)
    one, three = ph(tf, X[0]), ph(tf, V)
    return Case([tf.nn.pool(x, [2, 2], "MAX", "SAME"), tf.nn.pool(x, [2, 2], "AVG", "VALID", strides=[2, 2]), tf.nn.pool(x, [2, 2], "AVG", "VALID", dilation_rate=[2, 2], name="d"),
                 tf.nn.pool(one, [2], "AVG", "VALID"), tf.nn.pool(three, [2, 2, 2], "MAX", "SAME")], feeds={x: X, one: X[0], three: V})


def case_pool_three(tf):
    x, g = ph(tf, V), tf.placeholder(tf.float32, [None, 2, 3, 2, 2])
    fetches = []
    for kind in (tf.nn.max_pool3d, tf.nn.avg_pool3d):
        y = kind(x, 2, 2, "SAME")
        first = tf.gradients(y, x, grad_ys=g)[0]
        fetches += [y, first, tf.gradients(first * x, [x, g])]
    return Case(fetches, feeds={x: V, g: V[:, :2, :3, :2]})


def case_with_space_to_batch(tf):
    x, rate = ph(tf, X), tf.placeholder(tf.int32, [2])
    op = lambda x, n, p: tf.nn.relu(x)
    return Case([tf.nn.with_space_to_batch(x, rate, "VALID", op), tf.nn.with_space_to_batch(x, [2, 1], "SAME", op, filter_shape=[3, 3], spatial_dims=[1, 2])],
                feeds={x: X[:, :, :4], rate: [2, 2]}, graph_only=True)


def case_dilation(tf):
    x, w = ph(tf, X), tf.constant(W[..., 0], tf.float32)
    y = tf.nn.dilation2d(x, w, [1, 1, 1, 1], [1, 1, 1, 1], "SAME")
    return Case([y, tf.gradients(y, [x, w], grad_ys=y), tf.nn.dilation2d(x, w, [1, 2, 1, 1], [1, 2, 2, 1], "VALID"), tf.nn.erosion2d(x, w, [1, 1, 1, 1], [1, 2, 2, 1], "SAME")],
                feeds={x: X})


def case_refused(tf):
    x, w = tf.zeros([1, 6, 5, 4]), tf.zeros([3, 3, 4, 2])
    c = tf.nn.convolution
    return [raises(c, tf.placeholder(tf.float32), tf.placeholder(tf.float32), "SAME"), raises(c, x, tf.zeros([3, 3, 4]), "SAME"), raises(c, x, tf.zeros([3, 3, 3, 2]), "SAME"),
            raises(c, x, w, "FOO"), raises(c, x, w, "FOO", dilation_rate=[2, 2]), raises(c, x, w, "SAME", dilation_rate=[0, 1]), raises(c, x, w, "SAME", dilation_rate=2, strides=2),
            raises(c, tf.zeros([1] * 6), tf.zeros([1] * 6), "SAME"), raises(c, [[[[1.0]]]], w, "SAME"), raises(tf.nn.conv1d, x[0], w[0], 1, "SAME", data_format="FOO"),
            raises(tf.nn.atrous_conv2d_transpose, x, tf.zeros([3, 3, 4, 3]), [1, 6, 5, 4], 2, "SAME"), raises(tf.nn.atrous_conv2d_transpose, x, tf.zeros([3, 3, 4, 4]), [1, 6, 5], 2, "SAME"),
            raises(tf.nn.depthwise_conv2d, x, tf.zeros([3, 3, 3, 4]), [1, 1, 1, 1], "SAME"), raises(tf.nn.separable_conv2d, x, w, tf.zeros([1, 2, 8, 2]), [1, 1, 1, 1], "SAME"),
            raises(tf.nn.conv3d, tf.zeros([1, 2, 2, 2, 3]), tf.zeros([1, 1, 1, 2, 2]), [1] * 5, "SAME"), raises(tf.nn.dilation2d, x, tf.zeros([3, 3, 3]), [1] * 4, [1] * 4, "SAME"),
            raises(tf.nn.pool, x, [2, 2], "MIN", "SAME"), raises(tf.nn.pool, x, [2, 2], "MAX", "SAME", strides=[3, 3]), raises(tf.nn.pool, x, [2, 2], "MAX", "SAME", dilation_rate=[2, 2])]


def case_depthwise_stride_refused(tf):
    return tf.nn.depthwise_conv2d(tf.zeros([1, 6, 6, 4]), tf.zeros([3, 3, 4, 4]), [1, 2, 1, 1], "SAME")

"""Moments, batch normalization (fused and not), local response and L2 normalization."""
import numpy as np
from golden_case import Case, raises

X = (np.arange(2 * 4 * 3 * 2) * 37 % 101).reshape(2, 4, 3, 2) / 20.0 - 2
FLAT = X.reshape(12, 4)[:, :3]
C = np.array([1.5, -0.5], "f4")


def case_moments(tf):
    x = tf.placeholder(tf.float32, [None, 4, 3, 2])
    return Case([tf.nn.moments(x, [0]), tf.nn.moments(x, [0, 1, 2], keep_dims=True, name="m"), tf.nn.moments(tf.cast(x, tf.float16), [0, 1]), tf.nn.moments(x, 0, keepdims=True),
                 tf.gradients(tf.nn.moments(x, [0, 1])[1], x)], feeds={x: X})


def case_weighted(tf):
    x, w = tf.placeholder(tf.float32, [None, 4, 3, 2]), tf.placeholder(tf.float32, [None, 4, 1, 1])
    return Case([tf.nn.weighted_moments(x, [0, 1], w), tf.nn.weighted_moments(x, [0, 1], 2, keep_dims=True), tf.nn.weighted_moments(tf.cast(x, tf.float16), 0, w)],
                feeds={x: X, w: np.abs(X[:, :, :1, :1]) + 1})


def case_statistics(tf):
    x = tf.placeholder(tf.float32, [None, 4, 3, 2])
    a, b, c = tf.nn.sufficient_statistics(x, [0, 1]), tf.nn.sufficient_statistics(x, [1], shift=1.0, keep_dims=True), tf.nn.sufficient_statistics(x, [1, 2])
    return Case([a[:3], b, c[:3], tf.nn.normalize_moments(a[0], a[1], a[2], None), tf.nn.normalize_moments(b[0], b[1], b[2], 1.0, name="q")], feeds={x: X})


def case_batch(tf):
    x, c = tf.placeholder(tf.float32, [None, 3]), tf.constant([1.0, 2.0, 3.0])
    y = tf.nn.batch_normalization(x, c, c, c, c, 1e-3)
    return Case([y, tf.nn.batch_normalization(x, c, c, None, None, 1e-3), tf.nn.batch_normalization(x, c, c, None, c, 1e-3, name="q"), tf.gradients(y, [x, c]),
                 tf.nn.batch_norm_with_global_normalization(x, c, c, c, c, 1e-3, True), tf.nn.batch_norm_with_global_normalization(x, c, c, c, c, 1e-3, False)], feeds={x: FLAT})


def case_fused(tf):
    x, scale, offset = tf.placeholder(tf.float32, [None, 4, 3, 2]), tf.constant(C), tf.constant(-C)
    y, mean, variance = tf.nn.fused_batch_norm(x, scale, offset)
    return Case([y, mean, variance, tf.gradients(y, [x, scale, offset], grad_ys=tf.cos(y))], feeds={x: X})


def case_fused_inference(tf):
    x, scale, offset = tf.placeholder(tf.float32, [None, 4, 3, 2]), tf.constant(C), tf.constant(-C)
    y = tf.nn.fused_batch_norm(x, scale, offset, [0.5, 1.0], [2.0, 3.0], epsilon=1e-9, is_training=False)[0]
    return Case([y, tf.gradients(y, [x, scale, offset], grad_ys=tf.cos(y))], feeds={x: X})


def case_fused_second(tf):
    x, scale = tf.placeholder(tf.float32, [None, 4, 3, 2]), tf.constant(C)
    y = tf.nn.fused_batch_norm(x, scale, tf.constant(-C))[0]
    first = tf.gradients(y, [x, scale], grad_ys=x * x)
    return Case(tf.gradients([first[0] * x, first[1]], [x, scale]), feeds={x: X}, graph=False)


def case_fused_inference_second(tf):
    x, scale = tf.placeholder(tf.float32, [None, 4, 3, 2]), tf.constant(C)
    y = tf.nn.fused_batch_norm(x, scale, tf.constant(-C), [0.5, 1.0], [2.0, 3.0], is_training=False)[0]
    first = tf.gradients(y, [x, scale], grad_ys=x * x)
    return Case(tf.gradients([first[0] * x, first[1]], [x, scale]), feeds={x: X}, graph=False)


def case_fused_first(tf):
    x = tf.placeholder(tf.float32, [None, 2, 4, 3])
    y = tf.nn.fused_batch_norm(x, C, C, data_format="NCHW")[0]
    z = tf.nn.fused_batch_norm(x, C, C, C, C, data_format="NCHW", is_training=False)[0]
    return Case([y, tf.gradients(y, x), tf.gradients(z, x)], graph_only=True)


def case_fused_half(tf):
    x = tf.placeholder(tf.float16, [None, 4, 3, 2])
    y = tf.nn.fused_batch_norm(x, C, C)
    return Case([y, tf.gradients(y[0], x, grad_ys=x)], feeds={x: X}, tolerance=2e-2)


def case_fused_one(tf):
    return tf.nn.fused_batch_norm(tf.ones([1, 1, 1, 2]), C, C)


def case_older(tf):
    x = tf.constant(X, tf.float32)
    empty = np.zeros(0, "f4")
    return [tf.raw_ops.FusedBatchNorm(x=x, scale=C, offset=C, mean=empty, variance=empty)[:5], tf.raw_ops.FusedBatchNormV2(x=x, scale=C, offset=C, mean=C, variance=C * C, is_training=False)[0]]


def case_l2(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    y = tf.nn.l2_normalize(x, 1)
    return Case([y, tf.nn.l2_normalize(x), tf.nn.l2_normalize(x, [0, 1], epsilon=1e3, name="z"), tf.math.l2_normalize(x, dim=0), tf.gradients(y, x)], feeds={x: FLAT})


def case_local_response(tf):
    x = tf.placeholder(tf.float32, [None, 1, 3, 8])
    y = tf.nn.lrn(x, 2, bias=1.5, alpha=0.5, beta=0.75)
    return Case([y, tf.nn.local_response_normalization(x, name="all"), tf.gradients(y, x, grad_ys=x)], feeds={x: X.reshape(2, 1, 3, 8)})


def case_zero_fraction(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    return Case([tf.nn.zero_fraction(x), tf.nn.zero_fraction([1, 2, 0], name="z")], feeds={x: np.maximum(FLAT, 0)})


def case_refused(tf):
    x = tf.zeros([1, 4, 4, 3])
    f = tf.nn.fused_batch_norm
    return [raises(f, x, tf.ones([3]), tf.zeros([3]), is_training=False), raises(f, x, tf.ones([4]), tf.zeros([3])), raises(f, x, tf.ones([3]), tf.zeros([3]), tf.zeros([3]), tf.zeros([3])),
            raises(f, tf.zeros([1, 3]), tf.ones([3]), tf.zeros([3])), raises(tf.nn.lrn, tf.zeros([2, 3])), raises(tf.nn.l2_normalize, x, 1, dim=1)]

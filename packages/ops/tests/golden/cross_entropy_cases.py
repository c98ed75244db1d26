"""Cross entropies and losses per element."""
import numpy as np
from golden_case import Case, raises

X = np.arange(24).reshape(2, 3, 4) * 0.75 % 5 - 2
P = np.exp(np.cos(np.arange(24).reshape(2, 3, 4)))
P = P / P.sum(-1, keepdims=True)


def case_softmax(tf):
    x, p = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None, 4])
    old = tf.nn.softmax_cross_entropy_with_logits(labels=p, logits=x)
    return Case([old, tf.gradients(old, [x, p])], feeds={x: X[0], p: P[0]})


def case_softmax_v2(tf):
    x, p = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None, 4])
    y = tf.nn.softmax_cross_entropy_with_logits_v2(labels=p, logits=x)
    return Case([y, tf.gradients(y, [x, p])], feeds={x: X[0], p: P[0]})


def case_softmax_second(tf):
    x, p = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None, 4])
    y = tf.nn.softmax_cross_entropy_with_logits_v2(labels=p, logits=x)
    return Case(tf.gradients(tf.gradients(y, x)[0] * x, [x, p]), feeds={x: X[0], p: P[0]})


def case_softmax_ranks(tf):
    x, p = tf.placeholder(tf.float32, [2, 3, 4]), tf.placeholder(tf.float32, [2, 3, 4])
    u, v = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    f = tf.nn.softmax_cross_entropy_with_logits_v2
    return Case([f(labels=p, logits=x), f(labels=v, logits=u), f(labels=p, logits=x, axis=1, name="a")], feeds={x: X, p: P, u: X, v: P})


def case_softmax_half(tf):
    return tf.nn.softmax_cross_entropy_with_logits_v2(labels=tf.constant(P[0], tf.float16), logits=tf.constant(X[0], tf.float16))


def case_softmax_raw(tf):
    return tf.raw_ops.SoftmaxCrossEntropyWithLogits(features=tf.constant(X[0]), labels=tf.constant(P[0][:1]))


def case_softmax_refused(tf):
    f = tf.nn.softmax_cross_entropy_with_logits
    return [raises(f, [[1.0]], [[1.0]]), raises(f, labels=[[1.0]]), raises(tf.nn.softmax_cross_entropy_with_logits_v2, labels=[[1.0, 2.0]], logits=[[1.0] * 3]),
            raises(tf.nn.softmax_cross_entropy_with_logits_v2, None, [[1.0]]), raises(f, labels=[[1.0]], logits=[[1.0]], dim=0, axis=0)]


def case_sparse(tf):
    x, labels = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.int64, [None])
    y = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=x)
    return Case([y, tf.gradients(y, x)], feeds={x: X[0], labels: [0, 3, 1]})


def case_sparse_ranks(tf):
    x, labels = tf.placeholder(tf.float32, [None, 3, 4]), tf.placeholder(tf.int32, [None, 3])
    fixed = tf.constant(X)
    f = tf.nn.sparse_softmax_cross_entropy_with_logits
    return Case([f(labels=labels, logits=x), f(labels=[[0, 1, 2], [3, 0, 1]], logits=fixed, name="n")], feeds={x: X, labels: [[0, 1, 2], [3, 0, 1]]})


def case_sparse_half(tf):
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 0, 2], logits=tf.constant(X[0], tf.float16))


def case_sparse_unknown(tf):
    labels = tf.placeholder(tf.int32)
    return Case(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=tf.constant(X[0])), feeds={labels: [1, 2, 3]})


def case_sparse_out_of_range(tf):
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 4, 2], logits=tf.constant(X[0]))


def case_sparse_negative(tf):
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, -1, 2], logits=tf.constant(X[0]))


def case_sparse_refused(tf):
    f = tf.nn.sparse_softmax_cross_entropy_with_logits
    return [raises(f, labels=1, logits=2.0), raises(f, labels=[1], logits=[2.0]), raises(f, labels=[1, 2], logits=[[2.0]]), raises(f, [1], [[2.0]]),
            raises(f, labels=[1])]


def case_sigmoid(tf):
    x, p = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None, 4])
    y = tf.nn.sigmoid_cross_entropy_with_logits(labels=p, logits=x)
    return Case([y, tf.gradients(y, [x, p])], feeds={x: X[0], p: P[0]})


def case_weighted(tf):
    x, p = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None, 4])
    y = tf.nn.weighted_cross_entropy_with_logits(labels=p, logits=x, pos_weight=2.5)
    z = tf.nn.weighted_cross_entropy_with_logits(targets=p, logits=x, pos_weight=tf.constant(0.5), name="w")
    return Case([y, z, tf.gradients(y, x)], feeds={x: X[0], p: P[0]})


def case_elementwise_refused(tf):
    return [raises(tf.nn.sigmoid_cross_entropy_with_logits, labels=[1.0], logits=[1.0, 2.0]), raises(tf.nn.sigmoid_cross_entropy_with_logits, [1.0], [1.0]),
            raises(tf.nn.weighted_cross_entropy_with_logits, [1.0], [1.0, 2.0], 1.0), raises(tf.nn.log_poisson_loss, [1.0], [1.0, 2.0])]


def case_poisson(tf):
    x, t = tf.placeholder(tf.float32, [None, 4]), tf.constant(np.abs(X[1]) * 2, tf.float32)
    return Case([tf.nn.log_poisson_loss(t, x), tf.nn.log_poisson_loss(t, x, compute_full_loss=True, name="full")], feeds={x: X[0]})


def case_l2(tf):
    x = tf.placeholder(tf.float32)
    y = tf.nn.l2_loss(x)
    return Case([y, tf.gradients(y, x), tf.nn.l2_loss(tf.zeros([0])), tf.nn.l2_loss(tf.constant(X, tf.float16), name="half")], feeds={x: X})

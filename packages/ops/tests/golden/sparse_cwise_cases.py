"""`sparse * dense` and `sparse / dense`, with gradients."""
import numpy as np
from golden_case import Case, raises


def sparse(tf, kind="float32"):
    return tf.SparseTensor([[0, 1], [1, 0], [1, 2]], tf.constant([1, 2, 3], kind), [2, 3])


def case_operators(tf):
    s, row = sparse(tf), tf.constant([2.0, 4.0, 8.0])
    return [s * row, s * 2.0, row * s, s / row, s / tf.constant([[2.0], [4.0]]), s * tf.ones([2, 3]), s.__div__(row)]


def case_integers(tf):
    s = sparse(tf, "int32")
    return [s * 3, s / 2, s.__div__(2)]


def case_gradients(tf):
    for_each = []
    for build in (lambda s, d: s * d, lambda s, d: s / d):
        for dims in ([3], [2, 1], [2, 3], []):
            s, d = sparse(tf), tf.constant(np.arange(1, 1 + np.prod(dims)).reshape(dims), tf.float32)
            y = build(s, d).values
            for_each.append([y, tf.gradients(y * y, [s.values, d])])
    return for_each


def case_unknown(tf):
    s, d = tf.sparse_placeholder(tf.float32), tf.placeholder(tf.float32)
    y = s * d
    return Case([y, tf.gradients(y.values, [s.values, d])], feeds={s: tf.SparseTensorValue([[0, 1]], [2.0], [2, 2]), d: np.float32([3.0, 4.0])})


def case_refused(tf):
    s = sparse(tf)

    def run(y):
        with tf.Session() as session:
            return session.run(y)
    return [raises(run, s * tf.ones([2])), raises(run, s * tf.ones([1, 2, 3])), raises(lambda: s * "a"), raises(lambda: s + 1.0),
            raises(tf.gradients, tf.raw_ops.SparseDenseCwiseAdd(sp_indices=s.indices, sp_values=s.values, sp_shape=s.dense_shape, dense=[1.0]), s.values)]

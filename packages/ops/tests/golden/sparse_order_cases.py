"""Sparse tensors in order, and merged."""

import numpy as np
from golden_case import Case, raises


def case_reorder(tf):
    x = tf.sparse_placeholder(tf.float32, name="x")
    y = tf.sparse_reorder(x, name="named")
    z = tf.sparse.reorder(tf.SparseTensor([[1, 0], [0, 2], [0, 1]], [1, 2, 3], [2, 3]))
    w = tf.sparse_reorder(tf.SparseTensorValue(np.array([[1], [0]]), np.array(["a", "b"]), np.array([2])))
    grad = tf.gradients(y.values * y.values, x.values)
    return Case([y, z, w, grad], feeds={x: ([[1, 0], [0, 2], [0, 1]], [1.0, 2.0, 3.0], [2, 3])})


def case_merge(tf):
    i, v = tf.sparse_placeholder(tf.int64, name="i"), tf.sparse_placeholder(tf.float32, name="v")
    j = tf.SparseTensor([[0, 0], [1, 0], [1, 1]], tf.constant([3, 0, 2], tf.int32), [2, 2])
    at = [[0, 0], [1, 0], [1, 1]]
    out = [tf.sparse_merge(i, v, 10, name="m"), tf.sparse_merge([i, j], v, [tf.constant(5), 4], already_sorted=True), tf.sparse.merge([j], v, [4])]
    return Case(out, feeds={i: (at, [4, 3, 1], [2, 2]), v: (at, [1.0, 2.0, 3.0], [2, 2])})


def case_refused(tf):
    x, y = tf.SparseTensor([[0]], [1.0], [2]), tf.SparseTensor([[0]], [1], [2])
    m = tf.sparse_merge
    return [raises(m, [], [], []), raises(m, 3, x, 5), raises(m, y, x, [5]), raises(m, [y], x, 5), raises(m, [y], x, [1, 2]), raises(m, [y], x, ["a"]),
            raises(tf.sparse_reorder, 3), raises(m, y, 3, 5)]

"""Sparse tensors as dense ones, in products, cut, joined and reshaped."""

import numpy as np
from golden_case import Case, raises

AT = [[0, 1], [1, 0], [1, 2], [2, 3]]
X = (AT, [1.0, 2.0, 3.0, 4.0], [3, 4])


def case_products(tf):
    s, out = tf.sparse_placeholder(tf.float32, name="s"), []
    for a in (False, True):
        for b in (False, True):
            dense = tf.constant(np.arange(12.0).reshape((3, 4) if a else (4, 3)).T if b else np.arange(12.0).reshape((3, 4) if a else (4, 3)), tf.float32)
            y = tf.sparse_tensor_dense_matmul(s, dense, adjoint_a=a, adjoint_b=b)
            out += [y, tf.gradients(y * y, [s.values, dense])]
    out.append(tf.sparse.matmul(tf.SparseTensor([[0, 1]], [2.0], [2, 2]), [[1.0], [3.0]], name="named"))
    return Case(out, feeds={s: X})


def case_to_dense(tf):
    s, d = tf.sparse_placeholder(tf.float32, name="s"), tf.placeholder(tf.float32, [])
    y = tf.sparse_tensor_to_dense(s)
    z = tf.sparse_to_dense(s.indices, s.dense_shape, s.values, d)
    return Case([y, z, tf.gradients(y * y, s.values), tf.gradients(z * z, [s.values, d]), tf.sparse.to_dense(s, default_value=3.0, name="n"),
                 tf.sparse_to_dense([1, 3], [4], [1, 2]), tf.sparse_to_dense(2, [4], 1, -1), tf.sparse_to_dense([[1, 1], [0, 0]], [2, 2], 5.0, validate_indices=False),
                 tf.sparse.to_dense(tf.SparseTensor([[0, 1]], ["a"], [2, 2]))], feeds={s: X, d: 9.0})


def case_out_of_order(tf):
    return tf.sparse_to_dense([3, 1], [4], [1, 2])


def case_repeated(tf):
    return tf.sparse_to_dense([1, 1], [4], [1, 2])


def case_out_of_bounds(tf):
    return tf.sparse_to_dense([1, 4], [4], [1, 2])


def case_reshape(tf):
    s, c = tf.sparse_placeholder(tf.float32, name="s"), tf.SparseTensor([[0, 0], [3, 1]], [1.0, 2.0], [4, 2])
    return Case([tf.sparse_reshape(s, [-1, 2], name="named"), tf.sparse.reshape(c, [2, -1]), tf.sparse_reshape(c, tf.constant([8], tf.int64)),
                 raises(tf.sparse_reshape, c, [3, 2])], feeds={s: X})


def case_retain(tf):
    s = tf.sparse_placeholder(tf.float32, name="s")
    return Case([tf.sparse_retain(s, tf.constant([True, False, True, False])), tf.sparse.retain(tf.SparseTensor([[0]], [1.0], [2]), [False])], feeds={s: X})


def case_slice(tf):
    s = tf.sparse_placeholder(tf.float32, name="s")
    y = tf.sparse_slice(s, [1, 0], [5, 3])
    return Case([y, tf.gradients(y.values * y.values, s.values), tf.sparse.slice(s, [0, 0], [1, 1], name="named")], feeds={s: X})


def case_concat(tf):
    a, b = tf.sparse_placeholder(tf.float32, name="a"), tf.sparse_placeholder(tf.float32, name="b")
    return Case([tf.sparse_concat(1, [a, b]), tf.sparse.concat(0, [a, b], expand_nonconcat_dim=True), tf.sparse_concat(-1, [a, a, b], expand_nonconcat_dim=True, name="n"),
                 tf.sparse_concat(0, [a])], feeds={a: X, b: ([[0, 0], [2, 1]], [7.0, 8.0], [3, 2])})


def case_transpose(tf):
    return tf.sparse.transpose(tf.SparseTensor([[0, 0], [3, 1]], [1.0, 2.0], [4, 2]), [1, 0], name="named")


def case_fill_empty_rows(tf):
    s = tf.sparse_placeholder(tf.float32, name="s")
    y, empty = tf.sparse_fill_empty_rows(s, -1.0)
    return Case([y, empty, tf.gradients(y.values * y.values, s.values)], feeds={s: ([[1, 1], [3, 0], [3, 2]], [1.0, 2.0, 3.0], [5, 3])})


def case_refused(tf):
    return [raises(f, x) for f, x in ((tf.sparse_tensor_to_dense, 3), (lambda x: tf.sparse_tensor_dense_matmul(x, [[1.0]]), [[1.0]]), (lambda x: tf.sparse_concat(0, x), 3))]

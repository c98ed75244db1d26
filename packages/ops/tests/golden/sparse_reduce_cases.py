"""Sums and maxima over dimensions of sparse tensors."""

import numpy as np
from golden_case import Case, raises

X = ([[0, 0], [0, 2], [1, 1]], [1.0, 1.0, 1.0], [2, 3])
CUBE = ([[0, 0, 1], [0, 1, 0], [0, 1, 2], [1, 0, 1], [1, 1, 0]], [1.0, -2.0, 3.0, -4.0, 5.0], [2, 2, 3])
NONE = (np.zeros((0, 2), np.int64), np.zeros(0, np.float32), [2, 3])
AXES = (None, 0, 1, -1, -2, [0], [0, 1], [-1, 0], [1, 0], [])


def made(tf, parts, dtype="float32"):
    indices, values, shape = parts
    return tf.SparseTensor(np.reshape(np.array(indices, np.int64), (len(values), len(shape))), tf.constant(np.array(values).astype(dtype) if dtype not in ("bfloat16", "string") else values, dtype), shape)


def case_sum(tf):
    x = made(tf, CUBE)
    return [tf.sparse_reduce_sum(x, axis, keepdims=keep) for axis in (*AXES, 2, [0, 2], [0, 1, 2]) for keep in (None, False, True)]


def case_max(tf):
    x = made(tf, CUBE)
    return [tf.sparse_reduce_max(x, axis, keepdims=keep) for axis in (*AXES, 2, [0, 2], [0, 1, 2]) for keep in (None, False, True)]


def case_sum_sparse(tf):
    x = made(tf, CUBE)
    return [tf.sparse_reduce_sum_sparse(x, axis, keepdims=keep) for axis in (*AXES, 2, [0, 2], [0, 1, 2]) for keep in (None, True)]


def case_max_sparse(tf):
    x = made(tf, CUBE)
    return [tf.sparse_reduce_max_sparse(x, axis, keepdims=keep) for axis in (*AXES, 2, [0, 2], [0, 1, 2]) for keep in (None, True)]


def case_empty(tf):
    x = made(tf, NONE)
    return [f(x, axis, keepdims=keep) for f in (tf.sparse_reduce_sum, tf.sparse_reduce_max, tf.sparse_reduce_sum_sparse, tf.sparse_reduce_max_sparse)
            for axis in (None, 0, -1, [0, 1]) for keep in (False, True)]


def case_names(tf):
    x = made(tf, X)
    with tf.name_scope("s"):
        return [tf.sparse.reduce_sum(x), tf.sparse.reduce_max(x, axis=0), tf.sparse.reduce_sum_sparse(x, 1), tf.sparse.reduce_max_sparse(x, [0]), tf.sparse.reduce_sum(x, reduction_axes=[1]),
                tf.sparse.reduce_sum(x, keep_dims=True), tf.sparse.reduce_max(x, reduction_axes=1, keep_dims=True), tf.sparse.reduce_sum_sparse(x, reduction_axes=0, keep_dims=True),
                tf.sparse.reduce_max_sparse(x, reduction_axes=0, keep_dims=True)]


def case_gradient(tf):
    x = made(tf, CUBE)
    out = []
    for axis in (None, 0, 1, -1, -2, [0, 2], [0, 1, 2], []):
        for keep in (False, True):
            y = tf.sparse_reduce_sum(x, axis, keepdims=keep)
            out += [y, tf.gradients(y * y, x.values)]
    return out


def case_gradient_unknown(tf):
    x, axes = tf.sparse_placeholder(tf.float32), tf.placeholder(tf.int32)
    y = tf.sparse_reduce_sum(x, axes)
    return Case([y, tf.gradients(y, x.values)], feeds=[{x: CUBE, axes: [1, 2]}, {x: CUBE, axes: 0}], steps=2)


def case_no_gradient(tf):
    x = made(tf, X)
    return [raises(tf.gradients, tf.sparse_reduce_max(x, 0), x.values), raises(tf.gradients, tf.sparse_reduce_sum_sparse(x, 0).values, x.values),
            raises(tf.gradients, tf.sparse_reduce_max_sparse(x, 0).values, x.values)]


def case_kinds(tf):
    out = []
    for kind in ("int8", "int16", "int32", "int64", "uint8", "uint16", "float16", "float64"):
        x = made(tf, ([[0, 0], [0, 2], [1, 1]], [100, 120, 5], [2, 3]), kind)
        out += [tf.sparse_reduce_sum(x, 1), tf.sparse_reduce_max(x, 1), tf.sparse_reduce_sum_sparse(x, 1), tf.sparse_reduce_max_sparse(x)]
    for kind in ("complex64", "complex128"):
        out += [tf.sparse_reduce_sum(made(tf, X, kind), 0), tf.sparse_reduce_sum_sparse(made(tf, X, kind), 0)]
    return out


def case_not_a_number(tf):
    nan = float("nan")
    x = made(tf, ([[0, 0], [1, 0], [1, 1]] + [[2, i] for i in range(9)], [nan] * 12, [3, 9]))
    y = made(tf, ([[0, i] for i in range(9)] + [[1, i] for i in range(9)], [1.0, 2.0] + [nan] * 7 + [nan] * 8 + [3.0], [2, 9]), "float64")
    return [f(s, 1) for f in (tf.sparse_reduce_max, tf.sparse_reduce_sum) for s in (x, y)]


def case_axis_outside_static(tf):
    x = tf.sparse_placeholder(tf.float32, shape=[2, 3])
    return [str(tf.sparse_reduce_sum(x, axis, keepdims=keep).shape) for axis in (2, 5, -3, -7, [0, 3]) for keep in (False, True)]


def case_special(tf):
    x = made(tf, ([[0, 0], [0, 1], [1, 1], [1, 2], [2, 0]], [np.nan, 1.0, 2.0, np.nan, -np.inf], [4, 3]))
    return [tf.sparse_reduce_max(x, 1), tf.sparse_reduce_sum(x, 1), tf.sparse_reduce_max(x, 0), tf.sparse_reduce_max(x)]


def case_vector(tf):
    x = made(tf, ([[1], [3]], [4.0, 5.0], [6]))
    return [f(x, axis) for f in (tf.sparse_reduce_sum, tf.sparse_reduce_max, tf.sparse_reduce_sum_sparse, tf.sparse_reduce_max_sparse) for axis in (None, 0, -1, [])]


def case_unsorted(tf):
    x = made(tf, ([[1, 1], [0, 2], [0, 0]], [1.0, 2.0, 3.0], [2, 3]))
    return [f(x, axis) for f in (tf.sparse_reduce_sum, tf.sparse_reduce_max) for axis in (None, 0, 1)]


def case_repeated(tf):
    x = made(tf, ([[0, 1], [0, 1], [1, 1]], [1.0, 2.0, 3.0], [2, 3]))
    return [f(x, axis) for f in (tf.sparse_reduce_sum, tf.sparse_reduce_max, tf.sparse_reduce_sum_sparse) for axis in (None, 0, 1)]


def case_unknown(tf):
    x, y = tf.sparse_placeholder(tf.float32, name="x"), tf.sparse_placeholder(tf.float32, shape=[None, 3], name="y")
    out = [f(s, axis, keepdims=keep) for f in (tf.sparse_reduce_sum, tf.sparse_reduce_max, tf.sparse_reduce_sum_sparse, tf.sparse_reduce_max_sparse)
           for s in (x, y) for axis in (None, 1, [0]) for keep in (False, True)]
    return Case(out, feeds=[{x: X, y: X}, {x: NONE, y: X}], steps=2)


def case_unknown_axes(tf):
    x, axes = made(tf, X), tf.placeholder(tf.int32)
    out = [f(x, axes, keepdims=keep) for f in (tf.sparse_reduce_sum, tf.sparse_reduce_max) for keep in (False, True)]
    return Case(out, feeds=[{axes: 1}, {axes: [0, 1]}, {axes: np.zeros(0)}], steps=3)


def case_static(tf):
    x = tf.sparse_placeholder(tf.float32, shape=[2, 3])
    return [list(map(str, (tf.sparse_reduce_sum(x, axis, keepdims=keep).shape, tf.sparse_reduce_sum_sparse(x, axis, keepdims=keep).shape))) for axis in AXES for keep in (False, True)]


def case_value(tf):
    value = tf.SparseTensorValue(np.array([[0, 1]]), np.array([2.0], np.float32), np.array([2, 2]))
    return [tf.sparse_reduce_sum(value), tf.sparse_reduce_max(value, 0), tf.sparse_reduce_sum_sparse(value), tf.rank(value), tf.shape(value), tf.size(value), tf.shape(value, out_type=tf.int64)]


def case_refused(tf):
    x = made(tf, X)
    out = []
    for f in (tf.sparse_reduce_sum, tf.sparse_reduce_max, tf.sparse_reduce_sum_sparse, tf.sparse_reduce_max_sparse):
        out += [raises(f, 3), raises(f, x, "a"), raises(f, x, 1.5), raises(f, x, 1, reduction_axes=1), raises(f, x, keepdims=True, keep_dims=True), raises(f, x, 5), raises(f, x, [0, -3]),
                raises(f, made(tf, X, "bool")), raises(f, x, [[0]])]
    return out


def wrong(tf, f, parts, axes=None):
    x = tf.sparse_placeholder(tf.float32)
    a = tf.placeholder(tf.int32)
    return Case(f(x, a), feeds={x: parts, a: [0] if axes is None else axes})


def case_axis_outside(tf):
    return wrong(tf, tf.sparse_reduce_sum, X, [2])


def case_axis_negative(tf):
    return wrong(tf, tf.sparse_reduce_max, X, [-3])


def case_axis_outside_sparse(tf):
    return wrong(tf, tf.sparse_reduce_sum_sparse, X, [2])


def case_axis_repeated(tf):
    return wrong(tf, tf.sparse_reduce_sum, X, [0, 0])


def case_axis_repeated_both_ways(tf):
    return wrong(tf, tf.sparse_reduce_max_sparse, X, [0, -2])


def case_axes_matrix(tf):
    return wrong(tf, tf.sparse_reduce_sum, X, [[0]])


def case_index_far_outside(tf):
    return wrong(tf, tf.sparse_reduce_sum, ([[0, 0], [7, 3]], [1.0, 2.0], [2, 3]), [0, 1])


def case_wrong_count(tf):
    return wrong(tf, tf.sparse_reduce_sum, ([[0, 0]], [1.0, 2.0], [2, 3]))


def case_wrong_rank(tf):
    return wrong(tf, tf.sparse_reduce_max, ([[0, 0], [1, 1]], [1.0, 2.0], [2, 3, 4]))

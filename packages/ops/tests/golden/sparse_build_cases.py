"""Sparse tensors made, split, expanded, given other shapes and turned into indicators."""

import numpy as np
from golden_case import Case, raises

X = ([[0, 0], [0, 5], [1, 3], [1, 4], [2, 1], [3, 0], [3, 6]], [0, 5, 13, 14, 21, 30, 36], [4, 7])


def made(tf, parts, dtype="float32"):
    indices, values, shape = parts
    return tf.SparseTensor(np.reshape(np.array(indices, np.int64), (len(values), len(shape))), tf.constant(np.array(values).astype(dtype) if dtype not in ("bfloat16", "string") else values, dtype), shape)


def case_split(tf):
    x = made(tf, X)
    return [tf.sparse_split(sp_input=x, num_split=n, axis=axis) for n, axis in ((1, 0), (2, 0), (4, 0), (3, 0), (1, 1), (2, 1), (3, 1), (7, 1), (7, tf.constant(1, tf.int64)))]


def case_split_names(tf):
    x = tf.SparseTensor([[0, 0], [1, 3]], ["a", "b"], [2, 4])
    with tf.name_scope("s"):
        return [tf.sparse.split(sp_input=x, num_split=2, axis=1, name="named"), tf.sparse_split(sp_input=x, num_split=2, axis=0), tf.sparse_split(sp_input=x, num_split=2, axis=tf.constant(1, tf.int64))]


def case_split_unknown(tf):
    x, axis = tf.sparse_placeholder(tf.float32), tf.placeholder(tf.int64, [])
    y = tf.sparse_placeholder(tf.float32, shape=[None, 7])
    return Case([tf.sparse_split(sp_input=x, num_split=2, axis=axis), tf.sparse_split(sp_input=y, num_split=3, axis=1)], feeds=[{x: X, axis: 1, y: X}, {x: X, axis: 0, y: X}], steps=2)


def case_split_empty(tf):
    x = made(tf, (np.zeros((0, 2)), [], [4, 7]))
    return tf.sparse_split(sp_input=x, num_split=3, axis=1)


def case_split_no_gradient(tf):
    x = made(tf, X)
    return raises(tf.gradients, tf.sparse_split(sp_input=x, num_split=2, axis=0)[0].values, x.values)


def case_split_refused(tf):
    x, f = made(tf, X), tf.sparse_split
    return [raises(f, x, 2, 1), raises(f, sp_input=x, num_split=2), raises(f, sp_input=x, axis=1), raises(f, num_split=2, axis=0), raises(f, sp_input=3, num_split=2, axis=0),
            raises(f, sp_input=x, num_split=0, axis=0), raises(f, sp_input=x, num_split=-1, axis=0), raises(f, sp_input=x, num_split=2, axis=0, split_dim=0), raises(f, sp_input=x, num_split=2, split_dim=0), raises(f, sp_input=x, num_split=2, axis=-1), raises(f, sp_input=x, num_split=2, axis=2), raises(f, sp_input=x, num_split=9, axis=0),
            raises(f, sp_input=x, num_split="a", axis=0), raises(f, sp_input=x, num_split=2, axis="a"), raises(f, sp_input=x, num_split=2, axis=[0, 1])]


def split(tf, parts, number, axis):
    x, a = tf.sparse_placeholder(tf.float32), tf.placeholder(tf.int64)
    return Case(tf.sparse_split(sp_input=x, num_split=number, axis=a), feeds={x: parts, a: axis})


def case_split_too_many(tf):
    return split(tf, X, 5, 0)


def case_split_axis_outside(tf):
    return split(tf, X, 2, 2)


def case_split_axis_negative(tf):
    return split(tf, X, 2, -1)


def case_split_wrong_count(tf):
    return split(tf, ([[0, 0]], [1.0, 2.0], [2, 2]), 2, 0)


def case_split_wrong_rank(tf):
    return split(tf, ([[0, 0]], [1.0], [2, 2, 2]), 2, 0)


def case_expand_dims(tf):
    x = made(tf, X)
    return [tf.sparse.expand_dims(x, axis) for axis in (None, 0, 1, 2, -1, -2, -3)] + [tf.sparse.expand_dims(x, 1, name="named"), tf.sparse.expand_dims(made(tf, ([[1]], [2.0], [3])), 0)]


def case_expand_dims_unknown(tf):
    x, y = tf.sparse_placeholder(tf.float32), tf.sparse_placeholder(tf.float32, shape=[None, 7])
    out = [tf.sparse.expand_dims(y, axis) for axis in (None, 0, 1, -2)]
    for axis in (None, 0, 1, -2):
        try:
            out.append(tf.sparse.expand_dims(x, axis))
        except ValueError:
            out.append("refused")
    return Case(out, feeds={x: X, y: X})


def case_expand_dims_gradient(tf):
    x = made(tf, X)
    y = tf.sparse.expand_dims(x, 1)
    return [y, tf.gradients(y.values * y.values, x.values)]


def case_expand_dims_refused(tf):
    x = made(tf, X)
    f = tf.sparse.expand_dims
    return [raises(f, x, 3), raises(f, x, -4), raises(f, 3, 0), raises(f, x, "a"), raises(f, x, tf.constant(1)), raises(f, x, 1.0)]


def case_eye(tf):
    f = tf.sparse.eye
    return [f(3), f(2, 4), f(4, 2, dtype=tf.int64), f(3, name="named"), f(2, dtype=tf.complex64), f(0), f(0, 3), f(2, dtype=tf.bool), f(tf.constant(3)), f(tf.constant(2, tf.int64), 3), f(np.int32(2))]


def case_eye_unknown(tf):
    n, m = tf.placeholder(tf.int32, []), tf.placeholder(tf.int64, [])
    return Case([tf.sparse.eye(n), tf.sparse.eye(n, m), tf.sparse.eye(3, n)], feeds=[{n: 2, m: 3}, {n: 4, m: 1}], steps=2)


def case_eye_refused(tf):
    f = tf.sparse.eye
    return [raises(f, -1), raises(f, "a"), raises(f, 2.5), raises(f, [2]), raises(f, 2, -2), raises(f, 2, dtype="nonsense"), raises(f, None), raises(f, 2, dtype=tf.string)]


def case_from_dense(tf):
    f = tf.sparse.from_dense
    return [f([[0, 1], [2, 0]]), f(tf.constant([0.0, 3.0, np.nan]), name="named"), f(np.zeros((2, 3))), f(3), f(0), f(np.zeros((0, 2), np.float32)),
            f(tf.constant([[[0, 1j]]])), f(np.arange(8, dtype=np.int8).reshape(2, 2, 2)), f([-0.0, 1.0])]


def case_from_dense_unknown(tf):
    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32, [None, 2])
    s = tf.sparse.from_dense(y)
    return Case([tf.sparse.from_dense(x), s, str(s.shape), tf.gradients(s.values * s.values, y)], feeds={x: [[0.0, 1.0]], y: [[0.0, 2.0], [3.0, 0.0]]})


def case_from_dense_refused(tf):
    return [raises(tf.sparse.from_dense, None), raises(tf.sparse.from_dense, ["a"]), raises(tf.sparse.from_dense, [[True, False]]), raises(tf.sparse.from_dense, object()), raises(tf.sparse.from_dense, tf.SparseTensor([[0]], [1.0], [2]))]


def case_reset_shape(tf):
    x = tf.SparseTensor([[0, 0, 0], [0, 1, 0], [0, 1, 2], [1, 0, 1]], [1.0, 2.0, 3.0, 4.0], [2, 5, 6])
    return [tf.sparse_reset_shape(x), tf.sparse.reset_shape(x, [2, 5, 8]), tf.sparse_reset_shape(x, np.array([3, 6, 7], np.int64)), tf.sparse_reset_shape(x, tf.constant([2, 5, 6], tf.int64)),
            tf.sparse_reset_shape(x, tf.TensorShape([2, 6, 6]))]


def case_reset_shape_empty(tf):
    x = tf.SparseTensor(np.zeros((0, 2), np.int64), np.zeros(0, np.float32), [3, 4])
    y = tf.SparseTensor([[1]], [1.0], [3])
    return [tf.sparse_reset_shape(x), tf.sparse_reset_shape(x, [5, 5]), tf.sparse_reset_shape(y), tf.sparse_reset_shape(y, [9])]


def case_reset_shape_unknown(tf):
    x, n = tf.sparse_placeholder(tf.float32), tf.placeholder(tf.int64)
    v = tf.placeholder(tf.int64, [2])
    return Case([tf.sparse_reset_shape(x), tf.sparse_reset_shape(x, n), tf.sparse_reset_shape(x, [9, 9]), tf.sparse_reset_shape(made(tf, X), v)],
                feeds={x: ([[1, 1]], [2.0], [4, 4]), n: [5, 6], v: [4, 8]})


def case_reset_shape_values(tf):
    value = tf.SparseTensorValue(np.array([[0, 1]]), np.array([2.0], np.float32), np.array([2, 2]))
    return tf.sparse_reset_shape(value, [3, 3])


def case_reset_shape_refused(tf):
    x, f = made(tf, X), tf.sparse_reset_shape
    return [raises(f, 3), raises(f, x, [1, 2, 3]), raises(f, x, [3, 7]), raises(f, x, "a"), raises(f, x, [[4, 7]]), raises(f, x, 4), raises(f, x, [4.5, 7.0]), raises(f, x, [-1, 7])]


def case_reset_shape_too_small(tf):
    x, n = tf.sparse_placeholder(tf.float32), tf.placeholder(tf.int64)
    return Case(tf.sparse_reset_shape(x, n), feeds={x: ([[1, 1]], [2.0], [4, 4]), n: [3, 6]})


def case_reset_shape_wrong_rank(tf):
    x, n = tf.sparse_placeholder(tf.float32), tf.placeholder(tf.int64)
    return Case(tf.sparse_reset_shape(x, n), feeds={x: ([[1, 1]], [2.0], [4, 4]), n: [5, 6, 7]})


def case_to_indicator(tf):
    x = tf.SparseTensor([[0, 0], [1, 0], [1, 3], [1, 4], [3, 2], [3, 3]], tf.constant([0, 10, 103, 150, 149, 150], tf.int64), [5, 6])
    y = tf.SparseTensor([[0, 0, 0], [0, 1, 0], [1, 0, 3]], [0, 1, 2], [2, 3, 4])
    return [tf.sparse_to_indicator(x, 200), tf.sparse.to_indicator(y, 3, name="named"), tf.sparse_to_indicator(tf.SparseTensor([[1], [2]], [0, 4], [4]), np.int64(5)),
            tf.sparse_to_indicator(y, tf.constant(3, tf.int64))]


def case_to_indicator_unknown(tf):
    x = tf.sparse_placeholder(tf.int32)
    return Case([tf.sparse_to_indicator(x, 4)], feeds=[{x: ([[0, 0], [1, 1]], [3, 1], [2, 2])}, {x: (np.zeros((0, 2)), np.zeros(0), [2, 2])}], steps=2)


def case_to_indicator_repeated(tf):
    x = tf.sparse_placeholder(tf.int32)
    return Case(tf.sparse_to_indicator(x, 4), feeds={x: ([[0, 0], [0, 1], [1, 1]], [3, 3, 1], [2, 2])})


def case_to_indicator_outside(tf):
    x = tf.sparse_placeholder(tf.int32)
    return Case(tf.sparse_to_indicator(x, 3), feeds={x: ([[0, 0], [0, 1], [1, 1]], [2, 3, 1], [2, 2])})


def case_to_indicator_negative(tf):
    x = tf.sparse_placeholder(tf.int32)
    return Case(tf.sparse_to_indicator(x, 3), feeds={x: ([[0, 0]], [-1], [2, 2])})


def case_to_indicator_refused(tf):
    f = tf.sparse_to_indicator
    return [raises(f, 3, 4), raises(f, made(tf, X), 4), raises(f, made(tf, X, "int32"), "a"), raises(f, made(tf, X, "int32"), [4]), raises(f, tf.SparseTensor([[0]], ["a"], [2]), 4)]

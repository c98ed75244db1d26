"""Sparse tensors added, compared, masked and normalised."""

import numpy as np
from golden_case import Case, raises

A = ([[0, 1], [1, 0], [1, 2], [2, 3]], [1.0, 2.0, 3.0, 4.0], [3, 4])
B = ([[0, 1], [0, 2], [1, 2], [2, 0], [2, 3]], [10.0, -20.0, -3.0, 40.0, -3.95], [3, 4])
NONE = (np.zeros((0, 2), np.int64), np.zeros(0, np.float32), [3, 4])


def made(tf, parts, dtype="float32"):
    indices, values, shape = parts
    return tf.SparseTensor(np.reshape(np.array(indices, np.int64), (len(values), len(shape))), tf.constant(np.array(values).astype(dtype) if dtype not in ("bfloat16", "string") else values, dtype), shape)


def placed(tf, name=None, dtype="float32", shape=None):
    return tf.sparse_placeholder(dtype, shape=shape, name=name)


def case_add(tf):
    a, b = made(tf, A), made(tf, B)
    return [tf.sparse_add(a, b), tf.sparse.add(b, a), tf.sparse_add(a, b, thresh=0.5), tf.sparse_add(a, b, threshold=5),
            tf.sparse_add(a, b, 0.04), tf.sparse_add(a, b, tf.constant(0.06)), tf.sparse_add(a, a), tf.sparse_add(a, made(tf, NONE)), tf.sparse_add(made(tf, NONE), made(tf, NONE))]


def case_add_gradient(tf):
    a, b = made(tf, A), made(tf, B)
    for_each = []
    for thresh in (0, 0.5, 11.5):
        y = tf.sparse_add(a, b, threshold=thresh)
        for_each.append([y, tf.gradients(y.values, [a.values, b.values]), tf.gradients(y.values * y.values, [a.values, b.values]), tf.gradients(y.values, a.values)])
    return for_each


def case_add_unknown(tf):
    a, b = placed(tf, "a"), placed(tf, "b")
    y = tf.sparse_add(a, b)
    return Case([y, y.get_shape().ndims, tf.gradients(y.values, [a.values, b.values])], feeds=[{a: A, b: B}, {a: A, b: NONE}, {a: NONE, b: NONE}], steps=3)


def case_add_part_known(tf):
    a, b = placed(tf, "a", shape=[None, 4]), made(tf, B)
    y = tf.sparse_add(a, b)
    return Case([y, [d.value for d in y.shape.dims]], feeds={a: A})


def case_add_kinds(tf):
    out = []
    for kind in ("int8", "int16", "int32", "int64", "uint8", "uint16", "float16", "float32", "float64", "complex64", "complex128"):
        a, b = tf.cast(made(tf, A), kind) if kind != "float32" else made(tf, A), made(tf, ([[0, 0], [0, 1], [2, 3]], [7, 1, 2], [3, 4]), kind)
        if kind in ("int8", "int16", "int32", "int64", "float32", "float64", "complex64", "complex128"):
            out.append(tf.sparse_add(a, b))
            out.append(tf.sparse_add(a, b, threshold=3))
    return out


def case_kinds_refused(tf):
    a = {kind: made(tf, ([[0, 0]], [1], [3, 4]), kind) for kind in ("bool", "complex64")}
    return [raises(f, a[kind], a[kind]) for f in (tf.sparse_add, tf.sparse_maximum, tf.sparse_minimum) for kind in a if f is not tf.sparse_add or kind != "complex64"]


def case_add_special(tf):
    nan, inf = float("nan"), float("inf")
    a = made(tf, ([[0], [1], [2], [3]], [nan, inf, inf, 1.0], [5]))
    b = made(tf, ([[1], [2], [3]], [1.0, -inf, nan], [5]))
    return [tf.sparse_add(a, b), tf.sparse_add(a, b, threshold=1.0), tf.sparse_add(a, b, threshold=nan), tf.sparse_add(a, b, threshold=-1.0)]


def case_add_high_rank(tf):
    a = made(tf, ([[0, 0, 1], [1, 2, 0]], [1, 2], [2, 3, 2]), "int64")
    b = made(tf, ([[0, 0, 0], [1, 2, 0]], [1, -2], [2, 3, 2]), "int64")
    c = made(tf, (np.zeros((0, 0)), [], []), "float32")
    return [tf.sparse_add(a, b), tf.sparse_add(a, b, threshold=1), c.shape.ndims]


def case_add_repeated(tf):
    a, b = made(tf, ([[0, 1], [0, 1], [1, 0]], [1.0, 2.0, 3.0], [2, 2])), made(tf, ([[0, 1], [1, 0], [1, 0]], [5.0, 7.0, 9.0], [2, 2]))
    y = tf.sparse_add(a, b)
    return [y, tf.gradients(y.values * y.values, [a.values, b.values])]


def case_add_unsorted(tf):
    a, b = made(tf, ([[1, 0], [0, 1]], [1.0, 2.0], [2, 2])), made(tf, ([[0, 1], [1, 0]], [5.0, 7.0], [2, 2]))
    return tf.sparse_add(a, b)


def case_add_outside(tf):
    return tf.sparse_add(made(tf, ([[7, 9]], [1.0], [2, 2])), made(tf, ([[0, -1]], [1.0], [2, 2])))


def case_add_dense(tf):
    d = tf.constant(np.arange(12.0).reshape(3, 4), tf.float32)
    a = made(tf, A)
    y, z = tf.sparse_add(a, d), tf.sparse.add(d, a)
    return [y, z, tf.gradients(y * y, [a.values, d]), tf.gradients(z * z, [a.values, d]), tf.sparse_add(a, np.ones((3, 4), np.float32)),
            tf.sparse_add(made(tf, NONE), d), tf.sparse_add(made(tf, ([[0, 0], [0, 0]], [1, 2], [1, 1]), "int32"), [[3]])]


def case_add_dense_unknown(tf):
    a, d = placed(tf, "a"), tf.placeholder(tf.float32, [None, 4])
    y = tf.sparse_add(a, d)
    return Case([y, tf.gradients(y * y, [a.values, d])], feeds={a: A, d: np.ones((3, 4))})


def case_add_value(tf):
    value = tf.SparseTensorValue(np.array([[0, 1]]), np.array([2.0], np.float32), np.array([2, 2]))
    return [tf.sparse_add(value, value), tf.sparse_add(value, np.ones((2, 2), np.float32)), tf.sparse_add(np.ones((2, 2), np.float32), value)]


def case_add_refused(tf):
    a = made(tf, A)
    f = tf.sparse_add
    return [raises(f, 3, 4), raises(f, [1.0], [2.0]), raises(f, a, made(tf, B, "float64")), raises(f, a, made(tf, ([[0, 0]], [1.0], [2, 4]))),
            raises(f, a, made(tf, ([[0]], [1.0], [3]))), raises(f, a, a, threshold=1, thresh=1), raises(f, a, "x"), raises(f, a, a, thresh="x"),
            raises(f, a, a, thresh=[1.0, 2.0]), raises(f, a, [[1.0]]), raises(f, None, a), raises(f, a, made(tf, A), 0.5, 0.6)]


def case_add_wrong_shape(tf):
    a, b = placed(tf), placed(tf)
    return Case(tf.sparse_add(a, b), feeds={a: A, b: ([[0, 1]], [1.0], [3, 3])})


def case_add_wrong_rank(tf):
    a, b = placed(tf), placed(tf)
    return Case(tf.sparse_add(a, b), feeds={a: A, b: ([[0]], [1.0], [3])})


def case_add_wrong_count(tf):
    a, b = placed(tf), placed(tf)
    return Case(tf.sparse_add(a, b), feeds={a: A, b: ([[0, 1], [0, 2]], [1.0], [3, 4])})


def case_add_wrong_thresh(tf):
    a, t = placed(tf), tf.placeholder(tf.float32)
    return Case(tf.sparse_add(a, a, t), feeds={a: A, t: [1.0, 2.0]})


def case_add_dense_outside(tf):
    a = placed(tf)
    return Case(tf.sparse_add(a, np.ones((3, 4), np.float32)), feeds={a: ([[3, 0]], [1.0], [3, 4])})


def case_add_dense_negative(tf):
    a = placed(tf)
    return Case(tf.sparse_add(a, np.ones((3, 4), np.float32)), feeds={a: ([[-1, 0]], [1.0], [3, 4])})


def case_add_dense_wrong_shape(tf):
    a = placed(tf)
    return Case(tf.sparse_add(a, np.ones((3, 4), np.float32)), feeds={a: ([[0, 0]], [1.0], [3, 5])})


def case_add_dense_broadcast(tf):
    a = placed(tf)
    return Case(tf.sparse_add(a, np.ones((4,), np.float32)), feeds={a: A})


def case_add_scope(tf):
    with tf.name_scope("outer"), tf.control_dependencies([tf.no_op("first")]):
        return tf.sparse_add(made(tf, A), made(tf, B))


def case_extremes(tf):
    a, b = made(tf, A), made(tf, B)
    none = made(tf, NONE)
    return [tf.sparse_maximum(a, b), tf.sparse.maximum(b, a, name="named"), tf.sparse_minimum(a, b), tf.sparse.minimum(b, a, name="small"),
            tf.sparse_maximum(a, none), tf.sparse_minimum(none, b), tf.sparse_minimum(none, none),
            tf.sparse_maximum(made(tf, ([[0, 2], [2, 3]], [np.nan, 1.0], [3, 4])), b), tf.sparse_minimum(b, made(tf, ([[0, 2], [2, 3]], [np.nan, 1.0], [3, 4])))]


def case_extremes_kinds(tf):
    out = []
    for kind in ("int8", "int16", "int32", "int64", "uint8", "uint16", "float16", "float64"):
        a, b = made(tf, ([[0], [2], [3]], [5, 6, 7], [5]), kind), made(tf, ([[1], [2], [3]], [1, 9, 2], [5]), kind)
        out += [tf.sparse_maximum(a, b), tf.sparse_minimum(a, b)]
    return out


def case_extremes_gradient(tf):
    a, b = made(tf, A), made(tf, B)
    return [raises(tf.gradients, f(a, b).values, [a.values, b.values]) for f in (tf.sparse_maximum, tf.sparse_minimum)]


def case_extremes_unknown(tf):
    a, b = placed(tf, "a"), placed(tf, "b", shape=[None, None])
    return Case([tf.sparse_maximum(a, b), tf.sparse_minimum(a, b)], feeds=[{a: A, b: B}, {a: A, b: NONE}], steps=2)


def case_extremes_wrong_shape(tf):
    a, b = placed(tf), placed(tf)
    return Case(tf.sparse_maximum(a, b), feeds={a: A, b: ([[0, 1]], [1.0], [3, 5])})


def case_extremes_wrong_rank(tf):
    a, b = placed(tf), placed(tf)
    return Case(tf.sparse_minimum(a, b), feeds={a: A, b: ([[0, 1, 0]], [1.0], [3, 4, 1])})


def case_extremes_wrong_count(tf):
    a, b = placed(tf), placed(tf)
    return Case(tf.sparse_minimum(a, b), feeds={a: A, b: ([[0, 1]], [1.0, 2.0], [3, 4])})


def case_extremes_repeated(tf):
    a, b = made(tf, ([[0, 1], [0, 1], [1, 0]], [1.0, 2.0, 3.0], [2, 2])), made(tf, ([[0, 1], [1, 0], [1, 0]], [5.0, 7.0, 9.0], [2, 2]))
    return [tf.sparse_maximum(a, b), tf.sparse_minimum(a, b)]


def case_extremes_unsorted(tf):
    a, b = made(tf, ([[1, 0], [0, 1]], [1.0, 2.0], [2, 2])), made(tf, ([[0, 1], [1, 0]], [5.0, 7.0], [2, 2]))
    return tf.sparse_maximum(a, b)


def case_extremes_refused(tf):
    a = made(tf, A)
    f = tf.sparse_maximum
    return [raises(f, 3, a), raises(f, a, made(tf, A, "float64")), raises(f, a, None)]


def case_extremes_values(tf):
    value = tf.SparseTensorValue(np.array([[0, 1]]), np.array([2.0], np.float32), np.array([2, 2]))
    return [raises(tf.sparse_maximum, value, value), raises(tf.sparse_minimum, value, value)]


def case_softmax(tf):
    a = made(tf, ([[0, 0, 1], [0, 0, 2], [0, 1, 0], [1, 1, 1], [1, 1, 2]], [1.0, 2.0, 3.0, -1.0, 100.0], [2, 2, 3]))
    y = tf.sparse_softmax(a)
    z = tf.sparse.softmax(made(tf, A, "float64"), name="named")
    return [y, z, tf.gradients(y.values * y.values, a.values), tf.sparse_softmax(made(tf, NONE)), tf.sparse_softmax(tf.SparseTensor([[0, 1], [0, 0]], [1.0, 2.0], [1, 2]))]


def case_softmax_unknown(tf):
    a = placed(tf, "a")
    y = tf.sparse_softmax(a)
    return Case([y, tf.gradients(y.values * y.values, a.values)], feeds=[{a: A}, {a: NONE}, {a: ([[0, 1], [0, 1], [0, 2]], [1.0, 2.0, np.nan], [1, 3])}], steps=3)


def case_softmax_gradient(tf):
    a = made(tf, A, "float64")
    y = tf.sparse_softmax(a)
    g, = tf.gradients(y.values, a.values, grad_ys=tf.constant([1.0, 2.0, 3.0, 4.0], tf.float64))
    return [y, g, tf.gradients(tf.reduce_sum(y.values ** 3), a.values)]


def case_softmax_vector(tf):
    a = placed(tf)
    return Case(tf.sparse_softmax(a), feeds={a: ([[0], [1]], [1.0, 2.0], [3])})


def case_softmax_outside(tf):
    a = placed(tf)
    return Case(tf.sparse_softmax(a), feeds={a: ([[0, 9], [1, -1]], [1.0, 2.0], [2, 3])}, values=False)


def case_softmax_wrong_count(tf):
    a = placed(tf)
    return Case(tf.sparse_softmax(a), feeds={a: ([[0, 0], [1, 1]], [1.0], [2, 3])})


def case_softmax_refused(tf):
    return [raises(tf.sparse_softmax, made(tf, A, "int32")), raises(tf.sparse_softmax, 3), raises(tf.sparse_softmax, made(tf, A, "float16"))]


def case_mask(tf):
    s = tf.IndexedSlices(tf.constant(np.arange(12.0).reshape(4, 3), tf.float32), tf.constant([1, 7, 3, 9]), tf.constant([10, 3]))
    bare = tf.IndexedSlices(tf.constant([[1.0], [2.0]]), tf.constant([5, 2], tf.int64))
    return [tf.sparse_mask(s, [7, 2], name="named"), tf.sparse.mask(s, tf.constant([1, 9, 3])), tf.sparse_mask(bare, tf.constant([2], tf.int64)), tf.sparse_mask(s, [])]


def case_mask_gradient(tf):
    values = tf.constant(np.arange(12.0).reshape(4, 3), tf.float32)
    s = tf.sparse_mask(tf.IndexedSlices(values, tf.constant([1, 7, 3, 9])), [3])
    return [s, tf.gradients(s.values * s.values, values)]


def case_mask_unknown(tf):
    v, i, m = tf.placeholder(tf.float32), tf.placeholder(tf.int32), tf.placeholder(tf.int32)
    return Case(tf.sparse_mask(tf.IndexedSlices(v, i), m), feeds={v: [[1.0], [2.0]], i: [4, 3], m: [3, 8]})


def case_mask_refused(tf):
    s = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([1]))
    return [raises(tf.sparse_mask, tf.constant([1.0]), [1]), raises(tf.sparse_mask, s, [1.5])]


def case_raw(tf):
    a, b = made(tf, A), made(tf, B)
    raw = tf.raw_ops
    out = raw.SparseAdd(a_indices=a.indices, a_values=a.values, a_shape=a.dense_shape, b_indices=b.indices, b_values=b.values, b_shape=b.dense_shape, thresh=tf.constant(0.0))
    g = raw.SparseAddGrad(backprop_val_grad=tf.constant([1.0, 2.0]), a_indices=[[0, 0], [0, 2]], b_indices=[[0, 1], [0, 2]], sum_indices=[[0, 1], [0, 2]])
    return [list(out), list(g), list(out._fields), list(g._fields)]


def grad_of_add(tf, grad, a, b, total):
    p = [tf.placeholder(tf.float32)] + [tf.placeholder(tf.int64) for _ in range(3)]
    y = tf.raw_ops.SparseAddGrad(backprop_val_grad=p[0], a_indices=p[1], b_indices=p[2], sum_indices=p[3])
    return Case(list(y), feeds=dict(zip(p, (grad, a, b, total))))


def case_add_grad_ranks(tf):
    return grad_of_add(tf, [1.0], [[0, 0]], [[0]], [[0, 0]])


def case_add_grad_counts(tf):
    return grad_of_add(tf, [1.0], [[0, 0]], [[0, 0]], [[0, 0], [0, 1]])


def case_add_grad_vector(tf):
    return grad_of_add(tf, [1.0], [0], [[0]], [[0]])


def case_add_grad_empty(tf):
    return grad_of_add(tf, [], np.zeros((0, 2)), np.zeros((0, 2)), np.zeros((0, 2)))


def case_add_grad_shapes(tf):
    p = [tf.placeholder(tf.float32)] + [tf.placeholder(tf.int64, d) for d in ([None, 2], [3, 2], [4, 2])]
    f = tf.raw_ops.SparseAddGrad
    y = f(backprop_val_grad=p[0], a_indices=p[1], b_indices=p[2], sum_indices=p[3])
    return [list(y), raises(f, backprop_val_grad=[[1.0]], a_indices=p[1], b_indices=p[2], sum_indices=p[3]), raises(f, backprop_val_grad=[1.0], a_indices=[1], b_indices=p[2], sum_indices=p[3])]

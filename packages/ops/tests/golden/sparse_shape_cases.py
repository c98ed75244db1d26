"""Sparse tensors joined, cut, turned and filled, at the edges."""

import numpy as np
from golden_case import Case, raises

AT = [[0, 1], [1, 0], [1, 2], [2, 3]]
X = (AT, [1.0, 2.0, 3.0, 4.0], [3, 4])
B = ([[0, 0], [2, 1]], [7.0, 8.0], [3, 2])
NONE = (np.zeros((0, 2), np.int64), np.zeros(0, np.float32), [3, 4])
KINDS = ("int32", "int64", "float64", "bool", "string")


def made(tf, parts, dtype="float32"):
    indices, values, shape = parts
    values = [str(v) for v in values] if dtype == "string" else np.array(values).astype(dtype)
    return tf.SparseTensor(np.reshape(np.array(indices, np.int64), (len(values), len(shape))), tf.constant(values, dtype), shape)


def placed(tf, **kwargs):
    return tf.sparse_placeholder(tf.float32, **kwargs)


def fed(tf, function, *parts):
    """A case of a function of sparse placeholders."""
    xs = [placed(tf) for _ in parts]
    return Case(function(*xs), feeds=dict(zip(xs, parts)))


# -- concat ---------------------------------------------------------------------------------------------

def case_concat(tf):
    f, a, b = tf.sparse_concat, made(tf, X), made(tf, B)
    cube = made(tf, ([[0, 0, 1], [1, 1, 0]], [1.0, 2.0], [2, 2, 2]))
    return [f(1, [a, b]), f(-1, [b, a], name="named"), f(0, [a, a]), f(-2, [a, a, a]), f(1, [a, made(tf, NONE)]), f(0, [made(tf, NONE), made(tf, NONE)]), f(2, [cube, cube]), f(-3, [cube, cube]), f(1, [cube, cube]), f(concat_dim=1, axis=None, sp_inputs=[a, b])]


def case_concat_kinds(tf):
    return [tf.sparse_concat(1, [made(tf, X, kind), made(tf, B, kind)]) for kind in KINDS]


def case_concat_expanded(tf):
    f, a, b = tf.sparse_concat, made(tf, X), made(tf, ([[0, 0], [4, 1]], [7.0, 8.0], [5, 2]))
    return [f(1, [a, b], expand_nonconcat_dim=True), f(0, [a, b], None, True), f(-1, [a, b], expand_nonconcat_dim=True), f(-2, [a, b, a], expand_nonconcat_dim=True, name="named"), f(0, [a], expand_nonconcat_dim=True)]


def case_concat_expanded_unknown(tf):
    a, b, c = placed(tf), placed(tf, shape=[None, 4]), made(tf, X)
    return Case([tf.sparse_concat(axis, [a, b, c], expand_nonconcat_dim=True) for axis in (0, 1, -1, -2)], feeds={a: ([[0, 0], [4, 1]], [7.0, 8.0], [5, 2]), b: X})


def case_concat_unknown(tf):
    a, b, c = placed(tf), placed(tf, shape=[None, 4]), made(tf, X)
    return Case([tf.sparse_concat(0, [a, b]), tf.sparse_concat(1, [b, c]), tf.sparse_concat(0, [c, a])], feeds=[{a: X, b: X}, {a: NONE, b: X}], steps=2)


def case_concat_gradient(tf):
    a = made(tf, X)
    return [tf.gradients(tf.sparse_concat(0, [a, a]).values, a.values), raises(tf.gradients, tf.sparse_reshape(a, [12]).indices, a.indices)]


def case_concat_v2(tf):
    f, a, b = tf.compat.v2.sparse.concat, made(tf, X), made(tf, ([[0, 0], [4, 1]], [7.0, 8.0], [5, 2]))
    return [f(1, [a, b], True), f(0, [a, a], False, "named"), f(axis=1, sp_inputs=[a, b], expand_nonconcat_dims=True)]


def case_concat_unsorted(tf):
    return tf.sparse_concat(1, [made(tf, ([[1, 0], [0, 1], [0, 1]], [1.0, 2.0, 3.0], [2, 2])), made(tf, ([[1, 1], [0, 0]], [4.0, 5.0], [2, 2]))])


def case_concat_refused(tf):
    f, a = tf.sparse_concat, made(tf, X)
    return [raises(f, 0, []), raises(f, 0, a), raises(f, 0, [a, 3]), raises(f, 0, [a, made(tf, X, "int32")]), raises(f, "a", [a, a]), raises(f, 0, [a, made(tf, ([[0]], [1.0], [2]))]), raises(f, 5, [a, a]), raises(f, 0, [a, made(tf, B)]),
            raises(f, None, [a, a]), raises(f, 1, [a, a], concat_dim=1), raises(f, 0, [a, a], expand_nonconcat_dim=True, expand_nonconcat_dims=True), raises(f, 1.5, [a, a]), raises(f, tf.constant(0), [a, a])]


def case_concat_axis_outside(tf):
    return fed(tf, lambda a, b: tf.sparse_concat(2, [a, b]), X, X)


def case_concat_axis_far_outside(tf):
    return fed(tf, lambda a, b: tf.sparse_concat(-3, [a, b]), X, X)


def case_concat_shapes_differ(tf):
    return fed(tf, lambda a, b: tf.sparse_concat(1, [a, b]), X, ([[0, 0]], [1.0], [4, 2]))


def case_concat_ranks_differ(tf):
    return fed(tf, lambda a, b: tf.sparse_concat(1, [a, b]), X, ([[0]], [1.0], [4]))


def case_concat_counts_differ(tf):
    return fed(tf, lambda a, b: tf.sparse_concat(1, [a, b]), X, ([[0, 0]], [1.0, 2.0], [3, 2]))


# -- reorder and transpose ------------------------------------------------------------------------------

def case_reorder(tf):
    f = tf.sparse_reorder
    mixed = ([[1, 0], [0, 2], [0, 1], [0, 2]], [1, 2, 3, 4], [2, 3])
    return [f(made(tf, mixed, kind)) for kind in KINDS] + [f(made(tf, NONE)), f(made(tf, ([[3], [1]], [1.0, 2.0], [5]))), f(made(tf, ([[1, 0, 1], [0, 2, 0], [1, 0, 0]], [1.0, 2.0, 3.0], [2, 3, 2])), "named")]


def case_reorder_gradient(tf):
    x, y = made(tf, ([[1, 0], [0, 2], [0, 1]], [1.0, 2.0, 3.0], [2, 3])), placed(tf)
    a, b = tf.sparse_reorder(x), tf.sparse_reorder(y)
    return Case([tf.gradients(a.values ** 2, x.values), tf.gradients(b.values ** 2, y.values)], feeds={y: ([[1, 0], [0, 2], [0, 1]], [1.0, 2.0, 3.0], [2, 3])})


def case_reorder_outside(tf):
    return fed(tf, tf.sparse_reorder, ([[1, 0], [0, 7]], [1.0, 2.0], [2, 3]))


def case_reorder_negative(tf):
    return fed(tf, tf.sparse_reorder, ([[1, 0], [0, -1]], [1.0, 2.0], [2, 3]))


def case_reorder_counts(tf):
    return fed(tf, tf.sparse_reorder, ([[1, 0], [0, 1]], [1.0], [2, 3]))


def case_reorder_rank(tf):
    return fed(tf, tf.sparse_reorder, ([[1, 0], [0, 1]], [1.0, 2.0], [2, 3, 4]))


def case_transpose(tf):
    f, cube = tf.sparse_transpose, made(tf, ([[0, 0, 1], [0, 1, 0], [1, 1, 1]], [1.0, 2.0, 3.0], [2, 2, 3]))
    return [f(made(tf, X)), f(cube), f(cube, [2, 0, 1]), f(cube, [0, 1, 2], "named"), f(cube, tf.constant([1, 2, 0])), f(cube, np.array([1, 0, 2])), f(made(tf, NONE)), f(made(tf, ([[1]], [1.0], [3]))), f(made(tf, X, "string"), (1, 0))]


def case_transpose_unknown(tf):
    x, y, p = placed(tf), placed(tf, shape=[None, 4]), tf.placeholder(tf.int32)
    c = made(tf, X)
    return Case([tf.sparse_transpose(x), tf.sparse_transpose(x, [1, 0]), tf.sparse_transpose(y, [1, 0]), tf.sparse_transpose(c, p)], feeds={x: X, y: X, p: [1, 0]})


def case_transpose_gradient(tf):
    x = made(tf, X)
    return tf.gradients(tf.sparse_transpose(x).values ** 2, x.values)


def case_transpose_refused(tf):
    f, x = tf.sparse_transpose, made(tf, X)
    return [raises(f, 3), raises(f, x, "a"), raises(f, x, [[0, 1]]), raises(f, x, [0]), raises(f, x, [0, 1, 2]), raises(f, x, [0, 5]), raises(f, x, [0, 0])]


# -- retain, slice, reshape -----------------------------------------------------------------------------

def case_retain(tf):
    f, x = tf.sparse_retain, made(tf, X)
    y = f(x, [True, False, True, False])
    return [y, f(x, np.zeros(4, bool)), f(x, [True] * 4), f(made(tf, NONE), tf.constant([], tf.bool)), f(made(tf, X, "string"), x.values > 2.0), tf.gradients(y.values ** 2, x.values), f(made(tf, ([[1], [0]], [1, 2], [3]), "int32"), [False, True])]


def case_retain_unknown(tf):
    x, keep = placed(tf), tf.placeholder(tf.bool, [None])
    return Case([tf.sparse_retain(x, keep), tf.sparse_retain(made(tf, X), keep)], feeds={x: X, keep: [True, False, False, True]})


def case_retain_refused(tf):
    f, x = tf.sparse_retain, made(tf, X)
    return [raises(f, 3, [True]), raises(f, x, [True]), raises(f, x, [1, 0, 0, 1]), raises(f, x, [[True] * 4]), raises(f, x, True), raises(f, x, None), raises(f, x, tf.placeholder(tf.bool)), raises(f, placed(tf), tf.placeholder(tf.bool))]


def case_retain_too_short(tf):
    x, keep = placed(tf), tf.placeholder(tf.bool, [None])
    return Case(tf.sparse_retain(x, keep), feeds={x: X, keep: [True, False]})


def case_retain_too_long(tf):
    x, keep = placed(tf), tf.placeholder(tf.bool, [None])
    return Case(tf.sparse_retain(x, keep), feeds={x: X, keep: [True] * 5})


def case_slice(tf):
    f, x = tf.sparse_slice, made(tf, X)
    cube = made(tf, ([[0, 0, 1], [0, 1, 0], [1, 1, 1]], [1.0, 2.0, 3.0], [2, 2, 3]))
    out = [f(x, s, n) for s, n in (([0, 0], [3, 4]), ([0, 0], [2, 2]), ([1, 1], [9, 9]), ([1, 2], [1, 1]), ([3, 4], [1, 1]), ([0, 0], [0, 4]))]
    return out + [f(cube, [0, 1, 0], [2, 1, 2], name="named"), f(made(tf, NONE), [0, 1], [2, 2]), f(made(tf, X, "string"), np.array([1, 0]), tf.constant([2, 3], tf.int64)), f(made(tf, ([[1], [0]], [1, 2], [3]), "int32"), [0], [2])]


def case_slice_gradient(tf):
    x = made(tf, X)
    out = []
    for start, size in (([0, 0], [3, 4]), ([1, 1], [9, 9]), ([0, 0], [0, 0])):
        y = tf.sparse_slice(x, start, size)
        out.append(tf.gradients(y.values * y.values, x.values))
    p = placed(tf)
    y = tf.sparse_slice(p, [1, 0], [2, 3])
    return Case([*out, tf.gradients(y.values * y.values, p.values)], feeds={p: X})


def case_slice_unknown(tf):
    x, s, n = placed(tf), tf.placeholder(tf.int64), tf.placeholder(tf.int64)
    return Case([tf.sparse_slice(x, s, n), tf.sparse_slice(made(tf, X), s, n)], feeds={x: X, s: [1, 0], n: [2, 3]})


def case_slice_refused(tf):
    f, x = tf.sparse_slice, made(tf, X)
    return [raises(f, 3, [0], [1]), raises(f, x, ["a", "b"], [1, 1]), raises(f, x, [0.5, 0.5], [1, 1]), raises(f, x, None, [1, 1]), raises(f, x, tf.constant([0, 0]), [1, 1]), raises(f, x, [0], [1]), raises(f, x, [[0, 0]], [1, 1])]


def sliced(tf, parts, start, size):
    s, n = tf.placeholder(tf.int64), tf.placeholder(tf.int64)
    x = placed(tf)
    return Case(tf.sparse_slice(x, s, n), feeds={x: parts, s: start, n: size})


def case_slice_short_start(tf):
    return sliced(tf, X, [0], [1, 1])


def case_slice_short_size(tf):
    return sliced(tf, X, [0, 0], [1])


def case_slice_matrix_start(tf):
    return sliced(tf, X, [[0, 0]], [1, 1])


def case_reshape(tf):
    f, x = tf.sparse_reshape, made(tf, X)
    out = [f(x, shape) for shape in ([4, 3], [12], [2, -1], [-1], [1, 12, 1], [2, 2, 3], [3, 4])]
    return out + [f(x, tf.constant([2, 6])), f(x, np.array([6, 2])), f(x, (2, 6), "named"), f(made(tf, NONE), [2, 6]), f(made(tf, X, "string"), [-1, 2]), f(made(tf, (np.zeros((0, 2)), [], [0, 4])), [4, 0]),
                  f(made(tf, ([[2, 1], [0, 0], [0, 0]], [1.0, 2.0, 3.0], [3, 4])), [12]), f(x, tf.TensorShape([6, 2]))]


def case_reshape_unknown(tf):
    x, y, s, t = placed(tf), placed(tf, shape=[None, 4]), tf.placeholder(tf.int64), tf.placeholder(tf.int64, [3])
    n = tf.placeholder(tf.int64, [])
    return Case([tf.sparse_reshape(x, [2, -1]), tf.sparse_reshape(x, s), tf.sparse_reshape(y, t), tf.sparse_reshape(made(tf, X), t), tf.sparse_reshape(made(tf, X), [n, -1]), tf.sparse_reshape(y, [12])], feeds={x: X, y: X, s: [6, -1], t: [1, 3, 4], n: 2})


def case_reshape_unknown_refused(tf):
    f, x, y = tf.sparse_reshape, placed(tf), placed(tf, shape=[None, 4])
    return [raises(f, x, [-1, -1]), raises(f, y, [-1, -1]), raises(f, x, [2, -2]), raises(f, y, [5, 5])]


def case_reshape_gradient(tf):
    x = made(tf, X)
    return tf.gradients(tf.sparse_reshape(x, [12]).values ** 2, x.values)


def case_reshape_refused(tf):
    f, x = tf.sparse_reshape, made(tf, X)
    return [raises(f, 3, [1]), raises(f, x, [5, 3]), raises(f, x, [-1, -1]), raises(f, x, [5, -1]), raises(f, x, "a"), raises(f, x, [[4, 3]]), raises(f, x, 12), raises(f, x, [4.0, 3.0]), raises(f, x, [-2, 6]), raises(f, x, [0, -1]), raises(f, x, None)]


def reshaped(tf, parts, shape):
    s = tf.placeholder(tf.int64)
    x = placed(tf)
    return Case(tf.sparse_reshape(x, s), feeds={x: parts, s: shape})


def case_reshape_too_small(tf):
    return reshaped(tf, X, [2, 3])


def case_reshape_two_inferred(tf):
    return reshaped(tf, X, [-1, -1])


def case_reshape_indivisible(tf):
    return reshaped(tf, X, [5, -1])


def case_reshape_negative(tf):
    return reshaped(tf, X, [-2, -6])


def case_reshape_matrix(tf):
    return reshaped(tf, X, [[4, 3]])


def case_reshape_empty_inferred(tf):
    return reshaped(tf, (np.zeros((0, 2)), [], [0, 4]), [0, -1])


def case_reshape_empty_to_some(tf):
    return reshaped(tf, (np.zeros((0, 2)), [], [0, 4]), [-1, 4])


# -- rows -----------------------------------------------------------------------------------------------

def case_fill_empty_rows(tf):
    f = tf.sparse_fill_empty_rows
    x = ([[1, 1], [3, 0], [3, 2]], [1, 2, 3], [5, 3])
    out = [f(made(tf, x, kind), "none" if kind == "string" else True if kind == "bool" else 9) for kind in KINDS]
    return out + [f(made(tf, X), -1.0), f(made(tf, NONE), 5.0), f(made(tf, (np.zeros((0, 2)), [], [0, 4])), 5.0), f(made(tf, x), tf.constant(2.0), name="named"), f(made(tf, ([[0, 0, 1], [2, 1, 0]], [1.0, 2.0], [3, 2, 2])), 0.0),
                  f(made(tf, ([[0], [2]], [1.0, 2.0], [4])), 0.5)]


def case_fill_empty_rows_unsorted(tf):
    return tf.sparse_fill_empty_rows(made(tf, ([[3, 2], [1, 1], [3, 0], [1, 0]], [1.0, 2.0, 3.0, 4.0], [5, 3])), 9.0)


def case_fill_empty_rows_gradient(tf):
    x, d, p = made(tf, ([[1, 1], [3, 0], [3, 2]], [1.0, 2.0, 3.0], [5, 3])), tf.constant(7.0), placed(tf)
    y, _ = tf.sparse_fill_empty_rows(x, d)
    z, _ = tf.sparse_fill_empty_rows(p, d)
    return Case([tf.gradients(y.values ** 2, [x.values, d]), tf.gradients(z.values ** 2, [p.values, d]), tf.gradients(y.values, d)], feeds={p: ([[1, 1], [0, 0], [3, 2]], [1.0, 2.0, 3.0], [4, 3])})


def case_fill_empty_rows_unknown(tf):
    x, y = placed(tf), placed(tf, shape=[None, 4])
    return Case([tf.sparse_fill_empty_rows(x, 1.0), tf.sparse_fill_empty_rows(y, 1.0)], feeds=[{x: X, y: X}, {x: NONE, y: NONE}], steps=2)


def case_fill_empty_rows_refused(tf):
    f, x = tf.sparse_fill_empty_rows, made(tf, X)
    return [raises(f, 3, 1.0), raises(f, x, "a"), raises(f, x, [1.0]), raises(f, x, None), raises(f, x, tf.constant(1))]


def case_fill_empty_rows_outside(tf):
    return fed(tf, lambda x: tf.sparse_fill_empty_rows(x, 1.0), ([[0, 0], [3, 0]], [1.0, 2.0], [3, 4]))


def case_fill_empty_rows_negative(tf):
    return fed(tf, lambda x: tf.sparse_fill_empty_rows(x, 1.0), ([[-1, 0]], [1.0], [3, 4]))


def case_fill_empty_rows_no_rows(tf):
    return fed(tf, lambda x: tf.sparse_fill_empty_rows(x, 1.0), ([[0, 0]], [1.0], [0, 4]))


def case_fill_empty_rows_grad(tf):
    f = tf.raw_ops.SparseFillEmptyRowsGrad
    return [list(f(reverse_index_map=np.array([2, 1]), grad_values=tf.constant([0, 1, 2, 3], kind))) for kind in ("float32", "float64", "int32", "int64")]


def rows_grad(tf, places, grads):
    m, g = tf.placeholder(tf.int64), tf.placeholder(tf.float32)
    return Case(list(tf.raw_ops.SparseFillEmptyRowsGrad(reverse_index_map=m, grad_values=g)), feeds={m: places, g: grads})


def case_fill_empty_rows_grad_outside(tf):
    return rows_grad(tf, [0, 4], [1.0, 2.0])


def case_fill_empty_rows_grad_negative(tf):
    return rows_grad(tf, [0, -1], [1.0, 2.0])


def case_fill_empty_rows_grad_matrix(tf):
    return rows_grad(tf, [[0]], [1.0, 2.0])


def case_merge(tf):
    f = tf.sparse_merge
    at = [[0, 0], [1, 1], [1, 0]]
    ids, values = made(tf, (at, [3, 1, 1], [2, 2]), "int64"), made(tf, (at, [1.0, 2.0, 3.0], [2, 2]))
    return [f(ids, values, 5), f(ids, values, 5, "named", True), f([ids, ids], values, [5, 6]), f(ids, values, np.int64(7)), f(made(tf, (at, [3, 1, 1], [2, 2]), "int32"), values, tf.constant(4)), f(made(tf, NONE, "int64"), made(tf, NONE), 3),
            f((ids, ids), values, (tf.constant(5), tf.constant(6, tf.int64)), already_sorted=True)]


def case_cwise_kinds(tf):
    x, out = ([[0, 1], [1, 0]], [6, 9], [2, 2]), []
    for kind in ("int8", "int16", "int32", "int64", "uint8", "uint16", "float16", "float32", "float64"):
        s, d = made(tf, x, kind), tf.cast(tf.constant([[2, 3], [4, 5]]), kind)
        raw = {"sp_indices": s.indices, "sp_values": s.values, "sp_shape": s.dense_shape, "dense": d}
        out += [tf.raw_ops.SparseDenseCwiseAdd(**raw), tf.raw_ops.SparseDenseCwiseMul(**raw)] + [tf.raw_ops.SparseDenseCwiseDiv(**raw)]
    return out


def case_cwise_edges(tf):
    x = made(tf, X)
    y = made(tf, (np.zeros((0, 2)), [], [0, 4]))
    out = [x * tf.ones([1, 1]), x * tf.ones([3, 1]), x * tf.ones([4]), made(tf, NONE) * 3.0, x / 0.0, y * tf.ones([0, 4]), made(tf, ([[0, 1], [0, 1]], [1.0, 2.0], [1, 2])) * [[3.0, 4.0]], made(tf, ([[1, 0], [0, 1]], [1.0, 2.0], [2, 2])) * [3.0, 4.0]]
    s = made(tf, ([[0, 0, 1], [1, 1, 0]], [1.0, 2.0], [2, 2, 2]))
    d = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    z = s * d
    return [*out, z, tf.gradients(z.values, [s.values, d]), s / tf.constant([[[2.0]], [[4.0]]])]


def case_cwise_negative(tf):
    x = tf.SparseTensor([[0], [1], [2], [3]], tf.constant([-7, 7, -7, 7]), [4])
    raw = {"sp_indices": x.indices, "sp_values": x.values, "sp_shape": x.dense_shape, "dense": tf.constant([2, -2, -2, 2])}
    return [tf.raw_ops.SparseDenseCwiseDiv(**raw), x / tf.constant([2, -2, -2, 2])]


def cwise(tf, parts, dense):
    x, d = placed(tf), tf.placeholder(tf.float32)
    return Case(x * d, feeds={x: parts, d: dense})


def case_cwise_outside(tf):
    return cwise(tf, ([[0, 0], [3, 0]], [1.0, 2.0], [3, 4]), np.ones((3, 4)))


def case_cwise_negative_index(tf):
    return cwise(tf, ([[0, 0], [0, -1]], [1.0, 2.0], [3, 4]), np.ones((3, 4)))


def case_cwise_larger(tf):
    return cwise(tf, X, np.ones((2, 3, 4)))


def case_cwise_wrong_size(tf):
    return cwise(tf, X, np.ones((3, 3)))


def case_cwise_empty_larger(tf):
    return cwise(tf, (np.zeros((0, 2)), [], [0, 4]), np.ones((1, 4)))

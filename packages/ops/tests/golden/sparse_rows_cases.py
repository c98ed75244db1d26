"""Segments, sets and embeddings at the edges."""

import numpy as np
from golden_case import Case, raises

DATA = np.arange(12.0).reshape(4, 3) - 4


def case_segment_kinds(tf):
    out = []
    for kind in ("int32", "int64", "float16", "float32", "float64", "uint8", "int8", "int16", "uint16"):
        x = tf.constant(np.abs(DATA).astype(kind) if kind[0] == "u" else DATA.astype(kind))
        out += [tf.segment_sum(x, [0, 0, 1, 3]), tf.segment_prod(x, [0, 0, 1, 3]), tf.segment_max(x, [0, 0, 1, 3]), tf.segment_min(x, [0, 0, 1, 3])]
        out.append(tf.segment_mean(x, tf.constant([0, 0, 1, 3], tf.int64)))
    for kind in ("complex64", "complex128"):
        x = tf.constant(DATA.astype(kind) * (1 + 2j))
        out += [tf.segment_sum(x, [0, 0, 1, 1]), tf.segment_prod(x, [0, 0, 1, 1])]
    return out


def case_unsorted_kinds(tf):
    out = []
    for kind in ("int32", "int64", "float16", "float32", "float64", "uint8", "int8", "int16", "uint16"):
        x = tf.constant(np.abs(DATA).astype(kind) if kind[0] == "u" else DATA.astype(kind))
        for f in (tf.unsorted_segment_sum, tf.unsorted_segment_prod, tf.unsorted_segment_max, tf.unsorted_segment_min):
            out.append(f(x, [3, 0, 3, -1], 5))
    x = tf.constant(DATA, tf.float32)
    return [*out, tf.unsorted_segment_mean(x, [3, 0, 3, -1], 5), tf.unsorted_segment_sqrt_n(x, [3, 0, 3, -1], 5), tf.unsorted_segment_sum(x, tf.constant([3, 0, 3, -1], tf.int64), tf.constant(5, tf.int64)),
            tf.unsorted_segment_sum(x, [[0, 1, 2], [0, 0, 0], [2, 2, 2], [-1, 1, 1]], 3), tf.unsorted_segment_max(x, [0, 0, 0, 0], 1, name="named"), tf.unsorted_segment_sum(x, [-1, -1, -1, -1], 0)]


def case_sparse_segment_kinds(tf):
    out = []
    for kind in ("float32", "float64"):
        x = tf.constant(DATA.astype(kind))
        for f in (tf.sparse_segment_sum, tf.sparse_segment_mean, tf.sparse_segment_sqrt_n):
            out += [f(x, [0, 3, 3, 1], [0, 0, 2, 2]), f(x, [0, 1], [0, 0], num_segments=3), f(x, [0, 3], [0, 0], name="named", num_segments=tf.constant(2, tf.int64)), f(x, np.zeros(0, np.int32), np.zeros(0, np.int32)),
                    f(x, np.zeros(0, np.int32), np.zeros(0, np.int32), num_segments=2)]
    for kind in ("int32", "int64", "uint8", "int8", "int16", "uint16"):
        x = tf.constant(np.abs(DATA).astype(kind))
        out += [tf.sparse_segment_sum(x, [0, 3, 3, 1], [0, 0, 2, 2]), tf.sparse_segment_sum(x, [0, 3], [0, 2], num_segments=4)]
    return out


def case_sparse_segment_ranks(tf):
    v, c = tf.constant([1.0, 2.0, 3.0]), tf.constant(np.arange(24.0).reshape(3, 2, 4), tf.float32)
    return [f(x, [2, 0, 0], [0, 1, 1]) for f in (tf.sparse_segment_sum, tf.sparse_segment_mean, tf.sparse_segment_sqrt_n) for x in (v, c)] + [tf.sparse_segment_sum(tf.zeros([3, 0]), [0, 1], [0, 0])]


def case_sparse_segment_gradients(tf):
    x, out = tf.constant(DATA, tf.float32), []
    for f in (tf.sparse_segment_sum, tf.sparse_segment_mean, tf.sparse_segment_sqrt_n):
        for count in (None, 4):
            y = f(x, [0, 3, 3, 1], [0, 0, 2, 2], num_segments=count)
            out.append(tf.gradients(y * y, x))
    p = tf.placeholder(tf.float32)
    y = tf.sparse_segment_mean(p, [0, 1], [0, 0])
    return Case([out, tf.gradients(y, p)], feeds={p: DATA})


def case_segment_gradients(tf):
    x, out = tf.constant(DATA, tf.float32), []
    for f in (tf.segment_sum, tf.segment_mean, tf.segment_max, tf.segment_min):
        y = f(x, [0, 0, 1, 3])
        out.append(tf.gradients(y * y, x))
    for f in (tf.unsorted_segment_sum, tf.unsorted_segment_max, tf.unsorted_segment_min, tf.unsorted_segment_prod, tf.unsorted_segment_mean, tf.unsorted_segment_sqrt_n):
        y = f(x, [3, 0, 3, -1], 5)
        out.append(tf.gradients(y * y, x))
    return [*out, raises(tf.gradients, tf.segment_prod(x, [0, 0, 1, 1]), x)]


def case_segment_static(tf):
    x, y, z, n = tf.placeholder(tf.float32), tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.int32), tf.placeholder(tf.int32, [])
    ids = tf.placeholder(tf.int32, [4])
    out = [tf.segment_sum(x, z), tf.segment_sum(y, z), tf.segment_mean(y, ids), tf.unsorted_segment_sum(y, ids, n), tf.unsorted_segment_sum(y, ids, 5), tf.unsorted_segment_sum(x, ids, 5), tf.unsorted_segment_sum(y, z, 5),
           tf.sparse_segment_sum(y, z, z), tf.sparse_segment_sum(y, z, z, num_segments=n), tf.sparse_segment_sum(y, z, z, num_segments=4), tf.sparse_segment_mean(x, ids, ids), tf.sparse_segment_sqrt_n(x, ids, ids, num_segments=4)]
    return Case(out, feeds={x: DATA, y: DATA, z: [0, 0, 1, 3], n: 5, ids: [0, 0, 1, 3]})


def case_segment_refused(tf):
    x = tf.constant(DATA, tf.float32)
    f, g, h = tf.segment_sum, tf.unsorted_segment_sum, tf.sparse_segment_sum
    return [raises(f, x, [[0, 0, 1, 1]]), raises(f, 3.0, [0]), raises(f, x, [0.5] * 4), raises(g, x, [[0]], 2), raises(g, x, [0] * 4, -1), raises(g, x, [0] * 4, [2]), raises(g, x, [0, 1], 2), raises(g, 1.0, [0], 2), raises(h, x, [[0]], [0]),
            raises(h, x, [0], [[0]]), raises(h, x, [0], [0], None, -1), raises(h, x, [0], [0], None, [2]), raises(h, x, [0], tf.constant([0], tf.int64)), raises(h, 3.0, [0], [0]), raises(tf.sparse_segment_mean, tf.constant([1]), [0], [0]), raises(f, x, [0, 1]),
            raises(h, x, [0, 1], [0])]


def fed(tf, f, *values):
    xs = [tf.placeholder(tf.float32)] + [tf.placeholder(tf.int32) for _ in values[1:]]
    return Case(f(*xs), feeds=dict(zip(xs, values)))


def case_segment_decreasing(tf):
    return fed(tf, tf.segment_sum, DATA, [0, 1, 0, 2])


def case_segment_negative(tf):
    return fed(tf, tf.segment_sum, DATA, [-1, 0, 0, 2])


def case_segment_count(tf):
    return fed(tf, tf.segment_mean, DATA, [0, 0, 2])


def case_segment_matrix(tf):
    return fed(tf, tf.segment_max, DATA, [[0, 0, 2, 3]])


def case_segment_empty(tf):
    return fed(tf, tf.segment_max, np.zeros((0, 3)), np.zeros(0))


def case_unsorted_outside(tf):
    return fed(tf, lambda x, i: tf.unsorted_segment_sum(x, i, 2), DATA, [0, 1, 2, 0])


def case_unsorted_shape(tf):
    return fed(tf, lambda x, i: tf.unsorted_segment_sum(x, i, 2), DATA, [0, 1])


def case_unsorted_count_negative(tf):
    return fed(tf, lambda x, i, n: tf.unsorted_segment_sum(x, i, n), DATA, [0, 1, 0, 0], -1)


def case_unsorted_count_vector(tf):
    return fed(tf, lambda x, i, n: tf.unsorted_segment_sum(x, i, n), DATA, [0, 1, 0, 0], [2])


def case_sparse_segment_outside(tf):
    return fed(tf, tf.sparse_segment_sum, DATA, [0, 4], [0, 0])


def case_sparse_segment_index_negative(tf):
    return fed(tf, tf.sparse_segment_sum, DATA, [0, -1], [0, 0])


def case_sparse_segment_decreasing(tf):
    return fed(tf, tf.sparse_segment_mean, DATA, [0, 1], [1, 0])


def case_sparse_segment_negative(tf):
    return fed(tf, tf.sparse_segment_sqrt_n, DATA, [0, 1], [-1, 0])


def case_sparse_segment_sizes(tf):
    return fed(tf, tf.sparse_segment_sum, DATA, [0, 1], [0])


def case_sparse_segment_too_many(tf):
    return fed(tf, lambda x, i, s: tf.sparse_segment_sum(x, i, s, num_segments=2), DATA, [0, 1], [0, 2])


def case_sparse_segment_count_negative(tf):
    return fed(tf, lambda x, i, s, n: tf.sparse_segment_sum(x, i, s, num_segments=n), DATA, [0, 1], [0, 0], -1)


def case_sparse_segment_grad(tf):
    out = []
    for f in (tf.raw_ops.SparseSegmentMeanGrad, tf.raw_ops.SparseSegmentSqrtNGrad):
        out += [f(grad=tf.constant(DATA[:2]), indices=[0, 3, 3], segment_ids=[0, 0, 1], output_dim0=5), f(grad=tf.constant([1.0, 2.0]), indices=[1, 0], segment_ids=[0, 1], output_dim0=2)]
    return out


def segment_grad(tf, grad, indices, ids, size):
    xs = [tf.placeholder(tf.float32)] + [tf.placeholder(tf.int32) for _ in range(3)]
    return Case(tf.raw_ops.SparseSegmentMeanGrad(grad=xs[0], indices=xs[1], segment_ids=xs[2], output_dim0=xs[3]), feeds=dict(zip(xs, (grad, indices, ids, size))))


def case_sparse_segment_grad_outside(tf):
    return segment_grad(tf, DATA, [0, 5], [0, 0], 5)


def case_sparse_segment_grad_segment_outside(tf):
    return segment_grad(tf, DATA, [0, 1], [0, 4], 5)


def case_sparse_segment_grad_segment_negative(tf):
    return segment_grad(tf, DATA, [0, 1], [-1, 0], 5)


def case_sparse_segment_grad_sizes(tf):
    return segment_grad(tf, DATA, [0, 1], [0], 5)


def case_segment_v2(tf):
    x, v2 = tf.constant(DATA, tf.float32), tf.compat.v2.sparse
    return [f(x, [0, 3], [0, 2], 4, "named") for f in (v2.segment_sum, v2.segment_mean, v2.segment_sqrt_n)] + [f(x, [0, 3], [0, 2]) for f in (v2.segment_sum, v2.segment_mean, v2.segment_sqrt_n)]


# -- sets -----------------------------------------------------------------------------------------------

def sparse_sets(tf, lists, kind, width=None):
    at = [[i, j] for i, row in enumerate(lists) for j in range(len(row))]
    values = [v for row in lists for v in row]
    if kind == "string":
        values = [str(v) for v in values]
    return tf.SparseTensor(np.reshape(np.array(at, np.int64), (len(at), 2)), tf.constant(values, kind, shape=[len(values)]), [len(lists), width or max(map(len, lists))])


def case_sets_kinds(tf):
    out = []
    for kind in ("int8", "int16", "int32", "int64", "uint8", "uint16", "string"):
        a, b = [[9, 1, 5], [3, 4, 3]], [[1, 5], [5, 6]]
        d = [tf.constant([[str(v) for v in row] for row in x] if kind == "string" else x, kind) for x in (a, b)]
        s = [sparse_sets(tf, x, kind) for x in (a, b)]
        for x, y in ((d[0], d[1]), (d[0], s[1]), (s[0], d[1]), (s[0], s[1])):
            out += [tf.sets.intersection(x, y), tf.sets.union(x, y), tf.sets.difference(x, y), tf.sets.difference(x, y, aminusb=False)]
        out.append(tf.sets.size(s[0]))
    return out


def case_sets_edges(tf):
    a, b = sparse_sets(tf, [[], [1, 2], []], "int32"), sparse_sets(tf, [[3], [], []], "int32")
    none = tf.SparseTensor(np.zeros((0, 2), np.int64), tf.constant([], tf.int32), [3, 4])
    cube = tf.constant([[[1, 2], [3, 3]], [[5, 6], [7, 8]]])
    other = tf.constant([[[2, 9, 2], [3, 1, 1]], [[6, 6, 6], [0, 0, 0]]])
    out = [f(x, y) for f in (tf.sets.intersection, tf.sets.union, tf.sets.difference) for x, y in ((a, b), (a, none), (none, none), (cube, other), (none, a))]
    return [*out, tf.sets.size(a), tf.sets.size(none), tf.sets.size(a, validate_indices=False)]


def case_sets_unknown(tf):
    a, b, s = tf.placeholder(tf.int32), tf.placeholder(tf.int32, [2, None]), tf.sparse_placeholder(tf.int32)
    return Case([tf.sets.union(a, b), tf.sets.intersection(b, s), tf.sets.difference(s, a), tf.sets.union(s, s), tf.sets.size(s), tf.sets.union(a, a)], feeds={a: [[1, 2], [3, 3]], b: [[2], [3]], s: ([[0, 0], [1, 0]], [2, 3], [2, 2])})


def case_sets_refused(tf):
    f, a = tf.sets.union, tf.constant([[1, 2]])
    return [raises(f, a, tf.constant([[1]], tf.int64)), raises(f, [1, 2], [1, 2]), raises(f, a, [[[1]]]), raises(f, a, [[1], [2]]), raises(f, [[1.0]], [[2.0]]), raises(tf.sets.size, a), raises(f, a, None), raises(f, 1, 2),
            raises(tf.raw_ops.DenseToDenseSetOperation, set1=a, set2=a, set_operation=3)]


def case_sets_operation_unknown(tf):
    return list(tf.raw_ops.DenseToDenseSetOperation(set1=[[1]], set2=[[2]], set_operation="nonsense"))


def case_sets_shapes_differ(tf):
    a, b = tf.placeholder(tf.int32), tf.placeholder(tf.int32)
    return Case(tf.sets.union(a, b), feeds={a: [[1], [2]], b: [[1]]})


def case_sets_vector(tf):
    a = tf.placeholder(tf.int32)
    return Case(tf.sets.union(a, a), feeds={a: [1, 2]})


def case_sets_unsorted(tf):
    s = tf.sparse_placeholder(tf.int32)
    return Case(tf.sets.union(s, s), feeds={s: ([[1, 0], [0, 0]], [1, 2], [2, 2])})


def case_sets_outside(tf):
    s = tf.sparse_placeholder(tf.int32)
    return Case(tf.sets.union(s, s), feeds={s: ([[0, 0], [0, 3]], [1, 2], [2, 2])})


# -- embeddings -----------------------------------------------------------------------------------------

TABLE = np.arange(24.0).reshape(8, 3).astype(np.float32)
IDS = ([[0, 0], [0, 1], [1, 0], [2, 0], [2, 1]], [1, 3, 0, 7, 7], [3, 2])


def ids(tf, kind="int64", values=None):
    return tf.SparseTensor(IDS[0], tf.constant(values or IDS[1], kind), IDS[2])


def weights(tf, kind="float32", values=None):
    return tf.SparseTensor(IDS[0], tf.constant(values or [1.0, 2.0, 0.5, 3.0, 1.0], kind), IDS[2])


def case_lookup_sparse(tf):
    f, t, out = tf.nn.embedding_lookup_sparse, tf.constant(TABLE), []
    for combiner in ("mean", "sqrtn", "sum"):
        out += [f(t, ids(tf), None, combiner=combiner), f(t, ids(tf), weights(tf), combiner=combiner), f(t, ids(tf, "int32"), weights(tf, "float64"), combiner=combiner, name="named"), f(t, ids(tf), weights(tf), combiner=combiner, max_norm=4.0),
                f([t[:4], t[4:]], ids(tf), weights(tf), combiner=combiner, partition_strategy="div"), f([t[::2], t[1::2]], ids(tf), None, combiner=combiner)]
    return out


def case_lookup_sparse_gradients(tf):
    t, out = tf.constant(TABLE), []
    for combiner in ("mean", "sqrtn", "sum"):
        w = weights(tf)
        y, z = tf.nn.embedding_lookup_sparse(t, ids(tf), w, combiner=combiner), tf.nn.embedding_lookup_sparse(t, ids(tf), None, combiner=combiner)
        out.append([tf.gradients(y * y, [t, w.values]), tf.gradients(z * z, t)])
    return out


def case_lookup_sparse_deep(tf):
    t = tf.constant(np.arange(24.0).reshape(4, 3, 2).astype(np.float32))
    i = tf.SparseTensor([[0, 0], [1, 0], [1, 1]], tf.constant([3, 0, 1], tf.int64), [2, 2])
    w = tf.SparseTensor([[0, 0], [1, 0], [1, 1]], [1.0, 2.0, 3.0], [2, 2])
    return [tf.nn.embedding_lookup_sparse(t, i, x, combiner=c) for x in (None, w) for c in ("mean", "sum")] + [tf.nn.embedding_lookup_sparse(tf.constant([1.0, 2.0, 3.0, 4.0]), i, w, combiner="sum")]


def case_lookup_sparse_refused(tf):
    f, t = tf.nn.embedding_lookup_sparse, tf.constant(TABLE)
    other = tf.SparseTensor([[0, 0]], [1.0], [3, 2])
    return [raises(f, t, ids(tf), None, combiner="max"), raises(f, t, [[1]], None), raises(f, t, ids(tf), [1.0]), raises(f, None, ids(tf), None), raises(f, [], ids(tf), None), raises(f, t, ids(tf), other, combiner="sum"),
            raises(f, t, ids(tf), None, "nonsense", combiner="sum"), raises(f, [t, t], ids(tf), None, "nonsense", combiner="sum"), raises(f, t, ids(tf, "float32"), None, combiner="sum")]


def case_lookup_sparse_outside(tf):
    i = tf.sparse_placeholder(tf.int64)
    return Case(tf.nn.embedding_lookup_sparse(tf.constant(TABLE), i, None, combiner="sum"), feeds={i: ([[0, 0]], [8], [1, 1])})


def case_lookup_sparse_gap(tf):
    i = tf.sparse_placeholder(tf.int64)
    return Case(tf.nn.embedding_lookup_sparse(tf.constant(TABLE), i, None, combiner="mean"), feeds={i: ([[1, 0], [3, 0]], [1, 2], [6, 1])})


def case_safe_lookup(tf):
    f, t, out = tf.nn.safe_embedding_lookup_sparse, tf.constant(TABLE), []
    i = tf.SparseTensor([[0, 0], [0, 1], [0, 2], [3, 0], [4, 0], [4, 1]], tf.constant([0, 1, -1, -1, 1, 2], tf.int64), [5, 4])
    w = tf.SparseTensor([[0, 0], [0, 1], [0, 2], [3, 0], [4, 0], [4, 1]], [1.0, 2.0, 1.0, 1.0, 3.0, -0.5], [5, 4])
    for combiner in ("mean", "sqrtn", "sum"):
        out += [f(t, i, combiner=combiner), f(t, i, w, combiner=combiner), f(t, i, w, combiner=combiner, default_id=3), f(t, i, combiner=combiner, default_id=3, name="named")]
    return [*out, f([t[:4], t[4:]], i, w, partition_strategy="mod"), f([t[:4], t[4:]], i, None), f(t, i, w, max_norm=2.0)]


def case_safe_lookup_cube(tf):
    f, t = tf.nn.safe_embedding_lookup_sparse, tf.constant(TABLE)
    i = tf.SparseTensor([[0, 0, 0], [0, 1, 1], [1, 1, 0]], tf.constant([0, 1, -1], tf.int64), [2, 2, 2])
    w = tf.SparseTensor([[0, 0, 0], [0, 1, 1], [1, 1, 0]], [1.0, 2.0, 3.0], [2, 2, 2])
    return [f(t, i), f(t, i, w, combiner="sum"), f(t, i, w, default_id=2)]


def case_safe_lookup_unknown(tf):
    f, t = tf.nn.safe_embedding_lookup_sparse, tf.constant(TABLE)
    i, w = tf.sparse_placeholder(tf.int64), tf.sparse_placeholder(tf.float32)
    j = tf.sparse_placeholder(tf.int64, [None, None])
    value = ([[0, 0], [2, 0]], [1, 2], [4, 1])
    return Case([f(t, i), f(t, i, w), f(t, j, default_id=1)], feeds={i: value, w: ([[0, 0], [2, 0]], [1.0, 2.0], [4, 1]), j: value})


def case_safe_lookup_refused(tf):
    f, t = tf.nn.safe_embedding_lookup_sparse, tf.constant(TABLE)
    return [raises(f, None, ids(tf)), raises(f, [], ids(tf)), raises(f, t, 3), raises(f, t, ids(tf), combiner="max"), raises(f, t, ids(tf), weights(tf), combiner="max"), raises(f, t, ids(tf, "float32"))]

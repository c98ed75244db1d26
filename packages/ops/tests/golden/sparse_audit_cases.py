"""Sparse tensors at the edges: dtypes, empty ones, wrong order, bounds and shapes, and what is known of static shapes."""

import numpy as np
from golden_case import Case, raises

AT = [[0, 1], [1, 0], [1, 2], [2, 3]]
X = (AT, [1.0, 2.0, 3.0, 4.0], [3, 4])
NONE = (np.zeros((0, 2), np.int64), np.zeros(0, np.float32), [3, 4])
KINDS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "float16", "float32", "float64", "complex64", "complex128", "bool", "string")


def made(tf, parts, dtype="float32"):
    indices, values, shape = parts
    if dtype == "string":
        values = [str(v) for v in values]
    else:
        values = np.array(values).astype(dtype)
    return tf.SparseTensor(np.reshape(np.array(indices, np.int64), (len(values), len(shape))), tf.constant(values, dtype), shape)


def fed(tf, function, parts, dtype="float32", **kwargs):
    x = tf.sparse_placeholder(dtype, **kwargs)
    return Case(function(x), feeds={x: parts})


# -- the class ------------------------------------------------------------------------------------------

def case_class(tf):
    s = made(tf, X)
    p = tf.sparse_placeholder(tf.float32, shape=[None, 4], name="p")
    return [str(s.shape), str(s.get_shape()), str(p.shape), s.dtype.name, s.op.name, s.graph is tf.get_default_graph(), [o.name for o in s.consumers()], s.values.name, p.values.name, p.indices.name, p.dense_shape.name,
            isinstance(s, tf.sparse.SparseTensor), str(tf.SparseTensorValue([[0]], [1], [2])), list(tf.SparseTensorValue._fields)]


def case_class_refused(tf):
    f = tf.SparseTensor
    p = tf.placeholder
    return [raises(f, [0], [1.0], [2]), raises(f, [[0]], [[1.0]], [2]), raises(f, [[0]], [1.0], 2), raises(f, [[0]], [1.0, 2.0], [2]), raises(f, [[0, 0]], [1.0], [2]), raises(f, [[0.5]], [1.0], [2]),
            raises(f, None, [1.0], [2]), raises(f, [[0]], None, [2]), raises(f, [[0]], [1.0], None), raises(f, p(tf.int32, [None, 2]), [1.0], [2, 2]), raises(f, p(tf.int64), p(tf.float32), p(tf.int32)),
            raises(f, p(tf.int64), p(tf.float32), p(tf.int64)), raises(f, p(tf.int64, [3, 2]), p(tf.float32, [4]), p(tf.int64, [2])), raises(f, p(tf.int64, [None, 2]), p(tf.float32, [4]), p(tf.int64, [3])),
            raises(f.from_value, 3), raises(f.from_value, [[0]]), raises(f, [[0]], [object()], [1])]


def case_class_operators(tf):
    s = made(tf, X)
    return [raises(lambda: s + s), raises(lambda: s - 1), raises(lambda: 2.0 * s), raises(lambda: s * s), raises(lambda: -s), raises(lambda: s[0]), raises(lambda: len(s)), raises(lambda: list(s)),
            raises(lambda: bool(s)), raises(tf.convert_to_tensor, s), raises(lambda: s == s), raises(lambda: hash(s)), raises(tf.convert_to_tensor_or_sparse_tensor, s, tf.int32)]


def case_from_value(tf):
    value = tf.SparseTensorValue(np.array([[0, 1]]), np.array([2.0], np.float32), np.array([2, 2]))
    lists = tf.SparseTensorValue([[0, 1]], [2], (2, 2))
    s = tf.SparseTensor.from_value(value)
    return [s, tf.SparseTensor.from_value(lists), tf.SparseTensor.from_value(s), tf.convert_to_tensor_or_sparse_tensor(value), tf.convert_to_tensor_or_sparse_tensor([1.0], name="dense"), tf.convert_to_tensor_or_sparse_tensor(s, tf.float32)]


def case_rank_of(tf):
    s, p = made(tf, X), tf.sparse_placeholder(tf.float32)
    return Case([tf.rank(s), tf.rank(p), tf.shape(s), tf.shape(p), tf.size(s), tf.size(p), tf.shape(p, out_type=tf.int64), tf.size(s, out_type=tf.int64), tf.identity(tf.shape(s), name="n")], feeds={p: X})


def case_loop_refused(tf):
    s, f = made(tf, X), tf.while_loop
    return Case([raises(f, lambda i, x: i < 2, lambda i, x: (i + 1, x), [0, s], [tf.TensorShape([]), tf.TensorShape(shape)]) for shape in ([None, None], [5, 4], [3], [])], collections=False)


def case_slices_class(tf):
    v, i, d = tf.constant([[1.0], [2.0]]), tf.constant([5, 2]), tf.constant([9, 1])
    s, t = tf.IndexedSlices(v, i, d), tf.IndexedSlices(v, i)
    return [s, t, s.dtype.name, s.name, s.op.name, s.device, str(t.dense_shape), tf.convert_to_tensor(s, name="dense"), raises(tf.convert_to_tensor, t), -s, raises(tf.convert_to_tensor, s, tf.int32),
            tf.convert_to_tensor_or_indexed_slices(s) is s, raises(tf.convert_to_tensor_or_indexed_slices, s, tf.int32), tf.identity(tf.convert_to_tensor_or_indexed_slices([1.0], name="x"))]


def case_map_values(tf):
    s, t = made(tf, X), tf.IndexedSlices(tf.constant([[1.0], [-2.0]]), tf.constant([5, 2]), tf.constant([9, 1]))
    out = [f(s) for f in (tf.square, tf.sqrt, tf.abs, tf.negative, tf.sign, tf.tanh, tf.erf)] + [tf.cast(s, tf.int32), tf.cast(t, tf.int64), tf.to_double(s), tf.saturate_cast(s.values, tf.uint8)]
    return out + [tf.abs(tf.SparseTensor([[0]], [3 + 4j], [1])), tf.scalar_mul(2.0, t), tf.nn.relu(s.values)]


def case_control(tf):
    s, t = made(tf, X), tf.IndexedSlices(tf.constant([[1.0], [2.0]]), tf.constant([5, 2]), tf.constant([9, 1]))
    with tf.control_dependencies([s.op, t]):
        n = tf.no_op(name="after")
    out = tf.tuple([s.values, t])
    pred = tf.placeholder(tf.bool, [])
    c = tf.cond(pred, lambda: s, lambda: made(tf, NONE))
    return Case([n.name, [op.name for op in n.control_inputs], out, c, tf.group(s.values)], feeds=[{pred: True}, {pred: False}], steps=2)


def case_loop(tf):
    s = made(tf, X)
    i, total = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, tf.SparseTensor(x.indices, x.values * 2.0, x.dense_shape)), [0, s])
    return [i, total]


def case_loop_shapes(tf):
    s, t = made(tf, X), tf.IndexedSlices(tf.constant([[1.0], [2.0]]), tf.constant([5, 2]), tf.constant([9, 1]))
    u = tf.sparse_placeholder(tf.float32)
    _, a, b = tf.while_loop(lambda i, x, y: i < 2, lambda i, x, y: (i + 1, tf.sparse_add(x, x), tf.IndexedSlices(y.values + 1.0, y.indices, y.dense_shape)), [0, s, t])
    _, c = tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, tf.sparse_add(x, x)), [0, s], shape_invariants=[tf.TensorShape([]), tf.TensorShape([2])])
    _, e = tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, tf.IndexedSlices(y.values + 1.0, y.indices, y.dense_shape)), [0, t], [tf.TensorShape([]), tf.TensorShape([None, 1])])
    _, g = tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, tf.sparse_add(x, x)), [0, s], shape_invariants=[tf.TensorShape([]), tf.TensorShape(None)])
    _, d = tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, tf.sparse_add(x, x)), [0, u])
    return Case([a, b, c, d, e, g], feeds={u: X})


# -- placeholders, feeds and fetches --------------------------------------------------------------------

def case_placeholders(tf):
    f = tf.sparse_placeholder
    out = [f(tf.float32), f(tf.float32, name="named"), f(tf.int32, [2, 3]), f(tf.int32, [2, None]), f(tf.int32, tf.TensorShape([2, 3])), f(tf.int32, (4,)), f(tf.string, [None]),
           f(tf.float32, np.array([2, 3])), f(tf.float32, tf.placeholder(tf.int64, [2])), f(tf.float32, tf.constant([3, 4], tf.int64), "t")]
    return Case(out + [str(x.shape) for x in out], graph_only=True)


def case_placeholders_refused(tf):
    f = tf.sparse_placeholder
    return [raises(f, None), raises(f, "nonsense"), raises(f, tf.float32, 3), raises(f, tf.float32, "ab"), raises(f, tf.float32, tf.TensorShape(None)), raises(f, tf.float32, [[2]]), raises(f, tf.float32, [2.5])]


def case_feeds(tf):
    p, q = tf.sparse_placeholder(tf.float32, name="p"), tf.sparse_placeholder(tf.float32, [3, 4], name="q")
    at, values, shape = np.array(AT), np.array([1, 2, 3, 4], np.float32), np.array([3, 4])
    y = [p, p.values * 2.0, tf.sparse_tensor_to_dense(p)]
    return Case([y, tf.sparse_tensor_to_dense(q)], feeds=[{p: v, q: w} for v in (X, (at, values, shape), tf.SparseTensorValue(at, values, shape), [AT, values, [3, 4]]) for w in (X, tf.SparseTensorValue(at, values, shape))], steps=8)


def case_feed_constant(tf):
    s = made(tf, X)
    y = tf.sparse_tensor_to_dense(s)
    return Case(y, feeds={s: ([[0, 0]], [9.0], [1, 2])})


def case_feeds_refused(tf):
    p = tf.sparse_placeholder(tf.float32, name="p")
    y = tf.sparse_tensor_to_dense(p)

    def run(value):
        with tf.Session() as session:
            session.run(y, {p: value})
    return [raises(run, v) for v in (3, [1.0], ([[0]], [1.0]), ([0], [1.0], [2]), ([[0]], [[1.0]], [2]), None, ([[0]], ["a"], [2]), ([[0]], [1.0], [2], [3]), ([[0.5]], [1.0], [2]), ([[0, 1]], [1.0], [2]))]


def case_fetches(tf):
    s, t = made(tf, X), tf.IndexedSlices(tf.constant([[1.0], [2.0]]), tf.constant([5, 2]), tf.constant([9, 1]))
    with tf.Session() as session:
        a, b, c = session.run([s, t, {"k": (s, t)}])
        d = s.eval(session=session)
        none = session.run(tf.IndexedSlices(t.values, t.indices))
    return [type(v).__name__ for v in (a, b, c, c["k"], c["k"][0], c["k"][1], d, none, a.indices, a.values)] + [str(none.dense_shape), str(d.values.dtype), str(d.indices.dtype)]


# -- to_dense -------------------------------------------------------------------------------------------

def case_to_dense_kinds(tf):
    return [tf.sparse_tensor_to_dense(made(tf, X, kind)) for kind in KINDS if kind != "uint16"] + [tf.sparse_tensor_to_dense(made(tf, NONE)), tf.sparse_tensor_to_dense(made(tf, X, "string"), default_value="none"), tf.sparse_tensor_to_dense(made(tf, X), 7.5, name="n")]


def case_to_dense_index_kinds(tf):
    f = tf.sparse_to_dense
    i32 = tf.constant(AT, tf.int32)
    return [f(i32, [3, 4], [1, 2, 3, 4]), f(tf.constant(AT, tf.int64), np.array([3, 4]), [1, 2, 3, 4]), f(AT, [3, 4], 1), f([1, 2], [4], [1.0, 2.0], 9.0), f(2, [4], 5), f(2, [4], [5]), f(np.array([1, 3]), np.array([5]), ["a", "b"], "c"),
            f([[0]], [2], [True], False), f(AT, tf.constant([3, 4]), [1, 2, 3, 4], name="named"), f([], [3], np.zeros(0, np.float32), 2.0), f(np.zeros((0, 2), np.int32), [2, 2], 1.5)]


def case_to_dense_unvalidated(tf):
    f = tf.sparse_to_dense
    return [f([3, 1], [4], [1, 2], validate_indices=False), f([1, 1], [4], [1, 2], validate_indices=False), f([[1, 0], [0, 0], [1, 0]], [2, 2], [1.0, 2.0, 3.0], validate_indices=False)]


def case_to_dense_static(tf):
    x, y = tf.sparse_placeholder(tf.float32), tf.sparse_placeholder(tf.float32, [None, 4])
    n = tf.placeholder(tf.int64)
    return Case([tf.sparse_tensor_to_dense(x), tf.sparse_tensor_to_dense(y), tf.sparse_to_dense(x.indices, n, x.values), tf.sparse_to_dense(x.indices, tf.stack([3, tf.cast(n[0], tf.int64)]), x.values)], feeds={x: X, y: X, n: [4, 4]})


def case_to_dense_gradient(tf):
    x, d = made(tf, X), tf.constant(2.0)
    y = tf.sparse_tensor_to_dense(x, default_value=d)
    z = tf.sparse_to_dense(x.indices, [3, 4], tf.constant(3.0), d)
    return [tf.gradients(y * y, [x.values, d]), tf.gradients(y, [x.values, d]), raises(tf.gradients, z, d)]


def dense(tf, indices, shape, values, **kwargs):
    i, s, v = tf.placeholder(tf.int64), tf.placeholder(tf.int64), tf.placeholder(tf.float32)
    return Case(tf.sparse_to_dense(i, s, v, **kwargs), feeds={i: indices, s: shape, v: values})


def case_to_dense_out_of_order(tf):
    return dense(tf, [[1, 0], [0, 1]], [2, 2], [1.0, 2.0])


def case_to_dense_repeated(tf):
    return dense(tf, [[0, 1], [0, 1]], [2, 2], [1.0, 2.0])


def case_to_dense_outside(tf):
    return dense(tf, [[0, 1], [0, 2]], [2, 2], [1.0, 2.0])


def case_to_dense_negative(tf):
    return dense(tf, [[0, -1]], [2, 2], [1.0])


def case_to_dense_outside_unvalidated(tf):
    return dense(tf, [[0, 1], [0, 2]], [2, 2], [1.0, 2.0], validate_indices=False)


def case_to_dense_values_wrong(tf):
    return dense(tf, [[0, 1]], [2, 2], [1.0, 2.0])


def case_to_dense_values_matrix(tf):
    return dense(tf, [[0, 1]], [2, 2], [[1.0]])


def case_to_dense_rank_wrong(tf):
    return dense(tf, [[0, 1]], [2, 2, 2], [1.0])


def case_to_dense_shape_matrix(tf):
    return dense(tf, [[0, 1]], [[2, 2]], [1.0])


def case_to_dense_cube(tf):
    return dense(tf, [[[0, 1]]], [2, 2], [1.0])


def case_to_dense_shape_negative(tf):
    return dense(tf, [[0, 1]], [-2, 2], [1.0])


def case_to_dense_refused(tf):
    f, g = tf.sparse_tensor_to_dense, tf.sparse_to_dense
    x = made(tf, X)
    return [raises(f, [[1.0]]), raises(f, x, "a"), raises(f, x, [1.0, 2.0]), raises(f, None), raises(g, [[[0]]], [2], 1), raises(g, [0], [[2]], 1), raises(g, [0], [-2], 1), raises(g, [0], [2], [1.0], "x"), raises(g, [0.5], [2], [1.0]),
            raises(g, [0], [2], None), raises(g, tf.constant([0]), tf.constant([2], tf.int64), [1])]


# -- products -------------------------------------------------------------------------------------------

def case_product_kinds(tf):
    out = []
    for kind in ("int32", "float32", "float64", "complex64", "complex128"):
        x = made(tf, (AT, [1, 2, 3, 4], [3, 4]), kind)
        if kind.startswith("complex"):
            x = tf.SparseTensor(x.indices, x.values * tf.constant(1 + 2j, kind), x.dense_shape)
        y, z = tf.cast(tf.reshape(tf.range(8), [4, 2]), kind), tf.cast(tf.reshape(tf.range(6), [3, 2]), kind)
        if kind.startswith("complex"):
            y, z = y * tf.constant(2 - 1j, kind), z * tf.constant(1 + 1j, kind)
        f = tf.sparse_tensor_dense_matmul
        out += [f(x, y), f(x, z, adjoint_a=True), f(x, tf.linalg.adjoint(y), adjoint_b=True), f(x, tf.linalg.adjoint(z), adjoint_a=True, adjoint_b=True)]
    return out


def case_product_index_kinds(tf):
    f = tf.raw_ops.SparseTensorDenseMatMul
    return [f(a_indices=tf.constant(AT, kind), a_values=[1.0, 2.0, 3.0, 4.0], a_shape=tf.constant([3, 4], tf.int64), b=tf.ones([4, 2])) for kind in ("int32", "int64")]


def case_product_edges(tf):
    f = tf.sparse_tensor_dense_matmul
    none = made(tf, NONE)
    many = made(tf, ([[0, 0], [0, 0], [1, 1]], [1.0, 2.0, 3.0], [2, 2]))
    return [f(none, tf.ones([4, 2])), f(none, tf.ones([3, 2]), adjoint_a=True), f(many, tf.ones([2, 3])), f(made(tf, X), tf.ones([4, 0])), f(made(tf, (np.zeros((0, 2)), [], [0, 4])), tf.ones([4, 2])),
            f(made(tf, (np.zeros((0, 2)), [], [3, 0])), tf.ones([0, 2])), f(made(tf, ([[1, 0], [0, 1]], [1.0, 2.0], [2, 2])), [[1.0], [2.0]]), f(made(tf, X), tf.ones([4, 300])), f(made(tf, X), [[np.nan], [1.0], [np.inf], [2.0]])]


def case_product_static(tf):
    x, y, z = tf.sparse_placeholder(tf.float32), tf.sparse_placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32)
    f = tf.sparse_tensor_dense_matmul
    w = tf.placeholder(tf.float32, [4, None])
    return Case([f(x, w), f(y, w), f(y, z), f(x, z), f(y, w, adjoint_b=False), f(y, tf.ones([3, 2]), adjoint_a=True)], feeds={x: X, y: X, z: np.ones((4, 2)), w: np.ones((4, 2))})


def case_product_gradient(tf):
    f, out = tf.sparse_tensor_dense_matmul, []
    for kind in ("float32", "float64", "complex64"):
        for a in (False, True):
            for b in (False, True):
                x = made(tf, X, kind)
                n = 3 if a else 4
                d = tf.constant(np.arange(2.0 * n).reshape((2, n) if b else (n, 2)).astype(kind))
                y = f(x, d, adjoint_a=a, adjoint_b=b)
                if kind != "complex64":
                    out += [y, tf.gradients(y * y, [x.values, d])]
                else:
                    out += [y, tf.gradients(y, d), raises(tf.gradients, y, x.values)]
    return out


def case_product_gradient_unknown(tf):
    x, d = tf.sparse_placeholder(tf.float32), tf.placeholder(tf.float32)
    y = tf.sparse_tensor_dense_matmul(x, d, adjoint_b=True)
    return Case([y, tf.gradients(y, [x.values, d])], feeds={x: X, d: np.ones((2, 4))})


def product(tf, x, y, **kwargs):
    s, d = tf.sparse_placeholder(tf.float32), tf.placeholder(tf.float32)
    return Case(tf.sparse_tensor_dense_matmul(s, d, **kwargs), feeds={s: x, d: y})


def case_product_inner_wrong(tf):
    return product(tf, X, np.ones((3, 2)))


def case_product_inner_wrong_adjoint(tf):
    return product(tf, X, np.ones((4, 2)), adjoint_a=True)


def case_product_inner_wrong_adjoint_b(tf):
    return product(tf, X, np.ones((4, 2)), adjoint_b=True)


def case_product_outside(tf):
    return product(tf, ([[0, 4]], [1.0], [3, 4]), np.ones((4, 2)))


def case_product_row_outside(tf):
    return product(tf, ([[3, 0]], [1.0], [3, 4]), np.ones((4, 2)))


def case_product_negative(tf):
    return product(tf, ([[-1, 0]], [1.0], [3, 4]), np.ones((4, 2)))


def case_product_cube(tf):
    return product(tf, ([[0, 0, 0]], [1.0], [3, 4, 1]), np.ones((4, 2)))


def case_product_vector(tf):
    return product(tf, X, np.ones(4))


def case_product_counts(tf):
    return product(tf, ([[0, 0]], [1.0, 2.0], [3, 4]), np.ones((4, 2)))


def case_product_refused(tf):
    f, x = tf.sparse_tensor_dense_matmul, made(tf, X)
    return [raises(f, x, [1.0, 2.0]), raises(f, x, tf.ones([3, 2])), raises(f, x, tf.ones([4, 2]), True), raises(f, x, tf.ones([4, 2], tf.float64)), raises(f, [[1.0]], [[1.0]]), raises(f, made(tf, ([[0]], [1.0], [2])), tf.ones([2, 2])),
            raises(f, x, [["a"]]), raises(f, x, tf.ones([2, 4, 2]))]


def case_matmul_sparse_flags(tf):
    a, b = tf.constant([[1.0, 0.0], [0.0, 2.0]]), tf.constant([[3.0, 0.0], [4.0, 5.0]])
    f, half = tf.sparse_matmul, tf.cast(tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.bfloat16)
    out = [f(a, b, transpose_a=x, transpose_b=y, a_is_sparse=p, b_is_sparse=q) for x in (False, True) for y in (False, True) for p in (False, True) for q in (False, True)]
    y = f(a, b, transpose_a=True, a_is_sparse=True, name="named")
    return out + [y, tf.gradients(y * y, [a, b]), f(half, b), f(a, half), f(half, half), tf.matmul(a, b, a_is_sparse=True), tf.matmul(half, half, b_is_sparse=True)]


def case_matmul_refused(tf):
    f, a = tf.sparse_matmul, tf.ones([2, 3])
    return [raises(f, a, a), raises(f, a, tf.ones([3])), raises(f, tf.ones([2, 3], tf.float64), tf.ones([3, 2], tf.float64)), raises(f, a, tf.ones([3, 2], tf.int32)), raises(f, tf.ones([1, 2, 3]), a)]

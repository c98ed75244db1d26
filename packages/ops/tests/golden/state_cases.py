"""Rows and slices of variables, set, changed and read: values, graphs, gradients, and what is refused."""
import numpy as np
from golden_case import Case, raises

KINDS = {"ref": False, "resource": True}
ROWS = {"repeated": ([0, 2, 0], np.full([3, 3], 2.0)), "scalar": ([0, 2], np.array(2.0)), "matrix": ([[0], [1]], np.full([2, 1, 3], 2.0)),
        "one": (1, np.array([1.0, 2.0, 3.0])), "none": ([], np.zeros([0, 3]))}
WRONG_ROWS = {"beyond": ([0, 4], np.full([2, 3], 2.0)), "negative": ([0, -1], np.full([2, 3], 2.0)), "shape": ([0, 1], np.full([2, 2], 2.0))}
SLICES = {"rows": ([[0], [2], [0]], np.full([3, 3], 2.0)), "elements": ([[0, 1], [2, 2], [0, 1]], np.array([1.0, 2.0, 3.0])),
          "none": (np.zeros([0, 1]), np.zeros([0, 3])), "nested": ([[[0, 1]], [[1, 2]]], np.array([[1.0], [2.0]]))}
WRONG_SLICES = {"beyond": ([[0], [4]], np.full([2, 3], 2.0)), "negative": ([[0, 1], [-1, 0]], np.array([1.0, 2.0])), "shape": ([[0], [1]], np.full([2, 2], 2.0)),
                "deep": ([[0, 1, 2]], np.full([1], 2.0)), "whole": (np.zeros([2, 0]), np.ones([2, 4, 3])), "scalar": (3, np.ones([4, 3]))}


def matrix(tf, kind):
    return tf.Variable(np.arange(12, dtype="float32").reshape(4, 3) + 1.0, name="v", use_resource=KINDS[kind])


def fed(tf, indices, updates, dtype="float32"):
    i, u = tf.placeholder(tf.int32, name="indices"), tf.placeholder(dtype, name="updates")
    return i, u, {i: np.array(indices, "int32"), u: np.array(updates, dtype)}


def _changes(function, name, table):
    for kind in KINDS:
        for label, (indices, updates) in table.items():
            # Of updates to handles the original takes any shape, and reads what lies behind.
            if label == "shape" and kind == "resource" and not function.startswith("scatter_nd"):
                continue

            def case(tf, kind=kind, indices=indices, updates=updates):
                v = matrix(tf, kind)
                i, u, feeds = fed(tf, indices, updates)
                return Case(getattr(tf, function)(v, i, u), feeds=feeds)
            globals()["case_%s_%s_%s" % (function, label, kind)] = case


for _how in ("update", "add", "sub", "mul", "div", "min", "max"):
    _changes("scatter_" + _how, _how, ROWS)
for _how in ("update", "add"):
    _changes("scatter_" + _how, _how, WRONG_ROWS)
for _how in ("update", "add", "sub"):
    _changes("scatter_nd_" + _how, _how, SLICES)
_changes("scatter_nd_add", "add", WRONG_SLICES)

for _kind in KINDS:
    for _how in ("add", "sub", "mul", "div", "min", "max"):
        def _case(tf, kind=_kind, how=_how):
            v = tf.Variable(np.array([7, -7, 5, 2], "int32"), use_resource=KINDS[kind])
            return getattr(tf, "scatter_" + how)(v, [0, 1, 0], [2, 2, 3])
        globals()["case_integers_%s_%s" % (_how, _kind)] = _case

    def _case(tf, kind=_kind):
        v = matrix(tf, kind)
        delta = tf.IndexedSlices(tf.constant([[2.0, 2.0, 2.0]]), tf.constant([1]))
        changes = [v.scatter_update, v.scatter_add, v.scatter_sub, v.scatter_mul, v.scatter_div, v.scatter_min, v.scatter_max]
        return Case(runs=[change(delta) for change in changes] + [v.scatter_nd_update([[0, 0]], [9.0]), v.scatter_nd_add([[0, 0]], [1.0]),
                          v.scatter_nd_sub([[0, 0]], [2.0], name="mine")])
    globals()["case_methods_" + _kind] = _case

    def _case(tf, kind=_kind):
        v = tf.Variable(np.zeros([2, 4, 2], "float32"), use_resource=KINDS[kind])
        w = tf.Variable(np.zeros([4], "float32"), use_resource=KINDS[kind])
        return Case(runs=[tf.batch_scatter_update(v, [[0, 1], [2, 3]], np.arange(8).reshape(2, 2, 2).astype("float32")), tf.batch_scatter_update(w, [1, 3], [5.0, 6.0]),
                          w.batch_scatter_update(tf.IndexedSlices(tf.constant([1.0]), tf.constant([0])))])
    globals()["case_batch_" + _kind] = _case

    def _case(tf, kind=_kind):
        v = matrix(tf, kind)
        i = tf.placeholder_with_default(2, [])
        runs = [v[1:3, 0].assign([7.0, 8.0]), v[::2, ::-1].assign(np.arange(6).reshape(2, 3)), v[i].assign([1.0, 2.0, 3.0]), v[-1].assign([4.0, 5.0, 6.0]),
                v[..., tf.newaxis].assign(np.zeros([4, 3, 1])), v[1:1].assign(np.zeros([0, 3])), v[0, 1].assign(9.0, name="mine")]
        return Case(runs=runs)
    globals()["case_slices_" + _kind] = _case

    for _label, _value in (("scalar", 7.0), ("longer", [1.0, 2.0, 3.0])):
        def _case(tf, kind=_kind, value=_value):
            v = matrix(tf, kind)
            return v[1:3, 0].assign(value)
        globals()["case_slices_refused_%s_%s" % (_label, _kind)] = _case

    def _case(tf, kind=_kind):
        v = matrix(tf, kind)
        i = tf.placeholder(tf.int32, [])
        return Case(v[i].assign([1.0, 2.0, 3.0]), feeds={i: 5})
    globals()["case_slices_beyond_" + _kind] = _case

    def _case(tf, kind=_kind):
        v = tf.Variable(np.int64(0), use_resource=KINDS[kind])
        return Case(tf.count_up_to(v, 3, name="count"), steps=3)
    globals()["case_count_" + _kind] = _case

    def _case(tf, kind=_kind):
        v = tf.Variable(2, use_resource=KINDS[kind])
        return tf.count_up_to(v, 2)
    globals()["case_count_over_" + _kind] = _case

    def _case(tf, kind=_kind):
        v = matrix(tf, kind)
        return [raises(tf.scatter_add, v, [0, 1], tf.ones([3, 3])), raises(tf.scatter_add, v, [0.0], 1.0), raises(tf.scatter_nd_add, v, [[0, 1]], [1.0, 2.0]),
                raises(tf.scatter_nd_add, v, [0, 1, 2, 3], [1.0, 2.0]), raises(tf.scatter_add, v, [0], tf.constant([[1, 2, 3]])), raises(tf.count_up_to, v, 3),
                raises(v.scatter_add, 3.0), raises(tf.batch_scatter_update, v, tf.placeholder(tf.int32), 1.0)]
    globals()["case_refused_" + _kind] = _case


def case_scatter_of_tensor_refused(tf):
    return [raises(tf.scatter_update, tf.constant([1.0]), [0], [2.0]), raises(tf.scatter_add, tf.Variable([True]), [0], [True])]


for _label, _indices in (("vector", [0, 3, 0]), ("matrix", [[0, 1]]), ("scalar", 2), ("beyond", [0, 5]), ("negative", [0, -1])):
    def _case(tf, indices=_indices):
        v = matrix(tf, "resource")
        i, _, feeds = fed(tf, indices, 0.0)
        read = v.sparse_read(i)
        return Case(read, feeds=feeds)
    globals()["case_sparse_read_" + _label] = _case

for _label, _indices in (("rows", [[0], [2]]), ("elements", [[0, 1], [3, 2]]), ("one", [0, 1]), ("beyond", [[0, 1], [3, 3]]), ("deep", [[0, 1, 2]])):
    def _case(tf, indices=_indices):
        v = matrix(tf, "resource")
        i, _, feeds = fed(tf, indices, 0.0)
        return Case(v.gather_nd(i), feeds=feeds)
    globals()["case_gather_nd_" + _label] = _case


def case_gather_batch_dims(tf):
    v = matrix(tf, "resource")
    return tf.raw_ops.ResourceGather(resource=v.handle, indices=[[0, 2], [1, 1], [2, 0], [0, 0]], dtype=tf.float32, batch_dims=1)


def case_gradient_of_sparse_read(tf):
    v = matrix(tf, "resource")
    i = tf.placeholder_with_default(np.array([2, 0, 2], "int32"), [None])
    grad = tf.gradients(tf.reduce_sum(tf.square(v.sparse_read(i))), v)[0]
    return [grad.values, grad.indices, grad.dense_shape]


def case_gradient_of_sparse_read_of_unknown_shape(tf):
    v = tf.Variable(tf.placeholder_with_default(np.ones([4, 3], "float32"), None), use_resource=True, validate_shape=False)
    grad = tf.gradients(v.sparse_read([1, 1]), v)[0]
    return [grad.values, grad.indices, grad.dense_shape]


def case_gradient_of_gather_nd(tf):
    v = matrix(tf, "resource")
    rows = tf.gradients(v.gather_nd(tf.constant([[2], [0]])), v)[0]
    elements = tf.gradients(v.gather_nd(tf.constant([[2, 1], [2, 1]])), v)[0]
    return [rows.values, rows.indices, elements]


def case_reads_after_changes(tf):
    v = matrix(tf, "resource")
    changed = v[1:2].assign([[1.0, 2.0, 3.0]])
    again = changed[0].assign([7.0, 8.0, 9.0])
    return Case(runs=[[changed.sparse_read([1])], again.read_value(), again.assign_add(np.ones([4, 3])), v])


def case_initialized_of_no_list(tf):
    """An empty list stands for all variables, too."""
    tf.Variable(1.0), tf.Variable(2.0, trainable=False)
    return Case(tf.assert_variables_initialized([]))


def case_initialized_of_resources(tf):
    variables = [tf.Variable(1.0, use_resource=True), tf.Variable([2.0], use_resource=True)]
    return Case([tf.assert_variables_initialized(), tf.assert_variables_initialized(variables[:1])])


def case_initialized_too_early(tf):
    tf.Variable(1.0)
    return Case(tf.assert_variables_initialized(), init=False)

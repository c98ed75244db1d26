"""What other functions make of sparse tensors and of slices."""

import numpy as np
from golden_case import Case, raises

AT = [[0, 1], [1, 0], [1, 2], [2, 3]]


def made(tf, values=(1.0, 2.0, 3.0, 4.0), kind="float32"):
    return tf.SparseTensor(AT, tf.constant(np.array(values, kind)), [3, 4])


def rows(tf, values=((1.0, 2.0), (3.0, 4.0)), indices=(2, 0), shape=(5, 2)):
    return tf.IndexedSlices(tf.constant(np.array(values, np.float32)), tf.constant(indices), None if shape is None else tf.constant(shape))


def case_slices_added(tf):
    a, b = rows(tf), rows(tf, indices=(2, 2))
    return [tf.add_n([a, b]), tf.add_n([a, tf.ones([5, 2])]), tf.accumulate_n([tf.ones([2]), tf.ones([2])])]


def case_slices_used(tf):
    a = rows(tf)
    return [tf.convert_to_tensor(a), tf.add(a, 1.0), tf.multiply(a, 2.0), tf.reduce_sum(a), tf.global_norm([a, tf.ones([2])]), tf.clip_by_global_norm([a, tf.ones([2])], 1.0)[0], tf.clip_by_norm(a, 1.0), tf.clip_by_value(a, 0.0, 2.0),
            tf.matmul(a, tf.ones([2, 1])), tf.stack([tf.convert_to_tensor(a)])]


def case_slices_gradient(tf):
    x = tf.constant(np.arange(10.0, dtype=np.float32).reshape(5, 2))
    y = tf.gather(x, [1, 3, 1])
    g, = tf.gradients(y * y, x)
    h, = tf.gradients(tf.reduce_sum(y) + tf.reduce_sum(tf.gather(x, [0])), x)
    k, = tf.gradients(tf.reduce_sum(y) + tf.reduce_sum(x), x)
    return [g, h, k, type(g).__name__, type(h).__name__, type(k).__name__]


def case_slices_unknown(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    y = tf.gather(x, [1, 0])
    g, = tf.gradients(y * y, x)
    return Case([g, tf.convert_to_tensor(g)], feeds={x: np.ones((3, 2))})


def case_refused(tf):
    s = made(tf)
    return [raises(f, *arguments) for f, *arguments in (
        (tf.reduce_sum, s), (tf.matmul, s, s), (tf.add_n, [s]), (tf.add_n, [s, s]), (tf.concat, [s, s], 0), (tf.gather, s, [0]), (tf.reshape, s, [12]), (tf.transpose, s), (tf.nn.relu, s), (tf.exp, s), (tf.reduce_max, s), (tf.expand_dims, s, 0),
        (tf.argmax, s), (tf.map_fn, lambda x: x, s), (tf.constant, s), (tf.Variable, s), (tf.stack, [s, s]), (tf.stop_gradient, s), (tf.zeros_like, s), (tf.add, s, s), (tf.one_hot, s, 3))]


def case_gradients_through(tf):
    s = made(tf)
    y = s * tf.constant([2.0, 1.0, 3.0, 4.0])
    return tf.gradients(y.values, s.values)


def case_where(tf):
    x = tf.constant([[0.0, 1.0], [2.0, 0.0]])
    at = tf.where(tf.not_equal(x, 0.0))
    return tf.SparseTensor(at, tf.gather_nd(x, at), tf.shape(x, out_type=tf.int64))


def case_names(tf):
    with tf.name_scope("a"):
        s = tf.SparseTensor([[0, 0]], [1.0], [2, 2])
        t = tf.sparse_placeholder(tf.float32)
    u = tf.sparse.reorder(s, name="u")
    return Case([s, t, u, s.indices.name, t.values.name, u.indices.name], feeds={t: ([[0, 0]], [2.0], [1, 1])})


def case_export(tf):
    s = tf.sparse.add(made(tf), made(tf))
    t = tf.sparse.softmax(s, name="soft")
    d = tf.sparse.to_dense(t, name="dense")
    definition = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(definition, name="")
        with tf.Session(graph=graph) as session:
            value = session.run(d.name)
    return [value, d]


def case_operators(tf):
    s = made(tf)
    t = made(tf, (1, 2, 3, 4), "int32")
    return [s * 2.0, s / 2.0, t / 2, t * 3, s * [1.0, 2.0, 3.0, 4.0], t.__div__(2), s.__truediv__(tf.constant(4.0))]


def case_edit_distance(tf):
    a = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], ["a", "b", "c"], [2, 2])
    b = tf.SparseTensor([[0, 0], [1, 0], [1, 1]], ["a", "c", "d"], [2, 2])
    return [tf.edit_distance(a, b), tf.edit_distance(a, b, normalize=False, name="named")]

"""map_fn, foldl, foldr and scan beside what the control-flow cases show: structures, options, names, gradients, refusals."""
import numpy as np
from golden_case import Case, raises


def case_map_names(tf):
    x = tf.constant([1.0, 2.0, 3.0])
    outs = [tf.map_fn(lambda v: v * v, x), tf.map_fn(lambda v: v * v, x), tf.map_fn(lambda v: v + 1.0, x, name="plus")]
    with tf.name_scope("s"):
        outs.append(tf.map_fn(lambda v: v, x))
    return outs


def case_map_structures(tf):
    x, y = tf.constant([1.0, 2.0]), tf.constant([[1, 2], [3, 4]])
    a = tf.map_fn(lambda t: t[0] * tf.cast(tf.reduce_sum(t[1]), tf.float32), (x, y), dtype=tf.float32)
    b = tf.map_fn(lambda v: (v, -v), x, dtype=(tf.float32, tf.float32))
    c = tf.map_fn(lambda d: {"s": d["x"] + 1.0}, {"x": x}, dtype={"s": tf.float32})
    d = tf.map_fn(lambda t: [t[0], t[1]], [x, y], dtype=[tf.float32, tf.int32])
    return [a, b, c, d]


def case_map_options(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    y = tf.map_fn(lambda v: tf.concat([v, v], 0), x, parallel_iterations=1, back_prop=False, swap_memory=True, infer_shape=False)
    return Case(y, feeds={x: np.ones([3, 2])})


def case_map_empty(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    return Case(tf.map_fn(lambda v: v * 2.0, x), feeds={x: np.ones([0, 2])})


def case_map_string(tf):
    return tf.map_fn(lambda s: tf.identity(s), tf.constant(["a", "b"]))


def case_map_unknown_rank(tf):
    x = tf.placeholder(tf.float32)
    return Case(tf.map_fn(lambda v: v * 2.0, x), feeds={x: np.arange(6.0).reshape(2, 3)})


def case_map_nested_gradient(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    y = tf.map_fn(lambda row: tf.map_fn(lambda v: v * v * v, row), x)
    return [y, tf.gradients(y, x)]


def case_map_gradient_outer(tf):
    x, w = tf.constant([1.0, 2.0]), tf.constant(3.0)
    y = tf.map_fn(lambda v: v * w, x)
    return tf.gradients(y, [x, w])


def case_map_refused(tf):
    x = tf.constant([1.0, 2.0])
    return [raises(tf.map_fn, 3, x), raises(tf.map_fn, lambda v: v, tf.constant(1.0)), raises(tf.map_fn, lambda v: (v, v), x), raises(tf.map_fn, lambda v: tf.cast(v, tf.int32), x), raises(tf.map_fn, lambda v: v, [x, tf.constant([1.0])]),
            raises(tf.map_fn, lambda v: v, tf.SparseTensor([[0]], [1.0], [1]))]


def case_fold_forms(tf):
    x = tf.constant([1.0, 2.0, 3.0])
    return [tf.foldl(lambda a, v: a - v, x), tf.foldr(lambda a, v: a - v, x), tf.foldl(lambda a, v: a * v, x, initializer=10.0), tf.foldr(lambda a, v: a * v, x, initializer=tf.constant(2.0), name="named"),
            tf.foldl(lambda a, v: a + v[0] * v[1], (x, x), initializer=0.0), tf.foldr(lambda a, v: a + v["k"], {"k": x}, initializer=0.0)]


def case_fold_structures(tf):
    x = tf.constant([1, 2, 3])
    return tf.foldl(lambda a, v: (a[0] + v, a[1] * v), x, initializer=(0, 1)), tf.foldr(lambda a, v: [a[0] + v], x, initializer=[0])


def case_fold_unknown(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    return Case([tf.foldl(lambda a, v: a + v, x), tf.foldr(lambda a, v: a - v, x), tf.foldr(lambda a, v: a - v, x, initializer=tf.zeros([2]), parallel_iterations=3, back_prop=False, swap_memory=True)], feeds={x: np.ones([3, 2])})


def case_fold_gradients(tf):
    x, w = tf.constant([1.0, 2.0, 3.0]), tf.constant(2.0)
    y, z = tf.foldl(lambda a, v: a * v * w, x), tf.foldr(lambda a, v: a + v * w, x, initializer=1.0)
    return tf.gradients(y, [x, w]), tf.gradients(z, [x, w])


def case_fold_refused(tf):
    x = tf.constant([1.0])
    return [raises(tf.foldl, 3, x), raises(tf.foldr, 3, x), raises(tf.foldl, lambda a, v: (a, v), x), raises(tf.foldl, lambda a, v: a, tf.constant(1.0)), raises(tf.foldr, lambda a, v: tf.constant([1.0, 2.0]), x, 1.0)]


def case_scan_forms(tf):
    x = tf.constant([1.0, 2.0, 3.0])
    return [tf.scan(lambda a, v: a + v, x), tf.scan(lambda a, v: a * v, x, initializer=2.0), tf.scan(lambda a, v: a + v, x, reverse=True), tf.scan(lambda a, v: a - v, x, initializer=tf.constant(1.0), reverse=True, name="back"),
            tf.scan(lambda a, v: (a[1], a[0] + v), x, initializer=(0.0, 1.0)), tf.scan(lambda a, v: a + v[0] * v[1], (x, x), initializer=0.0), tf.scan(lambda a, v: {"s": a["s"] + v["x"]}, {"x": x}, initializer={"s": 0.0})]


def case_scan_unknown(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    return Case(tf.scan(lambda a, v: a + v, x, parallel_iterations=2, back_prop=False, swap_memory=True, infer_shape=False), feeds={x: np.ones([3, 2])})


def case_scan_gradients(tf):
    x, w = tf.constant([1.0, 2.0, 3.0]), tf.constant(0.5)
    y = tf.scan(lambda a, v: tf.tanh(a * w + v), x, initializer=0.0)
    z = tf.scan(lambda a, v: a * v, x, reverse=True)
    return [y, tf.gradients(y, [x, w]), tf.gradients(z, x)]


def case_scan_refused(tf):
    x = tf.constant([1.0, 2.0])
    return [raises(tf.scan, 3, x), raises(tf.scan, lambda a, v: (a, a), x), raises(tf.scan, lambda a, v: a, tf.constant(1.0)), raises(tf.scan, lambda a, v: a, x, (0.0, 1.0)), raises(tf.scan, lambda a, v: tf.constant([a, v]), x)]


def case_with_variables(tf):
    x = tf.constant([1.0, 2.0])

    def scale(v):
        return v * tf.get_variable("w", initializer=2.0)
    with tf.variable_scope("m"):
        return [tf.map_fn(scale, x), [v.name for v in tf.global_variables()]]


def case_caching(tf):
    with tf.variable_scope("m", caching_device="/cpu:0"):
        return tf.foldl(lambda a, v: a + v, tf.constant([1.0, 2.0]))


def case_in_cond_gradient(tf):
    x, p = tf.constant([1.0, 2.0]), tf.placeholder_with_default(True, [])
    y = tf.cond(p, lambda: tf.scan(lambda a, v: a * v, x), lambda: x)
    return [y, tf.gradients(y, x)]


def case_scan_from_the_end_of_unknown_length(tf):
    """Where to begin is computed where it is used: not at all if there is a first value."""
    x, y = tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.float32, [None, 3])
    found = [
        tf.scan(lambda a, v: a + v, x, reverse=True),
        tf.scan(lambda a, v: (a[0] + v[0], a[1] * v[1]), (x, y), reverse=True),
        tf.scan(lambda a, v: a + tf.reduce_sum(v[0]), (x, y), initializer=0.0, reverse=True),
    ]
    return Case(found, feeds={x: np.ones((3, 2)), y: np.full((3, 3), 2.0)})

"""TensorArray and what is built on it: map_fn, scan and the folds."""
import numpy as np
from golden_case import Case, raises


def case_tensor_array(tf):
    ta = tf.TensorArray(tf.float32, 3, clear_after_read=False)
    ta = ta.write(0, [1.0, 2.0]).write(1, [3.0, 4.0]).write(2, [5.0, 6.0])
    return {"stack": ta.stack(), "read": ta.read(1), "gather": ta.gather([2, 0]), "size": ta.size(), "concat": ta.concat(), "dtype": ta.dtype}


def case_tensor_array_options(tf):
    a = tf.TensorArray(tf.int32, 2, dynamic_size=True, clear_after_read=False, name="mine", element_shape=[2], infer_shape=True)
    a = a.write(4, [1, 2])
    b = tf.TensorArray(tf.float32, 0, dynamic_size=True, tensor_array_name="b", infer_shape=False).write(0, [1.0]).write(1, [[2.0]])
    return {"size": a.size(), "last": a.read(4), "b": [b.read(0), b.read(1)], "shape": a.read(4).shape, "infer": b.read(0).shape}


def case_tensor_array_unstack(tf):
    x = tf.constant(np.arange(6.0).reshape(3, 2))
    ta = tf.TensorArray(tf.float64, 3).unstack(x)
    tb = tf.TensorArray(tf.float64, 3).split(x, [1, 1, 1])
    tc = tf.TensorArray(tf.float64, 4).scatter([3, 0], x[:2])
    return {"read": ta.read(1), "split": tb.read(2), "scatter": tc.read(3), "identity": tc.identity().size(), "handle": ta.handle.dtype, "flow": ta.flow}


def case_tensor_array_gradient(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    ta = tf.TensorArray(tf.float32, 2).unstack(x)
    y = ta.read(0) * ta.read(1) * 2.0
    return tf.gradients(y, x)


def case_tensor_array_gradient_write(tf):
    x, z = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    ta = tf.TensorArray(tf.float32, 2, clear_after_read=False).write(0, x * 2.0).write(1, z)
    return tf.gradients(tf.reduce_sum(ta.stack() ** 2), [x, z]), tf.gradients(ta.concat(), x), tf.gradients(ta.gather([1]), z)


def case_tensor_array_errors(tf):
    ta = tf.TensorArray(tf.float32, 2)
    return [raises(ta.write, 0, [1]), raises(lambda: ta.write(0, [1.0]).write(1, [[1.0]])), raises(tf.TensorArray, tf.float32), raises(ta.unstack, 3), raises(ta.write, 0, "a")]


def case_tensor_array_read_unwritten(tf):
    return tf.TensorArray(tf.float32, 2).write(0, 1.0).read(1)


def case_tensor_array_out_of_range(tf):
    return tf.TensorArray(tf.float32, 2).write(5, 1.0).flow


def case_tensor_array_write_twice(tf):
    return tf.TensorArray(tf.float32, 2).write(0, 1.0).write(0, 2.0).flow


def case_tensor_array_read_twice(tf):
    ta = tf.TensorArray(tf.float32, 1).write(0, 1.0)
    first = ta.read(0)
    with tf.control_dependencies([first]):
        return ta.read(0)


def case_tensor_array_in_loop(tf):
    ta = tf.TensorArray(tf.float32, 4)
    _, ta = tf.while_loop(lambda i, ta: i < 4, lambda i, ta: (i + 1, ta.write(i, tf.cast(i, tf.float32) * 2.0)), [0, ta])
    return ta.stack()


def case_tensor_array_in_loop_gradient(tf):
    x = tf.constant([1.0, 2.0, 3.0])
    source = tf.TensorArray(tf.float32, 3).unstack(x)

    def body(i, state, out):
        state = tf.tanh(state + source.read(i))
        return i + 1, state, out.write(i, state)
    _, last, out = tf.while_loop(lambda i, s, o: i < 3, body, [0, 0.0, tf.TensorArray(tf.float32, 3, clear_after_read=False)])
    return {"out": out.stack(), "g": tf.gradients(out.stack(), x), "last": tf.gradients(last, x)}


def case_map_fn(tf):
    return tf.map_fn(lambda x: x * x, tf.constant([1.0, 2.0, 3.0]))


def case_map_fn_dtype(tf):
    x = tf.constant([1, 2, 3])
    return [tf.map_fn(lambda e: tf.cast(e, tf.float32) * 0.5, x, dtype=tf.float32), tf.map_fn(lambda e: (e, -e), x, dtype=(tf.int32, tf.int32)),
            tf.map_fn(lambda e: e[0] * e[1], (x, x), dtype=tf.int32), tf.map_fn(lambda e: {"a": e["x"]}, {"x": x}, dtype={"a": tf.int32}, name="named")]


def case_map_fn_options(tf):
    return tf.map_fn(lambda e: tf.reduce_sum(e), tf.constant(np.arange(6.0).reshape(3, 2)), parallel_iterations=1, back_prop=False, swap_memory=True, infer_shape=False)


def case_map_fn_gradient(tf):
    x, w = tf.constant([1.0, 2.0, 3.0]), tf.constant(3.0)
    y = tf.map_fn(lambda e: tf.sin(e) * w, x)
    return [y, tf.gradients(y, [x, w])]


def case_map_fn_variable(tf):
    def f(e):
        return e * tf.get_variable("v", [], initializer=tf.constant_initializer(2.0))
    return tf.map_fn(f, tf.constant([1.0, 2.0]))


def case_map_fn_unknown(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    return Case(tf.map_fn(lambda e: e + 1.0, x), feeds=[{x: np.ones([3, 2])}, {x: np.ones([0, 2])}], steps=2)


def case_map_fn_refused(tf):
    x = tf.constant([1, 2])
    return [raises(tf.map_fn, 3, x), raises(tf.map_fn, lambda e: tf.cast(e, tf.float32), x), raises(tf.map_fn, lambda e: e, tf.constant(1)), raises(tf.map_fn, lambda e: (e, e), x),
            raises(tf.map_fn, lambda e: e, (x, tf.constant([1, 2, 3])))]


def case_scan(tf):
    x = tf.constant([1.0, 2.0, 3.0])
    return [tf.scan(lambda a, e: a + e, x), tf.scan(lambda a, e: a * e, x, initializer=10.0), tf.scan(lambda a, e: a + e, x, reverse=True),
            tf.scan(lambda a, e: (a[0] + e, a[1] * e), x, (0.0, 1.0), name="pair")]


def case_scan_gradient(tf):
    x, s = tf.constant([1.0, 2.0, 3.0]), tf.constant(0.5)
    y = tf.scan(lambda a, e: tf.tanh(a * e + s), x, initializer=s)
    return tf.gradients(y, [x, s])


def case_folds(tf):
    x = tf.constant([1.0, 2.0, 3.0])
    return [tf.foldl(lambda a, e: a - e, x), tf.foldr(lambda a, e: a - e, x), tf.foldl(lambda a, e: a - e, x, initializer=10.0, name="l"),
            tf.foldr(lambda a, e: a - e, x, initializer=10.0, name="r", parallel_iterations=1)]


def case_fold_gradient(tf):
    x = tf.constant([1.0, 2.0, 3.0])
    return tf.gradients(tf.foldl(lambda a, e: a * e, x), x), tf.gradients(tf.foldr(lambda a, e: a * e, x, initializer=2.0), x)


def case_functional_nested(tf):
    x = tf.constant(np.arange(6.0).reshape(2, 3))
    return tf.map_fn(lambda row: tf.foldl(lambda a, e: a * 2.0 + e, row), x)


def case_map_fn_in_cond(tf):
    p = tf.placeholder(tf.bool, [])
    x = tf.constant([1.0, 2.0])
    y = tf.cond(p, lambda: tf.map_fn(lambda e: e * e, x), lambda: x)
    return Case([y, tf.gradients(y, x)], feeds=[{p: True}, {p: False}], steps=2)

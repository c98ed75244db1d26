"""py_func, numpy_function and py_function: graphs, values, and the errors that Python functions turn into."""
import numpy as np
from golden_case import Case, raises


def run(tf, fetch, feeds=None):
    with tf.Session() as session:
        return session.run(fetch, feeds)


def case_graphs(tf):
    x = tf.constant([1.0, 2.0])
    y = tf.py_func(lambda v: v * 2.0, [x], tf.float32)
    a, b = tf.py_func(lambda v, w: (np.int64(3), b"text"), [x, 3], (tf.int64, tf.string), stateful=False, name="pair")
    n = tf.numpy_function(lambda v: v + 1, [x], tf.float32, name="plus")
    return [y, a, b, n, tf.py_func(lambda v: None, [x], []), tf.py_func(lambda: [np.float32(1)], [], [tf.float32]), tf.numpy_function(lambda v: np.sin(v), [x], [tf.float32])]


def case_py_function(tf):
    x = tf.constant([1.0, 2.0])
    y = tf.py_function(lambda v: v * 2.0, [x], tf.float32)
    a, b = tf.py_function(lambda v: (v + 1.0, tf.reduce_sum(v)), [x], [tf.float32, tf.float32], name="pair")
    return Case([y, a, b], graph=False)


def case_py_function_gradient(tf):
    x = tf.constant([1.0, 2.0])
    y = tf.py_function(lambda v: v * v, [x], tf.float32)
    return Case([tf.gradients(y, x)], graph=False)


def case_no_gradient(tf):
    x = tf.constant([1.0, 2.0])
    return tf.gradients(tf.py_func(lambda v: v * 2.0, [x], tf.float32), x)[0] is None, tf.gradients(tf.numpy_function(lambda v: v * 2.0, [x], tf.float32), x)[0] is None


def case_arguments(tf):
    seen = []

    def look(*values):
        seen.append([[type(v).__name__.rstrip("_"), getattr(v, "dtype", None) and v.dtype.name, getattr(v, "shape", None) and list(v.shape)] for v in values])
        return np.float32(0)
    x = tf.constant([[1, 2]])
    out = run(tf, tf.py_func(look, [x, tf.constant(3.0), tf.constant("s"), tf.constant(["a", "b"]), tf.constant(True), tf.constant([], tf.int64)], tf.float32))
    return {"seen": seen, "out": float(out)}


def case_results(tf):
    def value(result, kinds):
        made = run(tf, tf.py_func(lambda: result, [], kinds))
        return made.tolist() if hasattr(made, "tolist") else made
    return {"nested": value(np.eye(2), tf.float64), "text": value(u"h\u00e9", tf.string), "array": value(np.array(["x", "yy"]), tf.string),
            "int": value(3, tf.int64), "bool": value(True, tf.bool), "none": value(None, []) is None, "object": value(np.array([b"a", b"b"], object), tf.string), "one_of_list": value([np.float32(2)], [tf.float32])}


def case_result_errors(tf):
    def bad(result, kinds):
        return raises(run, tf, tf.py_func(lambda: result, [], kinds))
    return {"dtype": bad(np.float64(1), tf.float32), "python_float": bad(1.0, tf.float32), "int32": bad(1, tf.int32), "list": bad([1.0, 2.0], tf.float64), "empty": bad([], tf.float64), "mixed": bad(np.array([b"a", 3], object), tf.string), "count": bad((np.float32(1), np.float32(2)), tf.float32), "few": bad([np.float32(1)], [tf.float32, tf.float32]),
            "object": bad(object(), tf.float32), "none": bad(None, tf.float32), "ragged": bad([[1.0], [1.0, 2.0]], tf.float64), "text": bad("a", tf.float32), "value": bad(np.float32(1), [])}


def case_exceptions(tf):
    kinds = [ValueError, TypeError, StopIteration, MemoryError, NotImplementedError, KeyError, IndexError, ZeroDivisionError, RuntimeError, AttributeError, AssertionError, OSError, NameError, UnicodeError, ArithmeticError, OverflowError,
             tf.errors.NotFoundError, tf.errors.OutOfRangeError, tf.errors.ResourceExhaustedError, tf.errors.CancelledError]

    def boom(kind):
        def function():
            raise kind(None, None, "op error") if issubclass(kind, tf.errors.OpError) else kind("text")
        return function
    return {kind.__name__: raises(run, tf, tf.py_func(boom(kind), [], tf.float32)) for kind in kinds}


def case_stateful(tf):
    calls = []

    def count():
        calls.append(1)
        return np.int64(len(calls))
    a = tf.py_func(count, [], tf.int64)
    b = tf.py_func(count, [], tf.int64, stateful=False)
    with tf.Session() as session:
        values = [int(session.run(a)) for _ in range(3)]
    return {"stateful": values, "stateless": run(tf, b) > 0}


def case_feeds(tf):
    x = tf.placeholder(tf.float32, [None])
    return Case(tf.py_func(lambda v: v[::-1], [x], tf.float32), feeds=[{x: [1.0, 2.0]}, {x: []}], steps=2)


def case_refused(tf):
    return [raises(tf.py_func, 3, [tf.constant(1)], tf.float32), raises(tf.py_func, lambda x: x, [tf.constant(1)], "nonsense"), raises(tf.py_func, lambda x: x, tf.constant(1), tf.float32), raises(tf.py_func, lambda x: x, [None], tf.float32)]


def case_shape_set(tf):
    y = tf.py_func(lambda: np.zeros([2, 3], np.float32), [], tf.float32)
    before = str(y.shape)
    y.set_shape([2, 3])
    return before, y


def case_in_control_flow(tf):
    x = tf.placeholder_with_default(True, [])
    y = tf.cond(x, lambda: tf.py_func(lambda: np.float32(1), [], tf.float32), lambda: tf.constant(2.0))
    z = tf.while_loop(lambda i: i < 3, lambda i: tf.py_func(lambda v: v + np.int32(1), [i], tf.int32), [0], shape_invariants=[tf.TensorShape(None)])
    return y, z


def case_zeros_at_the_end_of_strings(tf):
    return [tf.py_func(lambda: b"x\x00", [], tf.string), tf.py_func(lambda: [b"x\x00", b"yz"], [], tf.string)]

"""Writes function_graphs.json.xz: graphs with functions, made and run by TensorFlow 1.15.

Each entry has a GraphDef, feeds, the fetches and their values; fetches called gradients are those of the first fetch by
the placeholder `x`.
"""
import base64
import json
import lzma
import os

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import function
from tensorflow.python.ops import functional_ops

tf.compat.v1.enable_control_flow_v2()
X = np.array([1.0, -2.0, 3.0], np.float32)
OUT = {}


def packed(value):
    array = np.asarray(value)
    return {"dtype": array.dtype.str, "shape": list(array.shape), "data": base64.b64encode(array.tobytes()).decode()}


def graph(build):
    """Record what `build(x)` returns: (fetches, feeds) or fetches; gradients by `x` are added by the caller."""
    with tf.Graph().as_default() as g:
        tf.set_random_seed(1)
        x = tf.placeholder(tf.float32, [None], name="x")
        made = build(x)
        fetches, feeds = made if isinstance(made, tuple) else (made, {})
        feeds[x] = X
        names = [op.name for op in g.get_operations()]
        forward = g.as_graph_def().SerializeToString()
        gradient = tf.gradients(fetches[0], x)[0] if fetches[0].dtype.is_floating else None
        with tf.Session() as session:
            if "start" in names:
                session.run("start")
            values = session.run(fetches, feeds)
            if "start" in names:
                session.run("start")
            slope = None if gradient is None else session.run(gradient, feeds)
        OUT[build.__name__] = {
            "graph": base64.b64encode(forward).decode(),
            "with_gradient": base64.b64encode(g.as_graph_def().SerializeToString()).decode(),
            "feeds": {k.name: packed(v) for k, v in feeds.items()},
            "fetches": [f.name for f in fetches],
            "values": [packed(v) for v in values],
            "gradient": None if slope is None else [gradient.name, packed(slope)],
            "start": "start" in names,
        }


def index():
    return tf.placeholder(tf.int32, [], name="i")


@graph
def cond(x):
    return [tf.cond(x[0] > 0, lambda: x * x, lambda: -x)]


@graph
def cond_false(x):
    return [tf.cond(x[0] < 0, lambda: x * x, lambda: tf.exp(tf.sin(x)))]


@graph
def cond_nested(x):
    return [tf.cond(x[0] > 0, lambda: tf.cond(x[1] > 0, lambda: x, lambda: tf.tanh(x) * x), lambda: x * 2.0)]


@graph
def loop(x):
    return [tf.while_loop(lambda i, a: i < 5, lambda i, a: (i + 1, a * x + tf.sin(a)), [0, tf.ones([3])])[1]]


@graph
def loop_nested(x):
    def outer(i, a):
        return i + 1, tf.while_loop(lambda j, c: j < i + 2, lambda j, c: (j + 1, c * 0.5 + tf.cos(c * x)), [0, a])[1]
    return [tf.while_loop(lambda i, a: i < 3, outer, [0, tf.ones([3])])[1]]


@graph
def loop_with_cond(x):
    def body(i, a):
        return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: a * x, lambda: tf.sin(a) + x)
    return [tf.while_loop(lambda i, a: i < 4, body, [0, tf.ones([3])])[1]]


@graph
def loop_shapes(x):
    return [tf.while_loop(lambda a: tf.shape(a)[0] < 20, lambda a: tf.concat([a, a], 0), [x],
                          shape_invariants=[tf.TensorShape([None])])]


@graph
def loop_never(x):
    return [tf.while_loop(lambda a: tf.reduce_sum(a) > 1e9, lambda a: a * 2.0, [x])]


@graph
def loop_effects(x):
    v = tf.get_variable("v", initializer=np.float32(1), use_resource=True)
    tf.group(v.initializer, name="start")

    def body(i):
        with tf.control_dependencies([v.assign_add(2.0)]):
            return i + 1
    n = tf.while_loop(lambda i: i < 4, body, [0])
    with tf.control_dependencies([n]):
        return [v.read_value()]


@graph
def case(x):
    i = index()
    return [tf.switch_case(i, [lambda: x * x, lambda: tf.sin(x), lambda: x + 1.0])], {i: 1}


@graph
def case_default(x):
    i = index()
    return [tf.switch_case(i, [lambda: x * x, lambda: tf.sin(x), lambda: tf.exp(x)])], {i: -7}


@graph
def call_by_name(x):
    @function.Defun(tf.float32, tf.float32)
    def foo(a, b):
        return a * b, tf.sin(a) + b
    return list(foo(x, x * 2.0))


@graph
def call_nested(x):
    @function.Defun(tf.float32)
    def inner(a):
        return tf.tanh(a)

    @function.Defun(tf.float32)
    def foo(a):
        return inner(inner(a) * 2.0)
    return [foo(foo(x))]


@graph
def call_with_gradient(x):
    @function.Defun(tf.float32, tf.float32, func_name="TimesTen")
    def backward(a, dy):
        return dy * 10.0 + a

    @function.Defun(tf.float32, grad_func=backward, func_name="Doubled")
    def foo(a):
        return a * 2.0
    return [foo(x)]


@graph
def call_with_loop(x):
    @function.Defun(tf.int32)
    def foo(n):
        return tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + i), [0, 0])[1]
    i = index()
    return [foo(i), foo(i + 3)], {i: 4}


@graph
def remote_call(x):
    @function.Defun(tf.float32)
    def foo(a):
        return a * 3.0
    called = functional_ops.remote_call(args=[x], Tout=[tf.float32], f=foo, target="/cpu:0")
    return [tf.stop_gradient(called[0]) + x]


@graph
def traced(x):
    v = tf.get_variable("v", initializer=np.float32([1, 2, 3]), use_resource=True)
    tf.group(v.initializer, name="start")

    @tf.function
    def f(a):
        v.assign_add(a)
        return tf.exp(v * 0.1 * a)
    y = f(x)
    with tf.control_dependencies([y]):
        return [y, f(y)]


@graph
def traced_autograph(x):
    @tf.function
    def f(a):
        s = tf.zeros([3])
        for i in tf.range(4):
            if i > 1:
                s = s + a * tf.cast(i, tf.float32)
            else:
                s = s + tf.sin(a)
        return s
    return [f(x)]


@graph
def traced_arrays(x):
    @tf.function
    def f(a):
        array = tf.TensorArray(tf.float32, 5)
        for i in tf.range(5):
            array = array.write(i, a * tf.cast(i, tf.float32))
        return array.stack()
    return [f(x)]


@graph
def traced_random(x):
    @tf.function
    def f(a):
        return a + tf.random.uniform([3], seed=3)
    return [f(x)]


@graph
def mapped(x):
    return [tf.map_fn(lambda a: a * a + tf.sin(a), x)]


@graph
def scanned(x):
    return [tf.scan(lambda a, b: a * b + tf.sin(a), x)]


@graph
def folded(x):
    return [tf.foldl(lambda a, b: a + b * b, x)]


@graph
def recurrent(x):
    data = tf.reshape(tf.concat([x] * 8, 0), [2, 4, 3])
    y, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(3), data, dtype=tf.float32)
    tf.group(*[tf.assign(v, tf.reshape(tf.linspace(0.0, 1.0, int(np.prod(v.shape))), v.shape))
               for v in tf.global_variables()], name="start")
    return [y]


@graph
def recurrent_lengths(x):
    data = tf.reshape(tf.concat([x] * 8, 0), [2, 4, 3])
    y, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(3), data, dtype=tf.float32, sequence_length=[2, 4])
    tf.group(*[tf.assign(v, tf.reshape(tf.linspace(0.0, 1.0, int(np.prod(v.shape))), v.shape))
               for v in tf.global_variables()], name="start")
    return [y]


path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "function_graphs.json.xz")
with lzma.open(path, "wb") as target:
    target.write(json.dumps(OUT, sort_keys=True).encode())
print(len(OUT), "graphs,", os.path.getsize(path), "bytes")

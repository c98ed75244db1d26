"""while_loop: graphs, values and gradients, nested and with conditions inside."""
import numpy as np
from golden_case import Case, raises


def case_while(tf):
    return tf.while_loop(lambda i: i < 10, lambda i: i + 1, [tf.constant(0)])


def case_while_two(tf):
    return tf.while_loop(lambda i, x: i < 5, lambda i, x: (i + 1, x * 2.0), [0, 1.0])


def case_while_names(tf):
    outs = [tf.while_loop(lambda i: i < 2, lambda i: i + 1, [0], name=name) for name in (None, None, "loop", "loop")]
    with tf.name_scope("s"):
        outs.append(tf.while_loop(lambda i: i < 2, lambda i: i + 1, [0]))
    return outs


def case_while_never(tf):
    return tf.while_loop(lambda i: i < -1, lambda i: i + 1, [0]), tf.while_loop(lambda i, x: False, lambda i, x: [i, x], [0, [1.0]])


def case_while_structures(tf):
    import collections
    pair = collections.namedtuple("Pair", "a b")
    state = (tf.constant(0), {"x": tf.constant(1.0), "y": [tf.constant(2.0)]}, pair(tf.constant(1), tf.constant(2)))

    def body(i, d, p):
        return (i + 1, {"x": d["x"] + 1.0, "y": [d["y"][0] * 2.0]}, pair(p.b, p.a))
    return tf.while_loop(lambda i, d, p: i < 3, body, state)


def case_while_outer(tf):
    x, n = tf.constant([1.0, 2.0], name="x"), tf.placeholder_with_default(4, [], name="n")
    return tf.while_loop(lambda i, acc: i < n, lambda i, acc: (i + 1, acc + x), [0, tf.zeros([2])])


def case_while_invariants(tf):
    i, x = tf.constant(0), tf.constant([[1.0]])
    return tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, tf.concat([x, x], 0)), [i, x], shape_invariants=[i.shape, tf.TensorShape([None, 1])])


def case_while_invariant_unknown(tf):
    return tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, tf.expand_dims(x, 0)), [0, tf.constant(1.0)],
                         shape_invariants=[tf.TensorShape([]), tf.TensorShape(None)])


def case_while_invariants_refused(tf):
    i, x = tf.constant(0), tf.constant([[1.0]])
    return [raises(tf.while_loop, lambda i, x: i < 3, lambda i, x: (i + 1, tf.concat([x, x], 0)), [i, x]),
            raises(tf.while_loop, lambda i, x: i < 3, lambda i, x: (i + 1, x), [i, x], [i.shape, tf.TensorShape([5, 1])]),
            raises(tf.while_loop, lambda i, x: i < 3, lambda i, x: (i + 1, x), [i, x], [i.shape])]


def case_while_refused(tf):
    return [raises(tf.while_loop, lambda i: i < 3, lambda i: i + 1, []), raises(tf.while_loop, 3, lambda i: i, [0]), raises(tf.while_loop, lambda i: i < 3, 3, [0]),
            raises(tf.while_loop, lambda i: i < 3, lambda i: (i, i), [0]), raises(tf.while_loop, lambda i: i < 3, lambda i: 1.0, [0]),
            raises(tf.while_loop, lambda i: i, lambda i: i, [0]), raises(tf.while_loop, lambda i: i < 3, lambda i: i + 1, [0], parallel_iterations=0),
            raises(tf.while_loop, lambda i: tf.constant([True, False]), lambda i: i + 1, [0]), raises(tf.while_loop, lambda i, j: i < 3, lambda i: i + 1, [0])]


def case_while_maximum_iterations(tf):
    return [tf.while_loop(lambda i: i < 100, lambda i: i + 1, [0], maximum_iterations=7),
            tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, x + i), (0, 0), maximum_iterations=tf.constant(7)),
            tf.while_loop(lambda i: i < 3, lambda i: i + 1, (0,), maximum_iterations=0)]


def case_while_maximum_iterations_structure(tf):
    return [raises(tf.while_loop, lambda i: i < 3, lambda i: [i + 1], [0], maximum_iterations=3),
            raises(tf.while_loop, lambda i, x: i < 3, lambda i, x: (i + 1, x), [0, 0], maximum_iterations=3),
            raises(tf.while_loop, lambda i: i < 3, lambda i: i + 1, [0], maximum_iterations=[3])]


def case_while_return_same_structure(tf):
    return [tf.while_loop(lambda i: i < 3, lambda i: [i + 1], [0], return_same_structure=True), tf.while_loop(lambda i: i < 3, lambda i: [i + 1], [0])]


def case_while_options(tf):
    return tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0], parallel_iterations=1, back_prop=False, swap_memory=True)


def case_while_nested(tf):
    def body(i, total):
        _, inner = tf.while_loop(lambda j, t: j < i, lambda j, t: (j + 1, t + j), [0, total])
        return i + 1, inner
    return tf.while_loop(lambda i, total: i < 4, body, [0, 0])


def case_while_cond_inside(tf):
    return tf.while_loop(lambda i, x: i < 5, lambda i, x: (i + 1, tf.cond(tf.equal(i % 2, 0), lambda: x * 2.0, lambda: x + 1.0)), [0, 1.0])


def case_while_variable(tf):
    v = tf.Variable(1.0)
    w = tf.Variable(2.0, use_resource=True)

    def body(i, x):
        with tf.control_dependencies([v.assign_add(1.0), w.assign_add(1.0)]):
            return i + 1, x + 1.0
    loop = tf.while_loop(lambda i, x: i < 3, body, [0, 0.0])
    return Case(runs=[loop, [v, w]])


def case_while_reads_variable(tf):
    v = tf.Variable(1.5)
    return tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * v), [0, 1.0])


def case_while_get_variable(tf):
    def body(i, x):
        with tf.variable_scope("cell", reuse=tf.AUTO_REUSE):
            return i + 1, tf.matmul(x, tf.get_variable("w", [2, 2], initializer=tf.ones_initializer()))
    return tf.while_loop(lambda i, x: i < 2, body, [0, tf.ones([1, 2])])


def case_while_control(tf):
    x = tf.constant(1.0)
    with tf.control_dependencies([tf.no_op("outside")]):
        def body(i):
            with tf.control_dependencies([x]):
                c = tf.constant(1)
            return i + c
        return tf.while_loop(lambda i: i < 3, body, [0])


def case_while_int64_and_string(tf):
    return tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, tf.string_join([s, "x"])), [tf.constant(0, tf.int64), tf.constant("")])


def case_while_gradient(tf):
    x = tf.constant(2.0)
    y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [0, 1.0])[1]
    return [y, tf.gradients(y, x)]


def case_while_gradient_loop_var(tf):
    x = tf.constant([1.0, 2.0])
    y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.square(y)), [0, x])[1]
    return [y, tf.gradients(y, x)]


def case_while_gradient_tanh(tf):
    x, w = tf.constant([[0.5, -0.5]]), tf.Variable([[0.1, 0.2], [0.3, 0.4]])
    y = tf.while_loop(lambda i, y: i < 4, lambda i, y: (i + 1, tf.tanh(tf.matmul(y, w))), [0, x])[1]
    return tf.gradients(tf.reduce_sum(y), [x, w])


def case_while_gradient_resource(tf):
    w = tf.Variable([[0.1, 0.2], [0.3, 0.4]], use_resource=True)
    y = tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, tf.matmul(y, w)), [0, tf.ones([1, 2])])[1]
    return tf.gradients(y, w)


def case_while_gradient_outer_unused(tf):
    x, z = tf.constant(2.0), tf.constant(3.0)
    y = tf.while_loop(lambda i, y, s: i < 3, lambda i, y, s: (i + 1, y * x, s + z), [0, 1.0, 0.0])
    return [tf.gradients(y[1], x), tf.gradients(y[2], z)]


def case_while_gradient_two_outputs(tf):
    x = tf.constant(2.0)
    _, a, b = tf.while_loop(lambda i, a, b: i < 3, lambda i, a, b: (i + 1, a * b, b + x), [0, x, 1.0])
    return tf.gradients(a + b, x)


def case_while_gradient_broadcast(tf):
    x, b = tf.placeholder_with_default(np.ones([2, 3], np.float32), [None, 3]), tf.constant([1.0, 2.0, 3.0])
    y = tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, y * b + b), [0, x], shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 3])])[1]
    return tf.gradients(y, [x, b])


def case_while_gradient_nested(tf):
    x = tf.constant(1.1)

    def body(i, y):
        inner = tf.while_loop(lambda j, z: j < 2, lambda j, z: (j + 1, z * x), [0, y])[1]
        return i + 1, inner + x
    y = tf.while_loop(lambda i, y: i < 3, body, [0, 1.0])[1]
    return [y, tf.gradients(y, x)]


def case_while_gradient_cond(tf):
    x = tf.constant(1.5)
    y = tf.while_loop(lambda i, y: i < 4, lambda i, y: (i + 1, tf.cond(y > 3.0, lambda: y * 0.5, lambda: y * x)), [0, 1.0])[1]
    return [y, tf.gradients(y, x)]


def case_while_gradient_in_cond(tf):
    p, x = tf.placeholder(tf.bool, []), tf.constant(1.5)
    y = tf.cond(p, lambda: tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [0, 1.0])[1], lambda: x * 7.0)
    return Case([y, tf.gradients(y, x)], feeds=[{p: True}, {p: False}], steps=2)


def case_while_gradient_maximum_iterations(tf):
    x = tf.constant(2.0)
    y = tf.while_loop(lambda i, y: i < 30, lambda i, y: (i + 1, y * x), (0, 1.0), maximum_iterations=4)[1]
    return tf.gradients(y, x)


def case_while_gradient_gather(tf):
    v = tf.Variable(np.arange(8, dtype=np.float32).reshape(4, 2))
    y = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + tf.reduce_sum(tf.gather(v, [i, i]))), [0, 0.0])[1]
    return tf.gradients(y, v)


def case_while_gradient_no_back_prop(tf):
    x = tf.constant(2.0)
    y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [0, 1.0], back_prop=False)[1]
    return {"none": tf.gradients(y, x)[0] is None}


def case_while_gradient_stop(tf):
    x = tf.constant(2.0)
    y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * tf.stop_gradient(x) + x), [0, 1.0])[1]
    return tf.gradients(y, x)


def case_while_gradient_swap(tf):
    x = tf.constant([2.0])
    y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.sin(y * x)), [0, tf.constant([1.0])], swap_memory=True, parallel_iterations=2)[1]
    return tf.gradients(y, x)


def case_while_gradient_second(tf):
    x = tf.constant(2.0)
    y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [0, 1.0])[1]
    g = tf.gradients(y, x)[0]
    return raises(tf.gradients, g, x)


def case_while_gradient_inside(tf):
    x = tf.constant(2.0)

    def body(i, y):
        return i + 1, y - 0.1 * tf.gradients(tf.square(y - 3.0), y)[0]
    return tf.while_loop(lambda i, y: i < 5, body, [0, x])


def case_while_grad_partial(tf):
    x = tf.constant(2.0)
    _, a, _ = tf.while_loop(lambda i, a, b: i < 3, lambda i, a, b: (i + 1, a * 2.0, b * x), [0, x, 1.0])
    return tf.gradients(a, x)


def case_while_colocation(tf):
    v = tf.Variable([1.0], name="v")
    with tf.colocate_with(v.op):
        y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * v), [0, tf.constant([1.0])])[1]
    return tf.gradients(y, v, colocate_gradients_with_ops=True)


def case_while_fetch_inside(tf):
    inside = []

    def body(i):
        inside.append(i + 1)
        return inside[0]
    tf.while_loop(lambda i: i < 3, body, [0])
    with tf.Session() as session:
        return raises(session.run, inside[0])


def case_while_use_inside(tf):
    inside = []

    def body(i):
        inside.append(i + 1)
        return inside[0]
    tf.while_loop(lambda i: i < 3, body, [0])
    return raises(lambda: inside[0] + 1)


def case_rnn_by_hand(tf):
    x = tf.placeholder(tf.float32, [2, None, 3], name="x")
    w = tf.get_variable("w", [3 + 4, 4], initializer=tf.constant_initializer(0.1))
    inputs = tf.TensorArray(tf.float32, tf.shape(x)[1]).unstack(tf.transpose(x, [1, 0, 2]))
    outputs = tf.TensorArray(tf.float32, tf.shape(x)[1])

    def step(t, h, out):
        h = tf.tanh(tf.matmul(tf.concat([inputs.read(t), h], 1), w))
        return t + 1, h, out.write(t, h)
    _, h, outputs = tf.while_loop(lambda t, h, o: t < tf.shape(x)[1], step, [0, tf.zeros([2, 4]), outputs])
    loss = tf.reduce_sum(h) + tf.reduce_mean(outputs.stack())
    return Case([loss, tf.gradients(loss, [w, x])], feeds={x: np.linspace(-1, 1, 30).reshape(2, 5, 3)})


def case_random_in_loop(tf):
    return tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + tf.random_uniform([2])), [0, tf.zeros([2])])

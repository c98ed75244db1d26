"""cond, case, while_loop, TensorArray, map_fn, scan and the folds: graphs, values and gradients, nested too."""
import numpy as np
from golden_case import Case, raises


def case_cond(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.cond(x > 0.0, lambda: x * 2.0, lambda: x - 1.0)
    return Case(y, feeds=[{x: 3.0}, {x: -3.0}], steps=2)


def case_cond_names(tf):
    p = tf.placeholder_with_default(True, [])
    a = tf.cond(p, lambda: tf.constant(1), lambda: tf.constant(2), name="pick")
    b = tf.cond(p, lambda: tf.constant(1), lambda: tf.constant(2))
    c = tf.cond(p, lambda: tf.constant(1), lambda: tf.constant(2))
    with tf.name_scope("s"):
        d = tf.cond(p, lambda: tf.constant(1), lambda: tf.constant(2))
    return [a, b, c, d]


def case_cond_outer_tensors(tf):
    x, y = tf.constant([1.0, 2.0], name="x"), tf.constant([3.0, 4.0], name="y")
    p = tf.placeholder(tf.bool, [])
    return Case([tf.cond(p, lambda: x, lambda: y), tf.cond(p, lambda: x + y, lambda: x * y + x)], feeds=[{p: True}, {p: False}], steps=2)


def case_cond_structures(tf):
    p = tf.placeholder_with_default(False, [])
    x = tf.constant(1.0)
    return {"list": tf.cond(p, lambda: [x, x + 1.0], lambda: [x * 2.0, x]), "tuple": tf.cond(p, lambda: (x, [x]), lambda: (x, [x * 3.0])),
            "dict": tf.cond(p, lambda: {"a": x}, lambda: {"a": x * 5.0}), "single": tf.cond(p, lambda: [x], lambda: [x + 1.0]),
            "strict": tf.cond(p, lambda: [x], lambda: [x + 1.0], strict=True)}


def case_cond_none(tf):
    return raises(tf.cond, tf.placeholder_with_default(False, []), lambda: None, lambda: None)


def case_cond_python_values(tf):
    p = tf.placeholder_with_default(True, [])
    return [tf.cond(p, lambda: 1, lambda: 2), tf.cond(p, lambda: 1.0, lambda: 2.0), tf.cond(p, lambda: [1, 2.0], lambda: [2, 3.0])]


def case_cond_operations(tf):
    v = tf.Variable(1.0)
    p = tf.placeholder(tf.bool, [])
    op = tf.cond(p, lambda: v.assign_add(1.0).op, lambda: tf.no_op())
    return Case(runs=[(op, {p: True}), v, (op, {p: False}), v])


def case_cond_group(tf):
    v = tf.Variable(1.0)
    p = tf.placeholder(tf.bool, [])
    op = tf.cond(p, lambda: tf.group(v.assign_add(1.0)), lambda: tf.group(v.assign_sub(5.0)))
    return Case(runs=[(op, {p: True}), v, (op, {p: False}), v])


def case_cond_assign(tf):
    v = tf.Variable(1.0)
    w = tf.Variable(1.0, use_resource=True)
    p = tf.placeholder(tf.bool, [])
    return Case(runs=[(tf.cond(p, lambda: v.assign_add(1.0), lambda: v.assign(0.0)), {p: True}), v,
                      (tf.cond(p, lambda: w.assign_add(1.0), lambda: w + 0.0), {p: False}), w])


def case_cond_variables_inside(tf):
    p = tf.placeholder_with_default(True, [])

    def branch(name):
        with tf.variable_scope("net", reuse=tf.AUTO_REUSE):
            return tf.get_variable(name, [2], initializer=tf.constant_initializer(3.0)) * 2.0
    return tf.cond(p, lambda: branch("a"), lambda: branch("b"))


def case_cond_nested(tf):
    x = tf.placeholder(tf.float32, [])
    y = tf.cond(x > 0.0, lambda: tf.cond(x > 10.0, lambda: x * 100.0, lambda: x * 10.0), lambda: tf.cond(x < -10.0, lambda: -x, lambda: x))
    return Case(y, feeds=[{x: 3.0}, {x: 30.0}, {x: -3.0}, {x: -30.0}], steps=4)


def case_cond_gradient(tf):
    x = tf.placeholder(tf.float32, [])
    y = tf.cond(x > 0.0, lambda: x * x, lambda: -x)
    return Case([y, tf.gradients(y, x)], feeds=[{x: 3.0}, {x: -3.0}], steps=2)


def case_cond_gradient_one_branch(tf):
    x, z = tf.placeholder(tf.float32, []), tf.constant(2.0)
    y = tf.cond(x > 0.0, lambda: x * z, lambda: tf.constant(1.0))
    return Case([y, tf.gradients(y, [x, z])], feeds=[{x: 3.0}, {x: -3.0}], steps=2)


def case_cond_gradient_nested(tf):
    x = tf.placeholder(tf.float32, [])
    y = tf.cond(x > 0.0, lambda: tf.cond(x > 10.0, lambda: x * x, lambda: x * 10.0), lambda: tf.tanh(x))
    return Case([y, tf.gradients(y, x)], feeds=[{x: 3.0}, {x: 30.0}, {x: -3.0}], steps=3)


def case_cond_gradient_variable(tf):
    p = tf.placeholder(tf.bool, [])
    v, w = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0], use_resource=True)
    y = tf.cond(p, lambda: v * w, lambda: v + tf.square(w))
    return Case(tf.gradients(y, [v, w]), feeds=[{p: True}, {p: False}], steps=2)


def case_cond_gradient_gather(tf):
    p = tf.placeholder(tf.bool, [])
    v = tf.Variable(np.ones([4, 2], np.float32))
    y = tf.cond(p, lambda: tf.gather(v, [1, 1]), lambda: v[:2])
    return Case(tf.gradients(y, v), feeds=[{p: True}, {p: False}], steps=2)


def case_cond_gradient_second(tf):
    x = tf.placeholder(tf.float32, [])
    y = tf.cond(x > 0.0, lambda: x ** 3, lambda: x * x)
    g = tf.gradients(y, x)[0]
    return Case([g, tf.gradients(g, x)], feeds=[{x: 3.0}, {x: -3.0}], steps=2)


def case_cond_gradient_inside(tf):
    x = tf.placeholder(tf.float32, [])
    y = tf.cond(x > 0.0, lambda: tf.gradients(x * x, x)[0], lambda: x)
    return Case(y, feeds=[{x: 3.0}, {x: -3.0}], steps=2)


def case_cond_static(tf):
    return [tf.cond(tf.constant(True), lambda: tf.constant(1), lambda: tf.constant(2)), tf.cond(tf.constant(1) > 2, lambda: 1, lambda: 2)]


def case_cond_smart(tf):
    from_python = raises(tf.cond, True, lambda: tf.constant(1), lambda: tf.constant(2))
    return from_python


def case_cond_control(tf):
    p = tf.placeholder_with_default(True, [])
    v = tf.Variable(1.0)
    update = v.assign_add(1.0)

    def branch():
        with tf.control_dependencies([update]):
            return tf.identity(v)
    with tf.control_dependencies([tf.no_op("outer")]):
        y = tf.cond(p, branch, lambda: v + 0.0)
    return Case(y, values=False)


def case_cond_control_inner(tf):
    p = tf.placeholder(tf.bool, [])
    v = tf.Variable(1.0)

    def branch():
        with tf.control_dependencies([v.assign_add(1.0)]):
            return tf.constant(1.0)
    y = tf.cond(p, branch, lambda: tf.constant(2.0))
    return Case(runs=[(y, {p: True}), v, (y, {p: False}), v])


def case_cond_refused(tf):
    p = tf.placeholder_with_default(True, [])
    return [raises(tf.cond, p, lambda: 1, lambda: 1.0), raises(tf.cond, p, lambda: [1, 2], lambda: [1]), raises(tf.cond, p, 1, 2), raises(tf.cond, p, lambda: 1),
            raises(tf.cond, p, lambda: (1, 2), lambda: [1, 2]), raises(tf.cond, tf.constant([True, False]), lambda: 1, lambda: 2), raises(tf.cond, p, lambda: None, lambda: 1),
            raises(tf.cond, p, lambda: {"a": 1}, lambda: {"b": 1}), raises(tf.cond, p, lambda x: 1, lambda: 1), raises(tf.cond, tf.constant(1), lambda: 1, lambda: 2)]


def case_cond_shapes(tf):
    p = tf.placeholder_with_default(True, [])
    x = tf.placeholder_with_default([[1.0, 2.0]], [None, 2])
    return [tf.cond(p, lambda: tf.zeros([2, 3]), lambda: tf.zeros([2, 3])), tf.cond(p, lambda: tf.zeros([2, 3]), lambda: tf.zeros([4, 3])),
            tf.cond(p, lambda: tf.zeros([2]), lambda: tf.zeros([2, 1])), tf.cond(p, lambda: x, lambda: x[:1])]


def case_cond_sparse(tf):
    p = tf.placeholder_with_default(True, [])
    s = tf.SparseTensor([[0, 1]], [1.0], [2, 2])
    return tf.cond(p, lambda: s, lambda: tf.SparseTensor([[1, 1]], [5.0], [2, 2]))


def case_cond_collections(tf):
    p = tf.placeholder_with_default(True, [])
    tf.cond(p, lambda: tf.add_to_collection("c", tf.constant(1)) or tf.constant(1), lambda: tf.constant(2))
    return {"held": [t.name for t in tf.get_collection("c")], "contexts": len(tf.get_collection(tf.GraphKeys.COND_CONTEXT))}


def case_cond_in_name_scope_gradient(tf):
    with tf.name_scope("model"):
        x = tf.placeholder_with_default(2.0, [], name="x")
        y = tf.cond(x > 1.0, lambda: tf.exp(x), lambda: tf.log(x), name="choose")
    return tf.gradients(y, x, name="grads")


def case_case(tf):
    x = tf.placeholder(tf.int32, [])
    y = tf.case([(tf.equal(x, 0), lambda: tf.constant(10)), (tf.equal(x, 1), lambda: tf.constant(20))], default=lambda: tf.constant(-1))
    return Case(y, feeds=[{x: 0}, {x: 1}, {x: 2}], steps=3)


def case_case_exclusive(tf):
    x = tf.placeholder(tf.int32, [])
    y = tf.case([(x > 0, lambda: tf.constant(10)), (x > 5, lambda: tf.constant(20))], default=lambda: tf.constant(-1), exclusive=True)
    return Case(y, feeds=[{x: 1}, {x: -1}, {x: 7}], steps=3)


def case_case_no_default(tf):
    x = tf.placeholder(tf.int32, [])
    y = tf.case([(x > 0, lambda: tf.constant(10)), (x > -5, lambda: tf.constant(20))])
    return Case(y, feeds=[{x: 1}, {x: -1}, {x: -7}], steps=3)


def case_case_single(tf):
    x = tf.placeholder_with_default(1, [])
    return [tf.case([(x > 0, lambda: tf.constant(10))], default=lambda: tf.constant(2)), tf.case({x > 0: lambda: tf.constant(1)}, default=lambda: tf.constant(0), exclusive=True)]


def case_case_gradient(tf):
    x = tf.placeholder(tf.float32, [])
    y = tf.case([(x < 0.0, lambda: -x), (x < 1.0, lambda: x * x)], default=lambda: x ** 3, name="pieces")
    return Case([y, tf.gradients(y, x)], feeds=[{x: -2.0}, {x: 0.5}, {x: 2.0}], steps=3)


def case_case_refused(tf):
    return [raises(tf.case, []), raises(tf.case, [(1, lambda: 1)]), raises(tf.case, [(tf.constant(True), 3)]), raises(tf.case, 3)]


def case_switch_case(tf):
    i = tf.placeholder(tf.int32, [])
    y = tf.switch_case(i, [lambda: tf.constant(1), lambda: tf.constant(2)], default=lambda: tf.constant(9))
    return Case(y, feeds=[{i: 0}, {i: 1}, {i: 5}], steps=3, graph=False, collections=False)


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


def case_cond_while_inside(tf):
    p = tf.placeholder(tf.bool, [])
    y = tf.cond(p, lambda: tf.while_loop(lambda i: i < 5, lambda i: i + 1, [0]), lambda: tf.constant(-1))
    return Case(y, feeds=[{p: True}, {p: False}], steps=2)


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


def case_cond_many(tf):
    x = tf.placeholder(tf.float32, [])
    y = x
    for k in range(3):
        y = tf.cond(y > float(k), lambda y=y: y * 2.0, lambda y=y: y + 0.5)
    return Case([y, tf.gradients(y, x)], feeds=[{x: 3.0}, {x: -3.0}, {x: 0.2}], steps=3)


def case_merge_switch_by_hand(tf):
    x = tf.placeholder(tf.float32, [])
    false, true = tf.raw_ops.Switch(data=x, pred=x > 0.0)
    merged = tf.raw_ops.Merge(inputs=[tf.negative(false), tf.square(true)])
    return Case(merged, feeds=[{x: 3.0}, {x: -2.0}], steps=2)


def case_dead_fetch(tf):
    p = tf.placeholder_with_default(True, [])
    inside = []
    tf.cond(p, lambda: tf.constant(1), lambda: inside.append(tf.constant(2)) or inside[0])
    with tf.Session() as session:
        return raises(session.run, inside[0])


def case_assert_in_cond(tf):
    p, x = tf.placeholder(tf.bool, []), tf.placeholder(tf.float32, [])

    def checked():
        with tf.control_dependencies([tf.Assert(x > 0.0, [x])]):
            return tf.identity(x)
    y = tf.cond(p, checked, lambda: x)
    return Case(y, feeds=[{p: False, x: -1.0}, {p: True, x: 1.0}, {p: True, x: -1.0}], steps=3)


def case_random_in_loop(tf):
    return tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + tf.random_uniform([2])), [0, tf.zeros([2])])


def case_random_in_cond(tf):
    p = tf.placeholder_with_default(True, [])
    return tf.cond(p, lambda: tf.random_normal([2]), lambda: tf.zeros([2]))


def case_random_after_control_flow(tf):
    a = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])
    x = tf.constant(1.0)
    b = tf.cond(x > 0.0, lambda: x, lambda: -x)
    tf.gradients(b, x)
    return [a, b, tf.random_uniform([2])]


def case_gated_gradients_of_a_loop(tf):
    a, b = tf.constant(2.0), tf.constant(3.0)
    _, u, v = tf.while_loop(lambda i, u, v: i < 3, lambda i, u, v: (i + 1, u * v, v + u), (0, a, b))
    return tf.gradients(u + v, [a, b], gate_gradients=True)


def case_after_the_last_condition(tf):
    ops = tf.raw_ops
    enter = ops.Enter(data=tf.constant(1.0), frame_name="by_hand")
    merge = ops.Merge(inputs=[enter, enter]).output
    with tf.control_dependencies([merge]):
        limit, factor = tf.constant(20.0), tf.constant(3.0)
    more = ops.LoopCond(input=merge < limit)
    stop, go = ops.Switch(data=merge, pred=more)
    merge.op._update_input(1, ops.NextIteration(data=go * factor))
    return ops.Exit(data=tf.square(stop) + factor)


def case_no_rows(tf):
    empty = tf.zeros([0, 2])
    total = tf.zeros([2])
    return {
        "map": tf.map_fn(lambda a: a + 1, empty),
        "scan": tf.scan(lambda a, b: a + b, empty, initializer=total),
        "foldl": tf.foldl(lambda a, b: a + b, empty, initializer=total),
        "foldr": tf.foldr(lambda a, b: a + b, empty, initializer=total),
    }


def case_tuple_of_an_operation(tf):
    a, b = tf.constant(1), tf.constant(2)
    first, second = tf.tuple([a, b.op])
    with tf.control_dependencies([second]):
        return {"first": first, "after": tf.identity(a)}


def case_static_shapes_of_array_reads(tf):
    three = tf.TensorArray(tf.float32, 3).unstack([1.0, 2.0, 3.0])
    found = {"gather": three.gather([0, 2])}
    for i, lengths in enumerate(([1, 3], [2, 2])):
        array = tf.TensorArray(tf.float32, 2, infer_shape=True).split(tf.ones([4, 3]), lengths)
        found[f"split{i}"] = array.read(0)
    return found

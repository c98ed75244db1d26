"""cond, case and switch_case: graphs, values and gradients, nested too; what all control flow leaves behind."""
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


def case_cond_while_inside(tf):
    p = tf.placeholder(tf.bool, [])
    y = tf.cond(p, lambda: tf.while_loop(lambda i: i < 5, lambda i: i + 1, [0]), lambda: tf.constant(-1))
    return Case(y, feeds=[{p: True}, {p: False}], steps=2)


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

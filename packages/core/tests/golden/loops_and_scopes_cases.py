"""Loops and branches among control inputs, colocations, devices, names, summaries and contexts; refusals of uses."""
from golden_case import Case, says


def _context(op):
    context = op._get_control_flow_context()
    return context.name if context is not None else None


def case_control_inputs_around(tf):
    x = tf.constant(1.0, name="x")
    with tf.control_dependencies([tf.identity(x, name="before")]):
        y = tf.while_loop(lambda i, _: i < 2, lambda i, v: (i + 1, v + 1.0), [0, x])[1]
        z = tf.cond(tf.constant(True), lambda: y + 1.0, lambda: tf.constant(3.0))
    return [y, z, tf.gradients(z, x)]


def case_control_inputs_within(tf):
    x = tf.constant(1.0, name="x")
    outside = tf.identity(x, name="outside")

    def body(i, v):
        with tf.control_dependencies([outside, tf.identity(v, name="inside")]):
            w = tf.constant(2.0, name="w")
            with tf.control_dependencies(None):
                free = tf.constant(3.0, name="free")
        with tf.control_dependencies([w]):
            return i + 1, v * free + tf.identity(w)

    return tf.while_loop(lambda i, _: i < 2, body, [0, x])


def case_control_inputs_from_a_loop(tf):
    kept = []

    def body(i):
        kept.append(tf.identity(i, name="kept"))
        return i + 1

    last = tf.while_loop(lambda i: i < 2, body, [0])
    return Case([
        last, says("", lambda: tf.identity(kept[0])), says("", lambda: tf.add(kept[0], 1)),
        says("", lambda: tf.control_dependencies([kept[0]]).__enter__()),
        says("", lambda: tf.Session().run(kept[0])), says("", lambda: tf.Session().run(last, {kept[0]: 1})),
    ], graph=False)


def case_values_of_branches_outside(tf):
    kept = []

    def branch():
        kept.append(tf.constant(1.0, name="kept"))
        return kept[0] + 1.0

    y = tf.cond(tf.constant(True), branch, lambda: tf.constant(0.0))
    return Case([
        y, says("", lambda: tf.identity(kept[0])), says("", lambda: tf.Session().run(tf.identity(kept[0]))),
        says("", lambda: tf.cond(tf.constant(False), lambda: kept[0] + 1.0, lambda: tf.constant(0.0))),
        says("", lambda: tf.while_loop(lambda i: i < 2.0, lambda i: i + kept[0], [0.0])),
    ], graph=False)


def case_colocation(tf):
    x = tf.constant(1.0, name="x")
    v = tf.Variable(1.0, name="v", use_resource=False)

    def body(i, y):
        with tf.get_default_graph().colocate_with(v):
            y = tf.add(y, x, name="with_v")
        with tf.get_default_graph().colocate_with(i):
            y = tf.add(y, 1.0, name="with_i")
        return i + 1, y

    with tf.get_default_graph().colocate_with(x):
        y = tf.while_loop(lambda i, _: i < 2, body, [0, v])[1]
        z = tf.cond(tf.constant(True), lambda: tf.identity(y), lambda: tf.constant(1.0))
    return [y, z, tf.gradients(z, [x, v], colocate_gradients_with_ops=True)]


def case_devices(tf):
    x = tf.constant(1.0, name="x")
    seen = []

    def choose(op):
        seen.append(op.type)
        return "/cpu:0" if op.type == "Add" else "/job:localhost"

    with tf.device(choose):
        y = tf.while_loop(lambda i, _: i < 2, lambda i, v: (i + 1, tf.add(v, x)), [0, x])[1]
    with tf.device("/cpu:0"):
        z = tf.cond(tf.constant(True), lambda: tf.identity(y), lambda: tf.constant(1.0))
        with tf.device(None):
            g = tf.gradients(z, x)
    return [z, g, sorted(set(seen))]


def case_names(tf):
    x = tf.constant(1.0, name="while")
    with tf.name_scope("cond"):
        tf.no_op(name="Merge")
    results = []
    for name in (None, "loop", "loop", "while"):
        results.append(tf.while_loop(lambda i: i < 2.0, lambda i: i + x, [x], name=name))
    for name in (None, "pick", "pick", "cond"):
        results.append(tf.cond(tf.constant(True), lambda: x + 1.0, lambda: x, name=name))
    with tf.name_scope("outer"):
        results.append(tf.while_loop(lambda i: i < 2.0, lambda i: tf.identity(i + x, name="Exit"), [x]))
    return [results]


def case_summaries(tf):
    x = tf.constant(1.0, name="x")

    def body(i, v):
        tf.summary.scalar("inside", v)
        return i + 1, v + x

    y = tf.while_loop(lambda i, _: i < 2, body, [0, x])[1]

    def branch():
        tf.summary.scalar("branch", y)
        return y + 1.0

    z = tf.cond(tf.constant(True), branch, lambda: y)
    tf.summary.scalar("outside", z)
    return [z, [t.name for t in tf.get_collection(tf.GraphKeys.SUMMARIES)], tf.summary.merge_all() is None]


def case_contexts(tf):
    found = []

    def inner(j):
        found.append(_context(tf.identity(j, name="j").op))
        return j + 1

    def body(i):
        found.append(_context(tf.identity(i, name="i").op))
        return i + tf.while_loop(lambda j: j < 2, inner, [0])

    def branch():
        y = tf.while_loop(lambda i: i < 3, body, [0])
        found.append(_context(y.op))
        return y

    z = tf.cond(tf.constant(True), branch, lambda: tf.constant(1))
    contexts = {_context(op) for op in tf.get_default_graph().get_operations()}
    outer = tf.get_default_graph().get_operation_by_name("cond/while/i")._get_control_flow_context().outer_context
    return [z, found, sorted(map(str, contexts)), outer.name, outer.branch, outer.outer_context is None]


def case_variables_in_loops(tf):
    v = tf.Variable(1.0, name="v", use_resource=True)
    w = tf.Variable(1.0, name="w", use_resource=False)

    def body(i, total):
        with tf.control_dependencies([tf.assign_add(v, 1.0), tf.assign_add(w, 2.0)]):
            return i + 1, total + v.read_value() + tf.identity(w)

    total = tf.while_loop(lambda i, _: i < 3, body, [0, 0.0], parallel_iterations=1)[1]
    return Case([total], steps=2)


def case_variables_made_in_loops(tf):
    def with_tensor(i):
        return i + tf.Variable(i, name="a")

    def with_function(i):
        return i + tf.Variable(lambda: tf.constant(1), name="b")

    return Case([
        says("initial value|control-flow", tf.while_loop, lambda i: i < 3, with_tensor, [0]),
        tf.while_loop(lambda i: i < 3, with_function, [0]),
        tf.while_loop(lambda i: i < 3, lambda i: i + tf.get_variable(
            "c", [], tf.int32, initializer=tf.ones_initializer()), [0]),
    ], graph=False)


def case_gradients_within(tf):
    x = tf.constant(2.0, name="x")

    def body(i, v):
        y = v * v * x
        return i + 1, tf.gradients(y, v)[0] + tf.gradients(y, x)[0]

    y = tf.while_loop(lambda i, _: i < 3, body, [0, x])[1]
    chosen = tf.cond(tf.constant(True), lambda: tf.gradients(x * x, x)[0], lambda: x)
    return Case([y, chosen, says("", tf.gradients, y, x), tf.gradients(chosen, x)])


def case_gradients_of_inner_values(tf):
    x = tf.constant(2.0, name="x")
    kept = []

    def body(i, v):
        kept.append(v * x)
        return i + 1, kept[0]

    y = tf.while_loop(lambda i, _: i < 3, body, [0, x])[1]
    return Case([y, says("", tf.gradients, kept[0], x), says("", tf.gradients, y, kept[0])], graph=False)


def case_maximum_iterations(tf):
    x = tf.placeholder_with_default(1.0, [], name="x")
    limit = tf.placeholder_with_default(2, [], name="limit")
    y = tf.while_loop(lambda v: v < 100.0, lambda v: v * x * 2.0, [x], maximum_iterations=3)
    z = tf.while_loop(lambda i, v: i < 10, lambda i, v: (i + 1, v * x), [0, x], maximum_iterations=limit)
    return Case([y, z, tf.gradients(y, x), tf.gradients(z[1], x)])


def case_no_iterations(tf):
    x = tf.constant(2.0, name="x")
    array = tf.TensorArray(tf.float32, 0, dynamic_size=True)
    i, y, out = tf.while_loop(lambda *_: tf.constant(False), lambda i, v, a: (i + 1, v * x, a.write(i, v)), [0, x, array])
    return [i, y, out.size(), tf.gradients(y, x)]


def case_loop_variables_without_gradient(tf):
    x = tf.constant(2.0, name="x")
    i, s, b, y = tf.while_loop(
        lambda i, *_: i < 3, lambda i, s, b, v: (i + 1, s + "a", tf.logical_not(b), v * tf.to_float(i)),
        [1, tf.constant("s"), True, x],
    )
    return [i, s, b, y, tf.gradients(y, x), tf.gradients([y, tf.to_float(i)], [x])]


def case_initial_gradients(tf):
    x = tf.constant([1.0, 2.0], name="x")
    y = tf.while_loop(lambda i, _: i < 2, lambda i, v: (i + 1, v * x), [0, x])[1]
    return [tf.gradients(y, x, grad_ys=[tf.constant([3.0, 4.0])]), tf.gradients([y, y * 2.0], x),
            tf.gradients(y, x, aggregation_method=tf.AggregationMethod.EXPERIMENTAL_ACCUMULATE_N)]

"""Conditionals and loops as functional ops in the graph itself, and their first and second gradients."""
import contextlib

from golden_case import Case, raises, says


@contextlib.contextmanager
def functional(tf):
    tf.enable_control_flow_v2()
    try:
        yield
    finally:
        tf.disable_control_flow_v2()


def twice(tf, y, xs):
    """A value, its gradients and the gradients of those."""
    first = tf.gradients(y, xs)
    known = [g for g in first if g is not None]
    second = [g for g in tf.gradients(known, xs) if g is not None]
    return [y, *known, *second]


def case_switch(tf):
    before = tf.control_flow_v2_enabled()
    with functional(tf):
        inside = tf.control_flow_v2_enabled()
    return {"before": before, "inside": inside, "after": tf.control_flow_v2_enabled()}


def case_cond_value(tf):
    with functional(tf):
        return tf.cond(tf.constant(True), lambda: tf.constant(2.0) * 3, lambda: tf.constant(1.0))


def case_cond_of_placeholder(tf):
    with functional(tf):
        p, x = tf.placeholder(tf.bool, []), tf.placeholder(tf.float32, [None])
        return Case(runs=[tf.cond(p, lambda: [x * 2, x], lambda: [x, x + 1])], feeds={p: False, x: [1.0, 2.0]})


def case_loop_value(tf):
    with functional(tf):
        return tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * 2.0), [tf.constant(0), tf.constant(1.5)])


def case_loop_limited(tf):
    with functional(tf):
        return tf.while_loop(lambda i: i < 30, lambda i: [i + 1], [tf.constant(0)], maximum_iterations=4)


def case_loop_captures(tf):
    with functional(tf):
        w = tf.constant([1.5, 2.0])
        return tf.while_loop(lambda a: tf.reduce_sum(a) < 40.0, lambda a: [a * w], [tf.ones([2])])


def case_branches(tf):
    with functional(tf):
        x = tf.constant(2.0)
        return [tf.switch_case(tf.constant(i), [lambda: x, lambda: x * x, lambda: x + 5.0]) for i in (0, 1, 2, 7, -1)]


def case_refused_structure(tf):
    with functional(tf):
        return tf.cond(tf.constant(True), lambda: [tf.constant(1.0)], lambda: tf.constant(1.0))


def case_refused_types(tf):
    with functional(tf):
        return tf.cond(tf.constant(True), lambda: tf.constant(1.0), lambda: tf.constant(1))


def case_refused_shape(tf):
    with functional(tf):
        return tf.while_loop(lambda a: tf.reduce_sum(a) < 9.0, lambda a: [tf.concat([a, a], 0)], [tf.ones([2])])


def case_refused_bool(tf):
    with functional(tf):
        return tf.cond(True, lambda: tf.constant(1.0), lambda: tf.constant(2.0))


def case_gradients_of_cond(tf):
    with functional(tf):
        p, x, y = tf.placeholder(tf.bool, []), tf.constant(2.0), tf.constant(5.0)
        z = tf.cond(p, lambda: x * x * y, lambda: x + tf.exp(y))
        return Case(twice(tf, z, [x, y]), feeds=[{p: True}, {p: False}], steps=2)


def case_gradients_of_loop(tf):
    with functional(tf):
        x, w = tf.constant(2.0), tf.constant(1.5)
        y = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * w + tf.sin(a)), [0, x])[1]
        return Case(twice(tf, y, [x, w]))


def case_gradients_of_no_iteration(tf):
    with functional(tf):
        x, w = tf.constant(2.0), tf.constant(1.5)
        y = tf.while_loop(lambda i, a: i < 0, lambda i, a: (i + 1, a * w), [0, x])[1]
        return Case([y] + tf.gradients(y, [x, w]))


def case_gradients_of_cond_in_loop(tf):
    with functional(tf):
        x = tf.constant([2.0, 0.5])
        y = tf.while_loop(
            lambda i, a: i < 4,
            lambda i, a: (i + 1, tf.cond(tf.reduce_sum(a) > 3.0, lambda: a * 0.5, lambda: a * a)), [0, x])[1]
        return Case(twice(tf, y, [x]))


def case_gradients_of_loop_in_cond(tf):
    with functional(tf):
        p, x = tf.placeholder(tf.bool, []), tf.constant(1.5)
        y = tf.cond(p, lambda: tf.while_loop(lambda a: a < 50.0, lambda a: a * a, [x]), lambda: x * 3.0)
        return Case([y] + tf.gradients(y, [x]), feeds=[{p: True}, {p: False}], steps=2)


def case_gradients_of_switch_case(tf):
    with functional(tf):
        i, x = tf.placeholder(tf.int32, []), tf.constant(2.0)
        y = tf.switch_case(i, [lambda: x * x * x, lambda: tf.exp(x), lambda: 3.0 * x])
        return Case([y] + tf.gradients(y, [x]), feeds=[{i: k} for k in (0, 1, 2, 7)], steps=4)


def case_gradients_of_calls(tf):
    @tf.function
    def inner(x):
        return tf.square(x)

    @tf.function
    def outer(x):
        return inner(x) * tf.cond(x > 0, lambda: x, lambda: -x), x + 1

    x = tf.constant(3.0)
    y, _ = outer(x)
    return Case(twice(tf, y, [x]), graph=False, collections=False)


def _called(kind, **settings):
    def called(tf):
        x, y = tf.constant(2.0), tf.constant(3.0)
        first, second = (tf.function(f).get_concrete_function(x, y) for f in (lambda a, b: a * b, lambda a, b: a + b * b))
        functions = {
            "PartitionedCall": {"f": first}, "StatefulPartitionedCall": {"f": first}, "Case": {"branches": [first, second]},
        }.get(kind, {"then_branch": first, "else_branch": second})
        inputs = {"args" if kind.endswith("Call") else "input": [x, y]}
        z = getattr(tf.raw_ops, kind)(Tout=[tf.float32], **dict(settings, **dict(functions, **inputs)))
        # In the original, functions that are traced add nodes of their own.
        return Case([z] + tf.gradients(z, [x, y]), graph=False, collections=False)

    return called


case_raw_if = _called("If", cond=True)
case_raw_stateless_if = _called("StatelessIf", cond=False)
case_raw_case = _called("Case", branch_index=1)
case_raw_call = _called("PartitionedCall")
case_raw_stateful_call = _called("StatefulPartitionedCall")


def case_refused_function(tf):
    return tf.raw_ops.PartitionedCall(args=[tf.constant(1.0)], Tout=[tf.float32], f=3)


def case_gradients_of_several_array_loops(tf):
    tf.enable_control_flow_v2()
    try:
        x = tf.constant(3.0)

        def loop(factor):
            array = tf.TensorArray(tf.float32, 2)
            return tf.while_loop(lambda i, _: i < 2, lambda i, a: (i + 1, a.write(i, x * factor)), [0, array])[1].stack()

        first, second = loop(1.0), loop(2.0)
        mapped, scanned = tf.map_fn(lambda v: v * x, tf.constant([1.0, 2.0])), tf.scan(
            lambda a, v: a * v * x, tf.constant([1.0, 2.0]))
        grads = [tf.gradients(y, x)[0] for y in (first, second, first, mapped, scanned)]
    finally:
        tf.disable_control_flow_v2()
    return [grads, tf.gradients([first, second], x)]


def case_gradients_of_nested_loops(tf):
    with functional(tf):
        x, w = tf.constant(1.5), tf.constant(1.1)

        def body(i, v):
            return i + 1, tf.while_loop(lambda j, u: j < 2, lambda j, u: (j + 1, u * w), [0, v])[1]

        y = tf.while_loop(lambda i, v: i < 2, body, [0, x])[1]
        return twice(tf, y, [x, w])


def case_gradients_of_open_shapes(tf):
    with functional(tf):
        x, w = tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.float32, [2])
        y = tf.while_loop(
            lambda i, v: i < 3, lambda i, v: (i + 1, v * w + tf.reduce_sum(v)), [0, x], maximum_iterations=5
        )[1]
        return Case(tf.gradients(y, [x, w]), feeds={x: [[1.0, 2.0], [3.0, 4.0]], w: [0.5, 0.25]})


def case_gradients_of_variables(tf):
    with functional(tf):
        v = tf.get_variable("v", initializer=2.0, use_resource=True)
        y = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * v), [0, tf.constant(3.0)])[1]
        z = tf.cond(y > 1.0, lambda: y * v, lambda: v * 1.0)
        return tf.gradients(z, [y, v])


def case_gradients_of_gathered_rows(tf):
    with functional(tf):
        x, p = tf.constant([1.0, 2.0, 3.0]), tf.placeholder(tf.bool, [])
        y = tf.cond(p, lambda: tf.gather(x, [0, 0]), lambda: x[:2])
        return Case(tf.gradients(y, x), feeds=[{p: True}, {p: False}], steps=2)


def case_gradients_of_integers(tf):
    with functional(tf):
        p, a, n = tf.placeholder(tf.bool, []), tf.constant(1.5), tf.constant(2)
        y = tf.cond(p, lambda: a * tf.cast(n, tf.float32), lambda: tf.cast(n, tf.float32) * a * a)
        return Case(tf.gradients(y, a), feeds=[{p: True}, {p: False}], steps=2)


def case_gradients_in_loop(tf):
    with functional(tf):
        x = tf.constant(2.0)
        y = tf.while_loop(
            lambda i, v: i < 2, lambda i, v: (i + 1, tf.gradients(v * v * x, v)[0]), [0, x])[1]
        return [y] + tf.gradients(y, x)


def case_gradients_beyond_a_body(tf):
    with functional(tf):
        x = tf.constant(2.0)
        y = x * x
        slopes = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a + tf.gradients(y * a, x)[0]), [0, 1.0])[1]
        return slopes


def case_hessian(tf):
    with functional(tf):
        x = tf.constant([1.0, 2.0])
        y = tf.while_loop(lambda i, v: i < 2, lambda i, v: (i + 1, v * v * x), [0, x])[1]
        return tf.hessians(tf.reduce_sum(y), x)


def case_new_variables(tf):
    def body(i, a):
        return i + 1, a * tf.get_variable("w", [], initializer=tf.ones_initializer()) + tf.Variable(2.0)

    with functional(tf):
        return tf.while_loop(lambda i, a: i < 3, body, [0, 2.0])[1]


def case_array(tf):
    with functional(tf):
        array = tf.TensorArray(tf.float32, 3, element_shape=[2]).write(0, [1.0, 2.0]).write(2, [5.0, 6.0], name="last")
        return [array.read(0), array.read(1, name="r"), array.stack(), array.gather([2, 0]), array.concat(),
                array.size(), array.flow.name]


def case_array_of_slices(tf):
    with functional(tf):
        x = tf.constant([1.0, 2.0, 3.0, 4.0])
        pieces = tf.TensorArray(tf.float32, 2).split(x, [3, 1])
        rows = tf.TensorArray(tf.float32, 4).unstack(x).scatter([1, 3], [7.0, 8.0])
        y = tf.reduce_sum(pieces.concat() * pieces.concat()) + rows.read(0) * rows.read(3) + tf.reduce_sum(rows.stack())
        return [y] + tf.gradients(y, x)


def case_array_that_grows(tf):
    with functional(tf):
        x = tf.constant(3.0)
        array = tf.TensorArray(tf.float32, 0, dynamic_size=True)
        array = tf.while_loop(
            lambda i, a: i < 4, lambda i, a: (i + 1, a.write(i, x * tf.cast(i, tf.float32))), [0, array])[1]
        return [array.stack(), array.size()] + tf.gradients(array.stack(), x)


def case_array_in_branch(tf):
    with functional(tf):
        p, x, array = tf.placeholder(tf.bool, []), tf.constant(2.0), tf.TensorArray(tf.float32, 2)
        y = tf.cond(p, lambda: array.write(0, x), lambda: array.write(1, x * x)).stack()
        return Case([y] + tf.gradients(y, x), feeds=[{p: True}, {p: False}], steps=2)


def case_refused_arrays(tf):
    with functional(tf):
        array = tf.TensorArray(tf.float32, 3, element_shape=[2])
        return [
            raises(tf.TensorArray, tf.float32), raises(tf.TensorArray, tf.float32, size=3, flow=tf.constant(1.0)),
            raises(array.unstack, [1.0, 2.0]), raises(array.write, 0, 1.0), raises(array.grad, "g"),
            raises(array.scatter, 0, [[1.0, 2.0]]), raises(tf.TensorArray, tf.float32, 3.5),
        ]


def case_refused_bodies(tf):
    with functional(tf):
        x, p = tf.constant(1.0), tf.constant(True)
        return [
            says("which is not a Tensor", tf.while_loop, lambda v: v < 3.0, lambda v: tf.no_op(), [x]),
            says("which is not a Tensor", tf.cond, p, object, lambda: x),
            raises(tf.while_loop, lambda v: v < 3.0, lambda v: v, [x], maximum_iterations=2.5),
        ]


def case_slices_of_other_indices(tf):
    with functional(tf):
        narrow = tf.IndexedSlices(tf.constant([10]), tf.constant([0]))
        wide = tf.IndexedSlices(tf.constant([20]), tf.constant([1], tf.int64))
        p = tf.placeholder(tf.bool, [])
        mixed = tf.cond(p, lambda: narrow, lambda: wide)
        moved = tf.cond(p, lambda: tf.IndexedSlices(narrow.values + 1, narrow.indices), lambda: narrow)
        return Case([mixed.values, mixed.indices, moved.values, moved.indices], feeds=[{p: True}, {p: False}], steps=2)


def case_bodies_wait(tf):
    with functional(tf):
        v = tf.get_variable("v", initializer=1.0, use_resource=True)
        add = v.assign_add(2.0).op

        def after():
            with tf.control_dependencies([add]):
                return tf.constant(1.0)

        return [tf.cond(tf.constant(False), after, lambda: tf.constant(2.0)),
                tf.while_loop(lambda i: i < 1, lambda i: i + tf.cast(after(), tf.int32), [0])]


def case_unused_variable(tf):
    v = tf.get_variable("v", [2], initializer=tf.ones_initializer(), use_resource=True)
    return tf.gradients(tf.constant(3.0), v, unconnected_gradients="zero")


def case_gradients_of_calls_in_bodies(tf):
    @tf.function
    def inner(x):
        return tf.cond(x > 1.0, lambda: x * x, lambda: x)

    @tf.function
    def outer(x):
        return tf.map_fn(inner, x)

    x = tf.constant([0.5, 2.0, 3.0])
    with functional(tf):
        looped = tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, inner(v)), [0, tf.constant(1.5)])[1]
    return Case(twice(tf, outer(x), [x]) + [looped], graph=False, collections=False)


def case_gradients_on_a_tape(tf):
    with functional(tf):
        x = tf.constant(2.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.while_loop(lambda i, v: i < 2, lambda i, v: (i + 1, v * v), [0, x])[1]
            z = tf.cond(y > 1.0, lambda: y * x, lambda: y)
        return Case([z, tape.gradient(z, x)], graph=False, collections=False)


def _variables(tf):
    return [tf.get_variable(name, initializer=7, use_resource=True) for name in "ab"]


def case_branches_run_as_far_as_results_need_them(tf):
    a, b = _variables(tf)

    def then():
        tf.debugging.Assert(tf.constant(False), ["never runs"])
        a.assign(1)
        return tf.constant(1), b.assign(2).read_value()

    with functional(tf):
        first, _ = tf.cond(a > 0, then, lambda: (tf.constant(2), tf.constant(1)))
        chosen = tf.switch_case(tf.constant(0), [lambda: (tf.constant(1), a.assign(3).read_value()),
                                                 lambda: (tf.constant(2), tf.constant(1))])
    return Case({"first": first, "chosen": chosen[0]}, steps=2)


def case_branches_of_operations(tf):
    a, b = _variables(tf)
    with functional(tf):
        _, second = tf.cond(a > 0, lambda: [a.assign(1).op, b.assign(2).op], lambda: [tf.no_op(), tf.no_op()])
    return Case({"second": second}, steps=2)


def case_bodies_run_as_far_as_results_need_them(tf):
    a, b = _variables(tf)

    def body(i, j):
        a.assign_add(1)
        with tf.control_dependencies([b.assign_add(1)]):
            return i + 1, j + 1

    with functional(tf):
        return Case({"i": tf.while_loop(lambda i, _: i < 3, body, [0, 0])[0]}, steps=2)


def case_effects_of_what_never_changes(tf):
    a, b = _variables(tf)

    def body(i):
        with tf.control_dependencies([b.assign_add(a)]):
            return tf.identity(i + 1)

    def nested(i):
        inner = tf.while_loop(lambda j: j < a, lambda j: j + tf.cond(a > 0, lambda: a.read_value(), lambda: 1), [0])
        with tf.control_dependencies([b.assign_add(inner)]):
            return tf.identity(i + 1)

    with functional(tf):
        n = tf.placeholder(tf.int32, [])
        looped = tf.while_loop(lambda i: i < n, body, [0])
        with tf.control_dependencies([looped]):
            again = tf.while_loop(lambda i: i < n, nested, [0])
        return Case({"looped": looped, "again": again}, feeds=[{n: 0}, {n: 1}, {n: 3}], steps=3, graph=False)


def case_other_structures(tf):
    with functional(tf):
        p, x = tf.constant(True), tf.constant([4])
        slices, sparse = tf.IndexedSlices(x, x), tf.SparseTensor([[0]], [1], [2])
        return [
            says("Cannot reconcile tf.cond 0-th outputs", tf.cond, p, lambda: slices, lambda: x),
            says("Cannot reconcile tf.switch_case 0-th", tf.switch_case, tf.constant(0), [lambda: x, lambda: slices]),
            says("overall structure of return values", tf.cond, p, lambda: x, lambda: sparse),
            says("overall structure of return values", tf.cond, p, lambda: x, lambda: (x,)),
            says("Lengths of branch outputs of case must match", tf.switch_case, tf.constant(0),
                 [lambda: x, lambda: None]),
            raises(tf.cond, p, lambda: [x, x], lambda: x),
        ]


def case_conditionals_are_not_fetched(tf):
    with functional(tf):
        made = tf.cond(tf.constant(True), lambda: tf.constant(1), lambda: tf.constant(2)).op.inputs[0]
        with tf.Session() as session:
            return [says("not fetchable", session.run, made), says("not fetchable", session.run, made.op)]

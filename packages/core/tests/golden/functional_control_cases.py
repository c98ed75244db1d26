"""Conditionals and loops as functional ops in the graph itself, and their first and second gradients."""
import contextlib

from golden_case import Case


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


# The names of the bodies differ, and those of what the gradients take from them: values alone are compared.
GRADIENTS = {"graph": False, "collections": False}


def case_gradients_of_cond(tf):
    with functional(tf):
        p, x, y = tf.placeholder(tf.bool, []), tf.constant(2.0), tf.constant(5.0)
        z = tf.cond(p, lambda: x * x * y, lambda: x + tf.exp(y))
        return Case(twice(tf, z, [x, y]), feeds=[{p: True}, {p: False}], steps=2, **GRADIENTS)


def case_gradients_of_loop(tf):
    with functional(tf):
        x, w = tf.constant(2.0), tf.constant(1.5)
        y = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * w + tf.sin(a)), [0, x])[1]
        return Case(twice(tf, y, [x, w]), **GRADIENTS)


def case_gradients_of_no_iteration(tf):
    with functional(tf):
        x, w = tf.constant(2.0), tf.constant(1.5)
        y = tf.while_loop(lambda i, a: i < 0, lambda i, a: (i + 1, a * w), [0, x])[1]
        return Case([y] + tf.gradients(y, [x, w]), **GRADIENTS)


def case_gradients_of_cond_in_loop(tf):
    with functional(tf):
        x = tf.constant([2.0, 0.5])
        y = tf.while_loop(
            lambda i, a: i < 4,
            lambda i, a: (i + 1, tf.cond(tf.reduce_sum(a) > 3.0, lambda: a * 0.5, lambda: a * a)), [0, x])[1]
        return Case(twice(tf, y, [x]), **GRADIENTS)


def case_gradients_of_loop_in_cond(tf):
    with functional(tf):
        p, x = tf.placeholder(tf.bool, []), tf.constant(1.5)
        y = tf.cond(p, lambda: tf.while_loop(lambda a: a < 50.0, lambda a: a * a, [x]), lambda: x * 3.0)
        return Case([y] + tf.gradients(y, [x]), feeds=[{p: True}, {p: False}], steps=2, **GRADIENTS)


def case_gradients_of_switch_case(tf):
    with functional(tf):
        i, x = tf.placeholder(tf.int32, []), tf.constant(2.0)
        y = tf.switch_case(i, [lambda: x * x * x, lambda: tf.exp(x), lambda: 3.0 * x])
        return Case([y] + tf.gradients(y, [x]), feeds=[{i: k} for k in (0, 1, 2, 7)], steps=4, **GRADIENTS)


def case_gradients_of_calls(tf):
    @tf.function
    def inner(x):
        return tf.square(x)

    @tf.function
    def outer(x):
        return inner(x) * tf.cond(x > 0, lambda: x, lambda: -x), x + 1

    x = tf.constant(3.0)
    y, _ = outer(x)
    return Case(twice(tf, y, [x]), **GRADIENTS)


def _called(kind, **settings):
    def called(tf):
        x, y = tf.constant(2.0), tf.constant(3.0)
        first, second = (tf.function(f).get_concrete_function(x, y) for f in (lambda a, b: a * b, lambda a, b: a + b * b))
        functions = {
            "PartitionedCall": {"f": first}, "StatefulPartitionedCall": {"f": first}, "Case": {"branches": [first, second]},
        }.get(kind, {"then_branch": first, "else_branch": second})
        inputs = {"args" if kind.endswith("Call") else "input": [x, y]}
        z = getattr(tf.raw_ops, kind)(Tout=[tf.float32], **dict(settings, **dict(functions, **inputs)))
        return Case([z] + tf.gradients(z, [x, y]), **GRADIENTS)

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
    return Case([grads, tf.gradients([first, second], x)], graph=False)

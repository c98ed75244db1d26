"""Gradient tapes over branches, loops and functions that use variables."""
import numpy as np
from golden_case import Case, raises


def _x(tf):
    return tf.get_variable("x", initializer=np.float32(3), use_resource=True)


def _traced(tf, build, x):
    """What a tape over `build()` in the body of a function gives, and the variables that it watches."""
    def body():
        with tf.GradientTape() as tape:
            y = build()
        watched = [v.name for v in tape.watched_variables()]
        found.append(watched)
        return tape.gradient(y, x)
    found = []
    return [tf.function(body, autograph=False)(), found]


def _alone(tf, results):
    return Case(results, graph=False, collections=False)


def case_branch_that_alone_reads_a_variable(tf):
    x, yes = _x(tf), tf.constant(True)
    return _alone(tf, _traced(tf, lambda: tf.cond(yes, lambda: x * x * 2.0, lambda: x), x))


def case_one_of_several_branches(tf):
    x, one = _x(tf), tf.constant(1)
    return _alone(tf, _traced(tf, lambda: tf.switch_case(one, [lambda: x * 2.0, lambda: x * x * x]), x))


def case_loop_that_reads_a_variable(tf):
    x = _x(tf)

    def loop(start):
        return tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * x), [0, start()])[1]

    return _alone(tf, [_traced(tf, lambda: loop(lambda: 1.0), x), _traced(tf, lambda: loop(lambda: x * 1.0), x)])


def case_mapped_and_scanned(tf):
    x, elements = _x(tf), tf.constant([1.0, 2.0, 3.0])
    return _alone(tf, [
        _traced(tf, lambda: tf.reduce_sum(tf.map_fn(lambda e: e * e * x, elements)), x),
        _traced(tf, lambda: tf.scan(lambda a, e: a * e + x, elements), x),
    ])


def case_rows_of_a_variable(tf):
    w, yes = tf.get_variable("w", initializer=np.float32([[1, 2], [3, 4]]), use_resource=True), tf.constant(True)

    def body():
        with tf.GradientTape() as tape:
            y = tf.cond(yes, lambda: tf.reduce_sum(tf.gather(w, [0, 0])), lambda: 0.0)
        return tf.convert_to_tensor(tape.gradient(y, w))

    return _alone(tf, tf.function(body, autograph=False)())


def case_call_of_a_function(tf):
    x = _x(tf)
    calls = [
        tf.function(lambda a: a * a * x, autograph=False),
        tf.function(lambda a: tf.cond(a > 2.0, lambda: a * a * x, lambda: a), autograph=False),
        tf.function(lambda a: tf.while_loop(lambda i, b: i < 3, lambda i, b: (i + 1, b * x), [0, a])[1], autograph=False),
    ]
    found = []
    for call in calls:
        for _ in range(2):
            with tf.GradientTape() as tape:
                y = call(tf.constant(2.0))
            found += [[v.name for v in tape.watched_variables()], tape.gradient(y, x)]
    return _alone(tf, found)


def case_variable_that_is_not_watched(tf):
    x, yes = _x(tf), tf.constant(True)
    found = []

    def body():
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            y = tf.cond(yes, lambda: x * x, lambda: x)
        found.append(tape.gradient(y, x) is None)
        return y

    return _alone(tf, [tf.function(body, autograph=False)(), found])


def case_tape_inside_a_branch(tf):
    x = _x(tf)

    def branch():
        with tf.GradientTape() as tape:
            y = x * x
        return tape.gradient(y, x)

    return _alone(tf, tf.cond(x > 2.0, branch, lambda: tf.constant(1.0)))


def case_tape_over_a_branch_of_a_graph(tf):
    c = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(c)
        y = tf.cond(c > 2.0, lambda: tf.constant(1.0), lambda: tf.identity(c))
    return raises(lambda: tape.gradient(y, c))


def case_rows_stay_slices(tf):
    w, yes = tf.get_variable("w", initializer=np.float32([[1, 2], [3, 4]]), use_resource=True), tf.constant(True)

    def rows():
        return tf.reduce_sum(tf.gather(w, [0, 0]))

    builders = [
        tf.function(rows, autograph=False), tf.function(lambda: tf.cond(yes, rows, lambda: 0.0), autograph=False),
    ]
    found = []
    for build in builders:
        g = tf.gradients(build(), w)[0]
        found.append([type(g).__name__, g.values, g.indices, g.dense_shape])
    return _alone(tf, found)

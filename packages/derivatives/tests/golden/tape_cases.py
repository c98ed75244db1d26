"""Gradient tapes: what they watch, record and give."""
import numpy as np
from golden_case import Case, raises

X = np.array([1.0, -2.0], np.float32)


def _x(tf, shape=(2,)):
    return tf.placeholder(tf.float32, list(shape), name="x")


def case_tape(tf):
    x = _x(tf)
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = tf.sin(x * x)
    return Case(tape.gradient(z, x), feeds=[{x: X}])


def case_tape_unknown_shape(tf):
    x = tf.placeholder(tf.float32, [None], name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = tf.exp(x)
    return Case(tape.gradient(z, x), feeds=[{x: X}])


def case_tape_variables(tf):
    x = _x(tf)
    v = tf.get_variable("v", initializer=np.float32([2, 3]), use_resource=True)
    w = tf.get_variable("w", initializer=np.float32([2, 3]), use_resource=True, trainable=False)
    with tf.GradientTape(persistent=True) as tape:
        y = x * v * w
    found = tape.gradient(y, {"v": v, "w": w, "x": x})
    return Case([found["v"], str(found["w"]), str(found["x"]), [u.name for u in tape.watched_variables()]],
                feeds=[{x: X}])


def case_tape_stop_recording(tf):
    x = _x(tf)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        with tape.stop_recording():
            q = y * 2.0
        r = q * x
    return Case(tape.gradient(r, x, output_gradients=tf.constant([1.0, 2.0])), feeds=[{x: X}])


def case_tape_nested(tf):
    x = _x(tf)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x * x
        d = inner.gradient(y, x)
    return Case([d, outer.gradient(d, x)], feeds=[{x: X}])


def case_tape_unwatched(tf):
    x = _x(tf)
    with tf.GradientTape() as tape:
        y = x * x
    return Case([y, str(tape.gradient(y, x))], feeds=[{x: X}])


def case_tape_zero(tf):
    x = _x(tf)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y, z = x * x, tf.constant([1.0, 2.0])
    return Case(tape.gradient(y, [x, z], unconnected_gradients="zero"), feeds=[{x: X}])


def case_tape_persistent(tf):
    x = _x(tf)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    return Case([tape.gradient(z, x), tape.gradient(y, x), tape.gradient(z, y)], feeds=[{x: X}])


def case_tape_targets(tf):
    x = _x(tf)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y, z = x * x, x * 3.0
    # The original leaves out what differentiates by the constant.
    return Case(tape.gradient([y, z], x), feeds=[{x: X}], graph=False)


def case_tape_gather(tf):
    v = tf.get_variable("v", initializer=np.ones([4, 2], np.float32), use_resource=True)
    with tf.GradientTape() as tape:
        y = tf.gather(v, [1, 3, 1])
    found = tape.gradient(y, v)
    return [found.values, found.indices, type(found).__name__]


def case_tape_used_twice(tf):
    x = _x(tf)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    return raises(tape.gradient, y, x)


def case_tape_reset(tf):
    x = _x(tf)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        tape.reset()
        tape.watch(x)
        z = y * x
    return Case(tape.gradient(z, x), feeds=[{x: X}])


def case_tape_no_variables(tf):
    v = tf.get_variable("v", initializer=np.float32([2, 3]), use_resource=True)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        y = v * v
    return [str(tape.gradient(y, v))]


def case_tape_jacobian(tf):
    x = _x(tf)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.stack([x[0] * x[1], x[0] + x[1], x[0]])
    return Case(tape.jacobian(y, x, experimental_use_pfor=False), feeds=[{x: X}], graph=False, collections=False)


def case_tape_batch_jacobian(tf):
    x = _x(tf, (3, 2))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.stack([x[:, 0] * x[:, 1], x[:, 0] ** 2.0, x[:, 1]], axis=1)
    return Case(tape.batch_jacobian(y, x, experimental_use_pfor=False),
                feeds=[{x: np.arange(6, dtype=np.float32).reshape(3, 2)}], graph=False, collections=False)


def case_tape_conditionals_and_loops(tf):
    x = tf.constant(3.0)
    true = tf.placeholder_with_default(True, [])

    def played_back(build):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = build()
        return raises(lambda: tape.gradient(y, x))

    return [
        played_back(lambda: tf.cond(true, lambda: x * 2, lambda: x * 3)),
        played_back(lambda: tf.cond(x > 1, lambda: tf.square(x), lambda: x)),
        played_back(lambda: tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * x), [0, x])[1]),
        played_back(lambda: tf.case([(x > 1, lambda: x * 2)], default=lambda: x)),
        played_back(lambda: tf.map_fn(lambda e: e * x, tf.constant([1.0, 2.0]))),
    ]


def case_copies_of_what_is_no_real_number(tf):
    found = []
    for dtype in (tf.int32, tf.bool, tf.string, tf.float32):
        x = tf.placeholder(dtype, [2])
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.identity(x)
        for unconnected in ("none", "zero"):
            found += [tape.gradient(t, x, unconnected_gradients=unconnected) for t in (x, y, tf.shape(x))]
    return Case([["none" if grad is None else grad.op.type] for grad in found], graph=False)

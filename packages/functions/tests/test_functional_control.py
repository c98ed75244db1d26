"""Functional control flow beyond what the original does: more derivatives, other loops, graphs that changed since."""

import numpy as np
import pytest

import ossia as tf


@pytest.fixture(autouse=True)
def functional():
    tf.enable_control_flow_v2()
    try:
        with tf.Graph().as_default():
            yield
    finally:
        tf.disable_control_flow_v2()


def powers(x, times):
    """x to the power of 2 ** times."""
    return tf.while_loop(lambda i, v: i < times, lambda i, v: (i + 1, v * v), [0, x])[1]


def test_a_loop_is_differentiated_after_it_has_run():
    x = tf.constant(2.0)
    y = powers(x, 2)
    with tf.Session() as session:
        assert session.run(y) == 16.0
        slope = tf.gradients(y, x)[0]
        assert session.run([y, slope]) == [16.0, 32.0]


def test_second_derivatives_on_a_tape():
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = powers(x, 2)
        slope = inner.gradient(y, x)
    with tf.Session() as session:
        assert session.run([slope, outer.gradient(slope, x)]) == [32.0, 48.0]


def test_variables_that_trade_places():
    # The value of each iteration counts, not the one that the loop ends with.
    x, y = tf.constant(2.0), tf.constant(3.0)
    a, b = tf.while_loop(lambda i, a, b: i < 3, lambda i, a, b: (i + 1, a * b, a), [0, x, y])[1:]
    with tf.Session() as session:
        # a: x y, x^2 y, x^3 y^2; b: the one before.
        assert session.run(tf.gradients(a, [x, y])) == [3 * 4.0 * 9.0, 2 * 8.0 * 3.0]
        assert session.run(tf.gradients(b, [x, y])) == [2 * 2.0 * 3.0, 4.0]


def test_branches_of_other_shapes_in_a_loop():
    x, short = tf.constant([1.0, 2.0, 3.0]), tf.placeholder(tf.bool, [])

    def body(i, total):
        part = tf.cond(short, lambda: x[:2] * total, lambda: x * total)
        return i + 1, total + tf.reduce_sum(part)

    y = tf.while_loop(lambda i, total: i < 2, body, [0, tf.constant(1.0)])[1]
    slope = tf.gradients(y, x)[0]
    with tf.Session() as session:
        np.testing.assert_allclose(session.run(slope, {short: True}), [8.0, 8.0, 0.0])
        np.testing.assert_allclose(session.run(slope, {short: False}), [14.0, 14.0, 14.0])


def test_loops_that_do_not_count():
    # As graphs of other programs have them.
    @tf.function
    def less(v):
        return v < 20.0

    @tf.function
    def square(v):
        return v * v

    x = tf.constant(3.0)
    cond, body = (f.get_concrete_function(tf.TensorSpec([], tf.float32)) for f in (less, square))
    for f in (cond, body):
        f.add_to_graph()
    (y,) = tf.raw_ops.While(input=[x], cond=cond, body=body)
    slope = tf.gradients(y, x)[0]
    with tf.Session() as session:
        assert session.run([y, slope, tf.gradients(slope, x)[0]]) == [81.0, 108.0, 108.0]


def test_strings_that_were_never_written():
    array = tf.TensorArray(tf.string, 2, element_shape=[])
    with tf.Session() as session:
        assert session.run([array.read(0), array.stack()[1]]) == [b"", b""]

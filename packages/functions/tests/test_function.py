"""Functions of a program's own: traced, called, differentiated."""
import numpy as np
import pytest

import ossia as tf


def test_function_of_a_method():
    class Scaler:
        def __init__(self, by):
            self.by = by

        @tf.function
        def __call__(self, x):
            return x * self.by

    with tf.Graph().as_default(), tf.Session() as session:
        assert session.run([Scaler(2.0)(tf.constant(3.0)), Scaler(5.0)(tf.constant(3.0))]) == [6.0, 15.0]


def test_function_is_traced_once_per_kind_of_arguments():
    traces = []

    @tf.function
    def f(x, n):
        traces.append(n)
        return x * n

    with tf.Graph().as_default():
        for n in (2, 2, 3):
            f(tf.zeros([2]), n)
            f(tf.ones([2]), n)
        f(tf.zeros([3]), 2)
    assert traces == [2, 3, 2]


def test_function_refuses_what_is_no_tensor():
    with tf.Graph().as_default():
        with pytest.raises(TypeError, match="return zero or more Tensors"):
            tf.function(lambda x: object())(tf.constant(1.0))
        with pytest.raises(TypeError, match="hashable"):
            tf.function(lambda x: x)({1, 2})
        with pytest.raises(TypeError):
            tf.function(lambda x: x)(tf.constant(1.0), 2)
        with pytest.raises(TypeError, match="input_signature"):
            tf.function(lambda x: x, input_signature=[3])


def test_function_without_results_runs():
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.get_variable("v", initializer=1.0, use_resource=True)

        @tf.function
        def f():
            v.assign_add(1.0)

        op = f()
        session.run(v.initializer)
        session.run(op)
        session.run(op)
        assert session.run(v.read_value()) == 3


def test_optimizer_through_a_function():
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.get_variable("v", initializer=np.float32([1, 2]), use_resource=True)
        loss = tf.function(lambda: tf.reduce_sum(v * v))()
        train = tf.train.GradientDescentOptimizer(0.25).minimize(loss)
        session.run(v.initializer)
        session.run(train)
        np.testing.assert_allclose(session.run(v), [0.5, 1.0])


def _with_array(a):
    array = tf.TensorArray(tf.float32, 3)
    _, array = tf.while_loop(lambda i, r: i < 3, lambda i, r: (i + 1, r.write(i, a[i] * a)), [0, array])
    return array.stack()


@pytest.mark.parametrize(
    ("function", "slope"),
    [
        (lambda a: tf.map_fn(lambda q: q * q, a), [2, 4, 6]),
        (lambda a: tf.scan(lambda p, q: p * q, a), [9, 4, 2]),
        (_with_array, [12, 12, 12]),
    ],
)
def test_arrays_in_functions(function, slope):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant([1.0, 2.0, 3.0])
        y = tf.function(function)(x)
        np.testing.assert_allclose(session.run(tf.gradients(y, x)[0]), slope, 1e-5)


def test_values_of_another_function_are_refused():
    kept = []
    with tf.Graph().as_default():
        tf.function(lambda x: kept.append(x * 2.0))(tf.constant(1.0))
        with pytest.raises(ValueError):
            tf.function(lambda x: x + kept[0])(tf.constant(1.0))


def test_dropout_is_the_same_in_the_gradient():
    with tf.Graph().as_default(), tf.Session() as session:
        x, i = tf.ones([1000]), tf.constant(0)
        y = tf.switch_case(i, [lambda: tf.nn.dropout(x, rate=0.5) * 3.0, lambda: x])
        value, slope = session.run([y, tf.gradients(y, x)[0]])
        np.testing.assert_array_equal(value, slope)

"""The optimizer, as users reach it."""

import numpy as np
import pytest

import ossia as tf


def lion(weight, momentum, gradient, rate, beta1, beta2, decay):
    direction = np.sign(beta1 * momentum + (1 - beta1) * gradient)
    return weight - rate * (direction + decay * weight), beta2 * momentum + (1 - beta2) * gradient


@pytest.mark.parametrize("use_resource", [False, True], ids=["ref", "resource"])
def test_follows_its_formula(use_resource):
    target = np.array([1.0, -2.0, 0.5], np.float32)
    with tf.Graph().as_default():
        weight = tf.get_variable("weight", initializer=np.zeros(3, np.float32), use_resource=use_resource)
        loss = tf.reduce_sum(tf.square(weight - target))
        step = tf.train.LionOptimizer(0.01, weight_decay=0.1).minimize(loss)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            expected, momentum = np.zeros(3), np.zeros(3)
            for _ in range(5):
                session.run(step)
                expected, momentum = lion(expected, momentum, 2 * (expected - target), 0.01, 0.9, 0.99, 0.1)
            np.testing.assert_allclose(session.run(weight), expected, rtol=1e-5)


def test_is_served():
    from ossia.compat.v1.train import LionOptimizer

    assert "LionOptimizer" in dir(tf.train)
    assert LionOptimizer is tf.train.LionOptimizer
    assert issubclass(LionOptimizer, tf.train.Optimizer)


def test_slots_have_names():
    with tf.Graph().as_default():
        weight = tf.get_variable("weight", initializer=1.0)
        optimizer = tf.train.LionOptimizer()
        optimizer.minimize(weight * weight)
        assert optimizer.get_slot_names() == ["momentum"]
        assert optimizer.get_slot(weight, "momentum").op.name == "weight/Lion"

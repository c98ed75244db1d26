"""Pools with windows far larger than what they go over."""
import numpy as np
import pytest

import ossia as tf

X = np.random.RandomState(0).randn(1, 5, 6, 2).astype(np.float32)
HUGE = 2**31 - 1


@pytest.mark.parametrize("pool", [tf.nn.max_pool, tf.nn.avg_pool])
def test_huge_windows(pool):
    x = tf.constant(X)
    huge, wide = (pool(x, [1, size, size, 1], [1, 1, 1, 1], "SAME") for size in (HUGE, 99))
    with tf.Session() as session:
        np.testing.assert_allclose(*session.run([huge, wide]), rtol=1e-6)
        np.testing.assert_allclose(*session.run([tf.gradients(huge, x)[0], tf.gradients(wide, x)[0]]), rtol=1e-6)


def test_huge_strides():
    x = tf.constant(X)
    y = tf.nn.max_pool(x, [1, HUGE, 1, 1], [1, HUGE, 1, 1], "SAME")
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(y), X.max(1, keepdims=True))


def test_huge_volumes():
    x = tf.constant(X[None])
    y = tf.nn.max_pool3d(x, [1, HUGE, 1, HUGE, 1], 1, "SAME")
    with tf.Session() as session:
        value, slopes = session.run([y, tf.gradients(y, x)[0]])
    assert value.shape == X[None].shape and slopes.sum() == value.size

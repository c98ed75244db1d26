"""Adam's update, which refines estimates of square roots and quotients: as in double precision, for all numbers."""
from __future__ import annotations

import numpy as np
import pytest

import ossia as tf
from ossia_backend_cffi.loader import native

pytestmark = pytest.mark.skipif(native() is None, reason="built without a compiler")
ODD = np.array([0, -0.0, 1e-45, 1e-38, 1e-20, 1e-19, 1e18, 1.5e19, 3e38, np.inf, -np.inf, np.nan, 1, -1], "f4")


def updated(gradients, before, epsilon, nesterov, steps):
    """The variable and both averages after so many updates of a session."""
    with tf.Graph().as_default(), tf.Session() as session:
        fed = tf.placeholder(tf.float32, [None])
        variables = [tf.Variable(value, use_resource=bool(nesterov)) for value in before]
        apply = tf.raw_ops.ResourceApplyAdam if nesterov else tf.raw_ops.ApplyAdam
        handles = [v.handle if nesterov else v._ref() for v in variables]
        train = apply(
            var=handles[0], m=handles[1], v=handles[2], beta1_power=0.9, beta2_power=0.999, lr=0.01, beta1=0.9,
            beta2=0.999, epsilon=epsilon, grad=fed * 1.0, use_nesterov=nesterov,
        )  # fmt: skip
        session.run(tf.global_variables_initializer())
        for _ in range(steps):
            session.run(train, {fed: gradients})
        return session.run(variables)


@pytest.mark.parametrize("nesterov", [False, True])
@pytest.mark.parametrize("epsilon", [1e-8, 1.0, 1e-3, 0.0, 1e-13])
@pytest.mark.parametrize("size", [1, 15, 16, 33, 5000])
def test_as_in_double_precision(size, epsilon, nesterov, compiled):
    random = np.random.RandomState(size)
    gradients = (random.randn(size) * 10.0 ** random.randint(-9, 3, size)).astype("f4")
    gradients[gradients == 0] = 1
    before = [random.randn(size).astype("f4"), np.zeros(size, "f4"), np.zeros(size, "f4")]
    var, m, v, g = (x.astype("f8") for x in (*before, gradients))
    lr, beta1, beta2 = (float(np.float32(x)) for x in (0.01, 0.9, 0.999))
    alpha = lr * np.sqrt(1 - beta2) / (1 - beta1)
    for _ in range(3):
        m += (g - m) * (1 - beta1)
        v += (g * g - v) * (1 - beta2)
        var -= ((g * (1 - beta1) + beta1 * m) if nesterov else m) * alpha / (np.sqrt(v) + float(np.float32(epsilon)))
    got = updated(gradients, before, epsilon, nesterov, 3)
    assert compiled[0] >= 3
    for found, wanted in zip(got[1:], (m, v), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-4)  # 1 - beta2 has few digits left in float32
    np.testing.assert_allclose(got[0], var, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("nesterov", [False, True])
@pytest.mark.parametrize("epsilon", [1e-8, 0.0, np.inf])
@pytest.mark.parametrize("given", ["gradient", "m", "v"])
def test_odd_numbers(given, epsilon, nesterov, backend):
    ordinary = np.linspace(0.1, 2, ODD.size).astype("f4")
    fed = ODD if given == "gradient" else ordinary
    before = [ordinary, ODD if given == "m" else ordinary, np.abs(ODD) if given == "v" else ordinary]
    backend("numpy")
    with np.errstate(all="ignore"):
        expected = updated(fed, before, epsilon, nesterov, 1)
    backend("cffi")
    for found, wanted in zip(updated(fed, before, epsilon, nesterov, 1), expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=2e-5, atol=1e-30)


def test_negative_squares_are_no_numbers():
    ones = np.ones(20, "f4")
    var, _, _ = updated(ones, [ones, ones, -ones], 1e-8, False, 1)
    assert np.isnan(var).all()

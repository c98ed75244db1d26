"""Quantized layers agree with TensorFlow 1.15.5, bit for bit."""
import numpy as np

import ossia as tf
from ossia_testkit.golden import golden_tests

test_quantized_nn = golden_tests(__file__, "quantized_nn_cases.py")


def test_relu_x():
    # The original has the op, and no kernel for it on CPUs.
    x = np.array([0, 85, 100, 213, 255], np.uint8).view(tf.quint8.as_numpy_dtype)
    with tf.Session() as session:
        result, low, high = session.run(tf.nn.quantized_relu_x(x, 1.5, -1.0, 2.0))
        values = session.run(tf.dequantize(result.view(tf.quint8.as_numpy_dtype), low, high))
    np.testing.assert_allclose(values, [0.0, 0.0, 0.176, 1.5, 1.5], atol=0.01)

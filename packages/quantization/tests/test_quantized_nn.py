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


def test_ends_of_ranges_that_are_no_scalars():
    # The original takes the first element; so do the values and the range that come out.
    ends = tf.placeholder(tf.float32, None)
    x = tf.constant(np.array([1, 2], np.uint8).view(tf.quint8.as_numpy_dtype))
    reshaped = tf.raw_ops.QuantizedReshape(tensor=x, shape=[2], input_min=ends, input_max=ends)
    with tf.Session() as session:
        for found in session.run([reshaped.output_min, reshaped.output_max], {ends: [1.0, 2.0]}):
            assert np.shape(found) == () and found == 1.0

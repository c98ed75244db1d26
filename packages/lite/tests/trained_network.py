"""A small network with fake quantization, for the original and for Ossia alike."""

import numpy as np


def network(tf):
    random = np.random.RandomState(0)
    x = tf.placeholder(tf.float32, [1, 16, 16, 3], name="x")

    def real(*shape):
        return tf.constant(random.uniform(-0.7, 0.6, shape).astype(np.float32))

    def weights(*shape):
        low, high = tf.constant(-0.7), tf.constant(0.7)
        return tf.quantization.fake_quant_with_min_max_vars(real(*shape), low, high, narrow_range=True)

    def rounded(values, low, high):
        return tf.quantization.fake_quant_with_min_max_args(values, low, high)

    h = tf.nn.bias_add(tf.nn.conv2d(x, weights(3, 3, 3, 8), [1, 2, 2, 1], "SAME"), real(8))
    h = rounded(tf.nn.relu6(h), 0.0, 6.0)
    side = tf.nn.depthwise_conv2d(h, weights(3, 3, 8, 1), [1, 1, 1, 1], "SAME") + real(8)
    side = rounded(tf.nn.relu(side), 0.0, 5.2)
    added = rounded(tf.nn.conv2d(side, weights(1, 1, 8, 8), [1, 1, 1, 1], "SAME") + real(8), -7.3, 6.9)
    h = tf.concat([rounded(h + added, -6.0, 9.0), side], 3)
    h = tf.nn.avg_pool(tf.nn.max_pool(h, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"), [1, 4, 4, 1], [1, 4, 4, 1], "VALID")
    logits = rounded(tf.matmul(tf.reshape(h, [1, 16]), weights(16, 10)) + real(10), -9.0, 11.0)
    return x, tf.nn.softmax(logits, name="y")

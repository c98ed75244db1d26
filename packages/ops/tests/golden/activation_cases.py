"""Activation functions with their first and second gradients."""
import numpy as np
from golden_case import Case, raises

X = np.array([[-3.0, -1.0, -0.25, 0.0], [0.5, 2.0, 5.5, 7.0]])
SPECIAL = [np.nan, np.inf, -np.inf, 1e38, -1e38, 1e-30]

for _name in ("relu", "relu6", "elu", "selu", "softplus", "softsign", "leaky_relu", "crelu", "swish"):
    def _case(tf, name=_name):
        x, g = tf.placeholder(tf.float32, [None, 4], name="x"), tf.placeholder(tf.float32, [None, 4], name="g")
        y = getattr(tf.nn, name)(x)
        first = tf.gradients(y, x, grad_ys=tf.concat([g, g], -1) if name == "crelu" else g)
        second = tf.gradients(first, [x, g]) if name not in ("softsign", "swish") else []
        return Case([y, first, second], feeds={x: X, g: X + 1})
    globals()["case_" + _name] = _case

    def _case(tf, name=_name):
        y = [getattr(tf.nn, name)(tf.constant(SPECIAL, tf.float32)), getattr(tf.nn, name)(tf.constant(X, tf.float64)), getattr(tf.nn, name)(tf.constant(X, tf.float16))]
        return Case(y, graph=False)
    globals()["case_values_" + _name] = _case


def case_integers(tf):
    x = tf.constant([-3, 0, 5, 9])
    return [tf.nn.relu(x), tf.nn.relu6(x), tf.nn.leaky_relu(x), tf.nn.relu([-1, 2], name="r"), tf.nn.relu6([-1, 2], name="r")]


def case_names(tf):
    x = tf.constant(X, tf.float32)
    return [tf.nn.leaky_relu(x, alpha=0.5, name="a"), tf.nn.leaky_relu(x, 0.1), tf.nn.crelu(x, axis=0, name="c"), tf.math.softplus(x), tf.math.softsign(x),
            tf.nn.sigmoid(x), tf.nn.tanh(x)]


def case_raw_gradients(tf):
    x, g = tf.constant(SPECIAL, tf.float32), tf.constant([1.0, np.inf, np.inf, 2.0, np.nan, 3.0])
    return [f(gradients=g, features=x) for f in (tf.raw_ops.ReluGrad, tf.raw_ops.Relu6Grad, tf.raw_ops.SoftplusGrad, tf.raw_ops.SoftsignGrad, tf.raw_ops.LeakyReluGrad)] + [
        f(gradients=g, outputs=x) for f in (tf.raw_ops.EluGrad, tf.raw_ops.SeluGrad)]


def case_refused(tf):
    return [raises(tf.nn.relu, "a"), raises(tf.nn.elu, [1, 2]), raises(tf.nn.relu, True)]

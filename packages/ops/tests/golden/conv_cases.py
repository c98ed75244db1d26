"""Convolutions over two dimensions, their gradients and arguments."""
import numpy as np
from golden_case import Case, raises

X = (np.arange(2 * 6 * 5 * 4) * 37 % 101).reshape(2, 6, 5, 4) / 50.0 - 1
W = (np.arange(3 * 2 * 4 * 3) * 17 % 29).reshape(3, 2, 4, 3) / 20.0 - 0.7
WAYS = {"same": dict(strides=[1, 1, 1, 1], padding="SAME"), "valid": dict(strides=[1, 1, 1, 1], padding="VALID"),
        "strided": dict(strides=[1, 2, 2, 1], padding="SAME"), "uneven": dict(strides=[1, 2, 3, 1], padding="VALID"),
        "dilated": dict(strides=[1, 1, 1, 1], padding="SAME", dilations=[1, 2, 2, 1]), "dilated_valid": dict(strides=[1, 1, 1, 1], padding="VALID", dilations=[1, 2, 3, 1]),
        "explicit": dict(strides=[1, 1, 1, 1], padding=[[0, 0], [1, 2], [0, 1], [0, 0]]), "short": dict(strides=2, padding="SAME"),
        "two": dict(strides=[1, 2], padding="SAME", dilations=[1])}

for _name, _way in WAYS.items():
    def _case(tf, way=_way):
        x, w = tf.placeholder(tf.float32, [None, 6, 5, 4], name="x"), tf.constant(W, tf.float32, name="w")
        y = tf.nn.conv2d(x, w, **way)
        grads = tf.gradients(y, [x, w], grad_ys=tf.cos(y)) if max(way.get("dilations", [1])) == 1 else []
        return Case({"y": y, "grads": grads}, feeds={x: X})
    globals()["case_" + _name] = _case


def case_pointwise(tf):
    x, w = tf.placeholder(tf.float64, [None, None, None, 4], name="x"), tf.placeholder(tf.float64, [1, 1, 4, 3], name="w")
    y = tf.nn.conv2d(x, filter=w, strides=[1, 1, 1, 1], padding="VALID", name="point")
    return Case([y, tf.gradients(y, [x, w])], feeds={x: X, w: W[:1, :1]})


def case_second(tf):
    x, w = tf.placeholder(tf.float32, [None, 6, 5, 4], name="x"), tf.constant(W, tf.float32, name="w")
    y = tf.nn.conv2d(x, w, strides=[1, 2, 1, 1], padding="SAME")
    first = tf.gradients(y, [x, w], grad_ys=y)
    return Case(tf.gradients([first[0] * x, first[1] * w], [x, w]), feeds={x: X})


def case_second_static(tf):
    x, w = tf.constant(X, name="x"), tf.constant(W, name="w")
    first = tf.gradients(tf.nn.conv2d(x, w, strides=[1, 1, 1, 1], padding="SAME"), [x, w])
    return tf.gradients(first, [x, w])


def case_static(tf):
    w = tf.placeholder(tf.float32, [3, 3, None, 8])
    xs = [tf.placeholder(tf.float32, s) for s in (None, [None] * 4, [None, None, 7, 3])]
    ys = [tf.nn.conv2d(x, w, [1, 2, 2, 1], p) for x in xs for p in ("SAME", "VALID")]
    return Case([ys, tf.gradients(ys, xs + [w])], graph_only=True)


def case_first(tf):
    x, w = tf.placeholder(tf.float32, [None, 4, 6, 5]), tf.constant(W, tf.float32)
    y = tf.nn.conv2d(x, w, strides=[1, 1, 2, 2], padding="SAME", data_format="NCHW")
    return Case([y, tf.gradients(y, [x, w])], graph_only=True)


def case_half(tf):
    return Case(tf.nn.conv2d(tf.constant(X, tf.float16), tf.constant(W, tf.float16), 1, "SAME"), tolerance=2e-2)


def case_backprops(tf):
    w, g = tf.constant(W, tf.float32), tf.constant(X[:, :, :, :3], tf.float32)
    return [tf.nn.conv2d_backprop_input([2, 6, 5, 4], w, g, [1, 1, 1, 1], "SAME"), tf.nn.conv2d_backprop_filter(tf.constant(X, tf.float32), [3, 2, 4, 3], g, [1, 1, 1, 1], "SAME"),
            tf.nn.conv2d_backprop_input(tf.constant([2, 12, 10, 4]), filters=w, out_backprop=g, strides=[1, 2, 2, 1], padding="SAME")]


def case_backprop_input_gradient(tf):
    w, g = tf.placeholder(tf.float32, [3, 2, 4, 3]), tf.placeholder(tf.float32, [None, 6, 5, 3])
    y = tf.nn.conv2d_backprop_input([2, 6, 5, 4], w, g, [1, 1, 1, 1], "SAME")
    return Case(tf.gradients(y * y, [w, g]), feeds={w: W, g: X[..., :3]})


def case_empty(tf):
    x, w = tf.zeros([0, 6, 5, 4]), tf.constant(W, tf.float32)
    y = tf.nn.conv2d(x, w, 1, "SAME")
    return [y, tf.gradients(y, [x, w])]


def case_grouped_static(tf):
    return Case(tf.nn.conv2d(tf.placeholder(tf.float32, [None, 6, 5, 4]), tf.zeros([3, 3, 2, 8]), 1, "SAME"), graph_only=True)


def case_refused(tf):
    x, w = tf.zeros([1, 6, 5, 4]), tf.constant(W, tf.float32)
    return [raises(tf.nn.conv2d, x, w, [1, 1, 1], "SAME"), raises(tf.nn.conv2d, x, w, 1, "FOO"), raises(tf.nn.conv2d, x, w, 1, "EXPLICIT"), raises(tf.nn.conv2d, x, w, 1, [[0, 0]]),
            raises(tf.nn.conv2d, tf.zeros([6, 5, 4]), w, 1, "SAME"), raises(tf.nn.conv2d, tf.zeros([1, 6, 5, 3]), w, 1, "SAME"), raises(tf.nn.conv2d, tf.zeros([1, 2, 5, 4]), w, 1, "VALID"),
            raises(tf.nn.conv2d, x, w, 1, "SAME", data_format="NHCW"), raises(tf.nn.conv2d, x, w, 1, "SAME", filters=w), raises(tf.nn.conv2d, x, w, padding="SAME"),
            raises(tf.nn.conv2d, x, w, 1, [[0, 0], [1, 1], [1, 1], [1, 0]]), raises(tf.nn.conv2d, x, w, 1, "SAME", dilations=[1, 2, 2]), raises(tf.nn.conv2d, x, tf.zeros([3, 3, 4]), 1, "SAME")]


def case_batch_stride_refused(tf):
    return tf.nn.conv2d(tf.zeros([2, 6, 5, 4]), tf.constant(W, tf.float32), [2, 1, 1, 1], "SAME")


def case_grad_shape_refused(tf):
    return tf.nn.conv2d_backprop_input([2, 6, 5, 4], tf.constant(W, tf.float32), tf.zeros([2, 6, 6, 3]), [1, 1, 1, 1], "SAME")

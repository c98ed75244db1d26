"""Quantized layers, on ranges around and beside 0."""
import numpy as np
from golden_case import Case, raises

R = np.random.RandomState(9)
X = R.randint(0, 256, [2, 5, 6, 2]).astype("u1")
F = R.randint(0, 256, [3, 2, 2, 4]).astype("u1")
RANGES = [(-1.0, 2.0), (0.0, 6.0), (-3.0, -0.5), (-0.3, 0.7)]


def _q(tf, values, kind=None):
    kind = kind or tf.quint8
    return np.array(values).view(kind.as_numpy_dtype)


for _i, _range in enumerate(RANGES):
    for _padding in ("SAME", "VALID"):
        def _case(tf, bounds=_range, padding=_padding, other=RANGES[_i - 1]):
            return [tf.nn.quantized_conv2d(_q(tf, X), _q(tf, F), bounds[0], bounds[1], other[0], other[1], [1, s, s, 1], padding) for s in (1, 2)]
        globals()["case_conv_%d_%s" % (_i, _padding.lower())] = _case

    def _case(tf, bounds=_range):
        return [tf.raw_ops.QuantizedRelu(features=_q(tf, X), min_features=bounds[0], max_features=bounds[1]), tf.raw_ops.QuantizedRelu6(features=_q(tf, X), min_features=bounds[0] * 7, max_features=bounds[1] * 7)]
    globals()["case_relu_%d" % _i] = _case

    def _case(tf, bounds=_range):
        return [tf.nn.quantized_max_pool(_q(tf, X), bounds[0], bounds[1], [1, 2, 2, 1], [1, 2, 2, 1], p) for p in ("SAME", "VALID")] + [
            tf.nn.quantized_avg_pool(_q(tf, X), bounds[0], bounds[1], [1, 3, 2, 1], [1, s, 2, 1], p) for p in ("SAME", "VALID") for s in (1, 2)]
    globals()["case_pool_%d" % _i] = _case

    def _case(tf, bounds=_range, other=RANGES[_i - 1]):
        bias = _q(tf, np.array([3, 200], "u1"))
        return tf.raw_ops.QuantizedBiasAdd(input=_q(tf, X), bias=bias, min_input=bounds[0], max_input=bounds[1], min_bias=other[0], max_bias=other[1], out_type=tf.qint32)
    globals()["case_bias_%d" % _i] = _case

    def _case(tf, bounds=_range):
        parts = [_q(tf, np.array([a, b], "u1")) for a, b in ((9, 250), (100, 30), (7, 77), (255, 128))]
        return [tf.raw_ops.QuantizedBatchNormWithGlobalNormalization(
            t=_q(tf, X), t_min=bounds[0], t_max=bounds[1], m=parts[0], m_min=-1.0, m_max=1.0, v=parts[1], v_min=0.0, v_max=2.0, beta=parts[2], beta_min=-1.0, beta_max=3.0, gamma=parts[3], gamma_min=-2.0,
            gamma_max=2.0, variance_epsilon=1e-3, scale_after_normalization=scale, out_type=tf.qint32) for scale in (True, False)]
    globals()["case_batch_norm_%d" % _i] = _case

    def _case(tf, bounds=_range):
        return [tf.raw_ops.QuantizedInstanceNorm(x=_q(tf, X), x_min=bounds[0], x_max=bounds[1]), tf.raw_ops.QuantizedInstanceNorm(x=_q(tf, X), x_min=bounds[0], x_max=bounds[1], output_range_given=True, given_y_min=-1.5, given_y_max=2.5)]
    globals()["case_instance_norm_%d" % _i] = _case


def case_bias_signed(tf):
    x, bias = _q(tf, X.view("i1"), tf.qint8), _q(tf, np.array([-128, 127], "i1"), tf.qint8)
    return tf.raw_ops.QuantizedBiasAdd(input=x, bias=bias, min_input=-1.0, max_input=2.0, min_bias=-0.5, max_bias=0.5, out_type=tf.qint32)


def case_relu_sums(tf):
    x = _q(tf, np.arange(-4, 5).astype("i4") * 500000000, tf.qint32)
    return [tf.raw_ops.QuantizedRelu(features=x, min_features=-1.0, max_features=2.0, out_type=tf.qint32), tf.raw_ops.QuantizedRelu6(features=x, min_features=-10.0, max_features=20.0, out_type=tf.qint32)]


def case_instance_norm_constant(tf):
    return tf.raw_ops.QuantizedInstanceNorm(x=_q(tf, np.full([1, 3, 3, 2], 100, "u1")), x_min=-1.0, x_max=2.0)


def case_shapes(tf):
    found = []
    for shape in (None, [None] * 4, [2, 5, None, 2]):
        x = tf.placeholder(tf.quint8, shape)
        found += [tf.nn.quantized_conv2d(x, _q(tf, F), 0.0, 1.0, 0.0, 1.0, [1, 1, 1, 1], "SAME"), tf.nn.quantized_max_pool(x, 0.0, 1.0, [1, 2, 2, 1], [1, 2, 2, 1], "VALID"),
                  tf.nn.quantized_avg_pool(x, 0.0, 1.0, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"), tf.nn.quantized_relu_x(x, 1.0, 0.0, 2.0)]
    return Case(found, graph_only=True)


def case_names(tf):
    x = tf.placeholder(tf.quint8, [2, 5, 6, 2])
    return Case([tf.nn.quantized_conv2d(x, _q(tf, F), tf.constant(0.0), 1.0, 0.0, 1.0, [1, 1, 1, 1], "SAME", name="c"), tf.nn.quantized_relu_x(x, 1.0, 0.0, 2.0, name="r", out_type=tf.qint8),
                 tf.nn.quantized_max_pool(x, 0.0, 1.0, [1, 2, 2, 1], [1, 2, 2, 1], "VALID", name="m"), tf.nn.quantized_avg_pool(x, 0.0, 1.0, [1, 2, 2, 1], [1, 2, 2, 1], "VALID", name="a")], graph_only=True)


def case_refused(tf):
    x, f = tf.placeholder(tf.quint8, [2, 5, 6, 2]), tf.placeholder(tf.quint8, [3, 2, 3, 4])
    return Case([raises(tf.nn.quantized_conv2d, x, f, 0.0, 1.0, 0.0, 1.0, [1, 1, 1, 1], "SAME"), raises(tf.nn.quantized_conv2d, x, _q(tf, F), [0.0], 1.0, 0.0, 1.0, [1, 1, 1, 1], "SAME"),
                 raises(tf.nn.quantized_conv2d, tf.zeros([1, 2, 2, 2]), f, 0.0, 1.0, 0.0, 1.0, [1, 1, 1, 1], "SAME"), raises(tf.nn.quantized_max_pool, x, 0.0, 1.0, [1, 2, 2], [1, 2, 2, 1], "SAME"),
                 raises(tf.nn.quantized_max_pool, x, 0.0, 1.0, [1, 2, 2, 1], [1, 2, 2, 1], "FOO"), raises(tf.nn.quantized_relu_x, tf.zeros([2]), 1.0, 0.0, 2.0),
                 raises(tf.raw_ops.QuantizedBiasAdd, input=x, bias=x, min_input=0.0, max_input=1.0, min_bias=0.0, max_bias=1.0, out_type=tf.qint32)], graph=False)


def case_dilations_refused(tf):
    return tf.nn.quantized_conv2d(_q(tf, X), _q(tf, F), 0.0, 1.0, 0.0, 1.0, [1, 1, 1, 1], "SAME", dilations=[1, 2, 2, 1])


def case_bias_count(tf):
    bias = tf.placeholder(tf.quint8, [None])
    return Case(tf.raw_ops.QuantizedBiasAdd(input=_q(tf, X), bias=bias, min_input=0.0, max_input=1.0, min_bias=0.0, max_bias=1.0, out_type=tf.qint32), feeds={bias: _q(tf, np.array([1, 2, 3], "u1"))})

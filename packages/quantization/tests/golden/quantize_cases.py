"""Quantization and simulated quantization."""
from golden_case import Case, raises
from golden_expressions import table

X = "x = P(7, value=[-7., -1., -.26, 0., .31, 1.2, 9.]); "
table(globals(), "fake", [
    X + "y = tf.quantization.fake_quant_with_min_max_args(x); y; G(y * y, x); y = tf.quantization.fake_quant_with_min_max_args(x, -1, 2, num_bits=4, narrow_range=True); y; G(y, x); "
    "tf.quantization.fake_quant_with_min_max_args_gradient(P(7), x)",
    X + "a = P(value=-.5); b = P(value=1.1); y = tf.quantization.fake_quant_with_min_max_vars(x, a, b); y; G(y * y, [x, a, b]); "
    "y = tf.quantization.fake_quant_with_min_max_vars(x, P(value=.5), P(value=2.), num_bits=3); y; tf.quantization.fake_quant_with_min_max_vars(x, 0., 0.)",
    "x = P(4, 3, value=[[-7., -1., -.26], [0., .31, 1.2], [9., 2., .1], [.2, .4, .6]]); a = P(3, value=[-1., 0., -.2]); b = P(3, value=[1., 2., .5]); "
    "y = tf.quantization.fake_quant_with_min_max_vars_per_channel(x, a, b); y; G(y * y, [x, a, b])",
])
table(globals(), "quantize", [
    X + "a = tf.quantization.quantize(x, %s, tf.%s, mode='%s'); tf.cast(tf.bitcast(a[0], tf.%s), tf.int32); a[1]; a[2]; tf.quantization.dequantize(a[0], a[1], a[2], mode='%s')"
    % (bounds, kind, mode, kind[1:], mode) for mode in ("MIN_COMBINED", "MIN_FIRST", "SCALED") for kind in ("qint8", "quint8") for bounds in ("-1., 2.", "0., 1.")])
table(globals(), "rounded", [
    X + "y = tf.quantization.quantize_and_dequantize(x, 0., 1.); y; G(y, x); tf.quantization.quantize_and_dequantize(x, -1., 1., range_given=True, signed_input=True); "
    "tf.quantization.quantize_and_dequantize(x, 0., 1., range_given=True, signed_input=False, num_bits=4); "
    "tf.quantization.quantize_and_dequantize(x, -2., 1., range_given=True, round_mode='HALF_UP', narrow_range=True); y = R.QuantizeAndDequantizeV3(input=x, input_min=-1., "
    "input_max=1., num_bits=8); y; G(y, x)"])


def case_quantize_to_many_bits(tf):
    import numpy as np
    x = np.concatenate([np.linspace(-3.1, 3.3, 41), np.linspace(0.0011, 0.0193, 40), [np.inf, -np.inf, 1e9, -1e9, 0.0, 2.5]]).astype(np.float32)
    out = []
    for kind in (tf.qint32, tf.qint16, tf.quint16, tf.quint8, tf.qint8):
        for mode in ("MIN_COMBINED", "MIN_FIRST", "SCALED"):
            for low, high in ((-2.5, 2.5), (0.0, 1.0), (-1e10, 1e9)):
                out.append(tf.quantization.quantize(x, low, high, kind, mode=mode))
    return out


def case_per_channel(tf):
    x = tf.quantization.quantize(tf.constant([[1.0, 2.0], [3.0, 4.0]]), 0.0, 4.0, tf.qint32).output
    least, most = tf.raw_ops.RequantizationRangePerChannel(input=x, input_min=[0.0, -1.0], input_max=[1.0, 2.0], clip_value_max=6.0)
    kept = tf.raw_ops.RequantizePerChannel(input=x, input_min=[0.0, -1.0], input_max=[1.0, 2.0], requested_output_min=least,
                                           requested_output_max=most)
    other = tf.raw_ops.RequantizePerChannel(input=x, input_min=[0.0, -1.0], input_max=[1.0, 2.0], requested_output_min=least,
                                            requested_output_max=most, out_type=tf.qint8, name="given")
    return Case([least, most, list(kept), list(other)], graph_only=True)


def case_per_channel_refused(tf):
    x = tf.quantization.quantize(tf.constant([[1.0, 2.0], [3.0, 4.0]]), 0.0, 4.0, tf.qint32).output
    refused = [raises(lambda: tf.raw_ops.RequantizePerChannel(input=x, input_min=0.0, input_max=[1.0], requested_output_min=0.0,
                                                              requested_output_max=1.0)),
               raises(lambda: tf.raw_ops.RequantizationRangePerChannel(input=x, input_min=[0.0], input_max=0.0, clip_value_max=1.0))]
    return Case(refused, graph_only=True)

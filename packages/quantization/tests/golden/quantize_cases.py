"""Quantization and simulated quantization."""
import itertools

import numpy as np
from golden_case import Case, raises

VALUES = np.array([-7.0, -1.0, -0.26, 0.0, 0.31, 1.2, 9.0], np.float32)


def fed(tf, *values):
    """Placeholders of known shapes, and what to feed."""
    feeds = {tf.placeholder(tf.float32, np.shape(value)): np.float32(value) for value in values}
    return list(feeds), feeds


def case_fake_quant_between_numbers(tf):
    (x, slope), feeds = fed(tf, VALUES, VALUES[::-1])
    y = tf.quantization.fake_quant_with_min_max_args(x)
    narrow = tf.quantization.fake_quant_with_min_max_args(x, -1, 2, num_bits=4, narrow_range=True)
    return Case([y, tf.gradients(y * y, x), narrow, tf.gradients(narrow, x),
                 tf.quantization.fake_quant_with_min_max_args_gradient(slope, x)], feeds)


def case_fake_quant_between_tensors(tf):
    (x, low, high, positive, above), feeds = fed(tf, VALUES, -0.5, 1.1, 0.5, 2.0)
    y = tf.quantization.fake_quant_with_min_max_vars(x, low, high)
    return Case([y, tf.gradients(y * y, [x, low, high]),
                 tf.quantization.fake_quant_with_min_max_vars(x, positive, above, num_bits=3),
                 tf.quantization.fake_quant_with_min_max_vars(x, 0.0, 0.0)], feeds)


def case_fake_quant_by_channel(tf):
    rows = [[-7.0, -1.0, -0.26], [0.0, 0.31, 1.2], [9.0, 2.0, 0.1], [0.2, 0.4, 0.6]]
    (x, low, high), feeds = fed(tf, rows, [-1.0, 0.0, -0.2], [1.0, 2.0, 0.5])
    y = tf.quantization.fake_quant_with_min_max_vars_per_channel(x, low, high)
    return Case([y, tf.gradients(y * y, [x, low, high])], feeds)


def case_there_and_back(tf):
    (x,), feeds = fed(tf, VALUES)
    found = []
    for mode, kind, (low, high) in itertools.product(
            ("MIN_COMBINED", "MIN_FIRST", "SCALED"), (tf.qint8, tf.quint8), ((-1.0, 2.0), (0.0, 1.0))):
        levels, least, largest = tf.quantization.quantize(x, low, high, kind, mode=mode)
        plain = tf.int8 if kind is tf.qint8 else tf.uint8
        found += [tf.cast(tf.bitcast(levels, plain), tf.int32), least, largest,
                  tf.quantization.dequantize(levels, least, largest, mode=mode)]
    return Case(found, feeds)


def case_rounded(tf):
    (x,), feeds = fed(tf, VALUES)
    around = tf.quantization.quantize_and_dequantize
    y = around(x, 0.0, 1.0)
    third = tf.raw_ops.QuantizeAndDequantizeV3(input=x, input_min=-1.0, input_max=1.0, num_bits=8)
    return Case([y, tf.gradients(y, x), around(x, -1.0, 1.0, range_given=True, signed_input=True),
                 around(x, 0.0, 1.0, range_given=True, signed_input=False, num_bits=4),
                 around(x, -2.0, 1.0, range_given=True, round_mode="HALF_UP", narrow_range=True), third,
                 tf.gradients(third, x)], feeds)


def case_quantize_to_many_bits(tf):
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

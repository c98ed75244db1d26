"""What quantization refuses, its static shapes, and values at the edges of ranges."""
import itertools

import numpy as np
from golden_case import Case, raises, says

SHAPES = (None, [None, None], [None, 3], [2, 3], [2, None], [3], [])
VECTORS = (None, [None], [3], [2], [])
STEPS = np.arange(-8, -3, dtype=np.float32) / 4


def built(tf, op, **inputs):
    """The outputs of an op of placeholders, given as (dtype, shape), or how it is refused."""
    def build():
        return getattr(tf.raw_ops, op)(**{name: tf.placeholder(*value) for name, value in inputs.items()})

    try:
        result = build()
    except ValueError:
        return raises(build)
    return list(result) if isinstance(result, tuple) else result


def case_fake_quant_arguments(tf):
    f = tf.float32
    return Case([built(tf, "FakeQuantWithMinMaxArgsGradient", gradients=(f, a), inputs=(f, b)) for a, b in itertools.product(SHAPES, SHAPES)], graph_only=True)


def case_fake_quant_channels(tf):
    f = tf.float32
    return Case([built(tf, "FakeQuantWithMinMaxVarsPerChannel", inputs=(f, a), min=(f, b), max=(f, c))
                 for a, b, c in itertools.product(SHAPES, VECTORS, (None, [3], [2]))], graph_only=True)


def case_fake_quant_channels_gradient(tf):
    f = tf.float32
    return Case([built(tf, "FakeQuantWithMinMaxVarsPerChannelGradient", gradients=(f, [2, 3]), inputs=(f, a), min=(f, b), max=(f, [3]))
                 for a, b in itertools.product(SHAPES, VECTORS)], graph_only=True)


def case_bounds_the_wrong_way_round(tf):
    quantize = tf.quantization
    return [
        quantize.fake_quant_with_min_max_vars(STEPS, 6.0, -6.0, narrow_range=narrow) for narrow in (False, True)
    ] + [quantize.fake_quant_with_min_max_vars_per_channel(STEPS[:4].reshape(2, 2), [1.0, -2.0], [-1.0, 2.0])]


def case_quantized_by_the_first_element(tf):
    x, low, high = (tf.placeholder(tf.float32) for _ in range(3))
    return Case(list(tf.quantize(x, low, high, tf.qint8, mode="SCALED")), {x: [-1.0, 0.3, 1.2], low: -1.0, high: [2.0]})


def case_quantized_range_is_scalar(tf):
    f = tf.raw_ops
    return [raises(f.QuantizeAndDequantizeV2, input=[1.0], input_min=[1.0, 2.0], input_max=2.0),
            raises(f.QuantizeAndDequantizeV3, input=[1.0], input_min=1.0, input_max=[2.0], num_bits=8)]


def case_quantized_product_of_an_empty_range(tf):
    a = tf.quantize(tf.ones([2, 2]), 0.0, 1.0, tf.quint8)[0]
    return tf.raw_ops.QuantizedMatMul(a=a, b=a, min_a=0.0, max_a=1.0, min_b=1.0, max_b=1.0)[0]


def case_quantized_pieces_along_no_axis(tf):
    x = tf.placeholder(tf.quint8, [1, 2])
    return [raises(tf.Session().run, tf.raw_ops.QuantizedConcat(
        concat_dim=tf.placeholder_with_default(axis, []), values=[x, x], input_mins=[0.0, 0.0], input_maxes=[1.0, 1.0]),
        {x: [[1, 2]]}) for axis in (-1, 2)]


def case_fake_quant_of_nan(tf):
    x = tf.placeholder(tf.float32)
    y = [tf.quantization.fake_quant_with_min_max_args(x), tf.quantization.fake_quant_with_min_max_vars(x, -6.0, 6.0),
         tf.quantization.fake_quant_with_min_max_vars_per_channel(x, [-6.0] * 4, [6.0] * 4)]
    return Case([y, [tf.gradients(z, x) for z in y]], {x: [np.nan, 1.0, 9.0, -9.0]})


def case_rounding_of_nothing(tf):
    x = tf.zeros([0])
    return tf.quantization.quantize(x, -6.0, 6.0, tf.qint8, mode="MIN_FIRST", round_mode="HALF_TO_EVEN")


def case_instance_norm(tf):
    return Case([built(tf, "QuantizedInstanceNorm", x=(tf.quint8, x), x_min=(tf.float32, []), x_max=(tf.float32, []))
                 for x in (None, [None] * 4, [3])], graph_only=True)


def case_bounds_that_are_no_scalars(tf):
    mins = tf.placeholder(tf.float32, [1])
    return raises(tf.raw_ops.QuantizedConcat, concat_dim=0, values=[tf.placeholder(tf.quint8, [3])] * 2, input_mins=[mins, mins],
                  input_maxes=[1.0, 1.0])


def case_range_that_is_no_number(tf):
    made = tf.raw_ops.QuantizeAndDequantizeV3(input=[1.0], input_min=0.0, input_max=float("nan"), num_bits=8)
    return raises(tf.Session().run, made)


def case_messages(tf):
    many = np.ones([2, 3], "f4")
    rows = [
        (r"^num_bits is out of range: 0 with signed_input_ 1",
         lambda: tf.quantization.quantize_and_dequantize([1.0], 0.0, 2.0, num_bits=0, range_given=True)),
        (r"^num_bits is out of range: 70 with signed_input_ 0", lambda: tf.quantization.quantize_and_dequantize(
            [1.0], 0.0, 2.0, signed_input=False, num_bits=70, range_given=True)),
        (r"^Dimensions must be equal, but are 3 and 2 for",
         lambda: tf.quantization.fake_quant_with_min_max_vars_per_channel(many, [0.0, 0.0], [1.0, 2.0])),
        (r"^min has incorrect size, expected 3 was 2", lambda: tf.quantization.fake_quant_with_min_max_vars_per_channel(
            tf.placeholder_with_default(many, None), [0.0, 0.0], [1.0, 2.0]))
    ]

    def attempt(function):
        with tf.Graph().as_default() as graph, tf.Session(graph=graph) as session:
            session.run(function())

    return [says(pattern, attempt, function) for pattern, function in rows]

"""What layers say of the shapes of their outputs, sizes of transposed convolutions, specifications of inputs; cells on inputs of
unknown rank."""
import itertools

import numpy as np
from golden_case import Case, raises

SHAPES = [(), (5,), (None, 5), (2, None), (2, 5, 3), (2, None, 3), (None, 6, 5, 3), (2, 6, None, None), (2, 6, 5, 4, 3),
          (2, 6, 5, 4, 3, 7), (2, 0, 3), (2, 1, 1, 3)]
LAYERS = {
    "dense": ("Dense", 4), "conv1d": ("Conv1D", 4, 3), "conv2d": ("Conv2D", 4, 3), "conv3d": ("Conv3D", 4, 3),
    "first": ("Conv2D", 4, 3, 2, "same", "channels_first"), "transposed2d": ("Conv2DTranspose", 4, 3, 2),
    "transposed3d": ("Conv3DTranspose", 4, 3), "separable1d": ("SeparableConv1D", 4, 3),
    "separable2d": ("SeparableConv2D", 4, 3), "max1d": ("MaxPooling1D", 2, 2), "max2d": ("MaxPooling2D", 2, 2),
    "max3d": ("MaxPooling3D", 2, 2), "max_first": ("MaxPooling2D", 2, 2, "valid", "channels_first"),
    "average2d": ("AveragePooling2D", 2, 2), "flatten": ("Flatten",), "dropout": ("Dropout", 0.5),
}


def told(function, *args):
    """The text of what a function returns, or which exception it raises."""
    try:
        return str(function(*args))
    except Exception as error:
        return type(error).__name__


for _name, (_kind, *_args) in LAYERS.items():
    def _case(tf, kind=_kind, args=_args):
        def shape(dims):
            return getattr(tf.layers, kind)(*args).compute_output_shape(dims)

        def signature(dims):
            return getattr(tf.layers, kind)(*args).compute_output_signature(tf.TensorSpec(dims, tf.float16))

        return [[told(shape, dims), told(signature, dims)] for dims in SHAPES + [None]]
    globals()["case_shapes_%s" % _name] = _case


def case_signatures(tf):
    layer = tf.layers.Dense(3, dtype=tf.float64)
    return {
        "dtype": str(layer.compute_output_signature(tf.TensorSpec([2, 5], tf.float32))),
        "list": raises(lambda: layer.compute_output_signature([[2, 5]])),
        "shape": raises(lambda: layer.compute_output_signature(tf.TensorShape([2, 5]))),
        "cell": raises(lambda: tf.nn.rnn_cell.GRUCell(3).compute_output_signature(tf.TensorSpec([2, 5], tf.float32))),
    }


for _padding, _beyond, _strides, _rate in itertools.product(
    ("same", "valid"), (None, 0, 1, (1, 0)), (1, 2, (2, 3)), (1, 2, (1, 2))
):
    def _case(tf, padding=_padding, beyond=_beyond, strides=_strides, rate=_rate):
        def made():
            return tf.layers.Conv2DTranspose(4, 3, strides, padding, output_padding=beyond, dilation_rate=rate)

        return [told(lambda: made().compute_output_shape([2, 5, 6, 3])),
                told(lambda: made().compute_output_shape([None, 3, None, None])),
                told(lambda: sorted((key, made().get_config()[key]) for key in ("dilation_rate", "output_padding")))]
    globals()["case_sizes_%s_%s_%s_%s" % (_padding, _beyond, _strides, _rate)] = _case


def _values(tf, kind, dims, **options):
    x = tf.constant((np.arange(np.prod(dims)) * 37 % 101).reshape(dims) / 50.0 - 1, tf.float32)
    y = getattr(tf.layers, kind)(4, 3, name="given", **options)(x)
    return [y, tf.gradients(y, [x] + tf.trainable_variables())]


def case_dilated(tf):
    return _values(tf, "Conv2DTranspose", [2, 4, 6, 3], dilation_rate=2)


def case_dilated_same(tf):
    return _values(tf, "Conv2DTranspose", [2, 4, 6, 3], dilation_rate=(2, 2), padding="same")


def case_dilated_unknown_sizes(tf):
    x = tf.placeholder(tf.float32, [None, None, None, 2])
    return Case(tf.layers.Conv2DTranspose(3, 3, dilation_rate=2, padding="same")(x), feeds={x: np.ones([1, 4, 4, 2])})


def case_output_padding(tf):
    return _values(tf, "Conv2DTranspose", [2, 4, 5, 3], strides=(2, 3), output_padding=1)


def case_output_padding_same(tf):
    return _values(tf, "Conv2DTranspose", [2, 4, 5, 3], strides=2, output_padding=(0, 1), padding="same")


def case_output_padding_3d(tf):
    return _values(tf, "Conv3DTranspose", [2, 4, 5, 2, 3], strides=2, output_padding=(0, 1, 1), dilation_rate=2)


def case_transposed_refused(tf):
    x = tf.placeholder(tf.float32, [2, 5, 6, 3])
    return {
        "rates": raises(lambda: tf.layers.Conv2DTranspose(4, 3, dilation_rate=(1, 2))(x)),
        "both": raises(lambda: tf.layers.Conv2DTranspose(4, 3, 2, dilation_rate=2)(x)),
        "zero": raises(lambda: tf.layers.Conv2DTranspose(4, 3, dilation_rate=0)(x)),
        "three": raises(lambda: tf.layers.Conv2DTranspose(4, 3, dilation_rate=(1, 2, 3))),
        "stride": raises(lambda: tf.layers.Conv3DTranspose(4, 3, 2, output_padding=2)),
        "text": raises(lambda: tf.layers.Conv2DTranspose(4, 3, 2, output_padding="a")),
    }


def case_input_specs(tf):
    made = tf.layers.InputSpec
    options = [{}, {"dtype": tf.float32}, {"shape": (2, 3)}, {"ndim": 3}, {"max_ndim": 4, "min_ndim": 2}, {"axes": {-1: 3}},
               {"axes": {3: 2}, "ndim": 4}, {"shape": (None, 3), "ndim": 7}]
    return [[str(made(**one)), str(sorted(made(**one).get_config().items())), str(made.from_config(made(**one).get_config()))]
            for one in options]


for _kind in ("BasicRNNCell", "LSTMCell", "GRUCell"):
    def _case(tf, kind=_kind):
        x = tf.placeholder(tf.float32)
        cells = [getattr(tf.nn.rnn_cell, kind)(3) for _ in range(2)]
        return {
            "dynamic": raises(lambda: tf.nn.dynamic_rnn(cells[0], x, dtype=tf.float32)),
            "state": raises(lambda: tf.nn.dynamic_rnn(cells[0], x, [1, 2], cells[0].zero_state(2, tf.float32))),
            "time_major": raises(lambda: tf.nn.dynamic_rnn(cells[0], x, dtype=tf.float32, time_major=True)),
            "both": raises(lambda: tf.nn.bidirectional_dynamic_rnn(cells[0], cells[1], x, dtype=tf.float32)),
            "static": raises(lambda: tf.nn.static_rnn(cells[0], [tf.placeholder(tf.float32, [2])], dtype=tf.float32)),
        }
    globals()["case_unknown_rank_%s" % _kind] = _case


def case_wrapper_of_config(tf):
    cell = tf.nn.rnn_cell.GRUCell(3)
    config = dict(tf.nn.rnn_cell.ResidualWrapper(cell).get_config(), cell=cell)
    return type(tf.nn.rnn_cell.ResidualWrapper.from_config(config, custom_objects={"a": 1})).__name__

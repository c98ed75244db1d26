"""Convolution and pooling layers: every rank, format, padding, stride, dilation, bias, regularizer; gradients; unknown sizes; errors."""
import numpy as np
from golden_case import Case, raises

KINDS = {"conv1d": 1, "conv2d": 2, "conv3d": 3, "separable_conv1d": 1, "separable_conv2d": 2, "conv2d_transpose": 2, "conv3d_transpose": 3}
POOLS = {"max_pooling1d": 1, "max_pooling2d": 2, "max_pooling3d": 3, "average_pooling1d": 1, "average_pooling2d": 2, "average_pooling3d": 3}
SIZES = (7, 6, 5)
CLASSES = {"conv1d": "Conv1D", "conv2d": "Conv2D", "conv3d": "Conv3D", "separable_conv1d": "SeparableConv1D", "separable_conv2d": "SeparableConv2D", "conv2d_transpose": "Conv2DTranspose", "conv3d_transpose": "Conv3DTranspose"}


def data(rank, channels=2, batch=2, first=False):
    shape = [batch] + ([channels] if first else []) + list(SIZES[:rank]) + ([] if first else [channels])
    return (np.arange(np.prod(shape)) * 37 % 101).reshape(shape) / 50.0 - 1


def names(variables):
    return [v.name for v in variables]


for _name, _rank in KINDS.items():
    for _padding in ["valid", "SAME"] + (["causal"] if _name in ("conv1d", "separable_conv1d") else []):
        for _strides in (1, 2):
            def _case(tf, name=_name, rank=_rank, padding=_padding, strides=_strides):
                x = tf.placeholder(tf.float32, [None] + list(SIZES[:rank]) + [2])
                y = getattr(tf.layers, name)(x, 3, 3, strides=strides, padding=padding, name="given")
                return Case([y, tf.gradients(y, [x] + tf.trainable_variables()), names(tf.global_variables())], feeds={x: data(rank)})
            globals()["case_%s_%s_%d" % (_name, _padding.lower(), _strides)] = _case

    def _case(tf, name=_name, rank=_rank):
        x = tf.placeholder(tf.float32, [None] * (rank + 1) + [2])
        y = getattr(tf.layers, name)(x, 3, 2, padding="same", activation=tf.nn.relu)
        z = getattr(tf.layers, name)(y, 2, 1, use_bias=False)
        return Case([y, z, tf.gradients(z, x)], feeds={x: data(rank)})
    globals()["case_%s_unknown_sizes" % _name] = _case

    def _case(tf, name=_name, rank=_rank):
        x = tf.constant(data(rank), tf.float32)
        y = getattr(tf.layers, name)(x, 4, [2] * rank, strides=[1] * rank, use_bias=False, trainable=False)
        other = getattr(tf.layers, name)(x, 4, 2, bias_initializer=tf.ones_initializer(), activation="tanh", name="other")
        return [y, other, names(tf.trainable_variables()), names(tf.global_variables())]
    globals()["case_%s_plain" % _name] = _case

    def _case(tf, name=_name, rank=_rank):
        x = tf.constant(data(rank), tf.float32)
        function = getattr(tf.layers, name)
        with tf.variable_scope("s"):
            y = [function(x, 3, 2, name="c"), function(x, 3, 2, name="c", reuse=True), function(x, 3, 2), function(x, 3, 2)]
        with tf.variable_scope("s", reuse=True):
            y += [function(x, 3, 2, name="c"), function(x, 3, 2)]
        with tf.variable_scope("t", reuse=tf.AUTO_REUSE):
            y += [function(x, 3, 2), function(x, 3, 2, name="c"), function(x, 3, 2, name="c")]
        return [y, names(tf.global_variables())]
    globals()["case_%s_reuse" % _name] = _case

    def _case(tf, name=_name, rank=_rank):
        x = tf.constant(data(rank), tf.float32)
        r = lambda f: (lambda v: f * tf.reduce_sum(v))
        if name.startswith("separable"):
            more = dict(depthwise_regularizer=r(0.5), pointwise_regularizer=r(2.0), depthwise_constraint=tf.nn.relu, pointwise_constraint=tf.abs, depthwise_initializer=tf.ones_initializer(), pointwise_initializer="ones", depth_multiplier=2)
        else:
            more = dict(kernel_regularizer=r(0.5), kernel_constraint=tf.nn.relu, kernel_initializer=tf.ones_initializer())
        layer = getattr(tf.layers, CLASSES[name])(2, 2, bias_regularizer=tf.nn.l2_loss, activity_regularizer=tf.nn.l2_loss, bias_constraint=tf.abs, **more)
        y = [layer(x), layer(2 * x)]
        return [y, layer.losses, tf.losses.get_regularization_losses(), names(layer.weights), layer.count_params(), [v.constraint is not None for v in layer.weights], layer.get_losses_for(x), layer.input_spec.axes, repr(layer.input_spec)]
    globals()["case_%s_regularized" % _name] = _case

    def _case(tf, name=_name, rank=_rank):
        y = []
        for kind in ("float16", "float64"):
            x = tf.constant(data(rank), kind)
            y.append(getattr(tf.layers, name)(x, 2, 2))
        return Case(y, graph_only=True)
    globals()["case_%s_dtypes" % _name] = _case

    def _case(tf, name=_name, rank=_rank):
        function = getattr(tf.layers, name)
        with tf.Graph().as_default():  # in its first such graph the original also leaves ops by which it looks for GPUs
            function(tf.zeros([1, 2] + list(SIZES[:rank])), 3, 2, data_format="channels_first")
        x = tf.placeholder(tf.float32, [None, 2] + list(SIZES[:rank]))
        y = [function(x, 3, 2, data_format="channels_first"), function(x, 3, 2, strides=2, padding="same", data_format="channels_first", activation=tf.nn.relu), function(x, 3, 2, data_format="channels_first", use_bias=False),
             function(tf.placeholder(tf.float32, [None, 2] + [None] * rank), 3, 2, data_format="channels_first")]
        return Case([y, tf.gradients(y[0], x)], graph_only=True)
    globals()["case_%s_channels_first" % _name] = _case

    def _case(tf, name=_name, rank=_rank):
        f = getattr(tf.layers, name)
        p = lambda *s: tf.placeholder(tf.float32, list(s))
        x = p(*([None] + list(SIZES[:rank]) + [2]))
        return [raises(f, p(*([1] * (rank + 1))), 2, 2), raises(f, p(*([None] * (rank + 2))), 2, 2), raises(f, tf.placeholder(tf.float32), 2, 2), raises(f, x, 2, [2] * (rank + 1)), raises(f, x, 2, "a"), raises(f, x, 2, [None] * rank), raises(f, x, 2, 2, strides=[1] * (rank + 1)),
                raises(f, x, 2, 2, strides=None), raises(f, x, 2, 2, padding="full"), raises(f, x, 2, 2, padding=None), raises(f, x, 2, 2, data_format="NHWC"), raises(f, x, 2, 2, activation="nothing"), raises(f, x, 2, 2, activation=3), raises(f, x, 2, 2, name="x", reuse=True), raises(f, x, 2, 0),
                raises(f, x, 2, 2, strides=0), raises(f, x, 0, 2), raises(f, x, -1, 2), raises(f, x, 2, 9), raises(f, x, 2), raises(f, x, None, 2), raises(f, tf.cast(x, tf.int32), 2, 2), raises(f, x, 2.5, 2), raises(f, x, "a", 2)]
    globals()["case_%s_refused" % _name] = _case

    def _case(tf, name=_name, rank=_rank):
        x = tf.constant(data(rank), tf.float32)
        layer = getattr(tf.layers, CLASSES[name])(2, 2)
        layer(x)
        other = tf.placeholder(tf.float32, [None] + list(SIZES[:rank]) + [3])
        return [raises(layer, other), raises(layer, x[0]), layer(x + 1.0), layer.compute_output_shape(x.shape)]
    globals()["case_%s_other_inputs" % _name] = _case

    def _case(tf, name=_name, rank=_rank):
        function = getattr(tf.layers, name)
        with tf.variable_scope("r", use_resource=True):
            x = tf.constant(data(rank), tf.float32)
            y = [function(x, 2, 2), function(x, 2, 2, padding="same", use_bias=False)] + ([function(x, 2, 2, dilation_rate=2)] if "transpose" not in name else [])
        return Case([y, tf.gradients(y, tf.trainable_variables())])
    globals()["case_%s_resources" % _name] = _case

    if "transpose" not in _name:
        def _case(tf, name=_name, rank=_rank):
            x = tf.placeholder(tf.float32, [None] + list(SIZES[:rank]) + [2])
            function = getattr(tf.layers, name)
            y = [function(x, 3, 2, dilation_rate=2), function(x, 3, 2, dilation_rate=[2] + [1] * (rank - 1), padding="same"), function(x, 3, 3, dilation_rate=2, padding="same", use_bias=False)]
            return Case([y, tf.gradients(y, x), raises(function, x, 2, 2, strides=2, dilation_rate=2), raises(function, x, 2, 2, dilation_rate=[1] * (rank + 1)), raises(function, x, 2, 2, dilation_rate=0)], feeds={x: data(rank)})
        globals()["case_%s_dilated" % _name] = _case


def case_causal(tf):
    x = tf.placeholder(tf.float32, [None, None, 2])
    y = [tf.layers.conv1d(x, 3, 3, padding="causal", dilation_rate=d, strides=s) for d, s in ((1, 1), (2, 1), (1, 2), (3, 1))]
    y += [tf.layers.separable_conv1d(x, 3, 3, padding="causal", dilation_rate=d) for d in (1, 2)]
    return Case([y, raises(tf.layers.Conv2D, 2, 2, padding="causal"), raises(tf.layers.Conv3D, 2, 2, padding="causal"), raises(tf.layers.Conv2DTranspose, 2, 2, padding="causal"), raises(tf.layers.SeparableConv2D, 2, 2, padding="causal"), raises(tf.layers.MaxPooling1D, 2, 2, padding="causal")], feeds={x: data(1)})


def case_depth_multipliers(tf):
    x, one = tf.constant(data(2), tf.float32), tf.constant(data(1), tf.float32)
    y = [tf.layers.separable_conv2d(x, 3, (3, 2), depth_multiplier=m) for m in (1, 3)] + [tf.layers.separable_conv1d(one, 3, 2, depth_multiplier=m, strides=2) for m in (1, 3)]
    return [y, [v.shape for v in tf.global_variables()]]


def case_partitioned(tf):
    with tf.variable_scope("s", partitioner=tf.fixed_size_partitioner(2, axis=3)):
        y = tf.layers.conv2d(tf.constant(data(2), tf.float32), 4, 2, use_bias=False)
    return [y, names(tf.global_variables())]


def case_from_scope(tf):
    with tf.variable_scope("s", initializer=tf.ones_initializer(), regularizer=tf.nn.l2_loss, use_resource=True):
        y = tf.layers.conv2d(tf.constant(data(2), tf.float32), 2, 2)
    return [y, tf.losses.get_regularization_losses()]


def case_custom_getter(tf):
    seen = []

    def getter(getter, name, *args, **kwargs):
        seen.append(name)
        return 2.0 * getter(name, *args, **kwargs)

    with tf.variable_scope("s", custom_getter=getter):
        y = [tf.layers.conv1d(tf.constant(data(1), tf.float32), 2, 2), tf.layers.dense(tf.ones([1, 2]), 2, kernel_initializer=tf.ones_initializer(), bias_initializer=tf.ones_initializer())]
    return [y, seen]


for _name, _rank in POOLS.items():
    for _padding in ("valid", "SAME"):
        def _case(tf, name=_name, rank=_rank, padding=_padding):
            x = tf.placeholder(tf.float32, [None] + list(SIZES[:rank]) + [2])
            function = getattr(tf.layers, name)
            y = [function(x, 2, 2, padding=padding), function(x, 3, 1, padding=padding, name="given"), function(x, [2] * rank, [1] * rank, padding)]
            return Case([y, tf.gradients(y, x)], feeds={x: data(rank)})
        globals()["case_%s_%s" % (_name, _padding.lower())] = _case

    def _case(tf, name=_name, rank=_rank):
        x = tf.placeholder(tf.float32, [None] * (rank + 1) + [2])
        return Case(getattr(tf.layers, name)(x, 2, 3), feeds={x: data(rank)})
    globals()["case_%s_unknown" % _name] = _case

    def _case(tf, name=_name, rank=_rank):
        x = tf.placeholder(tf.float32, [None, 2] + list(SIZES[:rank]))
        function = getattr(tf.layers, name)
        return Case([function(x, 2, 2, data_format="channels_first"), function(x, 2, 1, "same", "channels_first")], graph_only=True)
    globals()["case_%s_channels_first" % _name] = _case

    def _case(tf, name=_name, rank=_rank):
        f = getattr(tf.layers, name)
        x = tf.placeholder(tf.float32, [None] + list(SIZES[:rank]) + [2])
        return [raises(f, x[0], 2, 2), raises(f, tf.placeholder(tf.float32), 2, 2), raises(f, x, [2] * (rank + 1), 2), raises(f, x, 2, [2] * (rank + 1)), raises(f, x, 2, 2, padding="full"), raises(f, x, 2, 2, data_format="x"), raises(f, x, 2), raises(f, x, "a", 1), raises(f, x, 9, 1), raises(f, x, 0, 1),
                raises(f, x, 2, 0), raises(f, x, 2, None), raises(f, x, 2, 2, padding="causal"), raises(f, x, 2, 2, padding=3)]
    globals()["case_%s_refused" % _name] = _case

    def _case(tf, name=_name, rank=_rank):
        y = [getattr(tf.layers, name)(tf.constant(data(rank), kind), 2, 2) for kind in ("float64", "float16")]
        y.append(getattr(tf.layers, name)(data(rank), 2, 2))
        return Case(y, graph_only=True)
    globals()["case_%s_dtypes" % _name] = _case


def case_pool_names(tf):
    x = tf.constant(data(2), tf.float32)
    l = tf.layers
    with tf.variable_scope("s"):
        y = [l.max_pooling2d(x, 2, 2), l.max_pooling2d(x, 2, 2), l.average_pooling2d(x, 2, 2, name="p"), l.average_pooling2d(x, 2, 2, name="p")]
    with tf.name_scope("n"):
        y += [l.max_pooling2d(x, 2, 2), l.average_pooling2d(x, 2, 2, name="p")]
    return y

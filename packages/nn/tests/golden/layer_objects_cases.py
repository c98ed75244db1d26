"""The layer itself: calls, losses, updates, specifications of inputs, copies, configurations, subclasses."""
import copy

import numpy as np
from golden_case import Case, raises, says


def names(variables):
    return [v.name for v in variables]


def case_properties(tf):
    a, b = tf.layers.Layer(name="my_layer"), tf.layers.Layer(name="my_layer", trainable=False)
    return [a.name, a.variables, a.trainable_variables, a.non_trainable_variables, a.updates, a.losses, a.built, a.trainable, b.trainable, a.dtype, a.stateful, a.dynamic, a.graph, a.weights, a.input_spec, a.activity_regularizer, a.metrics]


def case_deep_copy(tf):
    class Holder(tf.layers.Layer):
        def call(self, x):
            return x

    layer = Holder(name="my_layer")
    layer._private_tensor = tf.constant(1.0)
    layer.apply(tf.zeros([5]))
    found = copy.deepcopy(layer)
    return [found.name == layer.name, found.scope_name == layer.scope_name, found._private_tensor is layer._private_tensor, found is layer]


def case_several_inputs(tf):
    class Sum(tf.layers.Layer):
        def build(self, shapes):
            self.seen = [tf.TensorShape(s).as_list() for s in (shapes.values() if isinstance(shapes, dict) else shapes)]
            self.built = True

        def call(self, xs):
            if isinstance(xs, dict):
                return {"l" + key: xs[key] for key in sorted(xs)}
            return sum(xs[1:], xs[0])

    a, b = tf.zeros([2]), tf.ones([1, 2])
    one, two, three = Sum(), Sum(), Sum()
    y = [one([a, b]), two((a, b)), three({"x": a, "y": b})]
    return [y, one.seen, two.seen, three.seen]


SPECS = {"ndim": dict(ndim=2), "min_ndim": dict(min_ndim=2), "max_ndim": dict(max_ndim=2), "dtype": dict(dtype="float32"), "axes": dict(axes={-1: 2}), "shape": dict(shape=(None, 3)), "both": dict(min_ndim=2, axes={1: 2}), "range": dict(min_ndim=1, max_ndim=2)}
for _name, _spec in SPECS.items():
    def _case(tf, spec=_spec):
        class Checked(tf.layers.Layer):
            def __init__(self):
                super(Checked, self).__init__()
                self.input_spec = tf.layers.InputSpec(**spec)

            def call(self, x):
                return x

        inputs = [tf.placeholder(tf.float32), tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [2, 3]), tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.int32, [None, 2]), tf.placeholder(tf.float32, [2, None, 2]),
                  tf.placeholder(tf.float32, [None, None]), np.zeros([2, 3]), 3.0]
        return [raises(Checked(), x) for x in inputs] + [raises(Checked(), inputs[:2])]
    globals()["case_spec_" + _name] = _case


def case_spec_fields(tf):
    s = tf.layers.InputSpec
    made = [s(), s(dtype=tf.float32), s(shape=(2, None)), s(ndim=3), s(min_ndim=1, max_ndim=4), s(min_ndim=2, axes={-1: 3, "1": 4}), s(dtype="int32", shape=[1, 2], axes={1: 2})]
    return [[[m.dtype, m.shape, m.ndim, m.max_ndim, m.min_ndim, m.axes] for m in made], [repr(m) for m in made], raises(s, ndim=2, axes={3: 1}), raises(s, max_ndim=1, axes={1: 1}), raises(s, axes={"a": 1}), raises(s, axes=[1]), raises(s, dtype="foo"), raises(s, foo=1)]


def case_losses_and_updates(tf):
    class Own(tf.layers.Layer):
        def build(self, shape):
            self.n = self.add_weight("n", [], initializer=tf.zeros_initializer(), trainable=False)
            self.built = True

        def call(self, x):
            self.add_loss(tf.reduce_sum(x), inputs=True)
            self.add_loss([tf.constant(1.0), 2.0])
            self.add_update(tf.assign_add(self.n, 1.0), inputs=True)
            self.add_update([tf.assign_add(self.n, 2.0)])
            return x + 1.0

    own = Own(name="own")
    a, b = tf.constant([1.0]), tf.constant([2.0])
    y, z = own(a), own(b)
    return [y, z, own.losses, own.updates, own.get_losses_for(a), own.get_losses_for(b), own.get_losses_for(None), own.get_updates_for(a), own.get_updates_for(None), tf.get_collection("update_ops"), tf.losses.get_regularization_losses()]


def case_updates_for(tf):
    class Own(tf.layers.Layer):
        def call(self, x):
            return x

    a = tf.constant([1.0])
    own = Own(name="own")
    v = tf.get_variable("v", initializer=[0.0])
    own.apply(a)
    own.add_update(tf.assign_add(v, a), inputs=[a])
    own.add_update(tf.assign_add(v, [2.0]))
    own.add_loss(tf.reduce_sum(a), inputs=[a])
    own.add_loss(tf.constant(3.0), inputs=None)
    own.add_loss(lambda: tf.constant(4.0))
    return [len(own.get_updates_for([a])), len(own.get_updates_for(None)), len(own.get_losses_for([a])), len(own.get_losses_for(None)), len(own.updates), len(own.losses)]


def case_untrained_updates(tf):
    layer = tf.layers.BatchNormalization(trainable=False)
    layer(tf.ones([2, 3]), training=True)
    other = tf.layers.BatchNormalization()
    other(tf.ones([2, 3]), training=True)
    before = len(other.updates)
    other.trainable = False
    return [len(layer.updates), before, len(other.updates), names(other.trainable_weights), names(other.non_trainable_weights), names(other.weights)]


def case_activity_regularizer(tf):
    regularizer = lambda x: 0.5 * tf.reduce_sum(x)
    x = tf.placeholder(tf.float32, [None, 2])
    layer = tf.layers.Layer(activity_regularizer=regularizer)
    dense = tf.layers.Dense(2, kernel_initializer=tf.ones_initializer(), activity_regularizer=regularizer, name="d")
    conv = tf.layers.Conv1D(2, 1, kernel_initializer=tf.ones_initializer(), activity_regularizer=regularizer)
    y = [layer(x), dense(x), dense(2 * x), conv(tf.expand_dims(x, 0))]
    layer.activity_regularizer = None
    return Case([y, layer(x), layer.losses, dense.losses, conv.losses, tf.losses.get_regularization_losses(), dense.get_losses_for(x)], feeds={x: [[1.0, 2.0], [3.0, 4.0]]})


def case_graph(tf):
    a, b = tf.layers.Dense(2), tf.layers.Dense(2)
    a(tf.zeros([1, 3]))
    return [a.graph is tf.get_default_graph(), b.graph, a.name, b.name]


def case_another_graph(tf):
    layer = tf.layers.Dense(2)
    layer(tf.zeros([1, 3]))
    with tf.Graph().as_default():
        return raises(layer, tf.zeros([1, 3]))


def case_casts(tf):
    made = [tf.layers.Dense(2, dtype=k) for k in ("float16", tf.float32, tf.float64, np.float64, None)]
    y = [layer(tf.zeros([1, 3])) for layer in made]
    return [y, [layer.dtype for layer in made], [layer.kernel.dtype for layer in made]]


def case_int64_layer(tf):
    layer = tf.layers.Layer(name="my_layer", dtype="int64")
    layer.add_weight("my_var", [2, 2])
    return [layer.name, layer.dtype, layer.weights]


def case_configurations(tf):
    l = tf.layers
    made = [l.Layer(name="a"), l.Layer(trainable=False, dtype=tf.float64), l.Dense(3, activation=tf.nn.relu, use_bias=False), l.Dense(2, activation="tanh", kernel_initializer=tf.initializers.ones()), l.Conv2D(3, 2, activation=None), l.Conv1D(3, [2], padding="SAME"), l.Conv3D(2, 1),
            l.Conv2DTranspose(2, 3), l.Conv3DTranspose(2, 3), l.SeparableConv1D(2, 3), l.SeparableConv2D(2, 3), l.MaxPooling1D(2, 2), l.MaxPooling2D(2, 2), l.MaxPooling3D(2, 2), l.AveragePooling1D(2, 1), l.AveragePooling2D(2, 1), l.AveragePooling3D(2, 1), l.Dropout(0.3, seed=3),
            l.Flatten(), l.BatchNormalization(), l.BatchNormalization(axis=1, momentum=0.5, center=False, renorm=True)]
    found = []
    for layer in made:
        try:
            config = layer.get_config()
            found.append([(key, config[key]) if not isinstance(config[key], dict) else (key, sorted(config[key].items(), key=str)) for key in sorted(config)])
        except Exception as error:
            found.append(type(error).__name__)
    return found


def case_from_configuration(tf):
    l = tf.layers
    dense = l.Dense.from_config(l.Dense(3, activation=tf.nn.relu, use_bias=False, name="d").get_config())
    pool = l.MaxPooling2D.from_config(l.MaxPooling2D(2, 3, name="p").get_config())
    drop = l.Dropout.from_config(l.Dropout(0.25).get_config())
    flat = l.Flatten.from_config(l.Flatten().get_config())
    return [dense.units, dense.use_bias, dense.name, dense.activation is tf.nn.relu, pool.pool_size, pool.strides, pool.name, drop.rate, flat.data_format, dense(tf.ones([1, 2]))]


def case_attributes(tf):
    l = tf.layers
    d = l.Dense(2, activation=tf.nn.relu, name="my_dense")
    c = l.Conv2D(2, [2, 3], strides=2, padding="SAME", dilation_rate=1, data_format="channels_last")
    b = l.BatchNormalization(axis=1)
    p = l.MaxPooling2D(2, (2, 1), padding="SAME")
    t, s = l.Conv2DTranspose(2, 3), l.SeparableConv2D(2, 3)
    return [d.units, d.activation is tf.nn.relu, d.kernel_regularizer, d.bias_regularizer, d.activity_regularizer, d.use_bias, d.kernel_constraint, d.kernel_initializer, d.bias_initializer, d.stateful, d.supports_masking, c.kernel_size, c.strides, c.padding, c.dilation_rate, c.data_format, c.rank, c.filters,
            c.kernel_initializer, c.bias_initializer, b.axis, b.momentum, b.epsilon, b.center, b.scale, b.fused, b.renorm, b.gamma_initializer, b.beta_initializer, b.moving_mean_initializer, b.virtual_batch_size, p.pool_size, p.strides, p.padding, p.data_format, t.filters, t.kernel_size, s.depth_multiplier,
            s.depthwise_initializer, l.Dropout(0.4).rate, l.Flatten().data_format, repr(d.input_spec), repr(c.input_spec), repr(p.input_spec), repr(l.Flatten().input_spec), repr(s.input_spec)]


def case_nested(tf):
    class Block(tf.layers.Layer):
        def __init__(self, **kwargs):
            super(Block, self).__init__(**kwargs)
            self.first = tf.layers.Dense(3, kernel_regularizer=tf.nn.l2_loss, name="first")
            self.norm = tf.layers.BatchNormalization(name="norm")
            self.rest = [tf.layers.Dense(2, name="a"), tf.layers.Dense(1, name="b")]

        def call(self, x, training=False):
            x = self.norm(self.first(x), training=training)
            for layer in self.rest:
                x = layer(x)
            return x

    block = Block(name="block")
    y = block(tf.ones([4, 2]), training=True)
    found = [names(block.weights), names(block.trainable_weights), names(block.non_trainable_weights), len(block.losses), len(block.updates), names(tf.global_variables())]
    block.trainable = False
    return [y, found, names(block.trainable_weights), names(block.non_trainable_weights), block.first.trainable, len(tf.get_collection("update_ops")), len(tf.losses.get_regularization_losses()), block.count_params()]


def case_masks(tf):
    layer = tf.layers.Dense(2)
    return [layer.compute_mask(tf.ones([1, 2])), raises(layer.compute_mask, tf.ones([1, 2]), tf.ones([1])), layer.supports_masking]


def case_output_shapes(tf):
    class Own(tf.layers.Layer):
        pass

    l = tf.layers
    return [raises(Own().compute_output_shape, [1, 2]), l.Dense(3).compute_output_shape((None, 4)), l.Dense(3).compute_output_shape(tf.TensorShape([2, None, 4])), raises(l.Dense(3).compute_output_shape, (None, None)), raises(l.Dense(3).compute_output_shape, (4,)),
            l.Flatten().compute_output_shape((None, 2, 3)), l.Flatten().compute_output_shape((2, None, 3)), l.Flatten().compute_output_shape((3,)), l.Flatten().compute_output_shape((None, 0, 3)), l.Dropout(0.5).compute_output_shape(tf.TensorShape([1, 2])), l.BatchNormalization().compute_output_shape((None, 3)),
            l.Conv1D(3, 3, strides=2, padding="same").compute_output_shape([2, 7, 1]), l.Conv2D(3, 3, dilation_rate=2).compute_output_shape([2, 9, None, 1]), l.Conv2D(3, 3, data_format="channels_first").compute_output_shape([2, 1, 9, 8]), l.Conv3D(2, 2, strides=(1, 2, 3)).compute_output_shape((None, 5, 6, 7, 1)),
            l.Conv2DTranspose(2, 3, strides=2, padding="same").compute_output_shape((1, 4, None, 3)), l.Conv2DTranspose(2, 3, data_format="channels_first").compute_output_shape((1, 3, 4, 4)), l.Conv3DTranspose(2, (2, 3, 4), strides=(1, 2, 2)).compute_output_shape((1, 2, 3, 4, 1)),
            l.SeparableConv2D(4, 3, strides=2).compute_output_shape((None, 7, 7, 3)), l.SeparableConv1D(4, 3, padding="same").compute_output_shape((None, 7, 3)), l.MaxPooling1D(2, 2).compute_output_shape((None, 7, 3)), l.MaxPooling1D(2, 2, data_format="channels_first").compute_output_shape((None, 3, 7)),
            l.AveragePooling2D(2, 3, padding="same").compute_output_shape((None, 7, 8, 3)), l.AveragePooling3D(2, 2).compute_output_shape((None, 7, 8, 9, 3)), l.MaxPooling3D(2, 2, data_format="channels_first").compute_output_shape((1, 3, 7, 8, 9))]


def case_callable(tf):
    layer = tf.layers.Dense(2, kernel_initializer=tf.ones_initializer())
    return [layer([[1.0, 2.0]]), layer(np.ones([3, 2])), layer(tf.Variable([[1.0, 1.0]]), ), raises(layer), raises(layer, None), raises(layer, "a")]


def case_sparse_dense(tf):
    x = tf.SparseTensor([[0, 1], [1, 0]], [2.0, 3.0], [2, 3])
    return raises(tf.layers.Dense(2), x)


def case_keras_style(tf):
    with tf.layers.experimental.keras_style_scope():
        a = tf.layers.Dense(3, name="d")
        b = tf.layers.Dense(3)
        y = [a(tf.ones([1, 2])), a(tf.ones([1, 2])), b(tf.ones([1, 2]))]
        with tf.variable_scope("vs"):
            y.append(tf.layers.Dense(2, name="e")(tf.ones([1, 2])))
        z = [raises(tf.layers.dense, tf.ones([1, 2]), 2), raises(tf.layers.dense, tf.ones([1, 2]), 2, name="x"), raises(tf.layers.Dense, 2, _reuse=True), raises(tf.layers.Dense, 2, _scope="s")]
    c = tf.layers.Dense(3, name="after")
    return [y, z, c(tf.ones([1, 2])), names(a.weights), names(b.weights), names(tf.global_variables()), len(tf.trainable_variables()), a.name, b.name, raises(lambda: a.scope_name)]


def case_keras_style_graph(tf):
    with tf.layers.experimental.keras_style_scope():
        a, b = tf.layers.Dense(3, name="d", kernel_regularizer=tf.nn.l2_loss), tf.layers.BatchNormalization(name="n")
        with tf.name_scope("outer"):
            y = [b(a(tf.ones([1, 2])), training=True), a(tf.zeros([1, 2]))]
        v = tf.layers.Layer(name="plain")
        with tf.name_scope("foo"):
            w = v.add_weight("my_var", [2, 2], initializer=tf.zeros_initializer())
    return [y, names(tf.global_variables()), a.losses, b.updates, tf.get_collection("update_ops"), tf.losses.get_regularization_losses(), w]


def case_keras_style_unset(tf):
    a = tf.layers.Dense(2)
    with tf.layers.experimental.keras_style_scope():
        with tf.layers.experimental.keras_style_scope():
            b = tf.layers.Dense(2)
        c = tf.layers.Dense(2)
    d = tf.layers.Dense(2)
    for layer in (a, b, c, d):
        layer(tf.ones([1, 1]))
    return [names(layer.weights) for layer in (a, b, c, d)]


def case_keras_style_set(tf):
    with tf.layers.experimental.keras_style_scope():  # which takes back at its end what is set inside
        tf.layers.experimental.set_keras_style()
        a = tf.layers.Dense(2, name="q")
        a(tf.ones([1, 1]))
    b = tf.layers.Dense(2, name="q")
    b(tf.ones([1, 1]))
    return names(a.weights + b.weights)


def case_metrics_of_layers(tf):
    return tf.layers.Layer(name="l").metrics


def _measured(tf, kind):
    class Measured(tf.layers.Layer):
        def call(self, inputs):
            if kind == "unaggregated":
                self.add_metric(inputs, name="total")
            elif kind == "unnamed":
                self.add_metric(inputs, aggregation="mean")
            elif kind == "sum":
                self.add_metric(inputs, aggregation="sum", name="total")
            else:
                self.add_metric(inputs, name="total", aggregation="mean")
                self.add_metric(tf.cast(inputs, tf.int32), "mean", "other")
                self.add_metric(inputs + 1, "mean", "total")
            return inputs * 2
    return Measured()


def case_add_metric(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    layer = _measured(tf, "mean")
    y, z = layer(x), layer(tf.zeros([3, 2]))
    metric, other = layer.metrics
    start = [v.initializer for v in metric.variables + other.variables]
    facts = [metric.name, other.name, metric.dtype, [v.name for v in metric.variables], [op.name for op in metric.updates], len(layer.variables), layer.updates,
             metric.total.trainable, type(metric)]
    result = metric.result()
    updates = [metric.updates[0]]
    return Case(runs=[[start, facts], [updates, y], result, [updates, y], result, z], feeds={x: [[1.0, 2.0], [3.0, 6.0]]})


def case_add_metric_late(tf):
    layer = tf.layers.Dense(2)
    value = tf.constant([1.0, 3.0], tf.float64)
    before = len(layer.metrics)
    layer.add_metric(value, "mean", "late")
    return [before, layer.metrics[0].name, layer.metrics[0].dtype, [v.name for v in layer.metrics[0].weights]]


def case_add_metric_refused(tf):
    x = tf.constant([[1.0]])
    return [raises(_measured(tf, kind), x) for kind in ("unaggregated", "unnamed", "sum")] + [raises(tf.layers.Dense(1).add_metric, x)]


def case_messages(tf):
    new = tf.layers.Dense(2, name="new")
    return [
        says("the layer isn't built. You can build it manually via: `new.build\\(batch_input_shape\\)`", new.count_params),
        says("has not been used yet. The scope name", lambda: new.scope_name),
        says("Synchronization value can be set to VariableSynchronization.ON_READ only for non-trainable variables",
             new.add_weight, "w", [1], synchronization=tf.VariableSynchronization.ON_READ, trainable=True),
    ]


def case_modules(tf):
    class Outer(tf.layers.Layer):
        def __init__(self):
            super(Outer, self).__init__(name="outer")
            self.first, self.others, self.module = tf.layers.Dense(2), [tf.layers.Dense(3)], tf.Module(name="m")

    outer = Outer()
    return [isinstance(outer, tf.Module), [part.name for part in outer.submodules], raises(lambda: outer.name_scope)]


def case_calls_that_are_not_recorded(tf):
    layer = tf.layers.Dense(2)
    layer(tf.ones([2, 3]))
    kinds = {"input": "input", "output": "output", "input_shape": "input shape", "output_shape": "output shape", "input_mask": "input", "output_mask": "output"}
    return [says("has no defined %s.$" % what, getattr(layer, "get_%s_at" % kind), 0) for kind, what in sorted(kinds.items())]


def case_kinds_without_initializers(tf):
    layer = tf.layers.Layer(name="x")
    return [says("An initializer for variable v of type <dtype: '%s'> is required for layer x" % kind, layer.add_weight, "v", [2], dtype=kind) for kind in ("string", "complex64", "int32")]

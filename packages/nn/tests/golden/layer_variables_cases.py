"""The variables of layers: names, scopes, reuse, partitions, what is trained."""

import numpy as np
from golden_case import Case, raises


def names(variables):
    return [v.name for v in variables]


def case_default_names(tf):
    class MyOwn(tf.layers.Layer):
        pass

    class HTTPLayer2D(tf.layers.Layer):
        pass

    class _Private(tf.layers.Layer):
        pass

    made = [MyOwn(), MyOwn(), HTTPLayer2D(), _Private(), tf.layers.Layer(), tf.layers.Dense(2), tf.layers.Dense(2), tf.layers.Conv2D(2, 3), tf.layers.MaxPooling1D(2, 2), tf.layers.BatchNormalization(), tf.layers.Conv2DTranspose(2, 2),
            tf.layers.SeparableConv2D(2, 2), tf.layers.AveragePooling3D(2, 2), tf.layers.Flatten(), tf.layers.Dropout(0.5)]
    before = [layer.name for layer in made]
    for layer in made[:5]:
        layer(tf.constant([1.0]))
    return [before, [layer.name for layer in made], [layer.scope_name for layer in made[:5]]]


def case_names_in_another_graph(tf):
    a = tf.layers.Dense(2)
    with tf.Graph().as_default():
        b = tf.layers.Dense(2)
    return [a.name, b.name]


def case_add_weight(tf):
    layer = tf.layers.Layer(name="my_layer")
    a = layer.add_weight("my_var", [2, 2], initializer=tf.zeros_initializer())
    b = layer.add_variable("other", [2], dtype=tf.int32, initializer=tf.ones_initializer(), trainable=False)
    c = layer.add_weight("reg", [2], initializer="ones", regularizer=lambda v: 1e-3 * tf.reduce_sum(v))
    d = layer.add_weight("given", shape=(3,), initializer=tf.constant_initializer(2.0), constraint=tf.nn.relu, dtype=tf.float64)
    e = layer.add_weight("scalar", [])
    f = layer.add_weight("free", shape=[2], initializer="glorot_uniform" if False else tf.initializers.he_normal(seed=1), use_resource=True)
    return [names([a, b, c, d, e, f]), names(layer.variables), names(layer.trainable_variables), names(layer.non_trainable_weights), layer.losses, layer.updates, names(tf.global_variables()), names(tf.trainable_variables()), tf.losses.get_regularization_losses(),
            [v.dtype for v in layer.variables], a, c, d, f, layer.built]


def case_add_weight_again(tf):
    layer = tf.layers.Layer(name="l")
    a = layer.add_weight("v", [2], regularizer=tf.nn.l2_loss)
    layer.built = True
    b = layer.add_weight("v", [2], regularizer=tf.nn.l2_loss)
    return [a is b, names(layer.weights), len(layer.losses), len(tf.losses.get_regularization_losses())]


def case_add_weight_untrained(tf):
    layer = tf.layers.Layer(name="l", trainable=False)
    layer.add_weight("a", [2])
    layer.add_weight("b", [2], trainable=False)
    state = [names(layer.trainable_weights), names(layer.non_trainable_weights), names(tf.trainable_variables())]
    layer.trainable = True
    state += [names(layer.trainable_weights), names(layer.non_trainable_weights), layer.trainable]
    layer.trainable = False
    return state + [names(layer.trainable_weights), names(layer.non_trainable_weights), names(layer.weights)]


def case_add_weight_kinds(tf):
    layer = tf.layers.Layer(name="l")
    kinds = [tf.float32, tf.float16, tf.float64, tf.int32, tf.int64, tf.bool, tf.complex64]
    return [layer.add_weight("v%d" % i, [2], dtype=kind, initializer=None if kind not in (tf.bool, tf.complex64) else tf.zeros_initializer() if kind == tf.bool else tf.ones_initializer()) for i, kind in enumerate(kinds)]


def case_add_weight_refused(tf):
    layer = tf.layers.Layer(name="l")
    layer.add_weight("v", [2])
    s = tf.VariableSynchronization
    return [raises(layer.add_weight, "v", [3]), raises(layer.add_weight, "w", [2], trainable=True, synchronization=s.ON_READ), raises(layer.add_weight, "x", [2], foo=3), raises(layer.add_weight, "y"), raises(layer.add_weight, "z", [2], initializer="nothing"),
            raises(layer.add_weight, "q", [2], dtype="nothing"), raises(layer.add_weight, "r", [None, 2]), raises(tf.layers.Layer, foo=1), raises(tf.layers.Layer, True, "n", tf.float32, 4)]


def case_synchronization(tf):
    layer = tf.layers.Layer(name="l")
    s = tf.VariableSynchronization
    made = [layer.add_weight("a", [2], synchronization=s.ON_READ), layer.add_weight("b", [2], synchronization=s.ON_WRITE, aggregation=tf.VariableAggregation.MEAN), layer.add_weight("c", [2], synchronization=s.NONE), layer.add_weight("d", [2], synchronization=s.ON_READ, trainable=False)]
    return [names(layer.trainable_weights), names(layer.non_trainable_weights), [v.synchronization.name for v in made], [v.aggregation.name for v in made], [v.trainable for v in made]]


def case_partitioned_weights(tf):
    layer, other = tf.layers.Layer(name="l"), tf.layers.Layer(name="m")
    v = layer.add_weight("v", [4, 2], partitioner=tf.fixed_size_partitioner(2), regularizer=tf.nn.l2_loss)
    with tf.variable_scope("s", partitioner=tf.fixed_size_partitioner(3)):
        w = other.add_weight("w", [4, 2])
    return [names(layer.weights), names(other.weights), layer.losses, len(list(v)), tf.convert_to_tensor(w), tf.losses.get_regularization_losses()]


def case_reused_partitions(tf):
    regularizer = lambda v: tf.reduce_sum(v) * 0.0
    partitioner = tf.fixed_size_partitioner(3)
    for reuse in (False, True):
        with tf.variable_scope(tf.get_variable_scope(), partitioner=partitioner, reuse=reuse):
            layer = tf.layers.Layer(name="my_layer")
            layer.add_weight("reg_part_var", [4, 4], initializer=tf.zeros_initializer(), regularizer=regularizer)
    return len(tf.losses.get_regularization_losses())


def case_scope_arguments(tf):
    made = [tf.layers.Layer(_scope="given"), tf.layers.Layer(name="named", _scope="given"), tf.layers.Layer(_reuse=True, name="fresh"), tf.layers.Layer(_reuse=tf.AUTO_REUSE, name="auto")]
    with tf.variable_scope("opened") as scope:
        pass
    made.append(tf.layers.Layer(_scope=scope))
    found = []
    for layer in made:
        try:
            found.append(layer.add_weight("v", [1]).name)
        except ValueError:
            found.append("ValueError")
    return [found, [layer.name for layer in made], [layer.scope_name for layer in made]]


def case_scope_of_a_call(tf):
    class Own(tf.layers.Layer):
        def build(self, shape):
            self.v = self.add_weight("v", [1])
            self.built = True

        def call(self, x, scope=None):
            return x + self.v + len(scope.name)

    own, other = Own(), tf.layers.Dense(2)
    y = [own(tf.zeros([1])), own(tf.ones([1])), other(tf.ones([1, 2]), scope="called"), other.apply(tf.ones([1, 2]))]
    return [y, own.scope_name, other.scope_name, names(own.weights), names(other.weights)]


def case_scope_naming(tf):
    class PrivateLayer(tf.layers.Layer):
        def call(self, x):
            return x

    x = tf.zeros([2])
    default, default_one, named = PrivateLayer(), PrivateLayer(), PrivateLayer(name="name")
    for layer in (default, default_one, named):
        layer.apply(x)
    same = PrivateLayer(name="name")
    same.apply(x)
    found = [layer.scope_name for layer in (default, default_one, named, same)]
    with tf.variable_scope("var_scope"):
        scoped, unscoped = PrivateLayer(), PrivateLayer(name="other")
        scoped.apply(x)
        unscoped.apply(x)
    with tf.variable_scope("var_scope"):
        again = PrivateLayer()
        again.apply(x)
    return [found, scoped.scope_name, unscoped.scope_name, again.scope_name]


def case_name_scopes(tf):
    class Custom(tf.layers.Layer):
        def build(self, shape):
            self.v = self.add_weight("v", [2])
            self.built = True

        def call(self, x):
            with tf.name_scope("inner"):
                return tf.add(x, self.v, name="sum")

    x = tf.zeros([2])
    layer = Custom(name="custom")
    y = [layer(x)]
    with tf.name_scope("outer"):
        y += [layer(x), Custom(name="second")(x)]
    with tf.variable_scope("vs"):
        y += [layer(x), Custom(name="third")(x)]
    with tf.name_scope("ns"), tf.variable_scope("vs"):
        y += [Custom(name="fourth")(x)]
    return [y, names(tf.global_variables())]


def case_own_weights_and_call(tf):
    class Linear(tf.layers.Layer):
        def __init__(self, units, **kwargs):
            super(Linear, self).__init__(**kwargs)
            self.units = units

        def build(self, input_shape):
            self.w = self.add_variable("w", [int(input_shape[-1]), self.units], initializer=tf.ones_initializer(), regularizer=tf.nn.l2_loss)
            self.b = self.add_variable("b", [self.units], initializer=tf.zeros_initializer(), trainable=False)
            super(Linear, self).build(input_shape)

        def call(self, x, training=False, scale=1.0):
            y = tf.matmul(x, self.w) + self.b
            return y * scale if training else y

        def compute_output_shape(self, input_shape):
            return tf.TensorShape(list(input_shape[:-1]) + [self.units])

    x = tf.placeholder(tf.float32, [None, 3])
    layer = Linear(2, name="lin", dtype=tf.float32)
    y = [layer(x), layer(x, training=True, scale=2.0), layer(np.ones([1, 3], np.float32))]
    z = Linear(1)(y[0])
    return Case([y, z, layer.losses, names(layer.weights), layer.count_params(), layer.compute_output_shape([4, 3]), layer.built, layer.dtype, tf.gradients(z, x), tf.losses.get_total_loss()], feeds={x: [[1.0, 2.0, 3.0]]})


def case_initial_weights(tf):
    layer = tf.layers.Dense(2)
    layer(tf.zeros([1, 3]))
    return [raises(lambda: layer.input), raises(lambda: layer.output), raises(lambda: layer.input_shape), raises(lambda: layer.output_shape), raises(layer.get_input_at, 0), raises(layer.get_output_at, 0), raises(layer.get_input_shape_at, 0), raises(layer.get_output_shape_at, 0),
            raises(lambda: layer.input_mask), raises(lambda: layer.output_mask), layer.inbound_nodes, layer.outbound_nodes, layer.count_params(), raises(tf.layers.Dense(2).count_params), raises(lambda: tf.layers.Dense(2).scope_name)]


def case_assigned_variables(tf):
    class Own(tf.layers.Layer):
        def __init__(self):
            super(Own, self).__init__(name="own")
            self.v = tf.Variable([1.0, 2.0], name="mine")
            self.frozen = tf.Variable(3.0, trainable=False, name="frozen")
            self.several = [tf.Variable(1.0, name="s0"), tf.Variable(2.0, name="s1")]

        def call(self, x):
            return x * self.v

    own = Own()
    y = own(tf.ones([2]))
    own.v = own.v
    return [y, names(own.weights), names(own.trainable_weights), names(own.non_trainable_weights)]


def case_deleted_attributes(tf):
    layer = tf.layers.Layer(name="l")
    layer.v = tf.Variable(1.0, name="v")
    layer.d = tf.layers.Dense(2, name="d")
    layer.d(tf.ones([1, 2]))
    before = names(layer.weights)
    del layer.v
    middle = names(layer.weights)
    del layer.d
    return [before, middle, names(layer.weights)]


def case_set_weights(tf):
    layer = tf.layers.Dense(2)
    layer(tf.ones([1, 2]))
    return [raises(layer.set_weights, [np.ones([2, 2])]), raises(layer.set_weights, [np.ones([3, 2]), np.ones([2])])]

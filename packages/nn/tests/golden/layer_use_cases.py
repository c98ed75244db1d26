"""Layers in less common hands: built by hand, with getters, shared by name, with inputs and outputs of other forms."""
import numpy as np
from golden_case import Case


def names(variables):
    return [v.name for v in variables]


def plain(tf, call):
    """An instance of a layer whose `call` is the function given."""
    class Plain(tf.layers.Layer):
        def call(self, x):
            return call(x)
    return Plain


def case_specification_of_another_kind(tf):
    layer = tf.layers.Layer()
    layer.input_spec = 3


def case_specifications_in_a_list(tf):
    layer = tf.layers.Layer()
    layer.input_spec = [tf.layers.InputSpec(ndim=2), None]
    return layer([tf.zeros([1, 2]), tf.zeros([3])])


def case_dtype_of_the_scope(tf):
    with tf.variable_scope("s", dtype=tf.float16):
        layer = tf.layers.Layer()
        return [tf.layers.dense(tf.zeros([1, 2]), 2), layer.add_weight("v", [2]).dtype, layer.dtype, [v.dtype for v in tf.global_variables()]]


def case_dtype_of_the_first_weight(tf):
    layer = tf.layers.Layer()
    layer.add_weight("i", [2], dtype=tf.int32)
    return [layer.dtype, layer.add_weight("j", [2]).dtype, layer.dtype]


def case_dtype_of_the_inputs(tf):
    class Scale(tf.layers.Layer):
        def build(self, shape):
            self.v = self.add_weight("v", [2], initializer=tf.ones_initializer())
            self.built = True

        def call(self, x):
            return x * self.v

    scale, first, text = Scale(), plain(tf, lambda x: x["a"])(), plain(tf, lambda x: x)()
    y = [scale(tf.zeros([2], tf.float64)), scale(tf.ones([2], tf.float64))]
    return [y, scale.dtype, first({"a": tf.zeros([2], tf.float64), "b": tf.zeros([2])}), first.dtype, text(tf.constant("a")), text.dtype]


def case_masks_and_flags(tf):
    class Own(tf.layers.Layer):
        def call(self, x, mask=None, training=None):
            return x + (0.0 if mask is None else 1.0) + (2.0 if training else 0.0)

    own = Own()
    return [own(tf.zeros([1])), own(tf.zeros([1]), mask=tf.ones([1])), own(tf.zeros([1]), None, True), own.apply(tf.zeros([1]), training=True)]


def case_no_outputs(tf):
    return plain(tf, lambda x: None)()(tf.zeros([1]))


def case_several_outputs(tf):
    layer = plain(tf, lambda x: [x, (x * 2.0, {"a": x + 1.0})])(activity_regularizer=tf.nn.l2_loss)
    return [layer(tf.ones([2, 2])), layer.losses]


def case_no_inputs(tf):
    return [plain(tf, lambda x: tf.ones([1]))()([]), plain(tf, lambda x: tf.ones([1]))()(None)]


def case_sparse_inputs(tf):
    return plain(tf, tf.sparse.to_dense)()(tf.SparseTensor([[0, 1]], [1.0], [2, 2]))


def case_inputs_by_keyword(tf):
    return tf.layers.Dense(2)(inputs=tf.ones([1, 2]))


def case_no_initialization(tf):
    class Own(tf.layers.Layer):
        def __init__(self):
            self.own = True

    return Own()(tf.zeros([1]))


def case_built_by_hand(tf):
    dense, named, conv, norm, called = tf.layers.Dense(2), tf.layers.Dense(2, name="foo"), tf.layers.Conv2D(2, 3), tf.layers.BatchNormalization(), tf.layers.Dense(2)
    dense.build([None, 3])
    named.build((2, 3))
    conv.build((None, 5, 5, 3))
    norm.build((2, 3))
    called.build((2, 3))
    state = [[names(layer.weights), layer.built, layer.dtype] for layer in (dense, named, conv, norm, called)]
    return [state, dense(tf.zeros([1, 3])), named(tf.zeros([1, 3])), conv(tf.zeros([1, 6, 6, 3])), norm(tf.zeros([1, 3])), called.call(tf.zeros([1, 3]))]


def case_initial_weights(tf):
    layer = tf.layers.Dense(2, weights=[np.ones([3, 2]), np.zeros(2)])
    with tf.Session() as session:
        return Case(session.run(layer(tf.ones([1, 3]))), graph=False)


def case_weights_set_and_got(tf):
    layer = tf.layers.Dense(2, kernel_initializer=tf.ones_initializer())
    y = layer(tf.ones([1, 3]))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        before = layer.get_weights()
        layer.set_weights([before[0] * 2, before[1] + 1])
        return Case([before, layer.get_weights(), session.run(y)], graph=False)


def case_a_subclass_of_dense(tf):
    class Shifted(tf.layers.Dense):
        def build(self, shape):
            super(Shifted, self).build(shape)
            self.shift = self.add_weight("shift", [1], initializer=tf.ones_initializer())

        def call(self, x):
            return super(Shifted, self).call(x) + self.shift

    layer = Shifted(2)
    return [layer(tf.ones([1, 2])), layer.name, names(layer.weights), layer.count_params()]


def case_a_subclass_that_builds_last(tf):
    class Shifted(tf.layers.Dense):
        def build(self, shape):
            self.shift = self.add_weight("shift", [1], initializer=tf.ones_initializer())
            super(Shifted, self).build(shape)

        def call(self, x):
            return super(Shifted, self).call(x) + self.shift

    layer = Shifted(2)
    return [layer(tf.ones([1, 2])), layer.name, names(layer.weights), layer.count_params()]


def case_one_object_in_many_scopes(tf):
    layer = tf.layers.Dense(2)
    y = [layer(tf.ones([1, 2])), layer(tf.ones([1, 2]))]
    with tf.name_scope("q"):
        y.append(layer(tf.ones([1, 2])))
    with tf.variable_scope("vv"):
        y.append(layer(tf.ones([1, 2])))
    return y


def case_shared_by_name(tf):
    a = tf.layers.Dense(2, name="d", kernel_regularizer=tf.nn.l2_loss)
    a(tf.ones([1, 2]))
    b = tf.layers.Dense(2, name="d", _reuse=True, kernel_regularizer=tf.nn.l2_loss)
    y = b(tf.ones([1, 2]))
    return [y, names(b.weights), a.weights[0] is b.weights[0], len(tf.global_variables()), tf.losses.get_regularization_losses(), len(a.losses), len(b.losses)]


def case_shared_between_trained_and_frozen(tf):
    x = tf.ones([1, 2])
    tf.layers.dense(x, 2, name="frozen", trainable=False)
    tf.layers.dense(x, 2, name="trained")
    a, b = tf.layers.Dense(2, name="frozen", _reuse=True), tf.layers.Dense(2, name="trained", _reuse=True, trainable=False)
    a(x)
    b(x)
    found = [[names(layer.trainable_weights), names(layer.non_trainable_weights)] for layer in (a, b)]
    b.trainable = True
    return found + [names(b.trainable_weights), names(b.non_trainable_weights)]


def case_getters(tf):
    def untrained(getter, *args, **kwargs):
        kwargs["trainable"] = False
        return getter(*args, **kwargs)

    def local(getter, *args, **kwargs):
        kwargs["collections"] = [tf.GraphKeys.LOCAL_VARIABLES]
        return getter(*args, **kwargs)

    def read(getter, *args, **kwargs):
        return tf.identity(getter(*args, **kwargs))

    found = []
    for name, getter in (("u", untrained), ("l", local), ("r", read)):
        with tf.variable_scope(name, custom_getter=getter):
            layer = tf.layers.Dense(2)
            layer(tf.ones([1, 2]))
            found.append([names(layer.trainable_weights), names(layer.non_trainable_weights)])
    return [found, names(tf.trainable_variables()), names(tf.local_variables())]


def case_pieces(tf):
    with tf.variable_scope("s", partitioner=tf.fixed_size_partitioner(2)):
        a, b = tf.layers.Dense(2), tf.layers.Dense(2, trainable=False)
        a(tf.ones([1, 2]))
        b(tf.ones([1, 2]))
    return [[names(layer.trainable_weights), names(layer.non_trainable_weights), layer.count_params()] for layer in (a, b)]


def case_scope_options(tf):
    with tf.variable_scope("s", caching_device="/cpu:0", constraint=tf.nn.relu):
        layer = tf.layers.Dense(2)
        y = layer(tf.ones([1, 2]))
    return [y, [v.constraint is not None for v in layer.weights]]


def case_empty_name(tf):
    return [tf.layers.dense(tf.ones([1, 2]), 2, name=""), tf.layers.dense(tf.ones([1, 2]), 2, name="")]


def case_bad_name(tf):
    return tf.layers.dense(tf.ones([1, 2]), 2, name="a b")


def case_reuse_from_an_object(tf):
    with tf.variable_scope("a") as scope:
        tf.layers.dense(tf.ones([1, 2]), 2, name="d")
        tf.layers.batch_normalization(tf.ones([1, 2]), name="n")
    with tf.variable_scope(scope, reuse=True):
        return [tf.layers.dense(tf.ones([1, 2]), 2, name="d"), tf.layers.batch_normalization(tf.ones([1, 2]), name="n")]


def case_saved_and_restored_names(tf):
    x = tf.ones([1, 8, 8, 1])
    y = tf.layers.conv2d(x, 2, 3)
    y = tf.layers.batch_normalization(y, training=True, renorm=True)
    y = tf.layers.separable_conv2d(y, 2, 3)
    y = tf.layers.conv2d_transpose(y, 2, 3)
    tf.layers.dense(tf.layers.flatten(y), 2)
    return [names(tf.global_variables()), names(tf.trainable_variables()), names(tf.model_variables())]

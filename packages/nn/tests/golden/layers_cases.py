"""Layers: variables and their names, reuse, losses and updates, graphs and values."""
import numpy as np
from golden_case import Case, raises

X = (np.arange(2 * 6 * 5 * 4) * 37 % 101).reshape(2, 6, 5, 4) / 50.0 - 1


def ph(tf, *shape):
    return tf.placeholder(tf.float32, [None] + list(shape))


def ones(tf):
    return tf.constant_initializer(0.25)


def case_dense(tf):
    x = ph(tf, 4)
    y = tf.layers.dense(x, 3, activation=tf.nn.relu, name="dense")
    z = tf.layers.dense(tf.layers.dense(y, 2), 2, kernel_initializer=tf.zeros_initializer(), use_bias=False)
    return Case([y, z, tf.gradients(y, tf.trainable_variables()[:2])], feeds={x: X[0, 0]})


def case_dense_rank_three(tf):
    x = ph(tf, 5, 4)
    y = tf.layers.dense(x, 3, kernel_regularizer=tf.nn.l2_loss, activity_regularizer=tf.nn.l2_loss, bias_initializer=tf.ones_initializer(), kernel_initializer=tf.ones_initializer())
    return Case([y, tf.layers.dense(y, 3, use_bias=False), tf.losses.get_regularization_losses()], feeds={x: X[0]})


def case_reuse(tf):
    x = ph(tf, 4)
    with tf.variable_scope("s"):
        y = [tf.layers.dense(x, 3, name="a"), tf.layers.dense(x, 3, name="a", reuse=True), tf.layers.dense(x, 3)]
    with tf.variable_scope("s", reuse=True):
        y += [tf.layers.dense(x, 3, name="a"), tf.layers.dense(x, 3)]
    for _ in range(2):
        with tf.variable_scope("auto", reuse=tf.AUTO_REUSE):
            y += [tf.layers.dense(x, 3, name="a"), tf.layers.dense(x, 3)]
    return Case([y, [v.name for v in tf.global_variables()]], feeds={x: X[0, 0]})


def case_objects(tf):
    x = ph(tf, 4)
    a, b = tf.layers.Dense(3), tf.layers.Dense(3)
    before = [a.name, b.name, a.built]
    with tf.variable_scope("s"):
        y = b(x)
    z = [a(x), a(x), b.apply(x)]
    return Case([before, y, z, a.name, b.name, a.scope_name, b.scope_name, [v.name for v in a.weights], a.count_params(), a.dtype, a.built, a.units], feeds={x: X[0, 0]})


def case_names(tf):
    x = ph(tf, 4)
    e, f = tf.layers.Dense(3, name="foo"), tf.layers.Dense(3, name="foo")
    g, h = tf.layers.Dense(3, _scope="given"), tf.layers.Dense(3)
    y = [e(x), f(x), g(x), h(x, scope="called")]
    with tf.name_scope("n"):
        y.append(tf.layers.dense(x, 2))
    return Case([y, e.name, f.name, f.scope_name, g.scope_name, h.scope_name, h.name], feeds={x: X[0, 0]})


def case_scope_defaults(tf):
    x = tf.constant(X[0, 0], tf.float32)
    with tf.variable_scope("s", regularizer=tf.nn.l2_loss, initializer=tf.ones_initializer()):
        y = tf.layers.dense(x, 2)
    with tf.variable_scope("r", use_resource=True):
        z = tf.layers.dense(x, 2)
    return [y, z, tf.losses.get_regularization_losses()]


def case_partitioned(tf):
    with tf.variable_scope("s", partitioner=tf.fixed_size_partitioner(2)):
        return tf.layers.dense(tf.constant(X[0, 0], tf.float32), 2)


def case_untrained(tf):
    l = tf.layers.Dense(2, trainable=False)
    y = l(tf.constant(X[0, 0], tf.float32))
    return [y, [v.name for v in l.weights], [v.name for v in l.trainable_weights], [v.name for v in l.non_trainable_weights], [v.name for v in tf.trainable_variables()]]


def case_dtypes(tf):
    return [tf.layers.dense(tf.zeros([2, 3], tf.float64), 2), tf.layers.dense(np.zeros([2, 3]), 2), tf.layers.Dense(2, dtype=tf.float64)(tf.zeros([2, 3])),
            tf.layers.dense(tf.zeros([2, 3]), 2, activation="tanh", kernel_initializer="ones")]


def case_own_layer(tf):
    class Scale(tf.layers.Layer):
        def build(self, shape):
            self.factor = self.add_weight("factor", [], initializer=tf.ones_initializer(), regularizer=tf.nn.l2_loss)
            self.seen = self.add_variable("seen", [], initializer=tf.zeros_initializer(), trainable=False)
            self.add_loss(tf.constant(3.0))
            self.built = True

        def call(self, x, double=False):
            self.add_loss(tf.reduce_sum(x))
            self.add_update(tf.assign_add(self.seen, 1.0))
            return x * self.factor * (2.0 if double else 1.0)

    class Plain(tf.layers.Layer):
        def call(self, x):
            return x + 1

    x = tf.constant([1.0, 2.0])
    scale, plain = Scale(name="scale"), Plain()
    y = [scale(x), scale(x, double=True), plain(x)]
    return [y, plain.name, plain.built, [v.name for v in scale.trainable_weights], [v.name for v in scale.non_trainable_weights], len(scale.losses), len(scale.updates),
            tf.losses.get_regularization_losses(), [u.name for u in tf.get_collection("update_ops")]]


def case_dropout(tf):
    x, t = ph(tf, 4), tf.placeholder(tf.bool, [])
    y = [tf.layers.dropout(x, 0.3, training=True), tf.layers.dropout(x, 0.3), tf.layers.dropout(x, 0.3, training=t, seed=3), tf.layers.dropout(x, noise_shape=[None, 1], training=True)]
    return Case(y, feeds={x: X[0, 0], t: True})


def case_dropout_phase(tf):
    return [tf.layers.dropout(tf.constant([1.0, 2.0]), training=None), tf.layers.dropout(tf.constant([1.0, 2.0]), training=None)]


def case_flatten(tf):
    x = ph(tf, 5, 4)
    return Case([tf.layers.flatten(x), tf.layers.flatten(tf.placeholder_with_default(X[:, 0], [2, None, 4])), tf.layers.flatten(tf.zeros([3, 2])),
                 tf.layers.flatten(x, data_format="channels_first", name="f")], feeds={x: X[0]})


def case_conv(tf):
    x = ph(tf, 6, 5, 4)
    y = [tf.layers.conv2d(x, 3, 3), tf.layers.conv2d(x, 3, 3, padding="same", dilation_rate=2, activation=tf.nn.relu), tf.layers.conv2d(x, 3, [3, 2], strides=2, use_bias=False, name="q")]
    return Case([y, tf.gradients(y, tf.trainable_variables())], feeds={x: X})


def case_conv_one(tf):
    x = ph(tf, 5, 4)
    return Case([tf.layers.conv1d(x, 3, 3), tf.layers.conv1d(x, 3, 3, padding="same", dilation_rate=2), tf.layers.conv1d(x, 3, 3, padding="causal", dilation_rate=2)], feeds={x: X[0]})


def case_conv_three(tf):
    x = ph(tf, 6, 5, 2, 2)
    return Case(tf.layers.conv3d(x, 3, 2, padding="same"), feeds={x: X.reshape(2, 6, 5, 2, 2)})


def case_conv_first(tf):
    return Case([tf.layers.conv2d(ph(tf, 4, 6, 5), 3, 3, data_format="channels_first"), tf.layers.conv1d(ph(tf, 4, 6), 3, 3, data_format="channels_first"),
                 tf.layers.conv3d(ph(tf, 2, 6, 5, 4), 3, 2, data_format="channels_first"), tf.layers.separable_conv1d(ph(tf, 4, 6), 3, 3, data_format="channels_first")], graph_only=True)


def case_separable(tf):
    x, one = ph(tf, 6, 5, 4), ph(tf, 5, 4)
    return Case([tf.layers.separable_conv2d(x, 3, 3), tf.layers.separable_conv2d(x, 3, 3, depth_multiplier=2, dilation_rate=2, padding="same", activation=tf.nn.relu),
                 tf.layers.separable_conv1d(one, 3, 3), tf.layers.separable_conv1d(one, 3, 3, padding="causal")], feeds={x: X, one: X[0]})


def case_transposed(tf):
    x, three = ph(tf, 6, 5, 4), ph(tf, 3, 5, 2, 2)
    return Case([tf.layers.conv2d_transpose(x, 3, 3, strides=2), tf.layers.conv2d_transpose(x, 3, 3, padding="same", strides=(2, 1), activation=tf.nn.relu),
                 tf.layers.conv3d_transpose(three, 3, 3, strides=2)], feeds={x: X, three: X[:, :3].reshape(2, 3, 5, 2, 2)})


def case_pooling(tf):
    x, one, three = ph(tf, 6, 5, 4), ph(tf, 5, 4), ph(tf, 6, 5, 2, 2)
    l = tf.layers
    return Case([l.max_pooling2d(x, 2, 2), l.average_pooling2d(x, (2, 3), 2, padding="same"), l.max_pooling1d(one, 2, 2), l.average_pooling1d(one, 2, 2, padding="same", data_format="channels_first"),
                 l.max_pooling3d(three, 2, 2), l.average_pooling3d(three, 2, 2, padding="same", data_format="channels_first"), l.MaxPooling2D(3, 2)(x)],
                feeds={x: X, one: X[0], three: X.reshape(2, 6, 5, 2, 2)})


def normalized(tf, x, **options):
    y = tf.layers.batch_normalization(x, **options)
    with tf.control_dependencies(tf.get_collection("update_ops")):
        step = tf.no_op()
    return [y, tf.global_variables()], step


for _name, _options in {"plain": dict(training=True), "inference": dict(), "renorm": dict(training=True, renorm=True, renorm_clipping=dict(rmax=1.5, rmin=0.5, dmax=0.5)),
                        "virtual": dict(training=True, virtual_batch_size=2), "untrained": dict(training=True, trainable=False),
                        "bare": dict(training=True, center=False, scale=False, momentum=0.5, epsilon=0.1)}.items():
    def _case(tf, options=_options):
        x = tf.placeholder(tf.float32, [6, 4])
        fetches, step = normalized(tf, x, **options)
        return Case(None, runs=[(fetches, {x: X[0, :, 0] * 2 + 1}), (step, {x: X[0, :, 0] * 2 + 1}), (fetches, {x: X[0, :, 1]})])
    globals()["case_batch_" + _name] = _case

    def _case(tf, options=_options):
        if "virtual_batch_size" in options:
            return tf.constant(0)
        x = ph(tf, 6, 5, 4)
        fetches, step = normalized(tf, x, **options)
        return Case(None, runs=[(fetches, {x: X * 2 + 1}), (step, {x: X * 2 + 1}), (fetches, {x: X})])
    globals()["case_batch_images_" + _name] = _case


def case_batch_switched(tf):
    x, images, t = ph(tf, 4), ph(tf, 6, 5, 4), tf.placeholder(tf.bool, [])
    y = [tf.layers.batch_normalization(x, training=t), tf.layers.batch_normalization(images, training=t), tf.layers.batch_normalization(x, training=t, renorm=True)]
    step = [u if isinstance(u, tf.Operation) else u.op for u in tf.get_collection("update_ops")]
    feeds = {x: X[0, 0], images: X}
    return Case(None, runs=[([y, step], dict(list(feeds.items()) + [(t, True)])), (y, dict(list(feeds.items()) + [(t, False)]))])


def case_batch_axes(tf):
    x = ph(tf, 5, 4)
    y = [tf.layers.batch_normalization(x, axis=1, training=True), tf.layers.batch_normalization(x, axis=[1, 2], training=True),
         tf.layers.batch_normalization(x, training=True, adjustment=lambda s: (tf.fill([4], 2.0), tf.ones([4])))]
    return Case(y, feeds={x: X[0]})


def case_batch_training(tf):
    x = tf.placeholder(tf.float32, [6, 4])
    y = tf.layers.dense(tf.layers.batch_normalization(tf.layers.dense(x, 3), training=True), 1)
    loss = tf.losses.mean_squared_error(tf.ones([6, 1]), y)
    with tf.control_dependencies(tf.get_collection("update_ops")):
        step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    kept = [v for v in tf.global_variables() if v.name != "dense/bias:0"]
    return Case([loss, step, kept], feeds={x: X[0, :, 0]}, steps=3, tolerance=1e-5)


def case_shapes(tf):
    l = tf.layers
    return [l.Conv2D(3, 3).compute_output_shape([None, 6, 6, 2]), l.MaxPooling2D(3, 2).compute_output_shape([None, 7, 7, 2]), l.Conv1D(3, 3, padding="causal").compute_output_shape([None, 6, 2]),
            l.Dense(3).compute_output_shape([2, 4]), l.Flatten().compute_output_shape([None, 3, 4]), l.Conv2DTranspose(3, 3, strides=2).compute_output_shape([None, 6, 6, 2]),
            repr(l.InputSpec(dtype="float32", shape=(None, 3), axes={-1: 3})), repr(l.InputSpec(min_ndim=2, max_ndim=3))]


def case_refused(tf):
    l = tf.layers
    p = lambda *s: tf.placeholder(tf.float32, list(s))
    d = l.Dense(2)
    d(tf.zeros([2, 3]))
    return [raises(l.dense, p(3), 2), raises(l.dense, p(None, None), 2), raises(l.dense, tf.placeholder(tf.float32), 2), raises(d, tf.zeros([2, 4])), raises(l.dense, tf.zeros([2, 3], tf.int32), 2),
            raises(l.Dense, 3, foo=3), raises(lambda: l.Dense(3).scope_name), raises(lambda: l.Dense(3).input), raises(lambda: l.Dense(3).output_shape), raises(l.Dense(3).count_params),
            raises(l.conv2d, p(None, 4, 4, None), 2, 3), raises(l.conv2d, p(None, 4, 4), 2, 3), raises(l.conv2d, p(None, 4, 4, 2), 2, [3]), raises(l.conv2d, p(None, 4, 4, 2), 2, 3, padding="foo"),
            raises(l.conv2d, p(None, 4, 4, 2), 2, 3, data_format="foo"), raises(l.conv2d, p(None, 9, 9, 2), 2, 3, strides=2, dilation_rate=2), raises(l.conv2d, p(1, 6, 6, 3), 3, 3, padding="causal"),
            raises(l.max_pooling2d, p(1, 6, 6), 2, 2), raises(l.max_pooling2d, p(1, 6, 6, 1), [2, 2, 2], 2), raises(l.flatten, tf.placeholder(tf.float32)), raises(l.dense, p(2, 3), 2, False),
            raises(l.batch_normalization, p(2, 4), axis=5), raises(l.batch_normalization, p(2, 4), axis="a"), raises(l.batch_normalization, p(2, None)),
            raises(l.batch_normalization, p(2, 4), renorm=True, renorm_clipping={"x": 1}), raises(l.batch_normalization, p(2, 4), virtual_batch_size=0), raises(l.dense, p(2, 3), 2, name="a", reuse=True)]

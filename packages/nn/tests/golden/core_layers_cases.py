"""Dense, dropout, flattening and batch normalization layers in all their options."""
import numpy as np
from golden_case import Case, raises

X = (np.arange(24) * 37 % 101).reshape(2, 3, 4) / 50.0 - 1


def names(variables):
    return [v.name for v in variables]


for _rank in (2, 3, 4):
    for _known in ("known", "unknown"):
        def _case(tf, rank=_rank, known=_known):
            shape = {2: [6, 4], 3: [2, 3, 4], 4: [1, 2, 3, 4]}[rank]
            x = tf.placeholder(tf.float32, shape if known == "known" else [None] * (rank - 1) + [4])
            y = tf.layers.dense(x, 3, activation=tf.nn.tanh)
            z = tf.layers.dense(y, 2, use_bias=False)
            return Case([y, z, tf.gradients(z, [x] + tf.trainable_variables())], feeds={x: X.reshape(shape)})
        globals()["case_dense_%d_%s" % (_rank, _known)] = _case


def case_dense_refused(tf):
    d, l = tf.layers.dense, tf.layers
    x = tf.ones([2, 3])
    return [raises(d, tf.placeholder(tf.float32), 2), raises(d, tf.placeholder(tf.float32, []), 2), raises(d, tf.placeholder(tf.float32, [3]), 2), raises(d, tf.placeholder(tf.float32, [None, None]), 2), raises(d, tf.placeholder(tf.float32, [None, 4, None]), 2), raises(d, x, "a"), raises(d, x, None), raises(d, x, -1),
            raises(d, x, 2, activation="nothing"), raises(d, x, 2, kernel_initializer="nothing"), raises(d, x, 2, kernel_regularizer="nothing"), raises(d, x, 2, kernel_constraint="nothing"), raises(d, x, 2, foo=1), raises(d, x), raises(l.Dense), raises(d, tf.ones([2, 3], tf.int32), 2), raises(d, tf.constant([["a"]]), 2),
            raises(d, x, 2, name="x", reuse=True), raises(d, x, 0), raises(d, x, 2.7)]


def case_dense_twice_under_one_name(tf):
    tf.layers.dense(tf.ones([2, 3]), 2, name="d")
    return tf.layers.dense(tf.ones([2, 3]), 2, name="d")


def case_dense_of_another_size(tf):
    tf.layers.dense(tf.ones([2, 3]), 2, name="d")
    return [raises(tf.layers.dense, tf.ones([2, 4]), 2, name="d", reuse=True), raises(tf.layers.dense, tf.ones([2, 3]), 4, name="d", reuse=True), raises(tf.layers.dense, tf.ones([2, 3], tf.float64), 2, name="d", reuse=True)]


def case_dense_options(tf):
    x = tf.constant(X[0], tf.float32)
    y = [tf.layers.dense(x, 2, kernel_initializer=tf.ones_initializer(), bias_initializer=tf.constant_initializer(0.5), kernel_regularizer=tf.nn.l2_loss, bias_regularizer=lambda v: tf.reduce_sum(v), activity_regularizer=tf.nn.l2_loss, kernel_constraint=tf.abs, bias_constraint=tf.nn.relu, name="all"),
         tf.layers.dense(x, 2, trainable=False), tf.layers.dense(x, 2, activation=lambda v: v * 2.0), tf.layers.dense(x, 2, tf.nn.relu, False), tf.layers.dense(x, 2, kernel_initializer="glorot_normal", bias_initializer="ones", activation="softmax"),
         tf.layers.dense(x, 2, activation="sigmoid", kernel_regularizer="l2", bias_constraint="non_neg"), tf.layers.dense(tf.constant(X, tf.float32), 2, activation="softmax", kernel_initializer="zeros")]
    return [y, tf.losses.get_regularization_losses(), names(tf.trainable_variables()), [v.constraint is not None for v in tf.global_variables()]]


def case_dense_constraints_in_training(tf):
    x, labels = tf.constant(X[0], tf.float32), tf.constant([[1.0], [-1.0], [0.5]])
    y = tf.layers.dense(x, 1, kernel_initializer=tf.constant_initializer(0.1), kernel_constraint=tf.nn.relu, bias_constraint=lambda b: tf.clip_by_value(b, -0.05, 0.05))
    loss = tf.losses.mean_squared_error(labels, y)
    return Case([loss, tf.train.GradientDescentOptimizer(0.5).minimize(loss), tf.trainable_variables()], steps=3)


def case_dense_in_scopes(tf):
    x = tf.constant(X[0], tf.float32)
    with tf.variable_scope("test", reuse=False) as scope:
        tf.layers.dense(x, 2, name="my_dense")
    with tf.variable_scope(scope, reuse=True):
        tf.layers.dense(x, 2, name="my_dense")
    with tf.variable_scope("test1"):
        tf.layers.dense(x, 2)
        with tf.variable_scope("deeper"):
            tf.layers.dense(x, 2)
            tf.layers.dense(x, 2)
    with tf.variable_scope("test1", reuse=True):
        tf.layers.dense(x, 2)
    with tf.variable_scope("test1", auxiliary_name_scope=False):
        tf.layers.dense(x, 2, name="other")
    return [names(tf.global_variables()), tf.layers.dense(x, 2, name="a/b")]


def case_dense_of_a_variable(tf):
    v = tf.get_variable("v", initializer=tf.ones([2, 3]))
    r = tf.get_variable("r", initializer=tf.ones([2, 3]), use_resource=True)
    return [tf.layers.dense(v, 2), tf.layers.dense(r, 2)]


def case_dense_empty(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    y = tf.layers.dense(x, 2)
    return Case([y, tf.gradients(y, tf.trainable_variables())], feeds={x: np.zeros([0, 3])})


def case_dense_in_a_loop(tf):
    layer = tf.layers.Dense(2, kernel_initializer=tf.constant_initializer(0.5))
    return [tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, layer(x)), [0, tf.ones([1, 2])])[1], names(tf.global_variables())]


def case_dense_in_a_branch(tf):
    p = tf.placeholder(tf.bool, [])
    y = tf.cond(p, lambda: tf.layers.dense(tf.ones([1, 2]), 2, name="d"), lambda: tf.zeros([1, 2]))
    return Case([y, names(tf.global_variables())], feeds={p: False})


for _name in ["relu", "elu", "selu", "softplus", "softsign", "tanh", "sigmoid", "hard_sigmoid", "exponential", "linear", "softmax"]:
    def _case(tf, name=_name):
        function = getattr(tf.keras.activations, name)
        x = tf.constant(X[0], tf.float32)
        return [function(x), tf.keras.activations.get(name) is function, tf.keras.activations.serialize(function), tf.layers.dense(x, 2, activation=name), function(tf.constant(X, tf.float32)), tf.gradients(function(x), x)]
    globals()["case_activation_" + _name] = _case


def case_activation_options(tf):
    a = tf.keras.activations
    x = tf.constant([-2.0, -0.5, 0.5, 1.5, 4.0, 8.0])
    y = [a.relu(x, alpha=0.2), a.relu(x, max_value=6), a.relu(x, max_value=3.0), a.relu(x, threshold=1.0), a.relu(x, alpha=0.2, max_value=3.0, threshold=1.0), a.relu(x, alpha=0.5, max_value=6.0), a.elu(x, 2.0), a.softmax(tf.reshape(x, [1, 2, 3]), axis=1)]
    return [y, raises(a.softmax, x), raises(a.get, "nothing"), raises(a.get, 3), a.get(None) is a.linear, a.get(tf.nn.relu) is tf.nn.relu, a.deserialize("relu") is a.relu, raises(a.get, {"class_name": "relu"})]


def case_regularizers(tf):
    r = tf.keras.regularizers
    v = tf.constant([1.0, -2.0, 3.0])
    y = [r.l1(0.1)(v), r.l2(0.2)(v), r.l1_l2(0.1, 0.2)(v), r.L1L2()(v), r.get("l2")(v), r.get("l1")(v), r.get("l1_l2")(v), r.L1L2(l1=0.5)(v), r.deserialize({"class_name": "L1L2", "config": {"l1": 0.0, "l2": 1.0}})(v)]
    return [y, r.l1(0.5).get_config(), r.serialize(r.l2(0.5)), r.get(None), r.get(tf.nn.l2_loss) is tf.nn.l2_loss, raises(r.get, "nothing"), raises(r.get, 3), raises(r.get, {"a": 1}), r.L1L2.from_config({"l1": 1.0, "l2": 2.0}).get_config(), r.serialize(None)]


def case_constraints(tf):
    c = tf.keras.constraints
    w = tf.constant([[1.0, -2.0], [3.0, 0.5]])
    y = [c.MaxNorm()(w), c.max_norm(1.0, axis=1)(w), c.NonNeg()(w), c.UnitNorm()(w), c.unit_norm(axis=[0, 1])(w), c.MinMaxNorm()(w), c.min_max_norm(0.5, 2.0, 0.75, 1)(w), c.get("max_norm")(w), c.get("NonNeg")(w), c.get("unit_norm")(w)]
    return [y, c.MaxNorm(3, 1).get_config(), c.serialize(c.MinMaxNorm()), c.get(None), raises(c.get, "nothing"), raises(c.get, 3), c.NonNeg().get_config(), c.UnitNorm(axis=1).get_config(), c.deserialize({"class_name": "MaxNorm", "config": {"max_value": 4}}).max_value]


for _name, _options in {"rate": dict(rate=0.25), "zero": dict(rate=0.0), "seed": dict(seed=5), "shape": dict(noise_shape=[2, 1, 4]), "open_shape": dict(noise_shape=[None, 1, None]), "tensor_shape": "tensor", "high": dict(rate=0.99)}.items():
    def _case(tf, options=_options):
        x, t = tf.placeholder(tf.float32, [None, 3, 4]), tf.placeholder(tf.bool, [])
        if options == "tensor":
            options = dict(noise_shape=(tf.shape(x)[0], 1, 4))
        y = [tf.layers.dropout(x, training=True, **options), tf.layers.dropout(x, training=t, **options), tf.layers.dropout(x, training=False, **options), tf.layers.dropout(x, training=tf.constant(True), **options)]
        return Case(None, runs=[([y, tf.gradients(y[0], x)], {x: X, t: True}), (y[1], {x: X, t: False})])
    globals()["case_dropout_" + _name] = _case


def case_dropout_rate_fed(tf):
    rate = tf.placeholder(tf.float32, [])
    layer = tf.layers.Dropout(rate, name="dropout")
    y = layer.apply(tf.ones([5, 5]), training=True)
    return Case(None, runs=[(y, {rate: 0.0}), (y, {rate: 0.5})])


def case_dropout_objects(tf):
    a = tf.layers.Dropout()
    x = tf.ones([2, 2])
    return [a.rate, a.noise_shape, a.seed, a.name, a(x), a(x, training=True), a.weights, raises(tf.layers.dropout, x, 1.5, training=True), raises(tf.layers.dropout, x, -0.5, training=True), raises(tf.layers.dropout, x, "a", training=True), raises(tf.layers.dropout, tf.ones([2], tf.int32), training=True), tf.layers.dropout(tf.ones([2], tf.float64), training=True),
            tf.layers.dropout(x, 0.5, [None, 1], 3, True, "named"), tf.layers.dropout(x, training=1), tf.layers.dropout(x, training=0)]


def case_dropout_of_a_variable(tf):
    t = tf.get_variable("t", initializer=True, trainable=False)
    return [tf.layers.dropout(tf.ones([2, 2]), training=t), tf.layers.dropout(tf.get_variable("v", initializer=tf.ones([2])), training=True)]


for _format in ("channels_last", "channels_first"):
    def _case(tf, data_format=_format):
        shapes = [[None, 3, 4], [2, None, 4], [None, None, None], [3, 2], [None, 5], [2, 3, 4, 1], [None, 2, None, 3], [5], [None]]
        fed = [tf.placeholder(tf.float32, s) for s in shapes]
        return Case([tf.layers.flatten(x, data_format=data_format) for x in fed] + [raises(tf.layers.flatten, tf.placeholder(tf.float32), data_format=data_format), raises(tf.layers.flatten, tf.placeholder(tf.float32, []), data_format=data_format)], feeds={x: np.ones([2 if d is None else d for d in s]) for x, s in zip(fed, shapes)})
    globals()["case_flatten_" + _format] = _case


def case_flatten_more(tf):
    x = tf.placeholder(tf.float32, [None, 21316, 21316, 80])
    return [tf.layers.Flatten()(x).shape, tf.layers.flatten(tf.zeros([3, 2, 2], tf.int32)), tf.layers.flatten(tf.constant([["a", "b"]])), raises(tf.layers.flatten, tf.ones([2, 2]), data_format="x"), tf.layers.flatten(tf.ones([2, 0, 3])), tf.layers.flatten(tf.ones([0, 2, 3]), name="f")]


PLANE = (np.arange(24) * 37 % 101).reshape(6, 4) / 25.0 - 1
IMAGES = (np.arange(2 * 3 * 4 * 5) * 37 % 101).reshape(2, 3, 4, 5) / 25.0 - 1


def trained(tf, y, kept=True):
    with tf.control_dependencies(tf.get_collection("update_ops")):
        step = tf.identity(tf.reduce_sum(tf.abs(y)))
    return [step, y]


for _name, _options in {
        "plain": {}, "no_center": dict(center=False), "no_scale": dict(scale=False), "bare": dict(center=False, scale=False), "momentum": dict(momentum=0.5, epsilon=0.1), "unfused": dict(fused=False), "fused": dict(fused=True),
        "renorm": dict(renorm=True, momentum=0.8), "renorm_clipped": dict(renorm=True, renorm_clipping=dict(rmax=1.1, rmin=0.9, dmax=0.1), renorm_momentum=0.5, momentum=0.5), "renorm_bare": dict(renorm=True, center=False, scale=False), "renorm_one_bound": dict(renorm=True, renorm_clipping=dict(rmax=1.5)),
        "virtual": dict(virtual_batch_size=2), "virtual_whole": dict(virtual_batch_size=1), "virtual_renorm": dict(virtual_batch_size=2, renorm=True), "first_axis": dict(axis=1), "axes": dict(axis=[1, -1]), "untrained": dict(trainable=False),
        "initialized": dict(beta_initializer="ones", gamma_initializer="zeros", moving_mean_initializer="ones", moving_variance_initializer="zeros")}.items():
    for _kind in ("plane", "images"):
        if _kind == "plane" and _name in ("axes",):
            continue
        for _training in ("yes", "no", "fed"):
            def _case(tf, name=_name, options=_options, kind=_kind, training=_training):
                value = PLANE if kind == "plane" else IMAGES
                x = tf.placeholder(tf.float32, value.shape)
                t = {"yes": True, "no": False, "fed": tf.placeholder(tf.bool, [])}[training]
                y = tf.layers.batch_normalization(x, training=t, **options)
                grads = tf.gradients(y * tf.constant(np.arange(value.size).reshape(value.shape) % 7 + 1.0, tf.float32), [x] + tf.trainable_variables())
                fetches = trained(tf, y)
                state = [tf.global_variables(), [u.name for u in tf.get_collection("update_ops")], names(tf.trainable_variables())]
                feeds = [{x: value}, {x: value * 2 + 1}]
                runs = [(fetches + grads, feeds[0]), (state, {}), (fetches, feeds[1]), (state, {})]
                if training == "fed":
                    runs = [(f, dict(list(d.items()) + [(t, i < 2)])) for i, (f, d) in enumerate(runs)]
                return Case(None, runs=runs, tolerance=2e-4, graph_only=name == "first_axis" and kind == "images")
            globals()["case_norm_%s_%s_%s" % (_name, _kind, _training)] = _case


def case_norm_ranks(tf):
    shapes = [[None, 3], [None, 4, 3], [None, 2, 4, 3], [None, 2, 2, 2, 3]]
    xs = [tf.placeholder(tf.float32, s) for s in shapes]
    y = [tf.layers.batch_normalization(x, training=True) for x in xs] + [tf.layers.batch_normalization(x, axis=1) for x in xs] + [tf.layers.batch_normalization(x, axis=-2, training=True) for x in xs[1:]]
    return Case([y, [v.shape for v in tf.global_variables()]], graph_only=True)


def case_norm_several_axes(tf):
    x, z = tf.placeholder(tf.float32, [2, 3, 4]), tf.placeholder(tf.float32, [2, 2, 3, 4, 5])
    b = tf.layers.batch_normalization
    return Case([b(x, axis=[1, 2], training=True), b(z, axis=[1, 2, 3], training=True), b(z, axis=[1, 4], training=True, virtual_batch_size=1), b(x, axis=[-1], training=True), b(x, axis=[0, 1]), [v.shape for v in tf.global_variables()]], graph_only=True)


def case_norm_adjusted(tf):
    t = tf.placeholder(tf.bool, [])
    x = tf.constant(PLANE, tf.float32)
    adjust = lambda shape: (tf.fill([shape[-1]], 2.0), tf.fill([shape[-1]], 0.5))
    y = [tf.layers.batch_normalization(x, training=mode, adjustment=adjust, **more) for mode in (True, False, t) for more in ({}, {"renorm": True}, {"center": False, "scale": False})]
    return Case(None, runs=[(y, {t: True}), (y, {t: False})])


def case_norm_unknown_batch(tf):
    x = tf.placeholder(tf.float32, [None, 4])
    images = tf.placeholder(tf.float32, [None, None, None, 5])
    b = tf.layers.batch_normalization
    y = [b(x, training=True), b(x, training=True, virtual_batch_size=2), b(images, training=True), b(images), b(images, training=True, fused=False), b(images, training=True, renorm=True)]
    return Case([y, tf.gradients(y, [x, images])], feeds={x: PLANE, images: IMAGES}, tolerance=2e-4)


def case_norm_first_format(tf):
    x = tf.placeholder(tf.float32, [None, 3, 4, 5])
    y = [tf.layers.batch_normalization(x, axis=1, training=t) for t in (True, False)] + [tf.layers.batch_normalization(x, axis=1, training=True, scale=False, center=False)]
    return Case([y, tf.gradients(y, x)], graph_only=True)


def case_norm_kinds(tf):
    b = tf.layers.batch_normalization
    y = [b(tf.constant(PLANE, k), training=t) for k in ("float16", "float64") for t in (True, False)] + [b(tf.constant(IMAGES, "float16"), training=t) for t in (True, False)]
    return Case([y, [v.dtype for v in tf.global_variables()]], tolerance=5e-3)


def case_norm_reused(tf):
    x = tf.constant(PLANE, tf.float32)
    b = tf.layers.batch_normalization
    y = [b(x, training=True, name="bn"), b(x, training=False, name="bn", reuse=True), b(x, training=True, name="bn", reuse=True)]
    with tf.variable_scope("s"):
        b(x, training=True)
    with tf.variable_scope("s", reuse=True):
        y.append(b(x, training=True))
    return [y, names(tf.global_variables()), [u.name for u in tf.get_collection("update_ops")], raises(b, x, name="bn"), raises(b, x, name="new", reuse=True)]


def case_norm_object(tf):
    layer = tf.layers.BatchNormalization(axis=1, name="bn", gamma_regularizer=tf.nn.l2_loss, beta_regularizer=tf.nn.l2_loss, gamma_constraint=tf.abs, beta_constraint=tf.abs)
    x = tf.constant(PLANE, tf.float32)
    y = [layer(x, training=True), layer.apply(x, training=False), layer(x + 1.0, training=True)]
    return [y[0], y[2], [u.name for u in layer.updates], layer.losses, names(layer.weights), names(layer.trainable_weights), layer.axis, layer.fused, [u.name for u in tf.get_collection("update_ops")], tf.losses.get_regularization_losses(), [u.name for u in layer.get_updates_for(x)], len(layer.get_updates_for(None)), layer.gamma.name, layer.moving_mean.name, layer.count_params()]


def case_norm_learning_phase(tf):
    return [tf.layers.batch_normalization(tf.constant(PLANE, tf.float32), training=None), tf.layers.batch_normalization(tf.constant(IMAGES, tf.float32), training=None)]


def case_norm_of_an_integer_flag(tf):
    x = tf.constant(PLANE, tf.float32)
    return [tf.layers.batch_normalization(x, training=1), tf.layers.batch_normalization(x, training=0), tf.layers.batch_normalization(x, training=tf.constant(True)), tf.layers.batch_normalization(x, training=tf.get_variable("t", initializer=False, trainable=False))]


def case_norm_partitioned(tf):
    with tf.variable_scope("s", partitioner=tf.fixed_size_partitioner(2)):
        y = tf.layers.batch_normalization(tf.constant(PLANE, tf.float32), training=True)
    return [y, names(tf.global_variables())]


def case_norm_refused(tf):
    b = tf.layers.batch_normalization
    x = tf.ones([4, 3])
    return [raises(b, tf.placeholder(tf.float32)), raises(b, tf.placeholder(tf.float32, [2, None])), raises(b, x, axis=2), raises(b, x, axis=-3), raises(b, x, axis=[0, 0]), raises(b, x, axis=(1,)), raises(b, x, axis=None), raises(b, x, renorm=True, renorm_clipping={"a": 1}), raises(b, x, virtual_batch_size=-1, training=True),
            raises(b, x, virtual_batch_size=0), raises(b, x, virtual_batch_size=2, axis=0), raises(b, x, virtual_batch_size=2, adjustment=lambda s: (1, 2)), raises(b, x, virtual_batch_size=3, training=True), raises(b, tf.ones([]), training=True), raises(b, tf.constant([["a"]])), raises(b, tf.ones([2, 2], tf.int32)), raises(b, x, beta_initializer="nothing"), raises(b, x, momentum="a", training=True)]


def case_norm_empty_batch(tf):
    x, images = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None, 3, 4, 5])
    return Case([tf.layers.batch_normalization(x), tf.layers.batch_normalization(images), tf.layers.batch_normalization(images, training=True)], feeds={x: PLANE[:0], images: IMAGES[:0]})


def case_radial_constraint(tf):
    kind = tf.keras.constraints.RadialConstraint
    made = [kind()(tf.reshape(tf.range(float(n * n * 4)), [n, n, 2, 2])) for n in (3, 5, 7)]
    return Case([made, [one.shape.as_list() for one in made], raises(kind(), tf.zeros([3, 3])), kind().get_config(),
                 tf.keras.constraints.radial_constraint is kind, type(tf.keras.constraints.get("RadialConstraint")).__name__], graph=False,
                collections=False)  # the original leaves variables behind

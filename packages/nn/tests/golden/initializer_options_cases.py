"""Initializers with every argument, shape, dtype and seed, by call and in variables, whole and in pieces."""
import numpy as np
from golden_case import Case, raises

NAMES = ["zeros", "ones", "constant", "random_uniform", "random_normal", "truncated_normal", "uniform_unit_scaling", "variance_scaling", "orthogonal", "identity", "glorot_uniform", "glorot_normal", "he_normal", "he_uniform", "lecun_normal", "lecun_uniform"]
SHAPES = [[], [3], [2, 3], [3, 2], [2, 2, 3], [1, 2, 2, 3], [0, 2], [4, 4]]


def drawn(tf, initializer, shape, **more):
    if not shape or len(shape) < 2:
        return raises(initializer, shape, **more) if "Orthogonal" in type(initializer).__name__ or "Identity" in type(initializer).__name__ else initializer(shape, **more)
    if "Identity" in type(initializer).__name__ and len(shape) != 2:
        return raises(initializer, shape, **more)
    return initializer(shape, **more)


for _name in NAMES:
    def _case(tf, name=_name):
        make = getattr(tf.initializers, name)
        return [drawn(tf, make(), shape) for shape in SHAPES]
    globals()["case_%s_shapes" % _name] = _case

    def _case(tf, name=_name):
        make = getattr(tf.initializers, name)
        found = []
        for kind in ("float16", "float64", "int32", "bool", "complex64", "string"):
            try:
                found.append(make()([2, 2], dtype=tf.as_dtype(kind)))
            except Exception as error:
                found.append(type(error).__name__)
        return Case(found, graph=False)
    globals()["case_%s_kinds" % _name] = _case

    def _case(tf, name=_name):
        make = getattr(tf.initializers, name)
        found = []
        for kind in ("float16", "float64", "int32", "bool", "complex64", "string"):
            try:
                found.append(make(dtype=tf.as_dtype(kind))([2, 2]))
            except Exception as error:
                found.append(type(error).__name__)
        return Case(found, graph=False)
    globals()["case_%s_own_kinds" % _name] = _case

    def _case(tf, name=_name):
        initializer = getattr(tf.initializers, name)()
        v = tf.get_variable("v", [4, 4], initializer=initializer)
        with tf.variable_scope("s", initializer=initializer):
            w = tf.get_variable("w", [4, 4])
            x = tf.get_variable("x", [4, 4], use_resource=True)
        p = tf.get_variable("p", [4, 4], initializer=initializer, partitioner=tf.fixed_size_partitioner(2))
        return [v, w, x, list(p)]
    globals()["case_%s_variables" % _name] = _case

    def _case(tf, name=_name):
        initializer = getattr(tf.initializers, name)()
        config = initializer.get_config()
        again = type(initializer).from_config(config)
        found = sorted((key, value if isinstance(value, (int, float, str)) or value is None else str(value)) for key, value in config.items())
        return [found, again([2, 2]), tf.keras.initializers.serialize(initializer)["class_name"]]
    globals()["case_%s_configuration" % _name] = _case

for _name in ["random_uniform", "random_normal", "truncated_normal", "uniform_unit_scaling", "variance_scaling", "orthogonal", "glorot_uniform", "glorot_normal", "he_normal", "he_uniform", "lecun_normal", "lecun_uniform"]:
    def _case(tf, name=_name):
        make = getattr(tf.initializers, name)
        a = make(seed=7)
        return [a([3, 4]), a([3, 4]), make(seed=7)([3, 4]), make(seed=8)([3, 4]), make()([3, 4]), make()([3, 4])]
    globals()["case_%s_seeds" % _name] = _case

    def _case(tf, name=_name):
        tf.set_random_seed(99)
        return [getattr(tf.initializers, name)()([2, 3]), getattr(tf.initializers, name)(seed=0)([2, 3])]
    globals()["case_%s_graph_seed" % _name] = _case

for _mode in ("fan_in", "fan_out", "fan_avg"):
    for _distribution in ("normal", "truncated_normal", "untruncated_normal", "uniform", "UNIFORM"):
        def _case(tf, mode=_mode, distribution=_distribution):
            v = tf.initializers.variance_scaling(scale=2.5, mode=mode, distribution=distribution, seed=3)
            return [v(shape) for shape in ([], [3], [2, 5], [3, 2, 5], [3, 3, 2, 5])] + [v.get_config()[k] for k in ("scale", "mode", "distribution", "seed")]
        globals()["case_scaled_%s_%s" % (_mode, _distribution)] = _case


def case_constants(tf):
    c = tf.initializers.constant
    values = [2, -1.5, [1, 2, 3, 4], [[1.0, 2.0], [3.0, 4.0]], np.arange(4), np.arange(4.0).reshape(2, 2), True, 1e30]
    return [c(v)([2, 2]) for v in values] + [c([1, 2])([2, 2]), c([1.0, 2.0], dtype=tf.float64)([2]), c(3, dtype=tf.int32)([2]), c([1, 2, 3])([3], dtype=tf.int64)]


def case_constants_verified(tf):
    c = tf.initializers.constant
    return [c([1, 2, 3, 4], verify_shape=True)([4]), raises(c([1, 2, 3, 4], verify_shape=True), [2, 2]), raises(c([1, 2, 3, 4], verify_shape=True), [2]), raises(c([1, 2, 3, 4]), [3]), raises(c("a"), [2]), raises(c, {"a": 1}), raises(c, None), raises(c([1, 2, 3, 4]), [2, 2], verify_shape=True), raises(c, object())]


def case_string_constants(tf):
    return [tf.initializers.constant("a", dtype=tf.string)([2]), tf.get_variable("s", [2], tf.string, initializer=tf.constant_initializer("x"))]


def case_uniform_bounds(tf):
    u = tf.initializers.random_uniform
    return [u(-2.0, 3.0, seed=1)([2, 3]), u(0, 10, seed=1, dtype=tf.int32)([2, 3]), u(5, 9, seed=1)([2, 3], dtype=tf.int64), u(minval=1.0, maxval=None, seed=1)([2]), u(2.0, 2.0, seed=1)([3]), u(tf.constant(0.0), tf.constant(2.0), seed=1)([2]), raises(u(0, None, dtype=tf.int32), [2])]


def case_normal_moments(tf):
    return [tf.initializers.random_normal(3.0, 0.5, seed=2)([4]), tf.initializers.truncated_normal(mean=-1.0, stddev=2.0, seed=2)([4]), tf.initializers.random_normal(stddev=0.0)([2]), tf.initializers.random_normal(tf.constant(1.0), tf.constant(2.0), seed=3)([2])]


def case_scaling_refused(tf):
    v = tf.initializers.variance_scaling
    return [raises(v, scale=0.0), raises(v, scale=-1.0), raises(v, mode="fan"), raises(v, distribution="cauchy"), raises(v, dtype=tf.int32), raises(tf.initializers.orthogonal, dtype=tf.int32), raises(tf.initializers.identity, dtype=tf.int32), raises(tf.initializers.glorot_uniform, dtype=tf.int32), raises(tf.initializers.he_normal, dtype=tf.int32),
            raises(tf.initializers.random_normal, dtype=tf.int32), raises(tf.initializers.uniform_unit_scaling, dtype=tf.string), raises(v(), None), raises(v(), [None, 2]), raises(v(), [-1, 2]), raises(tf.initializers.zeros(), [-1]), raises(tf.initializers.ones(), "a")]


def case_gains(tf):
    return [tf.initializers.orthogonal(gain=2.0, seed=4)([3, 3]), tf.initializers.orthogonal(0.5, 4)([4, 2]), tf.initializers.orthogonal(seed=4)([2, 3, 4]), tf.initializers.identity(gain=3.0)([2, 3]), tf.initializers.identity(2)([3, 3])]


def case_tensors_as_shapes(tf):
    n = tf.constant([2, 3])
    fed = tf.placeholder_with_default([2, 3], [2])
    return [tf.initializers.zeros()(n), tf.initializers.ones()(fed), tf.initializers.random_normal(seed=1)(fed), tf.initializers.random_uniform(seed=1)(n), tf.initializers.truncated_normal(seed=1)(fed), raises(tf.initializers.glorot_uniform(), fed), tf.initializers.constant(2.0)(tf.TensorShape([2, 2])), tf.initializers.zeros()(tf.TensorShape([2]))]


def case_old_names(tf):
    made = [tf.zeros_initializer, tf.ones_initializer, tf.constant_initializer, tf.random_uniform_initializer, tf.random_normal_initializer, tf.truncated_normal_initializer, tf.uniform_unit_scaling_initializer, tf.variance_scaling_initializer, tf.orthogonal_initializer, tf.glorot_uniform_initializer, tf.glorot_normal_initializer]
    return [m()([2, 2]) for m in made] + [m.__name__ for m in made]


def case_initializers_of_the_user(tf):
    def plain(shape, dtype=None, partition_info=None):
        return tf.fill(shape, tf.cast(7.0, dtype))

    class Own(tf.keras.initializers.Initializer):
        def __init__(self, value):
            self.value = value

        def __call__(self, shape, dtype=None, partition_info=None):
            return tf.fill(shape, tf.cast(self.value, dtype))

        def get_config(self):
            return {"value": self.value}

    return [tf.get_variable("a", [2], initializer=plain), tf.get_variable("b", [2], initializer=Own(3.0)), tf.get_variable("c", [2], initializer=lambda shape, dtype=None, partition_info=None: tf.ones(shape, dtype)), tf.get_variable("d", initializer=lambda: tf.ones([3])), tf.layers.dense(tf.ones([1, 2]), 2, kernel_initializer=plain),
            Own.from_config(Own(4.0).get_config()).value, tf.get_variable("e", [2, 2], initializer=tf.zeros_initializer), tf.get_variable("f", [2, 2], initializer=tf.glorot_uniform_initializer)]


def case_by_name_in_layers(tf):
    x = tf.ones([1, 2])
    return [tf.layers.dense(x, 2, kernel_initializer=n) for n in ("zeros", "ones", "glorot_uniform", "glorot_normal", "he_normal", "he_uniform", "lecun_normal", "lecun_uniform", "orthogonal", "identity", "random_normal", "random_uniform", "truncated_normal", "normal", "uniform", "Zeros", "RandomNormal", "VarianceScaling")] + [
        tf.layers.dense(x, 2, kernel_initializer={"class_name": "Constant", "config": {"value": 2.0}}), raises(tf.layers.dense, x, 2, kernel_initializer="glorot"), tf.layers.dense(x, 2, kernel_initializer=tf.ones_initializer)]

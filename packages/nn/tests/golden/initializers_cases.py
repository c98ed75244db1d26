"""Initializers: the graphs and values they build, their configurations."""
import numpy as np
from golden_case import Case, raises

SHAPES = ([], [5], [4, 3], [3, 4], [3, 2, 4, 5], [0, 3])


def built(initializer, shapes=SHAPES):
    return Case([initializer(shape) for shape in shapes], steps=2, tolerance=0)


def case_zeros_and_ones(tf):
    I = tf.initializers
    return [I.zeros()([2, 3]), I.ones()([2, 3]), I.zeros(tf.int32)([4]), I.ones()([2], dtype=tf.float64), I.zeros(tf.string)([2]),
            I.ones(tf.bool)([2]), I.zeros()([200, 30]), I.zeros()(tf.TensorShape([2])), tf.zeros_initializer()([]),
            tf.ones_initializer()(tf.placeholder_with_default([2, 3], None))]


def case_constant(tf):
    C = tf.constant_initializer
    return [C(3)([2, 3]), C([1, 2, 3])([3]), C([1, 2, 3])([2, 3]), C(np.arange(6))([3, 2]), C([1, 2], tf.int32)([2]), C(5)([], tf.int64),
            C("a", tf.string)([2]), C([[1., 2.]], verify_shape=True)([1, 2]), C()([2])]


def case_constant_refused(tf):
    C = tf.constant_initializer
    return [raises(C([1, 2, 3]), [2]), raises(C([1, 2, 3], verify_shape=True), [2, 3]), raises(C, None), raises(C, object()),
            raises(C([1, 2, 3]), [2, 3], verify_shape=True), raises(C(1.5, tf.int32), [2])]


def case_random_uniform(tf):
    return built(tf.random_uniform_initializer(-1, 2))


def case_random_uniform_int(tf):
    return built(tf.random_uniform_initializer(0, 10, seed=3, dtype=tf.int32))


def case_random_normal(tf):
    return built(tf.random_normal_initializer(1, 2, seed=3))


def case_truncated_normal(tf):
    return built(tf.truncated_normal_initializer(stddev=0.1))


def case_uniform_unit_scaling(tf):
    return built(tf.uniform_unit_scaling_initializer(1.43))


def case_variance_scaling(tf):
    V = tf.variance_scaling_initializer
    return Case([V(2.0, mode, distribution)([3, 3, 4, 8]) for mode in ("fan_in", "fan_out", "fan_avg")
                 for distribution in ("normal", "uniform", "truncated_normal", "untruncated_normal", "UNIFORM")], tolerance=0)


def case_variance_scaling_shapes(tf):
    return built(tf.variance_scaling_initializer())


def case_variance_scaling_refused(tf):
    V = tf.variance_scaling_initializer
    return [raises(V, -1.0), raises(V, 0.0), raises(V, 1.0, "fan"), raises(V, 1.0, "fan_in", "x"), raises(V, dtype=tf.int32),
            raises(tf.random_normal_initializer, dtype=tf.int32), raises(tf.truncated_normal_initializer, dtype=tf.int32),
            raises(tf.uniform_unit_scaling_initializer, dtype=tf.int32), raises(tf.random_uniform_initializer(dtype=tf.int32), [2]),
            raises(tf.random_normal_initializer(), [2], dtype=tf.int32)]


def case_glorot_he_lecun(tf):
    I = tf.initializers
    made = [I.glorot_uniform(), I.glorot_normal(seed=2), I.he_normal(), I.he_uniform(7), I.lecun_normal(), I.lecun_uniform(),
            tf.glorot_uniform_initializer(dtype=tf.float64), tf.glorot_normal_initializer()]
    return Case([initializer(shape) for initializer in made for shape in ([4, 3], [2, 2, 3, 4], tf.TensorShape([6]))], tolerance=0)


def case_orthogonal(tf):
    O = tf.orthogonal_initializer
    return Case([O()([4, 3]), O(2.0, seed=4)([3, 4]), O()([2, 2, 3, 4]), O(dtype=tf.float64)([3, 3]), O()(tf.TensorShape([5, 2])), O()([1, 1])],
                tolerance=1e-5)


def case_identity(tf):
    I = tf.initializers.identity
    return [I()([2, 3]), I(2.0, tf.float64)([3, 3]), I()([3, 2], dtype=tf.float64)]


def case_shape_refused(tf):
    return [raises(tf.orthogonal_initializer(), [3]), raises(tf.initializers.identity(), [3]), raises(tf.initializers.identity(), [2, 2, 2])]


class Piece(object):
    """A piece of a partitioned variable, as initializers see it."""

    full_shape = [4, 3]
    var_offset = [2, 0]


def case_pieces(tf):
    I = tf.initializers
    made = [I.glorot_uniform(), I.variance_scaling(), I.uniform_unit_scaling(), I.identity(), I.random_normal(), I.zeros()]
    return Case([initializer([2, 3], partition_info=Piece()) for initializer in made], tolerance=0)


def case_configs(tf):
    I, K = tf.initializers, tf.keras.initializers
    names = ("constant glorot_normal glorot_uniform identity ones orthogonal random_normal random_uniform truncated_normal "
             "uniform_unit_scaling variance_scaling zeros he_normal he_uniform lecun_normal lecun_uniform").split()
    facts = [sorted(getattr(I, name)().get_config().items()) for name in names]
    facts += [type(getattr(I, name)()).__name__ for name in names]
    facts += [sorted(kind().get_config().items()) for kind in (K.RandomNormal, K.RandomUniform, K.TruncatedNormal)]
    facts.append(I.variance_scaling.from_config({"scale": 3.0, "mode": "fan_out"}).get_config()["scale"])
    facts.append([K.Zeros is I.zeros, K.zeros is I.zeros, K.Constant is I.constant, K.VarianceScaling is I.variance_scaling,
                  K.glorot_uniform is tf.glorot_uniform_initializer, K.RandomNormal is I.random_normal])
    return Case(facts, graph=False)


def case_keras_names(tf):
    K = tf.keras.initializers
    names = ("zeros ones constant uniform normal random_uniform random_normal truncated_normal glorot_uniform glorot_normal he_normal "
             "he_uniform lecun_normal lecun_uniform Zeros VarianceScaling RandomNormal GlorotUniform").split()
    facts = [str(K.serialize(K.get(name))["class_name"]) for name in names]
    config = {"class_name": "RandomNormal", "config": {"mean": 1.0, "stddev": 2.0}}
    facts += [K.get(None) is None, K.get("zeros")([2]), K.get(config)([2]), K.get(len) is len, K.serialize(K.get(config))["config"]["mean"]]
    return facts


def case_keras_names_refused(tf):
    K = tf.keras.initializers
    return [raises(K.get, "nope"), raises(K.get, 3), raises(K.deserialize, {"class_name": "Nope", "config": {}})]


def case_variables(tf):
    with tf.variable_scope("scope", initializer=tf.random_normal_initializer(stddev=0.1)):
        a = tf.get_variable("a", [3, 4])
    b = tf.get_variable("b", [3, 4])
    c = tf.get_variable("c", [4], initializer=tf.zeros_initializer)
    d = tf.get_variable("d", [2, 2], initializer=tf.keras.initializers.he_normal(seed=1))
    return Case([a, b, c, d], tolerance=0)

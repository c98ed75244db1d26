"""Loss scales in programs: long runs, gradients that overflow, functions as losses, checkpoints, subclasses."""
import numpy as np
from golden_case import Case, raises


def e(tf):
    return tf.train.experimental


def trained(tf, scale, wrapped, factors, use=True):
    v = tf.get_variable("v", initializer=np.array([1.0, 2.0], "float32"), use_resource=use)
    x = tf.placeholder(tf.float32, [])
    optimizer = e(tf).MixedPrecisionLossScaleOptimizer(wrapped, scale)
    train = optimizer.minimize(tf.reduce_sum(v * v) * x)
    runs = []
    for factor in factors:
        runs += [([train], {x: np.float32(factor)}), tf.global_variables()]
    return Case(runs=runs)


FACTORS = {"finite": [1.0] * 5, "overflow": [1.0, 1e38, 1.0, 1.0, 1e38, 1e38, 1.0], "nan": [1.0, np.nan, 1.0, np.nan, 1.0], "small": [1e-30, 1e-40, 1.0]}
WRAPPED = {"sgd": lambda t: t.GradientDescentOptimizer(0.1), "momentum": lambda t: t.MomentumOptimizer(0.1, 0.9), "adam": lambda t: t.AdamOptimizer(0.1),
           "adagrad": lambda t: t.AdagradOptimizer(0.1)}
for _how, _factors in FACTORS.items():
    for _name, _make in WRAPPED.items():
        def _case(tf, make=_make, factors=_factors):
            return trained(tf, e(tf).DynamicLossScale(1024.0, 2, 2.0), make(tf.train), factors)
        globals()["case_%s_%s" % (_how, _name)] = _case


def case_fixed_overflow(tf):
    return trained(tf, 4.0, tf.train.MomentumOptimizer(0.1, 0.9), FACTORS["overflow"])


def case_scale_falls_to_one(tf):
    return trained(tf, e(tf).DynamicLossScale(4.0, 2, 2.0), tf.train.GradientDescentOptimizer(0.1), [np.inf] * 4 + [1.0] * 3)


def case_multiplier_of_three(tf):
    return trained(tf, e(tf).DynamicLossScale(9.0, 1, 3.0), tf.train.GradientDescentOptimizer(0.01), [1.0, np.inf, np.inf, 1.0], use=False)


def case_named_dynamic(tf):
    return trained(tf, "dynamic", tf.train.GradientDescentOptimizer(0.1), [1.0, 2.0])


def case_gradients_unscaled(tf):
    v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=True)
    w = tf.get_variable("w", initializer=[[1.0], [2.0]], use_resource=True)
    optimizer = e(tf).MixedPrecisionLossScaleOptimizer(tf.train.GradientDescentOptimizer(0.1), 16.0)
    pairs = optimizer.compute_gradients(tf.reduce_sum(v * v) + tf.reduce_sum(tf.gather(w, [0, 0])), var_list=[v, w, tf.get_variable("u", [1])])
    return Case(runs=[pairs[0][0], [pairs[1][0].values, pairs[1][0].indices], {"none": pairs[2][0] is None}])


def case_loss_given_as_a_function(tf):
    v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=True)
    optimizer = e(tf).MixedPrecisionLossScaleOptimizer(tf.train.GradientDescentOptimizer(0.1), 16.0)
    # The original does not multiply by the scale what nobody asks for.
    return Case(runs=[optimizer.minimize(lambda: tf.reduce_sum(v * v), var_list=[v]), v], graph=False)


def case_half(tf):
    v = tf.get_variable("v", initializer=np.array([1.0, 2.0], "float16"), use_resource=True)
    optimizer = e(tf).MixedPrecisionLossScaleOptimizer(tf.train.GradientDescentOptimizer(0.1), e(tf).DynamicLossScale(2.0 ** 15, 2))
    train = optimizer.minimize(tf.reduce_sum(v * v))
    return Case(runs=[train, tf.global_variables(), train, tf.global_variables(), train, tf.global_variables()], tolerance=1e-3)


def case_gradients_none(tf):
    v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=True)
    optimizer = e(tf).MixedPrecisionLossScaleOptimizer(tf.train.GradientDescentOptimizer(0.1), 2.0)
    return [raises(optimizer.minimize, tf.constant(1.0)), raises(optimizer.apply_gradients, [(None, v)]), raises(optimizer.apply_gradients, [])]


def case_configurations(tf):
    kinds = e(tf)
    scale = kinds.DynamicLossScale(16, 5, 3)
    again = kinds.DynamicLossScale.from_config(scale.get_config())
    return [again.get_config(), kinds.FixedLossScale(2).get_config(), raises(kinds.DynamicLossScale.from_config, {"other": 1}), raises(kinds.FixedLossScale, -1.0),
            raises(kinds.FixedLossScale, None), raises(kinds.DynamicLossScale, tf.constant(1.0)), raises(kinds.DynamicLossScale, "a")]


def case_own_scale(tf):
    class Halved(e(tf).LossScale):
        def __init__(self):
            super(Halved, self).__init__()
            self._value = self._add_weight("value", 8.0)

        def __call__(self):
            return tf.convert_to_tensor(self._value)

        def update(self, grads):
            return tf.group(self._value.assign(self._value / 2.0)), tf.constant(True)

        def get_config(self):
            return {}
    v = tf.get_variable("v", initializer=[1.0], use_resource=True)
    scale = Halved()
    train = e(tf).MixedPrecisionLossScaleOptimizer(tf.train.GradientDescentOptimizer(0.1), scale).minimize(v * v)
    return Case(runs=[train, [v] + tf.global_variables(), train, [v] + tf.global_variables(), {"names": [x.name for x in tf.global_variables()]}])

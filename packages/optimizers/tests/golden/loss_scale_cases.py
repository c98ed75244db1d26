"""Loss scales, the optimizer that uses them, and what they refuse."""
import numpy as np
from golden_case import Case, raises


def scales(tf):
    return tf.train.experimental


def case_fixed(tf):
    scale = scales(tf).FixedLossScale(8)
    return {"scale": scale(), "update": scale.update([tf.constant(1.0)])[1], "config": scale.get_config(), "repr": repr(scale),
            "again": repr(scales(tf).FixedLossScale.from_config(scale.get_config()))}


def case_dynamic_properties(tf):
    scale = scales(tf).DynamicLossScale(4, 2, 2)
    return {"scale": scale(), "facts": [scale.initial_loss_scale, scale.increment_period, scale.multiplier, scale.get_config(), repr(scale)],
            "names": [v.name for v in tf.global_variables()]}


def case_dynamic(tf):
    scale = scales(tf).DynamicLossScale(initial_loss_scale=4.0, increment_period=2, multiplier=2.0)
    g = tf.placeholder(tf.float32, [2])
    update, usable = scale.update([g, None, tf.constant([1.0, 2.0])])
    values = [[1.0, 2.0], [1.0, 2.0], [1.0, 2.0], [np.inf, 1.0], [1.0, np.nan], [1.0, -np.inf], [1.0, 1.0]]
    runs = []
    for value in values:
        runs += [([update, usable], {g: np.array(value, "float32")}), tf.global_variables()]
    return Case(runs=runs)


def case_dynamic_at_the_largest(tf):
    scale = scales(tf).DynamicLossScale(initial_loss_scale=3e38, increment_period=1)
    update, usable = scale.update([tf.constant(1.0)])
    return Case(runs=[update, tf.global_variables()])


def minimized(tf, scale, wrapped, use=False, step=False, sparse=False):
    v = tf.get_variable("v", initializer=np.array([1.0, 2.0], "float32"), use_resource=use)
    x = tf.placeholder_with_default(np.float32(1.0), [])
    optimizer = scales(tf).MixedPrecisionLossScaleOptimizer(wrapped, scale)
    loss = tf.reduce_sum(tf.square(tf.gather(v, [0, 0]))) * x if sparse else tf.reduce_sum(v * v) * x
    counter = tf.train.get_or_create_global_step() if step else None
    train = optimizer.minimize(loss, global_step=counter)
    held = [v] + ([counter] if step else [])
    return Case(runs=[train, train, held, ([train], {x: np.float32("inf")}), held, tf.global_variables(),
                      {"name": optimizer.get_name(), "slots": optimizer.get_slot_names(), "variables": [w.name for w in optimizer.variables()]}])


for _kind in (False, True):
    def _case(tf, use=_kind):
        return minimized(tf, scales(tf).DynamicLossScale(8.0, 2), tf.train.GradientDescentOptimizer(0.1), use)
    globals()["case_optimizer_dynamic_%s" % ("resource" if _kind else "ref")] = _case

    def _case(tf, use=_kind):
        return minimized(tf, 8.0, tf.train.MomentumOptimizer(0.1, 0.9), use, sparse=True)
    globals()["case_optimizer_fixed_sparse_%s" % ("resource" if _kind else "ref")] = _case


def case_optimizer_step(tf):
    return minimized(tf, scales(tf).DynamicLossScale(8.0, 2), tf.train.MomentumOptimizer(0.1, 0.9), step=True)


def case_refused(tf):
    e = scales(tf)
    sgd = tf.train.GradientDescentOptimizer(0.1)
    return [raises(e.MixedPrecisionLossScaleOptimizer, 3, 8.0), raises(e.MixedPrecisionLossScaleOptimizer, sgd, "other"),
            raises(e.MixedPrecisionLossScaleOptimizer, sgd, None), raises(e.FixedLossScale, "a"), raises(e.FixedLossScale, 0.5),
            raises(e.FixedLossScale, tf.constant(1.0)), raises(e.LossScale), raises(e.enable_mixed_precision_graph_rewrite, 3),
            raises(e.enable_mixed_precision_graph_rewrite, e.MixedPrecisionLossScaleOptimizer(sgd, 2.0))]


def case_rewrite_wraps(tf):
    e = scales(tf)
    wrapped = e.enable_mixed_precision_graph_rewrite(tf.train.GradientDescentOptimizer(0.1), 4.0)
    e.disable_mixed_precision_graph_rewrite()
    return {"type": type(wrapped).__name__, "name": wrapped.get_name(), "names": [v.name for v in tf.global_variables()]}

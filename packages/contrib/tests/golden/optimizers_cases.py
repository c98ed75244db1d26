"""Optimizers of `tf.contrib.opt`: three steps, dense and sparse."""
import numpy as np
from golden_case import Case


def _steps(tf, optimizer, sparse=False, linear=False, resource=False, global_step=None):
    with tf.variable_scope("", use_resource=resource):
        v = tf.get_variable("v", initializer=tf.constant([[1.0, -2.0], [3.0, 4.0], [0.5, 0.25]]))
    rows = tf.gather(v, [0, 2]) if sparse else v
    # Where the weights decay first, whether the original's gradient sees it is a matter of chance.
    loss = tf.reduce_sum(rows * (2.0 if linear else rows))
    train = optimizer.minimize(loss, global_step)
    if resource:  # nothing orders reads of it and updates
        return Case(runs=[train, v] * 3)
    return Case({"train": train, "v": v}, steps=3)


def _cases():
    def case(kind, *args, **kwargs):
        sparse, resource = kwargs.pop("sparse", False), kwargs.pop("resource", False)
        linear, stepped = "W" in kind, kind in ("AdamGSOptimizer", "LazyAdamGSOptimizer", "ShampooOptimizer")

        def build(tf):
            step = tf.train.get_or_create_global_step() if stepped else None
            given = [step] if stepped else []
            optimizer = getattr(tf.contrib.opt, kind)(*given + list(args), **kwargs)
            return _steps(tf, optimizer, sparse, linear, resource, step)

        return build

    for name, made in {
        "adam_decay": case("AdamWOptimizer", 0.1, learning_rate=0.1),
        "adam_decay_sparse": case("AdamWOptimizer", 0.1, learning_rate=0.1, sparse=True),
        "momentum_decay": case("MomentumWOptimizer", 0.1, 0.1, 0.9),
        "nadam": case("NadamOptimizer", 0.1),
        "nadam_sparse": case("NadamOptimizer", 0.1, sparse=True),
        "lazy_adam": case("LazyAdamOptimizer", 0.1),
        "lazy_adam_sparse": case("LazyAdamOptimizer", 0.1, sparse=True),
        "add_sign": case("AddSignOptimizer"),
        "power_sign": case("PowerSignOptimizer"),
        "adamax": case("AdaMaxOptimizer", 0.1),
        "adamax_resource": case("AdaMaxOptimizer", 0.1, resource=True),
        "adamax_sparse": case("AdaMaxOptimizer", 0.1, sparse=True),
        "adamax_sparse_resource": case("AdaMaxOptimizer", 0.1, sparse=True, resource=True),
        "adam_of_step": case("AdamGSOptimizer", 0.1),
        "adam_of_step_sparse": case("AdamGSOptimizer", 0.1, sparse=True),
        "lazy_adam_of_step": case("LazyAdamGSOptimizer", 0.1, sparse=True),
        "lars": case("LARSOptimizer", 0.1),
        "lars_skipped": case("LARSOptimizer", 0.1, skip_list=["v"], use_nesterov=True),
        "lars_sparse": case("LARSOptimizer", 0.1, sparse=True),
        "lars_resource": case("LARSOptimizer", 0.1, resource=True),
        "reg_adagrad": case("RegAdagradOptimizer", 0.1),
        "reg_adagrad_sparse": case("RegAdagradOptimizer", 0.1, sparse=True, resource=True),
        "shampoo": case("ShampooOptimizer"),
        "shampoo_diagonal": case("ShampooOptimizer", max_matrix_size=2),
        "shampoo_at_intervals": case("ShampooOptimizer", gbar_decay=0.9, mat_gbar_decay=0.9, learning_rate=0.3, svd_interval=2, precond_update_interval=2),
        "shampoo_sparse": case("ShampooOptimizer", sparse=True),
        "full_matrix": case("GGTOptimizer", 0.1, window=3),
    }.items():
        globals()["case_" + name] = made


_cases()


def case_extended(tf):
    kind = tf.contrib.opt.extend_with_decoupled_weight_decay(tf.train.GradientDescentOptimizer)
    return _steps(tf, kind(weight_decay=0.1, learning_rate=0.1), linear=True)


def case_moving_average(tf):
    optimizer = tf.contrib.opt.MovingAverageOptimizer(tf.train.GradientDescentOptimizer(0.1), 0.5)
    return _steps(tf, optimizer)


def case_saver_too_early(tf):
    return tf.contrib.opt.MovingAverageOptimizer(tf.train.GradientDescentOptimizer(0.1)).swapping_saver()


def case_variable_clipping(tf):
    v = tf.get_variable("v", initializer=tf.constant([[1.0, -2.0], [3.0, 4.0]]))
    optimizer = tf.contrib.opt.VariableClippingOptimizer(tf.train.GradientDescentOptimizer(0.1), {v: [1]}, 1.0)
    return Case({"train": optimizer.minimize(tf.reduce_sum(v * v)), "v": v}, steps=2)


def case_slots_stay(tf):
    optimizer = tf.contrib.opt.RegAdagradOptimizer(0.1)
    v = tf.get_variable("v", initializer=tf.constant([1.0, 2.0]))
    with optimizer.avoid_updating_slots():
        train = optimizer.minimize(tf.reduce_sum(v * v))
    return {"train": train, "slot": optimizer.get_slot(v, "accumulator")}


def case_stale_gradients(tf):
    optimizer = tf.contrib.opt.DropStaleGradientOptimizer(tf.train.GradientDescentOptimizer(0.1), 2)
    return _steps(tf, optimizer, global_step=tf.train.get_or_create_global_step())


def case_several_tasks(tf):
    v = tf.get_variable("v", initializer=tf.constant([1.0, 2.0]))
    w = tf.get_variable("w", initializer=tf.constant([1.0, 2.0]))
    optimizer = tf.contrib.opt.MultitaskOptimizerWrapper(tf.train.MomentumOptimizer(0.1, 0.9))
    gradients = optimizer.compute_gradients(tf.reduce_sum(v * v) + 0 * tf.reduce_sum(w))
    clipped, norm = tf.contrib.opt.clip_gradients_by_global_norm(gradients, 1.0)
    return Case({"train": optimizer.apply_gradients(clipped), "v": v, "w": w, "norm": norm}, steps=2)


def case_no_optimizer(tf):
    tf.contrib.opt.MultitaskOptimizerWrapper(3)


def _external(tf, **options):
    v, w = tf.get_variable("v", initializer=tf.constant([7.0, 7.0])), tf.get_variable("w", initializer=2.0)
    makes = {"equalities": lambda: [v[1] - 1.0], "inequalities": lambda: [v[0] - 3.0, w - 1.5], "var_to_bounds": lambda: {v: (1, np.inf), w: (-np.inf, 0.5)}}
    options = {key: makes[key]() if key in makes else value for key, value in options.items()}
    optimizer = tf.contrib.opt.ScipyOptimizerInterface(tf.reduce_sum(tf.square(v)) + (w - 1) ** 2, **options)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        optimizer.minimize(session)
        return [[abs(round(float(each), 2)) for each in session.run(v)], round(float(session.run(w)), 2)]


def case_external(tf):
    return _external(tf)


def case_external_equal(tf):
    return _external(tf, equalities=True, method="SLSQP")


def case_external_unequal(tf):
    return _external(tf, inequalities=True, method="SLSQP")


def case_external_bounds(tf):
    return _external(tf, var_to_bounds=True)

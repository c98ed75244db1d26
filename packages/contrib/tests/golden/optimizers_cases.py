"""Optimizers of `tf.contrib.opt`: three steps, dense and sparse."""
from golden_case import Case


def _steps(tf, optimizer, sparse=False, linear=False):
    v = tf.get_variable("v", initializer=tf.constant([[1.0, -2.0], [3.0, 4.0], [0.5, 0.25]]))
    rows = tf.gather(v, [0, 2]) if sparse else v
    # Where the weights decay first, whether the original's gradient sees it is a matter of chance.
    loss = tf.reduce_sum(rows * (2.0 if linear else rows))
    return Case({"train": optimizer.minimize(loss), "v": v}, steps=3)


def _cases():
    def case(kind, *args, **kwargs):
        sparse = kwargs.pop("sparse", False)
        linear = "W" in kind
        return lambda tf: _steps(tf, getattr(tf.contrib.opt, kind)(*args, **kwargs), sparse, linear)

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

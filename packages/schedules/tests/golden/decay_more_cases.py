"""Learning-rate decays as programs use them: kinds of arguments and of steps, the forms of version 2, and what is refused."""
import numpy as np
from golden_case import Case, raises

DECAYS = {
    "exponential": lambda t, r, s: t.exponential_decay(r, s, 10, 0.9), "staircase": lambda t, r, s: t.exponential_decay(r, s, 3, 0.96, staircase=True),
    "natural": lambda t, r, s: t.natural_exp_decay(r, s, 10, 0.5), "natural_staircase": lambda t, r, s: t.natural_exp_decay(r, s, 4, 0.5, True),
    "inverse": lambda t, r, s: t.inverse_time_decay(r, s, 10, 0.5), "inverse_staircase": lambda t, r, s: t.inverse_time_decay(r, s, 4, 0.5, True),
    "polynomial": lambda t, r, s: t.polynomial_decay(r, s, 10, 0.01, 0.5), "cycle": lambda t, r, s: t.polynomial_decay(r, s, 10, 0.01, 2.0, True),
    "cosine": lambda t, r, s: t.cosine_decay(r, s, 10, 0.1), "restarts": lambda t, r, s: t.cosine_decay_restarts(r, s, 4, 2.0, 0.5, 0.1),
    "linear_cosine": lambda t, r, s: t.linear_cosine_decay(r, s, 10, 0.5, 0.1, 0.01), "noisy": lambda t, r, s: t.noisy_linear_cosine_decay(r, s, 10, 1.0, 0.55, 0.5, 0.1, 0.01),
}
STEPS = (0, 3, 4, 7, 10, 11, 25)

for _name, _build in DECAYS.items():
    for _kind in ("int32", "int64", "float32"):
        def _case(tf, build=_build, kind=_kind):
            step = tf.placeholder(kind, [])
            return Case(runs=[(build(tf.train, 0.1, step), {step: s}) for s in STEPS])
        globals()["case_%s_step_%s" % (_name, _kind)] = _case

    def _case(tf, build=_build):
        return [build(tf.train, 0.1, s) for s in (0, 5, 12)] + [build(tf.train, 1, 5)]
    globals()["case_%s_numbers" % _name] = _case

    for _use in (False, True):
        def _case(tf, build=_build, use=_use):
            step = tf.get_variable("step", initializer=np.int64(0), trainable=False, use_resource=use)
            rate = tf.get_variable("rate", initializer=np.float64(0.5), trainable=False, use_resource=use)
            found = build(tf.train, rate, step)
            return Case(runs=[found, step.assign(5), found, rate.assign(1.0), found])
        globals()["case_%s_variables_%s" % (_name, "resource" if _use else "ref")] = _case

    def _case(tf, build=_build):
        step = tf.placeholder(tf.int32, [])
        v = tf.Variable([1.0, 2.0])
        rate = build(tf.train, 0.5, step)
        train = tf.train.GradientDescentOptimizer(rate).minimize(tf.reduce_sum(v * v))
        return Case(runs=[([train], {step: s}) for s in STEPS] + [v])
    globals()["case_%s_trains" % _name] = _case



def case_refused(tf):
    t, s = tf.train, tf.constant(3)
    vector = tf.constant([1, 2])
    return {
        "exponential": raises(t.exponential_decay, 0.1, None, 10, 0.9), "polynomial": raises(t.polynomial_decay, 0.1, None, 10), "text": raises(t.exponential_decay, "a", s, 10, 0.9),
        "piecewise count": raises(t.piecewise_constant, s, [1, 2], [0.1, 0.2]), "piecewise dtype": raises(t.piecewise_constant, s, [1.0], [0.1, 0.2]), "piecewise values": raises(t.piecewise_constant, s, [1], [0.1, "a"]),
        "vector step": t.exponential_decay(0.1, vector, 10, 0.9), "piecewise vector": raises(t.piecewise_constant, vector, [1], [0.1, 0.2]), "rate none": raises(t.cosine_decay, None, s, 10),
        "steps text": raises(t.cosine_decay, 0.1, s, "a"), "int rate": raises(t.natural_exp_decay, tf.constant(1), s, 10, 0.5), "bool step": raises(t.exponential_decay, 0.1, True, 10, 0.9),
    }


def case_zero_steps(tf):
    s = tf.constant(3)
    t = tf.train
    return [t.exponential_decay(0.1, s, 0, 0.9), t.polynomial_decay(0.1, s, 0), t.cosine_decay(0.1, s, 0), t.inverse_time_decay(0.1, s, 0, 0.5)]


def case_negative_step(tf):
    s = tf.constant(-3)
    t = tf.train
    return [t.exponential_decay(0.1, s, 10, 0.9), t.polynomial_decay(0.1, s, 10), t.polynomial_decay(0.1, s, 10, cycle=True), t.cosine_decay(0.1, s, 10), t.piecewise_constant(s, [1], [0.1, 0.2])]


def case_piecewise_kinds(tf):
    p = tf.train.piecewise_constant
    steps = {"uint8": [1, 5, 6, 10, 11], "int32": [-1, 5, 6, 10, 11], "int64": [5, 6], "float32": [4.9, 5.0, 5.1], "float64": [5.0, 10.5]}
    found = {}
    for kind, values in steps.items():
        bounds = [5.0, 10.0] if kind.startswith("f") else [5, 10]
        found[kind] = [p(tf.constant(value, kind), [tf.constant(b, kind) for b in bounds], [0.1, 0.2, 0.3]) for value in values]
    found["values"] = [p(tf.constant(6), [5, 10], [1, 2, 3]), p(tf.constant(6), [5, 10], [tf.constant(x, tf.float64) for x in (1.0, 2.0, 3.0)])]
    return found


def case_names(tf):
    t = tf.train
    with tf.name_scope("outer"):
        found = [t.exponential_decay(0.1, 3, 10, 0.9, name="mine"), t.exponential_decay(0.1, 3, 10, 0.9), t.exponential_decay(0.1, 3, 10, 0.9), t.cosine_decay(0.1, 3, 10, name="mine")]
    return [x.name for x in found]


def case_noise_of_a_seed(tf):
    tf.set_random_seed(7)
    step = tf.placeholder(tf.int64, [])
    rate = tf.train.noisy_linear_cosine_decay(0.1, step, 100, 0.5, 0.3)
    return Case(runs=[(rate, {step: s}) for s in (0, 10, 10, 50, 100)])


def case_what_refused_calls_leave(tf):
    train = tf.train
    return {
        "errors": [
            raises(lambda: train.piecewise_constant(1, [1, 2], [1.0])), raises(lambda: train.piecewise_constant(1, [], [])),
            raises(lambda: train.piecewise_constant(1, [1], None)), raises(lambda: train.piecewise_constant(1, None, [1.0])),
            raises(lambda: train.cosine_decay(0.1, None, 10)), raises(lambda: train.cosine_decay(0.1, 1, "a")),
            raises(lambda: train.noisy_linear_cosine_decay(0.1, None, 10)),
            raises(lambda: train.linear_cosine_decay(0.1, None, 10)),
        ]
    }


def case_nodes_before_a_step_is_refused(tf):
    """A step of None is refused where it is needed, behind the nodes of what stands before it."""
    train = tf.train
    decays = [
        lambda: train.exponential_decay(0.1, None, 5, 0.9), lambda: train.natural_exp_decay(0.1, None, 5, 0.9), lambda: train.inverse_time_decay(0.1, None, 5, 0.9),
        lambda: train.polynomial_decay(0.1, None, 5), lambda: train.cosine_decay(0.1, None, 5), lambda: train.linear_cosine_decay(0.1, None, 5),
    ]
    return [raises(decay) for decay in decays] + [op.name for op in tf.get_default_graph().get_operations()]

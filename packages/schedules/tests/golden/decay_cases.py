"""Learning-rate decays: their graphs, and their values over the steps."""

from golden_case import Case, raises

STEPS = [0, 1, 5, 9, 10, 11, 25, 99, 100, 101, 1000]


def _over_steps(tf, build, kind=None, steps=STEPS):
    step = tf.placeholder(kind or tf.int64, [], name="step")
    return Case(build(step), feeds=[{step: s} for s in steps], steps=len(steps))


def case_exponential(tf):
    return _over_steps(tf, lambda step: tf.train.exponential_decay(0.1, step, 100, 0.96))


def case_exponential_staircase(tf):
    return _over_steps(tf, lambda step: tf.train.exponential_decay(0.1, step, 10, 0.5, staircase=True, name="rate"))


def case_exponential_int32(tf):
    return _over_steps(tf, lambda step: tf.train.exponential_decay(0.1, step, 10, 0.5), tf.int32)


def case_exponential_variable(tf):
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.1, step, 2, 0.5, staircase=True)
    return Case({"rate": rate, "next": tf.assign_add(step, 1)}, steps=5, values=True)


def case_exponential_double(tf):
    return _over_steps(tf, lambda step: tf.train.exponential_decay(tf.constant(0.1, tf.float64), step, 100, 0.96))


def case_exponential_tensors(tf):
    rate, steps, factor = tf.constant(0.1), tf.constant(100), tf.constant(0.5)
    return _over_steps(tf, lambda step: tf.train.exponential_decay(rate, step, steps, factor))


def case_exponential_in_scope(tf):
    with tf.name_scope("outer"):
        first = tf.train.exponential_decay(0.1, tf.constant(3), 100, 0.96)
        second = tf.train.exponential_decay(0.1, 7.0, 100, 0.96)
    return [first, second]


def case_natural_exp(tf):
    return _over_steps(tf, lambda step: [tf.train.natural_exp_decay(0.1, step, 10, 0.5), tf.train.natural_exp_decay(0.1, step, 10, 0.5, True)])


def case_inverse_time(tf):
    return _over_steps(tf, lambda step: [tf.train.inverse_time_decay(0.1, step, 10, 0.5), tf.train.inverse_time_decay(0.1, step, 10, 0.5, True, "r")])


def case_natural_exp_double(tf):
    rate = tf.constant(0.1, tf.float64)
    return _over_steps(tf, lambda step: [tf.train.natural_exp_decay(rate, step, 10, 0.5), tf.train.inverse_time_decay(rate, step, 10, 0.5)])


def case_piecewise(tf):
    return _over_steps(tf, lambda step: tf.train.piecewise_constant(step, [5, 10, 100], [1.0, 0.5, 0.25, 0.125]))


def case_piecewise_one(tf):
    return _over_steps(tf, lambda step: tf.train.piecewise_constant_decay(step, [10], [1, 2], name="p"), tf.int32)


def case_piecewise_float(tf):
    return _over_steps(tf, lambda step: tf.train.piecewise_constant(step, [5.0, 10.0], [1.0, 0.5, 0.25]), tf.float32)


def case_piecewise_tensors(tf):
    def build(step):
        return tf.train.piecewise_constant(step, [tf.constant(5), 10], [tf.constant(1.0), 0.5, 0.25])
    return _over_steps(tf, build, tf.int32)


def case_piecewise_widened(tf):
    return _over_steps(tf, lambda step: tf.train.piecewise_constant(step, [tf.constant(5), 10], [1.0, 0.5, 0.25]))


def case_piecewise_variable(tf):
    step = tf.Variable(3, trainable=False, name="step")
    return tf.train.piecewise_constant(step, [2, 4], [1.0, 0.5, 0.25])


def case_piecewise_refused(tf):
    step, p = tf.constant(3), tf.train.piecewise_constant
    return {
        "boundary types": raises(lambda: p(step, [1.5, 2.5], [1.0, 2.0, 3.0])),
        "value types": raises(lambda: p(step, [1, 2], [1.0, 2, tf.constant(3)])),
        "count": raises(lambda: p(step, [1, 2], [1.0])),
        "none": raises(lambda: p(step, [], [1.0])),
        "float step": raises(lambda: p(tf.constant(3.0), [1, 2], [1.0, 2.0, 3.0])),
        "wide boundary": raises(lambda: p(step, [tf.constant(1, tf.int64)], [1.0, 2.0])),
    }


def case_polynomial(tf):
    return _over_steps(tf, lambda step: [tf.train.polynomial_decay(0.1, step, 100), tf.train.polynomial_decay(0.1, step, 10, 0.01, 0.5)])


def case_polynomial_cycle(tf):
    return _over_steps(tf, lambda step: tf.train.polynomial_decay(0.1, step, 10, 0.01, 2.0, cycle=True))


def case_polynomial_double(tf):
    return _over_steps(tf, lambda step: tf.train.polynomial_decay(tf.constant(0.1, tf.float64), step, 10, 0.01, 2.0, cycle=True, name="p"))


def case_cosine(tf):
    return _over_steps(tf, lambda step: [tf.train.cosine_decay(0.1, step, 100), tf.train.cosine_decay(0.1, step, 100, alpha=0.1, name="c")])


def case_cosine_restarts(tf):
    return _over_steps(tf, lambda step: [
        tf.train.cosine_decay_restarts(0.1, step, 10), tf.train.cosine_decay_restarts(0.1, step, 10, 1.0, 0.9, 0.1),
        tf.train.cosine_decay_restarts(0.1, step, 10, t_mul=1.5, m_mul=0.5)])


def case_linear_cosine(tf):
    return _over_steps(tf, lambda step: [
        tf.train.linear_cosine_decay(0.1, step, 100), tf.train.linear_cosine_decay(0.1, step, 100, 2.0, 0.1, 0.01, name="l")])


def case_noisy_linear_cosine(tf):
    return _over_steps(tf, lambda step: [
        tf.train.noisy_linear_cosine_decay(0.1, step, 100),
        tf.train.noisy_linear_cosine_decay(0.1, step, 100, 0.5, 0.1, 2.0, 0.1, 0.01, name="n")])


def case_cosine_double(tf):
    rate = tf.constant(0.1, tf.float64)
    return _over_steps(tf, lambda step: [
        tf.train.cosine_decay(rate, step, 100), tf.train.cosine_decay_restarts(rate, step, 10),
        tf.train.linear_cosine_decay(rate, step, 100), tf.train.noisy_linear_cosine_decay(rate, step, 100)])


def case_float_step(tf):
    return _over_steps(tf, lambda step: [
        tf.train.exponential_decay(0.1, step, 10, 0.5), tf.train.cosine_decay(0.1, step, 100), tf.train.polynomial_decay(0.1, step, 10)],
        tf.float32)


def case_no_step(tf):
    t = tf.train
    return [raises(f, 0.1, None, 10, *more) for f, more in (
        (t.exponential_decay, (0.5,)), (t.natural_exp_decay, (0.5,)), (t.inverse_time_decay, (0.5,)), (t.polynomial_decay, ()),
        (t.cosine_decay, ()), (t.cosine_decay_restarts, ()), (t.linear_cosine_decay, ()), (t.noisy_linear_cosine_decay, ()))]


def case_half(tf):
    rate = tf.constant(0.1, tf.float16)
    return _over_steps(tf, lambda step: [tf.train.exponential_decay(rate, step, 100, 0.96), tf.train.cosine_decay(rate, step, 100)], steps=[0, 7])

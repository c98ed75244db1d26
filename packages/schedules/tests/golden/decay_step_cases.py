"""Every decay with steps of every kind, rates in double precision, and what is refused."""
from golden_case import Case, raises

DECAYS = {
    "exponential": lambda t, s, x, **k: t.exponential_decay(x(0.5), s, 4, 0.9, **k), "staircase": lambda t, s, x, **k: t.exponential_decay(x(0.5), s, 4, 0.9, staircase=True, **k),
    "natural": lambda t, s, x, **k: t.natural_exp_decay(x(0.5), s, 4, 0.9, **k), "natural_stairs": lambda t, s, x, **k: t.natural_exp_decay(x(0.5), s, 4, 0.9, staircase=True, **k),
    "inverse": lambda t, s, x, **k: t.inverse_time_decay(x(0.5), s, 4, 0.9, **k), "inverse_stairs": lambda t, s, x, **k: t.inverse_time_decay(x(0.5), s, 4, 0.9, True, **k),
    "polynomial": lambda t, s, x, **k: t.polynomial_decay(x(0.5), s, 4, 0.1, power=0.5, **k), "cycle": lambda t, s, x, **k: t.polynomial_decay(x(0.5), s, 4, 0.1, cycle=True, **k),
    "cosine": lambda t, s, x, **k: t.cosine_decay(x(0.5), s, 4, 0.1, **k), "restarts": lambda t, s, x, **k: t.cosine_decay_restarts(x(0.5), s, 4, 1.5, 0.9, 0.1, **k),
    "linear_cosine": lambda t, s, x, **k: t.linear_cosine_decay(x(0.5), s, 4, **k), "piecewise": lambda t, s, x, **k: t.piecewise_constant(s, [2, 5], [0.5, 0.25, 0.125], **k),
}
for _name, _make in DECAYS.items():
    def _case(tf, make=_make):
        found = {}
        for kind, step in (("int", 5), ("int32", tf.constant(5)), ("int64", tf.constant(5, tf.int64)), ("zero", tf.constant(0)), ("var", tf.Variable(7, trainable=False, name="s", dtype=tf.int64))):
            found[kind] = make(tf.train, step, float)
        found["named"] = make(tf.train, tf.constant(3), float, name="mine")
        return found
    globals()["case_decay_%s" % _name] = _case

    def _case(tf, make=_make):
        x64 = lambda v: tf.constant(v, tf.float64)
        return Case({"x": 1}, runs=[raises(make, tf.train, None, float), raises(make, tf.train, tf.constant(5), x64), raises(make, tf.train, tf.constant(5.0), float), raises(make, tf.train, tf.constant(5, tf.int64), lambda v: None)])
    globals()["case_decay_refused_%s" % _name] = _case

    def _case(tf, make=_make):
        # The rate of a natural decay is the exponential of a float32.
        return Case(make(tf.train, tf.constant(5.0, tf.float64), lambda v: tf.constant(v, tf.float64)), tolerance=1e-6)
    globals()["case_decay_double_%s" % _name] = _case

"""Binomial values of a Generator."""
import numpy as np
from golden_case import Case, raises


def generator(tf, state=(1, 2, 3)):
    return tf.random.experimental.Generator(state=list(state), alg=1)


def in_order(tf, draws):
    out = []
    for draw in draws:
        with tf.control_dependencies(out[-1:]):
            out.append(draw())
    return out


def case_binomial(tf):
    g = generator(tf)
    draws = [lambda: g.binomial([2, 3], 10.0, 0.5), lambda: g.binomial([4], 10.0, [0.5], dtype=tf.float32, name="named"), lambda: g.binomial([3, 2], [20.0, 30.0, 40.0], 0.3),
             lambda: g.binomial([3], [5.0, 60.0, 7.0], [0.5, 0.9, 0.2]), lambda: g.binomial(tf.constant([5]), 4.0, 1.0), lambda: g.binomial([0], 4.0, 0.5),
             lambda: g.binomial([10, 9], 1000.0, 0.01, tf.int64), lambda: g.uniform([3]), lambda: g.binomial([3], 9.0, 0.5)]
    return Case(in_order(tf, draws), steps=2, tolerance=0)


def case_state(tf):
    g = generator(tf)
    draw, many, rows = g.binomial([4], 9.0, 0.5), g.binomial([250], 9.0, 0.5), g.binomial([3, 7], [5.0, 6.0, 7.0], 0.5)
    state = g.state.read_value()
    return Case(runs=[draw, state, draw, state, rows, state, many, state], tolerance=0, graph=False)


def _case(count, prob):
    return lambda tf: Case(generator(tf, (5, 7, -9)).binomial([60], np.float64(count), np.float64(prob), tf.float64), tolerance=0)


for _count in (1, 5, 12.5, 30, 100, 1e4, 1e10, 1e17):
    for _prob in (1e-12, 1e-3, 0.1, 0.5, 0.7, 0.999):
        globals()["case_values_%g_%g" % (_count, _prob)] = _case(_count, _prob)
for _count, _prob in ((0, 0.5), (-1, 0.5), (5, 0), (5, -1), (5, 1), (5, 2)):
    globals()["case_values_%g_%g" % (_count, _prob)] = _case(_count, _prob)


def case_dtypes(tf):
    g = generator(tf)
    kinds = tf.float16, tf.float32, tf.float64, tf.int32, tf.int64
    return Case(in_order(tf, [lambda a=a, b=b: g.binomial([9], tf.cast(20, a), tf.cast(0.4, a), b) for a in kinds[:3] for b in kinds]), tolerance=0)


def case_shapes(tf):
    g = generator(tf)
    p = tf.placeholder
    shapes = [p(tf.int32), p(tf.int64, [None]), p(tf.int32, [2]), [2, 3]]
    return Case([g.binomial(s, p(tf.float32), p(tf.float32)) for s in shapes], graph_only=True)


def case_refused(tf):
    g = generator(tf)
    return [raises(g.binomial, *c) for c in (([[2]], 1.0, 0.5), ([2], [[1.0]], 0.5), ([2], 1.0, [[0.5]]), ([2], 1.0, 0.5, tf.uint8), ([2], "x", 0.5), ([2], 1, 0.5), ([2], np.float64(1), np.float32(0.5)), ([2.5], 1.0, 0.5), (2, 1.0, 0.5))]


for _name, _args in (("counts", ([2], [1.0, 2.0, 3.0], 0.5)), ("probs", ([2], 1.0, [0.5] * 3)), ("shape", ([[2]], 1.0, 0.5)), ("rank", ([2], [[1.0]], 0.5))):
    def _refused(tf, args=_args):
        g = generator(tf)
        xs = [tf.placeholder(t) for t in (tf.int32, tf.float32, tf.float32)]
        return Case(g.binomial(*xs), feeds=dict(zip(xs, args)))
    globals()["case_run_%s" % _name] = _refused


def case_other_algorithm(tf):
    return Case(tf.random.experimental.Generator(state=[1, 2], alg=2).binomial([2], 5.0, 0.5))

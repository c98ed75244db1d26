"""Fractional pooling: regions bit for bit, both kinds, gradients, dtypes, errors.

Graphs are not compared: the static shapes of the sequences are one too small in the original.
"""
import numpy as np
from golden_case import Case, raises

X = np.random.RandomState(4).randint(-50, 50, [2, 11, 13, 3])
SEEDS = {"one": (1, 2), "two": (5, 0), "three": (0, 7), "big": (123456789, 987654321), "minus": (-3, 8)}
KINDS = {"random": {}, "pseudo": {"pseudo_random": True}, "overlap": {"overlapping": True}, "both": {"pseudo_random": True, "overlapping": True}}


def _open(tf, pool):
    """`pool` with sequences of unknown static shape."""
    def opened(*args, **kwargs):
        y, rows, columns = pool(*args, **kwargs)
        return y, tf.placeholder_with_default(rows, [None]), tf.placeholder_with_default(columns, [None])
    return opened


def _pools(tf):
    return _open(tf, tf.nn.fractional_max_pool), _open(tf, tf.nn.fractional_avg_pool)


for _name, _options in KINDS.items():
    for _seed, _values in SEEDS.items():
        def _case(tf, options=_options, seeds=_values):
            found = []
            x = tf.placeholder(tf.float32, [2, 11, 13, 3])
            for pool in _pools(tf):
                out = pool(x, [1.0, 1.44, 1.73, 1.0], deterministic=True, seed=seeds[0], seed2=seeds[1], **options)
                found.append([out, tf.gradients(out[0], x, grad_ys=tf.cos(out[0]))])
            return Case(runs=[found, found], feeds={x: X}, graph=False)
        globals()["case_%s_%s" % (_name, _seed)] = _case


def case_ratios(tf):
    x = tf.constant(X, tf.float64)
    return Case([[pool(x, [1.0, a, b, 1.0], deterministic=True, seed=3, seed2=4, pseudo_random=p) for a, b in ((1.0, 1.0), (1.0, 1.5), (2.0, 1.1), (3.5, 6.0), (10.9, 13.0), (1.01, 1.9))]
            for pool in _pools(tf) for p in (False, True)], graph=False)


def case_integers(tf):
    return Case([[pool(tf.constant(X, kind), [1.0, 1.5, 1.7, 1.0], deterministic=True, seed=3, seed2=4) for kind in (tf.int32, tf.int64)] for pool in _pools(tf)], graph=False)


def case_ties(tf):
    x = tf.constant(X % 3, tf.float32)
    found = []
    for overlapping in (False, True):
        out = tf.nn.fractional_max_pool(x, [1.0, 1.5, 1.7, 1.0], overlapping=overlapping, deterministic=True, seed=3, seed2=4)
        found.append(tf.gradients(out[0], x, grad_ys=tf.sin(out[0] + 1)))
    return Case(found, graph=False)


def case_seeds_unset(tf):
    out = tf.nn.fractional_max_pool(tf.constant(X, tf.float32), [1.0, 1.5, 1.7, 1.0])
    return Case([tf.shape(out[0]), out[1][0]], graph=False)


def case_newer(tf):
    x = tf.constant(X, tf.float32)
    pool, mean = _open(tf, tf.compat.v2.nn.fractional_max_pool), _open(tf, tf.compat.v2.nn.fractional_avg_pool)
    return Case([pool(x, 1.5, seed=3), pool(x, (1.5, 1.3), seed=9, pseudo_random=True), pool(x, [1, 1.5, 1.4, 1], seed=4, overlapping=True, name="q"), mean(x, [1.0, 1.5, 1.4, 1.0], seed=4), mean(x, [1.0, 1.5, 1.4, 1.0], True, True, 5, "z")], graph=False)


def case_newer_unseeded(tf):
    x = tf.constant(X, tf.float32)
    tf.set_random_seed(4)
    return Case([tf.compat.v2.nn.fractional_max_pool(x, 1.5)[0], tf.compat.v2.nn.fractional_avg_pool(x, [1.0, 1.5, 1.5, 1.0])[0]], values=False, graph=False)


def case_newer_refused(tf):
    x = tf.constant(X, tf.float32)
    pool, mean = _open(tf, tf.compat.v2.nn.fractional_max_pool), _open(tf, tf.compat.v2.nn.fractional_avg_pool)
    return Case([raises(pool, x, (1, 2, 3)), raises(mean, x, 1.5), raises(mean, x, (1.5, 1.5)), raises(pool, x[0], 1.5)], graph=False)


def case_refused(tf):
    x = tf.constant(X, tf.float32)
    return Case([raises(pool, x, [1.0, 1.5, 1.7]) for pool in _pools(tf)] + [raises(pool, x[0], [1.0, 1.5, 1.7, 1.0]) for pool in _pools(tf)] +
                [raises(pool, tf.constant(X, tf.int16), [1.0, 1.5, 1.7, 1.0]) for pool in _pools(tf)] + [raises(pool, x, 1.5) for pool in _pools(tf)], graph=False)


def case_deterministic_unseeded(tf):
    return Case(_open(tf, tf.nn.fractional_avg_pool)(tf.constant(X, tf.float32), [1.0, 1.5, 1.7, 1.0], deterministic=True), values=False, graph=False)


def case_seeded_not_deterministic(tf):
    return Case(_open(tf, tf.nn.fractional_avg_pool)(tf.constant(X, tf.float32), [1.0, 1.5, 1.7, 1.0], seed=3), values=False, graph=False)


def case_rank(tf):
    x = tf.placeholder(tf.float32)
    return Case(_open(tf, tf.nn.fractional_max_pool)(x, [1.0, 1.5, 1.7, 1.0]), feeds={x: X[0]}, graph=False)


def case_raw_gradients(tf):
    r = tf.raw_ops
    grad = tf.constant(np.arange(2 * 3 * 2 * 3).reshape(2, 3, 2, 3), tf.float32)
    return [r.FractionalAvgPoolGrad(orig_input_tensor_shape=[2, 11, 13, 3], out_backprop=grad, row_pooling_sequence=[0, 4, 7, 11], col_pooling_sequence=[0, 7, 13], overlapping=o) for o in (False, True)]

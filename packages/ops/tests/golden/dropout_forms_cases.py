"""tf.nn.dropout in all its forms: the part kept and the part dropped, masks of every shape, fed rates, errors."""
import numpy as np
from golden_case import Case, raises

X = (np.arange(24) % 7).reshape(2, 3, 4) / 3.0 + 0.5

for _keep in (0.1, 0.5, 0.8, 1.0):
    def _case(tf, keep=_keep):
        x = tf.placeholder(tf.float32, [2, 3, 4])
        y = [tf.nn.dropout(x, keep), tf.nn.dropout(x, keep_prob=keep, seed=3), tf.nn.dropout(x, rate=1 - keep, seed=3), tf.nn.dropout(x, keep_prob=keep, name="named")]
        return Case([y, tf.gradients(y, x)], feeds={x: X})
    globals()["case_keep_%d" % (_keep * 10)] = _case

for _i, _noise in enumerate([[2, 3, 4], [2, 1, 4], [1, 1, 1], [2, 3, 1], [None, 1, 4], [None, None, None], [1]]):
    def _case(tf, noise=_noise):
        x = tf.constant(X, tf.float32)
        return [tf.nn.dropout(x, 0.5, noise_shape=noise, seed=1), tf.nn.dropout(x, noise_shape=noise, rate=0.25, seed=1)]
    globals()["case_noise_%d" % _i] = _case


def case_unknown_shapes(tf):
    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32, [None, 3, None])
    return Case([tf.nn.dropout(x, 0.5, seed=1), tf.nn.dropout(y, 0.5, seed=1), tf.nn.dropout(y, 0.5, noise_shape=tf.shape(y), seed=1), tf.nn.dropout(y, 0.5, noise_shape=[tf.shape(y)[0], 1, 1], seed=1)], feeds={x: X, y: X})


def case_fed_rates(tf):
    keep, rate = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    y = [tf.nn.dropout(tf.ones([4, 4]), keep, seed=1), tf.nn.dropout(tf.ones([4, 4]), rate=rate, seed=1)]
    return Case(None, runs=[(y, {keep: k, rate: 1 - k}) for k in (1.0, 0.5, 0.25)])


def case_fed_rate_of_unknown_shape(tf):
    keep = tf.placeholder(tf.float32)
    return Case(tf.nn.dropout(tf.ones([4, 4]), keep, seed=1), feeds={keep: 0.5})


def case_kinds(tf):
    return [tf.nn.dropout(tf.constant(X, k), 0.5, seed=1) for k in ("float16", "float32", "float64")] + [tf.nn.dropout(tf.constant(X, tf.float64), rate=tf.constant(0.5, tf.float64)), tf.nn.dropout(X.astype("float32"), 0.5)]


def case_seeds(tf):
    tf.set_random_seed(12)
    x = tf.ones([10])
    return [tf.nn.dropout(x, 0.5), tf.nn.dropout(x, 0.5), tf.nn.dropout(x, 0.5, seed=5), tf.nn.dropout(x, 0.5, seed=5)]


def case_refused(tf):
    d, x = tf.nn.dropout, tf.ones([2, 3])
    return [raises(d, x), raises(d, x, 0.0), raises(d, x, -1.0), raises(d, x, 2.0), raises(d, x, rate=1.0), raises(d, x, rate=-0.1), raises(d, x, 0.5, rate=0.5), raises(d, x, 0.5, rate=0.4), raises(d, x, tf.constant([0.5, 0.5])), raises(d, x, rate=tf.constant([0.5])), raises(d, x, [0.5, 0.5]), raises(d, tf.ones([2], tf.int32), 0.5),
            raises(d, x, 0.5, noise_shape=[2, 3, 4]), raises(d, x, 0.5, noise_shape=[4, 3]), raises(d, x, "a"), raises(d, None, 0.5), raises(d, tf.constant(["a"]), 0.5), raises(d, x, rate=tf.constant(0.5, tf.float64)), raises(d, x, 0.5, noise_shape=[[2, 3]])]


def case_empty(tf):
    return [tf.nn.dropout(tf.zeros([0, 3]), 0.5), tf.nn.dropout(tf.constant(2.0), 0.5, seed=1)]


def case_of_a_variable(tf):
    v = tf.get_variable("v", initializer=tf.ones([3]))
    y = tf.nn.dropout(v, 0.5, seed=2)
    return [y, tf.gradients(y, v)]


def case_second_version(tf):
    f = tf.compat.v2.nn.dropout
    x = tf.constant(X, tf.float32)
    return [f(x, 0.25, seed=1), f(x, rate=0.5, noise_shape=[2, 1, 1], seed=1), f(x, 0.0), raises(f, x, 1.0), raises(f, x)]

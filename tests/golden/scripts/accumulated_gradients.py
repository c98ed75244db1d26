import numpy as np
import tensorflow as tf


def cyclic(gs, lo, hi, size):
    gs = tf.cast(gs, tf.float32)
    cycle = tf.floor(1 + gs / (2 * size))
    x = tf.abs(gs / size - 2 * cycle + 1)
    return lo + (hi - lo) * tf.maximum(0., 1 - x)


def noam(gs, d=8, warm=4.):
    s = tf.cast(gs + 1, tf.float32)
    return d ** -0.5 * tf.minimum(s * warm ** -1.5, s ** -0.5)


class Trainer(object):
    def __init__(self, schedule, accum=3):
        self.x = tf.placeholder(tf.float32, [None, 3])
        self.y = tf.placeholder(tf.float32, [None, 1])
        self.out = tf.layers.dense(self.x, 1, kernel_initializer=tf.constant_initializer([[.1], [.2], [.3]]))
        self.loss = tf.reduce_mean(tf.square(self.out - self.y))
        self.gs = tf.train.create_global_step()
        self.lr = schedule(self.gs)
        opt = tf.train.GradientDescentOptimizer(self.lr)
        tvs = tf.trainable_variables()
        accum_vars = [tf.Variable(tf.zeros_like(tv.initialized_value()), trainable=False) for tv in tvs]
        self.count = tf.get_variable('count', [], tf.int32, tf.zeros_initializer(), trainable=False, collections=[tf.GraphKeys.LOCAL_VARIABLES])
        gvs = opt.compute_gradients(self.loss, tvs)
        adds = [accum_vars[i].assign_add(gv[0]) for i, gv in enumerate(gvs)]
        with tf.control_dependencies(adds):
            n = self.count.assign_add(1)

        def apply():
            a = opt.apply_gradients([(accum_vars[i] / accum, gv[1]) for i, gv in enumerate(gvs)], global_step=self.gs)
            with tf.control_dependencies([a]):
                zero = [v.assign(tf.zeros_like(v)) for v in accum_vars]
                with tf.control_dependencies(zero + [self.count.assign(0)]):
                    return tf.constant(True)
        with tf.control_dependencies([n]):
            self.step = tf.cond(tf.greater_equal(n, accum), apply, lambda: tf.constant(False))


schedules = [
    ('cyclic', lambda s: cyclic(s, 0.01, 0.1, 2.)), ('noam', noam),
    ('warm', lambda s: tf.cond(s < 2, lambda: 0.05 * tf.cast(s + 1, tf.float32), lambda: tf.train.exponential_decay(0.1, s - 2, 2, 0.5))),
    ('case', lambda s: tf.case([(tf.less(s, 1), lambda: tf.constant(0.3)), (tf.less(s, 3), lambda: tf.constant(0.2))], default=lambda: tf.constant(0.1), exclusive=False)),
    ('restarts', lambda s: tf.train.cosine_decay_restarts(0.2, s, 2, t_mul=1.5, m_mul=0.9)),
    ('lincos', lambda s: tf.train.linear_cosine_decay(0.2, s, 4)), ('poly', lambda s: tf.train.polynomial_decay(0.2, s, 2, 0.01, 2.0, cycle=True)),
    ('piece', lambda s: tf.train.piecewise_constant(s, [1, 3], [0.2, 0.1, 0.05])), ('py', lambda s: tf.py_func(lambda n: np.float32(0.1 / (1 + n)), [s], tf.float32))]
for name, schedule in schedules:
    tf.reset_default_graph()
    tr = Trainer(schedule)
    rng = np.random.RandomState(0)
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        seen = []
        for i in range(9):
            did, l = sess.run([tr.step, tr.loss], {tr.x: rng.rand(4, 3), tr.y: rng.rand(4, 1)})
            if did:
                seen.append('%d:%.4f:%.4f' % (sess.run(tr.gs), sess.run(tr.lr), l))
        print(name, seen)

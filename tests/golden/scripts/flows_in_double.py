import numpy as np
import tensorflow as tf
from functools import partial


def safe_log(z):
    return tf.log(z + 1e-7)


class PlanarFlow(object):
    def __init__(self, dim, i):
        with tf.variable_scope('flow_%d' % i, dtype=tf.float64):
            self.w = tf.get_variable('w', [1, dim], initializer=tf.random_uniform_initializer(-0.1, 0.1, seed=i))
            self.s = tf.get_variable('s', [1, dim], initializer=tf.random_uniform_initializer(-0.1, 0.1, seed=i + 10))
            self.b = tf.get_variable('b', [1], initializer=tf.zeros_initializer())

    def __call__(self, z):
        w = self.w
        wu = tf.matmul(w, self.s, transpose_b=True)
        u = self.s + (tf.nn.softplus(wu) - 1 - wu) * w / tf.reduce_sum(w ** 2)
        act = tf.tanh(tf.matmul(z, w, transpose_b=True) + self.b)
        psi = (1 - act ** 2) * w
        return z + u * act, safe_log(tf.abs(1 + tf.matmul(psi, u, transpose_b=True)))


class RadialFlow(object):
    def __init__(self, dim, i):
        with tf.variable_scope('radial', reuse=False, dtype='float64'):
            self.z0 = tf.get_variable('z0_%d' % i, shape=(1, dim), initializer=tf.truncated_normal_initializer(stddev=0.1, seed=3))
            self.a = tf.get_variable('a_%d' % i, shape=(), initializer=tf.ones_initializer)
            self.bb = tf.get_variable('b_%d' % i, (), initializer=tf.constant_initializer(0.2))

    def __call__(self, z):
        r = tf.norm(z - self.z0, axis=1, keepdims=True)
        a = tf.nn.softplus(self.a)
        b = -a + tf.nn.softplus(self.bb)
        h = 1 / (a + r)
        dim = tf.to_double(z.shape[1])
        return z + b * h * (z - self.z0), (dim - 1) * tf.log1p(b * h) + tf.log1p(b * h - b * r / (a + r) ** 2)


def encoder(x, reuse=None):
    with tf.variable_scope('encoder', reuse=reuse):
        h = tf.layers.dense(x, 10, partial(tf.nn.leaky_relu, alpha=0.1), kernel_initializer=tf.variance_scaling_initializer(mode='fan_avg', distribution='uniform', seed=4))
        mu = tf.layers.dense(h, 2, kernel_initializer=tf.orthogonal_initializer(seed=5))
        logvar = tf.layers.dense(h, 2, kernel_initializer=tf.initializers.he_normal(seed=6), bias_initializer=tf.constant_initializer(-1.))
    return mu, logvar


tf.set_random_seed(42)
x = tf.placeholder(tf.float64, [None, 6])
mu, logvar = encoder(x)
eps = tf.random_normal(tf.shape(mu), dtype=tf.float64, seed=7)
z = z0 = mu + tf.exp(0.5 * logvar) * eps
flows = [PlanarFlow(2, 0), RadialFlow(2, 1), PlanarFlow(2, 2)]
ldj = 0.
for f in flows:
    z, d = f(z)
    ldj += tf.squeeze(d, 1)
with tf.variable_scope('decoder'):
    logits = tf.layers.dense(tf.layers.dense(z, 10, tf.nn.selu, kernel_initializer=tf.initializers.lecun_normal(seed=1)), 6)
recon = tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=logits), 1)
logq = -0.5 * tf.reduce_sum(logvar + np.log(2 * np.pi) + (z0 - mu) ** 2 / tf.exp(logvar), 1) - ldj
logp = -0.5 * tf.reduce_sum(z ** 2 + np.log(2 * np.pi), 1)
beta = tf.placeholder_with_default(tf.constant(0.5, tf.float64), [])
elbo = tf.reduce_mean(-recon - beta * (logq - logp))
gs = tf.Variable(0, trainable=False, dtype=tf.int64)
warm = tf.minimum(tf.cast(gs, tf.float64) / 3., 1.)
opt = tf.train.AdamOptimizer(tf.train.cosine_decay(0.02, gs, 10, alpha=0.1))
train = opt.minimize(-elbo, gs)
check = tf.add_check_numerics_ops()
data = (np.random.RandomState(0).rand(8, 6) > 0.5).astype(np.float64)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(4):
        e, w, _ = sess.run([elbo, warm, train], {x: data, beta: 0.2 * i})
        print('%d %.5f %.2f' % (i, e, w))
    print(sess.run([elbo, check], {x: data})[0])
    print(sess.run([f.w for f in flows if isinstance(f, PlanarFlow)]))
    print([v.dtype.base_dtype.name for v in tf.trainable_variables()], opt.variables()[0].dtype)

import math
import numpy as np
import tensorflow as tf


class BayesLinear(tf.layers.Layer):
    def __init__(self, units, prior=1.0, **kw):
        super(BayesLinear, self).__init__(**kw)
        self.units, self.prior = units, prior

    def build(self, input_shape):
        n = tf.TensorShape(input_shape)[-1].value
        self.mu = self.add_variable('mu', [n, self.units], initializer=tf.random_normal_initializer(stddev=0.1))
        self.rho = self.add_variable('rho', [n, self.units], initializer=tf.constant_initializer(-3.))
        self.bias = self.add_variable('bias', [self.units], initializer=tf.zeros_initializer(), constraint=lambda b: tf.clip_by_norm(b, 1.0))
        self.calls = self.add_variable('calls', [], tf.int32, tf.zeros_initializer(), trainable=False)
        super(BayesLinear, self).build(input_shape)

    def call(self, x, training=False):
        sigma = tf.nn.softplus(self.rho)
        w = self.mu + sigma * tf.random_normal(tf.shape(self.mu)) if training else self.mu
        kl = tf.reduce_sum(tf.log(self.prior / sigma) + (sigma ** 2 + self.mu ** 2) / (2 * self.prior ** 2) - 0.5)
        if training:
            self.add_loss(kl / 100., inputs=True)
            self.add_update(tf.assign_add(self.calls, 1), inputs=x)
        return tf.matmul(x, w) + self.bias

    def compute_output_shape(self, s):
        return tf.TensorShape(s[:-1]).concatenate(self.units)


tf.set_random_seed(21)
x = tf.placeholder(tf.float32, [None, 1])
y = tf.placeholder(tf.float32, [None, 1])
h1, h2 = BayesLinear(10, name='bayes'), BayesLinear(9)
print(h1.name, h2.name, h1.built, h1.weights)
net = h2(tf.nn.tanh(h1(x, training=True)), training=True)
test = h2(tf.nn.tanh(h1(x)))
print(h1.trainable_variables, h1.non_trainable_variables, h1.losses, h2.updates, h1.count_params(), h1.input_shape if False else '', h2.dtype, h2.graph is tf.get_default_graph())
print(h1.compute_output_shape([None, 1]), h2.trainable, h2.inbound_nodes if False else '')


def mdn(net):
    pi, sigma, mu = tf.split(net, 3, 1)
    pi = tf.nn.softmax(pi - tf.reduce_max(pi, 1, keep_dims=True))
    return pi, tf.exp(sigma), mu


def nll(pi, sigma, mu, y):
    r = tf.subtract(y, mu)
    r = tf.multiply(r, tf.reciprocal(sigma))
    r = -tf.square(r) / 2
    p = tf.multiply(tf.exp(r), tf.reciprocal(sigma)) * (1 / math.sqrt(2 * math.pi))
    return tf.reduce_mean(-tf.log(tf.reduce_sum(tf.multiply(p, pi), 1, keepdims=True)))


loss = nll(*(mdn(net) + (y,))) + tf.add_n(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)) if tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES) else nll(*(mdn(net) + (y,)))
kl = tf.add_n(h1.losses + h2.losses)
update = tf.group(*(h1.updates + h2.updates))
with tf.control_dependencies([update]):
    train = tf.train.AdamOptimizer(0.02).minimize(loss + kl)
test_nll = nll(*(mdn(test) + (y,)))
rng = np.random.RandomState(0)
xs = rng.uniform(-2, 2, (16, 1))
ys = np.sin(xs) + rng.randn(16, 1) * .1
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(4):
        l, k, _ = sess.run([loss, kl, train], {x: xs, y: ys})
        print('%.4f %.4f %.4f' % (l, k, sess.run(test_nll, {x: xs, y: ys})))
    print(sess.run([h1.calls, h2.calls]), [c for c in [h1.bias.constraint] if c is not None] != [])
    pi, mu = sess.run(mdn(test)[::2], {x: xs})
    print(pi.sum(1)[:3], mu.shape)
print([v.name for v in tf.global_variables() if 'Adam' not in v.name])

"""Wasserstein GAN with a gradient penalty, on points of a ring."""
import numpy as np
import tensorflow as tf
import tensorflow.contrib.layers as ly

batch = 16
tf.set_random_seed(2)
np.random.seed(2)


def generator(z):
    with tf.variable_scope("generator"):
        h = ly.fully_connected(z, 32, activation_fn=tf.nn.relu)
        h = ly.fully_connected(h, 32, activation_fn=tf.nn.elu, weights_initializer=ly.xavier_initializer())
        return ly.fully_connected(h, 2, activation_fn=None)


def critic(x, reuse=False):
    with tf.variable_scope("critic", reuse=reuse):
        h = ly.fully_connected(x, 32, activation_fn=tf.nn.leaky_relu)
        h = ly.fully_connected(h, 32, activation_fn=tf.nn.leaky_relu,
                               weights_regularizer=ly.l2_regularizer(1e-4))
        return ly.fully_connected(h, 1, activation_fn=None)


real = tf.placeholder(tf.float32, [batch, 2])
z = tf.random_normal([batch, 4])
fake = generator(z)
d_real, d_fake = critic(real), critic(fake, reuse=True)
g_loss = -tf.reduce_mean(d_fake)
d_loss = tf.reduce_mean(d_fake) - tf.reduce_mean(d_real)
alpha = tf.random_uniform(shape=[batch, 1], minval=0., maxval=1.)
interpolates = real + alpha * (fake - real)
gradients = tf.gradients(critic(interpolates, reuse=True), [interpolates])[0]
slopes = tf.sqrt(tf.reduce_sum(tf.square(gradients), reduction_indices=[1]))
d_loss += 10. * tf.reduce_mean((slopes - 1.) ** 2)
d_loss += tf.add_n(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))
g_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="generator")
d_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="critic")
counter = tf.Variable(0, trainable=False, dtype=tf.int32)
g_train = ly.optimize_loss(g_loss, counter, 1e-4, optimizer=lambda lr: tf.train.AdamOptimizer(lr, 0.5, 0.9),
                           variables=g_vars, summaries=["gradient_norm"])
d_train = tf.train.AdamOptimizer(1e-3, beta1=0.5, beta2=0.9).minimize(d_loss, var_list=d_vars)
clip = [tf.assign(v, tf.clip_by_value(v, -0.5, 0.5)) for v in d_vars]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(4):
        for _ in range(3):
            angle = np.random.uniform(0, 2 * np.pi, batch)
            _, d = sess.run([d_train, d_loss], {real: np.stack([np.cos(angle), np.sin(angle)], 1)})
            sess.run(clip)
        g = sess.run(g_train)
        print("step %d critic %.4f generator %.4f" % (sess.run(counter), d, g))
print([v.name for v in d_vars], len(tf.get_collection(tf.GraphKeys.SUMMARIES)))
print("ops", len(tf.get_default_graph().get_operations()))

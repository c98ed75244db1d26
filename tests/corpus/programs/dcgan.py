"""A DCGAN on small images: generator and discriminator of hand-written layers with batch normalization."""
import os

import numpy as np
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_integer("epoch", 2, "Epochs to train [2]")
flags.DEFINE_float("learning_rate", 0.0002, "Learning rate for adam [0.0002]")
flags.DEFINE_float("beta1", 0.5, "Momentum term of adam [0.5]")
flags.DEFINE_integer("batch_size", 8, "The size of batch images [8]")
flags.DEFINE_string("checkpoint_dir", "checkpoint", "Where checkpoints go [checkpoint]")
flags.DEFINE_boolean("train", True, "True for training [True]")
FLAGS = flags.FLAGS


class batch_norm(object):
    def __init__(self, epsilon=1e-5, momentum=0.9, name="batch_norm"):
        with tf.variable_scope(name):
            self.epsilon = epsilon
            self.momentum = momentum
            self.name = name

    def __call__(self, x, train=True):
        return tf.contrib.layers.batch_norm(
            x, decay=self.momentum, updates_collections=None, epsilon=self.epsilon, scale=True, is_training=train,
            scope=self.name)


def conv2d(input_, output_dim, k_h=5, k_w=5, d_h=2, d_w=2, stddev=0.02, name="conv2d"):
    with tf.variable_scope(name):
        w = tf.get_variable("w", [k_h, k_w, input_.get_shape()[-1], output_dim],
                            initializer=tf.truncated_normal_initializer(stddev=stddev))
        conv = tf.nn.conv2d(input_, w, strides=[1, d_h, d_w, 1], padding="SAME")
        biases = tf.get_variable("biases", [output_dim], initializer=tf.constant_initializer(0.0))
        return tf.reshape(tf.nn.bias_add(conv, biases), conv.get_shape())


def deconv2d(input_, output_shape, k_h=5, k_w=5, d_h=2, d_w=2, stddev=0.02, name="deconv2d", with_w=False):
    with tf.variable_scope(name):
        w = tf.get_variable("w", [k_h, k_w, output_shape[-1], input_.get_shape()[-1]],
                            initializer=tf.random_normal_initializer(stddev=stddev))
        deconv = tf.nn.conv2d_transpose(input_, w, output_shape=output_shape, strides=[1, d_h, d_w, 1])
        biases = tf.get_variable("biases", [output_shape[-1]], initializer=tf.constant_initializer(0.0))
        deconv = tf.reshape(tf.nn.bias_add(deconv, biases), deconv.get_shape())
        return (deconv, w, biases) if with_w else deconv


def lrelu(x, leak=0.2, name="lrelu"):
    return tf.maximum(x, leak * x)


def linear(input_, output_size, scope=None, stddev=0.02, bias_start=0.0):
    shape = input_.get_shape().as_list()
    with tf.variable_scope(scope or "Linear"):
        matrix = tf.get_variable("Matrix", [shape[1], output_size], tf.float32,
                                 tf.random_normal_initializer(stddev=stddev))
        bias = tf.get_variable("bias", [output_size], initializer=tf.constant_initializer(bias_start))
        return tf.matmul(input_, matrix) + bias


class DCGAN(object):
    def __init__(self, sess, batch_size, size=16, z_dim=10, gf_dim=8, df_dim=8):
        self.sess, self.batch_size, self.size, self.z_dim = sess, batch_size, size, z_dim
        self.gf_dim, self.df_dim = gf_dim, df_dim
        self.d_bn1, self.d_bn2 = batch_norm(name="d_bn1"), batch_norm(name="d_bn2")
        self.g_bn0, self.g_bn1 = batch_norm(name="g_bn0"), batch_norm(name="g_bn1")
        self.build_model()

    def discriminator(self, image, reuse=False):
        with tf.variable_scope("discriminator") as scope:
            if reuse:
                scope.reuse_variables()
            h0 = lrelu(conv2d(image, self.df_dim, name="d_h0_conv"))
            h1 = lrelu(self.d_bn1(conv2d(h0, self.df_dim * 2, name="d_h1_conv")))
            h2 = lrelu(self.d_bn2(conv2d(h1, self.df_dim * 4, name="d_h2_conv")))
            h3 = linear(tf.reshape(h2, [self.batch_size, -1]), 1, "d_h3_lin")
            return tf.nn.sigmoid(h3), h3

    def generator(self, z, train=True):
        with tf.variable_scope("generator") as scope:
            if not train:
                scope.reuse_variables()
            z_, self.h0_w, self.h0_b = None, None, None
            z_ = linear(z, self.gf_dim * 2 * 4 * 4, "g_h0_lin")
            h0 = tf.nn.relu(self.g_bn0(tf.reshape(z_, [-1, 4, 4, self.gf_dim * 2]), train=train))
            h1, self.h1_w, self.h1_b = deconv2d(h0, [self.batch_size, 8, 8, self.gf_dim], name="g_h1", with_w=True)
            h1 = tf.nn.relu(self.g_bn1(h1, train=train))
            h2 = deconv2d(h1, [self.batch_size, 16, 16, 1], name="g_h2")
            return tf.nn.tanh(h2)

    def build_model(self):
        self.inputs = tf.placeholder(tf.float32, [self.batch_size, self.size, self.size, 1], name="real_images")
        self.z = tf.placeholder(tf.float32, [None, self.z_dim], name="z")
        self.z_sum = tf.summary.histogram("z", self.z)
        self.G = self.generator(self.z)
        self.D, self.D_logits = self.discriminator(self.inputs, reuse=False)
        self.sampler = self.generator(self.z, train=False)
        self.D_, self.D_logits_ = self.discriminator(self.G, reuse=True)
        self.d_sum = tf.summary.histogram("d", self.D)
        self.G_sum = tf.summary.image("G", self.G)

        def ce(x, y):
            return tf.nn.sigmoid_cross_entropy_with_logits(logits=x, labels=y)

        self.d_loss_real = tf.reduce_mean(ce(self.D_logits, tf.ones_like(self.D)))
        self.d_loss_fake = tf.reduce_mean(ce(self.D_logits_, tf.zeros_like(self.D_)))
        self.g_loss = tf.reduce_mean(ce(self.D_logits_, tf.ones_like(self.D_)))
        self.d_loss = self.d_loss_real + self.d_loss_fake
        self.g_loss_sum = tf.summary.scalar("g_loss", self.g_loss)
        self.d_loss_sum = tf.summary.scalar("d_loss", self.d_loss)
        t_vars = tf.trainable_variables()
        self.d_vars = [var for var in t_vars if "d_" in var.name]
        self.g_vars = [var for var in t_vars if "g_" in var.name]
        self.saver = tf.train.Saver()

    def train(self, config):
        d_optim = tf.train.AdamOptimizer(config.learning_rate, beta1=config.beta1).minimize(
            self.d_loss, var_list=self.d_vars)
        g_optim = tf.train.AdamOptimizer(config.learning_rate, beta1=config.beta1).minimize(
            self.g_loss, var_list=self.g_vars)
        try:
            tf.global_variables_initializer().run()
        except Exception:
            tf.initialize_all_variables().run()
        self.g_sum = tf.summary.merge([self.z_sum, self.G_sum, self.g_loss_sum])
        self.d_sum = tf.summary.merge([self.d_sum, self.d_loss_sum])
        self.writer = tf.summary.FileWriter("./logs", self.sess.graph)
        random = np.random.RandomState(3)
        counter = 1
        for epoch in range(config.epoch):
            for idx in range(3):
                images = random.uniform(-1, 1, (self.batch_size, 16, 16, 1)).astype(np.float32)
                z = random.uniform(-1, 1, [self.batch_size, self.z_dim]).astype(np.float32)
                _, s = self.sess.run([d_optim, self.d_sum], {self.inputs: images, self.z: z})
                self.writer.add_summary(s, counter)
                _, s = self.sess.run([g_optim, self.g_sum], {self.z: z})
                self.writer.add_summary(s, counter)
                self.sess.run([g_optim], {self.z: z})
                err_d = self.d_loss_fake.eval({self.z: z}) + self.d_loss_real.eval({self.inputs: images})
                err_g = self.g_loss.eval({self.z: z})
                counter += 1
                print("Epoch: [%2d] [%4d] d_loss: %.6f, g_loss: %.6f" % (epoch, idx, err_d, err_g))
            self.save(config.checkpoint_dir, counter)
        samples = self.sess.run(self.sampler, {self.z: np.zeros((8, 10))})
        print(samples.shape, "%.4f" % np.abs(samples).mean())
        self.writer.close()

    def save(self, checkpoint_dir, step):
        if not os.path.exists(checkpoint_dir):
            os.makedirs(checkpoint_dir)
        self.saver.save(self.sess, os.path.join(checkpoint_dir, "DCGAN.model"), global_step=step)


def main(_):
    tf.set_random_seed(5)
    run_config = tf.ConfigProto()
    run_config.gpu_options.allow_growth = True
    with tf.Session(config=run_config) as sess:
        dcgan = DCGAN(sess, FLAGS.batch_size)
        print([v.op.name for v in dcgan.g_vars])
        dcgan.train(FLAGS)
        print(len(sess.graph.get_operations()))


if __name__ == "__main__":
    tf.app.run()

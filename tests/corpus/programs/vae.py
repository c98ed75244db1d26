"""A variational autoencoder, its reparametrization by hand and its loss in nats."""
import numpy as np
import tensorflow as tf
from tensorflow.contrib import slim
from tensorflow.contrib.slim import fully_connected as fc


class VariantionalAutoencoder(object):
    def __init__(self, learning_rate=1e-3, batch_size=16, n_z=3):
        self.learning_rate, self.batch_size, self.n_z = learning_rate, batch_size, n_z
        self.build()
        self.sess = tf.InteractiveSession()
        self.sess.run(tf.global_variables_initializer())

    def build(self):
        self.x = tf.placeholder(name="x", dtype=tf.float32, shape=[None, 36])
        f1 = fc(self.x, 24, scope="enc_fc1", activation_fn=tf.nn.elu)
        f2 = fc(f1, 16, scope="enc_fc2", activation_fn=tf.nn.elu)
        self.z_mu = fc(f2, self.n_z, scope="enc_fc4_mu", activation_fn=None)
        self.z_log_sigma_sq = fc(f2, self.n_z, scope="enc_fc4_sigma", activation_fn=None)
        eps = tf.random_normal(shape=tf.shape(self.z_log_sigma_sq), mean=0, stddev=1, dtype=tf.float32)
        self.z = self.z_mu + tf.sqrt(tf.exp(self.z_log_sigma_sq)) * eps
        g1 = fc(self.z, 16, scope="dec_fc1", activation_fn=tf.nn.elu)
        self.x_hat = fc(g1, 36, scope="dec_fc4", activation_fn=tf.sigmoid)
        epsilon = 1e-10
        recon_loss = -tf.reduce_sum(
            self.x * tf.log(epsilon + self.x_hat) + (1 - self.x) * tf.log(epsilon + 1 - self.x_hat), axis=1)
        self.recon_loss = tf.reduce_mean(recon_loss)
        latent_loss = -0.5 * tf.reduce_sum(
            1 + self.z_log_sigma_sq - tf.square(self.z_mu) - tf.exp(self.z_log_sigma_sq), axis=1)
        self.latent_loss = tf.reduce_mean(latent_loss)
        self.total_loss = tf.reduce_mean(recon_loss + latent_loss)
        self.train_op = tf.train.AdamOptimizer(learning_rate=self.learning_rate).minimize(self.total_loss)

    def run_single_step(self, x):
        return self.sess.run([self.train_op, self.total_loss, self.recon_loss, self.latent_loss], {self.x: x})[1:]


tf.set_random_seed(1234)
data = (np.random.RandomState(0).rand(64, 36) > 0.6).astype(np.float32)
model = VariantionalAutoencoder()
for epoch in range(5):
    for i in range(0, 64, 16):
        loss, recon, latent = model.run_single_step(data[i:i + 16])
    print("[Epoch {}] Loss: {:.4f}, Recon loss: {:.4f}, Latent loss: {:.4f}".format(epoch, loss, recon, latent))
print(model.sess.run(model.z_mu, {model.x: data[:2]}))
print(np.round(model.sess.run(model.x_hat, {model.z: np.zeros((1, 3))})[0, :6], 3))
slim.model_analyzer.analyze_vars(tf.trainable_variables(), print_info=True)

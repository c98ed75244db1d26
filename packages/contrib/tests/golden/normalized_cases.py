"""`tf.contrib.layers.gdn` and cells of `tf.contrib.cudnn_rnn`."""
import numpy as np

IMAGES = np.linspace(-1, 1, 48).reshape(2, 2, 4, 3).astype(np.float32)


def case_gdn(tf):
    result = tf.contrib.layers.gdn(tf.constant(IMAGES))
    return [result] + tf.gradients(result, tf.trainable_variables())


def case_inverse_gdn(tf):
    return tf.contrib.layers.gdn(tf.constant(IMAGES), inverse=True, name="igdn", beta_min=1e-3, gamma_init=0.2, reparam_offset=1e-4)


def case_gdn_twice(tf):
    layer = tf.contrib.layers.GDN(name="shared")
    return [layer(tf.constant(IMAGES[0])), layer(tf.constant(IMAGES[1]))]


def case_gdn_of_rank_2(tf):
    return tf.contrib.layers.gdn(tf.constant(IMAGES[0, 0]))


def _initialized(tf, make):
    with tf.variable_scope("cells", initializer=tf.constant_initializer(0.3)):
        return make(tf.contrib.cudnn_rnn)


def case_gru_cell(tf):
    return _initialized(tf, lambda module: module.CudnnCompatibleGRUCell(3)(tf.constant(IMAGES[0, 0]), tf.constant(IMAGES[0, 1])))


def case_lstm_cell(tf):
    return _initialized(tf, lambda module: tf.nn.dynamic_rnn(module.CudnnCompatibleLSTMCell(3), tf.constant(IMAGES[0]), dtype=tf.float32)[0])

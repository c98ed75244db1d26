"""Functions of `tf.contrib.nn`."""

X = [[1.0, -2.0, 3.0], [0.5, 0.25, -1.0]]


def case_alpha_dropout(tf):
    return [tf.contrib.nn.alpha_dropout(tf.constant(X), 0.6, seed=3), tf.contrib.nn.alpha_dropout(tf.constant(X), 1.0),
            tf.contrib.nn.alpha_dropout(tf.constant(X), tf.constant(0.5), noise_shape=[2, 1], seed=1)]


def case_alpha_dropout_of_nothing(tf):
    return tf.contrib.nn.alpha_dropout(tf.constant(X), 0.0)


def case_flipped(tf):
    nn = tf.contrib.nn
    return [nn.deprecated_flipped_softmax_cross_entropy_with_logits(tf.constant(X), tf.nn.softmax(X)),
            nn.deprecated_flipped_sparse_softmax_cross_entropy_with_logits(tf.constant(X), tf.constant([0, 2])),
            nn.deprecated_flipped_sigmoid_cross_entropy_with_logits(tf.constant(X), tf.ones([2, 3]))]

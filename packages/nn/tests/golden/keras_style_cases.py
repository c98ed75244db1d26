"""Layers made under keras_style_scope: their names, variables, losses and graphs."""
import numpy as np
from golden_case import Case

X = np.array([[[[0.5, 1.0], [2.0, -1.0], [0.0, 1.0]], [[1.5, 1.0], [2.5, -1.5], [0.5, 1.0]], [[-0.5, 1.0], [2.0, 1.0], [0.0, -1.0]]]], np.float32)
MADE = {"conv": lambda l, tf: [l.conv2d(X, 2, 2, activation=tf.nn.relu, kernel_regularizer=tf.nn.l2_loss)], "named_twice": lambda l, tf: [l.Conv2D(2, 2, name="a")(X), l.Conv2D(2, 2, name="a")(X)], "separable": lambda l, tf: [l.separable_conv2d(X, 2, 2)],
        "transposed": lambda l, tf: [l.conv2d_transpose(X, 2, 2)], "norm": lambda l, tf: [l.batch_normalization(tf.constant(X), training=True)], "renorm": lambda l, tf: [l.batch_normalization(tf.ones([4, 2]), training=True, renorm=True)],
        "frozen_norm": lambda l, tf: [l.BatchNormalization(name="q", trainable=False)(tf.ones([4, 2]), training=True)], "dropout": lambda l, tf: [l.dropout(X, training=True)], "flatten": lambda l, tf: [l.flatten(X)], "pool": lambda l, tf: [l.max_pooling2d(X, 2, 2)],
        "activity": lambda l, tf: [l.Dense(2, activity_regularizer=tf.nn.l2_loss)(tf.ones([1, 2]))], "functions": lambda l, tf: [l.dense(tf.ones([1, 2]), 2), l.dense(tf.ones([1, 2]), 2)]}

for _name, _made in MADE.items():
    def _case(tf, made=_made):
        tf_layers = tf.layers
        with tf_layers.experimental.keras_style_scope():
            y = made(tf_layers, tf)
            with tf.name_scope("inner"):
                y += made(tf_layers, tf)
        return Case([y, [v.name for v in tf.global_variables()], [v.name for v in tf.trainable_variables()], tf.losses.get_regularization_losses(), len(tf.get_collection("update_ops"))])
    globals()["case_" + _name] = _case


def case_own_layer(tf):
    class Own(tf.layers.Layer):
        def build(self, shape):
            self.i = self.add_weight("i", [2], dtype=tf.int32)
            self.b = self.add_weight("b", [2], dtype=tf.bool)
            self.c = self.add_weight("c", [2], constraint=tf.nn.relu, trainable=False)
            self.d = self.add_weight("d", [2, 2], partitioner=tf.fixed_size_partitioner(2), regularizer=tf.nn.l2_loss)
            self.e = self.add_weight("e", shape=[], initializer=tf.ones_initializer(), aggregation=tf.VariableAggregation.SUM)
            self.built = True

        def call(self, x):
            self.add_loss(tf.reduce_sum(x))
            self.add_update(tf.assign_add(self.e, 1.0))
            return x * 2.0

    with tf.layers.experimental.keras_style_scope():
        own = Own()
        y = [own(tf.ones([2])), own(tf.ones([2]))]
    return [y, [type(v).__name__ for v in own.weights], [v.name for v in own.trainable_weights], own.losses, [u.name for u in own.updates], tf.get_collection("update_ops"), tf.losses.get_regularization_losses()]


def case_no_default_initializer(tf):
    with tf.layers.experimental.keras_style_scope():
        tf.layers.Layer(name="l").add_weight("c", [2], dtype=tf.complex64)


def case_variable_scopes(tf):
    with tf.layers.experimental.keras_style_scope():
        with tf.variable_scope("s", reuse=True):
            y = [tf.layers.dense(tf.ones([1, 2]), 2)]
        with tf.variable_scope("s", initializer=tf.ones_initializer(), regularizer=tf.nn.l2_loss):
            y += [tf.layers.dense(tf.ones([1, 2]), 2), tf.layers.dense(tf.ones([1, 2]), 2)]
    return [y, [v.name for v in tf.global_variables()], tf.losses.get_regularization_losses()]


def case_training(tf):
    with tf.layers.experimental.keras_style_scope():
        net = tf.layers.Dense(3, activation=tf.nn.relu)(tf.constant(X[0][0]))
        y = tf.layers.Dense(1)(net)
    loss = tf.losses.mean_squared_error([[1.0], [0.0], [2.0]], y)
    return Case([loss, tf.train.GradientDescentOptimizer(0.1).minimize(loss)], steps=3)

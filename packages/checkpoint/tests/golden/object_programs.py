"""Programs whose objects are saved, for TensorFlow and for Ossia: each takes the module, and returns dependencies."""


def _module(tf):
    module = tf.Module(name="model")
    module.w = tf.Variable([1.0, 2.0], name="w")
    module.b = tf.get_variable("b", [2], use_resource=True)
    module.later = None
    return module


def module(tf):
    made = _module(tf)
    made.layers = [tf.Variable(1.0), [tf.Variable(2.0)], {"a": tf.Variable(3.0)}, 7]
    made.named = {"z/y.x": tf.Variable(4.0), "a": tf.Variable(5.0)}
    made.same = made.w
    made.empty = []
    return {"model": made, "again": made, "step": tf.train.get_or_create_global_step()}


def adam(tf):
    made = _module(tf)
    optimizer = tf.train.AdamOptimizer(0.1)
    optimizer.minimize(tf.reduce_sum(made.w * made.b))
    return {"model": made, "optimizer": optimizer}


def two_optimizers(tf):
    made = _module(tf)
    momentum, rmsprop = tf.train.MomentumOptimizer(0.1, 0.9), tf.train.RMSPropOptimizer(0.1, centered=True)
    momentum.minimize(tf.reduce_sum(made.w))
    rmsprop.minimize(tf.reduce_sum(made.w * made.b))
    return {"z": momentum, "model": made, "a": rmsprop}


def template(tf):
    made = tf.make_template("scaled", lambda: tf.get_variable("factor", [2]))
    made()
    return {"template": made}


def slots_alone(tf):
    optimizer = tf.train.AdamOptimizer(0.1)
    optimizer.minimize(tf.Variable(2.0, use_resource=True) * tf.Variable(3.0))
    return {"optimizer": optimizer}


PROGRAMS = {program.__name__: program for program in (module, adam, two_optimizers, template, slots_alone)}


def layers(tf):
    dense, norm = tf.layers.Dense(3), tf.layers.BatchNormalization()
    output = norm(dense(tf.zeros([2, 2])), training=True)
    convolution = tf.layers.Conv2D(2, [1, 1])
    convolution(tf.zeros([1, 4, 4, 1]))
    optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
    optimizer.minimize(tf.reduce_sum(output))
    return {"dense": dense, "norm": norm, "convolution": convolution, "optimizer": optimizer}


def mixed_precision(tf):
    variable = tf.Variable(1.0)
    optimizer = tf.train.experimental.MixedPrecisionLossScaleOptimizer(tf.train.AdamOptimizer(0.1), "dynamic")
    optimizer.minimize(variable * variable)
    return {"optimizer": optimizer, "variable": variable}


def cells(tf):
    cell = tf.nn.rnn_cell
    lower, upper = cell.DropoutWrapper(cell.BasicLSTMCell(2)), cell.ResidualWrapper(cell.GRUCell(2))
    made = cell.MultiRNNCell([lower, upper])
    tf.nn.dynamic_rnn(made, tf.zeros([1, 2, 2]), dtype=tf.float32)

    class Own(tf.layers.Layer):
        def build(self, shape):
            self.other = self.add_weight("kernel", [2])
            self.add_weight("alone", [1])
            self.built = True

        def call(self, inputs):
            return inputs * self.other

    layer = Own()
    layer(tf.zeros([2, 2]))
    return {"cells": made, "layer": layer}


def table(tf):
    made = tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, 0, -1, -2, initial_num_buckets=4)
    return {"table": made}


ONLY_115 = {program.__name__: program for program in (layers, mixed_precision, cells, table)}

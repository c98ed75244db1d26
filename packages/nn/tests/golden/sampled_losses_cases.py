"""Losses estimated from sampled classes, and their gradients."""
import numpy as np
from golden_case import Case

W = (np.arange(40) * 17 % 31).reshape(10, 4) / 31.0 - 0.4
B = np.arange(10) / 10.0
X = (np.arange(12) * 7 % 11).reshape(3, 4) / 11.0


def sampled(tf, *classes):
    """Candidates that do not depend on chance."""
    n = len(classes)
    return tf.constant(classes, tf.int64), tf.constant([[0.5], [0.25], [0.125]]), tf.constant([0.3] * n)


def table(tf):
    return tf.placeholder(tf.float32, [10, 4]), tf.placeholder(tf.float32, [10]), tf.placeholder(tf.float32, [None, 4])


def case_nce(tf):
    w, b, x = table(tf)
    labels = tf.placeholder(tf.int64, [None, 1])
    y = [tf.nn.nce_loss(w, b, labels, x, 4, 10, sampled_values=sampled(tf, 1, 7, 3, 0), **more)
         for more in ({}, {"remove_accidental_hits": True, "partition_strategy": "div", "name": "q"})]
    return Case([y, tf.gradients(y, [w, b, x])], feeds={w: W, b: B, x: X, labels: [[1], [9], [0]]})


def case_sampled_softmax(tf):
    w, b, x = table(tf)
    labels = tf.placeholder(tf.int64, [None, 1])
    y = [tf.nn.sampled_softmax_loss(w, b, labels, x, 4, 10, sampled_values=sampled(tf, 1, 7, 3, 0), **more)
         for more in ({}, {"remove_accidental_hits": False, "partition_strategy": "div", "name": "q"})]
    return Case([y, tf.gradients(y, [w, b, x])], feeds={w: W, b: B, x: X, labels: [[1], [9], [0]]})


def case_two_true(tf):
    w, b, x = table(tf)
    labels = tf.placeholder(tf.int32, [3, 2])
    values = tf.constant([2, 8], tf.int64), tf.constant([[0.5, 0.1], [0.25, 0.2], [0.125, 0.3]]), tf.constant([0.3, 0.4])
    y = tf.nn.sampled_softmax_loss(w, b, labels, x, 2, 10, num_true=2, sampled_values=values)
    z = tf.nn.nce_loss(w, b, labels, x, 2, 10, num_true=2, sampled_values=values)
    return Case([y, z, tf.gradients([y, z], [w, b])], feeds={w: W, b: B, x: X, labels: [[1, 2], [9, 8], [0, 2]]})


def case_drawn(tf):
    w, b, x = table(tf)
    labels = tf.placeholder(tf.int64, [None, 1])
    y = tf.nn.sampled_softmax_loss(w, b, labels, x, 10, 10, seed=3)
    return Case([tf.nn.nce_loss(w, b, labels, x, 10, 10).shape, y.shape])


def case_shards(tf):
    shards = [tf.get_variable("w%d" % i, initializer=tf.constant(W[5 * i:5 * i + 5], tf.float32)) for i in range(2)]
    b = tf.get_variable("b", initializer=tf.constant(B, tf.float32))
    x, labels = tf.constant(X, tf.float32), tf.constant([[1], [9], [0]], tf.int64)
    y = tf.nn.nce_loss(shards, b, labels, x, 2, 10, sampled_values=sampled(tf, 4, 5), partition_strategy="div")
    return Case([y, tf.gradients(y, [*shards, b])], init=True)


def case_partitioned(tf):
    w = tf.get_variable("w", [10, 4], initializer=tf.ones_initializer(), partitioner=tf.fixed_size_partitioner(2))
    b = tf.get_variable("b", [10], initializer=tf.zeros_initializer())
    x, labels = tf.constant(X, tf.float32), tf.constant([[1], [9], [0]], tf.int64)
    return Case(tf.nn.sampled_softmax_loss(w, b, labels, x, 2, 10, sampled_values=sampled(tf, 4, 5)), init=True)


def case_accidental_hits(tf):
    labels, drawn = tf.placeholder(tf.int64, [None, 2]), tf.placeholder(tf.int64, [4])
    return Case(tf.nn.compute_accidental_hits(labels, drawn, 2), feeds={labels: [[1, 2], [3, 4]], drawn: [4, 2, 9, 1]})


def case_labels_in_variables(tf):
    f = (tf.nn.sampled_softmax_loss, tf.nn.nce_loss)
    labels = [tf.Variable([[0], [2]], dtype=kind, use_resource=resource) for kind in (tf.int64, tf.int32) for resource in (True, False)]
    return Case([loss(tf.ones([6, 3]), tf.ones([6]), label, tf.ones([2, 3]), 2, 6) for loss in f for label in labels], graph_only=True)

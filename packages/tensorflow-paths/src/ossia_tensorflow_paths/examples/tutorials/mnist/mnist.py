"""The network of two hidden layers that the first tutorials train on handwritten digits."""

from __future__ import annotations

import math
from typing import Any

import ossia as tf

NUM_CLASSES = 10
IMAGE_SIZE = 28
IMAGE_PIXELS = IMAGE_SIZE * IMAGE_SIZE


def inference(images: Any, hidden1_units: int, hidden2_units: int) -> tf.Tensor:
    """Logits `[batch, 10]` of images `[batch, 784]`, through two hidden layers."""
    with tf.name_scope("hidden1"):
        hidden = tf.nn.relu(_linear(images, IMAGE_PIXELS, hidden1_units))
    with tf.name_scope("hidden2"):
        hidden = tf.nn.relu(_linear(hidden, hidden1_units, hidden2_units))
    with tf.name_scope("softmax_linear"):
        return _linear(hidden, hidden2_units, NUM_CLASSES)


def _linear(inputs: Any, size: int, units: int) -> tf.Tensor:
    weights = tf.Variable(tf.truncated_normal([size, units], stddev=1.0 / math.sqrt(float(size))), name="weights")
    return tf.matmul(inputs, weights) + tf.Variable(tf.zeros([units]), name="biases")


def loss(logits: Any, labels: Any) -> tf.Tensor:
    """The mean cross entropy of logits and labels `[batch]`."""
    return tf.losses.sparse_softmax_cross_entropy(labels=tf.cast(labels, tf.int64), logits=logits)


def training(loss: Any, learning_rate: float) -> tf.Operation:
    """A step of gradient descent, which counts steps in a variable `global_step` and summarizes the loss."""
    tf.summary.scalar("loss", loss)
    optimizer = tf.train.GradientDescentOptimizer(learning_rate)
    return optimizer.minimize(loss, global_step=tf.Variable(0, name="global_step", trainable=False))


def evaluation(logits: Any, labels: Any) -> tf.Tensor:
    """How many labels `[batch]` have the largest logit."""
    return tf.reduce_sum(tf.cast(tf.nn.in_top_k(logits, labels, 1), tf.int32))

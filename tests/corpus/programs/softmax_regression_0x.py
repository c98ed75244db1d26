"""Softmax regression as the first tutorials had it, with the MNIST reader on images made here."""
from __future__ import absolute_import
from __future__ import division
from __future__ import print_function

import argparse
import gzip
import os
import struct
import sys

import numpy as np
from tensorflow.examples.tutorials.mnist import input_data

import tensorflow as tf

FLAGS = None


def make_files(folder, count=400):
    """Files of the MNIST form: each digit is a bright bar in a row of its own."""
    os.makedirs(folder)
    random = np.random.RandomState(1)
    for name, number in (("train", 6000), ("t10k", count)):
        labels = random.randint(0, 10, number).astype(np.uint8)
        images = random.randint(0, 60, (number, 28, 28)).astype(np.uint8)
        for i, label in enumerate(labels):
            images[i, 2 * label:2 * label + 4, :] += 150
        with gzip.open(os.path.join(folder, name + "-images-idx3-ubyte.gz"), "wb") as f:
            f.write(struct.pack(">IIII", 2051, number, 28, 28) + images.tobytes())
        with gzip.open(os.path.join(folder, name + "-labels-idx1-ubyte.gz"), "wb") as f:
            f.write(struct.pack(">II", 2049, number) + labels.tobytes())


def main(_):
    make_files(FLAGS.data_dir)
    mnist = input_data.read_data_sets(FLAGS.data_dir, one_hot=True, seed=1)
    print(mnist.train.num_examples, mnist.validation.num_examples, mnist.test.images.shape)
    x = tf.placeholder(tf.float32, [None, 784])
    W = tf.Variable(tf.zeros([784, 10]))
    b = tf.Variable(tf.zeros([10]))
    y = tf.matmul(x, W) + b
    y_ = tf.placeholder(tf.float32, [None, 10])
    cross_entropy = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y_, logits=y))
    train_step = tf.train.GradientDescentOptimizer(0.5).minimize(cross_entropy)
    sess = tf.InteractiveSession()
    tf.global_variables_initializer().run()
    for _ in range(15):
        batch_xs, batch_ys = mnist.train.next_batch(50)
        sess.run(train_step, feed_dict={x: batch_xs, y_: batch_ys})
    correct_prediction = tf.equal(tf.argmax(y, 1), tf.argmax(y_, 1))
    accuracy = tf.reduce_mean(tf.cast(correct_prediction, tf.float32))
    print(sess.run(accuracy, feed_dict={x: mnist.test.images, y_: mnist.test.labels}))
    print(cross_entropy.eval({x: mnist.test.images, y_: mnist.test.labels}))
    print(mnist.train.epochs_completed, len(tf.get_default_graph().get_operations()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--data_dir", type=str, default="input_data")
    FLAGS, unparsed = parser.parse_known_args()
    tf.app.run(main=main, argv=[sys.argv[0]] + unparsed)

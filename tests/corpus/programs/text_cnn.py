"""Sentences classified by convolutions of several widths, with a vocabulary of tf.contrib.learn."""
import datetime
import os
import time

import numpy as np
import tensorflow as tf
from tensorflow.contrib import learn

tf.flags.DEFINE_float("dev_sample_percentage", .2, "Percentage of the training data to use for validation")
tf.flags.DEFINE_integer("embedding_dim", 12, "Dimensionality of character embedding (default: 12)")
tf.flags.DEFINE_string("filter_sizes", "2,3", "Comma-separated filter sizes (default: '2,3')")
tf.flags.DEFINE_integer("num_filters", 6, "Number of filters per filter size (default: 6)")
tf.flags.DEFINE_float("dropout_keep_prob", 0.5, "Dropout keep probability (default: 0.5)")
tf.flags.DEFINE_float("l2_reg_lambda", 0.1, "L2 regularization lambda (default: 0.1)")
tf.flags.DEFINE_integer("batch_size", 8, "Batch Size (default: 8)")
tf.flags.DEFINE_integer("num_epochs", 3, "Number of training epochs (default: 3)")
tf.flags.DEFINE_boolean("allow_soft_placement", True, "Allow device soft device placement")
FLAGS = tf.flags.FLAGS

POSITIVE = ["a fine and moving film", "truly great acting , and fun", "it is a joy to watch", "warm , clever and sweet"]
NEGATIVE = ["dull and far too long", "a bad film with no plot", "it is a waste of time", "cold , loud and empty"]


class TextCNN(object):
    def __init__(self, sequence_length, num_classes, vocab_size, embedding_size, filter_sizes, num_filters,
                 l2_reg_lambda=0.0):
        self.input_x = tf.placeholder(tf.int32, [None, sequence_length], name="input_x")
        self.input_y = tf.placeholder(tf.float32, [None, num_classes], name="input_y")
        self.dropout_keep_prob = tf.placeholder(tf.float32, name="dropout_keep_prob")
        l2_loss = tf.constant(0.0)
        with tf.device("/cpu:0"), tf.name_scope("embedding"):
            self.W = tf.Variable(tf.random_uniform([vocab_size, embedding_size], -1.0, 1.0), name="W")
            self.embedded_chars = tf.nn.embedding_lookup(self.W, self.input_x)
            self.embedded_chars_expanded = tf.expand_dims(self.embedded_chars, -1)
        pooled_outputs = []
        for i, filter_size in enumerate(filter_sizes):
            with tf.name_scope("conv-maxpool-%s" % filter_size):
                W = tf.Variable(tf.truncated_normal([filter_size, embedding_size, 1, num_filters], stddev=0.1), name="W")
                b = tf.Variable(tf.constant(0.1, shape=[num_filters]), name="b")
                conv = tf.nn.conv2d(self.embedded_chars_expanded, W, strides=[1, 1, 1, 1], padding="VALID", name="conv")
                h = tf.nn.relu(tf.nn.bias_add(conv, b), name="relu")
                pooled_outputs.append(tf.nn.max_pool(
                    h, ksize=[1, sequence_length - filter_size + 1, 1, 1], strides=[1, 1, 1, 1], padding="VALID",
                    name="pool"))
        total = num_filters * len(filter_sizes)
        self.h_pool_flat = tf.reshape(tf.concat(pooled_outputs, 3), [-1, total])
        with tf.name_scope("dropout"):
            self.h_drop = tf.nn.dropout(self.h_pool_flat, self.dropout_keep_prob)
        with tf.name_scope("output"):
            W = tf.get_variable("W", shape=[total, num_classes], initializer=tf.contrib.layers.xavier_initializer())
            b = tf.Variable(tf.constant(0.1, shape=[num_classes]), name="b")
            l2_loss += tf.nn.l2_loss(W)
            l2_loss += tf.nn.l2_loss(b)
            self.scores = tf.nn.xw_plus_b(self.h_drop, W, b, name="scores")
            self.predictions = tf.argmax(self.scores, 1, name="predictions")
        with tf.name_scope("loss"):
            losses = tf.nn.softmax_cross_entropy_with_logits(logits=self.scores, labels=self.input_y)
            self.loss = tf.reduce_mean(losses) + l2_reg_lambda * l2_loss
        with tf.name_scope("accuracy"):
            correct = tf.equal(self.predictions, tf.argmax(self.input_y, 1))
            self.accuracy = tf.reduce_mean(tf.cast(correct, "float"), name="accuracy")


def main(argv=None):
    x_text = (POSITIVE + NEGATIVE) * 4
    y = np.array([[0, 1]] * 4 + [[1, 0]] * 4).tolist() * 4
    y = np.array(y)
    max_document_length = max(len(x.split(" ")) for x in x_text)
    vocab_processor = learn.preprocessing.VocabularyProcessor(max_document_length)
    x = np.array(list(vocab_processor.fit_transform(x_text)))
    np.random.seed(10)
    shuffled = np.random.permutation(np.arange(len(y)))
    x, y = x[shuffled], y[shuffled]
    dev = -1 * int(FLAGS.dev_sample_percentage * float(len(y)))
    x_train, x_dev, y_train, y_dev = x[:dev], x[dev:], y[:dev], y[dev:]
    print("Vocabulary Size: {:d}".format(len(vocab_processor.vocabulary_)))
    print("Train/Dev split: {:d}/{:d}".format(len(y_train), len(y_dev)))
    with tf.Graph().as_default():
        tf.set_random_seed(2)
        session_conf = tf.ConfigProto(allow_soft_placement=FLAGS.allow_soft_placement, log_device_placement=False)
        sess = tf.Session(config=session_conf)
        with sess.as_default():
            cnn = TextCNN(x_train.shape[1], y_train.shape[1], len(vocab_processor.vocabulary_), FLAGS.embedding_dim,
                          list(map(int, FLAGS.filter_sizes.split(","))), FLAGS.num_filters, FLAGS.l2_reg_lambda)
            global_step = tf.Variable(0, name="global_step", trainable=False)
            optimizer = tf.train.AdamOptimizer(1e-2)
            grads_and_vars = optimizer.compute_gradients(cnn.loss)
            train_op = optimizer.apply_gradients(grads_and_vars, global_step=global_step)
            grad_summaries = []
            for g, v in grads_and_vars:
                if g is not None:
                    grad_summaries.append(tf.summary.histogram("{}/grad/hist".format(v.name), g))
                    grad_summaries.append(tf.summary.scalar("{}/grad/sparsity".format(v.name), tf.nn.zero_fraction(g)))
            print([s.name for s in grad_summaries[:4]])
            out_dir = os.path.abspath(os.path.join(os.path.curdir, "runs", "1"))
            loss_summary = tf.summary.scalar("loss", cnn.loss)
            acc_summary = tf.summary.scalar("accuracy", cnn.accuracy)
            train_summary_op = tf.summary.merge([loss_summary, acc_summary] + grad_summaries)
            writer = tf.summary.FileWriter(os.path.join(out_dir, "summaries", "train"), sess.graph)
            saver = tf.train.Saver(tf.global_variables(), max_to_keep=2)
            os.makedirs(os.path.join(out_dir, "checkpoints"))
            vocab_processor.save(os.path.join(out_dir, "vocab"))
            sess.run(tf.global_variables_initializer())
            for epoch in range(FLAGS.num_epochs):
                for i in range(0, len(y_train), FLAGS.batch_size):
                    feed = {cnn.input_x: x_train[i:i + 8], cnn.input_y: y_train[i:i + 8],
                            cnn.dropout_keep_prob: FLAGS.dropout_keep_prob}
                    _, step, summaries, loss, accuracy = sess.run(
                        [train_op, global_step, train_summary_op, cnn.loss, cnn.accuracy], feed)
                    writer.add_summary(summaries, step)
                print("step {}, loss {:g}, acc {:g}".format(step, loss, accuracy))
                current_step = tf.train.global_step(sess, global_step)
                path = saver.save(sess, os.path.join(out_dir, "checkpoints", "model"), global_step=current_step)
                print(os.path.basename(path))
    vocab = learn.preprocessing.VocabularyProcessor.restore(os.path.join(out_dir, "vocab"))
    x_test = np.array(list(vocab.transform(["a joy and fun film", "loud waste"])))
    print(x_test.tolist())
    graph = tf.Graph()
    with graph.as_default(), tf.Session() as sess:
        checkpoint = tf.train.latest_checkpoint(os.path.join(out_dir, "checkpoints"))
        saver = tf.train.import_meta_graph("{}.meta".format(checkpoint))
        saver.restore(sess, checkpoint)
        get = lambda name: graph.get_operation_by_name(name).outputs[0]
        feed = {get("input_x"): x_test, get("dropout_keep_prob"): 1.0}
        print(sess.run([get("output/predictions"), get("output/scores")], feed))


if __name__ == "__main__":
    tf.app.run()

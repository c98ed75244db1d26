"""Train a small convolutional network on the UCI handwritten digits, with checkpoints, hooks and summaries.

Written for TensorFlow 1. Run it again and it goes on from its last checkpoint:

    python digits.py --checkpoint_dir=digits_model --steps=600
"""
import os

import numpy as np
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_string("checkpoint_dir", "digits_model", "where checkpoints and summaries go")
flags.DEFINE_integer("steps", 600, "train until this global step")
flags.DEFINE_integer("batch_size", 32, "images per step")
flags.DEFINE_float("learning_rate", 0.04, "initial learning rate")
FLAGS = flags.FLAGS

SEED = 20


def load_digits():
    """Images scaled to [0, 1] and labels: four fifths to train on, a random fifth to test with."""
    data = np.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "digits.npz"))
    images = data["images"].astype(np.float32)[..., np.newaxis] / 16.0
    labels = data["labels"].astype(np.int64)
    order = np.random.RandomState(0).permutation(len(images))
    images, labels = images[order], labels[order]
    split = len(images) * 4 // 5
    return (images[:split], labels[:split]), (images[split:], labels[split:])


def conv_layer(x, channels, name):
    with tf.variable_scope(name):
        kernel = tf.get_variable("kernel", [3, 3, x.shape[-1].value, channels],
                                 initializer=tf.truncated_normal_initializer(stddev=0.1))
        bias = tf.get_variable("bias", [channels], initializer=tf.zeros_initializer())
        x = tf.nn.conv2d(x, kernel, strides=[1, 1, 1, 1], padding="SAME")
        return tf.nn.relu(tf.nn.bias_add(x, bias))


def network(images, keep_prob):
    """Logits of the ten classes."""
    x = conv_layer(images, 24, "conv1")
    x = tf.nn.max_pool(x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME", name="pool1")
    x = conv_layer(x, 48, "conv2")
    x = tf.nn.max_pool(x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME", name="pool2")
    x = tf.reshape(x, [-1, 2 * 2 * 48])
    x = tf.layers.dense(x, 128, activation=tf.nn.relu, name="dense")
    x = tf.nn.dropout(x, keep_prob=keep_prob)
    return tf.layers.dense(x, 10, name="logits")


def main(_):
    tf.logging.set_verbosity(tf.logging.INFO)
    tf.set_random_seed(SEED)
    (train_images, train_labels), (test_images, test_labels) = load_digits()

    images = tf.placeholder(tf.float32, [None, 8, 8, 1], name="images")
    labels = tf.placeholder(tf.int64, [None], name="labels")
    keep_prob = tf.placeholder_with_default(1.0, [], name="keep_prob")
    logits = network(images, keep_prob)
    cross_entropy = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    loss = tf.reduce_mean(cross_entropy, name="loss")
    accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), labels), tf.float32), name="accuracy")

    global_step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(FLAGS.learning_rate, global_step, decay_steps=100, decay_rate=0.8, name="rate")
    train_op = tf.train.MomentumOptimizer(rate, momentum=0.9).minimize(loss, global_step=global_step)

    tf.summary.scalar("loss", loss)
    tf.summary.scalar("accuracy", accuracy)
    tf.summary.scalar("learning_rate", rate)

    shuffled = tf.random_shuffle(tf.range(len(train_images)))
    saver = tf.train.Saver()

    def progress(values):
        return "step %4d of %d   loss %.4f   accuracy %5.1f %%   learning rate %.4f" % (
            values["step"], FLAGS.steps, values["loss"], 100 * values["accuracy"], values["rate"])

    hooks = [
        tf.train.StopAtStepHook(last_step=FLAGS.steps),
        tf.train.LoggingTensorHook({"step": global_step, "loss": loss, "accuracy": accuracy, "rate": rate},
                                   every_n_iter=40, formatter=progress),
    ]
    with tf.train.MonitoredTrainingSession(checkpoint_dir=FLAGS.checkpoint_dir, hooks=hooks,
                                           scaffold=tf.train.Scaffold(saver=saver), save_checkpoint_secs=None,
                                           save_checkpoint_steps=200, save_summaries_steps=20) as session:
        while not session.should_stop():
            order = session.run_step_fn(lambda step_context: step_context.session.run(shuffled))
            for start in range(0, len(order) - FLAGS.batch_size + 1, FLAGS.batch_size):
                if session.should_stop():
                    break
                batch = order[start:start + FLAGS.batch_size]
                session.run(train_op, {images: train_images[batch], labels: train_labels[batch], keep_prob: 0.6})

    with tf.Session() as session:
        saver.restore(session, tf.train.latest_checkpoint(FLAGS.checkpoint_dir))
        step, result = session.run([global_step, accuracy], {images: test_images, labels: test_labels})
    print("after %d steps: %.2f %% of %d held-out digits are right" % (step, 100 * result, len(test_images)))


if __name__ == "__main__":
    tf.app.run()

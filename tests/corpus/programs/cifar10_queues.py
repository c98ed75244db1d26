"""A convolutional network fed by queues from binary records, trained in a MonitoredTrainingSession and evaluated."""
from __future__ import absolute_import
from __future__ import division
from __future__ import print_function

import os
import re

import numpy as np
import tensorflow as tf

FLAGS = tf.app.flags.FLAGS
tf.app.flags.DEFINE_integer("batch_size", 8, """Number of images to process in a batch.""")
tf.app.flags.DEFINE_string("data_dir", "data", """Path to the data directory.""")
tf.app.flags.DEFINE_boolean("use_fp16", False, """Train the model using fp16.""")
tf.app.flags.DEFINE_string("train_dir", "train", """Directory where to write event logs and checkpoint.""")
tf.app.flags.DEFINE_integer("max_steps", 8, """Number of batches to run.""")
TOWER_NAME = "tower"
MOVING_AVERAGE_DECAY = 0.9


def write_data():
    os.makedirs(FLAGS.data_dir)
    random = np.random.RandomState(0)
    for i in range(2):
        records = random.randint(0, 256, (40, 1 + 8 * 8 * 3)).astype(np.uint8)
        records[:, 0] %= 4
        records[:, 1:65] = records[:, :1] * 60
        records.tofile(os.path.join(FLAGS.data_dir, "data_batch_%d.bin" % i))


def read_cifar10(filename_queue):
    class CIFAR10Record(object):
        pass
    result = CIFAR10Record()
    result.height, result.width, result.depth = 8, 8, 3
    image_bytes = 8 * 8 * 3
    reader = tf.FixedLengthRecordReader(record_bytes=1 + image_bytes)
    result.key, value = reader.read(filename_queue)
    record_bytes = tf.decode_raw(value, tf.uint8)
    result.label = tf.cast(tf.strided_slice(record_bytes, [0], [1]), tf.int32)
    depth_major = tf.reshape(tf.strided_slice(record_bytes, [1], [1 + image_bytes]), [3, 8, 8])
    result.uint8image = tf.transpose(depth_major, [1, 2, 0])
    return result


def inputs(distorted):
    filenames = [os.path.join(FLAGS.data_dir, "data_batch_%d.bin" % i) for i in range(2)]
    with tf.name_scope("data_augmentation"):
        filename_queue = tf.train.string_input_producer(filenames, shuffle=False)
        read_input = read_cifar10(filename_queue)
        image = tf.cast(read_input.uint8image, tf.float32)
        if distorted:
            image = tf.random_crop(image, [6, 6, 3], seed=1)
            image = tf.image.random_flip_left_right(image, seed=2)
            image = tf.image.random_brightness(image, max_delta=63, seed=3)
            image = tf.image.random_contrast(image, lower=0.2, upper=1.8, seed=4)
        else:
            image = tf.image.resize_image_with_crop_or_pad(image, 6, 6)
        image = tf.image.per_image_standardization(image)
        image.set_shape([6, 6, 3])
        read_input.label.set_shape([1])
        images, labels = tf.train.batch([image, read_input.label], batch_size=FLAGS.batch_size, num_threads=1,
                                        capacity=40)
        tf.summary.image("images", images)
        return images, tf.reshape(labels, [FLAGS.batch_size])


def _activation_summary(x):
    tensor_name = re.sub("%s_[0-9]*/" % TOWER_NAME, "", x.op.name)
    tf.summary.histogram(tensor_name + "/activations", x)
    tf.summary.scalar(tensor_name + "/sparsity", tf.nn.zero_fraction(x))


def _variable_on_cpu(name, shape, initializer):
    with tf.device("/cpu:0"):
        dtype = tf.float16 if FLAGS.use_fp16 else tf.float32
        return tf.get_variable(name, shape, initializer=initializer, dtype=dtype)


def _variable_with_weight_decay(name, shape, stddev, wd):
    var = _variable_on_cpu(name, shape, tf.truncated_normal_initializer(stddev=stddev, dtype=tf.float32))
    if wd is not None:
        tf.add_to_collection("losses", tf.multiply(tf.nn.l2_loss(var), wd, name="weight_loss"))
    return var


def inference(images):
    with tf.variable_scope("conv1") as scope:
        kernel = _variable_with_weight_decay("weights", [3, 3, 3, 8], 5e-2, None)
        conv = tf.nn.conv2d(images, kernel, [1, 1, 1, 1], padding="SAME")
        biases = _variable_on_cpu("biases", [8], tf.constant_initializer(0.0))
        conv1 = tf.nn.relu(tf.nn.bias_add(conv, biases), name=scope.name)
        _activation_summary(conv1)
    pool1 = tf.nn.max_pool(conv1, ksize=[1, 3, 3, 1], strides=[1, 2, 2, 1], padding="SAME", name="pool1")
    norm1 = tf.nn.lrn(pool1, 4, bias=1.0, alpha=0.001 / 9.0, beta=0.75, name="norm1")
    with tf.variable_scope("local3") as scope:
        reshape = tf.reshape(norm1, [FLAGS.batch_size, -1])
        dim = reshape.get_shape()[1].value
        weights = _variable_with_weight_decay("weights", [dim, 12], 0.04, 0.004)
        biases = _variable_on_cpu("biases", [12], tf.constant_initializer(0.1))
        local3 = tf.nn.relu(tf.matmul(reshape, weights) + biases, name=scope.name)
        _activation_summary(local3)
    with tf.variable_scope("softmax_linear") as scope:
        weights = _variable_with_weight_decay("weights", [12, 4], 1 / 12.0, None)
        biases = _variable_on_cpu("biases", [4], tf.constant_initializer(0.0))
        return tf.add(tf.matmul(local3, weights), biases, name=scope.name)


def loss(logits, labels):
    labels = tf.cast(labels, tf.int64)
    cross_entropy = tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=labels, logits=logits, name="cross_entropy_per_example")
    tf.add_to_collection("losses", tf.reduce_mean(cross_entropy, name="cross_entropy"))
    return tf.add_n(tf.get_collection("losses"), name="total_loss")


def train_step(total_loss, global_step):
    lr = tf.train.exponential_decay(0.1, global_step, 5, 0.9, staircase=True)
    tf.summary.scalar("learning_rate", lr)
    loss_averages = tf.train.ExponentialMovingAverage(0.9, name="avg")
    losses = tf.get_collection("losses")
    loss_averages_op = loss_averages.apply(losses + [total_loss])
    for l in losses + [total_loss]:
        tf.summary.scalar(l.op.name + " (raw)", l)
        tf.summary.scalar(l.op.name, loss_averages.average(l))
    with tf.control_dependencies([loss_averages_op]):
        opt = tf.train.GradientDescentOptimizer(lr)
        grads = opt.compute_gradients(total_loss)
    apply_gradient_op = opt.apply_gradients(grads, global_step=global_step)
    for var in tf.trainable_variables():
        tf.summary.histogram(var.op.name, var)
    for grad, var in grads:
        if grad is not None:
            tf.summary.histogram(var.op.name + "/gradients", grad)
    variable_averages = tf.train.ExponentialMovingAverage(MOVING_AVERAGE_DECAY, global_step)
    with tf.control_dependencies([apply_gradient_op]):
        return variable_averages.apply(tf.trainable_variables())


def train():
    with tf.Graph().as_default():
        tf.set_random_seed(7)
        global_step = tf.train.get_or_create_global_step()
        with tf.device("/cpu:0"):
            images, labels = inputs(True)
        logits = inference(images)
        total = loss(logits, labels)
        train_op = train_step(total, global_step)

        class _LoggerHook(tf.train.SessionRunHook):
            def begin(self):
                self._step = -1

            def before_run(self, run_context):
                self._step += 1
                return tf.train.SessionRunArgs(total)

            def after_run(self, run_context, run_values):
                if self._step % 2 == 0:
                    print("step %d, loss = %.4f" % (self._step, run_values.results))

        with tf.train.MonitoredTrainingSession(
                checkpoint_dir=FLAGS.train_dir,
                hooks=[tf.train.StopAtStepHook(last_step=FLAGS.max_steps), tf.train.NanTensorHook(total),
                       _LoggerHook()],
                save_summaries_steps=4, log_step_count_steps=4,
                config=tf.ConfigProto(log_device_placement=False)) as mon_sess:
            while not mon_sess.should_stop():
                mon_sess.run(train_op)


def evaluate():
    with tf.Graph().as_default():
        images, labels = inputs(False)
        logits = inference(images)
        top_k_op = tf.nn.in_top_k(logits, labels, 1)
        variable_averages = tf.train.ExponentialMovingAverage(MOVING_AVERAGE_DECAY)
        variables_to_restore = variable_averages.variables_to_restore()
        print(sorted(variables_to_restore))
        saver = tf.train.Saver(variables_to_restore)
        with tf.Session() as sess:
            ckpt = tf.train.get_checkpoint_state(FLAGS.train_dir)
            saver.restore(sess, ckpt.model_checkpoint_path)
            global_step = ckpt.model_checkpoint_path.split("/")[-1].split("-")[-1]
            coord = tf.train.Coordinator()
            threads = []
            for qr in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS):
                threads.extend(qr.create_threads(sess, coord=coord, daemon=True, start=True))
            true_count = 0
            for _ in range(10):
                true_count += np.sum(sess.run([top_k_op]))
            print("step %s precision @ 1 = %.3f" % (global_step, true_count / 80))
            coord.request_stop()
            coord.join(threads, stop_grace_period_secs=10)


def main(argv=None):
    write_data()
    if tf.gfile.Exists(FLAGS.train_dir):
        tf.gfile.DeleteRecursively(FLAGS.train_dir)
    tf.gfile.MakeDirs(FLAGS.train_dir)
    train()
    evaluate()


if __name__ == "__main__":
    tf.app.run()

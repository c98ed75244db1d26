"""Images in TFRecords read by a slim dataset, an inception network trained by slim.learning and evaluated."""
from __future__ import print_function

import io
import os

import numpy as np
import tensorflow as tf
from tensorflow.contrib import slim
from tensorflow.contrib.slim.nets import inception
from tensorflow.contrib.slim.python.slim.nets import resnet_v2
from tensorflow.python.ops import control_flow_ops

slim_data = slim.dataset
tf.logging.set_verbosity(tf.logging.ERROR)


def int64_feature(values):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=[values]))


def bytes_feature(values):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=[values]))


def write_records(path, count):
    random = np.random.RandomState(0)
    with tf.Graph().as_default(), tf.Session() as sess, tf.python_io.TFRecordWriter(path) as writer:
        image = tf.placeholder(tf.uint8, [None, None, 3])
        encoded = tf.image.encode_png(image)
        for i in range(count):
            pixels = random.randint(0, 100, (20, 24, 3)).astype(np.uint8)
            pixels[:, :, i % 3] += 120
            example = tf.train.Example(features=tf.train.Features(feature={
                "image/encoded": bytes_feature(sess.run(encoded, {image: pixels})),
                "image/format": bytes_feature(b"png"), "image/class/label": int64_feature(i % 3),
                "image/height": int64_feature(20), "image/width": int64_feature(24)}))
            writer.write(example.SerializeToString())


def get_split(name):
    keys_to_features = {
        "image/encoded": tf.FixedLenFeature((), tf.string, default_value=""),
        "image/format": tf.FixedLenFeature((), tf.string, default_value="png"),
        "image/class/label": tf.FixedLenFeature([], tf.int64, default_value=tf.zeros([], dtype=tf.int64)),
    }
    items_to_handlers = {
        "image": slim.tfexample_decoder.Image(),
        "label": slim.tfexample_decoder.Tensor("image/class/label"),
    }
    decoder = slim.tfexample_decoder.TFExampleDecoder(keys_to_features, items_to_handlers)
    return slim.dataset.Dataset(data_sources=name, reader=tf.TFRecordReader, decoder=decoder, num_samples=12,
                                items_to_descriptions={"image": "A color image.", "label": "An integer."},
                                num_classes=3, labels_to_names={0: "red", 1: "green", 2: "blue"})


def load_batch(dataset, batch_size=4, height=33, width=33):
    provider = slim.dataset_data_provider.DatasetDataProvider(dataset, num_readers=1, shuffle=False,
                                                              common_queue_capacity=24, common_queue_min=4)
    image_raw, label = provider.get(["image", "label"])
    image = tf.image.convert_image_dtype(image_raw, tf.float32)
    image = tf.squeeze(tf.image.resize_bilinear(tf.expand_dims(image, 0), [height, width]), [0])
    image = tf.multiply(tf.subtract(image, 0.5), 2.0)
    return tf.train.batch([image, label], batch_size=batch_size, num_threads=1, capacity=2 * batch_size)


def small_cnn(images, num_classes, is_training):
    with slim.arg_scope([slim.conv2d, slim.fully_connected], normalizer_fn=slim.batch_norm,
                        normalizer_params={"is_training": is_training, "decay": 0.8},
                        weights_regularizer=slim.l2_regularizer(0.0005),
                        weights_initializer=tf.truncated_normal_initializer(stddev=0.05)):
        with slim.arg_scope([slim.max_pool2d], stride=2):
            net = slim.conv2d(images, 8, [3, 3], stride=2, scope="conv1")
            net = slim.max_pool2d(net, [2, 2], scope="pool1")
            net = slim.repeat(net, 2, slim.conv2d, 8, [3, 3], scope="conv2")
            net = slim.stack(net, slim.conv2d, [(8, [1, 1]), (6, [3, 3])], scope="core")
            net = slim.separable_conv2d(net, 10, [3, 3], depth_multiplier=1, scope="sep")
            net = slim.avg_pool2d(net, [2, 2], scope="pool2")
            net = slim.flatten(net)
            net = slim.dropout(net, 0.8, is_training=is_training)
            return slim.fully_connected(net, num_classes, activation_fn=None, normalizer_fn=None, scope="logits")


write_records("flowers.tfrecord", 12)
with tf.Graph().as_default():
    tf.set_random_seed(0)
    images, labels = load_batch(get_split("flowers.tfrecord"))
    logits = small_cnn(images, 3, True)
    one_hot = slim.one_hot_encoding(labels, 3)
    slim.losses.softmax_cross_entropy(logits, one_hot)
    total_loss = slim.losses.get_total_loss()
    tf.summary.scalar("losses/Total Loss", total_loss)
    optimizer = tf.train.AdamOptimizer(learning_rate=0.01)
    train_op = slim.learning.create_train_op(total_loss, optimizer, clip_gradient_norm=4, summarize_gradients=True)
    final_loss = slim.learning.train(train_op, logdir="log", number_of_steps=4, log_every_n_steps=1,
                                     save_summaries_secs=100, graph=tf.get_default_graph())
    print("Finished training. Last batch loss %.4f" % final_loss)
    print([v.op.name for v in slim.get_model_variables()][:8], len(tf.get_collection(tf.GraphKeys.UPDATE_OPS)))
with tf.Graph().as_default():
    images, labels = load_batch(get_split("flowers.tfrecord"))
    logits = small_cnn(images, 3, False)
    predictions = tf.argmax(logits, 1)
    names_to_values, names_to_updates = slim.metrics.aggregate_metric_map({
        "eval/Accuracy": slim.metrics.streaming_accuracy(predictions, labels),
        "eval/Recall@2": slim.metrics.streaming_sparse_recall_at_k(logits, tf.expand_dims(labels, 1), 2)})
    metric_values = slim.evaluation.evaluate_once(
        master="", checkpoint_path=tf.train.latest_checkpoint("log"), logdir="log_eval", num_evals=3,
        eval_op=list(names_to_updates.values()), final_op=list(names_to_values.values()))
    for name, value in zip(names_to_values, metric_values):
        print("%s: %.4f" % (name, value))
with tf.Graph().as_default():
    tf.set_random_seed(0)
    processed = tf.random_uniform([1, 75, 75, 3], seed=2)
    with slim.arg_scope(inception.inception_v3_arg_scope()):
        logits, end_points = inception.inception_v3(processed, num_classes=5, is_training=False, depth_multiplier=0.1,
                                                    min_depth=4)
    print(logits, len(end_points), len(slim.get_variables_to_restore(exclude=["InceptionV3/Logits"])))
    init_fn = tf.global_variables_initializer()
    print(len(tf.get_default_graph().get_operations()))
    with tf.Session() as sess:
        sess.run(init_fn)
        print(np.round(sess.run(end_points["Predictions"]), 3))
        restorer = tf.train.Saver(slim.get_variables_to_restore(exclude=["InceptionV3/AuxLogits"]))
        restorer.save(sess, "inception/model.ckpt")
    assign = slim.assign_from_checkpoint_fn("inception/model.ckpt", slim.get_model_variables("InceptionV3"),
                                            ignore_missing_vars=True)
    with tf.Session() as sess:
        sess.run(init_fn)
        assign(sess)
        print(np.round(sess.run(logits), 3))
with tf.Graph().as_default():
    with slim.arg_scope(resnet_v2.resnet_arg_scope(batch_norm_decay=0.9)):
        net, points = resnet_v2.resnet_v2_50(tf.zeros([1, 32, 32, 3]), 7, is_training=True)
    print(net.shape, len(points), len(tf.global_variables()), len(slim.losses.get_regularization_losses()))

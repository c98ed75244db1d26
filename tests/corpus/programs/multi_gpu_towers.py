"""Towers over several devices, gradients averaged; the devices are CPUs, or are chosen softly."""
import numpy as np
import tensorflow as tf
from tensorflow.python.client import device_lib

NUM_GPUS, BATCH = 2, 8


def get_available_gpus():
    return [x.name for x in device_lib.list_local_devices() if x.device_type == "GPU"]


def conv_net(x, n_classes, dropout, reuse, is_training):
    with tf.variable_scope("ConvNet", reuse=reuse):
        x = tf.reshape(x, shape=[-1, 8, 8, 1])
        x = tf.layers.conv2d(x, 8, 3, activation=tf.nn.relu)
        x = tf.layers.max_pooling2d(x, 2, 2)
        x = tf.contrib.layers.flatten(x)
        x = tf.layers.dense(x, 16)
        x = tf.layers.dropout(x, rate=dropout, training=is_training)
        out = tf.layers.dense(x, n_classes)
        return tf.nn.softmax(out) if not is_training else out


def average_gradients(tower_grads):
    average_grads = []
    for grad_and_vars in zip(*tower_grads):
        grads = [tf.expand_dims(g, 0) for g, _ in grad_and_vars]
        grad = tf.reduce_mean(tf.concat(grads, 0), 0)
        average_grads.append((grad, grad_and_vars[0][1]))
    return average_grads


PS_OPS = ["Variable", "VariableV2", "AutoReloadVariable"]


def assign_to_device(device, ps_device="/cpu:0"):
    def _assign(op):
        node_def = op if isinstance(op, tf.NodeDef) else op.node_def
        return "/" + ps_device if node_def.op in PS_OPS else device
    return _assign


print(get_available_gpus(), [d.device_type for d in device_lib.list_local_devices()][:1])
tf.set_random_seed(1)
with tf.device("/cpu:0"):
    tower_grads = []
    reuse_vars = False
    X = tf.placeholder(tf.float32, [None, 64])
    Y = tf.placeholder(tf.float32, [None, 4])
    for i in range(NUM_GPUS):
        with tf.device(assign_to_device("/gpu:{}".format(i), ps_device="/cpu:0")), tf.name_scope("tower_%d" % i):
            _x = X[i * BATCH:(i + 1) * BATCH]
            _y = Y[i * BATCH:(i + 1) * BATCH]
            logits_train = conv_net(_x, 4, 0.2, reuse=reuse_vars, is_training=True)
            logits_test = conv_net(_x, 4, 0.2, reuse=True, is_training=False)
            loss_op = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits=logits_train, labels=_y))
            optimizer = tf.train.AdamOptimizer(learning_rate=0.01)
            grads = optimizer.compute_gradients(loss_op)
            if i == 0:
                correct_pred = tf.equal(tf.argmax(logits_test, 1), tf.argmax(_y, 1))
                accuracy = tf.reduce_mean(tf.cast(correct_pred, tf.float32))
            reuse_vars = True
            tower_grads.append(grads)
    tower_grads = average_gradients(tower_grads)
    train_op = optimizer.apply_gradients(tower_grads)
print(sorted(set(op.device for op in tf.get_default_graph().get_operations())))
print([(v.name, v.device) for v in tf.trainable_variables()][:2])
config = tf.ConfigProto(allow_soft_placement=True, log_device_placement=False, device_count={"CPU": 2},
                        intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
    random = np.random.RandomState(0)
    for step in range(1, 7):
        y = random.randint(0, 4, BATCH * NUM_GPUS)
        x = random.rand(BATCH * NUM_GPUS, 64) + y[:, None] * (np.arange(64) % 4 == 0)
        feed = {X: x, Y: np.eye(4)[y]}
        sess.run(train_op, feed)
        if step % 2 == 0:
            loss, acc = sess.run([loss_op, accuracy], feed)
            print("Step %d: Minibatch Loss= %.4f, Training Accuracy= %.3f" % (step, loss, acc))
try:
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=False)) as sess:
        sess.run(loss_op, feed)
except tf.errors.InvalidArgumentError as error:
    print(str(error).splitlines()[0][:46])
print("ops", len(tf.get_default_graph().get_operations()))

"""Advantage actor-critic with workers in threads that share one global network, one after the other."""
import threading

import numpy as np
import tensorflow as tf
import tensorflow.contrib.slim as slim


def update_target_graph(from_scope, to_scope):
    from_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, from_scope)
    to_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, to_scope)
    return [to_var.assign(from_var) for from_var, to_var in zip(from_vars, to_vars)]


def discount(x, gamma):
    total, sums = 0.0, []
    for value in x[::-1]:
        total = value + gamma * total
        sums.append(total)
    return np.array(sums[::-1])


def normalized_columns_initializer(std=1.0):
    def _initializer(shape, dtype=None, partition_info=None):
        out = np.random.RandomState(7).randn(*shape).astype(np.float32)
        out *= std / np.sqrt(np.square(out).sum(axis=0, keepdims=True))
        return tf.constant(out)
    return _initializer


class AC_Network(object):
    def __init__(self, s_size, a_size, scope, trainer):
        with tf.variable_scope(scope):
            self.inputs = tf.placeholder(shape=[None, s_size], dtype=tf.float32)
            self.imageIn = tf.reshape(self.inputs, shape=[-1, 6, 6, 1])
            self.conv1 = slim.conv2d(activation_fn=tf.nn.elu, inputs=self.imageIn, num_outputs=4, kernel_size=[3, 3],
                                     stride=[2, 2], padding="VALID")
            hidden = slim.fully_connected(slim.flatten(self.conv1), 16, activation_fn=tf.nn.elu)
            lstm_cell = tf.contrib.rnn.BasicLSTMCell(8, state_is_tuple=True)
            c_init = np.zeros((1, lstm_cell.state_size.c), np.float32)
            h_init = np.zeros((1, lstm_cell.state_size.h), np.float32)
            self.state_init = [c_init, h_init]
            c_in = tf.placeholder(tf.float32, [1, lstm_cell.state_size.c])
            h_in = tf.placeholder(tf.float32, [1, lstm_cell.state_size.h])
            self.state_in = (c_in, h_in)
            rnn_in = tf.expand_dims(hidden, [0])
            step_size = tf.shape(self.imageIn)[:1]
            state_in = tf.contrib.rnn.LSTMStateTuple(c_in, h_in)
            lstm_outputs, lstm_state = tf.nn.dynamic_rnn(
                lstm_cell, rnn_in, initial_state=state_in, sequence_length=step_size, time_major=False)
            lstm_c, lstm_h = lstm_state
            self.state_out = (lstm_c[:1, :], lstm_h[:1, :])
            rnn_out = tf.reshape(lstm_outputs, [-1, 8])
            self.policy = slim.fully_connected(rnn_out, a_size, activation_fn=tf.nn.softmax,
                                               weights_initializer=normalized_columns_initializer(0.01),
                                               biases_initializer=None)
            self.value = slim.fully_connected(rnn_out, 1, activation_fn=None,
                                              weights_initializer=normalized_columns_initializer(1.0),
                                              biases_initializer=None)
            if scope != "global":
                self.actions = tf.placeholder(shape=[None], dtype=tf.int32)
                self.actions_onehot = tf.one_hot(self.actions, a_size, dtype=tf.float32)
                self.target_v = tf.placeholder(shape=[None], dtype=tf.float32)
                self.advantages = tf.placeholder(shape=[None], dtype=tf.float32)
                self.responsible_outputs = tf.reduce_sum(self.policy * self.actions_onehot, [1])
                self.value_loss = 0.5 * tf.reduce_sum(tf.square(self.target_v - tf.reshape(self.value, [-1])))
                self.entropy = -tf.reduce_sum(self.policy * tf.log(self.policy))
                self.policy_loss = -tf.reduce_sum(tf.log(self.responsible_outputs) * self.advantages)
                self.loss = 0.5 * self.value_loss + self.policy_loss - self.entropy * 0.01
                local_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope)
                self.gradients = tf.gradients(self.loss, local_vars)
                self.var_norms = tf.global_norm(local_vars)
                grads, self.grad_norms = tf.clip_by_global_norm(self.gradients, 40.0)
                global_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, "global")
                self.apply_grads = trainer.apply_gradients(zip(grads, global_vars))


class Worker(object):
    def __init__(self, name, trainer, global_episodes):
        self.name = "worker_" + str(name)
        self.random = np.random.RandomState(name)
        self.local_AC = AC_Network(36, 3, self.name, trainer)
        self.update_local_ops = update_target_graph("global", self.name)
        self.increment = global_episodes.assign_add(1)

    def work(self, sess, coord, lines):
        with sess.as_default(), sess.graph.as_default():
            sess.run(self.update_local_ops)
            state = self.local_AC.state_init
            rollout = []
            for t in range(6):
                s = self.random.rand(36)
                p, v, state = sess.run(
                    [self.local_AC.policy, self.local_AC.value, self.local_AC.state_out],
                    {self.local_AC.inputs: [s], self.local_AC.state_in[0]: state[0],
                     self.local_AC.state_in[1]: state[1]})
                a = int(np.argmax(p[0]))
                rollout.append((s, a, float(s[:3].argmax() == a), v[0, 0]))
            s, a, r, v = map(np.array, zip(*rollout))
            target = discount(r, 0.9)
            advantages = discount(r + 0.9 * np.append(v[1:], 0.0) - v, 0.9)
            feed = {self.local_AC.target_v: target, self.local_AC.inputs: s, self.local_AC.actions: a,
                    self.local_AC.advantages: advantages, self.local_AC.state_in[0]: self.local_AC.state_init[0],
                    self.local_AC.state_in[1]: self.local_AC.state_init[1]}
            v_l, p_l, e_l, g_n, v_n, _ = sess.run(
                [self.local_AC.value_loss, self.local_AC.policy_loss, self.local_AC.entropy,
                 self.local_AC.grad_norms, self.local_AC.var_norms, self.local_AC.apply_grads], feed)
            sess.run(self.increment)
            lines.append("%s %.4f %.4f %.4f %.4f %.4f" % (self.name, v_l, p_l, e_l, g_n, v_n))


tf.reset_default_graph()
tf.set_random_seed(1)
with tf.device("/cpu:0"):
    global_episodes = tf.Variable(0, dtype=tf.int32, name="global_episodes", trainable=False)
    trainer = tf.train.AdamOptimizer(learning_rate=1e-2)
    master_network = AC_Network(36, 3, "global", None)
    workers = [Worker(i, trainer, global_episodes) for i in range(3)]
    saver = tf.train.Saver(max_to_keep=5)
with tf.Session() as sess:
    coord = tf.train.Coordinator()
    sess.run(tf.global_variables_initializer())
    for _ in range(2):
        for worker in workers:
            lines = []
            thread = threading.Thread(target=lambda: worker.work(sess, coord, lines))
            thread.start()
            coord.join([thread])
            print(*lines)
    print(sess.run(global_episodes), saver.save(sess, "./model-a3c.cptk"))

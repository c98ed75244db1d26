"""A language model in the manner of the PTB tutorial: producer of batches, truncated backpropagation, Supervisor."""
from __future__ import absolute_import
from __future__ import division
from __future__ import print_function

import collections

import numpy as np
import tensorflow as tf

flags = tf.flags
logging = tf.logging
flags.DEFINE_string("model", "small", "A type of model.")
flags.DEFINE_string("save_path", "out", "Model output directory.")
flags.DEFINE_bool("use_fp16", False, "Train using 16-bit floats instead of 32bit floats")
flags.DEFINE_string("rnn_mode", "basic", "The low level implementation of lstm cell: one of basic, block, lstm")
FLAGS = flags.FLAGS


def data_type():
    return tf.float16 if FLAGS.use_fp16 else tf.float32


def build_vocab(words):
    pairs = sorted(collections.Counter(words).items(), key=lambda x: (-x[1], x[0]))
    words, _ = list(zip(*pairs))
    return dict(zip(words, range(len(words))))


def producer(raw_data, batch_size, num_steps, name=None):
    with tf.name_scope(name, "PTBProducer", [raw_data, batch_size, num_steps]):
        raw_data = tf.convert_to_tensor(raw_data, name="raw_data", dtype=tf.int32)
        data_len = tf.size(raw_data)
        batch_len = data_len // batch_size
        data = tf.reshape(raw_data[0:batch_size * batch_len], [batch_size, batch_len])
        epoch_size = (batch_len - 1) // num_steps
        assertion = tf.assert_positive(epoch_size, message="epoch_size == 0, decrease batch_size or num_steps")
        with tf.control_dependencies([assertion]):
            epoch_size = tf.identity(epoch_size, name="epoch_size")
        i = tf.train.range_input_producer(epoch_size, shuffle=False).dequeue()
        x = tf.strided_slice(data, [0, i * num_steps], [batch_size, (i + 1) * num_steps])
        x.set_shape([batch_size, num_steps])
        y = tf.strided_slice(data, [0, i * num_steps + 1], [batch_size, (i + 1) * num_steps + 1])
        y.set_shape([batch_size, num_steps])
        return x, y


class SmallConfig(object):
    init_scale, learning_rate, max_grad_norm, num_layers, num_steps, hidden_size = 0.1, 1.0, 5, 2, 5, 12
    max_epoch, max_max_epoch, keep_prob, lr_decay, batch_size, vocab_size = 1, 3, 0.9, 0.5, 4, 0


class PTBInput(object):
    def __init__(self, config, data, name=None):
        self.batch_size, self.num_steps = config.batch_size, config.num_steps
        self.epoch_size = ((len(data) // self.batch_size) - 1) // self.num_steps
        self.input_data, self.targets = producer(data, self.batch_size, self.num_steps, name=name)


class PTBModel(object):
    def __init__(self, is_training, config, input_):
        self._input = input_
        batch_size, size = input_.batch_size, config.hidden_size

        def lstm_cell():
            if FLAGS.rnn_mode == "basic":
                return tf.contrib.rnn.BasicLSTMCell(size, forget_bias=0.0, state_is_tuple=True,
                                                    reuse=not is_training)
            return tf.contrib.rnn.LSTMBlockCell(size, forget_bias=0.0)

        def attn_cell():
            cell = lstm_cell()
            if is_training and config.keep_prob < 1:
                return tf.contrib.rnn.DropoutWrapper(cell, output_keep_prob=config.keep_prob)
            return cell
        cell = tf.contrib.rnn.MultiRNNCell([attn_cell() for _ in range(config.num_layers)], state_is_tuple=True)
        self._initial_state = cell.zero_state(batch_size, data_type())
        with tf.device("/cpu:0"):
            embedding = tf.get_variable("embedding", [config.vocab_size, size], dtype=data_type())
            inputs = tf.nn.embedding_lookup(embedding, input_.input_data)
        if is_training and config.keep_prob < 1:
            inputs = tf.nn.dropout(inputs, config.keep_prob)
        outputs = []
        state = self._initial_state
        with tf.variable_scope("RNN"):
            for time_step in range(input_.num_steps):
                if time_step > 0:
                    tf.get_variable_scope().reuse_variables()
                cell_output, state = cell(inputs[:, time_step, :], state)
                outputs.append(cell_output)
        output = tf.reshape(tf.stack(axis=1, values=outputs), [-1, size])
        softmax_w = tf.get_variable("softmax_w", [size, config.vocab_size], dtype=data_type())
        softmax_b = tf.get_variable("softmax_b", [config.vocab_size], dtype=data_type())
        logits = tf.reshape(tf.nn.xw_plus_b(output, softmax_w, softmax_b),
                            [batch_size, input_.num_steps, config.vocab_size])
        loss = tf.contrib.seq2seq.sequence_loss(
            logits, input_.targets, tf.ones([batch_size, input_.num_steps], dtype=data_type()),
            average_across_timesteps=False, average_across_batch=True)
        self._cost = cost = tf.reduce_sum(loss)
        self._final_state = state
        if not is_training:
            return
        self._lr = tf.Variable(0.0, trainable=False)
        tvars = tf.trainable_variables()
        grads, _ = tf.clip_by_global_norm(tf.gradients(cost, tvars), config.max_grad_norm)
        optimizer = tf.train.GradientDescentOptimizer(self._lr)
        self._train_op = optimizer.apply_gradients(
            zip(grads, tvars), global_step=tf.contrib.framework.get_or_create_global_step())
        self._new_lr = tf.placeholder(tf.float32, shape=[], name="new_learning_rate")
        self._lr_update = tf.assign(self._lr, self._new_lr)


def run_epoch(session, model, eval_op=None):
    costs, iters = 0.0, 0
    state = session.run(model._initial_state)
    fetches = {"cost": model._cost, "final_state": model._final_state}
    if eval_op is not None:
        fetches["eval_op"] = eval_op
    for _ in range(model._input.epoch_size):
        feed_dict = {}
        for i, (c, h) in enumerate(model._initial_state):
            feed_dict[c] = state[i].c
            feed_dict[h] = state[i].h
        vals = session.run(fetches, feed_dict)
        costs += vals["cost"]
        state = vals["final_state"]
        iters += model._input.num_steps
    return np.exp(costs / iters)


def main(_):
    text = ("we like to play games and they like to read books <eos> " * 20).split()
    word_to_id = build_vocab(text)
    data = [word_to_id[w] for w in text]
    config = SmallConfig()
    config.vocab_size = len(word_to_id)
    for mode in ("basic", "block"):
        FLAGS.rnn_mode = mode
        with tf.Graph().as_default():
            tf.set_random_seed(1)
            initializer = tf.random_uniform_initializer(-config.init_scale, config.init_scale)
            with tf.name_scope("Train"):
                train_input = PTBInput(config=config, data=data, name="TrainInput")
                with tf.variable_scope("Model", reuse=None, initializer=initializer):
                    m = PTBModel(is_training=True, config=config, input_=train_input)
                tf.summary.scalar("Training Loss", m._cost)
                tf.summary.scalar("Learning Rate", m._lr)
            with tf.name_scope("Valid"):
                valid_input = PTBInput(config=config, data=data[:80], name="ValidInput")
                with tf.variable_scope("Model", reuse=True, initializer=initializer):
                    mvalid = PTBModel(is_training=False, config=config, input_=valid_input)
                tf.summary.scalar("Validation Loss", mvalid._cost)
            sv = tf.train.Supervisor(logdir=FLAGS.save_path + mode, save_summaries_secs=1000)
            with sv.managed_session() as session:
                for i in range(config.max_max_epoch):
                    lr_decay = config.lr_decay ** max(i + 1 - config.max_epoch, 0.0)
                    session.run(m._lr_update, {m._new_lr: config.learning_rate * lr_decay})
                    print("Epoch: %d Learning rate: %.3f" % (i + 1, session.run(m._lr)))
                    print("Epoch: %d Train Perplexity: %.3f" % (i + 1, run_epoch(session, m, m._train_op)))
                    print("Epoch: %d Valid Perplexity: %.3f" % (i + 1, run_epoch(session, mvalid)))
                sv.saver.save(session, FLAGS.save_path + mode + "/final", global_step=sv.global_step)
            print([v.name for v in tf.trainable_variables()])


if __name__ == "__main__":
    tf.app.run()

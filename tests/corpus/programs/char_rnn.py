"""Characters, one after the other: an LSTM learns a text and continues it."""
from __future__ import print_function

import argparse
import os
import pickle

import numpy as np
import tensorflow as tf
from tensorflow.contrib import legacy_seq2seq
from tensorflow.contrib import rnn

TEXT = "the quick brown fox jumps over the lazy dog. pack my box with five dozen jugs of wine. " * 6


class TextLoader(object):
    def __init__(self, batch_size, seq_length):
        chars = sorted(set(TEXT))
        self.vocab = {c: i for i, c in enumerate(chars)}
        self.chars = chars
        self.vocab_size = len(chars)
        tensor = np.array([self.vocab[c] for c in TEXT])
        self.num_batches = tensor.size // (batch_size * seq_length)
        tensor = tensor[:self.num_batches * batch_size * seq_length]
        target = np.roll(tensor, -1)
        self.x_batches = np.split(tensor.reshape(batch_size, -1), self.num_batches, 1)
        self.y_batches = np.split(target.reshape(batch_size, -1), self.num_batches, 1)


class Model(object):
    def __init__(self, args, training=True):
        if not training:
            args.batch_size = 1
            args.seq_length = 1
        cells = []
        for _ in range(args.num_layers):
            cell = rnn.BasicLSTMCell(args.rnn_size)
            if training and args.keep_prob < 1.0:
                cell = rnn.DropoutWrapper(cell, input_keep_prob=args.keep_prob, output_keep_prob=args.keep_prob)
            cells.append(cell)
        self.cell = cell = rnn.MultiRNNCell(cells, state_is_tuple=True)
        self.input_data = tf.placeholder(tf.int32, [args.batch_size, args.seq_length])
        self.targets = tf.placeholder(tf.int32, [args.batch_size, args.seq_length])
        self.initial_state = cell.zero_state(args.batch_size, tf.float32)
        with tf.variable_scope("rnnlm"):
            softmax_w = tf.get_variable("softmax_w", [args.rnn_size, args.vocab_size])
            softmax_b = tf.get_variable("softmax_b", [args.vocab_size])
        embedding = tf.get_variable("embedding", [args.vocab_size, args.rnn_size])
        inputs = tf.nn.embedding_lookup(embedding, self.input_data)
        if training and args.keep_prob:
            inputs = tf.nn.dropout(inputs, args.keep_prob)
        inputs = tf.split(inputs, args.seq_length, 1)
        inputs = [tf.squeeze(input_, [1]) for input_ in inputs]

        def loop(prev, _):
            prev = tf.matmul(prev, softmax_w) + softmax_b
            prev_symbol = tf.stop_gradient(tf.argmax(prev, 1))
            return tf.nn.embedding_lookup(embedding, prev_symbol)

        outputs, last_state = legacy_seq2seq.rnn_decoder(
            inputs, self.initial_state, cell, loop_function=loop if not training else None, scope="rnnlm")
        output = tf.reshape(tf.concat(outputs, 1), [-1, args.rnn_size])
        self.logits = tf.matmul(output, softmax_w) + softmax_b
        self.probs = tf.nn.softmax(self.logits)
        loss = legacy_seq2seq.sequence_loss_by_example(
            [self.logits], [tf.reshape(self.targets, [-1])], [tf.ones([args.batch_size * args.seq_length])])
        with tf.name_scope("cost"):
            self.cost = tf.reduce_sum(loss) / args.batch_size / args.seq_length
        self.final_state = last_state
        self.lr = tf.Variable(0.0, trainable=False)
        tvars = tf.trainable_variables()
        grads, _ = tf.clip_by_global_norm(tf.gradients(self.cost, tvars), args.grad_clip)
        with tf.name_scope("optimizer"):
            optimizer = tf.train.AdamOptimizer(self.lr)
        self.train_op = optimizer.apply_gradients(zip(grads, tvars))
        tf.summary.histogram("logits", self.logits)
        tf.summary.histogram("loss", loss)
        tf.summary.scalar("train_loss", self.cost)

    def sample(self, sess, chars, vocab, num, prime):
        state = sess.run(self.cell.zero_state(1, tf.float32))
        for char in prime[:-1]:
            x = np.zeros((1, 1))
            x[0, 0] = vocab[char]
            [state] = sess.run([self.final_state], {self.input_data: x, self.initial_state: state})
        ret, char = prime, prime[-1]
        for _ in range(num):
            x = np.zeros((1, 1))
            x[0, 0] = vocab[char]
            probs, state = sess.run([self.probs, self.final_state], {self.input_data: x, self.initial_state: state})
            char = chars[int(np.argmax(probs[0]))]
            ret += char
        return ret


def train(args):
    loader = TextLoader(args.batch_size, args.seq_length)
    args.vocab_size = loader.vocab_size
    if not os.path.isdir(args.save_dir):
        os.makedirs(args.save_dir)
    with open(os.path.join(args.save_dir, "chars_vocab.pkl"), "wb") as f:
        pickle.dump((loader.chars, loader.vocab), f, 2)
    model = Model(args)
    with tf.Session() as sess:
        summaries = tf.summary.merge_all()
        writer = tf.summary.FileWriter(os.path.join(args.log_dir, "run"))
        writer.add_graph(sess.graph)
        sess.run(tf.global_variables_initializer())
        saver = tf.train.Saver(tf.global_variables())
        step = 0
        for epoch in range(args.num_epochs):
            sess.run(tf.assign(model.lr, args.learning_rate * (0.97 ** epoch)))
            state = sess.run(model.initial_state)
            for x, y in zip(loader.x_batches, loader.y_batches):
                feed = {model.input_data: x, model.targets: y}
                for i, (c, h) in enumerate(model.initial_state):
                    feed[c] = state[i].c
                    feed[h] = state[i].h
                summ, train_loss, state, _ = sess.run([summaries, model.cost, model.final_state, model.train_op], feed)
                writer.add_summary(summ, step)
                step += 1
            print("{}/{} (epoch {}), train_loss = {:.3f}".format(step, args.num_epochs * loader.num_batches, epoch, train_loss))
            saver.save(sess, os.path.join(args.save_dir, "model.ckpt"), global_step=step)
        writer.close()
    for v in tf.trainable_variables():
        print(v.name, v.get_shape().as_list())
    print("ops", len(tf.get_default_graph().get_operations()))


def sample(args):
    with open(os.path.join(args.save_dir, "chars_vocab.pkl"), "rb") as f:
        chars, vocab = pickle.load(f)
    with tf.Graph().as_default():
        model = Model(args, training=False)
        with tf.Session() as sess:
            tf.global_variables_initializer().run()
            saver = tf.train.Saver(tf.global_variables())
            ckpt = tf.train.get_checkpoint_state(args.save_dir)
            print(os.path.basename(ckpt.model_checkpoint_path))
            saver.restore(sess, ckpt.model_checkpoint_path)
            print(repr(model.sample(sess, chars, vocab, 12, "the ")))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--save_dir", default="save")
    parser.add_argument("--log_dir", default="logs")
    parser.add_argument("--rnn_size", type=int, default=24)
    parser.add_argument("--num_layers", type=int, default=2)
    parser.add_argument("--batch_size", type=int, default=4)
    parser.add_argument("--seq_length", type=int, default=10)
    parser.add_argument("--num_epochs", type=int, default=3)
    parser.add_argument("--keep_prob", type=float, default=0.9)
    parser.add_argument("--grad_clip", type=float, default=5.0)
    parser.add_argument("--learning_rate", type=float, default=0.01)
    tf.set_random_seed(11)
    args = parser.parse_args()
    train(args)
    sample(args)

"""Numbers turned around by an encoder and a decoder with attention; greedy and beam-search decoding."""
import numpy as np
import tensorflow as tf
from tensorflow.contrib import seq2seq
from tensorflow.python.layers.core import Dense
from tensorflow.python.ops import rnn_cell_impl
from tensorflow.python.util import nest

VOCAB, UNITS, GO, EOS = 12, 16, 1, 2
BEAM = 3


def batch(random, size=8):
    lengths = random.randint(3, 7, size)
    x = np.zeros((size, 6), np.int32)
    y = np.zeros((size, 7), np.int32)
    for i, n in enumerate(lengths):
        x[i, :n] = random.randint(3, VOCAB, n)
        y[i, :n] = x[i, :n][::-1]
        y[i, n] = EOS
    return x, lengths, y, lengths + 1


class Seq2Seq(object):
    def __init__(self, mode, attention="bahdanau"):
        self.mode = mode
        self.x = tf.placeholder(tf.int32, [None, None], "x")
        self.x_len = tf.placeholder(tf.int32, [None], "x_len")
        self.batch_size = tf.shape(self.x)[0]
        with tf.variable_scope("encoder"):
            embedding = tf.get_variable("embedding", [VOCAB, 8])
            inputs = tf.nn.embedding_lookup(embedding, self.x)
            fw, bw = [tf.contrib.rnn.GRUCell(UNITS // 2) for _ in range(2)]
            outputs, states = tf.nn.bidirectional_dynamic_rnn(fw, bw, inputs, self.x_len, dtype=tf.float32)
            memory, state = tf.concat(outputs, 2), tf.concat(states, 1)
        lengths = self.x_len
        if mode == "beam":
            memory = seq2seq.tile_batch(memory, multiplier=BEAM)
            state = nest.map_structure(lambda s: seq2seq.tile_batch(s, BEAM), state)
            lengths = seq2seq.tile_batch(lengths, multiplier=BEAM)
        with tf.variable_scope("decoder"):
            kind = {"bahdanau": seq2seq.BahdanauAttention, "luong": seq2seq.LuongAttention}[attention]
            mechanism = kind(UNITS, memory, memory_sequence_length=lengths)
            cell = seq2seq.AttentionWrapper(tf.contrib.rnn.GRUCell(UNITS), mechanism, attention_layer_size=UNITS,
                                            alignment_history=mode == "greedy", name="attention")
            size = self.batch_size * BEAM if mode == "beam" else self.batch_size
            initial = cell.zero_state(size, tf.float32).clone(cell_state=state)
            embedding = tf.get_variable("embedding", [VOCAB, 8])
            projection = Dense(VOCAB, use_bias=False, name="projection")
            if mode == "train":
                self.y = tf.placeholder(tf.int32, [None, None], "y")
                self.y_len = tf.placeholder(tf.int32, [None], "y_len")
                go = tf.fill([self.batch_size, 1], GO)
                decoder_in = tf.nn.embedding_lookup(embedding, tf.concat([go, self.y[:, :-1]], 1))
                helper = seq2seq.TrainingHelper(decoder_in, self.y_len)
                decoder = seq2seq.BasicDecoder(cell, helper, initial, projection)
                outputs, _, _ = seq2seq.dynamic_decode(decoder, maximum_iterations=tf.reduce_max(self.y_len))
                masks = tf.sequence_mask(self.y_len, tf.reduce_max(self.y_len), dtype=tf.float32, name="masks")
                self.loss = seq2seq.sequence_loss(outputs.rnn_output, self.y, masks)
                step = tf.train.get_or_create_global_step()
                rate = tf.train.exponential_decay(0.02, step, 5, 0.9, staircase=True)
                optimizer = tf.train.AdamOptimizer(rate)
                grads, variables = zip(*optimizer.compute_gradients(self.loss))
                grads, self.norm = tf.clip_by_global_norm(grads, 1.0)
                self.train_op = optimizer.apply_gradients(zip(grads, variables), step)
            elif mode == "greedy":
                helper = seq2seq.GreedyEmbeddingHelper(embedding, tf.fill([self.batch_size], GO), EOS)
                decoder = seq2seq.BasicDecoder(cell, helper, initial, projection)
                outputs, final, self.lengths = seq2seq.dynamic_decode(decoder, maximum_iterations=8)
                self.ids = outputs.sample_id
                self.alignments = tf.transpose(final.alignment_history.stack(), [1, 2, 0])
            else:
                decoder = seq2seq.BeamSearchDecoder(cell, embedding, tf.fill([self.batch_size], GO), EOS, initial, BEAM,
                                                    output_layer=projection, length_penalty_weight=0.6)
                outputs, final, self.lengths = seq2seq.dynamic_decode(decoder, maximum_iterations=8)
                self.ids, self.scores = outputs.predicted_ids, final.log_probs


for attention in ("bahdanau", "luong"):
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        random = np.random.RandomState(0)
        with tf.variable_scope("root"):
            train = Seq2Seq("train", attention)
        with tf.variable_scope("root", reuse=True):
            greedy = Seq2Seq("greedy", attention)
        with tf.variable_scope("root", reuse=True):
            beam = Seq2Seq("beam", attention)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for i in range(20):
                x, x_len, y, y_len = batch(random)
                y = y[:, :y_len.max()]
                feed = {train.x: x, train.x_len: x_len, train.y: y, train.y_len: y_len}
                _, loss, norm = sess.run([train.train_op, train.loss, train.norm], feed)
                if i % 5 == 4:
                    print(attention, i, "loss %.4f norm %.3f" % (loss, norm))
            x, x_len, y, _ = batch(random, 2)
            ids, lengths, alignments = sess.run([greedy.ids, greedy.lengths, greedy.alignments],
                                                {greedy.x: x, greedy.x_len: x_len})
            print(ids.tolist(), lengths.tolist(), alignments.shape, "%.3f" % alignments[0, 0, 0])
            ids, scores, lengths = sess.run([beam.ids, beam.scores, beam.lengths], {beam.x: x, beam.x_len: x_len})
            print(ids[0].T.tolist(), np.round(scores, 3).tolist(), lengths.tolist())
        print(len(tf.trainable_variables()), len(tf.get_default_graph().get_operations()))
        print([v.name for v in tf.trainable_variables()])

"""Tags for sequences: a bidirectional LSTM with a conditional random field."""
import numpy as np
import tensorflow as tf
from tensorflow.contrib import crf, rnn
from tensorflow.contrib.crf import crf_log_likelihood, viterbi_decode


class Tagger(object):
    def __init__(self, words=20, tags=4, dim=6, hidden=8):
        self.word_ids = tf.placeholder(tf.int32, shape=[None, None], name="word_ids")
        self.labels = tf.placeholder(tf.int32, shape=[None, None], name="labels")
        self.sequence_lengths = tf.placeholder(tf.int32, shape=[None], name="sequence_lengths")
        self.dropout_pl = tf.placeholder(dtype=tf.float32, shape=[], name="dropout")
        with tf.variable_scope("words"):
            _word_embeddings = tf.Variable(np.random.RandomState(2).randn(words, dim).astype(np.float32),
                                           dtype=tf.float32, trainable=True, name="_word_embeddings")
            embeddings = tf.nn.embedding_lookup(params=_word_embeddings, ids=self.word_ids, name="word_embeddings")
            embeddings = tf.nn.dropout(embeddings, self.dropout_pl)
        with tf.variable_scope("bi-lstm"):
            cell_fw, cell_bw = rnn.LSTMCell(hidden), rnn.CoupledInputForgetGateLSTMCell(hidden, state_is_tuple=True)
            (fw, bw), _ = tf.nn.bidirectional_dynamic_rnn(
                cell_fw, cell_bw, embeddings, sequence_length=self.sequence_lengths, dtype=tf.float32)
            output = tf.concat([fw, bw], axis=-1)
        with tf.variable_scope("proj"):
            W = tf.get_variable("W", shape=[2 * hidden, tags], initializer=tf.contrib.layers.xavier_initializer())
            b = tf.get_variable("b", shape=[tags], initializer=tf.zeros_initializer())
            ntime_steps = tf.shape(output)[1]
            output = tf.reshape(output, [-1, 2 * hidden])
            self.logits = tf.reshape(tf.matmul(output, W) + b, [-1, ntime_steps, tags])
        log_likelihood, self.transition_params = crf_log_likelihood(
            inputs=self.logits, tag_indices=self.labels, sequence_lengths=self.sequence_lengths)
        self.loss = tf.reduce_mean(-log_likelihood)
        self.decoded, self.score = crf.crf_decode(self.logits, self.transition_params, self.sequence_lengths)
        optimizer = tf.train.AdagradOptimizer(0.3)
        grads_vars = optimizer.compute_gradients(self.loss)
        capped = [(tf.clip_by_value(g, -5, 5) if not isinstance(g, tf.IndexedSlices) else g, v) for g, v in grads_vars]
        self.train_op = optimizer.apply_gradients(capped)


np.random.seed(0)
tf.set_random_seed(0)
words = np.random.randint(1, 20, (16, 7))
lengths = np.random.randint(3, 8, 16)
tags = words % 4
model = Tagger()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(6):
        feed = {model.word_ids: words, model.labels: tags, model.sequence_lengths: lengths, model.dropout_pl: 0.9}
        _, loss = sess.run([model.train_op, model.loss], feed)
        print("epoch %d loss %.4f" % (epoch, loss))
    feed[model.dropout_pl] = 1.0
    logits, transitions, decoded, score = sess.run(
        [model.logits, model.transition_params, model.decoded, model.score], feed)
    right = total = 0
    for logit, length, gold, again in zip(logits, lengths, tags, decoded):
        path, path_score = viterbi_decode(logit[:length], transitions)
        assert path == again[:length].tolist()
        right += sum(a == b for a, b in zip(path, gold))
        total += length
    print("accuracy %.4f" % (float(right) / total), "best %.3f" % path_score, np.round(score[:3], 3))
    print(np.round(transitions, 3))
print([v.name for v in tf.global_variables()])

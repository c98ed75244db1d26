import numpy as np
import tensorflow as tf


class BiLSTM_CRF(object):
    def __init__(self, vocab, tags, hidden=6):
        self.num_tags = tags
        self.word_ids = tf.placeholder(tf.int32, shape=[None, None], name="word_ids")
        self.labels = tf.placeholder(tf.int32, shape=[None, None], name="labels")
        self.lengths = tf.placeholder(tf.int32, shape=[None], name="sequence_lengths")
        self.dropout_pl = tf.placeholder(dtype=tf.float32, shape=[], name="dropout")
        with tf.variable_scope("words"):
            _emb = tf.Variable(np.random.RandomState(0).uniform(-0.25, 0.25, (vocab, 5)), dtype=tf.float32, trainable=True, name="_word_embeddings")
            emb = tf.nn.dropout(tf.nn.embedding_lookup(params=_emb, ids=self.word_ids, name="word_embeddings"), self.dropout_pl)
        with tf.variable_scope("bi-lstm"):
            cell_fw = tf.nn.rnn_cell.LSTMCell(hidden)
            cell_bw = tf.nn.rnn_cell.LSTMCell(hidden)
            (fw, bw), _ = tf.nn.bidirectional_dynamic_rnn(cell_fw=cell_fw, cell_bw=cell_bw, inputs=emb,
                                                           sequence_length=self.lengths, dtype=tf.float32)
            output = tf.concat([fw, bw], axis=-1)
        with tf.variable_scope("proj"):
            W = tf.get_variable(name="W", shape=[2 * hidden, tags], initializer=tf.glorot_uniform_initializer(), dtype=tf.float32)
            b = tf.get_variable(name="b", shape=[tags], initializer=tf.zeros_initializer(), dtype=tf.float32)
            s = tf.shape(output)
            self.logits = tf.reshape(tf.matmul(tf.reshape(output, [-1, 2 * hidden]), W) + b, [-1, s[1], tags])
        self.transitions = tf.get_variable("transitions", [tags, tags])
        ll = self.log_likelihood()
        self.loss = tf.reduce_mean(-ll)
        tf.summary.scalar("loss", self.loss)
        optim = tf.train.AdagradOptimizer(learning_rate=0.3)
        gv = optim.compute_gradients(self.loss)
        self.train_op = optim.apply_gradients([[tf.clip_by_value(g, -5., 5.), v] for g, v in gv],
                                              global_step=tf.train.get_or_create_global_step())
        self.decode_tags, self.best = self.viterbi()

    def log_likelihood(self):
        mask = tf.sequence_mask(self.lengths, tf.shape(self.labels)[1], dtype=tf.float32)
        onehot = tf.one_hot(self.labels, self.num_tags)
        unary = tf.reduce_sum(tf.reduce_sum(onehot * self.logits, 2) * mask, 1)
        pairs = self.labels[:, :-1] * self.num_tags + self.labels[:, 1:]
        binary = tf.gather(tf.reshape(self.transitions, [-1]), pairs)
        score = unary + tf.reduce_sum(binary * mask[:, 1:], 1)
        first = tf.squeeze(tf.slice(self.logits, [0, 0, 0], [-1, 1, -1]), [1])
        rest = tf.transpose(self.logits[:, 1:], [1, 0, 2])
        steps = tf.transpose(mask[:, 1:], [1, 0])

        def fwd(alpha, xs):
            x, m = xs
            new = tf.reduce_logsumexp(tf.expand_dims(alpha, 2) + self.transitions[None], [1]) + x
            m = m[:, None]
            return m * new + (1 - m) * alpha

        alphas = tf.scan(fwd, (rest, steps), initializer=first)
        norm = tf.reduce_logsumexp(tf.concat([first[None], alphas], 0)[-1], [1])
        return score - norm

    def viterbi(self):
        mask = tf.sequence_mask(self.lengths, tf.shape(self.logits)[1])
        x = tf.transpose(self.logits, [1, 0, 2])
        m = tf.transpose(mask, [1, 0])
        ident = tf.tile(tf.range(self.num_tags)[None], [tf.shape(x)[1], 1])

        def step(prev, xs):
            score, _ = prev
            xt, mt = xs
            cand = tf.expand_dims(score, 2) + self.transitions
            new = xt + tf.reduce_max(cand, 1)
            back = tf.cast(tf.argmax(cand, 1), tf.int32)
            return tf.where(mt, new, score), tf.where(mt, back, ident)

        scores, backs = tf.scan(step, (x[1:], m[1:]), initializer=(x[0], ident))
        last = tf.cast(tf.argmax(scores[-1], -1), tf.int32)

        def back(tag, bp):
            rows = tf.range(tf.shape(tag)[0])
            return tf.gather_nd(bp, tf.stack([rows, tag], 1))
        tags = tf.scan(back, backs, initializer=last, reverse=True)
        return tf.transpose(tf.concat([tags, last[None]], 0)), tf.reduce_max(scores[-1], -1)


tf.set_random_seed(8)
m = BiLSTM_CRF(12, 4)
rng = np.random.RandomState(1)
merged = tf.summary.merge_all()
with tf.Session() as sess:
    file_writer = tf.summary.FileWriter("out", sess.graph)
    sess.run(tf.global_variables_initializer())
    for epoch in range(5):
        lens = rng.randint(3, 8, 4)
        w = rng.randint(0, 12, (4, 7))
        y = w % 4
        fd = {m.word_ids: w, m.labels: y, m.lengths: lens, m.dropout_pl: 0.9}
        _, loss, summary, gs = sess.run([m.train_op, m.loss, merged, tf.train.get_global_step()], fd)
        file_writer.add_summary(summary, epoch)
        print(epoch, loss, gs)
    fd = {m.word_ids: w, m.lengths: lens, m.dropout_pl: 1.0}
    d, s = sess.run([m.decode_tags, m.best], fd)
    print([list(r[:n]) for r, n in zip(d.tolist(), lens)], s)
    file_writer.flush()

import numpy as np
import tensorflow as tf
from tensorflow.python.ops import array_ops, math_ops, nn_ops
from tensorflow.python.ops import variable_scope as vs

VOCAB, EMB, H, MAXLEN = 11, 6, 8, 6
GO, EOS, PAD = 1, 2, 0


class AttentionWrapper(tf.nn.rnn_cell.RNNCell):
    def __init__(self, cell, memory, mask, reuse=None):
        super(AttentionWrapper, self).__init__(_reuse=reuse)
        self._cell, self._memory, self._mask = cell, memory, mask

    @property
    def state_size(self):
        return (self._cell.state_size, self._memory.get_shape()[-1].value)

    @property
    def output_size(self):
        return self._cell.output_size

    def call(self, inputs, state):
        cell_state, ctx = state
        out, new_state = self._cell(array_ops.concat([inputs, ctx], 1), cell_state)
        with vs.variable_scope("attention"):
            v = vs.get_variable("v", [H])
            keys = tf.layers.dense(self._memory, H, use_bias=False, name="memory_layer")
            query = tf.layers.dense(out, H, use_bias=False, name="query_layer")
            score = math_ops.reduce_sum(v * math_ops.tanh(keys + array_ops.expand_dims(query, 1)), [2])
            score = array_ops.where(self._mask, score, array_ops.ones_like(score) * -1e9)
            align = nn_ops.softmax(score)
            ctx = math_ops.reduce_sum(array_ops.expand_dims(align, 2) * self._memory, [1])
        return out, (new_state, ctx)


def encoder(x, lengths):
    with tf.variable_scope("encoder"):
        fw, bw = tf.nn.rnn_cell.GRUCell(H // 2), tf.nn.rnn_cell.GRUCell(H // 2)
        outs, states = tf.nn.bidirectional_dynamic_rnn(fw, bw, x, sequence_length=lengths, dtype=tf.float32)
        return tf.concat(outs, -1), tf.concat(states, -1)


def build():
    src = tf.placeholder(tf.int32, [None, None], 'src')
    src_len = tf.placeholder(tf.int32, [None], 'src_len')
    tgt = tf.placeholder(tf.int32, [None, None], 'tgt')
    tgt_len = tf.placeholder(tf.int32, [None], 'tgt_len')
    batch = tf.shape(src)[0]
    emb = tf.get_variable("embedding", [VOCAB, EMB], initializer=tf.random_uniform_initializer(-1, 1))
    memory, last = encoder(tf.nn.embedding_lookup(emb, src), src_len)
    mask = tf.sequence_mask(src_len, tf.shape(src)[1])
    with tf.variable_scope("decoder"):
        cell = AttentionWrapper(tf.nn.rnn_cell.GRUCell(H), memory, mask)
        init = (last, tf.zeros([batch, H]))
        dec_in = tf.concat([tf.fill([batch, 1], GO), tgt[:, :-1]], 1)
        outs, _ = tf.nn.dynamic_rnn(cell, tf.nn.embedding_lookup(emb, dec_in), tgt_len, initial_state=init, scope="rnn")
        project = tf.layers.Dense(VOCAB, use_bias=False, name="proj")
        logits = project(outs)
    w = tf.sequence_mask(tgt_len, tf.shape(tgt)[1], dtype=tf.float32)
    ce = tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=tgt) * w
    loss = tf.reduce_sum(ce) / tf.reduce_sum(w)

    with tf.variable_scope("decoder", reuse=True):
        with tf.variable_scope("rnn"):
            ta = tf.TensorArray(tf.int32, size=0, dynamic_size=True)

            def cond(t, tok, state, done, ta):
                return tf.logical_and(t < MAXLEN, tf.logical_not(tf.reduce_all(done)))

            def body(t, tok, state, done, ta):
                out, state = cell(tf.nn.embedding_lookup(emb, tok), state)
                nxt = tf.argmax(project(out), axis=-1, output_type=tf.int32)
                nxt = tf.where(done, tf.zeros_like(nxt) + PAD, nxt)
                return t + 1, nxt, state, tf.logical_or(done, tf.equal(nxt, EOS)), ta.write(t, nxt)

            _, _, _, _, ta = tf.while_loop(cond, body, [0, tf.fill([batch], GO), init, tf.zeros([batch], tf.bool), ta])
            decoded = tf.transpose(ta.stack())
    return src, src_len, tgt, tgt_len, loss, decoded


tf.set_random_seed(9)
src, src_len, tgt, tgt_len, loss, decoded = build()
opt = tf.train.RMSPropOptimizer(0.01, decay=0.9, momentum=0.1, centered=True)
gvs = opt.compute_gradients(loss)
capped = [(tf.clip_by_norm(g, 1.0), v) for g, v in gvs if g is not None]
train = opt.apply_gradients(capped)
for v in tf.trainable_variables():
    print(v.op.name, v.shape.as_list())
rng = np.random.RandomState(3)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(4):
        lens = rng.randint(2, 6, 3)
        s = np.zeros((3, 5), np.int32)
        for i, n in enumerate(lens):
            s[i, :n] = rng.randint(3, VOCAB, n)
        t = np.concatenate([s[:, ::-1], np.full((3, 1), EOS)], 1)
        l, _ = sess.run([loss, train], {src: s, src_len: lens, tgt: t, tgt_len: lens + 1})
        print(step, '%.5f' % l)
    print(sess.run(decoded, {src: s, src_len: lens}).tolist())
print([n.name for n in tf.get_default_graph().as_graph_def().node if n.op == 'Enter'][:5])

"""Transformer-XL with relative attention, memory and adaptive softmax, in the manner of its repository."""
import numpy as np
import tensorflow as tf


def positional_embedding(pos_seq, inv_freq, bsz=None):
    sinusoid_inp = tf.einsum("i,j->ij", pos_seq, inv_freq)
    pos_emb = tf.concat([tf.sin(sinusoid_inp), tf.cos(sinusoid_inp)], -1)
    if bsz is not None:
        return tf.tile(pos_emb[:, None, :], [1, bsz, 1])
    return pos_emb[:, None, :]


def positionwise_FF(inp, d_model, d_inner, kernel_initializer, dropout, scope="ff", is_training=True):
    output = inp
    with tf.variable_scope(scope):
        output = tf.layers.dense(inp, d_inner, activation=tf.nn.relu, kernel_initializer=kernel_initializer, name="layer_1")
        output = tf.layers.dropout(output, dropout, training=is_training, name="drop_1")
        output = tf.layers.dense(output, d_model, kernel_initializer=kernel_initializer, name="layer_2")
        output = tf.layers.dropout(output, dropout, training=is_training, name="drop_2")
        return tf.contrib.layers.layer_norm(output + inp, begin_norm_axis=-1)


def rel_shift(x):
    x_size = tf.shape(x)
    x = tf.pad(x, [[0, 0], [1, 0], [0, 0], [0, 0]])
    x = tf.reshape(x, [x_size[1] + 1, x_size[0], x_size[2], x_size[3]])
    x = tf.slice(x, [1, 0, 0, 0], [-1, -1, -1, -1])
    return tf.reshape(x, x_size)


def rel_multihead_attn(w, r, r_w_bias, r_r_bias, attn_mask, mems, d_model, n_head, d_head, dropout, is_training, kernel_initializer, scope="rel_attn"):
    scale = 1 / (d_head ** 0.5)
    with tf.variable_scope(scope):
        qlen, rlen, bsz = tf.shape(w)[0], tf.shape(r)[0], tf.shape(w)[1]
        cat = tf.concat([mems, w], 0) if mems is not None and mems.shape.ndims > 1 else w
        w_heads = tf.layers.dense(cat, 3 * n_head * d_head, use_bias=False, kernel_initializer=kernel_initializer, name="qkv")
        r_head_k = tf.layers.dense(r, n_head * d_head, use_bias=False, kernel_initializer=kernel_initializer, name="r")
        q, k, v = tf.split(w_heads, 3, -1)
        q = q[-qlen:]
        klen = tf.shape(k)[0]
        q, k, v = [tf.reshape(t, [n, bsz, n_head, d_head]) for t, n in ((q, qlen), (k, klen), (v, klen))]
        r_head_k = tf.reshape(r_head_k, [rlen, n_head, d_head])
        AC = tf.einsum("ibnd,jbnd->ijbn", q + r_w_bias, k)
        BD = rel_shift(tf.einsum("ibnd,jnd->ijbn", q + r_r_bias, r_head_k))
        score = (AC + BD) * scale
        m = attn_mask[:, :, None, None]
        score = score * (1 - m) - 1e30 * m
        prob = tf.nn.softmax(score, 1)
        prob = tf.layers.dropout(prob, dropout, training=is_training)
        vec = tf.einsum("ijbn,jbnd->ibnd", prob, v)
        vec = tf.reshape(vec, [tf.shape(vec)[0], tf.shape(vec)[1], n_head * d_head])
        out = tf.layers.dense(vec, d_model, use_bias=False, kernel_initializer=kernel_initializer, name="o")
        out = tf.layers.dropout(out, dropout, training=is_training)
        return tf.contrib.layers.layer_norm(out + w, begin_norm_axis=-1)


def mask_adaptive_logsoftmax(hidden, target, n_token, d_embed, cutoffs, params, initializer):
    def _logit(x, W, b, proj):
        y = x if proj is None else tf.einsum("ibd,ed->ibe", x, proj)
        return tf.einsum("ibd,nd->ibn", y, W) + b

    def _gather_logprob(logprob, target):
        lp_size = tf.shape(logprob)
        idx = tf.stack([tf.range(lp_size[0]), target], 1)
        return tf.gather_nd(logprob, idx)

    with tf.variable_scope("adaptive_softmax"):
        cutoff_ends = [0] + cutoffs + [n_token]
        head_logprob = None
        nll = tf.zeros_like(target, dtype=tf.float32)
        bias = tf.get_variable("bias", [n_token], initializer=tf.zeros_initializer())
        cw = tf.get_variable("cluster_W", [1, d_embed], initializer=tf.zeros_initializer())
        cb = tf.get_variable("cluster_b", [1], initializer=tf.zeros_initializer())
        for i in range(len(cutoff_ends) - 1):
            with tf.variable_scope("cutoff_{}".format(i)):
                l, r = cutoff_ends[i], cutoff_ends[i + 1]
                mask = (target >= l) & (target < r)
                mask_idx = tf.where(mask)
                cur_target = tf.boolean_mask(target, mask) - l
                W, b = params[l:r], bias[l:r]
                if i == 0:
                    head = tf.nn.log_softmax(_logit(hidden, tf.concat([W, cw], 0), tf.concat([b, cb], 0), None))
                    cur_logprob = _gather_logprob(tf.boolean_mask(head, mask), cur_target)
                else:
                    cur_head = tf.boolean_mask(head, mask)
                    tail = tf.nn.log_softmax(tf.squeeze(_logit(tf.boolean_mask(hidden, mask)[None], W, b, None), 0))
                    cur_logprob = cur_head[:, cutoff_ends[1] + i - 1] + _gather_logprob(tail, cur_target)
                nll += tf.scatter_nd(mask_idx, -cur_logprob, tf.to_int64(tf.shape(nll)))
        return tf.reduce_mean(nll)


def transformer(dec_inp, target, mems, n_token=14, n_layer=2, d_model=8, n_head=2, d_head=4, mem_len=4, is_training=True):
    initializer = tf.initializers.random_normal(stddev=0.02, seed=None)
    new_mems = []
    with tf.variable_scope("transformer"):
        r_w_bias = tf.get_variable("r_w_bias", [n_layer, n_head, d_head], initializer=initializer)
        r_r_bias = tf.get_variable("r_r_bias", [n_layer, n_head, d_head], initializer=initializer)
        qlen, mlen = tf.shape(dec_inp)[0], tf.shape(mems[0])[0]
        klen = mlen + qlen
        with tf.variable_scope("adaptive_embed"):
            table = tf.get_variable("lookup_table", [n_token, d_model], initializer=tf.initializers.random_normal(stddev=0.01))
            embeddings = tf.nn.embedding_lookup(table, dec_inp) * d_model ** 0.5
        attn_mask = tf.ones([qlen, qlen])
        mask_u, mask_dia = tf.matrix_band_part(attn_mask, 0, -1), tf.matrix_band_part(attn_mask, 0, 0)
        attn_mask = tf.concat([tf.zeros([qlen, mlen]), mask_u - mask_dia], 1)
        pos_seq = tf.range(klen - 1, -1, -1.0)
        pos_seq = tf.minimum(pos_seq, 6)
        inv_freq = 1 / (10000 ** (tf.range(0, d_model, 2.0) / d_model))
        pos_emb = positional_embedding(pos_seq, inv_freq)
        output = tf.layers.dropout(embeddings, 0.1, training=is_training)
        pos_emb = tf.layers.dropout(pos_emb, 0.1, training=is_training)
        for i in range(n_layer):
            new_mems.append(tf.stop_gradient(tf.concat([mems[i], output], 0)[-mem_len:]))
            with tf.variable_scope("layer_{}".format(i)):
                output = rel_multihead_attn(output, pos_emb, r_w_bias[i], r_r_bias[i], attn_mask, mems[i], d_model, n_head, d_head, 0.1, is_training, initializer)
                output = positionwise_FF(output, d_model, 12, initializer, 0.1, is_training=is_training)
        output = tf.layers.dropout(output, 0.1, training=is_training)
        return mask_adaptive_logsoftmax(output, target, n_token, d_model, [9], table, initializer), new_mems


tf.set_random_seed(6)
rng = np.random.RandomState(0)
inp = tf.placeholder(tf.int32, [None, None])
tgt = tf.placeholder(tf.int32, [None, None])
mems = [tf.placeholder(tf.float32, [4, 3, 8]) for _ in range(2)]
loss, new_mems = transformer(inp, tgt, mems)
variables = tf.trainable_variables()
grads = tf.gradients(loss, variables)
clipped, gnorm = tf.clip_by_global_norm(grads, 0.25)
step = tf.train.get_or_create_global_step()
warm = tf.to_float(step) / tf.to_float(2) * 0.01
lr = tf.where(step < 2, warm, tf.train.cosine_decay(0.01, global_step=step - 2, decay_steps=10, alpha=0.1))
train_op = tf.train.AdamOptimizer(lr).apply_gradients(zip(clipped, variables), step)
with tf.control_dependencies([train_op]):
    lr = tf.identity(lr)
print(len(tf.get_default_graph().get_operations()), [g.op.type if isinstance(g, tf.Tensor) else "slices" for g in grads])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    state = [np.zeros([4, 3, 8], np.float32) for _ in range(2)]
    for _ in range(5):
        x = rng.randint(0, 14, (6, 3))
        feed = {inp: x[:-1], tgt: x[1:]}
        feed.update(zip(mems, state))
        l, state, n, rate, _ = sess.run([loss, new_mems, gnorm, lr, train_op], feed)
        print("%.6f %.6f %.6f %.6f" % (l, n, rate, np.abs(state[1]).sum()))

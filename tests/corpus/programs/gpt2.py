"""A transformer in the manner of GPT-2, with its conv1d layers, past keys and values, and top-k sampling."""
import numpy as np
import tensorflow as tf
from tensorflow.contrib.training import HParams


def default_hparams():
    return HParams(n_vocab=40, n_ctx=16, n_embd=12, n_head=2, n_layer=2)


def shape_list(x):
    static = x.shape.as_list()
    dynamic = tf.shape(x)
    return [dynamic[i] if s is None else s for i, s in enumerate(static)]


def softmax(x, axis=-1):
    x = x - tf.reduce_max(x, axis=axis, keepdims=True)
    ex = tf.exp(x)
    return ex / tf.reduce_sum(ex, axis=axis, keepdims=True)


def gelu(x):
    return 0.5 * x * (1 + tf.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * tf.pow(x, 3))))


def norm(x, scope, axis=-1, epsilon=1e-5):
    with tf.variable_scope(scope):
        n_state = x.shape[-1].value
        g = tf.get_variable("g", [n_state], initializer=tf.constant_initializer(1))
        b = tf.get_variable("b", [n_state], initializer=tf.constant_initializer(0))
        u = tf.reduce_mean(x, axis=axis, keepdims=True)
        s = tf.reduce_mean(tf.square(x - u), axis=axis, keepdims=True)
        return (x - u) * tf.rsqrt(s + epsilon) * g + b


def conv1d(x, scope, nf, w_init_stdev=0.02):
    with tf.variable_scope(scope):
        *start, nx = shape_list(x)
        w = tf.get_variable("w", [1, nx, nf], initializer=tf.random_normal_initializer(stddev=w_init_stdev))
        b = tf.get_variable("b", [nf], initializer=tf.constant_initializer(0))
        return tf.reshape(tf.matmul(tf.reshape(x, [-1, nx]), tf.reshape(w, [-1, nf])) + b, start + [nf])


def attention_mask(nd, ns, dtype):
    i = tf.range(nd)[:, None]
    j = tf.range(ns)
    return tf.cast(i >= j - ns + nd, dtype)


def attn(x, scope, n_state, past, hparams):
    def split_heads(x):
        *start, m = shape_list(x)
        return tf.transpose(tf.reshape(x, start + [hparams.n_head, m // hparams.n_head]), [0, 2, 1, 3])

    with tf.variable_scope(scope):
        c = conv1d(x, "c_attn", n_state * 3)
        q, k, v = map(split_heads, tf.split(c, 3, axis=2))
        present = tf.stack([k, v], axis=1)
        if past is not None:
            pk, pv = tf.unstack(past, axis=1)
            k = tf.concat([pk, k], axis=-2)
            v = tf.concat([pv, v], axis=-2)
        w = tf.matmul(q, k, transpose_b=True)
        w = w * tf.rsqrt(tf.cast(v.shape[-1].value, w.dtype))
        _, _, nd, ns = shape_list(w)
        b = tf.reshape(attention_mask(nd, ns, dtype=w.dtype), [1, 1, nd, ns])
        w = softmax(w * b - tf.cast(1e10, w.dtype) * (1 - b))
        a = tf.transpose(tf.matmul(w, v), [0, 2, 1, 3])
        *start, p, r = shape_list(a)
        return conv1d(tf.reshape(a, start + [p * r]), "c_proj", n_state), present


def block(x, scope, past, hparams):
    with tf.variable_scope(scope):
        nx = x.shape[-1].value
        a, present = attn(norm(x, "ln_1"), "attn", nx, past, hparams)
        x = x + a
        with tf.variable_scope("mlp"):
            m = conv1d(gelu(conv1d(norm(x, "ln_2"), "c_fc", nx * 4)), "c_proj", nx)
        return x + m, present


def past_shape(hparams, batch_size=None, sequence=None):
    return [batch_size, hparams.n_layer, 2, hparams.n_head, sequence, hparams.n_embd // hparams.n_head]


def model(hparams, X, past=None, scope="model", reuse=tf.AUTO_REUSE):
    with tf.variable_scope(scope, reuse=reuse):
        batch, sequence = shape_list(X)
        wpe = tf.get_variable("wpe", [hparams.n_ctx, hparams.n_embd],
                              initializer=tf.random_normal_initializer(stddev=0.01))
        wte = tf.get_variable("wte", [hparams.n_vocab, hparams.n_embd],
                              initializer=tf.random_normal_initializer(stddev=0.02))
        past_length = 0 if past is None else tf.shape(past)[-2]
        positions = tf.tile(tf.expand_dims(past_length + tf.range(sequence), 0), [batch, 1])
        h = tf.gather(wte, X) + tf.gather(wpe, positions)
        presents = []
        pasts = tf.unstack(past, axis=1) if past is not None else [None] * hparams.n_layer
        for layer, past in enumerate(pasts):
            h, present = block(h, "h%d" % layer, past=past, hparams=hparams)
            presents.append(present)
        h = norm(h, "ln_f")
        logits = tf.matmul(tf.reshape(h, [batch * sequence, hparams.n_embd]), wte, transpose_b=True)
        return {"present": tf.stack(presents, axis=1), "logits": tf.reshape(logits, [batch, sequence, hparams.n_vocab])}


def top_k_logits(logits, k):
    def _top_k():
        values, _ = tf.nn.top_k(logits, k=k)
        min_values = values[:, -1, tf.newaxis]
        return tf.where(logits < min_values, tf.ones_like(logits, dtype=logits.dtype) * -1e10, logits)
    return tf.cond(tf.equal(k, 0), lambda: logits, lambda: _top_k())


def sample_sequence(hparams, length, context, batch_size, temperature=1, top_k=0):
    def step(tokens, past=None):
        lm_output = model(hparams=hparams, X=tokens, past=past, reuse=tf.AUTO_REUSE)
        logits = lm_output["logits"][:, :, :hparams.n_vocab]
        presents = lm_output["present"]
        presents.set_shape(past_shape(hparams=hparams, batch_size=batch_size))
        return {"logits": logits, "presents": presents}

    with tf.name_scope("sample_sequence"):
        context_output = step(context[:, :-1])

        def body(past, prev, output):
            next_outputs = step(prev[:, tf.newaxis], past=past)
            logits = next_outputs["logits"][:, -1, :] / tf.to_float(temperature)
            logits = top_k_logits(logits, k=top_k)
            samples = tf.multinomial(logits, num_samples=1, output_dtype=tf.int32)
            return [tf.concat([past, next_outputs["presents"]], axis=-2), tf.squeeze(samples, axis=[1]),
                    tf.concat([output, samples], axis=1)]

        _, _, tokens = tf.while_loop(
            cond=lambda *args: True, body=body, maximum_iterations=length,
            loop_vars=[context_output["presents"], context[:, -1], context],
            shape_invariants=[tf.TensorShape(past_shape(hparams=hparams, batch_size=batch_size)),
                              tf.TensorShape([batch_size]), tf.TensorShape([batch_size, None])],
            back_prop=False)
        return tokens


hparams = default_hparams()
hparams.override_from_dict({"n_ctx": 20})
hparams.parse("n_layer=2,n_head=3")
print(sorted(hparams.values().items()))
with tf.Session(graph=tf.Graph()) as sess:
    np.random.seed(1)
    tf.set_random_seed(1)
    context = tf.placeholder(tf.int32, [2, None])
    output = model(hparams=hparams, X=context)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=context[:, 1:], logits=output["logits"][:, :-1]))
    tf_sample = sample_sequence(hparams, length=5, context=context, batch_size=2, temperature=0.7, top_k=5)
    train_vars = [v for v in tf.trainable_variables() if "model" in v.name]
    opt = tf.train.AdamOptimizer(learning_rate=0.01)
    grads, _ = tf.clip_by_global_norm(tf.gradients(loss, train_vars), 1.0)
    opt_apply = opt.apply_gradients(zip(grads, train_vars))
    summary_loss = tf.summary.scalar("loss", loss)
    sess.run(tf.global_variables_initializer())
    text = (np.arange(24).reshape(2, 12) * 3) % 37
    for step in range(10):
        _, value, summary = sess.run([opt_apply, loss, summary_loss], {context: text})
        if step % 3 == 0:
            print("[%d] loss=%.4f" % (step, value), len(summary))
    print(sess.run(tf_sample, {context: text[:, :4]}))
    saver = tf.train.Saver(var_list=train_vars, max_to_keep=5, keep_checkpoint_every_n_hours=2)
    print(saver.save(sess, "checkpoint/model", global_step=10))
    print(len(sess.graph.get_operations()), [v.name for v in train_vars][:6])

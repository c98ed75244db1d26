"""Families of neural networks: convolutions, pools, norms, losses, embeddings, recurrence."""
from __future__ import annotations

import numpy as np
from family_registry import RANDOM, family, floats, held, ints, positive, slope


@family("convolutions", (1, 8, 3), (8, 28, 16), (16, 56, 32))
def convolutions(tf, size):
    """Convolutions of one to three dimensions and their gradients."""
    b, w, c = size
    x, k = floats(tf, b, w, w, c), floats(tf, 3, 3, c, 2 * c)
    k1, k5 = floats(tf, 1, 1, c, 2 * c), floats(tf, 5, 5, c, c)
    flipped = floats(tf, b, c, w, w)
    line, kl = floats(tf, b, w * 4, c), floats(tf, 3, c, 2 * c)
    deep, kd = floats(tf, b, w // 4, w // 2, w // 2, c), floats(tf, 3, 3, 3, c, c)
    d, point = floats(tf, 3, 3, c, 2), floats(tf, 1, 1, 2 * c, c)
    back = floats(tf, 3, 3, c, 2 * c)

    def both(name, y, *xs):
        yield name, y
        for label, of in zip(("input", "filter"), xs):
            yield name + " gradient, " + label, slope(tf, y, of)

    conv = tf.nn.conv2d
    for case in (
        both("conv2d 3x3", conv(x, k, [1, 1, 1, 1], "SAME"), x, k),
        both("conv2d 1x1", conv(x, k1, [1, 1, 1, 1], "SAME"), x, k1),
        both("conv2d 5x5 valid", conv(x, k5, [1, 1, 1, 1], "VALID"), x, k5),
        both("conv2d strides 2", conv(x, k, [1, 2, 2, 1], "SAME"), x, k),
        both("conv2d dilated", tf.nn.convolution(x, k, "SAME", dilation_rate=[2, 2]), x, k),
        both("atrous_conv2d", tf.nn.atrous_conv2d(x, k, 2, "VALID"), x, k),
        both("conv1d", tf.nn.conv1d(line, kl, 1, "SAME"), line, kl),
        both("conv3d", tf.nn.conv3d(deep, kd, [1] * 5, "SAME"), deep, kd),
        both("conv3d strides 2", tf.nn.conv3d(deep, kd, [1, 2, 2, 2, 1], "SAME"), deep, kd),
        both("depthwise", tf.nn.depthwise_conv2d(x, d, [1, 1, 1, 1], "SAME"), x, d),
        both("depthwise strides 2", tf.nn.depthwise_conv2d(x, d, [1, 2, 2, 1], "SAME"), x, d),
        both("separable", tf.nn.separable_conv2d(x, d, point, [1, 1, 1, 1], "SAME"), x, d),
        both("conv2d_transpose", tf.nn.conv2d_transpose(
            tf.identity(conv(x, k, [1, 2, 2, 1], "SAME")), back, [b, w, w, c], [1, 2, 2, 1]), x, back),
        both("conv3d_transpose", tf.nn.conv3d_transpose(
            deep, kd, [b, w // 4 * 2, w, w, c], [1, 2, 2, 2, 1], "SAME"), deep, kd),
    ):
        yield from case
    del flipped


@family("convolutions NCHW", (1, 8, 3), (8, 28, 16), (16, 56, 32))
def convolutions_nchw(tf, size):
    """Channels first. TensorFlow 1.15 has no such kernels on the CPU; the cases stand beside its NHWC ones."""
    b, w, c = size
    theirs = not hasattr(tf, "__file__") or "ossia" not in tf.__name__
    x, k, d = floats(tf, b, w, w, c) if theirs else floats(tf, b, c, w, w), floats(tf, 3, 3, c, 2 * c), floats(tf, 3, 3, c, 2)
    form = "NHWC" if theirs else "NCHW"

    def four(n):
        return [1, n, n, 1] if theirs else [1, 1, n, n]

    y = tf.nn.conv2d(x, k, four(1), "SAME", data_format=form)
    yield "conv2d", y
    yield "conv2d gradient, input", slope(tf, y, x)
    yield "conv2d gradient, filter", slope(tf, y, k)
    yield "conv2d strides 2", tf.nn.conv2d(x, k, four(2), "SAME", data_format=form)
    yield "max_pool", tf.nn.max_pool(x, four(2), four(2), "SAME", data_format=form)
    yield "avg_pool", tf.nn.avg_pool(x, four(2), four(2), "SAME", data_format=form)
    yield "depthwise", tf.nn.depthwise_conv2d(x, d, four(1), "SAME", data_format=form)
    scale = positive(tf, c)
    yield "fused_batch_norm", tf.nn.fused_batch_norm(x, scale, scale, data_format=form)[0]
    yield "bias_add", tf.nn.bias_add(x, scale, data_format=form)


@family("pools", (1, 8, 3), (8, 28, 16), (16, 56, 32))
def pools(tf, size):
    """Pooling and what works on windows."""
    b, w, c = size
    x, deep = floats(tf, b, w, w, c), floats(tf, b, w // 4, w // 2, w // 2, c)
    line = floats(tf, b, w * 4, c)
    kernel = floats(tf, 3, 3, c)
    for name in "max avg".split():
        pool = getattr(tf.nn, name + "_pool")
        y = pool(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
        yield name + "_pool 2x2", y
        yield name + "_pool 2x2 gradient", slope(tf, y, x)
        y = pool(x, [1, 3, 3, 1], [1, 1, 1, 1], "SAME")
        yield name + "_pool 3x3 by 1", y
        yield name + "_pool 3x3 by 1 gradient", slope(tf, y, x)
        y = getattr(tf.nn, name + "_pool3d")(deep, [1, 2, 2, 2, 1], [1, 2, 2, 2, 1], "SAME")
        yield name + "_pool3d", y
        yield name + "_pool3d gradient", slope(tf, y, deep)
    yield "max_pool1d", tf.nn.max_pool1d(line, 2, 2, "SAME")
    y = tf.nn.max_pool_with_argmax(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    yield "max_pool_with_argmax", y
    yield "max_pool_with_argmax gradient", slope(tf, y[0], x)
    for name in "max avg".split():
        y = getattr(tf.nn, "fractional_%s_pool" % name)(x, [1.0, 1.4, 1.5, 1.0])[0]
        yield "fractional_%s_pool" % name, y
        yield "fractional_%s_pool gradient" % name, slope(tf, y, x)
    y = tf.nn.dilation2d(x, kernel, strides=[1, 1, 1, 1], rates=[1, 1, 1, 1], padding="SAME")
    yield "dilation2d", y
    yield "dilation2d gradient, input", slope(tf, y, x)
    yield "dilation2d gradient, filter", slope(tf, y, kernel)
    yield "erosion2d", tf.nn.erosion2d(x, kernel, [1, 1, 1, 1], [1, 1, 1, 1], "SAME")
    y = tf.extract_image_patches(x, [1, 3, 3, 1], [1, 1, 1, 1], [1, 1, 1, 1], "SAME")
    yield "extract_image_patches", y
    yield "extract_image_patches gradient", slope(tf, y, x)
    yield "space_to_depth", tf.space_to_depth(x, 2)
    yield "depth_to_space", tf.depth_to_space(tf.concat([x] * 4, 3), 2)
    yield "space_to_batch", tf.space_to_batch(x, [[0, 0], [0, 0]], 2)
    yield "batch_to_space", tf.batch_to_space(tf.concat([x] * 4, 0), [[0, 0], [0, 0]], 2)


@family("normalization", (1, 8, 4), (8, 28, 16), (16, 56, 32))
def normalization(tf, size):
    """Batch norm and local response."""
    b, w, c = size
    x, scale, shift, variance = floats(tf, b, w, w, c), positive(tf, c), floats(tf, c), positive(tf, c)
    y = tf.nn.fused_batch_norm(x, scale, shift)[0]
    yield "fused_batch_norm training", y
    yield "fused_batch_norm training gradient", slope(tf, y, x, scale, shift)
    y = tf.nn.fused_batch_norm(x, scale, shift, mean=shift, variance=variance, is_training=False)[0]
    yield "fused_batch_norm inference", y
    yield "fused_batch_norm inference gradient", slope(tf, y, x, scale, shift)
    mean, spread = tf.nn.moments(x, [0, 1, 2])
    y = tf.nn.batch_normalization(x, mean, spread, shift, scale, 1e-3)
    yield "batch_normalization", y
    yield "batch_normalization gradient", slope(tf, y, x)
    y = tf.nn.lrn(x)
    yield "lrn", y
    yield "lrn gradient", slope(tf, y, x)
    yield "moments", tf.nn.moments(x, [0, 1, 2])


@family("losses", (8, 10), (128, 100), (512, 1000))
def losses(tf, size):
    """Softmax and cross entropies."""
    n, m = size
    x, p, ids = floats(tf, n, m), positive(tf, n, m), ints(tf, m, n)
    yield "softmax", tf.nn.softmax(x)
    yield "softmax gradient", slope(tf, tf.nn.softmax(x), x)
    yield "log_softmax", tf.nn.log_softmax(x)
    yield "log_softmax gradient", slope(tf, tf.nn.log_softmax(x), x)
    y = tf.nn.softmax_cross_entropy_with_logits_v2(labels=p, logits=x)
    yield "softmax_cross_entropy", y
    yield "softmax_cross_entropy gradient", slope(tf, y, x)
    y = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=ids, logits=x)
    yield "sparse_softmax_cross_entropy", y
    yield "sparse_softmax_cross_entropy gradient", slope(tf, y, x)
    y = tf.nn.sigmoid_cross_entropy_with_logits(labels=p, logits=x)
    yield "sigmoid_cross_entropy", y
    yield "sigmoid_cross_entropy gradient", slope(tf, y, x)
    yield "weighted_cross_entropy", tf.nn.weighted_cross_entropy_with_logits(p, x, 2.0)
    yield "log_poisson_loss", tf.nn.log_poisson_loss(p, x)
    yield "dropout", tf.nn.dropout(x, rate=0.4)
    yield "dropout gradient", slope(tf, tf.nn.dropout(x, rate=0.4), x)


@family("ctc", (10, 2, 8), (50, 8, 30), (150, 16, 60))
def ctc(tf, size):
    """Connectionist temporal classification."""
    t, b, c = size
    x, lengths = floats(tf, t, b, c), held(tf, np.full(b, t, "i4"))
    count = t // 3
    places = np.array([[i, j] for i in range(b) for j in range(count)], "i8")
    labels = tf.SparseTensor(places, ints(tf, c - 1, b * count), [b, count])
    y = tf.nn.ctc_loss(labels, x, lengths, ctc_merge_repeated=True)
    yield "ctc_loss", y
    yield "ctc_loss gradient", slope(tf, y, x)
    decoded, scores = tf.nn.ctc_greedy_decoder(x, lengths)
    yield "ctc_greedy_decoder", [decoded[0].values, scores]
    decoded, scores = tf.nn.ctc_beam_search_decoder(x, lengths, beam_width=20)
    yield "ctc_beam_search_decoder", [decoded[0].values, scores]


@family("embeddings", (1000, 16), (50_000, 256), (1_000_000, 2048))
def embeddings(tf, size):
    """Rows of tables of 64 columns."""
    rows, n = size
    table = tf.Variable(tf.fill([rows, 64], 0.01))
    ids, few = ints(tf, rows, n), ints(tf, rows, n // 4 * 4)
    y = tf.nn.embedding_lookup(table, ids)
    yield "embedding_lookup", y
    grad = tf.gradients(tf.reduce_sum(tf.square(y)), table)[0]
    yield "embedding_lookup gradient", [grad.values, grad.indices]
    yield "gradient descent", tf.train.GradientDescentOptimizer(0.1).apply_gradients([(grad, table)])
    yield "Adagrad", tf.train.AdagradOptimizer(0.1).apply_gradients([(grad, table)])
    yield "momentum", tf.train.MomentumOptimizer(0.1, 0.9).apply_gradients([(grad, table)])
    yield "scatter_update", tf.scatter_update(table, ids, y).op
    yield "scatter_add", tf.scatter_add(table, ids, y).op
    parts = [tf.Variable(tf.fill([rows // 4, 64], 0.01)) for _ in range(4)]
    y = tf.nn.embedding_lookup(parts, ids)
    yield "embedding_lookup in 4 parts", y
    places = tf.stack([tf.cast(tf.range(n // 4 * 4) // 4, tf.int64), tf.cast(tf.range(n // 4 * 4) % 4, tf.int64)], 1)
    sparse = tf.SparseTensor(places, few, [n // 4, 4])
    y = tf.nn.embedding_lookup_sparse(table, sparse, None, combiner="mean")
    yield "embedding_lookup_sparse", y
    grad = tf.gradients(tf.reduce_sum(tf.square(y)), table)[0]
    yield "embedding_lookup_sparse gradient", [grad.values, grad.indices]
    weights = tf.SparseTensor(places, positive(tf, n // 4 * 4), [n // 4, 4])
    yield "embedding_lookup_sparse weighted", tf.nn.embedding_lookup_sparse(table, sparse, weights, combiner="sqrtn")
    yield "safe_embedding_lookup_sparse", tf.nn.safe_embedding_lookup_sparse([table], sparse)


@family("candidate sampling", (100, 8), (10_000, 64), (1_000_000, 512))
def candidate_sampling(tf, size):
    """Negatives."""
    classes, n = size
    true = held(tf, RANDOM.randint(0, classes, (n, 1)).astype("i8"))
    w, bias, h = tf.Variable(tf.fill([classes, 16], 0.1)), tf.Variable(tf.zeros([classes])), floats(tf, n, 16)
    for name in "log_uniform uniform learned_unigram".split():
        yield name, list(getattr(tf.nn if name != "log_uniform" else tf.random, name + "_candidate_sampler")(
            true, 1, n, True, classes
        ))
        yield name + " repeated", list(getattr(tf.nn if name != "log_uniform" else tf.random, name + "_candidate_sampler")(
            true, 1, n, False, classes
        ))
    yield "fixed_unigram", list(tf.nn.fixed_unigram_candidate_sampler(
        true % 50, 1, min(n, 20), True, 50, unigrams=[float(i + 1) for i in range(50)]
    ))
    ids = tf.random.log_uniform_candidate_sampler(true, 1, n, True, classes)[0]
    yield "compute_accidental_hits", list(tf.nn.compute_accidental_hits(true, ids, 1))
    yield "nce_loss", tf.nn.nce_loss(w, bias, true, h, n, classes)
    yield "nce_loss gradient", slope(tf, tf.nn.nce_loss(w, bias, true, h, n, classes), h)
    yield "sampled_softmax_loss", tf.nn.sampled_softmax_loss(w, bias, true, h, n, classes)
    yield "sampled_softmax_loss gradient", slope(tf, tf.nn.sampled_softmax_loss(w, bias, true, h, n, classes), h)


@family("rnn", (4, 2, 8), (20, 16, 64), (50, 32, 128))
def rnn(tf, size):
    """Recurrent networks."""
    t, b, n = size
    x, lengths = floats(tf, b, t, n), ints(tf, t + 1, b)
    cell = tf.nn.rnn_cell
    for name, make in (
        ("basic rnn", cell.BasicRNNCell),
        ("LSTM", cell.LSTMCell),
        ("GRU", cell.GRUCell),
    ):
        y, _ = tf.nn.dynamic_rnn(make(n), x, dtype=tf.float32, scope=name.replace(" ", "_"))
        yield "dynamic_rnn " + name, y
        weights = tf.trainable_variables(name.replace(" ", "_"))
        yield "dynamic_rnn " + name + " gradient", tf.gradients(tf.reduce_sum(y), weights)
    y, _ = tf.nn.dynamic_rnn(cell.BasicLSTMCell(n), x, lengths, dtype=tf.float32, scope="lengths")
    yield "dynamic_rnn of lengths", y
    yield "dynamic_rnn of lengths gradient", tf.gradients(tf.reduce_sum(y), tf.trainable_variables("lengths"))
    y, _ = tf.nn.bidirectional_dynamic_rnn(cell.GRUCell(n), cell.GRUCell(n), x, dtype=tf.float32, scope="both")
    yield "bidirectional_dynamic_rnn", list(y)
    y, _ = tf.nn.static_rnn(cell.LSTMCell(n), tf.unstack(x, axis=1), dtype=tf.float32, scope="static")
    yield "static_rnn", y[-1]
    yield "static_rnn gradient", tf.gradients(tf.reduce_sum(y[-1]), tf.trainable_variables("static"))
    yield "map_fn", tf.map_fn(lambda row: row * 2.0, x[:, 0])
    yield "scan", tf.scan(lambda a, row: a * 0.5 + row, x[0])

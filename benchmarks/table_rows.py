"""The single ops that networks consist of, at sizes where memory or arithmetic decides: the cases of `table.py`.

Inputs are variables, so that nothing is fed and nothing is known when the graph is made. Runs on Python 3.7.
"""
from __future__ import annotations

import family_registry
import numpy as np
from family_registry import floats, ints, positive, slope

ROWS = {}


def rows(function):
    """Register a function `f(tf)` that yields (case, fetch)."""
    ROWS[function.__name__] = function
    return function


@rows
def movement(tf):
    """What only moves elements."""
    square, images = floats(tf, 2048, 2048), floats(tf, 32, 56, 56, 64)
    yield "transpose 2048x2048", tf.transpose(square).op
    yield "transpose NHWC to NCHW 32x56x56x64", tf.transpose(images, [0, 3, 1, 2]).op
    yield "transpose NCHW to NHWC 32x64x56x56", tf.transpose(floats(tf, 32, 64, 56, 56), [0, 2, 3, 1]).op
    yield "transpose heads 12x100x8x32", tf.transpose(floats(tf, 12, 100, 8, 32), [0, 2, 1, 3]).op
    yield "concat 2 of 1e6x4", tf.concat([floats(tf, 1000000, 4), floats(tf, 1000000, 4)], 1).op
    yield "gather 1e5 rows of 64", tf.gather(floats(tf, 50000, 64), ints(tf, 50000, 100000)).op
    yield "one_hot 1e5x100", tf.one_hot(ints(tf, 100, 100000), 100).op
    yield "pad 32x56x56x64", tf.pad(images, [[0, 0], [1, 1], [1, 1], [0, 0]]).op
    yield "tile 1000x100 by 1, 20", tf.tile(floats(tf, 1000, 100), [1, 20]).op
    yield "reverse 1000x1000", tf.reverse(floats(tf, 1000, 1000), [1]).op
    yield "strided_slice 2000x2000 ::2", floats(tf, 2000, 2000)[::2, ::2].op


@rows
def reductions(tf):
    """Along rows and columns."""
    wide, tall = floats(tf, 10000, 1000), floats(tf, 1000, 10000)
    yield "argmax rows 10000x1000", tf.argmax(wide, 1).op
    yield "argmax columns 10000x1000", tf.argmax(wide, 0).op
    yield "cumsum 1000x10000", tf.cumsum(tall, 1).op
    yield "cumsum columns 1000x10000", tf.cumsum(tall, 0).op
    yield "reduce_sum columns 10000x1000", tf.reduce_sum(wide, 0).op
    yield "reduce_sum rows 10000x1000", tf.reduce_sum(wide, 1).op
    yield "reduce_max rows 2895x991", tf.reduce_max(floats(tf, 2895, 991), 1).op
    yield "reduce_max columns 2895x991", tf.reduce_max(floats(tf, 2895, 991), 0).op
    yield "moments 64x56x56x64", tf.nn.moments(floats(tf, 64, 56, 56, 64), [0, 1, 2])[0].op
    yield "reduce_mean images 32x56x56x64", tf.reduce_mean(floats(tf, 32, 56, 56, 64), [1, 2]).op


@rows
def softmaxes(tf):
    """Probabilities of classes, and their losses."""
    logits = floats(tf, 4096, 1000)
    labels, classes = tf.Variable(np.eye(1000, dtype="f4")[np.arange(4096) % 1000]), ints(tf, 1000, 4096)
    yield "softmax 4096x1000", tf.nn.softmax(logits).op
    yield "log_softmax 4096x1000", tf.nn.log_softmax(logits).op
    dense = tf.nn.softmax_cross_entropy_with_logits_v2(labels=tf.stop_gradient(labels), logits=logits)
    yield "cross entropy with gradient 4096x1000", [dense.op, tf.gradients(dense, logits)[0].op]
    sparse = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=classes, logits=logits)
    yield "sparse cross entropy with gradient 4096x1000", [sparse.op, tf.gradients(sparse, logits)[0].op]
    yield "softmax of attention 4x8x128x128", tf.nn.softmax(floats(tf, 4, 8, 128, 128)).op


@rows
def elementwise(tf):
    """Ten million elements."""
    x = floats(tf, 10000000)
    yield "tanh 1e7", tf.tanh(x).op
    yield "sigmoid 1e7", tf.sigmoid(x).op
    yield "exp 1e7", tf.exp(x).op
    yield "log 1e7", tf.log(positive(tf, 10000000)).op
    yield "pow 1e7", tf.pow(positive(tf, 10000000), 1.7).op
    yield "add 1e7", (x + floats(tf, 10000000)).op
    yield "relu 1e7", tf.nn.relu(x).op
    yield "erf 1e7", tf.erf(x).op
    yield "SGD 1e7", tf.train.GradientDescentOptimizer(1e-6).apply_gradients([(tf.convert_to_tensor(floats(tf, 10000000)), x)])


@rows
def products(tf):
    """Matrices."""
    yield "matmul 2048", tf.matmul(floats(tf, 2048, 2048), floats(tf, 2048, 2048)).op
    yield "matmul 128x1024x1024", tf.matmul(floats(tf, 128, 1024), floats(tf, 1024, 1024)).op
    yield "batch matmul 64x128x64x128", tf.matmul(floats(tf, 64, 128, 64), floats(tf, 64, 64, 128)).op
    yield "batch matmul 88x250x5x110", tf.matmul(floats(tf, 88, 250, 5), floats(tf, 88, 5, 110)).op
    q, k, v = [floats(tf, 12, 100, 256) for _ in range(3)]

    def heads(t):
        return tf.transpose(tf.reshape(t, [12, 100, 8, 32]), [0, 2, 1, 3])

    weights = tf.nn.softmax(tf.matmul(heads(q), heads(k), transpose_b=True) * 0.17)
    mixed = tf.reshape(tf.transpose(tf.matmul(weights, heads(v)), [0, 2, 1, 3]), [12, 100, 256])
    yield "attention 12x100x8x32", mixed.op


@rows
def pools(tf):
    """Windows of images."""
    x = floats(tf, 32, 56, 56, 64)
    for size, stride in ((2, 2), (3, 2), (3, 1)):
        for name, pool in (("max", tf.nn.max_pool), ("average", tf.nn.avg_pool)):
            y = pool(x, [1, size, size, 1], [1, stride, stride, 1], "SAME")
            yield "%s pool %dx%d/%d" % (name, size, size, stride), y.op
            yield "%s pool %dx%d/%d gradient" % (name, size, size, stride), slope(tf, y, x)[0].op


@rows
def convolutions(tf):
    """Images through filters."""
    def both(name, y, *inputs):
        yield name, y.op
        for what, given in zip(("input", "filter"), slope(tf, y, *inputs)):
            yield "%s gradient of the %s" % (name, what), given.op

    for size, shape in ((3, (8, 56, 56, 64)), (3, (32, 50, 50, 14)), (7, (8, 14, 14, 233))):
        x, f = floats(tf, *shape), floats(tf, size, size, shape[-1], 1)
        name = "depthwise %dx%d %dx%dx%dx%d" % (size, size, *shape)
        yield from both(name, tf.nn.depthwise_conv2d(x, f, [1, 1, 1, 1], "SAME"), x, f)
    x, f = floats(tf, 8, 56, 56, 64), floats(tf, 1, 1, 64, 128)
    yield from both("1x1/2 8x56x56x64", tf.nn.conv2d(x, f, [1, 2, 2, 1], "SAME"), x, f)
    yield from both("1x1 8x56x56x64", tf.nn.conv2d(x, f, [1, 1, 1, 1], "SAME"), x, f)
    f = floats(tf, 3, 3, 64, 64)
    yield from both("3x3 8x56x56x64", tf.nn.conv2d(x, f, [1, 1, 1, 1], "SAME"), x, f)
    yield from both("3x3/2 8x56x56x64", tf.nn.conv2d(x, f, [1, 2, 2, 1], "SAME"), x, f)
    x, f = floats(tf, 31, 24, 24, 109), floats(tf, 3, 3, 109, 40)
    yield from both("3x3 31x24x24x109", tf.nn.conv2d(x, f, [1, 1, 1, 1], "SAME"), x, f)
    x, f = floats(tf, 16, 64, 64, 3), floats(tf, 5, 5, 3, 16)
    yield from both("5x5 16x64x64x3", tf.nn.conv2d(x, f, [1, 1, 1, 1], "SAME"), x, f)
    x, f = floats(tf, 16, 14, 14, 64), floats(tf, 2, 2, 32, 64)
    yield "transposed 2x2/2 16x14x14x64", tf.nn.conv2d_transpose(x, f, [16, 28, 28, 32], [1, 2, 2, 1]).op
    x, f = floats(tf, 16, 500, 64), floats(tf, 3, 64, 64)
    yield from both("1-D of 3 16x500x64", tf.nn.conv1d(x, f, 1, "SAME"), x, f)
    x, f = floats(tf, 4, 64, 64, 32), floats(tf, 3, 3, 32, 1)
    yield "depthwise dilated 2 4x64x64x32", tf.nn.depthwise_conv2d(x, f, [1, 1, 1, 1], "SAME", rate=[2, 2]).op
    x = floats(tf, 32, 28, 28, 128)
    yield "batch norm in inference 32x28x28x128", tf.nn.fused_batch_norm(
        x, floats(tf, 128), floats(tf, 128), floats(tf, 128), positive(tf, 128), is_training=False)[0].op


@rows
def normalization(tf):
    """Layer norm and the rest of a transformer's block."""
    x, scale = floats(tf, 8, 128, 768), floats(tf, 768)
    mean, variance = tf.nn.moments(x, [-1], keep_dims=True)
    yield "layer norm 8x128x768", tf.nn.batch_normalization(x, mean, variance, scale, scale, 1e-6).op
    yield "gelu 8x128x3072", (lambda y: y * 0.5 * (1 + tf.erf(y / 1.41421356)))(floats(tf, 8, 128, 3072)).op


def encoder(tf, x, layers, width, heads):
    """Blocks of attention and two dense layers, each with its residual and layer norm."""
    batch, length = x.shape.as_list()[:2]

    def dense(h, n):
        flat = tf.reshape(h, [-1, h.shape.as_list()[-1]])
        w = tf.Variable(floats_of(flat.shape.as_list()[-1], n) * 0.05)
        return tf.reshape(tf.nn.bias_add(tf.matmul(flat, w), tf.Variable(np.zeros(n, "f4"))), h.shape.as_list()[:-1] + [n])

    def norm(h):
        mean, variance = tf.nn.moments(h, [-1], keep_dims=True)
        ones, zeros = tf.Variable(np.ones(width, "f4")), tf.Variable(np.zeros(width, "f4"))
        return tf.nn.batch_normalization(h, mean, variance, zeros, ones, 1e-6)

    def split(h):
        return tf.transpose(tf.reshape(h, [batch, length, heads, width // heads]), [0, 2, 1, 3])

    for _ in range(layers):
        q, k, v = [split(dense(x, width)) for _ in range(3)]
        weights = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) * (width // heads) ** -0.5)
        mixed = tf.reshape(tf.transpose(tf.matmul(weights, v), [0, 2, 1, 3]), [batch, length, width])
        x = norm(x + dense(mixed, width))
        h = dense(x, 4 * width)
        x = norm(x + dense(h * 0.5 * (1 + tf.erf(h * 0.70710678)), width))
    return x


def floats_of(*shape):
    """Standard normal float32 numbers, as an array."""
    return family_registry.RANDOM.randn(*shape).astype("f4")


@rows
def transformers(tf):
    """Encoders, forward and with training."""
    yield "encoder 4 layers of 512, 4x128", encoder(tf, floats(tf, 4, 128, 512), 4, 512, 8).op
    yield "encoder block 8x128x768", encoder(tf, floats(tf, 8, 128, 768), 1, 768, 12).op
    loss = tf.reduce_mean(tf.square(encoder(tf, floats(tf, 8, 64, 256), 2, 256, 4)))
    yield "training 2 layers of 256, 8x64", tf.train.GradientDescentOptimizer(1e-4).minimize(loss)


@rows
def records(tf):
    """Strings and files."""
    words = tf.Variable(np.array([b"word%d" % (i * 7919 % 100000) for i in range(100000)]))
    yield "string_to_hash_bucket 1e5", tf.string_to_hash_bucket(words, 1000).op
    yield "string_to_hash_bucket_fast 1e5", tf.string_to_hash_bucket_fast(words, 1000).op


def build(groups, tf, name, size):
    """(case, fetch) of one of the groups of rows; the size is of no use here."""
    family_registry.RANDOM.seed(0)
    return groups[name](tf)

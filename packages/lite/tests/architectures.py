"""Networks of the kinds that run on small devices, small ones: each function gets `tf` and returns inputs
and outputs."""

import numpy as np


def _normalized(tf, x, activation=None):
    x = tf.layers.batch_normalization(x, moving_variance_initializer=tf.constant_initializer(0.7))
    return x if activation is None else activation(x)


def mobilenet_v1(tf):
    x = tf.placeholder(tf.float32, [None, 32, 32, 3], name="x")
    h = _normalized(tf, tf.layers.conv2d(x, 8, 3, 2, "same", use_bias=False), tf.nn.relu6)
    for number, (channels, stride) in enumerate(((16, 1), (32, 2), (32, 1), (64, 2))):
        filters = tf.get_variable(f"depthwise{number}", [3, 3, h.shape[3], 1])
        h = _normalized(tf, tf.nn.depthwise_conv2d(h, filters, [1, stride, stride, 1], "SAME"), tf.nn.relu6)
        h = _normalized(tf, tf.layers.conv2d(h, channels, 1, use_bias=False), tf.nn.relu6)
    h = tf.layers.average_pooling2d(h, 4, 1)
    h = tf.layers.conv2d(tf.layers.dropout(h), 10, 1)
    return [x], [tf.nn.softmax(tf.squeeze(h, [1, 2]))]


def mobilenet_v2(tf):
    x = tf.placeholder(tf.float32, [None, 32, 32, 3], name="x")
    h = _normalized(tf, tf.layers.conv2d(x, 8, 3, 2, "same", use_bias=False), tf.nn.relu6)
    for channels, stride in ((8, 1), (16, 2), (16, 1), (24, 2)):
        wide = _normalized(tf, tf.layers.conv2d(h, 6 * int(h.shape[3]), 1, use_bias=False), tf.nn.relu6)
        side = tf.layers.separable_conv2d(wide, channels, 3, stride, "same", use_bias=False)
        side = _normalized(tf, side)
        h = h + side if stride == 1 and h.shape[3] == channels else side
    return [x], [tf.nn.softmax(tf.layers.dense(tf.reduce_mean(h, [1, 2]), 10))]


def resnet(tf):
    x = tf.placeholder(tf.float32, [None, 32, 32, 3], name="x")
    h = tf.layers.max_pooling2d(tf.pad(tf.layers.conv2d(x, 8, 7, 2, "same"), [[0, 0], [1, 1], [1, 1], [0, 0]]), 3, 2)
    for channels, stride in ((8, 1), (16, 2)):
        side = _normalized(tf, tf.layers.conv2d(h, channels, 3, stride, "same"), tf.nn.relu)
        side = _normalized(tf, tf.layers.conv2d(side, channels, 3, 1, "same"))
        h = h if stride == 1 else tf.layers.conv2d(h, channels, 1, stride)
        h = tf.nn.relu(h + side)
    return [x], [tf.layers.dense(tf.reduce_mean(h, [1, 2]), 10)]


def inception(tf):
    x = tf.placeholder(tf.float32, [None, 16, 16, 8], name="x")
    parts = [tf.layers.conv2d(x, 8, 1, activation=tf.nn.relu)]
    parts.append(tf.layers.conv2d(tf.layers.conv2d(x, 4, 1), 8, [1, 7], padding="same", activation=tf.nn.relu))
    parts.append(tf.layers.conv2d(tf.layers.average_pooling2d(x, 3, 1, "same"), 8, 1))
    h = tf.nn.local_response_normalization(tf.concat(parts, 3), 2)
    return [x], [tf.layers.dense(tf.layers.flatten(tf.layers.max_pooling2d(h, 4, 4)), 10)]


def unet(tf):
    x = tf.placeholder(tf.float32, [None, 16, 16, 3], name="x")
    first = tf.layers.conv2d(x, 8, 3, padding="same", activation=tf.nn.relu)
    second = tf.layers.conv2d(tf.layers.max_pooling2d(first, 2, 2), 16, 3, padding="same", activation=tf.nn.relu)
    up = tf.layers.conv2d_transpose(second, 8, 3, 2, "same")
    wide = tf.image.resize_bilinear(second, [16, 16], align_corners=True)
    h = tf.layers.conv2d(tf.concat([up, first, wide], 3), 4, 3, padding="same", dilation_rate=2)
    return [x], [tf.argmax(h, 3), tf.nn.sigmoid(h)]


def detector(tf):
    x = tf.placeholder(tf.float32, [None, 32, 32, 3], name="x")
    h, boxes, classes = x, [], []
    for channels in (8, 16):
        h = tf.layers.conv2d(h, channels, 3, 2, "same", activation=tf.nn.relu6)
        boxes.append(tf.reshape(tf.layers.conv2d(h, 3 * 4, 3, padding="same"), [1, -1, 4]))
        classes.append(tf.reshape(tf.layers.conv2d(h, 3 * 5, 3, padding="same"), [1, -1, 5]))
    box, scores = tf.concat(boxes, 1), tf.sigmoid(tf.concat(classes, 1))
    middle, size = tf.split(box, 2, 2)
    half = tf.exp(size * 0.2) * 0.5
    best, _ = tf.nn.top_k(tf.reduce_max(scores, 2), 7)
    return [x], [tf.gather(tf.concat([middle - half, middle + half], 2), [4, 2, 9], axis=1), best]


def keywords(tf):
    sound = tf.placeholder(tf.float32, [1600, 1], name="x")
    spectrum = tf.raw_ops.AudioSpectrogram(
        input=sound, window_size=400, stride=160, magnitude_squared=True
    )
    features = tf.raw_ops.Mfcc(spectrogram=spectrum, sample_rate=tf.constant(16000), dct_coefficient_count=10)
    h = tf.layers.conv2d(tf.reshape(features, [1, 8, 10, 1]), 8, [4, 3], padding="same", activation=tf.nn.relu)
    return [sound], [tf.nn.softmax(tf.layers.dense(tf.layers.flatten(h), 12))]


def _unrolled(tf, cell):
    x = tf.placeholder(tf.float32, [None, 5, 6], name="x")
    outputs, _ = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)
    return [x], [tf.layers.dense(outputs[-1], 4), tf.stack(outputs, 1)]


def lstm(tf):
    return _unrolled(tf, tf.nn.rnn_cell.LSTMCell(8, use_peepholes=True))


def gru(tf):
    return _unrolled(tf, tf.nn.rnn_cell.GRUCell(8))


def transformer(tf):
    words = tf.placeholder(tf.int32, [None, 6], name="x")
    h = tf.nn.embedding_lookup(tf.get_variable("words", [20, 16]), words)

    def normal(v):
        mean, variance = tf.nn.moments(v, [-1], keep_dims=True)
        return (v - mean) * tf.rsqrt(variance + 1e-6) * tf.get_variable(f"gain{v.op.name[-1]}", [16])

    def heads(v, name):
        return tf.transpose(tf.reshape(tf.layers.dense(v, 16, name=name), [-1, 6, 4, 4]), [0, 2, 1, 3])

    query, key, value = heads(h, "q"), heads(h, "k"), heads(h, "v")
    weights = tf.nn.softmax(tf.matmul(query, key, transpose_b=True) * 0.5)
    mixed = tf.reshape(tf.transpose(tf.matmul(weights, value), [0, 2, 1, 3]), [-1, 6, 16])
    h = normal(h + tf.layers.dense(mixed, 16, name="mixed"))
    wide = tf.layers.dense(h, 32, name="wide")
    wide = 0.5 * wide * (1.0 + tf.tanh(0.7978845608 * (wide + 0.044715 * tf.pow(wide, 3))))
    return [words], [h + tf.layers.dense(wide, 16, name="narrow")]


def autoencoder(tf):
    x = tf.placeholder(tf.float32, [None, 40], name="x")
    h = tf.layers.dense(tf.nn.leaky_relu(tf.layers.dense(x, 64)), 8, tf.nn.elu)
    return [x], [tf.layers.dense(tf.layers.dense(h, 64, tf.nn.softplus), 40, tf.nn.selu)]


def style(tf):
    x = tf.placeholder(tf.float32, [None, 16, 16, 3], name="x")
    h = tf.layers.conv2d(tf.pad(x, [[0, 0], [2, 2], [2, 2], [0, 0]], "REFLECT"), 8, 5)
    mean, variance = tf.nn.moments(h, [1, 2], keep_dims=True)
    h = tf.nn.relu((h - mean) / tf.sqrt(variance + 1e-3))
    h = tf.image.resize_nearest_neighbor(h, [32, 32])
    return [x], [tf.nn.tanh(tf.layers.conv2d(h, 3, 3, padding="same")) * 127.5 + 127.5]


def speech(tf):
    x = tf.placeholder(tf.float32, [None, 20, 12], name="x")
    h = tf.layers.conv1d(x, 16, 5, 2, "same", activation=tf.nn.relu)
    h = tf.layers.conv1d(h, 16, 3, padding="same", dilation_rate=2)
    return [x], [tf.nn.log_softmax(tf.layers.dense(h, 9))]


ARCHITECTURES = {
    f.__name__: f
    for f in (
        mobilenet_v1, mobilenet_v2, resnet, inception, unet, detector, keywords, lstm, gru, transformer, autoencoder,
        style, speech,
    )
}


def values(name, tensor, number):
    """An input for a placeholder."""
    random = np.random.RandomState(number)
    shape = [size or 1 for size in tensor.shape.as_list()]
    if tensor.dtype.is_integer:
        return random.randint(0, 20, shape).astype(np.int32)
    return random.uniform(-1, 1, shape).astype(np.float32)

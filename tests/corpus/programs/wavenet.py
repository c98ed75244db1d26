"""A WaveNet of few layers: causal, dilated convolutions over quantized audio, and generation sample by sample."""
import numpy as np
import tensorflow as tf


def create_variable(name, shape):
    initializer = tf.contrib.layers.xavier_initializer_conv2d()
    return tf.Variable(initializer(shape=shape), name=name)


def time_to_batch(value, dilation, name=None):
    with tf.name_scope("time_to_batch"):
        shape = tf.shape(value)
        pad_elements = dilation - 1 - (shape[1] + dilation - 1) % dilation
        padded = tf.pad(value, [[0, 0], [0, pad_elements], [0, 0]])
        reshaped = tf.reshape(padded, [-1, dilation, shape[2]])
        transposed = tf.transpose(reshaped, perm=[1, 0, 2])
        return tf.reshape(transposed, [shape[0] * dilation, -1, shape[2]])


def batch_to_time(value, dilation, name=None):
    with tf.name_scope("batch_to_time"):
        shape = tf.shape(value)
        prepared = tf.reshape(value, [dilation, -1, shape[2]])
        transposed = tf.transpose(prepared, perm=[1, 0, 2])
        return tf.reshape(transposed, [tf.div(shape[0], dilation), -1, shape[2]])


def causal_conv(value, filter_, dilation, name="causal_conv"):
    with tf.name_scope(name):
        filter_width = tf.shape(filter_)[0]
        if dilation > 1:
            transformed = time_to_batch(value, dilation)
            conv = tf.nn.conv1d(transformed, filter_, stride=1, padding="VALID")
            restored = batch_to_time(conv, dilation)
        else:
            restored = tf.nn.conv1d(value, filter_, stride=1, padding="VALID")
        out_width = tf.shape(value)[1] - (filter_width - 1) * dilation
        return tf.slice(restored, [0, 0, 0], [-1, out_width, -1])


def mu_law_encode(audio, quantization_channels):
    with tf.name_scope("encode"):
        mu = tf.to_float(quantization_channels - 1)
        safe_audio_abs = tf.minimum(tf.abs(audio), 1.0)
        magnitude = tf.log1p(mu * safe_audio_abs) / tf.log1p(mu)
        return tf.to_int32((tf.sign(audio) * magnitude + 1) / 2 * mu + 0.5)


def mu_law_decode(output, quantization_channels):
    with tf.name_scope("decode"):
        mu = quantization_channels - 1
        signal = 2 * (tf.to_float(output) / mu) - 1
        return tf.sign(signal) * (1 / mu) * ((1 + mu) ** abs(signal) - 1)


CHANNELS, RESIDUAL, DILATION, SKIP = 16, 6, [1, 2, 4], 8


class WaveNetModel(object):
    def __init__(self):
        with tf.variable_scope("wavenet"):
            self.causal = create_variable("filter", [2, CHANNELS, RESIDUAL])
            self.layers = []
            for i, dilation in enumerate(DILATION):
                with tf.variable_scope("layer{}".format(i)):
                    self.layers.append({
                        "filter": create_variable("filter", [2, RESIDUAL, RESIDUAL]),
                        "gate": create_variable("gate", [2, RESIDUAL, RESIDUAL]),
                        "dense": create_variable("dense", [1, RESIDUAL, RESIDUAL]),
                        "skip": create_variable("skip", [1, RESIDUAL, SKIP])})
            self.post1 = create_variable("postprocess1", [1, SKIP, SKIP])
            self.post2 = create_variable("postprocess2", [1, SKIP, CHANNELS])

    def network(self, batch):
        receptive = 1 + sum(DILATION) + 1
        current = causal_conv(batch, self.causal, 1)
        outputs = []
        output_width = tf.shape(batch)[1] - receptive + 1
        for i, dilation in enumerate(DILATION):
            with tf.name_scope("layer{}".format(i)):
                w = self.layers[i]
                out = tf.tanh(causal_conv(current, w["filter"], dilation)) * tf.sigmoid(
                    causal_conv(current, w["gate"], dilation))
                transformed = tf.nn.conv1d(out, w["dense"], stride=1, padding="SAME", name="dense")
                cut = tf.shape(out)[1] - output_width
                outputs.append(tf.nn.conv1d(tf.slice(out, [0, cut, 0], [-1, -1, -1]), w["skip"], 1, "SAME"))
                current = tf.slice(current, [0, tf.shape(current)[1] - tf.shape(transformed)[1], 0], [-1, -1, -1])
                current += transformed
        total = sum(outputs)
        conv1 = tf.nn.conv1d(tf.nn.relu(total), self.post1, stride=1, padding="SAME")
        return tf.nn.conv1d(tf.nn.relu(conv1), self.post2, stride=1, padding="SAME")

    def loss(self, audio):
        with tf.name_scope("loss"):
            encoded = mu_law_encode(audio, CHANNELS)
            one_hot = tf.one_hot(encoded, depth=CHANNELS, dtype=tf.float32)
            raw = self.network(tf.slice(one_hot, [0, 0, 0], [-1, tf.shape(one_hot)[1] - 1, -1]))
            target = tf.slice(one_hot, [0, 1 + sum(DILATION) + 1, 0], [-1, -1, -1])
            loss = tf.nn.softmax_cross_entropy_with_logits(
                logits=tf.reshape(raw, [-1, CHANNELS]), labels=tf.reshape(target, [-1, CHANNELS]))
            reduced = tf.reduce_mean(loss)
            l2 = tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables() if not ("bias" in v.name)])
            return reduced + 0.001 * l2


tf.set_random_seed(4)
net = WaveNetModel()
audio = tf.placeholder(tf.float32, [None, None])
loss = net.loss(audio)
optim = tf.train.MomentumOptimizer(0.05, 0.9).minimize(loss, var_list=tf.trainable_variables())
samples = tf.placeholder(tf.int32, [None])
proba = tf.nn.softmax(tf.cast(net.network(tf.expand_dims(tf.one_hot(samples, CHANNELS), 0))[0, -1], tf.float64))
decoded = mu_law_decode(samples, CHANNELS)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    wave = np.sin(np.arange(60) / 3.0)[None]
    for step in range(8):
        value, _ = sess.run([loss, optim], {audio: np.concatenate([wave, 0.5 * wave])})
        print("step {} loss = {:.4f}".format(step, value))
    waveform = sess.run(mu_law_encode(tf.constant(wave[0], tf.float32), CHANNELS)).tolist()[:12]
    for _ in range(6):
        prediction = sess.run(proba, {samples: waveform[-12:]})
        waveform.append(int(np.argmax(prediction)))
    print(waveform, "%.4f" % prediction.max())
    print(np.round(sess.run(decoded, {samples: waveform[-6:]}), 3))
print("ops", len(tf.get_default_graph().get_operations()))

"""Speech recognition in the small: spectrograms of made-up tones, a recurrent network, CTC and its beam search."""
from __future__ import print_function

import numpy as np
import tensorflow as tf
from tensorflow.contrib.framework.python.ops import audio_ops as contrib_audio
from tensorflow.python.ops import ctc_ops as ctc
from tensorflow.python.ops import io_ops

SPACE_TOKEN, FIRST = "<space>", ord("a") - 1
num_features, num_classes, hidden = 8, ord("z") - ord("a") + 1 + 1 + 1, 12


def sparse_tuple_from(sequences, dtype=np.int32):
    indices, values = [], []
    for n, seq in enumerate(sequences):
        indices.extend(zip([n] * len(seq), range(len(seq))))
        values.extend(seq)
    indices = np.asarray(indices, dtype=np.int64)
    shape = np.asarray([len(sequences), np.asarray(indices).max(0)[1] + 1], dtype=np.int64)
    return indices, np.asarray(values, dtype=dtype), shape


wave = np.sin(np.arange(1600) * np.linspace(0.2, 1.2, 1600))[:, None].astype(np.float32)
with tf.Session(graph=tf.Graph()) as sess:
    audio = tf.placeholder(tf.float32, [None, 1])
    encoded = contrib_audio.encode_wav(audio, 8000)
    decoded = contrib_audio.decode_wav(encoded, desired_channels=1, desired_samples=1600)
    spectrogram = contrib_audio.audio_spectrogram(decoded.audio, window_size=200, stride=100, magnitude_squared=True)
    mfcc = contrib_audio.mfcc(spectrogram, decoded.sample_rate, dct_coefficient_count=num_features)
    wav, features, rate = sess.run([encoded, mfcc, decoded.sample_rate], {audio: wave * 0.5})
    with open("a.wav", "wb") as f:
        f.write(wav)
    print(len(wav), features.shape, rate, np.round(features[0, 0, :4], 3))
    again = sess.run(contrib_audio.decode_wav(io_ops.read_file("a.wav")))
    print(again.audio.shape, again.sample_rate)

train_inputs = (features - np.mean(features)) / np.std(features)
targets = "she had".split(" ")
targets = np.hstack([SPACE_TOKEN if x == "" else list(x) for x in " ".join(targets).replace(" ", "  ").split(" ")])
targets = np.asarray([0 if x == SPACE_TOKEN else ord(x) - FIRST for x in targets])
train_targets = sparse_tuple_from([targets])
graph = tf.Graph()
with graph.as_default():
    tf.set_random_seed(6)
    inputs = tf.placeholder(tf.float32, [None, None, num_features])
    labels = tf.sparse_placeholder(tf.int32)
    seq_len = tf.placeholder(tf.int32, [None])
    cell = tf.contrib.rnn.LSTMCell(hidden, state_is_tuple=True)
    stack = tf.contrib.rnn.MultiRNNCell([cell], state_is_tuple=True)
    outputs, _ = tf.nn.dynamic_rnn(stack, inputs, seq_len, dtype=tf.float32)
    shape = tf.shape(inputs)
    outputs = tf.reshape(outputs, [-1, hidden])
    W = tf.Variable(tf.truncated_normal([hidden, num_classes], stddev=0.1))
    b = tf.Variable(tf.constant(0., shape=[num_classes]))
    logits = tf.transpose(tf.reshape(tf.matmul(outputs, W) + b, [shape[0], -1, num_classes]), (1, 0, 2))
    loss = ctc.ctc_loss(labels, logits, seq_len)
    cost = tf.reduce_mean(loss)
    optimizer = tf.train.MomentumOptimizer(0.01, 0.9).minimize(cost)
    decoded, log_prob = ctc.ctc_beam_search_decoder(logits, seq_len, beam_width=10)
    greedy, neg_sum = tf.nn.ctc_greedy_decoder(logits, seq_len)
    ler = tf.reduce_mean(tf.edit_distance(tf.cast(decoded[0], tf.int32), labels))
    dense = tf.sparse_tensor_to_dense(greedy[0], default_value=-1)
with tf.Session(graph=graph) as session:
    tf.global_variables_initializer().run()
    feed = {inputs: train_inputs, labels: train_targets, seq_len: [train_inputs.shape[1]]}
    for epoch in range(40):
        value, _ = session.run([cost, optimizer], feed)
        if epoch % 10 == 0:
            print("Epoch {}, train_cost = {:.3f}, train_ler = {:.3f}".format(epoch, value, session.run(ler, feed)))
    d, p, g, n = session.run([decoded[0], log_prob, dense, neg_sum], feed)
    text = "".join([chr(x + FIRST) for x in np.asarray(d[1])]).replace(chr(FIRST), " ")
    print(repr(text), np.round(p, 3), g.tolist(), np.round(n, 3))

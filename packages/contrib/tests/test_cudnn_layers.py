"""Layers of cuDNN on a CPU compute what their compatible cells compute."""

import numpy as np
import pytest

import ossia as tf

INPUTS = np.random.RandomState(0).randn(4, 2, 3).astype(np.float32)


def weights_of_cell(kind, layer, kernel):
    """Values for the variables of a compatible cell, of the vector of a layer."""
    weights, biases = layer._layout.split(kernel)
    gates = len(biases) // 2
    if kind == "lstm":
        order = [0, 2, 1, 3]  # the cell has the memory's gate before the one that forgets
        matrix = np.concatenate([np.concatenate([weights[i], weights[gates + i]], 1) for i in order]).T
        return [matrix, np.concatenate([biases[i] + biases[gates + i] for i in order])]
    matrix = np.concatenate([np.concatenate([weights[i], weights[gates + i]], 1) for i in range(2)]).T
    bias = np.concatenate([biases[i] + biases[gates + i] for i in range(2)])
    return [matrix, bias, weights[2].T, weights[5].T, biases[2], biases[5]]


@pytest.mark.parametrize("kind", ["lstm", "gru"])
def test_layer_and_cell(kind):
    module = tf.contrib.cudnn_rnn
    layer = (module.CudnnLSTM if kind == "lstm" else module.CudnnGRU)(1, 5, bias_initializer=tf.ones_initializer())
    x = tf.constant(INPUTS)
    output, states = layer(x)
    cell = (module.CudnnCompatibleLSTMCell if kind == "lstm" else module.CudnnCompatibleGRUCell)(5)
    expected, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32, time_major=True)
    slopes = [tf.gradients(tf.reduce_sum(tf.square(each)), x)[0] for each in (output, expected)]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for variable, value in zip(cell.weights, weights_of_cell(kind, layer, session.run(layer.kernel)), strict=True):
            variable.load(value, session)
        got, wanted, last, *gradients = session.run([output, expected, states[0], *slopes])
    assert np.allclose(got, wanted, atol=1e-5) and np.allclose(last[0], wanted[-1], atol=1e-5)
    assert np.allclose(*gradients, atol=1e-4)


def test_layers_train():
    layer = tf.contrib.cudnn_rnn.CudnnLSTM(2, 3, direction="bidirectional")
    output, (h, c) = layer(tf.constant(INPUTS))
    assert output.shape == (4, 2, 6) and h.shape == c.shape == (4, 2, 3)
    loss = tf.reduce_mean(tf.square(output - 0.5))
    train = tf.train.AdamOptimizer(0.05).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        before = session.run(loss)
        for _ in range(30):
            session.run(train)
        assert session.run(loss) < before / 2


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda module: module.CudnnLSTM(1, 3, direction="x"), ValueError),
        (lambda module: module.CudnnGRU(1, 3, input_mode="x"), ValueError),
        (lambda module: module.CudnnRNNTanh(1, 3)(tf.zeros([2, 3])), ValueError),
        (lambda module: module.CudnnRNNRelu(1, 3)(tf.zeros([2, 2, 3]), sequence_lengths=[1, 2]), NotImplementedError),
        (lambda module: module.CudnnLSTM(1, 3).saveable, NotImplementedError),
    ],
)
def test_refused(call, error):
    with pytest.raises(error):
        call(tf.contrib.cudnn_rnn)

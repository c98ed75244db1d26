"""The steps of the CTC loss of dense labels, as tests call them one by one."""

import numpy as np
import pytest

import ossia as tf
from ossia_tensorflow_paths.python.ops import ctc_ops as ctc


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def value(fetches):
    with tf.Session() as session:
        return session.run(fetches)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [1.5, 3.5, 6.5]),
        ({"reverse": True}, [6.5, 5.5, 3.5]),
        ({"inclusive": True}, [0.5, 1.5, 3.5, 6.5]),
        ({"inclusive": True, "reverse": True}, [6.5, 5.5, 3.5, 0.5]),
        ({"final_only": True}, 6.5),
        ({"final_only": True, "reverse": True}, 6.5),
    ],
)
def test_scans(options, expected):
    found = ctc._scan(lambda total, x: total + x, tf.constant([1.0, 2.0, 3.0]), tf.constant(0.5), **options)
    assert value(found).tolist() == expected


def test_scans_of_structures():
    first = tf.constant(0.0), tf.constant(1.0)
    total, product = ctc._scan(lambda state, x: (state[0] + x[0], state[1] * x[1]),
                               (tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])), first)
    assert [found.tolist() for found in value([total, product])] == [[1, 3], [3, 12]]


def test_places_of_the_same_label_are_summed():
    states = tf.log([[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]])
    summed = value(tf.exp(ctc._sum_states(tf.constant([[0, 1, 0, 1], [0, 0, 0, 2]]), states)))
    np.testing.assert_allclose(summed, [[[4, 6, 0, 0], [18, 0, 8, 0]]], rtol=1e-5)


def test_states_and_classes():
    labels = tf.constant([[1, 2, 2, 3]])
    by_state = ctc._ilabel_to_state(labels, 4, tf.log([[[0.1, 0.2, 0.3, 0.4]]]))
    np.testing.assert_allclose(value(tf.exp(by_state)), [[[0, 0.2, 0.3, 0.3, 0.4] + [0.1] * 5]], rtol=1e-5)
    unique = tf.nn.ctc_unique_labels(labels)
    for by_class in (ctc._state_to_olabel(labels, 4, by_state),
                     ctc._state_to_olabel_unique(labels, 4, tf.ensure_shape(by_state, [1, 1, 10]), unique)):
        np.testing.assert_allclose(value(tf.exp(by_class)), [[[0.5, 0.2, 0.6, 0.4]]], rtol=1e-5)
    first, last = ctc.ctc_state_log_probs(tf.constant([2]), 3)
    assert np.flatnonzero(value(first)[0] == 0).tolist() == [0]
    assert np.flatnonzero(value(last)[0] == 0).tolist() == [2, 6]


def test_forward_and_backward():
    def logs(values):
        return tf.log(tf.constant(values))

    through, _ = ctc._forward_backward_log(
        logs([[[0.5, 0.5], [0.2, 0.8]]]), logs([[0.4, 0.6]]), logs([[0.3, 0.7]]),
        logs([[[0.1, 0.9]], [[0.3, 0.6]]]), tf.constant([2]))
    move, start, end = np.array([[0.5, 0.5], [0.2, 0.8]]), np.array([0.4, 0.6]), np.array([0.3, 0.7])
    after = (move @ start) * [0.1, 0.9]
    last = (move @ after) * [0.3, 0.6]
    each = np.array([after * (move.T @ (end * [0.3, 0.6])), last * end])
    np.testing.assert_allclose(value(tf.exp(through))[:, 0], each / each.sum(1, keepdims=True), rtol=1e-5)


def test_the_loss_by_either_name():
    logits = tf.constant(np.random.default_rng(0).normal(size=(5, 2, 4)).astype(np.float32))
    labels, lengths, times = tf.constant([[1, 2, 3], [3, 1, 0]]), tf.constant([3, 2]), tf.constant([5, 4])
    loss, gradient = ctc.ctc_loss_and_grad(logits, labels, lengths, times)
    dense = ctc.ctc_loss_dense(labels, logits, lengths, times)
    slope = tf.gradients(dense, logits)[0]
    found = value([loss, dense, gradient, slope])
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[2], found[3])


def test_dense_labels_as_sparse_ones():
    sparse = value(ctc.dense_labels_to_sparse([[1, 2, 2, 3], [2, 1, 1, 0]], [3, 2]))
    assert sparse.values.tolist() == [1, 2, 2, 2, 1] and sparse.dense_shape.tolist() == [2, 3]
    assert sparse.indices.tolist() == [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1]]

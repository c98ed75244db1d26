"""Connectionist temporal classification agrees with TensorFlow 1.15.5: graphs, values, gradients, errors."""
import numpy as np
import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests

test_ctc = golden_tests(__file__, "ctc_cases.py")


@pytest.mark.parametrize("decode", [False, True])
def test_no_frames(decode):
    logits, lengths = np.zeros([0, 2, 3], np.float32), [0, 0]
    if decode:
        fetch = tf.nn.ctc_beam_search_decoder(logits, lengths)[1]
    else:
        fetch = tf.nn.ctc_loss(tf.SparseTensor([[0, 0], [1, 0]], tf.constant([1, 1]), [2, 1]), logits, lengths)
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="max_time is 0"):
        session.run(fetch)


def test_labels_without_any_class_are_blanks():
    logits = tf.constant(np.arange(6.0).reshape(2, 1, 3))
    labels = tf.SparseTensor([[0, 0]], tf.constant([2]), [1, 1])
    loss = tf.nn.ctc_loss(labels, logits, [2])
    of_blank = -tf.reduce_sum(tf.nn.log_softmax(logits)[:, 0, 2])
    with tf.Session() as session:
        np.testing.assert_allclose(*session.run([loss[0], of_blank]))


def test_a_beam_of_any_width_finds_the_same_as_no_beam():
    logits = np.random.RandomState(4).randn(5, 1, 4)
    with tf.Session() as session:
        (wide,), score = session.run(tf.nn.ctc_beam_search_decoder(logits, [5], 10**6, merge_repeated=False))
        labels = tf.SparseTensor(wide.indices, tf.constant(wide.values, tf.int32), wide.dense_shape)
        loss = session.run(tf.nn.ctc_loss(labels, logits, [5]))
    np.testing.assert_allclose(-score[0], loss)

"""Arrays that are fed: no result lies in one, and their layout changes no number, where NumPy would give a view."""

import numpy as np
import pytest

import ossia as tf


@pytest.mark.parametrize(
    ("build", "value"),
    [
        (lambda x: tf.gather_nd(x, [1]), np.ones((2, 3), np.float32)),
        (lambda x: tf.reverse(x, [0]), np.ones((1, 3), np.float32)),
        (lambda x: tf.reverse(x, tf.zeros([0], tf.int32)), np.ones((2, 3), np.float32)),
    ],
    ids=["one_row", "reversed_row", "no_axes"],
)
def test_result_is_the_callers(build, value, monkeypatch):
    monkeypatch.setenv("OSSIA_BACKEND", "numpy")
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, None])
        found = session.run(build(x), {x: value})
    assert not np.may_share_memory(found, value)
    value[...] = 7
    assert (found == 1).all()


@pytest.mark.parametrize(
    "layout", [np.asfortranarray, np.ascontiguousarray, lambda a: np.repeat(a, 2, axis=-1)[:, ::2]],
    ids=["columns", "rows", "strided"],
)
def test_gradient_of_sparse_cross_entropy_in_every_layout(layout, monkeypatch):
    monkeypatch.setenv("OSSIA_BACKEND", "numpy")
    logits = np.array([[1, 2, 4], [-1, 0, 3]], np.float32)
    expected = np.exp(logits) / np.exp(logits).sum(1, keepdims=True) - np.eye(3)[[2, 0]]
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 3])
        loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[2, 0], logits=x)
        found = session.run(tf.gradients(loss, x)[0], {x: layout(logits)})
    np.testing.assert_allclose(found, expected, rtol=1e-5)

"""Results do not lie in the arrays that were fed, also where NumPy would give a view of them."""

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

"""What functions of `py_function` may do with tensors: they have values there."""

import numpy as np
import pytest

import ossia as tf


def called(function, *values, kind=tf.float32):
    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(tf.py_function(function, [tf.constant(value) for value in values], kind))


def larger_half(x):
    total = 0.0
    for value in x:
        total = total + (value if value > 1 else 0.0)
    return total


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (np.negative, [-0.5, -1.5]),
        (lambda x: np.stack([x, x])[1], [0.5, 1.5]),
        (lambda x: np.array([x[0], x[1]]), [0.5, 1.5]),
        (lambda x: np.array([2.0, 3.0], np.float32) * x, [1.0, 4.5]),
        (lambda x: (x * 2).numpy() + 1, [2.0, 4.0]),
        (lambda x: x * 2 if tf.reduce_sum(x) > 1 else x, [1.0, 3.0]),
        (larger_half, 1.5),
        (lambda x: float(x[0]) + int(x[1]) + len(x), 3.5),
        (lambda x: float(f"{x[0]:.2f}"), 0.5),
        (lambda x: sum(range(tf.constant(4))) + 0.0, 6.0),
        (lambda x: tf.boolean_mask(x, x > 1), [1.5]),
        (lambda x: tf.cond(x[0] < 1, lambda: x * 2, lambda: x), [1.0, 3.0]),
    ],
)  # fmt: skip
def test_values_of_tensors(function, expected):
    np.testing.assert_allclose(called(function, np.array([0.5, 1.5], np.float32)), expected)


def test_strings_have_values():
    assert called(lambda x: x.numpy().upper(), b"ab", kind=tf.string) == b"AB"


@pytest.mark.parametrize(
    ("function", "message"), [(len, r"Scalar tensor has no `len\(\)`"), (list, "Cannot iterate over a scalar tensor")]
)
def test_scalars_are_no_sequences(function, message):
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        called(function, 2.0)


def test_what_has_been_looked_at_is_not_computed_again():
    def difference(x):
        drawn = tf.random.uniform([3])
        return drawn - drawn.numpy()

    assert not called(difference, 1.0).any()


def test_gradients_flow_through_tensors_alone():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant([0.5, 1.5])
        by_branch = tf.py_function(lambda x: x * 3 if x[0] < 1 else x, [x], tf.float32)
        of_array = tf.py_function(np.sin, [x], tf.float32)
        found = session.run([tf.gradients(by_branch, x), tf.gradients(of_array, x)])
    assert found[0][0].tolist() == [3.0, 3.0] and found[1][0] == 0


def test_tensors_show_their_values():
    shown = called(lambda x: f"{x!s} {x!r}", 2.0, kind=tf.string).decode()
    assert shown.startswith("tf.Tensor(2.0, shape=(), dtype=float32)") and "numpy=" in shown
    assert not hasattr(tf.constant(1.0), "numpy")

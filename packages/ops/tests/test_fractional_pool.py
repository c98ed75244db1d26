"""Fractional pooling agrees with TensorFlow 1.15.5, and refuses what makes the original stop the process."""
import numpy as np
import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests

test_fractional_pool = golden_tests(__file__, "fractional_pool_cases.py")
X = np.arange(2 * 7 * 9 * 2, dtype=np.float32).reshape(2, 7, 9, 2)


@pytest.mark.parametrize("ratio", [[1, 20, 1.5, 1], [1, 0.5, 1.5, 1], [2, 1.5, 1.5, 1], [1, 1.5, 1.5, 2]])
@pytest.mark.parametrize("pool", [tf.nn.fractional_max_pool, tf.nn.fractional_avg_pool])
def test_refused(pool, ratio):
    x = tf.placeholder_with_default(X, [None] * 4)
    errors = tf.errors.InvalidArgumentError, tf.errors.UnimplementedError
    with tf.Session() as session, pytest.raises(errors):
        session.run(pool(x, ratio))


def test_regions_change_from_run_to_run_unless_deterministic():
    with tf.Session() as session:
        random = tf.nn.fractional_max_pool(np.zeros([1, 100, 100, 1], "f4"), [1.0, 1.4, 1.4, 1.0])[1]
        fixed = tf.nn.fractional_max_pool(np.zeros([1, 100, 100, 1], "f4"), [1.0, 1.4, 1.4, 1.0], deterministic=True)[1]
        assert session.run(random).tolist() != session.run(random).tolist()
        assert session.run(fixed).tolist() == session.run(fixed).tolist()


@pytest.mark.parametrize("rows", [[0, 3, 99], [-1, 3, 7], [0, 3], [0, 5, 2], [[0, 3, 7]]])
def test_sequences_that_do_not_fit(rows):
    grad, columns = np.ones([2, 2, 3, 2], "f4"), np.array([0, 3, 6, 9])
    rows = np.array(rows)
    with tf.Session() as session:
        for fetch in (
            tf.raw_ops.FractionalAvgPoolGrad(
                orig_input_tensor_shape=X.shape,
                out_backprop=grad,
                row_pooling_sequence=rows,
                col_pooling_sequence=columns,
            ),
            tf.raw_ops.FractionalMaxPoolGrad(
                orig_input=X,
                orig_output=grad,
                out_backprop=grad,
                row_pooling_sequence=rows,
                col_pooling_sequence=columns,
            ),
        ):
            with pytest.raises(tf.errors.InvalidArgumentError):
                session.run(fetch)

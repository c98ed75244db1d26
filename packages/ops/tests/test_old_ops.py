"""Ops that only older graphs hold, and the clock."""
import time

import numpy as np
import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests
from ossia_testkit.op_samples import old_graph

test_old_ops = golden_tests(__file__, "old_ops_cases.py")


def test_timestamp_is_the_time_of_the_run():
    with tf.Graph().as_default(), tf.Session() as session:
        now = tf.timestamp(name="now")
        assert (now.name, now.dtype, now.shape) == ("now:0", tf.float64, ())
        before = time.time()
        first, second = session.run(now), session.run(now)
        assert before <= first <= second <= time.time()


def test_tile_grad_adds_the_tiles():
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    with old_graph(), tf.Session() as session:
        total = session.run(tf.raw_ops.TileGrad(input=x, multiples=[2, 3]))
        np.testing.assert_array_equal(total, sum(x[i : i + 2, j : j + 2] for i in (0, 2) for j in (0, 2, 4)))
        for multiples in ([2], [3, 1], [0, 1], [-1, 1]):
            with pytest.raises(tf.errors.InvalidArgumentError, match="Multiples"):
                session.run(tf.raw_ops.TileGrad(input=x, multiples=multiples))


def test_a_crop_of_negative_size_is_refused():
    """The original ends the process."""
    with old_graph(), tf.Session() as session:
        size = tf.placeholder(tf.int64)
        crop = tf.raw_ops.RandomCrop(image=np.zeros((3, 3, 1), np.float32), size=size)
        with pytest.raises(tf.errors.InvalidArgumentError, match="negative"):
            session.run(crop, {size: [-1, 2]})


def test_eigenvectors_of_older_graphs_stand_below_their_values():
    x = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 5.0]])
    with old_graph(), tf.Session() as session:
        result = session.run(tf.raw_ops.SelfAdjointEig(input=x))
        np.testing.assert_allclose(x @ result[1:], result[1:] * result[0], atol=1e-12)
        unknown = tf.placeholder(tf.float64)
        with pytest.raises(tf.errors.InvalidArgumentError, match="square"):
            session.run(tf.raw_ops.SelfAdjointEig(input=unknown), {unknown: x[:2]})


def test_states_of_older_generators_begin_with_the_algorithm():
    with old_graph(), tf.Session() as session:
        state = tf.Variable(np.array([1, 5, 6, 7]), use_resource=True)
        draw = tf.raw_ops.StatefulStandardNormal(resource=state.handle, shape=[5])
        session.run(state.initializer)
        values = session.run(draw)
        # Recorded with TensorFlow 1.15.
        assert [repr(float(v)) for v in values[:2]] == [repr(float(np.float32(v))) for v in (-1.2876658, 1.199022)]
        assert session.run(state).tolist() == [1, 1285, 6, 7]
        for wrong in ([2, 5, 6, 7], [1, 5, 6], [5, 6, 7]):
            variable = tf.Variable(np.array(wrong), use_resource=True)
            session.run(variable.initializer)
            with pytest.raises(tf.errors.InvalidArgumentError):
                session.run(tf.raw_ops.StatefulStandardNormal(resource=variable.handle, shape=[5]))

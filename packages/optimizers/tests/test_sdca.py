"""Examples drawn at random by dual coordinate ascent: how often each is taken; the frequencies are the original's."""

import numpy as np
import pytest

import ossia as tf

RUNS = 2000
LEFT_OUT = -7.0  # weights of examples in the state, which a step overwrites
STARTED = np.array([[0.4, 0, 0, 0], [-0.2, 0, 0, 0], [0.1, 0, 0, 0]], np.float32)


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def shares(loss, features, weights, labels, state=None, example_weights=None, l1=0.0, l2=1.0, partitions=1):
    """How often each example is taken in a pass."""
    count = len(labels)
    state = np.zeros([count, 4], np.float32) if state is None else state.copy()
    state[:, 3] = LEFT_OUT
    result = tf.train.sdca_optimizer(
        [],
        [],
        [],
        [np.array(features, np.float32)],
        example_weights or [1.0] * count,
        np.array(labels, np.float32),
        [],
        [],
        [np.array(weights, np.float32)],
        tf.placeholder_with_default(state, [count, 4]),
        loss,
        l1,
        l2,
        partitions,
        1,
        adaptative=True,
    )
    with tf.Session() as session:
        step = session.make_callable(result[0])
        return np.mean([step()[:, 3] != LEFT_OUT for _ in range(RUNS)], axis=0)


WIDE = [[1.0, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 2.0]]
TURNED = {"features": WIDE, "weights": [0.3, 0.9, -2.1], "labels": [1, 0, 1], "state": STARTED}
HALF_EMPTY = {"features": [[1.0, 0.0], [0.0, 0.0]], "weights": [0.0, 0.0]}
CASES = {
    "squared": (
        {"loss": "squared_loss", "features": WIDE, "weights": [0.3, 0.2, 0.1], "labels": [1, 0, 1]},
        [0.985, 0.165, 0.995],
    ),
    "shrunk": (
        {
            "loss": "squared_loss",
            "features": WIDE,
            "weights": [0.3, 0.9, 0.1],
            "labels": [1, 0, 1],
            "l1": 0.4,
            "l2": 2.0,
        },
        [0.96, 0.425, 0.975],
    ),
    "logistic": ({"loss": "logistic_loss", **TURNED}, [0.81, 0.7, 0.996]),
    "hinge": ({"loss": "hinge_loss", **TURNED}, [0.935, 0.505, 0.99]),
    "smooth_hinge": ({"loss": "smooth_hinge_loss", **TURNED}, [0.87, 0.73, 0.985]),
    "poisson": ({"loss": "poisson_loss", **HALF_EMPTY, "labels": [3, 3]}, [0.976, 0.788]),
    "hinge_without_features": ({"loss": "hinge_loss", **HALF_EMPTY, "labels": [1, 1]}, [1.0, 0.0]),
    "at_the_optimum": ({"loss": "squared_loss", **HALF_EMPTY, "labels": [0, 0]}, [0.965, 0.865]),
}


@pytest.mark.parametrize("name", CASES)
def test_examples_are_drawn_by_what_they_promise(name):
    options, expected = CASES[name]
    np.testing.assert_allclose(shares(**options), expected, atol=0.05)


def test_an_example_of_no_weight_is_never_drawn():
    taken = shares("squared_loss", np.eye(3), [0.0] * 3, [1, 1, 1], example_weights=[1.0, 1.0, 0.0])
    assert taken[2] == 0 and (taken[:2] > 0.5).all()


def test_no_examples_at_all():
    result = tf.train.sdca_optimizer(
        [],
        [],
        [],
        [np.zeros([0, 2], np.float32)],
        [],
        [],
        [],
        [],
        [[1.0, 2.0]],
        np.zeros([0, 4], np.float32),
        "squared_loss",
        0.0,
        1.0,
        1,
        1,
        adaptative=True,
    )
    with tf.Session() as session:
        state, _, dense = session.run(list(result))
    assert state.shape == (0, 4)
    np.testing.assert_array_equal(dense[0], [0, 0])

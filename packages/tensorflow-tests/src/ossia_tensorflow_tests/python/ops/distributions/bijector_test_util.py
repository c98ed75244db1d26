"""`distributions.bijector_test_util`: what tests ask of invertible maps."""

from __future__ import annotations

from typing import Any

import numpy as np

import ossia as tf


def assert_finite(array: Any) -> None:
    """Raises AssertionError unless all elements are finite."""
    if not np.isfinite(array).all():
        raise AssertionError(f"array was not all finite. {array[:15]}")


def assert_strictly_increasing(array: Any) -> None:
    """Raises AssertionError unless each element is greater than the one before."""
    np.testing.assert_array_less(0.0, np.diff(array))


def assert_strictly_decreasing(array: Any) -> None:
    """Raises AssertionError unless each element is less than the one before."""
    np.testing.assert_array_less(np.diff(array), 0.0)


def assert_strictly_monotonic(array: Any) -> None:
    """Raises AssertionError unless the elements increase, or decrease, all along."""
    if array[0] < array[-1]:
        assert_strictly_increasing(array)
    else:
        assert_strictly_decreasing(array)


def assert_scalar_congruency(
    bijector: Any, lower_x: float, upper_x: float, n: int = int(10e3), rtol: float = 0.01, sess: Any = None
) -> None:
    """Raises AssertionError unless a map of numbers is monotonic, inverted, and stretches intervals as it says.

    Args:
        bijector: The map.
        lower_x: Where the interval begins.
        upper_x: Where it ends.
        n: How many random numbers stand for the interval.
        rtol: By how much the length of the interval may differ.
        sess: The session; the default one if None.
    """
    sess = sess or tf.get_default_session()
    points = np.linspace(lower_x, upper_x, 10).astype(np.float32)
    images = sess.run(bijector.forward(points))
    assert_finite(images)
    assert_strictly_monotonic(images)
    np.testing.assert_allclose(sess.run(bijector.inverse(images)), points, atol=1e-5, rtol=1e-3)
    lower_y, upper_y = sorted((float(images[0]), float(images[-1])))
    random = np.random.RandomState(0)
    x = random.uniform(lower_x, upper_x, n).astype(np.float32)
    y = random.uniform(lower_y, upper_y, n).astype(np.float32)
    of_x, of_y = sess.run(
        [bijector.forward_log_det_jacobian(x, event_ndims=0), bijector.inverse_log_det_jacobian(y, event_ndims=0)]
    )
    np.testing.assert_allclose(np.mean(np.exp(of_x)) * (upper_x - lower_x), upper_y - lower_y, atol=1e-5, rtol=rtol)
    np.testing.assert_allclose(np.mean(np.exp(of_y)) * (upper_y - lower_y), upper_x - lower_x, atol=1e-5, rtol=rtol)


def assert_bijective_and_finite(
    bijector: Any, x: Any, y: Any, event_ndims: int, atol: float = 0, rtol: float = 1e-5, sess: Any = None
) -> None:
    """Raises AssertionError unless both directions are finite and invert each other, with opposite log-determinants.

    Args:
        bijector: The map.
        x: Points that are mapped forward.
        y: Points that are mapped back.
        event_ndims: The number of last dimensions that make one event.
        atol: By how much values may differ.
        rtol: By what part of them.
        sess: The session; the default one if None.
    """
    sess = sess or tf.get_default_session()
    images, origins = bijector.forward(x), bijector.inverse(y)
    back, forth = bijector.inverse(tf.identity(images)), bijector.forward(tf.identity(origins))
    found = sess.run(
        [
            images, origins, back, forth,
            bijector.forward_log_det_jacobian(x, event_ndims), bijector.inverse_log_det_jacobian(images, event_ndims),
            bijector.forward_log_det_jacobian(origins, event_ndims), bijector.inverse_log_det_jacobian(y, event_ndims),
        ]
    )
    for array in found:
        assert_finite(array)
    for one, other in ((found[2], x), (found[3], y), (found[4], -found[5]), (found[6], -found[7])):
        np.testing.assert_allclose(one, other, atol=atol, rtol=rtol)

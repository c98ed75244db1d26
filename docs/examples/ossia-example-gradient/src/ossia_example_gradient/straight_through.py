"""Straight through: what has steps is differentiated as if it were the identity."""

import ossia as tf


def straight_through(op, grad):
    """The straight-through estimator (Bengio et al., 2013), saturated: no gradient where the input is beyond 1 or -1.

    Args:
        op: An operation of one input and one output of its shape, such as Sign or Round.
        grad: The gradient of its output.

    Returns:
        The gradient of its input.
    """
    (x,) = op.inputs
    return tf.where(tf.abs(x) <= 1, grad, tf.zeros_like(grad))

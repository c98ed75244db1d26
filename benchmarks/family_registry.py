"""What `families.py` times: each op family is a function that gives the fetches of its cases at three sizes.

Inputs are variables, so that nothing is fed and nothing is known when the graph is made. Runs on Python 3.7.
"""
from __future__ import annotations

import collections

import numpy as np

RANDOM = np.random.RandomState(0)
FAMILIES = collections.OrderedDict()


def family(name, *sizes):
    """Register a family: `f(tf, size)` yields (case, fetch)."""

    def register(function):
        FAMILIES[name] = function, sizes
        return function

    return register


def build(tf, name, size):
    """(case, fetch) of a family at size 0, 1 or 2."""
    function, sizes = FAMILIES[name]
    RANDOM.seed(0)
    return function(tf, sizes[size])


def held(tf, value, dtype=None):
    """A variable of a value."""
    return tf.Variable(value, trainable=False, dtype=dtype)


def floats(tf, *shape):
    """Standard normal float32 numbers."""
    return held(tf, RANDOM.randn(*shape).astype("f4"))


def positive(tf, *shape):
    """Numbers between 0.1 and 1.1."""
    return held(tf, (RANDOM.rand(*shape) + 0.1).astype("f4"))


def ints(tf, limit, *shape):
    """Random int32 numbers below a limit."""
    return held(tf, RANDOM.randint(0, limit, shape).astype("i4"))


def slope(tf, y, *xs):
    """The gradients of y, given one of y that is a variable: of ones, TensorFlow could compute some ahead."""
    whole = list(y) if isinstance(y, (list, tuple)) else [y]
    above = [
        floats(tf, *each.shape.as_list()) if each.dtype == tf.float32 and each.shape.is_fully_defined() else None for each in whole
    ]
    return tf.gradients(whole, list(xs), grad_ys=above)

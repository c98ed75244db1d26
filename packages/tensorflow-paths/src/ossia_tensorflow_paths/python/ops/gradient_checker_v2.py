"""`gradient_checker_v2`, the Jacobians of a function from its gradient and from differences, and `random_grad`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import ossia as tf
from ossia_core.differentiate import autodiff

IsTrainable = autodiff.is_trainable


def _IsBackpropagatable(tensor: Any) -> bool:
    """Whether gradients flow through a tensor, which they do through variants too."""
    return IsTrainable(tensor) or tensor.dtype in (tf.bfloat16, tf.resource, tf.variant)


def compute_gradient(
    f: Callable[..., Any], x: Sequence[Any], delta: float = 1e-3
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """The Jacobians of `f(*x)`, in a graph of its own or, within a default session, in that session's.

    Args:
        f: A function of tensors that returns one.
        x: Its arguments.
        delta: How far each element moves for the differences.

    Returns:
        The Jacobians from the gradient and those from differences: for each argument a matrix with a row for each
        of its elements (two per complex element), and a column for each element of the result.

    Raises:
        ValueError: `x` is no list.
    """
    if not isinstance(x, (list, tuple)):
        raise ValueError(f"`x` must be a list of Tensors (arguments to `f`), not a {type(x)}")
    inputs = [tf.convert_to_tensor(value) for value in x]
    y = f(*inputs)
    session = tf.get_default_session()
    with contextlib.nullcontext(session) if session else tf.Session(graph=y.graph) as session:
        values = session.run(inputs)
        found = [
            tf.test.compute_gradient(
                tensor, list(tensor.shape), y, y.shape.as_list() if y.shape.is_fully_defined()
                else list(session.run(y).shape), x_init_value=value, delta=delta,
                extra_feed_dict={other: kept for other, kept in zip(inputs, values) if other is not tensor},
            )
            for tensor, value in zip(inputs, values)
        ]
    return [pair[0] for pair in found], [pair[1] for pair in found]


def max_error(grad1: Sequence[np.ndarray], grad2: Sequence[np.ndarray]) -> float:
    """The largest difference between elements of two lists of Jacobians."""
    return max((float(np.abs(a - b).max()) for a, b in zip(grad1, grad2) if a.size), default=0.0)


def add_leading_unit_dimensions(x: Any, num_dimensions: int) -> Any:
    """A tensor with as many dimensions of size 1 before its own."""
    return tf.reshape(x, tf.concat([tf.ones([num_dimensions], tf.int32), tf.shape(x)], 0))

"""Checking gradients against finite differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.plugins.api_table import public


@public("test.compute_gradient")
def compute_gradient(
    x: Any,
    x_shape: Any,
    y: Any,
    y_shape: Any,
    x_init_value: Any = None,
    delta: float = 1e-3,
    init_targets: Any = None,
    extra_feed_dict: dict[Any, Any] | None = None,
) -> Any:
    """Computes the Jacobian matrix of `y` with respect to `x` by automatic and by numeric differentiation.

    Runs in the default session.

    Args:
        x: a tensor that is fed, or a list of them.
        x_shape: its shape, or a list of shapes.
        y: the tensor to differentiate.
        y_shape: its shape.
        x_init_value: where to differentiate, an array of `x`'s shape or a list of them; random by default.
        delta: the step of the numeric differentiation.
        init_targets: operations to run first.
        extra_feed_dict: values of other tensors.

    Returns:
        A pair of arrays of shape (size of `x`, size of `y`), the automatic result first; a list of pairs for a list of
        `x`. A complex element counts twice, as its real and its imaginary part.

    Raises:
        ValueError: if an initial value has another shape than `x`.
    """
    from ossia_core.graph.stack import get_default_session

    several = isinstance(x, (list, tuple))
    xs, x_shapes = (list(x), list(x_shape)) if several else ([x], [x_shape])
    values = (list(x_init_value) if several else [x_init_value]) if x_init_value is not None else [None] * len(xs)
    starts = [_start(each, tuple(shape), value) for each, shape, value in zip(xs, x_shapes, values)]
    session = get_default_session()
    if session is None:
        raise ValueError("compute_gradient needs a default session.")
    if init_targets is not None:
        session.run(init_targets)
    y_sizes = tuple(int(size) for size in y_shape)
    results = []
    for each, start in zip(xs, starts):
        feed = dict(extra_feed_dict or {}) | {_key(each): start}
        automatic = _automatic(session, each, y, y_sizes, start, feed)
        results.append((automatic, _numeric(session, each, y, y_sizes, start, feed, delta)))
    return results if several else results[0]


@public("test.compute_gradient_error")
def compute_gradient_error(
    x: Any,
    x_shape: Any,
    y: Any,
    y_shape: Any,
    x_init_value: Any = None,
    delta: float = 1e-3,
    init_targets: Any = None,
    extra_feed_dict: dict[Any, Any] | None = None,
) -> float:
    """Returns the largest difference between the two Jacobian matrices that `compute_gradient` computes."""
    found = compute_gradient(x, x_shape, y, y_shape, x_init_value, delta, init_targets, extra_feed_dict)
    pairs = found if isinstance(found, list) else [found]
    return max((float(np.fabs(a - b).max()) for a, b in pairs if a.size), default=0)


def _key(x: Any) -> Any:
    """What a session is fed for `x`: a variable is fed through its tensor."""
    return x if hasattr(x, "op") and not hasattr(x, "initializer") else x._as_graph_element()


def _start(x: Any, shape: tuple[int, ...], value: Any) -> np.ndarray:
    dtype = x.dtype.base_dtype
    if value is None:
        value = np.random.random_sample(shape)
        if dtype.is_complex:
            value = value + 1j * np.random.random_sample(shape)
    value = np.array(value, dtype.as_numpy_dtype)
    if value.shape != shape:
        raise ValueError(f"x_init_value has the shape {value.shape}, but x the shape {shape}.")
    return value


def _parts(value: np.ndarray) -> np.ndarray:
    """The real numbers in an array, as a flat view."""
    flat = value.reshape(-1)
    return flat.view(flat.real.dtype) if np.iscomplexobj(flat) else flat


def _automatic(session: Any, x: Any, y: Any, y_sizes: tuple[int, ...], start: np.ndarray, feed: dict) -> np.ndarray:
    from ossia_core.declare.opdef import lookup
    from ossia_core.differentiate.autodiff import gradients
    from ossia_core.graph.convert import constant

    grad_y = lookup("Identity")(constant(1.0, y.dtype.base_dtype, y_sizes))  # fed below
    (dx,) = gradients(y, x, grad_y)
    if dx is None:
        raise AssertionError(f"{y.name} has no gradient with respect to {x.name}.")
    numpy_type = y.dtype.as_numpy_dtype
    seed = np.zeros(y_sizes, numpy_type)
    parts = _parts(seed)
    matrix = np.zeros((_parts(start).size, parts.size), start.real.dtype)
    for column in range(parts.size):
        parts[column] = 1
        grad = session.run(dx, {**feed, grad_y: seed})
        parts[column] = 0
        matrix[:, column] = _parts(_dense(grad, start))
    return matrix


def _dense(grad: Any, like: np.ndarray) -> np.ndarray:
    if not hasattr(grad, "indices"):
        return np.array(grad, like.dtype)
    dense = np.zeros_like(like)
    np.add.at(dense, grad.indices, grad.values)
    return dense


def _numeric(
    session: Any, x: Any, y: Any, y_sizes: tuple[int, ...], start: np.ndarray, feed: dict, delta: float
) -> np.ndarray:
    key, point = _key(x), start.copy()
    run: Callable[[], np.ndarray] = lambda: np.array(session.run(y, {**feed, key: point}))
    parts = _parts(point)
    width = int(np.prod(y_sizes, dtype=np.int64)) * (2 if y.dtype.is_complex else 1)
    matrix = np.zeros((parts.size, width), start.real.dtype)
    for row in range(parts.size):
        kept = parts[row]
        step = parts.dtype.type(delta)
        parts[row] = kept + step
        above = _parts(run())
        parts[row] = kept - step
        below = _parts(run())
        parts[row] = kept
        matrix[row] = (above - below) / (2 * step)
    return matrix

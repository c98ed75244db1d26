"""`eager.backprop`: Python functions differentiated by their arguments, or by the variables that they read."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_core.differentiate.autodiff import sum_slices


def _places(f: Callable[..., Any], params: Sequence[Any] | None, count: int) -> list[int]:
    """The numbers of the arguments that `params` names, by number or by name; of all arguments if it is None.

    Raises:
        ValueError: There is no such argument, or one is named twice.
    """
    if params is None:
        return list(range(count))
    names = list(inspect.signature(f).parameters)
    if all(isinstance(param, str) for param in params):
        found = [names.index(param) for param in params]
    elif all(isinstance(param, int) for param in params):
        found = list(params)
    else:
        raise ValueError("params must be all strings or all integers.")
    if not all(0 <= place < count for place in found):
        raise ValueError(f"The arguments {params} are not among the {count} that the function was called with.")
    if len(set(found)) != len(found):
        raise ValueError(f"The arguments {params} are not all different.")
    return found


def make_vjp(f: Callable[..., Any], params: Sequence[Any] | None = None, persistent: bool = True) -> Callable[..., Any]:
    """A function of the same arguments: what `f` returns, and a function from the gradients of that to those of the
    arguments.

    Args:
        f: The function.
        params: Numbers or names of the arguments to differentiate by; all by default.
        persistent: Whether the second result may be called more than once.

    Raises:
        ValueError: `f` returns None, or `params` does not fit its arguments.
    """

    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        values, sources = list(args), list[Any]()
        for place in _places(f, params, len(values)):
            value = tf.convert_to_tensor(values[place])
            value = tf.identity(value) if any(value is known for known in sources) else value
            values[place] = value
            sources.append(value)
        with tf.GradientTape(persistent=persistent) as tape:
            tape.watch(sources)
            result = f(*values, **kwargs)
            if result is None:
                raise ValueError(
                    "Cannot differentiate a function that returns None; did you forget to return a value from "
                    f"{f.__name__}?"
                )
            result = tf.nest.map_structure(tf.identity, result)

        def vjp(dy: Any = None) -> Any:
            given = None if dy is None else [tf.convert_to_tensor(value) for value in tf.nest.flatten(dy)]
            return tape.gradient(tf.nest.flatten(result), sources, output_gradients=given)

        return result, vjp

    return decorated


def val_and_grad_function(f: Callable[..., Any], params: Sequence[Any] | None = None) -> Callable[..., Any]:
    """A function of the same arguments, and `dy`: what `f` returns, and its gradients by the arguments.

    Raises:
        ValueError: Keyword arguments other than `dy`.
    """

    def decorated(*args: Any, **kwargs: Any) -> Any:
        dy = kwargs.pop("dy", None)
        if kwargs:
            raise ValueError("Functions to be differentiated cannot receive keyword arguments.")
        value, vjp = make_vjp(f, params)(*args)
        return value, vjp(dy=dy)

    return decorated


def gradients_function(f: Callable[..., Any], params: Sequence[Any] | None = None) -> Callable[..., Any]:
    """A function of the same arguments, and `dy`: the gradients of `f` by its arguments."""
    return lambda *args, **kwargs: val_and_grad_function(f, params)(*args, **kwargs)[1]


def implicit_val_and_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the same arguments: what `f` returns, and pairs of gradients and the variables that it read.

    Raises:
        ValueError: `f` returns None, or reads no trainable variable.
    """

    def decorated(*args: Any, **kwargs: Any) -> Any:
        with tf.GradientTape() as tape:
            value = f(*args, **kwargs)
        if value is None:
            raise ValueError(
                f"Cannot differentiate a function that returns None; did you forget to return a value from "
                f"{f.__name__}?"
            )
        variables = tape.watched_variables()
        if not variables:
            raise ValueError("No trainable variables were accessed while the function was being computed.")
        return value, list(zip(tape.gradient(value, variables), variables))

    return decorated


def implicit_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the same arguments: pairs of gradients and the variables that `f` read."""
    return lambda *args, **kwargs: implicit_val_and_grad(f)(*args, **kwargs)[1]


def flatten_nested_indexed_slices(grad: tf.IndexedSlices) -> tf.IndexedSlices:
    """Slices whose values are slices, as slices of tensors."""
    if isinstance(grad.values, tf.Tensor):
        return grad
    inner = flatten_nested_indexed_slices(grad.values)
    return tf.IndexedSlices(inner.values, tf.gather(grad.indices, inner.indices), inner.dense_shape)


def aggregate_indexed_slices_gradients(grads: Sequence[Any]) -> Any:
    """The sum of gradients some of which are slices, as slices; None if there is none."""
    found = [grad for grad in grads if grad is not None]
    if len(found) < 2:
        return found[0] if found else None
    return sum_slices([
        flatten_nested_indexed_slices(grad) if isinstance(grad, tf.IndexedSlices)
        else tf.IndexedSlices(grad, tf.range(tf.shape(grad)[0]), tf.shape(grad)) for grad in found
    ])


_zeros, _ones = tf.zeros, tf.ones

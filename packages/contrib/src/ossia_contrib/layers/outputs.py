"""Outputs of layers in collections, with the aliases under which programs find them; small questions about shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ossia as tf
from ossia_core.names.nest import flatten
from ossia_core.plugins.api_table import public_module

public_module("contrib.slim.utils", "contrib.layers.python.layers.utils")


def append_tensor_alias(tensor: Any, alias: str) -> Any:
    """Adds a name to those under which `tensor` is known, and returns it."""
    alias = alias.removesuffix("/")
    if getattr(tensor, "aliases", None):
        tensor.aliases.append(alias)
    else:
        tensor.aliases = [alias]
    return tensor


def gather_tensors_aliases(tensors: Sequence[Any]) -> list[str]:
    """The aliases of all tensors."""
    return [alias for tensor in tensors for alias in get_tensor_aliases(tensor)]


def get_tensor_aliases(tensor: Any) -> list[str]:
    """The aliases of a tensor; the name of its op if it has none."""
    aliases = getattr(tensor, "aliases", None)
    if aliases:
        return aliases
    return [tensor.name.removesuffix(":0")]


def collect_named_outputs(collections: Any, alias: str, outputs: Any) -> Any:
    """Names outputs and puts them into collections; without collections does nothing. Returns the outputs."""
    if collections:
        append_tensor_alias(outputs, alias)
        tf.add_to_collections(collections, outputs)
    return outputs


def convert_collection_to_dict(collection: str, clear_collection: bool = False) -> dict[str, Any]:
    """The tensors of a collection by their aliases.

    Args:
      collection: name of the collection.
      clear_collection: whether to empty it.
    """
    found = {alias: tensor for tensor in tf.get_collection(collection) for alias in get_tensor_aliases(tensor)}
    if clear_collection:
        tf.get_default_graph().clear_collection(collection)
    return found


def constant_value(value_or_tensor_or_var: Any, dtype: Any = None) -> Any:
    """A value, or what a tensor is if the graph alone says so; None otherwise.

    Raises:
      ValueError: the argument is None.
    """
    if value_or_tensor_or_var is None:
        raise ValueError("value_or_tensor_or_var cannot be None")
    if isinstance(value_or_tensor_or_var, (tf.Tensor, tf.Variable)):
        if dtype and value_or_tensor_or_var.dtype.base_dtype != dtype:
            raise ValueError(f"It has the wrong type {value_or_tensor_or_var.dtype} instead of {dtype}")
        if isinstance(value_or_tensor_or_var, tf.Variable):
            return None
        return tf.get_static_value(value_or_tensor_or_var)
    return value_or_tensor_or_var


def static_cond(pred: Any, fn1: Any, fn2: Any) -> Any:
    """What one of two functions returns, by a bool.

    Raises:
      TypeError: an argument is no function.
    """
    if not callable(fn1):
        raise TypeError("fn1 must be callable.")
    if not callable(fn2):
        raise TypeError("fn2 must be callable.")
    return fn1() if pred else fn2()


def smart_cond(pred: Any, fn1: Any, fn2: Any, name: str | None = None) -> Any:
    """`tf.cond`, without a branch in the graph where the condition is known."""
    known = constant_value(pred)
    if known is not None:
        return static_cond(known, fn1, fn2)
    return tf.cond(pred, fn1, fn2, name=name)


def get_variable_collections(variables_collections: Any, name: str) -> Any:
    """The collections for a kind of variable: of a dict those under its name."""
    if isinstance(variables_collections, dict):
        return variables_collections.get(name, None)
    return variables_collections


def channel_dimension(shape: Any, data_format: str, min_rank: int = 1) -> int:
    """The number of channels of a shape, in a format whose name begins with NC if they come first.

    Raises:
      ValueError: it is not known, or the rank is less than `min_rank`.
    """
    axis = 1 if str(data_format).startswith("NC") else -1
    return _dimension(shape, axis, min_rank, f"`C` dimension of {data_format}")


def last_dimension(shape: Any, min_rank: int = 1) -> int:
    """The size of the last dimension.

    Raises:
      ValueError: it is not known, or the rank is less than `min_rank`.
    """
    return _dimension(shape, -1, min_rank, "last dimension shape")


def first_dimension(shape: Any, min_rank: int = 1) -> int | None:
    """The size of the first dimension, or None.

    Raises:
      ValueError: the rank is less than `min_rank`.
    """
    return tf.TensorShape(shape).with_rank_at_least(min_rank)[0].value


def _dimension(shape: Any, axis: int, min_rank: int, what: str) -> int:
    dims = tf.TensorShape(shape)
    if dims.ndims is None:
        raise ValueError("dims must be known")
    if dims.ndims < min_rank:
        raise ValueError(f"rank of shape must be at least {min_rank} not: {dims.ndims}")
    value = dims[axis].value
    if value is None:
        raise ValueError(f"{what} must be known but is None")
    return value


def two_element_tuple(int_or_tuple: Any) -> tuple[int, int]:
    """A pair of ints from an int or a pair.

    Raises:
      ValueError: the argument is something else.
    """
    return n_positive_integers(2, int_or_tuple)


def n_positive_integers(n: int, value: Any) -> Any:
    """A tuple of `n` positive ints from one int or `n` of them.

    Raises:
      ValueError: the argument is something else.
    """
    if isinstance(value, tf.TensorShape):
        value = value.as_list()
    numbers = tuple(int(number) for number in flatten(value))
    numbers = numbers * n if len(numbers) == 1 and not isinstance(value, (list, tuple)) else numbers
    if len(numbers) != n:
        raise ValueError(f"Expected a sequence of {n} positive integers, but received {value}")
    if any(number <= 0 for number in numbers):
        raise ValueError(f"expected all positive integers, but received {value}")
    return numbers

"""What input functions return: tensors, pairs of features and labels, or datasets."""
from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.scopes import device
from ossia_core.graph.stack import get_default_graph
from ossia_core.names import logging
from ossia_session.run_hook import SessionRunHook


class DatasetInitializerHook(SessionRunHook):
    """Starts the iterator of a dataset in every new session.

    Args:
        iterator: The iterator, with its operation `initializer`.
    """

    def __init__(self, iterator: Any) -> None:
        self._iterator = iterator

    def begin(self) -> None:
        self._initializer = self._iterator.initializer

    def after_create_session(self, session: Any, coord: Any) -> None:
        session.run(self._initializer)


def arguments(function: Callable) -> list[str]:
    """The names of the arguments of a function, of a `functools.partial`, or of an object that is called."""
    return [name for name in inspect.signature(function).parameters if name != "self"]


def call_input_fn(input_fn: Callable, mode: str, params: Any, config: Any, input_context: Any = None) -> Any:
    """Calls an input function with those of `mode`, `params`, `config` and `input_context` that it takes, on the CPU.

    The last is there under a distribution strategy alone.
    """
    offered = {"mode": mode, "params": params, "config": config}
    if input_context is not None:
        offered["input_context"] = input_context
    names = arguments(input_fn)
    with device("/cpu:0"):
        return input_fn(**{name: value for name, value in offered.items() if name in names})


def is_dataset(result: Any) -> bool:
    """Whether an input function has returned a dataset, of whatever class."""
    return hasattr(result, "make_initializable_iterator") or hasattr(result, "_make_initializable_iterator")


def features_and_labels(result: Any) -> tuple[Any, Any, list[SessionRunHook]]:
    """Features, labels and hooks from what an input function has returned.

    Raises:
        ValueError: It is a list or a tuple, but no pair.
    """
    hooks: list[SessionRunHook] = []
    if is_dataset(result):
        maker = getattr(result, "make_initializable_iterator", None) or result._make_initializable_iterator
        iterator = maker()
        hooks.append(DatasetInitializerHook(iterator))
        result = iterator.get_next()
    return *split_pair(result), hooks


def split_pair(result: Any) -> tuple[Any, Any]:
    """Features, and labels or None.

    Raises:
        ValueError: It is a list or a tuple, but no pair.
    """
    if not isinstance(result, (list, tuple)):
        return result, None
    if len(result) != 2:
        raise ValueError("input_fn should return (features, labels) as a len 2 tuple.")
    return result[0], result[1]


def warn_if_endless(result: Any) -> None:
    """Warns where features to predict from come from nothing that ends."""
    if not is_dataset(result) and not get_default_graph().get_collection(GraphKeys.QUEUE_RUNNERS):
        logging.warning(
            "Input graph does not use tf.data.Dataset or contain a QueueRunner. That means predict yields forever. "
            "This is probably a mistake."
        )

"""`auto_control_deps`: ops that change or read one resource run in the order in which they were built."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_core import nest
from ossia_core.functions.tracing import order_effects


class AutomaticControlDependencies:
    """A context in which ops with effects are ordered, and what is marked as returned waits for all of them."""

    def __init__(self) -> None:
        self._returned: list[Any] = []

    def mark_as_return(self, tensor: Any) -> Any:
        """A copy of a tensor, or of what is made of tensors, that is there when all effects are."""
        if isinstance(tensor, (tf.IndexedSlices, tf.SparseTensor)):
            parts = [self.mark_as_return(part) for part in nest.flatten(tensor, expand_composites=True)]
            return nest.pack_sequence_as(tensor, parts, expand_composites=True)
        if isinstance(tensor, tf.TensorArray):
            return tensor.with_flow(self.mark_as_return(tensor.flow))
        copy = tf.identity(tensor)
        self._returned.append(copy)
        return copy

    def __enter__(self) -> AutomaticControlDependencies:
        self._graph = tf.get_default_graph()
        self._known = len(self._graph.get_operations())
        return self

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        """Orders what was built.

        Raises:
            RuntimeError: Another graph is the default one than where the context began.
        """
        if kind is not None:
            return
        if self._graph is not tf.get_default_graph():
            raise RuntimeError("Graph changed while trying to add control dependencies.")
        made = order_effects(self._graph.get_operations()[self._known :])
        for tensor in self._returned:
            tensor.op._add_control_inputs([op for op in made if op is not tensor.op])


def automatic_control_dependencies(f: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator of functions whose results are there when all effects of their ops are."""

    @functools.wraps(f)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with AutomaticControlDependencies() as control:
            result = f(*args, **kwargs)
            return nest.map_structure(lambda t: None if t is None else control.mark_as_return(t), result)

    return wrapper

"""`framework.subscribe`: side effects that run whenever a tensor is used."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import ossia as tf

_SCOPE = "subscription"


def subscribe(tensors: Any, side_effects: Any) -> Any:
    """Lets functions see tensors before whatever takes these.

    Args:
        tensors: A tensor, or lists, tuples, namedtuples and dicts of tensors.
        side_effects: A function, or a list of functions, that take a tensor and return a list of the operations or
            tensors that are to run first.

    Returns:
        The tensors that stand for the subscribed ones, in the same structure.

    Raises:
        TypeError: There is something else than tensors.
        ValueError: A tensor is of another graph than the default one.
    """
    functions = list(side_effects) if isinstance(side_effects, (list, tuple)) else [side_effects]
    return _apply(tensors, lambda tensor: _subscribed(tensor, functions))


def _apply(value: Any, function: Callable[[Any], Any]) -> Any:
    if isinstance(value, (tf.Tensor, tf.Variable)):
        return function(tf.convert_to_tensor(value))
    if isinstance(value, dict):
        return {key: _apply(item, function) for key, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*[_apply(item, function) for item in value])
    if isinstance(value, (list, tuple)):
        return type(value)([_apply(item, function) for item in value])
    raise TypeError(f"subscribe argument {value!r} has invalid type {type(value)!r}")


def _subscribed(tensor: Any, functions: Iterable[Callable[[Any], Any]]) -> Any:
    graph = tf.get_default_graph()
    if tensor.graph is not graph:
        raise ValueError(f"Tensor {tensor} is not an element of this graph.")
    if _is_subscription(tensor.op):
        tensor = tensor.op.inputs[0]
    for consumer in tensor.consumers():
        if _is_subscription(consumer):
            consumer._add_control_inputs(_effects(tensor, functions))
            return consumer.outputs[0]
    users = [(op, i) for op in dict.fromkeys(tensor.consumers()) for i, t in enumerate(op.inputs) if t is tensor]
    followers = tensor.op._control_outputs
    effects = _effects(tensor, functions)
    with _context(tensor), graph.control_dependencies(effects), tf.name_scope(_scope(tensor)):
        result = tf.identity(tensor)
    for op, i in users:
        op._update_input(i, result)
    for op in followers:
        controls = [result.op if control is tensor.op else control for control in op.control_inputs]
        op._remove_all_control_inputs()
        op._add_control_inputs(controls)
    return result


def _is_subscription(op: Any) -> bool:
    return op.type == "Identity" and op.name.startswith(f"{_scope(op.inputs[0])}Identity")


def _scope(tensor: Any) -> str:
    return f"{tensor.op.name}/{_SCOPE}/"


def _effects(tensor: Any, functions: Iterable[Callable[[Any], Any]]) -> list[Any]:
    """What the functions add to the graph for a tensor."""
    found = []
    with _context(tensor), tf.name_scope(_scope(tensor)):
        for function in functions:
            found += [getattr(item, "op", item) for item in function(tensor)]
    return found


class _context:
    """In the loop or conditional of a tensor."""

    def __init__(self, tensor: Any) -> None:
        self._graph, self._context = tensor.graph, tensor.op._get_control_flow_context()

    def __enter__(self) -> None:
        self._outer = self._graph._get_control_flow_context()
        self._graph._set_control_flow_context(self._context)

    def __exit__(self, *exc: object) -> None:
        self._graph._set_control_flow_context(self._outer)


def _is_subscribed_identity(tensor: Any) -> bool:
    """Whether a tensor is what `subscribe` put in the place of another."""
    return _is_subscription(tensor.op)

"""Initial values that depend on other variables: they take the others' initial values until those are initialised."""

from __future__ import annotations

from typing import Any

from ossia_core.declare.language import SWITCH
from ossia_core.graph.build import add_raw
from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.graph import Graph
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor


def guarded(scope: str, initial_value: Tensor) -> Tensor:
    """`initial_value`, recomputed from the initial values of the reference variables it reads where they are not
    initialised yet.

    Nodes that have to be made anew get the name of the variable (`scope`) appended.
    """
    if _in_cycle(initial_value.op):
        return initial_value
    return _safe_tensor(scope, initial_value, {})


def _in_cycle(op: Operation) -> bool:
    """Whether the node depends on itself, as in loops."""
    path: set[Operation] = set()
    done: set[Operation] = set()
    stack = [(op, False)]
    while stack:
        node, leaving = stack.pop()
        if leaving:
            path.discard(node)
            done.add(node)
            continue
        if node in path:
            return True
        if node in done:
            continue
        path.add(node)
        stack.append((node, True))
        for producer in (*(t.op for t in node._inputs), *node._control_inputs):
            if producer in path:
                return True
            if producer not in done:
                stack.append((producer, False))
    return False


def _safe_tensor(scope: str, tensor: Tensor, made: dict[str, Operation]) -> Tensor:
    op = tensor.op
    new = made.get(op.name)
    if new is None:
        new = made[op.name] = _safe_op(scope, op, made)
    return new.outputs[tensor.value_index]


def _safe_op(scope: str, op: Operation, made: dict[str, Operation]) -> Operation:
    definition = op.definition
    if definition.only_reads:
        return op
    if definition.made:
        value = _initialized_value(op.graph, op)
        return op if value is None else value.op
    inputs = [_safe_tensor(scope, tensor, made) for tensor in op._inputs]
    if all(new is old for new, old in zip(inputs, op._inputs, strict=True)):
        return op
    kind = "Switch" if definition.role is SWITCH else op.type  # of values now
    attrs = {key: value for key, value in op.attrs.items() if key in definition.attrs or key.startswith("_")}
    return add_raw(op.graph, kind, tuple(inputs), attrs, f"{op.name}_{scope}".replace(":", "_"))


def _initialized_value(graph: Graph, op: Operation) -> Any:
    name = op.name + ":0"
    for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES):
        for variable in graph.get_collection(key):
            if getattr(variable, "name", None) == name:
                return variable.initialized_value()
    return None

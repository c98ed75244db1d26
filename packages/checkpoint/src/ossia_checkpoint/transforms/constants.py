"""Transforms of constants: their arrays, and nodes that always give the same."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_checkpoint.transforms.apply import Task
from ossia_checkpoint.transforms.nodes import source, with_nodes
from ossia_core.names import dtypes, errors, tensor_proto


def array_of(node: Any) -> np.ndarray:
    """The value of a Const node."""
    return tensor_proto.decode(node.attr["value"].tensor)


def set_array(node: Any, value: np.ndarray, dtype: Any = None) -> None:
    """Make a node a constant of a value."""
    node.op = "Const"
    del node.input[:]
    dtype = dtypes.as_dtype(value.dtype if dtype is None else dtype)
    node.attr.clear()
    node.attr["dtype"].type = dtype.as_datatype_enum
    node.attr["value"].tensor.CopyFrom(tensor_proto.make_tensor_proto(value, dtype=dtype))


def fold_constants(graph: Any, task: Task) -> Any:
    """Compute what depends on constants alone, and keep what the outputs need.

    Nodes that draw numbers, hold state or take part in loops and conditionals stay. With `ignore_errors=true` a node
    that cannot be computed stays, too.
    """
    from ossia_core.declare import opdef

    ignore = task.one("ignore_errors", "false") == "true"
    by_name = {node.name: node for node in graph.node}
    fixed: set[str] = set()
    for node in _in_order(graph):
        found = opdef.find(node.op)
        if node.op == "Const" or (
            found is not None and found.foldable and node.input and node.name not in task.inputs
            and all(source(text) in fixed and not text.startswith("^") for text in node.input)
        ):
            fixed.add(node.name)
    ends = sorted({
        text for node in graph.node if node.name not in fixed for text in node.input
        if not text.startswith("^") and source(text) in fixed and by_name[source(text)].op != "Const"
    } | {name for name in task.outputs if name in fixed and by_name[name].op != "Const"})
    if ends:
        try:
            _replace(graph, by_name, ends, _values(graph, fixed, ends))
        except (errors.OpError, ValueError, TypeError):
            if not ignore:
                raise
    return _needed(graph, task)


def _in_order(graph: Any) -> list[Any]:
    from ossia_checkpoint.transforms.nodes import sort_by_execution_order

    return list(sort_by_execution_order(graph, Task((), (), {})).node)


def _values(graph: Any, fixed: set[str], ends: list[str]) -> list[np.ndarray]:
    from ossia_core.graph.graph import Graph
    from ossia_core.graph.import_graph import import_graph_def
    from ossia_core.session.session import Session

    part = with_nodes(graph, [node for node in graph.node if node.name in fixed])
    names = [text if ":" in text else f"{text}:0" for text in ends]
    with Graph().as_default() as made:
        tensors = import_graph_def(part, return_elements=names, name="")
        with Session(graph=made) as session:
            return session.run(tensors)


def _replace(graph: Any, by_name: dict[str, Any], ends: list[str], values: list[np.ndarray]) -> None:
    """Put constants in the place of nodes; of further outputs of a node, beside it."""
    further = {}
    for text, value in zip(ends, values, strict=True):
        name, _, index = text.partition(":")
        if index in ("", "0") and not any(other.startswith(f"{name}:") and other != f"{name}:0" for other in ends):
            set_array(by_name[name], np.asarray(value))
        else:
            made = graph.node.add(name=f"{name}/folded_{index or 0}")
            set_array(made, np.asarray(value))
            further[text] = made.name
    for node in graph.node:
        node.input[:] = [further.get(text, text) for text in node.input]


def _needed(graph: Any, task: Task) -> Any:
    by_name = {node.name: node for node in graph.node}
    needed, pending = set(), [*task.outputs, *task.inputs]
    while pending:
        name = pending.pop()
        if name not in needed and name in by_name:
            needed.add(name)
            pending += map(source, by_name[name].input)
    return with_nodes(graph, [node for node in graph.node if node.name in needed])


TRANSFORMS = {"fold_constants": fold_constants}

"""Nodes that a program makes of NodeDefs itself: `tf.Operation(node_def, graph, ...)`."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ossia_core.graph.build import complete
from ossia_core.graph.graph_scopes import VALID_NAME, GraphScopes
from ossia_core.graph.inference import infer_shapes, output_types
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes


def fill(
    op: Operation,
    node_def: Any,
    graph: Any,
    inputs: list[Tensor] | None,
    control_inputs: Sequence[Any] | None,
    input_types: Sequence[Any] | None,
) -> None:
    """Make `op` the node of `graph` that the arguments of `tf.Operation` describe."""
    if getattr(getattr(node_def, "DESCRIPTOR", None), "name", "") != "NodeDef":
        raise TypeError(f"node_def needs to be a NodeDef: {node_def}")
    if not VALID_NAME.match(node_def.name):
        raise ValueError(f"'{node_def.name}' is not a valid node name")
    if not isinstance(graph, GraphScopes):
        raise TypeError(f"g needs to be a Graph: {graph}")
    if inputs is None:
        inputs = []
    elif not isinstance(inputs, list):
        raise TypeError(f"inputs needs to be a list of Tensors: {inputs}")
    for tensor in inputs:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"input needs to be a Tensor: {tensor}")
    if input_types is not None:
        wanted = [dtypes.as_dtype(dtype) for dtype in input_types]
        found = [tensor.dtype for tensor in inputs]
        if len(wanted) != len(found) or not all(w.is_compatible_with(f) for w, f in zip(wanted, found, strict=True)):
            raise TypeError(
                f"In op '{node_def.name}', input types ({found}) are not compatible with expected types ({wanted})"
            )
    controls = list(dict.fromkeys(_control(item) for item in control_inputs or ()))
    items: list[Any] = [*inputs, *controls]
    for item in items:
        if item.graph is not graph:
            raise ValueError(f"{item} is not from the passed-in graph.")
    graph._check_not_finalized()
    name = node_def.name
    if name in graph._by_name:
        raise ValueError(f"Duplicate node name in graph: '{name}'")
    definition, attrs = complete(graph, node_def.op, tuple(inputs), dict(node_def.attr), name)
    op._fill(graph, definition, name, tuple(inputs), attrs, output_types(definition, attrs), controls)
    op.device = node_def.device
    graph._operations.append(op)
    graph._by_name[name] = op
    graph._names_in_use.setdefault(name.lower(), 1)
    graph._version = op._id
    if graph._control_flow_context is not None:
        graph._control_flow_context.AddOp(op)
    infer_shapes(op)


def _control(item: Any) -> Operation:
    if isinstance(item, Operation):
        return item
    found = getattr(item, "op", None)
    if not isinstance(found, Operation):
        raise TypeError(f"Control input must be an Operation, a Tensor, or IndexedSlices: {item}")
    return found

"""Nodes that are described before their graph takes note of them, as those are that the original's C API makes."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.operation import Operation


class PendingNode:
    """A node that a graph is to get.

    Args:
      graph: the graph.
      node_def: NodeDef with name, type and attributes.
      inputs: tensors, and lists of them for list arguments.
      controls: operations that the node follows.
    """

    def __init__(self, graph: Any, node_def: Any, inputs: list[Any], controls: list[Any]) -> None:
        self.node_def, self.controls = node_def, controls
        self.inputs = [t for item in inputs for t in (item if isinstance(item, (list, tuple)) else [item])]
        graph._pending.append(self)


def taken(graph: Any, node: PendingNode, compute_device: bool, in_scopes: bool) -> Operation:
    """The operation that a pending node becomes.

    Args:
      graph: the graph.
      node: the pending node.
      compute_device: whether the `device` blocks in force apply.
      in_scopes: whether the `control_dependencies` blocks in force apply.
    """
    graph._pending.remove(node)
    more = graph._control_dependencies_for_inputs([tensor.op for tensor in node.inputs]) if in_scopes else ()
    made = Operation(node.node_def, graph, node.inputs, control_inputs=[*node.controls, *more])
    if compute_device:
        graph._apply_devices(made)
    return made

"""Bodies under construction as parts of the graphs around them: gradients flow through what they capture."""
from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_functions.func_graph import FuncGraph


class Closures:
    """A body and the bodies around it, through whose captures gradients flow.

    Args:
      graph: the body, or the graph of its gradient.
      xs: tensors that are not looked behind, though they stand for others.
    """

    def __init__(self, graph: Any, xs: Collection[Any]) -> None:
        self._standing: dict[Tensor, list[Tensor]] = {}
        self._captured: dict[Tensor, Tensor] = {}
        graph = getattr(graph, "forward", graph)
        while isinstance(graph, FuncGraph):
            for tensor, placeholder in graph.captures.items():
                self._standing.setdefault(tensor, []).append(placeholder)
                if not any(placeholder is x for x in xs):
                    self._captured[placeholder] = tensor
            graph = graph.outer_graph

    def consumers(self, tensor: Tensor) -> list[Operation]:
        """The nodes that use a tensor, in bodies too."""
        found = list(tensor._consumers)
        for placeholder in self._standing.get(tensor, ()):
            found.extend(self.consumers(placeholder))
        return found

    def inputs(self, op: Operation) -> list[Tensor]:
        """What a node takes: for a capture, the tensor captured."""
        return [self._source(t) for t in op._inputs]

    def _source(self, tensor: Tensor) -> Tensor:
        while tensor in self._captured:
            tensor = self._captured[tensor]
        return tensor

"""The graph that inputs share."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ossia_core.graph import stack
from ossia_core.graph.graph_scopes import GraphScopes

if TYPE_CHECKING:
    from ossia_core.graph.graph import Graph


def graph_of(items: Any, graph: Graph | None = None) -> Graph:
    """The graph that tensors, operations and composites in `items` share, the default graph if there are none.

    Raises:
      ValueError: they come from several graphs.
    """
    default = stack.get_default_graph()
    if default.building_function:
        return default
    first = None
    for item in items:
        own = getattr(item, "graph", None)
        if not isinstance(own, GraphScopes):
            continue
        if graph is None:
            graph, first = own, item
        elif own is not graph:
            if first is None:
                raise ValueError(f"{item} is not from the passed-in graph.")
            raise ValueError(f"{item} must be from the same graph as {first}.")
    return graph or default

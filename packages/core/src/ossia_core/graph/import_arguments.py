"""What `import_graph_def` is given: the GraphDef and its versions, the map of inputs, the names to return."""

from __future__ import annotations

import re
from typing import Any

from ossia_core.graph.graph import PRODUCER_VERSION, Graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names.version import VERSION


def as_graph_def(graph_def: Any) -> Any:
    """The GraphDef, also one of another library's class.

    Raises:
      TypeError: it is none.
    """
    from ossia_core.proto import GraphDef
    if isinstance(graph_def, GraphDef):
        return graph_def
    if type(graph_def).__name__ == "GraphDef" and hasattr(graph_def, "SerializeToString"):
        return GraphDef.FromString(graph_def.SerializeToString())
    raise TypeError("graph_def must be a GraphDef proto.")


def checked_map(input_map: Any) -> dict[str, Any]:
    """The map of inputs by names of inputs.

    Raises:
      TypeError: it is no dictionary of names.
    """
    if input_map is None:
        return {}
    if not (isinstance(input_map, dict) and all(isinstance(k, (str, bytes)) for k in input_map)):
        raise TypeError("input_map must be a dictionary mapping strings to Tensor objects.")
    return {k.decode() if isinstance(k, bytes) else k: v for k, v in input_map.items()}


def in_this_graph(graph: Graph, key: str, tensor: Tensor) -> Tensor:
    """The tensor of `graph` that a tensor of `input_map` names; a tensor of another graph stands for its namesake.

    Raises:
      ValueError: there is none.
    """
    if tensor.graph is graph:
        return tensor
    op = graph._by_name.get(tensor.op.name)
    if op is None:
        entry = f"{key if ':' in key or key.startswith('^') else f'{key}:0'}->{tensor.name}"
        raise ValueError(f"node '{tensor.op.name}' in input_map does not exist in graph (input_map entry: {entry})")
    if tensor.value_index >= len(op.outputs):
        raise ValueError(f"Node '{op.name}' of input_map has {len(op.outputs)} outputs, and no {tensor.name!r}")
    return op.outputs[tensor.value_index]


def checked_names(return_elements: Any) -> list[str] | None:
    """The names of what is to be returned.

    Raises:
      TypeError: they are no strings.
    """
    if return_elements is None:
        return None
    names = list(return_elements)
    if not all(isinstance(x, (str, bytes)) for x in names):
        raise TypeError("return_elements must be a list of strings.")
    return [x.decode() if isinstance(x, bytes) else x for x in names]


def check_tensor_names(names: list[str]) -> None:
    """ValueError if a name is that of no operation and no tensor."""
    for name in names:
        if ":" in name and not re.match(r"[^:]+:\d+\Z", name):
            raise ValueError(f"Cannot convert {name!r} to a tensor name.")


def check_versions(versions: Any) -> None:
    """ValueError if the GraphDef says that it is for other programs."""
    if versions.min_consumer > PRODUCER_VERSION:
        raise ValueError(
            f"GraphDef min consumer version {versions.min_consumer} above current version {PRODUCER_VERSION} for "
            f"TensorFlow {VERSION}.  Please upgrade TensorFlow."
        )
    if PRODUCER_VERSION in versions.bad_consumers:
        raise ValueError(
            f"GraphDef disallows consumer version {PRODUCER_VERSION}.  Please upgrade TensorFlow: this version is "
            "likely buggy."
        )
    if versions.producer < 0:
        raise ValueError(
            f"GraphDef producer version {versions.producer} below min producer 0 supported by TensorFlow {VERSION}.  "
            "Please regenerate your graph."
        )

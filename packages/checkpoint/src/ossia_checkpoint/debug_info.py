"""Where the nodes of a graph come from, as a file beside its meta graph tells it."""

from __future__ import annotations

import os
from typing import Any

from ossia_checkpoint import commit
from ossia_core.graph.graph import Graph

_FRAMES = 10  # of each node, the innermost first


def path_beside(meta_graph: str) -> str:
    """The file with debugging information that belongs to the file of a meta graph."""
    return f"{os.path.splitext(meta_graph)[0]}.debug"


def debug_info(graph: Graph, nodes: list[str]) -> Any:
    """A GraphDebugInfo: the lines of the program that made each of the nodes.

    Args:
        graph: The graph.
        nodes: The names of its nodes; those that it does not have are left out.
    """
    from ossia_core.proto import GraphDebugInfo

    made = GraphDebugInfo()
    files: dict[str, int] = {}
    for name in nodes:
        op = graph._by_name.get(name)
        if op is None:
            continue
        trace = made.traces[name]
        for file, line, *_ in list(reversed(op.traceback))[:_FRAMES]:
            trace.file_line_cols.add(file_index=files.setdefault(file, len(files)), line=line)
    made.files.extend(files)
    return made


def write(graph: Graph, nodes: list[str], path: str) -> None:
    """Writes the GraphDebugInfo of some nodes to a file."""
    commit.write(path, debug_info(graph, nodes).SerializeToString(deterministic=True))

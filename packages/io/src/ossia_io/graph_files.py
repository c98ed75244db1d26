"""Graphs as files."""

from __future__ import annotations

import uuid
from typing import Any

from ossia_core.files import file_system
from ossia_core.graph.graph import Graph
from ossia_core.plugins.api_table import public
from ossia_io.paths import Path, makedirs, text_path


@public("train.write_graph", "io.write_graph", "compat.v2.io.write_graph")
def write_graph(graph_or_graph_def: Any, logdir: Path, name: str, as_text: bool = True) -> str:
    """Writes a graph to a file, under another name first, so that a reader finds the old file or the new one, whole.

    Args:
        graph_or_graph_def: A Graph or a GraphDef.
        logdir: The directory, made if it is missing.
        name: Name of the file.
        as_text: Whether to write the text form of the GraphDef instead of the binary one.

    Returns:
        The path of the file.
    """
    graph_def = graph_or_graph_def.as_graph_def() if isinstance(graph_or_graph_def, Graph) else graph_or_graph_def
    if as_text:
        from google.protobuf import text_format

        data = text_format.MessageToString(graph_def).encode("utf-8")
    else:
        data = graph_def.SerializeToString()
    directory = text_path(logdir)
    makedirs(directory)
    path = f"{directory}{'' if directory.endswith('/') else '/'}{name}"
    write_whole(path, data)
    return path


def write_whole(path: str, data: bytes) -> None:
    """Writes a file so that it is never seen half written."""
    store = file_system(path)
    temporary = f"{path}.tmp{uuid.uuid4().hex}"
    try:
        with store.open(temporary, "wb") as file:
            file.write(data)
        store.rename(temporary, path)
    except BaseException:
        if store.exists(temporary):
            store.remove(temporary)
        raise

"""Graphs as files."""

from __future__ import annotations

import contextlib
import os
from typing import Any

from ossia_core import temporaries
from ossia_core.files import file_system
from ossia_core.graph.graph import Graph
from ossia_core.names import errors
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
    """Writes a file so that it is never seen half written; what an earlier process left of it unfinished goes."""
    directory, name = os.path.split(path)
    temporaries.sweep(directory, name.__eq__)
    store = file_system(path)
    unfinished = temporaries.create(path)
    try:
        with unfinished.stream as file:
            file.write(data)
        store.rename(unfinished.path, path)
    except BaseException:
        with contextlib.suppress(errors.OpError):
            store.remove(unfinished.path)
        raise
    finally:
        unfinished.release()

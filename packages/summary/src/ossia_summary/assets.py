"""The files that plugins of TensorBoard find beside the events: `plugins/<name of the plugin>/<file>`."""

from __future__ import annotations

from typing import Any

from ossia_io.gfile import GFile
from ossia_io.paths import makedirs

COLLECTION = "__tensorboard_plugin_asset__"


def write(graph: Any, logdir: str) -> None:
    """Writes what the plugins keep in the collections of a graph."""
    for name in graph.get_collection(COLLECTION):
        folder = f"{logdir.rstrip('/')}/plugins/{name}"
        for asset in graph.get_collection(COLLECTION + name):
            makedirs(folder)
            for file, content in asset.assets().items():
                with GFile(f"{folder}/{file}", "w" if isinstance(content, str) else "wb") as out:
                    out.write(content)

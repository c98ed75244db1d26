"""`plugin_asset`: files that plugins of TensorBoard find beside the events of a graph."""

from __future__ import annotations

import abc
from typing import Any

import ossia as tf
from ossia_summary.assets import COLLECTION


class PluginAsset(abc.ABC):
    """What a plugin keeps for a graph; a FileWriter that gets the graph writes it.

    Attributes:
        plugin_name: The name of the plugin, and of the directory of its files.
    """

    plugin_name: str | None = None

    @abc.abstractmethod
    def assets(self) -> dict[str, Any]:
        """The contents of the files, by name."""


def get_plugin_asset(plugin_asset_cls: Any, graph: Any = None) -> Any:
    """The asset of a class in a graph (the default one if None), made at the first call.

    Raises:
        ValueError: The class names no plugin, or another class has the same one.
    """
    graph = graph or tf.get_default_graph()
    name = plugin_asset_cls.plugin_name
    if not name:
        raise ValueError(f"Class {plugin_asset_cls.__name__} has no plugin_name")
    key = COLLECTION + name
    kept = graph.get_collection(key)
    if kept:
        if not isinstance(kept[0], plugin_asset_cls):
            raise ValueError(
                f"Plugin name collision between classes {plugin_asset_cls.__name__} and {type(kept[0]).__name__}"
            )
        return kept[0]
    asset = plugin_asset_cls()
    graph.add_to_collection(key, asset)
    graph.add_to_collection(COLLECTION, name)
    return asset


def get_all_plugin_assets(graph: Any = None) -> list[Any]:
    """All assets of a graph, the default one if None."""
    graph = graph or tf.get_default_graph()
    return [graph.get_collection(COLLECTION + name)[0] for name in graph.get_collection(COLLECTION)]

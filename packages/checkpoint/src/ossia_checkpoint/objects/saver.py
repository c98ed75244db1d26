"""Writes object-based checkpoints: the nodes that save the objects below a root, made once and run by each save."""

from __future__ import annotations

import os
import re
from typing import Any

from ossia_checkpoint import shards
from ossia_checkpoint.objects.graph import OBJECT_GRAPH_KEY, Node, attribute_key, attributes, described, object_graph
from ossia_checkpoint.objects.python_state import PythonState
from ossia_checkpoint.saveables import SaveableObject, SaveSpec
from ossia_checkpoint.saver_builder import SaverBuilder
from ossia_core import files
from ossia_core.graph.convert import constant
from ossia_core.graph.scopes import device
from ossia_core.graph.stack import get_default_session
from ossia_core.names import dtypes


class _GraphSaveable(SaveableObject):
    """The description of the objects, which each checkpoint holds."""

    def __init__(self) -> None:
        with device("/cpu:0"):
            self.fed = constant(b"", dtype=dtypes.string)
        super().__init__(self.fed, [SaveSpec(self.fed, "", OBJECT_GRAPH_KEY)], OBJECT_GRAPH_KEY)


class ObjectSaver:
    """Saves the objects below a root."""

    def __init__(self, root: Any) -> None:
        """Makes a saver; nothing is added to a graph yet."""
        self._root = root
        self._built: tuple[Any, ...] = ()
        self._swept: set[str] = set()
        self._saveables: dict[tuple[int, str, str], tuple[Any, list[SaveableObject]]] = {}

    def saveables(self, value: Any, name: str, key: str) -> list[SaveableObject]:
        """The saveable objects of an attribute of an object, made once: some of them add nodes."""
        found = self._saveables.get((id(value), name, key))
        if found is None:
            found = self._saveables[id(value), name, key] = value, attributes(value)[name][1](key)
        return found[1]

    def save(self, file_prefix: str, session: Any) -> str:
        """Writes a checkpoint.

        Args:
            file_prefix: Its prefix; folders are made.
            session: The session that holds the values.

        Returns:
            The prefix.
        """
        nodes = object_graph(self._root)
        description = described(nodes).SerializeToString()
        same = (session.graph, description, [id(node.value) for node in nodes])
        if not self._built or self._built[0] != same:
            with session.graph.as_default():
                self._built = (same, *self._build(nodes))
        _, prefix, saved, description_tensor, states = self._built
        folder = os.path.dirname(file_prefix)
        if folder:
            files.file_system(folder).make_directories(folder)
        name = re.sub(r"-\d+$", "", file_prefix)
        if name not in self._swept:
            self._swept.add(name)
            shards.sweep_saves(name, "checkpoint")
        feeds = {prefix: file_prefix, description_tensor: description}
        for state in states:
            feeds.update(state.feeds())
        try:
            session.run(saved, feeds)
        finally:
            shards.abandon(file_prefix)
        return file_prefix

    def _build(self, nodes: list[Node]) -> tuple[Any, ...]:
        wanted = [(node.value, name, attribute_key(node, name)) for node in nodes for name in attributes(node.value)]
        states = [s for each in wanted if isinstance(each[0], PythonState) for s in self.saveables(*each)]
        description = _GraphSaveable()
        with device("/cpu:0"):
            prefix = constant("model", dtype=dtypes.string)
        saveables = [saveable for each in wanted for saveable in self.saveables(*each)]
        saved = SaverBuilder().save_shards(prefix, [*saveables, description])
        return prefix, saved, description.fed, states


def session_or_default(session: Any) -> Any:
    """The session given, or the default one.

    Raises:
        ValueError: There is none.
    """
    session = get_default_session() if session is None else session
    if session is None:
        raise ValueError("There is no session to save from or restore to: pass `session=`, or enter `with session:`.")
    return session

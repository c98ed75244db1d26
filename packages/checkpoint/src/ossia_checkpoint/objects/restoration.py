"""Matches the objects of a program with those that a checkpoint describes, and makes the nodes that restore them."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any, NamedTuple

from ossia_checkpoint import save_ops
from ossia_checkpoint.objects.graph import attributes, dependencies, slot_names
from ossia_checkpoint.objects.python_state import PythonState
from ossia_checkpoint.objects.saver import ObjectSaver
from ossia_core.graph.convert import constant
from ossia_core.graph.graph import Graph
from ossia_core.graph.scopes import device
from ossia_core.graph.stack import get_default_graph
from ossia_core.names import dtypes
from ossia_core.names.device import canonical_name
from ossia_core.variables.variable import Variable

_LOG = logging.getLogger("tensorflow")


class RestoreNodes:
    """The restoring nodes of one graph, which every restoration of the same objects runs again."""

    def __init__(self) -> None:
        """Adds the tensor of the checkpoint's prefix, to be fed."""
        with device("/cpu:0"):
            self.prefix = constant("model", dtype=dtypes.string)
        self._made: dict[tuple[int, str], tuple[Any, Any]] = {}

    def made(self, value: Any, key: str) -> Any:
        """What has run when the object is restored from that key; None if there is no such node yet."""
        found = self._made.get((id(value), key))
        return found[1] if found else None

    def make(self, wanted: list[tuple[Any, str, list[Any]]]) -> None:
        """Adds the nodes for objects, their keys and saveable objects: one reading node for each device."""
        per_device: dict[str, list[tuple[Any, str, Any]]] = {}
        for value, key, saveables in sorted(wanted, key=lambda each: each[1]):
            for saveable in saveables:
                per_device.setdefault(canonical_name(saveable.device), []).append((value, key, saveable))
        for _, items in sorted(per_device.items()):
            specs = [spec for *_, saveable in items for spec in saveable.specs]
            with device("/cpu:0"):
                tensors = save_ops.restore_v2_op(
                    self.prefix,
                    [spec.name for spec in specs],
                    [spec.slice_spec for spec in specs],
                    dtypes=[spec.dtype.base_dtype for spec in specs],
                )
            for value, key, saveable in items:
                own, tensors = tensors[: len(saveable.specs)], tensors[len(saveable.specs) :]
                self._made[id(value), key] = (value, saveable.restore(own, None))


class Binding(NamedTuple):
    """Which object stands for which object of the checkpoint.

    Attributes:
        objects: The object of the program by the index of that in the checkpoint.
        slots: The indices that are slots of optimizers, by the variable's.
    """

    objects: dict[int, Any]
    slots: dict[int, list[int]]

    def of_first_matches(self) -> Binding:
        """The same, but that an object that stands for several of the checkpoint takes the values of the first."""
        firsts: dict[int, int] = {}
        for at, value in self.objects.items():
            firsts.setdefault(id(value), at)
        kept = {at: value for at, value in self.objects.items() if firsts[id(value)] == at}
        if len(kept) < len(self.objects) and any(
            attributes(value) for at, value in self.objects.items() if at not in kept
        ):
            _LOG.warning(
                "An object of the program stands for several objects of the checkpoint, which differs from the program "
                "in what refers to the same object. It gets the values of the first."
            )
        return Binding(kept, {at: [s for s in own if s in kept] for at, own in self.slots.items()})


def bind(root: Any, graph: Any) -> Binding:
    """Matches objects by the names of dependencies, from the roots on; of two ways to an object the shorter counts."""
    objects = {0: root}
    waiting = [0]
    for at in waiting:
        named = dependencies(objects[at])
        for child in graph.nodes[at].children:
            if child.local_name in named and child.node_id not in objects:
                objects[child.node_id] = named[child.local_name]
                waiting.append(child.node_id)
    slots: dict[int, list[int]] = {}
    for at in waiting:
        optimizer = objects[at]
        known = slot_names(optimizer)
        for slot in graph.nodes[at].slot_variables:
            variable = objects.get(slot.original_variable_node_id)
            if not isinstance(variable, Variable) or slot.slot_name not in known:
                continue
            found = optimizer.get_slot(variable, slot.slot_name)
            if found is not None:
                objects[slot.slot_variable_node_id] = found
                slots.setdefault(slot.original_variable_node_id, []).append(slot.slot_variable_node_id)
    return Binding(objects, slots)


class Restoration:
    """One checkpoint on its way into the objects below a root, those too that come to be only later."""

    def __init__(
        self, root: Any, graph: Any, reader: Any, path: str, saver: ObjectSaver, nodes: dict[Graph, RestoreNodes]
    ) -> None:
        """Notes what is to be restored.

        Args:
            root: The object that stands for the checkpoint's root.
            graph: The checkpoint's TrackableObjectGraph.
            reader: The open checkpoint.
            path: Its prefix.
            saver: What saves the objects, and keeps their saveable objects.
            nodes: The RestoreNodes of each graph.
        """
        self.root, self.graph, self.path = root, graph, path
        self._reader = reader
        self._saver = saver
        self._nodes = nodes
        self._deserialized: dict[int, Any] = {}

    def bound(self) -> Binding:
        """The matches as the objects are now."""
        return bind(self.root, self.graph)

    def operations(self) -> tuple[list[Any], dict[Any, str]]:
        """What restores all objects that exist now, and what to feed; Python state is restored at once."""
        nodes = self._nodes.get(get_default_graph())
        if nodes is None:
            nodes = self._nodes[get_default_graph()] = RestoreNodes()
        binding = self.bound().of_first_matches()
        slots = {slot for own in binding.slots.values() for slot in own}
        for at in binding.objects:
            for slot in binding.slots.get(at, ()):
                nodes.make(self._missing(nodes, slot, binding))
        nodes.make([item for at in binding.objects if at not in slots for item in self._missing(nodes, at, binding)])
        found = [nodes.made(value, key) for at in binding.objects for value, _, key in self._values(at, binding)]
        return [each for each in found if each is not None], {nodes.prefix: self.path}

    def _missing(self, nodes: RestoreNodes, at: int, binding: Binding) -> list[tuple[Any, str, list[Any]]]:
        missing = []
        for value, name, key in self._values(at, binding):
            if isinstance(value, PythonState):
                if id(value) not in self._deserialized:
                    self._deserialized[id(value)] = value
                    value.deserialize(self._reader.get_tensor(key))
            elif nodes.made(value, key) is None:
                missing.append((value, key, self._saver.saveables(value, name, key)))
        return missing

    def _values(self, at: int, binding: Binding) -> Iterator[tuple[Any, str, str]]:
        value = binding.objects[at]
        own = attributes(value)
        for attribute in self.graph.nodes[at].attributes:
            if attribute.name in own:
                yield value, attribute.name, attribute.checkpoint_key

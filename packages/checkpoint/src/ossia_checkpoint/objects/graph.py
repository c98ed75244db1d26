"""The graph of objects below a root: what depends on what, and the keys under which checkpoints hold the values."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ossia_checkpoint.saveables import SaveableObject, saveables_of_one
from ossia_core.variables.partition import PartitionedVariable
from ossia_core.variables.variable import Variable

OBJECT_GRAPH_KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"
VARIABLE_VALUE = "VARIABLE_VALUE"
_CONTAINERS = (list, dict, collections.OrderedDict)


@dataclass
class Node:
    """One object of the graph.

    Attributes:
        value: The object.
        path: The names that lead to it from the root; the shortest such way.
        children: Name and index of what it depends on.
        slots: For an optimizer: index of a variable, name of a slot, index of that slot.
        key: What its keys in a checkpoint begin with.
    """

    value: Any
    path: tuple[str, ...]
    key: str
    children: list[tuple[str, int]] = field(default_factory=list)
    slots: list[tuple[int, str, int]] = field(default_factory=list)


def is_container(value: Any) -> bool:
    """Whether this is a plain list or dict; what it holds is tracked by position or key."""
    return type(value) in _CONTAINERS


def is_trackable(value: Any) -> bool:
    """Whether checkpoints can hold this object: a variable, a list or dict, or what says itself what it depends on."""
    if isinstance(value, type):
        return False
    return (
        (isinstance(value, Variable) and not isinstance(value, PartitionedVariable))
        or is_container(value)
        or hasattr(value, "_checkpoint_dependencies")
        or hasattr(value, "_gather_saveables_for_checkpoint")
    )


def dependencies(value: Any) -> dict[str, Any]:
    """What an object depends on, by name, in the order in which the object graph lists it.

    Raises:
        ValueError: A dict has a key that is no string for something that would have to be saved.
    """
    if isinstance(value, Variable):
        return {}
    if type(value) is list:
        named: Any = ((str(at), item) for at, item in enumerate(value))
    elif is_container(value):
        for key, item in value.items():
            if not isinstance(key, str) and is_trackable(item):
                raise ValueError(
                    f"Unable to save the object {value}: the non-string key {key!r} leads to something that a "
                    "checkpoint would have to hold."
                )
        named = ((key, item) for key, item in value.items() if isinstance(key, str))
    else:
        named = getattr(value, "_checkpoint_dependencies", ())
    return {name: item for name, item in named if is_trackable(item)}


def object_graph(root: Any) -> list[Node]:
    """The objects below a root, itself first, nearest first, then the slots that optimizers keep for variables.

    Raises:
        NotImplementedError: A slot is also an attribute of some object.
    """
    nodes = [Node(root, (), "")]
    index = {id(root): 0}
    at = 0
    while at < len(nodes):
        node = nodes[at]
        for name, value in dependencies(node.value).items():
            if id(value) not in index:
                index[id(value)] = len(nodes)
                path = (*node.path, name)
                nodes.append(Node(value, path, "/".join(map(_escaped, path))))
            node.children.append((name, index[id(value)]))
        at += 1
    _add_slots(nodes, index)
    return nodes


def _add_slots(nodes: list[Node], index: dict[int, int]) -> None:
    objects = list(enumerate(nodes))
    for _, optimizer in objects:
        for name in slot_names(optimizer.value):
            for at, variable in objects:
                if not isinstance(variable.value, Variable):
                    continue
                slot = optimizer.value.get_slot(variable.value, name)
                if slot is None:
                    continue
                if id(slot) in index:
                    raise NotImplementedError(
                        f"A slot variable is also an attribute of an object that is saved, or of two optimizers: {slot}"
                    )
                index[id(slot)] = len(nodes)
                key = f"{variable.key}/.OPTIMIZER_SLOT/{optimizer.key}/{_escaped(name)}"
                nodes.append(Node(slot, (*variable.path, name), key))
                optimizer.slots.append((at, name, index[id(slot)]))


def slot_names(value: Any) -> list[str]:
    """The names of the slots that an object keeps for variables; none if it is no optimizer."""
    if hasattr(value, "get_slot_names") and hasattr(value, "get_slot"):
        return list(value.get_slot_names())
    return []


def _escaped(name: str) -> str:
    return name.replace(".", "..").replace("/", ".S")


def attributes(value: Any) -> dict[str, tuple[str, Callable[[str], list[SaveableObject]]]]:
    """What an object holds itself: by name, the full name of a variable, and what makes saveable objects for a key."""
    if isinstance(value, Variable):
        return {VARIABLE_VALUE: (value.op.name, lambda key: list(saveables_of_one(value, key)))}
    gather = getattr(value, "_gather_saveables_for_checkpoint", None)
    if gather is None or isinstance(value, type):
        return {}
    return {name: ("", _maker(each)) for name, each in gather().items()}


def _maker(given: Any) -> Callable[[str], list[SaveableObject]]:
    def saveables(key: str) -> list[SaveableObject]:
        made = given(name=key) if callable(given) else given
        return list(saveables_of_one(made, key))

    return saveables


def attribute_key(node: Node, name: str) -> str:
    """The key under which a checkpoint holds an attribute of an object."""
    return f"{node.key}/.ATTRIBUTES/{name}" if node.key else f".ATTRIBUTES/{name}"


def described(nodes: list[Node]) -> Any:
    """The TrackableObjectGraph of the objects."""
    from ossia_core.proto import TrackableObjectGraph

    graph = TrackableObjectGraph()
    for node in nodes:
        made = graph.nodes.add()
        for name, at in node.children:
            made.children.add(node_id=at, local_name=name)
        for variable, name, slot in node.slots:
            made.slot_variables.add(original_variable_node_id=variable, slot_name=name, slot_variable_node_id=slot)
        for name, (full_name, _) in attributes(node.value).items():
            made.attributes.add(name=name, full_name=full_name, checkpoint_key=attribute_key(node, name))
    return graph


def read_graph(reader: Any) -> Any:
    """The TrackableObjectGraph of an open checkpoint; None if the checkpoint is name-based.

    Raises:
        DataLossError: It is no such message, or speaks of objects that it does not have.
    """
    from google.protobuf.message import DecodeError

    from ossia_core.names import errors
    from ossia_core.proto import TrackableObjectGraph

    if not reader.has_tensor(OBJECT_GRAPH_KEY):
        return None
    content = reader.get_tensor(OBJECT_GRAPH_KEY)
    try:
        graph = TrackableObjectGraph.FromString(content)
    except (DecodeError, TypeError) as error:
        raise errors.DataLossError(None, None, f"Damaged object graph in the checkpoint: {error}") from None
    if not graph.nodes:
        raise errors.DataLossError(None, None, "The object graph of the checkpoint has no root")
    for at in _referenced(graph):
        if not 0 <= at < len(graph.nodes):
            raise errors.DataLossError(None, None, f"The object graph of the checkpoint has no object {at}")
    return graph


def _referenced(graph: Any) -> Iterator[int]:
    for node in graph.nodes:
        yield from (child.node_id for child in node.children)
        for slot in node.slot_variables:
            yield slot.original_variable_node_id
            yield slot.slot_variable_node_id


def keys_of_names(graph: Any) -> dict[str, str]:
    """The key of each variable by the name that its node had."""
    return {each.full_name: each.checkpoint_key for node in graph.nodes for each in node.attributes if each.full_name}


def variables_and_slots(nodes: list[Node]) -> list[Any]:
    """The objects that have an initializer."""
    return [node.value for node in nodes if getattr(node.value, "initializer", None) is not None]

"""Transforms of nodes as such: which are there, their names, attributes, devices and order."""

from __future__ import annotations

import fnmatch
import string
from collections.abc import Iterable
from typing import Any

from ossia_checkpoint.transforms.apply import Task, invalid
from ossia_core.names import dtypes

_DIGITS = string.digits + string.ascii_lowercase


def source(text: str) -> str:
    """The node that an input names."""
    return text.lstrip("^").partition(":")[0]


def emptied(graph: Any) -> Any:
    """A GraphDef with the versions and functions of another, and no nodes."""
    made = type(graph)()
    made.versions.CopyFrom(graph.versions)
    made.library.CopyFrom(graph.library)
    return made


def with_nodes(graph: Any, nodes: Iterable[Any]) -> Any:
    """A GraphDef with other nodes."""
    made = emptied(graph)
    made.node.extend(nodes)
    return made


def renamed_inputs(graph: Any, names: dict[str, str]) -> None:
    """Change where inputs come from, by `name` or `name:output`; a chain of changes is followed to its end."""
    for node in graph.node:
        for i, text in enumerate(node.input):
            mark = "^" if text.startswith("^") else ""
            found = text[len(mark) :]
            seen = set()
            while (new := names.get(found, names.get(found.removesuffix(":0")))) is not None and found not in seen:
                seen.add(found)
                found = new
            node.input[i] = mark + found if not mark else mark + source(found)


def strip_unused_nodes(graph: Any, task: Task) -> Any:
    """Keep what the outputs need; what is fed becomes a placeholder."""
    by_name = {node.name: node for node in graph.node}
    for name in (*task.outputs, *task.inputs):
        if name not in by_name:
            raise invalid(f"Input node {name} not found in graph")
    fed, needed, pending = set(task.inputs), set(), list(task.outputs)
    while pending:
        name = pending.pop()
        if name in needed:
            continue
        needed.add(name)
        if name not in fed:
            pending += [source(text) for text in by_name[name].input if source(text) in by_name]
    kinds = dict(zip(task.parameters.get("name", []), task.parameters.get("type_for_name", []), strict=False))
    shapes = dict(zip(task.parameters.get("name", []), task.parameters.get("shape_for_name", []), strict=False))
    kind, shape = task.one("type", "float"), task.one("shape", "")
    made = emptied(graph)
    for node in graph.node:
        if node.name not in needed:
            continue
        added = made.node.add()
        if node.name in fed and node.op not in ("Placeholder", "PlaceholderV2"):
            added.name, added.op = node.name, "Placeholder"
            added.attr["dtype"].type = dtypes.as_dtype(kinds.get(node.name, kind)).as_datatype_enum
            added.attr["shape"].shape.SetInParent()
            sizes = shapes.get(node.name, shape)
            added.attr["shape"].shape.unknown_rank = not sizes
            for size in filter(None, sizes.split(",")):
                added.attr["shape"].shape.dim.add(size=int(size))
        else:
            added.CopyFrom(node)
    return made


def remove_nodes(graph: Any, task: Task) -> Any:
    """Remove nodes of some types, whose followers take what they took."""
    types = set(task.parameters.get("op", ()))
    if not types:
        raise invalid("The transform remove_nodes needs a parameter 'op'")
    most = task.number("max_inputs", 1)
    gone = {}
    for node in graph.node:
        data = [text for text in node.input if not text.startswith("^")]
        if node.op in types and node.name not in (*task.inputs, *task.outputs) and 1 <= len(data) <= most:
            gone[node.name] = data[0]
    made = with_nodes(graph, [node for node in graph.node if node.name not in gone])
    renamed_inputs(made, gone)
    return made


def remove_control_dependencies(graph: Any, task: Task) -> Any:
    """Remove all control inputs."""
    for node in graph.node:
        node.input[:] = [text for text in node.input if not text.startswith("^")]
    return graph


def _fitting(node: Any, pattern: str) -> bool:
    return fnmatch.fnmatchcase(node.op, pattern)


def remove_attribute(graph: Any, task: Task) -> Any:
    """Remove an attribute, from nodes of one type or of all."""
    name, pattern = task.one("attribute_name"), task.one("op_name", "*")
    for node in graph.node:
        if _fitting(node, pattern) and name in node.attr:
            del node.attr[name]
    return graph


def rename_attribute(graph: Any, task: Task) -> Any:
    """Rename an attribute, in nodes of one type or of all."""
    old, new, pattern = task.one("old_attribute_name"), task.one("new_attribute_name"), task.one("op_name", "*")
    for node in graph.node:
        if _fitting(node, pattern) and old in node.attr:
            node.attr[new].CopyFrom(node.attr[old])
            del node.attr[old]
    return graph


def rename_op(graph: Any, task: Task) -> Any:
    """Give nodes of one type another type."""
    old, new = task.one("old_op_name"), task.one("new_op_name")
    for node in graph.node:
        if node.op == old:
            node.op = new
    return graph


def remove_device(graph: Any, task: Task) -> Any:
    """Remove the devices of all nodes."""
    for node in graph.node:
        node.device = ""
    return graph


def set_device(graph: Any, task: Task) -> Any:
    """Put all nodes, or those without a device, on a device."""
    device, if_default = task.one("device"), task.one("if_default", "false") == "true"
    for node in graph.node:
        if not (if_default and node.device):
            node.device = device
    return graph


def sort_by_execution_order(graph: Any, task: Task) -> Any:
    """Put inputs before what takes them; what is in a loop stays as it is."""
    by_name = {node.name: node for node in graph.node}
    done: dict[str, Any] = {}
    for start in graph.node:
        pending = [(start.name, iter(start.input))] if start.name not in done else []
        entered = {start.name}
        while pending:
            name, rest = pending[-1]
            new = (each for each in map(source, rest) if each in by_name and each not in done)
            following = next((each for each in new if each not in entered), None)
            if following is None:
                done[name] = by_name[name]
                pending.pop()
            else:
                entered.add(following)
                pending.append((following, iter(by_name[following].input)))
    return with_nodes(graph, done.values())


def add_default_attributes(graph: Any, task: Task) -> Any:
    """Give all nodes the attributes that have defaults and that they do not say."""
    from ossia_core.declare import opdef
    from ossia_core.graph.export import op_def

    defaults: dict[str, dict[str, Any]] = {}
    for node in graph.node:
        if node.op not in defaults:
            found = opdef.find(node.op)
            attrs = op_def(found).attr if found is not None else ()
            defaults[node.op] = {attr.name: attr.default_value for attr in attrs if attr.HasField("default_value")}
        for name, value in defaults[node.op].items():
            if name not in node.attr:
                node.attr[name].CopyFrom(value)
    return graph


def merge_duplicate_nodes(graph: Any, task: Task) -> Any:
    """Keep one of several nodes that compute the same of the same."""
    from ossia_core.declare import opdef

    kept_names = {*task.inputs, *task.outputs}
    while True:
        first: dict[bytes, str] = {}
        gone = {}
        for node in graph.node:
            found = opdef.find(node.op)
            if node.name in kept_names or found is None or found.stateful or node.op.startswith("Placeholder"):
                continue
            copy = type(node).FromString(node.SerializeToString())
            copy.name = ""
            key = copy.SerializeToString(deterministic=True)
            if first.setdefault(key, node.name) != node.name:
                gone[node.name] = first[key]
        if not gone:
            return graph
        graph = with_nodes(graph, [node for node in graph.node if node.name not in gone])
        renamed_inputs(graph, gone)


def obfuscate_names(graph: Any, task: Task) -> Any:
    """Give all nodes but inputs and outputs short names without a meaning."""
    kept = {*task.inputs, *task.outputs}
    new: dict[str, str] = {}
    number = 0
    for node in graph.node:
        if node.name in kept:
            continue
        while (name := _short(number)) in kept:
            number += 1
        new[node.name] = name
        number += 1
    for node in graph.node:
        node.name = new.get(node.name, node.name)
        for i, text in enumerate(node.input):
            mark, (name, colon, rest) = "^" if text.startswith("^") else "", text.lstrip("^").partition(":")
            node.input[i] = f"{mark}{new.get(name, name)}{colon}{rest}"
    return graph


def _short(number: int) -> str:
    """A number in digits and small letters."""
    text = ""
    while True:
        number, digit = divmod(number, len(_DIGITS))
        text = _DIGITS[digit] + text
        if not number:
            return text


TRANSFORMS = {
    function.__name__: function
    for function in (
        strip_unused_nodes, remove_nodes, remove_control_dependencies, remove_attribute, rename_attribute, rename_op,
        remove_device, set_device, sort_by_execution_order, add_default_attributes, merge_duplicate_nodes,
        obfuscate_names,
    )
}

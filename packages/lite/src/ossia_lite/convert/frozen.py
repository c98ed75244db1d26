"""Graphs made ready for a conversion: variables become constants, inputs become placeholders of known shapes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from ossia_core import files
from ossia_core.graph.graph import Graph
from ossia_core.graph.import_graph import import_graph_def


def freeze(session: Any, outputs: Sequence[Any]) -> Any:
    """The GraphDef of what outputs need, with constants in place of variables.

    Args:
        session: A session of the graph, in which the variables are initialised.
        outputs: Tensors.
    """
    names = [tensor.op.name for tensor in outputs]
    from ossia_checkpoint.graph_util import convert_variables_to_constants

    return convert_variables_to_constants(session, session.graph.as_graph_def(add_shapes=False), names)


def read_graph_def(path: str | os.PathLike[str]) -> Any:
    """Reads a file with a GraphDef, binary or text.

    Args:
        path: The file.

    Raises:
        OSError: It cannot be read or parsed.
    """
    from google.protobuf import text_format
    from google.protobuf.message import DecodeError

    from ossia_core.proto import GraphDef

    name = os.fsdecode(path)
    system = files.file_system(name)
    if not system.exists(name):
        raise OSError(f"File '{name}' does not exist.")
    with system.open(name, "rb") as stream:
        content = stream.read()
    try:
        return GraphDef.FromString(content)
    except DecodeError:
        try:
            return text_format.Parse(content.decode(), GraphDef())
        except (text_format.ParseError, UnicodeDecodeError, RecursionError):
            raise OSError(f"Unable to parse input file '{name}'.") from None


def cut(
    graph_def: Any, inputs: Mapping[str, tuple[Any, Sequence[int]]], outputs: Sequence[str]
) -> tuple[Graph, dict[str, list[str]], list[Any], list[Any]]:
    """A graph of what lies between inputs and outputs, with static shapes that follow from those of the inputs.

    Args:
        graph_def: A GraphDef without variables.
        inputs: For each tensor that is fed, its name: the dtype and the shape.
        outputs: The names of the tensors that are fetched.

    Returns:
        The graph, without control dependencies; for each op that had some, their names; its inputs, which are
        placeholders, and its outputs.

    Raises:
        ValueError: The graph cannot be imported.
    """
    from ossia_checkpoint.graph_util import extract_sub_graph

    operations = {name.partition(":")[0] for name in inputs}
    changed = type(graph_def)()
    changed.versions.CopyFrom(graph_def.versions)
    changed.library.CopyFrom(graph_def.library)
    for node in graph_def.node:
        kept = changed.node.add()
        if node.name in operations and f"{node.name}:0" in inputs:
            dtype, shape = inputs[f"{node.name}:0"]
            kept.name, kept.op = node.name, "Placeholder"
            kept.attr["dtype"].type = dtype.as_datatype_enum
            for size in shape:
                kept.attr["shape"].shape.dim.add().size = int(size)
        else:
            kept.CopyFrom(node)
            kept.ClearField("device")
            kept.attr.pop("_output_shapes", None)
            kept.attr.pop("_class", None)
    wanted = sorted({name.partition(":")[0] for name in outputs} | operations)
    changed = extract_sub_graph(changed, wanted)
    controls = _without_controls(changed)
    graph = Graph()
    with graph.as_default():
        import_graph_def(changed, name="")
    return (
        graph,
        controls,
        [graph.get_tensor_by_name(name) for name in inputs],
        [graph.get_tensor_by_name(name) for name in outputs],
    )


def _without_controls(graph_def: Any) -> dict[str, list[str]]:
    """Takes control dependencies out of a GraphDef; returns them."""
    found = {}
    for node in graph_def.node:
        names = list(node.input)
        controls = [name[1:] for name in names if name.startswith("^")]
        if controls:
            found[node.name] = controls
            del node.input[:]
            node.input.extend(name for name in names if not name.startswith("^"))
    return found

"""`strip_unused_lib`: the part of a GraphDef between some nodes and others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ossia as tf
from ossia_tensorflow_paths.python.tools import freeze_graph as freezing


def strip_unused(
    input_graph_def: Any, input_node_names: Sequence[str], output_node_names: Sequence[str], placeholder_type_enum: Any
) -> Any:
    """What the output nodes need, up to the input nodes, which become placeholders.

    Args:
        input_graph_def: The GraphDef.
        input_node_names: The nodes that become placeholders.
        output_node_names: The nodes that are needed.
        placeholder_type_enum: The dtype of the placeholders as a number, or a list with one for each.

    Returns:
        A GraphDef.

    Raises:
        KeyError: There is no such input node.
        ValueError: The name of an input is that of a tensor.
        AssertionError: There is no such output node.
    """
    for name in input_node_names:
        if ":" in name:
            raise ValueError(f"Name '{name}' appears to refer to a Tensor, not a Operation.")
    missing = set(input_node_names) - {node.name for node in input_graph_def.node}
    if missing:
        raise KeyError(f"The following input nodes were not found: {missing}")
    several = isinstance(placeholder_type_enum, (list, tuple))
    cut = tf.GraphDef()
    for node in input_graph_def.node:
        made = cut.node.add()
        if node.name in input_node_names:
            made.op, made.name = "Placeholder", node.name
            place = list(input_node_names).index(node.name)
            made.attr["dtype"].type = placeholder_type_enum[place] if several else placeholder_type_enum
            if "_output_shapes" in node.attr:
                made.attr["_output_shapes"].CopyFrom(node.attr["_output_shapes"])
            if "shape" in node.attr:
                made.attr["shape"].CopyFrom(node.attr["shape"])
        else:
            made.CopyFrom(node)
    return tf.graph_util.extract_sub_graph(cut, list(output_node_names))


def strip_unused_from_files(
    input_graph: str, input_binary: bool, output_graph: str, output_binary: bool, input_node_names: str,
    output_node_names: str, placeholder_type_enum: Any
) -> int | None:
    """`strip_unused` of a GraphDef in a file, written to another one; names are separated by commas.

    Returns:
        -1 if there is no such file, or no output node is named; else None.

    Raises:
        tf.errors.OpError: A file cannot be read or written.
        ValueError: There is no list of output nodes.
    """
    from google.protobuf import text_format

    if not tf.gfile.Exists(input_graph):
        print(f"Input graph file '{input_graph}' does not exist!")
        return -1
    if not output_node_names:
        print("You need to supply the name of a node to --output_node_names.")
        return -1
    graph_def = freezing.read(input_graph, tf.GraphDef(), input_binary)
    stripped = strip_unused(graph_def, input_node_names.split(","), output_node_names.split(","), placeholder_type_enum)
    with tf.gfile.GFile(output_graph, "wb" if output_binary else "w") as file:
        file.write(stripped.SerializeToString() if output_binary else text_format.MessageToString(stripped))
    print(f"{len(stripped.node)} ops in the final graph.")
    return None

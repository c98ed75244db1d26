"""Transforms to op types of older versions, and nodes that print what others compute."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ossia_checkpoint.transforms.apply import Task
from ossia_checkpoint.transforms.nodes import renamed_inputs, with_nodes

_WITH_FLOW = ("TensorArrayV3", "TensorArrayGradV3")  # their second output is a number that orders the others
_TRUE = ("true", "t", "1", "yes")


def backport_concatv2(graph: Any, task: Task) -> Any:
    """Make each ConcatV2 a Concat, which takes its axis first."""
    for node in graph.node:
        if node.op == "ConcatV2":
            data = [text for text in node.input if not text.startswith("^")]
            node.op, node.input[: len(data)] = "Concat", [data[-1], *data[:-1]]
            node.attr.pop("Tidx", None)
    return graph


def backport_tensor_array_v3(graph: Any, task: Task) -> Any:
    """Make tensor arrays those of the second version, whose flow is a constant."""
    import numpy as np

    from ossia_checkpoint.transforms.constants import set_array

    names: dict[str, str] = {}

    def nodes() -> Iterator[Any]:
        for node in graph.node:
            if node.op.startswith("TensorArray") and node.op.endswith("V3"):
                has_flow, node.op = node.op in _WITH_FLOW, f"{node.op.removesuffix('V3')}V2"
                node.attr.pop("identical_element_shapes", None)
                yield node
                if has_flow:
                    flow = type(node)(name=f"{node.name}/replacement_flow_node")
                    set_array(flow, np.float32(1))
                    names[f"{node.name}:1"] = flow.name
                    yield flow
            else:
                yield node

    made = with_nodes(graph, nodes())
    renamed_inputs(made, names)
    return made


def insert_logging(graph: Any, task: Task) -> Any:
    """Put a node that prints after each node: those of the types `op`, or with names that begin with `prefix`, or all.

    `message`, `show_op` and `show_name` say what is printed before the values, `first_n` how often, `summarize` how
    many values.
    """
    from ossia_core.graph.graph import Graph
    from ossia_core.graph.import_graph import import_graph_def

    types, prefixes = task.parameters.get("op", []), task.parameters.get("prefix", [])
    shows = [task.one(name, "false").lower() in _TRUE for name in ("show_op", "show_name")]
    message, first, many = task.one("message", ""), task.number("first_n", -1), task.number("summarize", 1024)
    with Graph().as_default() as known:
        import_graph_def(graph, name="")
    names: dict[str, str] = {}

    def nodes() -> Iterator[Any]:
        for node in graph.node:
            yield node
            outputs = known.get_operation_by_name(node.name).outputs
            wanted = (not types or node.op in types) and (not prefixes or node.name.startswith(tuple(prefixes)))
            if not outputs or not wanted or node.name in task.outputs or any(t.dtype._is_ref_dtype for t in outputs):
                continue
            kinds = [tensor.dtype.base_dtype.as_datatype_enum for tensor in outputs]
            printed = [f"{node.name}:{i}" for i in range(len(outputs))]
            made = type(node)(name=f"{node.name}__print__", op="Print", input=[printed[0], *printed])
            made.attr["T"].type = kinds[0]
            made.attr["U"].list.type.extend(kinds)
            said = [f";{text};" for text, shown in zip((node.op, made.name), shows, strict=True) if shown]
            made.attr["message"].s = ("".join(said) + message).encode()
            made.attr["first_n"].i, made.attr["summarize"].i = first, many
            names[node.name] = names[printed[0]] = f"{made.name}:0"
            yield made

    made = with_nodes(graph, nodes())
    for node in made.node:
        if node.op != "Print" or not node.name.endswith("__print__"):
            node.input[:] = [names.get(text, text) for text in node.input]
    return made


TRANSFORMS = {
    function.__name__: function for function in (backport_concatv2, backport_tensor_array_v3, insert_logging)
}

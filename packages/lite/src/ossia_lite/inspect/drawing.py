"""A model as a graph for Graphviz: operators as boxes, tensors as edges and ellipses."""

from __future__ import annotations

from ossia_lite.checks import operator_name
from ossia_lite.operators import TENSOR_TYPES
from ossia_lite.schema import Record


def dot(model: Record, subgraph: int = 0) -> str:
    """The text of a `.dot` file.

    Args:
        model: A record of the table `Model`.
        subgraph: Which subgraph.
    """
    graph = model.subgraphs[subgraph]
    lines = ["digraph Computegraph {", '  node [fontsize="10", fontname="sans-serif"];']
    constant = {
        index for index, tensor in enumerate(graph.tensors)
        if tensor.buffer < len(model.buffers) and model.buffers[tensor.buffer].data is not None
        and len(model.buffers[tensor.buffer].data)
    }
    used = {index for operator in graph.operators for index in (*operator.inputs, *operator.outputs)}
    for index in sorted((used | {*graph.inputs, *graph.outputs}) - {-1}):
        tensor = graph.tensors[index]
        ends = index in graph.inputs or index in graph.outputs
        colour = "#F57F17" if index in constant else "#4285F4" if ends else "#BDBDBD"
        shape = "x".join(map(str, tensor.shape)) or "scalar"
        label = _quoted(f"{tensor.name}\n{TENSOR_TYPES[tensor.type]} {shape}")
        lines.append(f'  t{index} [label={label}, shape="ellipse", style="filled", fillcolor="{colour}"];')
    for place, operator in enumerate(graph.operators):
        name = operator_name(model.operator_codes[operator.opcode_index])
        lines.append(f'  o{place} [label={_quoted(name)}, shape="box", style="filled", fillcolor="#DB4437"];')
        lines += [f"  t{index} -> o{place};" for index in operator.inputs if index >= 0]
        lines += [f"  o{place} -> t{index};" for index in operator.outputs if index >= 0]
    return "\n".join([*lines, "}", ""])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'

"""`ossia graph`: graphs drawn, and changed."""

from __future__ import annotations

import os
from typing import Any

import click

from ossia_command import file_kinds


@click.group()
def graph() -> None:
    """Draw graphs, and change them."""


def read(path: str) -> Any:
    """The GraphDef in a GraphDef, MetaGraphDef or SavedModel; of the latter, that of its first meta graph.

    Raises:
        ValueError: There is no graph in it.
    """
    found = file_kinds.find(path)
    if found.kind == "saved model":
        return found.content.meta_graphs[0].graph_def
    if found.kind == "meta graph":
        return found.content.graph_def
    if found.kind != "graph":
        raise ValueError(f"{path!r} holds no graph, but is of the kind: {found.kind}")
    return found.content


@graph.command(short_help="draw a graph as SVG")
@click.argument("path")
@click.option("-o", "--output", required=True, metavar="FILE.svg", help="Where to draw.")
@click.option("--depth", type=int, help="How many parts of a name make a box; by default as many as stay readable.")
@click.option("--scope", default="", help="Only what is in this name scope.")
def show(path: str, output: str, depth: int | None, scope: str) -> None:
    """Draw the graph at PATH: a box for each name scope, the flow of tensors from top to bottom."""
    from ossia_command import graph_drawing

    boxes = graph_drawing.boxes(read(path), scope, depth)
    with open(output, "w", encoding="utf-8") as file:
        file.write(graph_drawing.svg(boxes, title=os.path.basename(path)))
    click.echo(f"{len(boxes)} boxes drawn to {output}")


@graph.command(short_help="change a graph, as the original's transform_graph")
@click.argument("path")
@click.option("-o", "--output", required=True, metavar="FILE", help="Where to write; .pbtxt for the text form.")
@click.option("--inputs", default="", metavar="NAMES", help="The names of the inputs, with commas between.")
@click.option("--outputs", required=True, metavar="NAMES", help="The names of the outputs, with commas between.")
@click.option("--transforms", required=True, metavar="LIST", help="As `strip_unused_nodes fold_batch_norms`.")
def transform(path: str, output: str, inputs: str, outputs: str, transforms: str) -> None:
    """Change the graph at PATH by a list of transforms, one after the other, and write it.

    The transforms are those of the original: strip_unused_nodes, remove_nodes, fold_constants, fold_batch_norms,
    fold_old_batch_norms, quantize_weights, round_weights, rename_attribute, rename_op, remove_attribute,
    remove_device, sort_by_execution_order, merge_duplicate_nodes, add_default_attributes, set_device,
    fuse_pad_and_conv, fuse_resize_and_conv, fuse_resize_pad_and_conv, flatten_atrous_conv, backport_concatv2,
    backport_tensor_array_v3, insert_logging.
    """
    from google.protobuf import text_format

    from ossia_checkpoint.transforms.apply import transform_graph

    before = read(path)
    after = transform_graph(before, _names(inputs), _names(outputs), transforms)
    as_text = output.endswith(".pbtxt")
    data = text_format.MessageToString(after).encode() if as_text else after.SerializeToString(deterministic=True)
    with open(output, "wb") as file:
        file.write(data)
    click.echo(f"{len(before.node)} nodes became {len(after.node)}, written to {output}")


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]

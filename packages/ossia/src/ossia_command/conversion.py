"""`ossia convert-checkpoint`: a checkpoint in another format, or with names in place of objects and the reverse."""

from __future__ import annotations

from typing import Any

import click
import numpy as np

from ossia_command.checkpoints import check_folder, open_reader, with_progress


@click.command("convert-checkpoint", short_help="write a checkpoint in another format")
@click.argument("source")
@click.argument("destination")
@click.option(
    "--to", "target", default="V2", show_default=True,
    help="V1, V2 or a plugin's format, all by the names of variables; or `objects`, as tf.train.Checkpoint writes.",
)
def convert_checkpoint(source: str, destination: str, target: str) -> None:
    """Write the checkpoint SOURCE as DESTINATION.

    From an object-based checkpoint, formats by name take the variables under the names that they had in the program.
    """
    from ossia_checkpoint import formats
    from ossia_checkpoint.objects.graph import OBJECT_GRAPH_KEY, keys_of_names
    from ossia_core.proto import TrackableObjectGraph

    check_folder(destination)
    with open_reader(source) as reader:
        keys = {name: name for name in reader.names()}
        if OBJECT_GRAPH_KEY in keys:
            keys = keys_of_names(TrackableObjectGraph.FromString(reader.read(OBJECT_GRAPH_KEY).item()))
        extra: dict[str, Any] = {}
        if target == "objects":
            graph, new = _objects(list(keys))
            keys = {new[name]: key for name, key in keys.items()}
            extra[OBJECT_GRAPH_KEY] = np.array(graph.SerializeToString(deterministic=True), object)
        with formats.named("V2" if target == "objects" else target).writer(destination) as writer:
            for name in with_progress(sorted({*keys, *extra}, key=str.encode), "writing"):
                if name in extra:
                    writer.add(name, extra[name])
                else:
                    writer.add(name, reader.read(keys[name]), reader.entry(keys[name]).dtype)
    click.echo(f"{len(keys)} variables written to {destination}")


def _objects(names: list[str]) -> tuple[Any, dict[str, str]]:
    """An object for each part of the names, and the key of each variable: `a/b` is the attribute `b` of `a`."""
    from ossia_core.proto import TrackableObjectGraph

    graph = TrackableObjectGraph()
    graph.nodes.add()
    numbers = {"": 0}
    keys = {}
    for name in sorted(names):
        parent = ""
        for part in name.split("/"):
            path = f"{parent}/{part}" if parent else part
            if path not in numbers:
                numbers[path] = len(graph.nodes)
                graph.nodes[numbers[parent]].children.add(node_id=numbers[path], local_name=part)
                graph.nodes.add()
            parent = path
        keys[name] = f"{name}/.ATTRIBUTES/VARIABLE_VALUE"
        graph.nodes[numbers[name]].attributes.add(name="VARIABLE_VALUE", full_name=name, checkpoint_key=keys[name])
    return graph, keys

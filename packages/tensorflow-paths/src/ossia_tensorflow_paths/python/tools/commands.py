"""The tools as commands, `python -m tensorflow.python.tools.<tool>`: what each takes from the command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import ossia as tf
from ossia_tensorflow_paths.python.tools import (
    freeze_graph,
    inspect_checkpoint,
    optimize_for_inference_lib,
    saved_model_cli,
    strip_unused_lib,
)

_FREEZE = (
    ("input_graph", ""), ("input_saver", ""), ("input_binary", False), ("input_checkpoint", ""),
    ("output_node_names", ""), ("restore_op_name", "save/restore_all"), ("filename_tensor_name", "save/Const:0"),
    ("output_graph", ""), ("clear_devices", True), ("initializer_nodes", ""), ("variable_names_whitelist", ""),
    ("variable_names_blacklist", ""), ("input_meta_graph", ""), ("input_saved_model_dir", ""),
    ("saved_model_tags", "serve"), ("checkpoint_version", 2),
)
_STRIP = (
    ("input_graph", ""), ("input_binary", False), ("output_graph", ""), ("output_binary", True),
    ("input_node_names", ""), ("output_node_names", ""), ("placeholder_type_enum", str(tf.float32.as_datatype_enum)),
)
_OPTIMIZE = (
    ("input", ""), ("output", ""), ("input_names", ""), ("output_names", ""), ("frozen_graph", True),
    ("placeholder_type_enum", str(tf.float32.as_datatype_enum)), ("toco_compatible", False),
)
_INSPECT = (
    ("file_name", ""), ("tensor_name", ""), ("count_exclude_pattern", ""), ("all_tensors", False),
    ("all_tensor_names", False),
)


def _flag(text: str) -> bool:
    if text.lower() not in ("true", "false", "t", "f", "1", "0", "yes", "no"):
        raise argparse.ArgumentTypeError(f"{text!r} is neither true nor false")
    return text.lower() in ("true", "t", "1", "yes")


def _parsed(flags: Sequence[tuple[str, Any]], arguments: Sequence[str] | None, *more: str) -> argparse.Namespace:
    """Values of `--name`, each with the type of its default; those of `more` take several words."""
    parser = argparse.ArgumentParser()
    for name, default in flags:
        if isinstance(default, bool):
            parser.add_argument(f"--{name}", type=_flag, default=default, nargs="?", const=True)
        else:
            parser.add_argument(f"--{name}", type=type(default), default=default)
    for name in more:
        parser.add_argument(f"--{name}", nargs="*", default=[])
    return parser.parse_args(arguments)


def _kinds(text: str) -> Any:
    found = [int(part) for part in text.split(",")]
    return found if len(found) > 1 else found[0]


def freeze(arguments: Sequence[str] | None = None) -> Any:
    """Writes the graph of a checkpoint with its variables turned into constants."""
    freeze_graph.freeze_graph(**vars(_parsed(_FREEZE, arguments)))


def strip(arguments: Sequence[str] | None = None) -> Any:
    """Writes the part of a GraphDef between some nodes and others."""
    given = vars(_parsed(_STRIP, arguments))
    given["placeholder_type_enum"] = _kinds(given["placeholder_type_enum"])
    return strip_unused_lib.strip_unused_from_files(**given)


def optimize(arguments: Sequence[str] | None = None) -> Any:
    """Writes a GraphDef without what only training needs."""
    given = _parsed(_OPTIMIZE, arguments)
    if not tf.gfile.Exists(given.input):
        print(f"Input graph file '{given.input}' does not exist!")
        return -1
    graph_def = freeze_graph.read(given.input, tf.GraphDef(), given.frozen_graph)
    made = optimize_for_inference_lib.optimize_for_inference(
        graph_def, given.input_names.split(","), given.output_names.split(","), _kinds(given.placeholder_type_enum),
        given.toco_compatible,
    )
    if given.frozen_graph:
        with tf.gfile.GFile(given.output, "wb") as file:
            file.write(made.SerializeToString())
    else:
        tf.io.write_graph(made, "./", given.output)
    return 0


def inspect(arguments: Sequence[str] | None = None) -> Any:
    """Prints what a checkpoint holds."""
    given = vars(_parsed(_INSPECT, arguments, "printoptions"))
    if not given["file_name"]:
        print("Usage: inspect_checkpoint --file_name=checkpoint_file_name [--tensor_name=tensor_to_print]")
        return 1
    options = dict(part.split("=", 1) for part in given.pop("printoptions"))
    np.set_printoptions(**{name: _number(value) for name, value in options.items()})
    inspect_checkpoint.print_tensors_in_checkpoint_file(**given)
    return 0


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def to_tensorboard(arguments: Sequence[str] | None = None) -> Any:
    """Writes the graph of a frozen GraphDef to a folder for TensorBoard."""
    given = _parsed((("model_dir", ""), ("log_dir", "")), arguments)
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(freeze_graph.read(given.model_dir, tf.GraphDef(), True))
        tf.summary.FileWriter(given.log_dir, graph).close()
    print(f"Model Imported. Visualize by running: tensorboard --logdir={given.log_dir}")


COMMANDS: dict[str, Callable] = {
    "freeze_graph": freeze, "strip_unused": strip, "optimize_for_inference": optimize, "inspect_checkpoint": inspect,
    "import_pb_to_tensorboard": to_tensorboard, "saved_model_cli": saved_model_cli.main,
}


def run(tool: str) -> None:
    """Runs a tool with the arguments of the process, and ends with its status."""
    sys.exit(COMMANDS[tool]())

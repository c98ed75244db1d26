"""`saved_model_cli`: shows what a SavedModel holds, and computes a signature of it."""

from __future__ import annotations

import argparse
import ast
import os
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

import ossia as tf
from ossia_tensorflow_paths.python.tools import saved_model_utils

_REFUSED = ("ReadFile", "WriteFile")  # ops that a model of others should not have


def main(arguments: Sequence[str] | None = None) -> Any:
    """Runs the command with arguments, those of the process by default."""
    given = create_parser().parse_args(arguments)
    if not hasattr(given, "func"):
        create_parser().error("too few arguments")
    return given.func(given)


def create_parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    parser = argparse.ArgumentParser(description="saved_model_cli: Command-line interface for SavedModel")
    parser.add_argument("-v", "--version", action="version", version="0.1.0")
    commands = parser.add_subparsers(title="commands", description="valid commands")
    for name, function, flags in (
        ("show", show, ()), ("scan", scan, ()),
        ("run", run, ("inputs", "input_exprs", "input_examples", "outdir", "worker")),
    ):
        command = commands.add_parser(name)
        command.add_argument("--dir", required=True)
        command.add_argument("--tag_set", required=name == "run")
        if name != "scan":
            command.add_argument("--signature_def", metavar="SIGNATURE_DEF_KEY", required=name == "run")
        for flag in flags:
            command.add_argument(f"--{flag}", default="" if flag.startswith("input") else None)
        for flag in {"show": ("all",), "run": ("overwrite", "tf_debug", "init_tpu")}.get(name, ()):
            command.add_argument(f"--{flag}", action="store_true")
        command.set_defaults(func=function)
    return parser


def show(args: Any) -> None:
    """Prints tag sets, the signatures of one, the inputs and outputs of a signature, or all of it."""
    if args.all:
        for tags in saved_model_utils.get_saved_model_tag_sets(args.dir):
            _show_all(args.dir, ",".join(tags))
    elif args.tag_set is None:
        print("The given SavedModel contains the following tag-sets:")
        for tags in sorted(saved_model_utils.get_saved_model_tag_sets(args.dir)):
            print(", ".join(sorted(tags)))
    elif args.signature_def is None:
        print("The given SavedModel MetaGraphDef contains SignatureDefs with the following keys:")
        for key in sorted(get_signature_def_map(args.dir, args.tag_set)):
            print(f'SignatureDef key: "{key}"')
    else:
        _show_signature(get_signature_def_map(args.dir, args.tag_set)[args.signature_def])


def get_signature_def_map(saved_model_dir: str, tag_set: str) -> Any:
    """The signatures of the graph with these tags, by key."""
    return saved_model_utils.get_meta_graph_def(saved_model_dir, tag_set).signature_def


def _show_all(folder: str, tag_set: str) -> None:
    print(f"\nMetaGraphDef with tag-set: '{tag_set}' contains the following SignatureDefs:")
    signatures = get_signature_def_map(folder, tag_set)
    for key in sorted(signatures):
        print(f"\nsignature_def['{key}']:")
        _show_signature(signatures[key], 1)


def _show_signature(signature: Any, indent: int = 0) -> None:
    space = "  " * indent
    for what, infos in (("input", signature.inputs), ("output", signature.outputs)):
        print(f"{space}The given SavedModel SignatureDef contains the following {what}(s):")
        for key in sorted(infos):
            info = infos[key]
            print(f"{space}  {what}s['{key}'] tensor_info:")
            print(f"{space}      dtype: {_dtype_name(info.dtype)}")
            dims = ", ".join(str(dim.size) for dim in info.tensor_shape.dim)
            if info.tensor_shape.unknown_rank:
                dims = "unknown_rank"
            else:
                dims = f"({dims},)" if len(info.tensor_shape.dim) == 1 else f"({dims})"
            print(f"{space}      shape: {dims}")
            print(f"{space}      name: {info.name}")
    print(f"{space}Method name is: {signature.method_name}")


def _dtype_name(kind: int) -> str:
    from ossia_core.proto import TensorInfo

    return TensorInfo.DESCRIPTOR.fields_by_name["dtype"].enum_type.values_by_number[kind].name


def scan(args: Any) -> None:
    """Says whether graphs of a SavedModel have ops that read or write files."""
    tag_sets = [args.tag_set.split(",")] if args.tag_set else saved_model_utils.get_saved_model_tag_sets(args.dir)
    for tags in tag_sets:
        graph = saved_model_utils.get_meta_graph_def(args.dir, ",".join(tags)).graph_def
        nodes = [*graph.node, *(node for function in graph.library.function for node in function.node_def)]
        found = sorted({node.op for node in nodes}.intersection(_REFUSED))
        if found:
            print(f"MetaGraph with tag set {list(tags)} contains the following blacklisted ops:", set(found))
        else:
            print(f"MetaGraph with tag set {list(tags)} does not contain blacklisted ops.")


def run(args: Any) -> None:
    """Computes a signature and prints its outputs, or writes each to `<outdir>/<key>.npy`.

    Raises:
        AttributeError: There are no inputs.
        NotImplementedError: A debugger, a worker or a TPU is asked for.
    """
    for flag in ("tf_debug", "worker", "init_tpu"):
        if getattr(args, flag):
            raise NotImplementedError(f"saved_model_cli run --{flag}")
    if not (args.inputs or args.input_exprs or args.input_examples):
        raise AttributeError("At least one of --inputs, --input_exprs or --input_examples must be required")
    values = load_inputs_from_input_arg_string(args.inputs, args.input_exprs, args.input_examples)
    with tf.Graph().as_default(), tf.Session() as session:
        loaded = tf.saved_model.load(session, args.tag_set.split(","), args.dir)
        if args.signature_def not in loaded.signature_def:
            raise ValueError(f'Could not find signature "{args.signature_def}", please choose from: '
                             f"{', '.join(loaded.signature_def)}")
        signature = loaded.signature_def[args.signature_def]
        if unknown := [key for key in values if key not in signature.inputs]:
            raise ValueError(f'"{unknown[0]}" is not a valid input key. Please choose from '
                             f"{', '.join(sorted(signature.inputs))}, or use --show option.")
        keys = sorted(signature.outputs)
        feeds = {signature.inputs[key].name: value for key, value in values.items()}
        results = session.run([signature.outputs[key].name for key in keys], feeds)
    for key, result in zip(keys, results, strict=True):
        if not args.outdir:
            print(f"Result for output key {key}:\n{result}")
            continue
        os.makedirs(args.outdir, exist_ok=True)
        path = os.path.join(args.outdir, f"{key}.npy")
        if os.path.exists(path) and not args.overwrite:
            raise RuntimeError(f'Output file {path} already exists. Add "--overwrite" to overwrite it.')
        np.save(path, result)
        print(f"Output {key} is saved to {path}")


def load_inputs_from_input_arg_string(inputs_str: str, input_exprs_str: str, input_examples_str: str) -> dict[str, Any]:
    """The values of inputs by key: `key=file.npy`, `key=file.npz[name]`, `key=literal`, `key=[{feature: [...]}]`.

    Raises:
        RuntimeError: Something is not of that form.
    """
    values: dict[str, Any] = {}
    for key, text in _pairs(inputs_str):
        match = re.fullmatch(r"([^\[]+)(?:\[([^\]]+)\])?", text)
        if match is None:
            raise RuntimeError(f'--inputs "{text}" format is incorrect.')
        values[key] = _loaded(*match.groups())
    for key, text in _pairs(input_exprs_str):
        try:
            values[key] = np.array(ast.literal_eval(text))
        except (ValueError, SyntaxError):
            raise RuntimeError(f'Expression "{text}" is not a valid python expression of literals.') from None
    for key, text in _pairs(input_examples_str):
        values[key] = [_example(each) for each in ast.literal_eval(text)]
    return values


def _pairs(text: str) -> list[tuple[str, str]]:
    parts = [part.strip().partition("=") for part in text.split(";") if part.strip()]
    for key, sign, value in parts:
        if not (key and sign and value):
            raise RuntimeError(f'--inputs "{text}" format is incorrect. Please follow "<input_key>=<value>"')
    return [(key.strip(), value.strip()) for key, _, value in parts]


def _loaded(path: str, name: str | None) -> Any:
    data = np.load(path, allow_pickle=False)
    if isinstance(data, np.ndarray):
        return data
    if name is None and len(data.files) != 1:
        raise RuntimeError(f"Input file {path} contains more than one ndarrays. Please specify the name of one.")
    return data[name or data.files[0]]


def _example(features: dict[str, Any]) -> bytes:
    example = tf.train.Example()
    for name, value in features.items():
        if not isinstance(value, list):
            raise ValueError(f"feature value must be a list, but got {type(value)}")
        feature = example.features.feature[name]
        first = value[0] if value else 0.0
        if isinstance(first, (str, bytes)):
            feature.bytes_list.value.extend(tf.compat.as_bytes(each) for each in value)
        elif isinstance(first, int):
            feature.int64_list.value.extend(value)
        else:
            feature.float_list.value.extend(value)
    return example.SerializeToString()

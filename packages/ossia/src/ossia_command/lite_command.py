"""`ossia lite`: graphs to `.tflite` models; these models inspected, run, timed and compared."""

from __future__ import annotations

import os
import sys
from typing import Any

import click
import numpy as np

from ossia_command import npz
from ossia_command.report import Report, Table, shape_text, size_text

_QUANTIZE = ("none", "float16", "hybrid", "int8", "uint8")


@click.group(short_help="convert to .tflite models; inspect, run, time and compare them")
def lite() -> None:
    """Convert graphs to .tflite models, and look at such models."""


@lite.command(short_help="convert a frozen graph or SavedModel")
@click.argument("path")
@click.option("-o", "--output", required=True, metavar="FILE.tflite", help="Where to write.")
@click.option("--inputs", default="", metavar="NAMES", help="Tensors that are fed; by default the placeholders.")
@click.option("--outputs", default="", metavar="NAMES", help="Tensors that are fetched; by default what nothing uses.")
@click.option("--shape", "shapes", multiple=True, metavar="NAME=SIZES", help="The shape of an input: x=1,224,224,3.")
@click.option("--quantize", type=click.Choice(_QUANTIZE), default="none", show_default=True,
              help="Half precision; int8 weights; int8 throughout, with float or uint8 in- and outputs.")
@click.option("--data", metavar="FILE.npz", help="Samples for int8 and uint8: an array per input, samples in front.")
@click.option("--signature", metavar="KEY", help="The signature of a SavedModel.")
@click.option("--allow-custom-ops", is_flag=True, help="Make custom operators of ops that cannot be converted.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def convert(path: str, output: str, inputs: str, outputs: str, shapes: tuple[str, ...], quantize: str,
            data: str | None, signature: str | None, allow_custom_ops: bool, as_json: bool) -> None:
    """Convert the frozen graph or the SavedModel at PATH."""
    if quantize in ("int8", "uint8") and data is None:
        raise click.UsageError(f"--quantize {quantize} needs samples: --data FILE.npz")
    converter = _converter(path, inputs, outputs, shapes, signature)
    converter.allow_custom_ops = allow_custom_ops
    plain = converter.convert()
    content = _quantized(converter, quantize, data) if quantize != "none" else plain
    with open(output, "wb") as file:
        file.write(content)
    _converted(plain, content, quantize, _samples(data, converter)[0] if data else None).show(as_json=as_json)


def _converter(path: str, inputs: str, outputs: str, shapes: tuple[str, ...], signature: str | None) -> Any:
    import ossia as tf

    pairs = [text.partition("=") for text in shapes]
    given = {name: [int(size) for size in sizes.split(",") if size] for name, _, sizes in pairs}
    if os.path.isdir(path):
        return tf.lite.TFLiteConverter.from_saved_model(
            path, _names(inputs) or None, given or None, _names(outputs) or None, None, signature
        )
    from ossia_command import graph_command

    graph = graph_command.read(path)
    used = {name.lstrip("^").split(":")[0] for node in graph.node for name in node.input}
    fed = _names(inputs) or [node.name for node in graph.node if node.op == "Placeholder"]
    fetched = _names(outputs) or [
        node.name for node in graph.node if node.name not in used and node.op not in ("Const", "Placeholder", "NoOp")
    ]
    return tf.lite.TFLiteConverter.from_frozen_graph(path, fed, fetched, given or None)


def _quantized(converter: Any, quantize: str, data: str | None) -> bytes:
    import ossia as tf

    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    if quantize == "float16":
        converter.target_spec.supported_types = [tf.float16]
    elif data is not None:
        samples = _samples(data, converter)
        with click.progressbar(samples, label="calibrating", file=sys.stderr) as shown:
            converter.representative_dataset = lambda: shown
            if quantize == "uint8":
                converter.inference_input_type = converter.inference_output_type = tf.uint8
            return converter.convert()
    return converter.convert()


def _samples(path: str, converter: Any) -> list[list[np.ndarray]]:
    """Lists with an array per input: the rows of each array of the file, with a batch of one."""
    arrays = np.load(path, allow_pickle=False)
    names = converter.get_input_arrays()
    chosen = [arrays[name] for name in names] if set(names) <= set(arrays.files) else [arrays[n] for n in arrays.files]
    if len(chosen) != len(names) or len({len(array) for array in chosen}) != 1:
        raise ValueError(f"{path!r} must have an array with as many samples for each input: {', '.join(names)}")
    return [[array[i : i + 1] for array in chosen] for i in range(len(chosen[0]))]


def _converted(plain: bytes, content: bytes, quantize: str, sample: list[np.ndarray] | None) -> Report:
    from ossia_lite.inspect import contents, differences
    from ossia_lite.interpreter import Interpreter
    from ossia_lite.reader import read_model

    facts = {"size": size_text(len(content))}
    tables = [Table("operators", contents.OperatorRow._fields, contents.operator_rows(read_model(content)))]
    if quantize != "none":
        facts["size in float32"] = size_text(len(plain))
    if sample is not None:
        pair = (Interpreter(model_content=plain), Interpreter(model_content=content))
        found = differences.differences(*pair, sample)
        worst = sorted(found, key=lambda each: -each.relative)[:10]
        tables.append(Table("largest errors of quantization", differences.Difference._fields, worst))
    return Report(facts, tables)


@lite.command("inspect", short_help="say what is in a model")
@click.argument("path")
@click.option("--graph", "drawing", metavar="FILE", help="Draw the graph: a .svg or .dot file.")
@click.option("--tensors", is_flag=True, help="List all tensors.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def inspect(path: str, drawing: str | None, tensors: bool, as_json: bool) -> None:
    """Say what the model at PATH takes and gives, which operators it has, and what its constants take."""
    from ossia_lite.inspect import contents
    from ossia_lite.reader import read_model

    content = _read(path)
    model = read_model(content)
    facts: dict[str, Any] = {
        "path": path, "size": size_text(len(content)), "description": model.description or "",
        "constants": [f"{kind} {size_text(size)}" for kind, size in contents.type_sizes(model).items()],
        "subgraphs": len(model.subgraphs),
        "signatures": [signature.signature_key or "" for signature in model.signature_defs],
    }
    graph = model.subgraphs[0]
    wanted = {"inputs": graph.inputs, "outputs": graph.outputs}
    if tensors:
        wanted["tensors"] = list(range(len(graph.tensors)))
    tables = [Table(title, contents.TensorRow._fields, [
        (*row[:3], shape_text([None if size < 0 else size for size in row.shape]), row.quantization)
        for row in contents.tensor_rows(model, 0, indices)
    ]) for title, indices in wanted.items()]
    tables.append(Table("operators", contents.OperatorRow._fields, contents.operator_rows(model)))
    Report(facts, tables).show(as_json=as_json)
    if drawing:
        _draw(model, drawing, os.path.basename(path))


def _draw(model: Any, path: str, title: str) -> None:
    from ossia_command import graph_drawing
    from ossia_lite.checks import operator_name
    from ossia_lite.inspect.drawing import dot

    if path.endswith(".dot"):
        text = dot(model)
    else:
        graph = model.subgraphs[0]
        made: dict[int, str] = {}
        boxes = []
        for place, operator in enumerate(graph.operators):
            name = graph.tensors[operator.outputs[0]].name if operator.outputs else str(place)
            kind = operator_name(model.operator_codes[operator.opcode_index])
            sources = {made[index]: 1 for index in operator.inputs if index in made}
            boxes.append(graph_drawing.Box(f"{place} {name}", kind, sources))
            made.update(dict.fromkeys(operator.outputs, f"{place} {name}"))
        text = graph_drawing.svg(boxes, title)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


_INPUT = click.option("--input", "inputs", multiple=True, metavar="[NAME=]FILE",
                      help="A .npy file, or ARCHIVE.npz[KEY], per input; random numbers by default.")


@lite.command(short_help="run a model once")
@click.argument("path")
@_INPUT
@click.option("-o", "--output", metavar="FILE.npz", help="Write all outputs to this file, too.")
def run(path: str, inputs: tuple[str, ...], output: str | None) -> None:
    """Run the model at PATH on inputs, and print its outputs."""
    interpreter = _fed(path, inputs)
    interpreter.invoke()
    found = [(detail["name"], interpreter.get_tensor(detail["index"])) for detail in interpreter.get_output_details()]
    for name, result in found:
        click.echo(f"{name} {result.dtype} {list(result.shape)}\n{result}")
    if output:
        npz.write(output, found)


@lite.command(short_help="time a model and its operators")
@click.argument("path")
@_INPUT
@click.option("--runs", type=click.IntRange(1), default=20, show_default=True, help="Of how many runs the median is.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def bench(path: str, inputs: tuple[str, ...], runs: int, as_json: bool) -> None:
    """Time a run of the model at PATH, and each of its operators."""
    from ossia_lite.inspect.times import OperatorTime, operator_times

    whole, rows = operator_times(_fed(path, inputs), runs)
    kinds: dict[str, list[float]] = {}
    for row in rows:
        kinds.setdefault(row.operator, []).append(row.microseconds)
    total = sum(row.microseconds for row in rows) or 1.0
    shares = sorted(((k, len(v), sum(v), 100 * sum(v) / total) for k, v in kinds.items()), key=lambda row: -row[2])
    Report({"microseconds": round(whole, 1)}, [
        Table("operators", OperatorTime._fields, rows),
        Table("kinds", ("operator", "count", "microseconds", "percent"), shares),
    ]).show(as_json=as_json)


@lite.command(short_help="say where two models differ")
@click.argument("first")
@click.argument("second")
@_INPUT
@click.option("--tolerance", type=float, default=1e-3, show_default=True, help="Relative error that is let pass.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def compare(context: click.Context, first: str, second: str, inputs: tuple[str, ...], tolerance: float,
            as_json: bool) -> None:
    """Run two models on the same inputs, and say which tensor differs first; the exit status is 1 if one does."""
    from ossia_lite.inspect.differences import Difference, differences
    from ossia_lite.interpreter import Interpreter

    mine, other = Interpreter(first), Interpreter(second)
    rows = differences(mine, other, _arrays(mine, inputs))
    wrong = [row for row in rows if not row.relative <= tolerance]
    facts = {"compared": len(rows), "differ": len(wrong), "first": wrong[0].name if wrong else None}
    Report(facts, [Table("tensors", Difference._fields, wrong or rows[-1:])]).show(as_json=as_json)
    context.exit(1 if wrong else 0)


def _fed(path: str, inputs: tuple[str, ...]) -> Any:
    from ossia_lite.inspect.differences import feed
    from ossia_lite.interpreter import Interpreter

    interpreter = Interpreter(path)
    feed(interpreter, _arrays(interpreter, inputs))
    return interpreter


def _arrays(interpreter: Any, inputs: tuple[str, ...]) -> list[np.ndarray]:
    """An array per input: those given, by name or in order, or random numbers."""
    details = interpreter.get_input_details()
    names = [detail["name"] for detail in details]
    found: dict[str, np.ndarray] = {}
    for text in inputs:
        name, separator, file = text.partition("=")
        if not separator:
            name, file = next((each for each in names if each not in found), ""), text
        if name not in names:
            raise click.BadParameter(f"{text!r}: the inputs are {', '.join(names)}")
        found[name] = npz.read(file)
    random = np.random.RandomState(0)
    for detail in details:
        if detail["name"] not in found:
            dtype = np.dtype(detail["dtype"])
            drawn = random.uniform(-1, 1, detail["shape"]) if dtype.kind == "f" else np.zeros(detail["shape"])
            if dtype.kind in "iu" and dtype.itemsize == 1:
                drawn = random.randint(np.iinfo(dtype).min, np.iinfo(dtype).max + 1, detail["shape"])
            found[detail["name"]] = np.asarray(drawn).astype(dtype)
    return [found[name] for name in names]


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()

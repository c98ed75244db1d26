"""`ossia inspect`: what a file holds, whatever it is."""

from __future__ import annotations

import collections
import itertools
import math
import os
from collections.abc import Callable, Iterator
from typing import Any

import click
import numpy as np

from ossia_command import file_kinds
from ossia_command.report import Report, Table, shape_text, size_text
from ossia_command.selection import selected

_BARS = "▁▂▃▄▅▆▇█"
_PLOT = 24  # characters


@click.command("inspect", short_help="say what a checkpoint, SavedModel, graph, event file or file of records holds")
@click.argument("path")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--stats", is_flag=True, help="Read the variables of a checkpoint, and say how their values lie.")
@click.option("--only", "patterns", multiple=True, metavar="PATTERN", help="Only names that match, as `dense/*`.")
@click.option("--records", default=3, show_default=True, help="How many records of a file to look into.")
def inspect(path: str, as_json: bool, stats: bool, patterns: tuple[str, ...], records: int) -> None:
    """Say what the file, folder or checkpoint at PATH is, and what is in it."""
    found = file_kinds.find(path)
    facts = {"path": found.path, "kind": found.kind}
    report: Callable[[], Report] = {
        "checkpoint": lambda: _checkpoint(found.path, patterns, stats),
        "saved model": lambda: _saved_model(found.content),
        "meta graph": lambda: _meta_graph(found.content),
        "graph": lambda: Report(*_graph(found.content, patterns)),
        "event files": lambda: _events(found.content, patterns),
        "records": lambda: _records(found.path, records),
    }[found.kind]
    more = report()
    Report({**facts, **more.facts}, more.tables).show(as_json=as_json)


def _checkpoint(prefix: str, patterns: tuple[str, ...], stats: bool) -> Report:
    from ossia_checkpoint import formats
    from ossia_checkpoint.objects.graph import OBJECT_GRAPH_KEY
    from ossia_core.names import dtypes

    found = formats.format_of(prefix)
    if found is None:
        raise FileNotFoundError(f"there is no checkpoint {prefix!r}")
    rows: list[list[Any]] = []
    values: list[list[Any]] = []
    with found.reader(prefix) as reader:
        names = list(reader.names())
        for name in selected(names, patterns):
            entry = reader.entry(name)
            count = math.prod(entry.shape)
            size = None if entry.dtype is dtypes.string else count * entry.dtype.size
            rows.append([name, entry.dtype.name, shape_text(entry.shape), count, size])
            if stats:
                values.append([name, *_statistics(reader.read(name))])
    facts = {
        "format": type(found).__name__.removesuffix("Format") + (", object-based" if OBJECT_GRAPH_KEY in names else ""),
        "variables": len(rows),
        "elements": sum(row[3] for row in rows),
        "size": size_text(sum(row[4] or 0 for row in rows)),
    }
    tables = [Table("variables", ["name", "type", "shape", "elements", "bytes"], rows)]
    if stats:
        tables.append(Table("values", ["name", "min", "max", "mean", "std", "not finite"], values))
    return Report(facts, tables)


def _statistics(value: np.ndarray) -> list[Any]:
    if value.dtype.kind in "OSUV" or not value.size:
        return [None] * 5
    if value.dtype.kind == "c":
        value = np.abs(value)
    wide = value.astype(np.float64)
    finite = wide[np.isfinite(wide)]
    if not finite.size:
        return [None, None, None, None, int(wide.size)]
    return [*map(float, (finite.min(), finite.max(), finite.mean(), finite.std())), int(wide.size - finite.size)]


def _saved_model(content: Any) -> Report:
    facts = {"schema version": content.saved_model_schema_version, "meta graphs": len(content.meta_graphs)}
    tables: list[Table] = []
    for meta_graph in content.meta_graphs:
        tags = ", ".join(meta_graph.meta_info_def.tags)
        inner = _meta_graph(meta_graph)
        facts.update({f"{name} [{tags}]": value for name, value in inner.facts.items() if name != "tags"})
        tables += [table._replace(title=f"{table.title} [{tags}]") for table in inner.tables]
    return Report(facts, tables)


def _meta_graph(content: Any) -> Report:
    facts, tables = _graph(content.graph_def, ())
    info = content.meta_info_def
    facts = {"written by": info.tensorflow_version, "tags": ", ".join(info.tags), **facts}
    signatures = []
    for key, signature in sorted(content.signature_def.items()):
        for way, tensors in (("input", signature.inputs), ("output", signature.outputs)):
            for name, tensor in sorted(tensors.items()):
                signatures.append([key, signature.method_name, way, name, *_tensor_info(tensor)])
    if signatures:
        columns = ["signature", "method", "way", "name", "tensor", "type", "shape"]
        tables.insert(0, Table("signatures", columns, signatures))
    collections_ = [
        [name, definition.WhichOneof("kind"), len(getattr(definition, definition.WhichOneof("kind")).value)]
        for name, definition in sorted(content.collection_def.items()) if definition.WhichOneof("kind")
    ]
    if collections_:
        tables.append(Table("collections", ["collection", "kind", "items"], collections_))
    return Report(facts, tables)


def _tensor_info(info: Any) -> list[Any]:
    from ossia_core.names import dtypes
    from ossia_core.names.shapes import TensorShape

    where = info.name or f"{info.WhichOneof('encoding')}"
    shape = TensorShape(info.tensor_shape)
    return [where, dtypes.as_dtype(info.dtype).name if info.dtype else "", shape_text(shape.as_tuple())]


def _graph(graph: Any, patterns: tuple[str, ...]) -> tuple[dict[str, Any], list[Table]]:
    nodes = [node for node in graph.node if selected([node.name], patterns)]
    counts = collections.Counter(node.op for node in nodes)
    used = {text.lstrip("^").split(":")[0] for node in graph.node for text in node.input}
    dull = ("NoOp", "Const", "Assert")
    ends = [[node.name, node.op] for node in nodes if node.name not in used and node.op not in dull]
    starts = [
        [node.name, _dtype_of(node), _shape_of(node)] for node in nodes if node.op.startswith("Placeholder")
    ]
    facts = {
        "nodes": len(nodes),
        "op types": len(counts),
        "functions": len(graph.library.function),
        "producer version": graph.versions.producer,
        "size": size_text(graph.ByteSize()),
    }
    tables = [Table("ops by type", ["op", "nodes"], sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))]
    if starts:
        tables.append(Table("placeholders", ["name", "type", "shape"], starts))
    if ends:
        tables.append(Table("results that no node uses", ["name", "op"], ends))
    return facts, tables


def _dtype_of(node: Any) -> str:
    from ossia_core.names import dtypes

    return dtypes.as_dtype(node.attr["dtype"].type).name if "dtype" in node.attr else ""


def _shape_of(node: Any) -> str:
    from ossia_core.names.shapes import TensorShape

    return shape_text(TensorShape(node.attr["shape"].shape).as_tuple()) if "shape" in node.attr else "unknown"


def _events(paths: list[str], patterns: tuple[str, ...]) -> Report:
    from ossia_core.names import errors
    from ossia_summary.reading import summary_iterator

    series: dict[str, list[tuple[int, Any]]] = {}
    kinds: dict[str, str] = {}
    others: collections.Counter[str] = collections.Counter()
    damaged = []
    for path in paths:
        try:
            for event in summary_iterator(path):
                what = event.WhichOneof("what") or "empty"
                others[what] += what != "summary"
                for value in event.summary.value:
                    kind, number = _value(value)
                    kinds[value.tag] = kind
                    series.setdefault(value.tag, []).append((event.step, number))
        except errors.OpError as error:
            damaged.append(f"{os.path.basename(path)}: {error.message}")
    rows = [
        [tag, kinds[tag], len(points), points[0][0], points[-1][0], points[-1][1], _plot([p for _, p in points])]
        for tag, points in sorted(series.items()) if selected([tag], patterns)
    ]
    facts: dict[str, Any] = {"files": len(paths)}
    facts.update({name.replace("_", " "): count for name, count in others.items() if count})
    if damaged:
        facts["cut or damaged"] = damaged
    return Report(facts, [Table("tags", ["tag", "kind", "values", "first step", "last step", "last", "plot"], rows)])


def _value(value: Any) -> tuple[str, float | None]:
    kind = value.WhichOneof("value") or "empty"
    if kind == "simple_value":
        return "scalar", value.simple_value
    if kind == "tensor":
        from ossia_core.names.tensor_proto import decode

        plugin = value.metadata.plugin_data.plugin_name
        number = decode(value.tensor) if plugin == "scalars" else None
        return plugin or "tensor", None if number is None or number.size != 1 else float(number.reshape(()))
    return {"histo": "histogram"}.get(kind, kind), None


def _plot(values: list[Any]) -> str:
    """A line of blocks whose heights are those of the values."""
    numbers = [value for value in values if value is not None and math.isfinite(value)]
    if len(numbers) < 2:
        return ""
    picked = [numbers[i * len(numbers) // _PLOT] for i in range(_PLOT)] if len(numbers) > _PLOT else numbers
    low, high = min(picked), max(picked)
    step = (high - low) / (len(_BARS) - 1) or 1.0
    return "".join(_BARS[int((value - low) / step)] for value in picked)


def _records(path: str, limit: int) -> Report:
    sizes: list[int] = []
    rows: list[list[Any]] = []
    for number, record in enumerate(_read(path)):
        sizes.append(len(record))
        if number < limit:
            rows += [[number, *row] for row in _features(record)]
    facts = {
        "records": len(sizes),
        "size": size_text(sum(sizes)),
        "smallest": size_text(min(sizes, default=0)),
        "largest": size_text(max(sizes, default=0)),
    }
    columns = ["record", "feature", "type", "values", "first"]
    return Report(facts, [Table("features of the first records", columns, rows)])


def _read(path: str) -> Iterator[bytes]:
    from ossia_io.records import TFRecordOptions, tf_record_iterator

    with open(path, "rb") as file:
        is_gzip = file.read(2) == b"\x1f\x8b"
    return tf_record_iterator(path, TFRecordOptions("GZIP") if is_gzip else None)


def _features(record: bytes) -> list[list[Any]]:
    from google.protobuf.message import DecodeError

    from ossia_core.proto import Example

    try:
        features = dict(Example.FromString(record).features.feature)
    except DecodeError:
        features = {}
    rows = []
    for name, feature in sorted(features.items()):
        kind: str | None = feature.WhichOneof("kind")
        values = getattr(feature, kind).value if kind else []
        first = ", ".join(_shown(value) for value in itertools.islice(values, 3))
        rows.append([name, (kind or "empty").removesuffix("_list"), len(values), first])
    return rows or [["(no Example)", "bytes", len(record), _shown(record)]]


def _shown(value: Any) -> str:
    if not isinstance(value, bytes):
        return f"{value:.6g}" if isinstance(value, float) else str(value)
    text = repr(value[:24])[1:]
    return f"{text}…" if len(value) > 24 else text

"""What kind of file a path leads to, by what is in it and not by its name."""

from __future__ import annotations

import os
import re
import struct
from typing import Any, NamedTuple

_TABLE_MAGIC = struct.pack("<Q", 0xDB4775248B80FB57)  # at the end of a sorted table
_OP_TYPE = re.compile(r"[A-Za-z_>.][\w>./-]*\Z")


class Found(NamedTuple):
    """A file or several that belong together.

    kind: `checkpoint`, `saved model`, `meta graph`, `graph`, `event files` or `records`.
    path: The prefix of a checkpoint, the folder of a SavedModel or of event files, otherwise the file.
    content: The message of a SavedModel, MetaGraphDef or GraphDef; paths of event files; None for others.
    """

    kind: str
    path: str
    content: Any = None


def find(path: str) -> Found:
    """What is at a path: a file, a folder, or the prefix of a checkpoint.

    Raises:
        FileNotFoundError: Nothing.
        ValueError: Something that is none of these kinds.
    """
    from ossia_checkpoint import formats
    from ossia_checkpoint.state import latest_checkpoint

    prefix = re.sub(r"\.(index|data-\d{5}-of-\d{5})\Z", "", path)
    if prefix != path and os.path.exists(f"{prefix}.index"):
        return Found("checkpoint", prefix)
    if os.path.isdir(path):
        return _in_folder(path, latest_checkpoint(path))
    if not os.path.exists(path):
        if formats.format_of(path) is None:
            raise FileNotFoundError(f"there is no file, folder or checkpoint {path!r}")
        return Found("checkpoint", path)
    if os.path.basename(path) == "checkpoint" and (latest := latest_checkpoint(os.path.dirname(path) or ".")):
        return Found("checkpoint", latest)
    return _file(path)


def event_files(folder: str) -> list[str]:
    """The event files in a folder and below, by their paths."""
    return sorted(
        os.path.join(parent, name) for parent, _, names in os.walk(folder) for name in names if "tfevents" in name
    )


def _in_folder(path: str, latest: str | None) -> Found:
    for name in ("saved_model.pb", "saved_model.pbtxt"):
        if os.path.exists(os.path.join(path, name)):
            return Found("saved model", path, _message(os.path.join(path, name)).content)
    if latest is not None:
        return Found("checkpoint", latest)
    if events := event_files(path):
        return Found("event files", path, events)
    raise ValueError(f"the folder {path!r} has no SavedModel, no checkpoint and no event files")


def _file(path: str) -> Found:
    with open(path, "rb") as file:
        head = file.read(12)
        file.seek(0, os.SEEK_END)
        size = file.tell()
        file.seek(max(0, size - len(_TABLE_MAGIC)))
        tail = file.read()
    if tail == _TABLE_MAGIC:
        return Found("checkpoint", path)
    if _is_record(head):
        return Found("event files", path, [path]) if _is_event_file(path) else Found("records", path)
    if head[:4] in (b"\x1f\x8b\x08\x00", b"\x1f\x8b\x08\x08"):
        return Found("records", path)
    return _message(path)


def _is_record(head: bytes) -> bool:
    from ossia_io.records import masked_crc

    return len(head) == 12 and masked_crc(head[:8]) == struct.unpack("<I", head[8:])[0]


def _is_event_file(path: str) -> bool:
    from google.protobuf.message import DecodeError

    from ossia_core.proto import Event
    from ossia_io.records import tf_record_iterator

    try:
        return bool(Event.FromString(next(tf_record_iterator(path))).file_version)
    except (DecodeError, StopIteration):
        return False


def _message(path: str) -> Found:
    """A file that holds one message, in binary or in text form."""
    from google.protobuf import text_format
    from google.protobuf.message import DecodeError

    from ossia_core.proto import GraphDef, MetaGraphDef, SavedModel

    with open(path, "rb") as file:
        data = file.read()
    kinds = (("graph", GraphDef, _is_graph), ("meta graph", MetaGraphDef, lambda found: _is_graph(found.graph_def)),
             ("saved model", SavedModel, lambda found: any(_is_graph(g.graph_def) for g in found.meta_graphs)))
    for kind, message, fits in kinds:
        for parse in (message.FromString, lambda text, made=message: text_format.Parse(text.decode(), made())):
            try:
                found = parse(data)
            except (DecodeError, text_format.ParseError, UnicodeDecodeError, RecursionError):
                continue
            if fits(found):
                return Found(kind, path, found)
    raise ValueError(f"{path!r} is no checkpoint, SavedModel, meta graph, graph, event file or file of records")


def _is_graph(graph: Any) -> bool:
    return bool(graph.node) and all(node.name and _OP_TYPE.match(node.op) for node in graph.node)

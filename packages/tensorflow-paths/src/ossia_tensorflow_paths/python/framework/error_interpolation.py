"""`error_interpolation`: names of nodes in messages, replaced by where the nodes were made."""

from __future__ import annotations

import collections
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

_TAG = re.compile(r"\{\{([A-Za-z0-9_]+) ([A-Za-z0-9.][A-Za-z0-9_.\-/]*)\}\}")
_BAD_FILE_SUBSTRINGS = [
    os.path.join("tensorflow", "python"), os.path.join("tensorflow", "contrib"),
    os.path.join("tensorflow_estimator", "python"), os.path.join("tensorflow_estimator", "contrib"), "<embedded",
]

ParseTag = collections.namedtuple("ParseTag", ["type", "name"])
_ParseTag = ParseTag


def parse_message(message: str) -> tuple[list[str], list[ParseTag]]:
    """The texts around the tags of a message, one more than there are tags, and the tags."""
    parts = _TAG.split(message)
    return parts[::3], [ParseTag(*pair) for pair in zip(parts[1::3], parts[2::3])]


def interpolate(error_message: str, graph: Any) -> str:
    """A message in which the tags `{{node name}}` of nodes of `graph` say where the program made these, and those of
    `{{colocation_node name}}` which devices it asked for."""
    texts, tags = parse_message(error_message)
    found, ends = [texts[0]], []
    for tag, text in zip(tags, texts[1:]):
        explained, end = _explained(tag, graph)
        found += [explained, text]
        ends += [end] if end else []
    return "".join(found + ends)


def _explained(tag: ParseTag, graph: Any) -> tuple[str, str]:
    """What stands for a tag, and what it adds to the end of the message."""
    as_written = f"{{{{{tag.type} {tag.name}}}}}"
    if tag.type not in ("node", "colocation_node"):
        return as_written, ""
    try:
        op = graph.get_operation_by_name(tag.name)
    except KeyError:
        return as_written, ""
    fields = compute_field_dict(op)
    if tag.type == "node":
        return f"node {tag.name}{fields['defined_at']} ", ""
    placed = f"node {tag.name}{fields['defined_at']} placed on device {fields['devices']} "
    return placed, f"Additional information about colocations:{fields['devs_and_colocs']}"


def compute_field_dict(op: Any, strip_file_prefix: str = "") -> dict[str, Any]:
    """What a message can tell of a node.

    Args:
        op: The node.
        strip_file_prefix: What file names are shown without.

    Returns:
        `file` and `line` of the program that made it, both as text in `defined_at`; the `devices` and `colocations`
        that were asked for there, and both in `devs_and_colocs`.
    """
    row = _get_defining_frame_from_op(op)
    file, line = (row[0].removeprefix(strip_file_prefix), row[1]) if row else ("<unknown>", 0)
    colocations, devices = _compute_colocation_summary_from_op(op), _compute_device_assignment_summary_from_op(op)
    return {
        "file": file, "line": line, "defined_at": f" (defined at {file}:{line})", "colocations": colocations,
        "devices": devices, "devs_and_colocs": f"{colocations}\n{devices}",
    }


def _get_defining_frame_from_op(op: Any) -> Any:
    """The row of a node's traceback that stands for the program; None without any rows."""
    rows = op.traceback
    return rows[_find_index_of_defining_frame_for_op(op)] if rows else None


def _find_index_of_defining_frame_for_op(op: Any) -> int:
    """The innermost row of a node's traceback that is not of the library's own files; 0 if all are."""
    rows = op.traceback
    for i in range(len(rows) - 1, -1, -1):
        if not any(part in rows[i][0] for part in _BAD_FILE_SUBSTRINGS):
            return i
    return 0


def _compute_device_summary_from_list(name: str, device_assignment_list: Sequence[Any], prefix: str = "") -> str:
    """The `device` blocks around a node, in words; each line begins with `prefix`."""
    rows = [f"tf.device({place.obj}): <{place.filename}:{place.lineno}>" for place in device_assignment_list]
    return _summary(name, rows, "Device assignments", "device assignments", prefix)


def _compute_device_assignment_summary_from_op(op: Any, prefix: str = "") -> str:
    return _compute_device_summary_from_list(op.name, op._device_assignments, prefix)


def _compute_colocation_summary_from_dict(name: str, colocation_dict: Mapping[str, Any], prefix: str = "") -> str:
    """The nodes that a node was to be placed with, in words; each line begins with `prefix`."""
    rows = [
        f"tf.colocate_with({other}): <{place.filename}:{place.lineno}>" for other, place in colocation_dict.items()
    ]
    return _summary(name, rows, "Node-device colocations", "node-device colocations", prefix)


def _compute_colocation_summary_from_op(op: Any, prefix: str = "") -> str:
    return _compute_colocation_summary_from_dict(op.name, op._colocation_dict, prefix)


def _summary(name: str, rows: Sequence[str], some: str, none: str, prefix: str) -> str:
    if not rows:
        return f"{prefix}No {none} were active during op '{name}' creation."
    first = f"{prefix}{some} active during op '{name}' creation:"
    return "\n".join([first, *(f"{prefix}  with {row}" for row in rows)])

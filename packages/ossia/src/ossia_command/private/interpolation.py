"""`error_interpolation`: names of nodes in messages, replaced by where the nodes were made."""

from __future__ import annotations

import collections
import re
from typing import Any

_TAG = re.compile(r"\{\{([A-Za-z0-9_]+) ([A-Za-z0-9.][A-Za-z0-9_.\-/]*)\}\}")

ParseTag = collections.namedtuple("ParseTag", ["type", "name"])


def parse_message(message: str) -> tuple[list[str], list[ParseTag]]:
    """The texts around the tags of a message, one more than there are tags, and the tags."""
    parts = _TAG.split(message)
    return parts[::3], [ParseTag(*pair) for pair in zip(parts[1::3], parts[2::3])]


def interpolate(error_message: str, graph: Any) -> str:
    """A message in which the tags `{{node name}}` of nodes of `graph` say where the program made these."""
    texts, tags = parse_message(error_message)
    found = [texts[0]]
    for tag, text in zip(tags, texts[1:]):
        found += [_explained(tag, graph), text]
    return "".join(found)


def _explained(tag: ParseTag, graph: Any) -> str:
    as_written = f"{{{{{tag.type} {tag.name}}}}}"
    if tag.type not in ("node", "colocation_node"):
        return as_written
    try:
        op = graph.get_operation_by_name(tag.name)
    except KeyError:
        return as_written
    rows = op.traceback
    where = f" (defined at {rows[-1][0]}:{rows[-1][1]}) " if rows else " "
    if tag.type == "node":
        return f"node {tag.name}{where}"
    return f"node {tag.name}{where}placed on device {op.device or 'that it did not ask for'}"

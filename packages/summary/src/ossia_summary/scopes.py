"""Names and tags of summaries."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any

from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import logging

_NOT_IN_TAGS = re.compile(r"[^-/\w\.]")


def clean_tag(name: str) -> str:
    """A name with what tags may not hold replaced by `_`, and without a leading `/`; the log says what changes."""
    if name is None:
        return name
    clean = _NOT_IN_TAGS.sub("_", name).lstrip("/")
    if clean != name:
        logging.info("Summary name %s is illegal; using %s instead.", name, clean)
    return clean


@contextlib.contextmanager
def summary_scope(name: str, family: str | None, values: list[Any]) -> Iterator[tuple[str, str]]:
    """The name scope of a summary op.

    Args:
        name: What the summary is called.
        family: Puts `<family>/` before the name, and once more before the tag: TensorBoard groups by it.
        values: Its inputs.

    Returns:
        A context manager that gives the tag and the op's name with a `/` behind it.
    """
    name, family = clean_tag(name), clean_tag(family) if family is not None else None
    if name == "":
        raise ValueError("'' is not a valid node name")
    with name_scope(f"{family}/{name}" if family else name, None, values) as scope:
        tag = scope.rstrip("/")
        yield f"{family}/{tag}" if family else tag, scope


def collect(summary: Tensor, collections: Any, default: tuple[str, ...] = (GraphKeys.SUMMARIES,)) -> Tensor:
    """The summary, added to the collections, or to `default` if none are given."""
    get_default_graph().add_to_collections(list(default) if collections is None else collections, summary)
    return summary

"""Comparing GraphDefs."""

from __future__ import annotations

import re
from typing import Any

from ossia_core.plugins.api_table import public

# Savers give every run's temporary files, and hash tables their shared names, a random part.
_RANDOM_TEMP = re.compile(rb"_temp_[0-9a-z]{32}/part")
_RANDOM_TABLE = re.compile(rb"hash_table_[0-9a-z\-]+")


@public("test.assert_equal_graph_def")
def assert_equal_graph_def(
    actual: Any, expected: Any, checkpoint_v2: bool = False, hash_table_shared_name: bool = False
) -> None:
    """Raises AssertionError unless two GraphDefs have the same nodes, in whatever order, and the same versions aside.

    Attributes whose names begin with an underscore do not count, nor does the order of control inputs.

    Args:
        actual: a GraphDef.
        expected: another one.
        checkpoint_v2: whether to ignore the random parts of names of temporary checkpoint files.
        hash_table_shared_name: whether to ignore the random parts of shared names of tables.

    Raises:
        TypeError: if one is no GraphDef.
    """
    for name, graph_def in ("actual", actual), ("expected", expected):
        if type(graph_def).__name__ != "GraphDef":
            raise TypeError(f"Expected tf.GraphDef for {name}, got {type(graph_def).__name__}")
    ours, theirs = {node.name: node for node in actual.node}, {node.name: node for node in expected.node}
    for name in sorted(ours.keys() - theirs.keys()):
        raise AssertionError(f"Found unexpected node '{name}' not in expected graph")
    for name in sorted(theirs.keys() - ours.keys()):
        raise AssertionError(f"Did not find expected node '{name}'")
    for name, node in ours.items():
        _compare(node, theirs[name], checkpoint_v2, hash_table_shared_name)


def _compare(node: Any, expected: Any, checkpoint_v2: bool, hash_table_shared_name: bool) -> None:
    def differ(what: str, found: Any, wanted: Any) -> AssertionError:
        return AssertionError(f"Node named '{node.name}' has {what} {found!r} that does not match expected {wanted!r}")

    for field in "op", "device":
        if getattr(node, field) != getattr(expected, field):
            raise differ(field, getattr(node, field), getattr(expected, field))
    if _inputs(node) != _inputs(expected):
        raise differ("inputs", list(node.input), list(expected.input))
    names = {name for name in {*node.attr, *expected.attr} if not name.startswith("_")}
    for name in sorted(names):
        if name not in node.attr or name not in expected.attr:
            raise AssertionError(f"Node named '{node.name}' has attr '{name}' on one side only")
        found, wanted = node.attr[name].SerializeToString(True), expected.attr[name].SerializeToString(True)
        if checkpoint_v2:
            found, wanted = _RANDOM_TEMP.sub(b"", found), _RANDOM_TEMP.sub(b"", wanted)
        if hash_table_shared_name and name == "shared_name":
            found, wanted = _RANDOM_TABLE.sub(b"", found), _RANDOM_TABLE.sub(b"", wanted)
        if found != wanted:
            raise differ(f"attr '{name}' with value", str(node.attr[name]), str(expected.attr[name]))


def _inputs(node: Any) -> tuple[list[str], list[str]]:
    data = [name.removesuffix(":0") for name in node.input if not name.startswith("^")]
    return data, sorted(name for name in node.input if name.startswith("^"))

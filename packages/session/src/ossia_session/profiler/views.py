"""The views of a profile: trees of scopes, of edges or of lines, and the list of op types."""
from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

from ossia_session.profiler import text
from ossia_session.profiler.measures import NUMBERS, Measured
from ossia_session.profiler.options import MINIMA

ROOT = "_TFProfRoot"
_SCOPE = "_kTFScopeParent"


class Entry:
    """A line of a profile.

    numbers: What it has itself.
    total: What it and all that is shown below it have.
    node: The node of the graph, if it is one.
    """

    def __init__(self, name: str, node: Measured | None = None) -> None:
        self.name, self.node = name, node
        self.children: list[Entry] = []
        self.numbers: dict[str, int] = dict(node.numbers) if node is not None else dict.fromkeys(NUMBERS, 0)
        self.types: set[str] = set(node.types) if node is not None else {_SCOPE}
        self.devices: set[str] = set(node.devices) if node is not None else set()
        self.is_counted = False
        self.total: dict[str, int] = {}

    def add(self, node: Measured) -> None:
        """Count a node with the others of its kind."""
        for key, count in node.numbers.items():
            self.numbers[key] += count
        self.types |= node.types
        self.devices |= node.devices


def matches(patterns: Any, name: str) -> bool:
    """Whether one of the expressions matches all of a name."""
    return any(re.fullmatch(pattern, name) for pattern in patterns)


def scopes(nodes: dict[str, Measured]) -> Entry:
    """The tree of name scopes."""
    root = Entry(ROOT)
    found = {"": root}
    for name in sorted(nodes):
        parent = ""
        parts = name.split("/")
        for i in range(1, len(parts) + 1):
            path = "/".join(parts[:i])
            if path not in found:
                found[path] = Entry(path, nodes.get(path))
                if path not in nodes:
                    found[path].numbers["definitions"] = 1
                found[parent].children.append(found[path])
            parent = path
    return root


def edges(nodes: dict[str, Measured]) -> Entry:
    """The tree of what feeds what, from nodes whose results no other takes; each node stands where it is first met."""
    taken = {source for node in nodes.values() for source in node.inputs}
    root, seen = Entry(ROOT), set()
    pending = [(root, name) for name in reversed(list(nodes)) if name not in taken]
    while pending:
        parent, name = pending.pop()
        if name in seen or name not in nodes:
            continue
        seen.add(name)
        entry = Entry(name, nodes[name])
        parent.children.append(entry)
        pending += [(entry, source) for source in reversed(nodes[name].inputs)]
    return root


def lines(nodes: dict[str, Measured]) -> Entry:
    """The tree of the program's calls that made the nodes."""
    root = Entry(ROOT)
    found: dict[tuple[str, ...], Entry] = {(): root}
    for node in nodes.values():
        path: tuple[str, ...] = ()
        for file, line, function, *_ in node.trace:
            name = f"{os.path.basename(file)}:{line}:{function}"
            parent, path = path, (*path, name)
            if path not in found:
                found[path] = Entry(name)
                found[parent].children.append(found[path])
        found[path].add(node)
    return root


def types(nodes: dict[str, Measured], options: dict[str, Any]) -> list[Entry]:
    """The op types, those first of which there is most."""
    found: dict[str, Entry] = {}
    for node in nodes.values():
        if _is_counted(options, node.types, node.devices):
            found.setdefault(node.op_type, Entry(node.op_type)).add(node)
    for entry in found.values():
        entry.types.discard(_SCOPE)
    return sorted(found.values(), key=lambda entry: _order(options, entry.name, entry.numbers))


def _is_counted(options: dict[str, Any], kinds: set[str], devices: set[str]) -> bool:
    return any(matches(options["account_type_regexes"], kind) for kind in kinds | devices)


def _order(options: dict[str, Any], name: str, numbers: dict[str, int]) -> tuple[int, str]:
    by = options["order_by"]
    key = "definitions" if by == "occurrence" else by
    return (-numbers.get(key, 0), name)


def has_enough(options: dict[str, Any], numbers: dict[str, int]) -> bool:
    """Whether nothing is below what the options ask for."""
    return all(
        numbers["definitions" if key == "occurrence" else key] >= options.get(option, 0)
        for option, key in MINIMA.items()
    )


def shown(root: Entry, options: dict[str, Any], parents: bool) -> Entry:
    """The tree of what the options show, with totals.

    Args:
        root: The tree.
        options: The options.
        parents: Whether what does not count is shown for what counts below it.
    """
    _count(root, options)
    starts = options["start_name_regexes"]
    if not matches(starts, ROOT) or starts != [".*"]:
        root.children = [entry for child in root.children for entry in _starts(child, starts)]
    counted = [child for child in root.children if child.is_counted]
    root.children = [entry for child in counted for entry in _shown(child, options, 2, parents)]
    root.numbers["definitions"] = 1
    _finish(root, options)
    return root


def _starts(entry: Entry, patterns: Any) -> Iterator[Entry]:
    if matches(patterns, entry.name):
        yield entry
    else:
        for child in entry.children:
            yield from _starts(child, patterns)


def _count(entry: Entry, options: dict[str, Any]) -> None:
    """Mark what counts, or has something below it that does."""
    order, pending = [], [entry]
    while pending:
        each = pending.pop()
        order.append(each)
        pending += each.children
    for each in reversed(order):
        own = _is_counted(options, each.types, each.devices)
        if not own:
            each.numbers = {**dict.fromkeys(NUMBERS, 0), "definitions": each.numbers["definitions"]}
        each.total = {"own": int(own)}
        each.is_counted = own or any(child.is_counted for child in each.children)


def _shown(entry: Entry, options: dict[str, Any], depth: int, parents: bool) -> list[Entry]:
    """What is shown of a tree: it with what is shown below, or that alone."""
    if depth > options["max_depth"] or matches(options["trim_name_regexes"], entry.name):
        below: list[Entry] = []
    else:
        children = [child for child in entry.children if child.is_counted]
        below = [each for child in children for each in _shown(child, options, depth + 1, parents)]
    is_visible = (
        (parents or entry.total["own"])
        and depth <= options["max_depth"]
        and _is_named(options, entry.name)
        and has_enough(options, entry.numbers)
    )
    if not is_visible:
        return below
    entry.children = below
    _finish(entry, options)
    return [entry]


def _finish(entry: Entry, options: dict[str, Any]) -> None:
    own = entry.total.get("own", 0)
    entry.total = {key: entry.numbers[key] + sum(child.total[key] for child in entry.children) for key in NUMBERS}
    entry.total["own"] = own
    entry.children.sort(key=lambda child: _order(options, child.name, child.total))


def tree_text(root: Entry, options: dict[str, Any]) -> str:
    """The lines of a tree."""
    rows: list[str] = []
    pending = [(root, 0)]
    while pending:
        entry, depth = pending.pop()
        rows.append(f"{'  ' * depth}{entry.name} ({', '.join(_fields(entry, options))})\n")
        pending += [(child, depth + 1) for child in reversed(entry.children)]
    return "".join(rows)


def _fields(entry: Entry, options: dict[str, Any]) -> list[str]:
    select, own = options["select"], bool(entry.total["own"]) and entry.name != ROOT
    fields = []
    for column in text.columns(select):
        mine = text.value(column, entry.numbers[column]) if own else "--"
        total = text.value(column, entry.total[column])
        shape = entry.node.shape if entry.node is not None and column == "params" and own else None
        shown_shape = f"{'x'.join(map(str, shape))}, " if shape else ""
        fields.append(f"{shown_shape}{mine}/{total}{text.unit(column, of_ops=False)}")
    if "device" in select and entry.devices:
        fields.append("|".join(sorted(entry.devices)))
    if "op_types" in select:
        fields.append("|".join(sorted(entry.types)))
    if "occurrence" in select:
        runs, definitions = (
            (str(entry.numbers[key]) if own else "--") + f"/{entry.total[key]}" for key in ("runs", "definitions")
        )
        fields.append(f"{runs}|{definitions}")
    if "input_shapes" in select:
        shapes = entry.node.input_shapes if entry.node is not None else []
        fields.append(
            "|".join(f"{i}:{'x'.join(map(str, dims))}" for i, dims in enumerate(shapes) if dims is not None)
        )
    return fields


def list_text(entries: list[Entry], options: dict[str, Any]) -> tuple[str, list[Entry]]:
    """The lines of a list of op types, and the entries that they show."""
    rest = {key: sum(entry.numbers[key] for entry in entries) for key in NUMBERS}
    visible, shares = [], []
    for i, entry in enumerate(entries):
        if i <= options["max_depth"] and _is_named(options, entry.name) and has_enough(options, rest):
            visible.append(entry)
        rest = {key: rest[key] - entry.numbers[key] for key in NUMBERS}
    counted = visible if options["account_displayed_op_only"] else entries
    total = {key: sum(entry.numbers[key] for entry in counted) for key in NUMBERS}
    rest = dict(total)
    for entry in counted:
        if entry in visible:
            shares.append(f"{entry.name:<25}{', '.join(_list_fields(entry, options, rest, total))}\n")
        rest = {key: rest[key] - entry.numbers[key] for key in NUMBERS}
    return "".join(shares), visible


def _is_named(options: dict[str, Any], name: str) -> bool:
    """Whether the options show what has such a name."""
    return matches(options["show_name_regexes"], name) and not matches(options["hide_name_regexes"], name)


def _list_fields(
    entry: Entry, options: dict[str, Any], rest: dict[str, int], total: dict[str, int]
) -> list[str]:
    fields = []
    for column in text.columns(options["select"]):
        whole = total[column] or 1
        shares = f"({100 * rest[column] / whole:.2f}%, {100 * entry.numbers[column] / whole:.2f}%)"
        number = text.value(column, entry.numbers[column])
        fields.append(f"{number}{text.unit(column, of_ops=True)} {shares}".rjust(30))
    if "device" in options["select"]:
        fields.append("|".join(sorted(entry.devices)))
    if "op_types" in options["select"]:
        fields.append("|".join(sorted(entry.types)))
    if "occurrence" in options["select"]:
        fields.append(f"{entry.numbers['runs']}|{entry.numbers['definitions']}".rjust(10))
    return fields

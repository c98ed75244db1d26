"""A graph as a drawing: name scopes as boxes in layers, edges between them."""

from __future__ import annotations

import collections
from html import escape
from typing import Any, NamedTuple

_MOST = 60  # boxes that can be read at a glance
_WIDTH, _HEIGHT, _GAP_X, _GAP_Y, _MARGIN = 190, 46, 24, 44, 24
_LETTERS = 26  # of a line in a box
_COLOURS = ("#cfe2f3", "#d9ead3", "#fff2cc", "#f4cccc", "#d9d2e9", "#fce5cd", "#d0e0e3", "#ead1dc")


class Box(NamedTuple):
    """A scope, or a node that stands alone.

    name: Its name.
    text: How many nodes are in it and of which types most are.
    sources: The boxes that tensors come from, with how many.
    """

    name: str
    text: str
    sources: dict[str, int]


def boxes(graph: Any, scope: str = "", depth: int | None = None) -> list[Box]:
    """The boxes of a GraphDef.

    Args:
        graph: The GraphDef.
        scope: Take only nodes in this name scope.
        depth: How many parts of the names, after those of the scope, make a box; None for what stays readable.

    Raises:
        ValueError: There is no node in the scope.
    """
    start = f"{scope.rstrip('/')}/" if scope else ""
    nodes = [node for node in graph.node if node.name.startswith(start)]
    if not nodes:
        raise ValueError(f"there is no node in the scope {scope!r}")
    if depth is None:
        depth = 1
        while depth < 8 and len({_part(node.name, start, depth + 1) for node in nodes}) <= _MOST:
            depth += 1
    home = {node.name: _part(node.name, start, depth) for node in nodes}
    types: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    sources: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for node in nodes:
        box = home[node.name]
        types[box][node.op] += 1
        for text in node.input:
            source = home.get(text.lstrip("^").split(":")[0])
            if source is not None and source != box and not text.startswith("^"):
                sources[box][source] += 1
    return [Box(name, _described(types[name]), dict(sources[name])) for name in dict.fromkeys(home.values())]


def _part(name: str, start: str, depth: int) -> str:
    return start + "/".join(name[len(start) :].split("/")[:depth])


def _described(types: collections.Counter[str]) -> str:
    total = sum(types.values())
    most = max(types, key=lambda kind: (kind != "Const", types[kind]))  # constants tell little
    return most if total == 1 else f"{total} nodes, {types[most]} {most}"


def _layers(found: list[Box]) -> list[list[str]]:
    """The names in layers: every box below those that it takes tensors from, loops cut where they close."""
    of = {box.name: list(box.sources) for box in found}
    level: dict[str, int] = {}
    for start in of:
        stack, path = [(start, iter(of[start]))], {start}
        while stack:
            name, rest = stack[-1]
            following = next((each for each in rest if each not in level and each not in path), None)
            if following is not None:
                path.add(following)
                stack.append((following, iter(of[following])))
                continue
            stack.pop()
            path.discard(name)
            level.setdefault(name, 1 + max((level[each] for each in of[name] if each in level), default=-1))
    rows: list[list[str]] = [[] for _ in range(max(level.values()) + 1)]
    for name in of:
        rows[level[name]].append(name)
    return _ordered(rows, of)


def _ordered(rows: list[list[str]], of: dict[str, list[str]]) -> list[list[str]]:
    """The layers with each box near the middle of those above that it takes tensors from."""
    place: dict[str, float] = {}
    for row in rows:
        middle = {
            name: sum(known) / len(known) if (known := [place[s] for s in of[name] if s in place]) else len(place) / 7
            for name in row
        }
        row.sort(key=middle.__getitem__)
        for i, name in enumerate(row):
            place[name] = i - len(row) / 2
    return rows


def svg(found: list[Box], title: str) -> str:
    """The drawing, as the text of an SVG file."""
    rows = _layers(found)
    widest = max(map(len, rows))
    width = 2 * _MARGIN + widest * _WIDTH + (widest - 1) * _GAP_X
    height = 2 * _MARGIN + len(rows) * _HEIGHT + (len(rows) - 1) * _GAP_Y
    corner = {}
    for i, row in enumerate(rows):
        left = (width - len(row) * _WIDTH - (len(row) - 1) * _GAP_X) / 2
        for j, name in enumerate(row):
            corner[name] = left + j * (_WIDTH + _GAP_X), _MARGIN + i * (_HEIGHT + _GAP_Y)
    scopes = list(dict.fromkeys(box.name.split("/")[0].split("_")[0] for box in found))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" '
        'font-family="sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 8 4 0 8z" fill="#777"/></marker></defs>',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    lines += [_edge(corner[source], corner[box.name], count) for box in found for source, count in box.sources.items()]
    for box in found:
        x, y = corner[box.name]
        colour = _COLOURS[scopes.index(box.name.split("/")[0].split("_")[0]) % len(_COLOURS)]
        lines.append(
            f'<g><title>{escape(box.name)}: {escape(box.text)}</title><rect x="{x:g}" y="{y:g}" width="{_WIDTH}" '
            f'height="{_HEIGHT}" rx="6" fill="{colour}" stroke="#555"/>'
            f'<text x="{x + _WIDTH / 2:g}" y="{y + 19:g}" text-anchor="middle" font-weight="bold">'
            f'{escape(_cut(box.name))}</text><text x="{x + _WIDTH / 2:g}" y="{y + 36:g}" text-anchor="middle" '
            f'fill="#444">{escape(_cut(box.text))}</text></g>'
        )
    return "\n".join([*lines, "</svg>", ""])


def _edge(source: tuple[float, float], target: tuple[float, float], count: int) -> str:
    """A curve from the lower side of one box to the upper side of another; thicker for many tensors."""
    x, y = source[0] + _WIDTH / 2, source[1] + _HEIGHT
    u, v = target[0] + _WIDTH / 2, target[1]
    bend = max(abs(v - y) / 2, _GAP_Y / 2)
    return (
        f'<path d="M{x:g} {y:g} C{x:g} {y + bend:g} {u:g} {v - bend:g} {u:g} {v:g}" fill="none" stroke="#999" '
        f'stroke-width="{min(1 + count / 4, 5):g}" stroke-opacity="0.7" marker-end="url(#tip)"/>'
    )


def _cut(text: str) -> str:
    """What fits into a box: the end of what is long."""
    return text if len(text) <= _LETTERS else f"…{text[1 - _LETTERS:]}"

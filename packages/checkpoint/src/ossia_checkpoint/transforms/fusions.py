"""Transforms of convolutions: one node for a convolution and what comes before it."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ossia_checkpoint.transforms.apply import Task
from ossia_checkpoint.transforms.constants import array_of, set_array
from ossia_checkpoint.transforms.nodes import source, with_nodes

_CONVOLUTION = ("T", "strides", "padding")


class _Match(NamedTuple):
    """Nodes that one node takes the place of.

    kept: the nodes that it reads and that stay, in the order in which they come before it.
    gone: the nodes that it replaces, without the last, whose place it takes.
    made: it, and what it reads besides.
    """

    kept: list[Any]
    gone: list[Any]
    made: list[Any]


class _Graph:
    """A GraphDef by names."""

    def __init__(self, graph: Any, task: Task) -> None:
        self._nodes = {node.name: node for node in graph.node}
        self._uses = collections.Counter(source(text) for node in graph.node for text in node.input)
        self._uses.update(task.outputs)

    def before(self, node: Any, position: int, *types: str) -> Any:
        """The node that gives an input of another one; None for another type, if any are named."""
        found = self._nodes.get(source(node.input[position])) if len(node.input) > position else None
        return found if found is None or not types or found.op in types else None

    def only_before(self, node: Any, position: int, *types: str) -> Any:
        """The same, None also if something else needs the node."""
        found = self.before(node, position, *types)
        return found if found is not None and self._uses[found.name] == 1 else None


def _replaced(graph: Any, task: Task, match: Callable[[_Graph, Any], _Match | None]) -> Any:
    """The graph with one node for each match, which ends in the node of that name."""
    found = _Graph(graph, task)
    matches = {node.name: made for node in graph.node if (made := match(found, node)) is not None}
    gone = {node.name for each in matches.values() for node in each.gone}
    moved = {node.name for each in matches.values() for node in each.kept}

    def nodes() -> Iterator[Any]:
        written = set()
        for node in graph.node:
            if node.name in gone or node.name in moved:
                continue
            for each in [*matches[node.name].kept, *matches[node.name].made] if node.name in matches else [node]:
                if each.name not in written:
                    written.add(each.name)
                    yield each

    return with_nodes(graph, nodes())


def _fused(conv: Any, op: str, inputs: list[str], mode: bytes, align_corners: Any = None) -> Any:
    """A convolution with what comes before it."""
    made = type(conv)(name=conv.name, op=op, input=inputs, device=conv.device)
    for name in _CONVOLUTION:
        made.attr[name].CopyFrom(conv.attr[name])
    made.attr["mode"].s = mode
    if align_corners is not None:
        made.attr["resize_align_corners"].CopyFrom(align_corners)
    return made


def fuse_pad_and_conv(graph: Any, task: Task) -> Any:
    """Make mirrored padding a part of the convolution after it."""

    def match(found: _Graph, conv: Any) -> _Match | None:
        pad: Any = found.only_before(conv, 0, "MirrorPad") if conv.op == "Conv2D" else None
        if pad is None:
            return None
        kept = [found.before(conv, 1), *(found.before(pad, i) for i in (0, 1))]
        inputs = [*pad.input[:2], conv.input[1]]
        return _Match(kept, [pad], [_fused(conv, "FusedPadConv2D", inputs, pad.attr["mode"].s)])

    return _replaced(graph, task, match)


def fuse_resize_and_conv(graph: Any, task: Task) -> Any:
    """Make a bilinear resize a part of the convolution after it."""

    def match(found: _Graph, conv: Any) -> _Match | None:
        resize = found.only_before(conv, 0, "ResizeBilinear") if conv.op == "Conv2D" else None
        if resize is None:
            return None
        kept = [*(found.before(resize, i) for i in (0, 1)), found.before(conv, 1)]
        paddings = type(conv)(name=f"{conv.name}_dummy_paddings")
        set_array(paddings, np.zeros([4, 2], np.int32))
        inputs = [*resize.input[:2], paddings.name, conv.input[1]]
        made = _fused(conv, "FusedResizeAndPadConv2D", inputs, b"REFLECT", resize.attr["align_corners"])
        return _Match(kept, [resize], [paddings, made])

    return _replaced(graph, task, match)


def fuse_resize_pad_and_conv(graph: Any, task: Task) -> Any:
    """Make a bilinear resize and mirrored padding parts of the convolution after them."""

    def match(found: _Graph, conv: Any) -> _Match | None:
        pad: Any = found.only_before(conv, 0, "MirrorPad") if conv.op == "Conv2D" else None
        resize: Any = found.only_before(pad, 0, "ResizeBilinear") if pad is not None else None
        if resize is None:
            return None
        kept = [*(found.before(resize, i) for i in (0, 1)), found.before(conv, 1), found.before(pad, 1)]
        inputs = [*resize.input[:2], pad.input[1], conv.input[1]]
        align = resize.attr["align_corners"]
        made = _fused(conv, "FusedResizeAndPadConv2D", inputs, pad.attr["mode"].s, align)
        return _Match(kept, [resize, pad], [made])

    return _replaced(graph, task, match)


def flatten_atrous_conv(graph: Any, task: Task) -> Any:
    """Make a convolution between SpaceToBatchND and BatchToSpaceND one with a filter that has zeros between."""

    def match(found: _Graph, last: Any) -> _Match | None:
        types = ("Conv2D", "DepthwiseConv2dNative")
        conv: Any = found.only_before(last, 0, *types) if last.op == "BatchToSpaceND" else None
        first: Any = found.only_before(conv, 0, "SpaceToBatchND") if conv is not None else None
        weights = found.before(conv, 1, "Const") if conv is not None else None
        blocks = found.before(first, 1, "Const") if first is not None else None
        if weights is None or blocks is None:
            return None
        rate, values = array_of(blocks), array_of(weights)
        sizes = [(n - 1) * by + 1 for n, by in zip(values.shape[:2], rate, strict=True)]
        spread = np.zeros([*sizes, *values.shape[2:]])
        spread[:: rate[0], :: rate[1]] = values
        filters = type(conv)(name=weights.name)
        set_array(filters, spread.astype(values.dtype))
        made = type(conv)(name=last.name, op=conv.op, input=[first.input[0], filters.name], device=conv.device)
        for name in ("T", "data_format", "strides", *(("use_cudnn_on_gpu",) if conv.op == "Conv2D" else ())):
            made.attr[name].CopyFrom(conv.attr[name])
        made.attr["padding"].s = b"SAME"
        unread = [found.only_before(node, i, "Const") for node in (first, last) for i in (1, 2)]
        gone = [first, conv, weights, *(node for node in unread if node is not None)]
        return _Match([found.before(first, 0)], gone, [filters, made])

    return _replaced(graph, task, match)


TRANSFORMS = {
    function.__name__: function
    for function in (fuse_pad_and_conv, fuse_resize_and_conv, fuse_resize_pad_and_conv, flatten_atrous_conv)
}

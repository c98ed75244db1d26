"""Which values of a graph are known once the shapes are."""
from __future__ import annotations

from typing import Any

_SHAPES = frozenset(("Shape", "ShapeN", "Size", "Rank", "TensorArraySizeV3"))
_BORDERS = frozenset(
    (
        "Placeholder",
        "Enter",
        "RefEnter",
        "Merge",
        "RefMerge",
        "NextIteration",
        "RefNextIteration",
        "Switch",
        "RefSwitch",
        "Exit",
    )
)


def follows_from_shapes(node: Any) -> bool:
    """Whether a node's values are known once shapes are: what gradients compute to undo broadcasting, for example."""
    known = node.__dict__.get("_follows_from_shapes")
    if known is None:
        if node.type in ("Enter", "StackPopV2"):
            # A gradient loop gets the shapes of its forward loop from outside, or from a stack.
            source = node._inputs[0].op
            known = (
                node.attrs["elem_type"].is_integer
                if node.type == "StackPopV2"
                else source.type == "Const" or follows_from_shapes(source)
            )
        else:
            known = node.type in _SHAPES or (
                node.definition.foldable
                and bool(node._inputs)
                and node.type not in _BORDERS
                and all(t.op.type == "Const" or follows_from_shapes(t.op) for t in node._inputs)
            )
        node.__dict__["_follows_from_shapes"] = known
    return known

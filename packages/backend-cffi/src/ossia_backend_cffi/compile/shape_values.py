"""Which values of a graph are known once the shapes are."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.language import CONST, ENTER

_LENGTHS = frozenset(("TensorArraySizeV3",))  # of arrays, which a program knows
_POPS = frozenset(("StackPopV2",))  # of what a forward loop has left


def follows_from_shapes(node: Any) -> bool:
    """Whether a node's values are known once shapes are: what gradients compute to undo broadcasting, for example."""
    known = node.__dict__.get("_follows_from_shapes")
    if known is None:
        pops = node.type in _POPS
        if pops or node.definition.role is ENTER:
            # A gradient loop gets the shapes of its forward loop from outside, or from a stack.
            source = node._inputs[0].op
            known = (
                node.attrs["elem_type"].is_integer
                if pops
                else source.definition.role is CONST or follows_from_shapes(source)
            )
        else:
            known = node.definition.describes_shape or node.type in _LENGTHS or (
                node.definition.foldable
                and bool(node._inputs)
                and all(t.op.definition.role is CONST or follows_from_shapes(t.op) for t in node._inputs)
            )
        node.__dict__["_follows_from_shapes"] = known
    return known

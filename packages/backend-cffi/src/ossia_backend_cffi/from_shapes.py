"""Which values of a graph are known once the shapes are."""
from __future__ import annotations

from typing import Any

from ossia_backend_cffi.implemented import gives_length, pops
from ossia_core.declare.language import CONST, ENTER


def follows_from_shapes(node: Any) -> bool:
    """Whether a node's values are known once shapes are: what gradients compute to undo broadcasting, for example."""
    known = node.__dict__.get("_follows_from_shapes")
    if known is None:
        if node.definition.role is ENTER or pops(node):
            # A gradient loop gets the shapes of its forward loop from outside, or from a stack.
            source = node._inputs[0].op
            known = (
                node.attrs["elem_type"].is_integer
                if pops(node)
                else source.definition.role is CONST or follows_from_shapes(source)
            )
        else:
            known = gives_length(node) or (
                node.definition.foldable
                and bool(node._inputs)
                and all(t.op.definition.role is CONST or follows_from_shapes(t.op) for t in node._inputs)
            )
        node.__dict__["_follows_from_shapes"] = known
    return known

"""Loops that come in with a GraphDef: static shapes of their variables, which the nodes alone do not tell."""
from __future__ import annotations

from ossia_core.declare.language import MERGE, NEXT
from ossia_core.graph.operation import Operation
from ossia_core.names.shapes import UNKNOWN_SHAPE


def restore_loop_shapes(ops: list[Operation]) -> None:
    """Give the variables of imported loops the shapes that hold in every iteration, as far as the entering shape
    does."""
    for op in ops:
        if op.definition.role is MERGE and any(t.op.definition.role is NEXT for t in op._inputs):
            shape = op.outputs[0]._shape
            for t in op._inputs:
                dims, other = shape.as_tuple(), t.shape.as_tuple()
                if dims is None or other is None or len(dims) != len(other):
                    shape = UNKNOWN_SHAPE
                    break
            op.outputs[0]._shape = shape

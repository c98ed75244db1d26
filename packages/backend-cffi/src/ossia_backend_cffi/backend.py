"""The backend: which nodes it claims, and what it makes of regions of them."""
from __future__ import annotations

from typing import Any

from ossia_backend_cffi import integers, movement, random_draws, updates, windows  # noqa: F401 - registers its emitters
from ossia_backend_cffi.emitters import EMITTERS
from ossia_backend_cffi.loader import native
from ossia_backend_cffi.region_program import RegionProgram
from ossia_core import dtypes
from ossia_core.backend import Backend
from ossia_core.session.regions import Region

_TYPES = frozenset((dtypes.float32, dtypes.int32, dtypes.int64, dtypes.bool, dtypes.resource))
_OF_FLOATS = frozenset(
    (
        "MatMul",
        "AddN",
        "BiasAdd",
        "BiasAddGrad",
        "Sum",
        "Mean",
        "Max",
        "Min",
        "Prod",
        "ArgMax",
        "ArgMin",
        "Neg",
        "Abs",
        "Sign",
        "Square",
        "Pow",
        "RealDiv",
        "Div",
        "SquaredDifference",
        "L2Loss",
        "Conv2D",
        "MaxPool",
        "AvgPool",
        "UnsortedSegmentSum",
    )
)
_SHAPES = frozenset(("Shape", "ShapeN", "Size", "Rank"))
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


class CffiBackend(Backend):
    """Compiles regions of float32 graphs into programs of native instructions."""

    name = "cffi"
    priority = 100
    compiles = True

    def claims(self, node: Any) -> bool:
        """Whether there is an emitter for the node's type, and it computes with dtypes that are compiled."""
        if native() is None:
            return False
        return _is_compiled(node) or follows_from_shapes(node)

    def compile(self, region: Region, input_shapes: Any) -> Any:
        """A program that specialises itself on the shapes that it is called with."""
        return RegionProgram(region)


def _is_compiled(node: Any) -> bool:
    if node.type not in EMITTERS or (node.type in _OF_FLOATS and node._inputs[0].dtype.base_dtype != dtypes.float32):
        return False
    if node.type == "RandomUniform" and node.outputs[0].dtype != dtypes.float32:
        return False
    return all(t.dtype.base_dtype in _TYPES for t in (*node._inputs, *node.outputs))


def follows_from_shapes(node: Any) -> bool:
    """Whether a node's values are known once shapes are: what gradients compute to undo broadcasting, for example."""
    known = node.__dict__.get("_follows_from_shapes")
    if known is None:
        known = node.type in _SHAPES or (
            node.definition.foldable
            and bool(node._inputs)
            and node.type not in _BORDERS
            and all(t.op.type == "Const" or follows_from_shapes(t.op) for t in node._inputs)
        )
        node.__dict__["_follows_from_shapes"] = known
    return known

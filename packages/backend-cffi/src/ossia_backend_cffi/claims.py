"""Which dtypes the emitter of a type takes."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.names import dtypes

_DTYPES = (dtypes.float32, dtypes.int32, dtypes.int64, dtypes.bool, dtypes.resource)
COMPILED = frozenset(number for t in _DTYPES for number in (t._type_enum, t._as_ref._type_enum))
CONDITIONS: dict[str, Callable[[Any], bool]] = {}  # by type, which nodes the emitter takes, if not all of some dtypes
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
        *("Erf", "Erfc", "Lgamma", "Digamma", "Igamma", "Igammac", "Zeta", "Polygamma", "Betainc"),
    )
)
_DRAWS = frozenset(("RandomUniform", "RandomStandardNormal", "TruncatedNormal"))
_OF_INTEGERS = frozenset(("FloorDiv", "FloorMod", "TruncateDiv", "TruncateMod"))


def is_compiled(kind: str, node: Any) -> bool:
    """Whether the emitter of a type takes the dtypes of a node."""
    condition = CONDITIONS.get(kind)
    if condition is not None:
        return condition(node)
    if kind in _DRAWS and node.outputs[0].dtype != dtypes.float32:
        return False
    for tensor in node._inputs:
        if tensor.dtype._type_enum not in COMPILED:
            return False
    for tensor in node.outputs:
        if tensor.dtype._type_enum not in COMPILED:
            return False
    if kind in _OF_INTEGERS:
        return node._inputs[0].dtype.base_dtype in (dtypes.int32, dtypes.int64)
    return kind not in _OF_FLOATS or node._inputs[0].dtype.base_dtype is dtypes.float32

"""`tf.get_static_value`: what is known of a tensor's value while the graph is built."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core import dtypes
from ossia_core.api_table import public
from ossia_core.graph.tensor import Tensor
from ossia_core.shape_rules import constant

# The ops that the original looks through; programs see what it gives up on.
_SEEN_THROUGH = frozenset(
    (
        "Const",
        "Shape",
        "Size",
        "Rank",
        "Range",
        "Cast",
        "Concat",
        "ConcatV2",
        "ConcatOffset",
        "Pack",
        "Fill",
        "Equal",
        "NotEqual",
    )
)


@public("get_static_value")
def get_static_value(tensor: Any, partial: bool = False) -> Any:
    """The value of a tensor as an array, if it follows from constants, else None.

    Args:
      tensor: a tensor.
      partial: whether a list with None for the unknown elements will do, for a packed vector.
    """
    if not isinstance(tensor, Tensor):
        return getattr(tensor, "numpy", lambda: None)() if hasattr(tensor, "numpy") else None
    if partial and tensor.op.type == "Pack":
        values = [get_static_value(x) for x in tensor.op._inputs]
        if any(value is None for value in values):
            return np.array(values, object)
    value = constant(tensor) if _follows(tensor, 0) else None
    if value is None or tensor.dtype is dtypes.resource:
        return None
    tensor.graph.prevent_feeding(tensor)  # the program may rely on it now
    value = np.array(value)
    return value if value.ndim or tensor.op.type == "Const" else value[()]


def _follows(tensor: Tensor, depth: int) -> bool:
    op = tensor.op
    if op.type not in _SEEN_THROUGH or depth > 64:
        return False
    return op.type in ("Shape", "Size", "Rank") or all(_follows(x, depth + 1) for x in op._inputs)

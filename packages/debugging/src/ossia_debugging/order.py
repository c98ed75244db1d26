"""Whether the elements of a tensor are in order."""

from __future__ import annotations

from typing import Any

from ossia_core.control.cond import cond
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_debugging.kinds import is_numeric_tensor
from ossia_ops.array.shape import reshape, size
from ossia_ops.array.shape import shape as shape_of
from ossia_ops.array.slicing import strided_slice
from ossia_ops.math.comparison import less, less_equal
from ossia_ops.math.reduction import reduce_all


def _differences(x: Any) -> Tensor:
    """Each element less the one before it, row by row; empty for fewer than two elements."""
    x = reshape(x, [-1])
    if not is_numeric_tensor(x):
        raise TypeError(f"Expected x to be numeric, instead found: {x}")
    is_short = less(size(x), 2)
    last = shape_of(x) - 1
    return cond(
        is_short,
        lambda: convert_to_tensor([], dtype=x.dtype),
        lambda: strided_slice(x, [1], [1] + last) - strided_slice(x, [0], last),
    )


@public(
    "debugging.is_non_decreasing", "is_non_decreasing", "math.is_non_decreasing", "compat.v2.math.is_non_decreasing"
)
def is_non_decreasing(x: Any, name: str | None = None) -> Tensor:
    """Whether each element is at least as large as the one before it, row by row; True for fewer than two elements.

    Args:
        x: A numeric tensor.
        name: Name of the scope.

    Returns:
        A bool scalar.

    Raises:
        TypeError: `x` is of a type that `is_numeric_tensor` does not count as numeric.
    """
    with name_scope(name, "is_non_decreasing", [x]):
        differences = _differences(x)
        return reduce_all(less_equal(convert_to_tensor(0, dtype=differences.dtype), differences))


@public(
    "debugging.is_strictly_increasing",
    "is_strictly_increasing",
    "math.is_strictly_increasing",
    "compat.v2.math.is_strictly_increasing",
)
def is_strictly_increasing(x: Any, name: str | None = None) -> Tensor:
    """Whether each element is larger than the one before it, row by row; True for fewer than two elements.

    Args:
        x: A numeric tensor.
        name: Name of the scope.

    Returns:
        A bool scalar.

    Raises:
        TypeError: `x` is of a type that `is_numeric_tensor` does not count as numeric.
    """
    with name_scope(name, "is_strictly_increasing", [x]):
        differences = _differences(x)
        return reduce_all(less(convert_to_tensor(0, dtype=differences.dtype), differences))

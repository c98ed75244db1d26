"""Axes of ragged tensors."""
from __future__ import annotations

from typing import Any


def positive_axis(axis: Any, rank: int | None) -> int:
    """`axis` counted from the front.

    Raises:
      TypeError: `axis` is no int.
      ValueError: it is out of range, or negative while the rank is not known.
    """
    if not isinstance(axis, int):
        raise TypeError(f"axis must be an int; got {type(axis).__name__}")
    if rank is not None:
        if not -rank <= axis < rank:
            raise ValueError(f"axis={axis} out of bounds: expected {-rank}<=axis<{rank}")
        return axis % rank
    if axis < 0:
        raise ValueError("axis may only be negative if ndims is statically known.")
    return axis

"""Row splits in a run: what they must be."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.names.errors import InvalidArgumentError, dims_text


def checked_splits(splits: Any, size: int, what: str = "row_splits") -> np.ndarray:
    """Row splits that start at 0, never fall and end at `size`.

    Raises:
      InvalidArgumentError: they are anything else.
    """
    if splits.ndim != 1 or not len(splits):
        raise InvalidArgumentError(None, None, f"{what} must be a vector with one element at least, got shape "
                                               f"{dims_text(splits.shape)}")
    if splits[0] != 0:
        raise InvalidArgumentError(None, None, f"First value of {what} must be 0, got {splits[0]}")
    if np.any(splits[1:] < splits[:-1]):
        raise InvalidArgumentError(None, None, f"{what} must not fall")
    if splits[-1] != size:
        raise InvalidArgumentError(None, None, f"{what} must end at the number of values, {size}, got {splits[-1]}")
    return splits


def checked_nest(nested: Any, values: Any) -> None:
    """That row splits, the outermost first, fit each other and the values.

    Raises:
      InvalidArgumentError: they do not.
    """
    if not values.ndim:
        raise InvalidArgumentError(None, None, "ragged values must have rank 1 at least")
    for splits, inner in zip(nested, [*nested[1:], None], strict=True):
        checked_splits(splits, len(values) if inner is None else len(inner) - 1)

"""How many elements and bytes a shape asks for, in exact integers, checked before anything is allocated."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from ossia_core.names.errors import InvalidArgumentError, ResourceExhaustedError

MAX_ELEMENTS = 2**63 - 1
MAX_RANK = 254


def _default_limit() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 2**40


max_bytes = _default_limit()  # a tensor may be no larger; the machine's memory unless a program sets another limit


def elements(shape: Iterable[int]) -> int:
    """Returns the number of elements of a shape.

    Args:
        shape: the sizes, all known.

    Raises:
        InvalidArgumentError: if a size is negative, there are more than 254, or the non-zero ones multiply to more than
            2**63 - 1.
    """
    sizes = tuple(map(int, shape))
    if len(sizes) > MAX_RANK:
        raise InvalidArgumentError(None, None, f"A tensor has at most {MAX_RANK} dimensions, not {len(sizes)}.")
    for size in sizes:
        if size < 0:
            raise InvalidArgumentError(None, None, f"Dimension {size} must be >= 0, in the shape {_text(sizes)}.")
    if math.prod(size or 1 for size in sizes) > MAX_ELEMENTS:
        raise InvalidArgumentError(None, None, f"Shape {_text(sizes)} would have more than 2**63 - 1 elements")
    return math.prod(sizes)


def allocatable(shape: Iterable[int], item_size: int) -> int:
    """Returns the number of elements of a shape that fits into memory.

    Args:
        shape: the sizes, all known.
        item_size: bytes per element.

    Raises:
        InvalidArgumentError: as `elements` does.
        ResourceExhaustedError: if the elements take more than `max_bytes`.
    """
    sizes = tuple(shape)
    count = elements(sizes)
    if count * item_size > max_bytes:
        raise ResourceExhaustedError(
            None,
            None,
            f"OOM when allocating tensor with shape{_text(sizes)}: "
            f"{count * item_size} bytes exceed the limit of {max_bytes}.",
        )
    return count


def scalar(value: Any, what: str) -> int:
    """The integer that an input named `what` must be: NumPy before 2.4 would take it from any array of one element.

    Raises:
        InvalidArgumentError: if the value is not a scalar.
    """
    if np.ndim(value):
        raise InvalidArgumentError(None, None, f"{what} must be a scalar, but has the shape {_text(np.shape(value))}")
    return int(value)


def number_in(value: Any, what: str) -> int:
    """The integer that a scalar, or an array of one element, holds.

    Raises:
        InvalidArgumentError: if it is any other array.
    """
    if np.size(value) != 1:
        raise InvalidArgumentError(None, None, f"{what} must be a scalar, got shape {_text(np.shape(value))}")
    return int(np.reshape(value, ()))


def _text(sizes: tuple[int, ...]) -> str:
    shown = ",".join(map(str, sizes[:8])) + (",..." if len(sizes) > 8 else "")
    return f"[{shown}]"

"""Element by element on NumPy, fast: blocks that stay in the cache, and choices without branches."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

_BLOCK = 1 << 15  # elements
_FEW = 1 << 10  # elements up to which NumPy's own choice is as fast
_WHOLE = {1: np.dtype("i1"), 2: np.dtype("i2"), 4: np.dtype("i4"), 8: np.dtype("i8")}


def in_blocks(fn: Callable) -> Callable:
    """An elementwise kernel that is called with so many elements at a time that its intermediate values stay in the
    cache; operands may broadcast, and the first of those of full shape gives the dtype of the result."""

    def kernel(*arrays: Any) -> Any:
        for array in arrays:
            if array.size > 2 * _BLOCK:
                break
        else:
            return fn(*arrays)
        first = arrays[0]
        size, shape = first.size, first.shape
        alike = all(array.shape == shape or not array.ndim for array in arrays)
        if not alike:
            try:
                shape = np.broadcast_shapes(*[array.shape for array in arrays])
            except ValueError:
                return fn(*arrays)
            size = max(array.size for array in arrays)
        if not alike and (len(shape) < 2 or shape[0] == 1):
            return fn(*arrays)
        if alike and all(array.flags.c_contiguous for array in arrays):
            result = np.empty(size, first.dtype)
            parts = [array.reshape(-1) if array.ndim else array for array in arrays]
            length, step = size, _BLOCK
        else:
            result = np.empty(shape, first.dtype)
            parts, length = list(arrays), shape[0]
            step = max(1, _BLOCK * length // max(result.size, 1))
        sliced = [array.ndim == result.ndim and array.shape[0] != 1 for array in parts]
        for start in range(0, length, step):
            part = slice(start, start + step)
            result[part] = fn(*[array[part] if cut else array for array, cut in zip(parts, sliced, strict=True)])
        return result.reshape(shape)

    return kernel


def _chosen(condition: Any, x: Any, y: Any) -> Any:
    """`np.where` by the bits: its branches cost most where conditions change from element to element."""
    whole = _WHOLE.get(x.dtype.itemsize)
    if whole is None or condition.size <= _FEW or x.dtype != y.dtype or x.dtype.kind not in "fiub":
        return np.where(condition, x, y)
    first, second = x.view(whole), y.view(whole)
    if not y.ndim and not second:
        return np.multiply(first, condition).view(x.dtype)
    bits = np.bitwise_xor(first, second)
    if bits.shape != condition.shape:
        return np.where(condition, x, y)
    np.multiply(bits, condition, out=bits)
    return np.bitwise_xor(bits, second, out=bits).view(x.dtype)


_chosen_in_blocks = in_blocks(lambda x, condition, y: _chosen(condition, x, y))


def choose(condition: Any, x: Any, y: Any) -> Any:
    """`np.where(condition, x, y)` for a bool array and two arrays of one dtype.

    Args:
      condition: bools.
      x: an array or NumPy scalar.
      y: likewise.

    Returns:
      An array; NumPy's errors where the shapes do not broadcast.
    """
    if condition.size <= _FEW or x.dtype != y.dtype or x.dtype.kind not in "fiub":
        return np.where(condition, x, y)
    if x.size < y.size:
        return choose(~condition, y, x) if y.size >= condition.size else np.where(condition, x, y)
    return _chosen_in_blocks(x, condition, y)


def larger(x: Any, y: Any) -> Any:
    """The larger of floats; with NaN on either side, and of zeros, the first."""
    return np.maximum(x, y) if _is_plain(y) else _larger(x, y)


def smaller(x: Any, y: Any) -> Any:
    """The smaller of floats; with NaN on either side, and of zeros, the first."""
    return np.minimum(x, y) if _is_plain(y) else _smaller(x, y)


def _is_plain(y: Any) -> bool:
    """Whether a number is neither NaN nor a zero with a sign, so that the order of the operands does not matter."""
    return not y.ndim and bool(y == y and (y != 0 or y.dtype.kind in "iu"))


def _broadcast_choice(condition: Any, x: Any, y: Any) -> Any:
    if condition.size <= _FEW:
        return np.where(condition, x, y)
    return _chosen(condition, *[each if each.shape == condition.shape else np.broadcast_to(each, condition.shape)
                                for each in (x, y)])


_larger = in_blocks(lambda x, y: _broadcast_choice(np.greater(y, x), y, x))
_smaller = in_blocks(lambda x, y: _broadcast_choice(np.less(y, x), y, x))

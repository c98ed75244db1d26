"""The makers of kernels by op type, and what they share."""
from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.backend import Kernel
from ossia_core.names import sizes

Maker = Callable[[Any, Any, Kernel, Any], "Kernel | None"]
MAKERS: dict[str, Maker] = {}
KINDS = {"f4": 0, "f8": 1, "i4": 2, "i8": 3}
_MOST_THREADS = 64
FEW = 256  # elements up to which NumPy is as fast
MOST_LARGEST = 64  # elements of a row that are kept in order


def makes(*op_types: str) -> Callable[[Maker], Maker]:
    """Register a maker of kernels, `make(native, node, reference, session)`, for op types."""

    def register(fn: Maker) -> Maker:
        for op_type in op_types:
            MAKERS[op_type] = fn
        return fn

    return register


def kind_of(array: Any) -> int:
    """The number of an array's dtype in C; -1 for another dtype, or an array that is no block of memory."""
    dtype = array.dtype
    if not isinstance(array, np.ndarray) or not array.flags.c_contiguous or not dtype.isnative:
        return -1
    return KINDS.get(f"{dtype.kind}{dtype.itemsize}", -1)


def indices_of(*arrays: Any) -> bool:
    """Whether the arrays are blocks of int32 or int64 numbers."""
    return all(kind_of(array) in (2, 3) for array in arrays)


def pointer(ffi: Any, array: np.ndarray, kind: str = "char *") -> Any:
    """Where an array begins."""
    return ffi.cast(kind, array.ctypes.data)


def empty(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """An array for a result.

    Raises:
      ResourceExhaustedError: it is of a hostile size.
    """
    sizes.allocatable(shape, dtype.itemsize)
    return np.empty(shape, dtype)


def threads_of(session: Any) -> int:
    """How many threads may share the work of a kernel."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(session.threads or usable, _MOST_THREADS)

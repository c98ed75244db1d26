"""The kernels of `ossia-backend-cffi`, where that package is installed."""

from __future__ import annotations

import functools
import os
from types import ModuleType
from typing import Any

import numpy as np

_MAX_PACKED = 1 << 19  # elements of weights; larger ones do not stay in the caches, and BLAS blocks for these
_MIN_PRODUCTS = 1 << 11  # fewer are done before arguments are converted for C


@functools.cache
def kernels() -> ModuleType | None:
    """The module of the compiled kernels, or None: then NumPy does the work, with the same results."""
    if os.environ.get("OSSIA_BACKEND") == "numpy":
        return None
    try:
        from ossia_backend_cffi.kernels import quantized  # optional: who only runs models need not have a compiler
    except ImportError:
        return None
    return quantized if quantized.available() else None


def product(call: Any, x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Rows times the transpose of weights.

    Args:
        call: The operator; its input 1 holds the weights. They are packed once if it is constant.
        x: `[rows, depth]`.
        weights: `[columns, depth]`, of the same type.
    """
    compiled = kernels() if weights.size * len(x) >= _MIN_PRODUCTS else None
    if compiled is not None and call.constant[1] and weights.dtype == np.float32 and weights.size <= _MAX_PACKED:
        found = compiled.product(x, call.keep("panels", 1, lambda: compiled.Panels(weights)))
        if found is not None:
            return found
    return x @ weights.T

"""Compiled kernels for models, from the backend that offers them; `ossia-backend-cffi` does."""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import Any

import numpy as np

from ossia_core.backend import routine

_NAMES = (
    "Panels", "Scaling", "bias_and_clamp", "depthwise_floats", "depthwise_integers", "product", "requantize",
)
_MAX_PACKED = 1 << 19  # elements of weights; larger ones do not stay in the caches, and BLAS blocks for these
_MIN_PRODUCTS = 1 << 11  # fewer are done before arguments are converted for C


@functools.cache
def kernels() -> SimpleNamespace | None:
    """The compiled kernels by name, or None where no backend has them: NumPy then gives the same results."""
    found = {name: routine(f"quantized.{name}") for name in _NAMES}
    return SimpleNamespace(**found) if all(found.values()) else None


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

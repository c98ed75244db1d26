"""The kernels of `ossia-backend-cffi`, where that package is installed."""

from __future__ import annotations

import functools
import os
from types import ModuleType


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

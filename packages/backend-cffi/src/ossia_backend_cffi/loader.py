"""The native module."""
from __future__ import annotations

import functools
from types import ModuleType

from ossia_backend_cffi.program import INSTRUCTION, KERNELS


@functools.cache
def native() -> ModuleType | None:
    """The compiled module, or None where there is none that fits: the package was built without a compiler."""
    try:
        from ossia_backend_cffi import _native  # type: ignore[attr-defined]
    except ImportError:
        return None
    if _native.lib.oc_kernel_count() != len(KERNELS) or _native.ffi.sizeof("oc_instr") != INSTRUCTION.itemsize:
        return None  # built from other sources
    return _native

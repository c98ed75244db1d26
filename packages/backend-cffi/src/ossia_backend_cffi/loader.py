"""The native module, and the BLAS that it calls: numpy's own, found beside numpy and shared with it."""
from __future__ import annotations

import ctypes
import functools
import os
from pathlib import Path
from types import ModuleType

import numpy as np

from ossia_backend_cffi.program import INSTRUCTION, KERNELS

_SGEMM_NAMES = ("scipy_cblas_sgemm64_", "cblas_sgemm64_")


@functools.cache
def native() -> ModuleType | None:
    """The compiled module with its BLAS set, or None where there is none that fits: the package was built without a
    compiler."""
    try:
        from ossia_backend_cffi import _native  # type: ignore[attr-defined]
    except ImportError:
        return None
    if _native.lib.oc_kernel_count() != len(KERNELS) or _native.ffi.sizeof("oc_instr") != INSTRUCTION.itemsize:
        return None  # built from other sources
    address = _sgemm_address()
    _native.lib.oc_set_sgemm(_native.ffi.cast("void *", address or 0))
    return _native


@functools.cache
def _sgemm_address() -> int | None:
    """The address of cblas_sgemm with 64-bit integers in the library that numpy's wheel carries."""
    root = Path(np.__file__).parent
    for folder in (root.parent / "numpy.libs", root / ".libs", root / ".dylibs"):
        if not folder.is_dir():
            continue
        for path in sorted(folder.iterdir()):
            if "openblas64" in path.name:
                try:
                    library = ctypes.CDLL(os.fspath(path))
                except OSError:
                    continue
                for name in _SGEMM_NAMES:
                    if hasattr(library, name):
                        return ctypes.cast(getattr(library, name), ctypes.c_void_p).value
    return None


def has_blas() -> bool:
    """Whether large products go through a BLAS."""
    return _sgemm_address() is not None

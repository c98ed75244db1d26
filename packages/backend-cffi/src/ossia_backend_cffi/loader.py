"""The native module."""
from __future__ import annotations

import functools
import os
from collections.abc import Callable
from types import ModuleType
from typing import Any


@functools.cache
def native() -> ModuleType | None:
    """The compiled module, or None where there is none that fits: the package was built without a compiler."""
    try:
        from ossia_backend_cffi import _native  # type: ignore[attr-defined]
        from ossia_backend_cffi.program.instructions import BYTES, SCHEMA
    except ImportError:
        return None
    if _native.ffi.string(_native.lib.oc_schema()).decode() != SCHEMA or _native.ffi.sizeof("oc_instr") != BYTES:
        return None  # built from another schema
    _native.ffi.def_extern(name="oc_poll", error=1, onerror=_note(_native.ffi))(_poll(_native.ffi))
    _native.ffi.def_extern(name="oc_call", error=5, onerror=_note(_native.ffi))(_call(_native.ffi))
    return _native


def _poll(ffi: Any) -> Callable[[Any], int]:
    return lambda handle: ffi.from_handle(handle).poll()


def _call(ffi: Any) -> Callable[[Any, int, Any], int]:
    return lambda handle, number, buffers: ffi.from_handle(handle).call(number, buffers)


def _note(ffi: Any) -> Callable[[Any, BaseException, Any], None]:
    """Keeps an interrupt by the user that came before `poll` or `call` was there to catch it."""
    def note(_: Any, error: BaseException, traceback: Any) -> None:
        ffi.from_handle(traceback.tb_frame.f_locals["handle"]).error = error

    return note


@functools.cache
def stack_bytes() -> int:
    """The bytes that the stacks of one run may take."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError, OSError):
        return 1 << 32

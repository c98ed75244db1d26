"""oneDNN for convolutions and products, where the extra `onednn` is installed: which instructions it takes over.

The pass works on the finished table, after groups are formed: what works image by image in the cache stays there."""
from __future__ import annotations

import functools
import os
import threading
from typing import Any

from ossia_backend_cffi.loader import native
from ossia_backend_cffi.program.builder import Builder
from ossia_backend_cffi.program.instructions import BYTES, Onednn
from ossia_core.backend import renewed

_DISTRIBUTION, _LIBRARY = "onednn-cpu-gomp", "libdnnl.so.3"
_KINDS = {"conv": 0, "conv_input": 1, "matmul": 2}  # as in c/products/onednn.h
_SCRATCH = 1 << 30   # bytes that an instruction may ask for
_PARTS = 16          # that the work is cut in, at most
_FEW = 8             # images up to which each of them is cut in bands of rows
_PART = 4e6          # operations of a part, at least
_BAND = 4            # rows of a band, at least
_lock = renewed(threading.Lock())


def take_over(builder: Builder, grouped: bool) -> None:
    """Leave to oneDNN the instructions that it is faster with, and that are in no group; none unless it is installed.

    Args:
      builder: the program.
      grouped: whether groups are formed. Only where oneDNN is to do all that it can, it takes over before.
    """
    choice = _choice() if any(row.name in _KINDS for row in builder.rows) else "0"
    if choice == "0" or grouped is (choice == "all"):
        return
    gains = _is_possible if choice == "all" else is_faster
    for row in builder.rows:
        if row.name not in _KINDS or not gains(row) or not is_open():
            continue
        made = _made(row)
        if made is not None:
            builder.kept.append(made)
            module = _module()
            row.take(Onednn(kernel_number=row.kernel, made=int(module.ffi.cast("intptr_t", made))))
            builder.scratch = max(builder.scratch, module.lib.oc_dnn_scratch(made))


def _choice() -> str:
    """`OSSIA_ONEDNN`: "0" for nothing, "all" for all that it can do, else for what it is faster with."""
    return os.environ.get("OSSIA_ONEDNN", "")


def in_use() -> str:
    """What `ossia plugins` says of it; nothing if it is not used."""
    if _choice() == "0" or not is_open():
        return ""
    return "oneDNN 3.2 for all that it can do" if _choice() == "all" else "oneDNN 3.2 where it is faster"


def is_faster(row: Any) -> bool:
    """Whether oneDNN is clearly faster with an instruction, by its sizes: what benchmarks/onednn.py has shown."""
    if row.name == "matmul":
        # Results much larger than what they are made of: 1x1 convolutions to more channels, gradients of others.
        return _is_possible(row) and not row.ta and row.m >= 2048 and row.k <= 128 and row.n >= 2 * row.k
    wide = min(row.c, row.co) >= 32
    if (row.dh, row.dw) != (1, 1):
        return False
    if row.name == "conv":
        return wide and row.oh * row.ow >= 576
    dense = (row.sh, row.sw) == (1, 1)
    return (wide or row.c <= 4) and row.h * row.w >= (196 if dense else 2304) and (dense or row.kh * row.kw > 1)


def _is_possible(row: Any) -> bool:
    """Whether there is something to do, and nothing besides that oneDNN is not asked for."""
    return row.name != "matmul" or (min(row.m, row.n, row.k) > 0 and row.bias < 0 and not (row.adds or row.follows))


def _cut(row: Any) -> tuple[int, int]:
    """In how many blocks of images (or of rows of a product), and in how many bands of an image's rows the work is cut.
    The sizes alone say so."""
    if row.name == "matmul":
        return max(1, min(_PARTS, row.m, int(2.0 * row.m * row.n * row.k / _PART))), 1
    most = 2.0 * row.n * row.oh * row.ow * row.kh * row.kw * row.c * row.co / _PART
    if row.n >= _FEW:
        return max(1, min(_PARTS, row.n, int(most))), 1
    bands = min(_FEW // row.n, (row.oh if row.name == "conv" else row.h) // _BAND, int(most / row.n))
    return row.n, max(1, bands)


def _made(row: Any) -> Any:
    """What the library has made for an instruction; None if it declines."""
    ffi, lib = _module().ffi, _module().lib
    packed = bytearray(BYTES)
    row.pack(packed, 0)
    made = lib.oc_dnn_make(_KINDS[row.name], ffi.cast("oc_instr *", ffi.from_buffer(packed)), *_cut(row))
    if not made or lib.oc_dnn_scratch(made) > _SCRATCH:
        return None
    return ffi.gc(made, lib.oc_dnn_free)


# -- the library ----------------------------------------------------------------------------------------------------


def library_path() -> str | None:
    """Where the library of the extra lies; None if it is not installed."""
    from importlib import metadata  # takes as long to load as all of this package

    try:
        files = metadata.files(_DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return None
    return next((str(file.locate()) for file in files or () if file.name == _LIBRARY), None)


def is_open() -> bool:
    """Whether the library is installed, of the version that is known, and has been loaded."""
    with _lock:
        return _opened()


@functools.cache
def _opened() -> bool:
    path = library_path()
    return path is not None and _module().lib.oc_dnn_open(os.fsencode(path)) == 0


def _module() -> Any:
    module = native()
    assert module is not None  # or nothing would be compiled
    return module

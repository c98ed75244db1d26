"""oneDNN for convolutions and products, where the extra `onednn` is installed: which instructions it takes over.

The pass works on the finished table, after groups are formed: what works image by image in the cache stays there."""
from __future__ import annotations

import functools
import os
import threading
from collections.abc import Sequence
from typing import Any

from ossia_backend_cffi.loader import native
from ossia_backend_cffi.program import KERNEL_NUMBER, KERNELS, Builder
from ossia_core.forks import renewed

_DISTRIBUTION, _LIBRARY = "onednn-cpu-gomp", "libdnnl.so.3"
_KINDS = {"conv": 0, "conv_input": 1, "matmul": 2}  # as in c/onednn.h
_NUMBERS = {KERNEL_NUMBER[name] for name in _KINDS}
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
    choice = _choice() if any(row[0] in _NUMBERS for row in builder.rows) else "0"
    if choice == "0" or grouped is (choice == "all"):
        return
    gains = _is_possible if choice == "all" else is_faster
    for at, (kernel, node, indices, ints, floats) in enumerate(builder.rows):
        name = KERNELS[kernel]
        if name not in _KINDS or not gains(name, ints) or not is_open():
            continue
        made = _made(name, ints)
        if made is not None:
            builder.kept.append(made)
            module = _module()
            address = int(module.ffi.cast("intptr_t", made))
            ints = [*ints, *[0] * (22 - len(ints)), kernel, address]
            builder.rows[at] = (KERNEL_NUMBER["onednn"], node, indices, ints, floats)
            builder.scratch = max(builder.scratch, module.lib.oc_dnn_scratch(made))


def _choice() -> str:
    """`OSSIA_ONEDNN`: "0" for nothing, "all" for all that it can do, else for what it is faster with."""
    return os.environ.get("OSSIA_ONEDNN", "")


def in_use() -> str:
    """What `ossia plugins` says of it; nothing if it is not used."""
    if _choice() == "0" or not is_open():
        return ""
    return "oneDNN 3.2 for all that it can do" if _choice() == "all" else "oneDNN 3.2 where it is faster"


def is_faster(name: str, ints: Sequence[int]) -> bool:
    """Whether oneDNN is clearly faster with an instruction, by its sizes: what benchmarks/onednn.py has shown."""
    if name == "matmul":
        # Results much larger than what they are made of: 1x1 convolutions to more channels, gradients of others.
        m, n, k, turned = ints[:4]
        return _is_possible(name, ints) and not turned and m >= 2048 and k <= 128 and n >= 2 * k
    _, height, width, channels, h, w, out_h, out_w = ints[:8]
    strides, dilations = list(ints[8:10]), list(ints[12:14])
    wide = min(channels, ints[14]) >= 32
    if dilations != [1, 1]:
        return False
    if name == "conv":
        return wide and out_h * out_w >= 576
    dense = strides == [1, 1]
    return (wide or channels <= 4) and height * width >= (196 if dense else 2304) and (dense or h * w > 1)


def _is_possible(name: str, ints: Sequence[int]) -> bool:
    """Whether there is something to do, and nothing besides that oneDNN is not asked for."""
    return name != "matmul" or (min(ints[:3]) > 0 and not any(ints[5:8]))


def _cut(name: str, ints: Sequence[int]) -> tuple[int, int]:
    """In how many blocks of images (or of rows of a product), and in how many bands of an image's rows the work is cut.
    The sizes alone say so."""
    if name == "matmul":
        m, n, k = ints[:3]
        return max(1, min(_PARTS, m, int(2.0 * m * n * k / _PART))), 1
    images, height, _, channels, h, w, out_h, out_w = ints[:8]
    most = 2.0 * images * out_h * out_w * h * w * channels * ints[14] / _PART
    if images >= _FEW:
        return max(1, min(_PARTS, images, int(most))), 1
    bands = min(_FEW // images, (out_h if name == "conv" else height) // _BAND, int(most / images))
    return images, max(1, bands)


def _made(name: str, ints: Sequence[int]) -> Any:
    """What the library has made for an instruction; None if it declines."""
    ffi, lib = _module().ffi, _module().lib
    made = lib.oc_dnn_make(_KINDS[name], [*ints, *[0] * (24 - len(ints))], *_cut(name, ints))
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

"""Memory that runs have freed stays with the process, so that the next run need not ask for each page anew."""

from __future__ import annotations

import ctypes
import functools
import os
import sys

_FROM_HEAP = 1 << 25  # bytes up to which a block lies in the heap, the most that the C library may choose itself
_KEPT = 1 << 27  # bytes free at the heap's end that are not given back
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # as glibc numbers them
_CHOSEN = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_", "GLIBC_TUNABLES")


@functools.cache
def keep_freed_memory() -> bool:
    """Let the C library keep what is freed, once in a process; whoever sets its environment variables decides.

    A run frees its temporary arrays when it ends, and glibc gives the end of the heap back when a few hundred kilobytes
    are free there: then each run takes them page by page, which may last longer than computing with them.

    Returns:
      whether that was done: not where the C library is another one.
    """
    if not sys.platform.startswith("linux") or any(name in os.environ for name in _CHOSEN):
        return False
    try:
        set_option = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    return bool(set_option(_MMAP_THRESHOLD, _FROM_HEAP) and set_option(_TRIM_THRESHOLD, _KEPT))

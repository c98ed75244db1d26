"""The makers of kernels: which op is which function in C, and for which inputs."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_backend_cffi.direct import FEW, empty, indices_of, kind_of, makes, pointer
from ossia_core.backend import Kernel

_SEGMENTS = {
    "SegmentSum": 0,
    "SegmentMean": 1,
    "SegmentProd": 3,
    "SegmentMax": 4,
    "SegmentMin": 5,
    "SparseSegmentSum": 0,
    "SparseSegmentMean": 1,
    "SparseSegmentSqrtN": 2,
}
_OF_FLOATS = (1, 2)


@makes(*_SEGMENTS)
def _segments(native: Any, node: Any, reference: Kernel) -> Kernel:
    lib, ffi, how = native.lib, native.ffi, _SEGMENTS[node.type]
    chosen = node.type.startswith("Sparse")

    def kernel(data: Any, *others: Any) -> Any:
        ids, kind = others[-1], kind_of(data)
        rows = data.shape[:1] if not chosen else others[0].shape
        if kind < 0 or (kind > 1 and how in _OF_FLOATS) or not indices_of(*others) or ids.shape != rows:
            return reference(data, *others)
        if len(rows) != 1 or not ids.size or not data.size or ids[-1] < 0:
            return reference(data, *others)
        count = int(ids[-1]) + 1
        out = empty((count, *data.shape[1:]), data.dtype)
        refused = lib.oc_segments(
            how, kind, ids.size, data.size // len(data), pointer(ffi, data), len(data), pointer(ffi, ids), ids.itemsize,
            pointer(ffi, others[0]) if chosen else ffi.NULL, others[0].itemsize, count, pointer(ffi, out),
        )  # fmt: skip
        return reference(data, *others) if refused else out

    return kernel


_UNSORTED = {
    "UnsortedSegmentSum": 0,
    "UnsortedSegmentProd": 3,
    "UnsortedSegmentMax": 4,
    "UnsortedSegmentMin": 5,
}


@makes(*_UNSORTED)
def _unsorted_segments(native: Any, node: Any, reference: Kernel) -> Kernel:
    lib, ffi, how = native.lib, native.ffi, _UNSORTED[node.type]

    def kernel(data: Any, ids: Any, count: Any) -> Any:
        kind = kind_of(data)
        if kind < 0 or not indices_of(ids) or data.shape[: ids.ndim] != ids.shape or np.ndim(count) or count < 0:
            return reference(data, ids, count)
        if data.size <= FEW or not ids.size:
            return reference(data, ids, count)
        out = empty((int(count), *data.shape[ids.ndim :]), data.dtype)
        refused = lib.oc_unsorted_segments(
            how, kind, ids.size, data.size // ids.size, pointer(ffi, data), pointer(ffi, ids), ids.itemsize, int(count),
            pointer(ffi, out),
        )  # fmt: skip
        return reference(data, ids, count) if refused else out

    return kernel


@makes("InTopK", "InTopKV2")
def _in_top_k(native: Any, node: Any, reference: Kernel) -> Kernel:
    lib, ffi = native.lib, native.ffi
    fixed = node.attrs.get("k")

    def kernel(predictions: Any, targets: Any, *number: Any) -> Any:
        k = number[0] if number else fixed
        fits = predictions.ndim == 2 and targets.shape == predictions.shape[:1] and not np.ndim(k)
        if not fits or kind_of(predictions) or not indices_of(targets) or predictions.size <= FEW:
            return reference(predictions, targets, *number)
        out = np.empty(targets.shape, bool)
        lib.oc_in_top_k(
            pointer(ffi, predictions, "float *"), *predictions.shape, pointer(ffi, targets), targets.itemsize, int(k),
            pointer(ffi, out, "uint8_t *"),
        )  # fmt: skip
        return out

    return kernel

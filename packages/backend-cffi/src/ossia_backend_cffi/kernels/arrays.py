"""The makers of kernels: which op is which function in C, and for which inputs."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_backend_cffi.kernels.registry import (
    FEW,
    MOST_LARGEST,
    empty,
    indices_of,
    kind_of,
    makes,
    pointer,
    threads_of,
)
from ossia_core.backend import Kernel
from ossia_ops.random.samplers.choices import groups_of_permutation
from ossia_ops.random.samplers.philox import Stream

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
def _segments(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
    lib, ffi, how = native.lib, native.ffi, _SEGMENTS[node.type]
    chosen = node.type.startswith("Sparse")

    def kernel(data: Any, *others: Any) -> Any:
        ids, kind = others[-1], kind_of(data)
        rows = data.shape[:1] if not chosen else others[0].shape
        if kind < 0 or (kind > 1 and how in _OF_FLOATS) or not indices_of(*others) or ids.shape != rows:
            return reference(data, *others)
        if len(rows) != 1 or not data.ndim or not ids.size or not data.size or ids[-1] < 0:
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
def _unsorted_segments(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
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
def _in_top_k(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
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


@makes("TopK", "TopKV2")
def _largest(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
    lib, ffi, fixed, threads = native.lib, native.ffi, node.attrs.get("k"), threads_of(session)

    def kernel(x: Any, *number: Any) -> Any:
        k, kind = number[0] if number else fixed, kind_of(x)
        if kind < 0 or not x.ndim or np.ndim(k) or x.size <= FEW or not 2 <= k <= min(MOST_LARGEST, x.shape[-1]):
            return reference(x, *number)
        width, k = x.shape[-1], int(k)
        values = empty((*x.shape[:-1], k), x.dtype)
        places = np.empty(values.shape, np.int32)
        refused = lib.oc_largest(
            kind, x.size // width, width, k, pointer(ffi, x), threads, pointer(ffi, values),
            pointer(ffi, places, "int32_t *"),
        )  # fmt: skip
        return reference(x, *number) if refused else (values, places)

    return kernel


@makes("SparseTensorDenseMatMul")
def _sparse_product(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
    lib, ffi = native.lib, native.ffi
    turned, b_turned = node.attrs["adjoint_a"], node.attrs["adjoint_b"]

    def kernel(indices: Any, values: Any, shape: Any, b: Any) -> Any:
        of = kind_of(values)
        given = indices, values, shape, b
        if of not in (0, 1) or b.dtype != values.dtype or not indices_of(indices) or not values.size:
            return reference(*given)
        if values.ndim != 1 or b.ndim != 2 or shape.shape != (2,) or indices.shape != (len(values), 2):
            return reference(*given)
        rows, inner = shape.tolist()[::-1] if turned else shape.tolist()
        b = np.ascontiguousarray(b.T if b_turned else b)
        if inner != len(b) or rows < 0:
            return reference(*given)
        out = empty((rows, b.shape[1]), b.dtype)
        out[...] = 0
        refused = lib.oc_sparse_product(
            of, len(values), pointer(ffi, indices), indices.itemsize, turned, pointer(ffi, values), pointer(ffi, b),
            rows, inner, b.shape[1], pointer(ffi, out),
        )  # fmt: skip
        return reference(*given) if refused else out

    return kernel


@makes("RandomShuffle")
def _shuffle(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel | None:
    lib, ffi = native.lib, native.ffi
    if session is None:
        return None
    stream = session.node_state(node.name, lambda: Stream(node.attrs["seed"], node.attrs["seed2"]))

    def kernel(value: Any) -> Any:
        count = len(value) if np.ndim(value) else 0
        if count <= 1 or not value.size:
            return reference(value)
        groups = groups_of_permutation(count)
        words, order = stream.reserve(groups).words(groups).reshape(-1), np.empty(count, np.int64)
        if words.dtype != np.uint32 or not words.flags.c_contiguous or words.size < count - 1:
            raise AssertionError("a stream gave other words than were reserved")
        lib.oc_permutation(count, pointer(ffi, words, "uint32_t *"), pointer(ffi, order, "int64_t *"))
        return value.take(order, axis=0)

    return kernel


@makes("Lu")
def _lu(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
    lib, ffi, kind = native.lib, native.ffi, node.attrs["output_idx_type"].as_numpy_dtype

    def kernel(matrices: Any) -> Any:
        of = kind_of(matrices)
        if of not in (0, 1) or matrices.ndim < 2 or matrices.shape[-1] != matrices.shape[-2] or not matrices.size:
            return reference(matrices)
        packed, order = matrices.copy(), np.empty(matrices.shape[:-1], np.int64)
        n = matrices.shape[-1]
        refused = lib.oc_lu(of, matrices.size // (n * n), n, pointer(ffi, packed), pointer(ffi, order, "int64_t *"))
        return reference(matrices) if refused else (packed, order.astype(kind, copy=False))

    return kernel


@makes("MatrixTriangularSolve")
def _triangular_solve(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
    lib, ffi, lower, adjoint = native.lib, native.ffi, node.attrs["lower"], node.attrs["adjoint"]

    def kernel(matrices: Any, rhs: Any) -> Any:
        of = kind_of(matrices)
        fits = matrices.ndim >= 2 and (*rhs.shape[:-1], matrices.shape[-2]) == matrices.shape
        if of not in (0, 1) or kind_of(rhs) != of or not fits or not rhs.size:
            return reference(matrices, rhs)
        if not np.diagonal(matrices, axis1=-2, axis2=-1).all():
            return reference(matrices, rhs)
        out, (n, columns) = rhs.copy(), rhs.shape[-2:]
        count = rhs.size // (n * columns)
        lib.oc_triangular(of, lower, adjoint, count, n, columns, pointer(ffi, matrices), pointer(ffi, out))
        return out

    return kernel


@makes("TridiagonalSolve")
def _tridiagonal_solve(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
    lib, ffi, exchanges = native.lib, native.ffi, node.attrs["partial_pivoting"]

    def kernel(diagonals: Any, rhs: Any) -> Any:
        of = kind_of(diagonals)
        fits = diagonals.ndim >= 2 and diagonals.shape[-2] == 3 and rhs.shape[:-1] == (
            *diagonals.shape[:-2], diagonals.shape[-1]
        )
        if of not in (0, 1) or kind_of(rhs) != of or not fits or not rhs.size:
            return reference(diagonals, rhs)
        n, columns = rhs.shape[-2:]
        out, scratch = np.empty_like(rhs), np.empty(3 * n, rhs.dtype)
        refused = lib.oc_tridiagonal(
            of, exchanges, rhs.size // (n * columns), n, columns, pointer(ffi, diagonals), pointer(ffi, rhs),
            pointer(ffi, scratch), pointer(ffi, out),
        )  # fmt: skip
        return reference(diagonals, rhs) if refused else out

    return kernel


@makes("MaxPoolWithArgmax")
def _largest_in_windows(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel | None:
    lib, ffi, attrs = native.lib, native.ffi, node.attrs
    (_, *window, depth), (_, *steps, _) = attrs["ksize"], attrs["strides"]
    kind, same = attrs["Targmax"].as_numpy_dtype, attrs["padding"] == b"SAME"
    if depth != 1:
        return None

    def kernel(x: Any) -> Any:
        if kind_of(x) or x.ndim != 4 or not x.size:
            return reference(x)
        counts, before = [], []
        for n, size, step in zip(x.shape[1:3], window, steps, strict=True):
            count = -(-n // step) if same else (n - size) // step + 1
            if count <= 0:
                return reference(x)
            counts.append(count)
            before.append(max((count - 1) * step + size - n, 0) // 2 if same else 0)
        dims = np.array([*x.shape, *counts, *window, *steps, *before], np.int64)
        out = np.empty((len(x), *counts, x.shape[3]), np.float32)
        places = np.empty(out.shape, np.int64)
        refused = lib.oc_largest_in_windows(
            pointer(ffi, x, "float *"), pointer(ffi, dims, "int64_t *"), attrs["include_batch_in_index"],
            pointer(ffi, out, "float *"), pointer(ffi, places, "int64_t *"),
        )  # fmt: skip
        return reference(x) if refused else (out, places.astype(kind, copy=False))

    return kernel


@makes("FakeQuantWithMinMaxArgs", "FakeQuantWithMinMaxVars")
def _fake_quantized(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel | None:
    lib, ffi, attrs = native.lib, native.ffi, node.attrs
    bits, given = attrs["num_bits"], "min" in attrs
    if not 2 <= bits <= 16 or (given and attrs["min"] >= attrs["max"]):
        return None
    first, last = np.float32(attrs["narrow_range"]), np.float32((1 << bits) - 1)

    def kernel(x: Any, *bounds: Any) -> Any:
        low, high = (np.float32(attrs["min"]), np.float32(attrs["max"])) if given else bounds
        if kind_of(x) or x.size <= FEW or any(np.ndim(bound) for bound in bounds) or not (low or high):
            return reference(x, *bounds)
        # Zero becomes one of the steps.
        step = (high - low) / (last - first)
        zero = np.floor(np.minimum(np.maximum(first - low / step, first), last) + np.float32(0.5))
        out = empty(x.shape, x.dtype)
        lib.oc_to_steps(
            x.size, pointer(ffi, x, "float *"), (first - zero) * step, (last - zero) * step, step,
            np.float32(1) / step if given else step, given, pointer(ffi, out, "float *"),
        )  # fmt: skip
        return out

    return kernel

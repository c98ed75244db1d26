"""The makers of kernels for pools over regions of differing sizes."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_backend_cffi.kernels.byte_strings import Refused, or_else
from ossia_backend_cffi.kernels.registry import empty, kind_of, makes, pointer
from ossia_core.backend import Kernel


def _sizes(shape: Any, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """What the functions in C are told: batch, height, width, depth, numbers of rows and columns of regions."""
    if not all(kind_of(borders) == 3 and borders.ndim == 1 and borders.size > 1 for borders in (rows, columns)):
        raise Refused
    return np.array([*shape, rows.size - 1, columns.size - 1], np.int64)


@makes("FractionalMaxPool", "FractionalAvgPool")
def _pool(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
    lib, ffi = native.lib, native.ffi
    how, overlapping = node.type == "FractionalAvgPool", node.attrs["overlapping"]

    def kernel(x: Any) -> Any:
        if kind_of(x) or x.ndim != 4 or not x.size:
            return reference(x)
        _, rows, columns = reference(x[:1, :, :, :1])  # the regions are drawn there
        sizes = _sizes(x.shape, rows, columns)
        line, out = np.empty(x.shape[2:], x.dtype), empty((len(x), *sizes[4:].tolist(), x.shape[3]), x.dtype)
        lib.oc_fractional_pool(
            how, pointer(ffi, x, "float *"), pointer(ffi, sizes, "int64_t *"), pointer(ffi, rows, "int64_t *"),
            pointer(ffi, columns, "int64_t *"), overlapping, *(pointer(ffi, each, "float *") for each in (line, out)),
        )  # fmt: skip
        return out, rows, columns

    return kernel


@makes("FractionalMaxPoolGrad")
def _largest_gradient(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel | None:
    lib, ffi = native.lib, native.ffi
    if node.attrs["overlapping"]:
        return None

    def kernel(x: Any, y: Any, gradients: Any, rows: Any, columns: Any) -> Any:
        sizes = _sizes(x.shape, rows, columns)
        pooled = (len(x), *sizes[-2:], x.shape[-1]) if x.ndim == 4 else None
        if kind_of(x) or kind_of(y) or kind_of(gradients) or pooled != y.shape or y.shape != gradients.shape:
            raise Refused
        out = empty(x.shape, x.dtype)
        if lib.oc_fractional_max_gradient(
            *(pointer(ffi, each, "float *") for each in (x, y, gradients)), pointer(ffi, sizes, "int64_t *"),
            pointer(ffi, rows, "int64_t *"), pointer(ffi, columns, "int64_t *"), pointer(ffi, out, "float *"),
        ):  # fmt: skip
            raise Refused
        return out

    return or_else(reference, kernel)


@makes("FractionalAvgPoolGrad")
def _mean_gradient(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
    lib, ffi, overlapping = native.lib, native.ffi, node.attrs["overlapping"]

    def kernel(shape: Any, gradients: Any, rows: Any, columns: Any) -> Any:
        if np.shape(shape) != (4,):
            raise Refused
        dims = shape.tolist()
        sizes = _sizes(dims, rows, columns)
        if kind_of(gradients) or min(dims) <= 0 or gradients.shape != (dims[0], *sizes[-2:], dims[3]):
            raise Refused
        out = empty(tuple(dims), gradients.dtype)
        line, image = np.empty(dims[2:]), np.empty(dims[1:])
        if lib.oc_fractional_mean_gradient(
            pointer(ffi, gradients, "float *"), pointer(ffi, sizes, "int64_t *"), pointer(ffi, rows, "int64_t *"),
            pointer(ffi, columns, "int64_t *"), overlapping, pointer(ffi, line, "double *"),
            pointer(ffi, image, "double *"), pointer(ffi, out, "float *"),
        ):  # fmt: skip
            raise Refused
        return out

    return or_else(reference, kernel)

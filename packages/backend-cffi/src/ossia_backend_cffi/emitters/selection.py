"""Elements that are chosen: by indices of several dimensions, and the largest of rows."""

from __future__ import annotations

import math

import numpy as np

from ossia_backend_cffi.emitters.registry import emits
from ossia_backend_cffi.kernels.registry import KINDS, MOST_LARGEST
from ossia_backend_cffi.program.builder import Declined
from ossia_backend_cffi.program.chains import kind
from ossia_backend_cffi.program.instructions import GatherNd, Largest

_MOST_DEPTH = 8  # dimensions of indices


@emits("GatherNd")
def _gather_nd(c, node, ins, outs):
    params, indices = ins
    depth = indices.shape[-1] if indices.shape else 0
    if not 1 <= depth <= min(len(params.shape), _MOST_DEPTH) or indices.dtype.kind != "i" or not params.size:
        raise Declined("GatherNd of other shapes")
    dims, rest = params.shape[:depth], params.shape[depth:]
    out = c.result(outs[0], params.dtype, indices.shape[:-1] + rest)
    row = math.prod(rest) * params.dtype.itemsize
    c.emit(
        GatherNd(
            out=out, params=c.ready(params), indices=c.ready(indices), count=indices.size // depth,
            index_bytes=indices.dtype.itemsize, row_bytes=row, depth=depth, sizes=dims,
        )
    )  # fmt: skip


@emits("TopK", "TopKV2")
def _largest(c, node, ins, outs):
    x = ins[0]
    number = node.attrs["k"] if len(ins) == 1 else ins[1].constant
    if number is None or np.ndim(number) or not x.shape or kind(x.dtype) not in ("i4", "i8"):
        raise Declined("the largest elements of floats, which may be NaN, or a computed number of them")
    k, width = int(number), x.shape[-1]
    if not 2 <= k <= min(width, MOST_LARGEST):
        raise Declined("another number of largest elements")
    shape = (*x.shape[:-1], k)
    values, places = c.result(outs[0], x.dtype, shape), c.result(outs[1], np.dtype(np.int32), shape)
    c.emit(
        Largest(
            values=values, places=places, x=c.ready(x), kind=KINDS[kind(x.dtype)], rows=x.size // width, width=width,
            k=k,
        )
    )  # fmt: skip

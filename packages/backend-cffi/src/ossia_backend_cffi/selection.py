"""Elements that are chosen: by indices of several dimensions, and the largest of rows."""

from __future__ import annotations

import math

import numpy as np

from ossia_backend_cffi.direct import KINDS, MOST_LARGEST
from ossia_backend_cffi.emitters import emits
from ossia_backend_cffi.fusion import kind
from ossia_backend_cffi.program import Declined

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
    sizes = [indices.size // depth, indices.dtype.itemsize, row, depth, *dims]
    c.emit("gather_nd", [out, c.ready(params), c.ready(indices)], sizes)


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
    c.emit("largest", [values, places, c.ready(x)], [KINDS[kind(x.dtype)], x.size // width, width, k])

"""Matrix products, reductions, softmax and cross entropies."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ossia_backend_cffi.emitters import F32, emits, require_float
from ossia_backend_cffi.program import Declined, Value

if TYPE_CHECKING:
    from ossia_backend_cffi.compilation import Compilation

@emits("MatMul")
def _matmul(c, node, ins, outs):
    require_float(*ins)
    a, b = ins
    ta, tb = node.attrs["transpose_a"], node.attrs["transpose_b"]
    if len(a.shape) != 2 or len(b.shape) != 2:
        raise Declined("MatMul of other ranks")
    m, k = a.shape[::-1] if ta else a.shape
    k2, n = b.shape[::-1] if tb else b.shape
    if k != k2:
        raise Declined("MatMul of shapes that do not fit")
    out = c.result(outs[0], F32, (m, n))
    product(c, out, a, b, m, n, k, ta, tb)


# As in the C code.
_PANEL_DEPTH, _PANEL_COLUMNS, _PANEL, _FEW_ROWS, _FEW_COLUMNS, _TURNED_ROWS = 512, 2048, 32, 168, 12, 32


def product(
    c: Compilation, out: Value, a: Value, b: Value, m: int, n: int, k: int, ta: bool = False, tb: bool = False
) -> None:
    """Emit `out[m, n] = op(a) op(b)`."""
    c.builder.scratch = max(c.builder.scratch, 4 * scratch_of(m, n, k, tb))
    c.emit("matmul", [out, c.ready(a), c.ready(b)], [m, n, k, ta, tb])


def scratch_of(m: int, n: int, k: int, tb: bool) -> int:
    """Floats of scratch that a product of these sizes, or of fewer rows, needs."""
    panels = min(k, _PANEL_DEPTH) * min(-(-n // _PANEL) * _PANEL, _PANEL_COLUMNS)
    if not tb and (m <= _FEW_ROWS or k * n <= 8192):
        panels = max(panels, k * _PANEL)
    if n <= _FEW_COLUMNS or tb:
        panels = max(panels, k * _PANEL) + (m if n <= _FEW_COLUMNS else min(m, _TURNED_ROWS)) * n + 16
    return panels


_REDUCTIONS = {"Sum": 0, "Mean": 1, "Max": 2, "Min": 3, "Prod": 4}


def _axes(node: Any, axes: Value, rank: int) -> list[int]:
    if axes.constant is None:
        raise Declined("a reduction along computed axes")
    found = sorted({int(a) % rank if rank else 0 for a in axes.constant.reshape(-1)})
    return [a for a in found if a < rank]


@emits(*_REDUCTIONS)
def _reduction(c, node, ins, outs):
    x, axes = ins
    require_float(x)
    rank = len(x.shape)
    reduced = _axes(node, axes, rank)
    keep = node.attrs["keep_dims"]
    shape = (
        tuple(1 if i in reduced else n for i, n in enumerate(x.shape))
        if keep
        else tuple(n for i, n in enumerate(x.shape) if i not in reduced)
    )
    if not reduced or all(x.shape[a] == 1 for a in reduced):
        c.give(outs[0], c.ready(x).reshaped(shape))
        return
    if not x.size:
        raise Declined("a reduction of nothing")
    number, dims = _REDUCTIONS[node.type], list(x.shape)
    while reduced != list(range(reduced[0], reduced[-1] + 1)):
        # Axes that do not lie side by side are reduced one after the other, the last ones first.
        first = next(a for a in reversed(reduced) if a - 1 not in reduced)
        outer, size, inner = _extents(dims, first, reduced[-1] + 1)
        dims[first : reduced[-1] + 1] = [1] * (reduced[-1] + 1 - first)
        part = c.inner(F32, tuple(dims))
        c.emit("reduce", [part, c.ready(x)], [number, outer, size, inner])
        if x is not ins[0]:
            c.used(x)
        x, reduced = part, [a for a in reduced if a < first]
    outer, size, inner = _extents(x.shape, reduced[0], reduced[-1] + 1)
    if size == 0:
        raise Declined("a reduction of nothing")
    c.emit("reduce", [c.result(outs[0], F32, shape), c.ready(x)], [number, outer, size, inner])
    if x is not ins[0]:
        c.used(x)


def _extents(shape: Sequence[int], first: int, last: int) -> tuple[int, int, int]:
    outer = size = inner = 1
    for i, n in enumerate(shape):
        if i < first:
            outer *= n
        elif i < last:
            size *= n
        else:
            inner *= n
    return outer, size, inner


@emits("BiasAddGrad")
def _bias_add_grad(c, node, ins, outs):
    x = ins[0]
    require_float(x)
    if node.attrs["data_format"] == b"NCHW" and len(x.shape) > 2:
        # First over what lies in a channel, then over the images.
        n, channels = x.shape[:2]
        if not x.size:
            raise Declined("a sum of nothing")
        sums = c.inner(F32, (n, channels))
        c.emit("reduce", [sums, c.ready(x)], [0, n * channels, x.size // (n * channels), 1])
        c.emit("reduce", [c.result(outs[0], F32, (channels,)), sums], [0, 1, n, channels])
        return
    inner = x.shape[-1]
    c.emit("reduce", [c.result(outs[0], F32, (inner,)), c.ready(x)], [0, 1, x.size // inner if inner else 0, inner])


@emits("ArgMax", "ArgMin")
def _argmax(c, node, ins, outs):
    x, axis = ins
    require_float(x)
    if axis.constant is None or not x.size:
        raise Declined("ArgMax along a computed axis, or of nothing")
    if not -len(x.shape) <= int(axis.constant) < len(x.shape):
        raise Declined("ArgMax along an axis that there is not")
    at = int(axis.constant) % len(x.shape)
    dtype = np.dtype(node.attrs["output_type"].as_numpy_dtype)
    outer, size, inner = _extents(x.shape, at, at + 1)
    shape = tuple(n for i, n in enumerate(x.shape) if i != at)
    c.emit(
        "argmax",
        [c.result(outs[0], dtype, shape), c.ready(x)],
        [outer, size, inner, dtype.itemsize, node.type == "ArgMin"],
    )


@emits("Softmax", "LogSoftmax")
def _softmax(c, node, ins, outs):
    x = ins[0]
    require_float(x)
    n = x.shape[-1]
    c.emit(
        "softmax",
        [c.result(outs[0], F32, x.shape), c.ready(x)],
        [x.size // n if n else 0, n, node.type == "LogSoftmax"],
    )


@emits("SoftmaxCrossEntropyWithLogits")
def _xent(c, node, ins, outs):
    require_float(*ins)
    logits, labels = ins
    if logits.shape != labels.shape or len(logits.shape) != 2:
        raise Declined("cross entropy with broadcasting")
    rows, n = logits.shape
    c.emit(
        "xent",
        [c.result(outs[0], F32, (rows,)), c.result(outs[1], F32, logits.shape), c.ready(logits), c.ready(labels)],
        [rows, n],
    )


@emits("SparseSoftmaxCrossEntropyWithLogits")
def _sparse_xent(c, node, ins, outs):
    logits, labels = ins
    require_float(logits)
    if len(logits.shape) != 2 or labels.shape != logits.shape[:1] or labels.dtype.kind != "i":
        raise Declined("sparse cross entropy of other shapes")
    rows, n = logits.shape
    c.emit(
        "sparse_xent",
        [c.result(outs[0], F32, (rows,)), c.result(outs[1], F32, logits.shape), c.ready(logits), c.ready(labels)],
        [rows, n, labels.dtype.itemsize],
    )

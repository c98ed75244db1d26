"""Matrix products, reductions, softmax and cross entropies."""
from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ossia_backend_cffi.emitters.registry import F32, emits, require_float
from ossia_backend_cffi.program.builder import Declined, Value
from ossia_backend_cffi.program.instructions import Argmax, BatchMatmul, Matmul, Reduce, Softmax, SparseXent, Xent

if TYPE_CHECKING:
    from ossia_backend_cffi.emitters.emission import Emission

_SHAPES = 1 << 10  # reductions that are remembered


@emits("MatMul", refuses=True)
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
    c: Emission, out: Value, a: Value, b: Value, m: int, n: int, k: int, ta: bool = False, tb: bool = False
) -> None:
    """Emit `out[m, n] = op(a) op(b)`."""
    c.builder.scratch = max(c.builder.scratch, 4 * scratch_of(m, n, k, tb))
    c.emit(Matmul(out=out, a=c.ready(a), b=c.ready(b), m=m, n=n, k=k, ta=ta, tb=tb))


def scratch_of(m: int, n: int, k: int, tb: bool) -> int:
    """Floats of scratch that a product of these sizes, or of fewer rows, needs."""
    panels = min(k, _PANEL_DEPTH) * min(-(-n // _PANEL) * _PANEL, _PANEL_COLUMNS)
    if not tb and (m <= _FEW_ROWS or k * n <= 8192):
        panels = max(panels, k * _PANEL)
    if n <= _FEW_COLUMNS or tb:
        panels = max(panels, k * _PANEL) + (m if n <= _FEW_COLUMNS else min(m, _TURNED_ROWS)) * n + 16
    return panels


_AT_ONCE = 8  # products of a batch that threads compute side by side, as in the C code


@emits("BatchMatMul", "BatchMatMulV2", refuses=True)
def _batch_matmul(c, node, ins, outs):
    require_float(*ins)
    a, b = ins
    ta, tb = node.attrs["adj_x"], node.attrs["adj_y"]
    if min(len(a.shape), len(b.shape)) < 2 or (node.type == "BatchMatMul" and a.shape[:-2] != b.shape[:-2]):
        raise Declined("batches of matrices that do not fit")
    m, k = a.shape[:-3:-1] if ta else a.shape[-2:]
    k2, n = b.shape[:-3:-1] if tb else b.shape[-2:]
    try:
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    except ValueError as e:
        raise Declined(str(e)) from None
    if k != k2 or not (m and n and k and all(batch)):
        raise Declined("products of matrices that do not fit, or of none")
    dims, steps = _batch_steps(batch, a.shape, b.shape, (*batch, m, n))
    if len(dims) > 2:
        raise Declined("a batch whose dimensions are repeated by turns")
    each = scratch_of(m, n, k, tb) + 16 & ~15
    out = c.result(outs[0], F32, (*batch, m, n))
    c.builder.scratch = max(c.builder.scratch, 4 * each * _AT_ONCE)
    c.emit(
        BatchMatmul(
            out=out, a=c.ready(a), b=c.ready(b), m=m, n=n, k=k, ta=ta, tb=tb, lda=a.shape[-1], ldb=b.shape[-1], ldc=n,
            dims=dims, step_a=steps[0], step_b=steps[1], step_c=steps[2], each=each,
        )
    )  # fmt: skip


def _batch_steps(
    batch: tuple[int, ...], *shapes: tuple[int, ...]
) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
    """The extents of a batch, dimensions put together where they lie side by side in all operands, two of them if there
    are no more; and for each operand the elements from matrix to matrix along them, 0 where one matrix serves all."""
    own = [(1,) * (len(batch) + 2 - len(shape)) + shape for shape in shapes]
    dims: list[int] = []
    steps: list[tuple[int, ...]] = []
    for at, extent in enumerate(batch):
        step = tuple(0 if shape[at] == 1 else math.prod(shape[at + 1 :]) for shape in own)
        if extent == 1:
            continue
        if dims and steps[-1] == tuple(each * extent for each in step):
            dims[-1], steps[-1] = dims[-1] * extent, step
        else:
            dims.append(extent)
            steps.append(step)
    while len(dims) < 2:
        dims.insert(0, 1)
        steps.insert(0, (0,) * len(shapes))
    return tuple(dims), list(zip(*steps, strict=True))


_REDUCTIONS = {"Sum": 0, "Mean": 1, "Max": 2, "Min": 3, "Prod": 4}


@functools.lru_cache(_SHAPES)
def _reduced(
    shape: tuple[int, ...], axes: tuple[int, ...], keep: bool
) -> tuple[tuple[int, ...], list[tuple[tuple[int, ...], tuple[int, int, int]]]]:
    """The shape of a reduction, and the passes that it takes: the shape after each, and its extents. Axes that do not
    lie side by side are reduced one after the other, the last ones first.

    Raises:
      Declined: there are no such axes, or nothing to reduce.
    """
    rank = len(shape)
    along = sorted({a % rank if -rank <= a < rank else rank for a in axes})
    if along and along[-1] == rank:
        raise Declined("a reduction along axes that there are not")
    if keep:
        result = tuple([1 if i in along else n for i, n in enumerate(shape)])
    else:
        result = tuple([n for i, n in enumerate(shape) if i not in along])
    passes: list[tuple[tuple[int, ...], tuple[int, int, int]]] = []
    if all(shape[a] == 1 for a in along):
        return result, passes
    if not math.prod(shape):
        raise Declined("a reduction of nothing")
    dims = shape
    while along:
        first = next(a for a in reversed(along) if a - 1 not in along)
        end = along[-1] + 1
        extents = math.prod(dims[:first]), math.prod(dims[first:end]), math.prod(dims[end:])
        dims = *dims[:first], *[1] * (end - first), *dims[end:]
        passes.append((dims, extents))
        along = [a for a in along if a < first]
    return result, passes


@emits(*_REDUCTIONS, refuses=True)
def _reduction(c, node, ins, outs):
    x, axes = ins
    require_float(x)
    if axes.constant is None or axes.constant.ndim > 1:
        raise Declined("a reduction along computed axes")
    shape, passes = _reduced(x.shape, tuple(axes.constant.ravel().tolist()), node.attrs["keep_dims"])
    if not passes:
        c.give(outs[0], c.ready(x).reshaped(shape))
        return
    number = _REDUCTIONS[node.type]
    for k, (dims, extents) in enumerate(passes):
        part = c.inner(F32, dims) if k < len(passes) - 1 else c.result(outs[0], F32, shape)
        outer, size, inner = extents
        c.emit(Reduce(out=part, x=c.ready(x), kind=number, outer=outer, size=size, inner=inner))
        if x is not ins[0]:
            c.used(x)
        x = part


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
        pixels = x.size // (n * channels)
        c.emit(Reduce(out=sums, x=c.ready(x), kind=0, outer=n * channels, size=pixels, inner=1))
        out = c.result(outs[0], F32, (channels,))
        c.emit(Reduce(out=out, x=sums, kind=0, outer=1, size=n, inner=channels))
        return
    inner = x.shape[-1]
    out, size = c.result(outs[0], F32, (inner,)), x.size // inner if inner else 0
    c.emit(Reduce(out=out, x=c.ready(x), kind=0, outer=1, size=size, inner=inner))


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
        Argmax(
            out=c.result(outs[0], dtype, shape), x=c.ready(x), outer=outer, size=size, inner=inner,
            out_bytes=dtype.itemsize, smallest=node.type == "ArgMin",
        )
    )  # fmt: skip


@emits("Softmax", "LogSoftmax")
def _softmax(c, node, ins, outs):
    x = ins[0]
    require_float(x)
    n = x.shape[-1]
    out, rows = c.result(outs[0], F32, x.shape), x.size // n if n else 0
    c.emit(Softmax(out=out, x=c.ready(x), rows=rows, n=n, logarithm=node.type == "LogSoftmax"))


@emits("SoftmaxCrossEntropyWithLogits", refuses=True)
def _xent(c, node, ins, outs):
    require_float(*ins)
    logits, labels = ins
    if logits.shape != labels.shape or len(logits.shape) != 2:
        raise Declined("cross entropy with broadcasting")
    rows, n = logits.shape
    loss, backprop = c.result(outs[0], F32, (rows,)), c.result(outs[1], F32, logits.shape)
    c.emit(Xent(loss=loss, backprop=backprop, logits=c.ready(logits), labels=c.ready(labels), rows=rows, n=n))


@emits("SparseSoftmaxCrossEntropyWithLogits", refuses=True)
def _sparse_xent(c, node, ins, outs):
    logits, labels = ins
    require_float(logits)
    if len(logits.shape) != 2 or labels.shape != logits.shape[:1] or labels.dtype.kind != "i":
        raise Declined("sparse cross entropy of other shapes")
    rows, n = logits.shape
    loss, backprop = c.result(outs[0], F32, (rows,)), c.result(outs[1], F32, logits.shape)
    c.emit(
        SparseXent(
            loss=loss, backprop=backprop, logits=c.ready(logits), labels=c.ready(labels), rows=rows, n=n,
            label_bytes=labels.dtype.itemsize,
        )
    )  # fmt: skip

"""Ops that only move elements: slices, concatenation, stacking, padding, as strided copies."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ossia_backend_cffi.emitters.emission import strided, strides_of
from ossia_backend_cffi.emitters.registry import F32, emits
from ossia_backend_cffi.program.builder import Declined, Value
from ossia_backend_cffi.program.instructions import Reduce, Zero

_MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


def _view(shape: Sequence[int], index: Callable[[np.ndarray], np.ndarray]) -> tuple[tuple[int, ...], list[int], int]:
    """Shape, strides and first position (in elements) of a view of a dense array, found with an array that has no
    memory."""
    ghost = np.lib.stride_tricks.as_strided(np.empty(1, np.uint8), tuple(shape), strides_of(shape))
    view = index(ghost)
    if not shape and not view.shape:
        return (), [], 0  # what NumPy gives for `scalar[()]` is no view
    return view.shape, list(view.strides), view.__array_interface__["data"][0] - ghost.__array_interface__["data"][0]


class _Recorder:
    """Takes the place of an array whose kernel only takes a part of it: gives the index."""

    def __getitem__(self, index: Any) -> tuple:
        index = index if isinstance(index, tuple) else (index,)
        return index if any(i is Ellipsis for i in index) else (*index, Ellipsis)


def _known(value: Value) -> np.ndarray:
    if value.constant is None:
        raise Declined("a slice at computed positions")
    return value.constant


def _taken(c: Any, out: int, x: Value, index: Callable[[np.ndarray], np.ndarray]) -> None:
    try:
        shape, source, start = _view(x.shape, index)
    except (ValueError, IndexError) as e:
        raise Declined(str(e)) from None
    if len(shape) > 6:
        raise Declined("a slice of too many dimensions")
    strided(
        c, c.result(out, x.dtype, shape), c.ready(x), shape, source, strides_of(shape), start=start if all(shape) else 0
    )


def _put(c: Any, out: Value, x: Value, index: Callable[[np.ndarray], np.ndarray]) -> None:
    shape, target, start = _view(out.shape, index)
    if shape != x.shape or len(shape) > 6:
        raise Declined("parts that do not fit")
    strided(c, out, c.ready(x), shape, strides_of(shape), target, at=start if all(shape) else 0)


@emits("StridedSlice")
def _strided_slice(c, node, ins, outs):
    x, *bounds = ins
    bounds = [_known(b) for b in bounds]
    masks = {name: node.attrs[name] for name in _MASKS}
    _taken(c, outs[0], x, lambda ghost: ghost[node.definition.kernel_fn(_Recorder(), *bounds, **masks)])


@emits("StridedSliceGrad")
def _strided_slice_grad(c, node, ins, outs):
    shape, *bounds, grad = ins
    bounds = [_known(b) for b in bounds]
    masks = {name: node.attrs[name] for name in _MASKS}
    from ossia_core.declare.opdef import lookup
    kernel = lookup("StridedSlice").kernel_fn
    out = c.result(outs[0], grad.dtype, tuple(int(n) for n in _known(shape)))
    c.emit(Zero(out=out, bytes=out.size * out.dtype.itemsize))
    _put(c, out, grad, lambda ghost: ghost[kernel(_Recorder(), *bounds, **masks)])


@emits("Slice")
def _slice(c, node, ins, outs):
    x, begin, size = ins[0], _known(ins[1]), _known(ins[2])
    index = []
    for n, b, s in zip(x.shape, begin.tolist(), size.tolist(), strict=True):
        s = n - b if s == -1 else s
        if b < 0 or s < 0 or b + s > n:
            raise Declined("a slice out of bounds")
        index.append(slice(b, b + s))
    _taken(c, outs[0], x, lambda ghost: ghost[tuple(index)])


def _axis(value: Value | int, rank: int) -> int:
    axis = int(_known(value).reshape(-1)[0]) if isinstance(value, Value) else int(value)
    if not -rank <= axis < rank:
        raise Declined("an axis out of range")
    return axis % rank


@emits("Split", "SplitV")
def _split(c, node, ins, outs):
    x, axis = (ins[1], ins[0]) if node.type == "Split" else (ins[0], ins[2])
    at = _axis(axis, len(x.shape))
    if node.type == "Split":
        if x.shape[at] % len(outs):
            raise Declined("a split into parts that differ")
        sizes = [x.shape[at] // len(outs)] * len(outs)
    else:
        sizes = [int(n) for n in _known(ins[1])]
        if sizes.count(-1) > 1 or any(n < -1 for n in sizes):
            raise Declined("a split into unknown parts")
        if -1 in sizes:
            sizes[sizes.index(-1)] = x.shape[at] - sum(sizes) - 1
        if sum(sizes) != x.shape[at] or min(sizes) < 0:
            raise Declined("a split that does not fit")
    start = 0
    for out, n in zip(outs, sizes, strict=True):
        index = (slice(None),) * at + (slice(start, start + n),)
        _taken(c, out, x, lambda ghost, index=index: ghost[index])
        start += n


@emits("Unpack")
def _unpack(c, node, ins, outs):
    x = ins[0]
    at = _axis(node.attrs["axis"], len(x.shape))
    if x.shape[at] != len(outs):
        raise Declined("Unpack of another size")
    for i, out in enumerate(outs):
        _taken(c, out, x, lambda ghost, i=i: ghost[(slice(None),) * at + (i, ...)])


@emits("Pack")
def _pack(c, node, ins, outs):
    at = _axis(node.attrs["axis"], len(ins[0].shape) + 1)
    if any(x.shape != ins[0].shape for x in ins):
        raise Declined("Pack of shapes that differ")
    shape = ins[0].shape
    ready = [c.ready(x) for x in ins]
    out = c.result(outs[0], ins[0].dtype, (*shape[:at], len(ins), *shape[at:]))
    for i, x in enumerate(ready):
        _put(c, out, x, lambda ghost, i=i: ghost[(slice(None),) * at + (i, ...)])


@emits("ConcatV2", "Concat")
def _concat(c, node, ins, outs):
    values, axis = (ins[:-1], ins[-1]) if node.type == "ConcatV2" else (ins[1:], ins[0])
    at = _axis(axis, len(values[0].shape))
    first = values[0].shape
    if any(
        len(v.shape) != len(first) or v.shape[:at] != first[:at] or v.shape[at + 1 :] != first[at + 1 :] for v in values
    ):
        raise Declined("Concat of shapes that differ")
    ready = [c.ready(v) for v in values]
    out = c.result(outs[0], values[0].dtype, (*first[:at], sum(v.shape[at] for v in values), *first[at + 1:]))
    start = 0
    for x in ready:
        index = (slice(None),) * at + (slice(start, start + x.shape[at]),)
        _put(c, out, x, lambda ghost, index=index: ghost[index])
        start += x.shape[at]


@emits("Pad")
def _pad(c, node, ins, outs):
    x, paddings = ins[0], _known(ins[1]).tolist()
    if any(before < 0 or after < 0 for before, after in paddings):
        raise Declined("negative padding")
    x = c.ready(x)
    out = c.result(
        outs[0], x.dtype, tuple(n + before + after for n, (before, after) in zip(x.shape, paddings, strict=True))
    )
    c.emit(Zero(out=out, bytes=out.size * out.dtype.itemsize))
    index = tuple(slice(before, before + n) for n, (before, _) in zip(x.shape, paddings, strict=True))
    _put(c, out, x, lambda ghost: ghost[index])


@emits("L2Loss")
def _l2_loss(c, node, ins, outs):
    x = ins[0]
    if x.dtype != F32 or not x.size:
        raise Declined("L2Loss of nothing")
    squares = c.inner(F32, x.shape)
    c.chain("SQUARE", [x], squares)
    total = c.inner(F32, ())
    c.emit(Reduce(out=total, x=c.ready(squares), kind=0, outer=1, size=x.size, inner=1))
    c.chain("MUL", [total, Value(F32, (), constant=np.float32(0.5).reshape(()))], c.result(outs[0], F32, ()))
    c.used(squares)
    c.used(total)

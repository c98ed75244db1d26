"""Shapes, and the same elements in another shape or order."""
from __future__ import annotations

import math

import numpy as np

from ossia_backend_cffi.emitters.emission import strided, strides_of
from ossia_backend_cffi.emitters.registry import emits
from ossia_backend_cffi.program.builder import Declined


@emits("Shape", "ShapeN", "Size", "Rank", refuses=True)
def _shape(c, node, ins, outs):
    kind = node.type
    dtype = np.int32 if kind == "Rank" else node.attrs["out_type"].as_numpy_dtype
    for value, out in zip(ins, outs, strict=True):
        shape = value.shape
        c.give(out, c.integers(len(shape) if kind == "Rank" else value.size if kind == "Size" else shape, dtype))


@emits("VariableShape", refuses=True)
def _variable_shape(c, node, ins, outs):
    c.give(outs[0], c.integers(ins[0].shape, node.attrs["out_type"].as_numpy_dtype))


@emits("Identity", "StopGradient", "PreventGradient", "Snapshot", "CheckNumericsOff", refuses=True)
def _identity(c, node, ins, outs):
    c.give(outs[0], ins[0])


@emits("Reshape", refuses=True)
def _reshape(c, node, ins, outs):
    x, target = ins
    if target.constant is None:
        raise Declined("Reshape to a computed shape")
    dims = target.constant.tolist()
    if target.constant.ndim != 1 or dims.count(-1) > 1 or (dims and min(dims) < -1):
        raise Declined("Reshape to something that is no shape")
    if -1 in dims:
        known = -math.prod(dims)
        if known == 0 or x.size % known:
            raise Declined("Reshape that does not fit")
        dims[dims.index(-1)] = x.size // known
    elif math.prod(dims) != x.size:
        raise Declined("Reshape that does not fit")
    c.give(outs[0], c.ready(x).reshaped(tuple(dims)))


@emits("ExpandDims", refuses=True)
def _expand_dims(c, node, ins, outs):
    x, axis = ins
    if axis.constant is None or axis.size != 1:
        raise Declined("ExpandDims at a computed axis")
    at = int(axis.constant.reshape(-1)[0])
    at += len(x.shape) + 1 if at < 0 else 0
    if not 0 <= at <= len(x.shape):
        raise Declined("ExpandDims at an axis that there is not")
    c.give(outs[0], c.ready(x).reshaped((*x.shape[:at], 1, *x.shape[at:])))


@emits("Squeeze")
def _squeeze(c, node, ins, outs):
    x = ins[0]
    axes = {a % len(x.shape) for a in node.attrs["squeeze_dims"]} or {i for i, n in enumerate(x.shape) if n == 1}
    if any(x.shape[a] != 1 for a in axes):
        raise Declined("Squeeze of a dimension that is not 1")
    c.give(outs[0], c.ready(x).reshaped(tuple(n for i, n in enumerate(x.shape) if i not in axes)))


@emits("Transpose")
def _transpose(c, node, ins, outs):
    x, order = ins
    if order.constant is None or len(x.shape) > 6:
        raise Declined("Transpose by a computed order")
    axes = [int(a) for a in order.constant]
    steps = strides_of(x.shape)
    shape = tuple(x.shape[a] for a in axes)
    strided(c, c.result(outs[0], x.dtype, shape), c.ready(x), shape, [steps[a] for a in axes], strides_of(shape))



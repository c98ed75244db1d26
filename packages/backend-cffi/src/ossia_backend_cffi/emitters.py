"""What each op becomes: one function per family turns a node of known shapes into instructions. Here are the table of
them, what they share, and those of shapes, transposes and variables; elementwise.py, products.py and others have the
rest."""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ossia_backend_cffi.program import Declined, Value

if TYPE_CHECKING:
    from ossia_backend_cffi.compilation import Compilation
    from ossia_core.graph.operation import Operation

Emitter = Callable[["Compilation", "Operation", list[Value], Sequence[int]], None]
EMITTERS: dict[str, Emitter] = {}
RESOURCES: set[str] = set()  # op types that take handles of arrays and stacks
REFUSING: set[str] = set()  # op types whose emitters refuse all inputs that the shape rules refuse
F32, BOOL = np.dtype("f4"), np.dtype("?")


def emits(*op_types: str, refuses: bool = False) -> Callable[[Emitter], Emitter]:
    """Register an emitter for op types. One that `refuses` all that the shape rules refuse spares asking them."""
    def register(fn: Emitter) -> Emitter:
        for op_type in op_types:
            EMITTERS[op_type] = fn
        if refuses:
            REFUSING.update(op_types)
        return fn
    return register


def require_float(*values: Value) -> None:
    """Raise Declined unless all values are float32."""
    for value in values:
        if value.dtype is not F32 and value.dtype != F32:
            raise Declined(f"only float32 is compiled, not {value.dtype}")


# -- shapes -------------------------------------------------------------------------------------------------


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


def strides_of(shape: Sequence[int]) -> list[int]:
    """The strides of a dense array, in elements."""
    steps, step = [], 1
    for n in reversed(shape):
        steps.append(step)
        step *= n
    return steps[::-1]


def _merged(
    dims: Sequence[int], source: Sequence[int], target: Sequence[int]
) -> tuple[list[int], list[int], list[int]]:
    """The same copy with fewer dimensions: none of size 1, and those in one that lie one in the other on both sides."""
    kept: list[tuple[int, int, int]] = []
    for n, come, go in zip(dims, source, target, strict=True):
        if n == 1:
            continue
        if kept and kept[-1][1:] == (come * n, go * n):
            kept[-1] = kept[-1][0] * n, come, go
        else:
            kept.append((n, come, go))
    return [n for n, _, _ in kept], [come for _, come, _ in kept], [go for _, _, go in kept]


def strided(
    c: Compilation, out: Value, x: Value, dims: Sequence[int], source: Sequence[int], target: Sequence[int],
    start: int = 0, at: int = 0,
) -> None:
    """Emit a copy of `dims` elements, from and to positions with these strides, the first at `start` and `at`."""
    dims, source, target = _merged(dims, source, target)
    pad = [0] * (6 - len(dims))
    c.emit(
        "strided_copy", [out, x], [x.dtype.itemsize, len(dims), *dims, *pad, *source, *pad, *target, *pad, start, at]
    )


# -- state --------------------------------------------------------------------------------------------------


@emits("ReadVariableOp", refuses=True)
def _read_variable(c, node, ins, outs):
    if ins[0].dtype != node.attrs["dtype"].as_numpy_dtype:
        raise Declined("a variable of another dtype")
    c.read(outs[0], ins[0])


def _updated(c: Compilation, variables: Sequence[Value], grad: Value, scalars: Sequence[Value]) -> None:
    require_float(*variables, grad, *scalars)
    for v in variables:
        if v.shape != grad.shape:
            raise Declined("an update of shapes that differ")
    for s in scalars:
        if s.shape:
            raise Declined("an update by what is no scalar")
    c.update(variables)


@emits("ApplyGradientDescent", "ResourceApplyGradientDescent", refuses=True)
def _sgd(c, node, ins, outs):
    var, alpha, grad = ins
    _updated(c, [var], grad, [alpha])
    c.emit("sgd", [var, c.ready(alpha), c.ready(grad)], [var.size])
    _hand_on(c, outs, var)


@emits("ApplyMomentum", "ResourceApplyMomentum", refuses=True)
def _momentum(c, node, ins, outs):
    var, accum, lr, grad, momentum = ins
    _updated(c, [var, accum], grad, [lr, momentum])
    c.emit(
        "momentum", [var, accum, c.ready(lr), c.ready(grad), c.ready(momentum)], [var.size, node.attrs["use_nesterov"]]
    )
    _hand_on(c, outs, var)


@emits("ApplyAdam", "ResourceApplyAdam", refuses=True)
def _adam(c, node, ins, outs):
    var, m, v, *scalars, grad = ins
    _updated(c, [var, m, v], grad, scalars)
    c.emit("adam", [var, m, v, *[c.ready(s) for s in scalars], c.ready(grad)], [var.size, node.attrs["use_nesterov"]])
    _hand_on(c, outs, var)


def _hand_on(c: Compilation, outs: Sequence[int], var: Value) -> None:
    if outs:
        c.give(outs[0], var)

"""What each op becomes: one function per family turns a node of known shapes into instructions."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ossia_backend_cffi.program import Declined, Value

if TYPE_CHECKING:
    from ossia_backend_cffi.compilation import Compilation
    from ossia_core.graph.operation import Operation

Emitter = Callable[["Compilation", "Operation", list[Value], Sequence[int]], None]
EMITTERS: dict[str, Emitter] = {}
RESOURCES: set[str] = set()  # op types that take handles of arrays and stacks
F32, BOOL = np.dtype("f4"), np.dtype("?")


def emits(*op_types: str) -> Callable[[Emitter], Emitter]:
    """Register an emitter for op types."""
    def register(fn: Emitter) -> Emitter:
        for op_type in op_types:
            EMITTERS[op_type] = fn
        return fn
    return register


def require_float(*values: Value) -> None:
    """Raise Declined unless all values are float32."""
    for value in values:
        if value.dtype != F32:
            raise Declined(f"only float32 is compiled, not {value.dtype}")


# -- elementwise ------------------------------------------------------------------------------------------

_ARITHMETIC = {
    "Add": "ADD",
    "AddV2": "ADD",
    "Sub": "SUB",
    "Mul": "MUL",
    "RealDiv": "DIV",
    "Div": "DIV",
    "Maximum": "MAX",
    "Minimum": "MIN",
    "Pow": "POW",
    "SquaredDifference": "SQDIFF",
    "Neg": "NEG",
    "Abs": "ABS",
    "Square": "SQUARE",
    "Sqrt": "SQRT",
    "Rsqrt": "RSQRT",
    "Exp": "EXP",
    "Log": "LOG",
    "Log1p": "LOG1P",
    "Expm1": "EXPM1",
    "Tanh": "TANH",
    "Sigmoid": "SIGMOID",
    "Relu": "RELU",
    "Relu6": "RELU6",
    "Sign": "SIGN",
    "Floor": "FLOOR",
    "Ceil": "CEIL",
    "Reciprocal": "RECIP",
    "Inv": "RECIP",
    "Rint": "ROUND",
    "Round": "ROUND",
    "Softplus": "SOFTPLUS",
    "Elu": "ELU",
    "ReluGrad": "RELUGRAD",
    "Relu6Grad": "RELU6GRAD",
    "TanhGrad": "TANHGRAD",
    "SigmoidGrad": "SIGMOIDGRAD",
    "SqrtGrad": "SQRTGRAD",
    "RsqrtGrad": "RSQRTGRAD",
    "EluGrad": "ELUGRAD",
    "Sin": "SIN",
    "Cos": "COS",
    "DivNoNan": "DIVNONAN",
}
_COMPARISON = {"Less": "LT", "LessEqual": "LE", "Greater": "GT", "GreaterEqual": "GE", "Equal": "EQ", "NotEqual": "NE"}
_LOGICAL = {"LogicalAnd": "AND", "LogicalOr": "OR", "LogicalNot": "NOT"}
# Ops of which the emitters refuse all that the shape rules refuse: any shapes that broadcast, or equal shapes.
BROADCASTING = frozenset(
    (
        *("Add", "AddV2", "Sub", "Mul", "RealDiv", "Div", "Maximum", "Minimum", "Pow", "SquaredDifference", "DivNoNan"),
        *_COMPARISON,
        *_LOGICAL,
        "MatMul",
    )
)
CHECKED = BROADCASTING.union(_ARITHMETIC)


def broadcast_shape(shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The shape that operands broadcast to."""
    first, last = shapes[0], shapes[-1]
    if len(shapes) <= 2:
        if first == last or not last:
            return first
        if not first:
            return last
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError as e:
        raise Declined(str(e)) from None


def _chained(
    c: Compilation, op: str, ins: Sequence[Value], out: int, dtype: np.dtype = F32, constant: float | None = None
) -> None:
    shape = broadcast_shape([v.shape for v in ins])
    c.chain(op, ins, c.result(out, dtype, shape), constant)


@emits(*_ARITHMETIC)
def _arithmetic(c, node, ins, outs):
    require_float(*ins)
    _chained(c, _ARITHMETIC[node.type], ins, outs[0])


@emits(*_COMPARISON)
def _comparison(c, node, ins, outs):
    if node.type in ("Equal", "NotEqual") and ins[0].dtype == BOOL:
        pass
    else:
        require_float(*ins)
    _chained(c, _COMPARISON[node.type], ins, outs[0], BOOL)


@emits(*_LOGICAL)
def _logical(c, node, ins, outs):
    _chained(c, _LOGICAL[node.type], ins, outs[0], BOOL)


@emits("LeakyRelu")
def _leaky_relu(c, node, ins, outs):
    require_float(*ins)
    _chained(c, "LRELU", ins, outs[0], constant=node.attrs["alpha"])


@emits("LeakyReluGrad")
def _leaky_relu_grad(c, node, ins, outs):
    require_float(*ins)
    _chained(c, "LRELUGRAD", ins, outs[0], constant=node.attrs["alpha"])


@emits("Select", "SelectV2")
def _select(c, node, ins, outs):
    require_float(*ins[1:])
    condition = ins[0]
    if node.type == "Select" and condition.shape != ins[1].shape and len(condition.shape) == 1:
        condition = condition.reshaped(condition.shape + (1,) * (len(ins[1].shape) - 1))
    _chained(c, "SELECT", [condition, *ins[1:]], outs[0])


@emits("Cast")
def _cast(c, node, ins, outs):
    target = np.dtype(node.attrs["DstT"].as_numpy_dtype)
    source = ins[0].dtype
    if source == target:
        c.give(outs[0], ins[0])
    elif source.kind in "bi" and target == F32:
        _chained(c, "IDENTITY", ins, outs[0])
    elif source == BOOL and target.kind == "i" and target.itemsize >= 4:
        _chained(c, "IDENTITY", ins, outs[0], target)
    elif source == F32 and target == BOOL:
        _chained(c, "NE", [ins[0], Value(F32, (), constant=np.zeros((), F32))], outs[0], BOOL)
    elif (
        source.kind in "if"
        and target.kind == "i"
        and min(source.itemsize, target.itemsize) >= 4
        and max(source.itemsize, target.itemsize) <= 8
        and source != np.float64
    ):
        c.emit(
            "cast",
            [c.result(outs[0], target, ins[0].shape), c.ready(ins[0])],
            [ins[0].size, source == F32, source.itemsize, target.itemsize],
        )
    else:
        raise Declined(f"cast of {source} to {target}")


@emits("AddN")
def _add_n(c, node, ins, outs):
    require_float(*ins)
    total = ins[0]
    for i, value in enumerate(ins[1:]):
        last = i == len(ins) - 2
        result = c.result(outs[0], F32, total.shape) if last else c.inner(F32, total.shape)
        c.chain("ADD", [total, value], result)
        if i:
            c.used(total)
        total = result
    if len(ins) == 1:
        c.give(outs[0], total)


@emits("BiasAdd", "BiasAddV1")
def _bias_add(c, node, ins, outs):
    require_float(*ins)
    x, bias = ins
    if node.attrs.get("data_format", b"NHWC") == b"NCHW" and len(x.shape) > 2:
        bias = bias.reshaped((bias.size,) + (1,) * (len(x.shape) - 2))
    _chained(c, "ADD", [x, bias], outs[0])


@emits("Tile")
def _tile(c, node, ins, outs):
    x, multiples = ins
    if multiples.constant is None:
        raise Declined("Tile by a computed number")
    target = tuple(n * int(m) for n, m in zip(x.shape, multiples.constant, strict=True))
    if any(n != 1 and int(m) != 1 for n, m in zip(x.shape, multiples.constant, strict=True)):
        raise Declined("Tile of more than one element")
    require_float(x)
    result = c.result(outs[0], F32, target)
    c.chain("IDENTITY", [x], result)


@emits("Fill")
def _fill(c, node, ins, outs):
    dims, value = ins
    if dims.constant is None:
        raise Declined("Fill of a computed shape")
    require_float(value)
    c.chain("IDENTITY", [value], c.result(outs[0], F32, tuple(int(n) for n in dims.constant)))


@emits("ZerosLike")
def _zeros_like(c, node, ins, outs):
    c.give(
        outs[0], Value(ins[0].dtype, ins[0].shape, constant=np.broadcast_to(np.zeros((), ins[0].dtype), ins[0].shape))
    )


@emits("OnesLike")
def _ones_like(c, node, ins, outs):
    c.give(
        outs[0], Value(ins[0].dtype, ins[0].shape, constant=np.broadcast_to(np.ones((), ins[0].dtype), ins[0].shape))
    )


# -- shapes -------------------------------------------------------------------------------------------------


@emits("Shape", "ShapeN", "Size", "Rank")
def _shape(c, node, ins, outs):
    for value, out in zip(ins, outs, strict=True):
        if node.type == "Rank":
            array = np.array(len(value.shape), np.int32)
        else:
            kind = node.attrs["out_type"].as_numpy_dtype
            array = np.array(value.size if node.type == "Size" else value.shape, kind)
        c.give(out, Value(array.dtype, array.shape, constant=array))


@emits("Identity", "StopGradient", "PreventGradient", "Snapshot", "CheckNumericsOff")
def _identity(c, node, ins, outs):
    c.give(outs[0], ins[0])


@emits("Reshape")
def _reshape(c, node, ins, outs):
    x, target = ins
    if target.constant is None:
        raise Declined("Reshape to a computed shape")
    dims = [int(n) for n in target.constant.reshape(-1)]
    known = 1
    for n in dims:
        known *= n if n >= 0 else 1
    if -1 in dims:
        if known == 0 or x.size % known:
            raise Declined("Reshape that does not fit")
        dims[dims.index(-1)] = x.size // known
        known = x.size
    if known != x.size:
        raise Declined("Reshape that does not fit")
    c.give(outs[0], c.ready(x).reshaped(tuple(dims)))


@emits("ExpandDims")
def _expand_dims(c, node, ins, outs):
    x, axis = ins
    if axis.constant is None:
        raise Declined("ExpandDims at a computed axis")
    at = int(axis.constant.reshape(-1)[0])
    at += len(x.shape) + 1 if at < 0 else 0
    c.give(outs[0], c.ready(x).reshaped((*x.shape[:at], 1, *x.shape[at:])))


@emits("Squeeze")
def _squeeze(c, node, ins, outs):
    x = ins[0]
    axes = {a % len(x.shape) for a in node.attrs["squeeze_dims"]} or {i for i, n in enumerate(x.shape) if n == 1}
    if any(x.shape[a] != 1 for a in axes):
        raise Declined("Squeeze of a dimension that is not 1")
    c.give(outs[0], c.ready(x).reshaped(tuple(n for i, n in enumerate(x.shape) if i not in axes)))


# -- products and reductions --------------------------------------------------------------------------------


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


_PANEL_DEPTH, _PANEL_COLUMNS, _PANEL, _FEW_COLUMNS = 512, 2048, 32, 12  # as in the C code


def product(
    c: Compilation, out: Value, a: Value, b: Value, m: int, n: int, k: int, ta: bool = False, tb: bool = False
) -> None:
    """Emit `out[m, n] = op(a) op(b)`."""
    panels = min(k, _PANEL_DEPTH) * min(-(-n // _PANEL) * _PANEL, _PANEL_COLUMNS)
    if not tb and not (m > 70 and k * n > 8192):
        panels = max(panels, k * _PANEL)
    if n <= _FEW_COLUMNS:
        panels = max(panels, k * _PANEL) + m * n
    c.builder.scratch = max(c.builder.scratch, panels * 4)
    c.emit("matmul", [out, c.ready(a), c.ready(b)], [m, n, k, ta, tb])


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
    if reduced != list(range(reduced[0], reduced[-1] + 1)):
        if rank > 6:
            raise Declined("a reduction along separate axes of many")
        # What is reduced is brought together first.
        order = [a for a in range(rank) if a not in reduced] + reduced
        turned, steps = c.inner(F32, tuple(x.shape[a] for a in order)), strides_of(x.shape)
        strided(c, turned, c.ready(x), turned.shape, [steps[a] for a in order], strides_of(turned.shape))
        x, reduced = turned, list(range(rank - len(reduced), rank))
    outer, size, inner = _extents(x.shape, reduced[0], reduced[-1] + 1)
    if size == 0:
        raise Declined("a reduction of nothing")
    c.emit("reduce", [c.result(outs[0], F32, shape), c.ready(x)], [_REDUCTIONS[node.type], outer, size, inner])


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


def strided(
    c: Compilation, out: Value, x: Value, dims: Sequence[int], source: Sequence[int], target: Sequence[int],
    start: int = 0, at: int = 0,
) -> None:
    """Emit a copy of `dims` elements, from and to positions with these strides, the first at `start` and `at`."""
    pad = [0] * (6 - len(dims))
    c.emit(
        "strided_copy", [out, x], [x.dtype.itemsize, len(dims), *dims, *pad, *source, *pad, *target, *pad, start, at]
    )


# -- state --------------------------------------------------------------------------------------------------


@emits("ReadVariableOp")
def _read_variable(c, node, ins, outs):
    c.read(outs[0], ins[0])


def _updated(c: Compilation, variables: Sequence[Value], grad: Value, scalars: Sequence[Value]) -> None:
    require_float(*variables, grad, *scalars)
    if any(v.shape != grad.shape for v in variables) or any(s.shape for s in scalars):
        raise Declined("an update of shapes that differ")
    c.update(variables)


@emits("ApplyGradientDescent", "ResourceApplyGradientDescent")
def _sgd(c, node, ins, outs):
    var, alpha, grad = ins
    _updated(c, [var], grad, [alpha])
    c.emit("sgd", [var, c.ready(alpha), c.ready(grad)], [var.size])
    _hand_on(c, outs, var)


@emits("ApplyMomentum", "ResourceApplyMomentum")
def _momentum(c, node, ins, outs):
    var, accum, lr, grad, momentum = ins
    _updated(c, [var, accum], grad, [lr, momentum])
    c.emit(
        "momentum", [var, accum, c.ready(lr), c.ready(grad), c.ready(momentum)], [var.size, node.attrs["use_nesterov"]]
    )
    _hand_on(c, outs, var)


@emits("ApplyAdam", "ResourceApplyAdam")
def _adam(c, node, ins, outs):
    var, m, v, *scalars, grad = ins
    _updated(c, [var, m, v], grad, scalars)
    c.emit("adam", [var, m, v, *[c.ready(s) for s in scalars], c.ready(grad)], [var.size, node.attrs["use_nesterov"]])
    _hand_on(c, outs, var)


def _hand_on(c: Compilation, outs: Sequence[int], var: Value) -> None:
    if outs:
        c.give(outs[0], var)

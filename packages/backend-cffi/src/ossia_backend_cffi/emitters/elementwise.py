"""Elementwise ops, which become steps of chains: arithmetic, comparisons, casts, fills."""
from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ossia_backend_cffi.emitters.emission import strided, strides_of
from ossia_backend_cffi.emitters.registry import BOOL, F32, emits, require_float
from ossia_backend_cffi.program.builder import Declined, Value
from ossia_backend_cffi.program.instructions import Cast
from ossia_core.names import dtypes

if TYPE_CHECKING:
    from ossia_backend_cffi.emitters.emission import Emission

_SHAPES = 1 << 10  # combinations of shapes that are remembered
_COPIED = 6  # dimensions of a strided copy
ARITHMETIC = {
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
    "MulNoNan": "MULNONAN",
    "Softsign": "SOFTSIGN",
    "SoftsignGrad": "SOFTSIGNGRAD",
}
_COMPARISON = {"Less": "LT", "LessEqual": "LE", "Greater": "GT", "GreaterEqual": "GE", "Equal": "EQ", "NotEqual": "NE"}
_LOGICAL = {"LogicalAnd": "AND", "LogicalOr": "OR", "LogicalNot": "NOT"}
# Ops of which the emitters refuse all that the shape rules refuse: any shapes that broadcast, or equal shapes.
BROADCASTING = frozenset(
    (
        *("Add", "AddV2", "Sub", "Mul", "RealDiv", "Div", "Maximum", "Minimum", "Pow", "SquaredDifference", "DivNoNan"),
        "MulNoNan",
        *_COMPARISON,
        *_LOGICAL,
        "MatMul",
    )
)
CHECKED = BROADCASTING.union(ARITHMETIC)


def broadcast_shape(shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The shape that operands broadcast to."""
    first, last = shapes[0], shapes[-1]
    if len(shapes) <= 2:
        if first == last or not last:
            return first
        if not first:
            return last
    return _broadcast_shape(tuple(shapes))


@functools.lru_cache(_SHAPES)
def _broadcast_shape(shapes: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError as e:
        raise Declined(str(e)) from None


def _chained(
    c: Emission, op: str, ins: Sequence[Value], out: int, dtype: np.dtype = F32, constant: float | None = None
) -> None:
    shape = broadcast_shape([v.shape for v in ins])
    c.chain(op, ins, c.result(out, dtype, shape), constant)


@emits(*ARITHMETIC)
def _arithmetic(c, node, ins, outs):
    require_float(*ins)
    _chained(c, ARITHMETIC[node.type], ins, outs[0])


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


@emits("Cast", refuses=True)
def _cast(c, node, ins, outs):
    if node.attrs["DstT"] in (dtypes.resource, dtypes.variant):
        raise Declined("a cast to handles")
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
        out, x = c.result(outs[0], target, ins[0].shape), c.ready(ins[0])
        c.emit(
            Cast(out=out, x=x, elements=x.size, of_floats=source == F32, item=source.itemsize, out_item=target.itemsize)
        )
    else:
        raise Declined(f"cast of {source} to {target}")


@emits("AddN", refuses=True)
def _add_n(c, node, ins, outs):
    require_float(*ins)
    if any(value.shape != ins[0].shape for value in ins):
        raise Declined("a sum of shapes that differ")
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


@emits("BiasAdd", "BiasAddV1", refuses=True)
def _bias_add(c, node, ins, outs):
    require_float(*ins)
    x, bias = ins
    first = node.attrs.get("data_format", b"NHWC") == b"NCHW"
    if len(x.shape) < (3 if first else 2) or bias.shape != (x.shape[1 if first else -1],):
        raise Declined("a bias that does not fit the channels")
    if first:
        bias = bias.reshaped((bias.size,) + (1,) * (len(x.shape) - 2))
    _chained(c, "ADD", [x, bias], outs[0])


@emits("Tile")
def _tile(c, node, ins, outs):
    x, multiples = ins
    if multiples.constant is None:
        raise Declined("Tile by a computed number")
    repeats = [int(m) for m in multiples.constant]
    target = tuple(n * m for n, m in zip(x.shape, repeats, strict=True))
    if x.dtype == F32 and all(1 in pair for pair in zip(x.shape, repeats, strict=True)):
        c.chain("IDENTITY", [x], c.result(outs[0], F32, target))
        return
    if sum(n != 1 for n in (*x.shape, *repeats)) > _COPIED:
        raise Declined("Tile of many dimensions")
    # Of each dimension how often, from the same place, and then its elements.
    dims = [size for pair in zip(repeats, x.shape, strict=True) for size in pair]
    own, whole = strides_of(x.shape), strides_of(target)
    source = [step for s in own for step in (0, s)]
    places = [step for s, n in zip(whole, x.shape, strict=True) for step in (s * n, s)]
    strided(c, c.result(outs[0], x.dtype, target), c.ready(x), dims, source, places)


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

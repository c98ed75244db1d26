"""Arithmetic on quantized tensors, whose results are 32-bit, and narrowing those to fewer bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op, sample
from ossia_core.declare.shape_rules import SCALAR, broadcast, unchanged, with_rank
from ossia_core.names import dtypes
from ossia_core.names.dtypes import DType
from ossia_core.names.errors import InvalidArgumentError
from ossia_ops.element_types import QUANTIZED
from ossia_quantization.quantize import STORAGE, bound_of, integers, round_away


def _level(kind: DType, low: float, high: float) -> np.float32:
    """The float between two neighbouring integers."""
    info = np.iinfo(STORAGE[kind])
    return np.float32(np.float32(high - low) / np.float32(int(info.max) - int(info.min)))


def to_integers(x: Any, kind: DType, low: float, high: float) -> Any:
    """The integers that stand for floats in a range, not clipped, as floats."""
    info = np.iinfo(STORAGE[kind])
    if low == high:
        return np.full(np.shape(x), float(info.min))
    steps = float(1 << info.bits)
    scale = steps / ((high - low) * (steps / (steps - 1)))
    return round_away(x * scale) - round_away(np.float64(low * scale)) + float(info.min)


def to_floats(x: Any, kind: DType, low: float, high: float) -> Any:
    """The floats that integers of a range stand for."""
    info = np.iinfo(STORAGE[kind])
    steps = float(1 << info.bits)
    step = (high - low) * (steps / (steps - 1)) / steps
    single = np.float32(step)  # the original rounds the start of the range in single precision
    start = float(round_away(np.float32(low) / single)) * float(single) if step else low
    return start + (np.asarray(x, np.float64) - float(info.min)) * step


def zero_level(kind: DType, low: float, high: float) -> int:
    """The integer that stands for 0 in a range."""
    return int(to_integers(np.float64(0), kind, low, high))


def product_range(x: tuple[DType, float, float], y: tuple[DType, float, float], kind: DType) -> tuple[Any, Any]:
    """The range of products as integers of another type."""
    info, level = np.iinfo(STORAGE[kind]), _level(*x) * _level(*y)
    return np.float32(level * np.float32(info.min)), np.float32(level * np.float32(info.max))


def check_range(name: str, low: float, high: float) -> None:
    """Raises InvalidArgumentError unless the end of a range is above its start."""
    if not high > low:
        raise InvalidArgumentError(None, None, f"max_{name} must be larger than min_{name}.")


def ranged_shape(shape: Any, *ranges: Any) -> tuple:
    """The shapes of a result and of the two ends of its range; ends of ranges that come in must be scalars."""
    for bound in ranges:
        with_rank(bound, 0)
    return shape, SCALAR, SCALAR


quantized_add_op = op(
    "QuantizedAdd(x: T1, y: T2, min_x: float, max_x: float, min_y: float, "
    "max_y: float) -> z: Toutput, min_z: float, max_z: float",
    T1=QUANTIZED,
    T2=QUANTIZED,
    Toutput="{qint8, quint8, qint32, qint16, quint16} = DT_QINT32",
)


@quantized_add_op.shape
def _(x, y, min_x, max_x, min_y, max_y):
    return ranged_shape(broadcast(x, y), min_x, max_x, min_y, max_y)


@quantized_add_op.kernel
def _(x, y, min_x, max_x, min_y, max_y, *, T1, T2, Toutput):
    low_x, high_x, low_y, high_y = bound_of(min_x), bound_of(max_x), bound_of(min_y), bound_of(max_y)
    check_range("x", low_x, high_x), check_range("y", low_y, high_y)
    high = np.float32(max(high_x, -low_x, high_y, -low_y) * (1 << 14))
    info = np.iinfo(STORAGE[Toutput])
    total = np.zeros(np.broadcast_shapes(np.shape(x), np.shape(y)), np.int64)
    for value, kind, low_value, high_value in ((x, T1, low_x, high_x), (y, T2, low_y, high_y)):
        ends = to_floats(np.array([0, 1]), kind, low_value, high_value).astype(np.float32)
        start, following = to_integers(ends, Toutput, float(-high), float(high)).astype(np.int64)
        total = total + start + integers(value) * (following - start)
    return total.astype(info.dtype), -high, high


_EIGHT_BITS = np.array([0, 100, 255], np.uint8).view(dtypes.quint8.as_numpy_dtype)
_MATRIX = np.array([[0, 100, 255], [1, 2, 3]], np.uint8).view(dtypes.quint8.as_numpy_dtype)
_SUMS = np.array([-70000, 0, 3, 100000], np.int32).view(dtypes.qint32.as_numpy_dtype)
quantized_add_op.samples(plain=sample(_EIGHT_BITS, _EIGHT_BITS, 0.0, 1.0, -1.0, 3.0, T1="quint8", T2="quint8"))


quantized_mul_op = op(
    "QuantizedMul(x: T1, y: T2, min_x: float, max_x: float, min_y: float, "
    "max_y: float) -> z: Toutput, min_z: float, max_z: float",
    T1=QUANTIZED,
    T2=QUANTIZED,
    Toutput="{qint8, quint8, qint32, qint16, quint16} = DT_QINT32",
)


@quantized_mul_op.shape
def _(x, y, min_x, max_x, min_y, max_y):
    return ranged_shape(broadcast(x, y), min_x, max_x, min_y, max_y)


@quantized_mul_op.kernel
def _(x, y, min_x, max_x, min_y, max_y, *, T1, T2, Toutput):
    low_x, high_x, low_y, high_y = bound_of(min_x), bound_of(max_x), bound_of(min_y), bound_of(max_y)
    check_range("x", low_x, high_x), check_range("y", low_y, high_y)
    left = integers(x).astype(np.int32) - np.int32(zero_level(T1, low_x, high_x))
    right = integers(y).astype(np.int32) - np.int32(zero_level(T2, low_y, high_y))
    return left * right, *product_range((T1, low_x, high_x), (T2, low_y, high_y), Toutput)


quantized_mul_op.samples(plain=sample(_EIGHT_BITS, _EIGHT_BITS, 0.0, 1.0, -1.0, 3.0, T1="quint8", T2="quint8"))


quantized_mat_mul_op = op(
    "QuantizedMatMul(a: T1, b: T2, min_a: float, max_a: float, min_b: float, "
    "max_b: float) -> out: Toutput, min_out: float, max_out: float",
    T1=QUANTIZED,
    T2=QUANTIZED,
    Toutput="{qint8, quint8, qint32, qint16, quint16} = DT_QINT32",
    transpose_a="bool = false",
    transpose_b="bool = false",
    Tactivation="{qint8, quint8, qint32, qint16, quint16} = DT_QUINT8",
)


@quantized_mat_mul_op.shape
def _(a, b, min_a, max_a, min_b, max_b, *, transpose_a, transpose_b):
    return ranged_shape(
        lookup("MatMul").shape_fn(a, b, transpose_a=transpose_a, transpose_b=transpose_b), min_a, max_a, min_b, max_b
    )


@quantized_mat_mul_op.kernel
def _(a, b, min_a, max_a, min_b, max_b, *, T1, T2, Toutput, transpose_a, transpose_b):
    low_a, high_a, low_b, high_b = bound_of(min_a), bound_of(max_a), bound_of(min_b), bound_of(max_b)
    for name, low, high in (("a", low_a, high_a), ("b", low_b, high_b)):
        if not high > low:
            raise InvalidArgumentError(None, None, f"max_{name} must be larger than min_{name}.")
    left = integers(a).astype(np.int32) - np.int32(zero_level(T1, low_a, high_a))
    right = integers(b).astype(np.int32) - np.int32(zero_level(T2, low_b, high_b))
    product = lookup("MatMul").kernel_fn(left, right, transpose_a=transpose_a, transpose_b=transpose_b)
    return product, *product_range((T1, low_a, high_a), (T2, low_b, high_b), Toutput)


quantized_mat_mul_op.samples(
    plain=sample(_MATRIX, _MATRIX, 0.0, 1.0, -1.0, 3.0, T1="quint8", T2="quint8", transpose_b=True)
)


def _used_range(input: Any, kind: DType, low: Any, high: Any) -> tuple[float, float]:
    """The part of the range that is in use, with 0 in it."""
    x, low, high = integers(input), bound_of(low), bound_of(high)
    if not x.size:
        return min(0.0, low), high
    ends = to_floats(np.array([x.min(), x.max()]), kind, low, high).astype(np.float32)
    return min(0.0, float(ends[0])), float(ends[1])


requantization_range_op = op(
    "RequantizationRange(input: Tinput, input_min: float, input_max: float) -> output_min: float, output_max: float",
    Tinput=QUANTIZED,
)


@requantization_range_op.shape
def _(input, input_min, input_max):
    return ranged_shape(None, input_min, input_max)[1:]


@requantization_range_op.kernel
def _(input, input_min, input_max, *, Tinput):
    low, high = _used_range(input, Tinput, input_min, input_max)
    return np.float32(low), np.float32(high)


requantization_range_op.samples(plain=sample(_SUMS, -10.0, 10.0, Tinput="qint32"))

_BITS = 16
_BLOCK = 1 << 13  # elements, whose steps all stay in the cache


def _narrowed(x: Any, low: float, high: float, new_low: float, new_high: float) -> Any:
    """32-bit integers of a symmetric range as 8-bit ones of another, in fixed-point arithmetic."""
    wide, narrow = np.float32(high) - np.float32(low), np.float32(new_high) - np.float32(new_low)
    if narrow == 0:
        return np.zeros(np.shape(x), np.uint8)
    per_unit = np.float32(255 / float(narrow))
    scale = int(255.0 * (1 << _BITS) * float(wide) / float(narrow))
    middle = int(float(np.float32((low + high) / 2.0)) * float(per_unit) * (1 << _BITS))
    start = int((1 << _BITS) * (new_low * 255.0) / float(narrow))
    offset = middle - start + (1 << (_BITS - 1))
    flat, result = x.reshape(-1), np.empty(x.size, np.uint8)
    for begin in range(0, flat.size, _BLOCK):
        scaled = flat[begin : begin + _BLOCK].astype(np.int64)
        scaled *= scale
        scaled >>= 32
        scaled += offset
        scaled >>= _BITS
        result[begin : begin + _BLOCK] = scaled.clip(0, 255, out=scaled)
    return result.reshape(x.shape)


requantize_op = op(
    "Requantize(input: Tinput, input_min: float, input_max: float, requested_output_min: float, "
    "requested_output_max: float) -> output: out_type, output_min: float, output_max: float",
    Tinput=QUANTIZED,
    out_type=QUANTIZED,
)


@requantize_op.shape
def _(input, input_min, input_max, requested_output_min, requested_output_max):
    return ranged_shape(unchanged(input), input_min, input_max, requested_output_min, requested_output_max)


@requantize_op.kernel
def _(input, input_min, input_max, requested_output_min, requested_output_max, *, Tinput, out_type):
    low, high = bound_of(requested_output_min), bound_of(requested_output_max)
    if low > 0:
        raise InvalidArgumentError(None, None, f"requested_output_min must be <= 0, but got {low}")
    if high < low:
        raise InvalidArgumentError(
            None, None, f"requested_output_max must be >= requested_output_min, but got {high} and {low}"
        )
    old = bound_of(input_min), bound_of(input_max)
    if out_type is dtypes.qint8:  # by way of floats
        floats = np.float32(to_floats(integers(input), Tinput, *old))
        scale = 255.0 / (high - low) if high > low else 0.0
        start = round_away(np.float64(np.float32(low * scale)))
        result = np.clip(round_away(floats * scale) - start - 128, -128, 127).astype(np.int8)
    else:
        result = _narrowed(integers(input), *old, low, high)
    return result, np.float32(low), np.float32(high)


requantize_op.samples(
    plain=sample(_SUMS, -10.0, 10.0, -0.0005, 0.0005, Tinput="qint32", out_type="quint8"),
    signed=sample(_SUMS, -10.0, 10.0, -0.0005, 0.0005, Tinput="qint32", out_type="qint8"),
)


quantize_down_and_shrink_range_op = op(
    "QuantizeDownAndShrinkRange(input: Tinput, input_min: float, "
    "input_max: float) -> output: out_type, output_min: float, output_max: float",
    Tinput=QUANTIZED,
    out_type=QUANTIZED,
)


@quantize_down_and_shrink_range_op.shape
def _(input, input_min, input_max):
    return ranged_shape(unchanged(input), input_min, input_max)


@quantize_down_and_shrink_range_op.kernel
def _(input, input_min, input_max, *, Tinput):
    low, high = _used_range(input, Tinput, input_min, input_max)
    result = _narrowed(integers(input), bound_of(input_min), bound_of(input_max), low, high)
    return result, np.float32(low), np.float32(high)


quantize_down_and_shrink_range_op.samples(plain=sample(_SUMS, -10.0, 10.0, Tinput="qint32", out_type="quint8"))

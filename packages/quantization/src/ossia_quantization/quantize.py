"""Floats as integers of few bits with a range, and back."""
from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op, sample
from ossia_core.declare.shape_rules import SCALAR, unchanged, with_rank
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.dtypes import DType
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_ops.element_types import FLOATS, INDEX_32, QUANTIZED

STORAGE: dict[DType, Any] = {
    dtypes.qint8: np.int8,
    dtypes.quint8: np.uint8,
    dtypes.qint16: np.int16,
    dtypes.quint16: np.uint16,
    dtypes.qint32: np.int32,
}


def integers(x: Any) -> Any:
    """The integers that a quantized array holds."""
    x = np.ascontiguousarray(x).reshape(np.shape(x))
    return x if x.dtype.kind in "iu" else x.view(x.dtype[0])


def bound_of(x: Any) -> float:
    """The end of a range as a number; of a tensor that is no scalar its first element, as in the original."""
    if not np.size(x):
        raise InvalidArgumentError(None, None, "The end of a range is empty.")
    return float(np.ravel(x)[0])


def _quantized(values: Any, kind: DType) -> Any:
    """Whole floats as the integers of a kind; those of 32 bits do not saturate: what they cannot hold is the lowest."""
    storage = STORAGE[kind]
    info = np.iinfo(storage)
    if info.bits == 32:
        values = np.where((values >= info.min) & (values < -float(info.min)), values, np.float32(info.min))
        return values.astype(storage)
    return np.clip(values, info.min, info.max).astype(storage)


def round_away(x: Any) -> Any:
    """`x` rounded to the nearest integers, halves away from zero."""
    half = np.nextafter(np.asarray(0.5, x.dtype), x.dtype.type(0))  # 0.5 itself would move large odd numbers
    return np.copysign(np.floor(np.abs(x) + half), x)


def _scale_of_range(low: Any, high: Any, lowest: int, highest: int) -> Any:
    """The factor that brings both ends of a range within the integers, keeping 0 at 0."""
    limit = np.finfo(np.float32).max
    from_low = lowest / low if lowest * low > 0 else limit
    from_high = highest / high if highest * high > 0 else limit
    return min(from_low, from_high)


quantize_v2_op = op("QuantizeV2(input: float, min_range: float, max_range: float) -> output: T, output_min: float, "
                    "output_max: float", T=QUANTIZED, mode="{'MIN_COMBINED', 'MIN_FIRST', 'SCALED'} = 'MIN_COMBINED'",
                    round_mode="{'HALF_AWAY_FROM_ZERO', 'HALF_TO_EVEN'} = 'HALF_AWAY_FROM_ZERO'")


@quantize_v2_op.shape
def _(input, min_range, max_range):
    with_rank(min_range, 0), with_rank(max_range, 0)
    return unchanged(input), SCALAR, SCALAR


@quantize_v2_op.kernel
def _(input, min_range, max_range, *, T, mode, round_mode):
    given_low, given_high = bound_of(min_range), bound_of(max_range)
    if mode != b"SCALED" and round_mode == b"HALF_TO_EVEN":
        raise InvalidArgumentError(
            None, None, f"Round mode 'HALF_TO_EVEN' only supported for mode 'SCALED', but mode is '{mode.decode()}'."
        )
    if given_high < given_low:
        raise InvalidArgumentError(None, None, "input_max_range must be larger than input_min_range.")
    low = min(0.0, given_low)
    epsilon = max(1.0, abs(given_low), abs(given_high)) / 100
    high = max(0.0, given_high, low + epsilon)
    info = np.iinfo(STORAGE[T])
    lowest, highest = int(info.min), int(info.max)
    x = np.asarray(input, np.float32)
    start = np.float32(low)
    spread = float(np.float32(high) - start)
    with np.errstate(over="ignore", invalid="ignore"):
        if mode == b"MIN_COMBINED":
            scaled = (np.clip(x, start, np.float32(high)) - start) * np.float32((highest - lowest) / spread)
            half = np.float32((highest - lowest + 1) / 2)
            values = np.floor(scaled + np.float32(0.5)) if lowest == 0 else round_away(scaled - half)
        elif mode == b"MIN_FIRST":
            steps = 1 << info.bits
            scale = np.float32(steps / (spread * (steps / (steps - 1))))
            values = round_away(x * scale) - (round_away(start * scale) - np.float32(lowest))
            values = np.clip(values, np.float32(lowest), np.nextafter(np.float32(highest + 1), np.float32(0)))
        else:
            scale = _scale_of_range(start, np.float32(high), lowest, highest)
            least, most = np.float32(lowest) / scale, np.float32(highest) / scale
            scaled = np.clip(x, least, most) * scale
            values = np.rint(scaled) if round_mode == b"HALF_TO_EVEN" else round_away(scaled)
            low, high = least, most
    return _quantized(values, T), np.float32(low), np.float32(high)


quantize_v2_op.samples(
    combined=sample([0.0, 0.3, 1.2], 0.0, 1.0, T="quint8"),
    scaled=sample([-1.0, 0.3, 1.2], -1.0, 2.0, T="qint8", mode="SCALED"),
    first=sample([-1.0, 0.3, 1.2], -1.0, 2.0, T="quint8", mode="MIN_FIRST"),
)


@public("quantization.quantize", "quantize")
def quantize(
    input: Any,
    min_range: Any,
    max_range: Any,
    T: Any,
    mode: str = "MIN_COMBINED",
    round_mode: str = "HALF_AWAY_FROM_ZERO",
    name: str | None = None,
) -> Any:
    """A float32 tensor as a quantized tensor.

    Args:
      input: a float32 tensor.
      min_range: the float of the lowest integer, a scalar.
      max_range: the float of the highest integer; the range is widened to hold 0.
      T: the quantized dtype.
      mode: "MIN_COMBINED", "MIN_FIRST" or "SCALED", which keeps 0 at 0.
      round_mode: how halves are rounded in mode "SCALED": "HALF_AWAY_FROM_ZERO" or "HALF_TO_EVEN".
      name: name of the op.

    Returns:
      A tuple `(output, output_min, output_max)`.
    """
    return quantize_v2_op(input, min_range, max_range, T=T, mode=mode, round_mode=round_mode, name=name)


@public("quantize_v2")
def quantize_v2(input: Any, min_range: Any, max_range: Any, T: Any, mode: str = "MIN_COMBINED", name: str | None = None,
                round_mode: str = "HALF_AWAY_FROM_ZERO") -> Any:
    """`quantize` with the last two arguments in another order."""
    return quantize(input, min_range, max_range, T, mode, round_mode, name)


dequantize_op = op("Dequantize(input: T, min_range: float, max_range: float) -> output: float", T=QUANTIZED,
                   mode="{'MIN_COMBINED', 'MIN_FIRST', 'SCALED'} = 'MIN_COMBINED'")


@dequantize_op.shape
def _(input, min_range, max_range):
    with_rank(min_range, 0), with_rank(max_range, 0)
    return unchanged(input)


@dequantize_op.kernel
def _(input, min_range, max_range, *, T, mode):
    info = np.iinfo(STORAGE[T])
    lowest, highest = float(info.min), float(info.max)
    low, high = bound_of(min_range), bound_of(max_range)
    x = integers(input).astype(np.float64)
    if mode == b"MIN_COMBINED":
        half = 0.0 if lowest == 0 else (highest - lowest + 1) / 2
        result = (x + half) * ((high - low) / (highest - lowest)) + low
    elif mode == b"MIN_FIRST":
        steps = float(1 << info.bits)
        # Steps are counted in float32, which decides how a lower end halfway between two of them is rounded.
        scale = np.float32(np.float32((high - low) * (steps / (steps - 1))) / steps)
        first = float(round_away(np.float64(np.float32(low) / scale))) * float(scale) if high != low else low
        result = (x - lowest) * float(scale) + first
    else:
        result = x * (high / highest if lowest == 0 else max(low / lowest, high / highest))
    return result.astype(np.float32)


dequantize_op.samples(
    combined=sample(np.array([0, 100, 255], np.uint8).view(dtypes.quint8.as_numpy_dtype), 0.0, 1.0, T="quint8"),
    halfway=sample(
        np.array([0, 100], np.uint8).view(dtypes.quint8.as_numpy_dtype), 2.0, 6.0, T="quint8", mode="MIN_FIRST"
    ),
)


@public("quantization.dequantize", "dequantize")
def dequantize(
    input: Any, min_range: Any, max_range: Any, mode: str = "MIN_COMBINED", name: str | None = None
) -> Tensor:
    """A quantized tensor as float32; the arguments are those of `quantize`."""
    return dequantize_op(input, min_range, max_range, mode=mode, name=name)


def _there_and_back(
    x: Any, low: Any, high: Any, num_bits: int, signed: bool, range_given: bool, round_mode: bytes, narrow: bool
) -> Any:
    """`x` rounded to the steps of `num_bits` bits, computed in its own dtype."""
    if not 0 < num_bits < (62 if signed else 63):
        raise InvalidArgumentError(None, None, f"num_bits is out of range: {num_bits} with signed_input_ {int(signed)}")
    kind = x.dtype.type
    if range_given:
        if not low <= high:
            raise InvalidArgumentError(None, None, f"Invalid range: input_min {low:g} > input_max {high:g}")
    elif x.size:
        low, high = x.min(), x.max()
    else:
        return np.array(x)
    lowest = (-(1 << (num_bits - 1)) + bool(narrow)) if signed else 0
    highest = (1 << (num_bits - 1)) - 1 if signed else (1 << num_bits) - 1
    limit = np.finfo(x.dtype).max if x.dtype.kind == "f" else kind(np.finfo(np.float32).max)
    from_low = kind(lowest) / low if lowest * low > 0 else limit
    from_high = kind(highest) / high if highest * high > 0 else limit
    if from_low < from_high:
        scale, step = from_low, low / kind(lowest)
        high = kind(highest) * step
    else:
        scale, step = from_high, high / kind(highest)
        low = kind(lowest) * step
    scaled = (np.clip(x, low, high) if range_given else x) * scale
    return ((np.floor(scaled + kind(0.5)) if round_mode == b"HALF_UP" else np.rint(scaled)) * step).astype(x.dtype)


quantize_and_dequantize_op = op("QuantizeAndDequantize(input: T) -> output: T", signed_input="bool = true",
                                num_bits="int = 8", range_given="bool = false", input_min="float = 0.0",
                                input_max="float = 0.0", T=FLOATS)


quantize_and_dequantize_op.shape(unchanged)


@quantize_and_dequantize_op.kernel
def _(input, *, signed_input, num_bits, range_given, input_min, input_max):
    kind = input.dtype.type
    return _there_and_back(
        input, kind(input_min), kind(input_max), num_bits, signed_input, range_given, b"HALF_TO_EVEN", False
    )


@quantize_and_dequantize_op.gradient
def _(node, grad):
    return grad


quantize_and_dequantize_op.removed(22, "Replaced by QuantizeAndDequantizeV2")
quantize_and_dequantize_op.samples(plain=[-1., 0.3, 1.2])


quantize_and_dequantize_v2_op = op("QuantizeAndDequantizeV2(input: T, input_min: T, input_max: T) -> output: T",
                                   signed_input="bool = true", num_bits="int32 = 8", range_given="bool = false",
                                   T=FLOATS, round_mode="{'HALF_TO_EVEN', 'HALF_UP'} = 'HALF_TO_EVEN'",
                                   narrow_range="bool = false")


@quantize_and_dequantize_v2_op.shape
def _(input, input_min, input_max):
    with_rank(input_min, 0), with_rank(input_max, 0)
    return unchanged(input)



@quantize_and_dequantize_v2_op.kernel
def _(input, input_min, input_max, *, signed_input, num_bits, range_given, round_mode, narrow_range):
    return _there_and_back(input, input_min, input_max, num_bits, signed_input, range_given, round_mode, narrow_range)


@quantize_and_dequantize_v2_op.gradient
def _(node, grad):
    return [grad, None, None]


quantize_and_dequantize_v2_op.samples(
    plain=([-1.0, 0.3, 1.2], 0.0, 0.0), given=sample([-1.0, 0.3, 1.2], -1.0, 1.0, range_given=True)
)


@public("quantization.quantize_and_dequantize")
def quantize_and_dequantize(
    input: Any,
    input_min: Any,
    input_max: Any,
    signed_input: bool = True,
    num_bits: int = 8,
    range_given: bool = False,
    round_mode: str = "HALF_TO_EVEN",
    name: str | None = None,
    narrow_range: bool = False,
) -> Tensor:
    """A float tensor rounded to the steps that `num_bits` bits can tell apart; gradients pass unchanged.

    Args:
      input: a float tensor.
      input_min: lower end of the range, if `range_given`; else the least element counts.
      input_max: upper end of the range.
      signed_input: whether there are negative steps.
      num_bits: number of bits.
      range_given: use the range given.
      round_mode: "HALF_TO_EVEN" or "HALF_UP".
      name: name of the result.
      narrow_range: leave out the lowest step of signed numbers.
    """
    return quantize_and_dequantize_v2_op(
        input,
        input_min,
        input_max,
        signed_input=signed_input,
        num_bits=num_bits,
        range_given=range_given,
        round_mode=round_mode,
        narrow_range=narrow_range,
        name=name,
    )


quantize_and_dequantize_v3_op = op("QuantizeAndDequantizeV3(input: T, input_min: T, input_max: T, "
                                   "num_bits: int32) -> output: T", signed_input="bool = true",
                                   range_given="bool = true", T=FLOATS, narrow_range="bool = false")


@quantize_and_dequantize_v3_op.shape
def _(input, input_min, input_max, num_bits):
    with_rank(input_min, 0), with_rank(input_max, 0), with_rank(num_bits, 0)
    return unchanged(input)



@quantize_and_dequantize_v3_op.kernel
def _(input, input_min, input_max, num_bits, *, signed_input, range_given, narrow_range):
    bits = operator.index(num_bits)
    return _there_and_back(input, input_min, input_max, bits, signed_input, range_given, b"HALF_TO_EVEN", narrow_range)


@quantize_and_dequantize_v3_op.gradient
def _(node, grad):
    return [grad, None, None, None]


quantize_and_dequantize_v3_op.samples(plain=([-1., 0.3, 1.2], -1., 1., 8))


quantized_concat_op = op("QuantizedConcat(concat_dim: int32, values: N * T, input_mins: N * float, "
                         "input_maxes: N * float) -> output: T, output_min: float, output_max: float", N="int >= 2",
                         T="type")


@quantized_concat_op.shape
def _(concat_dim, values, input_mins, input_maxes):
    for bound in (*input_mins, *input_maxes):
        with_rank(bound, 0)
    return lookup("Concat").shape_fn(concat_dim, values), SCALAR, SCALAR


@quantized_concat_op.kernel
def _(concat_dim, values, input_mins, input_maxes, *, T):
    rank = values[0].ndim
    if not 0 <= concat_dim < rank:
        raise InvalidArgumentError(
            None, None, f"ConcatOp : Expected concatenating dimensions in the range [0, {rank}), but got {concat_dim}"
        )
    kind = np.iinfo(STORAGE[T])
    low = min(0.0, *map(bound_of, input_mins))
    high = max(map(bound_of, input_maxes))
    if kind.min < 0:
        high = max(-low, high)
        low = -high
    steps = float(1 << kind.bits)

    def requantized(value: Any, value_low: float, value_high: float) -> Any:
        if (value_low, value_high) == (low, high):
            return integers(value)
        adjust = steps / (steps - 1)
        scale_in, scale_out = (value_high - value_low) * adjust / steps, steps / ((high - low) * adjust)
        if scale_in:
            start = round_away(np.float64(value_low / scale_in)) * scale_in
            floats = (integers(value) - float(kind.min)) * scale_in + start
        else:
            floats = np.full(value.shape, value_low)
        return np.clip(
            round_away(floats * scale_out) - round_away(np.float64(low * scale_out)) + kind.min, kind.min, kind.max
        ).astype(STORAGE[T])

    parts = [requantized(v, bound_of(a), bound_of(b)) for v, a, b in zip(values, input_mins, input_maxes)]
    return np.concatenate(parts, operator.index(concat_dim)), np.float32(low), np.float32(high)


_EIGHT_BITS = np.array([0, 100, 255], np.uint8).view(dtypes.quint8.as_numpy_dtype)
quantized_concat_op.samples(same=sample(0, [_EIGHT_BITS, _EIGHT_BITS], [0., 0.], [1., 1.], T="quint8"),
                            ranges=sample(0, [_EIGHT_BITS, _EIGHT_BITS], [0., -1.], [1., 2.], T="quint8"))


@public("quantization.quantized_concat", "quantized_concat")
def quantized_concat(concat_dim: Any, values: Any, input_mins: Any, input_maxes: Any, name: str | None = None) -> Any:
    """Quantized tensors one behind the other, in a common range.

    Args:
      concat_dim: the dimension, a scalar.
      values: a list of quantized tensors of one dtype.
      input_mins: the lower end of each one's range, a list of scalars.
      input_maxes: the upper end of each one's range.
      name: name of the op.

    Returns:
      A tuple `(output, output_min, output_max)`.
    """
    return quantized_concat_op(concat_dim, values, input_mins, input_maxes, name=name)


quantized_reshape_op = op("QuantizedReshape(tensor: T, shape: Tshape, input_min: float, "
                          "input_max: float) -> output: T, output_min: float, output_max: float", T="type",
                          Tshape=INDEX_32)


@quantized_reshape_op.shape
def _(tensor, shape, input_min, input_max):
    with_rank(input_min, 0), with_rank(input_max, 0)
    return lookup("Reshape").shape_fn(tensor, shape), SCALAR, SCALAR


@quantized_reshape_op.kernel
def _(tensor, shape, input_min, input_max):
    result = integers(lookup("Reshape").kernel_fn(tensor, shape)).copy()
    return result, np.float32(bound_of(input_min)), np.float32(bound_of(input_max))


quantized_reshape_op.samples(plain=sample(_EIGHT_BITS, [3, 1], 0., 1., T="quint8"))

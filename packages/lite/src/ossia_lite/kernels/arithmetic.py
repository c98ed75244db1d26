"""Arithmetic, elementwise and with broadcasting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_lite.fixed_point import (
    high_product,
    limits,
    quantize_factor,
    round_half_away,
    rounded_shift,
    scale,
    to_output,
)
from ossia_lite.kernels import Call, activate
from ossia_lite.newton import reciprocal

_ADD_BITS = {"INT8": 20, "UINT8": 20, "INT16": 15}  # extra bits that sums of quantized numbers carry


def add(call: Call, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """`x + y`."""
    return _sum(call, x, y, np.add)


def sub(call: Call, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """`x - y`."""
    return _sum(call, x, y, np.subtract)


def _sum(call: Call, x: np.ndarray, y: np.ndarray, function: np.ufunc) -> np.ndarray:
    activation = call.option("fused_activation_function")
    if not call.outputs[0].quantized:
        return activate(function(x, y), activation)
    first, second, result = call.inputs[0], call.inputs[1], call.outputs[0]
    if first is None or second is None or min(first.scale, second.scale, result.scale) <= 0:
        raise ValueError(f"{call.name}: a quantized tensor has no scale.")
    bits = _ADD_BITS[result.type]
    twice = 2.0 * max(first.scale, second.scale)
    left = scale((x.astype(np.int64) - first.zero_point) << bits, *quantize_factor(first.scale / twice))
    right = scale((y.astype(np.int64) - second.zero_point) << bits, *quantize_factor(second.scale / twice))
    return to_output(
        scale(function(left, right), *quantize_factor(twice / ((1 << bits) * result.scale))), result, activation
    )


def mul(call: Call, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """`x * y`."""
    activation = call.option("fused_activation_function")
    if not call.outputs[0].quantized:
        return activate(np.multiply(x, y), activation)
    first, second, result = call.inputs[0], call.inputs[1], call.outputs[0]
    if first is None or second is None or result.scale <= 0:
        raise ValueError(f"{call.name}: a quantized tensor has no scale.")
    product = (x.astype(np.int64) - first.zero_point) * (y.astype(np.int64) - second.zero_point)
    return to_output(scale(product, *quantize_factor(first.scale * second.scale / result.scale)), result, activation)


def div(call: Call, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """`x / y`; integers are truncated."""
    if call.outputs[0].quantized:
        return _quotient(call, x, y)
    if x.dtype.kind in "iu":
        if not np.all(y):
            raise RuntimeError("DIV: division by zero.")
        return np.trunc(np.divide(x, y)).astype(x.dtype)
    with np.errstate(all="ignore"):
        return activate(np.divide(x, y), call.option("fused_activation_function"))


def _quotient(call: Call, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    first, second, result = call.inputs[0], call.inputs[1], call.outputs[0]
    if first is None or second is None or min(first.scale, second.scale, result.scale) <= 0:
        raise ValueError(f"{call.name}: a quantized tensor has no scale.")
    above, below = np.broadcast_arrays(x.astype(np.int64) - first.zero_point, y.astype(np.int64) - second.zero_point)
    if not np.all(below):
        raise RuntimeError("DIV: division by zero.")
    above, below = np.where(below < 0, -above, above), np.abs(below)
    fraction, shift = quantize_factor(
        np.float32(first.scale) / (np.float32(second.scale) * np.float32(result.scale))
    )
    inverse, bits = reciprocal(below)
    size = np.where(above < 0, ~above, above)
    room = 31 - np.frexp(size.astype(np.float64))[1].astype(np.int64)  # bits that the dividend can be raised by
    quotient = high_product(above << room, inverse)
    total = shift - bits - room
    raised = quotient << np.maximum(total, 0)
    values = rounded_shift(high_product(raised, fraction), np.maximum(-total, 0))
    values = np.where((above == 0) & (total < -31), 1, values)  # as the reference's shift beyond 31 bits has it
    return to_output(values, result, call.option("fused_activation_function"))


def squared_difference(call: Call, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """`(x - y)` squared."""
    if not call.outputs[0].quantized:
        return np.square(x - y)
    first, second, result = call.inputs[0], call.inputs[1], call.outputs[0]
    if first is None or second is None or min(first.scale, second.scale, result.scale) <= 0:
        raise ValueError(f"{call.name}: a quantized tensor has no scale.")
    twice, bits = 2.0 * max(first.scale, second.scale), 7
    left = scale((x.astype(np.int64) - first.zero_point) << bits, *quantize_factor(first.scale / twice))
    right = scale((y.astype(np.int64) - second.zero_point) << bits, *quantize_factor(second.scale / twice))
    factor = twice * twice / ((1 << 2 * bits) * result.scale)
    return to_output(scale(np.square(left - right), *quantize_factor(factor)), result)


def abs(call: Call, x: np.ndarray) -> np.ndarray:
    """The absolute value."""
    source, result = call.inputs[0], call.outputs[0]
    if source is None or not source.quantized:
        return np.abs(x)
    size = np.abs(x.astype(np.int64) - source.zero_point)
    if (source.scale, source.zero_point) != (result.scale, result.zero_point):
        size = scale(size, *quantize_factor(float(source.scale) / result.scale))
    return to_output(size, result)


def _real(call: Call) -> None:
    if call.outputs[0].quantized:
        raise NotImplementedError(f"{call.name} of quantized {call.outputs[0].type}.")


def _same_scale(function: Callable[..., Any]) -> Callable[..., np.ndarray]:
    def kernel(call: Call, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return function(x, y)

    return kernel


def _plain(function: Callable[..., Any]) -> Callable[..., np.ndarray]:
    def kernel(call: Call, *inputs: np.ndarray) -> np.ndarray:
        _real(call)
        with np.errstate(all="ignore"):
            return np.asarray(function(*inputs), inputs[0].dtype)

    return kernel


def _looked_up(function: Callable[..., Any]) -> Callable[..., np.ndarray]:
    def kernel(call: Call, x: np.ndarray) -> np.ndarray:
        return table_of(call, x, function)

    return kernel


def table_of(call: Call, x: np.ndarray, function: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """A function of real numbers, which for quantized inputs of 8 bits is looked up in a table of its 256 values.

    Args:
        call: The operator.
        x: Its input.
        function: The function, of float32 numbers.
    """
    source, result = call.inputs[0], call.outputs[0]
    with np.errstate(all="ignore"):
        if source is None or not source.quantized:
            return np.asarray(function(x), x.dtype)
        if np.dtype(source.dtype).itemsize != 1:
            return _of_16_bits(call, x, function).astype(result.dtype)
        low, high = limits(source.dtype)
        if "table" not in call.packed:
            real = np.float32(source.scale) * (np.arange(low, high + 1) - source.zero_point).astype(np.float32)
            values = round_half_away(
                np.asarray(function(real), np.float32) * (np.float32(1) / np.float32(result.scale))
            )
            values = np.nan_to_num(values, nan=low, posinf=1e9, neginf=-1e9) + result.zero_point
            call.packed["table"] = np.clip(values, *limits(result.dtype)).astype(result.dtype)
    return call.packed["table"][x.astype(np.int64) - low]


def _of_16_bits(call: Call, x: np.ndarray, function: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    from ossia_lite.kernels import tables16

    source, result = call.inputs[0], call.outputs[0]
    assert source is not None
    if call.name in ("TANH", "LOGISTIC"):
        return (tables16.tanh16 if call.name == "TANH" else tables16.sigmoid16)(x, source)
    ends = (source.scale, source.zero_point), (result.scale, result.zero_point)
    return tables16.look_up(x, call.keep_always("table", lambda: tables16.table(function, *ends)))


maximum, minimum = _same_scale(np.maximum), _same_scale(np.minimum)
pow, floor_div, floor_mod = _plain(np.power), _plain(np.floor_divide), _plain(np.mod)
atan2, neg, square, sign = _plain(np.arctan2), _plain(np.negative), _plain(np.square), _plain(np.sign)
add_n = _plain(lambda *parts: sum(parts[1:], parts[0]))
sin, cos = _plain(np.sin), _plain(np.cos)
floor, ceil, round = _plain(np.floor), _plain(np.ceil), _plain(np.rint)
exp, log = _looked_up(np.exp), _looked_up(np.log)
sqrt, rsqrt = _looked_up(np.sqrt), _looked_up(lambda x: 1 / np.sqrt(x))


def cumsum(call: Call, x: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """Sums of the elements up to each one."""
    place = int(axis)
    values = np.flip(x, place) if call.option("reverse") else x
    total = np.cumsum(values, place, dtype=x.dtype)
    if call.option("exclusive"):
        total = total - values
    return np.flip(total, place) if call.option("reverse") else total

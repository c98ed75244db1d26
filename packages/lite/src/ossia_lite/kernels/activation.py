"""Activations and normalizations."""

from __future__ import annotations

import math

import numpy as np

from ossia_lite.fixed_point import limits, quantize_factor, round_half_away, scale, to_output
from ossia_lite.kernels import Call
from ossia_lite.kernels.arithmetic import table_of
from ossia_lite.kernels.tables8 import looked_up
from ossia_lite.newton import inverse_root
from ossia_lite.tensors import TensorInfo


def _clamp(call: Call, x: np.ndarray, activation: int, low: float | None, high: float | None) -> np.ndarray:
    source, result = call.inputs[0], call.outputs[0]
    if source is None or not source.quantized:
        return np.clip(x, None if low is None else np.float32(low), None if high is None else np.float32(high))
    return looked_up(call, x, lambda v: to_output(_rescaled(v, source, result), result, activation))


def _rescaled(x: np.ndarray, source: TensorInfo, result: TensorInfo) -> np.ndarray:
    if result.scale <= 0:
        raise ValueError(f"The tensor {result.name!r} has no scale.")
    return scale(x.astype(np.int64) - source.zero_point, *quantize_factor(source.scale / result.scale))


def relu(call: Call, x: np.ndarray) -> np.ndarray:
    """`max(x, 0)`."""
    return _clamp(call, x, 1, 0, None)


def relu6(call: Call, x: np.ndarray) -> np.ndarray:
    """`min(max(x, 0), 6)`."""
    return _clamp(call, x, 3, 0, 6)


def relu_n1_to_1(call: Call, x: np.ndarray) -> np.ndarray:
    """`min(max(x, -1), 1)`."""
    return _clamp(call, x, 2, -1, 1)


def relu_0_to_1(call: Call, x: np.ndarray) -> np.ndarray:
    """`min(max(x, 0), 1)`."""
    source, result = call.inputs[0], call.outputs[0]
    if source is None or not source.quantized:
        return np.clip(x, np.float32(0), np.float32(1))
    one = int(round_half_away(1 / result.scale))
    return to_output(np.clip(_rescaled(x, source, result), 0, one), result)


def tanh(call: Call, x: np.ndarray) -> np.ndarray:
    """The hyperbolic tangent."""
    return table_of(call, x, np.tanh)


def logistic(call: Call, x: np.ndarray) -> np.ndarray:
    """`1 / (1 + exp(-x))`."""
    return table_of(call, x, sigmoid)


def sigmoid(x: np.ndarray) -> np.ndarray:
    """`1 / (1 + exp(-x))` of float32 numbers, without overflow."""
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + small), small / (1 + small)).astype(x.dtype)


def elu(call: Call, x: np.ndarray) -> np.ndarray:
    """`x`, or `exp(x) - 1` where it is negative."""
    return table_of(call, x, lambda values: np.where(values < 0, np.expm1(np.minimum(values, 0)), values))


def gelu(call: Call, x: np.ndarray) -> np.ndarray:
    """`x` times the normal distribution function of `x`, or its approximation by a hyperbolic tangent."""
    if call.option("approximate"):
        return table_of(
            call,
            x,
            lambda v: np.float32(0.5) * v * (1 + np.tanh(np.float32(math.sqrt(2 / math.pi)) * (v + 0.044715 * v**3))),
        )
    error_function = np.frompyfunc(math.erf, 1, 1)
    return table_of(
        call, x, lambda v: np.float32(0.5) * v * (1 + np.asarray(error_function(v / math.sqrt(2)), np.float32))
    )


def leaky_relu(call: Call, x: np.ndarray) -> np.ndarray:
    """`x`, times `alpha` where it is negative."""
    source, result, alpha = call.inputs[0], call.outputs[0], call.option("alpha")
    if source is None or not source.quantized:
        return np.where(x < 0, x * np.float32(alpha), x)
    above = quantize_factor(source.scale / result.scale)
    below = quantize_factor(float(np.float32(source.scale) * np.float32(alpha) / np.float32(result.scale)))

    def leaking(v: np.ndarray) -> np.ndarray:
        values = v.astype(np.int64) - source.zero_point
        return to_output(np.where(values >= 0, scale(values, *above), scale(values, *below)), result)

    return looked_up(call, x, leaking)


def prelu(call: Call, x: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """`x`, times `alpha` where it is negative."""
    source, slope, result = call.inputs[0], call.inputs[1], call.outputs[0]
    if source is None or slope is None or not source.quantized:
        return np.where(x >= 0, x, x * alpha)
    values, factors = x.astype(np.int64) - source.zero_point, alpha.astype(np.int64) - slope.zero_point
    above = scale(values, *quantize_factor(source.scale / result.scale))
    below = scale(values * factors, *quantize_factor(source.scale * slope.scale / result.scale))
    return to_output(np.where(values >= 0, above, below), result)


def hard_swish(call: Call, x: np.ndarray) -> np.ndarray:
    """`x * min(max(x + 3, 0), 6) / 6`."""
    source, result = call.inputs[0], call.outputs[0]
    if source is None or not source.quantized:
        return x * np.clip(x + np.float32(3), np.float32(0), np.float32(6)) * np.float32(1 / 6)
    return looked_up(call, x, lambda v: _hard_swish_of_integers(v, source, result))


def _hard_swish_of_integers(x: np.ndarray, source: TensorInfo, result: TensorInfo) -> np.ndarray:
    # 16-bit arithmetic: the input times 128, its factor to the result, and its place between -3 and 3 as a 15-bit
    # fraction.
    fine = (x.astype(np.int64) - source.zero_point) << 7
    fine_scale = np.float32(1 / 128) * np.float32(source.scale)
    out_factor, out_shift = _factor16(float(fine_scale / np.float32(result.scale)))
    place_factor, place_shift = _factor16(float(fine_scale / np.float32(3.0 / 32768.0)))
    preshifted = _high_product16(fine, out_factor)
    place = fine
    if place_shift > 0:
        place = _saturated16(place << (place_shift - 1))
    place = _high_product16(place, place_factor)
    if place_shift > 0:
        place = _saturated16(place << 1)
    elif place_shift < 0:
        place = _rounded_shift16(place, -place_shift)
    place = (place + (1 << 15)) >> 1
    product = np.sign(place * preshifted) * (np.abs(place * preshifted) >> 15)
    return to_output(_rounded_shift16(product, -out_shift), result)


def _factor16(factor: float) -> tuple[int, int]:
    fraction, shift = (int(part) for part in quantize_factor(factor))
    return min((fraction + (1 << 15)) >> 16, 32767), shift


def _saturated16(x: np.ndarray) -> np.ndarray:
    return np.clip(x, -32768, 32767)


def _high_product16(x: np.ndarray, y: int) -> np.ndarray:
    product = x * y
    product = product + np.where(product >= 0, 1 << 14, 1 - (1 << 14))
    return np.where(product >= 0, product >> 15, -(-product >> 15))


def _rounded_shift16(x: np.ndarray, exponent: int) -> np.ndarray:
    if exponent <= 0:
        return x << -exponent
    mask = (1 << exponent) - 1
    return (x >> exponent) + ((x & mask) > (mask >> 1) + (x < 0))


def softmax(call: Call, x: np.ndarray) -> np.ndarray:
    """`exp(beta * x)` over its sum, along the last dimension."""
    source, result, beta = call.inputs[0], call.outputs[0], np.float32(call.option("beta"))
    if source is None or not source.quantized:
        power = np.exp((x - x.max(-1, keepdims=True)) * beta)
        return power / power.sum(-1, keepdims=True)
    if np.dtype(source.dtype).itemsize != 1:
        from ossia_lite.kernels.tables16 import softmax16

        return softmax16(x, float(source.scale) * float(beta), call.keep_always).astype(result.dtype)
    below = x.max(-1, keepdims=True).astype(np.int64) - x
    table = np.exp(-np.float32(source.scale) * beta * np.arange(256, dtype=np.float32))
    power = table[below]
    probability = power * (1 / (power.sum(-1, keepdims=True) * np.float32(result.scale)))
    return np.clip(round_half_away(probability) + result.zero_point, *limits(result.dtype)).astype(result.dtype)


def log_softmax(call: Call, x: np.ndarray) -> np.ndarray:
    """The logarithm of the softmax along the last dimension."""
    source = call.inputs[0]
    if source is not None and source.quantized:
        return _requantized(call, log_softmax_of(_real(x, source)))
    return log_softmax_of(x)


def log_softmax_of(x: np.ndarray) -> np.ndarray:
    """The logarithm of the softmax along the last dimension of real numbers.

    Args:
        x: The numbers.
    """
    shifted = x - x.max(-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))


def l2_normalization(call: Call, x: np.ndarray) -> np.ndarray:
    """`x` over its Euclidean norm along the last dimension."""
    source = call.inputs[0]
    if source is None or not source.quantized:
        return x / np.maximum(np.sqrt((x * x).sum(-1, keepdims=True)), np.float32(1e-6))
    values = x.astype(np.int64) - source.zero_point
    fraction, shift = inverse_root((values * values).sum(-1, keepdims=True))
    if source.type == "INT8":
        return to_output(scale(values, fraction, shift + 7), call.outputs[0])
    return to_output(scale(values << 7, fraction, shift), call.outputs[0])


def _real(x: np.ndarray, source: TensorInfo) -> np.ndarray:
    return (x.astype(np.float32) - np.float32(source.zero_point)) * np.float32(source.scale)


def _requantized(call: Call, values: np.ndarray) -> np.ndarray:
    result = call.outputs[0]
    return to_output(round_half_away(values / np.float32(result.scale)).astype(np.int64), result)


def local_response_normalization(call: Call, x: np.ndarray) -> np.ndarray:
    """`x / (bias + alpha * s) ** beta`, where `s` is the sum of squares of the channels within `radius`."""
    options, square = call.options, np.pad(x * x, ((0, 0),) * (x.ndim - 1) + ((call.option("radius"),) * 2,))
    total = sum((square[..., start : start + x.shape[-1]] for start in range(2 * options.radius + 1)), np.zeros_like(x))
    return x * np.power(np.float32(options.bias) + np.float32(options.alpha) * total, np.float32(-options.beta))

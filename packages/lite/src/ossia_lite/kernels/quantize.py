"""Between real and quantized numbers, and between types."""

from __future__ import annotations

import numpy as np

from ossia_lite.fixed_point import limits, quantize_factor, round_half_away, scale, to_output
from ossia_lite.kernels import Call
from ossia_lite.kernels.tables8 import looked_up
from ossia_lite.tensors import TensorInfo


def _per_index(values: np.ndarray, tensor: TensorInfo, ndim: int) -> np.ndarray:
    """Scales or zero points, to be broadcast against the tensor."""
    if values.size <= 1:
        return values.reshape(())
    shape = [1] * ndim
    shape[tensor.axis] = -1
    return values.reshape(shape)


def quantize(call: Call, x: np.ndarray) -> np.ndarray:
    """Real numbers as quantized ones, or quantized ones with another scale."""
    source, result = call.inputs[0], call.outputs[0]
    if not result.scales.size:
        raise ValueError(f"QUANTIZE: the result {result.name!r} has no scale.")
    if source is not None and source.quantized:
        zero, factor = source.zero_point, quantize_factor(source.scale / result.scale)
        return looked_up(call, x, lambda v: to_output(scale(v.astype(np.int64) - zero, *factor), result))
    values = round_half_away(x / _per_index(result.scales, result, x.ndim)) + _per_index(
        result.zero_points, result, x.ndim
    )
    return np.clip(np.nan_to_num(values), *limits(result.dtype)).astype(result.dtype)


def dequantize(call: Call, x: np.ndarray) -> np.ndarray:
    """Quantized numbers as real ones."""
    if x.dtype == np.float16:
        return x.astype(np.float32)
    source = call.inputs[0]
    if source is None or not source.scales.size:
        raise ValueError("DEQUANTIZE: the input has no scale.")
    if source.scales.size == 1:
        first, step = source.zero_point, np.float64(source.scale)
        return looked_up(call, x, lambda v: ((v.astype(np.int64) - first) * step).astype(np.float32))
    zero = _per_index(source.zero_points, source, x.ndim)
    return ((x.astype(np.int64) - zero) * _per_index(source.scales, source, x.ndim).astype(np.float64)).astype(
        np.float32
    )


def cast(call: Call, x: np.ndarray) -> np.ndarray:
    """The same numbers in another type."""
    with np.errstate(invalid="ignore"):
        return x.astype(call.outputs[0].dtype)


def fake_quant(call: Call, x: np.ndarray) -> np.ndarray:
    """Real numbers rounded to those that a quantized tensor of the given range can hold."""
    options = call.options
    least, greatest = int(options.narrow_range), (1 << options.num_bits) - 1
    step = np.float32((options.max - options.min) / (greatest - least))
    zero = np.clip(round_half_away(least - options.min / step), least, greatest)
    low, high = np.float32((least - zero) * step), np.float32((greatest - zero) * step)
    return (np.floor((np.clip(x, low, high) - low) / step + np.float32(0.5)) * step + low).astype(np.float32)

"""Quantized values of 32 bits brought to 8 bits, with a range of its own for each channel.

The original has kernels for these ops in builds with MKL only.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_quantization.quantize import STORAGE, bound_of, integers

_TYPES = "{qint8, quint8, qint32, qint16, quint16}"
_UNIT = np.float32(2.0**31)  # the range stands for this many steps


def _checked(input: np.ndarray, low: np.ndarray, high: np.ndarray) -> None:
    depth = input.shape[-1] if input.ndim else None
    for name, bounds in (("input_min", low), ("input_max", high)):
        if bounds.ndim != 1 or len(bounds) != depth:
            raise InvalidArgumentError(
                None, None, f"{name} must be a vector with one element for each of the {depth} channels, got shape "
                f"{dims_text(bounds.shape)}")


def _channel_shape(input: Any, *bounds: Any) -> None:
    for part in bounds:
        if part.shape.ndims not in (None, 1):
            raise ValueError(f"Shape must be rank 1 but is rank {part.shape.ndims}")


requantization_range_per_channel_op = op(
    "RequantizationRangePerChannel(input: T, input_min: float, input_max: float) -> output_min: float, "
    "output_max: float", T=f"{_TYPES} = DT_QINT32", clip_value_max="float",
)


@requantization_range_per_channel_op.shape
def _(input, input_min, input_max):
    _channel_shape(input, input_min, input_max)
    return TensorShape([]), TensorShape([])


@requantization_range_per_channel_op.kernel
def _(input, input_min, input_max, *, clip_value_max):
    _checked(input, input_min, input_max)
    if not input.size:
        raise InvalidArgumentError(None, None, "input must not be empty")
    values = integers(input).reshape(-1, input.shape[-1])
    steps = np.maximum(np.abs(input_min), np.abs(input_max)) / _UNIT
    low = np.float32(np.min(values.min(axis=0) * steps))
    high = np.float32(np.max(values.max(axis=0) * steps))
    if low >= 0:
        # After relu6 the range ends at 6 at the latest.
        return np.float32(0), np.float32(min(high, clip_value_max))
    most = max(abs(low), abs(high))
    return np.float32(-most), np.float32(most)


requantize_per_channel_op = op(
    "RequantizePerChannel(input: T, input_min: float, input_max: float, requested_output_min: float, "
    "requested_output_max: float) -> output: out_type, output_min: float, output_max: float",
    T=f"{_TYPES} = DT_QINT32", out_type=f"{_TYPES} = DT_QUINT8",
)


@requantize_per_channel_op.shape
def _(input, input_min, input_max, requested_output_min, requested_output_max):
    _channel_shape(input, input_min, input_max)
    for part in (requested_output_min, requested_output_max):
        if part.shape.ndims not in (None, 0):
            raise ValueError(f"Shape must be rank 0 but is rank {part.shape.ndims}")
    return input.shape, TensorShape([]), TensorShape([])


@requantize_per_channel_op.kernel
def _(input, input_min, input_max, requested_output_min, requested_output_max, *, out_type):
    _checked(input, input_min, input_max)
    target = np.iinfo(STORAGE[out_type])
    requested = max(abs(bound_of(requested_output_min)), abs(bound_of(requested_output_max)))
    if not requested or not np.isfinite(requested):
        raise InvalidArgumentError(None, None, "requested_output_min and requested_output_max must span a finite range")
    steps = np.maximum(np.abs(input_min), np.abs(input_max)) / requested * (target.max / float(_UNIT))
    made = np.clip(np.rint(integers(input) * steps), target.min, target.max)
    output = made.astype(target.dtype).view(out_type.as_numpy_dtype)
    return output, np.float32(bound_of(requested_output_min)), np.float32(bound_of(requested_output_max))

"""Convolutions: patches as rows of a matrix times the filters; depthwise ones as a sum over the filter's places.

Integers are multiplied as single precision numbers where these hold every sum exactly, else as double precision ones,
since there are fast matrix products for these.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ossia_lite import native
from ossia_lite.fixed_point import activation_limits, limits, quantize_factor, scale, to_output, wide_scale
from ossia_lite.kernels import ACTIVATION_BOUNDS, Call, activate
from ossia_lite.kernels.hybrid import quantize_rows
from ossia_lite.operators import SAME

_MAX_WINDOW, _MAX_REACH = 1 << 14, 1 << 24
_MIN_RESULTS = 1 << 9  # fewer are finished sooner by NumPy
_MAX_PRODUCTS = 1 << 13  # of a 9-bit by a 9-bit number, whose sum compiled kernels take


def padding(size: int, window: int, stride: int, dilation: int, mode: int) -> tuple[int, int, int]:
    """The number of results along a dimension, and the zeros before and after it.

    Args:
        size: The size of the input.
        window: The size of the filter.
        stride: The distance between results.
        dilation: The distance between elements of the filter.
        mode: SAME or VALID.

    Raises:
        ValueError: The filter does not fit, or a stride or dilation is not positive.
    """
    if min(stride, dilation, window) < 1:
        raise ValueError(f"Stride {stride}, dilation {dilation} and window {window} must be positive.")
    reach = (window - 1) * dilation + 1
    if window > _MAX_WINDOW or reach > _MAX_REACH:
        raise ValueError(f"A window of {window} elements over {reach} is too large.")
    count = -(-size // stride) if mode == SAME else (size - reach) // stride + 1
    if count < 0 or (mode != SAME and size < reach):
        raise ValueError(f"A window of {reach} does not fit into {size}.")
    total = max((count - 1) * stride + reach - size, 0)
    return count, total // 2, total - total // 2


def patches(x: np.ndarray, window: tuple[int, int], call: Call, fill: float = 0) -> np.ndarray:
    """The parts of `x` under each place of a window, `[batch, rows, columns, window height, window width, channels]`.

    Args:
        x: `[batch, height, width, channels]`, already around zero.
        window: Its height and width.
        call: The operator, for stride, dilation and padding.
        fill: What stands around the image.
    """
    options = call.options
    steps = (options.stride_h, options.stride_w)
    spread = (getattr(options, "dilation_h_factor", 1), getattr(options, "dilation_w_factor", 1))
    rows, top, bottom = padding(x.shape[1], window[0], steps[0], spread[0], options.padding)
    columns, left, right = padding(x.shape[2], window[1], steps[1], spread[1], options.padding)
    if top or bottom or left or right:
        x = np.pad(x, ((0, 0), (top, bottom), (left, right), (0, 0)), constant_values=fill)
    batch, row, column, channel = x.strides
    return np.lib.stride_tricks.as_strided(
        x,
        (x.shape[0], rows, columns, *window, x.shape[3]),
        (batch, row * steps[0], column * steps[1], row * spread[0], column * spread[1], channel),
        writeable=False,
    )


def conv_2d(call: Call, x: np.ndarray, filters: np.ndarray, bias: np.ndarray | None = None) -> np.ndarray:
    """`[batch, height, width, channels]` with filters `[results, height, width, channels]`."""
    _check(x, filters, filters.shape[3], filters.shape[0])
    info = call.inputs[1]
    if x.dtype == np.float32 and filters.dtype == np.int8:
        quantized, scales, zeros = quantize_rows(x, info.scales.size > 1)
        weights = call.keep("hybrid", 1, lambda: filters.astype(np.float64))
        total = _product(call, quantized - zeros, weights) * scales
        total *= np.float32(info.scales) if info.scales.size > 1 else np.float32(info.scale)
        return activate(_biased(total.astype(np.float32), bias), call.options.fused_activation_function)
    if x.dtype == np.float32:
        return finish(_product(call, x, filters), bias, call.options.fused_activation_function)
    weights, sums, offset = call.keep("weights", 1, lambda: shifted_weights(call, filters, (1, 2, 3)))
    return requantize(call, _product(call, shifted(x, weights.dtype), weights, offset), bias, extra=sums)


def _product(call: Call, x: np.ndarray, filters: np.ndarray, fill: float = 0) -> np.ndarray:
    results, height, width, channels = filters.shape
    found = patches(x, (height, width), call, fill)
    groups = x.shape[3] // channels
    if groups == 1:
        matrix = native.product(
            call, found.reshape(-1, height * width * channels), filters.reshape(results, height * width * channels)
        )
        return matrix.reshape(*found.shape[:3], results)
    each = results // groups
    parts = [
        found[..., g * channels : (g + 1) * channels].reshape(-1, height * width * channels)
        @ filters[g * each : (g + 1) * each].reshape(each, -1).T
        for g in range(groups)
    ]
    return np.concatenate(parts, axis=1).reshape(*found.shape[:3], results)


def depthwise_conv_2d(call: Call, x: np.ndarray, filters: np.ndarray, bias: np.ndarray | None = None) -> np.ndarray:
    """`[batch, height, width, channels]` with filters `[1, height, width, channels * multiplier]`."""
    if x.ndim != 4 or filters.ndim != 4 or filters.shape[3] % max(x.shape[3], 1) or not x.shape[3]:
        raise ValueError(f"{call.name}: shapes {x.shape} and {filters.shape} do not fit.")
    if x.shape[3] == filters.shape[3] and (found := _native_depthwise(call, x, filters, bias)) is not None:
        return found
    if x.dtype == np.float32 and filters.dtype == np.float32:
        return finish(_depthwise(call, x, filters), bias, call.options.fused_activation_function)
    if x.dtype == np.float32:
        info = call.inputs[1]
        quantized, scales, zeros = quantize_rows(x, info.scales.size > 1)
        total = _depthwise(call, quantized - zeros, filters.astype(np.float64)) * scales
        total *= np.float32(info.scales) if info.scales.size > 1 else np.float32(info.scale)
        return activate(_biased(total.astype(np.float32), bias), call.options.fused_activation_function)
    dtype = exact_type(call, 0, filters.shape[1] * filters.shape[2])
    weights = call.keep("weights", 1, lambda: centred(call, 1, filters, dtype))
    return requantize(call, _depthwise(call, centred(call, 0, x, dtype), weights), bias)


def _native_depthwise(call: Call, x: np.ndarray, filters: np.ndarray, bias: np.ndarray | None) -> np.ndarray | None:
    """The same by a compiled kernel; None if there is none for it."""
    compiled, options = native.kernels(), call.options
    if compiled is None or len(filters) != 1:
        return None
    height, width, channels = filters.shape[1:]
    spread = (options.dilation_h_factor, options.dilation_w_factor)
    rows, top, _ = padding(x.shape[1], height, options.stride_h, spread[0], options.padding)
    columns, left, _ = padding(x.shape[2], width, options.stride_w, spread[1], options.padding)
    sizes = [height, width, options.stride_h, options.stride_w, *spread, rows, columns, top, left]
    if x.dtype == np.float32:
        bounds = ACTIVATION_BOUNDS.get(options.fused_activation_function)
        if bounds is None or filters.dtype != np.float32:
            return None
        added = np.zeros(channels, np.float32) if bias is None else bias.reshape(-1)
        return compiled.depthwise_floats(x, filters[0], added, sizes, bounds)
    if np.dtype(filters.dtype).itemsize != 1 or (scaling := _scaling(call, channels, bias, None, 0)) is None:
        return None
    low, high = limits(filters.dtype)
    if not low <= call.inputs[1].zero_point <= high:
        return None
    weights = call.keep("narrow", 1, lambda: centred(call, 1, filters[0], np.float32))
    return compiled.depthwise_integers(x, call.inputs[0].zero_point, weights, sizes, scaling)


def _depthwise(call: Call, x: np.ndarray, filters: np.ndarray) -> np.ndarray:
    multiplier = filters.shape[3] // x.shape[3]
    if multiplier > 1:
        x = np.repeat(x, multiplier, axis=3)
    found = patches(x, filters.shape[1:3], call)
    total = np.zeros((*found.shape[:3], filters.shape[3]), x.dtype)
    for row in range(filters.shape[1]):
        for column in range(filters.shape[2]):
            total += found[:, :, :, row, column] * filters[0, row, column]
    return total


def transpose_conv(
    call: Call, shape: np.ndarray, filters: np.ndarray, x: np.ndarray, bias: np.ndarray | None = None
) -> np.ndarray:
    """The transpose of a convolution: filters `[results, height, width, channels]`, a result of the given shape."""
    options = call.options
    wanted = tuple(int(size) for size in shape)
    if (
        len(wanted) != 4
        or x.ndim != 4
        or filters.ndim != 4
        or filters.shape[3] != x.shape[3]
        or wanted[3] != filters.shape[0]
    ):
        raise ValueError(f"{call.name}: shapes {wanted}, {filters.shape} and {x.shape} do not fit.")
    rows, top, bottom = padding(wanted[1], filters.shape[1], options.stride_h, 1, options.padding)
    columns, left, right = padding(wanted[2], filters.shape[2], options.stride_w, 1, options.padding)
    if (rows, columns) != x.shape[1:3] or wanted[0] != x.shape[0]:
        raise ValueError(f"{call.name}: an input of shape {x.shape} cannot give {wanted}.")
    integers = x.dtype != np.float32
    values = centred(call, 2, x) if integers else x
    weights = call.keep("weights", 1, lambda: centred(call, 1, filters) if integers else filters)
    height, width = filters.shape[1:3]
    full = np.zeros((wanted[0], wanted[1] + top + bottom, wanted[2] + left + right, wanted[3]), values.dtype)
    for row in range(height):
        for column in range(width):
            part = values @ weights[:, row, column].T
            full[
                :,
                row : row + options.stride_h * rows : options.stride_h,
                column : column + options.stride_w * columns : options.stride_w,
            ] += part
    total = full[:, top : top + wanted[1], left : left + wanted[2]]
    if integers:
        return requantize(call, total, bias, source=2)
    return activate(_biased(total, bias), options.fused_activation_function)


def exact_type(call: Call, source: int, count: int) -> Any:
    """The type of real numbers that holds sums of products of quantized numbers exactly.

    Args:
        call: The operator; its input 1 holds the weights.
        source: The input that is multiplied with the weights.
        count: How many products there are in a sum.
    """
    reach = 1
    for info in (call.inputs[source], call.inputs[1]):
        low, high = limits(info.dtype)
        zero = info.zero_point
        reach *= max(abs(low - zero), abs(high - zero))
    return np.float32 if count * reach <= 1 << 24 else np.float64


def centred(call: Call, index: int, values: np.ndarray, dtype: Any = np.float64) -> np.ndarray:
    """The elements of a quantized input less its zero point, as real numbers.

    Args:
        call: The operator.
        index: Which input.
        values: Its elements.
        dtype: The type of real numbers.
    """
    return values.astype(dtype) - dtype(call.inputs[index].zero_point)


def shifted_weights(call: Call, weights: np.ndarray, axes: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray, float]:
    """Weights for products with inputs that lie as near to zero as their type allows, whatever their zero point.

    Args:
        call: The operator; its input 0 is multiplied with the weights, its input 1.
        weights: Their elements.
        axes: The dimensions that the products are summed over.

    Returns:
        The weights as real numbers of a type that holds every sum exactly; for each result what the zero point adds;
        and the input's zero point as `shifted` has it.
    """
    info = call.inputs[0]
    low, high = limits(info.dtype)
    middle = (low + high + 1) // 2
    offset = info.zero_point - middle
    integers = weights.astype(np.int64) - call.inputs[1].zero_point
    largest = max(high - middle + 1, abs(offset)) * int(np.abs(integers).sum(axes).max(initial=0))
    dtype = np.float32 if largest <= 1 << 24 else np.float64
    return integers.astype(dtype), -offset * integers.sum(axes), float(offset)


def shifted(x: np.ndarray, dtype: Any) -> np.ndarray:
    """Integers as real numbers, those of unsigned types moved to both sides of zero.

    Args:
        x: The integers.
        dtype: The type of real numbers.
    """
    found = x.astype(dtype)
    if x.dtype == np.uint8:
        found -= dtype.type(128)
    return found


def requantize(
    call: Call, total: np.ndarray, bias: np.ndarray | None, source: int = 0, extra: np.ndarray | None = None
) -> np.ndarray:
    """Sums of products of integers as elements of the operator's result, with its bias and fused activation.

    Args:
        call: The operator; its input 1 holds the weights.
        total: The sums; the last dimension is that of the weights' scales.
        bias: Integers to add first, or None.
        source: The input that is multiplied with the weights.
        extra: More integers to add, those of `shifted_weights`, or None.
    """
    result, compiled = call.outputs[0], native.kernels()
    if compiled is not None and (scaling := _scaling(call, total.shape[-1], bias, extra, source)) is not None:
        found = compiled.requantize(total, scaling)
        if found is not None:
            return found
    fraction, shift = call.keep("factor", 1, lambda: quantize_factor(_factor(call, source)))
    integers = total.astype(np.int64)
    for added in (bias, extra):
        if added is not None:
            integers += added
    if result.type == "INT16" and (bias is None or bias.dtype == np.int64):
        return to_output(wide_scale(integers, fraction, shift), result, call.option("fused_activation_function"))
    return to_output(scale(integers, fraction, shift), result, call.option("fused_activation_function"))


def _scaling(call: Call, channels: int, bias: np.ndarray | None, extra: np.ndarray | None, source: int) -> Any:
    """What compiled kernels scale sums with; None if they cannot."""
    result, compiled = call.outputs[0], native.kernels()
    if compiled is None or result.type not in ("INT8", "UINT8") or source:
        return None
    if (bias is not None and not call.constant[2]) or math.prod(call.inputs[1].shape) >= channels * _MAX_PRODUCTS:
        return None
    factors = call.inputs[1].scales.size
    if not channels or factors not in (0, 1, channels) or (bias is not None and bias.size != channels):
        return None

    def make() -> Any:
        added = np.zeros(channels, np.int64) if bias is None else bias.reshape(-1).astype(np.int64)
        factor = (np.broadcast_to(each, channels) for each in quantize_factor(_factor(call, source)))
        low, high = activation_limits(result, call.option("fused_activation_function"))
        return compiled.Scaling(
            added if extra is None else added + extra, *factor, result.zero_point, low, high, result.dtype
        )

    return call.keep("scaling", 1, make)


def _factor(call: Call, source: int) -> Any:
    data, weights, result = call.inputs[source], call.inputs[1], call.outputs[0]
    if result.scale <= 0:
        raise ValueError(f"{call.name}: the result {result.name!r} has no scale.")
    scales = weights.scales.astype(np.float64) if weights.scales.size > 1 else np.float64(weights.scale)
    return np.float64(data.scale) * scales / np.float64(result.scale)


def finish(total: np.ndarray, bias: np.ndarray | None, activation: int) -> np.ndarray:
    """Real results with their bias and fused activation.

    Args:
        total: The results; they may be changed.
        bias: Numbers to add, or None.
        activation: The number of the activation.
    """
    compiled, bounds = native.kernels() if total.size >= _MIN_RESULTS else None, ACTIVATION_BOUNDS.get(activation)
    if compiled is not None and bias is not None and bounds is not None:
        found = compiled.bias_and_clamp(total, bias, bounds)
        if found is not None:
            return found
    return activate(_biased(total, bias), activation)


def _biased(total: np.ndarray, bias: np.ndarray | None) -> np.ndarray:
    return total if bias is None else np.add(total, bias, out=total)


def _check(x: np.ndarray, filters: np.ndarray, channels: int, results: int) -> None:
    if (
        x.ndim != 4
        or filters.ndim != 4
        or not channels
        or x.shape[3] % channels
        or results % max(x.shape[3] // channels, 1)
    ):
        raise ValueError(f"CONV_2D: shapes {x.shape} and {filters.shape} do not fit.")

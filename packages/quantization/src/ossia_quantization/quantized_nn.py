"""Quantized layers: convolutions, biases, rectifiers, pools and normalization of integers that stand for floats."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import merge_dim, unchanged, with_rank, with_rank_at_least
from ossia_core.names import dtypes
from ossia_core.names.dtypes import DType
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.element_types import QUANTIZED
from ossia_ops.nn.conv import convolved_shape
from ossia_ops.nn.conv_kernels import Convolution
from ossia_ops.nn.pool import check_rank, pooled_shape
from ossia_ops.nn.pool_kernels import Pooling
from ossia_quantization.quantize import STORAGE, bound_of, integers
from ossia_quantization.quantized_math import (
    check_range,
    product_range,
    ranged_shape,
    to_floats,
    to_integers,
    zero_level,
)

_PADDING = "{'SAME', 'VALID'}"
_TO_EIGHT_BITS = "{qint8, quint8, qint32, qint16, quint16} = DT_QUINT8"
_TO_SUMS = "{qint8, quint8, qint32, qint16, quint16} = DT_QINT32"
_Q = dtypes.quint8.as_numpy_dtype
_X = (np.arange(2 * 4 * 5 * 2) * 37 % 256).astype(np.uint8).reshape(2, 4, 5, 2).view(_Q)
_FILTER = (np.arange(2 * 2 * 2 * 3) * 53 % 256).astype(np.uint8).reshape(2, 2, 2, 3).view(_Q)
_PAIR = np.array([40, 200], np.uint8).view(_Q)
_WINDOW: dict[str, Any] = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "SAME"}


def _clipped(values: Any, kind: DType) -> Any:
    info = np.iinfo(STORAGE[kind])
    return np.clip(values, info.min, info.max).astype(info.dtype)


def _as_floats(x: Any, kind: DType, low: Any, high: Any) -> Any:
    return to_floats(integers(x), kind, bound_of(low), bound_of(high)).astype(np.float32)


def _as_integers(x: Any, kind: DType, low: float, high: float) -> Any:
    info = np.iinfo(STORAGE[kind])
    return np.clip(to_integers(x, kind, low, high), info.min, info.max).astype(np.int64)


quantized_conv2d_op = op(
    "QuantizedConv2D(input: Tinput, filter: Tfilter, min_input: float, max_input: float, min_filter: float, "
    "max_filter: float) -> output: out_type, min_output: float, max_output: float",
    Tinput=QUANTIZED,
    Tfilter=QUANTIZED,
    out_type=_TO_SUMS,
    strides="list(int32)",
    padding=_PADDING,
    dilations="list(int32) = [1, 1, 1, 1]",
)


@quantized_conv2d_op.shape
def _(input, filter, min_input, max_input, min_filter, max_filter, *, strides, padding, dilations):
    convolution = Convolution(2, strides, dilations, padding, [], True)
    return ranged_shape(
        convolved_shape(input, filter, convolution), min_input, max_input, min_filter, max_filter
    )


@quantized_conv2d_op.kernel
def _(input, filter, min_input, max_input, min_filter, max_filter, *, Tinput, Tfilter, out_type, strides, padding,
      dilations):
    check_rank(input, 4, "input")
    check_rank(filter, 4, "filter")
    if list(dilations) != [1, 1, 1, 1]:
        raise InvalidArgumentError(
            None, None, "Current implementation only supports dilated rate as 1 in the row and column dimensions."
        )
    ranges = [bound_of(bound) for bound in (min_input, max_input, min_filter, max_filter)]
    zero = zero_level(Tinput, *ranges[:2])
    x = integers(input).astype(np.float64) - zero
    weights = integers(filter).astype(np.float64) - zero_level(Tfilter, *ranges[2:])
    convolution = Convolution(2, strides, dilations, padding, [], True)
    sums = convolution.forward(x, weights)
    around = int(np.array(zero).astype(STORAGE[Tinput]))
    if around != zero:
        # Beside a range without 0, the original pads with the low bits of the integer that would stand for it.
        sums += (around - zero) * (weights.sum((0, 1, 2)) - convolution.forward(np.ones_like(x), weights))
    # Sums that do not fit wrap around, as 32-bit arithmetic has it.
    result = sums.astype(np.int64).astype(STORAGE[out_type])
    return result, *product_range((Tinput, *ranges[:2]), (Tfilter, *ranges[2:]), out_type)


quantized_conv2d_op.samples(
    same=sample(_X, _FILTER, -1.0, 2.0, -3.0, 1.0, strides=[1, 1, 1, 1], padding="SAME"),
    valid=sample(_X, _FILTER, 0.0, 2.0, 0.0, 1.0, strides=[1, 2, 2, 1], padding="VALID"),
)


@public("nn.quantized_conv2d")
def quantized_conv2d(
    input: Any,
    filter: Any,
    min_input: Any,
    max_input: Any,
    min_filter: Any,
    max_filter: Any,
    strides: Any,
    padding: str,
    out_type: Any = dtypes.qint32,
    dilations: Any = [1, 1, 1, 1],  # noqa: B006 -- the original's signature
    name: str | None = None,
) -> Any:
    """A convolution of quantized tensors.

    Args:
      input: quint8 [batch, height, width, in_channels].
      filter: quint8 [filter_height, filter_width, in_channels, out_channels].
      min_input, max_input: the floats that the least and the greatest integer of `input` stand for.
      min_filter, max_filter: the same for `filter`.
      strides: steps, four integers of which the first and the last are 1.
      padding: "SAME" or "VALID".
      out_type: dtype of the result, qint32.
      dilations: four ones.
      name: name of the results.

    Returns:
      (output, min_output, max_output): the result, and the range that it stands for.
    """
    return quantized_conv2d_op(
        input,
        filter,
        min_input,
        max_input,
        min_filter,
        max_filter,
        strides=strides,
        padding=padding,
        out_type=out_type,
        dilations=dilations,
        name=name,
    )


quantized_bias_add_op = op(
    "QuantizedBiasAdd(input: T1, bias: T2, min_input: float, max_input: float, min_bias: float, max_bias: float) -> "
    "output: out_type, min_out: float, max_out: float",
    T1=QUANTIZED,
    T2=QUANTIZED,
    out_type=QUANTIZED,
)


@quantized_bias_add_op.shape
def _(input, bias, min_input, max_input, min_bias, max_bias):
    dims, (count,) = with_rank_at_least(input, 2).as_tuple(), with_rank(bias, 1).as_tuple()
    shape = None if dims is None else (*dims[:-1], merge_dim(dims[-1], count))
    return ranged_shape(shape, min_input, max_input, min_bias, max_bias)


@quantized_bias_add_op.kernel
def _(input, bias, min_input, max_input, min_bias, max_bias, *, T1, T2, out_type):
    if np.ndim(input) < 2:
        raise InvalidArgumentError(None, None, f"Input tensor must be at least 2D: {dims_text(np.shape(input))}")
    if np.ndim(bias) != 1 or np.shape(bias)[0] != np.shape(input)[-1]:
        raise InvalidArgumentError(
            None,
            None,
            f"Must provide as many biases as the last dimension of the input tensor: {dims_text(np.shape(bias))} vs. "
            f"{dims_text(np.shape(input))}",
        )
    ends = [bound_of(bound) for bound in (min_input, max_input, min_bias, max_bias)]
    high = float(np.float32(max(abs(bound) for bound in ends) * (1 << 17)))
    total = sum(
        _as_integers(_as_floats(x, kind, *bounds), out_type, -high, high)
        for x, kind, bounds in ((input, T1, ends[:2]), (bias, T2, ends[2:]))
    )
    return _clipped(total, out_type), np.float32(-high), np.float32(high)


quantized_bias_add_op.samples(
    plain=sample(_X, _PAIR, -1.0, 2.0, -0.5, 0.5, out_type="qint32")
)


def _rectified(features: Any, low: Any, high: Any, kind: DType, most: float | None = None) -> tuple:
    """Integers that stand for at least 0, and for `most` at most, with the range as it was."""
    least = zero_level(kind, bound_of(low), bound_of(high))
    result = np.maximum(integers(features), _clipped(least, kind))
    if most is not None:
        result = np.minimum(result, _clipped(_as_integers(np.float64(most), kind, bound_of(low), bound_of(high)), kind))
    return result, np.float32(bound_of(low)), np.float32(bound_of(high))


_RECTIFIED = "activations: out_type, min_activations: float, max_activations: float"
quantized_relu_op = op(
    "QuantizedRelu(features: Tinput, min_features: float, max_features: float) -> " + _RECTIFIED,
    Tinput=QUANTIZED,
    out_type=_TO_EIGHT_BITS,
)


@quantized_relu_op.shape
def _(features, min_features, max_features):
    return ranged_shape(unchanged(features), min_features, max_features)


@quantized_relu_op.kernel
def _(features, min_features, max_features, *, Tinput):
    return _rectified(features, min_features, max_features, Tinput)


quantized_relu_op.samples(plain=sample(_X, -1.0, 2.0))

quantized_relu6_op = op(
    "QuantizedRelu6(features: Tinput, min_features: float, max_features: float) -> " + _RECTIFIED,
    Tinput=QUANTIZED,
    out_type=_TO_EIGHT_BITS,
)


@quantized_relu6_op.shape
def _(features, min_features, max_features):
    return ranged_shape(unchanged(features), min_features, max_features)


@quantized_relu6_op.kernel
def _(features, min_features, max_features, *, Tinput):
    return _rectified(features, min_features, max_features, Tinput, 6.0)


quantized_relu6_op.samples(plain=sample(_X, -10.0, 20.0))

quantized_relu_x_op = op(
    "QuantizedReluX(features: Tinput, max_value: float, min_features: float, max_features: float) -> " + _RECTIFIED,
    Tinput=QUANTIZED,
    out_type=_TO_EIGHT_BITS,
)


@quantized_relu_x_op.shape
def _(features, max_value, min_features, max_features):
    with_rank(max_value, 0)
    return ranged_shape(unchanged(features), min_features, max_features)


@quantized_relu_x_op.kernel
def _(features, max_value, min_features, max_features, *, Tinput):
    return _rectified(features, min_features, max_features, Tinput, bound_of(max_value))


quantized_relu_x_op.samples(plain=sample(_X, 1.5, -1.0, 2.0))


@public("nn.quantized_relu_x")
def quantized_relu_x(
    features: Any,
    max_value: Any,
    min_features: Any,
    max_features: Any,
    out_type: Any = dtypes.quint8,
    name: str | None = None,
) -> Any:
    """`min(max(features, 0), max_value)` of a quantized tensor.

    Args:
      features: a quantized tensor.
      max_value: a float scalar.
      min_features, max_features: the floats that the least and the greatest integer of `features` stand for.
      out_type: dtype of the result.
      name: name of the results.

    Returns:
      (activations, min_activations, max_activations): the result, and the range that it stands for.
    """
    return quantized_relu_x_op(features, max_value, min_features, max_features, out_type=out_type, name=name)


_POOL: dict[str, Any] = {
    "T": QUANTIZED,
    "ksize": "list(int32)",
    "strides": "list(int32)",
    "padding": _PADDING,
}
quantized_max_pool_op = op(
    "QuantizedMaxPool(input: T, min_input: float, max_input: float) -> output: T, min_output: float, "
    "max_output: float",
    **_POOL,
)


@quantized_max_pool_op.shape
def _(input, min_input, max_input, *, ksize, strides, padding):
    return ranged_shape(pooled_shape(input, ksize, strides, padding, b"NHWC", True), min_input, max_input)


def _pooling(input: Any, ksize: Any, strides: Any, padding: bytes, depth: bool) -> Pooling:
    check_rank(input, 4)
    if len(ksize) != 4 or len(strides) != 4:
        raise InvalidArgumentError(None, None, "Sliding window ksize and strides fields must specify 4 dimensions")
    return Pooling(ksize, strides, padding, depth=depth, channels=3)


@quantized_max_pool_op.kernel
def _(input, min_input, max_input, *, ksize, strides, padding):
    result = _pooling(input, ksize, strides, padding, True).maximum(integers(input))
    return result, np.float32(bound_of(min_input)), np.float32(bound_of(max_input))


quantized_max_pool_op.samples(plain=sample(_X, -1.0, 2.0, **_WINDOW))


@public("nn.quantized_max_pool")
def quantized_max_pool(
    input: Any, min_input: Any, max_input: Any, ksize: Any, strides: Any, padding: str, name: str | None = None
) -> Any:
    """The largest element of each window of a quantized tensor.

    Args:
      input: quint8 [batch, height, width, channels].
      min_input, max_input: the floats that the least and the greatest integer of `input` stand for.
      ksize: window sizes, four integers.
      strides: steps, four integers.
      padding: "SAME" or "VALID".
      name: name of the results.

    Returns:
      (output, min_output, max_output): the result, and the range that it stands for.
    """
    return quantized_max_pool_op(
        input, min_input, max_input, ksize=ksize, strides=strides, padding=padding, name=name
    )


quantized_avg_pool_op = op(
    "QuantizedAvgPool(input: T, min_input: float, max_input: float) -> output: T, min_output: float, "
    "max_output: float",
    **_POOL,
)


@quantized_avg_pool_op.shape
def _(input, min_input, max_input, *, ksize, strides, padding):
    return ranged_shape(pooled_shape(input, ksize, strides, padding, b"NHWC", False), min_input, max_input)


@quantized_avg_pool_op.kernel
def _(input, min_input, max_input, *, T, ksize, strides, padding):
    mean = _pooling(input, ksize, strides, padding, False).mean(integers(input).astype(np.float64))
    return _clipped(np.trunc(mean), T), np.float32(bound_of(min_input)), np.float32(bound_of(max_input))


quantized_avg_pool_op.samples(plain=sample(_X, -1.0, 2.0, **_WINDOW))


@public("nn.quantized_avg_pool")
def quantized_avg_pool(
    input: Any, min_input: Any, max_input: Any, ksize: Any, strides: Any, padding: str, name: str | None = None
) -> Any:
    """The mean of each window of a quantized tensor; arguments and results as for `quantized_max_pool`."""
    return quantized_avg_pool_op(
        input, min_input, max_input, ksize=ksize, strides=strides, padding=padding, name=name
    )


quantized_batch_norm_op = op(
    "QuantizedBatchNormWithGlobalNormalization(t: Tinput, t_min: float, t_max: float, m: Tinput, m_min: float, "
    "m_max: float, v: Tinput, v_min: float, v_max: float, beta: Tinput, beta_min: float, beta_max: float, "
    "gamma: Tinput, gamma_min: float, gamma_max: float) -> result: out_type, result_min: float, result_max: float",
    Tinput=QUANTIZED,
    out_type=QUANTIZED,
    variance_epsilon="float",
    scale_after_normalization="bool",
)


@quantized_batch_norm_op.shape
def _(t, t_min, t_max, m, m_min, m_max, v, v_min, v_max, beta, beta_min, beta_max, gamma, gamma_min, gamma_max):
    dims = list(with_rank(t, 4).as_tuple())
    for part in (m, v, beta, gamma):
        dims[3] = merge_dim(dims[3], with_rank(part, 1).as_tuple()[0])
    ranges = t_min, t_max, m_min, m_max, v_min, v_max, beta_min, beta_max, gamma_min, gamma_max
    return ranged_shape(dims, *ranges)


@quantized_batch_norm_op.kernel
def _(t, t_min, t_max, m, m_min, m_max, v, v_min, v_max, beta, beta_min, beta_max, gamma, gamma_min, gamma_max, *,
      Tinput, out_type, variance_epsilon, scale_after_normalization):
    check_rank(t, 4, "input")
    for part, name in ((m, "mean"), (v, "var"), (beta, "beta"), (gamma, "gamma")):
        if np.shape(part) != np.shape(t)[3:]:
            raise InvalidArgumentError(
                None, None,
                f"{name} must be a vector of {np.shape(t)[3]} elements, got shape {dims_text(np.shape(part))}"
            )
    low, high = -float(1 << 20), float(1 << 20)
    mean, variance = _as_floats(m, Tinput, m_min, m_max), _as_floats(v, Tinput, v_min, v_max)
    weight = np.float32(1) / np.sqrt(variance + np.float32(variance_epsilon))
    if scale_after_normalization:
        weight = _as_floats(gamma, Tinput, gamma_min, gamma_max) * weight
    bias = _as_floats(beta, Tinput, beta_min, beta_max) - mean * weight
    one, weight, bias = (_as_integers(x, out_type, low, high) for x in (np.float64(1), weight, bias))
    x = _as_integers(_as_floats(t, Tinput, t_min, t_max), out_type, low, high)
    # In integers, whose division rounds towards 0.
    product = x * weight
    result = np.sign(product) * (np.abs(product) // one) + bias
    return _clipped(result, out_type), np.float32(low), np.float32(high)


quantized_batch_norm_op.samples(
    plain=sample(
        _X, -1.0, 2.0, _PAIR, 0.0, 1.0, _PAIR, 0.0, 1.0, _PAIR, -1.0, 1.0, _PAIR, -1.0, 1.0,
        out_type="qint32", variance_epsilon=1e-3, scale_after_normalization=True,
    )
)

quantized_instance_norm_op = op(
    "QuantizedInstanceNorm(x: T, x_min: float, x_max: float) -> y: T, y_min: float, y_max: float",
    T=QUANTIZED,
    output_range_given="bool = false",
    given_y_min="float = 0.0",
    given_y_max="float = 0.0",
    variance_epsilon="float = 1e-05",
    min_separation="float = 0.001",
)


@quantized_instance_norm_op.shape
def _(x, x_min, x_max):
    with_rank(x, 4)
    return ranged_shape(x.shape, x_min, x_max)


@quantized_instance_norm_op.kernel
def _(x, x_min, x_max, *, T, output_range_given, given_y_min, given_y_max, variance_epsilon, min_separation):
    check_rank(x, 4, "input")
    low, high = bound_of(x_min), bound_of(x_max)
    check_range("x", low, high)
    values = _as_floats(x, T, low, high)
    centred = values - values.mean((1, 2), np.float64, keepdims=True).astype(np.float32)
    variance = np.square(centred).mean((1, 2), keepdims=True)
    normal = centred / np.sqrt(variance + np.float32(variance_epsilon))
    if output_range_given:
        low, high = bound_of(given_y_min), bound_of(given_y_max)
        if low >= high:
            raise InvalidArgumentError(None, None, f"given_y_min must be less than given_y_max: {low} >= {high}")
    elif normal.size:
        low, high = float(normal.min()), float(normal.max())
        if high - low < min_separation:
            low, high = low, low + min_separation
    return _clipped(_as_integers(normal, T, low, high), T), np.float32(low), np.float32(high)


quantized_instance_norm_op.samples(
    plain=sample(_X, -1.0, 2.0), given=sample(_X, -1.0, 2.0, output_range_given=True, given_y_min=-2.0, given_y_max=2.0)
)

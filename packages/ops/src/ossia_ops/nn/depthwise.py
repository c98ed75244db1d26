"""Convolutions of each channel by itself, and separable convolutions built with them."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant_shape, merge_dim, with_rank
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.names.sizes import elements
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import shape
from ossia_ops.nn.activation import FLOATS
from ossia_ops.nn.conv import conv2d
from ossia_ops.nn.conv_kernels import Convolution
from ossia_ops.nn.convolution import with_space_to_batch
from ossia_ops.nn.windows import fitted, output_size, padded, unpadded

_ATTRS = {"strides": "list(int32)", "padding": "{'SAME', 'VALID'}", "data_format": "{'NHWC', 'NCHW'} = 'NHWC'",
          "dilations": "list(int) = [1, 1, 1, 1]"}
_X, _W = (
    np.arange(2 * 4 * 5 * 2, dtype="f4").reshape(2, 4, 5, 2) / 10,
    np.arange(3 * 2 * 2 * 3, dtype="f4").reshape(3, 2, 2, 3) / 10,
)
_CHUNK = 1 << 17  # elements of a result that are worked on at a time
_ONE: Any = {"strides": [1, 1, 1, 1], "padding": "SAME"}


class _Windows:
    """The views of padded arrays that meet one element of the filter each."""

    def __init__(self, node: Any) -> None:
        a = node.attrs
        self.convolution = Convolution(2, a["strides"], a["dilations"], a["padding"], [], a["data_format"] == b"NHWC")
        if not self.convolution.spatial_only:
            raise InvalidArgumentError(
                None, None, "Current implementation does not yet support strides in the batch and depth dimensions."
            )
        if len(set(self.convolution.strides)) > 1:
            raise InvalidArgumentError(
                None,
                None,
                "Current implementation only supports equal length strides in the row and column dimensions.",
            )

    def fit(self, x_shape: Sequence[int], window: Sequence[int]) -> tuple:
        c = self.convolution
        return fitted(x_shape[1:3], window, c.strides, c.dilations, c.padding)

    def at(self, position: Sequence[int], out: Sequence[int]) -> tuple:
        c = self.convolution
        return (slice(None), *(slice(p * d, p * d + (o - 1) * s + 1, s) for p, d, o, s in
                               zip(position, c.dilations, out, c.strides, strict=True)))


def _checked(x_shape: Sequence[int], filter_shape: Sequence[int]) -> None:
    for name, sizes in (("input", x_shape), ("filter", filter_shape)):
        if len(sizes) != 4:
            raise InvalidArgumentError(None, None, f"{name} must be 4-dimensional: {dims_text(sizes)}")
    if x_shape[3] != filter_shape[2]:
        raise InvalidArgumentError(
            None, None, f"input and filter must have the same depth: {x_shape[3]} vs {filter_shape[2]}"
        )


depthwise_conv2d_native_op = op("DepthwiseConv2dNative(input: T, filter: T) -> output: T", T=FLOATS, **_ATTRS)


@depthwise_conv2d_native_op.shape
def _(input, filter, *, strides, padding, data_format, dilations):
    if len(strides) != 4:
        raise ValueError(f"DepthwiseConv2D requires the stride attribute to contain 4 values, but got: {len(strides)}")
    dims = with_rank(input, 4).as_tuple()
    rows, cols, depth, multiplier = with_rank(filter, 4).as_tuple()
    first = data_format == b"NCHW"
    batch, height, width, channels = (dims[0], dims[2], dims[3], dims[1]) if first else dims
    depth = merge_dim(channels, depth)
    a, b = (2, 3) if first else (1, 2)
    height = output_size(height, rows, strides[a], dilations[a], padding)
    width = output_size(width, cols, strides[b], dilations[b], padding)
    outputs = None if depth is None or multiplier is None else depth * multiplier
    return TensorShape([batch, outputs, height, width] if first else [batch, height, width, outputs])


@depthwise_conv2d_native_op.kernel_for
def _(node):
    geometry = _Windows(node)

    def kernel(x: np.ndarray, weights: np.ndarray) -> np.ndarray:
        x = geometry.convolution.last(x)
        _checked(x.shape, weights.shape)
        pads, out = geometry.fit(x.shape, weights.shape[:2])
        x = padded(x, pads)
        channels = weights.shape[2] * weights.shape[3]
        elements((x.shape[0], *out, channels))
        x, flat = _repeated(x, weights.shape[3]), weights.reshape(*weights.shape[:2], channels)
        result = np.zeros((x.shape[0], *out, channels), x.dtype)
        for block in _blocks(result.shape):
            part, image = result[block], x[block]
            product = np.empty_like(part)
            for position in np.ndindex(*weights.shape[:2]):
                np.multiply(image[geometry.at(position, out)], flat[position], out=product)
                part += product
        return geometry.convolution.restored(result)
    return kernel


def _repeated(x: np.ndarray, times: int) -> np.ndarray:
    """The image with each channel as often as it has filters."""
    return x if times == 1 else np.repeat(x, times, axis=-1)


def _blocks(shape: Sequence[int]) -> list[slice]:
    """Stretches of a batch whose images stay in the cache together."""
    step = max(1, _CHUNK // max(shape[1] * shape[2] * shape[3], 1))
    return [slice(start, start + step) for start in range(0, shape[0], step)]


def _attrs_of(node: Any) -> dict[str, Any]:
    return {name: node.get_attr(name) for name in _ATTRS}


@depthwise_conv2d_native_op.gradient
def _(node, grad):
    x, weights = node.inputs
    attrs = _attrs_of(node)
    return (depthwise_conv2d_native_backprop_input_op(shape(x), weights, grad, **attrs),
            depthwise_conv2d_native_backprop_filter_op(x, shape(weights), grad, **attrs))


depthwise_conv2d_native_op.samples(
    same=sample(_X, _W, **_ONE),
    valid=sample(_X, _W, strides=[1, 2, 2, 1], padding="VALID"),
    empty=sample(_X[:0], _W, **_ONE),
    empty_window=sample(_X[:0], _W[:0], **_ONE),
)

depthwise_conv2d_native_backprop_input_op = op(
    "DepthwiseConv2dNativeBackpropInput(input_sizes: int32, filter: T, out_backprop: T) -> output: T",
    T=FLOATS,
    **_ATTRS,
)


@depthwise_conv2d_native_backprop_input_op.shape
def _(input_sizes, filter, out_backprop):
    return with_rank(constant_shape(input_sizes), 4)


def _of_result(
    wanted: str, grad: np.ndarray, x_shape: Sequence[int], out: Sequence[int], weights_shape: Sequence[int]
) -> np.ndarray:
    expected = (x_shape[0], *out, weights_shape[2] * weights_shape[3])
    if grad.shape != expected:
        if grad.shape[-1] != expected[-1]:
            raise InvalidArgumentError(
                None, None, f"DepthwiseConv2DBackprop{wanted}: depth_multiplier * in_depth not equal to out_depth"
            )
        raise InvalidArgumentError(
            None, None, f"out_backprop should have shape {dims_text(expected)}, got {dims_text(grad.shape)}"
        )
    return grad


@depthwise_conv2d_native_backprop_input_op.kernel_for
def _(node):
    geometry = _Windows(node)

    def kernel(sizes: np.ndarray, weights: np.ndarray, grad: np.ndarray) -> np.ndarray:
        if sizes.shape != (4,):
            raise InvalidArgumentError(None, None, f"input_sizes must hold 4 sizes, got shape {dims_text(sizes.shape)}")
        n, a, b, c = sizes.tolist()
        dims = (n, a, b, c) if geometry.convolution.channels_last else (n, b, c, a)
        elements(dims)
        _checked(dims, weights.shape)
        pads, out = geometry.fit(dims, weights.shape[:2])
        grad = _of_result("Input", geometry.convolution.last(grad), dims, out, weights.shape)
        channels, filters = grad.shape[3], weights.shape[3]
        if not filters:
            return geometry.convolution.restored(np.zeros(dims, grad.dtype))
        flat = weights.reshape(*weights.shape[:2], channels)
        result = np.zeros((n, *(s + p + q for s, (p, q) in zip(dims[1:3], pads, strict=True)), channels), grad.dtype)
        for block in _blocks(grad.shape):
            part, image = grad[block], result[block]
            product = np.empty_like(part)
            for position in np.ndindex(*weights.shape[:2]):
                np.multiply(part, flat[position], out=product)
                image[geometry.at(position, out)] += product
        if filters > 1:
            each = result
            result = each[..., ::filters].copy()
            for number in range(1, filters):
                result += each[..., number::filters]
        return geometry.convolution.restored(unpadded(result, pads))
    return kernel


@depthwise_conv2d_native_backprop_input_op.gradient
def _(node, grad):
    _, weights, backprop = node.inputs
    attrs = _attrs_of(node)
    return (None, depthwise_conv2d_native_backprop_filter_op(grad, shape(weights), backprop, **attrs),
            depthwise_conv2d_native_op(grad, weights, **attrs))


depthwise_conv2d_native_backprop_input_op.samples(
    plain=sample(np.array(_X.shape, "i4"), _W, np.ones((2, 4, 5, 6), "f4"), **_ONE)
)

depthwise_conv2d_native_backprop_filter_op = op(
    "DepthwiseConv2dNativeBackpropFilter(input: T, filter_sizes: int32, out_backprop: T) -> output: T",
    T=FLOATS,
    **_ATTRS,
)


@depthwise_conv2d_native_backprop_filter_op.shape
def _(input, filter_sizes, out_backprop):
    return with_rank(constant_shape(filter_sizes), 4)


@depthwise_conv2d_native_backprop_filter_op.kernel_for
def _(node):
    geometry = _Windows(node)

    def kernel(x: np.ndarray, sizes: np.ndarray, grad: np.ndarray) -> np.ndarray:
        if sizes.shape != (4,):
            raise InvalidArgumentError(
                None, None, f"filter_sizes must hold 4 sizes, got shape {dims_text(sizes.shape)}"
            )
        dims = tuple(sizes.tolist())
        elements(dims)
        x = geometry.convolution.last(x)
        _checked(x.shape, dims)
        pads, out = geometry.fit(x.shape, dims[:2])
        grad = _of_result("Filter", geometry.convolution.last(grad), x.shape, out, dims)
        x = _repeated(padded(x, pads), dims[3])
        result = np.zeros((*dims[:2], grad.shape[3]), grad.dtype)
        for block in _blocks(grad.shape):
            part, image = grad[block], x[block]
            product = np.empty_like(part)
            for position in np.ndindex(*dims[:2]):
                np.multiply(image[geometry.at(position, out)], part, out=product)
                result[position] += product.sum(axis=(0, 1, 2), dtype=grad.dtype)
        return result.reshape(dims)
    return kernel


@depthwise_conv2d_native_backprop_filter_op.gradient
def _(node, grad):
    x, _, backprop = node.inputs
    attrs = _attrs_of(node)
    return (
        depthwise_conv2d_native_backprop_input_op(shape(x), grad, backprop, **attrs),
        None,
        depthwise_conv2d_native_op(x, grad, **attrs),
    )


depthwise_conv2d_native_backprop_filter_op.samples(
    plain=sample(_X, np.array(_W.shape, "i4"), np.ones((2, 4, 5, 6), "f4"), **_ONE)
)


@public("nn.depthwise_conv2d_native")
def depthwise_conv2d_native(input: Any, filter: Any, strides: Any, padding: str, data_format: str = "NHWC",
                            dilations: Sequence[int] = (1, 1, 1, 1), name: str | None = None) -> Tensor:
    """The op of `depthwise_conv2d`, with dilations as an attribute."""
    return depthwise_conv2d_native_op(
        input, filter, strides=strides, padding=padding, data_format=data_format, dilations=list(dilations), name=name
    )


@public("nn.depthwise_conv2d_backprop_input", "nn.depthwise_conv2d_native_backprop_input")
def depthwise_conv2d_backprop_input(
    input_sizes: Any,
    filter: Any,
    out_backprop: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    dilations: Sequence[int] = (1, 1, 1, 1),
    name: str | None = None,
) -> Tensor:
    """The gradient of `depthwise_conv2d_native` with respect to its input, of the shape `input_sizes`."""
    return depthwise_conv2d_native_backprop_input_op(
        input_sizes,
        filter,
        out_backprop,
        strides=strides,
        padding=padding,
        data_format=data_format,
        dilations=list(dilations),
        name=name,
    )


@public("nn.depthwise_conv2d_backprop_filter", "nn.depthwise_conv2d_native_backprop_filter")
def depthwise_conv2d_backprop_filter(
    input: Any,
    filter_sizes: Any,
    out_backprop: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    dilations: Sequence[int] = (1, 1, 1, 1),
    name: str | None = None,
) -> Tensor:
    """The gradient of `depthwise_conv2d_native` with respect to its filter, of the shape `filter_sizes`."""
    return depthwise_conv2d_native_backprop_filter_op(
        input,
        filter_sizes,
        out_backprop,
        strides=strides,
        padding=padding,
        data_format=data_format,
        dilations=list(dilations),
        name=name,
    )


def _rate(rate: Any, dilations: Any) -> Any:
    if dilations is not None:
        if rate is not None:
            raise ValueError("Cannot specify both 'rate' and 'dilations'")
        rate = dilations
    return [1, 1] if rate is None else rate


def _native(filter: Tensor, strides: Any, data_format: str | None, name: str | None) -> Callable:
    return lambda x, _, padding: depthwise_conv2d_native_op(
        x, filter, strides=strides, padding=padding, data_format=data_format, name=name
    )


@public("nn.depthwise_conv2d")
def depthwise_conv2d(input: Any, filter: Any, strides: Any, padding: str, rate: Any = None, name: str | None = None,
                     data_format: str | None = None, dilations: Any = None) -> Tensor:
    """A convolution of each channel by itself, with `multiplier` filters per channel.

    Args:
      input: [batch, height, width, channels], or as `data_format` says.
      filter: [height, width, channels, multiplier].
      strides: step per dimension, four integers.
      padding: "SAME" or "VALID".
      rate: distances of the filter's elements, two integers.
      name: name of the result.
      data_format: "NHWC" or "NCHW".
      dilations: the newer name of `rate`.

    Returns:
      [batch, height, width, channels * multiplier].
    """
    rate = _rate(rate, dilations)
    with name_scope(name, "depthwise", [input, filter]) as name:
        input = convert_to_tensor(input, name="tensor_in")
        filter = convert_to_tensor(filter, name="filter_in")
        return with_space_to_batch(
            input,
            filter_shape=shape(filter),
            dilation_rate=rate,
            padding=padding,
            data_format=data_format,
            op=_native(filter, strides, data_format, name),
        )


@public("nn.separable_conv2d")
def separable_conv2d(
    input: Any,
    depthwise_filter: Any,
    pointwise_filter: Any,
    strides: Any,
    padding: str,
    rate: Any = None,
    name: str | None = None,
    data_format: str | None = None,
    dilations: Any = None,
) -> Tensor:
    """`depthwise_conv2d`, then a convolution across channels only.

    Args:
      input: [batch, height, width, channels], or as `data_format` says.
      depthwise_filter: [height, width, channels, multiplier].
      pointwise_filter: [1, 1, channels * multiplier, out channels].
      strides: step per dimension, four integers.
      padding: "SAME" or "VALID".
      rate: distances of the filter's elements, two integers.
      name: name of the result.
      data_format: "NHWC" or "NCHW".
      dilations: the newer name of `rate`.

    Raises:
      ValueError: filters that do not fit.
    """
    rate = _rate(rate, dilations)
    with name_scope(name, "separable_conv2d", [input, depthwise_filter, pointwise_filter]) as name:
        input = convert_to_tensor(input, name="tensor_in")
        depthwise_filter = convert_to_tensor(depthwise_filter, name="depthwise_filter")
        pointwise_filter = convert_to_tensor(pointwise_filter, name="pointwise_filter")
        sizes = pointwise_filter.shape.with_rank(4)
        sizes.dims[0].assert_is_compatible_with(1)
        sizes.dims[1].assert_is_compatible_with(1)
        depthwise = with_space_to_batch(
            input,
            filter_shape=shape(depthwise_filter),
            dilation_rate=rate,
            padding=padding,
            data_format=data_format,
            op=_native(depthwise_filter, strides, data_format, "depthwise"),
        )
        return conv2d(
            depthwise, pointwise_filter, strides=[1, 1, 1, 1], padding="VALID", data_format=data_format, name=name
        )

"""Convolutions over three spatial dimensions and their gradients."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant_shape, with_rank
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import one_of, shape
from ossia_ops.nn.activation import FLOATS
from ossia_ops.nn.conv import convolved_shape, filter_gradient_kernel, forward_kernel, input_gradient_kernel
from ossia_ops.nn.conv_kernels import Convolution

_PLAIN = {"strides": "list(int32) >= 5", "padding": "{'SAME', 'VALID'}", "dilations": "list(int32) = [1, 1, 1, 1, 1]"}
_ATTRS = {"strides": "list(int32) >= 5", "padding": "{'SAME', 'VALID'}", "data_format": "{'NDHWC', 'NCDHW'} = 'NDHWC'",
          "dilations": "list(int32) = [1, 1, 1, 1, 1]"}
_X, _W = (
    np.arange(2 * 3 * 4 * 2 * 2, dtype="f4").reshape(2, 3, 4, 2, 2) / 10,
    np.arange(2 * 3 * 2 * 2 * 3, dtype="f4").reshape(2, 3, 2, 2, 3) / 10,
)
_ONE: Any = {"strides": [1, 1, 1, 1, 1], "padding": "SAME"}


def _attrs_of(node: Any) -> dict[str, Any]:
    return {name: node.get_attr(name) for name in _ATTRS}


conv3d_op = op("Conv3D(input: T, filter: T) -> output: T", T=FLOATS, **_ATTRS)


@conv3d_op.shape
def _(input, filter, *, strides, padding, data_format, dilations):
    return convolved_shape(input, filter, Convolution(3, strides, dilations, padding, [], data_format == b"NDHWC"))


conv3d_op.kernel_for(forward_kernel)


@conv3d_op.gradient
def _(node, grad):
    x, weights = node.inputs
    attrs = _attrs_of(node)
    return (conv3d_backprop_input_v2_op(shape(x), weights, grad, **attrs),
            conv3d_backprop_filter_v2_op(x, shape(weights), grad, **attrs))


conv3d_op.samples(
    same=sample(_X, _W, **_ONE),
    valid=sample(_X, _W, strides=[1, 1, 2, 1, 1], padding="VALID"),
    empty=sample(_X[:0], _W, **_ONE),
)

conv3d_backprop_input_v2_op = op(
    "Conv3DBackpropInputV2(input_sizes: Tshape, filter: T, out_backprop: T) -> output: T",
    T=FLOATS,
    **_ATTRS,
    Tshape="{int32, int64} = DT_INT32",
)


@conv3d_backprop_input_v2_op.shape
def _(input_sizes, filter, out_backprop):
    return with_rank(constant_shape(input_sizes), 5)


conv3d_backprop_input_v2_op.kernel_for(input_gradient_kernel)


@conv3d_backprop_input_v2_op.gradient
def _(node, grad):
    _, weights, backprop = node.inputs
    attrs = _attrs_of(node)
    return (
        None,
        conv3d_backprop_filter_v2_op(grad, shape(weights), backprop, **attrs),
        conv3d_op(grad, weights, **attrs),
    )


conv3d_backprop_input_v2_op.samples(plain=sample(np.array(_X.shape, "i4"), _W, np.ones((2, 3, 4, 2, 3), "f4"), **_ONE))

conv3d_backprop_filter_v2_op = op(
    "Conv3DBackpropFilterV2(input: T, filter_sizes: int32, out_backprop: T) -> output: T", T=FLOATS, **_ATTRS
)


@conv3d_backprop_filter_v2_op.shape
def _(input, filter_sizes, out_backprop):
    return with_rank(constant_shape(filter_sizes), 5)


conv3d_backprop_filter_v2_op.kernel_for(filter_gradient_kernel)


@conv3d_backprop_filter_v2_op.gradient
def _(node, grad):
    x, _, backprop = node.inputs
    attrs = _attrs_of(node)
    return conv3d_backprop_input_v2_op(shape(x), grad, backprop, **attrs), None, conv3d_op(x, grad, **attrs)


conv3d_backprop_filter_v2_op.samples(plain=sample(_X, np.array(_W.shape, "i4"), np.ones((2, 3, 4, 2, 3), "f4"), **_ONE))

conv3d_backprop_input_op = op(
    "Conv3DBackpropInput(input: T, filter: T, out_backprop: T) -> output: T", T="{half, float, double}", **_PLAIN
)


@conv3d_backprop_input_op.shape
def _(input, filter, out_backprop):
    return with_rank(input, 5)


@conv3d_backprop_input_op.kernel_for
def _(node):
    convolution = _channels_last(node)
    return lambda x, weights, grad: convolution.restored(convolution.input_gradient(x.shape, weights, grad))


def _channels_last(node: Any) -> Convolution:
    return Convolution(3, node.attrs["strides"], node.attrs["dilations"], node.attrs["padding"], [], True)


conv3d_backprop_input_op.removed(10, "Use Conv3DBackpropInputV2 instead")
conv3d_backprop_input_op.samples(plain=sample(_X, _W, np.ones((2, 3, 4, 2, 3), "f4"), **_ONE))

conv3d_backprop_filter_op = op(
    "Conv3DBackpropFilter(input: T, filter: T, out_backprop: T) -> output: T", T="{half, float, double}", **_PLAIN
)


@conv3d_backprop_filter_op.shape
def _(input, filter, out_backprop):
    return with_rank(filter, 5)


@conv3d_backprop_filter_op.kernel_for
def _(node):
    convolution = _channels_last(node)
    return lambda x, weights, grad: convolution.filter_gradient(x, weights.shape, grad)


conv3d_backprop_filter_op.removed(10, "Use Conv3DBackpropFilterV2 instead")
conv3d_backprop_filter_op.samples(plain=sample(_X, _W, np.ones((2, 3, 4, 2, 3), "f4"), **_ONE))


@public("nn.conv3d")
def conv3d(input: Any, filter: Any = None, strides: Any = None, padding: Any = None, data_format: str = "NDHWC",
           dilations: Sequence[int] = (1, 1, 1, 1, 1), name: str | None = None, filters: Any = None) -> Tensor:
    """A three-dimensional convolution.

    Args:
      input: [batch, depth, height, width, channels], or as `data_format` says.
      filter: [depth, height, width, in channels, out channels].
      strides: step per dimension, five integers.
      padding: "SAME" or "VALID".
      data_format: "NDHWC" or "NCDHW".
      dilations: distance of the filter's elements per dimension.
      name: name of the result.
      filters: the newer name of `filter`.
    """
    filter = one_of("filters", filters, "filter", filter)
    return conv3d_op(
        input, filter, strides=strides, padding=padding, data_format=data_format, dilations=list(dilations), name=name
    )


@public("nn.conv3d_backprop_filter", "nn.conv3d_backprop_filter_v2")
def conv3d_backprop_filter(
    input: Any,
    filter_sizes: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NDHWC",
    dilations: Sequence[int] = (1, 1, 1, 1, 1),
    name: str | None = None,
) -> Tensor:
    """The gradient of `conv3d` with respect to its filter, of the shape `filter_sizes`."""
    return conv3d_backprop_filter_v2_op(
        input,
        filter_sizes,
        out_backprop,
        strides=strides,
        padding=padding,
        data_format=data_format,
        dilations=list(dilations),
        name=name,
    )

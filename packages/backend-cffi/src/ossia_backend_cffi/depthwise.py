"""Convolutions of each channel by itself, with their gradients."""
from __future__ import annotations

from typing import Any

from ossia_backend_cffi.emitters import emits, require_float, strided, strides_of
from ossia_backend_cffi.program import Declined, Value
from ossia_backend_cffi.windows import _geometry, _sizes


def _repeated(c: Any, x: Value, times: int) -> Value:
    """The image with each channel as often as it has filters."""
    x = c.ready(x)
    if times == 1:
        return x
    wide = c.inner(x.dtype, (*x.shape[:3], x.shape[3] * times))
    dims = (x.size, times)
    strided(c, wide, x, dims, (1, 0), strides_of(dims))
    return wide


def _checked(node: Any, x_shape: tuple[int, ...], weights_shape: tuple[int, ...]) -> tuple[list[int], int]:
    """The geometry, with the channels of the result, and the filters of each channel."""
    if len(x_shape) != 4 or len(weights_shape) != 4 or x_shape[3] != weights_shape[2] or 0 in x_shape + weights_shape:
        raise Declined("a depthwise convolution of other shapes")
    strides = node.attrs["strides"]
    if strides[1] != strides[2]:
        raise Declined("a depthwise convolution of strides that differ")
    g = _geometry(node, x_shape, weights_shape[:2])
    g[3] *= weights_shape[3]
    return g, weights_shape[3]


@emits("DepthwiseConv2dNative")
def _depthwise(c, node, ins, outs):
    x, weights = ins
    require_float(x, weights)
    g, filters = _checked(node, x.shape, weights.shape)
    x, weights = _repeated(c, x, filters), c.ready(weights)
    c.emit("depthwise", [c.result(outs[0], x.dtype, (g[0], g[6], g[7], g[3])), x, weights], g)


@emits("DepthwiseConv2dNativeBackpropInput")
def _depthwise_input(c, node, ins, outs):
    sizes, weights, grad = ins
    require_float(weights, grad)
    shape = _sizes(sizes)
    g, filters = _checked(node, shape, weights.shape)
    if grad.shape != (g[0], g[6], g[7], g[3]):
        raise Declined("a gradient of another shape")
    weights, grad = c.ready(weights), c.ready(grad)
    c.emit("depthwise_input", [c.result(outs[0], grad.dtype, shape), grad, weights], [*g, filters])


@emits("DepthwiseConv2dNativeBackpropFilter")
def _depthwise_filter(c, node, ins, outs):
    x, sizes, grad = ins
    require_float(x, grad)
    shape = _sizes(sizes)
    g, filters = _checked(node, x.shape, shape)
    if grad.shape != (g[0], g[6], g[7], g[3]):
        raise Declined("a gradient of another shape")
    x, grad = _repeated(c, x, filters), c.ready(grad)
    c.emit("depthwise_filter", [c.result(outs[0], x.dtype, shape), x, grad], g)

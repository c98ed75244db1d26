"""Convolutions and pooling over images with channels last, with their gradients."""
from __future__ import annotations

from typing import Any

from ossia_backend_cffi.emitters import emits, require_float
from ossia_backend_cffi.program import Declined, Value

_COLUMNS = 1 << 22  # bytes of the patches that are laid out at a time


def _along(size: int, window: int, stride: int, dilation: int, padding: bytes) -> tuple[int, int]:
    """(number of windows, elements before the first) along a dimension."""
    reach = (window - 1) * dilation + 1
    if padding == b"SAME":
        out = -(-size // stride)
        return out, max((out - 1) * stride + reach - size, 0) // 2
    if padding != b"VALID" or size < reach:
        raise Declined("windows of another kind")
    return (size - reach) // stride + 1, 0


def _geometry(node: Any, image: tuple[int, ...], window: tuple[int, int]) -> list[int]:
    """[n, h, w, channels, window h, window w, out h, out w, stride h, stride w, before h, before w, dilation h,
    dilation w]."""
    attrs = node.attrs
    if attrs.get("data_format", b"NHWC") != b"NHWC" or len(image) != 4:
        raise Declined("images with channels first")
    strides, dilations = attrs["strides"], attrs.get("dilations", [1, 1, 1, 1])
    if (
        min(strides) < 1
        or min(dilations) < 1
        or strides[0] != 1
        or strides[3] != 1
        or dilations[0] != 1
        or dilations[3] != 1
        or min(window) < 1
    ):
        raise Declined("windows over images or channels")
    n, h, w, channels = image
    oh, ph = _along(h, window[0], strides[1], dilations[1], attrs["padding"])
    ow, pw = _along(w, window[1], strides[2], dilations[2], attrs["padding"])
    return [n, h, w, channels, *window, oh, ow, strides[1], strides[2], ph, pw, dilations[1], dilations[2]]


def _sizes(value: Value) -> tuple[int, ...]:
    if value.constant is None or value.constant.ndim != 1:
        raise Declined("computed sizes")
    return tuple(int(n) for n in value.constant)


def _convolution(c: Any, kernel: str, out: Value, a: Value, b: Value, geometry: list[int], channels: int) -> None:
    n, _, _, ci, kh, kw, oh, ow = geometry[:8]
    if not out.size or not a.size or not b.size:
        raise Declined("a convolution of nothing")
    depth = kh * kw * ci
    rows = max(1, min(n * oh * ow, _COLUMNS // (4 * depth)))
    c.builder.scratch = max(c.builder.scratch, rows * depth * 4)
    c.emit(kernel, [out, a, b], [*geometry, channels, rows])


@emits("Conv2D")
def _conv2d(c, node, ins, outs):
    x, weights = ins
    require_float(x, weights)
    if len(weights.shape) != 4 or len(x.shape) != 4 or weights.shape[2] != x.shape[3]:
        raise Declined("a convolution in groups")
    g = _geometry(node, x.shape, weights.shape[:2])
    x, weights = c.ready(x), c.ready(weights)
    _convolution(
        c, "conv", c.result(outs[0], x.dtype, (g[0], g[6], g[7], weights.shape[3])), x, weights, g, weights.shape[3]
    )


@emits("Conv2DBackpropFilter")
def _conv2d_filter(c, node, ins, outs):
    x, sizes, grad = ins
    require_float(x, grad)
    shape = _sizes(sizes)
    if len(shape) != 4 or len(x.shape) != 4 or shape[2] != x.shape[3]:
        raise Declined("a convolution in groups")
    g = _geometry(node, x.shape, shape[:2])
    if grad.shape != (g[0], g[6], g[7], shape[3]):
        raise Declined("a gradient of another shape")
    x, grad = c.ready(x), c.ready(grad)
    _convolution(c, "conv_filter", c.result(outs[0], x.dtype, shape), x, grad, g, shape[3])


@emits("Conv2DBackpropInput")
def _conv2d_input(c, node, ins, outs):
    sizes, weights, grad = ins
    require_float(weights, grad)
    shape = _sizes(sizes)
    if len(shape) != 4 or len(weights.shape) != 4 or shape[3] != weights.shape[2]:
        raise Declined("a convolution in groups")
    g = _geometry(node, shape, weights.shape[:2])
    if grad.shape != (g[0], g[6], g[7], weights.shape[3]):
        raise Declined("a gradient of another shape")
    weights, grad = c.ready(weights), c.ready(grad)
    _convolution(c, "conv_input", c.result(outs[0], grad.dtype, shape), weights, grad, g, weights.shape[3])


def _window(node: Any) -> tuple[int, int]:
    ksize = node.attrs["ksize"]
    if ksize[0] != 1 or ksize[3] != 1:
        raise Declined("windows over images or channels")
    return ksize[1], ksize[2]


@emits("MaxPool", "AvgPool")
def _pool(c, node, ins, outs):
    x = ins[0]
    require_float(x)
    g = _geometry(node, x.shape, _window(node))
    x = c.ready(x)
    c.emit("pool", [c.result(outs[0], x.dtype, (g[0], g[6], g[7], g[3])), x], [*g, node.type == "AvgPool"])


@emits("MaxPoolGrad")
def _max_pool_grad(c, node, ins, outs):
    x, y, grad = ins
    require_float(*ins)
    g = _geometry(node, x.shape, _window(node))
    if y.shape != (g[0], g[6], g[7], g[3]) or grad.shape != y.shape:
        raise Declined("a gradient of another shape")
    x, grad = c.ready(x), c.ready(grad)
    c.builder.scratch = max(c.builder.scratch, g[3] * 8)
    c.emit("max_pool_grad", [c.result(outs[0], x.dtype, x.shape), x, grad], g)


@emits("AvgPoolGrad")
def _avg_pool_grad(c, node, ins, outs):
    sizes, grad = ins
    require_float(grad)
    shape = _sizes(sizes)
    g = _geometry(node, shape, _window(node))
    if grad.shape != (g[0], g[6], g[7], g[3]):
        raise Declined("a gradient of another shape")
    grad = c.ready(grad)
    c.emit("avg_pool_grad", [c.result(outs[0], grad.dtype, shape), grad], g)

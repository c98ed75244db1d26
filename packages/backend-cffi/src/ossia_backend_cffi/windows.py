"""Convolutions and pooling over images with channels last, with their gradients."""
from __future__ import annotations

from typing import Any

from ossia_backend_cffi.emitters import emits, product, require_float
from ossia_backend_cffi.program import Declined, Value

_PANEL = 32               # columns of a panel, at most
_SCRATCH = 1 << 28        # floats that a convolution may use besides its operands
_SMALL_FILTER = 1 << 16   # elements of a filter whose gradient is summed in many chunks


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


def _floats(count: int) -> int:
    """A number of floats of scratch, rounded up; what is too large is left to NumPy."""
    if count > _SCRATCH:
        raise Declined("a convolution that needs too much scratch")
    return -(-count // 16) * 16


def _reach(g: list[int]) -> tuple[int, int, int]:
    """Height and width of the image that windows reach, and the floats of a copy of that size if it needs one."""
    n, h, w, ci, kh, kw, oh, ow, sh, sw, ph, pw, dh, dw = g
    all_h, all_w = (oh - 1) * sh + (kh - 1) * dh + 1, (ow - 1) * sw + (kw - 1) * dw + 1
    needed = ph or pw or all_h > h or all_w > w
    return all_h, all_w, _floats(n * all_h * all_w * ci if needed else 0)


def _panels(depth: int, channels: int) -> int:
    return _floats(depth * -(-channels // _PANEL) * _PANEL)


def _emit(c: Any, kernel: str, operands: list[Value], ints: list[int], *floats: int) -> None:
    c.builder.scratch = max(c.builder.scratch, 4 * _floats(sum(floats)))
    c.emit(kernel, operands, ints)


def _is_product(g: list[int]) -> tuple[int, int] | None:
    """(rows, depth) of the product that the convolution is if windows do not overlap: pixel by pixel, or image by
    image."""
    n, h, w, ci, kh, kw, oh, ow, sh, sw, ph, pw, dh, dw = g
    if ph or pw:
        return None
    if (kh, kw, sh, sw) == (1, 1, 1, 1):
        return n * h * w, ci
    return (n, h * w * ci) if (oh, ow, kh, kw) == (1, 1, h, w) else None


@emits("Conv2D")
def _conv2d(c, node, ins, outs):
    x, weights = ins
    require_float(x, weights)
    if len(weights.shape) != 4 or len(x.shape) != 4 or weights.shape[2] != x.shape[3]:
        raise Declined("a convolution in groups")
    g = _geometry(node, x.shape, weights.shape[:2])
    channels = weights.shape[3]
    _not_empty(x, weights)
    x, weights = c.ready(x), c.ready(weights)
    out = c.result(outs[0], x.dtype, (g[0], g[6], g[7], channels))
    as_product = _is_product(g)
    if as_product is not None:
        rows, depth = as_product
        product(c, out, x, weights, rows, channels, depth)
        return
    all_h, all_w, border = _reach(g)
    panels = _panels(g[4] * g[5] * g[3], channels)
    _emit(c, "conv", [out, x, weights], [*g, channels, all_h, all_w, border, panels], border, panels, 2 * g[4] * g[5])


def _not_empty(*values: Value) -> None:
    if not all(v.size for v in values):
        raise Declined("a convolution of nothing")


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
    _not_empty(x, grad)
    x, grad = c.ready(x), c.ready(grad)
    out = c.result(outs[0], x.dtype, shape)
    channels, depth = shape[3], g[4] * g[5] * g[3]
    as_product = _is_product(g)
    if as_product is not None:
        rows, depth = as_product
        product(c, out, x, grad, depth, channels, rows, ta=True)
        return
    all_h, all_w, border = _reach(g)
    rows = g[0] * g[6]
    # These follow from the sizes alone, so that the order of additions does too.
    work = rows * g[7] * channels * depth
    most = 8 if depth * channels <= _SMALL_FILTER else 4 if depth * channels <= 4 * _SMALL_FILTER else 1
    chunks = max(1, min(most, rows, work >> 19))
    groups = 1 if chunks > 1 or not work >> 19 else 8
    block = max(1, min(64, 256 // g[7]))
    panels = _floats(chunks * groups * block * g[7] * _PANEL if channels % 16 else 0)
    sums = _floats(chunks * depth * channels if chunks > 1 else 0)
    ints = [*g, channels, all_h, all_w, border, chunks, groups, block, panels]
    _emit(c, "conv_filter", [out, x, grad], ints, border, panels, sums, 2 * g[4] * g[5])


@emits("Conv2DBackpropInput")
def _conv2d_input(c, node, ins, outs):
    sizes, weights, grad = ins
    require_float(weights, grad)
    shape = _sizes(sizes)
    if len(shape) != 4 or len(weights.shape) != 4 or shape[3] != weights.shape[2]:
        raise Declined("a convolution in groups")
    g = _geometry(node, shape, weights.shape[:2])
    n, h, w, ci, kh, kw, oh, ow, sh, sw, ph, pw, dh, dw = g
    if grad.shape != (n, oh, ow, weights.shape[3]):
        raise Declined("a gradient of another shape")
    if (sh, sw) != (1, 1) and (dh, dw) != (1, 1):
        raise Declined("strides and dilations at once")
    _not_empty(weights, grad)
    weights, grad = c.ready(weights), c.ready(grad)
    out = c.result(outs[0], grad.dtype, shape)
    channels = weights.shape[3]
    as_product = _is_product(g)
    if as_product is not None:
        rows, depth = as_product
        product(c, out, grad, weights, rows, depth, channels, tb=True)
        return
    before_y, all_h = _backwards(h, kh, oh, sh, ph, dh)
    before_x, all_w = _backwards(w, kw, ow, sw, pw, dw)
    needed = before_y or before_x or all_h > oh or all_w > ow
    border = _floats(n * all_h * all_w * channels if needed else 0)
    panels = _panels(kh * kw * channels, ci)
    ints = [*g, channels, before_y, before_x, all_h, all_w, border, panels]
    _emit(c, "conv_input", [out, weights, grad], ints, border, panels, 2 * kh * kw)


def _backwards(size: int, window: int, count: int, stride: int, before: int, dilation: int) -> tuple[int, int]:
    """Along a dimension, the zeros before the gradient, and its size with zeros, that the windows reach which lead
    from it back to the image."""
    first, last = 0, count - 1
    for phase in range(min(stride, size)):
        tap = (phase + before) % stride
        taps = -(-(window - tap) // stride) if tap < window else 0
        if taps:
            start = (phase + before - tap) // stride - (taps - 1) * (dilation if stride == 1 else 1)
            steps = -(-(size - phase) // stride) - 1
            first = min(first, start)
            last = max(last, steps + (phase + before - tap) // stride)
    return -first, last - first + 1


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
    c.builder.scratch = max(c.builder.scratch, g[0] * g[3] * 8)
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

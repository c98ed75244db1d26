"""Convolutions and pooling with their gradients. Images with channels first are turned before, and results after."""
from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from ossia_backend_cffi.emitters.emission import strided, strides_of
from ossia_backend_cffi.emitters.products import product
from ossia_backend_cffi.emitters.registry import F32, emits, require_float
from ossia_backend_cffi.program.builder import Declined, Value
from ossia_backend_cffi.program.instructions import (
    AvgPoolGrad,
    Conv,
    ConvFilter,
    ConvInput,
    Depthwise,
    DepthwiseFilter,
    DepthwiseInput,
    MaxPoolGrad,
    Pool,
    Reduce,
)

_ONES = (1, 1, 1, 1)
_SHAPES = 1 << 10         # of windows that are remembered
_PANEL = 32               # columns of a panel, at most
_SCRATCH = 1 << 28        # floats that a convolution may use besides its operands
_SMALL_FILTER = 1 << 16   # elements of a filter whose gradient is summed in many chunks
_CHUNKS = 8               # of images that the gradients of depthwise filters are summed over


class Geometry(NamedTuple):
    """Windows over images with channels last: the record of instructions by this name."""

    n: int
    h: int
    w: int
    c: int
    kh: int
    kw: int
    oh: int
    ow: int
    sh: int
    sw: int
    ph: int
    pw: int
    dh: int
    dw: int


def _along(size: int, window: int, stride: int, dilation: int, padding: bytes, pads: Sequence[int]) -> tuple[int, int]:
    """(number of windows, elements before the first) along a dimension."""
    reach = (window - 1) * dilation + 1
    if padding == b"SAME":
        out = -(-size // stride)
        return out, max((out - 1) * stride + reach - size, 0) // 2
    before, after = pads if padding == b"EXPLICIT" else (0, 0)
    if padding not in (b"VALID", b"EXPLICIT") or min(before, after) < 0 or size + before + after < reach:
        raise Declined("windows of another kind")
    return (size + before + after - reach) // stride + 1, before


def _is_first(node: Any) -> bool:
    """Whether channels come before height and width."""
    data_format = node.attrs.get("data_format", b"NHWC")
    if data_format not in (b"NHWC", b"NCHW"):
        raise Declined("images of another format")
    return data_format == b"NCHW"


def _last_shape(node: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of images with channels last."""
    if len(shape) != 4:
        raise Declined("images of another rank")
    return tuple(shape[a] for a in (0, 2, 3, 1)) if _is_first(node) else shape


def _turned(c: Any, out: Value, x: Value, order: Sequence[int]) -> None:
    steps = strides_of(x.shape)
    strided(c, out, x, out.shape, [steps[a] for a in order], strides_of(out.shape))


def _last(c: Any, node: Any, x: Value) -> Value:
    """Images with channels last, computed."""
    x = c.ready(x)
    if not _is_first(node):
        return x
    turned = c.inner(F32, _last_shape(node, x.shape))
    _turned(c, turned, x, (0, 2, 3, 1))
    return turned


class _Result:
    """Where a kernel writes images with channels last, which become a result in the format of the node."""

    def __init__(self, c: Any, node: Any, slot: int, shape: tuple[int, ...]) -> None:
        self._c, self._node, self._slot = c, node, slot
        self.value = c.inner(F32, shape) if _is_first(node) else c.result(slot, F32, shape)

    def give(self) -> None:
        """Let the node's slot hold the result, now that it is there."""
        if _is_first(self._node):
            n, h, w, channels = self.value.shape
            _turned(self._c, self._c.result(self._slot, F32, (n, channels, h, w)), self.value, (0, 3, 1, 2))


def _geometry(node: Any, image: tuple[int, ...], window: tuple[int, int]) -> Geometry:
    """The windows of a node over images with channels last."""
    attrs = node.attrs
    dilations, pads = attrs.get("dilations", _ONES), attrs.get("explicit_paddings", ())
    how = tuple(attrs["strides"]), tuple(dilations), tuple(pads), attrs["padding"]
    return _geometry_of(_is_first(node), *how, image, tuple(window))


@functools.lru_cache(_SHAPES)
def _geometry_of(
    first: bool, strides: tuple[int, ...], dilations: tuple[int, ...], pads: tuple[int, ...], padding: bytes,
    image: tuple[int, ...], window: tuple[int, int],
) -> Geometry:
    pads = pads or (0,) * 8
    if len(strides) != 4 or len(dilations) != 4 or len(pads) != 8 or min(*strides, *dilations, *window) < 1:
        raise Declined("windows of another kind")
    at, channel = (2, 1) if first else (1, 3)
    if any(v[a] != 1 for v in (strides, dilations) for a in (0, channel)) or any(
        pads[2 * a + k] for a in (0, channel) for k in (0, 1)
    ):
        raise Declined("windows over images or channels")
    n, h, w, channels = image
    (sh, sw), (dh, dw) = strides[at : at + 2], dilations[at : at + 2]
    oh, ph = _along(h, window[0], sh, dh, padding, pads[2 * at : 2 * at + 2])
    ow, pw = _along(w, window[1], sw, dw, padding, pads[2 * at + 2 : 2 * at + 4])
    return Geometry(n, h, w, channels, *window, oh, ow, sh, sw, ph, pw, dh, dw)


def _sizes(value: Value) -> tuple[int, ...]:
    if value.constant is None or value.constant.ndim != 1:
        raise Declined("computed sizes")
    return tuple(int(n) for n in value.constant)


def _floats(count: int) -> int:
    """A number of floats of scratch, rounded up; what is too large is left to NumPy."""
    if count > _SCRATCH:
        raise Declined("a convolution that needs too much scratch")
    return -(-count // 16) * 16


def _reach(g: Geometry) -> tuple[int, int, int]:
    """Height and width of the image that windows reach, and the floats of a copy of that size if it needs one."""
    n, h, w, ci, kh, kw, oh, ow, sh, sw, ph, pw, dh, dw = g
    all_h, all_w = (oh - 1) * sh + (kh - 1) * dh + 1, (ow - 1) * sw + (kw - 1) * dw + 1
    needed = ph or pw or all_h > h or all_w > w
    return all_h, all_w, _floats(n * all_h * all_w * ci if needed else 0)


def _panels(depth: int, channels: int) -> int:
    return _floats(depth * -(-channels // _PANEL) * _PANEL)


def _set_aside(c: Any, *floats: int) -> None:
    """Let the scratch have room for so many floats."""
    c.builder.scratch = max(c.builder.scratch, 4 * _floats(sum(floats)))


def _is_product(g: Geometry) -> tuple[int, int] | None:
    """(rows, depth) of the product that the convolution is if windows do not overlap: pixel by pixel, or image by
    image."""
    n, h, w, ci, kh, kw, oh, ow, sh, sw, ph, pw, dh, dw = g
    if ph or pw:
        return None
    if (kh, kw, sh, sw) == (1, 1, 1, 1):
        return n * h * w, ci
    return (n, h * w * ci) if (oh, ow, kh, kw) == (1, 1, h, w) else None


@emits("Conv2D", refuses=True)
def _conv2d(c, node, ins, outs):
    x, weights = ins
    require_float(x, weights)
    image = _last_shape(node, x.shape)
    if len(weights.shape) != 4 or weights.shape[2] != image[3]:
        raise Declined("a convolution in groups")
    g = _geometry(node, image, weights.shape[:2])
    channels = weights.shape[3]
    _not_empty(x, weights)
    x, weights = _last(c, node, x), c.ready(weights)
    result = _Result(c, node, outs[0], (g.n, g.oh, g.ow, channels))
    out = result.value
    as_product = _is_product(g)
    if as_product is not None:
        rows, depth = as_product
        product(c, out, x, weights, rows, channels, depth)
    else:
        all_h, all_w, border = _reach(g)
        panels = _panels(g.kh * g.kw * g.c, channels)
        _set_aside(c, border, panels, 2 * g.kh * g.kw)
        c.emit(
            Conv(
                out=out, x=x, filter=weights, **g._asdict(), co=channels, all_h=all_h, all_w=all_w, border=border,
                panel_floats=panels,
            )
        )  # fmt: skip
    result.give()


def _not_empty(*values: Value) -> None:
    if not all(v.size for v in values):
        raise Declined("a convolution of nothing")


@emits("Conv2DBackpropFilter", refuses=True)
def _conv2d_filter(c, node, ins, outs):
    x, sizes, grad = ins
    require_float(x, grad)
    shape = _sizes(sizes)
    image = _last_shape(node, x.shape)
    if len(shape) != 4 or shape[2] != image[3]:
        raise Declined("a convolution in groups")
    g = _geometry(node, image, shape[:2])
    if _last_shape(node, grad.shape) != (g.n, g.oh, g.ow, shape[3]):
        raise Declined("a gradient of another shape")
    _not_empty(x, grad)
    x, grad = _last(c, node, x), _last(c, node, grad)
    out = c.result(outs[0], x.dtype, shape)
    channels, depth = shape[3], g.kh * g.kw * g.c
    as_product = _is_product(g)
    if as_product is not None:
        rows, depth = as_product
        product(c, out, x, grad, depth, channels, rows, ta=True)
        return
    all_h, all_w, border = _reach(g)
    rows = g.n * g.oh
    # These follow from the sizes alone, so that the order of additions does too.
    work = rows * g.ow * channels * depth
    most = 8 if depth * channels <= _SMALL_FILTER else 4 if depth * channels <= 4 * _SMALL_FILTER else 1
    chunks = max(1, min(most, rows, work >> 19))
    groups = 1 if chunks > 1 or not work >> 19 else 8
    block = max(1, min(64, 256 // g.ow))
    panels = _floats(chunks * groups * block * g.ow * _PANEL)
    sums = _floats(chunks * depth * channels if chunks > 1 else 0)
    _set_aside(c, border, panels, sums, 2 * g.kh * g.kw)
    c.emit(
        ConvFilter(
            out=out, x=x, grad=grad, **g._asdict(), co=channels, all_h=all_h, all_w=all_w, block=block, border=border,
            chunks=chunks, groups=groups, panel_floats=panels,
        )
    )  # fmt: skip


@emits("Conv2DBackpropInput", refuses=True)
def _conv2d_input(c, node, ins, outs):
    sizes, weights, grad = ins
    require_float(weights, grad)
    image = _last_shape(node, _sizes(sizes))
    if len(weights.shape) != 4 or image[3] != weights.shape[2]:
        raise Declined("a convolution in groups")
    g = _geometry(node, image, weights.shape[:2])
    n, h, w, ci, kh, kw, oh, ow, sh, sw, ph, pw, dh, dw = g
    if _last_shape(node, grad.shape) != (n, oh, ow, weights.shape[3]):
        raise Declined("a gradient of another shape")
    _not_empty(weights, grad)
    weights, grad = c.ready(weights), _last(c, node, grad)
    result = _Result(c, node, outs[0], image)
    out, channels = result.value, weights.shape[3]
    as_product = _is_product(g)
    if as_product is not None:
        rows, depth = as_product
        product(c, out, grad, weights, rows, depth, channels, tb=True)
    else:
        before_y, all_h = _backwards(h, kh, oh, sh, ph, dh)
        before_x, all_w = _backwards(w, kw, ow, sw, pw, dw)
        needed = before_y or before_x or all_h > oh or all_w > ow
        border = _floats(n * all_h * all_w * channels if needed else 0)
        panels = _panels(kh * kw * channels, ci)
        _set_aside(c, border, panels, 2 * kh * kw)
        c.emit(
            ConvInput(
                out=out, filter=weights, grad=grad, **g._asdict(), co=channels, before_y=before_y, before_x=before_x,
                all_h=all_h, all_w=all_w, border=border, panel_floats=panels,
            )
        )  # fmt: skip
    result.give()


@functools.lru_cache(_SHAPES)
def _backwards(size: int, window: int, count: int, stride: int, before: int, dilation: int) -> tuple[int, int]:
    """Along a dimension, the zeros before the gradient, and its size with zeros, that the windows reach which lead
    from it back to the image."""
    first, last = 0, count - 1
    apart = math.gcd(stride, dilation)
    for phase in range(min(stride, size)):
        # The taps that meet these pixels are stride / apart from each other, the first of them before that.
        tap = next((p for p in range(stride // apart) if (phase + before - p * dilation) % stride == 0), window)
        taps = -(-(window - tap) * apart // stride) if tap < window else 0
        if taps:
            start = (phase + before - tap * dilation) // stride
            first = min(first, start - (taps - 1) * (dilation // apart))
            last = max(last, -(-(size - phase) // stride) - 1 + start)
    return -first, last - first + 1


def _window(node: Any) -> tuple[int, int]:
    ksize = list(node.attrs["ksize"])
    at, channel = (2, 1) if _is_first(node) else (1, 3)
    if len(ksize) != 4 or ksize[0] != 1 or ksize[channel] != 1:
        raise Declined("windows over images or channels")
    return ksize[at], ksize[at + 1]


@emits("MaxPool", "AvgPool")
def _pool(c, node, ins, outs):
    x = ins[0]
    require_float(x)
    g = _geometry(node, _last_shape(node, x.shape), _window(node))
    x = _last(c, node, x)
    result = _Result(c, node, outs[0], (g.n, g.oh, g.ow, g.c))
    c.emit(Pool(out=result.value, x=x, **g._asdict(), average=node.type == "AvgPool"))
    result.give()


@emits("MaxPoolGrad")
def _max_pool_grad(c, node, ins, outs):
    x, y, grad = ins
    require_float(*ins)
    g = _geometry(node, _last_shape(node, x.shape), _window(node))
    if _last_shape(node, y.shape) != (g.n, g.oh, g.ow, g.c) or grad.shape != y.shape:
        raise Declined("a gradient of another shape")
    x, grad = _last(c, node, x), _last(c, node, grad)
    c.builder.scratch = max(c.builder.scratch, g.n * g.c * 8)
    result = _Result(c, node, outs[0], x.shape)
    c.emit(MaxPoolGrad(out=result.value, x=x, grad=grad, **g._asdict()))
    result.give()


@emits("AvgPoolGrad")
def _avg_pool_grad(c, node, ins, outs):
    sizes, grad = ins
    require_float(grad)
    image = _last_shape(node, _sizes(sizes))
    g = _geometry(node, image, _window(node))
    if _last_shape(node, grad.shape) != (g.n, g.oh, g.ow, g.c):
        raise Declined("a gradient of another shape")
    grad = _last(c, node, grad)
    result = _Result(c, node, outs[0], image)
    c.emit(AvgPoolGrad(out=result.value, grad=grad, **g._asdict()))
    result.give()


# -- each channel by itself -----------------------------------------------------------------------------------------


def _depthwise(node: Any, image: tuple[int, ...], weights: Sequence[int]) -> tuple[Geometry, int]:
    """The geometry of a depthwise convolution of as many channels as it has results, and how many each channel has."""
    if len(weights) != 4 or weights[2] != image[3]:
        raise Declined("a filter of other channels")
    g = _geometry(node, image, (weights[0], weights[1]))
    if g.sh != g.sw:
        raise Declined("strides that differ")
    return g._replace(c=g.c * weights[3]), weights[3]


def _repeated(c: Any, x: Value, times: int) -> Value:
    """Images with every channel so many times."""
    if times == 1:
        return x
    n, h, w, channels = x.shape
    out = c.inner(F32, (n, h, w, channels * times))
    dims = (n * h * w * channels, times)
    strided(c, out, x, dims, (1, 0), (times, 1))
    return out


@emits("DepthwiseConv2dNative")
def _depthwise_conv2d(c, node, ins, outs):
    x, weights = ins
    require_float(x, weights)
    g, times = _depthwise(node, _last_shape(node, x.shape), weights.shape)
    _not_empty(x, weights)
    x, weights = _repeated(c, _last(c, node, x), times), c.ready(weights)
    all_h, all_w, border = _reach(g)
    result = _Result(c, node, outs[0], (g.n, g.oh, g.ow, g.c))
    _set_aside(c, border)
    c.emit(Depthwise(out=result.value, x=x, filter=weights, **g._asdict(), all_h=all_h, all_w=all_w))
    result.give()


@emits("DepthwiseConv2dNativeBackpropInput")
def _depthwise_input(c, node, ins, outs):
    sizes, weights, grad = ins
    require_float(weights, grad)
    image = _last_shape(node, _sizes(sizes))
    g, times = _depthwise(node, image, weights.shape)
    if _last_shape(node, grad.shape) != (g.n, g.oh, g.ow, g.c):
        raise Declined("a gradient of another shape")
    _not_empty(weights, grad)
    weights, grad = c.ready(weights), _last(c, node, grad)
    all_h, all_w, border = _reach(g)
    result = _Result(c, node, outs[0], image)
    repeated = result.value if times == 1 else c.inner(F32, (*g[:3], g.c))
    _set_aside(c, _floats(g.n * all_h * all_w * g.c))
    c.emit(DepthwiseInput(out=repeated, filter=weights, grad=grad, **g._asdict(), all_h=all_h, all_w=all_w))
    if times > 1:
        c.emit(Reduce(out=result.value, x=repeated, kind=0, outer=math.prod(image), size=times, inner=1))
    result.give()


@emits("DepthwiseConv2dNativeBackpropFilter")
def _depthwise_filter(c, node, ins, outs):
    x, sizes, grad = ins
    require_float(x, grad)
    shape = _sizes(sizes)
    g, times = _depthwise(node, _last_shape(node, x.shape), shape)
    if _last_shape(node, grad.shape) != (g.n, g.oh, g.ow, g.c):
        raise Declined("a gradient of another shape")
    _not_empty(x, grad)
    x, grad = _repeated(c, _last(c, node, x), times), _last(c, node, grad)
    all_h, all_w, border = _reach(g)
    chunks = min(_CHUNKS, g.n)
    sums = _floats(chunks * g.kh * g.kw * g.c)
    out = c.result(outs[0], F32, shape)
    _set_aside(c, border, sums)
    c.emit(
        DepthwiseFilter(
            out=out, x=x, grad=grad, **g._asdict(), all_h=all_h, all_w=all_w, border=border, chunks=chunks
        )
    )

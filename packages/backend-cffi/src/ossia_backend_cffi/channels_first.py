"""Images with channels first: transposed, given to the kernels for channels last, and transposed back."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_backend_cffi import depthwise as _registers  # noqa: F401 - the emitters that are wrapped here
from ossia_backend_cffi.emitters import EMITTERS, strided, strides_of
from ossia_backend_cffi.program import Value

_TO_LAST, _TO_FIRST = (0, 2, 3, 1), (0, 3, 1, 2)
_PER_DIMENSION = ("strides", "dilations", "ksize")


def _reordered(c: Any, out: Value, x: Value, axes: Sequence[int]) -> Value:
    steps = strides_of(x.shape)
    strided(c, out, x, out.shape, [steps[a] for a in axes], strides_of(out.shape))
    return out


class _ChannelsLast:
    """A node as it would be with channels last."""

    def __init__(self, node: Any) -> None:
        self.type, self.definition = node.type, node.definition
        self.attrs = dict(node.attrs, data_format=b"NHWC")
        for name in _PER_DIMENSION:
            if len(self.attrs.get(name) or ()) == 4:
                self.attrs[name] = [self.attrs[name][a] for a in _TO_LAST]


class _Inner:
    """A compilation whose results are not yet those of the node."""

    def __init__(self, c: Any) -> None:
        self._c = c
        self.made: dict[int, Value] = {}

    def result(self, slot: int, dtype: np.dtype, shape: tuple[int, ...]) -> Value:
        value = self.made[slot] = self._c.inner(dtype, shape)
        return value

    def __getattr__(self, name: str) -> Any:
        return getattr(self._c, name)


def _with_channels_first(op_type: str, images: Sequence[int], sizes: bool = False, to_image: bool = True) -> None:
    """Let the emitter of `op_type` take images with channels first.

    Args:
      op_type: the type of the nodes.
      images: which inputs are images.
      sizes: whether the first input holds the sizes of an image.
      to_image: whether the result is an image.
    """
    of_last = EMITTERS[op_type]

    def emit(c: Any, node: Any, ins: Any, outs: Any) -> None:
        given = list(ins)
        if node.attrs.get("data_format") != b"NCHW" or any(len(given[i].shape) != 4 for i in images):
            of_last(c, node, ins, outs)
            return
        for i in images:
            x = c.ready(given[i])
            given[i] = _reordered(c, c.inner(x.dtype, tuple(x.shape[a] for a in _TO_LAST)), x, _TO_LAST)
        if sizes and given[0].constant is not None and given[0].constant.shape == (4,):
            given[0] = Value(given[0].dtype, (4,), constant=given[0].constant[list(_TO_LAST)])
        inner: Any = _Inner(c)
        last: Any = _ChannelsLast(node)
        if not to_image:
            of_last(c, last, given, outs)
            return
        of_last(inner, last, given, outs)
        for slot, y in inner.made.items():
            _reordered(c, c.result(slot, y.dtype, tuple(y.shape[a] for a in _TO_FIRST)), y, _TO_FIRST)

    EMITTERS[op_type] = emit


for _name, _images in (("Conv2D", (0,)), ("DepthwiseConv2dNative", (0,)), ("MaxPool", (0,)), ("AvgPool", (0,))):
    _with_channels_first(_name, _images)
_with_channels_first("MaxPoolGrad", (0, 1, 2))
for _name in ("Conv2DBackpropInput", "DepthwiseConv2dNativeBackpropInput"):
    _with_channels_first(_name, (2,), sizes=True)
_with_channels_first("AvgPoolGrad", (1,), sizes=True)
for _name in ("Conv2DBackpropFilter", "DepthwiseConv2dNativeBackpropFilter"):
    _with_channels_first(_name, (0, 2), to_image=False)

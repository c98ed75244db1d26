"""Morphology of images: dilation and erosion by a structuring function, and the gradients."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import merge_dim, with_rank
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError, UnimplementedError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import one_of
from ossia_ops.math.elementwise import negative
from ossia_ops.nn.windows import fitted, output_size

_ATTRS = {"strides": "list(int32) >= 4", "rates": "list(int32) >= 4", "padding": "{'SAME', 'VALID'}"}
_REAL = "{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}"
_X, _W = (
    (np.arange(2 * 4 * 5 * 2, dtype="f4") * 7 % 11).reshape(2, 4, 5, 2),
    np.arange(3 * 2 * 2, dtype="f4").reshape(3, 2, 2) / 7,
)
_ONE: Any = {"strides": [1, 1, 1, 1], "rates": [1, 1, 1, 1], "padding": "SAME"}


class _Positions:
    """For each element of the filter: the outputs it takes part in, and the inputs it meets there."""

    def __init__(self, node: Any) -> None:
        a = node.attrs
        self.strides, self.rates, self.padding = a["strides"][1:3], a["rates"][1:3], a["padding"]
        for name, what in (("strides", "Stride"), ("rates", "Rate")):
            if len(a[name]) != 4 or a[name][0] != 1 or a[name][3] != 1:
                raise UnimplementedError(None, None, f"{what} is only supported across spatial dimensions.")

    def fit(self, x: np.ndarray, weights: np.ndarray) -> tuple:
        if x.ndim != 4 or weights.ndim != 3:
            raise InvalidArgumentError(
                None,
                None,
                f"input must be 4-dimensional and filter 3-dimensional: {dims_text(x.shape)}, "
                f"{dims_text(weights.shape)}",
            )
        if x.shape[3] != weights.shape[2]:
            raise InvalidArgumentError(
                None, None, f"input and filter must have the same depth: {x.shape[3]} vs {weights.shape[2]}"
            )
        return fitted(x.shape[1:3], weights.shape[:2], self.strides, self.rates, self.padding)

    def spans(
        self, sizes: Sequence[int], pads: Sequence[tuple[int, int]], out: Sequence[int], position: Sequence[int]
    ) -> tuple | None:
        outputs, inputs = [], []
        for size, (before, _), count, p, stride, rate in zip(
            sizes, pads, out, position, self.strides, self.rates, strict=True
        ):
            first = max(-((p * rate - before) // stride), 0)
            last = min((size - 1 + before - p * rate) // stride, count - 1)
            if last < first:
                return None
            start = first * stride + p * rate - before
            outputs.append(slice(first, last + 1))
            inputs.append(slice(start, start + (last - first) * stride + 1, stride))
        return (slice(None), *outputs), (slice(None), *inputs)

    def dilated(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray:
        pads, out = self.fit(x, weights)
        result = np.full(
            (x.shape[0], *out, x.shape[3]),
            np.iinfo(x.dtype).min if x.dtype.kind in "iu" else dtypes.as_dtype(x.dtype).min,
            x.dtype,
        )
        for position in np.ndindex(*weights.shape[:2]):
            found = self.spans(x.shape[1:3], pads, out, position)
            if found:
                target = result[found[0]]
                np.fmax(target, x[found[1]] + weights[position], out=target)
        return result

    def winners(self, x: np.ndarray, weights: np.ndarray, grad: np.ndarray) -> Any:
        """Per element of the filter: where it made the output, for the first time in order."""
        pads, out = self.fit(x, weights)
        y = self.dilated(x, weights)
        if grad.shape != y.shape:
            raise InvalidArgumentError(
                None, None, f"out_backprop must have shape {dims_text(y.shape)}, got {dims_text(grad.shape)}"
            )
        free = np.ones(y.shape, bool)
        for position in np.ndindex(*weights.shape[:2]):
            found = self.spans(x.shape[1:3], pads, out, position)
            if found:
                chosen = (x[found[1]] + weights[position] == y[found[0]]) & free[found[0]]
                free[found[0]] &= ~chosen
                yield position, found[1], np.where(chosen, grad[found[0]], grad.dtype.type(0))


dilation2d_op = op("Dilation2D(input: T, filter: T) -> output: T", T=_REAL, **_ATTRS)


def _count(size: int, window: int, stride: int, rate: int, padding: bytes) -> int | None:
    """Windows along a dimension: none where a window is larger by less than two strides, unlike in convolutions."""
    reach = (window - 1) * rate + 1
    room = size - reach + stride
    if padding == b"VALID" and stride > 0 and rate > 0 and room <= -stride:
        raise ValueError(
            f"Computed output size would be negative: {int(room / stride)} [input_size: {size}, effective_filter_size: "
            f"{reach}, stride: {stride}]"
        )
    if padding == b"VALID" and stride > 0 and rate > 0 and -stride < room < stride:
        return 0
    return output_size(size, window, stride, rate, padding)


@dilation2d_op.shape
def _(input, filter, *, strides, rates, padding):
    if len(strides) != 4:
        raise ValueError(f"Dilation2D requires the stride attribute to contain 4 values, but got: {len(strides)}")
    if len(rates) != 4:
        raise ValueError(f"Dilation2D requires the rates attribute to contain 4 values, but got: {len(rates)}")
    batch, height, width, depth = with_rank(input, 4).as_tuple()
    rows, cols, channels = with_rank(filter, 3).as_tuple()
    if None in (height, width, rows, cols):
        return TensorShape([batch, None, None, channels])
    channels = merge_dim(depth, channels) if channels is not None else None
    return TensorShape(
        [
            batch,
            _count(height, rows, strides[1], rates[1], padding),
            _count(width, cols, strides[2], rates[2], padding),
            channels,
        ]
    )


@dilation2d_op.kernel_for
def _(node):
    return _Positions(node).dilated


@dilation2d_op.gradient
def _(node, grad):
    attrs = {name: node.get_attr(name) for name in _ATTRS}
    x, weights = node.inputs
    return dilation2d_backprop_input_op(x, weights, grad, **attrs), dilation2d_backprop_filter_op(
        x, weights, grad, **attrs
    )


dilation2d_op.samples(
    same=sample(_X, _W, **_ONE),
    rates=sample(_X, _W[:2], strides=[1, 2, 1, 1], rates=[1, 2, 2, 1], padding="VALID"),
    empty=sample(_X[:0], _W, **_ONE),
    empty_window=sample(_X[:0], _W[:0], **_ONE),
)

dilation2d_backprop_input_op = op(
    "Dilation2DBackpropInput(input: T, filter: T, out_backprop: T) -> in_backprop: T", T=_REAL, **_ATTRS
)


@dilation2d_backprop_input_op.shape
def _(input, filter, out_backprop):
    return input.shape


@dilation2d_backprop_input_op.kernel_for
def _(node):
    positions = _Positions(node)

    def kernel(x: np.ndarray, weights: np.ndarray, grad: np.ndarray) -> np.ndarray:
        result = np.zeros(x.shape, x.dtype)
        for _, inputs, part in positions.winners(x, weights, grad):
            result[inputs] += part
        return result
    return kernel


dilation2d_backprop_input_op.samples(same=sample(_X, _W, np.ones((2, 4, 5, 2), "f4"), **_ONE))

dilation2d_backprop_filter_op = op(
    "Dilation2DBackpropFilter(input: T, filter: T, out_backprop: T) -> filter_backprop: T", T=_REAL, **_ATTRS
)


@dilation2d_backprop_filter_op.shape
def _(input, filter, out_backprop):
    return filter.shape


@dilation2d_backprop_filter_op.kernel_for
def _(node):
    positions = _Positions(node)

    def kernel(x: np.ndarray, weights: np.ndarray, grad: np.ndarray) -> np.ndarray:
        result = np.zeros(weights.shape, weights.dtype)
        for position, _, part in positions.winners(x, weights, grad):
            result[position] = part.sum(axis=(0, 1, 2), dtype=weights.dtype)
        return result
    return kernel


dilation2d_backprop_filter_op.samples(same=sample(_X, _W, np.ones((2, 4, 5, 2), "f4"), **_ONE))


@public("nn.dilation2d")
def dilation2d(
    input: Any,
    filter: Any = None,
    strides: Any = None,
    rates: Any = None,
    padding: Any = None,
    name: str | None = None,
    filters: Any = None,
    dilations: Any = None,
) -> Tensor:
    """The greyscale dilation: per position the largest sum of an element of the image and one of the filter.

    Args:
      input: [batch, height, width, depth].
      filter: [height, width, depth].
      strides: step per dimension, four integers.
      rates: distance of the filter's elements, four integers.
      padding: "SAME" or "VALID".
      name: name of the result.
      filters, dilations: newer names of `filter` and `rates`.
    """
    filter = one_of("filters", filters, "filter", filter)
    rates = one_of("dilations", dilations, "rates", rates)
    return dilation2d_op(input, filter, strides=strides, rates=rates, padding=padding, name=name)


@public("nn.erosion2d")
def erosion2d(value: Any, kernel: Any, strides: Any, rates: Any, padding: str, name: str | None = None) -> Tensor:
    """The greyscale erosion: per position the smallest difference of an element of the image and one of the kernel.

    Args:
      value: [batch, height, width, depth].
      kernel: [height, width, depth].
      strides: step per dimension, four integers.
      rates: distance of the kernel's elements, four integers.
      padding: "SAME" or "VALID".
      name: name of the result.
    """
    with name_scope(name, "erosion2d", [value, kernel]) as name:
        opposite = negative(value)
        return negative(
            dilation2d_op(
                opposite, builder("reverse")(kernel, [0, 1]), strides=strides, rates=rates, padding=padding, name=name
            )
        )

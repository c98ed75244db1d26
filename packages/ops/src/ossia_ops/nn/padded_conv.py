"""Convolutions of images that are mirrored at their borders, and resized before: what optimized graphs hold."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import merge_dim, with_rank
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import TensorShape
from ossia_ops.array.padding import mirrored, padded_shape
from ossia_ops.nn.conv_kernels import Convolution
from ossia_ops.nn.resizing import Interpolation, bilinear, check_images, resized_shape
from ossia_ops.nn.windows import output_size

_ATTRS = {"mode": "{'REFLECT', 'SYMMETRIC'}", "strides": "list(int32)", "padding": "{'SAME', 'VALID'}"}
_TYPES = "{half, float, double}"


def _convolution(strides: Any, padding: bytes) -> Convolution:
    return Convolution(2, strides, [1, 1, 1, 1], padding, [], True)


def _static(images: TensorShape, paddings: Any, filter: Any, strides: Any, padding: bytes) -> TensorShape:
    rows = with_rank(paddings, 2).as_tuple()[0]
    if rows != 4:
        raise ValueError(f"Shape must be rank {-1 if rows is None else rows} but is rank 4")
    batch, height, width, channels = with_rank(TensorShape(padded_shape(images, paddings)), 4).as_tuple()
    *window, depth, outputs = with_rank(filter, 4).as_tuple()
    convolution = _convolution(strides, padding)
    merge_dim(channels, depth)
    inner = [
        output_size(n, k, s, 1, padding)
        for n, k, s in zip((height, width), window, convolution.strides, strict=True)
    ]
    return TensorShape([batch, *inner, outputs])


def _convolved(images: Any, paddings: Any, filter: Any, mode: bytes, strides: Any, padding: bytes) -> Any:
    if images.ndim != 4 or filter.ndim != 4:
        raise InvalidArgumentError(None, None, "input and filter must be 4-dimensional")
    if paddings.shape != (4, 2):
        raise InvalidArgumentError(
            None, None, f"paddings must be a matrix with 4 rows and 2 columns: {list(paddings.shape)}"
        )
    if paddings[0].any() or paddings[3].any():
        raise InvalidArgumentError(
            None, None, f"Fused mirror padding only support spatial padding, not batches: {paddings.tolist()}"
        )
    if not images.size:
        raise InvalidArgumentError(None, None, "Input tensor can't be empty")
    if images.shape[3] != filter.shape[2]:
        raise InvalidArgumentError(
            None, None, f"input and filter must have the same depth: {images.shape[3]} vs {filter.shape[2]}"
        )
    try:
        convolution = _convolution(strides, padding)
    except ValueError as error:
        raise InvalidArgumentError(None, None, str(error)) from None
    if not convolution.spatial_only:
        raise InvalidArgumentError(
            None, None, "Current implementation does not yet support strides in the batch and depth dimensions."
        )
    return convolution.forward(mirrored(images, paddings, mode), filter)


fused_pad_conv2d_op = op("FusedPadConv2D(input: T, paddings: int32, filter: T) -> output: T", T=_TYPES, **_ATTRS)


@fused_pad_conv2d_op.shape
def _(input, paddings, filter, *, strides, padding):
    return _static(with_rank(input, 4), paddings, filter, strides, padding)


@fused_pad_conv2d_op.kernel
def _(input, paddings, filter, *, mode, strides, padding):
    return _convolved(input, paddings, filter, mode, strides, padding)


fused_resize_and_pad_conv2d_op = op(
    "FusedResizeAndPadConv2D(input: T, size: int32, paddings: int32, filter: T) -> output: T", T=_TYPES,
    resize_align_corners="bool = false", **_ATTRS,
)


@fused_resize_and_pad_conv2d_op.shape
def _(input, size, paddings, filter, *, strides, padding):
    return _static(TensorShape(resized_shape(input, size)), paddings, filter, strides, padding)


fused_pad_conv2d_op.needs_known("paddings")
fused_resize_and_pad_conv2d_op.needs_known("paddings")


@fused_resize_and_pad_conv2d_op.kernel
def _(input, size, paddings, filter, *, resize_align_corners, mode, strides, padding):
    height, width = check_images(input, size)
    sizes.allocatable((len(input), height, width, input.shape[3]), 8)
    rows = Interpolation.between(input.shape[1], height, resize_align_corners)
    columns = Interpolation.between(input.shape[2], width, resize_align_corners)
    return _convolved(bilinear(input, rows, columns), paddings, filter, mode, strides, padding)


_TWO = (np.arange(2 * 3 * 4 * 2, dtype=np.float32) * 37 % 50).reshape(2, 3, 4, 2)
_X = _TWO[:1]
_SIZE = np.array([5, 3], np.int32)
_MARGINS = np.array([[0, 0], [1, 2], [1, 0], [0, 0]], np.int32)
_FILTER = np.arange(2 * 2 * 2 * 3, dtype=np.float32).reshape(2, 2, 2, 3) / 10
_REFLECTED: dict[str, Any] = {"mode": "REFLECT", "strides": [1, 1, 1, 1], "padding": "VALID"}
_SYMMETRIC: dict[str, Any] = {"mode": "SYMMETRIC", "strides": [1, 2, 1, 1], "padding": "SAME"}
fused_pad_conv2d_op.samples(
    images=sample(_TWO, _MARGINS, _FILTER, **_REFLECTED),
    reflected=sample(_X, _MARGINS, _FILTER, **_REFLECTED),
    symmetric=sample(_X, _MARGINS, _FILTER, **_SYMMETRIC),
    double=sample(_X.astype("f8"), _MARGINS, _FILTER.astype("f8"), **_REFLECTED),
    half=sample(_X.astype("f2"), _MARGINS, _FILTER.astype("f2"), **_REFLECTED),
    none=sample(_X, _MARGINS * 0, _FILTER, **_REFLECTED),
    refused_batch=sample(_X, _MARGINS[::-1] + [[1, 0], [0, 0], [0, 0], [0, 0]], _FILTER, **_REFLECTED),
    refused_negative=sample(_X, -_MARGINS, _FILTER, **_REFLECTED),
    refused_large=sample(_X, _MARGINS * 3, _FILTER, **_REFLECTED),
    refused_rows=sample(_X, _MARGINS[:3], _FILTER, **_REFLECTED),
    refused_rank=sample(_X[0], _MARGINS, _FILTER, **_REFLECTED),
    refused_depth=sample(_X[..., :1], _MARGINS, _FILTER, **_REFLECTED),
    refused_empty=sample(_X[:0], _MARGINS, _FILTER, **_REFLECTED),
    refused_strides=sample(_X, _MARGINS, _FILTER, mode="REFLECT", strides=[1, 1], padding="SAME"),
    refused_batch_stride=sample(_X, _MARGINS, _FILTER, mode="REFLECT", strides=[2, 1, 1, 1], padding="SAME"),
)
fused_resize_and_pad_conv2d_op.samples(
    images=sample(_TWO, _SIZE, _MARGINS, _FILTER, **_REFLECTED),
    reflected=sample(_X, _SIZE, _MARGINS, _FILTER, **_REFLECTED),
    symmetric=sample(_X, _SIZE, _MARGINS, _FILTER, **_SYMMETRIC),
    aligned=sample(_X, _SIZE, _MARGINS, _FILTER, resize_align_corners=True, **_REFLECTED),
    double=sample(_X.astype("f8"), _SIZE, _MARGINS, _FILTER.astype("f8"), **_REFLECTED),
    refused_zero=sample(_X, _SIZE * 0, _MARGINS, _FILTER, **_REFLECTED),
    refused_huge=sample(_X, np.array([2**31 - 1, 2**31 - 1], np.int32), _MARGINS, _FILTER, **_REFLECTED),
    refused_size=sample(_X, _SIZE[:1], _MARGINS, _FILTER, **_REFLECTED),
    refused_large=sample(_X, _SIZE, _MARGINS * 5, _FILTER, **_REFLECTED),
    refused_empty=sample(_X[:0], _SIZE, _MARGINS, _FILTER, **_REFLECTED),
)

"""Convolutions, matrix products, pools and normalizations."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.plugins.api_table import provides
from ossia_lite.convert.lowering import LoweredModel, static_shape
from ossia_lite.convert.settings import ConverterError
from ossia_lite.operators import SAME, VALID
from ossia_lite.schema import record


def _padding(operation: Any) -> int:
    return SAME if operation.get_attr("padding") == b"SAME" else VALID


def _padded(operation: Any, model: LoweredModel) -> int:
    """The input of a convolution, with zeros around it if its padding is explicit."""
    if operation.get_attr("padding") != b"EXPLICIT":
        return model.index(operation.inputs[0])
    widths = np.array(list(operation.get_attr("explicit_paddings")), np.int32).reshape(4, 2)
    source = operation.inputs[0]
    shape = [size + int(width.sum()) for size, width in zip(static_shape(source), widths, strict=True)]
    padded = model.between(operation.outputs[0], "padded", shape)
    constant = model.shape_constant(operation, widths, "paddings")
    model.operator("PAD", [model.index(source), constant], [padded], record("PadOptions"))
    return padded


def _spatial(operation: Any, name: str) -> tuple[int, int]:
    if operation.get_attr("data_format") != b"NHWC":
        raise ConverterError("data format other than NHWC")
    values = list(operation.get_attr(name))
    if values[0] != 1 or values[3] != 1:
        raise ConverterError(f"{name} over batch or channels")
    return values[1], values[2]


def _constant(tensor: Any, model: LoweredModel) -> np.ndarray:
    value = model.value_of(tensor)
    if value is None:
        raise ConverterError(f"{tensor.name} is not constant")
    return value


def _weights(operation: Any, model: LoweredModel, tensor: Any, order: tuple[int, ...]) -> int:
    return model.derived(tensor, "transposed", _constant(tensor, model).transpose(order))


@provides("ossia_lite_lowerings", "Conv2D")
def conv_2d(operation: Any, model: LoweredModel) -> None:
    """Conv2D: filters with the results in front."""
    strides, dilations = _spatial(operation, "strides"), _spatial(operation, "dilations")
    filters = _weights(operation, model, operation.inputs[1], (3, 0, 1, 2))
    model.add(
        "CONV_2D",
        operation,
        [_padded(operation, model), filters],
        "Conv2DOptions",
        padding=_padding(operation),
        stride_h=strides[0],
        stride_w=strides[1],
        dilation_h_factor=dilations[0],
        dilation_w_factor=dilations[1],
    )


@provides("ossia_lite_lowerings", "DepthwiseConv2dNative")
def depthwise_conv_2d(operation: Any, model: LoweredModel) -> None:
    """DepthwiseConv2dNative: filters with channels and multiplier in one dimension."""
    strides, dilations = _spatial(operation, "strides"), _spatial(operation, "dilations")
    value = _constant(operation.inputs[1], model)
    height, width, channels, multiplier = value.shape
    filters = model.derived(operation.inputs[1], "flat", value.reshape(1, height, width, channels * multiplier))
    model.add(
        "DEPTHWISE_CONV_2D",
        operation,
        [model.index(operation.inputs[0]), filters],
        "DepthwiseConv2DOptions",
        padding=_padding(operation),
        stride_h=strides[0],
        stride_w=strides[1],
        depth_multiplier=multiplier,
        dilation_h_factor=dilations[0],
        dilation_w_factor=dilations[1],
    )


@provides("ossia_lite_lowerings", "Conv2DBackpropInput")
def transpose_conv(operation: Any, model: LoweredModel) -> None:
    """Conv2DBackpropInput."""
    strides = _spatial(operation, "strides")
    shape, filters, data = operation.inputs
    model.add(
        "TRANSPOSE_CONV",
        operation,
        [model.index(shape), _weights(operation, model, filters, (2, 0, 1, 3)), model.index(data)],
        "TransposeConvOptions",
        padding=_padding(operation),
        stride_h=strides[0],
        stride_w=strides[1],
    )


@provides("ossia_lite_lowerings", "MatMul")
def matmul(operation: Any, model: LoweredModel) -> None:
    """MatMul: a fully connected layer, whose weights have the units in front."""
    left, right = operation.inputs
    first = model.index(left)
    if operation.get_attr("transpose_a"):
        first = _turned(operation, model, left, "left")
    value = model.value_of(right)
    if value is not None:
        turned = value if operation.get_attr("transpose_b") else value.T
        weights = model.derived(right, "transposed", turned)
    elif operation.get_attr("transpose_b"):
        weights = model.index(right)
    else:
        weights = _turned(operation, model, right, "transposed")
    model.add("FULLY_CONNECTED", operation, [first, weights, -1], "FullyConnectedOptions")


def _turned(operation: Any, model: LoweredModel, tensor: Any, name: str) -> int:
    """A matrix with its dimensions exchanged."""
    made = model.between(operation.outputs[0], name, static_shape(tensor)[::-1])
    order = model.shape_constant(operation, [1, 0], f"{name}/order")
    model.operator("TRANSPOSE", [model.index(tensor), order], [made], record("TransposeOptions"))
    return made


@provides("ossia_lite_lowerings", "BatchMatMul", "BatchMatMulV2")
def batch_matmul(operation: Any, model: LoweredModel) -> None:
    """BatchMatMul and BatchMatMulV2."""
    model.add(
        "BATCH_MATMUL",
        operation,
        [model.index(tensor) for tensor in operation.inputs],
        "BatchMatMulOptions",
        adj_x=bool(operation.get_attr("adj_x")),
        adj_y=bool(operation.get_attr("adj_y")),
    )


@provides("ossia_lite_lowerings", "AvgPool", "MaxPool")
def pool(operation: Any, model: LoweredModel) -> None:
    """AvgPool and MaxPool."""
    strides, window = _spatial(operation, "strides"), _spatial(operation, "ksize")
    name = "AVERAGE_POOL_2D" if operation.type == "AvgPool" else "MAX_POOL_2D"
    model.add(
        name,
        operation,
        [model.index(operation.inputs[0])],
        "Pool2DOptions",
        padding=_padding(operation),
        stride_h=strides[0],
        stride_w=strides[1],
        filter_height=window[0],
        filter_width=window[1],
    )


@provides("ossia_lite_lowerings", "FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3")
def batch_norm(operation: Any, model: LoweredModel) -> None:
    """FusedBatchNorm and its later versions, with the moving statistics: a product and a sum."""
    if operation.get_attr("is_training"):
        raise ConverterError("is_training")
    if operation.get_attr("data_format") != b"NHWC":
        raise ConverterError("data format other than NHWC")
    scale, offset, mean, variance = (_constant(tensor, model).astype(np.float64) for tensor in operation.inputs[1:])
    factor = scale / np.sqrt(variance + operation.get_attr("epsilon"))
    result = operation.outputs[0]
    product = model.between(result, "scaled", static_shape(result))
    factors = model.constant(model.unique(f"{operation.name}/factor"), factor.astype(np.float32))
    offsets = model.constant(model.unique(f"{operation.name}/offset"), (offset - mean * factor).astype(np.float32))
    model.operator("MUL", [model.index(operation.inputs[0]), factors], [product], record("MulOptions"))
    model.operator("ADD", [product, offsets], [model.output(result)], record("AddOptions"))


@provides("ossia_lite_lowerings", "LRN")
def local_response(operation: Any, model: LoweredModel) -> None:
    """LRN."""
    fields = {name: float(operation.get_attr(name)) for name in ("bias", "alpha", "beta")}
    model.add(
        "LOCAL_RESPONSE_NORMALIZATION",
        operation,
        [model.index(operation.inputs[0])],
        "LocalResponseNormalizationOptions",
        radius=int(operation.get_attr("depth_radius")),
        **fields,
    )


@provides("ossia_lite_lowerings", "ResizeBilinear", "ResizeNearestNeighbor")
def resize(operation: Any, model: LoweredModel) -> None:
    """ResizeBilinear and ResizeNearestNeighbor."""
    name = "RESIZE_BILINEAR" if operation.type == "ResizeBilinear" else "RESIZE_NEAREST_NEIGHBOR"
    table = "ResizeBilinearOptions" if operation.type == "ResizeBilinear" else "ResizeNearestNeighborOptions"
    model.add(
        name,
        operation,
        [model.index(tensor) for tensor in operation.inputs],
        table,
        align_corners=bool(operation.get_attr("align_corners")),
        half_pixel_centers=bool(operation.get_attr("half_pixel_centers")),
    )

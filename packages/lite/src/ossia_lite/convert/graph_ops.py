"""For each operator of a model, the ops that compute it on real numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ossia_core.declare.builders import builder
from ossia_lite.operators import SAME
from ossia_lite.tensors import TensorInfo


class Public:
    """Public functions as attributes, found by their names when they are asked for.

    Args:
        prefix: What stands before their names.
    """

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix

    def __getattr__(self, name: str) -> Any:
        path = self._prefix + name
        return Public(f"{path}.") if path in ("nn", "image", "quantization") else builder(path)


tf = Public()


class Operator(NamedTuple):
    """An operator: its kind, its options, its results."""

    name: str
    options: Any
    results: list[TensorInfo]

    def option(self, name: str) -> Any:
        """A field of the options, or zero if there are none."""
        return getattr(self.options, name, 0)


def _activated(operator: Operator, value: Any) -> Any:
    which = operator.option("fused_activation_function")
    return {0: lambda v: v, 1: tf.nn.relu, 2: lambda v: tf.clip_by_value(v, -1.0, 1.0), 3: tf.nn.relu6, 4: tf.tanh}[
        which
    ](value)


def _padding(operator: Operator) -> str:
    return "SAME" if operator.options.padding == SAME else "VALID"


def _strides(operator: Operator) -> list[int]:
    return [1, operator.options.stride_h, operator.options.stride_w, 1]


def _dilations(operator: Operator) -> list[int]:
    return [1, operator.options.dilation_h_factor, operator.options.dilation_w_factor, 1]


def _biased(value: Any, bias: Any) -> Any:
    return value if bias is None else tf.nn.bias_add(value, tf.constant(bias) if _known(bias) else bias)


def _known(value: Any) -> bool:
    return isinstance(value, np.ndarray)


def _conv(operator: Operator, x: Any, filters: Any, bias: Any = None) -> Any:
    turned = _turned(filters, (1, 2, 3, 0))
    found = tf.nn.conv2d(x, turned, _strides(operator), _padding(operator), dilations=_dilations(operator))
    return _activated(operator, _biased(found, bias))


def _turned(value: Any, order: tuple[int, ...]) -> Any:
    return tf.constant(np.ascontiguousarray(value.transpose(order))) if _known(value) else tf.transpose(value, order)


def _depthwise(operator: Operator, x: Any, filters: Any, bias: Any = None) -> Any:
    channels = int(x.shape[-1])
    shape = [*(int(size) for size in filters.shape[1:3]), channels, int(filters.shape[3]) // channels]
    turned = filters.reshape(shape) if _known(filters) else tf.reshape(filters, shape)
    rate = _dilations(operator)[1:3]
    found = tf.nn.depthwise_conv2d(x, turned, _strides(operator), _padding(operator), rate=rate)
    return _activated(operator, _biased(found, bias))


def _transposed(operator: Operator, shape: Any, filters: Any, x: Any, bias: Any = None) -> Any:
    turned = _turned(filters, (1, 2, 0, 3))
    found = tf.nn.conv2d_transpose(x, turned, shape, _strides(operator), _padding(operator))
    return _activated(operator, _biased(found, bias))


def _product(operator: Operator, x: Any, weights: Any, bias: Any = None) -> Any:
    depth = int(weights.shape[1])
    found = _biased(tf.matmul(tf.reshape(x, [-1, depth]), _turned(weights, (1, 0))), bias)
    if operator.option("keep_num_dims"):
        found = tf.reshape(found, [*operator.results[0].shape])
    return _activated(operator, found)


def _pool(function: Callable[..., Any]) -> Callable[..., Any]:
    def build(operator: Operator, x: Any) -> Any:
        window = [1, operator.options.filter_height, operator.options.filter_width, 1]
        return _activated(operator, function(x, window, _strides(operator), _padding(operator)))

    return build


def _fused(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda operator, *inputs: _activated(operator, function(*inputs))


def _plain(function: Any) -> Callable[..., Any]:
    return lambda operator, *inputs: function(*inputs)


def _reduced(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda operator, x, axes: function(x, axes, bool(operator.option("keep_dims")))


def _reshape(operator: Operator, x: Any, shape: Any = None) -> Any:
    return tf.reshape(x, operator.option("new_shape") if shape is None else shape)


def _strided(operator: Operator, x: Any, begin: Any, end: Any, strides: Any) -> Any:
    masks = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    return tf.strided_slice(x, begin, end, strides, **{name: operator.option(name) for name in masks})


def _resized(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda operator, x, size: function(
        images=x, size=size, align_corners=bool(operator.option("align_corners")),
        half_pixel_centers=bool(operator.option("half_pixel_centers")),
    )


def _prelu(operator: Operator, x: Any, alpha: Any) -> Any:
    return tf.nn.relu(x) - alpha * tf.nn.relu(-x)


def _argument(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda operator, x, axis: function(x, int(np.reshape(axis, ())), output_type=operator.results[0].dtype)


def _dequantized(operator: Operator, x: Any) -> Any:
    return tf.constant(x) if _known(x) else x


BUILDERS: dict[str, Callable[..., Any]] = {
    "CONV_2D": _conv,
    "DEPTHWISE_CONV_2D": _depthwise,
    "TRANSPOSE_CONV": _transposed,
    "FULLY_CONNECTED": _product,
    "BATCH_MATMUL": lambda o, x, y: tf.matmul(x, y, False, False, bool(o.option("adj_x")), bool(o.option("adj_y"))),
    "AVERAGE_POOL_2D": _pool(tf.nn.avg_pool),
    "MAX_POOL_2D": _pool(tf.nn.max_pool),
    "ADD": _fused(tf.add),
    "SUB": _fused(tf.subtract),
    "MUL": _fused(tf.multiply),
    "DIV": _fused(tf.divide),
    **{name: _plain(function) for name, function in dict[str, Any]({
        "RELU": tf.nn.relu, "RELU6": tf.nn.relu6, "TANH": tf.tanh, "LOGISTIC": tf.sigmoid, "ELU": tf.nn.elu,
        "EXP": tf.exp, "LOG": tf.log, "SQRT": tf.sqrt, "RSQRT": tf.rsqrt, "SQUARE": tf.square, "NEG": tf.negative,
        "ABS": tf.abs, "SIN": tf.sin, "COS": tf.cos, "FLOOR": tf.floor, "CEIL": tf.ceil, "ROUND": tf.round,
        "SIGN": tf.sign, "LOG_SOFTMAX": tf.nn.log_softmax, "MAXIMUM": tf.maximum, "MINIMUM": tf.minimum, "POW": tf.pow,
        "SQUARED_DIFFERENCE": tf.squared_difference, "FLOOR_DIV": tf.floordiv, "FLOOR_MOD": tf.floormod,
        "EQUAL": tf.equal, "NOT_EQUAL": tf.not_equal, "LESS": tf.less, "LESS_EQUAL": tf.less_equal,
        "GREATER": tf.greater, "GREATER_EQUAL": tf.greater_equal, "LOGICAL_AND": tf.logical_and,
        "LOGICAL_OR": tf.logical_or, "LOGICAL_NOT": tf.logical_not, "SELECT": tf.where, "SELECT_V2": tf.where_v2,
        "TRANSPOSE": tf.transpose, "TILE": tf.tile, "SLICE": tf.slice, "PAD": tf.pad, "FILL": tf.fill,
        "GATHER_ND": tf.gather_nd, "REVERSE_V2": tf.reverse, "ZEROS_LIKE": tf.zeros_like, "SHAPE": tf.shape,
        "BROADCAST_TO": tf.broadcast_to, "QUANTIZE": tf.identity, "SPACE_TO_BATCH_ND": tf.space_to_batch_nd,
        "BATCH_TO_SPACE_ND": tf.batch_to_space_nd, "RANGE": tf.range,
    }).items()},
    "ADD_N": lambda o, *parts: tf.add_n(list(parts)),
    "DEQUANTIZE": _dequantized,
    "EXPAND_DIMS": lambda o, x, axis: tf.expand_dims(x, int(np.reshape(axis, ()))),
    "SOFTMAX": lambda o, x: tf.nn.softmax(x if o.option("beta") == 1.0 else x * o.option("beta")),
    "LEAKY_RELU": lambda o, x: tf.nn.leaky_relu(x, o.option("alpha")),
    "PRELU": _prelu,
    "HARD_SWISH": lambda o, x: x * tf.nn.relu6(x + 3.0) * np.float32(1 / 6),
    "RELU_N1_TO_1": lambda o, x: tf.clip_by_value(x, -1.0, 1.0),
    "L2_NORMALIZATION": lambda o, x: tf.nn.l2_normalize(x, -1),
    "RESHAPE": _reshape,
    "SQUEEZE": lambda o, x: tf.squeeze(x, list(o.option("squeeze_dims") or ()) or None),
    "CONCATENATION": lambda o, *parts: _activated(o, tf.concat(list(parts), o.option("axis"))),
    "PACK": lambda o, *parts: tf.stack(list(parts), o.option("axis")),
    "UNPACK": lambda o, x: list(tf.unstack(x, o.option("num"), o.option("axis"))),
    "SPLIT": lambda o, axis, x: list(tf.split(x, o.option("num_splits"), int(np.reshape(axis, ())))),
    "SPLIT_V": lambda o, x, sizes, axis: list(tf.split(x, [int(n) for n in sizes], int(np.reshape(axis, ())))),
    "STRIDED_SLICE": _strided,
    "GATHER": lambda o, x, places: tf.gather(x, places, axis=o.option("axis")),
    "PADV2": lambda o, x, widths, value: tf.pad(x, widths, constant_values=value),
    "MIRROR_PAD": lambda o, x, widths: tf.pad(x, widths, "SYMMETRIC" if o.option("mode") else "REFLECT"),
    "MEAN": _reduced(tf.reduce_mean),
    "SUM": _reduced(tf.reduce_sum),
    "REDUCE_MAX": _reduced(tf.reduce_max),
    "REDUCE_MIN": _reduced(tf.reduce_min),
    "REDUCE_PROD": _reduced(tf.reduce_prod),
    "RESIZE_BILINEAR": _resized(tf.image.resize_bilinear),
    "RESIZE_NEAREST_NEIGHBOR": _resized(tf.image.resize_nearest_neighbor),
    "SPACE_TO_DEPTH": lambda o, x: tf.space_to_depth(x, o.option("block_size")),
    "DEPTH_TO_SPACE": lambda o, x: tf.depth_to_space(x, o.option("block_size")),
    "ARG_MAX": _argument(tf.argmax),
    "ARG_MIN": _argument(tf.argmin),
    "CAST": lambda o, x: tf.cast(x, o.results[0].dtype),
    "TOPK_V2": lambda o, x, k: list(tf.nn.top_k(x, int(np.reshape(k, ())))),
}

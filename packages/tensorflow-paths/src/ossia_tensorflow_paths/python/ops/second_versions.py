"""Functions of private modules that are the second versions of public ones: other arguments, the same ops."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import ossia as tf
from ossia_core.declare import shape_rules
from ossia_core.names.literals import to_array
from ossia_ops.array import grid

# arrays

get_positive_axis = grid.positive_axis
tile_one_dimension = grid.tile_one_dimension


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const") -> Any:
    """A tensor of fixed values; a single one fills a `shape`, several have to fill it exactly."""
    if shape is not None:
        dims = tuple(int(size) for size in shape)
        own = to_array(value, None if dtype is None else tf.as_dtype(dtype))[0]
        if own.shape not in ((), (1,)) and own.size != math.prod(dims):
            raise TypeError(f"Expected Tensor's shape: {dims}, got {own.shape}.")
    return tf.constant(value, dtype, shape, name)


def expand_dims_v2(input: Any, axis: Any, name: str | None = None) -> Any:
    """A tensor with a dimension of size 1 more."""
    return tf.expand_dims(input, axis, name=name)


def shape_v2(input: Any, out_type: Any = tf.int32, name: str | None = None) -> Any:
    """The shape of a tensor, as a tensor."""
    return tf.shape(input, name, out_type)


def _measured(kind: str, input: Any, name: str | None, **attrs: Any) -> Any:
    if isinstance(input, (tf.SparseTensor, tf.SparseTensorValue)):
        return None
    with tf.name_scope(name, kind, [input]) as scope:
        tf.convert_to_tensor(input)  # which the op does once more
        return getattr(tf.raw_ops, kind)(input=input, name=scope, **attrs)


def shape_internal(input: Any, name: str | None = None, optimize: bool = True, out_type: Any = tf.int32) -> Any:
    """The shape of a tensor; with `optimize`, a constant where it is known."""
    made = None if optimize else _measured("Shape", input, name, out_type=out_type)
    return tf.shape(input, name, out_type) if made is None else made


def size_v2(input: Any, out_type: Any = tf.int32, name: str | None = None) -> Any:
    """The number of elements, as a tensor."""
    return tf.size(input, name, out_type)


def size_internal(input: Any, name: str | None = None, optimize: bool = True, out_type: Any = tf.int32) -> Any:
    """The number of elements; with `optimize`, a constant where it is known."""
    made = None if optimize else _measured("Size", input, name, out_type=out_type)
    return tf.size(input, name, out_type) if made is None else made


def rank_internal(input: Any, name: str | None = None, optimize: bool = True) -> Any:
    """The number of dimensions; with `optimize`, a constant where it is known."""
    made = None if optimize else _measured("Rank", input, name)
    return tf.rank(input, name) if made is None else made


def boolean_mask_v2(tensor: Any, mask: Any, axis: Any = None, name: str = "boolean_mask") -> Any:
    """The elements where a mask is true."""
    return tf.boolean_mask(tensor, mask, name, axis)


def transpose_v2(a: Any, perm: Any = None, conjugate: bool = False, name: str = "transpose") -> Any:
    """A tensor with its dimensions in another order."""
    return tf.transpose(a, perm, name, conjugate)


def zeros_like_v2(input: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Zeros of the shape of a tensor."""
    return tf.zeros_like(input, dtype, name, True)


def zeros_like_impl(tensor: Any, dtype: Any, name: str | None, optimize: bool = True) -> Any:
    """Zeros of the shape of a tensor; with `optimize`, a constant where it is known."""
    return tf.zeros_like(tensor, dtype, name, optimize)


def ones_like_v2(input: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Ones of the shape of a tensor."""
    return tf.ones_like(input, dtype, name, True)


def ones_like_impl(tensor: Any, dtype: Any, name: str | None, optimize: bool = True) -> Any:
    """Ones of the shape of a tensor; with `optimize`, a constant where it is known."""
    return tf.ones_like(tensor, dtype, name, optimize)


def space_to_batch_v2(input: Any, block_shape: Any, paddings: Any, name: str | None = None) -> Any:
    """Blocks of space as elements of a batch."""
    return tf.space_to_batch_nd(input, block_shape, paddings, name=name)


def batch_to_space_v2(input: Any, block_shape: Any, crops: Any, name: str | None = None) -> Any:
    """Elements of a batch as blocks of space."""
    if isinstance(block_shape, int):
        block_shape = np.array([block_shape, block_shape], dtype=np.int64)
    return tf.batch_to_space_nd(input, block_shape, crops, name=name)


def space_to_depth_v2(input: Any, block_size: int, data_format: str = "NHWC", name: str | None = None) -> Any:
    """Blocks of space as channels."""
    return tf.space_to_depth(input, block_size, name, data_format)


def depth_to_space_v2(input: Any, block_size: int, data_format: str = "NHWC", name: str | None = None) -> Any:
    """Channels as blocks of space."""
    return tf.depth_to_space(input, block_size, name, data_format)


def squeeze_v2(input: Any, axis: Any = None, name: str | None = None) -> Any:
    """A tensor without dimensions of size 1."""
    return tf.squeeze(input, axis, name)


def reverse_sequence_v2(
    input: Any, seq_lengths: Any, seq_axis: int | None = None, batch_axis: int | None = None, name: str | None = None
) -> Any:
    """Slices of a batch with their beginnings reversed."""
    return tf.reverse_sequence(input, seq_lengths, seq_axis, batch_axis, name=name)


def gather_nd_v2(params: Any, indices: Any, batch_dims: int = 0, name: str | None = None) -> Any:
    """The slices of a tensor at rows of indices."""
    return tf.gather_nd(params, indices, name, batch_dims)


def convert_to_int_tensor(tensor: Any, name: str, dtype: Any = tf.int32) -> Any:
    """A tensor of whole numbers, of another dtype of those.

    Raises:
        TypeError: It is of other numbers.
    """
    tensor = tf.convert_to_tensor(tensor, name=name, preferred_dtype=dtype)
    if not tensor.dtype.is_integer:
        raise TypeError(f"{name} must be an integer tensor; dtype={tensor.dtype}")
    return tf.raw_ops.Cast(x=tensor, DstT=dtype)


def repeat_with_axis(data: Any, repeats: Any, axis: Any, name: str | None = None) -> Any:
    """A tensor whose slices along an axis are repeated."""
    return tf.repeat(data, repeats, axis, name)


# math


def scalar_mul_v2(scalar: Any, x: Any, name: str | None = None) -> Any:
    """A number times a tensor."""
    with tf.name_scope(name, "scalar_mul", [x]) as scope:
        return tf.scalar_mul(scalar, x, scope)


def count_nonzero_v2(
    input: Any, axis: Any = None, keepdims: bool | None = None, dtype: Any = tf.int64, name: str | None = None
) -> Any:
    """How many elements along axes are not zero."""
    return tf.count_nonzero(input, axis=axis, keepdims=keepdims, dtype=dtype, name=name)


def _ReductionDims(x: Any, axis: Any, reduction_indices: Any = None) -> Any:
    """The axes of a reduction: all of them, if none are given."""
    if reduction_indices is not None and axis is not None:
        raise ValueError("Can't specify both axis' and 'reduction_indices'.")
    axis = reduction_indices if axis is None else axis
    if axis is not None:
        return axis
    if isinstance(x, tf.Tensor) and x.shape.ndims is not None:
        return tf.constant(np.arange(x.shape.ndims), dtype=tf.int32)
    return tf.range(0, tf.rank(x))


# networks


def softmax_v2(logits: Any, axis: Any = None, name: str | None = None) -> Any:
    """Softmax along an axis, the last one if it is None."""
    return tf.nn.softmax(logits, -1 if axis is None else axis, name)


def log_softmax_v2(logits: Any, axis: Any = None, name: str | None = None) -> Any:
    """Logarithms of softmax along an axis, the last one if it is None."""
    return tf.nn.log_softmax(logits, -1 if axis is None else axis, name)


def crelu_v2(features: Any, axis: int = -1, name: str | None = None) -> Any:
    """The positive and the negative parts, one after the other."""
    return tf.nn.crelu(features, name, axis)


def softmax_cross_entropy_with_logits_v2_helper(
    labels: Any, logits: Any, axis: Any = None, name: str | None = None, dim: Any = None
) -> Any:
    """Cross entropies of softmax; gradients flow into the labels."""
    return tf.nn.softmax_cross_entropy_with_logits_v2(labels, logits, axis, name, dim)


def sparse_softmax_cross_entropy_with_logits_v2(labels: Any, logits: Any, name: str | None = None) -> Any:
    """Cross entropies of softmax with classes."""
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


def sigmoid_cross_entropy_with_logits_v2(labels: Any = None, logits: Any = None, name: str | None = None) -> Any:
    """Cross entropies of sigmoids."""
    return tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


def weighted_cross_entropy_with_logits_v2(labels: Any, logits: Any, pos_weight: Any, name: str | None = None) -> Any:
    """Cross entropies of sigmoids, positive examples weighted."""
    return tf.nn.weighted_cross_entropy_with_logits(labels, logits, pos_weight, name)


def l2_normalize_v2(x: Any, axis: Any = None, epsilon: float = 1e-12, name: str | None = None) -> Any:
    """Slices divided by their lengths."""
    return tf.nn.l2_normalize(x, axis, epsilon, name)


def sufficient_statistics_v2(
    x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """Count, sum, sum of squares and shift, of which moments are made."""
    return tf.nn.sufficient_statistics(x=x, axes=axes, shift=shift, keep_dims=keepdims, name=name)


def moments_v2(x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None) -> Any:
    """Mean and variance."""
    return tf.nn.moments(x=x, axes=axes, shift=shift, name=name, keep_dims=keepdims)


def weighted_moments_v2(
    x: Any, axes: Any, frequency_weights: Any, keepdims: bool = False, name: str | None = None
) -> Any:
    """Mean and variance of weighted elements."""
    return tf.nn.weighted_moments(x, axes, frequency_weights, name, keep_dims=keepdims)


def conv1d_v2(
    input: Any, filters: Any, stride: Any, padding: str, data_format: str | None = "NWC", dilations: Any = None,
    name: str | None = None,
) -> Any:
    """A convolution over one dimension."""
    return tf.nn.conv1d(input, filters, stride, padding, data_format=data_format, name=name, dilations=dilations)


def conv2d_v2(
    input: Any, filters: Any, strides: Any, padding: Any, data_format: str = "NHWC", dilations: Any = None,
    name: str | None = None,
) -> Any:
    """A convolution over two dimensions."""
    return tf.nn.conv2d(
        input, filters, strides, padding, data_format=data_format, dilations=dilations or [1, 1, 1, 1], name=name
    )


def conv3d_v2(
    input: Any, filters: Any, strides: Any, padding: str, data_format: str = "NDHWC", dilations: Any = None,
    name: str | None = None,
) -> Any:
    """A convolution over three dimensions."""
    return tf.nn.conv3d(
        input, filters, strides, padding, data_format=data_format, dilations=dilations or [1] * 5, name=name
    )


def conv2d_transpose_v2(
    input: Any, filters: Any, output_shape: Any, strides: Any, padding: str = "SAME", data_format: str = "NHWC",
    dilations: Any = None, name: str | None = None,
) -> Any:
    """The transpose of a convolution over two dimensions."""
    return tf.nn.conv2d_transpose(
        input, filters, output_shape, strides, padding, data_format, name=name, dilations=dilations
    )


def conv3d_transpose_v2(
    input: Any, filters: Any, output_shape: Any, strides: Any, padding: str = "SAME", data_format: str = "NDHWC",
    dilations: Any = None, name: str | None = None,
) -> Any:
    """The transpose of a convolution over three dimensions."""
    return tf.nn.conv3d_transpose(
        input, filters, output_shape, strides, padding, data_format, name=name, dilations=dilations
    )


def convolution_v2(
    input: Any, filters: Any, strides: Any = None, padding: str = "VALID", data_format: str | None = None,
    dilations: Any = None, name: str | None = None,
) -> Any:
    """A convolution over one to three dimensions."""
    return tf.nn.convolution(
        input, filters, padding, strides=strides, dilation_rate=dilations, name=name, data_format=data_format
    )


def pool_v2(
    input: Any, window_shape: Any, pooling_type: str, strides: Any = None, padding: str = "VALID",
    data_format: str | None = None, dilations: Any = None, name: str | None = None,
) -> Any:
    """Pooling over one to three dimensions."""
    return tf.nn.pool(
        input=input, window_shape=window_shape, pooling_type=pooling_type, padding=padding, dilation_rate=dilations,
        strides=strides, name=name, data_format=data_format,
    )


def depthwise_conv2d_v2(
    input: Any, filter: Any, strides: Any, padding: str, data_format: str | None = None, dilations: Any = None,
    name: str | None = None,
) -> Any:
    """A convolution of each channel by itself."""
    return tf.nn.depthwise_conv2d(
        input=input, filter=filter, strides=strides, padding=padding, rate=dilations, name=name,
        data_format=data_format,
    )


def separable_conv2d_v2(
    input: Any, depthwise_filter: Any, pointwise_filter: Any, strides: Any, padding: str,
    data_format: str | None = None, dilations: Any = None, name: str | None = None,
) -> Any:
    """A convolution of each channel by itself, then of the channels at each point."""
    return tf.nn.separable_conv2d(
        input, depthwise_filter, pointwise_filter, strides, padding, rate=dilations, name=name,
        data_format=data_format,
    )


def batch_norm_with_global_normalization_v2(
    input: Any, mean: Any, variance: Any, beta: Any, gamma: Any, variance_epsilon: float,
    scale_after_normalization: bool, name: str | None = None,
) -> Any:
    """A batch normalized with given moments."""
    return tf.nn.batch_norm_with_global_normalization(
        t=input, m=mean, v=variance, beta=beta, gamma=gamma, variance_epsilon=variance_epsilon,
        scale_after_normalization=scale_after_normalization, name=name,
    )


def avg_pool2d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NHWC", name: str | None = None
) -> Any:
    """The means of regions of images."""
    return tf.nn.avg_pool(input, ksize, strides, padding, data_format, name="AvgPool2D" if name is None else name)


def _channels_last(data_format: str) -> None:
    if data_format != "NHWC":
        raise ValueError("Data formats other than NHWC are not yet supported")


def dilation2d_v2(
    input: Any, filters: Any, strides: Any, padding: str, data_format: str, dilations: Any, name: str | None = None
) -> Any:
    """The largest sums of regions of images and of filters."""
    _channels_last(data_format)
    return tf.nn.dilation2d(input, filters, strides, dilations, padding, name=name)


def erosion2d_v2(
    value: Any, filters: Any, strides: Any, padding: str, data_format: str, dilations: Any, name: str | None = None
) -> Any:
    """The least differences of regions of images and of filters."""
    _channels_last(data_format)
    return tf.nn.erosion2d(value, filters, strides, dilations, padding, name)


# strings


def reduce_join_v2(
    inputs: Any, axis: Any = None, keepdims: bool = False, separator: Any = "", name: str | None = None
) -> Any:
    """Strings joined along axes."""
    return tf.strings.reduce_join(inputs, axis, keep_dims=keepdims, separator=separator, name=name)


def substr_v2(input: Any, pos: Any, len: Any, unit: str = "BYTE", name: str | None = None) -> Any:
    """Pieces of strings."""
    return tf.strings.substr(input, pos, len, name=name, unit=unit)


# control flow


def while_loop_v2(
    cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any, shape_invariants: Any = None,
    parallel_iterations: int = 10, back_prop: bool = True, swap_memory: bool = False, maximum_iterations: Any = None,
    name: str | None = None,
) -> Any:
    """A loop whose variables come back in their structure."""
    return tf.while_loop(
        cond, body, loop_vars, shape_invariants, parallel_iterations, back_prop, swap_memory, name,
        maximum_iterations, True,
    )


def cond_for_tf_v2(pred: Any, true_fn: Any = None, false_fn: Any = None, name: str | None = None) -> Any:
    """A conditional whose results come back in their structure."""
    return tf.cond(pred, true_fn=true_fn, false_fn=false_fn, strict=True, name=name)


def case_v2(
    pred_fn_pairs: Any, default: Any = None, exclusive: bool = False, strict: bool = False, name: str = "case"
) -> Any:
    """The function of the first predicate that is true."""
    return tf.case(pred_fn_pairs, default, exclusive, strict, name)


def tuple_v2(tensors: Any, control_inputs: Any = None, name: str | None = None) -> Any:
    """Tensors that are there when all of them are."""
    return tf.tuple(tensors, name, control_inputs)


# gradients


def gradients_v2(
    ys: Any, xs: Any, grad_ys: Any = None, name: str = "gradients", gate_gradients: bool = False,
    aggregation_method: int | None = None, stop_gradients: Any = None,
    unconnected_gradients: Any = tf.UnconnectedGradients.NONE,
) -> Any:
    """Gradients, each op's with the op."""
    return tf.gradients(
        ys, xs, grad_ys, name, True, gate_gradients, aggregation_method, stop_gradients, unconnected_gradients
    )


def HessiansV2(
    ys: Any, xs: Any, gate_gradients: bool = False, aggregation_method: int | None = None, name: str = "hessians"
) -> Any:
    """Second derivatives, each op's with the op."""
    return tf.hessians(ys, xs, name, True, gate_gradients, aggregation_method)


def is_constant(tensor_or_op: Any) -> bool:
    """Whether a tensor is that of a Const node."""
    op = tensor_or_op.op if isinstance(tensor_or_op, tf.Tensor) else tensor_or_op
    return op.type == "Const"


def shape_tensor(shape: Any) -> Any:
    """A shape as a tensor, of int32 unless one of its sizes is an int64 tensor."""
    dtype = None
    if isinstance(shape, (tuple, list)):
        known = [item.value if isinstance(item, tf.Dimension) else item for item in shape]
        dtype = None if known and any(isinstance(item, tf.Tensor) for item in known) else tf.int32
        shape = known
    return tf.convert_to_tensor(shape, dtype=dtype, name="shape")


def maybe_set_static_shape(tensor: Any, shape: Any) -> None:
    """Tells a tensor its shape, where that is known."""
    if not tensor.shape.is_fully_defined() and isinstance(shape, tf.Tensor):
        known = shape_rules.constant(shape)
        if known is not None:
            tensor.set_shape(known.tolist())

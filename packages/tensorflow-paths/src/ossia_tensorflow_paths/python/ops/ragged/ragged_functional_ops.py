"""The functions of `ops.ragged`, which the public ones call where a value is ragged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_ragged import (
    dynamic_shape,
    gathering,
    joining,
    partitions,
    reduction,
    repeats,
    rows,
    segments,
    selection,
    shapes,
    tiling,
)

RaggedTensorDynamicShape = dynamic_shape.DynamicShape
batch_gather = gathering.batch_gather
gather_nd = gathering.gather_nd
where = selection.where
concat = joining.concat
stack = joining.stack
boolean_mask = selection.boolean_mask
expand_dims = shapes.expand_dims
ragged_one_hot = shapes.one_hot
rank = tf.rank
squeeze = shapes.squeeze
tile = tiling.tile
repeat_ranges = repeats.repeat_ranges
lengths_to_splits = partitions.splits_of_lengths
is_ragged = rows.is_ragged
segment_max = segments.unsorted_segment_max
segment_mean = segments.unsorted_segment_mean
segment_min = segments.unsorted_segment_min
segment_prod = segments.unsorted_segment_prod
segment_sqrt_n = segments.unsorted_segment_sqrt_n
segment_sum = segments.unsorted_segment_sum


def auto_cast_partition_dtype() -> bool:
    """Whether row splits of unlike dtypes are made alike: they are not, unless a program asks for it."""
    return False


def from_tensor(
    tensor: Any, lengths: Any = None, padding: Any = None, ragged_rank: int = 1, name: str | None = None,
    row_splits_dtype: Any = tf.int64,
) -> Any:
    """A tensor as a ragged one, as `RaggedTensor.from_tensor` makes it; a ragged one is returned as it is."""
    if is_ragged(tensor):
        return tensor
    return tf.RaggedTensor.from_tensor(tensor, lengths, padding, ragged_rank, name, row_splits_dtype)


def to_tensor(rt_input: Any, default_value: Any = None, name: str | None = None) -> Any:
    """A ragged tensor with its rows filled up; a dense one is returned as it is."""
    return rt_input.to_tensor(default_value, name) if is_ragged(rt_input) else rt_input


def to_sparse(rt_input: Any, name: str | None = None) -> Any:
    """A ragged tensor as a sparse one."""
    return rt_input.to_sparse(name)


def from_sparse(st_input: Any, name: str | None = None, row_splits_dtype: Any = tf.int64) -> Any:
    """A sparse tensor whose rows have no gaps as a ragged one."""
    return tf.RaggedTensor.from_sparse(st_input, name, row_splits_dtype)


def match_row_splits_dtypes(*tensors: Any, **kwargs: Any) -> Any:
    """The tensors, the ragged ones among them with row splits of one dtype.

    Args:
        *tensors: Values of any kind.
        **kwargs: `return_dtype`, whether the dtype is returned too.
    """
    return_dtype = kwargs.pop("return_dtype", False)
    if kwargs:
        raise ValueError(f"Unexpected keyword args {list(kwargs)}")
    matched = rows.same_row_splits_dtypes(*tensors)
    if not return_dtype:
        return matched
    return next((item.row_splits.dtype for item in matched if is_ragged(item)), None), matched


def ragged_tensor_getitem(self: Any, key: Any) -> Any:
    """`self[key]`."""
    return self[key]


def gather(
    params: Any, indices: Any, validate_indices: Any = None, axis: int = 0, batch_dims: int = 0, name: str | None = None
) -> Any:
    """The rows of a tensor that indices name."""
    return gathering.gather(params, indices, validate_indices, name, axis, batch_dims)


def size(input: Any, out_type: Any = tf.int32, name: str | None = None) -> Any:
    """The number of values."""
    return shapes.size(input, name, out_type) if is_ragged(input) else tf.size(input, name, out_type)


def convert_to_tensor_or_ragged_tensor(
    value: Any, dtype: Any = None, preferred_dtype: Any = None, name: str | None = None
) -> Any:
    """A value as a tensor, or as the ragged tensor that it is."""
    return rows.tensor_or_ragged(value, dtype, name, preferred_dtype)


def repeat(data: Any, repeats: Any, axis: int, name: str | None = None) -> Any:
    """A tensor whose slices along an axis are repeated."""
    return tf.repeat(data, repeats, axis, name)


def _reducing(reduce: Callable[..., Any]) -> Callable[..., Any]:
    def reduced(input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None) -> Any:
        return reduce(input_tensor, axis, keepdims, name)

    reduced.__doc__ = reduce.__doc__
    return reduced


reduce_all = _reducing(reduction.reduce_all)
reduce_any = _reducing(reduction.reduce_any)
reduce_max = _reducing(reduction.reduce_max)
reduce_mean = _reducing(reduction.reduce_mean)
reduce_min = _reducing(reduction.reduce_min)
reduce_prod = _reducing(reduction.reduce_prod)
reduce_sum = _reducing(reduction.reduce_sum)


def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Any:
    """The shape to which both broadcast."""
    return dynamic_shape.broadcast_dynamic_shape(shape_x, shape_y)


def broadcast_to(rt_input: Any, shape: Any, broadcast_inner_dimensions: bool = True) -> Any:
    """A tensor or ragged tensor broadcast to a shape, in its innermost dimensions only if that is asked for."""
    found = rows.tensor_or_ragged(rt_input)
    if shape.num_partitioned_dimensions:
        found = dynamic_shape.broadcast_to(found, shape)
    if not broadcast_inner_dimensions or shape.num_inner_dimensions == 0:
        return found
    if not is_ragged(found):
        return tf.broadcast_to(found, shape.inner_dim_sizes)
    rows_of_values = tf.cast(tf.shape(found.flat_values)[:1], shape.dim_size_dtype)
    sizes = tf.concat([rows_of_values, shape.inner_dim_sizes], 0)
    return found.with_flat_values(tf.broadcast_to(found.flat_values, sizes))


def batch_gather_with_default(params: Any, indices: Any, default_value: Any = "", name: str | None = None) -> Any:
    """From each row of `params` the elements that the same row of `indices` names, or a default beyond its end.

    Args:
        params: A tensor or ragged tensor with as many dimensions as `indices`, or more.
        indices: A tensor or ragged tensor of integers.
        default_value: A scalar.
        name: The scope of the ops.
    """
    with tf.name_scope(name, "RaggedBatchGatherWithDefault"):
        params = convert_to_tensor_or_ragged_tensor(params, name="params")
        indices = convert_to_tensor_or_ragged_tensor(indices, name="indices")
        default = convert_to_tensor_or_ragged_tensor(default_value, name="default_value")
        with tf.control_dependencies([tf.debugging.assert_greater_equal(tf.rank(params), tf.rank(indices))]):
            ends = _row_ends(params)
        default = tf.cast(default, params.dtype)
        if is_ragged(params):
            first = tf.fill(tf.stack([tf.shape(ends)[0], 1]), default)
            ends = tf.gather(ends, indices.value_rowids()) if is_ragged(indices) else ends[:, tf.newaxis]
        else:
            first = tf.fill(tf.concat([tf.shape(params)[:-1], [1]], 0), default)
            ends = ends[..., tf.newaxis]
        params = concat([first, params], axis=1 if is_ragged(params) else -1)
        found = indices.values if is_ragged(indices) else indices
        found = tf.where_v2(found < tf.cast(ends, found.dtype), found + 1, tf.zeros_like(found))
        return batch_gather(params, indices.with_values(found) if is_ragged(indices) else found)


def _row_ends(params: Any) -> Any:
    """How many elements the rows of a tensor have along its last dimension, or a ragged one along its second."""
    if is_ragged(params):
        return params.row_lengths()
    return tf.fill(tf.shape(params)[:-1], tf.shape(params)[-1])


def get_positive_axis(axis: Any, ndims: int | None) -> int:
    """An axis counted from the first.

    Raises:
        TypeError: It is no int.
        ValueError: There is no such axis, or it is negative and the number of dimensions not known.
    """
    if not isinstance(axis, int):
        raise TypeError(f"axis must be an int; got {type(axis).__name__}")
    if ndims is None:
        if axis < 0:
            raise ValueError("axis may only be negative if ndims is statically known.")
        return axis
    if not -ndims <= axis < ndims:
        raise ValueError(f"axis={axis} out of bounds: expected {-ndims}<=axis<{ndims}")
    return axis % ndims


def convert_to_int_tensor(tensor: Any, name: str, dtype: Any = tf.int32) -> Any:
    """A value as a tensor of integers.

    Raises:
        TypeError: It has no integers.
    """
    tensor = tf.convert_to_tensor(tensor, name=name, preferred_dtype=dtype)
    if not tensor.dtype.is_integer:
        raise TypeError(f"{name} must be an integer tensor; dtype={tensor.dtype}")
    return tf.cast(tensor, dtype)


def assert_splits_match(nested_splits_lists: list) -> list:
    """Operations that fail unless lists of nested row splits are equal.

    Raises:
        ValueError: Their ragged ranks differ.
    """
    message = "Inputs must have identical ragged splits"
    first, *others = nested_splits_lists
    if any(len(splits) != len(first) for splits in others):
        raise ValueError(message)
    return [
        tf.debugging.assert_equal(mine, theirs, message=message)
        for splits in others for mine, theirs in zip(first, splits, strict=True)
    ]

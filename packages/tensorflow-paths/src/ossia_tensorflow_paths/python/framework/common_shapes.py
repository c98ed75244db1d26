"""`common_shapes`: shapes of results from those of arguments, as functions of nodes and of shapes."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import ossia as tf


def has_fully_defined_shape(tensor: Any) -> bool:
    """Whether all sizes of a tensor are known."""
    return tensor.shape.is_fully_defined()


def rank(tensor: Any) -> int | None:
    """The number of dimensions of a tensor, None if it is not known."""
    return tf.convert_to_tensor(tensor).shape.ndims


def scalar_shape(unused_op: Any) -> list[tf.TensorShape]:
    """The shape of one scalar."""
    return [tf.TensorShape([])]


def unchanged_shape(op: Any) -> list[tf.TensorShape]:
    """The shape of the first argument."""
    return [op.inputs[0].shape]


def unchanged_shape_with_rank(rank: int) -> Callable[[Any], list[tf.TensorShape]]:
    """The shape of the first argument, which has to be of a rank."""
    return lambda op: [op.inputs[0].shape.with_rank(rank)]


def unchanged_shape_with_rank_at_least(rank: int) -> Callable[[Any], list[tf.TensorShape]]:
    """The shape of the first argument, which has to be of a rank or a higher one."""
    return lambda op: [op.inputs[0].shape.with_rank_at_least(rank)]


def unchanged_shape_with_rank_at_most(rank: int) -> Callable[[Any], list[tf.TensorShape]]:
    """The shape of the first argument, which has to be of a rank or a lower one."""
    return lambda op: [op.inputs[0].shape.with_rank_at_most(rank)]


def no_outputs(unused_op: Any) -> list[tf.TensorShape]:
    """The shapes of no results."""
    return []


def unknown_shape(op: Any) -> list[tf.TensorShape]:
    """Unknown shapes, one for each result."""
    return [tf.TensorShape(None) for _ in op.outputs]


def call_cpp_shape_fn(op: Any, require_shape_fn: bool = True) -> list[tf.TensorShape]:
    """The shapes that the results of a node have."""
    return [output.shape for output in op.outputs]


def matmul_shape(op: Any) -> list[tf.TensorShape]:
    """The shape of a product of matrices."""
    a, b = (t.shape.with_rank(2) for t in op.inputs)
    a_rows, a_inner = reversed(a.dims) if op.get_attr("transpose_a") else a.dims
    b_inner, b_columns = reversed(b.dims) if op.get_attr("transpose_b") else b.dims
    a_inner.assert_is_compatible_with(b_inner)
    return [tf.TensorShape([a_rows, b_columns])]


def get_conv_output_size(
    input_size: tuple[Any, ...], filter_size: tuple[Any, ...], strides: tuple[int, ...], padding_type: bytes
) -> tuple[Any, ...]:
    """The sizes of what a window gives that moves over an input.

    Raises:
        ValueError: The window is larger than the input, or smaller than its steps.
    """
    sizes = [tf.Dimension(size).value for size in input_size]
    windows = [tf.Dimension(size).value for size in filter_size]
    if any(w is not None and s is not None and w > s for w, s in zip(windows, sizes, strict=True)):
        raise ValueError(f"Filter must not be larger than the input: Filter: {filter_size} Input: {input_size}")
    if any(w is not None and step > w for w, step in zip(windows, strides, strict=True)):
        raise ValueError(f"Stride must be less than or equal to filter: Stride: {strides} Filter: {filter_size}")
    found: list[int | None] = []
    for size, window, step in zip(sizes, windows, strides, strict=True):
        if padding_type == b"VALID":
            known = None if size is None or window is None else (size - window + step) // step
        elif padding_type == b"SAME":
            known = None if size is None else (size + step - 1) // step
        else:
            raise ValueError(f"Invalid padding: {padding_type!r}")
        found.append(known)
    return tuple(found)


def get2d_conv_output_size(
    input_height: Any, input_width: Any, filter_height: Any, filter_width: Any, row_stride: int, col_stride: int,
    padding_type: bytes,
) -> tuple[Any, ...]:
    """`get_conv_output_size` for two dimensions."""
    return get_conv_output_size(
        (input_height, input_width), (filter_height, filter_width), (row_stride, col_stride), padding_type
    )


def _broadcast(shape_x: tf.TensorShape, shape_y: tf.TensorShape) -> list[tf.Dimension] | None:
    """The sizes of two shapes together; None if they do not fit."""
    one, found = tf.Dimension(1), []
    for x, y in itertools.zip_longest(reversed(list(shape_x)), reversed(list(shape_y)), fillvalue=one):
        if x.value is None or y.value is None:
            # An unknown size is 1 or the other size, unless that is 1 too or not known either.
            known = next((d for d in (x, y) if d.value is not None and d.value > 1), None)
            found.append(tf.Dimension(None) if known is None else known)
        elif x.value == 1:
            found.append(y)
        elif y.value in (1, x.value):
            found.append(x)
        else:
            return None
    return found[::-1]


def is_broadcast_compatible(shape_x: tf.TensorShape, shape_y: tf.TensorShape) -> bool:
    """Whether two shapes are known to fit together."""
    if shape_x.ndims is None or shape_y.ndims is None:
        return False
    return _broadcast(shape_x, shape_y) is not None


def broadcast_shape(shape_x: tf.TensorShape, shape_y: tf.TensorShape) -> tf.TensorShape:
    """The shape of two shapes together.

    Raises:
        ValueError: They do not fit.
    """
    if shape_x.ndims is None or shape_y.ndims is None:
        return tf.TensorShape(None)
    found = _broadcast(shape_x, shape_y)
    if found is None:
        raise ValueError(f"Incompatible shapes for broadcasting: {shape_x} and {shape_y}")
    return tf.TensorShape(found)

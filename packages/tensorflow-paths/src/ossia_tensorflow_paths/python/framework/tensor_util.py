"""Shapes, static values and seeds under the names that `tensor_shape`, `tensor_util` and others give them."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.graph.static_value import static_shape
from ossia_core.proto import TensorProto
from ossia_nn.metrics import accumulation

constant_value = tf.get_static_value
MakeNdarray = tf.make_ndarray
DEFAULT_GRAPH_SEED = 87654321
_remove_squeezable_dimensions = accumulation.aligned


def constant_value_as_shape(tensor: Any) -> tf.TensorShape:
    """The shape that a tensor holds, as far as it is known without a run."""
    return static_shape(tensor)


def as_shape(shape: Any) -> tf.TensorShape:
    """`shape` as a TensorShape."""
    return shape if isinstance(shape, tf.TensorShape) else tf.TensorShape(shape)


def as_dimension(value: Any) -> tf.Dimension:
    """`value` as a Dimension."""
    return value if isinstance(value, tf.Dimension) else tf.Dimension(value)


def unknown_shape(rank: int | None = None, **kwargs: Any) -> tf.TensorShape:
    """A shape of which nothing is known, or its rank alone."""
    rank = kwargs.pop("ndims", rank)
    if kwargs:
        raise TypeError(f"Unknown arguments: {sorted(kwargs)}")
    return tf.TensorShape(None if rank is None else [None] * rank)


def scalar() -> tf.TensorShape:
    """The shape of a scalar."""
    return tf.TensorShape([])


def vector(length: Any) -> tf.TensorShape:
    """The shape of a vector."""
    return tf.TensorShape([length])


def matrix(rows: Any, cols: Any) -> tf.TensorShape:
    """The shape of a matrix."""
    return tf.TensorShape([rows, cols])


def ShapeEquals(tensor_proto: Any, shape: Any) -> bool:
    """Whether a TensorProto has the shape given.

    Raises:
        TypeError: `tensor_proto` is none, or `shape` neither a proto nor a list or tuple.
    """
    if not isinstance(tensor_proto, TensorProto):
        raise TypeError("tensor_proto is not a tensor_pb2.TensorProto object")
    if hasattr(shape, "dim"):
        shape = [d.size for d in shape.dim]
    elif not isinstance(shape, (list, tuple)):
        raise TypeError("shape is not a list or tuple")
    return [d.size for d in tensor_proto.tensor_shape.dim] == list(shape)


# common_shapes
broadcast_shape = tf.broadcast_static_shape


def rank(tensor: Any) -> int | None:
    """The number of dimensions of a tensor, if it is known."""
    return tensor.shape.ndims if isinstance(tensor, tf.Tensor) else None


def has_fully_defined_shape(tensor: Any) -> bool:
    """Whether all sizes of a tensor are known."""
    return tensor.shape.is_fully_defined()


def is_broadcast_compatible(shape_x: tf.TensorShape, shape_y: tf.TensorShape) -> bool:
    """Whether shapes, both of known rank, broadcast as far as their sizes are known."""
    if shape_x.ndims is None or shape_y.ndims is None:
        return False
    pairs = zip(reversed(shape_x.as_list()), reversed(shape_y.as_list()), strict=False)
    return all(None in pair or 1 in pair or pair[0] == pair[1] for pair in pairs)

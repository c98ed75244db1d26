"""`tf.sparse_placeholder`: three placeholders that are fed together."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import Dimension, TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.source import placeholder


@public("sparse_placeholder", "sparse.placeholder")
def sparse_placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> SparseTensor:
    """A sparse tensor that every run must feed, with a SparseTensorValue or a tuple (indices, values, dense_shape).

    Args:
      dtype: dtype of the elements.
      shape: shape of the whole; if it is given in full, it is not fed.
      name: prefix of the nodes' names.

    Raises:
      ValueError: `shape` has no known rank.
    """
    def named(part: str) -> str | None:
        return None if name is None else f"{name}/{part}"
    if shape is None:
        rank = None
        dense_shape = placeholder(dtypes.int64, [None], named("shape"))
    elif isinstance(shape, Tensor):
        rank = shape.shape.as_list()[0]
        dense_shape = convert_to_tensor(shape, name=named("shape"))
    else:
        sizes = shape.as_list() if isinstance(shape, TensorShape) else list(shape)
        rank = len(sizes)
        if any(isinstance(size, str) for size in sizes):
            raise TypeError(f"The shape {shape!r} should consist of numbers")
        if any(size is None or isinstance(size, Dimension) and size.value is None for size in sizes):
            dense_shape = placeholder(dtypes.int64, [rank], named("shape"))
        else:
            dense_shape = convert_to_tensor(
                shape if isinstance(shape, TensorShape) else sizes, dtypes.int64, named("shape")
            )
    values = placeholder(dtype, [None], named("values"))
    indices = placeholder(dtypes.int64, [None, rank], named("indices"))
    return SparseTensor(indices, values, dense_shape)

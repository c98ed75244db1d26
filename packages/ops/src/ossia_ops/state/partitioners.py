"""Partitioners: into how many parts a variable of some shape is divided, for variable scopes and layers."""

from __future__ import annotations

import math
from typing import Any

from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.variables.partition import Partitioner


@public("fixed_size_partitioner")
def fixed_size_partitioner(num_shards: int, axis: int = 0) -> Partitioner:
    """A partitioner into `num_shards` parts along `axis`, fewer if the axis is shorter."""

    def partitioner(shape: TensorShape, **_: Any) -> list[int]:
        parts = [1] * shape.ndims  # type: ignore[operator]
        parts[axis] = min(num_shards, shape.as_list()[axis])  # type: ignore[type-var]
        return parts

    return partitioner


@public("variable_axis_size_partitioner")
def variable_axis_size_partitioner(
    max_shard_bytes: int, axis: int = 0, bytes_per_string_element: int = 16, max_shards: int | None = None
) -> Partitioner:
    """A partitioner along `axis` into parts of at most `max_shard_bytes`.

    Args:
      max_shard_bytes: bytes a part may have; a single slice larger than that is a part of its own.
      axis: the axis to divide.
      bytes_per_string_element: size to reckon with for strings.
      max_shards: the most parts; it wins over `max_shard_bytes`.

    Raises:
      ValueError: a limit is less than 1.
    """
    if max_shard_bytes < 1 or bytes_per_string_element < 1:
        raise ValueError("Both max_shard_bytes and bytes_per_string_element must be positive.")
    if max_shards and max_shards < 1:
        raise ValueError("max_shards must be positive.")

    def partitioner(shape: TensorShape, dtype: Any) -> list[int]:
        dims, element = _known_dims(shape), _element_bytes(dtype, bytes_per_string_element)
        slice_bytes = math.prod(dims) / dims[axis] * element
        slices_per_shard = max(1, math.floor(max_shard_bytes / slice_bytes))
        shards = math.ceil(dims[axis] / slices_per_shard)
        parts = [1] * len(dims)
        parts[axis] = min(max_shards, shards) if max_shards else shards
        return parts

    return partitioner


@public("min_max_variable_partitioner")
def min_max_variable_partitioner(
    max_partitions: int = 1, axis: int = 0, min_slice_size: int = 256 << 10, bytes_per_string_element: int = 16
) -> Partitioner:
    """A partitioner along `axis` into at most `max_partitions` parts of at least `min_slice_size` bytes (strings
    reckoned at `bytes_per_string_element` each)."""

    def partitioner(shape: TensorShape, dtype: Any) -> list[int]:
        dims = _known_dims(shape)
        if axis < 0 or axis >= len(dims):
            raise ValueError(f"Can not partition variable along axis {axis} when shape is only {shape}")
        total = math.prod(dims) * _element_bytes(dtype, bytes_per_string_element)
        parts = [1] * len(dims)
        parts[axis] = max(1, min(dims[axis], max_partitions, math.ceil(total / min_slice_size)))
        return parts

    return partitioner


def _known_dims(shape: TensorShape) -> list[int]:
    if not isinstance(shape, TensorShape):
        raise ValueError(f"shape is not a TensorShape: {shape}")
    if not shape.is_fully_defined():
        raise ValueError(f"shape is not fully defined: {shape}")
    return shape.as_list()  # type: ignore[return-value]


def _element_bytes(dtype: Any, bytes_per_string: int) -> int:
    dtype = dtypes.as_dtype(dtype).base_dtype
    return bytes_per_string if dtype is dtypes.string else dtype.size

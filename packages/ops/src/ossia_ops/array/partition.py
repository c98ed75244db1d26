"""Tensors distributed over several by an index, and merged again."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op, sample
from ossia_core.declare.shape_rules import constant as constant_value
from ossia_core.declare.shape_rules import merge, merge_prefix
from ossia_core.graph.composites import IndexedSlices
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.tensor import Tensor
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import reshape, shape
from ossia_ops.math.cast import cast

dynamic_partition_op = op("DynamicPartition(data: T, partitions: int32) -> outputs: num_partitions * T",
                          num_partitions="int >= 1", T="type")


@dynamic_partition_op.shape
def _(data, partitions, *, num_partitions):
    a, b = data.shape.as_tuple(), partitions.shape.as_tuple()
    if a is None or b is None:
        return [None] * num_partitions
    merge_prefix(data, partitions)
    return [(None, *a[len(b):])] * num_partitions


@dynamic_partition_op.kernel
def _(data, partitions, *, num_partitions):
    if data.shape[:partitions.ndim] != partitions.shape:
        raise InvalidArgumentError(
            None,
            None,
            f"data.shape must start with partitions.shape, got data.shape = {dims_text(data.shape)}, "
            f"partitions.shape = {dims_text(partitions.shape)}",
        )
    index = partitions.reshape(-1)
    bad = np.flatnonzero((index < 0) | (index >= num_partitions))
    if bad.size:
        place = dims_text(np.unravel_index(bad[0], partitions.shape)) if partitions.ndim else ""
        raise InvalidArgumentError(
            None, None, f"partitions{place} = {index[bad[0]]} is not in [0, {num_partitions})"
        )
    rows = data.reshape(index.shape + data.shape[partitions.ndim:])
    return [rows[index == i] for i in range(num_partitions)]


@dynamic_partition_op.gradient
def _(node, *grads):
    data, indices = node.inputs
    number = node.get_attr("num_partitions")
    prefix = shape(indices)
    from ossia_ops.math.reduction import reduce_prod
    original = reshape(lookup("Range")(0, reduce_prod(prefix), 1, name="range"), prefix)
    partitioned = dynamic_partition(original, indices, number)
    reconstructed = dynamic_stitch_op(partitioned, list(grads))
    return [reshape(reconstructed, shape(data)), None]


dynamic_partition_op.samples(
    rows=sample([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [0, 1, 0], num_partitions=2),
    none=sample([1, 2], [1, 1], num_partitions=2),
)


@public("dynamic_partition")
@dispatches
def dynamic_partition(data: Any, partitions: Any, num_partitions: int, name: str | None = None) -> list[Tensor]:
    """The rows of `data` distributed over `num_partitions` tensors: row `i` goes to number `partitions[i]`.

    Args:
      data: a tensor whose shape starts with that of `partitions`.
      partitions: an int32 tensor of numbers below `num_partitions`.
      num_partitions: how many tensors to make.
      name: name of the results.
    """
    return dynamic_partition_op(data, partitions, num_partitions=num_partitions, name=name)


def _stitched_shape(indices, data):
    extra: Any = None
    highest, known = 1, True
    for index, value in zip(indices, data):
        found = constant_value(index)
        if found is None:
            known = False
        elif found.size:
            highest = max(highest, int(found.max()) + 1)
        a, b = value.shape.as_tuple(), index.shape.as_tuple()
        if a is None or b is None:
            continue
        merge_prefix(value, index)
        rest = TensorShape(a[len(b):])
        extra = rest if extra is None else merge(extra, rest)
    return None if extra is None else (highest if known else None, *extra.as_list())


def _stitched(indices: Any, data: Any) -> Any:
    parts = []
    for i, (index, value) in enumerate(zip(indices, data)):
        index, value = np.asarray(index), np.asarray(value)
        if value.shape[:index.ndim] != index.shape:
            raise InvalidArgumentError(
                None,
                None,
                f"data[{i}].shape = {dims_text(value.shape)} does not start with indices[{i}].shape = "
                f"{dims_text(index.shape)}",
            )
        parts.append((index.reshape(-1), value.reshape((index.size,) + value.shape[index.ndim:])))
    size = max((int(index.max()) + 1 for index, _ in parts if index.size), default=0)
    first = parts[0][1]
    if not size:  # negative indices are refused only beside others
        return np.zeros((0, *first.shape[1:]), first.dtype)
    for i, (index, value) in enumerate(parts):
        if value.shape[1:] != first.shape[1:]:
            raise InvalidArgumentError(
                None,
                None,
                f"Need data[0].shape[1:] = data[{i}].shape[1:], got {dims_text(first.shape)} and "
                f"{dims_text(value.shape)}",
            )
        if index.size and index.min() < 0:
            raise InvalidArgumentError(None, None, f"indices[{i}] is out of range")
    sizes.allocatable((size, *first.shape[1:]), first.dtype.itemsize)
    kept = (size, *first.shape[1:])
    result = np.full(kept, b"", object) if first.dtype == object else np.zeros(kept, first.dtype)
    for index, value in parts:
        result[index] = value
    return result


def _stitch_gradient(node: Any, grad: Any) -> list:
    count = len(node.inputs) // 2
    indices = [_int32(index) for index in node.inputs[:count]]
    if isinstance(grad, IndexedSlices):
        grad = lookup("UnsortedSegmentSum")(grad.values, grad.indices, shape(node.outputs[0])[0])
    gather = lookup("GatherV2")
    return [None] * count + [gather(grad, index, 0) for index in indices]


def _int32(index: Tensor) -> Tensor:
    from ossia_core.names import dtypes
    return cast(index, dtypes.int32)


dynamic_stitch_op = op("DynamicStitch(indices: N * int32, data: N * T) -> merged: T", N="int >= 1", T="type")


dynamic_stitch_op.shape(_stitched_shape)
dynamic_stitch_op.kernel(_stitched)
dynamic_stitch_op.gradient(_stitch_gradient)
dynamic_stitch_op.samples(rows=([[0, 2], [1]], [[[1., 2.], [5., 6.]], [[3., 4.]]]), twice=([0, [0]], [1, [2]]),
                        gaps=([[0, 2]], [[b"a", b"b"]]))


@public("dynamic_stitch")
def dynamic_stitch(indices: Any, data: Any, name: str | None = None) -> Tensor:
    """One tensor of the rows of several: row `indices[m][i]` is `data[m][i]`, the last one where an index occurs twice.

    Args:
      indices: a list of int32 tensors.
      data: a list of as many tensors, whose shapes start with those of the indices.
      name: name of the result.
    """
    return dynamic_stitch_op(indices, data, name=name)


parallel_dynamic_stitch_op = op("ParallelDynamicStitch(indices: N * int32, data: N * T) -> merged: T", N="int >= 1",
                                T="type")


@parallel_dynamic_stitch_op.shape
def _(indices, data):
    found = _stitched_shape(indices, data)
    return found if found is None else (None, *found[1:]) if found[0] is None else found


parallel_dynamic_stitch_op.kernel(_stitched)
parallel_dynamic_stitch_op.gradient(_stitch_gradient)
parallel_dynamic_stitch_op.samples(rows=([[0, 2], [1]], [[[1., 2.], [5., 6.]], [[3., 4.]]]))

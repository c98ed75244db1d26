"""The rank and size of ragged tensors, dimensions added and removed, and one-hot vectors."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import constant
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.primitives.identity import with_dependencies
from ossia_ops.array.one_hot import one_hot as dense_one_hot
from ossia_ops.array.shape import expand_dims as dense_expand_dims
from ossia_ops.array.shape import rank as dense_rank
from ossia_ops.array.shape import size as dense_size
from ossia_ops.array.shape import squeeze as dense_squeeze
from ossia_ops.array.stacking import stack
from ossia_ops.math.comparison import equal
from ossia_ops.math.reduction import reduce_all
from ossia_ops.math.sequence import range as range_of
from ossia_ragged.axes import positive_axis
from ossia_ragged.rows import Rows, tensor_or_ragged
from ossia_ragged.tensor import RaggedTensor


def rank(input: Any, name: str | None = None) -> Tensor:
    """The number of dimensions."""
    with name_scope(name, "RaggedRank", [input]):
        input = tensor_or_ragged(input, name="input")
        return input.ragged_rank + dense_rank(input.flat_values)


def size(input: Any, name: str | None = None, out_type: Any = dtypes.int32) -> Tensor:
    """The number of values."""
    return dense_size(tensor_or_ragged(input).flat_values, out_type=out_type, name=name)


def expand_dims(input: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Any:
    """A ragged tensor with a new dimension of size 1 at `axis`."""
    if axis is None:
        axis = dim
    with name_scope(name, "RaggedExpandDims", [input]):
        input = tensor_or_ragged(input, name="input")
        if not isinstance(input, Rows):
            return dense_expand_dims(input, axis)
        known = input.shape.ndims
        axis = positive_axis(axis, None if known is None else known + 1)
        if axis == 0:
            return RaggedTensor(input, stack([0, input.nrows()]), internal=True)
        if axis == 1:
            return RaggedTensor(input, range_of(input.nrows() + 1), internal=True)
        return RaggedTensor(expand_dims(input.values, axis - 1), input.row_splits, internal=True)


def squeeze(input: Any, axis: Any = None, name: str | None = None, squeeze_dims: Any = None) -> Any:
    """A ragged tensor without the dimensions of size 1 that `axis` lists; a run checks that they are."""
    if axis is None:
        axis = squeeze_dims
    with name_scope(name, "RaggedSqueeze", [input]):
        input = tensor_or_ragged(input)
        if axis is None:
            raise ValueError("Ragged.squeeze must have an axis argument.")
        if isinstance(axis, int):
            axis = [axis]
        elif not isinstance(axis, (list, tuple)):
            raise TypeError("Axis must be a list or tuple of integers.")
        known = [positive_axis(one, input.shape.ndims) for one in axis]
        dense = [one - input.ragged_rank for one in known if one > input.ragged_rank]
        ragged = {one for one in known if one <= input.ragged_rank}
        one = constant(1, dtype=input.row_splits.dtype)
        checks = [_squeezable(reduce_all(equal(lengths, one)), i)
                  for i, lengths in enumerate(input.nested_row_lengths(), 1) if i in ragged]
        if 0 in ragged:
            two = constant(2, dtype=dtypes.int32)
            checks.append(_squeezable(equal(dense_size(input.row_splits), two), 0))
        result = with_dependencies(checks, input.flat_values)
        if dense:
            result = dense_squeeze(result, dense)
        left = [splits for i, splits in enumerate(input.nested_row_splits, 1) if i not in ragged]
        if left and 0 in ragged:
            left = left[1:]
        result = RaggedTensor.from_nested_row_splits(result, left) if left else result
        if set(range(input.ragged_rank + 1)) <= ragged:
            result = dense_squeeze(result, [0])
        return result


def _squeezable(condition: Tensor, axis: int) -> Any:
    return builder("debugging.Assert")(condition, [f"the given axis (axis = {axis}) is not squeezable!"])


def one_hot(
    indices: Any, depth: Any, on_value: Any = None, off_value: Any = None, axis: Any = None, dtype: Any = None,
    name: str | None = None,
) -> Any:
    """One-hot vectors for all values of a ragged tensor, in a new dimension after the ragged ones."""
    with name_scope(name, "RaggedOneHot", [indices]):
        indices = tensor_or_ragged(indices, name="indices")
        if axis is not None:
            axis = positive_axis(axis, indices.shape.ndims)
            if axis < indices.ragged_rank:
                raise ValueError("axis may not be less than indices.ragged_rank.")
        return indices.with_flat_values(
            dense_one_hot(indices.flat_values, depth, on_value, off_value, axis, dtype, name))

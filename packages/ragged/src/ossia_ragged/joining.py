"""Ragged tensors joined along a dimension, or stacked along a new one."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_ops.array.concat import concat as dense_concat
from ossia_ops.array.shape import reshape
from ossia_ops.array.stacking import stack as dense_stack
from ossia_ops.array.transposition import transpose
from ossia_ops.math.sequence import range as range_of
from ossia_ragged.axes import positive_axis
from ossia_ragged.gathering import gather
from ossia_ragged.mapping import identical_rows
from ossia_ragged.partitions import splits_of_lengths
from ossia_ragged.rows import Rows, same_row_splits_dtypes, tensor_or_ragged
from ossia_ragged.shapes import expand_dims
from ossia_ragged.tensor import RaggedTensor


def concat(values: Any, axis: Any, name: str | None = None) -> Any:
    """Tensors and ragged tensors of one rank, one behind the other along dimension `axis`.

    Args:
      values: a list of them, or one.
      axis: the dimension, an int.
      name: name scope.

    Raises:
      ValueError: the ranks differ, or `axis` is out of range.
    """
    parts = list(values) if isinstance(values, (list, tuple)) else [values]
    with name_scope(name, "RaggedConcat", parts):
        return _joined(parts, axis, False)


@public("ragged.stack", "compat.v2.ragged.stack")
def stack(values: Any, axis: int = 0, name: str | None = None) -> Any:
    """Tensors and ragged tensors of one rank, as one with a new dimension.

    Args:
      values: a list of them, or one.
      axis: where the new dimension is.
      name: name scope.

    Returns:
      A RaggedTensor; a tensor if all of `values` are tensors.

    Raises:
      ValueError: the ranks differ, or `axis` is out of range.
    """
    parts = list(values) if isinstance(values, (list, tuple)) else [values]
    with name_scope(name, "RaggedConcat", parts):
        return _joined(parts, axis, True)


def _joined(values: list, axis: Any, new: bool) -> Any:
    if not values:
        raise ValueError("rt_inputs may not be empty.")
    parts = same_row_splits_dtypes(*[tensor_or_ragged(value, name="rt_input") for value in values])
    if len(parts) == 1:
        return expand_dims(parts[0], axis) if new else parts[0]
    rank = None
    for part in parts:
        if rank is None:
            rank = part.shape.ndims
        else:
            part.shape.assert_has_rank(rank)
    axis = positive_axis(axis, rank if rank is None or not new else rank + 1)
    if not any(isinstance(part, Rows) for part in parts):
        return dense_stack(parts, axis) if new else dense_concat(parts, axis)
    kind = next(part.row_splits.dtype for part in parts if isinstance(part, Rows))
    parts = [part if isinstance(part, Rows) else RaggedTensor.from_tensor(part, ragged_rank=1, row_splits_dtype=kind)
             for part in parts]
    deepest = max(part.ragged_rank for part in parts)
    parts = [_deepened(part, deepest) for part in parts]
    if axis == 0:
        return _behind(parts, new)
    if axis == 1:
        return _beside(parts, new)
    with control_dependencies(_same_rows(parts)):
        return RaggedTensor(_joined([part.values for part in parts], axis - 1, new), parts[0].row_splits, internal=True)


def _same_rows(parts: list) -> list:
    outermost = [RaggedTensor(part.flat_values, part.row_splits, internal=True) for part in parts]
    return identical_rows(outermost)


def _deepened(ragged: Any, ragged_rank: int) -> Any:
    """A ragged tensor with more dimensions that may be ragged."""
    missing = ragged_rank - ragged.ragged_rank
    if not missing:
        return ragged
    return ragged.with_flat_values(RaggedTensor.from_tensor(
        ragged.flat_values, ragged_rank=missing, row_splits_dtype=ragged.row_splits.dtype))


def _behind(parts: list, new: bool) -> Any:
    result: Any = dense_concat([part.flat_values for part in parts], axis=0)
    nested = [_behind_splits(list(splits)) for splits in zip(*[part.nested_row_splits for part in parts], strict=True)]
    if new:
        counts = dense_stack([part.nrows() for part in parts])
        nested.insert(0, splits_of_lengths(counts))
    for splits in reversed(nested):
        result = RaggedTensor(result, splits, internal=True)
    return result


def _behind_splits(splits: list[Tensor]) -> Tensor:
    pieces, offset = [splits[0]], splits[0][-1]
    for part in splits[1:]:
        pieces.append(part[1:] + offset)
        offset = offset + part[-1]
    return dense_concat(pieces, axis=0)


def _beside(parts: list, new: bool) -> Any:
    count, rows = len(parts), parts[0].nrows()
    checks = [builder("debugging.assert_equal")(part.nrows(), rows, message="Input tensors have incompatible shapes.")
              for part in parts[1:]]
    with control_dependencies(checks):
        joined = _behind(parts, False)
        # Row i of every part stands `rows` places behind that of the part before.
        order = reshape(transpose(reshape(range_of(rows * count), [count, -1])), [-1])
        permuted = gather(joined, order)
        if new:
            splits = range_of(0, rows * count + 1, count)
            return RaggedTensor(permuted, _with_known_size(parts, splits), internal=True)
        splits = permuted.row_splits[::count]
        return RaggedTensor(permuted.values, _with_known_size(parts, splits), internal=True)


def _with_known_size(parts: list, splits: Tensor) -> Tensor:
    for part in parts:
        rows = part.shape.as_list()[0] if part.shape.ndims else None
        if rows is not None:
            splits.set_shape([rows + 1])
    return splits

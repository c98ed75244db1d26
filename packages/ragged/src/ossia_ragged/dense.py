"""Ragged tensors from dense ones and back."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import fill, ones, zeros
from ossia_ops.array.gather import gather
from ossia_ops.array.masking import boolean_mask, sequence_mask
from ossia_ops.array.selection import where
from ossia_ops.array.shape import expand_dims, rank, reshape, shape
from ossia_ops.array.stacking import stack
from ossia_ops.math.arithmetic import maximum, minimum
from ossia_ops.math.broadcast import broadcast_to
from ossia_ops.math.cast import cast, cast_op
from ossia_ops.math.comparison import equal, less
from ossia_ops.math.cumulative import cumprod, cumsum
from ossia_ops.math.logical import logical_not
from ossia_ops.math.reduction import reduce_all, reduce_max, reduce_sum
from ossia_ops.math.sequence import range as range_of
from ossia_ragged.partitions import lengths_of_splits
from ossia_ragged.rows import Rows


def from_tensor(
    cls: Any, tensor: Any, lengths: Any = None, padding: Any = None, ragged_rank: int = 1, name: str | None = None,
    row_splits_dtype: Any = dtypes.int64,
) -> Any:
    """The rows of a dense tensor.

    Args:
      tensor: a tensor with more than `ragged_rank` dimensions.
      lengths: how much of each row to keep; all by default. Or a list of vectors, the lengths of rows of each dimension
        that becomes ragged, the outermost first.
      padding: a value, of the shape of what a row consists of, that is left out at the end of rows.
      ragged_rank: how many dimensions may be ragged afterwards.
      name: name scope.
      row_splits_dtype: int32 or int64.

    Returns:
      A RaggedTensor.

    Raises:
      ValueError: the rank of `tensor` is too small, or both `lengths` and `padding` are given.
      TypeError: `ragged_rank` is no int, or `lengths` are no integers.
    """
    kind = dtypes.as_dtype(row_splits_dtype)
    if lengths is not None and padding is not None:
        raise ValueError("Specify lengths or padding, but not both")
    if not isinstance(ragged_rank, int):
        raise TypeError(f"ragged_rank expected int, got {ragged_rank!r}")
    if ragged_rank <= 0:
        raise ValueError(f"ragged_rank must be greater than 0; got {ragged_rank}")
    with name_scope(name, "RaggedFromTensor", [tensor, lengths, padding]):
        tensor = convert_to_tensor(tensor, name="tensor")
        tensor.shape.with_rank_at_least(ragged_rank + 1)
        dims = shape(tensor, out_type=kind)
        columns = dims[1]
        if ragged_rank > 1:
            rows = reshape(tensor, concat([constant([-1], kind), dims[2:]], axis=0))
            inner = from_tensor(cls, rows, lengths, padding, ragged_rank - 1, row_splits_dtype=kind)
            last = cumprod(dims)[0] + 1
            return cls(inner, range_of(last) * dims[1], internal=True)
        if isinstance(lengths, (list, tuple)) and lengths and not isinstance(lengths[0], (int, float)):
            return _with_nested_lengths(cls, tensor, lengths)
        if padding is not None:
            lengths = _lengths_without(padding, tensor, columns, kind)
        if lengths is not None:
            lengths = convert_to_tensor(lengths, name="lengths", preferred_dtype=kind)
            if not lengths.dtype.is_integer:
                raise TypeError(f"lengths must be an integer tensor; dtype={lengths.dtype!r}")
            lengths = cast_op(lengths, DstT=kind)
            lengths.shape.assert_has_rank(1)
            lengths = maximum(minimum(lengths, columns), 0)
            limits = cumsum(lengths)
            splits = concat([zeros([1], kind), limits], axis=0)
            return cls(boolean_mask(tensor, sequence_mask(lengths, maxlen=columns)), splits, internal=True)
        rows = dims[0]
        total = rows * columns
        splits = range_of(rows + 1) * columns
        flat = reshape(tensor, concat([[total], dims[2:]], axis=0))
        return cls(flat, splits, internal=True)


def _lengths_without(padding: Any, tensor: Tensor, columns: Tensor, kind: Any) -> Tensor:
    """How far each row goes before there is nothing but padding."""
    padding = convert_to_tensor(padding, name="padding", dtype=tensor.dtype)
    padding.shape.assert_is_compatible_with(tensor.shape[2:])
    same = equal(padding, tensor)
    dimensions = rank(tensor)
    axes = range_of(2, dimensions)
    row = builder("cond")(dimensions > 2, lambda: reduce_all(same, axis=axes), lambda: same)
    row.set_shape(tensor.shape[:2])
    kept = cast(logical_not(row), kind)
    places = expand_dims(range_of(1, columns + 1), axis=0)
    return reduce_max(kept * places, axis=1)


def _with_nested_lengths(cls: Any, tensor: Tensor, lengths: Any) -> Any:
    total = reduce_sum(lengths[-1])
    kept = cls.from_nested_row_lengths(ones([total], dtypes.bool), lengths, validate=False)
    mask = to_tensor(kept, default_value=False)
    return cls.from_nested_row_lengths(boolean_mask(tensor, mask), lengths, validate=False)


def to_tensor(self: Any, default_value: Any = None, name: str | None = None) -> Tensor:
    """All rows at one length, the shorter ones filled up.

    Args:
      default_value: what fills up; zeros by default.
      name: name scope.

    Returns:
      A tensor.

    Raises:
      ValueError: the default value has more dimensions than the values.
    """
    with name_scope(name, "RaggedToTensor", [self, default_value]):
        if default_value is not None:
            default_value = convert_to_tensor(default_value, dtype=self.dtype, name="default_value")
        values = self._values
        if isinstance(values, Rows):
            values = to_tensor(values, default_value)
        if default_value is not None and default_value.shape.ndims != values.shape.ndims - 1:
            default_value = broadcast_to(default_value, shape(values)[1:])
        splits = self._row_splits
        lengths = lengths_of_splits(splits)
        rows = shape(splits, out_type=splits.dtype)[0] - 1
        columns = maximum(reduce_max([lengths]), 0)
        dims = shape(values, out_type=splits.dtype)
        inner, count = dims[1:], dims[0]
        if default_value is None:
            default_value = zeros(inner, dtype=values.dtype)
        starts, limits = expand_dims(splits[:-1], axis=1), expand_dims(splits[1:], axis=1)
        column = expand_dims(range_of(0, columns), axis=0)
        # The default value stands after the last value, at `count`.
        padded = concat([values, stack([default_value])], axis=0)
        places = starts + column
        return gather(padded, where(less(places, limits), places, fill(stack([rows, columns]), count)))

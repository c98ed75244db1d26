"""Shapes of ragged tensors that a run knows, and broadcasting by them.

The dimensions before the innermost ones are *partitioned*: each is a scalar, where all rows have one length, or a
vector with the length of every row. The innermost dimensions are those of dense values.
"""
from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.primitives.identity import identity
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones
from ossia_ops.array.gather import gather
from ossia_ops.array.selection import where
from ossia_ops.array.shape import reshape, shape
from ossia_ops.array.stacking import stack
from ossia_ops.math.cast import cast, cast_op
from ossia_ops.math.comparison import equal
from ossia_ops.math.logical import logical_or
from ossia_ops.math.reduction import reduce_all, reduce_sum
from ossia_ragged.partitions import splits_of_lengths
from ossia_ragged.repeats import repeat_ranges
from ossia_ragged.rows import Rows, tensor_or_ragged
from ossia_ragged.tensor import RaggedTensor
from ossia_ragged.tiling import tile


class DynamicShape:
    """The shape of a tensor or ragged tensor in a run.

    Args:
      partitioned_dim_sizes: a scalar or vector per partitioned dimension, the outermost first.
      inner_dim_sizes: a vector, the sizes of the innermost dimensions.
      dim_size_dtype: int32 or int64; that of the partitioned dimensions, if they share one, or int64 if None.

    Raises:
      ValueError: a size is no scalar or vector, the first one is no scalar, or the last partitioned one no vector.
    """

    def __init__(self, partitioned_dim_sizes: Any, inner_dim_sizes: Any, dim_size_dtype: Any = None) -> None:
        with name_scope(None, "RaggedTensorDynamicShape", [partitioned_dim_sizes, inner_dim_sizes]):
            parts = tuple(convert_to_tensor(part, name=f"partitioned_dimension_size_{i}")
                          for i, part in enumerate(partitioned_dim_sizes))
            inner = convert_to_tensor(inner_dim_sizes, name="inner_dim_sizes")
            for part in parts:
                part.shape.with_rank_at_most(1)
            if parts and parts[0].shape.ndims == 1:
                raise ValueError("outermost partitioned dimension must be uniform")
            if parts and parts[-1].shape.ndims == 0:
                raise ValueError("innermost partitioned dimension must be ragged")
            inner.shape.with_rank(1)
            if dim_size_dtype is None:
                kinds = {part.dtype for part in parts}
                dim_size_dtype = kinds.pop() if len(kinds) == 1 else dtypes.int64
            self.partitioned_dim_sizes: tuple[Tensor, ...] = tuple(cast(part, dim_size_dtype) for part in parts)
            self.inner_dim_sizes = cast(inner, dim_size_dtype)

    @classmethod
    def from_dim_sizes(cls, dim_sizes: Any) -> DynamicShape:
        """The shape of dimensions, each a size or the lengths of all rows.

        Raises:
          ValueError: the outermost dimension has lengths of rows, or a size is no scalar or vector.
        """
        with name_scope(None, "RaggedTensorDynamicShapeFromDimensionSizes", [dim_sizes]):
            found = [convert_to_tensor(size, preferred_dtype=dtypes.int64, name="dim_sizes") for size in dim_sizes]
            if any((size.shape.ndims or 0) > 1 for size in found):
                raise ValueError("Each dim_size must be a scalar or a vector")
            ragged = [axis for axis, size in enumerate(found) if size.shape.ndims != 0]
            if ragged[:1] == [0]:
                raise ValueError("outermost partitioned dimension must be uniform")
            count = ragged[-1] + 1 if ragged else 0
            return cls(found[:count], found[count:])

    @classmethod
    def from_tensor(cls, rt_input: Any, dim_size_dtype: Any = None) -> DynamicShape:
        """The shape of a tensor or ragged tensor."""
        with name_scope(None, "RaggedTensorDynamicShapeFromTensor", [rt_input]):
            value = tensor_or_ragged(rt_input)
            if not isinstance(value, Rows):
                return cls([], shape(value), dim_size_dtype)
            parts = (value.nrows(), *value.nested_row_lengths())
            return cls(parts, shape(value.flat_values)[1:], dim_size_dtype)

    def with_dim_size_dtype(self, dtype: Any) -> DynamicShape:
        """The same with sizes of int32 or int64."""
        return DynamicShape(
            [cast(part, dtype) for part in self.partitioned_dim_sizes], cast(self.inner_dim_sizes, dtype), dtype)

    @property
    def dim_size_dtype(self) -> Any:
        """The dtype of the sizes."""
        return self.inner_dim_sizes.dtype

    @property
    def num_partitioned_dimensions(self) -> int:
        """How many dimensions are partitioned."""
        return len(self.partitioned_dim_sizes)

    @property
    def num_inner_dimensions(self) -> int | None:
        """How many dimensions are not partitioned, None if that is not known."""
        return self.inner_dim_sizes.shape.as_list()[0]

    def __repr__(self) -> str:
        return (f"RaggedTensorDynamicShape(partitioned_dim_sizes={self.partitioned_dim_sizes!r}, "
                f"inner_dim_sizes={self.inner_dim_sizes!r})")

    @property
    def rank(self) -> int | None:
        """The number of all dimensions."""
        count = self.inner_dim_sizes.shape.as_list()[0]
        return None if count is None else len(self.partitioned_dim_sizes) + count

    def is_ragged(self, axis: int) -> bool:
        """Whether the rows of dimension `axis` may differ in length."""
        return axis < len(self.partitioned_dim_sizes) and self.partitioned_dim_sizes[axis].shape.ndims != 0

    def dimension_size(self, axis: int) -> Tensor:
        """The size of a dimension: a scalar, or the lengths of its rows."""
        if axis < len(self.partitioned_dim_sizes):
            return self.partitioned_dim_sizes[axis]
        return self.inner_dim_sizes[axis - len(self.partitioned_dim_sizes)]

    def num_slices_in_dimension(self, axis: int) -> Tensor:
        """How many slices there are along dimensions up to `axis`."""
        if axis < 0:
            return constant(1, dtype=self.inner_dim_sizes.dtype)
        if self.is_ragged(axis):
            return reduce_sum(self.partitioned_dim_sizes[axis])
        return self.dimension_size(axis) * self.num_slices_in_dimension(axis - 1)

    def broadcast_to_rank(self, rank: int) -> DynamicShape:
        """The same with dimensions of size 1 before the others, `rank` in all.

        Raises:
          ValueError: there are more dimensions already.
        """
        if self.rank is not None and rank < self.rank:
            raise ValueError(f"Unable to broadcast: rank={rank} must be greater than self.rank={self.rank}.")
        missing = rank - (self.rank or 0)
        if missing <= 0:
            return self
        kind = self.dim_size_dtype
        if self.partitioned_dim_sizes:
            return DynamicShape([1] * missing + list(self.partitioned_dim_sizes), self.inner_dim_sizes, kind)
        return DynamicShape([], concat([ones([missing], kind), self.inner_dim_sizes], axis=0), kind)

    def broadcast_dimension(self, axis: int, lengths: Any) -> DynamicShape:
        """The shape after a dimension is brought to `lengths`, a scalar or a vector of the lengths of rows."""
        lengths = cast_op(convert_to_tensor(lengths, name="lengths"), DstT=self.inner_dim_sizes.dtype)
        own, ragged = self.dimension_size(axis), self.is_ragged(axis)
        if lengths.shape.ndims == 0:
            fits = equal(lengths, 1) if ragged else logical_or(
                logical_or(equal(lengths, 1), equal(own, 1), name="or"), equal(own, lengths), name="or")
        else:
            fits = reduce_all(equal(lengths, own)) if ragged else equal(own, 1)
        check = builder("debugging.Assert")(
            fits, ["Unable to broadcast: dimension size mismatch in dimension", axis, "lengths=", lengths, "dim_size=",
                   self.dimension_size(axis)], summarize=10)
        with control_dependencies([check]):
            if ragged:
                return DynamicShape(self.partitioned_dim_sizes, identity(self.inner_dim_sizes))
            if axis < len(self.partitioned_dim_sizes):
                return self._stretched(axis, lengths)
            return self._inner_stretched(axis, lengths)

    def _stretched(self, axis: int, lengths: Tensor) -> DynamicShape:
        own = self.dimension_size(axis)
        parts = list(self.partitioned_dim_sizes[:axis])
        if lengths.shape.ndims == 0:
            lengths = where(equal(own, 1), lengths, own)
            repeats = where(equal(own, 1), lengths, 1)
        else:
            repeats = lengths
        splits = stack([0, self.num_slices_in_dimension(axis)])
        parts.append(lengths)
        for part in self.partitioned_dim_sizes[axis + 1:]:
            if part.shape.ndims == 0:
                parts.append(part)
                splits = splits * part
            else:
                parts.append(repeat_ranges(part, splits, repeats))
                splits = gather(splits_of_lengths(part), splits)
        return DynamicShape(parts, self.inner_dim_sizes)

    def _inner_stretched(self, axis: int, lengths: Tensor) -> DynamicShape:
        place = axis - len(self.partitioned_dim_sizes)
        if lengths.shape.ndims == 0:
            own = self.dimension_size(axis)
            before, size = self.inner_dim_sizes[:place], where(equal(own, 1), lengths, own)
            inner = concat([before, [size], self.inner_dim_sizes[place + 1:]], axis=0)
            return DynamicShape(self.partitioned_dim_sizes, inner)
        if axis == 0:
            raise ValueError("Unable to broadcast: outermost dimension must be uniform.")
        outer = [self.inner_dim_sizes[i] for i in range(place)]
        return DynamicShape([*self.partitioned_dim_sizes, *outer, lengths], self.inner_dim_sizes[place + 1:])


def broadcast_dynamic_shape(x: DynamicShape, y: DynamicShape) -> DynamicShape:
    """The shape to which both broadcast.

    Raises:
      ValueError: a rank is not known.
    """
    if x.rank is None or y.rank is None:
        raise ValueError("Unable to broadcast: unknown rank")
    rank = max(x.rank, y.rank)
    x, y = x.broadcast_to_rank(rank), y.broadcast_to_rank(rank)
    for axis in range(rank):
        x = x.broadcast_dimension(axis, y.dimension_size(axis))
        y = y.broadcast_dimension(axis, x.dimension_size(axis))
    return x


def broadcast_to(value: Any, target: DynamicShape) -> Any:
    """A tensor or ragged tensor broadcast in its partitioned dimensions; the innermost ones are left as they are.

    Raises:
      ValueError: a rank is not known, or larger than that of the shape.
    """
    value = tensor_or_ragged(value)
    if isinstance(value, Rows) and value.row_splits.dtype != target.inner_dim_sizes.dtype:
        value = value.with_row_splits_dtype(target.inner_dim_sizes.dtype)
    rank = target.rank
    if value.shape.ndims is None or rank is None:
        raise ValueError("Unable to broadcast: unknown rank")
    if value.shape.ndims > rank:
        raise ValueError("Incompatible with shape: rank mismatch")
    source = DynamicShape.from_tensor(value).broadcast_to_rank(rank)
    value = _with_dimensions(value, target, rank)
    multiples: list = [1] * rank
    for axis in range(len(target.partitioned_dim_sizes)):
        if not source.is_ragged(axis) and not target.is_ragged(axis):
            own, wanted = source.dimension_size(axis), target.dimension_size(axis)
            if get_static_value(own) in (1, None) and get_static_value(wanted) != 1:
                multiples[axis] = where(equal(own, 1), wanted, 1)
    if any(isinstance(multiple, Tensor) for multiple in multiples):
        value = tile(value, stack(multiples, axis=0))
    for axis in range(len(target.partitioned_dim_sizes)):
        if not source.is_ragged(axis) and target.is_ragged(axis):
            value = _with_lengths(value, axis, target.dimension_size(axis))
    return value


def _with_dimensions(value: Any, target: DynamicShape, rank: int) -> Any:
    """`value` as a ragged tensor of the rank and the ragged rank of the shape."""
    kind, inner = target.inner_dim_sizes.dtype, rank - len(target.partitioned_dim_sizes)
    if value.shape.ndims < rank:
        if value.shape.ndims < inner + 1:
            value = reshape(value, concat([ones([inner + 1 - value.shape.ndims], kind), shape(value, out_type=kind)],
                                          axis=0))
        for _ in range(rank - value.shape.ndims):
            count = value.nrows() if isinstance(value, Rows) else shape(value, out_type=kind)[0]
            value = RaggedTensor.from_row_lengths(value, [count], validate=False)
    if isinstance(value, Rows):
        more = value.flat_values.shape.ndims - 1 - inner
        if more > 0:
            value = value.with_flat_values(
                RaggedTensor.from_tensor(value.flat_values, ragged_rank=more, row_splits_dtype=kind))
        return value
    return RaggedTensor.from_tensor(value, ragged_rank=len(target.partitioned_dim_sizes) - 1, row_splits_dtype=kind)


def _with_lengths(value: Any, axis: int, lengths: Tensor) -> Any:
    """A ragged tensor, its rows of length 1 in dimension `axis` repeated to `lengths`."""
    if not isinstance(value, Rows):
        value = RaggedTensor.from_tensor(value, ragged_rank=1, row_splits_dtype=lengths.dtype)
    if axis > 1:
        return value.with_values(_with_lengths(value.values, axis - 1, lengths))
    nested, own = value.nested_row_splits, value.nested_row_lengths()
    splits, result = nested[0], [lengths]
    for i in range(1, len(own)):
        result.append(repeat_ranges(own[i], splits, lengths))
        splits = gather(nested[i], splits)
    values = repeat_ranges(value.flat_values, splits, lengths)
    return RaggedTensor.from_nested_row_lengths(values, result, validate=False)

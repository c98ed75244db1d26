"""Shapes of ragged tensors that a run knows, and broadcasting by them.

The dimensions before the innermost ones are *partitioned*: each is a scalar, where all rows have one length, or a
vector with the length of every row. The innermost dimensions are those of dense values.
"""
from __future__ import annotations

from typing import Any

from ossia_core import dtypes
from ossia_core.builders import builder
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.primitives.identity import identity
from ossia_core.static_value import get_static_value
from ossia_ops.cast import cast, cast_op
from ossia_ops.comparison import equal
from ossia_ops.concat import concat
from ossia_ops.fill import ones
from ossia_ops.gather import gather
from ossia_ops.logical import logical_or
from ossia_ops.reduction import reduce_all, reduce_sum
from ossia_ops.selection import where
from ossia_ops.shape import reshape, shape
from ossia_ops.stacking import stack
from ossia_ragged.partitions import splits_of_lengths
from ossia_ragged.repeats import repeat_ranges
from ossia_ragged.rows import Rows, tensor_or_ragged
from ossia_ragged.tensor import RaggedTensor
from ossia_ragged.tiling import tile


class DynamicShape:
    """The shape of a tensor or ragged tensor in a run.

    Args:
      partitioned: a scalar or vector per partitioned dimension, the outermost first.
      inner: a vector, the sizes of the innermost dimensions.
    """

    def __init__(self, partitioned: Any, inner: Any) -> None:
        with name_scope(None, "RaggedTensorDynamicShape", [partitioned, inner]):
            self.partitioned: tuple[Tensor, ...] = tuple(
                convert_to_tensor(part, name=f"partitioned_dimension_{i}") for i, part in enumerate(partitioned))
            inner = convert_to_tensor(inner, name="inner_dim_sizes")
            self.inner = cast(inner, self.partitioned[0].dtype if self.partitioned else dtypes.int64)

    @classmethod
    def of(cls, value: Any) -> DynamicShape:
        """The shape of a tensor or ragged tensor."""
        with name_scope(None, "RaggedTensorDynamicShapeFromTensor", [value]):
            value = tensor_or_ragged(value)
            if not isinstance(value, Rows):
                return cls([], shape(value))
            parts = (value.nrows(), *value.nested_row_lengths())
            return cls(parts, shape(value.flat_values)[1:])

    @property
    def rank(self) -> int | None:
        """The number of all dimensions."""
        count = self.inner.shape.as_list()[0]
        return None if count is None else len(self.partitioned) + count

    def is_ragged(self, axis: int) -> bool:
        """Whether the rows of dimension `axis` may differ in length."""
        return axis < len(self.partitioned) and self.partitioned[axis].shape.ndims != 0

    def size(self, axis: int) -> Tensor:
        """The size of a dimension: a scalar, or the lengths of its rows."""
        if axis < len(self.partitioned):
            return self.partitioned[axis]
        return self.inner[axis - len(self.partitioned)]

    def slices(self, axis: int) -> Tensor:
        """How many slices there are along dimensions up to `axis`."""
        if axis < 0:
            return constant(1, dtype=self.inner.dtype)
        if self.is_ragged(axis):
            return reduce_sum(self.partitioned[axis])
        return self.size(axis) * self.slices(axis - 1)

    def to_rank(self, rank: int) -> DynamicShape:
        """The same with dimensions of size 1 before the others, `rank` in all."""
        missing = rank - (self.rank or 0)
        if missing <= 0:
            return self
        if self.partitioned:
            one = constant(1, self.inner.dtype)
            return DynamicShape([one] * missing + list(self.partitioned), self.inner)
        return DynamicShape([], concat([ones([missing], self.inner.dtype), self.inner], axis=0))

    def broadcast_dimension(self, axis: int, lengths: Any) -> DynamicShape:
        """The shape after a dimension is brought to `lengths`, a scalar or a vector of the lengths of rows."""
        lengths = cast_op(convert_to_tensor(lengths, name="lengths"), DstT=self.inner.dtype)
        own, ragged = self.size(axis), self.is_ragged(axis)
        if lengths.shape.ndims == 0:
            fits = equal(lengths, 1) if ragged else logical_or(
                logical_or(equal(lengths, 1), equal(own, 1), name="or"), equal(own, lengths), name="or")
        else:
            fits = reduce_all(equal(lengths, own)) if ragged else equal(own, 1)
        check = builder("debugging.Assert")(
            fits, ["Unable to broadcast: dimension size mismatch in dimension", axis, "lengths=", lengths, "dim_size=",
                   self.size(axis)], summarize=10)
        with control_dependencies([check]):
            if ragged:
                return DynamicShape(self.partitioned, identity(self.inner))
            if axis < len(self.partitioned):
                return self._stretched(axis, lengths)
            return self._inner_stretched(axis, lengths)

    def _stretched(self, axis: int, lengths: Tensor) -> DynamicShape:
        own = self.size(axis)
        parts = list(self.partitioned[:axis])
        if lengths.shape.ndims == 0:
            lengths = where(equal(own, 1), lengths, own)
            repeats = where(equal(own, 1), lengths, 1)
        else:
            repeats = lengths
        splits = stack([0, self.slices(axis)])
        parts.append(lengths)
        for part in self.partitioned[axis + 1:]:
            if part.shape.ndims == 0:
                parts.append(part)
                splits = splits * part
            else:
                parts.append(repeat_ranges(part, splits, repeats))
                splits = gather(splits_of_lengths(part), splits)
        return DynamicShape(parts, self.inner)

    def _inner_stretched(self, axis: int, lengths: Tensor) -> DynamicShape:
        place = axis - len(self.partitioned)
        if lengths.shape.ndims == 0:
            own = self.size(axis)
            before, size = self.inner[:place], where(equal(own, 1), lengths, own)
            return DynamicShape(self.partitioned, concat([before, [size], self.inner[place + 1:]], axis=0))
        if axis == 0:
            raise ValueError("Unable to broadcast: outermost dimension must be uniform.")
        outer = [self.inner[i] for i in range(place)]
        return DynamicShape([*self.partitioned, *outer, lengths], self.inner[place + 1:])


def broadcast_dynamic_shape(x: DynamicShape, y: DynamicShape) -> DynamicShape:
    """The shape to which both broadcast.

    Raises:
      ValueError: a rank is not known.
    """
    if x.rank is None or y.rank is None:
        raise ValueError("Unable to broadcast: unknown rank")
    rank = max(x.rank, y.rank)
    x, y = x.to_rank(rank), y.to_rank(rank)
    for axis in range(rank):
        x = x.broadcast_dimension(axis, y.size(axis))
        y = y.broadcast_dimension(axis, x.size(axis))
    return x


def broadcast_to(value: Any, target: DynamicShape) -> Any:
    """A tensor or ragged tensor broadcast in its partitioned dimensions; the innermost ones are left as they are.

    Raises:
      ValueError: a rank is not known, or larger than that of the shape.
    """
    value = tensor_or_ragged(value)
    if isinstance(value, Rows) and value.row_splits.dtype != target.inner.dtype:
        value = value.with_row_splits_dtype(target.inner.dtype)
    rank = target.rank
    if value.shape.ndims is None or rank is None:
        raise ValueError("Unable to broadcast: unknown rank")
    if value.shape.ndims > rank:
        raise ValueError("Incompatible with shape: rank mismatch")
    source = DynamicShape.of(value).to_rank(rank)
    value = _with_dimensions(value, target, rank)
    multiples: list = [1] * rank
    for axis in range(len(target.partitioned)):
        if not source.is_ragged(axis) and not target.is_ragged(axis):
            own, wanted = source.size(axis), target.size(axis)
            if get_static_value(own) in (1, None) and get_static_value(wanted) != 1:
                multiples[axis] = where(equal(own, 1), wanted, 1)
    if any(isinstance(multiple, Tensor) for multiple in multiples):
        value = tile(value, stack(multiples, axis=0))
    for axis in range(len(target.partitioned)):
        if not source.is_ragged(axis) and target.is_ragged(axis):
            value = _with_lengths(value, axis, target.size(axis))
    return value


def _with_dimensions(value: Any, target: DynamicShape, rank: int) -> Any:
    """`value` as a ragged tensor of the rank and the ragged rank of the shape."""
    kind, inner = target.inner.dtype, rank - len(target.partitioned)
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
    return RaggedTensor.from_tensor(value, ragged_rank=len(target.partitioned) - 1, row_splits_dtype=kind)


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

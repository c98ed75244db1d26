"""The base of ragged tensors: the tensors that one consists of, and its rows."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.names.structures import CompositeTensor
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones
from ossia_ops.array.shape import shape
from ossia_ops.array.stacking import stack
from ossia_ops.math.arithmetic import maximum
from ossia_ops.math.cast import cast
from ossia_ops.math.reduction import reduce_max
from ossia_ragged.partitions import lengths_of_splits, segments_of_splits
from ossia_ragged.value import RaggedTensorValue


class Rows(CompositeTensor):
    """Values and what cuts them into rows, with what is known of the rows from how they were given."""

    __slots__ = ("_known_lengths", "_known_number", "_known_rows", "_row_splits", "_values")

    def __init__(
        self, values: Any, row_splits: Tensor, cached_row_lengths: Any = None, cached_value_rowids: Any = None,
        cached_nrows: Any = None, internal: bool = False,
    ) -> None:
        if not internal:
            raise ValueError("RaggedTensor constructor is private; please use one of the factory methods instead "
                             "(e.g., RaggedTensor.from_row_lengths())")
        if not isinstance(row_splits, Tensor):
            raise TypeError(f"Row-partitioning argument must be a Tensor, got {row_splits!r}")
        if not isinstance(values, (Tensor, Rows)):
            raise TypeError(f"values must be a Tensor or RaggedTensor, got {values!r}")
        row_splits.shape.assert_has_rank(1)
        if row_splits.shape.ndims is None:
            row_splits.set_shape([None])
        values.shape.with_rank_at_least(1)
        if isinstance(values, Rows) and values.row_splits.dtype != row_splits.dtype:
            raise ValueError("values and row_splits must have the same row_splits dtype")
        self._values, self._row_splits = values, row_splits
        self._known_lengths, self._known_rows = cached_row_lengths, cached_value_rowids
        self._known_number = cached_nrows

    @property
    def dtype(self) -> Any:
        """Dtype of the values."""
        return self._values.dtype

    @property
    def shape(self) -> TensorShape:
        """Static shape; None for a dimension that may be ragged."""
        splits = self._row_splits.shape.as_list()[0] if self._row_splits.shape.ndims else None
        inner = self._values.shape
        if inner.ndims is None:
            return TensorShape(None)
        return TensorShape([None if splits is None else splits - 1, None, *inner.as_list()[1:]])

    @property
    def ragged_rank(self) -> int:
        """How many dimensions may be ragged."""
        return self._values.ragged_rank + 1 if isinstance(self._values, Rows) else 1

    @property
    def values(self) -> Any:
        """All rows one after the other, a tensor or a ragged tensor."""
        return self._values

    @property
    def row_splits(self) -> Tensor:
        """Where each row starts, and at the end the number of values."""
        return self._row_splits

    @property
    def flat_values(self) -> Tensor:
        """The innermost values, a tensor."""
        values = self._values
        while isinstance(values, Rows):
            values = values.values
        return values

    @property
    def nested_row_splits(self) -> tuple[Tensor, ...]:
        """The row splits of every dimension that may be ragged, the outermost first."""
        inner = self._values.nested_row_splits if isinstance(self._values, Rows) else ()
        return (self._row_splits, *inner)

    def components(self) -> tuple:
        """The flat values, and the row splits from the outermost on."""
        return (self.flat_values, *self.nested_row_splits)

    def with_components(self, components: Any) -> Any:
        """The same with other tensors."""
        result = components[0]
        for splits in reversed(components[1:]):
            result = type(self)(result, splits, internal=True)
        return result

    def loop_invariants(self, shape: Any = None) -> list[TensorShape]:
        """The number of values may change; so may that of rows, where `shape` does not say it."""
        given = TensorShape(self.shape if shape is None else shape)
        rank, inner = self.ragged_rank, TensorShape(None)
        rows: int | None = None
        if given.ndims is not None:
            if given.ndims <= rank:
                raise ValueError("ragged_rank must be less than rank.")
            dims = given.as_list()
            inner, rows = TensorShape([None, *dims[rank + 1:]]), dims[0]
        outermost = TensorShape([None if rows is None else rows + 1])
        return [inner, outermost, *[TensorShape([None])] * (rank - 1)]

    def consumers(self) -> list:
        """Operations that take one of the tensors."""
        return [op for part in self.components() for op in part.consumers()]

    def nrows(self, out_type: Any = None, name: str | None = None) -> Tensor:
        """Number of rows.

        Args:
          out_type: int32 or int64; as the row splits have by default.
          name: name scope.
        """
        kind = self._row_splits.dtype if out_type is None else dtypes.as_dtype(out_type)
        if self._known_number is not None:
            return cast(self._known_number, kind)
        with name_scope(name, "RaggedNRows", [self]):
            return shape(self._row_splits, out_type=kind)[0] - 1

    def row_starts(self, name: str | None = None) -> Tensor:
        """Where each row starts in `values`."""
        with name_scope(name, "RaggedRowStarts", [self]):
            return self._row_splits[:-1]

    def row_limits(self, name: str | None = None) -> Tensor:
        """Where each row ends in `values`."""
        with name_scope(name, "RaggedRowLimits", [self]):
            return self._row_splits[1:]

    def row_lengths(self, axis: int = 1, name: str | None = None) -> Any:
        """The lengths of rows; ragged themselves for an `axis` beyond 1.

        Args:
          axis: the dimension.
          name: name scope.
        """
        if axis == 0:
            return self.nrows()
        if axis == 1 and self._known_lengths is not None:
            return self._known_lengths
        with name_scope(name, "RaggedRowLengths", [self]):
            if axis == 1:
                return lengths_of_splits(self._row_splits)
            if isinstance(self._values, Rows):
                return self.with_values(self._values.row_lengths(axis - 1))
            dims = shape(self._values, out_type=self._row_splits.dtype)
            return self.with_values(ones(dims[:axis - 1], self._row_splits.dtype) * dims[axis - 1])

    def value_rowids(self, name: str | None = None) -> Tensor:
        """The row of every value."""
        if self._known_rows is not None:
            return self._known_rows
        with name_scope(name, "RaggedValueRowIds", [self]):
            return segments_of_splits(self._row_splits)

    def nested_row_lengths(self, name: str | None = None) -> tuple[Tensor, ...]:
        """The lengths of rows of every dimension that may be ragged, the outermost first."""
        with name_scope(name, "RaggedNestedRowLengths", [self]):
            return tuple(part.row_lengths() for part in self._nested())

    def nested_value_rowids(self, name: str | None = None) -> tuple[Tensor, ...]:
        """The rows of values of every dimension that may be ragged, the outermost first."""
        with name_scope(name, "RaggedNestedValueRowIds", [self]):
            return tuple(part.value_rowids() for part in self._nested())

    def _nested(self) -> list[Rows]:
        parts, part = [], self
        while isinstance(part, Rows):
            parts.append(part)
            part = part.values
        return parts

    def bounding_shape(self, axis: Any = None, name: str | None = None, out_type: Any = None) -> Tensor:
        """The shape of the smallest dense tensor that holds all, or its size along `axis`.

        Args:
          axis: a dimension, or a vector of them.
          name: name scope.
          out_type: int32 or int64; as the row splits have by default.
        """
        from ossia_ops.array.gather import gather
        kind = dtypes.as_dtype(out_type or self._row_splits.dtype)
        with name_scope(name, "RaggedBoundingBox", [self, axis]):
            if isinstance(axis, int) and axis in (0, 1):
                along = maximum(reduce_max(self.row_lengths()), 0) if axis else self.nrows()
                return along if kind == along.dtype else cast(along, kind)
            splits = self.nested_row_splits
            rows, flat = shape(self._row_splits, out_type=kind), shape(self.flat_values, out_type=kind)
            ragged = [rows[0] - 1, *[maximum(reduce_max(lengths_of_splits(part)), 0) for part in splits]]
            box = concat([stack(ragged), flat[1:]], axis=0)
            return box if axis is None else gather(box, axis)

    def with_values(self, new_values: Any) -> Any:
        """The same rows of other values, of which there must be as many."""
        new_values.shape.with_rank_at_least(1)
        self._values.shape[:1].assert_is_compatible_with(new_values.shape[:1])
        if isinstance(new_values, Rows) and new_values.row_splits.dtype != self._row_splits.dtype:
            raise ValueError("self and values have mismatched row_splits dtypes; use "
                             "RaggedTensor.with_row_splits_dtype() to convert them to compatible dtypes.")
        return type(self)(new_values, self._row_splits, self._known_lengths, self._known_rows, self._known_number,
                          internal=True)

    def with_flat_values(self, new_values: Any) -> Any:
        """The same rows of other innermost values, of which there must be as many."""
        if isinstance(self._values, Rows):
            return self.with_values(self._values.with_flat_values(new_values))
        return self.with_values(tensor_or_ragged(new_values))

    def with_row_splits_dtype(self, dtype: Any) -> Any:
        """The same with row splits of int32 or int64.

        Raises:
          ValueError: another dtype.
        """
        dtype = dtypes.as_dtype(dtype)
        if dtype not in (dtypes.int32, dtypes.int64):
            raise ValueError("dtype must be int32 or int64")
        if self._row_splits.dtype == dtype:
            return self
        splits, values = cast(self._row_splits, dtype), self._values
        if isinstance(values, Rows):
            values = values.with_row_splits_dtype(dtype)
        known = (self._known_lengths, self._known_rows)
        lengths, rows = (None if part is None else cast(part, dtype) for part in known)
        return type(self)(values, splits, lengths, rows, self._known_number, internal=True)


def is_ragged(value: Any) -> bool:
    """Whether it is a ragged tensor or the value of one."""
    return isinstance(value, (Rows, RaggedTensorValue))


def tensor_or_ragged(value: Any, dtype: Any = None, name: str | None = None, preferred_dtype: Any = None) -> Any:
    """`value` as a tensor, or as the ragged tensor that it is.

    Raises:
      ValueError: a ragged tensor of another dtype than `dtype`.
    """
    if isinstance(value, Rows):
        if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(value.dtype):
            raise ValueError(f"Tensor conversion requested dtype {dtypes.as_dtype(dtype).name} for RaggedTensor with "
                             f"dtype {value.dtype.name}: {value!r}")
        return value
    if isinstance(value, RaggedTensorValue):
        from ossia_ragged.tensor import RaggedTensor
        with name_scope(name, "ConvertToTensorOrRaggedTensor", []):
            flat = convert_to_tensor(
                value.flat_values, dtype=dtype, name="flat_values", preferred_dtype=preferred_dtype)
            return RaggedTensor.from_nested_row_splits(flat, value.nested_row_splits, validate=False)
    return convert_to_tensor(value, dtype=dtype, name=name, preferred_dtype=preferred_dtype)


def same_row_splits_dtypes(*parts: Any) -> list:
    """The parts, if all ragged ones have row splits of one dtype.

    Raises:
      ValueError: some have int32 and others int64.
    """
    if len({part.row_splits.dtype for part in parts if isinstance(part, Rows)}) > 1:
        raise ValueError("Input RaggedTensors have mismatched row_splits dtypes; use "
                         "RaggedTensor.with_row_splits_dtype() to convert them to compatible dtypes.")
    return list(parts)

"""Ragged tensors: rows of different lengths, as their values one after the other and the places where rows start."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core import dtypes
from ossia_core.api_table import public
from ossia_core.builders import builder
from ossia_core.composite import CompositeTensor
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.primitives.identity import with_dependencies
from ossia_core.session.fetch import register_session_run_conversion_functions
from ossia_core.shape_rules import constant as constant_value
from ossia_core.shapes import TensorShape
from ossia_ops.arithmetic import maximum, minimum
from ossia_ops.broadcast import broadcast_to
from ossia_ops.cast import cast, cast_op
from ossia_ops.comparison import equal, less, not_equal
from ossia_ops.cumulative import cumprod, cumsum
from ossia_ops.fill import fill, zeros
from ossia_ops.gather import gather
from ossia_ops.histogram import bincount
from ossia_ops.logical import logical_and
from ossia_ops.masking import boolean_mask, sequence_mask
from ossia_ops.ragged_kernels import ragged_tensor_to_sparse_op
from ossia_ops.ragged_value import RaggedTensorValue
from ossia_ops.reduction import reduce_all, reduce_any, reduce_max, reduce_sum
from ossia_ops.selection import where
from ossia_ops.sequence import range as range_of
from ossia_ops.shape import expand_dims, reshape, shape, size
from ossia_ops.stacking import concat, stack
from ossia_ops.tiling import tile


def tensor_or_ragged(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """`value` as a tensor, or as the ragged tensor that it is."""
    if isinstance(value, RaggedTensor):
        if dtype is not None and dtypes.as_dtype(dtype) != value.dtype:
            raise ValueError(f"Tensor conversion requested dtype {dtypes.as_dtype(dtype).name} for RaggedTensor with "
                             f"dtype {value.dtype.name}")
        return value
    if isinstance(value, RaggedTensorValue):
        with name_scope(name, "ConvertToTensorOrRaggedTensor", []):
            flat = convert_to_tensor(value.flat_values, dtype=dtype, name="flat_values")
            return RaggedTensor.from_nested_row_splits(flat, value.nested_row_splits, validate=False)
    return convert_to_tensor(value, dtype=dtype, name=name)


def _partition(values: Any, rows: Any, name: str) -> tuple[Any, Tensor]:
    """The values and what cuts them into rows, as tensors; rows count in int64 unless they say otherwise."""
    values = tensor_or_ragged(values, name="values")
    if not isinstance(rows, Tensor):
        wanted = dtypes.int32 if isinstance(rows, np.ndarray) and rows.dtype == np.int32 else dtypes.int64
        rows = convert_to_tensor(rows, dtype=wanted, name=name)
    if rows.dtype.base_dtype not in (dtypes.int32, dtypes.int64):
        raise ValueError(f"{name} must have dtype int32 or int64, got {rows.dtype.name}")
    rows.shape.assert_has_rank(1)
    return values, rows


def _checked(rows: Tensor, method: str, checks: Any, values: Any) -> Tensor:
    """`rows` after the assertions of `checks(assertion)`, which another package provides."""
    message = f"Arguments to {method} do not form a valid RaggedTensor"

    def assertion(kind: str, *arguments: Any) -> Any:
        return builder(f"debugging.assert_{kind}")(*arguments, message=message)

    made = [assertion("rank", rows, 1), *checks(assertion)]
    if not isinstance(values, RaggedTensor):
        made.append(assertion("rank_at_least", values, 1))
    return with_dependencies(made, rows)


def _steps(splits: Tensor) -> Tensor:
    return splits[1:] - splits[:-1]


def _value_count(values: Any, dtype: Any) -> Tensor:
    return values.nrows(out_type=dtype) if isinstance(values, RaggedTensor) else shape(values, out_type=dtype)[0]


def segments_of_splits(splits: Tensor, name: str | None = None) -> Tensor:
    """The row of every value, from row splits."""
    with name_scope(name, "RaggedSplitsToSegmentIds", [splits]):
        lengths = _steps(splits)
        rows = range_of(shape(splits, out_type=splits.dtype)[-1] - 1)
        with name_scope(None, "Repeat", [rows, lengths]):
            repeats = cast(lengths, dtypes.int32)
            shape(repeats)  # not used, but the original has it
            most = maximum(0, reduce_max(repeats))
            mask = sequence_mask(repeats, most)
            return boolean_mask(tile(expand_dims(rows, 1), stack([1, most], name="Tile/multiples")), mask)


def splits_of_segments(rows: Tensor, number: Any, dtype: Any) -> Tensor:
    """Row splits, from the row of every value and the number of rows, as int32."""
    counts = bincount(rows, minlength=number, maxlength=number, dtype=dtype)
    return concat([[0], cumsum(counts)], axis=0)


@public("RaggedTensor", "compat.v2.RaggedTensor")
class RaggedTensor(CompositeTensor):
    """A tensor whose rows may differ in length. It is made by the class methods `from_...` or `tf.ragged.constant`.

    Args:
      values: all rows one after the other, a tensor or a ragged tensor.
      row_splits: where each row starts in `values`, and at the end the number of values.
      internal: whether a class method calls.
    """

    __slots__ = ("_row_splits", "_values")

    def __init__(self, values: Any, row_splits: Tensor, internal: bool = False) -> None:
        if not internal:
            raise ValueError("RaggedTensor constructor is private; please use one of the factory methods instead "
                             "(e.g., RaggedTensor.from_row_lengths())")
        row_splits.shape.assert_has_rank(1)
        if isinstance(values, RaggedTensor):
            if values.row_splits.dtype != row_splits.dtype:
                raise ValueError("values and row_splits must have the same row_splits dtype")
        else:
            values.shape.with_rank_at_least(1)
        self._values, self._row_splits = values, row_splits

    @classmethod
    def from_row_splits(cls, values: Any, row_splits: Any, name: str | None = None, validate: bool = True) -> Any:
        """Rows by where they start: row `i` is `values[row_splits[i]:row_splits[i + 1]]`.

        Args:
          values: a tensor or ragged tensor with one dimension at least.
          row_splits: int32 or int64 vector that starts at 0, never falls, and ends at the number of values.
          name: name scope.
          validate: whether a run checks that.

        Returns:
          A RaggedTensor.
        """
        if isinstance(row_splits, (list, tuple)) and not row_splits:
            raise ValueError("row_splits tensor may not be empty.")
        with name_scope(name, "RaggedFromRowSplits", [values, row_splits]):
            values, row_splits = _partition(values, row_splits, "row_splits")
            if validate:
                count, zero = _value_count(values, row_splits.dtype), row_splits.dtype
                row_splits = _checked(row_splits, "from_row_splits", lambda assertion: [
                    assertion("equal", row_splits[0], constant(0, zero)),
                    assertion("non_negative", _steps(row_splits)),
                    assertion("equal", row_splits[-1], count)], values)
            return cls(values, row_splits, internal=True)

    @classmethod
    def from_row_lengths(cls, values: Any, row_lengths: Any, name: str | None = None, validate: bool = True) -> Any:
        """Rows by how long they are; `row_lengths` must not be negative and add up to the number of values."""
        with name_scope(name, "RaggedFromRowLengths", [values, row_lengths]):
            values, row_lengths = _partition(values, row_lengths, "row_lengths")
            if validate:
                total, count = reduce_sum(row_lengths), _value_count(values, row_lengths.dtype)
                row_lengths = _checked(row_lengths, "from_row_lengths", lambda assertion: [
                    assertion("non_negative", row_lengths), assertion("equal", total, count)], values)
            return cls(values, concat([[0], cumsum(row_lengths)], axis=0), internal=True)

    @classmethod
    def from_row_starts(cls, values: Any, row_starts: Any, name: str | None = None, validate: bool = True) -> Any:
        """Rows by where they start; `row_starts` begins at 0 unless it is empty, and never falls."""
        with name_scope(name, "RaggedFromRowStarts", [values, row_starts]):
            values, row_starts = _partition(values, row_starts, "row_starts")
            count = _value_count(values, row_starts.dtype)
            if validate:
                zero = row_starts.dtype
                row_starts = _checked(row_starts, "from_row_starts", lambda assertion: [
                    assertion("equal", row_starts[:1], constant(0, zero)),
                    assertion("non_negative", _steps(row_starts)),
                    assertion("less_equal", row_starts[-1:], count)], values)
            return cls(values, concat([row_starts, [count]], axis=0), internal=True)

    @classmethod
    def from_row_limits(cls, values: Any, row_limits: Any, name: str | None = None, validate: bool = True) -> Any:
        """Rows by where they end; `row_limits` never falls and ends at the number of values."""
        with name_scope(name, "RaggedFromRowLimits", [values, row_limits]):
            values, row_limits = _partition(values, row_limits, "row_limits")
            if validate:
                count = _value_count(values, row_limits.dtype)
                row_limits = _checked(row_limits, "from_row_limits", lambda assertion: [
                    assertion("non_negative", row_limits[:1]),
                    assertion("non_negative", _steps(row_limits)),
                    assertion("equal", row_limits[-1:], count)], values)
            return cls(values, concat([zeros([1], row_limits.dtype), row_limits], axis=0), internal=True)

    @classmethod
    def from_value_rowids(
        cls, values: Any, value_rowids: Any, nrows: Any = None, name: str | None = None, validate: bool = True
    ) -> Any:
        """Rows by the row of each value.

        Args:
          values: a tensor or ragged tensor with one dimension at least.
          value_rowids: the row of each value, never falling.
          nrows: number of rows, beyond the last row id; one more than it by default.
          name: name scope.
          validate: whether a run checks that.

        Returns:
          A RaggedTensor.

        Raises:
          ValueError: a constant `nrows` is negative, or too small for constant row ids.
        """
        with name_scope(name, "RaggedFromValueRowIds", [values, value_rowids, nrows]):
            values, value_rowids = _partition(values, value_rowids, "value_rowids")
            if nrows is None:
                known = constant_value(value_rowids)
                if known is None:
                    nrows = concat([value_rowids[-1:], [-1]], axis=0)[0] + 1
                else:
                    nrows = convert_to_tensor(int(known[-1]) + 1 if known.size else 0, value_rowids.dtype, name="nrows")
            else:
                nrows = convert_to_tensor(nrows, value_rowids.dtype, name="nrows")
                given, known = constant_value(nrows), constant_value(value_rowids)
                if given is not None and given < 0:
                    raise ValueError(f"Expected nrows >= 0; got {given}")
                if given is not None and known is not None and known.size and given <= known[-1]:
                    raise ValueError(f"Expected nrows >= value_rowids[-1] + 1; got nrows={given}, "
                                     f"value_rowids[-1]={known[-1]}")
            nrows.shape.assert_has_rank(0)
            if validate:
                ids, total = value_rowids, _value_count(values, dtypes.int32)
                count = _value_count(ids, dtypes.int32)
                value_rowids = _checked(ids, "from_value_rowids", lambda assertion: [
                    assertion("rank", nrows, 0), assertion("equal", total, count),
                    assertion("non_negative", ids[:1]), assertion("non_negative", _steps(ids)),
                    assertion("less", ids[-1:], nrows)], values)
            kind, rows = value_rowids.dtype, cast(value_rowids, dtypes.int32)
            return cls(values, splits_of_segments(rows, cast(nrows, dtypes.int32), kind), internal=True)

    @classmethod
    def _nested(cls, method: str, scope: str, flat_values: Any, nested: Any, name: Any, validate: bool) -> Any:
        if isinstance(nested, Tensor):
            raise TypeError(f"nested argument of {method} must be a list of Tensors")
        with name_scope(name, scope, [flat_values, *nested]):
            result = flat_values
            for rows in reversed(nested):
                result = getattr(cls, method)(result, rows, validate=validate)
            return result

    @classmethod
    def from_nested_row_splits(
        cls, flat_values: Any, nested_row_splits: Any, name: str | None = None, validate: bool = True
    ) -> Any:
        """Rows in rows, by one `row_splits` per dimension that may be ragged, the outermost first."""
        return cls._nested("from_row_splits", "RaggedFromNestedRowSplits", flat_values, nested_row_splits, name,
                           validate)

    @classmethod
    def from_nested_row_lengths(
        cls, flat_values: Any, nested_row_lengths: Any, name: str | None = None, validate: bool = True
    ) -> Any:
        """Rows in rows, by one `row_lengths` per dimension that may be ragged, the outermost first."""
        return cls._nested("from_row_lengths", "RaggedFromNestedRowlengths", flat_values, nested_row_lengths, name,
                           validate)

    @classmethod
    def from_nested_value_rowids(
        cls, flat_values: Any, nested_value_rowids: Any, nested_nrows: Any = None, name: str | None = None,
        validate: bool = True,
    ) -> Any:
        """Rows in rows, by one `value_rowids` per dimension that may be ragged, the outermost first."""
        if isinstance(nested_value_rowids, Tensor):
            raise TypeError("nested_value_rowids must be a list of Tensors")
        if nested_nrows is None:
            nested_nrows = [None] * len(nested_value_rowids)
        elif isinstance(nested_nrows, Tensor):
            raise TypeError("nested_nrows must be a list of Tensors")
        elif len(nested_nrows) != len(nested_value_rowids):
            raise ValueError("nested_nrows must have the same length as nested_value_rowids")
        with name_scope(name, "RaggedFromNestedValueRowIds", [flat_values, *nested_value_rowids, *nested_nrows]):
            result = flat_values
            for rows, number in reversed(list(zip(nested_value_rowids, nested_nrows, strict=True))):
                result = cls.from_value_rowids(result, rows, number, validate=validate)
            return result

    @classmethod
    def from_tensor(
        cls, tensor: Any, lengths: Any = None, padding: Any = None, ragged_rank: int = 1, name: str | None = None,
        row_splits_dtype: Any = dtypes.int64,
    ) -> Any:
        """The rows of a dense tensor.

        Args:
          tensor: a tensor with more than `ragged_rank` dimensions.
          lengths: how much of each row to keep; all by default.
          padding: not there yet.
          ragged_rank: how many dimensions may be ragged afterwards.
          name: name scope.
          row_splits_dtype: int32 or int64.

        Returns:
          A RaggedTensor.

        Raises:
          ValueError: the rank of `tensor` is too small.
          NotImplementedError: `padding` is given, or `lengths` is a list of tensors.
        """
        kind = dtypes.as_dtype(row_splits_dtype)
        if lengths is not None and padding is not None:
            raise ValueError("Specify lengths or padding, but not both")
        if not isinstance(ragged_rank, int):
            raise TypeError(f"ragged_rank expected int, got {ragged_rank!r}")
        if ragged_rank <= 0:
            raise ValueError(f"ragged_rank must be greater than 0; got {ragged_rank}")
        if padding is not None or (isinstance(lengths, (list, tuple)) and lengths and not isinstance(lengths[0], int)):
            raise NotImplementedError("tf.RaggedTensor.from_tensor with padding, or with lengths per dimension")
        with name_scope(name, "RaggedFromTensor", [tensor, lengths, padding]):
            tensor = convert_to_tensor(tensor, name="tensor")
            tensor.shape.with_rank_at_least(ragged_rank + 1)
            dims = shape(tensor, out_type=kind)
            columns = dims[1]
            if ragged_rank > 1:
                inner = cls.from_tensor(
                    reshape(tensor, concat([constant([-1], kind), dims[2:]], axis=0)), ragged_rank=ragged_rank - 1,
                    row_splits_dtype=kind)
                last = cumprod(dims)[0] + 1
                return cls(inner, range_of(last) * dims[1], internal=True)
            if lengths is not None:
                lengths = lengths if isinstance(lengths, Tensor) else convert_to_tensor(lengths, kind, name="lengths")
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

    @classmethod
    def from_sparse(
        cls, st_input: Any, name: str | None = None, row_splits_dtype: Any = dtypes.int64
    ) -> Any:
        """The rows of a sparse matrix, whose entries stand at the start of their rows without a gap.

        Raises:
          TypeError: `st_input` is no SparseTensor.
          ValueError: its rank is not 2.
        """
        kind = dtypes.as_dtype(row_splits_dtype)
        if not isinstance(st_input, SparseTensor):
            raise TypeError(f"Expected SparseTensor, got {type(st_input).__name__}")
        with name_scope(name, "RaggedFromSparse", [st_input.indices, st_input.values, st_input.dense_shape]):
            rank = st_input.shape.ndims or (st_input.indices.shape.as_list() or [None, None])[-1]
            if rank is None:
                raise ValueError("rank(st_input) must be 2")
            if rank != 2:
                raise ValueError("rank(st_input) must be 2")
            places, columns = st_input.indices[:, :-1], st_input.indices[:, -1]
            new_row = reduce_any(not_equal(places[1:], places[:-1]), axis=1)
            joined = where(new_row, equal(columns[1:], 0), equal(columns[1:], columns[:-1] + 1))
            starts_at_zero = equal(columns[:1], 0)
            packed = logical_and(reduce_all(starts_at_zero), reduce_all(joined))
            check = builder("Assert")(
                packed, ["SparseTensor is not right-ragged", "SparseTensor.indices =", st_input.indices])
            with control_dependencies([check]):
                rows = cast(st_input.indices[:, 0], kind)
                return cls.from_value_rowids(st_input.values, rows, nrows=cast(st_input.dense_shape[0], kind),
                                             validate=False)

    # -- what it consists of ------------------------------------------------------------------------------------

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
        return self._values.ragged_rank + 1 if isinstance(self._values, RaggedTensor) else 1

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
        while isinstance(values, RaggedTensor):
            values = values.values
        return values

    @property
    def nested_row_splits(self) -> tuple[Tensor, ...]:
        """The row splits of every dimension that may be ragged, the outermost first."""
        inner = self._values.nested_row_splits if isinstance(self._values, RaggedTensor) else ()
        return (self._row_splits, *inner)

    def components(self) -> tuple:
        """The flat values, and the row splits from the outermost on."""
        return (self.flat_values, *self.nested_row_splits)

    def with_components(self, components: Any) -> RaggedTensor:
        """The same with other tensors."""
        result = components[0]
        for splits in reversed(components[1:]):
            result = RaggedTensor(result, splits, internal=True)
        return result

    def consumers(self) -> list:
        """Operations that take one of the tensors."""
        return [op for part in self.components() for op in part.consumers()]

    def __repr__(self) -> str:
        return f"tf.RaggedTensor(values={self._values}, row_splits={self._row_splits})"

    def __bool__(self) -> bool:
        raise TypeError("RaggedTensor may not be used as a boolean.")

    # -- rows ---------------------------------------------------------------------------------------------------

    def nrows(self, out_type: Any = None, name: str | None = None) -> Tensor:
        """Number of rows."""
        with name_scope(name, "RaggedNRows", [self]):
            return shape(self._row_splits, out_type=out_type or self._row_splits.dtype)[0] - 1

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

        Raises:
          ValueError: for an axis of 0.
        """
        if axis == 0:
            return self.nrows()
        if axis == 1:
            with name_scope(name, "RaggedRowLengths", [self]):
                return _steps(self._row_splits)
        if isinstance(self._values, RaggedTensor):
            with name_scope(name, "RaggedRowLengths", [self]):
                return self.with_values(self._values.row_lengths(axis - 1))
        with name_scope(name, "RaggedRowLengths", [self]):
            dims = shape(self._values, out_type=self._row_splits.dtype)
            lengths = fill(dims[:axis - 1], dims[axis - 1])
            return self.with_values(lengths)

    def value_rowids(self, name: str | None = None) -> Tensor:
        """The row of every value."""
        with name_scope(name, "RaggedValueRowIds", [self]):
            return segments_of_splits(self._row_splits)

    def nested_row_lengths(self, name: str | None = None) -> tuple[Tensor, ...]:
        """The lengths of rows of every dimension that may be ragged, the outermost first."""
        with name_scope(name, "RaggedNestedRowLengths", [self]):
            lengths, part = [], self
            while isinstance(part, RaggedTensor):
                lengths.append(part.row_lengths())
                part = part.values
            return tuple(lengths)

    def nested_value_rowids(self, name: str | None = None) -> tuple[Tensor, ...]:
        """The rows of values of every dimension that may be ragged, the outermost first."""
        with name_scope(name, "RaggedNestedValueRowIds", [self]):
            rows, part = [], self
            while isinstance(part, RaggedTensor):
                rows.append(part.value_rowids())
                part = part.values
            return tuple(rows)

    def bounding_shape(self, axis: int | None = None, name: str | None = None, out_type: Any = None) -> Tensor:
        """The shape of the smallest dense tensor that holds all, or its size along `axis`."""
        kind = dtypes.as_dtype(out_type or self._row_splits.dtype)
        with name_scope(name, "RaggedBoundingBox", [self, axis]):
            if axis in (0, 1):
                along = maximum(reduce_max(self.row_lengths()), 0) if axis else self.nrows()
                return along if kind == along.dtype else cast(along, kind)
            splits = self.nested_row_splits
            rows, flat = shape(self._row_splits, out_type=kind), shape(self.flat_values, out_type=kind)
            ragged = [rows[0] - 1, *[maximum(reduce_max(_steps(part)), 0) for part in splits]]
            box = concat([stack(ragged), flat[1:]], axis=0)
            return box if axis is None else box[axis]

    def with_values(self, new_values: Any) -> Any:
        """The same rows of other values, of which there must be as many."""
        new_values = tensor_or_ragged(new_values)
        new_values.shape.with_rank_at_least(1)
        self._values.shape[:1].assert_is_compatible_with(new_values.shape[:1])
        return RaggedTensor(new_values, self._row_splits, internal=True)

    def with_flat_values(self, new_values: Any) -> Any:
        """The same rows of other innermost values, of which there must be as many."""
        if isinstance(self._values, RaggedTensor):
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
        if isinstance(values, RaggedTensor):
            values = values.with_row_splits_dtype(dtype)
        return RaggedTensor(values, splits, internal=True)

    # -- other kinds --------------------------------------------------------------------------------------------

    def to_tensor(self, default_value: Any = None, name: str | None = None) -> Tensor:
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
            if isinstance(values, RaggedTensor):
                values = values.to_tensor(default_value)
            if default_value is not None and default_value.shape.ndims != values.shape.ndims - 1:
                default_value = broadcast_to(default_value, shape(values)[1:])
            splits = self._row_splits
            lengths = _steps(splits)
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

    def to_sparse(self, name: str | None = None) -> SparseTensor:
        """The same as a sparse tensor."""
        with name_scope(name, "RaggedToSparse", [self]):
            return SparseTensor(*ragged_tensor_to_sparse_op(
                list(self.nested_row_splits), self.flat_values, name=name))

    def to_list(self) -> Any:
        """Not for graphs: fetch the tensor, and ask its value."""
        raise ValueError("RaggedTensor.to_list() is only supported in eager mode; in graph mode, evaluate the "
                         "RaggedTensor first and then use RaggedTensorValue.to_list().")

    def __getitem__(self, key: Any) -> Any:
        """One row, or rows from one place to another; what follows the first key indexes that row.

        Raises:
          NotImplementedError: other keys, such as steps, new axes, and columns of ragged rows.
        """
        keys = list(key) if isinstance(key, tuple) else [key]
        with name_scope(None, "RaggedGetItem", [self]):
            if not keys or (keys == [Ellipsis]):
                return self
            key, rest = keys[0], tuple(keys[1:])
            if key is None or key is Ellipsis or (isinstance(key, slice) and (rest or key.step not in (None, 1))):
                raise NotImplementedError("tf.RaggedTensor.__getitem__ with new axes, ellipses, steps or columns")
            if isinstance(key, slice):
                return self if key.start is None and key.stop is None else self._slice(key)
            starts, limits = self._row_splits[:-1], self._row_splits[1:]
            return self._values[starts[key]:limits[key]][rest]

    def _slice(self, rows: slice) -> Any:
        starts, limits = self._row_splits[:-1][rows], self._row_splits[1:][rows]
        # Without rows there are no starts, and the splits are a single zero.
        splits = concat([zeros([1], starts.dtype)[size(limits):], starts[:1], limits], axis=0)
        first, last = splits[0], splits[-1]
        return RaggedTensor(self._values[first:last], splits - first, internal=True)


def _fetched(fetch: RaggedTensor) -> Any:
    def combined(parts: list) -> RaggedTensorValue:
        result = parts[0]
        for splits in reversed(parts[1:]):
            result = RaggedTensorValue(result, splits)
        return result
    return list(fetch.components()), combined


def _fed(key: RaggedTensor, value: Any) -> Any:
    parts = [value.flat_values, *value.nested_row_splits]
    return list(zip(key.components(), parts, strict=True))


register_session_run_conversion_functions(RaggedTensor, _fetched, _fed, lambda key: list(key.components()))

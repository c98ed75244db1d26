"""Ragged tensors from values and what cuts them into rows."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.primitives.identity import with_dependencies
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import zeros
from ossia_ops.array.shape import shape
from ossia_ops.math.cast import cast
from ossia_ops.math.cumulative import cumsum
from ossia_ops.math.histogram import bincount
from ossia_ops.math.reduction import reduce_sum
from ossia_ragged.partitions import lengths_of_splits
from ossia_ragged.rows import Rows, tensor_or_ragged


def _partition(values: Any, rows: Any, name: str) -> tuple[Any, Tensor]:
    """The values and what cuts them into rows, as tensors; rows count in int64 unless they say otherwise."""
    values = tensor_or_ragged(values, name="values")
    if not isinstance(rows, Tensor):
        wanted = dtypes.int32 if isinstance(rows, np.ndarray) and rows.dtype == np.int32 else dtypes.int64
        rows = convert_to_tensor(rows, name=name, preferred_dtype=wanted)
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
    if not isinstance(values, Rows):
        made.append(assertion("rank_at_least", values, 1))
    return with_dependencies(made, rows)


def row_count(values: Any, dtype: Any) -> Tensor:
    """The number of rows of a tensor or ragged tensor."""
    return values.nrows(out_type=dtype) if isinstance(values, Rows) else shape(values, out_type=dtype)[0]


def from_row_splits(
    cls: Any, values: Any, row_splits: Any, name: str | None = None, validate: bool = True
) -> Any:
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
            count, zero = row_count(values, row_splits.dtype), row_splits.dtype
            row_splits = _checked(row_splits, "from_row_splits", lambda assertion: [
                assertion("equal", row_splits[0], constant(0, zero)),
                assertion("non_negative", lengths_of_splits(row_splits)),
                assertion("equal", row_splits[-1], count)], values)
        return cls(values, row_splits, internal=True)


def from_row_lengths(
    cls: Any, values: Any, row_lengths: Any, name: str | None = None, validate: bool = True
) -> Any:
    """Rows by how long they are; `row_lengths` must not be negative and add up to the number of values."""
    with name_scope(name, "RaggedFromRowLengths", [values, row_lengths]):
        values, row_lengths = _partition(values, row_lengths, "row_lengths")
        if validate:
            total, count = reduce_sum(row_lengths), row_count(values, row_lengths.dtype)
            row_lengths = _checked(row_lengths, "from_row_lengths", lambda assertion: [
                assertion("non_negative", row_lengths), assertion("equal", total, count)], values)
        return cls(values, concat([[0], cumsum(row_lengths)], axis=0), cached_row_lengths=row_lengths, internal=True)


def from_row_starts(
    cls: Any, values: Any, row_starts: Any, name: str | None = None, validate: bool = True
) -> Any:
    """Rows by where they start; `row_starts` begins at 0 unless it is empty, and never falls."""
    with name_scope(name, "RaggedFromRowStarts", [values, row_starts]):
        values, row_starts = _partition(values, row_starts, "row_starts")
        count = row_count(values, row_starts.dtype)
        if validate:
            zero = row_starts.dtype
            row_starts = _checked(row_starts, "from_row_starts", lambda assertion: [
                assertion("equal", row_starts[:1], constant(0, zero)),
                assertion("non_negative", lengths_of_splits(row_starts)),
                assertion("less_equal", row_starts[-1:], count)], values)
        return cls(values, concat([row_starts, [count]], axis=0), internal=True)


def from_row_limits(
    cls: Any, values: Any, row_limits: Any, name: str | None = None, validate: bool = True
) -> Any:
    """Rows by where they end; `row_limits` never falls and ends at the number of values."""
    with name_scope(name, "RaggedFromRowLimits", [values, row_limits]):
        values, row_limits = _partition(values, row_limits, "row_limits")
        if validate:
            count = row_count(values, row_limits.dtype)
            row_limits = _checked(row_limits, "from_row_limits", lambda assertion: [
                assertion("non_negative", row_limits[:1]),
                assertion("non_negative", lengths_of_splits(row_limits)),
                assertion("equal", row_limits[-1:], count)], values)
        return cls(values, concat([zeros([1], row_limits.dtype), row_limits], axis=0), internal=True)


def from_value_rowids(
    cls: Any, values: Any, value_rowids: Any, nrows: Any = None, name: str | None = None, validate: bool = True
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
            known = get_static_value(value_rowids)
            if known is None:
                nrows = concat([value_rowids[-1:], [-1]], axis=0)[0] + 1
            else:
                nrows = convert_to_tensor(int(known[-1]) + 1 if known.size else 0, value_rowids.dtype, name="nrows")
        else:
            nrows = convert_to_tensor(nrows, value_rowids.dtype, name="nrows")
            given, known = get_static_value(nrows), get_static_value(value_rowids)
            if given is not None and given < 0:
                raise ValueError(f"Expected nrows >= 0; got {given}")
            if given is not None and known is not None and known.size and given <= known[-1]:
                raise ValueError(f"Expected nrows >= value_rowids[-1] + 1; got nrows={given}, "
                                 f"value_rowids[-1]={known[-1]}")
        nrows.shape.assert_has_rank(0)
        values.shape[:1].assert_is_compatible_with(value_rowids.shape)
        if validate:
            ids, total = value_rowids, row_count(values, dtypes.int32)
            count = row_count(ids, dtypes.int32)
            value_rowids = _checked(ids, "from_value_rowids", lambda assertion: [
                assertion("rank", nrows, 0), assertion("equal", total, count),
                assertion("non_negative", ids[:1]), assertion("non_negative", lengths_of_splits(ids)),
                assertion("less", ids[-1:], nrows)], values)
        kind, rows = value_rowids.dtype, cast(value_rowids, dtypes.int32)
        number = cast(nrows, dtypes.int32)
        lengths = bincount(rows, minlength=number, maxlength=number, dtype=kind)
        splits = concat([[0], cumsum(lengths)], axis=0)
        return cls(values, splits, lengths, value_rowids, nrows, internal=True)


def _nested(cls: Any, method: str, scope: str, flat_values: Any, nested: Any, name: Any, validate: bool) -> Any:
    if isinstance(nested, Tensor):
        raise TypeError(f"nested argument of {method} must be a list of Tensors")
    with name_scope(name, scope, [flat_values, *nested]):
        result = flat_values
        for rows in reversed(nested):
            result = getattr(cls, method)(result, rows, validate=validate)
        return result


def from_nested_row_splits(
    cls: Any, flat_values: Any, nested_row_splits: Any, name: str | None = None, validate: bool = True
) -> Any:
    """Rows in rows, by one `row_splits` per dimension that may be ragged, the outermost first."""
    return _nested(cls, "from_row_splits", "RaggedFromNestedRowSplits", flat_values, nested_row_splits, name,
                       validate)


def from_nested_row_lengths(
    cls: Any, flat_values: Any, nested_row_lengths: Any, name: str | None = None, validate: bool = True
) -> Any:
    """Rows in rows, by one `row_lengths` per dimension that may be ragged, the outermost first."""
    return _nested(cls, "from_row_lengths", "RaggedFromNestedRowlengths", flat_values, nested_row_lengths, name,
                       validate)


def from_nested_value_rowids(
    cls: Any, flat_values: Any, nested_value_rowids: Any, nested_nrows: Any = None, name: str | None = None,
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

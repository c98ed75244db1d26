"""Ragged tensors from nested lists and from ranges, and functions over their values."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core import dtypes
from ossia_core.api_table import public
from ossia_core.builders import builder
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.shapes import TensorShape
from ossia_ops.cast import cast, cast_op
from ossia_ops.ragged import RaggedTensor, segments_of_splits, splits_of_segments
from ossia_ops.ragged_kernels import ragged_range_op
from ossia_ops.ragged_value import RaggedTensorValue


def _depth(value: Any) -> int | None:
    """How deep a list is nested; None for an empty one, below which there is no telling."""
    if not isinstance(value, (list, tuple)):
        return 0
    depths = [depth for depth in map(_depth, value) if depth is not None]
    return depths[0] + 1 if depths else None


def _least_depth(value: Any) -> int:
    """How deep a list is nested at least, empty lists counted as vectors."""
    if not isinstance(value, (list, tuple)):
        return 0
    return 1 + max(map(_least_depth, value), default=0)


def _check_depths(value: Any, depth: int) -> None:
    """That every scalar lies as deep as the others."""
    if not isinstance(value, (list, tuple)):
        if depth:
            raise ValueError("all scalar values must have the same nesting depth")
        return
    if not depth:
        raise ValueError("all scalar values must have the same nesting depth")
    for part in value:
        _check_depths(part, depth - 1)


def _inner_shape(values: Any, depth: int) -> tuple:
    if not depth:
        return ()
    lengths = {len(value) for value in values}
    if len(lengths) > 1:
        raise ValueError("inner values have inconsistent shape")
    return (*(lengths or {0}), *_inner_shape([part for value in values for part in value], depth - 1))


def _nested(pylist: Any, dtype: Any, ragged_rank: int | None, inner_shape: tuple | None, make: Any) -> Any:
    """The parts of a nested list, put together by `make(values, row splits from the outermost on)`."""
    if ragged_rank is not None and ragged_rank < 0:
        raise ValueError(f"Invalid ragged_rank={ragged_rank}: must be nonnegative")
    if isinstance(pylist, np.ndarray):
        pylist = pylist.tolist()
    depth = _depth(pylist)
    least = _least_depth(pylist)
    if not isinstance(pylist, (list, tuple)):
        if ragged_rank:
            raise ValueError(f"Invalid pylist={pylist!r}: incompatible with ragged_rank={ragged_rank}")
        if inner_shape:
            raise ValueError(f"Invalid pylist={pylist!r}: incompatible with dim(inner_shape)={len(inner_shape)}")
        return make(pylist, (), ())
    if depth is not None:
        _check_depths(pylist, depth)
    if ragged_rank is not None and depth is not None and ragged_rank >= depth:
        raise ValueError(f"Invalid pylist={pylist!r}: incompatible with ragged_rank={ragged_rank}")
    if inner_shape is not None and ragged_rank is None:
        ragged_rank = (least if depth is None else depth) - 1 - len(inner_shape)
        if ragged_rank < 0:
            raise ValueError(f"Invalid pylist={pylist!r}: incompatible with dim(inner_shape)={len(inner_shape)}")
    elif ragged_rank is None:
        ragged_rank = max(1, (least if depth is None else depth) - 1)
        if depth == 1 or (depth is None and least == 1):
            ragged_rank = 0
    if ragged_rank == 0 and inner_shape is not None:
        return make(pylist, (), None)
    splits, values = [], pylist
    for _ in range(ragged_rank):
        splits.append(np.concatenate(([0], np.cumsum([len(value) for value in values], dtype=np.int64))))
        values = [part for value in values for part in value]
    if inner_shape is None:
        inner_shape = _inner_shape(values, 0 if depth is None else depth - 1 - ragged_rank)
    return make(values, tuple(splits), tuple(inner_shape))


@public("ragged.constant", "compat.v2.ragged.constant")
def ragged_constant(
    pylist: Any, dtype: Any = None, ragged_rank: int | None = None, inner_shape: Any = None, name: str | None = None,
    row_splits_dtype: Any = dtypes.int64,
) -> Any:
    """A constant ragged tensor.

    Args:
      pylist: lists in lists; the scalars in them lie equally deep.
      dtype: dtype of the values; as a constant of them has by default.
      ragged_rank: how many dimensions may be ragged; all but the first one by default, or but `inner_shape`.
      inner_shape: the shape of the innermost values.
      name: name scope.
      row_splits_dtype: int32 or int64.

    Returns:
      A RaggedTensor, or a tensor if nothing is ragged.

    Raises:
      ValueError: the scalars do not lie equally deep, or the list does not fit `ragged_rank` or `inner_shape`.
    """
    kind = dtypes.as_dtype(row_splits_dtype)

    def make(values: Any, splits: tuple, inner: tuple) -> Any:
        if not splits:
            return constant(values, dtype=dtype, shape=inner_shape)
        flat = constant(values, dtype=dtype, shape=(len(values), *inner), name="values")
        result: Any = flat
        for part in reversed(splits):
            result = RaggedTensor(result, constant(part.astype(kind.as_numpy_dtype)), internal=True)
        return result

    with name_scope(name, "RaggedConstant", []):
        return _nested(pylist, dtype, ragged_rank, inner_shape, make)


@public("ragged.constant_value", "compat.v1.ragged.constant_value")
def ragged_constant_value(
    pylist: Any, dtype: Any = None, ragged_rank: int | None = None, inner_shape: Any = None,
    row_splits_dtype: Any = "int64",
) -> Any:
    """The value of a constant ragged tensor, with the arguments of `tf.ragged.constant` and NumPy's dtypes.

    Returns:
      A RaggedTensorValue, or an array if nothing is ragged.
    """
    kind = dtypes.as_dtype(row_splits_dtype).as_numpy_dtype

    def make(values: Any, splits: tuple, inner: tuple) -> Any:
        result: Any = np.array(values, dtype=dtype)
        if splits:
            result = result.reshape((len(values), *inner))
        for part in reversed(splits):
            result = RaggedTensorValue(result, part.astype(kind))
        return result

    return _nested(pylist, dtype, ragged_rank, inner_shape, make)


@public("ragged.placeholder", "compat.v1.ragged.placeholder")
def ragged_placeholder(dtype: Any, ragged_rank: int, value_shape: Any = None, name: str | None = None) -> Any:
    """A ragged tensor to be fed with a RaggedTensorValue.

    Args:
      dtype: dtype of the values.
      ragged_rank: how many dimensions may be ragged; a plain placeholder for 0.
      value_shape: the shape of the innermost values.
      name: name scope.
    """
    placeholder = builder("placeholder")
    if ragged_rank == 0:
        return placeholder(dtype, value_shape, name)
    with name_scope(name, "RaggedPlaceholder", []):
        flat_shape = TensorShape([None]).concatenate(TensorShape(value_shape))
        result = placeholder(dtype, flat_shape, "flat_values")
        for i in reversed(range(ragged_rank)):
            splits = placeholder(dtypes.int64, [None], f"row_splits_{i}")
            result = RaggedTensor(result, splits, internal=True)
        return result


@public("ragged.range", "compat.v2.ragged.range")
def ragged_range(
    starts: Any, limits: Any = None, deltas: Any = 1, dtype: Any = None, name: str | None = None,
    row_splits_dtype: Any = dtypes.int64,
) -> Any:
    """Rows that count: row `i` goes from `starts[i]` to `limits[i]`, without it, in steps of `deltas[i]`.

    Args:
      starts: scalar or vector; the limits, if `limits` is not given.
      limits: scalar or vector.
      deltas: scalar or vector.
      dtype: dtype of the values.
      name: name scope.
      row_splits_dtype: int32 or int64.

    Returns:
      A RaggedTensor with one ragged dimension.
    """
    kind = dtypes.as_dtype(row_splits_dtype)
    if limits is None:
        starts, limits = 0, starts
    with name_scope(name, "RaggedRange", [starts, limits, deltas]) as scope:
        starts = convert_to_tensor(starts, dtype=dtype, name="starts")
        limits = convert_to_tensor(limits, dtype=dtype, name="limits")
        deltas = convert_to_tensor(deltas, dtype=dtype, name="deltas")
        if dtype is None:
            order = [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64]
            common = max((x.dtype.base_dtype for x in (starts, limits, deltas)), key=order.index)
            starts, limits, deltas = (cast(x, common) for x in (starts, limits, deltas))
        splits, values = ragged_range_op(starts, limits, deltas, Tsplits=kind, name=scope)
        return RaggedTensor(values, splits, internal=True)


@public("ragged.map_flat_values", "compat.v2.ragged.map_flat_values")
def map_flat_values(op: Any, *args: Any, **kwargs: Any) -> Any:
    """`op` of the innermost values of ragged tensors, all of the same rows.

    Args:
      op: a function.
      *args: its arguments; those that are ragged tensors are given as their innermost values.
      **kwargs: the same.

    Returns:
      A RaggedTensor of what the function returns; its result itself, if no argument is ragged.
    """
    ragged = [part for part in [*args, *kwargs.values()] if isinstance(part, RaggedTensor)]
    if not ragged:
        return op(*args, **kwargs)
    if len({part.ragged_rank for part in ragged}) > 1:
        raise ValueError("All ragged arguments must have the same ragged_rank")
    checks = []
    for part in ragged[1:]:
        for mine, first in zip(part.nested_row_splits, ragged[0].nested_row_splits, strict=True):
            checks.append(builder("debugging.assert_equal")(
                mine, first, message="Inputs must have identical ragged splits"))
    def flat(part: Any) -> Any:
        return part.flat_values if isinstance(part, RaggedTensor) else part

    with control_dependencies(checks):
        result = op(*map(flat, args), **{key: flat(value) for key, value in kwargs.items()})
    return ragged[0].with_flat_values(result)


@public("ragged.row_splits_to_segment_ids", "compat.v2.ragged.row_splits_to_segment_ids")
def row_splits_to_segment_ids(splits: Any, name: str | None = None, out_type: Any = None) -> Tensor:
    """The row of every value, from row splits: `[0, 2, 2, 3]` gives `[0, 0, 2]`.

    Args:
      splits: a vector of int32 or int64.
      name: name scope.
      out_type: int32 or int64; as `splits` have by default.

    Raises:
      ValueError: `splits` are of another dtype.
    """
    with name_scope(name, "RaggedSplitsToSegmentIds", [splits]) as scope:
        splits = convert_to_tensor(splits, name="splits", preferred_dtype=dtypes.int64)
        if splits.dtype not in (dtypes.int32, dtypes.int64):
            raise ValueError("splits must have dtype int32 or int64")
        splits.shape.assert_has_rank(1)
        if out_type is not None:
            splits = cast(splits, out_type)
    return segments_of_splits(splits, scope)


@public("ragged.segment_ids_to_row_splits", "compat.v2.ragged.segment_ids_to_row_splits")
def segment_ids_to_row_splits(
    segment_ids: Any, num_segments: Any = None, out_type: Any = None, name: str | None = None
) -> Tensor:
    """Row splits, from the row of every value: `[0, 0, 2]` gives `[0, 2, 2, 3]`.

    Args:
      segment_ids: a vector that never falls.
      num_segments: number of rows; one more than the last row id by default.
      out_type: int32 or int64; int64 by default.
      name: name scope.
    """
    kind = dtypes.as_dtype(out_type or dtypes.int64)
    with name_scope(name, "SegmentIdsToRaggedSplits", [segment_ids]):
        ids = convert_to_tensor(segment_ids, name="segment_ids")
        ids.shape.assert_has_rank(1)
        ids = cast_op(ids, DstT=dtypes.int32)
        number = None
        if num_segments is not None:
            number = cast_op(convert_to_tensor(num_segments, name="num_segments"), DstT=dtypes.int32)
        return splits_of_segments(ids, number, kind)



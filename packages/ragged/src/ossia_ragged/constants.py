"""Constant ragged tensors, from nested lists."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.graph.convert import constant
from ossia_core.graph.scopes import name_scope
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_ragged.tensor import RaggedTensor
from ossia_ragged.value import RaggedTensorValue


def _lists(value: Any) -> Any:
    """Arrays as lists, the numbers in them as they are."""
    if isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim):
        return [_lists(part) for part in value]
    return value


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
    pylist = _lists(pylist)
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
        raise ValueError(
            f"pylist has scalar values depth {depth}, but ragged_rank={ragged_rank} requires scalar value depth "
            f"greater than {ragged_rank}"
        )
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


def _check_size(values: Any, wanted: tuple) -> None:
    """That innermost values are as many as their shape says, or a single one that fills it."""
    found = np.asarray(values)
    if found.size not in (int(np.prod(wanted)), 1):
        raise TypeError(f"Expected Tensor's shape: {wanted}, got {found.shape}.")


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
    if kind not in (dtypes.int32, dtypes.int64):
        raise ValueError("row_splits must have dtype int32 or int64")

    def make(values: Any, splits: tuple, inner: tuple) -> Any:
        if not splits:
            return constant(values, dtype=dtype, shape=inner_shape)
        if inner_shape is not None:
            _check_size(values, (len(values), *inner))
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
    if isinstance(dtype, dtypes.DType):
        dtype = dtype.as_numpy_dtype

    def make(values: Any, splits: tuple, inner: tuple) -> Any:
        result: Any = np.array(values, dtype=dtype)
        if splits:
            result = result.reshape((len(values), *inner))
        for part in reversed(splits):
            result = RaggedTensorValue(result, part.astype(kind))
        return result

    return _nested(pylist, dtype, ragged_rank, inner_shape, make)

"""The op that makes a dense tensor of any partition of values into rows."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant_shape, with_rank_at_most
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_ragged.checks import checked_splits

ragged_tensor_to_tensor_op = op(
    "RaggedTensorToTensor(shape: Tshape, values: T, default_value: T, "
    "row_partition_tensors: num_row_partition_tensors * Tindex) -> result: T",
    T="type", Tindex="{int64, int32}", Tshape="{int64, int32}", num_row_partition_tensors="int >= 1",
    row_partition_types="list(string)",
)


def _ragged_rank(types: list) -> int:
    return len(types) - (bool(types) and types[0] == b"FIRST_DIM_SIZE")


def _combined(given: list | None, values: list | None, ragged_rank: int) -> list | None:
    """The sizes of the result as far as they are known, from those given and those of the values.

    Raises:
      ValueError: they do not go together.
    """
    if given is None:
        return None if values is None else [None] * (ragged_rank + 1) + values[1:]
    if values is None:
        return given
    if len(given) != ragged_rank + len(values):
        raise ValueError(f"error creating shape: ragged rank {ragged_rank} and values of rank {len(values)} make no "
                         f"tensor of rank {len(given)}")
    head, tail = given[:ragged_rank + 1], given[ragged_rank + 1:]
    for one, other in zip(tail, values[1:], strict=True):
        if one is not None and other is not None and one != other:
            raise ValueError(f"Inner dimension mismatch: {one} and {other}")
    return head + [one if other is None else other for one, other in zip(tail, values[1:], strict=True)]


@ragged_tensor_to_tensor_op.shape
def _(shape, values, default_value, row_partition_tensors, *, row_partition_types):
    types = [_bytes(kind) for kind in row_partition_types]
    if len(types) != len(row_partition_tensors):
        raise ValueError("row_partition_types must have one type for each of row_partition_tensors")
    with_rank_at_most(shape, 1)
    for kind, part in zip(types, row_partition_tensors, strict=True):
        if kind == b"FIRST_DIM_SIZE" and part.shape.ndims not in (0, None):
            raise ValueError("FIRST_DIM_SIZE must be a scalar.")
        if kind != b"FIRST_DIM_SIZE" and part.shape.ndims not in (1, None):
            raise ValueError("Row partition must be a vector.")
    held = constant_shape(shape, scalars=True).as_tuple()
    given = None if held is None else list(held)
    inner = None if values.shape.ndims is None else values.shape.as_list()
    return TensorShape(_combined(given, inner, _ragged_rank(types)))


def _bytes(text: Any) -> bytes:
    return text.encode() if isinstance(text, str) else text


def _row_splits(types: list[bytes], tensors: list[np.ndarray], size: int) -> list[np.ndarray]:
    """The row splits of each dimension, the outermost first, checked to fit each other and the number of values."""
    tensors, types = list(tensors), list(types)
    rows: int | None = None
    if types[0] == b"FIRST_DIM_SIZE":
        if tensors[0].ndim:
            raise InvalidArgumentError(None, None, "First dimension's size must be a scalar")
        rows = int(tensors[0])
        if rows < 0:
            raise InvalidArgumentError(None, None, f"First dimension's size must not be negative, got {rows}")
        tensors, types = tensors[1:], types[1:]
    found = []
    for i, (kind, tensor) in enumerate(zip(types, tensors, strict=True)):
        if tensor.ndim != 1:
            raise InvalidArgumentError(None, None, "A row partition must be a vector")
        below = size if i + 1 == len(types) else _count(types[i + 1], tensors[i + 1])
        if kind == b"ROW_SPLITS":
            splits = tensor.astype(np.int64)
            checked_splits(splits, below if below is not None else int(splits[-1]) if len(splits) else 0)
            if rows is not None and len(splits) != rows + 1:
                raise InvalidArgumentError(None, None, f"Expected {rows} rows, got {len(splits) - 1}")
        elif kind == b"VALUE_ROWIDS" and rows is not None:
            splits = _of_rowids(tensor, rows, below)
        else:
            raise InvalidArgumentError(None, None, f"Unsupported row partition type: {kind.decode(errors='replace')}")
        rows = int(splits[-1])
        found.append(splits)
    return found


def _count(kind: bytes, tensor: np.ndarray) -> int | None:
    """How many rows a partition cuts its values into, if it says so itself."""
    return len(tensor) - 1 if kind == b"ROW_SPLITS" and tensor.ndim == 1 else None


def _of_rowids(rowids: np.ndarray, rows: int, below: int | None) -> np.ndarray:
    if below is not None and len(rowids) != below:
        raise InvalidArgumentError(None, None, f"Expected {below} row ids, got {len(rowids)}")
    if len(rowids) and (rowids[0] < 0 or rowids[-1] >= rows or np.any(rowids[1:] < rowids[:-1])):
        raise InvalidArgumentError(None, None, f"Row ids must not fall, and be in [0, {rows})")
    sizes.allocatable((rows + 1,), 8)
    return np.concatenate(([0], np.cumsum(np.bincount(rowids.astype(np.int64), minlength=rows)))).astype(np.int64)


@ragged_tensor_to_tensor_op.kernel
def _(shape, values, default_value, row_partition_tensors, *, row_partition_types):
    types = [_bytes(kind) for kind in row_partition_types]
    if not types or len(types) != len(row_partition_tensors) or _ragged_rank(types) < 1:
        raise InvalidArgumentError(
            None, None, "row_partition_types must have one type for each of row_partition_tensors")
    if not values.ndim:
        raise InvalidArgumentError(None, None, "values must have rank 1 at least")
    if np.ndim(shape) > 1:
        raise InvalidArgumentError(None, None, "shape must be a scalar or a vector")
    nested = _row_splits(types, [np.asarray(part) for part in row_partition_tensors], len(values))
    try:
        dims = _combined(None if np.ndim(shape) == 0 else [None if size < 0 else size for size in shape.tolist()],
                         list(values.shape), len(nested))
    except ValueError as error:
        raise InvalidArgumentError(None, None, str(error)) from None
    assert dims is not None
    found = [len(nested[0]) - 1, *[int(np.diff(splits).max(initial=0)) for splits in nested]]
    whole = [size if given is None else given for given, size in zip(dims, found, strict=False)]
    inner = values.shape[1:]
    sizes.allocatable((*whole, *inner), values.dtype.itemsize)
    result = np.empty((*whole, *inner), values.dtype)
    try:
        result[...] = default_value
    except ValueError:
        raise InvalidArgumentError(
            None, None,
            f"default_value of shape {dims_text(np.shape(default_value))} does not fit {dims_text(inner)}") from None
    # The place of every value in each dimension, from the outermost on.
    places = [np.arange(found[0])]
    for splits in nested:
        lengths = np.diff(splits)
        places = [np.repeat(place, lengths) for place in places]
        places.append(np.arange(int(splits[-1])) - np.repeat(splits[:-1], lengths))
    fits = np.logical_and.reduce([place < size for place, size in zip(places, whole, strict=True)])
    result[tuple(place[fits] for place in places)] = values[fits]
    return result


ragged_tensor_to_tensor_op.samples(
    splits=sample(np.array([3, 4]), np.array([1.0, 2.0, 3.0]), np.array(9.0), [np.array([0, 2, 3])],
                  row_partition_types=["ROW_SPLITS"]),
    rowids=sample(np.array([-1, -1]), np.array([1, 2, 3]), np.array(0), [np.array(3), np.array([0, 0, 2])],
                  row_partition_types=["FIRST_DIM_SIZE", "VALUE_ROWIDS"]),
    cut=sample(np.array([2, 1]), np.array([1, 2, 3]), np.array(0), [np.array([0, 2, 3])],
               row_partition_types=["ROW_SPLITS"]),
)

"""Matrices of a checkpoint with their rows and columns in another order, and values for those that are new."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_checkpoint.formats import TensorReader, format_of, named
from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import with_rank
from ossia_core.names import dtypes, errors, sizes
from ossia_core.names.dtypes import engine_name

load_and_remap_matrix_op = op(
    "LoadAndRemapMatrix(ckpt_path: string, old_tensor_name: string, row_remapping: int64, col_remapping: int64, "
    "initializing_values: float) -> output_matrix: float",
    num_rows="int >= 0",
    num_cols="int >= 1",
    max_rows_in_memory="int = -1",
    stateful=True,
)


@load_and_remap_matrix_op.shape
def _(ckpt_path, old_tensor_name, row_remapping, col_remapping, initializing_values, *, num_rows, num_cols):
    with_rank(old_tensor_name, 0)
    return (num_rows, num_cols)


def _text(value: Any, what: str) -> str:
    if np.size(value) != 1:
        raise _invalid(f"The {what} must be one string, got shape {list(np.shape(value))}")
    return np.asarray(value, object).reshape(-1)[0].decode(errors="surrogateescape")


def _invalid(message: str) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(None, None, message)


def _checked_ids(ids: Any, what: str) -> None:
    if ids.ndim != 1:
        raise _invalid(f"{what} must be a vector, got shape {list(ids.shape)}")
    known = ids[ids >= 0]
    order = np.argsort(known, kind="stable")
    repeated = np.flatnonzero(known[order][1:] == known[order][:-1])
    if len(repeated):
        old = known[order][repeated[0]]
        first, second = np.flatnonzero(ids == old)[:2]
        raise errors.UnimplementedError(
            None, None, f"Old ID {old} is mapped to both new ID {first} and {second}, which is not supported."
        )


def _checked_entry(reader: TensorReader, name: str) -> tuple[int, int]:
    entry = reader.entry(name)
    if entry.dtype is not dtypes.float32:
        raise _invalid(f"Tensor {name} has invalid type {engine_name(entry.dtype)} instead of expected type float")
    if len(entry.shape) != 2:
        shape, rank = list(entry.shape), len(entry.shape)
        raise _invalid(f"Tensor {name} has shape {shape} of invalid rank {rank} instead of expected shape of rank 2.")
    return entry.shape


@load_and_remap_matrix_op.kernel(blocking=True)
def _(ckpt_path, old_tensor_name, row_remapping, col_remapping, initializing_values, *, num_rows, num_cols):
    path, name = _text(ckpt_path, "`ckpt_path`"), _text(old_tensor_name, "`old_tensor_name`")
    if row_remapping.ndim != 1 or len(row_remapping) != num_rows:
        raise _invalid(f"Size of row_remapping is {row_remapping.size} instead of being equal to num_rows={num_rows}")
    if col_remapping.size and col_remapping.shape != (num_cols,):
        size = col_remapping.size
        raise _invalid(f"Provided col_remapping, but its size is {size} instead of being equal to num_cols={num_cols}")
    _checked_ids(row_remapping, "row_remapping")
    sizes.allocatable((num_rows, num_cols), 4)
    with (format_of(path) or named("V2")).reader(path) as reader:
        rows, columns = _checked_entry(reader, name)
        if not col_remapping.size and columns != num_cols:
            raise _invalid(
                f"Tensor {name} has shape [{rows},{columns}], where the size of its 2nd dimension is {columns} instead "
                f"of being equal to num_cols={num_cols}"
            )
        _checked_ids(col_remapping.reshape(-1), "col_remapping")
        if (row_remapping >= rows).any():
            raise _invalid(f"Row {row_remapping.max()} is not in tensor {name} of shape [{rows},{columns}]")
        if (col_remapping >= columns).any():
            raise _invalid(f"Column {col_remapping.max()} is not in tensor {name} of shape [{rows},{columns}]")
        old = reader.read(name) if (row_remapping >= 0).any() else np.zeros((rows, columns), np.float32)
    column_ids = col_remapping if col_remapping.size else np.arange(num_cols)
    return _remapped(old, row_remapping, column_ids, initializing_values)


def _remapped(old: Any, row_ids: Any, column_ids: Any, initial: Any) -> Any:
    known = (row_ids >= 0)[:, np.newaxis] & (column_ids >= 0)
    missing, initial = known.size - int(known.sum()), np.asarray(initial).reshape(-1)
    if len(initial) < missing:
        raise _invalid(f"initializing_values contained {len(initial)} elements, but more missing values remain.")
    if len(initial) > missing:
        raise _invalid(
            f"initializing_values contained {len(initial)} elements, but only {missing} elements were used to fill in "
            "missing values."
        )
    result = np.empty(known.shape, np.float32)
    there = np.ix_(row_ids >= 0, column_ids >= 0)
    result[there] = old[np.ix_(row_ids[row_ids >= 0], column_ids[column_ids >= 0])]
    result[~known] = initial
    return result


load_and_remap_matrix_op.not_differentiable()

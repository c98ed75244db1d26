"""The rows of index matrices: checked, numbered in row-major order, and grouped."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ossia_core.names.errors import InvalidArgumentError, dims_text


def check_parts(indices: Any, values: Any, shape: Any) -> None:
    """Refuses what is no sparse tensor by the shapes of its parts.

    Args:
      indices, values, shape: the parts, as arrays.

    Raises:
      InvalidArgumentError: `indices` is no matrix, `values` or `shape` no vector, or their sizes do not fit.
    """
    if indices.ndim != 2 or values.ndim != 1 or shape.ndim != 1:
        found = [list(np.shape(part)) for part in (indices, values, shape)]
        raise InvalidArgumentError(
            None, None, f"A sparse tensor has a matrix of indices and vectors of values and sizes, not {found}"
        )
    if len(indices) != len(values):
        raise InvalidArgumentError(None, None, f"A sparse tensor has {len(indices)} indices and {len(values)} values")
    if indices.shape[1] != len(shape):
        raise InvalidArgumentError(
            None, None, f"A sparse tensor has indices of {indices.shape[1]} columns for {len(shape)} dimensions"
        )


def beyond(indices: Any, dims: Any) -> np.ndarray:
    """Which rows of indices, `[n, k]`, are not within a shape, bool `[n]`.

    Columns are compared one by one, which is several times faster than rows are; as numbers without a sign, so that
    negative ones are large.
    """
    outside = np.zeros(len(indices), bool)
    unsigned = np.dtype(f"u{indices.dtype.itemsize}")
    largest = (1 << 8 * unsigned.itemsize) - 1
    for column, size in zip(indices.T, dims):
        outside |= column.view(unsigned) >= min(max(int(size), 0), largest)
    return outside


def check_order(indices: Any, shape: Any) -> None:
    """Refuses indices that are not in ascending row-major order within a shape.

    Args:
      indices, shape: parts that `check_parts` accepts.

    Raises:
      InvalidArgumentError: a row is out of bounds, repeated or out of order.
    """
    outside = beyond(indices, shape)
    wrong = outside.copy()
    numbers = numbered(indices)[0]
    wrong[1:] |= numbers[1:] <= numbers[:-1]
    if not wrong.any():
        return
    i = int(np.argmax(wrong))
    if outside[i]:
        what = f"out of bounds: need 0 <= index < {dims_text(shape)}"
    elif numbers[i] == numbers[i - 1]:
        what = "repeated"
    else:
        what = "out of order. Many sparse ops require sorted indices."
    raise InvalidArgumentError(None, None, f"indices[{i}] = {dims_text(indices[i])} is {what}")


def order_of(indices: Any) -> np.ndarray | slice:
    """The permutation that brings rows into row-major order, a slice where they are; equal rows stay as they stand."""
    if not indices.shape[1]:
        return slice(None)
    offsets = _offsets(indices)
    if offsets is None:
        return np.lexsort(indices.T[::-1])
    if (offsets[1:] >= offsets[:-1]).all():
        return slice(None)
    return np.argsort(offsets, kind="stable")


def starts_of(rows: Any) -> np.ndarray:
    """Where each run of equal rows begins."""
    if not len(rows):
        return np.zeros(0, np.intp)
    differs = np.zeros(len(rows), bool)
    differs[0] = True
    for column in rows.T:
        differs[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(differs)


def numbered(*matrices: Any) -> list[np.ndarray]:
    """The rows of index matrices as numbers: equal for equal rows, ascending in row-major order.

    Unlike offsets into the dense tensor these cannot overflow, however large that tensor would be.
    """
    rows = np.concatenate(matrices)
    offsets = _offsets(rows)
    if offsets is not None:
        return np.split(offsets, np.cumsum([len(matrix) for matrix in matrices[:-1]]))
    order = order_of(rows)
    numbers = np.zeros(len(rows), np.int64)
    first = np.zeros(len(rows), bool)
    first[starts_of(rows[order])] = True
    numbers[order] = np.cumsum(first)
    return np.split(numbers, np.cumsum([len(matrix) for matrix in matrices[:-1]]))


def _offsets(rows: np.ndarray) -> np.ndarray | None:
    """Offsets into the smallest dense tensor that has these rows, None if they are negative or overflow."""
    if not rows.size or int(rows.min()) < 0:
        return None
    dims = [int(column.max()) + 1 for column in rows.T]  # several times faster than along the long axis
    if math.prod(dims) >= 2**63:
        return None
    offsets = rows[:, 0].astype(np.int64)
    for column, n in zip(rows.T[1:], dims[1:]):
        offsets *= n
        offsets += column
    return offsets


def is_ascending(numbers: Any) -> bool:
    """Whether each number is larger than the one before it."""
    return bool((numbers[1:] > numbers[:-1]).all())


def are_same(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two index matrices have the same rows in the same order."""
    return a is b or (a.shape == b.shape and bool((a == b).all()))


def merged(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two numbered index matrices merged: for each row of the result its place in `a` and in `b`, -1 where it has none.

    Rows that are out of order or repeated are taken as they come: the smaller of the two next ones goes first.
    """
    if is_ascending(a) and is_ascending(b):
        both = np.concatenate([a, b])
        order = np.argsort(both, kind="stable")  # of two runs in order this is a merge
        both = both[order]
        new = np.ones(len(both) + 1, bool)
        np.not_equal(both[1:], both[:-1], out=new[1:-1])
        heads = np.flatnonzero(new[:-1])
        of_b = order[heads] - len(a)
        of_a = np.where(of_b < 0, order[heads], -1)
        again = np.flatnonzero(~new[1:][heads])  # what stands in both: first that of `a`, then that of `b`
        np.maximum(of_b, -1, out=of_b)
        of_b[again] = order[heads[again] + 1] - len(a)
        return of_a, of_b
    found: list[tuple[int, int]] = []
    i, j, left, right = 0, 0, a.tolist(), b.tolist()
    while i < len(left) and j < len(right):
        step = (left[i] > right[j]) - (left[i] < right[j])
        found.append((i if step <= 0 else -1, j if step >= 0 else -1))
        i, j = i + (step <= 0), j + (step >= 0)
    found += [(rest, -1) for rest in range(i, len(left))] + [(-1, rest) for rest in range(j, len(right))]
    pairs = np.array(found, np.intp).reshape(len(found), 2)
    return pairs[:, 0], pairs[:, 1]

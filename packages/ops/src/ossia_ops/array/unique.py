"""Distinct elements, and differences of sets."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import with_rank
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, sizes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_ops.element_types import INDEX_32, INDEX_64


def _first_occurrences(x: Any, axis: int | None = None) -> tuple[Any, Any, Any]:
    """Positions of the distinct elements in order of appearance, the number of each element's class, and the counts."""
    _, first, inverse, counts = np.unique(x, True, True, True, axis, equal_nan=False)
    order = np.argsort(first, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return first[order], rank[inverse.reshape(-1)], counts[order]


def _first_of_strings(x: np.ndarray) -> tuple[Any, Any, Any]:
    """What `_first_occurrences` gives, for strings: by a dict of those that were there."""
    numbers: dict[bytes, int] = {}
    numbered = numbers.setdefault
    classes = np.array([numbered(text, len(numbers)) for text in x.tolist()], np.intp)
    counts = np.bincount(classes, minlength=len(numbers))
    first = np.empty(len(counts), np.intp)
    first[classes[::-1]] = np.arange(len(x))[::-1]  # of equal places the last one written stays: the first
    return first, classes, counts


def _first_of_rows(rows: np.ndarray) -> tuple[Any, Any, Any]:
    """What `_first_occurrences` gives, for rows: by a dict of their bytes, if equal rows are those of equal bytes."""
    if rows.dtype.kind in "fc":
        if np.isnan(rows).any():
            return _first_occurrences(rows, 0)
        rows = rows + rows.dtype.type(0)  # there is one zero then
    if rows.dtype.kind not in "biufc" or not rows.shape[1]:
        return _first_occurrences(rows, 0)
    rows = np.ascontiguousarray(rows)
    return _first_of_strings(rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1])))[:, 0])


_TABLE = 1 << 22  # the largest range of integers for which a table is kept while they are told apart


def _first_in_table(x: np.ndarray, lowest: int, span: int) -> tuple[Any, Any, Any]:
    """What `_first_occurrences` gives, for integers from a short range: by a table instead of by sorting."""
    places = x.astype(np.intp) - lowest
    numbers = np.arange(len(x))
    table = np.empty(span, np.intp)  # only what is written is read
    table[places[::-1]] = numbers[::-1]  # of equal places the last one written stays: the first
    firsts = table[places]
    is_first = firsts == numbers
    classes = (np.cumsum(is_first) - 1)[firsts]
    first = np.flatnonzero(is_first)
    return first, classes, np.bincount(classes, minlength=len(first))


def _first_by_sorting(x: np.ndarray, lowest: int) -> tuple[Any, Any, Any]:
    """What `_first_occurrences` gives, for integers that leave room for their positions beside them in 64 bits."""
    bits = len(x).bit_length()
    numbers = np.arange(len(x))
    ordered = np.sort(((x.astype(np.int64) - lowest) << bits) | numbers)
    positions = ordered & ((1 << bits) - 1)
    ordered >>= bits
    starts = np.concatenate(([True], ordered[1:] != ordered[:-1]))
    firsts = positions[starts]
    is_first = np.zeros(len(x), bool)
    is_first[firsts] = True
    classes = np.empty(len(x), np.intp)
    classes[positions] = (np.cumsum(is_first) - 1)[firsts][np.cumsum(starts) - 1]
    first = numbers[is_first]
    return first, classes, np.bincount(classes, minlength=len(first))


def _unique(x: Any, out_idx: Any) -> tuple[Any, Any, Any]:
    if x.ndim != 1:
        raise InvalidArgumentError(None, None, "unique expects a 1D vector.")
    found = _first_of_strings(x) if x.dtype == object else None
    if x.dtype.kind in "iu" and len(x):
        lowest = int(x.min())
        span = int(x.max()) - lowest + 1
        if span <= min(_TABLE, 4096 + 32 * len(x)):
            found = _first_in_table(x, lowest, span)
        elif span.bit_length() + len(x).bit_length() < 63 and int(x.max()) < 1 << 63:
            found = _first_by_sorting(x, lowest)
    first, classes, counts = found or _first_occurrences(x)
    kind = out_idx.as_numpy_dtype
    return x[first], classes.astype(kind), counts.astype(kind)


def _unique_along(x: Any, axis: Any, out_idx: Any) -> tuple[Any, Any, Any]:
    if np.ndim(axis) != 1:
        raise InvalidArgumentError(None, None, "axis expects a 1D vector.")
    if np.size(axis) == 0:
        if x.ndim != 1:
            raise InvalidArgumentError(None, None, "unique expects a 1D vector.")
        position = 0
    else:
        if np.size(axis) != 1:
            raise InvalidArgumentError(
                None, None, "axis does not support input tensors larger than 1 elements"
            )
        position = int(np.ravel(axis)[0])
    if not -x.ndim <= position < x.ndim:
        raise InvalidArgumentError(None, None, f"axis has to be between [0, {x.ndim})")
    position %= x.ndim
    if x.ndim == 1:
        return _unique(x, out_idx)
    kind = out_idx.as_numpy_dtype
    rows = np.moveaxis(x, position, 0).reshape(x.shape[position], sizes.elements(np.delete(x.shape, position)))
    if rows.dtype == object:  # strings: which of them is in a place says a number
        rows = _first_of_strings(rows.reshape(-1))[1].reshape(rows.shape)
    first, classes, counts = _first_of_rows(rows)
    return np.take(x, first, position), classes.astype(kind), counts.astype(kind)


def _unique_rule(x: Tensor) -> tuple:
    with_rank(x, 1)
    return (None,), x.shape


unique_op = op("Unique(x: T) -> y: T, idx: out_idx", T="type", out_idx=INDEX_32)


unique_op.shape(lambda x: _unique_rule(x))


@unique_op.kernel
def _(x, *, out_idx):
    return _unique(np.asarray(x), out_idx)[:2]


unique_op.samples(plain=[3, 1, 3, 2], empty=np.zeros(0, "f4"), strings=["b", "a", "b"])


@public("unique")
def unique(x: Any, out_idx: Any = dtypes.int32, name: str | None = None) -> Any:
    """The distinct elements of a vector in order of appearance, and for each element the position of its equal among
    them.

    Args:
      x: a vector.
      out_idx: dtype of the positions, int32 or int64.
      name: name of the op.

    Returns:
      A tuple `(y, idx)` with `x[i] == y[idx[i]]`.
    """
    return unique_op(x, out_idx=out_idx, name=name)


unique_with_counts_op = op("UniqueWithCounts(x: T) -> y: T, idx: out_idx, count: out_idx", T="type", out_idx=INDEX_32)


# The original asks for a vector in a run only.
unique_with_counts_op.shape(lambda x: ((None,), x.shape, (None,)))


@unique_with_counts_op.kernel
def _(x, *, out_idx):
    return _unique(np.asarray(x), out_idx)


unique_with_counts_op.samples(plain=sample([3, 1, 3, 2], out_idx="int64"))


@public("unique_with_counts")
def unique_with_counts(x: Any, out_idx: Any = dtypes.int32, name: str | None = None) -> Any:
    """Like `unique`, with a third output: how often each distinct element occurs."""
    return unique_with_counts_op(x, out_idx=out_idx, name=name)


def _along_rule(x: Tensor) -> tuple:
    rank = x.shape.ndims
    return (None if rank is None else (None,) * rank), (x.shape if rank == 1 else (None,))


unique_v2_op = op("UniqueV2(x: T, axis: Taxis) -> y: T, idx: out_idx", T="type", Taxis=INDEX_64, out_idx=INDEX_32)


unique_v2_op.shape(lambda x, axis: _along_rule(x))


@unique_v2_op.kernel
def _(x, axis, *, out_idx):
    return _unique_along(np.asarray(x), axis, out_idx)[:2]


unique_v2_op.samples(strings=([[b"b", b"a"], [b"c", b"c"], [b"b", b"a"]], [0]),
                     rows=([[1, 2], [3, 4], [1, 2]], [0]), columns=([[1, 1, 2]], [1]),
                     vector=([1, 1, 2], [0]), no_axis=([1, 1, 2], np.zeros(0, np.int64)),
                     refused_scalar=([1, 1, 2], np.int64(0)))


unique_with_counts_v2_op = op("UniqueWithCountsV2(x: T, axis: Taxis) -> y: T, idx: out_idx, count: out_idx", T="type",
                              Taxis=INDEX_64, out_idx=INDEX_32)


unique_with_counts_v2_op.shape(lambda x, axis: (*_along_rule(x), (None,)))


@unique_with_counts_v2_op.kernel
def _(x, axis, *, out_idx):
    return _unique_along(np.asarray(x), axis, out_idx)


unique_with_counts_v2_op.samples(rows=([[1, 2], [3, 4], [1, 2]], [0]))


list_diff_op = op("ListDiff(x: T, y: T) -> out: T, idx: out_idx", T="type", out_idx=INDEX_32)


@list_diff_op.shape
def _(x, y):
    with_rank(x, 1), with_rank(y, 1)
    return (None,), (None,)


@list_diff_op.kernel
def _(x, y, *, out_idx):
    for name, value in (("x", x), ("y", y)):
        if value.ndim != 1:
            raise InvalidArgumentError(None, None, f"{name} should be a 1D vector.")
    if x.dtype == object:
        absent = set(y.tolist())
        kept = np.array([value not in absent for value in x.tolist()], bool)
    else:
        kept = ~np.isin(x, y)
    return x[kept], np.flatnonzero(kept).astype(out_idx.as_numpy_dtype)


list_diff_op.samples(plain=([1, 2, 3, 2], [2]), strings=(["a", "b"], ["b"]))


@public("setdiff1d")
def setdiff1d(x: Any, y: Any, index_dtype: Any = dtypes.int32, name: str | None = None) -> Any:
    """The elements of the vector `x` that are not in the vector `y`, and their positions in `x`, as a tuple `(out,
    idx)`."""
    return list_diff_op(x, y, out_idx=index_dtype, name=name)

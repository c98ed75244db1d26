"""Changing rows of an array in place: repeated rows count once each, and only the rows named are touched."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ossia_core.names.errors import InvalidArgumentError

_CHUNK = 1 << 14  # elements worked on at a time
_LONG = 256  # rows per target from which summing target by target pays
_NARROW = 32  # elements up to which rows are changed element by element, where NumPy has a loop for it
_ROUND = 64  # rows, none twice, from which changing them together pays

_LONG_RUN = 64  # rows of a run that are taken one after the other

_IN_ANY_ORDER = (np.add, np.multiply, np.minimum, np.maximum)
UFUNCS = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "min": np.minimum, "max": np.maximum}


def rounds(rows: np.ndarray) -> list[Any]:
    """Selections of positions in `rows`, to be worked on one after the other: no row occurs twice in one of them, and
    those of a row are in order."""
    if not rows.size:
        return []
    ordered, order = _sorted(rows)
    first = np.concatenate(([True], ordered[1:] != ordered[:-1]))
    if first.all():
        return [slice(None)]
    again = ~first
    return [order[first], *_rounds_of_repeated(ordered[again], order[again])]


def _sorted(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Row numbers in order, and where each of them stood; equal ones stay in order."""
    if (rows.size | int(rows.max())) >> 31:
        order = np.argsort(rows, kind="stable")
        return rows[order], order
    # One key of row and position: sorting numbers is several times faster than finding the order that sorts them.
    keys = rows.astype(np.int64) << 32 | np.arange(rows.size)
    keys.sort()
    return keys >> 32, keys & 0xFFFFFFFF


def _rounds_of_repeated(ordered: np.ndarray, order: np.ndarray) -> list[np.ndarray]:
    """The rounds of positions whose rows are given in order, of which there are few as a rule."""
    first = np.concatenate(([True], ordered[1:] != ordered[:-1]))
    starts = np.flatnonzero(first)
    nth = np.arange(ordered.size) - starts[np.cumsum(first) - 1]
    by_round = np.argsort(nth, kind="stable")
    return np.split(order[by_round], np.cumsum(np.bincount(nth))[:-1])


def set_rows(target: np.ndarray, rows: np.ndarray, values: np.ndarray) -> None:
    """`target[rows] = values` for rows of an array of more than one dimension, as blocks of bytes."""
    width = target[:1].nbytes
    if target.dtype == object or not (target.flags.c_contiguous and values.flags.c_contiguous) or not width:
        target[rows] = values
    else:
        block = f"V{width}"
        target.reshape(-1).view(block)[rows] = values.reshape(-1).view(block)


def accumulate(target: np.ndarray, rows: np.ndarray, updates: Any, ufunc: np.ufunc) -> None:
    """`target[rows[i]] = ufunc(target[rows[i]], updates[i])` for each i in turn: `ufunc.at`, several times faster for
    wide rows.

    Args:
      target: a contiguous array of shape [m, ...].
      rows: valid row numbers, of shape [n].
      updates: of shape [n, ...], or a scalar.
      ufunc: add, subtract, multiply, divide, minimum, maximum or the like.
    """
    if not rows.size or not target.size:
        return
    width = math.prod(target.shape[1:])
    if width == 1 or target.dtype == object:
        ufunc.at(
            target.reshape(-1) if width == 1 else target,
            rows,
            np.reshape(updates, -1) if width == 1 and np.ndim(updates) else updates,
        )
        return
    if ufunc is np.add and target.shape[0] * _LONG <= rows.size and np.ndim(updates):
        _add_by_target(target, rows, updates)
        return
    narrow = width <= _NARROW and target.dtype.kind in "iuf" and target.dtype.itemsize >= 4
    if not narrow and ufunc in _IN_ANY_ORDER and np.shape(updates)[:1] == rows.shape and rows.size >= _ROUND:
        ordered, order = _sorted(rows)
        starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
        reduce_runs(updates, starts, ufunc, target, ordered[starts], order, onto=True)
        return
    if not narrow and np.ndim(updates) and np.shape(updates)[0] == rows.size >= _ROUND:
        left: list[Any] = []
        for chosen in rounds(rows):
            if left or (not isinstance(chosen, slice) and chosen.size < _ROUND):
                left.append(chosen)
            else:
                picked = rows[chosen]
                set_rows(target, picked, ufunc(target.take(picked, axis=0), updates[chosen]))
        if not left:
            return
        rest = np.sort(np.concatenate(left))
        rows, updates = rows[rest], updates[rest]
    flat, columns = target.reshape(-1), np.arange(width)
    values = np.reshape(updates, (rows.size, width)) if np.ndim(updates) else None
    step = max(1, _CHUNK // width)
    # Numbers of elements rather than of rows: in one dimension `at` has a fast loop.
    for start in range(0, rows.size, step):
        part = slice(start, start + step)
        places = (rows[part, None].astype(np.intp) * width + columns).reshape(-1)
        ufunc.at(flat, places, updates if values is None else values[part].reshape(-1))


def reduce_runs(
    data: np.ndarray, starts: np.ndarray, ufunc: np.ufunc, out: np.ndarray, places: np.ndarray,
    rows: np.ndarray | None = None, onto: bool = False,
) -> None:
    """`out[places] = ufunc.reduceat(data[rows], starts, axis=0)`, faster for short runs of wide rows: the second rows
    of all runs are taken together, then the third, and so on, and what is left of long runs run by run.

    Args:
      data: rows, an array of shape [n, ...].
      starts: where each run starts, ascending, of shape [m].
      ufunc: add, multiply, minimum, maximum or the like.
      out: a contiguous array of rows, which is written to.
      places: rows of `out`, none twice, of shape [m].
      rows: the rows of `data` that are taken one after the other; all if None.
      onto: whether what is there is reduced with the runs.
    """
    lengths = np.concatenate([starts[1:], [len(data) if rows is None else len(rows)]]) - starts
    # Runs of one row, which are many as a rule, come last, as they stand.
    longer = np.flatnonzero(lengths > 1)
    capped = np.minimum(lengths[longer], _LONG_RUN + 1)
    # Numbers of one byte, which are sorted in one pass: of long runs it does not matter which is the longest.
    longer = longer[np.argsort((_LONG_RUN + 1 - capped).astype(np.uint8), kind="stable")]
    by_length = np.concatenate([longer, np.flatnonzero(lengths <= 1)])
    starts, lengths = starts[by_length], lengths[by_length]
    counts = len(longer) - np.cumsum(np.bincount(capped, minlength=2))  # of runs longer than that
    totals = data.take(starts if rows is None else rows[starts], axis=0)
    for place in range(1, min(len(counts) - 1, _LONG_RUN)):
        own = starts[: counts[place]] + place
        part = totals[: len(own)]
        ufunc(part, data.take(own if rows is None else rows[own], axis=0), out=part)
    for run in range(np.count_nonzero(lengths > _LONG_RUN)):
        rest = slice(starts[run] + _LONG_RUN, starts[run] + lengths[run])
        taken = data[rest] if rows is None else data[rows[rest]]
        totals[run] = ufunc(totals[run], ufunc.reduce(taken, axis=0, dtype=data.dtype))
    places = places[by_length]
    if onto:
        ufunc(out.take(places, axis=0), totals, out=totals)
    set_rows(out, places, totals)


def _add_by_target(target: np.ndarray, rows: np.ndarray, updates: np.ndarray) -> None:
    order = np.argsort(rows, kind="stable")
    ends = np.cumsum(np.bincount(rows, minlength=target.shape[0]))
    start = 0
    for row, end in enumerate(ends.tolist()):
        if end > start:
            target[row] += updates.take(order[start:end], axis=0).sum(axis=0, dtype=target.dtype)
        start = end


def divide_integers(target: np.ndarray, rows: np.ndarray, updates: Any) -> None:
    """Divide rows of integers, rounding towards zero.

    Raises:
      InvalidArgumentError: division by zero.
    """
    if not np.all(updates):
        raise InvalidArgumentError(None, None, "Integer division by zero")
    updates = np.broadcast_to(updates, (rows.size, *target.shape[1:]))
    for row, divisor in zip(rows.tolist(), updates):
        quotient, rest = np.divmod(target[row], divisor)
        target[row] = quotient + ((rest != 0) & ((target[row] < 0) != (divisor < 0)))


def update_rows(buffer: np.ndarray, rows: np.ndarray, updates: Any, how: str) -> None:
    """Change `buffer[rows]` by `updates` in place; of several values that are set ("update"), the last one stays.

    Args:
      buffer: a contiguous array of shape [m, ...].
      rows: valid row numbers, of shape [n].
      updates: of shape [n, ...], or a scalar for all rows.
      how: "update", or a key of UFUNCS.
    """
    if how == "update":
        buffer[rows] = updates
    elif how == "div" and buffer.dtype.kind in "iu":
        divide_integers(buffer, rows, updates)
    else:
        if how in ("min", "max") and buffer.dtype.kind not in "iu" and np.size(updates) and np.isnan(np.min(updates)):
            # A number that is none is neither smaller nor larger: what is there stays.
            updates = np.where(np.isnan(updates), buffer.dtype.type(np.inf if how == "min" else -np.inf), updates)
        accumulate(buffer, rows, updates, UFUNCS[how])

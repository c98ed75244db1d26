"""In which order the original's sorting leaves elements some of which are NaN.

NaN is neither more nor less than anything, so what comes out depends on which elements are compared: on a heap of the
`k` largest so far if some are asked for, on an introspective sort of all otherwise, both as C++ libraries write them.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

Before = Callable[[int, int], bool]  # whether one place must come before another

_INSERTED = 16  # places that are sorted by insertion
_BLOCK = 4096  # elements among which the next larger one is looked for


def largest_with_nan(row: Any, k: int) -> list[int]:
    """The places of the `k` largest elements of a row as the original finds them, from the largest on.

    Args:
      row: a vector, with NaN.
      k: how many, at most all.
    """
    return _sorted_all(row.tolist()) if k == len(row) else _kept_in_heap(row, k)


def _kept_in_heap(row: Any, k: int) -> list[int]:
    """A heap with the least on top takes in what is more than that; at first there are `k + 1`."""
    values = row.tolist()

    def before(a: int, b: int) -> bool:
        return values[b] < values[a] or (not values[b] > values[a] and a < b)

    heap = list(range(k + 1))
    _make_heap(heap, before)
    _pop(heap, k + 1, before)
    place = k
    while (place := _next_above(row, values[heap[0]], place + 1)) < len(values):
        heap[k] = place
        _pop(heap, k + 1, before)
    del heap[k:]
    _sort_heap(heap, before)
    return heap


def _next_above(row: Any, bound: float, start: int) -> int:
    """The first place from `start` on whose element is more than `bound`; the length of the row if there is none."""
    if bound == bound:
        for first in range(start, len(row), _BLOCK):
            larger = row[first : first + _BLOCK] > bound
            found = int(larger.argmax())
            if larger[found]:
                return first + found
    return len(row)


def _make_heap(heap: list[int], before: Before) -> None:
    for parent in range((len(heap) - 2) // 2, -1, -1):
        _sift(heap, parent, len(heap), heap[parent], before)


def _sort_heap(heap: list[int], before: Before) -> None:
    for count in range(len(heap), 1, -1):
        _pop(heap, count, before)


def _pop(heap: list[int], count: int, before: Before) -> None:
    """Moves the top of a heap of `count` places to its end."""
    if count > 1:
        last, heap[count - 1] = heap[count - 1], heap[0]
        _sift(heap, 0, count - 1, last, before)


def _sift(heap: list[int], hole: int, count: int, place: int, before: Before) -> None:
    """Fills a hole: the way down to a leaf first, whatever `place` is, then up again to where it belongs."""
    top = hole
    while (child := 2 * hole + 2) < count:
        child -= before(heap[child], heap[child - 1])
        heap[hole] = heap[child]
        hole = child
    if child == count:
        heap[hole] = heap[child - 1]
        hole = child - 1
    while hole > top and before(heap[parent := (hole - 1) // 2], place):
        heap[hole] = heap[parent]
        hole = parent
    heap[hole] = place


def _sorted_all(values: list[float]) -> list[int]:
    """Sorted without regard to which of equal ones is first, which is put right afterwards."""
    places = list(range(len(values)))

    def before(a: int, b: int) -> bool:
        return values[b] < values[a]

    _quicksort(places, 0, len(places), 2 * (len(places).bit_length() - 1), before)
    for at in range(1, len(places)):
        place = places[at]
        # The first ones are checked against the least so far, which the rest has behind it after the partitions.
        if at < _INSERTED and before(place, places[0]):
            places[: at + 1] = [place, *places[:at]]
            continue
        while at and before(place, places[at - 1]):
            places[at] = places[at - 1]
            at -= 1
        places[at] = place
    start = 0
    while start < len(places):
        end = start + 1
        while end < len(places) and values[places[start]] == values[places[end]]:
            end += 1
        places[start:end] = sorted(places[start:end])
        start = end
    return places


def _quicksort(places: list[int], first: int, last: int, depth: int, before: Before) -> None:
    """Partitions by the median of three, down to parts that are small, or that took too many of them: those are sorted
    as a heap."""
    while last - first > _INSERTED:
        if not depth:
            heap = places[first:last]
            _make_heap(heap, before)
            _sort_heap(heap, before)
            places[first:last] = heap
            return
        depth -= 1
        middle = _median(places, first + 1, first + (last - first) // 2, last - 1, before)
        places[first], places[middle] = places[middle], places[first]
        low, high = first + 1, last - 1
        while True:
            while low < last - 1 and before(places[low], places[first]):
                low += 1
            while high > first and before(places[first], places[high]):
                high -= 1
            if low >= high:
                break
            places[low], places[high] = places[high], places[low]
            low, high = low + 1, high - 1
        _quicksort(places, low, last, depth, before)
        last = low


def _median(places: list[int], a: int, b: int, c: int, before: Before) -> int:
    if before(places[a], places[b]):
        return b if before(places[b], places[c]) else c if before(places[a], places[c]) else a
    return a if before(places[a], places[c]) else c if before(places[b], places[c]) else b

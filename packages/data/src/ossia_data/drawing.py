"""The buffer of a shuffled dataset: elements are drawn from it while others arrive."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ossia_core.backend import routine
from ossia_data.elements import Element, Elements, Iteration
from ossia_data.positions import Placed, Position, Unsaved
from ossia_data.ragged_rows import Ragged
from ossia_data.rows import Columns, elements_of, joined, rows_of
from ossia_data.words import Words

if TYPE_CHECKING:
    from ossia_data.shuffling import Shuffle

_AT_ONCE = 256  # rows that arrive together


class _List:
    """A buffer of elements of any kind."""

    def __init__(self, size: int) -> None:
        self.elements: list[Any] = [None] * size
        self.waiting: list[Element] = []  # what arrives next

    def element(self, place: int) -> Element:
        """What is in a place."""
        return self.elements[place]


class _Table:
    """A buffer of elements of one kind: rows of columns, and the row of each place."""

    def __init__(self, size: int, draw: Callable[..., np.ndarray]) -> None:
        self._draw, self._row_of, self._size = draw, np.zeros(size, np.int64), size
        self._columns: Columns = []
        self._free, self._unused = np.empty(0, np.int64), 0  # rows that are free again; the first one never taken
        self.waiting: list[Element] = []

    def element(self, place: int) -> Element:
        """What is in a place."""
        return [column[self._row_of[place]] for column in self._columns]

    def fits(self, columns: Columns) -> bool:
        """Whether rows are of the kind of those that are there."""
        if any(type(column) is Ragged for column in columns):
            return False
        if not self._columns:
            self._columns = [np.empty((self._size, *column.shape[1:]), column.dtype) for column in columns]
        return all(
            mine.dtype == other.dtype and mine.shape[1:] == other.shape[1:]
            for mine, other in zip(self._columns, columns, strict=True)
        )

    def _taken(self, count: int) -> np.ndarray:
        """Rows that were free."""
        left = max(0, len(self._free) - count)
        rows, self._free = self._free[left:], self._free[:left]
        begin, self._unused = self._unused, self._unused + count - len(rows)
        return np.concatenate([rows, np.arange(begin, self._unused)]) if self._unused > begin else rows

    def put(self, places: np.ndarray, columns: Columns) -> None:
        """Put rows into places that nothing is in."""
        rows = self._row_of[places] = self._taken(len(places))
        for mine, other in zip(self._columns, columns, strict=True):
            mine[rows] = other

    def drawn(
        self, places: np.ndarray, one_pass: bool, first: int, arrivals: int, words: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The rows that are drawn, those that arrive counted behind the buffer's, and the places that they were in."""
        begin, end, last = places.tolist()
        found = self._draw(self._row_of, places, one_pass, self._size + first, arrivals, words)
        step = np.arange(len(found))
        # Before each draw what arrives has filled the buffer up.
        ends = end + np.minimum(step + self._size - (last - begin), arrivals) if one_pass else end
        return found, (begin + step + words[: len(found)] % (ends - begin - step)) % self._size

    def exchanged(self, order: np.ndarray, touched: np.ndarray, arriving: Columns | None) -> Columns:
        """The rows of these numbers. In their stead those that arrived are kept, as far as they are not among them.

        Args:
            order: Numbers of rows, those that arrived counted behind the buffer's.
            touched: The places that something may have been put into.
            arriving: What arrived.
        """
        if arriving is None:
            arriving = [column[:0] for column in self._columns]
        old = order < self._size
        taken, new = order[old], order[~old] - self._size
        found = []
        for mine, other in zip(self._columns, arriving, strict=True):
            if not len(new):
                found.append(mine[order])
                continue
            column = np.empty((len(order), *mine.shape[1:]), mine.dtype)
            column[old], column[~old] = mine[taken], other[new]
            found.append(column)
        self._free = np.concatenate([self._free, taken])
        new = self._row_of[touched] - self._size
        touched, new = touched[new >= 0], new[new >= 0]
        kept = np.zeros(len(arriving[0]), bool)
        kept[new] = True
        rows, row_of = self._taken(int(kept.sum())), np.empty(len(kept), np.int64)
        row_of[kept] = rows
        self._row_of[touched] = row_of[new]
        for mine, other in zip(self._columns, arriving, strict=True):
            mine[rows] = other[kept]
        return found


class Shuffled(Placed):
    """The elements of a dataset, drawn from a buffer, in as many passes as the dataset says."""

    def __init__(
        self, source: Elements, iteration: Iteration, size: int, seeds: tuple[int, int], dataset: Shuffle
    ) -> None:
        self._elements, self._iteration, self._size, self._seeds = source, iteration, size, seeds
        self._words, self._drawn, count = Words(*seeds), 0, dataset.count
        self._dataset, self._passes = dataset, 0
        self.place = "Shuffle" if count == 1 else "ShuffleAndRepeat"
        self._left, self._endless = count, count < 0
        self._source: Iterator[Element] | None = None
        self._slices = [[0, 0]]  # where the elements of each pass begin and end, counted from the first one
        self._held = 0
        self._began = True  # no pass has had an element yet
        self._buffer: _List | _Table | None = None

    def _next_pass(self) -> bool:
        """Begin a pass if none is under way; whether there is one."""
        if self._source is None:
            if not self._endless and self._left <= 0:
                return False
            self._source, self._began = self._elements.start(self._iteration), True
        return True

    def _end_pass(self) -> None:
        if self._began and self._endless:
            self._endless, self._left = False, 1  # a pass without an element: so are all others
        self._source = None
        self._left -= 1
        self._passes += 1
        self._slices.append([self._slices[-1][1]] * 2)

    def _arrived(self, count: int) -> None:
        self._slices[-1][1] += count
        self._held += count
        self._began = False

    def _drop_empty_slices(self) -> None:
        while len(self._slices) > 1 and self._slices[0][0] == self._slices[0][1]:
            del self._slices[0]

    def _as_list(self) -> _List:
        if isinstance(self._buffer, _List):
            return self._buffer
        made = _List(self._size)
        if self._buffer is not None:
            for place in self._places():
                made.elements[place] = self._buffer.element(place)
            made.waiting = self._buffer.waiting
        self._buffer = made
        return made

    def _places(self) -> Iterator[int]:
        return (place % self._size for begin, end in self._slices for place in range(begin, end))

    def __next__(self) -> Element:
        buffer = self._as_list()
        elements, size = buffer.elements, self._size
        while self._held < size and self._next_pass():
            try:
                element = buffer.waiting.pop(0) if buffer.waiting else next(self._source)  # type: ignore[arg-type]
            except StopIteration:
                self._end_pass()
                continue
            elements[self._slices[-1][1] % size] = element
            self._arrived(1)
        if not self._held:
            raise StopIteration
        self._drop_empty_slices()
        begin, end = self._slices[0]
        place = (begin + self._words.next() % (end - begin)) % size
        self._drawn += 1
        found = elements[place]
        begin %= size
        elements[place] = elements[begin]
        elements[begin] = None
        self._slices[0][0] += 1
        self._held -= 1
        return found

    def rows(self, count: int) -> Columns | None:
        """The next elements, as long as those of the source are columns of one kind."""
        if self._buffer is None:
            draw = routine("draw_from_buffer")
            self._buffer = _List(self._size) if draw is None else _Table(self._size, draw)
        table = self._buffer
        if not isinstance(table, _Table):
            return None
        parts: list[Columns] = []
        while count:
            columns, want = None, self._size - self._held + count - 1
            if want and self._next_pass():
                try:
                    columns = rows_of(self._source, min(want, _AT_ONCE))  # type: ignore[arg-type]
                except StopIteration:
                    self._end_pass()
                    continue
                if columns is None or not table.fits(columns):
                    table.waiting = elements_of(columns) if columns is not None else []
                    self._as_list()
                    break
                columns = self._filled_up(table, columns)
                if self._held < self._size:
                    continue
            drawn = min(count, self._held, _AT_ONCE) if columns is None else len(columns[0]) + 1
            if not drawn:
                break
            parts.append(self._drawn_from(table, columns, drawn))
            count -= drawn
        if parts:
            return joined(parts)
        if isinstance(self._buffer, _List):
            return None
        raise StopIteration

    def _filled_up(self, table: _Table, columns: Columns) -> Columns:
        """Put as many rows into the buffer as it has room for, and return the others."""
        room, last = min(self._size - self._held, len(columns[0])), self._slices[-1][1]
        table.put((last + np.arange(room)) % self._size, [column[:room] for column in columns])
        self._arrived(room)
        return [column[room:] for column in columns]

    def _drawn_from(self, table: _Table, arriving: Columns | None, count: int) -> Columns:
        """So many rows from the buffer, into which those that arrive are put meanwhile."""
        words = self._words.several(count)
        self._drawn += count
        order, touched = [], []
        arrived, arrivals = 0, 0 if arriving is None else len(arriving[0])
        while count:
            self._drop_empty_slices()
            first, last = self._slices[0], self._slices[-1]
            places = np.array([first[0], first[1], last[1]], np.int64)
            found, chosen = table.drawn(places, first is last, arrived, arrivals - arrived, words)
            order.append(found)
            touched += [chosen, np.arange(last[1], places[2]) % self._size]
            arrived += int(places[2]) - last[1]
            first[0], last[1] = int(places[0]), int(places[2])
            words = words[len(found) :]
            count -= len(found)
        self._held += arrived - sum(map(len, order))
        self._began = self._began and not arrived
        places = np.concatenate(touched)
        full = (places - self._slices[0][0]) % self._size < self._held
        return table.exchanged(np.concatenate(order), places[full], arriving)

    def save(self, position: Position, at: str) -> None:
        if self._dataset.words is not None:
            position.put(at, "ds_num_random_samples", self._dataset.words.drawn)
        for name, value in (("num_random_samples", self._drawn), ("seed", self._seeds[0]), ("seed2", self._seeds[1])):
            position.put(at, name, value)
        if self._source is None:
            position.put(at, "end_of_input_sequence")
        else:
            super().save(position, at)
        if self._buffer is not None and self._buffer.waiting:
            raise Unsaved
        position.put(at, "epoch", self._passes)
        position.put(at, "num_elements", self._held)
        position.put(at, "slices_size", len(self._slices))
        for i, (begin, end) in enumerate(self._slices):
            position.put(at, f"slices_start_{i}", begin)
            position.put(at, f"slices_end_{i}", end)
            for j in range(begin, end):
                element = self._buffer.element(j % self._size)  # type: ignore[union-attr]
                position.put(at, f"buffer_{j % self._size}_size", len(element))
                for k, value in enumerate(element):
                    position.put(at, f"buffer_{j % self._size}_{k}", value)

    def restore(self, position: Position, at: str) -> None:
        if self._dataset.words is not None:
            self._dataset.words.go_to(position.number(at, "ds_num_random_samples"))
        self._seeds = position.number(at, "seed"), position.number(at, "seed2")
        self._words, self._drawn = Words(*self._seeds), position.number(at, "num_random_samples")
        self._words.go_to(self._drawn)
        self._passes = position.number(at, "epoch")
        self._left = self._dataset.count - self._passes
        if not position.has(at, "end_of_input_sequence"):
            self._source, self._began = self._elements.start(self._iteration), False
            super().restore(position, at)
        self._held = position.number(at, "num_elements")
        self._slices = [
            [position.number(at, f"slices_start_{i}"), position.number(at, f"slices_end_{i}")]
            for i in range(position.number(at, "slices_size"))
        ]
        elements = self._as_list().elements
        for place in self._places():
            size = position.number(at, f"buffer_{place}_size")
            elements[place] = [position.value(at, f"buffer_{place}_{k}") for k in range(size)]

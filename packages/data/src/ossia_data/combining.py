"""Datasets of several others: side by side, or one after the other."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ossia_core.names import errors
from ossia_data.elements import ENDLESS, UNKNOWN, Element, Elements, Iteration, dataset_op
from ossia_data.passing import OfInputs
from ossia_data.positions import Placed, Position, Unsaved, go_to, keep
from ossia_data.rows import Columns, rows_of


class Zip(OfInputs):
    """One element of each input, side by side, until one of them ends."""

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Zipped([source.start(iteration) for source in self.inputs])

    def cardinality(self) -> int:
        counts = [source.cardinality() for source in self.inputs]
        if UNKNOWN in counts:
            return UNKNOWN
        return min([count for count in counts if count != ENDLESS], default=ENDLESS)


class _Zipped(Placed):
    place = "Zip"

    def __init__(self, sources: list[Iterator[Element]]) -> None:
        self._sources, self._ended = [_Side(source) for source in sources], False

    def rows(self, count: int) -> Columns | None:
        """The next elements of each input, as far as all of them give columns."""
        if self._ended:
            raise StopIteration
        for side in self._sources:
            try:
                count = side.gather(count)
            except StopIteration:
                self._ended = True
                raise
            if not count:
                return None
        return [column for side in self._sources for column in side.taken(count)]

    def save(self, position: Position, at: str) -> None:
        if self._ended:
            position.put(at, "input_impls_empty")
            return
        for i, side in enumerate(self._sources):
            if side.columns is not None or side.failed is not None:
                raise Unsaved
            keep(side.source, position, at, i)

    def restore(self, position: Position, at: str) -> None:
        self._ended = position.has(at, "input_impls_empty")
        if not self._ended:
            for i, side in enumerate(self._sources):
                go_to(side.source, position, at, i)

    def __next__(self) -> Element:
        if self._ended:
            raise StopIteration
        found: Element = []
        failed: Exception | None = None
        for source in self._sources:
            try:
                found += next(source)
            except StopIteration:
                self._ended = True
                raise
            except errors.OpError as error:
                failed = failed or error  # the other inputs move on too, so that what comes fits together
        if failed is not None:
            raise failed
        return found


class _Side:
    """One input of several that go side by side, and columns of it whose rows the others have not come to."""

    def __init__(self, source: Iterator[Element]) -> None:
        self.source = source
        self.columns: Columns | None = None
        self.failed: errors.OpError | None = None

    def __next__(self) -> Element:
        if self.failed is not None:
            failed, self.failed = self.failed, None
            raise failed
        if self.columns is None:
            return next(self.source)
        return [column[0] for column in self.taken(1)]

    def gather(self, count: int) -> int:
        """Have at most so many rows; how many there are, none if they come one by one."""
        if self.columns is None:
            try:
                self.columns = rows_of(self.source, count)
            except errors.OpError as error:
                self.failed = error
        return 0 if self.columns is None else min(count, len(self.columns[0]))

    def taken(self, count: int) -> Columns:
        """So many of the rows."""
        columns: Columns = self.columns  # type: ignore[assignment]
        left = len(columns[0]) - count
        self.columns = [column[count:] for column in columns] if left else None
        return [column[:count] for column in columns] if left else columns


class Concatenate(OfInputs):
    """The elements of the first input, then those of the second."""

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Chained(list(self.inputs), iteration)

    def cardinality(self) -> int:
        first, second = [source.cardinality() for source in self.inputs]
        if ENDLESS in (first, second):
            return ENDLESS
        return UNKNOWN if UNKNOWN in (first, second) else first + second


class _Chained(Placed):
    place = "Concatenate"

    def __init__(self, inputs: list[Elements], iteration: Iteration) -> None:
        self._inputs, self._iteration, self._at = inputs, iteration, 0
        self._now: Iterator[Element] | None = None

    def _begin(self) -> Iterator[Element]:
        if self._now is None:
            self._now = self._inputs[self._at].start(self._iteration)
        return self._now

    def __next__(self) -> Element:
        return self._from_input(next)

    def rows(self, count: int) -> Columns | None:
        """The next elements of the input that it is at."""
        return self._from_input(lambda source: rows_of(source, count))

    def _from_input(self, taken: Callable[[Iterator[Element]], Any]) -> Any:
        while self._at < len(self._inputs):
            try:
                return taken(self._begin())
            except StopIteration:
                self._now = None
                self._at += 1
        raise StopIteration

    def save(self, position: Position, at: str) -> None:
        position.put(at, "i", self._at)
        if self._at >= len(self._inputs):
            position.put(at, "input_impl_uninitialized")
        else:
            keep(self._begin(), position, at, self._at)

    def restore(self, position: Position, at: str) -> None:
        self._at, self._now = position.number(at, "i"), None
        if not position.has(at, "input_impl_uninitialized"):
            go_to(self._begin(), position, at, self._at)


zip_dataset_op = dataset_op("ZipDataset(input_datasets: N * variant) -> handle: variant", N="int >= 1")
zip_dataset_op.kernel(lambda sources: Zip(sources))
concatenate_dataset_op = dataset_op(
    "ConcatenateDataset(input_dataset: variant, another_dataset: variant) -> handle: variant"
)
concatenate_dataset_op.kernel(lambda first, second: Concatenate([first, second]))

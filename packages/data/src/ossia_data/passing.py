"""Datasets that choose among the elements of another, or repeat them: take, skip, repeat, shard."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ossia_core.names import errors
from ossia_data.elements import ENDLESS, UNKNOWN, Element, Elements, Iteration, dataset_op, scalar
from ossia_data.positions import Placed, Position
from ossia_data.rows import Columns, rows_of

_PASSED = 1 << 10  # rows that are passed over at once
_FROM_ONE = "(input_dataset: variant) -> handle: variant"
_COUNTED = "(input_dataset: variant, count: int64) -> handle: variant"


def repeated(there: int, count: int) -> int:
    """How many elements there are in `count` passes over so many."""
    if not there or not count:
        return 0
    return ENDLESS if count < 0 else there if there < 0 else there * count


class OfInputs(Elements):
    """A dataset of others and a few numbers."""

    def __init__(self, inputs: Any, **options: Any) -> None:
        self.inputs = tuple(inputs)
        self.__dict__.update(options)


class Take(OfInputs):
    """The first `count` elements; all if it is negative."""

    count: int

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Taken(self.input.start(iteration), self.count) if self.count >= 0 else self.input.start(iteration)

    def cardinality(self) -> int:
        there = self.input.cardinality()
        if there == UNKNOWN:
            return UNKNOWN
        # A negative count has no end in the original's reckoning, whatever there is.
        return self.count if there == ENDLESS or self.count < 0 else min(there, self.count)


class _Taken(Placed):
    place = "FiniteTake"

    def __init__(self, source: Iterator[Element], count: int) -> None:
        self._source, self._count, self._at, self._ended = source, count, 0, False

    def __next__(self) -> Element:
        if self._at >= self._count:
            self._ended = True
            raise StopIteration
        try:
            found = next(self._source)
        except StopIteration:
            self._ended = True
            raise
        self._at += 1
        return found

    def rows(self, count: int) -> Columns | None:
        """The next elements."""
        try:
            if self._at >= self._count:
                raise StopIteration
            found = rows_of(self._source, min(count, self._count - self._at))
        except StopIteration:
            self._ended = True
            raise
        if found is not None:
            self._at += len(found[0])
        return found

    def save(self, position: Position, at: str) -> None:
        position.put(at, "i", self._at)
        if self._ended:
            position.put(at, "input_impl_empty")
        else:
            super().save(position, at)

    def restore(self, position: Position, at: str) -> None:
        self._at = position.number(at, "i")
        if position.has(at, "input_impl_empty"):
            self._ended, self._source = True, iter(())
        else:
            super().restore(position, at)


class Skip(OfInputs):
    """All but the first `count` elements; none if it is negative."""

    count: int

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Skipping(self.input.start(iteration), self.count) if self.count >= 0 else iter(())

    def cardinality(self) -> int:
        there = self.input.cardinality()
        if there < 0:
            return there
        return 0 if self.count < 0 else max(0, there - self.count)


class _Skipping(Placed):
    place = "FiniteSkip"

    def __init__(self, source: Iterator[Element], count: int) -> None:
        self._source, self._count, self._at = source, count, 0

    def __next__(self) -> Element:
        while self._at < self._count:
            next(self._source)
            self._at += 1
        return next(self._source)

    def rows(self, count: int) -> Columns | None:
        """The next elements, after what is passed over."""
        while self._at < self._count:
            passed = rows_of(self._source, min(_PASSED, self._count - self._at))
            if passed is None:
                return None
            self._at += len(passed[0])
        return rows_of(self._source, count)

    def save(self, position: Position, at: str) -> None:
        position.put(at, "i", self._at)
        super().save(position, at)

    def restore(self, position: Position, at: str) -> None:
        self._at = position.number(at, "i")
        if position.has(at, "input_impl_empty"):
            self._source = iter(())
        else:
            super().restore(position, at)


class Repeat(OfInputs):
    """The elements `count` times over; without end if it is negative."""

    count: int

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Repeating(self.input, self.count, iteration)

    def cardinality(self) -> int:
        return repeated(self.input.cardinality(), self.count)


class _Repeating(Placed):
    def __init__(self, source: Elements, count: int, iteration: Iteration) -> None:
        self._elements, self._count, self._endless, self._iteration = source, count, count < 0, iteration
        self._source: Iterator[Element] | None = None
        self._at = 0
        self.place = "ForeverRepeat" if self._endless else "FiniteRepeat"

    def __next__(self) -> Element:
        source = self._source
        if source is not None:
            try:
                return next(source)
            except StopIteration:
                self._end_pass()
        return self._from_pass(next)

    def rows(self, count: int) -> Columns | None:
        """The next elements of the pass."""
        return self._from_pass(lambda source: rows_of(source, count))

    def _from_pass(self, taken: Callable[[Iterator[Element]], Any]) -> Any:
        while self._endless or self._at < self._count:
            fresh = self._source is None
            if self._source is None:
                self._source = self._elements.start(self._iteration)
            try:
                return taken(self._source)
            except StopIteration:
                if fresh and self._endless:
                    raise  # a pass without an element: there will be none in the next one either
            self._end_pass()
        raise StopIteration

    def _end_pass(self) -> None:
        self._source = None
        self._at += 1

    def save(self, position: Position, at: str) -> None:
        if self._endless and self._source is None:
            position.put(at, "uninitialized")
            return
        if not self._endless:
            position.put(at, "i", self._at)
            if self._at >= self._count:
                position.put(at, "input_impl_empty")
                return
            if self._source is None:
                self._source = self._elements.start(self._iteration)
        super().save(position, at)

    def restore(self, position: Position, at: str) -> None:
        if position.has(at, "uninitialized"):
            return
        if not self._endless:
            self._at = position.number(at, "i")
            if position.has(at, "input_impl_empty"):
                self._at = self._count
                return
        self._source = self._elements.start(self._iteration)
        super().restore(position, at)


class Shard(OfInputs):
    """Each `shards`-th element, from number `index` on."""

    shards: int
    index: int

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Strided(self.input.start(iteration), self.shards, self.index)

    def cardinality(self) -> int:
        there = self.input.cardinality()
        return there if there < 0 else there // self.shards + (self.index < there % self.shards)


class _Strided(Placed):
    place = "Shard"

    def __init__(self, source: Iterator[Element], shards: int, index: int) -> None:
        self._source, self._shards, self._index = source, shards, index
        self._at, self._ended = 0, False

    def __next__(self) -> Element:
        if self._ended:
            raise StopIteration
        try:
            while self._at % self._shards != self._index:
                next(self._source)
                self._at += 1
            found = next(self._source)
        except StopIteration:
            self._ended = True
            raise
        self._at += 1
        return found

    def save(self, position: Position, at: str) -> None:
        if self._ended:
            position.put(at, "input_impl_empty")
            return
        super().save(position, at)
        position.put(at, "next_index", self._at)

    def restore(self, position: Position, at: str) -> None:
        self._ended = position.has(at, "input_impl_empty")
        if not self._ended:
            super().restore(position, at)
            self._at = position.number(at, "next_index")


class Passed(OfInputs):
    """The same elements. `place` is its name in positions."""

    place: str | None = None

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return self.input.start(iteration)

    def cardinality(self) -> int:
        return self.input.cardinality()


take_dataset_op = dataset_op(f"TakeDataset{_COUNTED}")
take_dataset_op.kernel(lambda source, count: Take([source], count=scalar(count, "count")))
skip_dataset_op = dataset_op(f"SkipDataset{_COUNTED}")
skip_dataset_op.kernel(lambda source, count: Skip([source], count=scalar(count, "count")))
repeat_dataset_op = dataset_op(f"RepeatDataset{_COUNTED}")
repeat_dataset_op.kernel(lambda source, count: Repeat([source], count=scalar(count, "count")))
shard_dataset_op = dataset_op(
    "ShardDataset(input_dataset: variant, num_shards: int64, index: int64) -> handle: variant",
    require_non_empty="bool = false",
)


@shard_dataset_op.kernel
def _(input_dataset, num_shards, index):
    shards, first = scalar(num_shards, "num_shards"), scalar(index, "index")
    if shards <= 0:
        raise errors.InvalidArgumentError(
            None, None, f"Number of shards must be greater than zero (currently num_shards = {shards})."
        )
    if not 0 <= first < shards:
        raise errors.InvalidArgumentError(
            None, None,
            f"Index must be between 0 and {shards - 1} (currently index = {first}, num_shards = {shards}).",
        )
    return Shard([input_dataset], shards=shards, index=first)


model_dataset_op = dataset_op(f"ModelDataset{_FROM_ONE}", algorithm="int = 0", cpu_budget="int = 0")
model_dataset_op.kernel(lambda source: Passed([source], place="Model"))

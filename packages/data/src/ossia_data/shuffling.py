"""Datasets in random order: the orders of the original for the same seeds."""
from __future__ import annotations

import copy
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

from ossia_core.forks import renewed
from ossia_core.names import errors
from ossia_data.elements import ENDLESS, Element, Elements, Iteration, dataset_op, scalar
from ossia_data.passing import Repeat, repeated
from ossia_data.positions import Placed, Position
from ossia_ops.random.samplers.philox import Philox

_WORDS = 256  # groups of four words that are made at once


class Words:
    """The 32-bit words of a generator, one after the other."""

    def __init__(self, seed: int, seed2: int) -> None:
        self._start = self._position = Philox.from_seeds(seed, seed2)
        self._ready: list[int] = []
        self.drawn = 0  # words so far
        self._lock = renewed(threading.Lock())

    def next(self) -> int:
        """The next word."""
        with self._lock:
            if not self._ready:
                self._ready = self._position.words(_WORDS).reshape(-1)[::-1].tolist()
                self._position = self._position.skip(_WORDS)
            self.drawn += 1
            return self._ready.pop()

    def go_to(self, drawn: int) -> None:
        """Let so many words have been drawn."""
        with self._lock:
            self._position, self._ready, self.drawn = self._start.skip(drawn // 4), [], drawn // 4 * 4
        for _ in range(drawn % 4):
            self.next()


def words_of(seed: int, seed2: int) -> Words:
    """The words of a dataset with these seeds."""
    seeds = Philox.from_seeds(seed, seed2)
    return Words(seeds.key, seeds.counter >> 64)


class Shuffle(Elements):
    """The elements, each drawn from a buffer of the `size` next ones.

    Args:
        source: The elements.
        size: How many are in the buffer.
        seeds: Seeds of the order; two zeros for an order that no one knows.
        reshuffle: Whether each pass has an order of its own.
        count: How many passes there are, which mix at their borders; without end if it is negative.
    """

    def __init__(self, source: Elements, size: int, seeds: tuple[int, int], reshuffle: bool, count: int = 1) -> None:
        self.inputs, self.size, self.reshuffle, self.count = (source,), size, reshuffle, count
        self.seeds = Philox.from_seeds(*seeds)
        self.words: Words | None = None
        if reshuffle:
            self.words = Words(self.seeds.key, self.seeds.counter >> 64)

    def start(self, iteration: Iteration) -> Iterator[Element]:
        first, second = self.seeds.key, self.seeds.counter >> 64
        if self.words is not None:
            first, second = self.words.next(), self.words.next()
        return _Shuffled(self.input, iteration, self.size, (first, second), self)

    def cardinality(self) -> int:
        return repeated(self.input.cardinality(), self.count)

    def repeated(self, count: int) -> Elements:
        """The passes of this dataset mixed at their borders, as the original fuses the two."""
        made = copy.copy(self)
        made.count, made.words = count, None
        return made


class _Shuffled(Placed):
    def __init__(
        self, source: Elements, iteration: Iteration, size: int, seeds: tuple[int, int], dataset: Shuffle
    ) -> None:
        self._elements, self._iteration, self._size, self._seeds = source, iteration, size, seeds
        self._words, self._drawn, count = Words(*seeds), 0, dataset.count
        self._dataset, self._passes = dataset, 0
        self.place = "Shuffle" if count == 1 else "ShuffleAndRepeat"
        self._left, self._endless = count, count < 0
        self._source: Iterator[Element] | None = None
        self._buffer: list[Any] = [None] * size
        self._slices: list[list[int]] = []  # where the elements of each pass begin and end, counted from the first one
        self._held = 0

    def _fill(self) -> None:
        while self._held < self._size:
            first = self._source is None
            if self._source is None:
                if not self._endless and self._left <= 0:
                    return
                self._source = self._elements.start(self._iteration)
                end = self._slices[-1][1] if self._slices else 0
                self._slices.append([end, end])
            try:
                element = next(self._source)
            except StopIteration:
                self._source = None
                self._left -= 1
                self._passes += 1
                if first and self._endless:
                    self._endless, self._left = False, 0  # a pass without an element: so are all others
                continue
            last = self._slices[-1]
            self._buffer[last[1] % self._size] = element
            last[1] += 1
            self._held += 1

    def __next__(self) -> Element:
        self._fill()
        if not self._held:
            raise StopIteration
        while self._slices[0][0] == self._slices[0][1]:
            del self._slices[0]
        begin, end = self._slices[0]
        place = (begin + self._words.next() % (end - begin)) % self._size
        self._drawn += 1
        found = self._buffer[place]
        self._buffer[place] = self._buffer[begin % self._size]
        self._buffer[begin % self._size] = None
        self._slices[0][0] += 1
        self._held -= 1
        return found

    def save(self, position: Position, at: str) -> None:
        if self._dataset.words is not None:
            position.put(at, "ds_num_random_samples", self._dataset.words.drawn)
        for name, value in (("num_random_samples", self._drawn), ("seed", self._seeds[0]), ("seed2", self._seeds[1])):
            position.put(at, name, value)
        if self._source is None:
            position.put(at, "end_of_input_sequence")
        else:
            super().save(position, at)
        position.put(at, "epoch", self._passes)
        position.put(at, "num_elements", self._held)
        slices = self._slices or [[0, 0]]
        position.put(at, "slices_size", len(slices))
        for i, (begin, end) in enumerate(slices):
            position.put(at, f"slices_start_{i}", begin)
            position.put(at, f"slices_end_{i}", end)
            for j in range(begin, end):
                element = self._buffer[j % self._size]
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
            self._source = self._elements.start(self._iteration)
            super().restore(position, at)
        self._held = position.number(at, "num_elements")
        self._slices = [
            [position.number(at, f"slices_start_{i}"), position.number(at, f"slices_end_{i}")]
            for i in range(position.number(at, "slices_size"))
        ]
        for begin, end in self._slices:
            for j in range(begin, end):
                place = j % self._size
                size = position.number(at, f"buffer_{place}_size")
                self._buffer[place] = [position.value(at, f"buffer_{place}_{k}") for k in range(size)]


def positive(buffer_size: Any) -> int:
    """The size of a buffer.

    Raises:
        InvalidArgumentError: It is none.
    """
    size = scalar(buffer_size, "buffer_size")
    if size <= 0:
        raise errors.InvalidArgumentError(None, None, "buffer_size must be greater than zero.")
    return size


shuffle_dataset_op = dataset_op(
    "ShuffleDataset(input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64) -> handle: variant",
    reshuffle_each_iteration="bool = true",
)


@shuffle_dataset_op.kernel
def _(input_dataset, buffer_size, seed, seed2, *, reshuffle_each_iteration):
    return Shuffle(input_dataset, positive(buffer_size), (int(seed), int(seed2)), reshuffle_each_iteration)


shuffle_and_repeat_dataset_op = dataset_op(
    "ShuffleAndRepeatDataset(input_dataset: variant, buffer_size: int64, seed: int64, seed2: int64, count: int64) "
    "-> handle: variant"
)


@shuffle_and_repeat_dataset_op.kernel
def _(input_dataset, buffer_size, seed, seed2, count):
    return Shuffle(input_dataset, positive(buffer_size), (int(seed), int(seed2)), False, scalar(count, "count"))


class RandomNumbers(Elements):
    """Random 32-bit numbers without end."""

    def __init__(self, seed: int, seed2: int) -> None:
        self._seeds = seed, seed2

    def start(self, iteration: Iteration) -> Iterator[Element]:
        words = words_of(*self._seeds)
        return iter(lambda: [np.int64(words.next())], None)

    def cardinality(self) -> int:
        return ENDLESS


for _kind in ("RandomDataset", "ExperimentalRandomDataset"):
    dataset_op(f"{_kind}(seed: int64, seed2: int64) -> handle: variant", stateful=True).kernel(
        lambda seed, seed2: RandomNumbers(int(seed), int(seed2))
    )

optimize_dataset_op = dataset_op(
    "OptimizeDataset(input_dataset: variant, optimizations: string) -> handle: variant",
    optimization_configs="list(string) = []",
)


def fused(dataset: Elements) -> Elements:
    """The dataset with each repetition of a shuffled one as one dataset."""
    made = dataset.with_inputs(tuple(fused(source) for source in dataset.inputs)) if dataset.inputs else dataset
    if isinstance(made, Repeat) and isinstance(made.input, Shuffle) and made.input.reshuffle:
        return made.input.repeated(made.count)
    return made


@optimize_dataset_op.kernel
def _(input_dataset, optimizations):
    return fused(input_dataset) if b"shuffle_and_repeat_fusion" in list(optimizations) else input_dataset

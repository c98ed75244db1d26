"""Datasets in random order: the orders of the original for the same seeds."""
from __future__ import annotations

import copy
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

from ossia_core.forks import renewed
from ossia_core.names import errors
from ossia_data.drawing import Shuffled
from ossia_data.elements import ENDLESS, Element, Elements, Iteration, dataset_op, scalar
from ossia_data.passing import Repeat, repeated
from ossia_data.words import Words, words_of
from ossia_ops.random.samplers.philox import Philox


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
        self._lock = renewed(threading.Lock())
        self.words: Words | None = None
        if reshuffle:
            self.words = Words(self.seeds.key, self.seeds.counter >> 64)

    def start(self, iteration: Iteration) -> Iterator[Element]:
        first, second = self.seeds.key, self.seeds.counter >> 64
        if self.words is not None:
            with self._lock:
                first, second = self.words.next(), self.words.next()
        return Shuffled(self.input, iteration, self.size, (first, second), self)

    def cardinality(self) -> int:
        return repeated(self.input.cardinality(), self.count)

    def repeated(self, count: int) -> Elements:
        """The passes of this dataset mixed at their borders, as the original fuses the two."""
        made = copy.copy(self)
        made.count, made.words = count, None
        return made


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

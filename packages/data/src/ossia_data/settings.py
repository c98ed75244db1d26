"""Datasets that give the elements of another one, and say how it runs; and those of several workers."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.names import errors
from ossia_data.elements import Element, Elements, Iteration, dataset_op, scalar
from ossia_data.passing import Passed, Shard
from ossia_data.rows import batch_of

BOTH = ("", "Experimental")  # prefixes of the names of ops that have two
_IN = "input_dataset: variant"


def _passing(kind: str, more: str = "", stateful: bool = False) -> None:
    for prefix in BOTH:
        made = dataset_op(f"{prefix}{kind}Dataset({_IN}{more}) -> handle: variant", stateful=stateful)
        made.kernel(lambda source, *_: Passed([source]))


_passing("NonSerializable")
_passing("MaxIntraOpParallelism", ", max_intra_op_parallelism: int64")
_passing("PrivateThreadPool", ", num_threads: int64")


class Slow(Elements):
    """The elements, each after a while."""

    def __init__(self, source: Elements, microseconds: int) -> None:
        self.inputs, self._seconds = (source,), microseconds / 1e6

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Slow(self.input.start(iteration), self._seconds, iteration)

    def cardinality(self) -> int:
        return self.input.cardinality()


class _Slow:
    def __init__(self, source: Iterator[Element], seconds: float, iteration: Iteration) -> None:
        self._source, self._seconds, self._iteration = source, seconds, iteration

    def __iter__(self) -> _Slow:
        return self

    def __next__(self) -> Element:
        if self._iteration.session.closed.wait(self._seconds):
            self._iteration.check()
        return next(self._source)


class Rebatched(Elements):
    """Each batch cut into as many as there are replicas, as equal as they can be."""

    def __init__(self, source: Elements, replicas: int) -> None:
        self.inputs, self._replicas = (source,), replicas

    def start(self, iteration: Iteration) -> Iterator[Element]:
        for element in self.input.start(iteration):
            size = -(-len(element[0]) // self._replicas)
            for begin in range(0, len(element[0]), size):
                yield [value[begin : begin + size] for value in element]


class ByLast(Elements):
    """The elements whose last part is true, without it."""

    def __init__(self, source: Elements) -> None:
        self.inputs = (source,)

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return iter(element[:-1] for element in self.input.start(iteration) if bool(element[-1]))


class Sliding(Elements):
    """Batches of `size` elements, `stride` apart, one `shift` after the other; only whole ones."""

    def __init__(self, source: Elements, size: int, shift: int, stride: int) -> None:
        self.inputs, self._numbers = (source,), (size, shift, stride)

    def start(self, iteration: Iteration) -> Iterator[Element]:
        size, shift, stride = self._numbers
        span = (size - 1) * stride + 1
        held: list[Element] = []
        missing = 0
        for element in self.input.start(iteration):
            if missing:
                missing -= 1
                continue
            held.append(element)
            if len(held) == span:
                yield batch_of(held[::stride])
                missing = max(0, shift - len(held))
                del held[:shift]


class Sampled(Elements):
    """Each element with a probability."""

    def __init__(self, source: Elements, rate: float, seeds: tuple[int, int]) -> None:
        self.inputs, self._rate, self._seeds = (source,), rate, seeds

    def start(self, iteration: Iteration) -> Iterator[Element]:
        from ossia_data.words import words_of
        words = words_of(*self._seeds)
        for element in self.input.start(iteration):
            if (words.next() & 0x7FFFFF) / 0x800000 < self._rate:
                yield element


for _prefix in BOTH:
    dataset_op(f"{_prefix}SleepDataset({_IN}, sleep_microseconds: int64) -> handle: variant").kernel(
        lambda source, microseconds: Slow(source, scalar(microseconds, "sleep_microseconds"))
    )
    _sharding = dataset_op(f"{_prefix}AutoShardDataset({_IN}, num_workers: int64, index: int64) -> handle: variant")
    _sharding.kernel(lambda source, workers, index: _auto_sharded(source, workers, index))
    _rebatching = dataset_op(
        f"{_prefix}RebatchDataset({_IN}, num_replicas: int64) -> handle: variant", use_fallback="bool = true"
    )
    _rebatching.kernel(lambda source, replicas: _rebatched(source, replicas))
    dataset_op(f"{_prefix}AssertNextDataset({_IN}, transformations: string) -> handle: variant").kernel(
        lambda source, transformations: Passed([source])
    )
    dataset_op(
        f"{_prefix}ChooseFastestDataset(input_datasets: N * variant) -> handle: variant", N="int >= 2",
        num_experiments="int",
    ).kernel(lambda sources: Passed([sources[0]]))
    dataset_op(
        f"{_prefix}SlidingWindowDataset({_IN}, window_size: int64, window_shift: int64, window_stride: int64) "
        "-> handle: variant"
    ).kernel(lambda source, size, shift, stride: _sliding(source, size, shift, stride))

dataset_op(f"FilterByLastComponentDataset({_IN}) -> output: variant").kernel(lambda source: ByLast(source))
dataset_op(f"SamplingDataset({_IN}, rate: float, seed: int64, seed2: int64) -> handle: variant").kernel(
    lambda source, rate, seed, seed2: Sampled(source, float(rate), (int(seed), int(seed2)))
)


def _auto_sharded(source: Elements, workers: Any, index: Any) -> Elements:
    """The part of one worker: of the files if there are some, of the elements if not."""
    count, number = scalar(workers, "num_workers"), scalar(index, "index")
    if not 0 <= number < count:
        raise errors.InvalidArgumentError(
            None, None, f"index must be between 0 and {count - 1} (currently index = {number}, num_workers = {count})."
        )
    return source if count == 1 else Shard([source], shards=count, index=number)


def _rebatched(source: Elements, replicas: Any) -> Elements:
    count = scalar(replicas, "num_replicas")
    if count <= 0:
        raise errors.InvalidArgumentError(None, None, "num_replicas must be greater than zero.")
    return Rebatched(source, count)


def _sliding(source: Elements, *given: Any) -> Elements:
    numbers = [scalar(number, "window") for number in given]
    for name, number in zip(("size", "shift", "stride"), numbers, strict=True):
        if number <= 0:
            raise errors.InvalidArgumentError(None, None, f"Window {name} must be greater than zero.")
    return Sliding(source, *numbers)


for _prefix in BOTH:
    _cardinality = op(f"{_prefix}DatasetCardinality({_IN}) -> cardinality: int64")
    _cardinality.not_folded()
    _cardinality.shape(lambda input_dataset: ())
    _cardinality.kernel(lambda dataset: np.int64(dataset.cardinality()))
    _cardinality.not_differentiable()

for _signature in (
    "WrapDatasetVariant(input_handle: variant) -> output_handle: variant",
    "UnwrapDatasetVariant(input_handle: variant) -> output_handle: variant",
):
    _wrapping = op(_signature)
    _wrapping.not_folded()
    _wrapping.shape(lambda input_handle: input_handle.shape)
    _wrapping.kernel(alias=True)(lambda handle: handle)
    _wrapping.not_differentiable()

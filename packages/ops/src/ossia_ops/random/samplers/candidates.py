"""Candidate samplers: classes drawn from a fixed or learned distribution, and how often each is expected among them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ossia_ops.random.samplers.distributions import unit_double, unit_single
from ossia_ops.random.samplers.philox import Philox, WordReader

_BLOCK = 64  # classes whose counts are added up ahead
WORDS_PER_CANDIDATE = 2048  # what a run sets aside for each candidate, whether or not it draws that many


def groups_of_candidates(count: int) -> int:
    """Groups that a run reserves to draw `count` candidates."""
    return WORDS_PER_CANDIDATE * count // 4


class UniformSampler:
    """Every class of [0, `classes`) is as likely as the others."""

    def __init__(self, classes: int) -> None:
        self.classes = self.possible = classes

    def draw(self, words: WordReader, count: int) -> np.ndarray:
        """The next `count` classes, int64, repetitions included."""
        pairs = words.take(2 * count)
        values = pairs[0::2] | pairs[1::2].astype(np.uint64) << np.uint64(32)
        return (values % np.uint64(self.classes)).astype(np.int64)

    def probability(self, values: np.ndarray) -> np.ndarray:
        """Probability of each class in `values`, float32."""
        return np.full(values.shape, 1.0 / self.classes, np.float32)

    def learn(self, values: np.ndarray) -> None:
        """Takes notice of the true classes of a batch."""


class LogUniformSampler(UniformSampler):
    """Zipf's law, about: class `k` has probability `log((k + 2) / (k + 1)) / log(classes + 1)`."""

    def __init__(self, classes: int) -> None:
        super().__init__(classes)
        self._log_range = math.log1p(classes)

    def draw(self, words: WordReader, count: int) -> np.ndarray:
        units = unit_double(words.take(2 * count).reshape(-1, 2)).reshape(-1)
        return (np.exp(units * self._log_range).astype(np.int64) - 1) % self.classes

    def probability(self, values: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            return (np.log((values + 2.0) / (values + 1.0)) / self._log_range).astype(np.float32)


class LearnedUnigramSampler(UniformSampler):
    """Counts the true classes that it has seen; class `k` is as likely as one plus its count."""

    def __init__(self, classes: int) -> None:
        super().__init__(classes)
        self._weights = np.zeros(-(-classes // _BLOCK) * _BLOCK, np.int64)
        self._weights[:classes] = 1
        self._blocks = self._weights.reshape(-1, _BLOCK).sum(axis=1)
        self._total = classes
        self._cumulative: np.ndarray | None = None

    def draw(self, words: WordReader, count: int) -> np.ndarray:
        numbers = (words.take(count) % np.int64(self._total).astype(np.uint32)).astype(np.int64)
        if self._cumulative is not None or count * _BLOCK >= self.classes:
            if self._cumulative is None:
                self._cumulative = self._weights.cumsum()
            return np.searchsorted(self._cumulative, numbers, side="right")
        # The block of classes that a number falls into, then the class in it: few weights are added up.
        sums = self._blocks.cumsum()
        block = np.searchsorted(sums, numbers, side="right")
        numbers -= sums[block] - self._blocks[block]
        inner = self._weights.reshape(-1, _BLOCK)[block].cumsum(axis=1)
        return block * _BLOCK + np.count_nonzero(inner <= numbers[:, None], axis=1)

    def probability(self, values: np.ndarray) -> np.ndarray:
        inside = (values >= 0) & (values < self.classes)
        weights = np.where(inside, self._weights[np.where(inside, values, 0)], 0)
        return weights.astype(np.float32) / np.float32(self._total)

    def learn(self, values: np.ndarray) -> None:
        values = values[(values >= 0) & (values < self.classes)]
        np.add.at(self._weights, values, 1)
        np.add.at(self._blocks, values // _BLOCK, 1)
        self._total += len(values)
        self._cumulative = None


class FixedUnigramSampler(UniformSampler):
    """Weights given in advance, drawn by Walker's alias method.

    Args:
        weights: a weight per class, before `distortion`; `reserved` classes that are never drawn come first.
        distortion: the power that the weights are raised to.
        reserved: number of leading classes with no weight.
        shards, shard: of the classes after the reserved ones only each `shards`-th, from `shard` on, is kept.
    """

    def __init__(self, weights: Sequence[float], distortion: float, reserved: int, shards: int, shard: int) -> None:
        own = np.asarray(weights, np.float32)[(shard - reserved) % shards :: shards]
        own = np.power(own.astype(np.float64), np.float64(np.float32(distortion))).astype(np.float32)
        self._weights = np.concatenate([np.zeros(len(range(shard, reserved, shards)), np.float32), own])
        super().__init__(len(self._weights))
        self.possible = int(np.count_nonzero(self._weights))
        self._total = np.add.accumulate(own)[-1] if own.size else np.float32(0)  # in single precision, one by one
        self._keep, self._alias = _alias_table(self._weights)

    def draw(self, words: WordReader, count: int) -> np.ndarray:
        pairs = words.take(2 * count)
        column = (pairs[1::2] % np.uint32(self.classes)).astype(np.int64)
        return np.where(unit_single(pairs[0::2]) < self._keep[column], column, self._alias[column])

    def probability(self, values: np.ndarray) -> np.ndarray:
        inside = (values >= 0) & (values < self.classes)
        return np.where(inside, self._weights[np.where(inside, values, 0)], np.float32(0)) / self._total


def _alias_table(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Per column, the probability to keep it (float32) and the class to take otherwise (int64)."""
    n = len(weights)
    # In float64: whether a share that should be 1 falls just short of it decides the table.
    share = weights.astype(np.float64) * n / math.fsum(weights.tolist()) if n else np.zeros(0)
    alias = np.arange(n)
    low, high = np.flatnonzero(share < 1.0).tolist(), np.flatnonzero(~(share < 1.0)).tolist()
    shares = share.tolist()
    while low and high:
        small, large = low.pop(), high.pop()
        alias[small] = large
        shares[large] -= 1.0 - shares[small]
        (low if shares[large] < 1.0 else high).append(large)
    keep = np.array(shares, np.float32)
    keep[low + high] = 1.0
    return keep, alias


class AllSampler(UniformSampler):
    """Draws every class once, in order."""

    def draw(self, words: WordReader, count: int) -> np.ndarray:
        return np.arange(count)

    def probability(self, values: np.ndarray) -> np.ndarray:
        return np.ones(values.shape, np.float32)


def sample(
    sampler: UniformSampler, start: Philox, true_classes: np.ndarray, count: int, unique: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draws candidates, then lets the sampler learn the true classes.

    Args:
        sampler: the distribution.
        start: where to draw from.
        true_classes: int64 of any shape.
        count: number of candidates.
        unique: whether candidates differ from each other; `count` must then not exceed `sampler.possible`.

    Returns:
        Candidates (int64 `[count]`), expected counts of the true classes and of the candidates (float32).
    """
    words = WordReader(start)
    if isinstance(sampler, AllSampler):
        drawn = sampler.draw(words, count)
        return drawn, np.ones(true_classes.shape, np.float32), np.ones(count, np.float32)
    drawn, tries = (_distinct if unique else _repeated)(sampler, words, count)
    true_expected, drawn_expected = (
        _expected(sampler.probability(values), count, tries) for values in (true_classes, drawn)
    )
    sampler.learn(true_classes.reshape(-1))
    return drawn, true_expected, drawn_expected


def _repeated(sampler: UniformSampler, words: WordReader, count: int) -> tuple[np.ndarray, int]:
    return sampler.draw(words, count), count


def _distinct(sampler: UniformSampler, words: WordReader, count: int) -> tuple[np.ndarray, int]:
    drawn = np.empty(0, np.int64)
    tries = 0
    chunk = count
    while True:
        fresh = sampler.draw(words, chunk)
        _, first = np.unique(np.concatenate([drawn, fresh]), return_index=True)
        first = np.sort(first[first >= drawn.size]) - drawn.size
        missing = count - drawn.size
        if first.size >= missing:
            tries += int(first[missing - 1]) + 1
            return np.concatenate([drawn, fresh[first[:missing]]]), tries
        drawn = np.concatenate([drawn, fresh[first]])
        tries += chunk
        chunk = min(2 * chunk + 64, 1 << 20)


def _expected(probability: np.ndarray, count: int, tries: int) -> np.ndarray:
    """How often a class of that probability is expected among `count` candidates that took `tries` draws.

    Rounded to single precision after each step, as in the original; now and then the last bit differs.
    """
    if tries == count:
        return probability * np.float32(count)
    with np.errstate(divide="ignore"):
        log_miss = np.log1p(-probability.astype(np.float64)).astype(np.float32)
    return -np.expm1((np.float32(tries) * log_miss).astype(np.float64)).astype(np.float32)

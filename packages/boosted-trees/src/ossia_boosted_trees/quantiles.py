"""Weighted quantiles of a stream of values, within an error, in little memory.

A summary has some of the values in order, and bounds of the rank of each; two summaries can be merged, and one can be
compressed to fewer values at the cost of wider bounds. A stream keeps summaries in levels, as the digits of a binary
counter (Greenwald and Khanna 2001; weights as in Chen and Guestrin 2016, appendix).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np


class Summary(NamedTuple):
    """Values in ascending order.

    Attributes:
        values: The values, all different.
        weights: The weight of each.
        lowest, highest: Bounds of the sum of the weights up to each: without its own, and with it.
    """

    values: np.ndarray
    weights: np.ndarray
    lowest: np.ndarray
    highest: np.ndarray

    @property
    def behind(self) -> np.ndarray:
        """The least rank of what comes after each value."""
        return self.lowest + self.weights

    @property
    def before(self) -> np.ndarray:
        """The greatest rank of what comes before each value."""
        return self.highest - self.weights


_NOTHING = np.zeros(0, np.float32)
EMPTY = Summary(_NOTHING, _NOTHING, _NOTHING, _NOTHING)


def exact(values: np.ndarray, weights: np.ndarray) -> Summary:
    """The summary that has all of the values; those of no weight are left out."""
    heavy = weights > 0
    order = np.argsort(values[heavy], kind="stable")
    unique, starts = np.unique(values[heavy][order], return_index=True)
    if not unique.size:
        return EMPTY
    sums = np.add.reduceat(weights[heavy][order], starts).astype(np.float32)
    highest = np.cumsum(sums, dtype=np.float32)
    return Summary(unique, sums, np.concatenate([np.zeros(1, np.float32), highest[:-1]]), highest)


def merged(one: Summary, other: Summary) -> Summary:
    """The summary of the values of two."""
    if not one.values.size or not other.values.size:
        return other if other.values.size else one
    values = np.union1d(one.values, other.values)
    weights, lowest, highest = (np.zeros(len(values), np.float32) for _ in range(3))
    for part in (one, other):
        place = np.searchsorted(part.values, values)
        inside = np.minimum(place, len(part.values) - 1)
        has = (place < len(part.values)) & (part.values[inside] == values)
        behind = np.concatenate([np.zeros(1, np.float32), part.behind])
        weights += np.where(has, part.weights[inside], np.float32(0))
        lowest += np.where(has, part.lowest[inside], behind[place])
        above = np.where(place < len(part.values), part.before[inside], part.highest[-1])
        highest += np.where(has, part.highest[inside], above)
    return Summary(values, weights, lowest, highest)


def compressed(summary: Summary, size: int, error: float = 0.0) -> Summary:
    """A summary of about so many values, whose bounds are wider by an error at most.

    Args:
        summary: The values.
        size: How many are wanted.
        error: How much may be lost, at least; a part of the whole weight.
    """
    size, count = max(size, 2), len(summary.values)
    if count <= size:
        return summary
    allowed = float(summary.highest[-1]) * max(1.0 / size, error)
    before, behind = summary.before.tolist(), summary.behind.tolist()
    kept, spent, place = [0], 0, 0
    while place + 1 < count:
        following = place + 1
        while following < count and spent < count and before[following] - behind[place] <= allowed:
            spent += size
            following += 1
        place = place + 1 if following == place + 1 else following - 1
        kept.append(place)
        spent -= count
    if kept[-1] != count - 1:
        kept.append(count - 1)
    return Summary(*(column[kept] for column in summary))


def error_of(summary: Summary) -> np.float32:
    """How far ranks may be off, a part of the whole weight."""
    if len(summary.values) < 2:
        return np.float32(0)
    loose = summary.highest - summary.lowest - summary.weights
    gaps = summary.before[1:] - summary.behind[:-1]
    return max(loose[1:].max(), gaps.max(), np.float32(0)) / summary.highest[-1]


def boundaries(summary: Summary, count: int) -> np.ndarray:
    """Values that divide the stream into so many parts of about one weight."""
    if not summary.values.size:
        return _NOTHING
    return compressed(summary, count, float(np.float32(float(error_of(summary)) + 1.0 / count))).values


def quantiles(summary: Summary, count: int) -> np.ndarray:
    """The values at the ends of so many parts of one weight, one more than there are parts; some may be equal."""
    if not summary.values.size:
        return _NOTHING
    count = max(count, 2)
    twice = 2 * np.arange(count + 1) * summary.highest[-1] / count
    middle = summary.lowest + summary.highest
    following = np.maximum(np.searchsorted(middle[1:], twice, side="right") + 1, 1)
    at = following - 1
    inside = np.minimum(following, len(summary.values) - 1)
    stays = (following == len(summary.values)) | (twice < summary.behind[at] + summary.before[inside])
    return summary.values[np.where(stays, at, inside)]


class Stream:
    """A stream of values.

    Args:
        error: How far ranks may be off, a part of the whole weight.
        most: How many values come at most.
    """

    def __init__(self, error: float, most: int) -> None:
        self.error = error
        levels, self._block = 1, 2
        while (1 << levels) * self._block < most and error > 0:
            self._block = math.ceil(levels / error) + 1
            levels += 1
        if error <= 0:
            self._block = max(most, 2)
        self._room = min(self._block * 2, most)
        self._levels: list[Summary] = []

    def push(self, values: np.ndarray, weights: np.ndarray) -> None:
        """Takes values, each with its weight."""
        heavy = weights > 0
        values, weights = values[heavy], weights[heavy]
        for start in range(0, len(values), self._room):
            part = slice(start, start + self._room)
            self.push_summary(compressed(exact(values[part], weights[part]), self._block, self.error))

    def push_summary(self, summary: Summary) -> None:
        """Takes a summary of values."""
        if not summary.values.size:
            return
        for level in range(len(self._levels) + 1):
            if level == len(self._levels):
                self._levels.append(EMPTY)
            current = self._levels[level]
            summary = merged(summary, current)
            if not current.values.size or len(summary.values) <= self._block + 1:
                self._levels[level] = summary
                return
            summary = compressed(summary, self._block, self.error)
            self._levels[level] = EMPTY

    def whole(self) -> Summary:
        """The summary of all that has come."""
        whole = EMPTY
        for summary in self._levels:
            whole = merged(whole, summary)
        return whole

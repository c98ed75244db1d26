"""Random words of datasets: those of the original for the same seeds."""
from __future__ import annotations

import numpy as np

from ossia_ops.random.samplers.philox import Philox

_GROUPS = 1 << 6, 1 << 12  # groups of four words that are made at once, at first and at most


class Words:
    """The 32-bit words of a generator, one after the other, for one thread."""

    def __init__(self, seed: int, seed2: int) -> None:
        self._start = self._position = Philox.from_seeds(seed, seed2)
        self._ready: list[int] = []  # the next one is the last
        self._groups, self._most = _GROUPS
        self.drawn = 0  # words so far

    def next(self) -> int:
        """The next word."""
        self.drawn += 1
        try:
            return self._ready.pop()
        except IndexError:
            self._ready = self._more()[::-1].tolist()
            return self._ready.pop()

    def several(self, count: int) -> np.ndarray:
        """The next words, as an array."""
        self.drawn += count
        ready = self._ready
        found = ready[max(0, len(ready) - count) :]
        del ready[len(ready) - len(found) :]
        parts = [np.array(found[::-1], np.uint32)]
        missing = count - len(found)
        while missing > 0:
            more = self._more()
            parts.append(more[:missing])
            self._ready = more[missing:][::-1].tolist()
            missing -= len(parts[-1])
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _more(self) -> np.ndarray:
        found = self._position.words(self._groups).reshape(-1)
        self._position = self._position.skip(self._groups)
        self._groups = min(2 * self._groups, self._most)
        return found

    def go_to(self, drawn: int) -> None:
        """Let so many words have been drawn."""
        self._position, self._ready, self.drawn = self._start.skip(drawn // 4), [], drawn // 4 * 4
        for _ in range(drawn % 4):
            self.next()


def words_of(seed: int, seed2: int) -> Words:
    """The words of a dataset with these seeds."""
    seeds = Philox.from_seeds(seed, seed2)
    return Words(seeds.key, seeds.counter >> 64)

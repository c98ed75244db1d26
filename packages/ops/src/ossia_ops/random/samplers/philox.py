"""Philox4x32-10, the counter-based generator behind every random op, computed many counters at a time.

Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3" (SC 2011). A 128-bit counter and a 64-bit
key give four 32-bit words; the words of one counter are a *group*. A position in a stream is a `Philox` value;
a stateful op keeps a `Stream`, from which each run reserves a stretch of counters of its own.
"""

from __future__ import annotations

import os
import threading

import numpy as np

from ossia_core.forks import renewed

_FACTOR_0, _FACTOR_1 = 0xD2511F53, 0xCD9E8D57
_WEYL_0, _WEYL_1 = 0x9E3779B9, 0xBB67AE85
_ROUNDS = 10
_FARTHEST = 256  # groups that a WordReader reads ahead
_FEW = 8
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_MASK_32, _MASK_64, _MASK_128 = (1 << 32) - 1, (1 << 64) - 1, (1 << 128) - 1
BLOCK = 8192  # groups per pass: the working set of a pass stays in the second-level cache


def philox4x32(key: int, low: np.ndarray, high: np.ndarray | int, out: np.ndarray | None = None) -> np.ndarray:
    """Words of the counters `low + 2**64 * high`.

    Args:
        key: the 64-bit key.
        low: uint64 array of shape `[n]`, the low halves of the counters.
        high: the high half, an int or a uint64 array of shape `[n]`.
        out: where to put the words, or None for a new array.

    Returns:
        A uint32 array of shape `[n, 4]`.
    """
    n = low.shape[0]
    words = np.empty((n, 4), np.uint32) if out is None else out
    even, odd, product, swap = np.empty((4, 2, n), np.uint64)  # even: words 0 and 2, odd: words 1 and 3
    np.bitwise_and(low, _LOW, out=even[0])
    np.right_shift(low, _HALF, out=odd[0])
    if isinstance(high, int):
        even[1], odd[1] = high & _MASK_32, high >> 32
    else:
        np.bitwise_and(high, _LOW, out=even[1])
        np.right_shift(high, _HALF, out=odd[1])
    flat_odd, flat_product = odd.reshape(-1), product.reshape(-1)
    key_0, key_1 = key & _MASK_32, key >> 32
    for _ in range(_ROUNDS):
        np.multiply(even[1], np.uint64(_FACTOR_1), out=product[0])
        np.multiply(even[0], np.uint64(_FACTOR_0), out=product[1])
        flat_swap = swap.reshape(-1)
        np.right_shift(flat_product, _HALF, out=flat_swap)
        np.bitwise_xor(flat_swap, flat_odd, out=flat_swap)
        np.bitwise_xor(swap[0], np.uint64(key_0), out=swap[0])
        np.bitwise_xor(swap[1], np.uint64(key_1), out=swap[1])
        np.bitwise_and(flat_product, _LOW, out=flat_odd)
        even, swap = swap, even
        key_0, key_1 = (key_0 + _WEYL_0) & _MASK_32, (key_1 + _WEYL_1) & _MASK_32
    words[:, 0], words[:, 2] = even
    words[:, 1], words[:, 3] = odd
    return words


def _group(key: int, counter: int) -> tuple[int, int, int, int]:
    """Words of one counter, in plain integers: for a few, this is faster than arrays."""
    words = counter & _MASK_32, counter >> 32 & _MASK_32, counter >> 64 & _MASK_32, counter >> 96 & _MASK_32
    key_0, key_1 = key & _MASK_32, key >> 32
    for _ in range(_ROUNDS):
        product_0, product_1 = words[0] * _FACTOR_0, words[2] * _FACTOR_1
        words = (
            (product_1 >> 32) ^ words[1] ^ key_0,
            product_1 & _MASK_32,
            (product_0 >> 32) ^ words[3] ^ key_1,
            product_0 & _MASK_32,
        )
        key_0, key_1 = (key_0 + _WEYL_0) & _MASK_32, (key_1 + _WEYL_1) & _MASK_32
    return words


class Philox:
    """A position in a stream: a 64-bit `key` and the 128-bit `counter` that comes next. Never changes."""

    __slots__ = ("key", "counter")

    def __init__(self, key: int, counter: int) -> None:
        self.key = key & _MASK_64
        self.counter = counter & _MASK_128

    @classmethod
    def from_seeds(cls, seed: int, seed2: int) -> Philox:
        """Start of the stream of the attributes (`seed`, `seed2`); both 0 stand for seeds that no one knows."""
        if seed == 0 and seed2 == 0:
            seed, seed2 = (int.from_bytes(os.urandom(8), "little") for _ in range(2))
        return cls(seed, (seed2 & _MASK_64) << 64)

    @classmethod
    def stateless(cls, seed: int, seed2: int) -> Philox:
        """Start of the stream that a stateless op draws from, given the two integers of its `seed` input."""
        scramble = cls(0x02461E293EC8F720, (seed & _MASK_64) | (seed2 & _MASK_64) << 64)
        word_0, word_1, word_2, word_3 = (int(word) for word in scramble.words(1)[0])
        return cls(word_0 | word_1 << 32, (word_2 | word_3 << 32) << 64)

    def skip(self, groups: int) -> Philox:
        """Position `groups` groups further on."""
        return Philox(self.key, self.counter + groups)

    def at(self, offsets: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """Words of the groups at the given distances (uint64 `[n]`) from here: uint32 `[n, 4]`."""
        if offsets.size <= _FEW:
            words = np.empty((offsets.size, 4), np.uint32) if out is None else out
            for row, offset in enumerate(offsets.tolist()):
                words[row] = _group(self.key, (self.counter + offset) & _MASK_128)
            return words
        base, high = self.counter & _MASK_64, self.counter >> 64
        low = offsets + np.uint64(base)
        if base + int(offsets.max()) > _MASK_64:
            carried = low < np.uint64(base)
            highs = np.where(carried, np.uint64((high + 1) & _MASK_64), np.uint64(high))
            return philox4x32(self.key, low, highs, out)
        return philox4x32(self.key, low, high, out)

    def words(self, groups: int, out: np.ndarray | None = None) -> np.ndarray:
        """Words of the next `groups` groups: uint32 `[groups, 4]`."""
        words = np.empty((groups, 4), np.uint32) if out is None else out
        for start in range(0, groups, BLOCK):
            stop = min(start + BLOCK, groups)
            self.at(np.arange(start, stop, dtype=np.uint64), words[start:stop])
        return words




class WordReader:
    """Reads single words one after the other from a position on, as sequential algorithms do.

    It reads ahead, twice as far each time: arrays of many words cost little more than a few.
    """

    def __init__(self, start: Philox) -> None:
        self._next = start
        self._ahead = 1
        self._buffer = np.empty(0, np.uint32)

    def take(self, count: int) -> np.ndarray:
        """The next `count` words, uint32 `[count]`."""
        missing = count - self._buffer.size
        if missing > 0:
            groups = max(-(-missing // 4), self._ahead)
            self._ahead = min(2 * self._ahead, _FARTHEST)
            fresh = self._next.words(groups).reshape(-1)
            self._next = self._next.skip(groups)
            self._buffer = np.concatenate([self._buffer, fresh]) if self._buffer.size else fresh
        taken, self._buffer = self._buffer[:count], self._buffer[count:]
        return taken


class Stream:
    """The generator that a stateful op keeps during a session; safe to use from several threads."""

    def __init__(self, seed: int, seed2: int) -> None:
        self._position = Philox.from_seeds(seed, seed2)
        self._lock = renewed(threading.Lock())

    def reserve(self, groups: int) -> Philox:
        """Position of a stretch of `groups` groups that no later call will hand out again."""
        with self._lock:
            start = self._position
            self._position = start.skip(groups)
        return start

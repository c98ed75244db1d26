"""Random numbers: Philox with four words and ten rounds, as the runtime draws them.

Source: J. Salmon and others, "Parallel random numbers: as easy as 1, 2, 3".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_lite.kernels import Call
from ossia_lite.kernels.shape import sizes

_MASK = (1 << 32) - 1


def random_uniform(call: Call, shape: np.ndarray) -> np.ndarray:
    """Numbers from 0 to 1."""
    wanted = sizes(shape)
    words = _words(call, -(-int(np.prod(wanted)) // 4))
    return _unit(words).reshape(-1)[: int(np.prod(wanted))].reshape(wanted)


def random_standard_normal(call: Call, shape: np.ndarray) -> np.ndarray:
    """Normally distributed numbers."""
    wanted = sizes(shape)
    unit = _unit(_words(call, -(-int(np.prod(wanted)) // 4))).reshape(-1, 2)
    radius = np.sqrt(-2 * np.log(np.maximum(unit[:, 0], np.float32(1e-7))))
    angle = np.float32(2 * np.pi) * unit[:, 1]
    pairs = np.stack([np.sin(angle) * radius, np.cos(angle) * radius], 1).astype(np.float32)
    return pairs.reshape(-1)[: int(np.prod(wanted))].reshape(wanted)


def multinomial(call: Call, logits: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Classes, drawn with the probabilities that the rows of `logits` say, unnormalized."""
    (samples,) = sizes(count)
    words = _words(call, -(-logits.shape[0] * samples // 2)).astype(np.uint64).reshape(-1, 2)
    bits = ((words[:, 1] & np.uint64(0xFFFFF)) << np.uint64(32)) | words[:, 0] | np.uint64(1023 << 52)
    unit = (bits.view(np.float64) - 1)[: logits.shape[0] * samples].reshape(logits.shape[0], samples)
    sums = np.cumsum(np.exp(logits.astype(np.float64) - logits.max(-1, keepdims=True)), -1)
    rows = [np.searchsorted(row, chosen * row[-1], "right") for row, chosen in zip(sums, unit, strict=True)]
    return np.minimum(np.stack(rows), logits.shape[1] - 1).astype(call.outputs[0].dtype)


def _unit(words: np.ndarray) -> np.ndarray:
    bits = (words.astype(np.uint32) & np.uint32(0x7FFFFF)) | np.uint32(127 << 23)
    return bits.view(np.float32) - np.float32(1)


def _words(call: Call, groups: int) -> np.ndarray:
    """`[groups, 4]`: the next words of the operator's stream."""
    if "counter" not in call.packed:
        seed, second = call.option("seed"), call.option("seed2")
        if not seed and not second:
            seed, second = (int(np.random.SeedSequence().generate_state(1)[0]) for _ in range(2))
        call.packed["counter"], call.packed["key"] = (second & (1 << 64) - 1) << 64, seed & (1 << 64) - 1
    start, key = call.packed["counter"], call.packed["key"]
    call.packed["counter"] = (start & ~((1 << 64) - 1)) | ((start + groups) & (1 << 64) - 1)
    low = np.arange(groups, dtype=np.uint64) + np.uint64(start & (1 << 64) - 1)
    high = start >> 64
    state: list[Any] = [low & np.uint64(_MASK), low >> np.uint64(32)]
    state += [np.full(groups, high & _MASK, np.uint64), np.full(groups, high >> 32, np.uint64)]
    first, second_key = key & _MASK, key >> 32
    for _ in range(10):
        left, right = state[0] * np.uint64(0xD2511F53), state[2] * np.uint64(0xCD9E8D57)
        state = [
            (right >> np.uint64(32)) ^ state[1] ^ np.uint64(first), right & np.uint64(_MASK),
            (left >> np.uint64(32)) ^ state[3] ^ np.uint64(second_key), left & np.uint64(_MASK),
        ]
        first, second_key = (first + 0x9E3779B9) & _MASK, (second_key + 0xBB67AE85) & _MASK
    return np.stack(state, 1)

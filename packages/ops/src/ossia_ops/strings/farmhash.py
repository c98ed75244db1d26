"""The 64-bit FarmHash fingerprint of byte strings (Pike 2014), and the mixing steps that City and Farm hashes share.

Every step works on Python integers and on uint64 arrays alike: a "text" is one byte string, or a uint8 matrix with one
string of the same length in each row.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

K0, K1, K2 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F
MASK = (1 << 64) - 1
_CITY_MUL = 0x9DDFEA08EB382D69
_FEW = 8  # strings of one length that are hashed one by one sooner than as an array


def rotated(x: Any, shift: int) -> Any:
    """`x` of 64 bits, rotated to the right."""
    return ((x >> shift) | (x << (64 - shift))) & MASK


def mixed(x: Any) -> Any:
    """`x` with its high bits mixed into the low ones."""
    return x ^ (x >> 47)


def word(text: Any, at: int, size: int = 8) -> Any:
    """The little-endian number in `size` bytes (8 or 4) of a text, as an integer or as a uint64 array."""
    if isinstance(text, bytes):
        return int.from_bytes(text[at:at + size], "little")
    part = np.ascontiguousarray(text[:, at:at + size])
    return part.view("<u8" if size == 8 else "<u4")[:, 0].astype(np.uint64)


def _byte(text: Any, at: int) -> Any:
    return text[at] if isinstance(text, bytes) else text[:, at].astype(np.uint64)


def _size(text: Any) -> int:
    return len(text) if isinstance(text, bytes) else text.shape[1]


def joined(u: Any, v: Any, mul: Any = _CITY_MUL) -> Any:
    """A 64-bit hash of two 64-bit numbers."""
    a = mixed(((u ^ v) * mul) & MASK)
    b = mixed(((v ^ a) * mul) & MASK)
    return (b * mul) & MASK


def short_hash(text: Any) -> Any:
    """The hash of a text of 1 to 16 bytes; of an empty byte string too."""
    size = _size(text)
    if size >= 8:
        mul = K2 + size * 2
        a, b = (word(text, 0) + K2) & MASK, word(text, size - 8)
        return joined((rotated(b, 37) * mul + a) & MASK, ((rotated(a, 25) + b) * mul) & MASK, mul)
    if size >= 4:
        return joined(size + (word(text, 0, 4) << 3), word(text, size - 4, 4), K2 + size * 2)
    if size:
        y, z = _byte(text, 0) + (_byte(text, size >> 1) << 8), size + (_byte(text, size - 1) << 2)
        return (mixed(((y * K2) ^ (z * K0)) & MASK) * K2) & MASK
    return K2


def weak_hash(text: Any, at: int, a: Any, b: Any) -> tuple[Any, Any]:
    """Two numbers from the 32 bytes at `at` and two seeds."""
    w, x, y, z = (word(text, at + 8 * i) for i in range(4))
    a = (a + w) & MASK
    b = rotated((b + a + z) & MASK, 21)
    c = a
    a = (a + x + y) & MASK
    b = b + rotated(a, 44)
    return (a + z) & MASK, (b + c) & MASK


def _medium(text: Any, size: int) -> Any:
    """The hash of 17 to 64 bytes."""
    mul = K2 + size * 2
    a, b = (word(text, 0) * (K1 if size <= 32 else K2)) & MASK, word(text, 8)
    c, d = (word(text, size - 8) * mul) & MASK, (word(text, size - 16) * K2) & MASK
    y = (rotated((a + b) & MASK, 43) + rotated(c, 30) + d) & MASK
    z = joined(y, (a + rotated((b + K2) & MASK, 18) + c) & MASK, mul)
    if size <= 32:
        return z
    e, f = (word(text, 16) * mul) & MASK, word(text, 24)
    g, h = ((y + word(text, size - 32)) * mul) & MASK, ((z + word(text, size - 24)) * mul) & MASK
    return joined((rotated((e + f) & MASK, 43) + rotated(g, 30) + h) & MASK,
                  (e + rotated((f + a) & MASK, 18) + g) & MASK, mul)


def _long(text: Any, size: int) -> Any:
    """The hash of more than 64 bytes."""
    seed = 81
    y = (seed * K1 + 113) & MASK
    z = (mixed((y * K2 + 113) & MASK) * K2) & MASK
    x: Any = (((seed * K2) & MASK) + word(text, 0)) & MASK
    v0 = v1 = w0 = w1 = x & 0
    y, z = y + v0, z + v0
    mul: Any = K1
    blocks = (size - 1) // 64
    for block in range(blocks + 1):
        nine, at = 1, block * 64
        if block == blocks:  # The last round takes the last 64 bytes, whatever it sees again, and mixes harder.
            nine, at = 9, size - 64
            mul = (K1 + ((z & 0xFF) << 1)) & MASK
            w0 = (w0 + ((size - 1) & 63)) & MASK
            v0 = (v0 + w0) & MASK
            w0 = (w0 + v0) & MASK
        x = (rotated((x + y + v0 + word(text, at + 8)) & MASK, 37) * mul) & MASK
        y = (rotated((y + v1 + word(text, at + 48)) & MASK, 42) * mul) & MASK
        x = x ^ ((w1 * nine) & MASK)
        y = (y + v0 * nine + word(text, at + 40)) & MASK
        z = (rotated((z + w0) & MASK, 33) * mul) & MASK
        v0, v1 = weak_hash(text, at, (v1 * mul) & MASK, (x + w0) & MASK)
        w0, w1 = weak_hash(text, at + 32, (z + w1) & MASK, (y + word(text, at + 16)) & MASK)
        x, z = z, x
    return joined((joined(v0, w0, mul) + mixed(y) * K0 + z) & MASK, (joined(v1, w1, mul) + x) & MASK, mul)


def fingerprint64(text: Any) -> Any:
    """The fingerprint of one byte string as an unsigned integer, or of the rows of a uint8 matrix as a uint64 array."""
    size = _size(text)
    if size <= 16:
        return short_hash(text)
    return _medium(text, size) if size <= 64 else _long(text, size)


def fingerprints64(texts: Sequence[bytes]) -> np.ndarray:
    """The fingerprints of many byte strings: a uint64 vector. Each string is hashed once."""
    distinct = list(dict.fromkeys(texts))
    if 2 * len(distinct) > len(texts):
        return _hashed(texts)
    hashes = dict(zip(distinct, _hashed(distinct).tolist(), strict=True))
    return np.fromiter(map(hashes.__getitem__, texts), np.uint64, len(texts))


def _hashed(texts: Sequence[bytes]) -> np.ndarray:
    """The fingerprints; strings of one length are hashed together."""
    out = np.empty(len(texts), np.uint64)
    by_size: dict[int, list[int]] = {}
    for i, text in enumerate(texts):
        by_size.setdefault(len(text), []).append(i)
    for size, places in by_size.items():
        if not size or len(places) < _FEW:
            out[places] = np.array([fingerprint64(texts[i]) for i in places], np.uint64)
        else:
            rows = np.frombuffer(b"".join([texts[i] for i in places]), np.uint8).reshape(-1, size)
            out[places] = fingerprint64(rows)
    return out

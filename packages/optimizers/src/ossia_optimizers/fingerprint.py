"""A 128-bit fingerprint of byte strings: CityHash128 (Pike and Alakuijala 2011), under which linear models hash example
ids."""

from __future__ import annotations

from ossia_ops.strings.farmhash import K0, K1, MASK, joined, mixed, rotated, short_hash, weak_hash, word


def _medium(s: bytes, low: int, high: int) -> tuple[int, int]:
    """The hash of fewer than 128 bytes."""
    size, a, b = len(s), low, high
    if size <= 16:
        a = (mixed((a * K1) & MASK) * K1) & MASK
        c = (b * K1 + short_hash(s)) & MASK
        d = mixed((a + (word(s, 0) if size >= 8 else c)) & MASK)
    else:
        c = joined((word(s, size - 8) + K1) & MASK, a)
        d = joined((b + size) & MASK, (c + word(s, size - 16)) & MASK)
        a = (a + d) & MASK
        for at in range(0, size - 16, 16):
            a = ((a ^ (mixed((word(s, at) * K1) & MASK) * K1)) * K1) & MASK
            b ^= a
            c = ((c ^ (mixed((word(s, at + 8) * K1) & MASK) * K1)) * K1) & MASK
            d ^= c
    a, b = joined(a, c), joined(d, b)
    return a ^ b, joined(b, a)


def _long(s: bytes, x: int, y: int) -> tuple[int, int]:
    """The hash of at least 128 bytes."""
    left, at = len(s), 0
    z = (left * K1) & MASK
    v0 = (rotated(y ^ K1, 49) * K1 + word(s, 0)) & MASK
    v1 = (rotated(v0, 42) * K1 + word(s, 8)) & MASK
    w0 = (rotated((y + z) & MASK, 35) * K1 + x) & MASK
    w1 = (rotated((x + word(s, 88)) & MASK, 53) * K1) & MASK
    while left >= 128:
        for _ in range(2):
            x = (rotated((x + y + v0 + word(s, at + 8)) & MASK, 37) * K1) & MASK
            y = (rotated((y + v1 + word(s, at + 48)) & MASK, 42) * K1) & MASK
            x ^= w1
            y = (y + v0 + word(s, at + 40)) & MASK
            z = (rotated((z + w0) & MASK, 33) * K1) & MASK
            v0, v1 = weak_hash(s, at, v1 * K1, x + w0)
            w0, w1 = weak_hash(s, at + 32, z + w1, y + word(s, at + 16))
            x, z = z, x
            at += 64
        left -= 128
    x = (x + rotated((v0 + z) & MASK, 49) * K0) & MASK
    y = (y * K0 + rotated(w1, 37)) & MASK
    z = (z * K0 + rotated(w0, 27)) & MASK
    w0, v0 = (w0 * 9) & MASK, (v0 * K0) & MASK
    done = 0
    while done < left:
        done += 32
        tail = at + left - done
        y = (rotated((x + y) & MASK, 42) * K0 + v1) & MASK
        w0 = (w0 + word(s, tail + 16)) & MASK
        x = (x * K0 + w0) & MASK
        z = (z + w1 + word(s, tail)) & MASK
        w1 = (w1 + v0) & MASK
        v0, v1 = weak_hash(s, tail, v0 + z, v1)
        v0 = (v0 * K0) & MASK
    x = joined(x, v0)
    y = joined((y + z) & MASK, w0)
    return (joined((x + v1) & MASK, w1) + y) & MASK, joined((x + w1) & MASK, (y + v1) & MASK)


def fingerprint128(s: bytes) -> tuple[int, int]:
    """The low and the high 64 bits of the fingerprint, unsigned."""
    if len(s) >= 16:
        s, low, high = s[16:], word(s, 0), (word(s, 8) + K0) & MASK
    else:
        low, high = K0, K1
    return _long(s, low, high) if len(s) >= 128 else _medium(s, low, high)

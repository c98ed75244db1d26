"""A 128-bit fingerprint of byte strings: CityHash128 (Pike and Alakuijala 2011), under which linear models hash example
ids."""

from __future__ import annotations

_K0, _K1, _K2 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F
_MUL = 0x9DDFEA08EB382D69
_MASK = (1 << 64) - 1


def _rotated(x: int, shift: int) -> int:
    return ((x >> shift) | (x << (64 - shift))) & _MASK


def _mixed(x: int) -> int:
    return x ^ (x >> 47)


def _word(s: bytes, at: int, size: int = 8) -> int:
    return int.from_bytes(s[at : at + size], "little")


def _joined(u: int, v: int, mul: int = _MUL) -> int:
    a = _mixed(((u ^ v) * mul) & _MASK)
    b = _mixed(((v ^ a) * mul) & _MASK)
    return (b * mul) & _MASK


def _short(s: bytes) -> int:
    """The hash of up to 16 bytes."""
    size = len(s)
    if size >= 8:
        mul = _K2 + size * 2
        a, b = _word(s, 0) + _K2, _word(s, size - 8)
        return _joined((_rotated(b, 37) * mul + a) & _MASK, ((_rotated(a & _MASK, 25) + b) * mul) & _MASK, mul)
    if size >= 4:
        return _joined(size + (_word(s, 0, 4) << 3), _word(s, size - 4, 4), _K2 + size * 2)
    if size:
        y, z = s[0] + (s[size >> 1] << 8), size + (s[size - 1] << 2)
        return (_mixed(((y * _K2) ^ (z * _K0)) & _MASK) * _K2) & _MASK
    return _K2


def _weak(s: bytes, at: int, a: int, b: int) -> tuple[int, int]:
    w, x, y, z = (_word(s, at + 8 * i) for i in range(4))
    a += w
    b = _rotated((b + a + z) & _MASK, 21)
    c = a
    a += x + y
    b += _rotated(a & _MASK, 44)
    return (a + z) & _MASK, (b + c) & _MASK


def _medium(s: bytes, low: int, high: int) -> tuple[int, int]:
    """The hash of fewer than 128 bytes."""
    size, a, b = len(s), low, high
    if size <= 16:
        a = (_mixed((a * _K1) & _MASK) * _K1) & _MASK
        c = (b * _K1 + _short(s)) & _MASK
        d = _mixed((a + (_word(s, 0) if size >= 8 else c)) & _MASK)
    else:
        c = _joined((_word(s, size - 8) + _K1) & _MASK, a)
        d = _joined((b + size) & _MASK, (c + _word(s, size - 16)) & _MASK)
        a = (a + d) & _MASK
        for at in range(0, size - 16, 16):
            a = ((a ^ (_mixed((_word(s, at) * _K1) & _MASK) * _K1)) * _K1) & _MASK
            b ^= a
            c = ((c ^ (_mixed((_word(s, at + 8) * _K1) & _MASK) * _K1)) * _K1) & _MASK
            d ^= c
    a, b = _joined(a, c), _joined(d, b)
    return a ^ b, _joined(b, a)


def _long(s: bytes, x: int, y: int) -> tuple[int, int]:
    """The hash of at least 128 bytes."""
    left, at = len(s), 0
    z = (left * _K1) & _MASK
    v0 = (_rotated(y ^ _K1, 49) * _K1 + _word(s, 0)) & _MASK
    v1 = (_rotated(v0, 42) * _K1 + _word(s, 8)) & _MASK
    w0 = (_rotated((y + z) & _MASK, 35) * _K1 + x) & _MASK
    w1 = (_rotated((x + _word(s, 88)) & _MASK, 53) * _K1) & _MASK
    while left >= 128:
        for _ in range(2):
            x = (_rotated((x + y + v0 + _word(s, at + 8)) & _MASK, 37) * _K1) & _MASK
            y = (_rotated((y + v1 + _word(s, at + 48)) & _MASK, 42) * _K1) & _MASK
            x ^= w1
            y = (y + v0 + _word(s, at + 40)) & _MASK
            z = (_rotated((z + w0) & _MASK, 33) * _K1) & _MASK
            v0, v1 = _weak(s, at, v1 * _K1, x + w0)
            w0, w1 = _weak(s, at + 32, z + w1, y + _word(s, at + 16))
            x, z = z, x
            at += 64
        left -= 128
    x = (x + _rotated((v0 + z) & _MASK, 49) * _K0) & _MASK
    y = (y * _K0 + _rotated(w1, 37)) & _MASK
    z = (z * _K0 + _rotated(w0, 27)) & _MASK
    w0, v0 = (w0 * 9) & _MASK, (v0 * _K0) & _MASK
    done = 0
    while done < left:
        done += 32
        tail = at + left - done
        y = (_rotated((x + y) & _MASK, 42) * _K0 + v1) & _MASK
        w0 = (w0 + _word(s, tail + 16)) & _MASK
        x = (x * _K0 + w0) & _MASK
        z = (z + w1 + _word(s, tail)) & _MASK
        w1 = (w1 + v0) & _MASK
        v0, v1 = _weak(s, tail, v0 + z, v1)
        v0 = (v0 * _K0) & _MASK
    x = _joined(x, v0)
    y = _joined((y + z) & _MASK, w0)
    return (_joined((x + v1) & _MASK, w1) + y) & _MASK, _joined((x + w1) & _MASK, (y + v1) & _MASK)


def fingerprint128(s: bytes) -> tuple[int, int]:
    """The low and the high 64 bits of the fingerprint, unsigned."""
    if len(s) >= 16:
        s, low, high = s[16:], _word(s, 0), (_word(s, 8) + _K0) & _MASK
    else:
        low, high = _K0, _K1
    return _long(s, low, high) if len(s) >= 128 else _medium(s, low, high)

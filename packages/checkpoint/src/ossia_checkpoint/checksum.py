"""CRC-32C as checkpoint files store it: masked, so that a checksum over data with checksums in it stays strong."""

from __future__ import annotations

from typing import Any

import google_crc32c

_OFFSET = 0xA282EAD8
_MASK = 0xFFFFFFFF


def crc32c(data: Any, crc: int = 0) -> int:
    """CRC-32C of bytes or of a contiguous uint8 array, continued from `crc`."""
    return google_crc32c.extend(crc, data)


def mask(crc: int) -> int:
    """The stored form of a CRC."""
    return (((crc >> 15) | (crc << 17)) + _OFFSET) & _MASK


def unmask(stored: int) -> int:
    """The CRC of a stored form."""
    rotated = (stored - _OFFSET) & _MASK
    return ((rotated >> 17) | (rotated << 15)) & _MASK

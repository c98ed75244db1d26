"""Varints: little-endian groups of seven bits."""

from __future__ import annotations

from ossia_core.names import errors


def encode(value: int) -> bytes:
    """The varint of a non-negative integer."""
    groups = bytearray()
    while value >= 0x80:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    groups.append(value)
    return bytes(groups)


def decode(data: bytes, at: int, end: int, bits: int = 64) -> tuple[int, int]:
    """Reads a varint.

    Args:
        data: The bytes that hold it.
        at: Where it starts.
        end: Where the readable part of `data` ends.
        bits: 32 or 64, the width of the value.

    Returns:
        The value, and where the byte after it lies.

    Raises:
        DataLossError: The varint is cut off or too large.
    """
    value = shift = 0
    while at < end:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            if value >> bits:
                break
            return value, at
        shift += 7
        if shift >= bits:
            break
    raise errors.DataLossError(None, None, f"bad varint at byte {at}")

"""Reading Example messages from their bytes: total functions, which give features or raise `Malformed`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ossia_core.names import dtypes

KINDS = {1: dtypes.string, 2: dtypes.float32, 3: dtypes.int64}  # the lists of a Feature, by field number
_SHORT = 64  # packed integers of fewer bytes are read one by one


class Malformed(ValueError):
    """Bytes that are no message of the kind that was looked for."""


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """An integer of seven bits a byte, and where it ends."""
    value = shift = 0
    while shift < 70:
        if at >= len(data):
            raise Malformed("truncated")
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
    raise Malformed("an integer of more than ten bytes")


def fields(data: bytes) -> Iterator[tuple[int, int, Any]]:
    """The fields of a message: number, wire type, and an int or bytes.

    Raises:
        Malformed: The bytes are no message.
    """
    at, end = 0, len(data)
    while at < end:
        tag = data[at]
        at += 1
        if tag >= 128:
            tag, at = _varint(data, at - 1)
        wire, number = tag & 7, tag >> 3
        if wire == 2:
            if at < end and data[at] < 128:
                size, at = data[at], at + 1
            else:
                size, at = _varint(data, at)
        elif wire == 0:
            value, at = _varint(data, at)
            yield number, wire, value
            continue
        elif wire in (1, 5):
            size = 8 if wire == 1 else 4
        else:
            raise Malformed(f"wire type {wire}")
        if number == 0 or size > end - at:
            raise Malformed("truncated")
        yield number, wire, data[at : at + size]
        at += size


def _nested(data: bytes, number: int) -> Iterator[bytes]:
    return (value for found, wire, value in fields(data) if found == number and wire == 2)


def _entries(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The entries of a map from strings to messages; a later one of the same key replaces an earlier one."""
    for entry in _nested(data, 1):
        key = value = b""
        for number, wire, item in fields(entry):
            if wire == 2 and number == 1:
                key = item
            elif wire == 2 and number == 2:
                value = item
        yield key, value


def example_features(example: bytes) -> dict[bytes, bytes]:
    """The serialised Features of a serialised Example, by key.

    Raises:
        Malformed: It is none.
    """
    return {key: value for features in _nested(example, 1) for key, value in _entries(features)}


def sequence_features(example: bytes) -> tuple[dict[bytes, bytes], dict[bytes, list[bytes]]]:
    """The context and the feature lists of a serialised SequenceExample, by key.

    Raises:
        Malformed: It is none.
    """
    context: dict[bytes, bytes] = {}
    lists: dict[bytes, list[bytes]] = {}
    for number, wire, value in fields(example):
        if wire == 2 and number == 1:
            context.update(_entries(value))
        elif wire == 2 and number == 2:
            lists.update((key, list(_nested(features, 1))) for key, features in _entries(value))
    return context, lists


def feature_values(feature: bytes) -> tuple[Any, Any]:
    """The dtype and the values of a serialised Feature: a list of bytes, or an array of float32 or int64.

    Only the first list counts; without one both are None.

    Raises:
        Malformed: It is no Feature, or begins with a list of an unknown kind.
    """
    for number, wire, body in fields(feature):
        kind = KINDS.get(number)
        if kind is None or wire != 2:
            raise Malformed("Unsupported datatype.")
        if kind is dtypes.string:
            return kind, list(_nested(body, 1))
        return kind, _floats(body) if kind is dtypes.float32 else _integers(body)
    return None, None


def _floats(body: bytes) -> np.ndarray:
    data = b"".join(
        value[: len(value) // 4 * 4] for number, wire, value in fields(body) if number == 1 and wire in (2, 5)
    )
    return np.frombuffer(data, "<f4").astype(np.float32)


def _integers(body: bytes) -> np.ndarray:
    parts = []
    for number, wire, value in fields(body):
        if number == 1 and wire == 2:
            parts.append(_packed_integers(value))
        elif number == 1 and wire == 0:
            parts.append(np.array([value & 0xFFFFFFFFFFFFFFFF], np.uint64).view(np.int64))
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def _packed_integers(data: bytes) -> np.ndarray:
    if len(data) < _SHORT:
        values, at = [], 0
        while at < len(data):
            value, at = _varint(data, at)
            values.append(value & 0xFFFFFFFFFFFFFFFF)
        return np.array(values, np.uint64).view(np.int64)
    octets = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(octets < 128)
    if octets[-1] >= 128:
        raise Malformed("truncated")
    starts = np.concatenate(([0], ends[:-1] + 1))
    lengths = ends - starts + 1
    longest = int(lengths.max())
    if longest > 10:
        raise Malformed("an integer of more than ten bytes")
    numbers = np.zeros(len(ends), np.uint64)
    for k in range(longest):
        longer = lengths > k
        numbers[longer] |= (octets[starts[longer] + k] & 127).astype(np.uint64) << np.uint64(7 * k)
    return numbers.view(np.int64)

"""Boxes inside tensors, and how files name them: "5 4 0,2:-" in graphs, an ordered byte code in index files."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ossia_core.names import errors, sizes

_FULL = -1  # a length that spans its axis
_TOKEN = re.compile(r"(\d{1,18}),(\d{1,18})\Z")


class Slice(NamedTuple):
    """A box: per axis its start and its length, (0, -1) for the whole axis."""

    extents: tuple[tuple[int, int], ...]

    def within(self, shape: tuple[int, ...]) -> tuple[slice, ...]:
        """The box as Python slices of an array of `shape`.

        Raises:
            InvalidArgumentError: The ranks differ, or the box reaches out of the shape.
        """
        if len(shape) != len(self.extents):
            raise errors.InvalidArgumentError(
                None, None, f"Slice {self} has rank {len(self.extents)}, the tensor's shape is {list(shape)}"
            )
        found = []
        for size, (start, length) in zip(shape, self.extents):
            stop = size if length == _FULL else start + length
            if start < 0 or length < _FULL or stop > size:
                raise errors.InvalidArgumentError(
                    None, None, f"Extent out of bounds: shape = {list(shape)}, slice = {self}"
                )
            found.append(slice(start, stop))
        return tuple(found)

    def shape_in(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The shape of the box in an array of `shape`; raises as `within` does."""
        return tuple(part.stop - part.start for part in self.within(shape))

    def __str__(self) -> str:
        return ":".join("-" if length == _FULL else f"{start},{length}" for start, length in self.extents)

    def to_proto(self) -> Any:
        """The box as a TensorSliceProto."""
        from ossia_core.proto import TensorSliceProto

        made = TensorSliceProto()
        for start, length in self.extents:
            extent = made.extent.add()
            if length != _FULL:
                extent.start, extent.length = start, length
        return made

    @classmethod
    def from_proto(cls, proto: Any) -> Slice:
        """The box of a TensorSliceProto."""
        return cls(
            tuple(
                (extent.start, extent.length if extent.WhichOneof("has_length") else _FULL) for extent in proto.extent
            )
        )


def parse_slice(text: str) -> Slice:
    """The box that a text such as `"0,2:-"` names.

    Raises:
        InvalidArgumentError: The text does not name one.
    """
    extents = []
    for token in text.split(":") if text else ():
        match = _TOKEN.match(token)
        if token != "-" and (match is None or match[2] == "0"):
            raise errors.InvalidArgumentError(
                None,
                None,
                f"Expected '-' or a start and a positive length but got {token[:200]!r}: string = {text[:200]}",
            )
        extents.append((0, _FULL) if match is None else (int(match[1]), int(match[2])))
    return Slice(tuple(extents))


def parse_shape_and_slice(text: str) -> tuple[tuple[int, ...], Slice, tuple[int, ...]]:
    """Reads "5 4 0,2:-": a tensor's shape and a box in it.

    Returns:
        The shape, the box and the shape of the box.

    Raises:
        InvalidArgumentError: The text is malformed, or the box does not lie in the shape.
    """
    *sizes, box_text = text.split(" ")
    if not sizes:
        raise errors.InvalidArgumentError(
            None, None, f"Need least two elements in shape_and_slice specification: {text[:200]}"
        )
    if not all(size.isdecimal() and len(size) < 19 for size in sizes):
        raise errors.InvalidArgumentError(None, None, f"Non numerical dimension in shape_and_slice: {text[:200]}")
    shape = tuple(map(int, sizes))
    box = parse_slice(box_text)
    return shape, box, box.shape_in(shape)


def slice_key(name: str, box: Slice) -> bytes:
    """The key under which a table holds a slice of the tensor `name`; keys sort by name, rank and extents."""
    parts = [_number(0), _text(name.encode()), _number(len(box.extents))]
    for start, length in box.extents:
        parts += [_signed(start), _signed(length)]
    return b"".join(parts)


def _number(value: int) -> bytes:
    digits = value.to_bytes((value.bit_length() + 7) // 8, "big")
    return bytes([len(digits)]) + digits


def _text(value: bytes) -> bytes:
    return (
        re.sub(
            rb"[\x00\xff]",
            lambda found: found[0] + (b"\xff" if found[0] == b"\x00" else b"\x00"),
            value,
            flags=re.DOTALL,
        )
        + b"\x00\x01"
    )


def _signed(value: int) -> bytes:
    """Seven bits in one byte, fourteen in two, ...: leading ones tell the length, all inverted for negative numbers."""
    magnitude = ~value if value < 0 else value
    length = next(n for n in range(1, 11) if magnitude < 1 << (7 * n - 1))
    bits = 8 * length
    marker = ((1 << length) - 1) << (bits - length)
    encoded = (marker | magnitude) if value >= 0 else ~(marker | magnitude) & ((1 << bits) - 1)
    return encoded.to_bytes(length, "big")


def assemble(
    shape: tuple[int, ...],
    wanted: tuple[slice, ...],
    numpy_type: Any,
    boxes: Sequence[Slice],
    read: Callable[[int], np.ndarray],
) -> np.ndarray:
    """Puts a part of a tensor together from stored boxes.

    Args:
        shape: The shape of the tensor.
        wanted: The part, as slices with a start and a stop.
        numpy_type: The element type.
        boxes: What is stored.
        read: Gives the values of the box of a number.

    Raises:
        InvalidArgumentError: The boxes do not fit the shape, or do not fill the part.
        DataLossError: The boxes overlap.
        ResourceExhaustedError: The part does not fit into memory.
    """
    parts = []  # number of the box, where it goes in the result, what of it
    for number, box in enumerate(boxes):
        overlap = [
            (max(axis.start, own.start), min(axis.stop, own.stop), axis.start, own.start)
            for axis, own in zip(wanted, box.within(shape))
        ]
        if all(stop > start for start, stop, _, _ in overlap):
            target = tuple(slice(start - base, stop - base) for start, stop, base, _ in overlap)
            parts.append((number, target, tuple(slice(start - base, stop - base) for start, stop, _, base in overlap)))
    size = tuple(axis.stop - axis.start for axis in wanted)
    count = sum(math.prod(axis.stop - axis.start for axis in target) for _, target, _ in parts)
    if count < math.prod(size):
        raise errors.InvalidArgumentError(
            None, None, f"Does not have sufficient slices: {count} of {math.prod(size)} elements are stored"
        )
    sizes.allocatable(size, np.dtype(numpy_type).itemsize)
    result = np.empty(size, numpy_type)
    filled = np.zeros(size, bool)
    for number, target, source in parts:
        if filled[target].any():
            raise errors.DataLossError(None, None, f"Overlapping slices: {boxes[number]} overlaps one before it")
        filled[target] = True
        result[target] = read(number)[source]
    return result

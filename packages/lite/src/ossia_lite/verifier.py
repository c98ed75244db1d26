"""Bounds of a `.tflite` file: every offset, length and alignment is checked before anything is read.

What is checked is the layout that https://flatbuffers.dev/internals describes: tables with their vtables, vectors,
strings, unions.
"""

from __future__ import annotations

import struct

from ossia_lite.schema import SIZES, TABLES, Field

IDENTIFIER = b"TFL3"


def verify(content: bytes | memoryview) -> None:
    """Checks that every table, vector and string of a model lies within the file.

    Args:
        content: The whole file.

    Raises:
        ValueError: It is not a `.tflite` file, or something in it points outside, is misaligned, or is repeated so
            often that reading
            it would take far more memory than the file has.
    """
    if len(content) < 8 or bytes(content[4:8]) != IDENTIFIER:
        raise ValueError("Not a .tflite file: its identifier is not TFL3.")
    _Verifier(content).table("Model", 0, "Model")


class _Verifier:
    def __init__(self, content: bytes | memoryview) -> None:
        self._content = content
        self._size = len(content)
        self._budget = 4 * self._size + 4096  # bytes that reading may visit; vectors may be shared, but not without end

    def table(self, name: str, at: int, what: str) -> None:
        at = self._reference(at, 4, what)
        self._spend(8, what)
        distance = self._number("<i", at, what)
        vtable = at - distance
        if vtable < 0 or vtable % 2 or vtable + 4 > self._size:
            raise ValueError(f"{what}: its vtable lies outside the file.")
        vtable_size, table_size = struct.unpack_from("<HH", self._content, vtable)
        if vtable_size < 4 or vtable_size % 2 or vtable + vtable_size > self._size:
            raise ValueError(f"{what}: its vtable of {vtable_size} bytes does not lie within the file.")
        if table_size < 4 or at + table_size > self._size:
            raise ValueError(f"{what}: its {table_size} bytes do not lie within the file.")
        places = struct.unpack_from(f"<{vtable_size // 2 - 2}H", self._content, vtable + 4)
        for field in TABLES[name].fields:
            place = places[field.number] if field.number < len(places) else 0
            if field.kind == "union":
                self._union(field, at, table_size, places, f"{what}.{field.name}")
            elif place:
                width = 4 if field.vector or field.kind not in SIZES else SIZES[field.kind]
                self._field(at, place, width, table_size, f"{what}.{field.name}")
                self._value(field, at + place, f"{what}.{field.name}")

    def _union(self, field: Field, at: int, table_size: int, places: tuple[int, ...], what: str) -> None:
        kind_place = places[field.number - 1] if field.number - 1 < len(places) else 0
        place = places[field.number] if field.number < len(places) else 0
        member = 0
        if kind_place:
            self._field(at, kind_place, 1, table_size, what)
            member = self._content[at + kind_place]
        if place:
            self._field(at, place, 4, table_size, what)
            if 0 < member <= len(field.tables):
                self.table(field.tables[member - 1], at + place, what)
            else:
                self._reference(at + place, 4, what)
        elif member:
            raise ValueError(f"{what}: the union has a type and no value.")

    def _field(self, at: int, place: int, width: int, table_size: int, what: str) -> None:
        if place < 4 or place + width > table_size or (at + place) % width:
            raise ValueError(f"{what}: the field does not lie within its table.")

    def _value(self, field: Field, at: int, what: str) -> None:
        if field.vector:
            self._vector(field, at, what)
        elif field.kind == "string":
            self._string(at, what)
        elif field.kind == "table":
            self.table(field.tables[0], at, what)

    def _vector(self, field: Field, at: int, what: str) -> None:
        width = SIZES.get(field.kind, 4)
        at = self._reference(at, 4, what)
        length = self._number("<I", at, what)
        if at + 4 + length * width > self._size or (length and (at + 4) % width):
            raise ValueError(f"{what}: its {length} elements do not lie within the file.")
        self._spend(length * width if field.name != "data" else 4, what)
        if field.kind in SIZES:
            return
        for index in range(length):
            place = at + 4 + 4 * index
            if field.kind == "string":
                self._string(place, f"{what}[{index}]")
            else:
                self.table(field.tables[0], place, f"{what}[{index}]")

    def _string(self, at: int, what: str) -> None:
        at = self._reference(at, 4, what)
        length = self._number("<I", at, what)
        if at + 4 + length + 1 > self._size or self._content[at + 4 + length] != 0:
            raise ValueError(f"{what}: its {length} characters do not lie within the file.")
        self._spend(length, what)

    def _reference(self, at: int, width: int, what: str) -> int:
        target = at + self._number("<I", at, what)
        if target == at or target % width or target + 4 > self._size:
            raise ValueError(f"{what}: it points outside the file.")
        return target

    def _number(self, code: str, at: int, what: str) -> int:
        if at < 0 or at + 4 > self._size:
            raise ValueError(f"{what}: it lies outside the file.")
        return struct.unpack_from(code, self._content, at)[0]

    def _spend(self, size: int, what: str) -> None:
        self._budget -= size
        if self._budget < 0:
            raise ValueError(f"{what}: parts of the file are used again too often.")

"""Reading a `.tflite` file: bytes to records, after the bounds are verified."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
from flatbuffers.table import Table

from ossia_lite.checks import check_model
from ossia_lite.operators import GREATER_CODES
from ossia_lite.schema import SCALARS, TABLES, Field, Record
from ossia_lite.verifier import verify

_NUMPY = {
    "bool": "?",
    "byte": "i1",
    "ubyte": "u1",
    "ushort": "<u2",
    "int": "<i4",
    "uint": "<u4",
    "long": "<i8",
    "ulong": "<u8",
    "float": "<f4",
}


def read_model(content: bytes | bytearray | memoryview) -> Record:
    """Reads a model.

    Args:
        content: The whole file.

    Returns:
        A record of the table `Model`. The data of buffers are views of `content`; other vectors of numbers are lists.

    Raises:
        ValueError: The file is damaged, or what it says cannot be.
    """
    content = bytes(content)
    verify(content)
    model = _table(Table(content, struct.unpack_from("<I", content, 0)[0]), "Model")
    for code in model.operator_codes or ():
        if code.deprecated_builtin_code not in (0, GREATER_CODES) or not code.builtin_code:
            code.builtin_code = max(code.builtin_code, code.deprecated_builtin_code)
    for index, buffer in enumerate(model.buffers or ()):
        if buffer.data is None and buffer.offset > 1:  # data behind the flatbuffer, in files over 2 GB
            if buffer.offset + buffer.size > len(content):
                raise ValueError(f"Buffer {index} does not lie within the file.")
            buffer.data = np.frombuffer(content, np.uint8, buffer.size, buffer.offset)
    check_model(model)
    return model


def _table(table: Table, name: str) -> Record:
    values: dict[str, Any] = {}
    for field in TABLES[name].fields:
        place = table.Offset(4 + 2 * field.number)
        if place:
            values[field.name] = _value(table, table.Pos + place, field)
    return TABLES[name](**values)


def _value(table: Table, at: int, field: Field) -> Any:
    content = table.Bytes
    if field.vector:
        start, length = _span(content, at)
        if field.kind in SCALARS:
            array = np.frombuffer(content, _NUMPY[field.kind], length, start)
            return array if field.kind == "ubyte" else array.tolist()
        places = [start + 4 * index for index in range(length)]
        return [
            _string(content, place) if field.kind == "string" else _referred(content, place, field.tables[0])
            for place in places
        ]
    if field.kind in SCALARS:
        return struct.unpack_from("<" + SCALARS[field.kind], content, at)[0]
    if field.kind == "string":
        return _string(content, at)
    if field.kind == "table":
        return _referred(content, at, field.tables[0])
    kind_place = table.Offset(4 + 2 * (field.number - 1))
    member = content[table.Pos + kind_place] if kind_place else 0
    if not 0 < member <= len(field.tables):
        return None
    return _referred(content, at, field.tables[member - 1])


def _span(content: bytes, at: int) -> tuple[int, int]:
    start = at + struct.unpack_from("<I", content, at)[0]
    return start + 4, struct.unpack_from("<I", content, start)[0]


def _string(content: bytes, at: int) -> str:
    start, length = _span(content, at)
    return content[start : start + length].decode("utf-8", "replace")


def _referred(content: bytes, at: int, name: str) -> Record:
    return _table(Table(content, at + struct.unpack_from("<I", content, at)[0]), name)

"""Writing a `.tflite` file: records to bytes."""

from __future__ import annotations

from typing import Any

import flatbuffers
import numpy as np
from flatbuffers import number_types

from ossia_lite.operators import GREATER_CODES
from ossia_lite.schema import SIZES, Field, Record
from ossia_lite.verifier import IDENTIFIER

_FLAGS = {
    "bool": number_types.BoolFlags,
    "byte": number_types.Int8Flags,
    "ubyte": number_types.Uint8Flags,
    "ushort": number_types.Uint16Flags,
    "int": number_types.Int32Flags,
    "uint": number_types.Uint32Flags,
    "long": number_types.Int64Flags,
    "ulong": number_types.Uint64Flags,
    "float": number_types.Float32Flags,
}
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
_DATA_ALIGNMENT = 16


def write_model(model: Record) -> bytes:
    """Writes a model.

    Args:
        model: A record of the table `Model`.

    Returns:
        The whole file. The data of each buffer begin at a multiple of 16 bytes.

    Raises:
        TypeError, ValueError: A field holds what its type cannot.
    """
    for code in model.operator_codes or ():
        code.deprecated_builtin_code = min(code.builtin_code, GREATER_CODES)
    builder = flatbuffers.Builder(1024 + sum(len(b.data) for b in model.buffers or () if b.data is not None))
    builder.Finish(_table(builder, model), file_identifier=IDENTIFIER)
    return bytes(builder.Output())


def _table(builder: Any, record: Record) -> int:
    offsets = {
        field.name: _offset(builder, field, getattr(record, field.name))
        for field in record.fields
        if getattr(record, field.name) is not None and (field.vector or field.kind not in SIZES)
    }
    builder.StartObject(max((field.number for field in record.fields), default=-1) + 1)
    # Wide fields first, so that none needs padding.
    for field in sorted(record.fields, key=lambda field: -SIZES.get(field.kind, 4)):
        value = getattr(record, field.name)
        if field.name in offsets:
            if field.kind == "union":
                builder.PrependUint8Slot(field.number - 1, field.tables.index(value.table) + 1, 0)
            builder.PrependUOffsetTRelativeSlot(field.number, offsets[field.name], 0)
        elif value is not None:
            builder.PrependSlot(_FLAGS[field.kind], field.number, value, field.default)
    return builder.EndObject()


def _offset(builder: Any, field: Field, value: Any) -> int:
    if not field.vector:
        return builder.CreateString(value) if field.kind == "string" else _table(builder, value)
    if field.kind in SIZES:
        array = np.ascontiguousarray(value, _NUMPY[field.kind])
        alignment = _DATA_ALIGNMENT if field.kind == "ubyte" else SIZES[field.kind]
        builder.StartVector(array.itemsize, array.size, alignment)
        builder.head = builder.Head() - array.nbytes
        builder.Bytes[builder.Head() : builder.Head() + array.nbytes] = array.tobytes()
        return builder.EndVector()
    offsets = [builder.CreateString(item) if field.kind == "string" else _table(builder, item) for item in value]
    builder.StartVector(4, len(offsets), 4)
    for offset in reversed(offsets):
        builder.PrependUOffsetTRelative(offset)
    return builder.EndVector()

"""Samples of the ops on the fields of protos."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, sample


def _box() -> bytes:
    """The description of a message with a number, texts and packed floats."""
    from google.protobuf import descriptor_pb2

    field = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="ossia_box.proto", package="ossia_box", syntax="proto3")
    box = file.message_type.add(name="Box")
    for number, (name, kind, label) in enumerate(
        (
            ("number", field.TYPE_INT32, field.LABEL_OPTIONAL),
            ("texts", field.TYPE_STRING, field.LABEL_REPEATED),
            ("floats", field.TYPE_FLOAT, field.LABEL_REPEATED),
        ),
        1,
    ):
        box.field.add(name=name, number=number, type=kind, label=label)
    return b"bytes://" + descriptor_pb2.FileDescriptorSet(file=[file]).SerializeToString(deterministic=True)


_BOX: dict[str, Any] = {"message_type": "ossia_box.Box", "descriptor_source": _box()}
_BYTES = np.array([[b"\x08\x07\x12\x01a\x12\x00\x1a\x08\x00\x00\x80?\x00\x00\x00@", b""]], object)


def _decode(data: Any = _BYTES, **more: Any) -> Any:
    return sample(
        data,
        **{**_BOX, "field_names": ["number", "texts", "floats"], "output_types": ["int32", "string", "float"], **more},
    )


lookup("DecodeProtoV2").samples(
    all=_decode(),
    one=_decode(_BYTES[0, 0], field_names=["number"], output_types=["int64"]),
    refused_none=_decode(_BYTES[:0]),
    refused_empty=_decode(_BYTES[:, :0]),
    canonical=_decode(sanitize=True),
    text=_decode(np.array([b"number: 3 texts: 'x'"], object), message_format="text"),
    refused_bytes=_decode(np.array([b"\x08"], object)),
    refused_field=_decode(field_names=["no"], output_types=["int32"]),
    refused_type=_decode(field_names=["number"], output_types=["string"]),
    refused_count=_decode(output_types=["int32"]),
    refused_message=_decode(message_type="ossia_box.No"),
    refused_format=_decode(message_format="xml"),
    refused_text=_decode(np.array([b"number: x"], object), message_format="text"),
)


def _encode(sizes: Any, values: Any, **more: Any) -> Any:
    return sample(np.array(sizes, np.int32), values, **{**_BOX, "field_names": ["number", "texts"], **more})


_NUMBER, _TEXTS = np.array([[7], [8]], np.int32), np.array([[b"a", b"b"], [b"c", b""]], object)
lookup("EncodeProto").samples(
    two=_encode([[1, 2], [0, 1]], [_NUMBER, _TEXTS]),
    none=_encode(np.zeros((0, 2)), [_NUMBER[:0], _TEXTS[:0]]),
    refused_count=_encode([[1], [1]], [_NUMBER, _TEXTS]),
    refused_large=_encode([[1, 3], [0, 1]], [_NUMBER, _TEXTS]),
    negative=_encode([[-1, 1], [0, 1]], [_NUMBER, _TEXTS]),
    refused_rows=_encode([[1, 1]], [_NUMBER, _TEXTS]),
    refused_field=_encode([[1, 2], [0, 1]], [_NUMBER, _TEXTS], field_names=["number", "no"]),
    refused_type=_encode([[1, 2], [0, 1]], [_TEXTS, _TEXTS]),
    refused_scalar=_encode([[1, 1]], [np.int32(1), _TEXTS[:1]]),
)

"""Fields of protocol messages as tensors, and messages made of tensors."""

from __future__ import annotations

import functools
import struct
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import UNKNOWN_SHAPE, merge, with_rank_at_least
from ossia_core.files import file_system
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, sizes, text_proto
from ossia_core.names.dtypes import DType
from ossia_core.names.errors import DataLossError, InvalidArgumentError, OpError, dims_text
from ossia_core.plugins.api_table import public

_INT32, _INT64 = (dtypes.int32, dtypes.int64), (dtypes.int64,)
_UINT32, _UINT64 = (dtypes.uint32, dtypes.uint64), (dtypes.uint64,)
_STRING = (dtypes.string,)
# By the number of a field's type in its descriptor: a name, the dtypes that hold its values, and its wire type.
_KINDS: dict[int, tuple[str, tuple[DType, ...], int]] = {
    1: ("double", (dtypes.float64,), 1),
    2: ("float", (dtypes.float32, dtypes.float64), 5),
    3: ("int64", _INT64, 0),
    4: ("uint64", _UINT64, 0),
    5: ("int32", _INT32, 0),
    6: ("fixed64", _UINT64, 1),
    7: ("fixed32", _UINT32, 5),
    8: ("bool", (dtypes.bool,), 0),
    9: ("string", _STRING, 2),
    10: ("group", _STRING, 3),
    11: ("message", _STRING, 2),
    12: ("bytes", _STRING, 2),
    13: ("uint32", _UINT32, 0),
    14: ("enum", (dtypes.int32,), 0),
    15: ("sfixed32", _INT32, 5),
    16: ("sfixed64", _INT64, 1),
    17: ("sint32", _INT32, 0),
    18: ("sint64", _INT64, 0),
}
_FIXED = {"double": "<d", "float": "<f", "fixed64": "<Q", "fixed32": "<I", "sfixed32": "<i", "sfixed64": "<q"}


def _invalid(message: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, message)


@functools.lru_cache(maxsize=32)
def _descriptor(message_type: str, source: bytes) -> Any:
    """The descriptor of a message: of this process, of a serialised FileDescriptorSet, or of a file that holds one.

    Raises:
        InvalidArgumentError: There is none, or the source is damaged.
    """
    from google.protobuf import descriptor_pb2, descriptor_pool
    from google.protobuf.message import DecodeError

    from ossia_core import proto

    if source in (b"", b"local://"):
        pools = [(descriptor_pool.Default(), message_type)]
        pools.append((proto.pool(), f"{proto.PACKAGE}.{message_type.removeprefix('tensorflow.')}"))
    else:
        try:
            data = source[len(b"bytes://") :] if source.startswith(b"bytes://") else _file(source.decode())
            pool = descriptor_pool.DescriptorPool()
            for file in descriptor_pb2.FileDescriptorSet.FromString(data).file:
                pool.Add(file)
        except (DecodeError, OpError, TypeError, UnicodeDecodeError) as error:
            raise _invalid(f"Source does not represent serialized file descriptor set proto. ({error})") from error
        pools = [(pool, message_type)]
    for pool, name in pools:
        try:
            return pool.FindMessageTypeByName(name)
        except KeyError:
            continue
    raise _invalid(f"No descriptor found for message type {message_type}")


def _file(path: str) -> bytes:
    with file_system(path).open(path, "rb") as file:
        return file.read()


def _fields(node: Any) -> tuple[Any, list[Any]]:
    """The descriptor of the message that a node is about, and those of the fields."""
    message_type = node.attrs["message_type"].decode()
    descriptor = _descriptor(message_type, node.attrs["descriptor_source"])
    fields = []
    for name in node.attrs["field_names"]:
        field = descriptor.fields_by_name.get(name.decode())
        if field is None:
            raise _invalid(f"Unknown field: {name.decode()} in message type {message_type}")
        fields.append(field)
    return descriptor, fields


def _repeated(field: Any) -> bool:
    return field.is_repeated if hasattr(field, "is_repeated") else field.label == field.LABEL_REPEATED


decode_proto_op = op(
    "DecodeProtoV2(bytes: string) -> sizes: int32, values: output_types",
    message_type="string",
    field_names="list(string)",
    output_types="list(type) >= 0",
    descriptor_source="string = 'local://'",
    message_format="string = 'binary'",
    sanitize="bool = false",
)


@decode_proto_op.shape
def _(bytes, *, output_types):
    dims = bytes.shape.as_tuple()
    if dims is None:
        return None, [None] * len(output_types)
    return (*dims, len(output_types)), [(*dims, None)] * len(output_types)


@decode_proto_op.kernel_for
def _(node):
    def decode(bytes: Any) -> tuple[np.ndarray, list[np.ndarray]]:
        from google.protobuf import message_factory

        descriptor, fields = _fields(node)
        kinds = node.attrs["output_types"]
        if len(kinds) != len(fields):
            raise _invalid(f"{len(fields)} field_names and {len(kinds)} output_types were given.")
        for field, kind in zip(fields, kinds, strict=True):
            if kind not in _KINDS[field.type][1]:
                raise _invalid(f"Unexpected output type for {field.full_name}: {_KINDS[field.type][0]} to {kind.name}")
        parse = _parser(node.attrs["message_format"], message_factory.GetMessageClass(descriptor))
        records = np.asarray(bytes, object)
        if not records.size:
            raise _invalid("Bufs argument must contain at least one value")
        messages = [parse(record) for record in records.ravel().tolist()]
        counts = np.zeros((len(messages), len(fields)), np.int32)
        columns = []
        for j, (field, kind) in enumerate(zip(fields, kinds, strict=True)):
            rows = [_values(message, field) for message in messages]
            counts[:, j] = [len(row) for row in rows]
            columns.append(_column(rows, field, kind).reshape(*records.shape, -1))
        return counts.reshape(*records.shape, len(fields)), columns

    return decode


def _parser(form: bytes, message_class: Any) -> Callable[[bytes], Any]:
    from google.protobuf import text_format
    from google.protobuf.message import DecodeError

    def parse(record: bytes) -> Any:
        try:
            if form == b"binary":
                return message_class.FromString(record)
            return text_proto.parse(record.decode(), message_class())
        except (DecodeError, text_format.ParseError, UnicodeDecodeError) as error:
            raise DataLossError(None, None, f"Unable to parse {form.decode()} protobuf: {str(error)[:200]}") from error

    if form not in (b"binary", b"text"):
        raise _invalid("format must be one of binary or text")
    return parse


def _values(message: Any, field: Any) -> list[Any]:
    """The values of a field of a message as numbers and bytes."""
    found = getattr(message, field.name)
    if not _repeated(field):
        present = message.HasField(field.name) if field.has_presence else found != field.default_value
        found = [found] if present else []
    if _KINDS[field.type][0] in ("message", "group"):
        return [item.SerializeToString(deterministic=True) for item in found]
    return [item.encode() if isinstance(item, str) else item for item in found]


def _column(rows: list[list[Any]], field: Any, kind: DType) -> np.ndarray:
    width = max(1, max(map(len, rows), default=0))
    default: Any = None if _repeated(field) else field.default_value
    if kind is dtypes.string:
        default = default.encode() if isinstance(default, str) else default or b""
    sizes.allocatable((len(rows), width), 8)
    column = np.full((len(rows), width), default or (b"" if kind is dtypes.string else 0), kind.as_numpy_dtype)
    for i, row in enumerate(rows):
        column[i, : len(row)] = row
    return column


decode_proto_op.not_differentiable()


@public("io.decode_proto", "compat.v2.io.decode_proto")
def decode_proto(
    bytes: Any,
    message_type: str,
    field_names: Any,
    output_types: Any,
    descriptor_source: Any = "local://",
    message_format: str = "binary",
    sanitize: bool = False,
    name: str | None = None,
) -> Any:
    """Fields of serialised messages as tensors.

    Args:
        bytes: A string tensor of messages.
        message_type: Full name of the message.
        field_names: Names of the fields.
        output_types: A dtype for each: that of the field, or a wider one of the same kind; messages are strings.
        descriptor_source: Where the message is described: `"local://"` for those that this process knows, the path of a
            serialised FileDescriptorSet, or `"bytes://"` and one.
        message_format: `"binary"` or `"text"`.
        sanitize: Whether values must be those of the original field order; messages are read in full either way.
        name: Name of the op.

    Returns:
        `sizes`, the number of values of each field in each message, and `values`, a list of tensors with one dimension
        more than `bytes`, filled up with the default of the field. Running it raises DataLossError for what is no such
        message.

    """
    return decode_proto_op(
        bytes,
        message_type=message_type,
        field_names=field_names,
        output_types=output_types,
        descriptor_source=descriptor_source,
        message_format=message_format,
        sanitize=sanitize,
        name=name,
    )


encode_proto_op = op(
    "EncodeProto(sizes: int32, values: Tinput_types) -> bytes: string",
    field_names="list(string)",
    message_type="string",
    descriptor_source="string = 'local://'",
    Tinput_types="list(type) >= 1",
)


@encode_proto_op.shape
def _(sizes, values):
    with_rank_at_least(sizes, 1)
    shape = UNKNOWN_SHAPE
    for value in reversed(values):
        shape = merge(with_rank_at_least(value, 2)[:-1], shape)
    return shape


@encode_proto_op.kernel_for
def _(node):
    def encode(sizes: Any, values: Any) -> np.ndarray:
        _, fields = _fields(node)
        kinds = node.attrs["Tinput_types"]
        if len(fields) != len(kinds):
            raise _invalid(f"Length of field_names ({len(fields)}) and of the inputs ({len(kinds)}) must be equal")
        for field, kind in zip(fields, kinds, strict=True):
            name, allowed, _ = _KINDS[field.type]
            if kind not in allowed or name == "group":
                raise _invalid(
                    f"Incompatible type for field {field.name}.  Saw dtype: {kind.name} but field type is: {name}"
                )
        columns = [np.asarray(value) for value in values]
        batch = columns[0].shape[:-1]
        counts = np.asarray(sizes)
        if counts.shape != (*batch, len(fields)):
            raise _invalid(
                f"sizes should be batch_size + [len(field_names)].  Saw: {dims_text(counts.shape)} but expected: "
                f"{[*batch, len(fields)]}"
            )
        for column in columns:
            if column.shape[:-1] != batch:
                raise _invalid(f"Values must match up to the last dimension, got shapes {[c.shape for c in columns]}")
        counts = counts.reshape(-1, len(fields))
        flat = [column.reshape(len(counts), column.shape[-1]) for column in columns]
        for j, column in enumerate(flat):
            wrong = np.flatnonzero(counts[:, j] > column.shape[1])
            if wrong.size:
                raise _invalid(
                    f"Size to write must not be larger than value tensor; but saw: {counts[wrong[0], j]} > "
                    f"{column.shape[1]} at message {wrong[0]} field {j}"
                )
        order = sorted(range(len(fields)), key=lambda j: fields[j].number)
        messages = np.empty(len(counts), object)
        messages[:] = [
            b"".join(_field(fields[j], flat[j][i, : max(counts[i, j], 0)].tolist()) for j in order)
            for i in range(len(counts))
        ]
        return messages.reshape(batch)

    return encode


def _field(field: Any, values: list[Any]) -> bytes:
    """The values of a field on the wire."""
    name, _, wire = _KINDS[field.type]
    items = [_item(name, value) for value in values]
    if field.is_packed and values:
        return varint(field.number << 3 | 2) + _sized(b"".join(items))
    tag = varint(field.number << 3 | wire)
    return b"".join(_tagged(tag, wire, items))


def _tagged(tag: bytes, wire: int, items: list[bytes]) -> Iterable[bytes]:
    for item in items:
        yield tag
        yield _sized(item) if wire == 2 else item


def _item(name: str, value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    if name in _FIXED:
        return struct.pack(_FIXED[name], value)
    number = int(value)
    if name in ("sint32", "sint64"):
        number = number << 1 ^ number >> 63
    return varint(number & 0xFFFFFFFFFFFFFFFF)


def varint(number: int) -> bytes:
    """A number that is not negative, on the wire."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def _sized(data: bytes) -> bytes:
    return varint(len(data)) + data


encode_proto_op.not_differentiable()


@public("io.encode_proto", "compat.v2.io.encode_proto")
def encode_proto(
    sizes: Any,
    values: Any,
    field_names: Any,
    message_type: str,
    descriptor_source: Any = "local://",
    name: str | None = None,
) -> Tensor:
    """Messages made of tensors, serialised.

    Args:
        sizes: int32 `[..., fields]`, how many values of each field each message has.
        values: A tensor `[..., most values]` for each field.
        field_names: Names of the fields.
        message_type: Full name of the message.
        descriptor_source: As for `tf.io.decode_proto`.
        name: Name of the op.

    Returns:
        A string tensor.
    """
    return encode_proto_op(
        sizes,
        values,
        field_names=field_names,
        message_type=message_type,
        descriptor_source=descriptor_source,
        name=name,
    )

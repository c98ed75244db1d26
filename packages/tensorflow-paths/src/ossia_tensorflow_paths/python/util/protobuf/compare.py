"""`util.protobuf.compare`: whether two messages are equal, and assertions that they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from google.protobuf import descriptor, message, text_format

_DIGITS = {descriptor.FieldDescriptor.CPPTYPE_FLOAT: 6, descriptor.FieldDescriptor.CPPTYPE_DOUBLE: 7}
_MESSAGE = descriptor.FieldDescriptor.CPPTYPE_MESSAGE


def assertProtoEqual(
    self: Any, a: Any, b: Any, check_initialized: bool = True, normalize_numbers: bool = False, msg: Any = None
) -> None:
    """Fails a test whose messages differ, with the lines of their text that do.

    Args:
        self: The test.
        a: A message, or the text of one.
        b: A message.
        check_initialized: Whether they have to have all their required fields.
        normalize_numbers: Whether numbers are rounded first, in copies.
        msg: What a failure says besides.
    """
    pool = _pool_of(b)
    if isinstance(a, str):
        a = text_format.Merge(a, type(b)(), descriptor_pool=pool)
    for proto in (a, b) if check_initialized else ():
        missing = proto.FindInitializationErrors()
        if missing:
            self.fail(f"Initialization errors: {', '.join(missing)}\n{proto}")
    if normalize_numbers:
        a, b = (NormalizeNumberFields(type(proto).FromString(proto.SerializeToString())) for proto in (a, b))
    texts = [text_format.MessageToString(proto, descriptor_pool=pool) for proto in (a, b)]
    self.assertMultiLineEqual(*texts, msg=msg)


def _pool_of(proto: Any) -> Any:
    """The pool that knows the kind of a message."""
    return proto.DESCRIPTOR.file.pool


def NormalizeNumberFields(pb: Any) -> Any:
    """Rounds the numbers of a message, and of those in it, to as many digits as their text tells; returns it."""
    for field, value in pb.ListFields():
        kind, of_map = field, isinstance(value, message.Message) is False and hasattr(value, "items")
        if of_map:
            kind = field.message_type.fields_by_name["value"]
        repeated = not of_map and isinstance(value, Iterable) and not isinstance(value, (str, bytes))
        if kind.cpp_type == _MESSAGE:
            for inner in value.values() if of_map else value if repeated else [value]:
                NormalizeNumberFields(inner)
        elif kind.cpp_type in _DIGITS:
            digits = _DIGITS[kind.cpp_type]
            if of_map:
                for key in list(value):
                    value[key] = round(value[key], digits)
            elif repeated:
                value[:] = [round(number, digits) for number in value]
            else:
                setattr(pb, field.name, round(value, digits))
    return pb


def ProtoEq(a: Any, b: Any) -> bool:
    """Whether two messages, or values of their fields, are equal, fields that are not set aside."""
    if not (isinstance(a, message.Message) and isinstance(b, message.Message)):
        return a == b
    return a.DESCRIPTOR.full_name == b.DESCRIPTOR.full_name and a.SerializeToString(
        deterministic=True
    ) == b.SerializeToString(deterministic=True)


class ProtoAssertions:
    """What a test case needs to compare messages."""

    assertProtoEqual: Callable[..., None] = assertProtoEqual

"""Node attributes as AttrValue protos and as Python values.

Python values are: `type` a DType, `shape` a TensorShape, `string` bytes, `tensor` an ndarray (the TensorProto itself
where there is no array form, or it is made only when a kernel needs it), `func` a NameAttrList proto, `int`, `float`
and `bool` themselves, and lists of all of these.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.names import dtypes, tensor_proto
from ossia_core.names.dtypes import DType
from ossia_core.names.shapes import TensorShape

# Each kind's field in AttrValue and AttrValue.ListValue.
_FIELDS = {
    "string": "s",
    "int": "i",
    "float": "f",
    "bool": "b",
    "type": "type",
    "shape": "shape",
    "tensor": "tensor",
    "func": "func",
}
_KINDS = {field: kind for kind, field in _FIELDS.items()}


def to_attr_value(value: Any, kind: str | None = None) -> Any:
    """The AttrValue proto of a Python value.

    Args:
        value: The attribute's value; an AttrValue is returned as it is.
        kind: The attribute's type as an OpDef writes it, e.g. `"list(int)"`; by default it follows from the value.

    Raises:
        TypeError: No kind fits the value, or the value does not fit `kind`.
    """
    from ossia_core.proto import AttrValue

    if _is_proto(value, "AttrValue"):
        return value if isinstance(value, AttrValue) else AttrValue.FromString(value.SerializeToString())
    kind = kind or _kind_of(value)
    made = AttrValue()
    try:
        if kind.startswith("list("):
            made.list.SetInParent()
            field = getattr(made.list, _FIELDS[kind[5:-1]])
            for item in value:
                _append(field, item, kind[5:-1])
        elif kind in ("shape", "tensor", "func"):
            getattr(made, _FIELDS[kind]).CopyFrom(_message(value, kind))
        else:
            setattr(made, _FIELDS[kind], _plain(value, kind))
    except (TypeError, ValueError, AttributeError) as error:
        raise TypeError(f"{str(value)[:200]!r} is no value of an attribute of type {kind}: {error}") from None
    return made


def _append(field: Any, item: Any, kind: str) -> None:
    if kind in ("shape", "tensor", "func"):
        field.add().CopyFrom(_message(item, kind))
    else:
        field.append(_plain(item, kind))


def _plain(value: Any, kind: str) -> Any:
    if kind == "string":
        return value.encode() if isinstance(value, str) else bytes(memoryview(value))
    if kind == "type":
        return dtypes.as_dtype(value).as_datatype_enum
    return {"int": int, "float": float, "bool": bool}[kind](value)


def _message(value: Any, kind: str) -> Any:
    from ossia_core.proto import NameAttrList, TensorProto, TensorShapeProto

    if kind == "shape":
        return _ours(value, TensorShapeProto) if _is_proto(value, "TensorShapeProto") else TensorShape(value).as_proto()
    if kind == "tensor":
        return _ours(value, TensorProto) if _is_proto(value, "TensorProto") else tensor_proto.encode(np.asarray(value))
    return NameAttrList(name=value) if isinstance(value, str) else _ours(value, NameAttrList)


def _ours(message: Any, cls: Any) -> Any:
    return message if isinstance(message, cls) else cls.FromString(message.SerializeToString())


def _is_proto(value: Any, name: str) -> bool:
    descriptor = getattr(type(value), "DESCRIPTOR", None)
    return descriptor is not None and descriptor.name == name


def _kind_of(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return f"list({_kind_of(value[0]) if value else 'string'})"
    for types, kind in _KIND_OF:
        if isinstance(value, types):
            return kind
    for name, kind in (("TensorProto", "tensor"), ("TensorShapeProto", "shape"), ("NameAttrList", "func")):
        if _is_proto(value, name):
            return kind
    raise TypeError(f"{value!r} is no value of an attribute.")


_KIND_OF: tuple[tuple[Any, str], ...] = (
    ((bool, np.bool_), "bool"),
    ((int, np.integer), "int"),
    ((float, np.floating), "float"),
    ((str, bytes), "string"),
    (DType, "type"),
    (TensorShape, "shape"),
    (np.ndarray, "tensor"),
)


def from_attr_value(proto: Any, kind: str | None = None) -> Any:
    """The Python value of an AttrValue proto.

    Args:
        proto: An AttrValue, of this package or of TensorFlow.
        kind: The type that the attribute should have; None takes any.

    Raises:
        ValueError: The proto holds nothing, or a value of another type than `kind`, or one that means nothing.
        InvalidArgumentError: A tensor in it cannot be decoded.
    """
    field = proto.WhichOneof("value")
    if field == "list":
        return _from_list(proto.list, kind)
    found = _KINDS.get(field)
    if found is None:
        raise ValueError(
            "AttrValue missing value" if field is None else f"AttrValue had a {field} where a value is needed"
        )
    if kind is not None and kind != found:
        raise ValueError(f"AttrValue had value with type '{found}' when '{kind}' expected")
    return _value(getattr(proto, field), found)


def _from_list(items: Any, kind: str | None) -> list:
    filled = [descriptor.name for descriptor, _ in items.ListFields()]
    if len(filled) > 1:
        raise ValueError(f"AttrValue had a list of several types: {', '.join(_KINDS[field] for field in filled)}")
    found = f"list({_KINDS[filled[0]]})" if filled else kind
    if kind is not None and kind != found or kind is not None and not kind.startswith("list("):
        raise ValueError(f"AttrValue had value with type '{found if filled else 'list(any)'}' when '{kind}' expected")
    if not filled:
        return []
    inner = _KINDS[filled[0]]
    return [_value(item, inner) for item in getattr(items, filled[0])]


def _value(item: Any, kind: str) -> Any:
    if kind == "type":
        try:
            return dtypes.as_dtype(item)
        except TypeError:
            raise ValueError("AttrValue has invalid DataType") from None
    if kind == "shape":
        return shape_from_proto(item)
    if kind == "tensor":
        return tensor_value(item)
    if kind == "func":
        from ossia_core.proto import NameAttrList

        return _ours(item, NameAttrList)
    return item


def tensor_value(proto: Any) -> Any:
    """What nodes keep of a TensorProto: its array; the proto, where there are none of its type, or where the array
    would be much larger (see `tensor_proto.is_abridged`)."""
    if proto.dtype in _NO_ARRAY:
        return proto
    if tensor_proto.is_abridged(proto):
        return type(proto).FromString(proto.SerializeToString())  # the caller may change its own
    return tensor_proto.decode(proto)


_NO_ARRAY = (dtypes.resource.as_datatype_enum, dtypes.variant.as_datatype_enum)


def shape_from_proto(proto: Any) -> TensorShape:
    """The TensorShape of a TensorShapeProto; ValueError where a size is below -1."""
    if proto.unknown_rank:
        if proto.dim:
            raise ValueError("An unknown shape must not have any dimensions set.")
        return TensorShape(None)
    sizes = [dim.size for dim in proto.dim]
    if any(size < -1 for size in sizes):
        raise ValueError(f"Shape {str(sizes)[:200]} has dimensions with values below -1 (where -1 means unknown)")
    return TensorShape([None if size < 0 else size for size in sizes])

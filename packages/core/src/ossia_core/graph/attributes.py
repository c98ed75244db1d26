"""Attributes of a node: given values checked, missing ones from their defaults."""
from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import MISSING, Attr, OpDef
from ossia_core.graph.stack import get_default_graph
from ossia_core.names import dtypes, errors, shapes
from ossia_core.names.literals import single
from ossia_core.names.shapes import TensorShape


def explicit_attrs(definition: OpDef, attrs: dict[str, Any], keywords: dict[str, Any]) -> None:
    """Put into `attrs` the attributes that a call gives by keyword, and the defaults of the others."""
    for attr in definition.explicit_attrs:
        value = keywords.get(attr.name, MISSING)
        if value is not None and value is not MISSING:
            attrs[attr.name] = checked_attr(definition, attr, value)
        elif attr.default is not MISSING:
            attrs[attr.name] = default_of(attr)
        else:
            raise TypeError(f"No argument for attr {attr.name}" if value is MISSING else
                            f"Expected {attr.kind} for argument '{attr.name}' not None.")
    if len(attrs) < len(definition.attrs):
        _default_inferred(definition, attrs)


def default_of(attr: Attr) -> Any:
    """The default of an attribute as nodes hold it: a list of its own, a float of 32 bits."""
    if attr.kind == "float":
        return float(np.float32(attr.default))
    return list(attr.default) if isinstance(attr.default, list) else attr.default


def _default_inferred(definition: OpDef, attrs: dict[str, Any]) -> None:
    for attr in definition.attrs.values():
        if attr.name not in attrs:
            if attr.default is MISSING:
                raise TypeError(f"Can't infer attribute {attr.name} of {definition.type}")
            attrs[attr.name] = attr.default


_AS_THEY_ARE = {"type": dtypes.DType, "bool": bool, "int": int, "string": str, "shape": TensorShape}


def converted(definition: OpDef, keywords: dict[str, Any]) -> dict[str, Any]:
    """The attributes that a call gives, each of its kind: as in the original, what is not is refused before the node
    takes a name and its inputs become constants.

    Raises:
      TypeError: a value is of another kind, or missing.
      ValueError: it is out of range.
    """
    found = keywords
    for name, value in keywords.items():
        attr = definition.attrs[name]
        kind = attr.kind
        if type(value) is _AS_THEY_ARE.get(kind) or kind == "func" or kind == "tensor":
            continue
        if value is None:
            if attr.default is not MISSING:
                continue
            if kind != "shape":
                raise TypeError(f"Expected {'DataType' if kind == 'type' else kind} for argument '{name}' not None.")
        if found is keywords:
            found = dict(keywords)
        found[name] = _of_kind(definition, attr, value)
    return found


def checked_attr(definition: OpDef, attr: Attr, value: Any) -> Any:
    """`value` as the Python value that nodes hold for an attribute of this kind.

    Raises:
      TypeError: the value is of another kind.
      ValueError: it is out of range or not among the values allowed.
    """
    value = _of_kind(definition, attr, value)
    kind = attr.kind
    if kind.startswith("list("):
        if attr.minimum is not None and len(value) < attr.minimum:
            raise ValueError(
                f"Attr '{attr.name}' of '{definition.type}' Op passed list of length {len(value)} less than minimum "
                f"{attr.minimum}."
            )
        if attr.allowed is not None:
            for item in value:
                _check_allowed(definition, attr, attr.allowed, item)
        return value
    if attr.allowed is not None:
        _check_allowed(definition, attr, attr.allowed, value)
    if attr.minimum is not None and kind == "int" and value < attr.minimum:
        raise ValueError(
            f"Attr '{attr.name}' of '{definition.type}' Op passed {value} less than minimum {attr.minimum}."
        )
    return value


def beyond_int32(attrs: dict[str, Any], names: Iterable[str]) -> str | None:
    """Which of the named attributes is, or holds, a number that the original has no room for; None if none is."""
    for name in names:
        value = attrs[name]
        for item in value if type(value) is list else (value,):
            if not -(2**31) <= item < 2**31:
                return f"Attr {name} has value {item} out of range for an int32"
    return None


def _of_kind(definition: OpDef, attr: Attr, value: Any) -> Any:
    kind = attr.kind
    if not kind.startswith("list("):
        return _item(attr, kind, value)
    if not isinstance(value, (list, tuple)):
        if isinstance(value, (TensorShape, np.ndarray)) and kind == "list(int)":
            value = value.as_list() if isinstance(value, TensorShape) else value.tolist()
        else:
            name = function_name(definition.type)
            raise TypeError(f"Expected list for '{attr.name}' argument to '{name}' Op, not {value!r}.")
    return [_item(attr, kind[5:-1], item) for item in value]


def _check_allowed(definition: OpDef, attr: Attr, allowed: tuple, value: Any) -> None:
    if value in allowed:
        return
    if isinstance(value, dtypes.DType):
        raise TypeError(
            f"Value passed to parameter '{attr.name}' has DataType {value.name} not in list of allowed values: "
            f"{', '.join(d.name for d in allowed)}"
        )
    options = ", ".join(f'"{a.decode()}"' for a in allowed)
    raise ValueError(
        f"Attr '{attr.name}' of '{definition.type}' Op passed string '{value.decode(errors='replace')}' not "
        f"in: {options}."
    )


def _function(attr: Attr, value: Any) -> Any:
    """A reference to a function, which the graph has then: from its name, or from what `tf.function` makes."""
    from ossia_core.proto import NameAttrList
    if type(value).__name__ == "NameAttrList":
        return value
    if hasattr(value, "add_to_graph"):
        value.add_to_graph(get_default_graph())
        value = value.name
    if not isinstance(value, (str, bytes)):
        raise TypeError(f"Don't know how to convert {value!r} to a func for argument {attr.name}")
    return NameAttrList(name=value if isinstance(value, str) else value.decode())


def _item(attr: Attr, kind: str, value: Any) -> Any:
    if kind == "type":
        try:
            return dtypes.as_dtype(value).base_dtype
        except TypeError:
            raise TypeError(f"Expected DataType for argument '{attr.name}' not {value!r}.") from None
    if kind == "string":
        if isinstance(value, str):
            return value.encode()
        if not isinstance(value, bytes):
            raise TypeError(f"Expected string for argument '{attr.name}' not {value!r}.")
        return value
    if kind == "bool":
        if not isinstance(value, (bool, np.bool_)):
            raise TypeError(f"Expected bool for argument '{attr.name}' not {value!r}.")
        return bool(value)
    if kind == "int":
        return _integer(attr.name, value)
    if kind == "func":
        return _function(attr, value)
    if kind == "float":
        try:
            return float(np.float32(value))
        except (TypeError, ValueError, NotImplementedError):  # the last one of a tensor
            raise TypeError(f"Expected float for argument '{attr.name}' not {value!r}.") from None
    if kind == "shape":
        try:
            return shapes.as_shape(value)
        except TypeError as e:
            raise TypeError(f"Error converting {attr.name} to a TensorShape: {e}.") from None
        except ValueError as e:
            raise ValueError(f"Error converting {attr.name} to a TensorShape: {e}.") from None
    if kind == "tensor":
        if hasattr(value, "tensor_shape"):
            from ossia_core.names.attr_proto import tensor_value
            try:
                return tensor_value(value)
            except errors.InvalidArgumentError as e:
                raise ValueError(e.message) from None
        if not hasattr(value, "shape"):
            raise TypeError(f"Don't know how to convert {value!r} to a TensorProto for argument '{attr.name}'")
    return value


def _integer(name: str, value: Any) -> int:
    if type(value) is int:
        return value
    if isinstance(value, (str, bytes)):
        raise TypeError(f"Expected int for argument '{name}' not {value!r}.")
    try:
        return int(single(value))
    except (TypeError, ValueError):
        raise TypeError(f"Expected int for argument '{name}' not {value!r}.") from None


def function_name(type_name: str) -> str:
    """The name of the function that builds an op: `max_pool3d_grad` of `MaxPool3DGrad`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z0-9])(?=[A-Z][a-z])", "_", type_name).lower()

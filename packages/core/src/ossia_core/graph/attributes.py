"""Attributes of a node: given values checked, missing ones from their defaults."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core import dtypes, shapes
from ossia_core.opdef import MISSING, Attr, OpDef
from ossia_core.shapes import TensorShape


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


def checked_attr(definition: OpDef, attr: Attr, value: Any) -> Any:
    """`value` as the Python value that nodes hold for an attribute of this kind.

    Raises:
      TypeError: the value is of another kind.
      ValueError: it is out of range or not among the values allowed.
    """
    kind = attr.kind
    if kind.startswith("list("):
        if not isinstance(value, (list, tuple)):
            if isinstance(value, (TensorShape, np.ndarray)) and kind == "list(int)":
                value = value.as_list() if isinstance(value, TensorShape) else value.tolist()
            else:
                raise TypeError(f"Expected list for attr {attr.name}" if kind != "list(int)" else
                                f"Expected list for '{attr.name}' argument to '{definition.type}' Op, not {value!r}.")
        if attr.minimum is not None and len(value) < attr.minimum:
            raise ValueError(
                f"Attr '{attr.name}' of '{definition.type}' Op passed list of length {len(value)} less than minimum "
                f"{attr.minimum}."
            )
        return [_checked(definition, attr, kind[5:-1], item) for item in value]
    value = _checked(definition, attr, kind, value)
    if attr.minimum is not None and kind == "int" and value < attr.minimum:
        raise ValueError(
            f"Attr '{attr.name}' of '{definition.type}' Op passed {value} less than minimum {attr.minimum}."
        )
    return value


def _function(attr: Attr, value: Any) -> Any:
    """A reference to a function, which the graph has then: from its name, or from what `tf.function` makes."""
    from ossia_core.functions.library import reference
    from ossia_core.graph.stack import get_default_graph
    if type(value).__name__ == "NameAttrList":
        return value
    if hasattr(value, "add_to_graph"):
        value.add_to_graph(get_default_graph())
        value = value.name
    if not isinstance(value, (str, bytes)):
        raise TypeError(f"Don't know how to convert {value!r} to a func for argument {attr.name}")
    return reference(value if isinstance(value, str) else value.decode())


def _checked(definition: OpDef, attr: Attr, kind: str, value: Any) -> Any:
    if kind == "type":
        try:
            dtype = dtypes.as_dtype(value).base_dtype
        except TypeError:
            raise TypeError(f"Expected DataType for argument '{attr.name}' not {value!r}.") from None
        if attr.allowed is not None and dtype not in attr.allowed:
            raise TypeError(
                f"Value passed to parameter '{attr.name}' has DataType {dtype.name} not in list of allowed values: "
                f"{', '.join(d.name for d in attr.allowed)}"
            )
        return dtype
    if kind == "string":
        if isinstance(value, str):
            value = value.encode()
        elif not isinstance(value, bytes):
            raise TypeError(f"Expected string for argument '{attr.name}' not {value!r}.")
        if attr.allowed is not None and value not in attr.allowed:
            options = ", ".join(f'"{a.decode()}"' for a in attr.allowed)
            raise ValueError(
                f"Attr '{attr.name}' of '{definition.type}' Op passed string '{value.decode(errors='replace')}' not "
                f"in: {options}."
            )
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
        except (TypeError, ValueError):
            raise TypeError(f"Expected float for argument '{attr.name}' not {value!r}.") from None
    if kind == "shape":
        try:
            return shapes.as_shape(value)
        except TypeError as e:
            raise TypeError(f"Error converting {value} to a TensorShape: {e}.") from None
        except ValueError as e:
            raise ValueError(f"Error converting {value} to a TensorShape: {e}.") from None
    if kind == "tensor" and hasattr(value, "tensor_shape"):
        from ossia_core.tensor_proto import make_ndarray
        return make_ndarray(value)
    return value


def _integer(name: str, value: Any) -> int:
    if type(value) is int:
        return value
    if isinstance(value, (str, bytes)):
        raise TypeError(f"Expected int for argument '{name}' not {value!r}.")
    try:
        return int(value)
    except (TypeError, ValueError):
        raise TypeError(f"Expected int for argument '{name}' not {value!r}.") from None

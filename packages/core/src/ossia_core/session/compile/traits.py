"""What a declaration says of how its nodes become steps: at once or late, as values of values, as one with others."""
from __future__ import annotations

import functools
import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core.backend import plan_part
from ossia_core.declare.opdef import OpDef
from ossia_core.graph.attributes import beyond_int32
from ossia_core.graph.operation import Operation
from ossia_core.names import errors
from ossia_core.names.dtypes import DType

_HARMLESS = frozenset(("type", "bool", "float"))
_HASHED = frozenset((bool, int, bytes))  # floats are compared as text: 0.0 is not -0.0


def keeps_nothing(definition: OpDef) -> bool:
    """Whether the kernels of an op keep nothing between runs, so that its steps may be made when they are first asked
    for."""
    if definition.kernel_factory is None:
        return definition.kernel_fn is not None
    return definition.foldable or bool(definition.updated)


def is_refused(definition: OpDef) -> bool:
    """Whether a node of an op may be refused for its attributes when its kernel is made."""
    if any(checked_attrs(definition)):
        return True
    if definition.kernel_factory is None:
        return False
    return not all(attr.kind in _HARMLESS for attr in definition.attrs.values())


def is_plain(definition: OpDef) -> bool:
    """Whether nodes of an op only compute values from values."""
    return (
        definition.foldable
        and not definition.blocking
        and definition.resource_fn is None
        and keeps_nothing(definition)
        and definition.role is None
        and not definition.forwards_input
        and not definition.shape_only
    )


def takes_value(op: Operation) -> bool:
    """Whether a node of control flow is given a variable, and takes the value that it has."""
    return op._inputs[0].dtype._is_ref_dtype and not op.definition.has_ref_input


@functools.cache
def type_attrs(definition: OpDef) -> tuple[str, ...] | None:
    """The attributes that the dtypes of a node's inputs and outputs follow from; None if there are lists of dtypes."""
    kinds = {attr.kind for attr in definition.attrs.values()}
    if "list(type)" in kinds:
        return None
    return tuple(attr.name for attr in definition.attrs.values() if attr.kind == "type")


@functools.cache
def _telling_attrs(definition: OpDef) -> tuple[tuple[str, ...], int]:
    """The attributes that tell nodes of the same inputs apart, and the number of all attributes."""
    attrs = definition.attrs
    inferred = definition.inferred_attrs
    return tuple([a.name for a in attrs.values() if a.kind != "type" or a.name not in inferred]), len(attrs)


@plan_part
def merge_key(op: Operation, ins: Sequence[Any]) -> Any:
    """What makes two nodes compute the same; None if that cannot be said. `ins` are the slots of their inputs, or what
    else tells their inputs apart."""
    definition = op.definition
    names, count = _telling_attrs(definition)
    attrs = op.attrs
    if len(attrs) != count:  # some that are not declared
        return _key_of_all(op, ins)
    if not names:
        return definition, *ins
    key: list[Any] = [definition, *ins]
    for name in names:
        value = attrs[name]
        kind = type(value)
        if kind in _HASHED:
            key.append(value)
        elif kind is DType:
            key.append(value._type_enum)
        elif kind is np.ndarray:
            return None
        else:
            key.append(repr(value))
    return tuple(key)


def _key_of_all(op: Operation, ins: Sequence[Any]) -> Any:
    key: list[Any] = [op.definition, *ins]
    for name, value in op.attrs.items():
        kind = type(value)
        if kind is DType:
            key += (name, value._type_enum)
        elif kind is list:
            key += (name, *map(repr, value))
        elif kind is np.ndarray:
            return None
        elif name[0] != "_":
            key += (name, value if kind in _HASHED else repr(value))
    return tuple(key)


_CONTAINER = re.compile(rb"([A-Za-z0-9.][A-Za-z0-9./-]*)?\Z")


@functools.cache
def checked_attrs(definition: OpDef) -> tuple[tuple[str, ...], bool]:
    """The attributes of 32 bits that no shape rule has seen, and whether the op keeps something in a container."""
    narrow = tuple([name for name in definition.int32_attrs if name not in definition.shape_attrs])
    return narrow, {"container", "shared_name"} <= definition.attrs.keys() and not definition.any_container


def refusal(op: Operation) -> str | None:
    """Why no kernel can be made for a node with these attributes; None if it can."""
    narrow, is_kept = checked_attrs(op.definition)
    if is_kept:
        container, shared = op.attrs["container"], op.attrs["shared_name"]
        if not _CONTAINER.match(container):
            return f"container contains invalid characters: {container.decode(errors='backslashreplace')}"
        if shared[:1] == b"_":
            return f"shared_name cannot start with '_':{shared.decode(errors='backslashreplace')}"
        for name, attr in op.definition.attrs.items():
            for shape in op.attrs[name] if attr.kind == "list(shape)" else ():
                dims = shape.as_tuple()
                if dims is not None and None not in dims and math.prod(size or 1 for size in dims) >= 2**63:
                    return f"Shape {errors.dims_text(dims)} is too large (more than 2**63 - 1 entries)"
    return beyond_int32(op.attrs, narrow) if narrow else None


def check(op: Operation) -> None:
    """Check the attributes of a node that is to run.

    Raises:
        InvalidArgumentError: No kernel can be made with these.
    """
    text = refusal(op)
    if text is not None:
        raise errors.InvalidArgumentError(None, op, text)

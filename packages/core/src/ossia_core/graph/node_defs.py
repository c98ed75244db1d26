"""The nodes of a GraphDef, read and checked: declarations, inputs, attributes."""
from __future__ import annotations

import logging
from typing import Any

import numpy as np

from ossia_core.declare import opdef
from ossia_core.declare.language import CONST
from ossia_core.declare.opdef import OpDef, not_registered
from ossia_core.graph import later_attributes
from ossia_core.graph.graph import Graph
from ossia_core.graph.graph_scopes import VALID_NAME
from ossia_core.names import dtypes
from ossia_core.names.attr_proto import from_attr_value

_LOG = logging.getLogger("tensorflow")


def reference(text: str) -> tuple[str, int]:
    """Name and output index of an input; index -1 is a control input."""
    if text.startswith("^"):
        return text[1:], -1
    name, _, index = text.rpartition(":")
    if name and index.isdigit():
        return name, int(index)
    return text, 0


def op_definition(graph: Graph, op_type: str) -> OpDef | None:
    """The declaration of an op type: of a function in the graph's library, or an installed one."""
    function = graph._functions.get(op_type)
    return function.op if function is not None else opdef.find(op_type)


class MistypedValue(np.ndarray):
    """The value of a constant whose node says that it has another dtype."""


class Declared:
    """The declaration of an op type, and the types that its attributes are known to accept, by name and number."""

    __slots__ = ("accepted", "definition")

    def __init__(self, definition: OpDef) -> None:
        self.definition = definition
        self.accepted: dict[tuple[str, int], dtypes.DType] = {}


class CheckedNode:
    """A node of the GraphDef with its declaration and Python attributes."""

    __slots__ = ("attrs", "definition", "device", "name", "references")

    def __init__(
        self, proto: Any, producer: dict[str, Any], graph: Graph, prefix: str, known: dict[str, Declared]
    ) -> None:
        self.name = proto.name
        self.device = proto.device
        if not VALID_NAME.match(self.name):
            raise ValueError(f"Node '{self.name[:200]}': Node name contains invalid characters")
        if not proto.op:
            raise ValueError(f"Node '{self.name}' does not specify an operation")
        declared = known.get(proto.op)
        if declared is None:
            found = op_definition(graph, proto.op)
            if found is None:
                raise not_registered(proto.op, f"node '{self.name[:200]}'")
            declared = known[proto.op] = Declared(found)
        self.definition = definition = declared.definition
        inputs = proto.input
        self.references = [reference(text) for text in inputs] if inputs else ()
        in_controls = False
        for i, (_, index) in enumerate(self.references):
            if in_controls and index >= 0:
                raise ValueError(
                    f"Node '{self.name}': Control dependencies must come after regular dependencies, such as "
                    f"'{inputs[i]}'"
                )
            in_controls = in_controls or index < 0
        full_name = f"{prefix}/{self.name}" if prefix else self.name
        self.attrs = _attrs(declared, proto, producer, full_name)
        if "_class" in self.attrs:
            _check_groups(self.attrs["_class"])
        if definition.role is CONST:
            self._check_constant(proto, full_name)

    def _check_constant(self, proto: Any, full_name: str) -> None:
        """Mark a value that is not of the dtype that is said: the node may stand in a graph, but not run."""
        if "dtype" not in self.attrs:
            raise ValueError(
                f"NodeDef missing attr 'dtype' from {self.definition!r}; NodeDef: {{{{node {full_name}}}}}"
            )
        stated = proto.attr["value"].tensor.dtype
        if stated != proto.attr["dtype"].type and isinstance(self.attrs.get("value"), np.ndarray):
            self.attrs["value"] = self.attrs["value"].view(MistypedValue)


def _check_groups(groups: Any) -> None:
    """TypeError, as in the original, unless the value of `_class` is a list of names."""
    if not isinstance(groups, list):
        raise TypeError(f"Expected a list of binary or unicode strings, got {groups!r}")
    for group in groups:
        if not isinstance(group, bytes):
            raise TypeError(f"Expected binary or unicode string, got {group!r}")


def _attrs(declared: Declared, proto: Any, producer: dict[str, Any], full_name: str) -> dict[str, Any]:
    definition, accepted = declared.definition, declared.accepted
    attrs: dict[str, Any] = {}
    given = proto.attr
    for key in given:
        value = given[key]
        dtype = accepted.get((key, value.type))
        if dtype is not None:
            attrs[key] = dtype
            continue
        attr = definition.attrs.get(key)
        if attr is None and not key.startswith("_"):
            default = producer.get(proto.op, {}).get(key)
            if default is not None and default == value:
                continue
            if later_attributes.says_nothing(key, _python_value(value)):
                _LOG.info("Attribute %r of node %r is of a later version and says nothing: dropped.", key, proto.name)
                continue
            raise ValueError(
                f"NodeDef mentions attr '{key}' not in {definition!r}; NodeDef: {{{{node {full_name}}}}}. (Check "
                "whether your GraphDef-interpreting binary is up to date with your GraphDef-generating binary.)."
            )
        try:
            attrs[key] = from_attr_value(value, attr.kind if attr is not None else None)
        except (TypeError, ValueError) as e:
            raise ValueError(
                f"AttrValue of attr '{key}' of node '{proto.name}' is not a {attr.kind if attr else 'value'}: {e}"
            ) from None
        if attr is not None:
            _check_value(definition, attr, attrs[key], full_name)
            if attr.kind == "type":
                accepted[key, value.type] = attrs[key]
    return attrs


def _python_value(value: Any) -> Any:
    try:
        return from_attr_value(value, None)
    except (TypeError, ValueError):
        return None


def _check_value(definition: OpDef, attr: Any, value: Any, node: str) -> None:
    items = value if isinstance(value, list) else [value]
    if attr.allowed is not None:
        for item in items:
            if item not in attr.allowed:
                shown = item.name if isinstance(item, dtypes.DType) else item
                raise ValueError(
                    f"Value for attr '{attr.name}' of {shown} is not in the list of allowed values; NodeDef: {{{{node "
                    f"{node}}}}}; {definition!r}"
                )
    if attr.minimum is not None:
        size = len(value) if isinstance(value, list) else value
        if size < attr.minimum:
            raise ValueError(
                f"Value for attr '{attr.name}' of {size} must be at least minimum {attr.minimum}; NodeDef: {{{{node "
                f"{node}}}}}"
            )

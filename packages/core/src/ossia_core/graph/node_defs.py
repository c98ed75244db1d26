"""The nodes of a GraphDef, read and checked: declarations, inputs, attributes."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.language import CONST
from ossia_core.declare.opdef import OpDef, not_registered
from ossia_core.functions.library import op_definition
from ossia_core.graph.graph import Graph
from ossia_core.graph.graph_scopes import VALID_NAME
from ossia_core.names import dtypes
from ossia_core.names.attr_proto import from_attr_value


def reference(text: str) -> tuple[str, int]:
    """Name and output index of an input; index -1 is a control input."""
    if text.startswith("^"):
        return text[1:], -1
    name, _, index = text.rpartition(":")
    if name and index.isdigit():
        return name, int(index)
    return text, 0


class MistypedValue(np.ndarray):
    """The value of a constant whose node says that it has another dtype."""


class CheckedNode:
    """A node of the GraphDef with its declaration and Python attributes."""

    __slots__ = ("attrs", "definition", "name", "proto", "references")

    def __init__(self, proto: Any, producer: dict[str, Any], graph: Graph, prefix: str) -> None:
        self.proto = proto
        self.name = proto.name
        if not VALID_NAME.match(self.name):
            raise ValueError(f"Node '{self.name[:200]}': Node name contains invalid characters")
        if not proto.op:
            raise ValueError(f"Node '{self.name}' does not specify an operation")
        definition = op_definition(graph, proto.op)
        if definition is None:
            raise not_registered(proto.op, f"node '{self.name[:200]}'")
        self.definition = definition
        self.references = [reference(text) for text in proto.input]
        in_controls = False
        for (_, index), text in zip(self.references, proto.input, strict=True):
            if in_controls and index >= 0:
                raise ValueError(
                    f"Node '{self.name}': Control dependencies must come after regular dependencies, such as '{text}'"
                )
            in_controls = in_controls or index < 0
        full_name = f"{prefix}/{self.name}" if prefix else self.name
        self.attrs = _attrs(definition, proto, producer, full_name)
        if definition.role is CONST:
            self._check_constant(full_name)

    def _check_constant(self, full_name: str) -> None:
        """Mark a value that is not of the dtype that is said: the node may stand in a graph, but not run."""
        if "dtype" not in self.attrs:
            raise ValueError(
                f"NodeDef missing attr 'dtype' from {self.definition!r}; NodeDef: {{{{node {full_name}}}}}"
            )
        stated = self.proto.attr["value"].tensor.dtype
        if stated != self.proto.attr["dtype"].type and isinstance(self.attrs.get("value"), np.ndarray):
            self.attrs["value"] = self.attrs["value"].view(MistypedValue)


def _attrs(definition: OpDef, proto: Any, producer: dict[str, Any], full_name: str) -> dict[str, Any]:
    attrs: dict[str, Any] = {}
    for key, value in proto.attr.items():
        attr = definition.attrs.get(key)
        if attr is None and not key.startswith("_"):
            default = producer.get(proto.op, {}).get(key)
            if default is not None and default == value:
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
    return attrs


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

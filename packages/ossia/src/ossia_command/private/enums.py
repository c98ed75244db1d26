"""The values of enumerations, which generated proto modules also hold as names of their own: `types_pb2.DT_FLOAT`."""

from __future__ import annotations

from ossia_core import proto


def __getattr__(name: str) -> int:
    for enum in (proto.DataType, proto.VariableSynchronization, proto.VariableAggregation):
        if name in enum.keys():
            return int(enum.Value(name))
    raise AttributeError(f"no enumeration has a value {name!r}", name=name)

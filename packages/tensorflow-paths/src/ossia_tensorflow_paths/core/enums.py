"""The values of enumerations, which generated proto modules also hold as names of their own: `types_pb2.DT_FLOAT`."""

from __future__ import annotations

from ossia_core import proto

_CODES = (
    "OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS PERMISSION_DENIED "
    "RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS "
    "UNAUTHENTICATED"
).split()


class Code:
    """The codes of errors, by name; 0 stands for none."""

    @staticmethod
    def items() -> list[tuple[str, int]]:
        """The names with their numbers."""
        return [(name, number) for number, name in enumerate(_CODES)]

    @classmethod
    def keys(cls) -> list[str]:
        """The names."""
        return [name for name, _ in cls.items()]

    @classmethod
    def values(cls) -> list[int]:
        """The numbers."""
        return [number for _, number in cls.items()]

    @classmethod
    def Value(cls, name: str) -> int:
        """The number of a name."""
        return dict(cls.items())[name]

    @classmethod
    def Name(cls, number: int) -> str:
        """The name of a number."""
        return next(name for name, own in cls.items() if own == number)


def __getattr__(name: str) -> int:
    if name in ("OK", "DO_NOT_USE_RESERVED_FOR_FUTURE_EXPANSION_USE_DEFAULT_IN_SWITCH_INSTEAD_"):
        return 0 if name == "OK" else 20
    for enum in (proto.DataType, proto.VariableSynchronization, proto.VariableAggregation):
        if name in enum.keys():
            return int(enum.Value(name))
    raise AttributeError(f"no enumeration has a value {name!r}", name=name)

"""`registry` and `op_def_registry`: named objects, and the definitions of all op types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ossia_core import opdef


class Registry:
    """Objects by name.

    Args:
        name: What the registry is for.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._registry: dict[str, Any] = {}

    def register(self, candidate: Any, name: str | None = None) -> None:
        """Adds an object, under its own name by default.

        Raises:
            KeyError: The name is taken.
        """
        key = name or candidate.__name__
        if key in self._registry:
            raise KeyError(f"Registering two {self._name} with name '{key}'!")
        self._registry[key] = candidate

    def list(self) -> Iterator[str]:
        """The names."""
        return iter(self._registry)

    def lookup(self, name: Any) -> Any:
        """The object of a name.

        Raises:
            LookupError: There is none.
        """
        key = name.decode() if isinstance(name, bytes) else name
        if key not in self._registry:
            raise LookupError(f"{self._name} registry has no entry for: {key}")
        return self._registry[key]


class _OpDefs(Mapping[str, Any]):
    """The OpDef protos of the op types that installed packages declare."""

    def __getitem__(self, op_type: str) -> Any:
        from ossia_core.graph.export import op_def

        definition = opdef.find(op_type)
        if definition is None:
            raise KeyError(op_type)
        return op_def(definition)

    def __iter__(self) -> Iterator[str]:
        return iter(opdef.known_types())

    def __len__(self) -> int:
        return len(list(opdef.known_types()))


def get_registered_ops() -> Mapping[str, Any]:
    """The OpDefs by op type."""
    return _OpDefs()


def register_op_list(op_list: Any) -> None:
    """Checks that the op types of an OpList are known: packages declare them, not protos.

    Raises:
        NotFoundError: A type that no installed package declares.
    """
    for definition in op_list.op:
        opdef.lookup(definition.name)

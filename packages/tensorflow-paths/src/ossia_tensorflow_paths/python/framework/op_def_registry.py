"""`registry`, `op_def_registry` and `op_def_library`: named objects, and the definitions of op types."""

from __future__ import annotations

import sys
from collections.abc import Iterator, KeysView, Mapping
from typing import Any

from ossia_core.declare import opdef


class Registry:
    """Objects by name.

    Args:
        name: What the registry is for.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._registry: dict[str, Any] = {}
        self._places: dict[str, str] = {}

    def register(self, candidate: Any, name: str | None = None) -> None:
        """Adds an object, under its own name by default.

        Raises:
            KeyError: The name is taken.
        """
        key = name or candidate.__name__
        if key in self._registry:
            raise KeyError(
                f"Registering two {self._name} with name '{key}'! (Previous registration was in {self._places[key]})"
            )
        self._registry[key] = candidate
        frame = sys._getframe(1)
        self._places[key] = f"{frame.f_code.co_name} {frame.f_code.co_filename}:{frame.f_lineno}"

    def list(self) -> KeysView[str]:
        """The names."""
        return self._registry.keys()

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


class OpDefLibrary:
    """Op types that nodes can be made of by name."""

    def __init__(self) -> None:
        self._types: set[str] = set()

    def add_op(self, op_def: Any) -> None:
        """Adds the type of an OpDef.

        Raises:
            NotFoundError: No installed package declares it.
        """
        opdef.lookup(op_def.name)
        self._types.add(op_def.name)

    def add_op_list(self, op_list: Any) -> None:
        """Adds the types of an OpList."""
        for op_def in op_list.op:
            self.add_op(op_def)

    def apply_op(self, op_type_name: str, name: str | None = None, **keywords: Any) -> Any:
        """Adds a node to the default graph.

        Args:
            op_type_name: Its type.
            name: Its name; its type by default.
            **keywords: Inputs and attributes by their names in the declaration of the type.

        Returns:
            The outputs, or the operation if there are none.

        Raises:
            RuntimeError: The type was not added.
            TypeError: An input or attribute is missing, unknown, or does not fit.
        """
        if not self._has(op_type_name):
            raise RuntimeError(f"Unrecognized Op name {op_type_name}")
        definition = opdef.lookup(op_type_name)
        made = definition(**_arguments(definition, keywords), name=name)
        return tuple(made) if hasattr(made, "_fields") else made

    def _has(self, op_type: str) -> bool:
        return op_type in self._types


def _arguments(definition: Any, given: dict[str, Any]) -> dict[str, Any]:
    """The inputs and attributes of a node by their names, of which those that Python reserves are given with `_`.

    Raises:
        TypeError: One is missing, unknown, a list is none, or what follows from the inputs is given.
    """
    left = dict(given)
    found = {}
    inputs = {arg.name: arg for arg in definition.inputs}
    inferred = {
        attr for arg in inputs.values() for attr in (arg.type_attr, arg.number_attr, arg.type_list_attr) if attr
    }
    for name, arg in inputs.items():
        key = _key(name, left)
        if key is None:
            raise TypeError(f"No argument for input {name}")
        found[name] = left.pop(key)
        if arg.is_list and not isinstance(found[name], (list, tuple)):
            raise TypeError(f"Expected list for '{name}' argument to '{definition.type}' Op, not {found[name]}.")
    for name, attr in definition.attrs.items():
        key = _key(name, left)
        if name in inferred:
            if key is not None:
                raise TypeError(f"Should not specify value for inferred attr '{name}'.")
            continue
        if key is None:
            raise TypeError(f"No argument for attr {name}")
        found[name] = left.pop(key)
        missing = found[name] is None and attr.default is not None
        if attr.kind.startswith("list(") and not missing and not isinstance(found[name], (list, tuple)):
            raise TypeError(f"Expected list for attr {name}")
    if left:
        raise TypeError(f"apply_op() got unexpected keyword arguments: {', '.join(sorted(left))}")
    return found


def _key(name: str, given: Mapping[str, Any]) -> str | None:
    """What an input or attribute is called among the arguments given; None if it is not there."""
    return next((key for key in (name, f"{name}_") if key in given), None)


class AllOps(OpDefLibrary):
    """All op types that are declared."""

    def _has(self, op_type: str) -> bool:
        return opdef.find(op_type) is not None

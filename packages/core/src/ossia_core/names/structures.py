"""What a nested structure is: its kind, its parts with their keys, and one like it of other parts.

Dicts are walked in the order of their sorted keys, and rebuilt in their own. Strings, arrays and tensors are leaves.
"""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Mapping, MappingView, Sequence
from typing import Any


class CompositeTensor(ABC):
    """Base class of values that stand for one tensor but consist of several.

    Example:
        class Pair(CompositeTensor):
            def __init__(self, first, second):
                self.first, self.second = first, second

            def components(self):
                return self.first, self.second

            def with_components(self, components):
                return Pair(*components)
    """

    __slots__ = ()

    @abstractmethod
    def components(self) -> Sequence[Any]:
        """Returns the tensors that the value consists of, always in the same order, without absent ones."""

    @abstractmethod
    def with_components(self, components: Sequence[Any]) -> CompositeTensor:
        """Returns a value of the same kind made of other tensors, which stand as `components` returns them."""

    @property
    def _is_graph_tensor(self) -> bool:
        return True

    def loop_invariants(self, shape: Any = None) -> list[Any] | None:
        """What shapes its tensors may have in a loop of which the value is a variable: those that fit `shape`, which
        `shape_invariants` gives, or what may change by default. None if they keep their shapes."""
        return None

    def is_same_kind(self, other: CompositeTensor) -> bool:
        """Whether the two values may take each other's place; those of one class with equally many components may."""
        return type(self) is type(other) and len(self.components()) == len(other.components())


LEAF, SEQUENCE, NAMEDTUPLE, MAPPING, ATTRS, COMPOSITE = range(6)
_KINDS: dict[type, int] = {list: SEQUENCE, tuple: SEQUENCE, dict: MAPPING, str: LEAF, bytes: LEAF}


def kind_of(value: Any) -> int:
    """What a value is to a walk: a leaf, or one of the kinds of structure. Decided once per type."""
    kind = _KINDS.get(type(value))
    return _register_kind(type(value)) if kind is None else kind


def _register_kind(cls: type) -> int:
    if issubclass(cls, CompositeTensor):
        kind = COMPOSITE
    elif issubclass(cls, Mapping):
        kind = MAPPING
    elif hasattr(cls, "__attrs_attrs__"):
        kind = ATTRS
    elif issubclass(cls, tuple) and isinstance(getattr(cls, "_fields", None), tuple):
        kind = NAMEDTUPLE
    elif issubclass(cls, (Sequence, MappingView)) and not issubclass(cls, (str, bytes)):
        kind = SEQUENCE
    else:
        kind = LEAF
    _KINDS[cls] = kind
    return kind


def is_structure(value: Any, expand_composites: bool) -> bool:
    """Whether a walk goes into a value."""
    kind = kind_of(value)
    return kind != LEAF and (kind != COMPOSITE or expand_composites)


def sorted_keys(mapping: Any) -> list[Any]:
    """The keys of a dict in the order of a walk; TypeError if they have none."""
    try:
        return sorted(mapping)
    except TypeError as error:
        raise TypeError(f"nest only supports dicts with sortable keys: {error}") from None


def items_of(structure: Any) -> list[tuple[Any, Any]]:
    """The parts of a structure with their keys: dict keys, field names, positions."""
    kind = kind_of(structure)
    if kind == MAPPING:
        return [(key, structure[key]) for key in sorted_keys(structure)]
    if kind == NAMEDTUPLE:
        return list(zip(structure._fields, structure))
    if kind == ATTRS:
        return [(field.name, getattr(structure, field.name)) for field in structure.__attrs_attrs__]
    if kind == COMPOSITE:
        return list(enumerate(structure.components()))
    return list(enumerate(structure))


def parts_of(structure: Any) -> Any:
    """The parts of a structure, in order."""
    kind = kind_of(structure)
    if kind == SEQUENCE or kind == NAMEDTUPLE:
        return structure
    if kind == COMPOSITE:
        return structure.components()
    return [part for _, part in items_of(structure)]


def rebuilt(structure: Any, parts: list[Any]) -> Any:
    """A structure like the given one, of other parts."""
    cls, kind = type(structure), kind_of(structure)
    if kind == MAPPING:
        by_key = dict(zip(sorted_keys(structure), parts))
        pairs = [(key, by_key[key]) for key in structure]
        if isinstance(structure, defaultdict):
            return cls(structure.default_factory, pairs)  # type: ignore[call-arg]
        return cls(pairs)  # type: ignore[call-arg]
    if kind == NAMEDTUPLE or kind == ATTRS:
        return cls(*parts)
    if kind == COMPOSITE:
        return structure.with_components(parts)
    if cls is list or cls is range or isinstance(structure, MappingView):
        return parts
    return cls(parts)  # type: ignore[call-arg]

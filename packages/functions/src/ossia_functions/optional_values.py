"""Values that may be absent: `tf.data.experimental.Optional` and their specs."""
from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.graph.type_spec import TensorSpec, TypeSpec, spec_of
from ossia_core.names import dtypes
from ossia_core.names.structures import CompositeTensor
from ossia_core.plugins.api_table import public
from ossia_functions.optional import (
    optional_from_value_op,
    optional_get_value_op,
    optional_has_value_op,
    optional_none_op,
)


def _mapped(function: Callable, structure: Any) -> Any:
    """`function` of the leaves of tuples and dicts; lists are leaves, tensors to be."""
    if isinstance(structure, dict):
        return type(structure)((key, _mapped(function, structure[key])) for key in structure)
    if isinstance(structure, tuple):
        parts = [_mapped(function, part) for part in structure]
        return type(structure)(*parts) if hasattr(structure, "_fields") else tuple(parts)
    return function(structure)


def _leaves(structure: Any) -> list:
    """The leaves of tuples and dicts, dicts in the order of their keys."""
    if isinstance(structure, dict):
        return [leaf for key in sorted(structure) for leaf in _leaves(structure[key])]
    if isinstance(structure, tuple):
        return [leaf for part in structure for leaf in _leaves(part)]
    return [structure]


@public("data.experimental.Optional", "compat.v2.data.experimental.Optional")
class Optional(CompositeTensor):
    """A value that a run knows to be there or not: tensors in tuples and dicts, or nothing."""

    __slots__ = ()

    @abstractmethod
    def has_value(self, name: str | None = None) -> Tensor:
        """Whether there is a value, a bool scalar."""

    @abstractmethod
    def get_value(self, name: str | None = None) -> Any:
        """The value; InvalidArgumentError in a run if there is none."""

    @property
    @abstractmethod
    def value_structure(self) -> Any:
        """The specs of the tensors of the value, in the same tuples and dicts."""

    @staticmethod
    def from_value(value: Any) -> Optional:
        """An optional that has a value.

        Args:
          value: tensors, or what can be converted to them, in tuples and dicts.
        """
        with name_scope("optional") as scope:
            with name_scope("value"):
                structure = _mapped(spec_of, value)
                parts = _encoded(structure, value)
            return _Known(optional_from_value_op(parts, name=scope), structure)

    @staticmethod
    def none_from_structure(value_structure: Any) -> Optional:
        """An optional without a value.

        Args:
          value_structure: specs, in tuples and dicts, of the value that there is not.
        """
        return _Known(optional_none_op(), value_structure)


def _encoded(structure: Any, value: Any) -> list[Tensor]:
    specs, values = _leaves(structure), _leaves(value)
    found = []
    for spec, part in zip(specs, values, strict=True):
        if isinstance(spec, TensorSpec):
            found.append(convert_to_tensor(part, spec.dtype))
        else:
            found.extend(spec._to_components(part))
    return found


class _Known(Optional):
    """An optional of a known structure, a scalar variant."""

    __slots__ = ("_structure", "_variant")

    def __init__(self, variant: Tensor, structure: Any) -> None:
        self._variant, self._structure = variant, structure

    def has_value(self, name: str | None = None) -> Tensor:
        return optional_has_value_op(self._variant, name=name)

    def get_value(self, name: str | None = None) -> Any:
        specs = [part for spec in _leaves(self._structure) for part in _flat_specs(spec)]
        parts = list(optional_get_value_op(
            self._variant, name=name, output_types=[spec.dtype for spec in specs],
            output_shapes=[spec.shape for spec in specs]))
        taken = iter(parts)
        decoded = iter([_decoded(spec, taken) for spec in _leaves(self._structure)])
        return _packed(self._structure, decoded)

    @property
    def value_structure(self) -> Any:
        return self._structure

    @property
    def _type_spec(self) -> OptionalSpec:
        return OptionalSpec.from_value(self)

    def components(self) -> tuple:
        return (self._variant,)

    def with_components(self, components: Any) -> _Known:
        return _Known(components[0], self._structure)


def _flat_specs(spec: Any) -> list[TensorSpec]:
    return [spec] if isinstance(spec, TensorSpec) else list(spec._component_specs)


def _decoded(spec: Any, parts: Any) -> Any:
    if isinstance(spec, TensorSpec):
        return next(parts)
    return spec._from_components([next(parts) for _ in spec._component_specs])


def _packed(structure: Any, leaves: Any) -> Any:
    if isinstance(structure, dict):
        found = {key: _packed(structure[key], leaves) for key in sorted(structure)}
        return type(structure)((key, found[key]) for key in structure)
    if isinstance(structure, tuple):
        parts = [_packed(part, leaves) for part in structure]
        return type(structure)(*parts) if hasattr(structure, "_fields") else tuple(parts)
    return next(leaves)


@public("OptionalSpec", "data.experimental.OptionalStructure", "compat.v2.OptionalSpec")
class OptionalSpec(TypeSpec):
    """What is known of an optional: the specs of its value.

    Args:
      value_structure: specs, in tuples and dicts.
    """

    __slots__ = ("_value_structure",)

    def __init__(self, value_structure: Any) -> None:
        self._value_structure = value_structure

    @staticmethod
    def from_value(value: Any) -> OptionalSpec:
        """The spec of an optional."""
        return OptionalSpec(value.value_structure)

    @property
    def value_type(self) -> type:
        """The class of optionals."""
        return _Known

    def _serialize(self) -> tuple:
        return (self._value_structure,)

    def __repr__(self) -> str:
        return f"OptionalSpec({self._value_structure!r},)"

    @property
    def _component_specs(self) -> list[TensorSpec]:
        return [TensorSpec((), dtypes.variant)]

    def _to_components(self, value: Any) -> list:
        return list(value.components())

    def _from_components(self, components: Any) -> Any:
        return _Known(components[0], self._value_structure)

"""Nested elements: tuples and dicts of tensors and the like, their specs, and the tensors in which they travel."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.graph.type_spec import SparseTensorSpec, TensorSpec, TypeSpec, spec_of
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape


def parts_of(structure: Any) -> list[Any] | None:
    """The parts of a tuple or dict, dicts in the order of their keys; None for a leaf. Lists are leaves."""
    if isinstance(structure, dict):
        return [structure[key] for key in sorted(structure)]
    if isinstance(structure, tuple) and not isinstance(structure, TensorShape):
        if hasattr(structure, "dense_shape"):
            return None  # SparseTensorValue is a tuple, but one value
        return list(structure)
    return None


def flatten(structure: Any) -> list[Any]:
    """The leaves of tuples and dicts."""
    parts = parts_of(structure)
    return [structure] if parts is None else [leaf for part in parts for leaf in flatten(part)]


def packed(structure: Any, leaves: Sequence[Any]) -> Any:
    """`leaves` in the structure given."""
    return _packed(structure, iter(leaves))


def _packed(structure: Any, leaves: Iterator[Any]) -> Any:
    parts = parts_of(structure)
    if parts is None:
        return next(leaves)
    found = [_packed(part, leaves) for part in parts]
    if isinstance(structure, dict):
        of_key = dict(zip(sorted(structure), found, strict=True))
        return type(structure)((key, of_key[key]) for key in structure)
    return type(structure)(*found) if hasattr(structure, "_fields") else tuple(found)


def mapped(function: Callable, structure: Any) -> Any:
    """`function` of each leaf, in the same structure."""
    return packed(structure, [function(leaf) for leaf in flatten(structure)])


def leaves_up_to(shallow: Any, structure: Any) -> list[Any]:
    """The parts of `structure` that stand where `shallow` has its leaves.

    Raises:
        TypeError, ValueError: The two do not go together.
    """
    parts = parts_of(shallow)
    if parts is None:
        return [structure]
    if isinstance(shallow, dict):
        if not isinstance(structure, dict) or sorted(structure) != sorted(shallow):
            raise TypeError(f"There must be a dict with the keys {sorted(shallow)}, not {structure!r}")
        given = [structure[key] for key in sorted(shallow)]
    else:
        if not isinstance(structure, (tuple, list)):
            raise TypeError(f"There must be a tuple of {len(parts)} parts, not {structure!r}")
        given = list(structure)
        if len(given) != len(parts):
            raise ValueError(f"There must be {len(parts)} parts, not the {len(given)} of {structure!r}")
    return [leaf for part, value in zip(parts, given, strict=True) for leaf in leaves_up_to(part, value)]


def normalized(element: Any) -> tuple[Any, Any]:
    """An element whose leaves are tensors, sparse tensors or datasets, and its specs."""
    leaves, specs = [], []
    with name_scope("normalize_element"):
        for i, leaf in enumerate(flatten(element)):
            spec = getattr(leaf, "_type_spec", None)
            if not isinstance(spec, TypeSpec):
                if isinstance(leaf, tuple):  # SparseTensorValue
                    from ossia_core.graph.composites import SparseTensor
                    leaf = SparseTensor.from_value(leaf)
                elif not hasattr(leaf, "dense_shape"):
                    leaf = convert_to_tensor(leaf, name=f"component_{i}")
                spec = spec_of(leaf)
            leaves.append(leaf)
            specs.append(spec)
    return packed(element, leaves), packed(element, specs)


def tensor_list(spec: Any, element: Any) -> list[Tensor]:
    """The tensors in which an element travels."""
    return [
        tensor for part, leaf in zip(flatten(spec), flatten(element), strict=True)
        for tensor in part._to_tensor_list(leaf)
    ]


def batched_tensor_list(spec: Any, element: Any) -> list[Tensor]:
    """The tensors in which a batch of elements travels, along their first dimension."""
    return [
        tensor for part, leaf in zip(flatten(spec), flatten(element), strict=True)
        for tensor in part._to_batched_tensor_list(leaf)
    ]


def from_tensor_list(spec: Any, tensors: Sequence[Tensor]) -> Any:
    """The element that travelled in these tensors."""
    rest = list(tensors)
    leaves = []
    for part in flatten(spec):
        count = len(part._flat_tensor_specs)
        leaves.append(part._from_compatible_tensor_list(rest[:count]))
        del rest[:count]
    return packed(spec, leaves)


def flat_specs(spec: Any) -> list[TensorSpec]:
    """The specs of the tensors in which an element travels."""
    return [found for part in flatten(spec) for found in part._flat_tensor_specs]


def outputs(spec: Any) -> dict[str, Any]:
    """The attributes `output_types` and `output_shapes` of a dataset op whose elements are like this."""
    flat = flat_specs(spec)
    return {"output_types": [s.dtype for s in flat], "output_shapes": [s.shape for s in flat]}


def spec_from(types: Any, shapes: Any = None, classes: Any = None) -> Any:
    """The specs of elements of these dtypes, shapes and classes, each in the structure of the dtypes."""
    from ossia_core.graph.composites import SparseTensor

    types = mapped(lambda t: t if isinstance(t, TypeSpec) else dtypes.as_dtype(t), types)
    count = len(flatten(types))
    flat_shapes = [None] * count if shapes is None else leaves_up_to(types, shapes)
    flat_classes = [Tensor] * count if classes is None else leaves_up_to(types, classes)
    specs: list[Any] = []
    for dtype, shape, kind in zip(flatten(types), flat_shapes, flat_classes, strict=True):
        if isinstance(dtype, TypeSpec):
            specs.append(dtype)
        else:
            made = SparseTensorSpec if kind is SparseTensor else TensorSpec
            specs.append(made(TensorShape(shape), dtype))
    return packed(types, specs)


def most_specific(a: Any, b: Any) -> Any:
    """The narrowest specs that allow what two structures of specs allow."""
    return packed(a, [x.most_specific_compatible_type(y) for x, y in zip(flatten(a), flatten(b), strict=True)])


def legacy_types(spec: Any) -> Any:
    """The dtypes of elements, in their structure."""
    return mapped(lambda s: s._to_legacy_output_types(), spec)


def legacy_shapes(spec: Any) -> Any:
    """The shapes of elements, in their structure."""
    return mapped(lambda s: s._to_legacy_output_shapes(), spec)


def legacy_classes(spec: Any) -> Any:
    """The classes of the parts of elements, in their structure."""
    return mapped(lambda s: Tensor if isinstance(s, TensorSpec) else s._to_legacy_output_classes(), spec)


class Structured:
    """What has elements of one structure tells of their specs, in the words of 2.x and of 1.x."""

    __slots__ = ()
    _element_spec: Any

    @property
    def element_spec(self) -> Any:
        """The specs of the elements, in their structure."""
        return self._element_spec

    @property
    def output_types(self) -> Any:
        """The dtypes of the elements, in their structure."""
        return legacy_types(self._element_spec)

    @property
    def output_shapes(self) -> Any:
        """The static shapes of the elements, in their structure."""
        return legacy_shapes(self._element_spec)

    @property
    def output_classes(self) -> Any:
        """The classes of the parts of the elements, in their structure."""
        return legacy_classes(self._element_spec)

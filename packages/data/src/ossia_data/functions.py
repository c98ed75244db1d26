"""Python functions on elements, traced to functions of the graph's library."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.graph.type_spec import TensorSpec, TypeSpec, spec_of
from ossia_core.names import dtypes
from ossia_data.structure import flat_specs, flatten, from_tensor_list, packed, tensor_list
from ossia_functions import library
from ossia_functions.function import ConcreteFunction, trace


class ElementFunction:
    """A traced function on elements.

    Attributes:
        spec: The specs of what it returns.
        function: The traced function.

    Args:
        function: Takes the parts of an element if that is a tuple, the element if not; returns tensors, sparse tensors
            or datasets in tuples and dicts.
        transformation: What the function is for, a part of its name.
        spec: The specs of the elements.

    Raises:
        TypeError: It returns something that is no element.
    """

    def __init__(self, function: Callable, transformation: str, spec: Any) -> None:
        self.spec: Any = None
        specs = [TensorSpec(s.shape, s.dtype) for s in flat_specs(spec)]

        def on_tensors(*tensors: Tensor) -> list[Tensor]:
            element = from_tensor_list(spec, tensors)
            found = function(*element) if type(element) is tuple else function(element)
            leaves = [_leaf(leaf, transformation) for leaf in flatten(tuple(found) if type(found) is list else found)]
            structure = tuple(found) if type(found) is list else found
            self.spec = packed(structure, [spec_of(leaf) for leaf in leaves])
            return tensor_list(self.spec, packed(structure, leaves))

        name = getattr(function, "__name__", None) or type(function).__name__
        names = [f"args_{i}" for i in range(len(specs))]
        self.function: ConcreteFunction = trace(on_tensors, f"{transformation}_{name}", tuple(specs), {}, None, names)
        self.function.add_to_graph()

    @property
    def reference(self) -> Any:
        """The value of the attribute of a node that calls it."""
        return library.reference(self.function.graph.name)

    @property
    def captured(self) -> list[Tensor]:
        """The tensors of the graph around it that it uses."""
        return self.function.captured_inputs


def is_truth(spec: Any) -> bool:
    """Whether what a function returns may be a bool scalar."""
    return isinstance(spec, TensorSpec) and spec.is_compatible_with(TensorSpec([], dtypes.bool))


def _leaf(leaf: Any, transformation: str) -> Any:
    if isinstance(getattr(leaf, "_type_spec", None), TypeSpec) or hasattr(leaf, "dense_shape"):
        return leaf
    try:
        return convert_to_tensor(leaf)
    except (TypeError, ValueError):
        raise TypeError(f"Unsupported return value from function passed to {transformation}: {leaf!r}.") from None

"""Python functions on elements, traced to functions of the graph's library."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.graph.type_spec import TensorSpec, TypeSpec, spec_of
from ossia_core.names import dtypes
from ossia_data.structure import (
    flat_specs,
    flatten,
    from_tensor_list,
    legacy_classes,
    legacy_types,
    most_specific,
    packed,
    tensor_list,
)
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
        add: Whether it goes into the graph's library at once.

    Raises:
        TypeError: It returns something that is no element.
    """

    def __init__(self, function: Callable, transformation: str, spec: Any, add: bool = True) -> None:
        self.spec: Any = None
        specs = [TensorSpec(s.shape, s.dtype) for s in flat_specs(spec)]

        def on_tensors(*tensors: Tensor) -> list[Tensor]:
            element = from_tensor_list(spec, tensors)
            found = function(*element) if type(element) is tuple else function(element)
            structure = tuple(found) if type(found) is list else found
            # What is no tensor yet becomes one twice, as in the original: for its spec, and as what is returned.
            self.spec = packed(structure, [_spec_of_leaf(leaf, transformation) for leaf in flatten(structure)])
            return tensor_list(self.spec, structure)

        name = getattr(function, "__name__", None) or type(function).__name__
        names = [f"args_{i}" for i in range(len(specs))]
        self.function: ConcreteFunction = trace(on_tensors, f"{transformation}_{name}", tuple(specs), {}, None, names)
        if add:
            self.function.add_to_graph()

    @property
    def reference(self) -> Any:
        """The value of the attribute of a node that calls it."""
        return library.reference(self.function.graph.name)

    @property
    def captured(self) -> list[Tensor]:
        """The tensors of the graph around it that it uses."""
        return self.function.captured_inputs


def with_state(
    function: Callable, transformation: str, state: Any, rest: Any, state_of: Callable = lambda spec: spec
) -> tuple[ElementFunction, Any]:
    """A function that takes a state and more, and returns the next state; and the specs of the state.

    Args:
        function: Takes the state and the parts of the rest.
        transformation: What the function is for.
        state: The specs of the first state: where the function changes its shape, the sizes that change are unknown.
        rest: The specs of what it takes besides.
        state_of: The specs of the next state among those of what the function returns.

    Raises:
        TypeError: The next state is of other dtypes or classes.
    """
    while True:
        made = ElementFunction(function, transformation, (state, rest), add=False)
        after = state_of(made.spec)
        for what, told in (("classes", legacy_classes), ("types", legacy_types)):
            if told(after) != told(state):
                raise TypeError(
                    f"The element {what} for the new state must match the initial state. Expected {told(state)}; got "
                    f"{told(after)}."
                )
        weaker = most_specific(state, after)
        if [s.shape.as_tuple() for s in flat_specs(weaker)] == [s.shape.as_tuple() for s in flat_specs(state)]:
            made.function.add_to_graph()
            return made, state
        state = weaker


def is_truth(spec: Any) -> bool:
    """Whether what a function returns may be a bool scalar."""
    return isinstance(spec, TensorSpec) and spec.is_compatible_with(TensorSpec([], dtypes.bool))


def _spec_of_leaf(leaf: Any, transformation: str) -> TypeSpec:
    if isinstance(getattr(leaf, "_type_spec", None), TypeSpec) or hasattr(leaf, "dense_shape"):
        return spec_of(leaf)
    try:
        return spec_of(convert_to_tensor(leaf))
    except (TypeError, ValueError):
        raise TypeError(f"Unsupported return value from function passed to {transformation}: {leaf!r}.") from None

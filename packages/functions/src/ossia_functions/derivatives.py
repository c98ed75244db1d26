"""What gradients of functional ops share: copies of bodies, and graphs that take from them what gradients need."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import lookup
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import gradients_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.primitives.variable_ops import handle_data
from ossia_functions import library
from ossia_functions.func_graph import FuncGraph
from ossia_functions.function_def import body_graph, function_def
from ossia_functions.library import Function
from ossia_functions.tracing import order_effects


def forward_body(node: Operation, reference: Any, shapes: Sequence[TensorShape]) -> FuncGraph:
    """A copy of the body of a function that a node calls, for arguments of these shapes."""
    function = library.find(node.graph, reference)
    return body_graph(function.definition, dict(reference.attr), node.graph, shapes)


def tell_handles(body: FuncGraph, arguments: Sequence[Tensor]) -> None:
    """Let the copy of a body know the shapes of the variables whose handles are among its arguments."""
    for placeholder, argument in zip(body.inputs, arguments, strict=True):
        data = handle_data(argument) if argument.dtype is dtypes.resource else None
        if data is not None:
            placeholder._inferred_handle_data = data  # type: ignore[attr-defined]


def rewritten(node: Operation, body: FuncGraph) -> Any:
    """Register a body that the gradient of `node` has given further results; the reference to it."""
    name = body.name + "_rewritten"
    while name in node.graph._functions:
        name = library.unique_name(body.name + "_rewritten")
    register(node.graph, body, name)
    return library.reference(name)


def register(graph: Any, body: FuncGraph, name: str, attrs: dict[str, Any] | None = None) -> Function:
    """Put a body into the library of a graph."""
    body.name = name
    made = Function(function_def(body, name, attrs), body)
    library.add(graph, made)
    return made


def add_outputs(node: Operation, types: Sequence[Any], shapes: Sequence[TensorShape]) -> list[Tensor]:
    """Give a node further outputs."""
    added = []
    for dtype, shape in zip(types, shapes, strict=True):
        tensor = Tensor(node, len(node.outputs), dtype)
        tensor._shape = shape
        node.outputs.append(tensor)
        added.append(tensor)
    node.graph.modified()
    return added


def add_inputs(node: Operation, tensors: Sequence[Tensor]) -> None:
    """Give a node further inputs."""
    node._inputs = (*node._inputs, *tensors)
    for tensor in tensors:
        tensor._consumers.append(node)
    node.graph.modified()


def returned(graph: FuncGraph, tensors: Sequence[Any]) -> list[Tensor]:
    """What a body under construction returns: the tensors, when all that has effects has run."""
    convert, identity = builder("convert_to_tensor"), lookup("Identity")
    finals = [identity(convert(t)) for t in tensors]
    graph.control_outputs = must = order_effects(graph._operations)
    for final in finals:
        final.op._add_control_inputs(must)
    return finals


def call_of_gradients() -> str | None:
    """The scope of the call of `gradients` in the graph around all bodies."""
    graph = builder("get_default_graph")()
    return getattr(graph, "gradient_source", None) or gradients_scope(graph.get_name_scope())


class GradientGraph(FuncGraph):
    """The gradient of a body, under construction in a graph that need not be the one around the body.

    Attributes:
      forward: the body.
      taken: tensor of the body -> what stands for it here, other than a capture of itself.
    """

    def __init__(self, name: str, forward: FuncGraph) -> None:
        super().__init__(name)
        self.orders_effects = True
        self.forward = forward
        self.taken: dict[Tensor, Tensor] = {}
        self.gradient_source = call_of_gradients()

    def capture(self, tensor: Tensor, name: str | None = None) -> Tensor:
        """The tensor that stands for one of the body or of a graph around this one."""
        if tensor.graph is not self.forward:
            return super().capture(tensor, name)
        found = self.taken.get(tensor)
        if found is None:
            found = self.taken[tensor] = self.take(tensor, name or tensor.op.name)
        return found

    def take(self, tensor: Tensor, name: str) -> Tensor:
        """What stands for a tensor of the body when it is first used."""
        raise NotImplementedError(f"{type(self).__name__}.take()")

    def standing_for(self, tensor: Tensor, name: str) -> Tensor:
        """An input that stands for a tensor of the body."""
        found = self.captures.get(tensor)
        if found is None:
            found = self.captures[tensor] = self._input(tensor, name)
            self.inputs.append(found)
        return found

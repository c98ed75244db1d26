"""FuncGraph: the graph of a function's body, which takes what it uses of the graph around it as further inputs."""
from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ossia_core.declare.opdef import OpDef
from ossia_core.graph.collections import VARIABLE_SCOPES, VARIABLE_STORE, GraphKeys
from ossia_core.graph.graph import Graph
from ossia_core.graph.operation import Operation
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.primitives.source import placeholder_op
from ossia_core.primitives.variable_ops import handle_data

_SHARED = (
    GraphKeys.GLOBAL_VARIABLES,
    GraphKeys.LOCAL_VARIABLES,
    GraphKeys.TRAINABLE_VARIABLES,
    GraphKeys.GLOBAL_STEP,
    VARIABLE_SCOPES,
    VARIABLE_STORE,
)


class FuncGraph(Graph):
    """The body of a function under construction.

    Attributes:
      name: the function's name.
      outer_graph: the graph whose tensors it may use.
      inputs: placeholders of the arguments, those of captured tensors last.
      outputs: the tensors that the function returns.
      control_outputs: nodes that run in every call.
      captures: tensor of an outer graph -> the placeholder that stands for it.
      control_captures: what of outer graphs runs before the body.
    """

    def __init__(
        self, name: str, outer: Graph | None = None, collections: dict[Any, list] | None = None
    ) -> None:
        super().__init__()
        outer = get_default_graph() if outer is None else outer
        self.name, self.outer_graph = name, outer
        self._building_function = True
        self._functions, self._function_gradients = outer._functions, outer._function_gradients
        self._scopes, self._seed = outer._scopes, outer._seed
        if collections is None:
            collections = {key: list(items) for key, items in outer._collections.items()}
            for key in _SHARED:
                collections[key] = outer._collections.setdefault(key, [])
        self._collections = collections
        self._container = outer._container
        self._in_force.colocations = list(outer._in_force.colocations)
        self.inputs: list[Tensor] = []
        self.outputs: list[Tensor] = []
        self.control_outputs: list[Operation] = []
        self.captures: dict[Tensor, Tensor] = {}
        self.control_captures: dict[Any, None] = {}
        self.structured_outputs: Any = None
        self.structured_input_signature: Any = None
        self.variables: tuple = ()
        # Whether what has effects runs in the order of its making, as in `tf.function` and in gradients.
        self.orders_effects: bool = getattr(outer, "orders_effects", False)
        self.gradient_source: str | None = None  # the scope of the call of `gradients` that this is part of

    def add_node(self, definition: OpDef, name: str, inputs: tuple[Tensor, ...], attrs: dict[str, Any],
                 output_types: list, *, compute_device: bool = True) -> Operation:
        """Make a node; inputs of outer graphs come in as captures.

        Raises:
          TypeError: the node takes a reference, which comes in as a value.
        """
        for tensor in inputs:
            if tensor.op.graph is not self:
                inputs = tuple(self.capture(t) for t in inputs)
                _check_references(definition, inputs)
                break
        return super().add_node(definition, name, inputs, attrs, output_types, compute_device=compute_device)

    @property
    def internal_captures(self) -> list[Tensor]:
        """The inputs that stand for captured tensors."""
        return list(self.captures.values())

    @property
    def output_types(self) -> list[Any]:
        """The dtypes of the outputs."""
        return [tensor.dtype for tensor in self.outputs]

    @property
    def output_shapes(self) -> list[Any]:
        """The static shapes of the outputs."""
        return [tensor.shape for tensor in self.outputs]

    def closures(self, xs: Collection[Any]) -> Any:
        """How `gradients` walks through this body and those around it, not looking behind `xs`."""
        from ossia_functions.closures import Closures
        return Closures(self, xs)

    def capture(self, tensor: Tensor, name: str | None = None) -> Tensor:
        """The tensor that stands for `tensor` in this graph: a new input for one of an outer graph.

        Raises:
          ValueError: the tensor's graph is none of those around this one.
        """
        if tensor.op.graph is self:
            return tensor
        found = self.captures.get(tensor)
        if found is not None:
            return found
        outer: Any = self.outer_graph
        while outer is not tensor.graph:
            outer = getattr(outer, "outer_graph", None)
            if outer is None:
                raise ValueError(f"{tensor} is of a graph that is not around the function {self.name!r}")
        found = self._input(tensor, name or tensor.op.name)
        self.inputs.append(found)
        self.captures[tensor] = found
        return found

    def _input(self, tensor: Tensor, name: str | None) -> Tensor:
        made = self.placeholder(tensor.dtype, tensor.shape, name)
        if tensor.dtype in (dtypes.resource, dtypes.variant):
            known = handle_data(tensor) if tensor.dtype is dtypes.resource else None
            if known is not None:
                inferred = hasattr(tensor, "_inferred_handle_data")
                setattr(made, "_inferred_handle_data" if inferred else "_handle_data", known)
        return made

    def placeholder(self, dtype: Any, shape: Any, name: str | None) -> Tensor:
        """A placeholder outside of control flow, not yet an input of the function."""
        saved, self._control_flow_context = self._control_flow_context, None
        controls, self._in_force.controls = self._in_force.controls, []
        try:
            with self.as_default():
                return placeholder_op(dtype=dtypes.as_dtype(dtype).base_dtype, shape=shape, name=name)
        finally:
            self._control_flow_context, self._in_force.controls = saved, controls

    def control_dependencies(self, control_inputs: Any) -> Any:
        """As `Graph.control_dependencies`; the node that calls the body waits for what belongs to outer graphs."""
        if control_inputs is None:
            return super().control_dependencies(None)
        own = []
        for item in control_inputs:
            if _of(item) in (self, None):
                own.append(item)
            else:
                self.control_captures[item] = None
        return super().control_dependencies(own)

    @property
    def external_captures(self) -> list[Tensor]:
        """The tensors of outer graphs that are inputs, in the order of the inputs."""
        standing = {placeholder: tensor for tensor, placeholder in self.captures.items()}
        return [standing[t] for t in self.inputs if t in standing]


def _check_references(definition: OpDef, inputs: tuple[Tensor, ...]) -> None:
    wanted = [arg.is_ref for arg in definition.inputs]
    if len(wanted) != len(inputs) or all(t.dtype._is_ref_dtype or not w for t, w in zip(inputs, wanted, strict=True)):
        return
    given = ", ".join(f"tf.{t.dtype.name}" for t in inputs)
    expected = ", ".join(
        f"tf.{t.dtype.base_dtype.name}_ref" if w else f"tf.{t.dtype.name}" for t, w in zip(inputs, wanted, strict=True)
    )
    raise TypeError(
        f"In op '{definition.type}', input types ([{given}]) are not compatible with expected types ([{expected}])"
    )


def _of(item: Any) -> Any:
    element = getattr(item, "_as_graph_element", None)  # of an update's result, the update in this graph
    graph = getattr(item if element is None else element(), "graph", None)
    return graph if isinstance(graph, Graph) else None


def outermost(graph: Graph) -> Graph:
    """The graph around all functions that `graph` is in."""
    while isinstance(graph, FuncGraph):
        graph = graph.outer_graph
    return graph

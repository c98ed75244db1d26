"""Gradients of While: a loop that runs the gradient of the body as often as the body ran, last iteration first.

The forward loop is changed to keep what the gradient needs of every iteration, in lists that the gradient takes apart.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ossia_core.declare.language import CONST
from ossia_core.declare.opdef import lookup
from ossia_core.differentiate.autodiff import UnconnectedGradients, gradients, is_trainable
from ossia_core.graph.convert import constant
from ossia_core.graph.operation import Operation
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import provides
from ossia_core.primitives.identity import identity_op
from ossia_functions import library, ops
from ossia_functions.derivatives import (
    GradientGraph,
    add_inputs,
    add_outputs,
    forward_body,
    register,
    returned,
    rewritten,
)
from ossia_functions.func_graph import FuncGraph
from ossia_functions.list_handles import shape_argument
from ossia_functions.lists import empty_tensor_list_op, tensor_list_pop_back_op, tensor_list_push_back_op


@provides("ossia_functions", "loop_gradient")
def loop_gradient(node: Operation, *grads: Any) -> list[Any]:
    """The gradients of the inputs of a While node, given those of its outputs."""
    body = forward_body(node, node.attrs["body"], _shapes(node))
    counter, most = _counters(node, body)
    variables = [
        i for i, (t, g) in enumerate(zip(body.outputs, grads, strict=False)) if g is not None and _carries(t)
    ]
    starts = [grads[i] for i in variables]
    number = constant(0, dtype=most.dtype, name="grad_counter")
    backward = _LoopGradient(library.unique_name(f"{body.name}_grad"), body, most)
    with backward.as_default():
        given = [number, most, node.outputs[counter], *starts]
        backward.inputs = [backward.placeholder(t.dtype, t.shape, "placeholder") for t in given]
        fixed = len(backward.inputs)
        found = gradients(
            [body.outputs[i] for i in variables], [body.inputs[i] for i in variables],
            grad_ys=backward.inputs[3:], unconnected_gradients=UnconnectedGradients.ZERO,
        )
        following = [lookup("AddV2")(backward.inputs[0], 1, name="add"), *backward.inputs[1:3], *found]
        results = returned(backward, following)
    backward.outputs = [*results, *(backward.popped.get(t, t) for t in backward.inputs[fixed:])]
    condition = _keep(node, body, backward.lists)
    captured = [_outside(node, body, t) for t in backward.external_captures]
    inputs = [*given, *captured]
    register(get_default_graph(), backward, backward.name)
    test = FuncGraph(library.unique_name(f"{condition}_grad"))
    with test.as_default():
        test.inputs = [test.placeholder(t.dtype, t.shape, "placeholder") for t in inputs]
        test.outputs = returned(test, [lookup("Less")(test.inputs[0], test.inputs[2])])
    register(get_default_graph(), test, test.name)
    outs = ops.while_op(
        inputs, cond=library.reference(test.name), body=library.reference(backward.name),
        output_shapes=[t.shape for t in backward.outputs], parallel_iterations=node.attrs["parallel_iterations"],
        name=f"{node.name}_grad",
    )
    outs[0].op._set_attr(ops.LOWER, True)
    identity = lookup("Identity")
    by_input: list[Any] = [None] * len(node._inputs)
    for position, out in zip(variables, [identity(t) for t in outs][3:], strict=False):
        by_input[position] = out
    return by_input


class _LoopGradient(GradientGraph):
    """The gradient of a loop's body.

    Attributes:
      lists: lists around the loop that it has to keep values in, one for each tensor taken that changes.
      popped: input that is such a list -> the list without the element of the iteration at hand.
    """

    def __init__(self, name: str, forward: FuncGraph, most: Tensor) -> None:
        super().__init__(name, forward)
        self._most = most
        self.lists: list[Tensor] = []
        self.popped: dict[Tensor, Tensor] = {}

    def take(self, tensor: Tensor, name: str) -> Tensor:
        """A tensor of the body in the same iteration: an input if it never changes, else taken from a list.

        Raises:
          ValueError: it is a resource that changes.
        """
        while tensor.op.definition is identity_op:
            tensor = tensor.op._inputs[0]
        if tensor in self.taken:
            return self.taken[tensor]
        if _is_unchanged(self.forward, tensor):
            found = self.standing_for(tensor, name)
        elif tensor.op.definition.role is CONST:
            with self.control_dependencies(None):
                found = constant(tensor.op.attrs["value"], dtype=tensor.dtype)
        elif tensor.dtype is dtypes.resource:
            raise ValueError(f"The gradient of a loop needs {tensor.name}, a resource that changes")
        else:
            made = _kept(self.forward, tensor)
            kept = self.standing_for(self._keep(tensor) if made is None else made, name)
            self.popped[kept], found = tensor_list_pop_back_op(kept, -1, element_dtype=tensor.dtype)
            found.set_shape(tensor.shape)
        self.taken[tensor] = found
        return found

    def _keep(self, tensor: Tensor) -> Tensor:
        """Let the loop keep a tensor; the list after the iteration, in the body."""
        with self.forward.outer_graph.as_default(), self.forward.outer_graph.control_dependencies(None):
            self.lists.append(empty_tensor_list_op(
                shape_argument(tensor.shape), self._most, element_dtype=tensor.dtype,
                name=f"{tensor.name}/accumulator".replace(":", "_"),
            ))
        with self.forward.as_default(), self.forward.control_dependencies(None):
            made = tensor_list_push_back_op(self.lists[-1], tensor)
        self.forward.outputs.append(made)
        return made


def _shapes(node: Operation) -> list[TensorShape]:
    """The shapes of a loop's variables, as the node has them."""
    return node.attrs["output_shapes"] or [t.shape for t in node.outputs]


def _carries(result: Tensor) -> bool:
    """Whether a gradient flows through a result of a body: not through what is left of a list of integers."""
    if result.op.definition is tensor_list_pop_back_op and result.value_index == 0:
        return is_trainable(result.op.attrs["element_dtype"])
    return is_trainable(result)


def _outside(node: Operation, body: FuncGraph, tensor: Tensor) -> Tensor:
    """What the graph of a loop has, when it has ended, for a tensor that the gradient of its body uses."""
    if tensor.graph is not body:
        return tensor
    return node.outputs[next(i for i, result in enumerate(body.outputs) if result is tensor)]


def _is_unchanged(body: FuncGraph, tensor: Tensor) -> bool:
    """Whether a tensor of a loop's body is a variable that no iteration changes."""
    return any(x is tensor and y is tensor for x, y in zip(body.inputs, body.outputs, strict=False))


def _kept(body: FuncGraph, tensor: Tensor) -> Tensor | None:
    """The list in which the loop keeps a tensor already."""
    for user in tensor._consumers:
        if user.definition is tensor_list_push_back_op and user._inputs[1] is tensor:
            for output in body.outputs:
                if output is user.outputs[0] and any(t is user._inputs[0] for t in body.inputs):
                    return output
    return None


def _counters(node: Operation, body: FuncGraph) -> tuple[int, Tensor]:
    """The number of the output that counts the iterations, and the most that there may be."""
    def source(tensor: Tensor) -> Tensor:
        while tensor.op.definition is identity_op:
            tensor = tensor.op._inputs[0]
        return tensor

    if len(body.inputs) >= 2:
        step, most = source(body.outputs[0]).op, source(body.outputs[1])
        if step.definition in (lookup("Add"), lookup("AddV2")) and step._inputs[0] is body.inputs[0] and \
                most is body.inputs[1] and body.inputs[0].dtype is dtypes.int32 and most.dtype is dtypes.int32:
            return 0, node._inputs[1]
    # A loop of a graph that was not made here: counts from now on.
    with node.graph.as_default(), node.graph.control_dependencies(None):
        start = constant(0, name="loop_counter")
        most = constant(-1, name="maximum_iterations")
    with body.as_default():
        body.outputs.append(lookup("AddV2")(start, 1))
    counter = len(node.outputs)
    _keep(node, body, [start])
    return counter, most


def _keep(node: Operation, body: FuncGraph, further: Sequence[Tensor]) -> str:
    """Give a loop further variables, which its changed body has already; returns the name of its condition."""
    reference = node.attrs["cond"]
    if not further:
        return reference.name
    known = len(node.outputs)
    condition = forward_body(node, reference, _shapes(node))
    condition.inputs = [*condition.inputs, *(condition._input(t, t.op.name) for t in further)]
    node.attrs["cond"] = rewritten(node, condition)
    node.attrs["body"] = rewritten(node, body)
    node.attrs["T"] = [*node.attrs["T"], *(t.dtype for t in further)]
    node.attrs["output_shapes"] = [t.shape for t in body.outputs]
    add_inputs(node, further)
    add_outputs(node, [t.dtype for t in further], [TensorShape([])] * len(further))
    node._set_attr("_num_original_outputs", len(node.outputs))
    assert len(node.outputs) == known + len(further) == len(body.outputs)
    return condition.name

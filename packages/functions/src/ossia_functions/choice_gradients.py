"""Gradients of If and Case: the same choice between the gradients of the branches.

Each branch is changed to return what its gradient needs of it, as optionals that have a value if the branch ran.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import lookup
from ossia_core.differentiate.autodiff import gradients, is_trainable
from ossia_core.graph.composites import IndexedSlices
from ossia_core.graph.operation import Operation
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import provides
from ossia_core.primitives.variable_ops import handle_data
from ossia_functions import library, ops
from ossia_functions.choices import common_shapes, is_stateful
from ossia_functions.derivatives import (
    GradientGraph,
    add_outputs,
    forward_body,
    register,
    returned,
    rewritten,
    tell_handles,
)
from ossia_functions.func_graph import FuncGraph
from ossia_functions.optional import optional_from_value_op, optional_get_value_op, optional_none_op
from ossia_functions.tracing import matched_inputs


@provides("ossia_gradients", "If", "StatelessIf", "Case")
def choice_gradient(node: Operation, *grads: Any) -> list[Any]:
    """The gradients of the inputs of an If or Case node, given those of its outputs."""
    references = _references(node)
    arguments = node._inputs[1:]
    forwards = [forward_body(node, reference, [t.shape for t in arguments]) for reference in references]
    for forward in forwards:
        tell_handles(forward, arguments)
    backwards = [_differentiated(forward, arguments, grads) for forward in forwards]
    kinds = _with_same_kinds(backwards)
    _return_intermediates(node, backwards)
    inputs = matched_inputs(backwards, [[_outside(node, b.forward, t) for t in b.external_captures] for b in backwards])
    for backward in backwards:
        register(get_default_graph(), backward, backward.name)
    made = [library.reference(backward.name) for backward in backwards]
    attrs: dict[str, Any] = {
        "Tout": [t.dtype.base_dtype for t in backwards[0].outputs], "output_shapes": common_shapes(backwards)
    }
    if not attrs["Tout"]:
        return [None] * len(node._inputs)
    if node.definition.calls == "case":
        outs = ops.case_op(node._inputs[0], inputs, branches=made, name="gradient", **attrs)
    else:
        definition = ops.if_op if any(map(is_stateful, backwards)) else ops.stateless_if_op
        outs = definition(node._inputs[0], inputs, then_branch=made[0], else_branch=made[1], **attrs)
    outs[0].op._set_attr(ops.LOWER, True)
    outs[0].op.graph.prevent_fetching(outs[0].op)
    identity = lookup("Identity")
    rest = (identity(t) for t in outs)
    return [None, *(IndexedSlices(next(rest), next(rest), next(rest)) if sliced else next(rest) for sliced in kinds)]


class _BranchGradient(GradientGraph):
    """The gradient of a branch.

    Attributes:
      intermediates: the optionals that the branch has to return.
      results: the gradients of the arguments, some of them IndexedSlices.
    """

    def __init__(self, name: str, forward: FuncGraph) -> None:
        super().__init__(name, forward)
        self.intermediates: list[Tensor] = []
        self.results: list[Any] = []

    def take(self, tensor: Tensor, name: str) -> Tensor:
        """A tensor of the branch: an argument or result as it is, anything else out of an optional."""
        forward = self.forward
        if any(t is tensor for t in (*forward.inputs, *forward.outputs)):
            return self.standing_for(tensor, name)
        optional = next((
            user.outputs[0] for user in tensor._consumers
            if user.definition is optional_from_value_op and any(t is user.outputs[0] for t in forward.outputs)
        ), None)
        if optional is None:
            with forward.as_default(), forward.control_dependencies(None):
                optional = optional_from_value_op([tensor])
            self.intermediates.append(optional)
        found: Tensor = optional_get_value_op(
            self.standing_for(optional, name), output_types=[tensor.dtype], output_shapes=[tensor.shape]
        )[0]
        return found


def _references(node: Operation) -> list[Any]:
    if node.definition.calls == "case":
        return list(node.attrs["branches"])
    return [node.attrs["then_branch"], node.attrs["else_branch"]]


def _differentiated(forward: FuncGraph, arguments: Sequence[Tensor], grads: Sequence[Any]) -> _BranchGradient:
    """The gradient of a branch with respect to all its inputs, which the arguments of the node are."""
    backward = _BranchGradient(library.unique_name(f"{forward.name}_grad"), forward)
    with backward.as_default():
        pairs = [
            (y, g) for y, g in zip(forward.outputs, grads, strict=True) if g is not None and is_trainable(y)
        ]
        found = gradients([y for y, _ in pairs], list(forward.inputs), grad_ys=[g for _, g in pairs])
        made = [
            _zeros(x, argument) if g is None else g
            for x, argument, g in zip(forward.inputs, arguments, found, strict=True)
        ]
        finals = iter(returned(backward, [part for g in made for part in _parts(g)]))
        backward.results = [
            IndexedSlices(*(next(finals) for _ in _parts(g))) if isinstance(g, IndexedSlices) else next(finals)
            for g in made
        ]
    return backward


def _parts(grad: Any) -> list[Tensor]:
    """The tensors of a gradient."""
    if not isinstance(grad, IndexedSlices):
        return [grad]
    return [t for t in (grad.values, grad.indices, grad.dense_shape) if t is not None]


def _with_same_kinds(backwards: Sequence[_BranchGradient]) -> list[bool]:
    """Let the branches return gradients of the same kinds; which of them are IndexedSlices.

    A dense gradient becomes slices of all rows where another branch has slices; then indices are of one dtype.
    """
    kinds = []
    for column in zip(*(b.results for b in backwards), strict=True):
        sliced = [isinstance(g, IndexedSlices) for g in column]
        kinds.append(any(sliced))
        if not any(sliced):
            continue
        wide = any(is_slices and g.indices.dtype is dtypes.int64 for is_slices, g in zip(sliced, column, strict=True))
        for backward, grad in zip(backwards, column, strict=True):
            with backward.as_default():
                backward.results[len(kinds) - 1] = _slices(grad, dtypes.int64 if wide else dtypes.int32)
    for backward in backwards:
        backward.outputs = [part for g in backward.results for part in _parts(g)]
    return kinds


def _slices(grad: Any, dtype: Any) -> IndexedSlices:
    """A gradient as IndexedSlices with all of their parts, the indices of a dtype."""
    cast = builder("cast")
    if not isinstance(grad, IndexedSlices):
        shape = builder("shape")(grad)
        grad = IndexedSlices(grad, builder("range")(shape[0]), shape)
    dense_shape = grad.dense_shape
    if dense_shape is None:
        raise ValueError(f"The slices {grad} have no dense shape")
    return IndexedSlices(grad.values, cast(grad.indices, dtype), dense_shape)


def _zeros(x: Tensor, argument: Tensor) -> Tensor:
    """The gradient of an input that no result depends on; in the shape of the variable, if it is a handle."""
    if x.dtype is not dtypes.resource:
        made: Tensor = builder("zeros_like")(x)
        return made
    dtype, _ = handle_data(argument) or (dtypes.float32, None)
    return builder("zeros")(lookup("VariableShape")(x), dtype)


def _return_intermediates(node: Operation, backwards: Sequence[_BranchGradient]) -> None:
    """Let the node return what the gradients of its branches need; a branch that has fewer of them returns no value."""
    count = max(len(b.intermediates) for b in backwards)
    if not count:
        return
    references = []
    for backward in backwards:
        forward = backward.forward
        with forward.as_default(), forward.control_dependencies(None):
            forward.outputs += backward.intermediates
            forward.outputs += [optional_none_op() for _ in range(count - len(backward.intermediates))]
        references.append(rewritten(node, forward))
    if node.definition.calls == "case":
        node.attrs["branches"] = references
    else:
        node.attrs["then_branch"], node.attrs["else_branch"] = references
    node.attrs["Tout"] = [*node.attrs["Tout"], *[dtypes.variant] * count]
    add_outputs(node, [dtypes.variant] * count, [TensorShape([])] * count)
    # What the copy of the first branch does not know goes unsaid, as in the original.
    node.attrs["output_shapes"] = [
        inside.shape if inside.shape.ndims is None else t.shape
        for t, inside in zip(node.outputs, backwards[0].forward.outputs, strict=True)
    ]


def _outside(node: Operation, forward: FuncGraph, tensor: Tensor) -> Tensor:
    """What the graph of a node has for a tensor that the gradient of a branch uses."""
    if tensor.graph is not forward:
        return tensor
    for i, argument in enumerate(forward.inputs):
        if argument is tensor:
            return node._inputs[1 + i]
    return node.outputs[next(i for i, result in enumerate(forward.outputs) if result is tensor)]

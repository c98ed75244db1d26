"""Gradients of calls of functions.

The gradient of a body is a body of its own, built in a graph around which the forward body stands: what it uses of the
forward pass comes in as captures. The forward node is changed to hand these values out.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import lookup
from ossia_core.differentiate.autodiff import gradients, is_trainable
from ossia_core.graph.composites import IndexedSlices
from ossia_core.graph.inference import inferred_shapes
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, nest
from ossia_core.names.shapes import UNKNOWN_SHAPE
from ossia_core.plugins.api_table import provides
from ossia_core.primitives.variable_ops import handle_data
from ossia_functions import library, ops
from ossia_functions.derivatives import add_outputs, call_of_gradients, forward_body, register, tell_handles
from ossia_functions.func_graph import FuncGraph


class _Derivative:
    """A body and the body of its gradient, under construction.

    Attributes:
      forward: a copy of the function's body.
      backward: the graph of its gradient.
      starts: the placeholders of the results' gradients, by position of the result.
      found: the gradients of the arguments, tensors or IndexedSlices, None where there is none.
    """

    def __init__(self, node: Operation, results: Sequence[int]) -> None:
        self.forward = forward = _forward(node)
        self.backward = backward = FuncGraph(library.unique_name(f"{forward.name}_grad"), forward)
        backward.gradient_source = call_of_gradients()
        self.starts: dict[int, Tensor] = {}
        with backward.as_default():
            for i in results:
                result = forward.outputs[i]
                dtype, shape = result.dtype, result.shape
                if dtype is dtypes.resource:
                    dtype, shape = handle_data(result) or (dtypes.float32, UNKNOWN_SHAPE)
                self.starts[i] = backward.placeholder(dtype, shape, None)
            wanted = [t for t in forward.inputs if is_trainable(t)]
            ys = [forward.outputs[i] for i in results]
            made = gradients(ys, wanted, grad_ys=list(self.starts.values())) if ys and wanted else [None] * len(wanted)
            convert = builder("convert_to_tensor")
            by_input = {
                t: g if g is None or isinstance(g, IndexedSlices) else convert(g)
                for t, g in zip(wanted, made, strict=True)
            }
        self.found: list[Any] = [by_input.get(t) for t in forward.inputs]


def _forward(node: Operation) -> FuncGraph:
    """A copy of the body that a node calls, with what is known of the arguments and of what follows from it."""
    made = forward_body(node, node.attrs["f"], [t.shape for t in node._inputs])
    tell_handles(made, node._inputs)
    if any(t.dtype is dtypes.resource for t in made.inputs):
        for op in made._operations:
            for tensor, shape in zip(op.outputs, inferred_shapes(op) or (), strict=False):
                if shape.is_compatible_with(tensor._shape):
                    tensor._shape = tensor._shape.merge_with(shape)
    return made


def _is_stateful(body: FuncGraph) -> bool:
    return any(op.definition.stateful for op in body._operations)


def _identities(tensors: Sequence[Tensor]) -> list[Tensor]:
    identity = lookup("Identity")
    return [identity(t) for t in tensors]


@provides("ossia_functions", "call_gradient")
def call_gradient(node: Operation, *grads: Any) -> Any:
    """The gradient of a call: the function's own, else a SymbolicGradient node."""
    by_name = node.definition.calls == "call_by_name"
    name = node.type if by_name else node.attrs["f"].name
    function = node.graph._functions.get(name)
    if function is None:
        raise LookupError(f"No gradient defined for operation '{node.name}': there is no function {name!r}")
    if function.gradient is not None and (by_name or "_gradient_op_type" in node.attrs):
        return function.gradient(node, *grads)
    if not by_name and any(t.dtype is dtypes.resource for t in node._inputs):
        return traced_call_gradient(node, *grads)
    reference = library.reference(name)
    for key, value in node.node_def.attr.items():
        reference.attr[key].CopyFrom(value)
    zeros = builder("zeros_like")
    starts = [zeros(t) if g is None else g for t, g in zip(node.outputs, grads, strict=True)]
    made = ops.symbolic_gradient_op(
        [*node._inputs, *starts], Tout=[t.dtype.base_dtype for t in node._inputs], f=reference
    )
    return [g if is_trainable(x) else None for x, g in zip(node._inputs, made, strict=True)]


def traced_call_gradient(node: Operation, *grads: Any) -> Any:
    """The gradient of a PartitionedCall: a call of the backward function, with what the forward function kept."""
    wanted = tuple(i for i, g in enumerate(grads) if g is not None and is_trainable(node.outputs[i]))
    kept = _kept(node).get(wanted)
    if kept is None:
        reference = node.attrs["f"]
        function = library.find(node.graph, reference)
        made = _Derivative(node, wanted)
        positions = [i for i, g in enumerate(made.found) if g is not None]
        backward, forward = made.backward, made.forward
        sources = backward.external_captures
        with backward.as_default():
            flat = nest.flatten([made.found[i] for i in positions], expand_composites=True)
            backward.outputs = _identities(flat)
        backward.structured_outputs = nest.pack_sequence_as(
            [made.found[i] for i in positions], backward.outputs, expand_composites=True
        )
        standing = [backward.captures[t] for t in sources]
        backward.inputs = [*made.starts.values(), *standing]
        base = function.name.removeprefix("__inference_").removeprefix("__forward_")
        forward_name = library.unique_name(f"__forward_{base.rpartition('_')[0] or base}")
        backward_name = library.unique_name(f"__inference___backward_{base}")
        further = [t for t in sources if all(t is not result for result in forward.outputs)]
        forward.outputs = [*forward.outputs, *further]
        for body, name, key, other in (
            (forward, forward_name, "backward_function_name", backward_name),
            (backward, backward_name, "forward_function_name", forward_name),
        ):
            register(node.graph, body, name, {key: other.encode()}).gradient = traced_call_gradient
        node.attrs["f"] = library.reference(forward_name)
        node.attrs["Tout"] = [*node.attrs["Tout"], *(t.dtype.base_dtype for t in further)]
        new = add_outputs(node, [t.dtype for t in further], [t.shape for t in further])
        for tensor, source in zip(new, further, strict=True):
            data = handle_data(source) if source.dtype is dtypes.resource else None
            if data is not None:
                tensor._handle_data = data  # type: ignore[attr-defined]
        given = {source: out for out, source in zip(node.outputs, forward.outputs, strict=True)}
        kept = _kept(node)[wanted] = backward, positions, [given[t] for t in sources]
    backward, positions, added = kept
    library.add(builder("get_default_graph")(), builder("get_default_graph")()._functions[backward.name])
    definition = ops.stateful_partitioned_call_op if _is_stateful(backward) else ops.partitioned_call_op
    outs = definition(
        [*(grads[i] for i in wanted), *added], Tout=[t.dtype.base_dtype for t in backward.outputs],
        f=library.reference(backward.name), config_proto=CONFIG,
    )
    outs = outs if isinstance(outs, list) else []
    if outs:
        outs[0].op._set_attr("_gradient_op_type", f"PartitionedCall-{backward.name.rpartition('_')[2]}".encode())
    found: list[Any] = [None] * len(node._inputs)
    for out, result in zip(outs, backward.outputs, strict=True):
        out.set_shape(result.shape)
    gradients_of = nest.pack_sequence_as(backward.structured_outputs, outs, expand_composites=True)
    for position, gradient in zip(positions, gradients_of, strict=True):
        found[position] = gradient
    return found


def _kept(node: Operation) -> dict[tuple, Any]:
    """What was made for the gradients of a node before, by the results that had gradients."""
    found: dict[tuple, Any] = node.__dict__.setdefault("_derivatives", {})
    return found


CONFIG = b"\n\x07\n\x03CPU\x10\x01\n\x07\n\x03GPU\x10\x002\x02J\x008\x01"

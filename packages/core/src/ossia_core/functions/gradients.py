"""Gradients of calls, conditionals and loops of functions.

The gradient of a body is a body of its own, built in a graph around which the forward body stands: what it uses of the
forward pass comes in as captures. The forward node is changed to hand these values out; a loop keeps them in lists, one
element per iteration.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core import dtypes
from ossia_core.autodiff import gradients, is_trainable, zeros_of
from ossia_core.builders import builder
from ossia_core.functions import library, ops
from ossia_core.functions.func_graph import FuncGraph
from ossia_core.functions.function_def import body_graph, function_def
from ossia_core.functions.library import Function
from ossia_core.functions.lists import empty_tensor_list_op, tensor_list_pop_back_op, tensor_list_push_back_op
from ossia_core.graph.inference import inferred_shapes
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import gradients_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.opdef import lookup
from ossia_core.primitives.source import const_op
from ossia_core.primitives.variable_ops import handle_data
from ossia_core.shapes import UNKNOWN_SHAPE, TensorShape


class _Derivative:
    """A body and the body of its gradient, under construction.

    Attributes:
      forward: a copy of the function's body.
      backward: the graph of its gradient.
      starts: the placeholders of the results' gradients, by position of the result.
      found: the gradients of the arguments, None where there is none.
    """

    def __init__(self, function: Function, node: Operation, attrs: dict[str, Any], arguments: Sequence[Tensor],
                 results: Sequence[int]) -> None:
        self.forward = forward = _forward(function, node, attrs, arguments)
        self.backward = backward = FuncGraph(library.unique_name(f"{function.name}_grad"), forward, constants=True)
        backward.gradient_source = _call_of_gradients()
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
            by_input = {t: None if g is None else convert(g) for t, g in zip(wanted, made, strict=True)}
        self.found: list[Tensor | None] = [by_input.get(t) for t in forward.inputs]

    def fill_in(self, position: int) -> None:
        """Zeros for an argument that the results do not depend on."""
        with self.backward.as_default():
            self.found[position] = zeros_of(self.forward.inputs[position])


def _forward(function: Function, node: Operation, attrs: dict[str, Any], arguments: Sequence[Tensor]) -> FuncGraph:
    """A fresh copy of a function's body, with what is known of the arguments."""
    made = body_graph(function.definition, attrs, node.graph, [t.shape for t in arguments])
    known = [handle_data(t) if t.dtype is dtypes.resource else None for t in arguments]
    if any(data is not None for data in known):
        for placeholder, data in zip(made.inputs, known, strict=True):
            if data is not None:
                placeholder._handle_data = data  # type: ignore[attr-defined]
        for op in made._operations:
            for tensor, shape in zip(op.outputs, inferred_shapes(op) or (), strict=False):
                if shape.is_compatible_with(tensor._shape):
                    tensor._shape = tensor._shape.merge_with(shape)
    return made


def _register(graph: Any, body: FuncGraph, name: str, attrs: dict[str, Any] | None = None) -> Function:
    body.name = name
    made = Function(function_def(body, name, attrs), body)
    library.add(graph, made)
    return made


def _add_outputs(node: Operation, types: Sequence[Any], shapes: Sequence[TensorShape]) -> list[Tensor]:
    """Give a node further outputs."""
    added = []
    for dtype, shape in zip(types, shapes, strict=True):
        tensor = Tensor(node, len(node.outputs), dtype)
        tensor._shape = shape
        node.outputs.append(tensor)
        added.append(tensor)
        node.__dict__.setdefault("_for_gradients", set()).add(tensor.value_index)
    node.graph.modified()
    return added


def _is_stateful(body: FuncGraph) -> bool:
    return any(op.definition.stateful for op in body._operations if op.type != "Placeholder")


def _identities(tensors: Sequence[Tensor]) -> list[Tensor]:
    identity = lookup("Identity")
    return [identity(t) for t in tensors]


# -- calls ----------------------------------------------------------------------------------------------


def call_gradient(node: Operation, *grads: Any) -> Any:
    """The gradient of a call: the function's own, else a SymbolicGradient node."""
    by_name = node.definition.calls == "call_by_name"
    name = node.type if by_name else node.attrs["f"].name
    function = node.graph._functions.get(name)
    if function is None:
        raise LookupError(f"No gradient defined for operation '{node.name}': there is no function {name!r}")
    if function.gradient is not None:
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
    wanted = tuple(i for i, g in enumerate(grads) if g is not None)
    kept = _kept(node).get(wanted)
    if kept is None:
        reference = node.attrs["f"]
        function = library.find(node.graph, reference)
        made = _Derivative(function, node, dict(reference.attr), node._inputs, wanted)
        positions = [i for i, g in enumerate(made.found) if g is not None]
        backward, forward = made.backward, made.forward
        sources = backward.external_captures
        with backward.as_default():
            backward.outputs = _identities([made.found[i] for i in positions])  # type: ignore[misc]
        standing = [backward.captures[t] for t in sources]
        backward.inputs = [*made.starts.values(), *standing]
        base = function.name.removeprefix("__inference_").removeprefix("__forward_")
        forward_name = library.unique_name(f"__forward_{base}")
        backward_name = library.unique_name(f"__inference___backward_{base}")
        forward.outputs = [*forward.outputs, *sources]
        _register(node.graph, forward, forward_name, {"backward_function_name": backward_name.encode()})
        _register(node.graph, backward, backward_name, {"forward_function_name": forward_name.encode()})
        node.attrs["f"] = library.reference(forward_name)
        node.attrs["Tout"] = [*node.attrs["Tout"], *(t.dtype.base_dtype for t in sources)]
        added = _add_outputs(node, [t.dtype for t in sources], [t.shape for t in sources])
        for tensor, source in zip(added, sources, strict=True):
            data = handle_data(source) if source.dtype is dtypes.resource else None
            if data is not None:
                tensor._handle_data = data  # type: ignore[attr-defined]
        kept = _kept(node)[wanted] = backward, positions, added
    backward, positions, added = kept
    library.add(builder("get_default_graph")(), builder("get_default_graph")()._functions[backward.name])
    definition = ops.stateful_partitioned_call_op if _is_stateful(backward) else ops.partitioned_call_op
    outs = definition(
        [*(grads[i] for i in wanted), *added], Tout=[t.dtype.base_dtype for t in backward.outputs],
        f=library.reference(backward.name), config_proto=CONFIG,
    )
    outs = outs if isinstance(outs, list) else []
    found: list[Any] = [None] * len(node._inputs)
    for position, out, result in zip(positions, outs, backward.outputs, strict=True):
        out.set_shape(result.shape)
        found[position] = out
    return found


def _kept(node: Operation) -> dict[tuple, Any]:
    """What was made for the gradients of a node before, by the results that had gradients."""
    found: dict[tuple, Any] = node.__dict__.setdefault("_derivatives", {})
    return found


def _call_of_gradients() -> str | None:
    """The scope of the call of `gradients` in the graph around all bodies."""
    graph = builder("get_default_graph")()
    return getattr(graph, "gradient_source", None) or gradients_scope(graph.get_name_scope())


CONFIG = b"\n\x07\n\x03CPU\x10\x01\n\x07\n\x03GPU\x10\x002\x02J\x008\x01"


# -- conditionals -----------------------------------------------------------------------------------------


def _references(node: Operation) -> list[Any]:
    if node.type == "Case":
        return list(node.attrs["branches"])
    return [node.attrs["then_branch"], node.attrs["else_branch"]]


def _choice_gradient(node: Operation, *grads: Any) -> Any:
    """The gradient of If and Case: the same choice between the gradients of the branches."""
    arguments = node._inputs[1:]
    wanted = tuple(i for i, g in enumerate(grads) if g is not None)
    key = wanted, _call_of_gradients()
    kept = _kept(node).get(key)
    if kept is None:
        kept = _kept(node)[key] = _differentiated_branches(node, arguments, wanted)
    names, captured, extras, positions, shapes, types, stateful = kept
    inputs = [*(grads[i] for i in wanted), *(arguments[i] for i in captured), *(node.outputs[i] for i in extras)]
    found: list[Any] = [None] * len(node._inputs)
    if not positions:
        return found
    attrs: dict[str, Any] = {"Tout": types, "output_shapes": shapes}
    if node.type == "Case":
        outs = ops.case_op(node._inputs[0], inputs, branches=[library.reference(n) for n in names], **attrs)
    else:
        definition = ops.if_op if stateful else ops.stateless_if_op
        then, otherwise = (library.reference(n) for n in names)
        outs = definition(node._inputs[0], inputs, then_branch=then, else_branch=otherwise, **attrs)
    outs[0].op._set_attr(ops.LOWER, True)
    for position, out in zip(positions, _identities(outs), strict=True):
        found[1 + position] = out
    return found


def _differentiated_branches(node: Operation, arguments: Sequence[Tensor], results: Sequence[int]) -> tuple:
    branches = []
    for reference in _references(node):
        function = library.find(node.graph, reference)
        branches.append(_Derivative(function, node, dict(reference.attr), arguments, results))
    positions = [i for i in range(len(arguments)) if any(b.found[i] is not None for b in branches)]
    for branch in branches:
        for i in positions:
            if branch.found[i] is None:
                branch.fill_in(i)
    # What the gradients take: arguments of the node, and values that one branch made.
    captured = sorted({b.forward.inputs.index(t) for b in branches for t in b.backward.external_captures
                       if t in b.forward.inputs})
    made = [[t for t in b.backward.external_captures if t not in b.forward.inputs] for b in branches]
    first = len(node.outputs)
    extras = list(range(first, first + sum(map(len, made))))
    names, new_names = [], []
    for number, branch in enumerate(branches):
        backward, forward = branch.backward, branch.forward
        inputs = list(branch.starts.values())
        for i in captured:
            source = forward.inputs[i]
            standing = backward.captures.get(source)
            inputs.append(backward._input(source, "unused") if standing is None else standing)
        for other, tensors in enumerate(made):
            for t in tensors:
                inputs.append(
                    backward.captures[t] if other == number else backward.placeholder(t.dtype, t.shape, "unused")
                )
        backward.inputs = inputs
        with backward.as_default():
            backward.outputs = _identities([branch.found[i] for i in positions])  # type: ignore[misc]
        names.append(backward.name)
        _register(node.graph, backward, backward.name)
        with forward.as_default():
            for other, tensors in enumerate(made):
                forward.outputs = [
                    *forward.outputs,
                    *(t if other == number else ops.fake_param_op(dtype=t.dtype, shape=t.shape) for t in tensors),
                ]
        new_names.append(library.unique_name(f"{forward.name}_rewritten"))
    types = [t.dtype.base_dtype for t in branches[0].backward.outputs]
    shapes = [
        a.shape if a.shape.is_compatible_with(b.shape) and str(a.shape) == str(b.shape) else UNKNOWN_SHAPE
        for a, b in zip(branches[0].backward.outputs, branches[-1].backward.outputs, strict=True)
    ]
    if extras:
        new = [t for tensors in made for t in tensors]
        for branch, name in zip(branches, new_names, strict=True):
            _register(node.graph, branch.forward, name)
        references = [library.reference(n) for n in new_names]
        if node.type == "Case":
            node.attrs["branches"] = references
        else:
            node.attrs["then_branch"], node.attrs["else_branch"] = references
        node.attrs["output_shapes"] = [t.shape for t in (*node.outputs, *new)]
        node.attrs["Tout"] = [*node.attrs["Tout"], *(t.dtype.base_dtype for t in new)]
        _add_outputs(node, [t.dtype for t in new], [t.shape for t in new])
    stateful = any(_is_stateful(b.backward) for b in branches)
    return names, captured, extras, positions, shapes, types, stateful


# -- loops ------------------------------------------------------------------------------------------------


def loop_gradient(node: Operation, *grads: Any) -> Any:
    """The gradient of While: a loop that runs the gradient of the body as often as the body ran."""
    internal = node.__dict__.get("_for_gradients", ())
    variables = [
        i for i, (t, g) in enumerate(zip(node.outputs, grads, strict=True))
        if is_trainable(t) and (g is not None or i not in internal)
    ]
    starts = [zeros_of(node.outputs[i]) if grads[i] is None else grads[i] for i in variables]
    key = tuple(variables), _call_of_gradients()
    kept = _kept(node).get(key)
    if kept is None:
        kept = _kept(node)[key] = _differentiated_loop(node, variables)
    counter, fixed, lists, cond_name, body_name, shapes = kept
    found: list[Any] = [None] * len(node._inputs)
    inputs = [
        node.outputs[counter], *starts, *(node._inputs[i] for i in fixed),
        *(node.outputs[i] for i in lists),
    ]
    outs = ops.while_op(
        inputs, cond=library.reference(cond_name), body=library.reference(body_name), output_shapes=shapes,
        parallel_iterations=node.attrs["parallel_iterations"], name=f"{node.name.rpartition('/')[2]}_grad",
    )
    outs[0].op._set_attr(ops.LOWER, True)
    for position, out in zip(variables, _identities(outs[1:1 + len(variables)]), strict=True):
        found[position] = out
    return found


def _differentiated_loop(node: Operation, variables: Sequence[int]) -> tuple:
    count = len(node._inputs)
    body_function = library.find(node.graph, node.attrs["body"])
    made = _Derivative(body_function, node, dict(node.attrs["body"].attr), node.outputs, variables)
    forward, backward = made.forward, made.backward
    for i in variables:
        if made.found[i] is None:
            made.fill_in(i)
    unchanged = {forward.inputs[i]: i for i in range(count) if forward.outputs[i] is forward.inputs[i]}
    captures = backward.external_captures
    fixed = [unchanged[t] for t in captures if t in unchanged]
    saved = [t for t in captures if t not in unchanged]
    for tensor in saved:
        if tensor.dtype is dtypes.resource:
            raise ValueError(f"The gradient of the loop '{node.name}' needs {tensor.name}, a resource that changes")
    # The loop counts its iterations and keeps what the gradient needs, one list per tensor.
    starts = []
    with node.graph.as_default(), node.graph.control_dependencies(None):
        starts.append(const_op(value=np.array(0, np.int32), dtype=dtypes.int32, name=f"{node.name}/grad_counter"))
        for tensor in saved:
            shape = const_op(value=_list_shape(tensor.shape), dtype=dtypes.int32, name="element_shape")
            starts.append(empty_tensor_list_op(shape, -1, element_dtype=tensor.dtype,
                                               name=f"{tensor.op.name}/accumulator"))
    with forward.as_default():
        one = const_op(value=np.array(1, np.int32), dtype=dtypes.int32, name="one")
        number = forward.placeholder(dtypes.int32, [], "iterations")
        further, following = [number], [lookup("AddV2")(number, one)]
        for tensor in saved:
            kept = forward.placeholder(dtypes.variant, [], "saved")
            further.append(kept)
            following.append(tensor_list_push_back_op(kept, tensor))
    forward.inputs, forward.outputs = [*forward.inputs, *further], [*forward.outputs, *following]
    cond_function = library.find(node.graph, node.attrs["cond"])
    cond = _forward(cond_function, node, dict(node.attrs["cond"].attr), node.outputs)
    cond.inputs = [*cond.inputs, *(cond.placeholder(t.dtype, [], "unused") for t in further)]
    for body, key in ((forward, "body"), (cond, "cond")):
        name = library.unique_name(f"{body.name}_rewritten")
        _register(node.graph, body, name)
        node.attrs[key] = library.reference(name)
    shapes = [t.shape for t in node.outputs] + [TensorShape([])] * len(starts)
    node.attrs["T"] = [*node.attrs["T"], *(t.dtype for t in starts)]
    node.attrs["output_shapes"] = shapes
    node._inputs = (*node._inputs, *starts)
    for tensor in starts:
        tensor._consumers.append(node)
    _add_outputs(node, [t.dtype for t in starts], [TensorShape([])] * len(starts))
    # The gradient of the body takes them back, last iteration first.
    with backward.as_default():
        left = backward.placeholder(dtypes.int32, [], "left")
        after = [lookup("Sub")(left, const_op(value=np.array(1, np.int32), dtype=dtypes.int32, name="one"))]
        after += _identities([made.found[i] for i in variables])  # type: ignore[misc]
        inputs = [left, *made.starts.values(), *(backward.captures[forward.inputs[i]] for i in fixed)]
        after += inputs[1 + len(variables):]
        for tensor in saved:
            kept = backward.placeholder(dtypes.variant, [], "saved")
            shape = const_op(value=_list_shape(tensor.shape), dtype=dtypes.int32, name="element_shape")
            rest, value = tensor_list_pop_back_op(kept, shape, element_dtype=tensor.dtype)
            value.set_shape(tensor.shape)
            _replace(backward, backward.captures[tensor], value)
            after = [value if t is backward.captures[tensor] else t for t in after]
            inputs.append(kept)
            after.append(rest)
    backward.inputs, backward.outputs = inputs, after
    _register(node.graph, backward, backward.name)
    test = FuncGraph(library.unique_name(f"{cond_function.name}_grad"), node.graph)
    with test.as_default():
        test.inputs = [test.placeholder(t.dtype, t.shape, None) for t in inputs]
        zero = const_op(value=np.array(0, np.int32), dtype=dtypes.int32, name="zero")
        test.outputs = [lookup("Greater")(test.inputs[0], zero)]
    _register(node.graph, test, test.name)
    gradient_shapes = [
        a.shape if str(a.shape) == str(b.shape) else UNKNOWN_SHAPE for a, b in zip(inputs, after, strict=True)
    ]
    lists = list(range(count + 1, count + 1 + len(saved)))
    return count, fixed, lists, test.name, backward.name, gradient_shapes


def _list_shape(shape: TensorShape) -> np.ndarray:
    """A shape as list ops take it: -1 where it is open."""
    if shape.ndims is None:
        return np.array(-1, np.int32)
    return np.array([-1 if d is None else d for d in shape.as_list()], np.int32)


def _replace(graph: FuncGraph, old: Tensor, new: Tensor) -> None:
    """Let all nodes take `new` in place of the placeholder `old`, which goes."""
    for op in list(dict.fromkeys(old._consumers)):
        for i, tensor in enumerate(op._inputs):
            if tensor is old:
                op._update_input(i, new)
    graph._operations.remove(old.op)
    del graph._by_name[old.op.name]


for _definition in (ops.if_op, ops.stateless_if_op, ops.case_op):
    _definition.gradient(_choice_gradient)

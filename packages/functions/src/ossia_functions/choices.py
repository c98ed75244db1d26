"""Conditionals and loops as functional ops: how bodies of functions build them, and `tf.switch_case`."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ossia_core.control.loop_variables import less_specific
from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import lookup
from ossia_core.graph.composites import IndexedSlices
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, nest
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_core.plugins.api_table import provides
from ossia_core.primitives.variable_ops import handle_data
from ossia_functions import library, ops
from ossia_functions.func_graph import FuncGraph
from ossia_functions.function_def import function_def
from ossia_functions.library import Function
from ossia_functions.tracing import (
    after_captures,
    branch_graph,
    order_effects,
    output_tensors,
    packed,
    same_inputs,
)


def _function(graph: FuncGraph) -> Any:
    """Register a body and return the reference to it."""
    if graph.orders_effects:
        graph.control_outputs = order_effects(graph._operations)
    library.add(get_default_graph(), Function(function_def(graph, graph.name), graph))
    return library.reference(graph.name)


def _check_branches(graphs: Sequence[FuncGraph], names: Sequence[str], kind: str) -> None:
    """Raise unless the branches return values of the same structure and dtypes.

    Raises:
      AssertionError: they return other numbers of values.
      TypeError: other structures or dtypes, or IndexedSlices in some of them only.
      ValueError: one of them returns None for a tensor.
    """
    first = graphs[0]
    columns = [nest.flatten(graph.structured_outputs) for graph in graphs]
    if len({len(column) for column in columns}) > 1:
        raise AssertionError([len(column) for column in columns])
    for i, leaves in enumerate(zip(*columns, strict=True)):
        if 0 < sum(isinstance(leaf, IndexedSlices) for leaf in leaves) < len(leaves):
            raise TypeError(f"Cannot reconcile {kind} {i}-th outputs:\n  branches returned: {leaves}")
    for graph, name in zip(graphs[1:], names[1:], strict=True):
        problem: Any = None
        try:
            nest.assert_same_structure(first.structured_outputs, graph.structured_outputs, expand_composites=True)
        except (TypeError, ValueError) as e:
            problem = e
        if problem is None and len(first.outputs) != len(graph.outputs):
            lengths = "".join(f"len(graphs[{i}].outputs): {len(g.outputs)}\n" for i, g in enumerate(graphs))
            node = kind.rpartition("_")[2].removeprefix("tf.")
            raise ValueError(f"Lengths of branch outputs of {node} must match.\n{lengths}")
        for a, b in zip(first.outputs, graph.outputs, strict=problem is None):
            if problem is None and a.dtype is not b.dtype:
                problem = f"{a} and {b} have different types"
        if problem is not None:
            raise TypeError(
                f"{names[0]} and {name} arguments to {kind} must have the same number, type, and overall structure of "
                f"return values.\n\n{names[0]} output: {first.structured_outputs}\n{name} output: "
                f"{graph.structured_outputs}\n\nError details:\n{problem}"
            )


def _with_equal_indices(graphs: Sequence[FuncGraph]) -> None:
    """Make the indices of IndexedSlices that the branches return int64 where they are not all int32."""
    columns = [nest.flatten(graph.structured_outputs) for graph in graphs]
    if len({len(column) for column in columns}) > 1:
        return
    uneven = {
        i for i, column in enumerate(zip(*columns, strict=True))
        if all(isinstance(leaf, IndexedSlices) for leaf in column) and len({leaf.indices.dtype for leaf in column}) > 1
    }
    for graph, column in zip(graphs, columns if uneven else (), strict=False):
        with graph.as_default():
            leaves = [
                IndexedSlices(leaf.values, builder("cast")(leaf.indices, dtypes.int64), leaf.dense_shape)
                if i in uneven else leaf for i, leaf in enumerate(column)
            ]
        graph.structured_outputs = nest.pack_sequence_as(graph.structured_outputs, leaves)
        graph.outputs = output_tensors(graph.structured_outputs)


def _common_shape(tensors: Sequence[Tensor]) -> TensorShape:
    """The most that is true of the shapes of the results of all branches."""
    dims = [t.shape.as_tuple() for t in tensors]
    if any(d is None or len(d) != len(dims[0] or ()) for d in dims) or dims[0] is None:
        return UNKNOWN_SHAPE
    return TensorShape([
        column[0] if all(size == column[0] for size in column) else None
        for column in zip(*dims, strict=True)  # type: ignore[arg-type]
    ])


def is_stateful(graph: FuncGraph) -> bool:
    """Whether a body has ops that have effects or state."""
    return any(op.definition.stateful for op in graph._operations)


@provides("ossia_functions", "cond")
def conditional(predicate: Any, true_fn: Callable, false_fn: Callable, scope: str) -> Any:
    """What `tf.cond` builds in the body of a function: an If node."""
    if isinstance(predicate, bool):
        raise TypeError("pred must not be a Python bool", predicate)
    predicate = _squeezed(convert_to_tensor(predicate))
    around = get_default_graph()._collections
    graphs = [
        branch_graph(library.unique_name(f"{scope}{label}"), fn, result_of_operation=predicate, collections=around)
        for label, fn in (("true", true_fn), ("false", false_fn))
    ]
    _with_equal_indices(graphs)
    _check_branches(graphs, ("true_fn", "false_fn"), "tf.cond")
    inputs = same_inputs(graphs)
    then, otherwise = (_function(graph) for graph in graphs)
    definition = ops.if_op if any(map(is_stateful, graphs)) else ops.stateless_if_op
    with after_captures(graphs):
        made = definition(
            predicate, inputs, Tout=[t.dtype.base_dtype for t in graphs[0].outputs], then_branch=then,
            else_branch=otherwise, output_shapes=common_shapes(graphs), name=scope,
        )
    return _results(made, graphs)


def _squeezed(predicate: Any) -> Any:
    """A predicate without the dimensions that it may have, all of which must be 1 when it is computed."""
    if not isinstance(predicate, Tensor) or predicate.shape.ndims == 0:
        return predicate
    return lookup("Squeeze")(predicate)


@provides("ossia_functions", "case")
def choice(index: Tensor, functions: Sequence[Callable], scope: str) -> Any:
    """What `tf.switch_case` builds: a Case node."""
    around = get_default_graph()._collections
    graphs = [
        branch_graph(library.unique_name(f"{scope}branch{i}"), fn, result_of_operation=index, collections=around)
        for i, fn in enumerate(functions)
    ]
    _with_equal_indices(graphs)
    _check_branches(graphs, [f"branches[{i}]" for i in range(len(graphs))], "tf.switch_case")
    inputs = same_inputs(graphs)
    branches = [_function(graph) for graph in graphs]
    with after_captures(graphs):
        made = ops.case_op(
            index, inputs, Tout=[t.dtype.base_dtype for t in graphs[0].outputs], branches=branches,
            output_shapes=common_shapes(graphs), name=scope,
        )
    return _results(made, graphs)


def common_shapes(graphs: Sequence[FuncGraph]) -> list[TensorShape]:
    """What is true of the shapes of the results in all branches."""
    return [_common_shape(column) for column in zip(*(g.outputs for g in graphs), strict=True)]


def _results(made: Any, graphs: Sequence[FuncGraph]) -> Any:
    tensors = made if isinstance(made, list) else []
    if not tensors and isinstance(made, list):
        raise IndexError("list index out of range")  # no branch returns anything
    op = tensors[0].op if tensors else made
    op._set_attr(ops.LOWER, True)
    op.graph.prevent_fetching(op)  # a run has no such node
    for tensor, source in zip(tensors, graphs[0].outputs, strict=True):
        data = handle_data(source) if source.dtype is dtypes.resource else None
        if data is not None:
            tensor._handle_data = data
    identity = lookup("Identity")
    if graphs[0].structured_outputs is None:
        return op
    return packed(graphs[0].structured_outputs, [identity(t) for t in tensors])


@provides("ossia_functions", "while_loop")
def loop(
    cond: Callable, body: Callable, loop_vars: Any, shape_invariants: Any, parallel_iterations: int,
    maximum_iterations: Any, name: str | None, return_same_structure: bool,
) -> Any:
    """What `tf.while_loop` builds in the body of a function: a While node."""
    from ossia_core.control.loop_variables import convert_leaf, flat_invariants
    if shape_invariants is not None:
        nest.assert_same_structure(loop_vars, shape_invariants, expand_composites=False)
    is_sequence = isinstance(loop_vars, (list, tuple))
    flat = [convert_leaf(v) for v in nest.flatten(loop_vars, expand_composites=False)]
    invariants = flat_invariants(flat, shape_invariants)
    start = [convert_to_tensor(t) for t in nest.flatten(flat, expand_composites=True)]
    shapes = [t.shape if s is None else s for t, s in zip(start, invariants, strict=True)]
    with name_scope(name, "while") as scope:
        outs = _while(cond, body, loop_vars, start, shapes, parallel_iterations, maximum_iterations, scope)
    made = packed(loop_vars, outs)
    if is_sequence and len(loop_vars) == 1 and not return_same_structure:
        return made[0]
    return made


def _while(
    cond: Callable, body: Callable, loop_vars: Any, start: list[Tensor], shapes: list[TensorShape],
    parallel_iterations: int, maximum_iterations: Any, scope: str,
) -> list[Tensor]:
    """The tensors of the loop variables, after a While node that starts with those given."""
    is_sequence = isinstance(loop_vars, (list, tuple))
    limit = constant(-1, dtype=dtypes.int32, name="maximum_iterations") if maximum_iterations is None else (
        builder("cast")(maximum_iterations, dtypes.int32) if isinstance(maximum_iterations, Tensor)
        else convert_to_tensor(maximum_iterations, dtypes.int32, "maximum_iterations")
    )
    counter = constant(0, dtype=dtypes.int32, name="loop_counter")

    def arguments(graph: FuncGraph) -> tuple:
        graph.inputs = [
            graph.placeholder(dtypes.int32, [], counter.op.name), graph.placeholder(dtypes.int32, [], limit.op.name),
            *(graph.placeholder(t.dtype, s, "placeholder") for t, s in zip(start, shapes, strict=True)),
        ]
        for tensor, placeholder in zip(start, graph.inputs[2:], strict=True):
            data = handle_data(tensor) if tensor.dtype is dtypes.resource else None
            if data is not None:
                placeholder._handle_data = data  # type: ignore[attr-defined]
        structure = packed(loop_vars, graph.inputs[2:])
        return graph.inputs[0], graph.inputs[1], structure

    def call(fn: Callable, structure: Any) -> Any:
        return fn(*structure) if is_sequence else fn(structure)

    def wrapped_cond(count: Tensor, most: Tensor, structure: Any) -> Any:
        holds = _squeezed(call(cond, structure))
        if maximum_iterations is None:
            return holds
        return lookup("LogicalAnd")(lookup("Less")(count, most), holds)

    def wrapped_body(count: Tensor, most: Tensor, structure: Any) -> Any:
        result = call(body, structure)
        if is_sequence:
            result = list(result) if nest.is_sequence(result) else [result]
        if is_sequence:
            nest.assert_same_structure(result, list(loop_vars), expand_composites=True)
        return lookup("AddV2")(count, 1, name="add"), most, result

    around = get_default_graph()._collections
    test = branch_graph(library.unique_name(f"{scope}cond"), wrapped_cond, arguments, collections=around)
    again = branch_graph(library.unique_name(f"{scope}body"), wrapped_body, arguments, collections=around)
    fixed = 2 + len(start)
    for graph, label, count in ((test, "cond", 1), (again, "body", fixed)):
        if len(graph.outputs) != count:
            raise AssertionError(f"{label}_graph has {len(graph.outputs)} outputs; Expected: {count}")
    for tensor, result, shape in zip(start, again.outputs[2:], shapes, strict=True):
        if result.dtype.base_dtype is not tensor.dtype.base_dtype:
            raise TypeError(
                f"Loop var {tensor.name} enters the loop with type {tensor.dtype!s} but has type {result.dtype!s} "
                "after 1 iteration."
            )
        if not less_specific(result.shape, shape):
            raise ValueError(
                f"Input tensor '{tensor.name}' enters the loop with shape {shape}, but has shape {result.shape} after "
                "one iteration. To allow the shape to vary across iterations, use the `shape_invariants` argument of "
                "tf.while_loop to specify a less-specific shape."
            )
    captured = list(dict.fromkeys([*test.external_captures, *again.external_captures]))
    for graph in (test, again):
        kept = graph.inputs[:fixed]
        for tensor in captured:
            known = graph.captures.get(tensor)
            if known is None:
                known = graph.captures[tensor] = graph._input(tensor, tensor.op.name)
            kept.append(known)
        graph.inputs = kept
    again.outputs = [*again.outputs, *again.inputs[fixed:]]
    inputs = [counter, limit, *start, *captured]
    condition, iteration = _function(test), _function(again)
    with after_captures((test, again)):
        made = ops.while_op(
            inputs, cond=condition, body=iteration, parallel_iterations=parallel_iterations,
            output_shapes=[TensorShape([]), TensorShape([]), *shapes, *(t.shape for t in captured)], name=scope,
        )
    made[0].op._set_attr(ops.LOWER, True)
    made[0].op._set_attr("_num_original_outputs", len(made))
    identity = lookup("Identity")
    outs = [identity(t) for t in made]
    for tensor, end, out in zip(inputs, made, outs, strict=True):
        data = handle_data(tensor) if tensor.dtype is dtypes.resource else None
        if data is not None:
            end._handle_data = out._handle_data = data
    return outs[2:fixed]

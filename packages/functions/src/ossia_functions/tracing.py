"""Python functions traced to bodies: what they build, with what must run in every call put in order."""
from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ossia_core.declare.opdef import lookup
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, nest
from ossia_core.variables.scope import get_variable_scope
from ossia_functions.func_graph import FuncGraph


def branch_graph(
    name: str, fn: Callable, args: Sequence[Any] | Callable = (), result_of_operation: Tensor | None = None,
    collections: dict[Any, list] | None = None,
) -> FuncGraph:
    """The body that `fn(*args)` builds, with `outputs` and `structured_outputs`.

    Args:
      name: the function's name.
      fn: the Python function.
      args: tensors of the body, or a callable that makes them in it.
      result_of_operation: what stands for a result that is an operation.
      collections: collections of the graph around it that the body adds to; copies of them if None.
    """
    graph = FuncGraph(name, collections=collections)
    with graph.as_default(), resource_variables():
        values = args(graph) if callable(args) else args
        result = fn(*values)
        graph.structured_outputs = nest.map_structure(
            lambda leaf: _result(graph, fn, leaf, result_of_operation), result, expand_composites=True
        )
    graph.outputs = output_tensors(graph.structured_outputs)
    return graph


def output_tensors(structure: Any) -> list[Tensor]:
    """The tensors of what a body returns; of an array, its flow."""
    return [getattr(t, "flow", t) for t in nest.flatten(structure, expand_composites=True) if t is not None]


@contextlib.contextmanager
def resource_variables() -> Iterator[None]:
    """A context in which new variables are resource variables: bodies can use no others."""
    scope = get_variable_scope()
    before = scope.use_resource
    scope.set_use_resource(True)
    try:
        yield
    finally:
        scope.set_use_resource(before)


def _result(graph: FuncGraph, fn: Callable, leaf: Any, result_of_operation: Tensor | None) -> Any:
    if leaf is None:
        return None
    if isinstance(leaf, Operation) and result_of_operation is not None:
        with graph.control_dependencies([leaf]):
            return lookup("Identity")(result_of_operation)
    return returned_tensor(graph, fn, leaf)


def returned_tensor(graph: FuncGraph, fn: Callable, leaf: Any) -> Any:
    """What a Python function returns in one place, as a tensor or TensorArray of its body.

    Raises:
      TypeError: it is no tensor.
    """
    if hasattr(leaf, "with_flow"):
        return leaf.with_flow(graph.capture(leaf.flow))
    try:
        return graph.capture(convert_to_tensor(leaf))
    except (TypeError, ValueError):
        raise TypeError(
            "To be compatible with tf.contrib.eager.defun, Python functions must return zero or more Tensors; in "
            f"compilation of {fn}, found return value of type {type(leaf)}, which is not a Tensor."
        ) from None


def order_effects(operations: Sequence[Operation]) -> list[Operation]:
    """Let ops that touch one resource run in the order in which they were built; returns what must run in a call."""
    last: dict[Tensor, Operation] = {}
    must: dict[Operation, None] = {}
    previous: Operation | None = None
    for op in operations:
        if not op.definition.stateful or op.definition.unordered:
            continue
        must[op] = None
        resources = [t for t in op._inputs if t.dtype is dtypes.resource]
        before = {last[t]: None for t in resources if t in last}
        if not resources and previous is not None:
            before[previous] = None
        before = {b: None for b in before if b not in op._control_inputs and all(t.op is not b for t in op._inputs)}
        if before:
            op._add_control_inputs(list(before))
        for t in resources:
            last[t] = op
        if not resources:
            previous = op
    return list(must)


def same_inputs(graphs: Sequence[FuncGraph]) -> list[Tensor]:
    """Give all bodies the same inputs, in the same order; returns the outer tensors that they are."""
    return matched_inputs(graphs, [graph.external_captures for graph in graphs])


def matched_inputs(graphs: Sequence[FuncGraph], given: Sequence[Sequence[Tensor]]) -> list[Tensor]:
    """Give all bodies the same inputs, in the same order.

    Args:
      graphs: the bodies.
      given: for each, the outer tensors that its inputs are.

    Returns:
      The outer tensors that the inputs are now.
    """
    outer = list(dict.fromkeys(t for tensors in given for t in tensors))
    for graph, tensors in zip(graphs, given, strict=True):
        known = dict(zip(tensors, graph.inputs, strict=True))
        graph.inputs = [known[t] if t in known else graph._input(t, None) for t in outer]
    return outer


def after_captures(graphs: Sequence[FuncGraph]) -> Any:
    """A context for the node that calls bodies: it waits for what they wait for."""
    return control_dependencies([item for graph in graphs for item in graph.control_captures])


def packed(structure: Any, tensors: Sequence[Tensor]) -> Any:
    """`tensors` in the structure of a body's results, None where it has no value."""
    rest = iter(tensors)
    leaves = nest.flatten(structure, expand_composites=True)
    items = [
        None if leaf is None else leaf.with_flow(next(rest)) if hasattr(leaf, "with_flow") else next(rest)
        for leaf in leaves
    ]
    return nest.pack_sequence_as(structure, items, expand_composites=True)

"""`tf.while_loop`, and the gradients of the ops that it is made of."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.control.control_ops import (
    enter,
    enter_op,
    exit_op,
    leave,
    next_iteration_op,
    ref_enter_op,
    ref_exit_op,
    ref_next_iteration_op,
)
from ossia_core.control.loop_variables import check_invariants, loop_limit
from ossia_core.control.while_context import WhileContext
from ossia_core.declare.builders import functional
from ossia_core.declare.opdef import lookup
from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.composites import IndexedSlices
from ossia_core.graph.convert import constant
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import nest, switches
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public


@public("while_loop")
def while_loop(
    cond: Callable,
    body: Callable,
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
    maximum_iterations: Any = None,
    return_same_structure: bool = False,
) -> Any:
    """Repeat `body` while `cond` is true.

    Args:
      cond: takes the loop variables, returns a boolean scalar tensor.
      body: takes the loop variables, returns their next values in the same structure.
      loop_vars: initial values: tensors, composites, TensorArrays, nested.
      shape_invariants: shapes that hold in every iteration, in the structure of `loop_vars`; their initial shapes if
          None.
      parallel_iterations: iterations that may run at once.
      back_prop: whether gradients may flow through.
      swap_memory: whether values kept for the gradient may move to other memory.
      name: name scope of the ops made.
      maximum_iterations: the most iterations to run.
      return_same_structure: whether a single loop variable comes back in its structure.

    Returns:
      The loop variables after the last iteration.

    Raises:
      TypeError: `cond` or `body` is not callable, or `parallel_iterations` no positive integer.
      ValueError: no loop variables, or shapes that change without an invariant.
    """
    if not callable(cond):
        raise TypeError("cond must be callable.")
    if not callable(body):
        raise TypeError("body must be callable.")
    if parallel_iterations < 1:
        raise TypeError("parallel_iterations must be a positive integer.")
    if get_default_graph().building_function or switches.control_flow_v2_enabled():
        return functional("while_loop")(
            cond, body, loop_vars, shape_invariants, parallel_iterations, maximum_iterations, name,
            return_same_structure,
        )
    with name_scope(name, "while", nest.flatten(loop_vars, expand_composites=True) if loop_vars else None):
        if not loop_vars:
            raise ValueError("No loop variables provided")
        maximum_iterations = loop_limit(maximum_iterations)
        if maximum_iterations is not None:
            cond, body, loop_vars = _counted(cond, body, loop_vars, maximum_iterations, return_same_structure)
            if shape_invariants is not None:
                shape_invariants = (TensorShape([]), shape_invariants)
        if shape_invariants is not None:
            nest.assert_same_structure(loop_vars, shape_invariants, expand_composites=False)
            check_invariants(loop_vars, shape_invariants)
        context = WhileContext(maximum_iterations, parallel_iterations, back_prop, swap_memory)
        if context.outer_context is None:
            get_default_graph().add_to_collection(GraphKeys.WHILE_CONTEXT, context)
        result = context.build_loop(cond, body, loop_vars, shape_invariants, return_same_structure)
        return result if maximum_iterations is None else result[1]


def _counted(cond: Callable, body: Callable, loop_vars: Any, most: Tensor, return_same_structure: bool) -> Any:
    """The loop with a counter in front of its variables, which ends it after `most` iterations."""
    counter = constant(0, dtype=most.dtype, name="iteration_counter")
    less, both, add = lookup("Less"), lookup("LogicalAnd"), lookup("AddV2")
    if len(loop_vars) == 1 and not return_same_structure:
        return (
            lambda i, lv: both(less(i, most), cond(lv)),
            lambda i, lv: (add(i, 1, name="add"), body(lv)),
            (counter, loop_vars[0]),
        )
    return (
        lambda i, lv: both(less(i, most), cond(*lv)),
        lambda i, lv: (add(i, 1, name="add"), body(*lv)),
        (counter, loop_vars),
    )


def _exit_gradient(node: Operation, grad: Any) -> Any:
    context = node._control_flow_context
    current = get_default_graph()._control_flow_context
    if not current.back_prop:
        return None
    if context.grad_state is not None:
        raise TypeError("Second-order gradient for while loops not supported.")
    if not isinstance(grad, Tensor):
        raise TypeError(f"Type {type(grad)} not supported, must be either Tensor or IndexedSlices")
    current.AddName(grad.name)
    with current:
        result = enter(grad, current.name, False, current.parallel_iterations, name="b_exit")
        current.loop_enters.append(result)
    return result


def _enter_gradient(node: Operation, grad: Any) -> Any:
    current = get_default_graph()._control_flow_context
    if current is None or not current.back_prop or current.grad_state is None:
        return grad
    if node.attrs["is_constant"]:
        from ossia_core.control.loop_accumulators import accumulate, accumulate_slices

        return (
            accumulate_slices(current, node, grad)
            if isinstance(grad, IndexedSlices)
            else accumulate(current, node, grad)
        )
    result = leave(grad)
    current.loop_exits.append(result)
    current.ExitResult([result])
    return result


for _definition in (exit_op, ref_exit_op):
    _definition.gradient(_exit_gradient)
for _definition in (enter_op, ref_enter_op):
    _definition.gradient(_enter_gradient)
for _definition in (next_iteration_op, ref_next_iteration_op):
    _definition.gradient(lambda node, grad: grad)

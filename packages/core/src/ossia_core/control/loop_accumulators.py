"""Gradients of loop invariants: sums over the iterations of the gradient loop."""
from __future__ import annotations

import contextlib
from typing import Any

from ossia_core.control.control_ops import enter, leave, merge, next_iteration, switch
from ossia_core.control.while_context import WhileContext
from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import lookup
from ossia_core.graph.composites import IndexedSlices
from ossia_core.graph.convert import constant
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor


def zeros(shape: Any, dtype: Any) -> Tensor:
    """Zeros of a shape that may be known in a run only."""
    return builder("zeros")(shape, dtype)


def inside(context: Any) -> Any:
    """A context manager that enters a control-flow context, if there is one."""
    return contextlib.nullcontext() if context is None else context


def accumulate(loop: WhileContext, op: Operation, grad: Tensor) -> Tensor:
    """The sum of `grad` over all iterations of the gradient loop `loop`, for the loop invariant that enters through
    `op`."""
    loop.Exit()
    start = _start(loop, op, grad)
    loop.Enter()
    loop.AddName(start.name)
    entered = enter(start, loop.name, False, loop.parallel_iterations, name="b_acc")
    loop.loop_enters.append(entered)
    merged = merge([entered, entered], name="b_acc")[0]
    false, true = switch(merged, loop.pivot)
    merged.op._update_input(1, next_iteration(lookup("Add")(true, grad)))
    result = leave(false, name="b_acc")
    loop.loop_exits.append(result)
    loop.ExitResult([result])
    return result


def _start(loop: WhileContext, op: Operation, grad: Tensor) -> Tensor:
    """Zeros of the gradient's shape, which is only asked for in full if no iteration runs."""
    outer = loop.outer_context
    if grad.shape.is_fully_defined():
        with inside(outer):
            return constant(0, grad.dtype, shape=grad.shape.as_list(), name="b_acc")
    value = op._inputs[0]
    if isinstance(outer, WhileContext) and outer.grad_state is not None:
        forward = loop.grad_state.forward_context
        with forward.outer_context:
            shape = lookup("Shape")(value)
        state = loop.grad_state.outer_grad_state
        history = state.save(shape)
        with outer:
            return zeros(state.restore(history, shape), grad.dtype)
    with inside(outer):
        return zeros(lookup("Shape")(value), grad.dtype)


def accumulate_slices(loop: WhileContext, op: Operation, grad: IndexedSlices) -> IndexedSlices:
    """All rows of `grad` over the iterations, one after the other."""
    loop.Exit()
    outer = loop.outer_context
    concat = lookup("ConcatV2")
    dims = grad.values.shape.as_list() if grad.values.shape.is_fully_defined() else None
    with inside(outer):
        if dims is not None:
            values = constant(0, grad.values.dtype, shape=[1, *dims[1:]], name="b_acc")
        else:
            rest = lookup("Shape")(op._inputs[0])[1:]  # type: ignore[index]
            values = zeros(concat([[1], rest], 0, name="concat"), grad.values.dtype)
        indices = constant([0], grad.indices.dtype)
        shape = None
        if grad.dense_shape is not None:
            if grad.dense_shape.shape.is_fully_defined():
                shape = constant(0, grad.dense_shape.dtype, shape=grad.dense_shape.shape.as_list())
            else:
                shape = lookup("ZerosLike")(
                    lookup("Shape")(op._inputs[0], out_type=grad.dense_shape.dtype), name="zeros_like"
                )
    loop.Enter()
    starts = [indices, values] + ([] if shape is None else [shape])
    for t in starts:
        loop.AddName(t.name)
    enters = [enter(t, loop.name, False, loop.parallel_iterations, use_input_shape=False, name="b_acc") for t in starts]
    enters[0].set_shape([None])
    if values.shape.ndims is not None:
        enters[1].set_shape([None, *values.shape.as_list()[1:]])
    loop.loop_enters.extend(enters)
    merges = [merge([t, t], name="b_acc")[0] for t in enters]
    switches = [switch(t, loop.pivot) for t in merges]
    following = [
        concat([s[1], new], 0, name="concat") for s, new in zip(switches[:2], [grad.indices, grad.values], strict=True)
    ]
    if shape is not None:
        following.append(lookup("Maximum")(grad.dense_shape, switches[2][1]))
    for merged, value in zip(merges, [next_iteration(t) for t in following], strict=True):
        merged.op._update_input(1, value)
    exits = [leave(s[0], name="b_acc") for s in switches]
    loop.loop_exits.extend(exits)
    loop.ExitResult(exits)
    return IndexedSlices(exits[1], exits[0], None if shape is None else exits[2])

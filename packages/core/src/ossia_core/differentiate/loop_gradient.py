"""Differentiating through loops: a gradient loop per loop, and stacks that carry values from one to the other."""
from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from ossia_core.control.cond_context import CondContext
from ossia_core.control.context import (
    control_trigger,
    is_constant_enter,
    is_loop_exit,
    is_switch,
    output_context,
    while_context_of,
)
from ossia_core.control.control_ops import next_iteration, switch_ref_or_tensor
from ossia_core.control.loop_accumulators import inside, zeros
from ossia_core.control.while_context import WhileContext
from ossia_core.declare.language import CONST, ENTER, SWITCH
from ossia_core.declare.opdef import lookup
from ossia_core.graph.convert import constant
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import colocate_with, control_dependencies
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.primitives.identity import identity_op, ref_identity_op


def is_loop_switch(op: Operation) -> bool:
    """Whether a Switch belongs to a loop, not to a branch inside one."""
    context = op._control_flow_context
    return is_switch(op) and context is not None and context.IsWhileContext() and not _is_cond_switch(op)


def _is_cond_switch(op: Operation) -> bool:
    # A branch's Switch lies outside of the branch; its consumers lie inside.
    for output in op.outputs:
        for consumer in output._consumers:
            context = consumer._control_flow_context
            if consumer.definition.role is ENTER:
                context = context.outer_context
            if context is None or not context.IsCondContext():
                return False
    return True


class GradState:
    """One loop that is being differentiated: the loop, its gradient loop, and the values saved between them."""

    def __init__(self, forward: WhileContext, outer_state: GradState | None) -> None:
        self.outer_grad_state = outer_state
        self.forward_context = forward
        self.history_map: dict[str, Tensor] = {}
        self.switch_map: dict[Operation, Tensor] = {}
        self.unused_exits: list[Tensor] = []
        self.deferred_exits: list[Tensor] = []
        self.forward_loop_exits = list(forward.loop_exits)
        self.pending_exits_count = len(forward.loop_exits)
        self.grad_context: WhileContext
        self._grad_sync: Operation | None = None
        self._forward_sync: Operation | None = None
        outer = outer_state.forward_context if outer_state is not None else forward.outer_context
        with inside(outer):
            count, self.forward_index = forward.add_forward_counter(outer_state)
        if outer_state is not None:
            outer.AddName(count.name)  # type: ignore[union-attr]
            history = outer_state.save(count)
            with outer_state.grad_context:
                self.grad_context = self._gradient_loop(forward)
                count = outer_state.restore(history, count)
                self.grad_index = self.grad_context.add_backward_counter(count, outer_state)
        else:
            with inside(outer):
                self.grad_context = self._gradient_loop(forward)
                self.grad_index = self.grad_context.add_backward_counter(count, None)

    def _gradient_loop(self, forward: WhileContext) -> WhileContext:
        return WhileContext(
            forward.maximum_iterations,
            forward.parallel_iterations,
            forward.back_prop,
            forward.swap_memory,
            forward.name,
            self,
        )

    @property
    def grad_sync(self) -> Operation:
        """A node before the end of each iteration of the gradient loop."""
        if self._grad_sync is None:
            with control_dependencies(None):
                self._grad_sync = control_trigger("b_sync")
            self._grad_sync._control_flow_context = self.grad_context
            self.grad_index.op._add_control_input(self._grad_sync)
            if self.grad_context.outer_context is not None:
                self.grad_context.outer_context.AddInnerOp(self._grad_sync)
        return self._grad_sync

    @property
    def forward_sync(self) -> Operation:
        """A node before the end of each iteration of the loop."""
        if self._forward_sync is None:
            with control_dependencies(None):
                self._forward_sync = control_trigger("f_sync")
            self._forward_sync._control_flow_context = self.forward_context
            self.forward_index.op._add_control_input(self._forward_sync)
        return self._forward_sync

    def save(self, value: Tensor, dead_branch: bool = False) -> Tensor:
        """Push `value` on a stack in each iteration of the loop; returns the stack."""
        current = get_default_graph()._control_flow_context
        with control_dependencies(None):
            with inside(current), colocate_with(value):
                size = constant(-1, dtypes.int32)
                stack = lookup("StackV2")(size, elem_type=value.dtype.base_dtype, name="f_acc")
            entered = self.forward_context.AddValue(stack)
            context = output_context(value.op)
            swap = self.forward_context.swap_memory
            push_op = lookup("StackPushV2")
            if context is self.forward_context:
                with self.forward_context:
                    push = push_op(entered, value, swap_memory=swap)
                self.forward_index.op._add_control_input(push.op)
            else:
                if not isinstance(context, CondContext):
                    raise TypeError(f"value_ctxt is not a CondContext: {context}")
                if dead_branch:
                    with context.outer_context:
                        push = push_op(entered, value, swap_memory=swap)
                    push.op._control_flow_context = context
                else:
                    with context:
                        push = push_op(entered, value, swap_memory=swap)
                self.forward_sync._add_control_input(push.op)
            push.op._add_control_input(self.forward_index.op._inputs[0].op)
        return stack

    def restore(self, stack: Tensor, value: Tensor, dead_branch: bool = False) -> Tensor:
        """Pop what `save` pushed, last first, in each iteration of the gradient loop."""
        home = stack.op._control_flow_context
        branch_context = None
        context = value.op._control_flow_context
        while context is not None and context is not home:
            if isinstance(context, CondContext):
                branch_context = context
                break
            context = context.outer_context
        with control_dependencies(None), self.grad_context:
            if branch_context is not None:
                # What was pushed in one branch is popped only if that branch was taken.
                state: GradState | None = self
                pred = None
                while pred is None and state is not None:
                    pred = state.history_map.get(branch_context.pred.name)
                    state = state.outer_grad_state
                branch = 1 - branch_context.branch if dead_branch else branch_context.branch
                stack = switch_ref_or_tensor(stack, branch_context.pred if pred is None else pred)[branch]
            popped = lookup("StackPopV2")(stack, elem_type=value.dtype.base_dtype)
            popped.set_shape(value.shape)
        if self.grad_context.parallel_iterations > 1:
            self.grad_sync._add_control_input(popped.op)
        return popped

    def real_value(self, value: Tensor) -> Tensor:
        """A value of the loop, as the gradient loop sees it."""
        known = self.history_map.get(value.name)
        if known is not None:
            return known
        found, current, state = None, value, self
        while True:
            source = _constant_enter(current)
            if source is not None:
                # A loop invariant needs no saving.
                current = source._inputs[0]
                if state.outer_grad_state is None:
                    found = self.grad_context.AddValue(current)
                    break
                state = state.outer_grad_state
            elif current.op.definition.role is CONST:
                found = constant(current.op.attrs["value"], dtype=current.dtype)
                break
            else:
                self.grad_context.Exit()
                history = state.save(current)
                self.grad_context.Enter()
                break
        if found is None:
            found = state.restore(history, current)
            if state is not self:
                found = self.grad_context.AddValue(found)
        self.history_map[value.name] = found
        return found

    def real_predicate(self, pred: Tensor) -> Tensor:
        """The predicate of a branch inside the loop, as it was in the iteration that is differentiated."""
        known = self.history_map.get(pred.name)
        if known is None:
            self.grad_context.Exit()
            history = self.save(pred)
            self.grad_context.Enter()
            known = self.history_map[pred.name] = self.restore(history, pred)
        return known


_PASSING = (identity_op, ref_identity_op)


def _constant_enter(value: Tensor) -> Operation | None:
    op = value.op
    while op.definition.role is SWITCH or op.definition in _PASSING:
        op = op._inputs[0].op
    return op if is_constant_enter(op) else None


class LoopGradients:
    """All loops of one call of `gradients`."""

    is_switch = staticmethod(is_loop_switch)

    def __init__(self) -> None:
        self._states: dict[Any, GradState] = {}

    def state_of(self, op: Operation, before: bool) -> GradState | None:
        """The state of the loop that a node belongs to; an Exit lies outside of its loop `before` its gradient is
        made."""
        if before and is_loop_exit(op):
            context = op._control_flow_context.outer_context
            context = context.GetWhileContext() if context is not None else None
        else:
            context = while_context_of(op)
        return self._states.get(context) if context is not None else None

    def enter(self, op: Operation, before: bool) -> None:
        """Make the gradient loop of the node's loop the context of the graph."""
        state = self.state_of(op, before)
        if state is not None:
            state.grad_context.Enter()

    def leave(self, op: Operation, before: bool) -> None:
        """Undo `enter`."""
        state = self.state_of(op, before)
        if state is not None:
            state.grad_context.Exit()

    def add(self, op: Operation, between: dict[Operation, None], order: list[Operation]) -> None:
        """Differentiate the loop that the Exit `op` leaves, with all of its exits."""
        forward = while_context_of(op)
        if forward is None:
            raise ValueError(
                f"Node '{op.name}' leaves a loop whose structure is not known; import it with "
                "tf.train.import_meta_graph"
            )
        state = self._states.get(forward)
        if state is None:
            outer = forward.outer_context
            outer = outer.GetWhileContext() if outer is not None else None
            state = self._states[forward] = GradState(forward, self._states.get(outer) if outer is not None else None)
        for exit_ in state.forward_loop_exits:
            if exit_.op not in between:
                between[exit_.op] = None
                order.append(exit_.op)

    def unused_exits(self, pending: dict[Operation, int], targets: set[Operation]) -> list[Tensor]:
        """Exits that no gradient will reach, of loops that have no other."""
        found: list[Tensor] = []
        for state in self._states.values():
            for exit_ in state.forward_loop_exits:
                if pending[exit_.op] == 0:
                    state.pending_exits_count -= 1
                    if exit_.op not in targets:
                        state.unused_exits.append(exit_)
                    if state.pending_exits_count == 0:
                        found.extend(state.unused_exits)
            for entered in state.forward_context.loop_enters:
                if pending[entered.op] == 0:
                    pending[entered.op] = 1
        return found

    def exit_ready(self, exit_: Tensor, has_grads: Callable[[Operation], bool]) -> list[tuple[Tensor, bool]]:
        """Note that an exit's gradient is complete; once all are, the exits to visit and whether each needs a zero
        gradient."""
        state = self.state_of(exit_.op, before=False)
        if state is None:
            return [(exit_, False)]
        state.deferred_exits.append(exit_)
        state.pending_exits_count -= 1
        if state.pending_exits_count:
            return []
        found = []
        for y in state.deferred_exits:
            if has_grads(y.op):
                found.append((y, False))
            else:
                state.unused_exits.append(y)
        any_grad = bool(found)
        return found + [(y, any_grad) for y in state.unused_exits]

    def zeros_like_for_exit(self, value: Tensor) -> Tensor:
        """Zeros for an exit that no gradient reaches."""
        forward = value.op._control_flow_context
        outer = forward.outer_context
        outer = outer.GetWhileContext() if outer is not None else None
        state = self._states.get(outer) if outer is not None else None
        known = value.shape.is_fully_defined()
        if state is None:
            return (
                zeros(value.shape.as_list(), value.dtype) if known else lookup("ZerosLike")(value, name="zeros_like")
            )
        if known:
            with state.grad_context:
                return zeros(value.shape.as_list(), value.dtype)
        with forward.outer_context:
            shape = lookup("Shape")(value)
        history = state.save(shape)
        with state.grad_context:
            return zeros(state.restore(history, shape), value.dtype)

    def zeros_like(self, op: Operation, index: int) -> Tensor | None:
        """Zeros for an output that no gradient reaches; None for a loop's Switch, which does without."""
        if is_loop_switch(op):
            return None
        dead_branch = is_switch(op)
        forward = while_context_of(op)
        state = self._states.get(forward) if forward is not None else None
        if state is None:
            from ossia_core.differentiate.autodiff import zeros_like_output
            return zeros_like_output(op, index)
        context = op._control_flow_context
        value = op.outputs[index]
        if value.shape.is_fully_defined():
            result = constant(0, shape=value.shape.as_list(), dtype=value.dtype.base_dtype)
            if dead_branch:
                result = switch_ref_or_tensor(result, state.history_map.get(context.pred.name))[1 - context.branch]
            return result
        if dead_branch:
            with context.outer_context:
                value = switch_ref_or_tensor(op._inputs[0], context.pred)[1 - context.branch]
                shape = lookup("Shape")(value)
            value.op._control_flow_context = context
            shape.op._control_flow_context = context
        else:
            with context:
                shape = lookup("Shape")(value)
        state.grad_context.Exit()
        history = state.save(shape, dead_branch)
        state.grad_context.Enter()
        return zeros(state.restore(history, shape, dead_branch), value.dtype.base_dtype)

    def finish(self) -> None:
        """Loop variables whose next value does not depend on them get zero gradients from the second iteration on."""
        for state in self._states.values():
            for merged in state.switch_map.values():
                first, second = merged.op._inputs
                if first is not second:
                    continue
                if first.shape.is_fully_defined():
                    with state.grad_context:
                        zero = constant(0, dtype=first.dtype, shape=first.shape.as_list())
                        following = next_iteration(zero)
                else:
                    with inside(state.grad_context.outer_context):
                        zero = zeros(lookup("Shape")(first.op._inputs[0]), first.dtype)
                    with state.grad_context:
                        following = next_iteration(zero)
                merged.op._update_input(1, following)


def loop_gradients(between: dict[Operation, None], colocate: bool) -> LoopGradients | None:
    """The loops among the ops `between` ys and xs, to which all of their exits are added; None if there are none."""
    found: LoopGradients | None = None
    order = list(between)
    for op in order:
        if is_loop_exit(op):
            found = found or LoopGradients()
            with colocate_with(op) if colocate else contextlib.nullcontext():
                found.add(op, between, order)
    return found


def check_initial_values(between: dict[Operation, None], sources: list[Operation]) -> None:
    """Refuse a gradient made in a loop that would leave it by way of the values that the loop starts with.

    Raises:
      ValueError: there is a path into a loop among the ops `between`, and none out of it.
    """
    around, inside = [], get_default_graph()._control_flow_context
    while inside is not None:
        around.append(inside)
        inside = inside.outer_context
    if not around:
        return
    left = {op._inputs[0].op._control_flow_context for op in between if is_loop_exit(op)}
    for op in between:
        context = op._control_flow_context
        if is_loop_switch(op) and context in around and context not in left:
            source = next((op for op in sources if op in between), op)
            raise ValueError(
                f"Cannot compute gradient inside while loop with respect to op '{source.name}'. We do not support "
                "taking the gradient wrt or through the initial value of a loop variable. Gradients can be computed "
                "through loop invariants or wrt the input parameters to the loop body."
            )

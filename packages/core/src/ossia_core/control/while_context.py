"""The context of a loop: a value from outside enters it through an Enter, made the first time it is used."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ossia_core.control.context import (
    ControlFlowContext,
    check_input,
    is_constant_enter,
    is_loop_exit,
    output_context,
    while_context_of,
)
from ossia_core.control.control_ops import (
    enter,
    leave,
    loop_cond_op,
    merge,
    next_iteration,
    switch,
    switch_ref_or_tensor,
)
from ossia_core.control.loop_variables import (
    add_back_edge,
    convert_leaf,
    enforce_shape,
    flat_invariants,
    less_specific,
    pack,
)
from ossia_core.declare.opdef import lookup
from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import nest
from ossia_core.names.shapes import TensorShape
from ossia_core.primitives.identity import identity


class WhileContext(ControlFlowContext):
    """A loop, or the gradient loop of one."""

    def __init__(
        self, maximum_iterations: Any = None, parallel_iterations: int = 10, back_prop: bool = True,
        swap_memory: bool = False, name: str = "while_context", grad_state: Any = None,
    ) -> None:
        if not isinstance(parallel_iterations, int) or parallel_iterations <= 0:
            raise ValueError(f"`parallel_iterations` must be a positive integer: {parallel_iterations}")
        super().__init__()
        self._name = self.graph.unique_name(name)
        self._maximum_iterations = maximum_iterations
        self._parallel_iterations = parallel_iterations
        self._back_prop = back_prop
        self._swap_memory = swap_memory
        self._grad_state = grad_state
        self._pivot_for_pred: Tensor | None = None
        self._pivot_for_body: Tensor | None = None
        self._pivot: Tensor | None = None
        self._loop_enters: list[Tensor] = []
        self._loop_exits: list[Tensor] = []

    @property
    def maximum_iterations(self) -> Any:
        """The most iterations allowed, None for any number."""
        return self._maximum_iterations

    @property
    def parallel_iterations(self) -> int:
        """Iterations that may run at once."""
        return self._parallel_iterations

    @property
    def back_prop(self) -> bool:
        """Whether gradients may flow through."""
        return self._back_prop

    @property
    def swap_memory(self) -> bool:
        """Whether values kept for the gradient may move to other memory."""
        return self._swap_memory

    @property
    def pivot(self) -> Any:
        """The loop's condition."""
        return self._pivot

    @property
    def loop_enters(self) -> list[Tensor]:
        """The loop variables as they enter."""
        return self._loop_enters

    @property
    def loop_exits(self) -> list[Tensor]:
        """The loop variables as they leave."""
        return self._loop_exits

    @property
    def grad_state(self) -> Any:
        """The gradient state, if this is a gradient loop."""
        return self._grad_state

    def GetWhileContext(self) -> WhileContext:
        """This loop."""
        return self

    def GetControlPivot(self) -> Tensor | None:
        """A tensor that has a value in every iteration."""
        return self._pivot_for_pred if self._pivot_for_body is None else self._pivot_for_body

    def to_proto(self, export_scope: str | None = None) -> Any:
        """The WhileContextDef; None where the context lies outside of `export_scope`."""
        from ossia_core.control import context_protos
        return context_protos.to_proto(self, export_scope)

    @staticmethod
    def from_proto(proto: Any, import_scope: str | None = None) -> Any:
        """The context of a CondContextDef or WhileContextDef whose nodes are in the default graph."""
        from ossia_core.control import context_protos
        return context_protos.from_proto(proto, import_scope)

    def IsWhileContext(self) -> bool:
        """True."""
        return True

    def AddValue(self, val: Tensor) -> Tensor:
        """A constant Enter for `val`, unless it is known here; in a gradient loop, the value saved by the forward
        loop."""
        if val.name in self._values or val.op._control_flow_context is self:
            return self._external_values.get(val.name, val)
        self._values.add(val.name)
        gradient_loop = get_default_graph()._control_flow_context
        gradient_loop = gradient_loop.GetWhileContext() if gradient_loop is not None else None
        if gradient_loop is not None and gradient_loop.grad_state is not None:
            forward = while_context_of(val.op)
            if is_loop_exit(val.op):
                forward = forward.outer_context if forward is not None else None
                forward = forward.GetWhileContext() if forward is not None else None
            if forward is not None and forward is gradient_loop.grad_state.forward_context:
                real = gradient_loop.grad_state.real_value(val)
                self._external_values[val.name] = real
                return real
        result = val if self._outer_context is None else self._outer_context.AddValue(val)
        with control_dependencies(None):
            entered = enter(result, self._name, True, self._parallel_iterations)
            entered.graph.prevent_feeding(entered)
            if self._outer_context is not None:
                self._outer_context.AddInnerOp(entered.op)
        self._fix_enters([entered])
        self._values.add(entered.name)
        self._external_values[val.name] = entered
        return entered

    def AddOp(self, op: Operation) -> None:
        """Inputs come in through Enters; what would run without the loop waits for its pivot."""
        if op.definition.describes_shape and not op.definition.has_list_input:
            # In a gradient loop, the shape is taken in the forward loop and saved, not the whole value.
            current = get_default_graph()._control_flow_context
            loop = current.GetWhileContext() if current is not None else None
            if loop is not None and loop.grad_state is not None:
                source = op._inputs[0].op
                if while_context_of(source) is loop.grad_state.forward_context:
                    context = source._control_flow_context
                    op._control_flow_context = context
                    context._take(op)
                    return
        self._take(op)

    def _take(self, op: Operation) -> None:
        if not op._inputs:
            kept, dropped = self._drop_external_controls(op)
            if not kept:
                op._add_control_input(self.GetControlPivot().op)  # type: ignore[union-attr]
        else:
            self._replace_inputs(op)
            _, dropped = self._drop_external_controls(op)
            if not op._control_inputs and all(is_constant_enter(t.op) for t in op._inputs):
                op._add_control_input(self.GetControlPivot().op)  # type: ignore[union-attr]
        self._values.update(t.name for t in op.outputs)
        if dropped:
            # A control input from outside comes in as a value.
            with control_dependencies(None), self:
                op._add_control_inputs([lookup("Identity")(c.outputs[0]).op for c in dropped if c.outputs])
        self._hide(op)

    def _fix_enters(self, enters: Iterable[Tensor]) -> None:
        """Enter nodes keep those control inputs that are in force outside of the loop."""
        graph = get_default_graph()
        for entered in enters:
            op = entered.op
            kept = []
            outer_loop = None if self._outer_context is None else self._outer_context.GetWhileContext()
            for control in graph._control_dependencies_for_inputs([op._inputs[0].op]):
                context = output_context(control)
                outer = self._outer_context
                while outer is not context and outer is not None and outer is not outer_loop:
                    outer = outer.outer_context
                if outer is context:
                    kept.append(control)
            op._control_flow_context = self
            op._add_control_inputs(kept)
            for scope in graph._in_force.controls:
                scope.seen.add(op)

    # -- building -----------------------------------------------------------------------------------------

    def build_loop(
        self, pred: Callable, body: Callable, loop_vars: Any, shape_invariants: Any, return_same_structure: bool
    ) -> Any:
        """Build condition and body and return the loop variables after the loop."""
        flat = [convert_leaf(v) for v in nest.flatten(loop_vars, expand_composites=False)]
        invariants = flat_invariants(flat, shape_invariants)
        tensors = nest.flatten(flat, expand_composites=True)
        with self:
            result, exits = self._build(pred, body, loop_vars, tensors, invariants)
        packed = pack(result, exits)
        if return_same_structure:
            return packed
        return packed[0] if len(exits) == 1 else packed

    def _build(
        self,
        pred: Callable,
        body: Callable,
        structure: Any,
        tensors: list[Tensor],
        invariants: list[TensorShape | None],
    ) -> Any:
        outer = self._outer_context
        self._initialize(tensors)
        real = tensors if outer is None else [outer.AddValue(t) for t in tensors]
        with control_dependencies(None):
            enters = [
                enter(t, self._name, False, self._parallel_iterations, use_input_shape=shape is None)
                for t, shape in zip(real, invariants, strict=True)
            ]
            for entered in enters:
                entered.graph.prevent_feeding(entered)
                if outer is not None:
                    outer.AddInnerOp(entered.op)
        pivot = None
        context = outer
        while context is not None and pivot is None:
            pivot, context = context.GetControlPivot(), context.outer_context
        if pivot is not None:
            for entered in enters:
                if is_constant_enter(entered.op._inputs[0].op):
                    entered.op._add_control_input(pivot.op)
        for source, entered, shape in zip(real, enters, invariants, strict=True):
            if shape is not None:
                if not less_specific(source.shape, shape):
                    raise ValueError(
                        f"The shape invariant specified for {source.name} is not compatible with the initial shape of "
                        f"the loop variable. It enters the loop with shape {source.shape}, but the specified shape "
                        f"invariant is {shape}."
                    )
                entered.set_shape(shape)
        self._fix_enters(enters)
        self._initialize(enters)
        self._loop_enters = enters
        merges = [merge([t, t])[0] for t in enters]
        self._pivot_for_pred = merges[0]
        condition = convert_to_tensor(pred(*pack(structure, merges)))
        self._pivot = loop_cond_op(condition, name="LoopCond")
        switches = [switch_ref_or_tensor(t, self._pivot) for t in merges]
        inside = [_identity(s[1]) for s in switches]
        self._pivot_for_body = inside[0]
        result = self._body_result(body, pack(structure, inside))
        flat = [convert_leaf(leaf) for leaf in nest.flatten(result, expand_composites=True)]
        if len(flat) != len(merges):
            raise ValueError(f"The loop body returned {len(flat)} values for {len(merges)} loop variables")
        following = [add_back_edge(m, v) for m, v in zip(merges, flat, strict=True)]
        exits = [leave(s[0]) for s in switches]
        self._loop_exits = exits
        for m, n in zip(merges, following, strict=True):
            enforce_shape(m, n)
        self.ExitResult(exits)
        return result, exits

    def _body_result(self, body: Callable, packed: Any) -> Any:
        summaries = GraphKeys._SUMMARY_COLLECTION
        before = len(self.graph._collections.get(summaries, ()))
        result = body(*packed)
        if not nest.is_sequence_or_composite(result):
            result = [result]
        added = self.graph._collections.get(summaries, [])[before:]
        if added:
            with control_dependencies(added):
                result = nest.map_structure(identity, result, expand_composites=True)
        nest.assert_same_structure(list(packed), list(result), expand_composites=True)
        return result

    # -- gradients ------------------------------------------------------------------------------------------

    def add_forward_counter(self, outer_state: Any) -> tuple[Tensor, Tensor]:
        """Count iterations; returns (total after the loop, the count that goes to the next iteration)."""
        start = constant(0, name="f_count")
        if outer_state is not None:
            # What an inner loop saves is ordered by the executions of the inner loop.
            start.op._add_control_input(outer_state.forward_index.op._inputs[0].op)
        with self:
            self.AddName(start.name)
            # Gradients that are taken in another loop cannot count here.
            check_input(self.graph.unique_name("f_count", mark_as_used=False), self, start, strict=True)
            entered = enter(start, self._name, False, self._parallel_iterations, name="f_count")
            self._loop_enters.append(entered)
            merged = merge([entered, entered])[0]
            false, true = switch(merged, self._pivot)
            index = lookup("Add")(true, 1)
            following = next_iteration(index)
            merged.op._update_input(1, following)
            total = leave(false, name="f_count")
            self._loop_exits.append(total)
            self.ExitResult([total])
        return total, following

    def add_backward_counter(self, count: Tensor, outer_state: Any) -> Tensor:
        """Count down from `count`: the condition of a gradient loop."""
        one = constant(1, name="b_count")
        with self:
            self.AddName(count.name)
            entered = enter(count, self._name, False, self._parallel_iterations, name="b_count")
            self._loop_enters.append(entered)
            merged = merge([entered, entered])[0]
            self._pivot_for_pred = merged
            self._pivot = loop_cond_op(lookup("GreaterEqual")(merged, one), name="b_count")
            false, true = switch(merged, self._pivot)
            index = lookup("Sub")(true, one)
            self._pivot_for_body = index
            following = next_iteration(index)
            merged.op._update_input(1, following)
            final = leave(false, name="b_count")
            self._loop_exits.append(final)
            if outer_state is not None:
                outer_state.grad_sync._add_control_input(final.op)
            self.ExitResult([final])
        return following


def _identity(data: Tensor) -> Tensor:
    return lookup("RefIdentity" if data.dtype._is_ref_dtype else "Identity")(data)

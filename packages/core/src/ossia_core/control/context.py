"""Control-flow contexts: what a branch or loop under construction does with the nodes made in it.

A value from outside enters a branch through a Switch and a loop through an Enter, made the first time it is used.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ossia_core import nest
from ossia_core.control.control_ops import (
    control_trigger_op,
    enter,
    leave,
    loop_cond_op,
    merge,
    next_iteration,
    switch,
    switch_ref_or_tensor,
)
from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.opdef import lookup
from ossia_core.shapes import TensorShape


def is_loop_exit(op: Operation) -> bool:
    """Whether a node leaves a loop."""
    return op.type in ("Exit", "RefExit")


def is_constant_enter(op: Operation) -> bool:
    """Whether a node brings a loop invariant into a loop."""
    return op.type in ("Enter", "RefEnter") and op.attrs["is_constant"]


def is_switch(op: Operation) -> bool:
    """Whether a node is a Switch."""
    return op.type in ("Switch", "RefSwitch")


def while_context_of(op: Operation) -> WhileContext | None:
    """The innermost loop that a node is built in."""
    context = op._control_flow_context
    return None if context is None else context.GetWhileContext()


def output_context(op: Operation) -> Any:
    """The context that a node's outputs belong to: outside of the loop for an Exit."""
    context = op._control_flow_context
    return context.outer_context if context is not None and is_loop_exit(op) else context


def check_input(name: str, context: Any, tensor: Tensor) -> None:
    """ValueError if a node in `context` takes a tensor from inside a loop that it is not in.

    A gradient loop may take values of its forward loop: they come through stacks.
    """
    source = output_context(tensor.op)
    if source is None or source is context:
        return
    inner = source.GetWhileContext()
    if inner is None:
        return
    loop = context.GetWhileContext() if context is not None else None
    if loop is None:
        raise ValueError(
            f"Cannot use '{tensor.op.name}' as input to '{name}' because '{tensor.op.name}' is in a while loop. See "
            "info log for more details."
        )
    if loop.grad_state is not None or inner.grad_state is not None:
        return
    while loop is not None and loop is not inner:
        loop = loop.outer_context.GetWhileContext() if loop.outer_context is not None else None
    if loop is None:
        raise ValueError(
            f"Cannot use '{tensor.op.name}' as input to '{name}' because they are in different while loops. See info "
            "log for more details."
        )


class ControlFlowContext:
    """What branches and loops have in common."""

    def __init__(self) -> None:
        self.graph = get_default_graph()
        self._outer_context: Any = self.graph._control_flow_context
        self._entered: list[Any] = []
        self._values: set[str] = set()
        self._external_values: dict[str, Tensor] = {}
        self._name = ""

    check_use = staticmethod(check_input)

    @property
    def name(self) -> str:
        """The context's unique name; of a loop, the frame's."""
        return self._name

    @property
    def outer_context(self) -> Any:
        """The context this one was made in."""
        return self._outer_context

    @property
    def grad_state(self) -> Any:
        """The state of the gradient loop this is, or is in."""
        return self._outer_context.grad_state if self._outer_context is not None else None

    @property
    def back_prop(self) -> bool:
        """Whether gradients may flow through."""
        return self._outer_context.back_prop if self._outer_context is not None else False

    def Enter(self) -> None:
        """Make this the context of the graph."""
        graph = get_default_graph()
        self._entered.append(graph._control_flow_context)
        graph._control_flow_context = self

    def Exit(self) -> None:
        """Return to the context before `Enter`."""
        get_default_graph()._control_flow_context = self._entered.pop()

    def __enter__(self) -> Any:
        self.Enter()
        return self

    def __exit__(self, *exc: Any) -> None:
        self.Exit()

    def AddName(self, name: str) -> None:
        """Note that the value of that name is known here."""
        self._values.add(name)

    def AddInnerOp(self, op: Operation) -> None:
        """Note a node of an inner context."""
        if self._outer_context is not None:
            self._outer_context.AddInnerOp(op)

    def AddValue(self, val: Tensor) -> Tensor:
        """The tensor that stands for `val` inside of this context."""
        raise NotImplementedError(f"{type(self).__name__}.AddValue")

    def AddOp(self, op: Operation) -> None:
        """Take a new node in."""
        raise NotImplementedError(f"{type(self).__name__}.AddOp")

    def ExitResult(self, result: Iterable[Tensor]) -> None:
        """Make results known to the outer context."""
        if self._outer_context is not None:
            for tensor in nest.flatten(result, expand_composites=True):
                self._outer_context.AddName(tensor.name)

    def GetWhileContext(self) -> Any:
        """The innermost loop around this context."""
        return self._outer_context.GetWhileContext() if self._outer_context is not None else None

    def GetControlPivot(self) -> Tensor | None:
        """A tensor that has a value only when the context runs."""
        return None

    def IsWhileContext(self) -> bool:
        """Whether this is a loop."""
        return False

    def IsCondContext(self) -> bool:
        """Whether this is a branch."""
        return False

    def _initialize(self, values: Iterable[Any]) -> None:
        self._values = {t.name for value in values for t in nest.flatten(value, expand_composites=True)}

    def _replace_inputs(self, op: Operation) -> None:
        for i, tensor in enumerate(op._inputs):
            if op.type in ("Merge", "RefMerge") and tensor.op.type in ("NextIteration", "RefNextIteration"):
                continue
            inside = self.AddValue(tensor)
            if inside is not tensor:
                op._update_input(i, inside)

    def _drop_external_controls(self, op: Operation) -> tuple[list[Operation], list[Operation]]:
        """Take away control inputs from outside of the loop; returns (kept, dropped)."""
        loop = self.GetWhileContext()
        if loop is None or not op._control_inputs:
            return op.control_inputs, []
        kept: list[Operation] = []
        dropped: list[Operation] = []
        for control in op._control_inputs:
            context = output_context(control)
            (kept if context is not None and context.GetWhileContext() is loop else dropped).append(control)
        if dropped:
            op._remove_all_control_inputs()
            op._add_control_inputs(kept)
        return kept, dropped

    def _hide(self, op: Operation) -> None:
        """What is inside can be neither fetched nor fed."""
        if self._outer_context is not None or not is_loop_exit(op):
            op.graph.prevent_fetching(op)
            for tensor in op.outputs:
                op.graph.prevent_feeding(tensor)
        if self._outer_context is not None:
            self._outer_context.AddInnerOp(op)


class CondContext(ControlFlowContext):
    """One branch of a `cond`."""

    def __init__(
        self, pred: Tensor | None = None, pivot: Tensor | None = None, branch: int = 0, name: str = "cond_text"
    ) -> None:
        super().__init__()
        if pred is None or pivot is None:
            return
        self._name = self.graph.unique_name(name)
        self._pred, self._pivot, self._branch = pred, pivot, branch
        self._values |= {pred.name, pivot.name}
        self._external_values[pred.name] = pred
        pivot.op._control_flow_context = self

    @property
    def pred(self) -> Tensor:
        """The predicate."""
        return self._pred

    @property
    def pivot(self) -> Tensor:
        """A tensor that has a value only in this branch."""
        return self._pivot

    @property
    def branch(self) -> int:
        """1 for the branch taken when the predicate is true, else 0."""
        return self._branch

    def IsCondContext(self) -> bool:
        """True."""
        return True

    def GetControlPivot(self) -> Tensor | None:
        """The pivot."""
        return self._pivot

    def AddValue(self, val: Tensor) -> Tensor:
        """A Switch on `val`, unless it is known here."""
        if val.name in self._values:
            return self._external_values.get(val.name, val)
        result = val
        self._values.add(val.name)
        outer = self._outer_context
        if outer is not None:
            result = outer.AddValue(val)
            self._values.add(result.name)
            self._external_values[result.name] = result
        with control_dependencies(None):
            result = switch_ref_or_tensor(result, self._pred)[self._branch]
            if outer is not None:
                outer.AddInnerOp(result.op)
        result.op.graph.prevent_fetching(result.op)
        result.op.graph.prevent_feeding(result)
        result.op._control_flow_context = self
        self._seen_by_all([result.name])
        self._external_values[val.name] = result
        return result

    def _seen_by_all(self, names: Iterable[str]) -> None:
        context: Any = self
        while context is not None:
            context._values.update(names)
            context = context.outer_context

    def AddOp(self, op: Operation) -> None:
        """Inputs come in through Switches; a node without inputs waits for the pivot."""
        self._take(op)

    def _take(self, op: Operation) -> None:
        if not op._inputs:
            self._drop_external_controls(op)
            if not any(c._control_flow_context is self for c in op._control_inputs):
                op._add_control_input(self._pivot.op)
        else:
            self._replace_inputs(op)
            self._drop_external_controls(op)
        self._seen_by_all([t.name for t in op.outputs])
        self._hide(op)

    def build_branch(self, fn: Callable[[], Any]) -> tuple[Any, list]:
        """What `fn` returns, and tensors for its leaves that have a value only in this branch."""
        from ossia_core.primitives.source import no_op
        summaries = GraphKeys._SUMMARY_COLLECTION
        before = len(self.graph._collections.get(summaries, ()))
        result = fn()
        added = self.graph._collections.get(summaries, [])[before:]
        if added:
            from ossia_core.primitives.identity import identity
            with control_dependencies(added):
                result = nest.map_structure(identity, no_op() if result is None else result)
        if result is None:
            return None, []
        tensors = [self._result(leaf) for leaf in nest.flatten(result, expand_composites=True)]
        if not isinstance(result, Operation):
            # Composites are put together again here, which takes names as in the original.
            pack(result, tensors)
        return result, tensors

    def _result(self, leaf: Any) -> Tensor:
        from ossia_core.primitives.identity import with_dependencies
        if isinstance(leaf, Operation):
            return with_dependencies([leaf], self._pivot)
        leaf = getattr(leaf, "flow", leaf)
        val = convert_to_tensor(leaf)
        if val.name in self._values:
            return self._external_values.get(val.name, val)
        self._values.add(val.name)
        real = val
        if self._outer_context is not None:
            real = self._outer_context.AddValue(val)
            self._values.add(real.name)
            self._external_values[real.name] = real
        real = switch_ref_or_tensor(real, self._pred)[self._branch]
        self._external_values[val.name] = real
        return real


class WhileContext(ControlFlowContext):
    """A loop, or the gradient loop of one."""

    def __init__(
        self, maximum_iterations: Any = None, parallel_iterations: int = 10, back_prop: bool = True,
        swap_memory: bool = False, name: str = "while_context", grad_state: Any = None,
    ) -> None:
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
        if op.type in ("Shape", "Size", "Rank"):
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
            for scope in graph._control_scopes:
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
        from ossia_core.primitives.identity import identity
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


def convert_leaf(value: Any) -> Any:
    """A loop variable as a tensor or composite; a TensorArray is its flow."""
    from ossia_core.composite import CompositeTensor
    from ossia_core.graph.convert import convert
    value = getattr(value, "flow", value)
    return value if isinstance(value, CompositeTensor) else convert(value)


def pack(structure: Any, tensors: list[Tensor]) -> Any:
    """`tensors` in the structure given; where it holds a TensorArray, one with the new flow."""
    leaves = nest.flatten(structure, expand_composites=True)
    items = [leaf.with_flow(t) if hasattr(leaf, "with_flow") else t for leaf, t in zip(leaves, tensors, strict=True)]
    return nest.pack_sequence_as(structure, items, expand_composites=True)


def flat_invariants(variables: list, shape_invariants: Any) -> list[TensorShape | None]:
    """One shape per tensor of the loop variables: given, or None for the tensor's own."""
    if shape_invariants is None:
        return [shape for v in variables for shape in own_invariants(v)]
    found: list[TensorShape | None] = []
    given = (
        nest.flatten_up_to(variables, nest.flatten(shape_invariants))
        if not isinstance(shape_invariants, list)
        else nest.flatten(shape_invariants)
    )
    for variable, shape in zip(variables, given, strict=True):
        if isinstance(variable, Tensor):
            found.append(shape if isinstance(shape, TensorShape) else TensorShape(shape))
        else:
            found.extend(composite_invariants(variable, shape))
    return found


def composite_invariants(variable: Any, shape: Any) -> list[TensorShape | None]:
    """Shapes of the parts of a SparseTensor, of whose vector of sizes `shape` is the shape, or of an IndexedSlices, of
    whose values it is."""
    from ossia_core.graph.composites import SparseTensor
    wanted = TensorShape(shape)
    own = variable.loop_invariants(wanted)
    if own is not None:
        return list(own)
    if isinstance(variable, SparseTensor):
        if wanted.ndims not in (1, None):
            raise ValueError(f"Expected a shape with 1 dimension, got {wanted}")
        rank = None if wanted.ndims is None else wanted.as_list()[0]
        return [TensorShape([None, rank]), TensorShape([None]), TensorShape([rank])]
    rows = TensorShape([None if wanted.ndims is None else wanted.as_list()[0]])
    every: list[TensorShape | None] = [wanted, rows, TensorShape([wanted.ndims])]
    return every[: len(variable.components())]


def own_invariants(variable: Any) -> list[TensorShape | None]:
    """Shapes of the parts of a loop variable for which none is given: a SparseTensor may change its number of elements.
    """
    from ossia_core.composite import CompositeTensor
    from ossia_core.graph.composites import SparseTensor
    if isinstance(variable, SparseTensor):
        return composite_invariants(variable, variable.dense_shape.shape)
    own = variable.loop_invariants() if isinstance(variable, CompositeTensor) else None
    return own if own is not None else [None] * len(nest.flatten(variable, expand_composites=True))


def less_specific(shape: TensorShape, than: TensorShape) -> bool:
    """Whether every shape that fits `shape` fits `than`."""
    wide, narrow = than.as_tuple(), shape.as_tuple()
    if wide is None:
        return True
    if narrow is None or len(narrow) != len(wide):
        return False
    return all(w is None or w == n for w, n in zip(wide, narrow, strict=True))


def enforce_shape(merged: Tensor, following: Tensor) -> None:
    """ValueError if a loop variable comes out of an iteration with a shape that it may not have."""
    if not less_specific(following.shape, merged.shape):
        source = merged.op._inputs[0].op
        raise ValueError(
            f"Input tensor '{source._inputs[0].name}' enters the loop with shape {merged.shape}, but has shape "
            f"{following.shape} after one iteration. To allow the shape to vary across iterations, use the "
            "`shape_invariants` argument of tf.while_loop to specify a less-specific shape."
        )


def add_back_edge(merged: Tensor, value: Any, check_shape: bool = True) -> Tensor:
    """Let `value` be the loop variable in the next iteration."""
    following = next_iteration(convert_to_tensor(value))
    if check_shape:
        enforce_shape(merged, following)
    merged.op._update_input(1, following)
    return following


def control_trigger(name: str) -> Operation:
    """A node that runs when its control inputs have run or been skipped."""
    return control_trigger_op(name=name)



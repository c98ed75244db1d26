"""Control-flow contexts: what a branch or loop under construction does with the nodes made in it."""
from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ossia_core.control.control_ops import (
    control_trigger_op,
)
from ossia_core.declare.language import ENTER, EXIT, MERGE, NEXT, SWITCH
from ossia_core.graph.operation import Operation
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import nest

if TYPE_CHECKING:
    from ossia_core.control.while_context import WhileContext


def is_loop_exit(op: Operation) -> bool:
    """Whether a node leaves a loop."""
    return op.definition.role is EXIT


def is_constant_enter(op: Operation) -> bool:
    """Whether a node brings a loop invariant into a loop."""
    return op.definition.role is ENTER and op.attrs["is_constant"]


def is_switch(op: Operation) -> bool:
    """Whether a node is a Switch."""
    return op.definition.role is SWITCH


def while_context_of(op: Operation) -> WhileContext | None:
    """The innermost loop that a node is built in."""
    context = op._control_flow_context
    return None if context is None else context.GetWhileContext()


def output_context(op: Operation) -> Any:
    """The context that a node's outputs belong to: outside of the loop for an Exit."""
    context = op._control_flow_context
    return context.outer_context if context is not None and is_loop_exit(op) else context


def check_input(name: str, context: Any, tensor: Tensor, strict: bool = False) -> None:
    """ValueError if a node in `context` takes a tensor from inside a loop that it is not in.

    A gradient loop may take values of its forward loop, unless `strict`: they come through stacks.
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
    if not strict and (loop.grad_state is not None or inner.grad_state is not None):
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

    def IsXLAContext(self) -> bool:
        """False: nothing here marks what is compiled."""
        return False

    def to_proto(self, export_scope: str | None = None) -> Any:
        """The CondContextDef or WhileContextDef; None where the context lies outside of `export_scope`."""
        raise NotImplementedError

    def to_control_flow_context_def(self, context_def: Any, export_scope: str | None = None) -> None:
        """Write the context into a ControlFlowContextDef."""
        made = self.to_proto(export_scope)
        if made is not None:
            (context_def.while_ctxt if self.IsWhileContext() else context_def.cond_ctxt).CopyFrom(made)

    def _initialize(self, values: Iterable[Any]) -> None:
        self._values = {t.name for value in values for t in nest.flatten(value, expand_composites=True)}

    def _replace_inputs(self, op: Operation) -> None:
        for i, tensor in enumerate(op._inputs):
            if op.definition.role is MERGE and tensor.op.definition.role is NEXT:
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


def control_trigger(name: str) -> Operation:
    """A node that runs when its control inputs have run or been skipped."""
    return control_trigger_op(name=name)

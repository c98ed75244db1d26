"""While frames: their nodes sorted into condition, body and end, and the loop that runs them. A frame through which
values only pass is no loop: its nodes run once."""
from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from ossia_core.declare.language import ENTER, EXIT, LOOP_COND, MERGE, NEXT, SWITCH
from ossia_core.graph.operation import Operation
from ossia_core.names import errors
from ossia_core.names.dtypes import engine_name
from ossia_core.primitives.state import VariableState
from ossia_core.session.compile.ordering import Frame
from ossia_core.session.compile.regions import parts_of_loop
from ossia_core.session.compile.traits import takes_value
from ossia_core.session.compile.work import Scope, Work
from ossia_core.session.run.steps import Guard, Loop

if TYPE_CHECKING:
    from ossia_core.session.compile.lowering import Lowering


def repeats(frame: Frame) -> bool:
    """Whether a frame is a loop: whether values come back to the beginning."""
    return any(
        isinstance(member, Operation) and _comes_back(member) for member in frame.members
    )


def _comes_back(op: Operation) -> bool:
    """Whether a node begins an iteration with a value of the one before."""
    return op.definition.role is MERGE and any(t.op.definition.role is NEXT for t in op._inputs)


def run_once(lowering: Lowering, frame: Frame, scope: Scope, work: list[Work]) -> None:
    """Adds the nodes of a frame without a loop to those around it; what enters and what leaves it stays as it is.

    Raises:
        InvalidArgumentError: A node takes what is not in the frame.
    """
    inside = {member for member in frame.members if isinstance(member, Operation)}
    for member in frame.members:
        if isinstance(member, Frame):
            inside.update(member.exits)
    for member in frame.members:
        if isinstance(member, Operation) and member.definition.role in (ENTER, EXIT):
            slot = lowering.slot(member._inputs[0], scope, member)
            own = lowering.guard_of(member, scope)
            if takes_value(member):
                slot = lowering.dereference(member, slot, own, scope, work)
            lowering.give(member, [slot], own, scope)
            if own:
                scope.guards[member] = own
            lowering.controls.note(member, False)
            continue
        for entering in [member] if isinstance(member, Operation) else member.enters:
            outside = [t.op for t in entering._inputs if t.op not in inside]
            if outside:
                raise errors.InvalidArgumentError(
                    None,
                    entering,
                    f"node {entering.name} has inputs from different frames. The input node {outside[0].name} is not "
                    f"in frame '{frame.name.decode(errors='replace')}'.",
                )
        lowering.member(member, scope, work)


def loop_of(lowering: Lowering, frame: Frame, scope: Scope, outer_work: list[Work]) -> Work:
    """The loop of a while frame."""
    inner = Scope(scope)
    loop = Loop()
    guard: Guard = frozenset().union(
        *(lowering.guard_of(enter, scope) for enter in frame.enters if not enter.attrs["is_constant"])
    )
    entered: dict[int, int] = {}
    for enter in frame.enters:
        source = lowering.slot(enter._inputs[0], scope, enter)
        own = lowering.guard_of(enter, scope)
        if takes_value(enter):
            source = lowering.dereference(enter, source, own, scope, outer_work)
        inner.slots[enter.outputs[0]] = _enter(source, scope, inner, entered)
        if not own <= guard:  # the loop may run without this value, and then what uses it does not
            inner.guards[enter.outputs[0]] = frozenset(
                (_enter(slot, scope, inner, entered), wanted) for slot, wanted in own - guard
            )
    loop.enters = list(entered.items())
    following: list[tuple[int, int, Operation]] = []
    parts: dict[str, list[Work]] = {"condition": [], "body": [], "end": []}
    home: dict[Any, str] = {}
    for member in frame.members:
        if isinstance(member, Operation) and _comes_back(member):
            _merge(lowering, member, inner, loop, following)
            continue
        part = home[member] = _part(member, home)
        if isinstance(member, Frame):
            home.update(dict.fromkeys(member.exits, part))
        if part == "end" and isinstance(member, Operation) and member.definition.forwards_input:
            inner.slots[member.outputs[0]] = lowering.slot(member._inputs[0], inner, member)
            continue
        lowering.member(member, inner, parts[part])
    condition, body, end = parts.values()
    predicate = next((m for m in frame.members if m.definition and m.definition.role is LOOP_COND), None)
    if predicate is None:
        raise errors.InvalidArgumentError(None, frame.enters[0], f"While frame {frame.name!r} has no LoopCond node")
    loop.predicate = inner.slots[predicate.outputs[0]]
    for merge, enter_slot, following_op in following:
        loop.merges.append((merge, enter_slot, lowering.slot(following_op._inputs[0], inner, following_op)))
    loop.condition_work, loop.body_work, loop.end_work, loop.scope = condition, body, end, inner
    loop.steps = functools.cache(lambda: parts_of_loop(loop, lowering.backends, lowering.node_of))
    loop.template = inner.template
    loop.guard = guard
    writes = []
    for leave in frame.exits:
        slot = scope.new()
        scope.borrowed.add(slot)
        loop.exits.append((lowering.slot(leave._inputs[0], inner, leave), slot))
        writes.append(slot)
        lowering.give(leave, [slot], guard, scope)
        if guard:
            scope.guards[leave] = guard
    lowering.node_of[loop] = frame.enters[0]
    reads = sorted({outer for outer, _ in loop.enters} | {slot for slot, _ in guard})
    controls: frozenset = frozenset().union(*(lowering.controls.precedents(enter) for enter in frame.enters))
    lowering.controls.note_loop([*frame.enters, *frame.exits])
    work = Work(frame.enters[0], reads, writes, loop)
    work.loop, work.controls = loop, controls
    work.blocking = min((w.blocking for w in condition + body + end if w.blocking), default=False)
    return work


def _enter(source: int, scope: Scope, inner: Scope, entered: dict[int, int]) -> int:
    """The slot inside of what is in the slot `source` outside."""
    if source in scope.constant:
        return inner.add_constant(scope.template[source])
    slot = entered.get(source)
    if slot is None:
        value = scope.template[source]
        slot = entered[source] = inner.new(value if isinstance(value, VariableState) else None)
        inner.borrowed.add(slot)
    return slot


def _merge(lowering: Lowering, op: Operation, inner: Scope, loop: Loop, following: list) -> None:
    enter = next((t for t in op._inputs if t.op.definition.role is not NEXT), None)
    if enter is None or len(op._inputs) != 2:
        raise errors.InvalidArgumentError(
            None, op, f"Merge node '{op.name}' of a while frame needs one Enter and one NextIteration input"
        )
    place, following_value = next((i, t) for i, t in enumerate(op._inputs) if t.op.definition.role is NEXT)
    if following_value.dtype.base_dtype is not op.outputs[0].dtype.base_dtype:
        raise errors.InvalidArgumentError(
            None,
            op,
            f"Input {place} of node {op.name} was passed {engine_name(following_value.dtype)} from "
            f"{following_value.name} incompatible with expected {engine_name(op.outputs[0].dtype)}.",
        )
    source = lowering.slot(enter, inner, op)
    slot, index = inner.new(), inner.new()
    inner.borrowed.add(slot)
    inner.slots[op.outputs[0]], inner.slots[op.outputs[1]] = slot, index
    if op.outputs[1]._consumers:
        loop.indices.append(index)
    following.append((slot, source, following_value.op))


def _is_switch(op: Operation) -> bool:
    """Whether a node leads into the body of a loop, and out of it."""
    return op.definition.role is SWITCH and op._inputs[1].op.definition.role is LOOP_COND


def _part(member: Any, home: dict[Any, str]) -> str:
    """When a member runs: with the `condition`, in the `body`, where it holds, or at the `end`, where it does not.

    home: the parts of the members, and exits of inner frames, before it.
    """
    found = "condition"
    for op in [member] if isinstance(member, Operation) else member.enters:
        parts = ["body" if _is_switch(c) else home.get(c, "condition") for c in op._control_inputs]
        for tensor in op._inputs:
            producer = tensor.op
            if _is_switch(producer):
                parts.append("body" if tensor.value_index else "end")
            else:
                parts.append(home.get(producer, "condition"))
        if "end" in parts:
            return "end"
        if "body" in parts:
            found = "body"
    return found

"""From nodes to steps: slots, constants, shared subexpressions, branches as guards."""
from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

import numpy as np

from ossia_core import errors
from ossia_core.backend import Backend, NumpyBackend
from ossia_core.graph.inference import grouped
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.opdef import OpDef
from ossia_core.session import failures
from ossia_core.session.controls import Controls
from ossia_core.session.folding import folded, from_static_shapes
from ossia_core.session.ordering import ENTER, EXIT, MERGE, NEXT, SWITCH, Frame
from ossia_core.session.state import SessionState
from ossia_core.session.steps import Guard, Step, kernel_step, list_step, merge_step, read_step
from ossia_core.session.traits import ALIASES, SHAPE_ONLY, is_made_late, is_plain, merge_key
from ossia_core.session.while_frames import loop_of
from ossia_core.session.work import Scope, Work

_UNGUARDED: Guard = frozenset()


class Lowering:
    """Makes the steps of a plan, frame by frame."""

    def __init__(
        self, state: SessionState, backends: Sequence[Backend], fed: set[Tensor], definitions: Set[OpDef]
    ) -> None:
        """Begin a plan of nodes with these declarations."""
        self.state, self._backends, self._fed = state, backends, fed
        self.node_of: dict[Any, Operation] = {}
        self.controls = controls = Controls()
        controls.waits = any(definition.blocking for definition in definitions)
        controls.flat = ENTER.isdisjoint([definition.type for definition in definitions])
        self.mixed = False  # whether a kernel is another backend's than NumPy's
        self._late: dict[OpDef, bool] = {}  # by declaration, what `is_made_late` says
        self._plain: dict[OpDef, bool] = {}  # and `is_plain`

    def frame(self, frame: Frame, scope: Scope) -> list[Work]:
        """The work of the root frame."""
        work: list[Work] = []
        controls, members = self.controls, frame.members
        if controls.flat and not controls.waits:
            controls.present = bool([op for op in members if op._control_inputs])  # type: ignore[union-attr]
        for member in members:
            self.member(member, scope, work)
        return work

    def member(self, member: Operation | Frame, scope: Scope, work: list[Work]) -> None:
        """Add the work of a node, or of a while frame."""
        if isinstance(member, Frame):
            work.append(loop_of(self, member, scope, work))
            return
        definition = member.definition
        plain = self._plain.get(definition)
        if plain is None:
            plain = self._plain[definition] = not self.controls.waits and is_plain(definition)
        if plain and self._plain_node(member, scope, work):
            return
        kind = member.type
        if kind in NEXT or kind in EXIT or kind in ENTER:
            return
        before = len(work)
        self._node(member, kind, scope, work)
        self.controls.note(member, len(work) > before)

    def _plain_node(self, op: Operation, scope: Scope, work: list[Work]) -> bool:
        """What `_node` does, for the many nodes that compute values from values, always; False for others."""
        if op._control_inputs or scope.guards:
            return False
        slots, constant = scope.slots, scope.constant
        ins = []
        varies = False
        for tensor in op._inputs:
            slot = slots.get(tensor)
            if slot is None or tensor.dtype._is_ref_dtype:
                return False
            if slot not in constant:
                varies = True
            ins.append(slot)
        if not varies:
            return False
        key = merge_key(op, ins)
        outs = scope.merged.get(key) if key is not None else None
        has_step = outs is None
        if outs is None:
            outs = scope.several(len(op.outputs))
            if op.definition.aliases and outs:
                _note_alias(outs, ins, scope)
            work.append(Work(op, ins, outs, None, self._made))
            if key is not None:
                scope.merged[key] = outs
        for tensor, slot in zip(op.outputs, outs):
            slots.setdefault(tensor, slot)  # a feed has its own already
        if self.controls.present:
            self.controls.note(op, has_step)
        return True

    def _node(self, op: Operation, kind: str, scope: Scope, work: list[Work]) -> None:
        if kind in MERGE:
            self._merge(op, scope, work)
            return
        ins = []
        for tensor in op._inputs:
            found = scope.slots.get(tensor)
            ins.append(self.slot(tensor, scope, op) if found is None else found)
        guard = self.guard_of(op, scope) if scope.guards else _UNGUARDED
        if guard:
            scope.guards[op] = guard
        if kind in SWITCH:
            self._switch(op, ins, guard, scope)
            return
        definition = op.definition
        if definition.resource_fn is not None:
            slots = [scope.new(definition.resource_fn(op, self.state)) for _ in op.outputs]
            scope.borrowed.update(slots)
            self.give(op, slots, guard, scope)
            return
        if kind == "Const" and type(op.attrs["value"]) is np.ndarray:
            self.give(op, [self._constant(op.attrs["value"], scope)], guard, scope)
            return
        if kind == "NoOp":
            return
        if (
            kind in ALIASES
            and not op._control_inputs
            and (kind == "RefIdentity" or not op._inputs[0].dtype._is_ref_dtype)
        ):
            self.give(op, ins, guard, scope)
            return
        if kind in SHAPE_ONLY and not guard and not op._control_inputs:
            known = from_static_shapes(op, self.state, scope)
            if known is not None:
                self.give(op, known, guard, scope)
                return
        before = len(work)
        ins = self._dereferenced(op, ins, guard, scope, work)
        if kind in ALIASES and len(work) > before and not op._control_inputs:
            self.give(op, ins, guard, scope)  # the step that takes the variable's buffer is the node's own
            return
        foldable = definition.foldable and not definition.blocking and not guard
        key = merge_key(op, ins) if foldable and not op._control_inputs else None
        if key is not None and key in scope.merged:
            self.give(op, scope.merged[key], guard, scope)
            return
        outs = folded(op, ins, self.state, scope) if foldable and ins else None
        if outs is None:
            outs = scope.several(len(op.outputs))
            if definition.aliases and outs:
                _note_alias(outs, ins, scope)
            work.append(self._work(op, ins, outs, guard))
        if key is not None:
            scope.merged[key] = outs
        self.give(op, outs, guard, scope)

    @staticmethod
    def give(op: Operation, slots: Sequence[int], guard: Guard, scope: Scope) -> None:
        known, fed = scope.slots, scope.fed
        for tensor, slot in zip(op.outputs, slots, strict=True):
            if fed and known.get(tensor) in fed:
                continue
            known[tensor] = slot
            if guard:
                scope.guards[tensor] = guard

    def _work(self, op: Operation, ins: list[int], outs: list[int], guard: Guard) -> Work:
        definition = op.definition
        work = Work(op, ins, outs, None, self._made)
        if guard:
            work.guard = guard
        if definition.blocking:
            work.blocking = True
        if op._control_inputs or self.controls.waits:
            work.controls = self.controls.precedents(op)
        late = self._late.get(definition)
        if late is None:
            late = self._late[definition] = is_made_late(definition)
        if not late:
            work.step = self._made(work)
        return work

    def _made(self, work: Work) -> Step:
        """The step of a node."""
        op, ins, outs = work.node, work.ins, work.outs
        kernel = self._kernel(op)
        definition = op.definition
        context = [0] if getattr(kernel, "needs_context", False) else []
        if definition.has_list_input or not definition.simple_outputs:
            step = list_step(
                kernel, context + grouped(definition.inputs, op.attrs, ins), grouped(definition.outputs, op.attrs, outs)
            )
        else:
            step = kernel_step(kernel, [*context, *ins], outs)
        self.node_of[step] = op
        return step

    def _kernel(self, op: Operation) -> Any:
        for backend in self._backends:
            kernel = backend.kernel(op, self.state)
            if kernel is not None:
                self.mixed = self.mixed or not isinstance(backend, NumpyBackend)
                return kernel
        raise failures.no_kernel(op)

    def slot(self, tensor: Tensor, scope: Scope, op: Any) -> int:
        slot = scope.slots.get(tensor)
        if slot is not None:
            return slot
        outer = scope.outer
        while outer is not None and tensor not in outer.slots:
            outer = outer.outer
        name = getattr(op, "name", "")
        if outer is None:
            raise errors.InvalidArgumentError(
                None, op, f"Node '{name}' takes '{tensor.name}', which does not run before it"
            )
        found = outer.slots[tensor]
        if outer.template[found] is None or found in outer.fed:
            raise errors.InvalidArgumentError(
                None, op, f"Node '{name}' takes '{tensor.name}' of another while frame without an Enter node"
            )
        slot = scope.slots[tensor] = scope.add_constant(outer.template[found])
        return slot

    @staticmethod
    def guard_of(op: Operation, scope: Scope) -> Guard:
        guard = _UNGUARDED
        guards = scope.guards
        if guards:
            for producer in (*op._inputs, *op._control_inputs):
                extra = guards.get(producer)
                if extra:
                    guard = guard | extra if guard else extra
        return guard

    @staticmethod
    def _constant(value: Any, scope: Scope) -> int:
        slot = scope.const_slots.get(id(value))
        if slot is None:
            slot = scope.const_slots[id(value)] = scope.add_constant(value)
        return slot

    def _dereferenced(self, op: Operation, ins: list[int], guard: Guard, scope: Scope, work: list[Work]) -> list[int]:
        """The inputs with variables replaced by their buffers, where the op takes values."""
        references = [i for i, tensor in enumerate(op._inputs) if tensor.dtype._is_ref_dtype]
        if not references:
            return ins
        definition = op.definition
        by_reference: set[int] = set()
        if definition.has_ref_input:
            groups = grouped(definition.inputs, op.attrs, list(range(len(ins))))
            for arg, group in zip(definition.inputs, groups, strict=True):
                if arg.is_ref:
                    by_reference.update(group if isinstance(group, list) else [group])
        ins = list(ins)
        for i in references:
            if i not in by_reference and ins[i] not in scope.fed:
                ins[i] = self.dereference(op, ins[i], guard, scope, work)
        return ins

    def dereference(self, op: Operation, slot: int, guard: Guard, scope: Scope, work: list[Work]) -> int:
        """A slot with the buffer of the variable whose state is in `slot`."""
        out = scope.new()
        scope.borrowed.add(out)
        scope.shares[out] = slot
        step = read_step(slot, out)
        self.node_of[step] = op
        read = Work(op, [slot], [out], step)
        read.op, read.is_read, read.guard, read.controls = None, True, guard, self.controls.of(op)
        work.append(read)
        return out

    # -- branches ---------------------------------------------------------------------------------------

    @staticmethod
    def _switch(op: Operation, ins: list[int], guard: Guard, scope: Scope) -> None:
        """Both outputs are the input; what differs is the guard of what uses them."""
        data, predicate = ins
        loop = op._inputs[1].op.type == "LoopCond"
        for tensor, wanted in zip(op.outputs, (False, True), strict=True):
            scope.slots[tensor] = data
            extra = guard if loop else guard | {(predicate, wanted)}
            if extra:
                scope.guards[tensor] = extra

    def _merge(self, op: Operation, scope: Scope, work: list[Work]) -> None:
        ins = [self.slot(t, scope, op) for t in op._inputs]
        guards = [scope.guards.get(t, _UNGUARDED) for t in op._inputs]
        out, index = scope.new(), scope.new()
        guard = _common_guard(guards, out)
        self.give(op, [out, index], guard, scope)
        if guard:
            scope.guards[op] = guard
        for slot in ins:
            if scope.buffer(slot) in scope.borrowed:
                scope.borrowed.add(out)
        choices = list(zip(ins, guards, strict=True))
        step = merge_step(choices, out, index)
        self.node_of[step] = op
        reads = sorted({*ins, *(slot for g in guards for slot, _ in g)})
        merged = Work(op, reads, [out, index], step)
        merged.controls = self.controls.precedents(op)
        merged.choices = choices
        work.append(merged)

def _note_alias(outs: list[int], ins: list[int], scope: Scope) -> None:
    if not ins:
        return
    for i, slot in enumerate(outs):
        if any(scope.buffer(source) in scope.borrowed or source in scope.borrowed for source in ins):
            scope.borrowed.add(slot)
        scope.shares[slot] = ins[i] if len(ins) == len(outs) else ins[0]


def _common_guard(guards: list[Guard], out: int) -> Guard:
    """When a merge has a value: always, if its inputs' guards differ in one predicate's branches only."""
    if not all(guards):
        return _UNGUARDED if not any(guards) or _UNGUARDED in guards else frozenset({(out, None)})
    if len(guards) == 2:
        a, b = guards
        only_a, only_b = a - b, b - a
        if len(only_a) == 1 and len(only_b) == 1:
            (slot_a, wanted_a), (slot_b, wanted_b) = *only_a, *only_b
            if slot_a == slot_b and wanted_a is not wanted_b:
                return a & b
    return frozenset({(out, None)})

"""From nodes to steps: slots, constants, shared subexpressions, branches as guards, while frames as loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core import dtypes, errors
from ossia_core.backend import Backend, NumpyBackend, numpy_kernel
from ossia_core.graph.inference import grouped
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.opdef import OpDef
from ossia_core.session.ordering import ENTER, EXIT, MERGE, NEXT, SWITCH, Frame
from ossia_core.session.state import SessionState
from ossia_core.session.steps import (
    Guard,
    Loop,
    Step,
    kernel_step,
    list_step,
    merge_step,
    read_step,
)
from ossia_core.session.traits import ALIASES, SHAPE_ONLY, is_made_late, is_plain, merge_key
from ossia_core.session.work import Scope, Work, in_blocks

_FOLD_ELEMENTS = 1 << 20
_UNGUARDED: Guard = frozenset()
_NOTHING: frozenset = frozenset()


class Lowering:
    """Makes the steps of a plan, frame by frame."""

    def __init__(self, state: SessionState, backends: Sequence[Backend], fed: set[Tensor]) -> None:
        self.state, self._backends, self._fed = state, backends, fed
        self.node_of: dict[Any, Operation] = {}
        self._effects: dict[Operation, frozenset] = {}
        self._held_back: dict[Operation, frozenset] = {}  # nodes without a step -> what their values must wait for
        self.mixed = False  # whether a kernel is another backend's than NumPy's
        self._waits = False  # whether steps may wait: only then do others overtake them
        self._late: dict[OpDef, bool] = {}  # by declaration, what `is_made_late` says
        self._flat = False  # whether there are no while frames, so that what a node waits for is known before it
        self._of_controls: dict[tuple[Operation, ...], frozenset] = {}
        self._controlled = True  # whether nodes wait for others whose values they do not take

    def _effect(self, op: Operation, has_step: bool) -> None:
        """Note which nodes' steps must have run for `op` to count as done."""
        if not self._controlled:
            return
        if has_step:
            self._effects[op] = frozenset((op,))
            return
        found = self._precedents(op)
        if found:
            self._held_back[op] = found
        for tensor in op._inputs:
            more = self._effects.get(tensor.op)
            if more:
                found = found | more if found else more
        self._effects[op] = found

    def _controls(self, op: Operation) -> frozenset:
        effects = self._effects
        if not self._flat:
            return frozenset().union(*[effects.get(control, _NOTHING) for control in op._control_inputs])
        # What is made under one scope has the same controls, of which there may be many.
        key = tuple(op._control_inputs)
        found = self._of_controls.get(key)
        if found is None:
            found = self._of_controls[key] = frozenset().union(*[effects.get(c, _NOTHING) for c in key])
        return found

    def _precedents(self, op: Operation) -> frozenset:
        """The nodes whose steps must run before that of `op`, beyond those whose values it reads: its own controls, and
        those of inputs that have no step."""
        found = self._controls(op) if op._control_inputs else _NOTHING
        if self._waits:
            for tensor in op._inputs:
                found |= self._held_back.get(tensor.op, _NOTHING)
        return found

    def frame(self, frame: Frame, scope: Scope) -> list[Work]:
        """The work of the root frame."""
        work: list[Work] = []
        members = frame.members
        ops = [member for member in members if isinstance(member, Operation)]
        definitions = {op.definition for op in ops}
        self._waits = any(definition.blocking for definition in definitions)
        self._flat = len(ops) == len(members)
        self._controlled = self._waits or not self._flat or bool([op for op in ops if op._control_inputs])
        plain = set() if self._waits else {definition for definition in definitions if is_plain(definition)}
        for member in members:
            if isinstance(member, Frame) or member.definition not in plain or not self._plain_node(member, scope, work):
                self._member(member, scope, work)
        return work

    def _plain_node(self, op: Operation, scope: Scope, work: list[Work]) -> bool:
        """What `_member` does, for the many nodes that compute values from values, always; False for others."""
        if op._control_inputs or scope.guards:
            return False
        slots, constant = scope.slots, scope.constant
        key: list[Any] = [op.type]
        varies = False
        for tensor in op._inputs:
            slot = slots.get(tensor)
            if slot is None or tensor.dtype._is_ref_dtype:
                return False
            if slot not in constant:
                varies = True
            key.append(slot)
        ins = key[1:]
        if not varies:
            return False
        whole = merge_key(op, key)
        merged = scope.merged
        outs = merged.get(whole) if whole is not None else None
        has_step = outs is None
        if outs is None:
            template = scope.template
            outs = []
            for _ in op.outputs:
                outs.append(len(template))
                template.append(None)
            if op.definition.aliases and outs:
                _note_alias(outs, ins, scope)
            work.append(Work(op, None, ins, outs, _UNGUARDED, make=self._made))
            if whole is not None:
                merged[whole] = outs
        for tensor, slot in zip(op.outputs, outs):
            slots.setdefault(tensor, slot)  # a feed has its own already
        if self._controlled:
            self._effect(op, has_step)
        return True

    def _member(self, member: Operation | Frame, scope: Scope, work: list[Work]) -> None:
        if isinstance(member, Frame):
            work.append(self._loop(member, scope, work))
            return
        op, kind = member, member.type
        if kind in NEXT or kind in EXIT or kind in ENTER:
            return
        before = len(work)
        self._node(op, kind, scope, work)
        self._effect(op, len(work) > before)

    def _node(self, op: Operation, kind: str, scope: Scope, work: list[Work]) -> None:
        if kind in MERGE:
            self._merge(op, scope, work)
            return
        ins = []
        for tensor in op._inputs:
            found = scope.slots.get(tensor)
            ins.append(self._slot(tensor, scope, op) if found is None else found)
        guard = self._guard(op, scope) if scope.guards else _UNGUARDED
        if guard:
            scope.guards[op] = guard
        if kind in SWITCH:
            self._switch(op, ins, guard, scope)
            return
        definition = op.definition
        if definition.resource_fn is not None:
            slots = [scope.new(definition.resource_fn(op, self.state)) for _ in op.outputs]
            scope.borrowed.update(slots)
            self._give(op, slots, guard, scope)
            return
        if kind == "Const" and type(op.attrs["value"]) is np.ndarray:
            self._give(op, [self._constant(op.attrs["value"], scope)], guard, scope)
            return
        if kind == "NoOp":
            return
        if (
            kind in ALIASES
            and not op._control_inputs
            and (kind == "RefIdentity" or not op._inputs[0].dtype._is_ref_dtype)
        ):
            self._give(op, ins, guard, scope)
            return
        if kind in SHAPE_ONLY and not guard and not op._control_inputs:
            known = self._from_static_shapes(op, scope)
            if known is not None:
                self._give(op, known, guard, scope)
                return
        before = len(work)
        ins = self._dereferenced(op, ins, guard, scope, work)
        if kind in ALIASES and len(work) > before and not op._control_inputs:
            self._give(op, ins, guard, scope)  # the step that takes the variable's buffer is the node's own
            return
        foldable = definition.foldable and not definition.blocking and not guard
        key = merge_key(op, [kind, *ins]) if foldable and not op._control_inputs else None
        if key is not None and key in scope.merged:
            self._give(op, scope.merged[key], guard, scope)
            return
        outs = self._folded(op, ins, scope) if foldable and ins else None
        if outs is None:
            outs = [scope.new() for _ in op.outputs]
            if definition.aliases and outs:
                _note_alias(outs, ins, scope)
            work.append(self._work(op, ins, outs, guard))
        if key is not None:
            scope.merged[key] = outs
        self._give(op, outs, guard, scope)

    @staticmethod
    def _give(op: Operation, slots: Sequence[int], guard: Guard, scope: Scope) -> None:
        known, fed = scope.slots, scope.fed
        for tensor, slot in zip(op.outputs, slots, strict=True):
            if fed and known.get(tensor) in fed:
                continue
            known[tensor] = slot
            if guard:
                scope.guards[tensor] = guard

    def _work(self, op: Operation, ins: list[int], outs: list[int], guard: Guard) -> Work:
        definition = op.definition
        work = Work(op, None, ins, outs, guard, definition.blocking, self._precedents(op), make=self._made)
        late = self._late.get(definition)
        if late is None:
            late = self._late[definition] = is_made_late(definition)
        if not late:
            work.step = self._made(work)
        return work

    def _made(self, work: Work) -> Step:
        """The step of a node."""
        op, ins, outs = work.node, work.reads, work.writes
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
        raise errors.UnimplementedError(None, op, f"No installed backend has a kernel for op {op.type}")

    def _slot(self, tensor: Tensor, scope: Scope, op: Any) -> int:
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
    def _guard(op: Operation, scope: Scope) -> Guard:
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
        work.append(Work(op, step, [slot], [out], guard, False, self._controls(op), is_read=True))
        return out

    def _from_static_shapes(self, op: Operation, scope: Scope) -> list[int] | None:
        """Slots of the values of a node that only asks for shapes, so that its inputs need not run; None if open."""
        stand_ins = []
        for tensor in op._inputs:
            size = tensor.shape.num_elements()
            dtype = tensor.dtype.base_dtype
            if (
                size is None
                or size > _FOLD_ELEMENTS
                or not (dtype.is_floating or dtype.is_integer or dtype is dtypes.bool)
            ):
                return None
            stand_ins.append(np.broadcast_to(np.zeros((), dtype.as_numpy_dtype), tensor.shape.as_tuple()))
        kernel = numpy_kernel(op, self.state)
        if kernel is None:
            return None
        result = kernel(*grouped(op.definition.inputs, op.attrs, stand_ins))
        return [scope.add_constant(value) for value in (result if op.definition.outputs[0].is_list else [result])]

    def _folded(self, op: Operation, ins: list[int], scope: Scope) -> list[int] | None:
        """Slots of the values of a node of constant inputs, computed now; None if it is not one."""
        constant = scope.constant
        for slot in ins:
            if slot not in constant:
                return None
        for tensor in op.outputs:
            size = tensor.shape.num_elements()
            if size is None or size > _FOLD_ELEMENTS or tensor.dtype in (dtypes.resource, dtypes.variant):
                return None
        kernel = numpy_kernel(op, self.state)
        if kernel is None or getattr(kernel, "needs_context", False):
            return None
        definition = op.definition
        try:
            with np.errstate(all="ignore"):
                result = kernel(*grouped(definition.inputs, op.attrs, [scope.template[i] for i in ins]))
        except Exception:  # running the node reports the error, if a run gets there
            return None
        values = [result] if len(definition.outputs) == 1 else list(result)
        flat: list[Any] = []
        for arg, value in zip(definition.outputs, values, strict=True):
            flat.extend(value if arg.is_list else [value])
        return [scope.add_constant(value) for value in flat]

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
        ins = [self._slot(t, scope, op) for t in op._inputs]
        guards = [scope.guards.get(t, _UNGUARDED) for t in op._inputs]
        out, index = scope.new(), scope.new()
        guard = _common_guard(guards, out)
        self._give(op, [out, index], guard, scope)
        if guard:
            scope.guards[op] = guard
        for slot in ins:
            if scope.buffer(slot) in scope.borrowed:
                scope.borrowed.add(out)
        choices = list(zip(ins, guards, strict=True))
        step = merge_step(choices, out, index)
        self.node_of[step] = op
        reads = sorted({*ins, *(slot for g in guards for slot, _ in g)})
        merged = Work(op, step, reads, [out, index], _UNGUARDED, controls=self._precedents(op))
        merged.choices = choices
        work.append(merged)

    # -- loops ------------------------------------------------------------------------------------------

    def _loop(self, frame: Frame, scope: Scope, outer_work: list[Work]) -> Work:
        inner = Scope(scope)
        loop = Loop()
        guard = _UNGUARDED
        for enter in frame.enters:
            source = self._slot(enter._inputs[0], scope, enter)
            guard = guard | self._guard(enter, scope)
            if enter.type == "Enter" and enter._inputs[0].dtype._is_ref_dtype:
                source = self.dereference(enter, source, guard, scope, outer_work)
            if source in scope.constant:
                inner.slots[enter.outputs[0]] = inner.add_constant(scope.template[source])
            else:
                slot = inner.slots[enter.outputs[0]] = inner.new()
                inner.borrowed.add(slot)
                loop.enters.append((source, slot))
        following: list[tuple[int, int, Operation]] = []
        parts: dict[str, list[Work]] = {"condition": [], "body": [], "end": []}
        home: dict[Any, str] = {}
        for member in frame.members:
            if (
                isinstance(member, Operation)
                and member.type in MERGE
                and any(t.op.type in NEXT for t in member._inputs)
            ):
                self._loop_merge(member, inner, loop, following)
                continue
            part = home[member] = self._part(member, home)
            if isinstance(member, Frame):
                home.update(dict.fromkeys(member.exits, part))
            if part == "end" and isinstance(member, Operation) and member.type == "Identity":
                inner.slots[member.outputs[0]] = self._slot(member._inputs[0], inner, member)
                continue
            self._member(member, inner, parts[part])
        condition, body, end = parts.values()
        predicate = next((m for m in frame.members if isinstance(m, Operation) and m.type == "LoopCond"), None)
        if predicate is None:
            raise errors.InvalidArgumentError(None, frame.enters[0], f"While frame {frame.name!r} has no LoopCond node")
        loop.predicate = inner.slots[predicate.outputs[0]]
        for merge, enter_slot, following_op in following:
            loop.merges.append((merge, enter_slot, self._slot(following_op._inputs[0], inner, following_op)))
        loop.condition_work, loop.body_work, loop.end_work, loop.scope = condition, body, end, inner
        loop.condition = in_blocks(condition, {})
        loop.body = in_blocks(body, {})
        loop.end = in_blocks(end, {})
        loop.template = inner.template
        loop.guard = guard
        writes = []
        for leave in frame.exits:
            slot = scope.new()
            scope.borrowed.add(slot)
            loop.exits.append((self._slot(leave._inputs[0], inner, leave), slot))
            writes.append(slot)
            self._give(leave, [slot], guard, scope)
            if guard:
                scope.guards[leave] = guard
        self.node_of[loop] = frame.enters[0]
        reads = sorted({outer for outer, _ in loop.enters} | {slot for slot, _ in guard})
        controls = frozenset().union(*(self._controls(enter) for enter in frame.enters))
        for op in (*frame.enters, *frame.exits):
            self._effects[op] = frozenset((frame.enters[0],))
        return Work(
            frame.enters[0], loop, reads, writes, _UNGUARDED, any(w.blocking for w in condition + body + end), controls
        )

    def _loop_merge(self, op: Operation, inner: Scope, loop: Loop, following: list) -> None:
        enter = next((t for t in op._inputs if t.op.type not in NEXT), None)
        if enter is None or len(op._inputs) != 2:
            raise errors.InvalidArgumentError(
                None, op, f"Merge node '{op.name}' of a while frame needs one Enter and one NextIteration input"
            )
        source = self._slot(enter, inner, op)
        slot, index = inner.new(), inner.new()
        inner.borrowed.add(slot)
        inner.slots[op.outputs[0]], inner.slots[op.outputs[1]] = slot, index
        if op.outputs[1]._consumers:
            loop.indices.append(index)
        following.append((slot, source, next(t.op for t in op._inputs if t.op.type in NEXT)))

    @staticmethod
    def _part(member: Any, home: dict[Any, str]) -> str:
        """When a member runs: with the `condition`, in the `body`, where it holds, or at the `end`, where it does not.

        home: the parts of the members, and exits of inner frames, before it.
        """
        found = "condition"
        for op in [member] if isinstance(member, Operation) else member.enters:
            for producer, side in (*((t.op, t.value_index) for t in op._inputs), *((c, 1) for c in op._control_inputs)):
                if producer.type in SWITCH and producer._inputs[1].op.type == "LoopCond":
                    part = "body" if side else "end"
                else:
                    part = home.get(producer, "condition")
                if part == "end":
                    return part
                if part == "body":
                    found = part
        return found


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

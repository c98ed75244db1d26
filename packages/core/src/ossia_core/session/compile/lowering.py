"""From nodes to steps: slots, constants, shared subexpressions, branches as guards."""
from __future__ import annotations

import functools
from collections.abc import Callable, Sequence, Set
from typing import Any

import numpy as np

from ossia_core.backend import Backend, NumpyBackend
from ossia_core.declare.kernels import grouped
from ossia_core.declare.language import CONST, ENTER, EXIT, LOOP_COND, MERGE, NEXT, NO_OP, SWITCH
from ossia_core.declare.opdef import OpDef
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.names import errors, sizes
from ossia_core.primitives.state import SessionState
from ossia_core.session.compile import traits
from ossia_core.session.compile.folding import folded, from_static_shapes
from ossia_core.session.compile.lent_memory import lent, with_own_inputs
from ossia_core.session.compile.ordering import Controls, Frame
from ossia_core.session.compile.traits import is_plain, is_refused, keeps_nothing, merge_key, takes_value
from ossia_core.session.compile.work import Scope, Work
from ossia_core.session.run.steps import Guard, Step, kernel_step, list_step, merge_step, read_step

_UNGUARDED: Guard = frozenset()
_BETWEEN_CHECKS = 256  # nodes


class Lowering:
    """Makes the steps of a plan, frame by frame."""

    def __init__(
        self, state: SessionState, backends: Sequence[Backend], fed: set[Tensor], definitions: Set[OpDef],
        check: Callable[[], None],
    ) -> None:
        """Begin a plan of nodes with these declarations; `check` raises if it is to be given up."""
        self.state, self.backends, self._fed, self._check = state, backends, fed, check
        self.node_of: dict[Any, Operation] = {}
        self.controls = controls = Controls()
        controls.flat = all(definition.role is not ENTER for definition in definitions)
        self.mixed = False  # whether a kernel is another backend's than NumPy's
        self._adds: dict[OpDef | None, Callable[[Any, Scope, list[Work]], None]] = {}  # how nodes are added
        self._late: dict[OpDef, bool] = {}  # by declaration, whether steps are made when they are asked for
        self._make, self._make_read = self._made, self._made_read  # one method object for all steps
        self._accepted: set[Any] = set()  # declarations that may refuse nodes, with attributes that they do not refuse

    def frame(self, frame: Frame, scope: Scope) -> list[Work]:
        """The work of the root frame."""
        work: list[Work] = []
        controls, members = self.controls, frame.members
        controls.sections = frame.sections
        if controls.flat:
            controls.present = bool([op for op in members if op._control_inputs])  # type: ignore[union-attr]
        adds = self._adds
        for i, member in enumerate(members):
            if not i % _BETWEEN_CHECKS:
                self._check()
            add = adds.get(member.definition)
            if add is None:
                add = self._how_to_add(member.definition)
            add(member, scope, work)
        return work

    def member(self, member: Operation | Frame, scope: Scope, work: list[Work]) -> None:
        """Add the work of a node, or of a while frame."""
        (self._adds.get(member.definition) or self._how_to_add(member.definition))(member, scope, work)

    def _how_to_add(self, definition: OpDef | None) -> Callable[[Any, Scope, list[Work]], None]:
        """What adds the work of nodes with a declaration, found once; of while frames, if there is none."""
        add: Callable[[Any, Scope, list[Work]], None]
        if definition is None:
            add = self._loop
        else:
            special = {
                NEXT: _nothing, EXIT: _nothing, ENTER: _nothing, MERGE: self._merge, SWITCH: self._switch,
                NO_OP: self._no_op, CONST: self._const,
            }.get(definition.role or "")  # fmt: skip
            if special is not None:
                add = special
            elif definition.forwards_input:
                add = self._alias
            elif definition.shape_only:
                add = self._of_shapes
            elif definition.resource_fn is not None:
                add = self._resource
            elif is_plain(definition):
                add = self._plain
            else:
                add = self._node
        self._adds[definition] = add
        return add

    def _loop(self, frame: Frame, scope: Scope, work: list[Work]) -> None:
        from ossia_core.session.compile.while_frames import loop_of, repeats, run_once
        if repeats(frame):
            work.append(loop_of(self, frame, scope, work))
        else:
            run_once(self, frame, scope, work)

    def _no_op(self, op: Operation, scope: Scope, work: list[Work]) -> None:
        self._guard(op, scope)
        self.controls.note(op, False)

    def _const(self, op: Operation, scope: Scope, work: list[Work]) -> None:
        value = op.attrs["value"]
        if type(value) is not np.ndarray or value.nbytes > sizes.max_bytes:
            self._node(op, scope, work)  # a step that fails, or makes the value when a run needs it
            return
        slot = scope.const_slots.get(id(value))
        if slot is None:
            slot = scope.const_slots[id(value)] = scope.add_constant(value)
        self._without_step(op, (slot,), scope)

    def _resource(self, op: Operation, scope: Scope, work: list[Work]) -> None:
        made = op.definition.resource_fn
        traits.check(op)
        slots = [scope.new(made(op, self.state)) for _ in op.outputs]  # type: ignore[misc]
        scope.borrowed.update(slots)
        self._without_step(op, slots, scope)

    def _without_step(self, op: Operation, slots: Sequence[int], scope: Scope) -> None:
        """Let the outputs of a node be in slots that are filled without it."""
        if scope.guards or scope.fed or len(slots) != 1:
            self.give(op, slots, self._guard(op, scope), scope)
        else:
            scope.slots[op.outputs[0]] = slots[0]
        if op._inputs or op._control_inputs:
            self.controls.note(op, False)

    def _alias(self, op: Operation, scope: Scope, work: list[Work]) -> None:
        tensor = op._inputs[0]
        slot = scope.slots.get(tensor)
        if slot is None or scope.guards:
            self._node(op, scope, work)
        elif op._control_inputs:
            if tensor.dtype._is_ref_dtype or slot in scope.constant:
                self._node(op, scope, work)
                return
            outs = scope.several(1)
            _note_alias(outs, (slot,), scope)
            work.append(self._work(op, (slot,), outs, _UNGUARDED, scope))
            scope.slots.setdefault(op.outputs[0], outs[0])
            self.controls.note(op, True)
        elif not tensor.dtype._is_ref_dtype or op.definition.inputs[0].is_ref or slot in scope.fed:
            self._without_step(op, (slot,), scope)
        else:
            # The step that takes the variable's buffer is the node's own.
            self.give(op, (self.dereference(op, slot, _UNGUARDED, scope, work),), _UNGUARDED, scope)
            self.controls.note(op, True)

    def _of_shapes(self, op: Operation, scope: Scope, work: list[Work]) -> None:
        if not op._control_inputs and not scope.guards:
            known = from_static_shapes(op, self.state, scope)
            if known is not None:
                self._without_step(op, known, scope)
                return
            self._plain(op, scope, work)
            return
        self._node(op, scope, work)

    def _plain(self, op: Operation, scope: Scope, work: list[Work]) -> None:
        """What `_node` does, for the many nodes that only compute values from values."""
        if op._control_inputs or scope.guards or (self.controls.held_back and self.controls.holds_back(op)):
            self._node(op, scope, work)
            return
        slots = scope.slots
        ins = []
        for tensor in op._inputs:
            slot = slots.get(tensor)
            if slot is None or tensor.dtype._is_ref_dtype:
                self._node(op, scope, work)
                return
            ins.append(slot)
        if scope.constant.issuperset(ins):
            self._node(op, scope, work)
            return
        key = merge_key(op, ins)
        outs = scope.merged.get(key) if key is not None else None
        if self.controls.present:
            self.controls.note(op, outs is None)
        outputs, definition = op.outputs, op.definition
        if outs is None:
            outs = scope.several(len(outputs))
            if definition.aliases and outs:
                _note_alias(outs, ins, scope)
            made = Work(op, ins, outs, None, self._make)
            if not scope.borrowed.isdisjoint(ins):
                made.lent = lent(ins, scope)
            work.append(made)
            if not (self._late.get(definition) or self._is_late(op, key, len(ins))):
                made.step = self._made(made)
            if key is not None:
                scope.merged[key] = outs
        for tensor, slot in zip(outputs, outs):
            slots.setdefault(tensor, slot)  # a feed has its own already

    def _node(self, op: Operation, scope: Scope, work: list[Work]) -> None:
        """Add the work of any node that becomes a step, or the value of another."""
        before = len(work)
        self._add(op, scope, work)
        self.controls.note(op, len(work) > before)

    def _add(self, op: Operation, scope: Scope, work: list[Work]) -> None:
        ins = []
        for tensor in op._inputs:
            found = scope.slots.get(tensor)
            ins.append(self.slot(tensor, scope, op) if found is None else found)
        guard = self._guard(op, scope)
        definition = op.definition
        handed_on = definition.forwards_input and not op._control_inputs
        if handed_on and (definition.inputs[0].is_ref or not op._inputs[0].dtype._is_ref_dtype):
            self.give(op, ins, guard, scope)
            return
        before = len(work)
        ins = self._dereferenced(op, ins, guard, scope, work)
        if handed_on and len(work) > before:
            self.give(op, ins, guard, scope)
            return
        foldable = definition.foldable and not definition.blocking and not guard
        key = merge_key(op, ins) if foldable and not op._control_inputs else None
        if key is not None and key in scope.merged:
            self.give(op, scope.merged[key], guard, scope)
            return
        outs = None
        if foldable and ins:
            self._check()
            outs = folded(op, ins, self.state, scope)
        if outs is None:
            outs = scope.several(len(op.outputs))
            if definition.aliases and outs:
                _note_alias(outs, ins, scope)
            work.append(self._work(op, ins, outs, guard, scope))
        if key is not None:
            scope.merged[key] = outs
        self.give(op, outs, guard, scope)

    def _guard(self, op: Operation, scope: Scope) -> Guard:
        """When a node runs; noted for those that follow it."""
        if not scope.guards:
            return _UNGUARDED
        guard = self.guard_of(op, scope)
        if guard:
            scope.guards[op] = guard
        return guard

    @staticmethod
    def give(op: Operation, slots: Sequence[int], guard: Guard, scope: Scope) -> None:
        known, fed = scope.slots, scope.fed
        for tensor, slot in zip(op.outputs, slots, strict=True):
            if fed and known.get(tensor) in fed:
                continue
            known[tensor] = slot
            if guard:
                scope.guards[tensor] = guard

    def _work(self, op: Operation, ins: Sequence[int], outs: list[int], guard: Guard, scope: Scope) -> Work:
        definition = op.definition
        work = Work(op, ins, outs, None, self._make)
        if not scope.borrowed.isdisjoint(ins):
            work.lent = lent(ins, scope)
        if guard:
            work.guard = guard
        if definition.blocking:
            work.blocking = definition.blocking
        if op._control_inputs or self.controls.held_back or op in self.controls.sections:
            work.controls = self.controls.precedents(op)
        if not (self._late.get(definition) or self._is_late(op, merge_key(op, ()), 0)):
            work.step = self._made(work)
        return work

    def _is_late(self, op: Operation, key: Any, inputs: int) -> bool:
        """Whether the step of a node is made when it is asked for. Of nodes that may be refused for their attributes,
        the first one with the same attributes has been made then. `key`: its merge key, with so many inputs."""
        definition = op.definition
        late = self._late.get(definition)
        if late is None:
            late = self._late[definition] = keeps_nothing(definition) and not is_refused(definition)
        if late or not keeps_nothing(definition):
            return late
        if key is None:
            return False
        key = definition, key[1 + inputs :]
        if key in self._accepted:
            return True
        self._accepted.add(key)
        return False

    def _made(self, work: Work) -> Step:
        """The step of a node."""
        op, ins, outs = work.node, work.ins, work.outs
        kernel = self._kernel(op)
        if work.lent:
            kernel = with_own_inputs(kernel, op, work.lent)
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
        traits.check(op)
        for backend in self.backends:
            try:
                kernel = backend.kernel(op, self.state)
            except Exception as error:
                from ossia_core.session.run import failures
                raise failures.refused(error, op) from error
            if kernel is not None:
                self.mixed = self.mixed or not isinstance(backend, NumpyBackend)
                return kernel
        from ossia_core.session.run import failures
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

    def _dereferenced(self, op: Operation, ins: list[int], guard: Guard, scope: Scope, work: list[Work]) -> list[int]:
        """The inputs with variables replaced by their buffers, where the op takes values."""
        by_reference = None
        for i, tensor in enumerate(op._inputs):
            if tensor.dtype._is_ref_dtype and ins[i] not in scope.fed:
                if by_reference is None:
                    definition, ins = op.definition, list(ins)
                    by_reference = _references(definition) if not definition.has_list_input else _by_reference(op)
                if i not in by_reference:
                    ins[i] = self.dereference(op, ins[i], guard, scope, work)
        return ins

    def dereference(self, op: Operation, slot: int, guard: Guard, scope: Scope, work: list[Work]) -> int:
        """A slot with the buffer of the variable whose state is in `slot`."""
        out = scope.new()
        scope.borrowed.add(out)
        scope.shares[out] = slot
        read = Work(op, [slot], [out], None, self._make_read)
        read.op, read.is_read = None, True
        if guard:
            read.guard = guard
        if op._control_inputs or self.controls.held_back:
            read.controls = self.controls.precedents(op)
        work.append(read)
        return out

    def _made_read(self, work: Work) -> Step:
        """The step that takes the buffer of a variable."""
        step = read_step(work.ins[0], work.outs[0])
        self.node_of[step] = work.node
        return step

    # -- branches ---------------------------------------------------------------------------------------

    def _switch(self, op: Operation, scope: Scope, work: list[Work]) -> None:
        """Both outputs are the input; what differs is the guard of what uses them."""
        ins = [self.slot(tensor, scope, op) for tensor in op._inputs]
        guard = self._guard(op, scope)
        data, predicate = ins
        loop = op._inputs[1].op.definition.role is LOOP_COND
        by_value = takes_value(op) and data not in scope.fed
        for tensor, wanted in zip(op.outputs, (False, True), strict=True):
            extra = guard if loop else guard | {(predicate, wanted)}
            taken = self.dereference(op, data, extra, scope, work) if by_value and tensor._consumers else data
            scope.slots[tensor] = taken
            if extra:
                scope.guards[tensor] = extra
        self.controls.note(op, False)

    def _merge(self, op: Operation, scope: Scope, work: list[Work]) -> None:
        ins = [self.slot(t, scope, op) for t in op._inputs]
        guards = [scope.guards.get(t, _UNGUARDED) for t in op._inputs]
        if not op.definition.has_ref_input:
            for i, (tensor, own) in enumerate(zip(op._inputs, guards, strict=True)):
                if tensor.dtype._is_ref_dtype and ins[i] not in scope.fed:
                    ins[i] = self.dereference(op, ins[i], own, scope, work)
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
        self.controls.note(op, True)


def _nothing(op: Operation, scope: Scope, work: list[Work]) -> None:
    """Add nothing: the loop has what becomes of the node."""


@functools.cache
def _references(definition: OpDef) -> Set[int]:
    """The inputs that are variables, not their values, of nodes without lists of inputs."""
    return frozenset([i for i, arg in enumerate(definition.inputs) if arg.is_ref])


def _by_reference(op: Operation) -> Set[int]:
    """The inputs of a node that are variables, not their values."""
    inputs = op.definition.inputs
    found: set[int] = set()
    if op.definition.has_ref_input:
        groups = grouped(inputs, op.attrs, range(len(op._inputs)))
        for arg, group in zip(inputs, groups, strict=True):
            if arg.is_ref:
                found.update(group if isinstance(group, list) else [group])
    return found


def _note_alias(outs: list[int], ins: Sequence[int], scope: Scope) -> None:
    if not ins:
        return
    borrowed, shares = scope.borrowed, scope.shares
    for source in ins:
        if source in borrowed or (source in shares and scope.buffer(source) in borrowed):
            borrowed.update(outs)
            break
    for i, slot in enumerate(outs):
        shares[slot] = ins[i] if len(ins) == len(outs) else ins[0]


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

"""Regions: parts of a plan that a backend compiles as a whole.

A plan's steps are split into waves: all that a backend claims and that can run next becomes one region, then what else
can run, and so on. Data, control and guard edges are kept, and every two steps that touch the same variable or other
state keep their order.
"""
from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Sequence, Set
from typing import Any

import numpy as np

from ossia_core.backend import Backend, plan_part
from ossia_core.declare.language import MERGE
from ossia_core.names import dtypes
from ossia_core.primitives.state import VariableState
from ossia_core.session.compile.traits import type_attrs
from ossia_core.session.compile.work import Scope, Work, in_blocks
from ossia_core.session.run.steps import Guard, Loop, Step, holds

MIN_NODES = 2  # work that is worth a region
_NONE: frozenset[int] = frozenset()


@plan_part
class Region:
    """What a backend is asked to compile.

    Attributes:
      nodes: pieces of work, in an order that may be kept.
      inputs: slots that come from outside and change from run to run.
      outputs: slots that are needed outside.
      constants: slot -> array.
      variables: slot -> VariableState; its buffer is read and updated in place.
      tensors: slot -> the Tensor that is computed there, for its dtype and static shape.
      notes: what the backend wants to remember; the regions that this one is cut into share it.
    """

    def __init__(
        self, work: list[Work], scope: Scope, tensors: dict[int, Any], needed: Set[int], backend: Backend | None = None,
        node_of: dict[Any, Any] | None = None, notes: dict[Any, Any] | None = None,
    ) -> None:
        self.nodes = work
        self._scope, self._backend, self._node_of = scope, backend, node_of
        self.notes: dict[Any, Any] = {} if notes is None else notes
        written = set(itertools.chain.from_iterable([w.outs for w in work]))
        given = dict.fromkeys(itertools.chain.from_iterable([w.ins for w in work]))
        for w in work:
            if w.guard:
                given.update(dict.fromkeys([slot for slot, _ in w.guard]))
        self.constants: dict[int, Any] = {}
        self.variables: dict[int, VariableState] = {}
        self.inputs: list[int] = []
        for slot in given:
            if slot in written:
                continue
            value = scope.template[slot]
            if isinstance(value, VariableState):
                self.variables[slot] = value
            elif value is not None or slot in scope.constant:
                self.constants[slot] = value
            else:
                self.inputs.append(slot)
        self.outputs = sorted(written & needed)
        self.tensors = tensors
        self._template = scope.template

    def interpret(self, inputs: Sequence[Any], context: Any) -> list[Any]:
        """Run the region step by step: for shapes that a program declines."""
        slots = self._template.copy()
        slots[0] = context
        for slot, value in zip(self.inputs, inputs, strict=True):
            slots[slot] = value
        with np.errstate(all="ignore"):
            for w in self.nodes:
                step = w.step
                if not w.guard or holds(w.guard, slots):
                    step(slots)
        return [slots[slot] for slot in self.outputs]

    def shares(self, slot: int) -> bool:
        """Whether an output may share the buffer of a variable or an input that it only passes on: the plan then copies
        it where it leaves the run."""
        return slot in self._scope.shares

    def may_be_variable(self, slot: int) -> bool:
        """Whether an input may lie in the buffer of a variable."""
        scope = self._scope
        return slot in scope.borrowed and slot not in scope.fed

    def around(self, declined: set[int]) -> Region:
        """This region with its nodes but those at the positions `declined` put into regions of their own: what
        `interpret` of the result runs, so that a node that cannot be compiled leaves the others compiled."""
        assert self._backend is not None and self._node_of is not None
        claims = [i not in declined for i in range(len(self.nodes))]
        cut = copy.copy(self)
        cut.nodes = _with_regions(
            self.nodes, claims, self._scope, self._backend, set(self.outputs), self._node_of, self.notes
        )
        return cut


def compiled(
    work: list[Work], scope: Scope, backends: Sequence[Backend], kept: set[int], node_of: dict[Any, Any],
    following: Sequence[Work] = (),
) -> list[Work]:
    """The work with regions replaced by one step each, for the backends that compile.

    Args:
      work: steps in running order.
      scope: the slots.
      backends: by priority.
      kept: slots that must hold their values at the end of the run.
      node_of: step -> node, for errors; regions are added.
      following: in a loop, its other steps.
    """
    for backend in backends:
        if not _is_worth_it(work, backend):
            continue
        claims = _claims(work, backend, scope.outer is not None)
        if scope.outer is not None or any(tensor.dtype is dtypes.variant for tensor in scope.slots):
            _leave_handles(work, scope, claims)
        # Values of which a step asks whether they are there at all.
        marked = {
            slot
            for w in (*work, *following)
            if w.guard or w.loop is not None
            for slot, wanted in _guard(w)
            if wanted is None
        }
        if marked:
            claims = [
                claimed and not (w.node.definition.role is MERGE and not marked.isdisjoint(w.outs))
                for w, claimed in zip(work, claims, strict=True)
            ]
        if _is_worth_it([w for w, claimed in zip(work, claims, strict=True) if claimed], backend):
            work = _with_regions(work, claims, scope, backend, kept, node_of)
    return work


def parts_of_loop(
    loop: Loop, backends: Sequence[Backend], node_of: dict[Any, Any]
) -> tuple[list[Step], list[Step], list[Step]]:
    """The steps of the condition, the body and the end of a loop that no backend has compiled as a whole, with regions
    in them; `backends` and `node_of` as in `compiled`."""
    parts = loop.condition_work, loop.body_work, loop.end_work
    needed = {loop.predicate, *(slot for _, _, slot in loop.merges), *(inner for inner, _ in loop.exits)}
    compiling = [backend for backend in backends if backend.compiles]
    made = []
    for part in parts:
        others = [w for other in parts if other is not part for w in other]
        kept = needed.union(*[w.ins for w in others], *[[slot for slot, _ in _guard(w)] for w in others])
        made.append(in_blocks(compiled(part, loop.scope, compiling, kept, node_of, others), {}))
    return made[0], made[1], made[2]


def _leave_handles(work: list[Work], scope: Scope, claims: list[bool]) -> None:
    """Take back the claims of steps that use arrays, stacks and lists made outside of the work: a program knows its own
    only."""
    handles = {slot for tensor, slot in scope.slots.items() if tensor.dtype in (dtypes.resource, dtypes.variant)}
    made = handles.difference(*[w.outs for w, claimed in zip(work, claims, strict=True) if claimed])
    outside = {slot for slot in made if not isinstance(scope.template[slot], VariableState)}
    for i, w in enumerate(work):
        if not outside.isdisjoint(w.ins):
            claims[i] = False
            outside.update(handles.intersection(w.outs))


def _guard(w: Work) -> Guard:
    return w.guard if w.loop is None else w.loop.guard


def _claims(work: list[Work], backend: Backend, inner: bool) -> list[bool]:
    """Whether each piece of work is claimed; `inner`: it is a part of a loop."""
    answers: dict[Any, bool] = {}
    found = []
    # A node that a program has to call is worth it where it would cut a loop, or what loops have in common, in parts.
    calls = inner or any(w.loop is not None for w in work)
    for w in work:
        node = w.node
        definition = node.definition
        names = type_attrs(definition)
        if names is None or w.guard or w.blocking or w.compiled:
            found.append(_claimable(w, backend, calls))
            continue
        attrs = node.attrs
        if len(names) == 1:
            key: Any = (definition, attrs[names[0]]._type_enum)
        else:
            key = definition, *[attrs[name]._type_enum for name in names]
        answer = answers.get(key)
        if answer is None:
            answer = _claimable(w, backend, calls)
            if backend.claims_alike(node):
                answers[key] = answer
        found.append(answer)
    return found


def _claimable(w: Work, backend: Backend, calls: bool) -> bool:
    if w.blocking or w.compiled:
        return False
    node, loop = w.node, w.loop
    if not backend.lists:
        for tensor in (*node._inputs, *node.outputs):
            if tensor.dtype is dtypes.variant:
                return False
    if w.guard or w.choices or loop is not None:
        if not backend.control_flow:
            return False
        for guard in (_guard(w), *(g for _, g in w.choices)):
            if any(wanted is None for _, wanted in guard):
                return False
        if loop is not None:
            inner = (*loop.condition_work, *loop.body_work)
            marked = {slot for each in inner for slot, wanted in _guard(each) if wanted is None}
            opaque = not backend.lists and any(tensor.dtype is dtypes.variant for tensor in loop.scope.slots)
            if loop.end_work or loop.indices:
                return False
            return not marked and not opaque and all(_claimable(each, backend, True) for each in inner)
    return backend.claims(node) or (calls and backend.calls(node))


def _with_regions(
    work: list[Work], claims: list[bool], scope: Scope, backend: Backend, kept: set[int], node_of: dict[Any, Any],
    notes: dict[Any, Any] | None = None,
) -> list[Work]:
    tensors = {slot: tensor for tensor, slot in reversed(scope.slots.items())}  # of a slot, the first tensor
    if all(claims):
        return _region_work(work, scope, tensors, kept, backend, node_of, notes)
    readers: dict[int, int] = {}   # slot -> steps that are still to come and read it
    for w in work:
        for slot in w.ins:
            readers[slot] = readers.get(slot, 0) + 1
        for slot, _ in w.guard:
            readers[slot] = readers.get(slot, 0) + 1
    result: list[Work] = []
    for number, wave in enumerate(_waves(dependencies(work, scope), claims)):
        items = [work[i] for i in wave]
        for w in items:
            for slot in w.ins:
                readers[slot] -= 1
            for slot, _ in w.guard:
                readers[slot] -= 1
        if number % 2:
            needed = kept | {slot for w in items for slot in w.outs if readers.get(slot)}
            result.extend(_region_work(items, scope, tensors, needed, backend, node_of, notes))
        else:
            result.extend(items)
    return result


def _waves(before: list[set[int]], claims: list[bool]) -> list[list[int]]:
    """The steps in waves that follow each other: those that are not claimed in waves 0, 2, ..., the others between.

    Each step comes as early as it can, then the claimed ones as late as what follows them allows: so what a later
    region needs is part of it, as far as no other step needs it before.

    Args:
        before: for each step, the earlier steps that it must follow.
        claims: whether each step is claimed.
    """
    wave: list[int] = []
    for i, sources in enumerate(before):
        claimed = claims[i]
        number = int(claimed)
        for source in sources:
            earliest = wave[source] + (claims[source] != claimed)
            if earliest > number:
                number = earliest
        wave.append(number)
    latest: dict[int, int] = {}
    for i in range(len(before) - 1, -1, -1):
        if claims[i] and i in latest:
            wave[i] = latest[i]
        for source in before[i]:
            if claims[source]:
                latest[source] = min(latest.get(source, wave[i]), wave[i] - (not claims[i]))
    waves: list[list[int]] = [[] for _ in range(max(wave, default=-1) + 1)]
    for i, number in enumerate(wave):
        waves[number].append(i)
    return waves


def _is_worth_it(items: list[Work], backend: Backend) -> bool:
    """Whether these steps may be worth a region: several, a loop, or what the backend compiles by itself."""
    if len(items) >= MIN_NODES:
        return True
    return any(w.loop is not None or (w.op is not None and backend.compiles_alone(w.op)) for w in items)


def _region_work(items: list[Work], scope: Scope, tensors: dict[int, Any], needed: set[int], backend: Backend,
                 node_of: dict[Any, Any], notes: dict[Any, Any] | None) -> list[Work]:
    if not _is_worth_it(items, backend):
        return items
    region = Region(items, scope, tensors, needed, backend, node_of, notes)
    program = backend.compile(region, None)
    if program is None:
        return items
    step = region_step(program, region.inputs, region.outputs)
    node_of[step] = items[0].node
    whole = Work(items[0].node, region.inputs, region.outputs, step)
    whole.compiled, whole.members = True, items
    return [whole]


def region_step(program: Callable, ins: Sequence[int], outs: Sequence[int]) -> Step:
    """Run a program on slots; it takes the run's context and its inputs and returns its outputs."""
    ins, outs = tuple(ins), tuple(outs)
    if len(outs) == 1:
        out = outs[0]

        def step_one(slots: list) -> None:
            slots[out] = program(slots[0], [slots[i] for i in ins])[0]
        return step_one

    def step(slots: list) -> None:
        for slot, value in zip(outs, program(slots[0], [slots[i] for i in ins]), strict=True):
            slots[slot] = value
    return step


def dependencies(work: list[Work], scope: Scope) -> list[set[int]]:
    """For each step, the earlier steps that it must follow."""
    writer: dict[int, int] = {}
    done_with: dict[Any, set[int]] = {}
    last_touch: dict[int, list[int]] = {}   # slot of a variable -> steps since its last update, the update first
    found: list[set[int]] = []
    shares, template = scope.shares, scope.template
    for i, w in enumerate(work):
        before = set()
        for slot in w.ins:
            source = writer.get(slot)
            if source is not None:
                before.add(source)
            while slot in shares:
                slot = shares[slot]
            if template[slot].__class__ is not VariableState:
                continue
            # Reads of a variable follow its last update, an update follows all reads since.
            touched = last_touch.setdefault(slot, [])
            if w.updates:
                before.update(touched)
                last_touch[slot] = [i]
            else:
                if touched and work[touched[0]].updates:
                    before.add(touched[0])
                touched.append(i)
        for slot, _ in w.guard:
            if slot in writer:
                before.add(writer[slot])
        for control in w.controls:
            before |= done_with.get(control, _NONE)
        before.discard(i)
        found.append(before)
        for slot in w.outs:
            writer[slot] = i
        done_with.setdefault(w.node, set()).add(i)
    return found


@plan_part
def known_tensor(shape: Any, dtype: Any, value: Any) -> Any:
    """What stands for an input of which the shape is known, and perhaps the value, where a shape rule is asked."""
    from ossia_core.session.compile.specialise import Known
    return Known(shape, dtype, value)

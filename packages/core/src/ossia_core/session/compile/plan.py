"""Plans: what a run of given fetches and feeds does, as a flat list of steps over numbered slots.

Making a plan prunes the graph, computes constants, merges common subexpressions, drops identities, raises Switch/Merge
and while frames to guarded steps and loops, and asks the backends for kernels. Running it looks nothing up.
"""
from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ossia_core.backend import Backend
from ossia_core.declare.builders import functional
from ossia_core.declare.language import SWITCH
from ossia_core.graph.graph import Graph
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.names import errors, sizes
from ossia_core.primitives.state import SessionState
from ossia_core.session.compile import ordering, regions
from ossia_core.session.compile.lowering import Lowering
from ossia_core.session.compile.rewrites import Rewriting, rewritten
from ossia_core.session.compile.traits import takes_value
from ossia_core.session.compile.work import Scope, Work, depends_on_shapes, in_blocks
from ossia_core.session.run.context import RunContext, cancelled_instead, release_held
from ossia_core.session.run.steps import Guard, Step, holds, quietly, quietly_apart

if TYPE_CHECKING:
    from ossia_core.session.run.blocking import Schedule

_SHAPES = 16  # feed shapes that a plan keeps steps for
_SMALL = 1 << 12  # bytes; smaller values are kept to the end of the run


def _no_deadline() -> None:
    """Let a plan be made, however long it takes."""


class Plan:
    """The steps for one combination of fetches and feeds in one session.

    Attributes:
      elsewhere: of a plan that other tasks take part in, what runs it and tells of it, as `tracing.run_traced` does.
    """

    elsewhere: Callable[..., list[Any]] | None = None

    def __init__(
        self,
        fetches: Sequence[Tensor | Operation],
        feeds: Sequence[Tensor],
        state: SessionState,
        backends: Sequence[Backend],
        rewrites: Sequence[Callable[[Rewriting], None]] = (),
        config: Any = None,
        check: Callable[[], None] = _no_deadline,
    ) -> None:
        """Make a plan; `check` is called now and then, and raises if the run that it is for must end."""
        fed = set(feeds)
        targets = {f if isinstance(f, Operation) else f.op for f in fetches if not (isinstance(f, Tensor) and f in fed)}
        ops = ordering.needed(targets, fed)
        self.graph = ops[0].graph if ops else None
        if self.graph is not None and self.graph.mistyped:
            raise _mistyped(self.graph)
        names = [tensor.name for tensor in feeds], [f.name for f in fetches if isinstance(f, Tensor)]
        self.origin: dict[Operation, Operation] = {}
        definitions = {op.definition for op in ops}
        if ops and (rewrites or any(definition.calls is not None for definition in definitions)):
            ops, fetches, feeds = self._expanded(ops, fetches, feeds, check)
            fed = set(feeds)
        if ops and rewrites:
            ops = rewritten(ops, fetches, feeds, rewrites, config)
        if self.origin or rewrites:
            definitions = {op.definition for op in ops}
        root = ordering.frames(ops, fed, definitions)
        lowering = Lowering(state, backends, fed, definitions, check)
        scope = Scope(None)
        self.feed_slots = [scope.add_borrowed(tensor) for tensor in feeds]
        work = lowering.frame(root, scope)
        self.node_of = lowering.node_of
        self._fetches = self._plan_fetches(fetches, scope, lowering, work)
        kept = {fetch[0] for fetch in self._fetches} | {slot for fetch in self._fetches for slot, _ in fetch[2]}
        # An operation that is asked for runs, whether or not anything needs its values.
        # A placeholder's does so even if its value is fed, and finds that nothing else gives one.
        asked = {f for f in fetches if isinstance(f, Operation)}
        kept |= {scope.slots[t] for f in asked for t in f.outputs if t in scope.slots}
        if not fed.isdisjoint([t for f in asked for t in f.outputs]):
            kept |= {slot for w in work if w.node in asked for slot in w.outs}
        work = _without_unused(work, kept)
        work = regions.compiled(work, scope, [b for b in backends if b.compiles], kept, self.node_of)
        self.template = scope.template
        self.work = work
        self.ops = ops
        waits = [w.blocking for w in work if w.blocking]  # a single one of kind 2 has none to wait for
        self._blocking = _schedule(work, scope) if 1 in waits or len(waits) > 1 else None
        self.blocking = self._blocking is not None  # whether a step may wait for something outside of the plan
        self.steps: list[Step] = in_blocks(work, _last_uses(work, scope, self._fetches))
        self._scope, self._kept = scope, {base for slot in kept for base in scope.buffers(slot)}
        self.feeds = feeds
        # What the program calls the tensors that are fed and fetched; in calls of functions others stand for them.
        self.fed = list(zip(names[0], feeds))
        self.fetched = [pair for pair in zip(names[1], [fetch[3] for fetch in self._fetches]) if pair[1] not in fed]
        self.targets = [f for f in fetches if isinstance(f, Operation)]
        self._by_shapes: dict[Any, tuple[list[Any], list[Step]]] | None = (
            {} if not self.blocking and depends_on_shapes(work) else None
        )
        self._last_shapes: Any = None
        # Backends' programs see to it themselves that NumPy does not warn.
        self._quiet = all(w.compiled or w.node.definition.quiet for w in work)
        self._apart = not lowering.mixed and all(_is_apart(w) for w in work)

    def _expanded(
        self, ops: list[Operation], fetches: Sequence[Any], feeds: Sequence[Tensor], check: Callable[[], None]
    ) -> tuple:
        """Nodes, fetches and feeds with the calls of functions expanded."""
        expanded = functional("expansion")(ops, fetches, feeds, check)
        self.origin = expanded.origin
        return expanded.ops, expanded.fetches, expanded.feeds

    @staticmethod
    def _plan_fetches(
        fetches: Sequence[Any], scope: Scope, lowering: Lowering, work: list[Work]
    ) -> list[tuple[int, bool, Guard, Tensor]]:
        """Slot, whether to copy, and guard of each fetched tensor."""
        found = []
        returned: set[int] = set()
        for fetch in fetches:
            if isinstance(fetch, Operation):
                continue
            if fetch not in scope.slots:
                raise errors.InvalidArgumentError(
                    None, fetch.op, f"{fetch.name} has a value for every iteration of its loop, and cannot be fetched."
                )
            slot = scope.slots[fetch]
            guard = scope.guards.get(fetch, frozenset())
            if _refers(fetch) and slot not in scope.fed:
                slot = lowering.dereference(fetch.op, slot, guard, scope, work)
            base = scope.buffer(slot)
            # What the caller gets must be the caller's alone.
            found.append((slot, base in scope.borrowed or slot in scope.borrowed or base in returned, guard, fetch))
            returned.add(base)
        return found

    @property
    def whole(self) -> Plan:
        """A plan with all nodes: itself, where no other task takes part."""
        return self

    def run(self, context: RunContext, feeds: Sequence[Any]) -> list[Any]:
        """Run all steps and return the values of the fetched tensors, in order.

        Raises:
          OpError: a step failed; the error names its node.
        """
        if self._by_shapes is None:
            template, steps = self.template, self.steps
        else:
            template, steps = self._for_shapes(feeds)
        slots = template.copy()
        slots[0] = context
        for slot, value in zip(self.feed_slots, feeds):
            slots[slot] = value
        try:
            if self._quiet:
                self._run_steps(steps, slots)
            elif self._apart:
                quietly_apart(self._run_steps, steps, slots)
            else:
                quietly(self._run_steps, steps, slots)
        except Exception as e:
            release_held(slots)
            explained = self.explained(e, context)
            if explained is e:
                raise
            raise explained from e
        return self.results(slots)

    def explained(self, error: Exception, context: RunContext) -> Exception:
        """The error to raise for what a step raised in a run."""
        from ossia_core.session.run.failures import explain
        return cancelled_instead(explain(error, self.node_of, self.origin, self.graph), context)

    def _run_steps(self, steps: list[Step], slots: list[Any]) -> None:
        context = slots[0]
        if self._blocking is not None:
            self._blocking.run(slots, context)
        elif context.deadline is None:
            for step in steps:
                step(slots)
        else:
            for step in steps:
                context.check()
                step(slots)

    def _for_shapes(self, feeds: Sequence[Any]) -> tuple[list[Any], list[Step]]:
        """Template and steps for feeds of these shapes."""
        key = [getattr(value, "shape", None) for value in feeds]
        last = self._last_shapes
        if last is not None and last[0] == key:
            return last[1]
        found = self._by_shapes.get(tuple(key))  # type: ignore[union-attr]
        if found is None:
            from ossia_core.session.compile import specialise
            known = {
                slot: specialise.Known(shape, tensor.dtype.base_dtype)
                for slot, shape, tensor in zip(self.feed_slots, key, self.feeds, strict=True)
                if shape is not None
            }
            template, work = specialise.specialised(self.work, self.template, known, self._kept)
            work = _without_unused(work, self._kept)
            found = template, in_blocks(work, _last_uses(work, self._scope, self._fetches))
            for w in work:
                self.node_of.setdefault(w.step, w.node)
            if len(self._by_shapes) >= _SHAPES:  # type: ignore[arg-type]
                self._by_shapes.clear()  # type: ignore[union-attr]
            self._by_shapes[tuple(key)] = found  # type: ignore[index]
        self._last_shapes = key, found
        return found

    def traced(self, wrap: Callable[[Work], Step]) -> Callable[[list[Any], RunContext], None]:
        """What runs the steps as `run` does, each in the form that `wrap` gives it."""
        work = []
        for w in self.work:
            work.append(copy.copy(w))
            work[-1].step = wrap(w)
        if self._blocking is not None:
            return _schedule(work, self._scope).run

        def run(slots: list[Any], context: RunContext) -> None:
            for w in work:
                context.check()
                if not w.guard or holds(w.guard, slots):
                    w.step(slots)

        return run

    def slots_of(self, op: Operation) -> tuple[int, ...] | None:
        """The slots of a node's outputs; None if it is in a loop."""
        slots = self._scope.slots
        found = tuple([slots[tensor] for tensor in op.outputs if tensor in slots])
        return found if len(found) == len(op.outputs) else None

    def known_value(self, tensor: Tensor) -> list[Any] | None:
        """The value of a tensor in a list, if it is an array that is known before the run."""
        slot = self._scope.slots.get(tensor, 0)
        value = self.template[slot] if slot in self._scope.constant else None
        return [np.asarray(value)] if isinstance(value, (np.ndarray, np.generic)) else None

    def reached(self, op: Operation, slots: list[Any]) -> bool:
        """Whether a node is not in a branch that the run with these slots did not take, as far as they tell: the
        predicates of a compiled region may be known there only."""
        guard = self._scope.guards.get(op, ())
        return holds(frozenset(pair for pair in guard if slots[pair[0]] is not None), slots)

    def start(self, context: RunContext, feeds: Sequence[Any]) -> list[Any]:
        """The slots of a new run, feeds in place."""
        slots = self.template.copy()
        slots[0] = context
        for slot, value in zip(self.feed_slots, feeds, strict=True):
            slots[slot] = value
        return slots

    def results(self, slots: list[Any]) -> list[Any]:
        """The fetched values in `slots`, as the caller's own arrays and scalars."""
        values: list[Any] = []
        for slot, copied, guard, tensor in self._fetches:
            if guard and not holds(guard, slots):
                raise errors.InvalidArgumentError(None, tensor.op, f"Retval[{len(values)}] does not have value")
            value = slots[slot]
            if type(value) is np.ndarray:
                if not value.ndim:
                    value = value[()]
                elif copied or not value.flags.c_contiguous:
                    value = _copied(value, tensor)
            values.append(value)
        return values


def _schedule(work: list[Work], scope: Scope) -> Schedule:
    """How steps that may wait leave others to go on."""
    from ossia_core.session.run.blocking import Schedule
    return Schedule(work, scope)


def _copied(value: np.ndarray, tensor: Tensor) -> np.ndarray:
    """A copy for the caller; a value that takes little memory may stand for more than there is."""
    try:
        if not any(value.strides):
            sizes.allocatable(value.shape, value.itemsize)
        return value.copy()
    except (MemoryError, errors.ResourceExhaustedError) as error:
        from ossia_core.session.run.failures import refused
        raise refused(error, tensor.op) from None


def _without_unused(work: list[Work], kept: set[int]) -> list[Work]:
    """The steps that have an effect: a pure one whose values nothing reads is there only because of a control edge."""
    used = set(kept)
    result = []
    for w in reversed(work):
        for slot in w.outs:
            if slot in used:
                break
        else:
            if w.outs and _is_pure(w):
                continue
        used.update(w.ins)
        if w.guard:
            used.update(slot for slot, _ in w.guard)
        result.append(w)
    if len(result) < len(work):
        left = set(result)
        gone = {w.node for w in work if w not in left}
        if any(w.controls and not gone.isdisjoint(w.controls) for w in result):
            _pass_on_controls(work, left)
    return result[::-1]


def _is_pure(w: Work) -> bool:
    if w.is_read:
        return True
    if w.compiled or w.loop is not None:
        return False
    return w.node.definition.droppable


def _is_apart(w: Work) -> bool:
    """Whether a step is a NumPy kernel that computes from its inputs and variables or updates one, and calls nothing
    else."""
    if w.compiled or w.loop is not None:
        return False
    definition = w.node.definition
    return definition.foldable or not w.updates or bool(definition.updated)


def _pass_on_controls(work: list[Work], left: set[Work]) -> None:
    """Let what had to follow a step that is not left follow what that step had to follow."""
    nodes = {w.node for w in left}
    writer: dict[int, Any] = {}
    stands_for: dict[Any, frozenset] = {}
    for w in work:
        if w.controls and not stands_for.keys().isdisjoint(w.controls):
            w.controls = frozenset().union(*[stands_for.get(control, (control,)) for control in w.controls])
        if w not in left:
            sources = {writer[slot] for slot in (*w.ins, *(slot for slot, _ in w.guard)) if slot in writer}
            before = w.controls.union(*(stands_for.get(source, (source,)) for source in sources))
            stands_for[w.node] = stands_for.get(w.node, frozenset()) | before | ({w.node} & nodes)
        for slot in w.outs:
            writer[slot] = w.node


def _last_uses(work: list[Work], scope: Scope, fetches: list) -> dict[int, list[int]]:
    """Position of the last step that needs a large value -> the slots of such values."""
    kept = {fetch[0] for fetch in fetches} | scope.fed
    written = {slot for w in work for slot in w.outs}
    last: dict[int, int] = {}
    for i, w in enumerate(work):
        for slot in w.ins:
            last[slot] = i
    last = {slot: i for slot, i in last.items() if slot in written and slot not in kept}
    small = {slot for tensor, slot in scope.slots.items() if slot in last and _is_small(tensor)}
    found: dict[int, list[int]] = {}
    for slot, i in last.items():
        if slot not in small:
            found.setdefault(i, []).append(slot)
    return found


def _mistyped(graph: Graph) -> errors.InvalidArgumentError:
    """What is raised for a graph in which an input was replaced by one of another dtype."""
    (op, index), expected = next(iter(graph.mistyped.items()))
    tensor = op._inputs[index]
    return errors.InvalidArgumentError(
        None, None, f"Input {index} of node {op.name} was passed {tensor.dtype.name} from {tensor.name} incompatible "
        f"with expected {expected.name}."
    )


def _is_small(tensor: Tensor) -> bool:
    size = tensor.shape.num_elements()
    return size is not None and size * (tensor.dtype.size or 8) <= _SMALL


def _refers(fetch: Tensor) -> bool:
    """Whether the slot of a tensor has a variable, not its value."""
    if fetch.dtype._is_ref_dtype:
        return True
    op = fetch.op  # a Switch of a reference gives what takes its outputs the value
    return op.definition.role is SWITCH and takes_value(op) and not fetch._consumers

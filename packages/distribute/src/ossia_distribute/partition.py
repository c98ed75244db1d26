"""From the nodes of a run to parts: what each task runs, in how many calls, and which values go between them.

Nodes of a task that wait for nothing from elsewhere make its first part; those that wait for a value of another task's
first part are in a second one, and so on: a step calls a task as often as values go back and forth. What may block
(queues) stands in a part of its own, so that it holds up nothing else. Loops, and conditionals, are in one part.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ossia_core.declare.language import ENTER, MERGE, NEXT, SWITCH
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, errors
from ossia_core.session.compile import ordering

Key = tuple[str, int, bool]  # task, level, whether it waits for what may block


class Segment:
    """The nodes that one call runs at one task.

    Attributes:
      task: the name of the task.
      ops: its nodes, in order of creation.
      feeds: the tensors whose values it gets: fed, or of other segments.
      gives: the tensors whose values others, or the program, get from it.
      targets: nodes that run though nothing needs their values.
      follows: the segments that come before it.
    """

    def __init__(self, key: Key) -> None:
        self.key, self.task = key, key[0]
        self.ops: list[Operation] = []
        self.feeds: list[Tensor] = []
        self.gives: list[Tensor] = []
        self.targets: list[Operation] = []
        self.follows: set[Segment] = set()


def segments(
    fetches: Sequence[Tensor | Operation], feeds: Sequence[Tensor], task_of: Callable[[Sequence[Operation]], dict]
) -> list[Segment]:
    """The segments of a run, each behind those that it follows.

    Args:
      fetches, feeds: what is fetched and fed.
      task_of: the task of each of the nodes that it gets.

    Raises:
      UnimplementedError: a loop or conditional uses variables of several tasks.
    """
    fed = set(feeds)
    targets = {f if isinstance(f, Operation) else f.op for f in fetches if not (isinstance(f, Tensor) and f in fed)}
    ops = ordering.needed(targets, fed)
    units = _Units(ops, fed, task_of(ops))
    keys = _keys(units, targets)
    return _made(keys, units, fetches)


class _Units:
    """Nodes that have to be together: those of a loop, of a conditional."""

    def __init__(self, ops: list[Operation], fed: set[Tensor], tasks: dict[Operation, str]) -> None:
        self.ops, self.fed = ops, fed
        self.there = set(ops)
        self._into: dict[Operation, Operation] = {}
        if any(op.definition.role in (SWITCH, ENTER) for op in ops):
            self._join_loops()
            self._join_conditionals()
        self.members: dict[Operation, list[Operation]] = {}
        for op in ops:
            self.members.setdefault(self.of(op), []).append(op)
        self.task = {unit: self._task(members, tasks) for unit, members in self.members.items()}
        self.lent = {t.op for op in ops for t in op._inputs if self._is_lent(op, t)}

    def _is_lent(self, op: Operation, tensor: Tensor) -> bool:
        """Whether a node reads a variable of another task."""
        return (
            tensor.dtype._is_ref_dtype and tensor not in self.fed and not takes_reference(op, tensor)
            and is_source(tensor.op) and self.task[self.of(op)] != self.task[self.of(tensor.op)]
        )

    def of(self, op: Operation) -> Operation:
        """The unit of a node, by the node that stands for it."""
        root = op
        while root in self._into:
            root = self._into[root]
        if root is not op:
            self._into[op] = root
        return root

    def _join(self, one: Operation, other: Operation) -> None:
        one, other = self.of(one), self.of(other)
        if one is not other:
            self._into[other] = one

    def _join_loops(self) -> None:
        root = ordering.frames(self.ops, self.fed, {op.definition for op in self.ops})
        for member in root.members:
            if isinstance(member, ordering.Frame):
                pending, first = [member], member.enters[0]
                while pending:
                    frame = pending.pop()
                    for inner in frame.members:
                        if isinstance(inner, ordering.Frame):
                            pending.append(inner)
                        else:
                            self._join(first, inner)
                    for inner in (*frame.enters, *frame.exits):
                        self._join(first, inner)

    def _join_conditionals(self) -> None:
        """What runs only where a predicate says so goes with its Switch, and with the Merge that ends it."""
        looped = {op for op in self.ops if self.of(op) is not op or op in self._into.values()}
        gated: set[Operation] = set()
        before = {
            op: [t.op for t in op._inputs if t not in self.fed and t.op.definition.role is not NEXT]
            + list(op._control_inputs)
            for op in self.ops
        }
        count = -1
        while count < len(gated):  # nodes may have been made before those that they follow
            count = len(gated)
            for op in self.ops:
                role = op.definition.role
                if op not in looped and role is SWITCH or role is not MERGE and not gated.isdisjoint(before[op]):
                    gated.add(op)
        for op in self.ops:
            for source in gated.intersection(before[op]):
                self._join(source, op)

    def _task(self, members: list[Operation], tasks: dict[Operation, str]) -> str:
        if len(members) == 1:
            return tasks[members[0]]
        holders = [
            op for op in members
            if any(t.dtype in (dtypes.resource, dtypes.variant) or takes_reference(op, t) for t in op._inputs)
        ]
        found = {tasks[op] for op in holders}
        if len(found) > 1:
            raise errors.UnimplementedError(
                None, holders[0],
                f"A loop or conditional that uses variables or queues of several tasks: {', '.join(sorted(found))}",
            )
        return found.pop() if found else tasks[members[0]]


def _is_handle(tensor: Tensor) -> bool:
    return tensor.dtype._is_ref_dtype or tensor.dtype in (dtypes.resource, dtypes.variant)


def is_source(op: Operation) -> bool:
    """Whether a node only names something, so that each segment can have a node like it: a constant, a variable."""
    if op._inputs or not op.outputs:
        return False
    if op.definition.foldable and not op._control_inputs:
        return True
    return "shared_name" in op.attrs and all(_is_handle(t) for t in op.outputs)


def _keys(units: _Units, targets: set[Operation]) -> dict[Operation, Key]:
    """Task, level, and whether it waits, of each unit's nodes; sources that others have copies of stay out."""
    found: dict[Operation, Key] = {}
    order = _in_order(units)
    for unit in order:
        members, task = units.members[unit], units.task[unit]
        level, waits = 0, any(op.definition.blocking for op in members)
        for source in _before(members, units):
            where, before, waited = found[units.of(source)]
            if not is_source(source) or source in targets or (source in units.lent and where != task):
                level, waits = max(level, before + (where != task)), waits or waited
        found[unit] = (task, level, waits)
    _delay(units, order, found, targets)
    return {op: found[unit] for unit in order for op in units.members[unit]}


def _before(members: Iterable[Operation], units: _Units) -> set[Operation]:
    """The nodes that others of a unit follow."""
    inner = set(members)
    found = {t.op for op in inner for t in op._inputs if t not in units.fed} | {
        source for op in inner for source in op._control_inputs
    }
    return {source for source in found - inner if source in units.there}


def _in_order(units: _Units) -> list[Operation]:
    """The units, each behind those that it follows."""
    before = {unit: {units.of(s) for s in _before(members, units)} for unit, members in units.members.items()}
    order: list[Operation] = []
    seen: set[Operation] = set()
    for unit in units.members:
        stack = [unit]
        while stack:
            top = stack[-1]
            waits = [] if top in seen else [b for b in before[top] if b not in seen]
            if waits:
                if len(stack) > len(units.members):
                    raise errors.InvalidArgumentError(None, top, f"{top.name} is part of a cycle")
                stack += sorted(waits, key=lambda op: op._id)
                continue
            stack.pop()
            if top not in seen:
                seen.add(top)
                order.append(top)
    return order


def _delay(units: _Units, order: list[Operation], found: dict[Operation, Key], targets: set[Operation]) -> None:
    """Put what only later segments of its task use into the first of these: it need not be kept until then."""
    users: dict[Operation, list[Operation]] = {}
    for unit in reversed(order):
        task, *level = found[unit]
        members = units.members[unit]
        if len(members) == 1 and members[0].definition.foldable and members[0] not in targets:
            keys = [found[user] for user in users.get(unit, ())]
            if keys and all(key[0] == task for key in keys) and min(keys)[1:] > tuple(level):
                found[unit] = min(keys)
        for source in _before(members, units):
            users.setdefault(units.of(source), []).append(unit)


def _made(keys: dict[Operation, Key], units: _Units, fetches: Sequence[Tensor | Operation]) -> list[Segment]:
    ops, fed, lent = units.ops, units.fed, units.lent
    by_key: dict[Key, Segment] = {}
    home: dict[Operation, Segment] = {}
    asked = {f for f in fetches if isinstance(f, Operation)}
    wanted = {f for f in fetches if isinstance(f, Tensor) and f not in fed}
    copied = {
        op for op in ops
        if is_source(op) and op not in asked and op not in lent and not wanted.intersection(op.outputs)
    }
    for op in ops:
        if op not in copied:
            segment = home[op] = by_key.setdefault(keys[op], Segment(keys[op]))
            segment.ops.append(op)
    gives: dict[Segment, dict[Tensor, None]] = {segment: {} for segment in by_key.values()}
    needed: set[Operation] = set()  # by a node of the same segment, or for a value that another one gets
    for segment in by_key.values():
        received: dict[Tensor, None] = {}
        for op in segment.ops:
            for tensor in op._inputs:
                source = tensor.op
                if tensor in fed:
                    received[tensor] = None
                elif home.get(source) is segment:
                    needed.add(source)
                elif not is_source(source) or (source in lent and keys[source][0] != segment.task):
                    segment.follows.add(home[source])
                    if not takes_reference(op, tensor):
                        received[tensor] = None
                        gives[home[source]][tensor] = None
                        needed.add(source)
            for source in op._control_inputs:
                if source in home and home[source] is not segment:
                    segment.follows.add(home[source])
                elif source in home:
                    needed.add(source)
        segment.feeds = list(received)
    for tensor in wanted:
        gives[home[tensor.op]][tensor] = None
        needed.add(tensor.op)
    for segment in by_key.values():
        segment.gives = list(gives[segment])
        segment.targets = [op for op in segment.ops if op in asked or op not in needed]
    return sorted(by_key.values(), key=lambda segment: (segment.key[1], segment.key[2], segment.key[0]))


def takes_reference(op: Operation, tensor: Tensor) -> bool:
    """Whether a node changes, or hands on, the variable behind a tensor, rather than reading its value."""
    if not tensor.dtype._is_ref_dtype:
        return False
    position = op._inputs.index(tensor)
    offset = 0
    for arg in op.definition.inputs:
        count = 1
        if arg.number_attr is not None:
            count = int(op.attrs[arg.number_attr])
        elif arg.type_list_attr is not None:
            count = len(op.attrs[arg.type_list_attr])
        if offset <= position < offset + count:
            return bool(arg.is_ref)
        offset += count
    return False


def variable_of(tensor: Tensor) -> Tensor:
    """The variable that a tensor refers to, through the nodes that have handed it on."""
    while tensor.dtype._is_ref_dtype and tensor.op._inputs:
        tensor = next(t for t in tensor.op._inputs if t.dtype._is_ref_dtype)
    return tensor

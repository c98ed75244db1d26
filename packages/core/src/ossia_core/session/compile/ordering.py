"""What a run needs, in which order, by which control edges, and which while frame each node is in."""
from __future__ import annotations

import heapq
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from types import MappingProxyType
from typing import Any

from ossia_core.declare.language import ENTER, EXIT, NEXT
from ossia_core.declare.opdef import OpDef
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.names import errors


def needed(targets: Iterable[Operation], fed: set[Tensor]) -> list[Operation]:
    """The operations that the targets depend on, in order of creation; fed tensors need nothing."""
    seen: set[Operation] = set(targets)
    pending = list(seen)
    while pending:
        op = pending.pop()
        for tensor in op._inputs:
            source = tensor.op
            if source not in seen and tensor not in fed:
                seen.add(source)
                pending.append(source)
        for source in op._control_inputs:
            if source not in seen:
                seen.add(source)
                pending.append(source)
    return sorted(seen, key=_by_creation)


_by_creation = operator.attrgetter("_id")


class Frame:
    """One while frame, or the root: the nodes at home in it, child frames among them, in running order."""

    definition = None  # in a list of members, what tells it from a node

    def __init__(self, name: Any, parent: Frame | None) -> None:
        self.name, self.parent = name, parent
        self.members: list[Operation | Frame] = []
        self.enters: list[Operation] = []
        self.exits: list[Operation] = []
        self.sections: dict[Operation, list[Operation]] = {}  # of the root: node -> what it follows besides its edges
        self.depth: int = 0 if parent is None else parent.depth + 1


def frames(ops: list[Operation], fed: set[Tensor], definitions: Set[OpDef]) -> Frame:
    """The root frame: nodes assigned to while frames, and each frame's members ordered.

    Args:
      ops: the nodes, in order of creation.
      fed: the tensors that are fed.
      definitions: the declarations of the nodes.

    Raises:
      InvalidArgumentError: the edges form a cycle, or frames are malformed.
    """
    root = Frame(None, None)
    if any(definition.locked for definition in definitions):
        root.sections = _one_after_the_other(ops, fed)
    roles = {definition.role for definition in definitions}
    if ENTER not in roles:
        if EXIT in roles or NEXT in roles:
            stray = next(op for op in ops if op.definition.role in (EXIT, NEXT))
            raise errors.InvalidArgumentError(None, stray, f"{stray.type} node {stray.name} is in no while frame")
        found = _sorted_by_edges(ops, fed, root.sections) if root.sections else ordered(ops, fed, definitions)
        root.members = list(found)
        return root
    producers: dict[Operation, list[Operation]] = {}
    follow = True  # all of them their producers, as they are
    for op in ops:
        found = producers[op] = [*op._control_inputs, *root.sections.get(op, ())]
        for tensor in op._inputs:
            source = tensor.op
            if source.definition.role is not NEXT and tensor not in fed:
                found.append(source)
        if follow and found and max(map(_by_creation, found)) >= op._id:
            follow = False
    children: dict[tuple[int, Any], Frame] = {}
    home: dict[Operation, Frame] = {}
    reached: dict[Operation, Frame] = {}  # where what a node gives is
    for op in ops if follow else _after_producers(ops, producers):
        frame = root
        for producer in producers[op]:
            other = reached.get(producer)
            if other is not None and other.depth > frame.depth:
                frame = other
        if op.definition.role is ENTER:
            key = (id(frame), op.attrs["frame_name"])
            child = children.get(key)
            if child is None:
                child = children[key] = Frame(op.attrs["frame_name"], frame)
            frame = child
            frame.enters.append(op)
        home[op] = reached[op] = frame
        if op.definition.role is EXIT:
            if frame.parent is None:
                raise errors.InvalidArgumentError(None, op, f"Exit node {op.name} is in no while frame")
            frame.exits.append(op)
            reached[op] = frame.parent
    _order_members([root, *children.values()], home, ops, producers)
    return root


def _cycle(ops: list[Operation], producers: dict[Operation, list[Operation]]) -> errors.InvalidArgumentError:
    """What is raised for nodes that wait for themselves, or for others that do."""
    done: set[Operation] = set()
    stuck = ops
    while True:
        ready = [op for op in stuck if all(p in done or p not in producers for p in producers[op])]
        if not ready:
            break
        done.update(ready)
        stuck = [op for op in stuck if op not in done]
    names = ", ".join(op.name for op in stuck[:3])
    return errors.InvalidArgumentError(
        None, None, f"Graph is invalid, contains a cycle with {len(stuck)} nodes, including: {names}"
    )


def _after_producers(ops: list[Operation], producers: dict[Operation, list[Operation]]) -> Iterator[Operation]:
    """The nodes by creation, but each one behind its producers."""
    done: set[Operation] = set()
    open_: set[Operation] = set()
    for first in ops:
        pending = [first]
        while pending:
            op = pending[-1]
            waiting = [p for p in producers[op] if p not in done and p in producers] if op not in done else []
            if waiting:
                if op in open_:
                    raise _cycle(ops, producers)
                open_.add(op)
                pending += waiting
                continue
            pending.pop()
            if op not in done:
                done.add(op)
                yield op


def _is_late(op: Operation) -> bool:
    """Whether a node changes a variable, and comes behind all others that no edge orders.

    What a run reads of a variable is then its value before the run, unless an edge says otherwise: so it nearly always
    is in the original, where reads have nothing to wait for. An assignment may be the first, on which other initial
    values build: only those of scalars, such as the global step, come late.
    """
    definition = op.definition
    if definition.assigned:
        return op._inputs[1].shape.ndims == 0
    return bool(definition.updated)


def ordered(ops: list[Operation], fed: set[Tensor], definitions: Set[OpDef]) -> list[Operation]:
    """Data and control edges first, then creation, but updates of variables last. Edges that close a loop do not count.

    `ops` are in order of creation and of these declarations, and the result may be that list.
    """
    behind = _behind_updates(ops, fed, definitions)
    if behind is None:
        return _sorted_by_edges(ops, fed)
    if not behind:
        return ops
    # What waits for no update keeps the order of creation; only the others have to be sorted.
    others = [op for op in ops if op in behind]
    return [op for op in ops if op not in behind] + _sorted_by_edges(others, fed)


def _behind_updates(ops: list[Operation], fed: set[Tensor], definitions: Set[OpDef]) -> set[Operation] | None:
    """The nodes that change variables, and those that wait for them; None if an edge leads to an earlier node."""
    updating = {definition for definition in definitions if definition.assigned or definition.updated}
    behind: set[Operation] = set()
    last = -1
    for op in ops:
        number = op._id
        if number <= last:
            return None
        last = number
        late = op.definition in updating and _is_late(op)
        for tensor in op._inputs:
            source = tensor.op
            if source._id >= number:
                return None
            if behind and source in behind and tensor not in fed:
                late = True
        for source in op._control_inputs:
            if source._id >= number:
                return None
            if behind and source in behind:
                late = True
        if late:
            behind.add(op)
    return behind


def _one_after_the_other(ops: list[Operation], fed: set[Tensor]) -> dict[Operation, list[Operation]]:
    """The nodes that take a lock -> those that end the section before, which gives the same lock back.

    What a section reads of a variable would else be its value before the run: sections that wait for no other one's
    results run in the order of creation.
    """
    there, found = set(ops), {}
    ends: dict[Tensor, list[Operation]] = {}  # of the last section, by lock
    for op in _sorted_by_edges(ops, fed):
        if op.definition.locked:
            mutex = op._inputs[0]
            if ends.get(mutex):
                found[op] = ends[mutex]
            users = op.outputs[0]._consumers
            ends[mutex] = [user for user in users if user.definition.unlocked and user in there]
    return found


def _sorted_by_edges(
    ops: list[Operation], fed: set[Tensor], further: Mapping[Operation, list[Operation]] = MappingProxyType({})
) -> list[Operation]:
    """The nodes so that each follows what its edges and the further nodes named for it say."""
    position = {op: i for i, op in enumerate(ops)}
    count = len(ops)
    before: list[set[int]] = []
    rank: list[int] = []
    for i, op in enumerate(ops):
        controls = (*op._control_inputs, *further.get(op, ()))
        sources = {position[control] for control in controls if control in position}
        for tensor in op._inputs:
            at = position.get(tensor.op)
            if at is not None and (not fed or tensor not in fed) and ops[at].definition.role is not NEXT:
                sources.add(at)
        before.append(sources)
        rank.append(i + count if _is_late(op) else i)
    order = _topological(before, rank)
    if len(order) < count:
        raise _cycle(ops, {op: [ops[i] for i in sources] for op, sources in zip(ops, before)})
    return [ops[i] for i in order]


def _topological(before: list[set[int]], rank: list[int]) -> list[int]:
    """Positions so that each stands behind those in its set, by rank where nothing else is said; those in a cycle are
    left out. A rank is the position, plus the number of positions for what comes late."""
    count = len(before)
    if rank == list(range(count)) and not any(sources and max(sources) >= i for i, sources in enumerate(before)):
        return rank
    followers: list[list[int]] = [[] for _ in before]
    waiting = [len(sources) for sources in before]
    for i, sources in enumerate(before):
        for at in sources:
            followers[at].append(i)
    ready = [rank[i] for i in range(count) if not waiting[i]]
    heapq.heapify(ready)
    order = []
    while ready:
        first = heapq.heappop(ready) % count
        order.append(first)
        for i in followers[first]:
            waiting[i] -= 1
            if not waiting[i]:
                heapq.heappush(ready, rank[i])
    return order


def _order_members(
    all_frames: list[Frame], home: dict[Operation, Frame], ops: list[Operation],
    producers: dict[Operation, list[Operation]],
) -> None:
    """Find the members of each frame and order them, a child frame standing for all that is inside it."""
    follows: dict[Any, set[Any]] = {}  # member -> members of the same frame that come before it
    for op in ops:
        member: Any = op
        frame: Any = home[op]
        while frame is not None and member not in follows:
            frame.members.append(member)
            follows[member] = set()
            member, frame = frame, frame.parent
    for op in ops:
        inside = home[op]
        for producer in producers[op]:
            theirs: Any = home.get(producer)
            if theirs is inside:
                follows[op].add(producer)
                continue
            if theirs is None:
                continue
            other: Any = producer
            member, frame = op, inside
            while frame is not theirs:  # up to the frame that both are inside of
                if frame.depth >= theirs.depth:
                    member, frame = frame, frame.parent
                else:
                    other, theirs = theirs, theirs.parent
            if member is not other:
                follows[member].add(other)
    for frame in all_frames:
        members = frame.members
        count = len(members)
        position = {member: i for i, member in enumerate(members)}
        before = [{position[other] for other in follows[member]} for member in members]
        rank = [
            i + count if isinstance(member, Operation) and _is_late(member) else i for i, member in enumerate(members)
        ]
        order = _topological(before, rank)
        if len(order) < count:
            raise errors.InvalidArgumentError(
                None, None, f"The nodes of while frame {frame.name!r} depend on each other in a cycle"
            )
        frame.members = [members[i] for i in order]


_NOTHING: frozenset[Operation] = frozenset()


class Controls:
    """What is noted of the nodes that have become steps, in running order."""

    def __init__(self) -> None:
        self.flat = False  # whether there are no while frames, so that what a node waits for is known before it
        self.present = True  # whether nodes wait for others whose values they do not take
        self._stepped: set[Operation] = set()
        self._effects: dict[Operation, frozenset[Operation]] = {}  # of those without a step, if they have some
        self.sections: Mapping[Operation, Sequence[Operation]] = {}  # further nodes that some wait for
        self.held_back: dict[Operation, frozenset[Operation]] = {}  # node without a step -> what its values wait for
        self._found: dict[tuple[Operation, ...], frozenset[Operation]] = {}

    def note(self, op: Operation, has_step: bool) -> None:
        """Note which nodes' steps must have run for `op` to count as done."""
        if not self.present:
            return
        if has_step:
            self._stepped.add(op)
            return
        found = self.precedents(op)
        if found:
            self.held_back[op] = found
        for tensor in op._inputs:
            more = self._effect(tensor.op)
            if more:
                found = found | more if found else more
        if found:
            self._effects[op] = found

    def note_loop(self, ops: list[Operation]) -> None:
        """Note that nodes count as done when the loop of the first one has run."""
        self._effects.update(dict.fromkeys(ops, frozenset(ops[:1])))

    def _effect(self, op: Operation) -> frozenset[Operation]:
        return frozenset((op,)) if op in self._stepped else self._effects.get(op, _NOTHING)

    def of(self, op: Operation) -> frozenset[Operation]:
        """The nodes whose steps must have run for all control inputs of `op` to count as done."""
        if not self.flat:
            return self._together(op._control_inputs)
        # What is made under one scope has the same controls, of which there may be many.
        key = tuple(op._control_inputs)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._together(key)
        return found

    def _together(self, ops: Sequence[Operation]) -> frozenset[Operation]:
        stepped = self._stepped
        found = stepped.intersection(ops)
        for op in ops:
            if op not in stepped:
                found |= self._effects.get(op, _NOTHING)
        return frozenset(found)

    def precedents(self, op: Operation) -> frozenset[Operation]:
        """The nodes whose steps must run before that of `op`, beyond those whose values it reads: its own controls, and
        those of inputs that have no step."""
        found = self.of(op) if op._control_inputs else _NOTHING
        if op in self.sections:
            found |= self._together(self.sections[op])
        held_back = self.held_back
        if held_back:
            for tensor in op._inputs:
                found |= held_back.get(tensor.op, _NOTHING)
        return found

    def holds_back(self, op: Operation) -> bool:
        """Whether a node waits for others through inputs that have no step, such as constants with control inputs."""
        return not self.held_back.keys().isdisjoint([tensor.op for tensor in op._inputs])

"""What a run needs, in which order, and which while frame each node is in."""
from __future__ import annotations

import functools
import heapq
import operator
import re
from collections.abc import Iterable, Set
from typing import Any

from ossia_core import errors
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor

ENTER = frozenset(("Enter", "RefEnter"))
EXIT = frozenset(("Exit", "RefExit"))
NEXT = frozenset(("NextIteration", "RefNextIteration"))
MERGE = frozenset(("Merge", "RefMerge"))
SWITCH = frozenset(("Switch", "RefSwitch"))
_ASSIGNMENTS = frozenset(("Assign", "AssignVariableOp"))
_UPDATES = re.compile(
    r"Assign(Add|Sub)(VariableOp)?\Z|(Resource)?(Sparse)?Apply|"
    r"(Resource)?Scatter(Nd)?(Add|Sub|Mul|Div|Min|Max|Update)\Z"
)


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

    def __init__(self, name: Any, parent: Frame | None) -> None:
        self.name, self.parent = name, parent
        self.members: list[Operation | Frame] = []
        self.enters: list[Operation] = []
        self.exits: list[Operation] = []
        self._id = 0

    def within(self, outer: Frame) -> Frame | None:
        """The ancestor of this frame (or itself) whose parent is `outer`; None if there is none."""
        frame: Frame | None = self
        while frame is not None and frame.parent is not outer:
            frame = frame.parent
        return frame


def frames(ops: list[Operation], fed: set[Tensor], types: Set[str]) -> Frame:
    """The root frame: nodes assigned to while frames, and each frame's members ordered.

    Args:
      ops: the nodes, in order of creation.
      fed: the tensors that are fed.
      types: the types of the nodes.

    Raises:
      InvalidArgumentError: the edges form a cycle, or frames are malformed.
    """
    root = Frame(None, None)
    home: dict[Operation, Frame] = {}
    if types.isdisjoint(ENTER):
        if not types.isdisjoint(EXIT) or not types.isdisjoint(NEXT):
            stray = next(op for op in ops if op.type in EXIT or op.type in NEXT)
            raise errors.InvalidArgumentError(None, stray, f"{stray.type} node {stray.name} is in no while frame")
        root.members = list(ordered(ops, fed))
        return root
    children: dict[tuple[int, Any], Frame] = {}
    out_frame: dict[Operation, Frame] = {}
    for op in ordered(ops, fed):
        frame = root
        for producer in _producers(op, fed):
            other = out_frame.get(producer)
            if other is not None and _depth(other) > _depth(frame):
                frame = other
        if op.type in ENTER:
            key = (id(frame), op.attrs["frame_name"])
            child = children.get(key)
            if child is None:
                child = children[key] = Frame(op.attrs["frame_name"], frame)
            frame = child
            frame.enters.append(op)
        home[op] = frame
        if op.type in EXIT:
            if frame.parent is None:
                raise errors.InvalidArgumentError(None, op, f"Exit node {op.name} is in no while frame")
            frame.exits.append(op)
            out_frame[op] = frame.parent
        else:
            out_frame[op] = frame
    _order_members([root, *children.values()], home, ops, fed)
    return root


def _depth(frame: Frame) -> int:
    depth = 0
    while frame.parent is not None:
        frame, depth = frame.parent, depth + 1
    return depth


def _producers(op: Operation, fed: set[Tensor]) -> list[Operation]:
    return [t.op for t in op._inputs if t not in fed and t.op.type not in NEXT] + list(op._control_inputs)


def _rank(op: Operation | Frame) -> tuple[bool, int]:
    """What comes first among nodes that no edge orders: creation order, but updates of variables come last.

    What a run reads of a variable is then its value before the run, unless an edge says otherwise: so it nearly always
    is in the original, where reads have nothing to wait for.
    """
    return isinstance(op, Operation) and _is_late(op), op._id


def _is_late(op: Operation) -> bool:
    """Whether a node changes a variable. An assignment may be the first, on which other initial values build: only
    those of scalars, such as the global step, come late."""
    if op.type in _ASSIGNMENTS:
        return op._inputs[1].shape.ndims == 0
    return is_update(op.type)


@functools.cache
def is_update(kind: str) -> bool:
    """Whether ops of a type change a variable that has a value."""
    return _UPDATES.match(kind) is not None


def ordered(ops: list[Operation], fed: set[Tensor]) -> list[Operation]:
    """Data and control edges first, then the order of `_rank`. Edges that close a loop do not count.

    `ops` are in order of creation, and the result may be that list.
    """
    behind = _behind_updates(ops, fed)
    if behind is None:
        return _sorted_by_edges(ops, fed)
    if not behind:
        return ops
    # What waits for no update keeps the order of creation; only the others have to be sorted.
    others = [op for op in ops if op in behind]
    return [op for op in ops if op not in behind] + _sorted_by_edges(others, fed)


def _behind_updates(ops: list[Operation], fed: set[Tensor]) -> set[Operation] | None:
    """The nodes that change variables, and those that wait for them; None if an edge leads to an earlier node."""
    types = {op.type for op in ops}
    if not types.isdisjoint(NEXT):
        return None
    updating = {kind for kind in types if kind in _ASSIGNMENTS or is_update(kind)}
    behind: set[Operation] = set()
    last = -1
    for op in ops:
        number = op._id
        if number <= last:
            return None
        last = number
        late = op.type in updating and _is_late(op)
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


def _sorted_by_edges(ops: list[Operation], fed: set[Tensor]) -> list[Operation]:
    position = {op: i for i, op in enumerate(ops)}
    count = len(ops)
    before: list[set[int]] = []
    rank: list[int] = []
    for i, op in enumerate(ops):
        sources = {position[control] for control in op._control_inputs if control in position}
        for tensor in op._inputs:
            at = position.get(tensor.op)
            if at is not None and (not fed or tensor not in fed) and ops[at].type not in NEXT:
                sources.add(at)
        before.append(sources)
        rank.append(i + count if _is_late(op) else i)
    followers: list[list[int]] = [[] for _ in ops]
    waiting = [len(sources) for sources in before]
    for i, sources in enumerate(before):
        for at in sources:
            followers[at].append(i)
    ready = [rank[i] for i in range(count) if not waiting[i]]
    heapq.heapify(ready)
    result = []
    while ready:
        first = heapq.heappop(ready) % count
        result.append(ops[first])
        for i in followers[first]:
            waiting[i] -= 1
            if not waiting[i]:
                heapq.heappush(ready, rank[i])
    if len(result) < count:
        stuck = next(op for i, op in enumerate(ops) if waiting[i])
        raise errors.InvalidArgumentError(None, stuck, f"The graph has a cycle through node '{stuck.name}'")
    return result


def _order_members(
    all_frames: list[Frame], home: dict[Operation, Frame], ops: list[Operation], fed: set[Tensor]
) -> None:
    """Order the members of each frame, a child frame standing for all that is inside it."""
    for frame in all_frames:
        members: list[Any] = []
        stands_for: dict[Operation, Any] = {}
        for op in ops:
            own = home[op]
            child = own if own is frame else own.within(frame)
            if child is frame:
                stands_for[op] = op
                members.append(op)
            elif child is not None:
                stands_for[op] = child
                if not child._id:
                    child._id = op._id
                    members.append(child)
        before: dict[Any, set] = {m: set() for m in members}
        for op, member in stands_for.items():
            for producer in _producers(op, fed):
                source = stands_for.get(producer)
                if source is not None and source is not member:
                    before[member].add(source)
        followers: dict[Any, list] = {}
        waiting = {}
        ready = []
        for i, member in enumerate(members):
            waiting[member] = len(before[member])
            for b in before[member]:
                followers.setdefault(b, []).append(member)
            if not before[member]:
                ready.append((_rank(member), i, member))
        index = {m: i for i, m in enumerate(members)}
        heapq.heapify(ready)
        while ready:
            member = heapq.heappop(ready)[2]
            frame.members.append(member)
            for follower in followers.get(member, ()):
                waiting[follower] -= 1
                if not waiting[follower]:
                    heapq.heappush(ready, (_rank(follower), index[follower], follower))
        if len(frame.members) < len(members):
            raise errors.InvalidArgumentError(
                None, None, f"The nodes of while frame {frame.name!r} depend on each other in a cycle"
            )

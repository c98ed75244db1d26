"""Control edges: the nodes whose steps must run before that of another, besides those whose values it reads."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from ossia_core.graph.operation import Operation

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

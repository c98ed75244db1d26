"""All matches of a pattern in one text, in time linear in it: one pass backwards, then each match walked forwards.

The pass backwards tells at each place which states of the machine can still come to its end from there; sets of such
states are kept in a table. Walking forwards then takes the first alternative that can, so that none is ever given up.
"""
from __future__ import annotations

import re
from typing import Any

FORK, SAVE, ASSERT, TAKE, END = range(5)
_MOST_KEPT = 200_000  # states in all sets of the table of one pattern
WORD = frozenset(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")


def holds(what: str, before: int | None, after: int | None) -> bool:
    """Whether an assertion holds between two bytes; None is the end of the text on that side."""
    if what == "text start":
        return before is None
    if what == "text end":
        return after is None
    if what == "line start":
        return before is None or before == 10
    if what == "line end":
        return after is None or after == 10
    return ((before in WORD) != (after in WORD)) == (what == "word border")


def context(byte: int) -> int:
    """What of a byte matters to assertions: whether it belongs to a word, or is the end of a line."""
    return 97 if byte in WORD else byte if byte == 10 else 32


def any_but(numbers: set[int]) -> re.Pattern[bytes]:
    """Any byte but these."""
    return re.compile(b"[^" + b"".join(b"\\x%02x" % number for number in sorted(numbers)) + b"]")


class _Place:
    """What holds at a place: which states can come to the end from there, and where each leads, as found so far."""

    __slots__ = ("after", "before", "states", "steps")

    def __init__(self, states: set[int], before: int | None, after: int | None) -> None:
        self.states, self.before, self.after = states, before, after
        self.steps: dict[int, tuple[int | None, tuple[int, ...]]] = {}


class _Node:
    """The states that take the byte after a place and can come to the end then, and what the byte before leads to."""

    __slots__ = ("after", "edges", "leaving", "loops", "takers")

    def __init__(self, takers: frozenset[int], after: int | None, classes: int) -> None:
        self.takers, self.after = takers, after
        self.edges: list[tuple[_Node, _Place, bool] | None] = [None] * classes
        self.loops: set[int] = set()  # the classes of bytes that lead from here to here
        self.leaving: re.Pattern[bytes] | None = None  # any other


class Searcher:
    """Finds the matches of one program.

    Args:
      program: a `regex_machine.Program`.
      classes: a table from bytes to classes of bytes that no state tells apart.
      samples: a byte of each class.
    """

    def __init__(self, program: Any, classes: bytes, samples: list[int]) -> None:
        self._program, self._classes, self._samples = program, classes, samples
        self._asserts = ASSERT in program.kinds
        self._before: list[list[int]] = [[] for _ in program.kinds]  # states that lead to a state without a byte
        self._takers: list[list[int]] = [[] for _ in program.kinds]  # and with one
        for state, (kind, following) in enumerate(zip(program.kinds, program.nexts, strict=True)):
            if kind == TAKE:
                self._takers[following].append(state)
            elif kind != END:
                for other in following if kind == FORK else (following,):
                    self._before[other].append(state)
        self._table: dict[tuple, _Node] = {}
        self._kept = 0

    def _node(self, takers: frozenset[int], after: int | None) -> _Node:
        key = (takers, after)
        if key not in self._table:
            self._kept += len(takers) + 1
            if self._kept > _MOST_KEPT:
                self._table.clear()
                self._kept = len(takers) + 1
            self._table[key] = _Node(takers, after, len(self._samples))
        return self._table[key]

    def _place(self, node: _Node, before: int | None) -> _Place:
        program = self._program
        states: set[int] = set()
        todo = [0, *node.takers]  # The end is the first state that is made.
        while todo:
            state = todo.pop()
            if state in states or (
                program.kinds[state] == ASSERT and not holds(program.arguments[state], before, node.after)
            ):
                continue
            states.add(state)
            todo += self._before[state]
        return _Place(states, before, node.after)

    def _edge(self, node: _Node, number: int) -> tuple[_Node, _Place, bool]:
        byte = self._samples[number]
        known = next((edge for edge in node.edges if edge is not None), None)
        # Without assertions what came before does not matter.
        place = known[1] if known is not None and not self._asserts else self._place(node, byte)
        arguments = self._program.arguments
        takers = frozenset(
            taker for state in place.states for taker in self._takers[state] if byte in arguments[taker]
        )
        following = self._node(takers, context(byte) if self._asserts else None)
        edge = (following, place, self._program.start in place.states)
        node.edges[number] = edge
        if following is node and not self._asserts:
            node.loops.add(number)
            node.leaving = None
        return edge

    def matches(self, text: bytes, start: int) -> Matches:
        """The matches in `text` from `start` on; what comes before is looked at by assertions alone."""
        classes = text[start:].translate(self._classes)[::-1]
        size = len(classes)
        node = self._node(frozenset(), None)
        places: list[_Place] = []
        starts = bytearray(size + 1)
        at = 0
        while at < size:
            number = classes[at]
            edge = node.edges[number] or self._edge(node, number)
            following, place, starting = edge
            if following is node and number in node.loops:
                if node.leaving is None:
                    node.leaving = any_but(node.loops)
                left = node.leaving.search(classes, at)
                end = size if left is None else left.start()
                places += [place] * (end - at)
                if starting:
                    starts[at:end] = b"\1" * (end - at)
                at = end
                continue
            places.append(place)
            if starting:
                starts[at] = 1
            node = following
            at += 1
        places.append(self._place(node, text[start - 1] if start else None))
        starts[size] = self._program.start in places[-1].states
        places.reverse()
        starts.reverse()
        return Matches(self, start, places, starts)

    def step(self, place: _Place, state: int) -> tuple[int | None, tuple[int, ...]]:
        """The state that `state` leads to by the next byte, None for the end, and the slots saved before that byte."""
        program = self._program
        seen: set[int] = set()
        todo: list[tuple[int, tuple[int, ...]]] = [(state, ())]
        while True:  # A state of the place comes to the end, so one of these is found.
            state, saved = todo.pop()
            if state in seen or state not in place.states:
                continue
            seen.add(state)
            kind = program.kinds[state]
            if kind == END:
                return None, saved
            if kind == TAKE:
                return program.nexts[state], saved
            if kind == FORK:
                todo += [(following, saved) for following in reversed(program.nexts[state])]
            else:
                todo.append((program.nexts[state], (*saved, program.arguments[state]) if kind == SAVE else saved))

    @property
    def first(self) -> tuple[int, int]:
        """The first state, and the number of slots for the places of the match and its groups."""
        return self._program.start, 2 * self._program.groups + 2


class Matches:
    """The matches in one text; see `Searcher.matches`."""

    def __init__(self, searcher: Searcher, start: int, places: list[_Place], starts: bytearray) -> None:
        self._searcher, self._start, self._places, self._starts = searcher, start, places, starts

    def search(self, at: int) -> tuple | None:
        """The leftmost match from `at` on, as `regex_machine.Machine.search` gives it."""
        at = self._starts.find(1, max(at - self._start, 0))
        if at < 0:
            return None
        first, slots = self._searcher.first
        state: int | None = first
        spans: list[int | None] = [None] * slots
        places = self._places
        while state is not None:
            place = places[at]
            step = place.steps.get(state)
            if step is None:
                step = place.steps[state] = self._searcher.step(place, state)
            state, saved = step
            for slot in saved:
                spans[slot] = at + self._start
            at += 1
        return tuple(spans)

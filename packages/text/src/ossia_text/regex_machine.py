"""Regular expressions compiled to a machine over bytes that runs in time linear in the text, whatever the pattern.

Thompson's construction (1968) with Pike's submatches: all alternatives advance together, byte by byte. Whether a whole
text matches is decided by sets of states, which are kept and so become a table while texts are read.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Generator
from typing import Any

import numpy as np

from ossia_text.regex_parser import LAST, Parser, PatternError, Ranges
from ossia_text.regex_rewrite import rewrite_of_re, template, written
from ossia_text.regex_search import ASSERT, END, FORK, SAVE, TAKE, WORD, Searcher, any_but, context, holds
from ossia_text.regex_simple import simple_pattern

_MOST_STATES = 87_000  # of a program, as many as the original's 8 MB hold
_MANY = 100  # texts from which on it pays to read them together
_FIRST_ROWS = 16  # of the table that they share
_MOST_KEPT = 2_000  # sets of states in the table of one pattern
_LONGEST_QUICK = 1_000  # a pattern for `re`: it tries the forms of a set of code points one by one
_MOST_WALKED = 1 << 22  # bytes of a text of which all matches are found at once: that takes memory for each
_MOST_WALKED_STATES = 20_000  # of a program for that
_CONTINUATION = ((0x80, 0xBF),)
# Everything beyond ASCII, a little more generous than UTF-8, as RE2 is.
_BEYOND_ASCII: list[tuple[tuple[int, int], ...]] = [
    ((0xC2, 0xDF), *_CONTINUATION), ((0xE0, 0xEF), *_CONTINUATION * 2), ((0xF0, 0xF4), *_CONTINUATION * 3)]


def _utf8(first: int, last: int) -> list[tuple[tuple[int, int], ...]]:
    """The UTF-8 forms of the code points of a range, as sequences of byte ranges."""
    if (first, last) == (0x80, LAST):
        return _BEYOND_ASCII
    out: list[tuple[tuple[int, int], ...]] = []
    todo = [(first, last)]
    while todo:
        first, last = todo.pop()
        for border in (0x7F, 0x7FF, 0xFFFF):
            if first <= border < last:
                todo += [(border + 1, last), (first, border)]
                break
        else:
            if last <= 0x7F:
                out.append(((first, last),))
                continue
            for bits in (6, 12, 18):
                low = (1 << bits) - 1
                if first & ~low != last & ~low:
                    if first & low:
                        todo += [((first | low) + 1, last), (first, first | low)]
                        break
                    if last & low != low:
                        todo += [(last & ~low, last), (first, (last & ~low) - 1)]
                        break
            else:
                ends = (chr(code).encode("utf-8", "surrogatepass") for code in (first, last))
                out.append(tuple(zip(*ends, strict=True)))
    return out


class Program:
    """The states of the machine of one pattern: parallel lists of kinds, arguments and next states.

    Args:
      tree: what the parser makes of the pattern.
      groups: the number of its groups.

    Raises:
      PatternError: its machine is too large.
    """

    def __init__(self, tree: Any, groups: int) -> None:
        self.groups = groups
        self.kinds: list[int] = []
        self.arguments: list[Any] = []
        self.nexts: list[Any] = []
        end = self._add(END, None, None)
        self.start = self._add(SAVE, 0, self._build(tree, self._add(SAVE, 1, end)))

    def _add(self, kind: int, argument: Any, following: Any) -> int:
        if len(self.kinds) >= _MOST_STATES:
            raise PatternError("pattern too large - compile failed")
        self.kinds.append(kind)
        self.arguments.append(argument)
        self.nexts.append(following)
        return len(self.kinds) - 1

    def _build(self, tree: Any, following: int) -> int:
        """Adds the states of a tree, which lead to `following`; the first one. Deep trees take no Python stack."""
        waiting = [self._steps(tree, following)]
        result: int | None = None
        while waiting:
            try:
                node, after = waiting[-1].send(result)
                waiting.append(self._steps(node, after))
                result = None
            except StopIteration as done:
                waiting.pop()
                result = done.value
        assert result is not None
        return result

    def _steps(self, node: Any, following: int) -> Generator[tuple[Any, int], Any, int]:
        """Builds one node; yields (part, what follows it) and is sent the first state of that part."""
        kind = node[0]
        if kind == "set":
            return self._take(node[1], following)
        if kind == "byte":
            return self._add(TAKE, frozenset(range(256)), following)
        if kind == "assert":
            return self._add(ASSERT, node[1], following)
        if kind == "cat":
            for part in reversed(node[1]):
                following = yield part, following
            return following
        if kind == "alt":
            starts = []
            for part in node[1]:
                start = yield part, following
                starts.append(start)
            return self._add(FORK, None, tuple(starts))
        if kind == "group":
            inner = yield node[1], self._add(SAVE, 2 * node[2] + 1, following)
            return self._add(SAVE, 2 * node[2], inner)
        _, part, least, most, greedy = node
        if most is None:
            loop = self._add(FORK, None, ())
            again = yield part, loop
            self.nexts[loop] = (again, following) if greedy else (following, again)
            following = again if least else loop
            least = max(least - 1, 0)
        else:
            after = following
            for _ in range(most - least):
                inner = yield part, following
                following = self._add(FORK, None, (inner, after) if greedy else (after, inner))
        for _ in range(least):
            following = yield part, following
        return following

    def _take(self, ranges: Ranges, following: int) -> int:
        """States that take one code point of the ranges."""
        if ranges and ranges[-1][1] == LAST and ranges[-1][0] < 0x80:
            ranges = (*ranges[:-1], (ranges[-1][0], 0x7F), (0x80, LAST))
        known: dict[tuple, int] = {}

        def states(sequences: list) -> int:
            by_rest: dict[tuple, set[int]] = {}
            for (low, high), *rest in sequences:
                by_rest.setdefault(tuple(rest), set()).update(range(low, high + 1))
            starts = []
            for rest, taken in by_rest.items():
                key = (rest, frozenset(taken))
                if key not in known:
                    known[key] = self._add(TAKE, key[1], states([rest]) if rest else following)
                starts.append(known[key])
            return starts[0] if len(starts) == 1 else self._add(FORK, None, tuple(starts))

        return states([form for first, last in ranges for form in _utf8(first, last)])


class _Set:
    """The states that a text leads to, what of its last byte matters, and the sets that the next byte leads to."""

    __slots__ = ("before", "edges", "leaving", "loops", "states")

    def __init__(self, states: frozenset[int], before: int | None, classes: int) -> None:
        self.states, self.before = states, before
        self.edges: list[_Set | None] = [None] * classes
        self.loops: set[int] = set()  # the classes of bytes that lead from here to here
        self.leaving: re.Pattern[bytes] | None = None  # any other


class Machine:
    """One compiled pattern.

    Args:
      pattern: the pattern in RE2's syntax.

    Raises:
      PatternError: it is no regular expression.
    """

    def __init__(self, pattern: bytes) -> None:
        parser = Parser(pattern)
        tree = parser.tree()
        self._program = Program(tree, parser.groups)
        self.groups = self._program.groups
        self._table: dict[tuple, _Set] = {}
        self._classes, self._samples = self._byte_classes()
        can_start, empty, self._anchored = self._first_bytes()
        self._skip = None if empty else re.compile(
            b"[" + b"".join(re.escape(bytes([byte])) for byte in sorted(can_start)) + b"]" if can_start else rb"(?!)",
            re.DOTALL)
        self._simple = simple_pattern(tree, _utf8) if self._skip is not None else None
        small = self._simple is not None and len(self._simple.pattern) <= _LONGEST_QUICK
        self._quick = self._simple if small else None
        self._searcher: Searcher | None = None

    def _byte_classes(self) -> tuple[bytes, list[int]]:
        """A table from bytes to classes of bytes that no state tells apart, and a byte of each class."""
        program = self._program
        sets = {argument for kind, argument in zip(program.kinds, program.arguments, strict=True) if kind == TAKE}
        if ASSERT in program.kinds:
            sets |= {WORD, frozenset((10,))}
        numbers = [0] * 256
        for members in sets:
            renumbered: dict[tuple, int] = {}
            numbers = [renumbered.setdefault((number, byte in members), len(renumbered))
                       for byte, number in enumerate(numbers)]
        return bytes(numbers), [numbers.index(number) for number in range(max(numbers) + 1)]

    def _first_bytes(self) -> tuple[set[int], bool, bool]:
        """The bytes with which a match can start, whether a match can be empty, and whether all start with the text."""
        program, todo = self._program, [self._program.start]
        seen: set[int] = set()
        taken: set[int] = set()
        while todo:
            state = todo.pop()
            if state in seen:
                continue
            seen.add(state)
            kind = program.kinds[state]
            if kind == END:
                return taken, True, False
            if kind == TAKE:
                taken |= program.arguments[state]
            else:
                todo += program.nexts[state] if kind == FORK else (program.nexts[state],)
        return taken, False, self._starts_with_text()

    def _starts_with_text(self) -> bool:
        """Whether every way through the program begins with the start of the text."""
        program, todo, seen = self._program, [self._program.start], set[int]()
        while todo:
            state = todo.pop()
            if state in seen or (program.kinds[state] == ASSERT and program.arguments[state] == "text start"):
                continue
            seen.add(state)
            if program.kinds[state] in (TAKE, END):
                return False
            todo += program.nexts[state] if program.kinds[state] == FORK else (program.nexts[state],)
        return True

    def _closure(self, states: Any, before: int | None, after: int | None) -> set[int]:
        """The states that are reached without a byte."""
        kinds, nexts, arguments = self._program.kinds, self._program.nexts, self._program.arguments
        seen: set[int] = set()
        todo = list(states)
        while todo:
            state = todo.pop()
            if state in seen:
                continue
            seen.add(state)
            kind = kinds[state]
            if kind == FORK:
                todo += nexts[state]
            elif kind == SAVE or (kind == ASSERT and holds(arguments[state], before, after)):
                todo.append(nexts[state])
        return seen

    def _set(self, states: frozenset[int], before: int | None) -> _Set:
        if len(self._table) > _MOST_KEPT:
            self._table.clear()
        return self._table.setdefault((states, before), _Set(states, before, len(self._samples)))

    def _advanced(self, node: _Set, number: int) -> _Set:
        """The set of states after a byte of a class."""
        program, byte = self._program, self._samples[number]
        reached = frozenset(
            program.nexts[state] for state in self._closure(node.states, node.before, byte)
            if program.kinds[state] == TAKE and byte in program.arguments[state])
        # What came before matters to assertions only.
        following = self._set(reached, context(byte) if ASSERT in program.kinds else None)
        node.edges[number] = following
        if following is node:
            node.loops.add(number)
            node.leaving = None
        return following

    def full_match(self, text: bytes) -> bool:
        """Whether the pattern matches the whole of `text`."""
        if self._quick is not None:
            return self._quick.fullmatch(text) is not None
        node = self._set(frozenset((self._program.start,)), None)
        classes = text.translate(self._classes)
        at, size = 0, len(classes)
        while at < size:
            number = classes[at]
            following = node.edges[number] or self._advanced(node, number)
            if following is node:
                if node.leaving is None:
                    node.leaving = any_but(node.loops)
                left = node.leaving.search(classes, at)
                at = size if left is None else left.start()
                continue
            node = following
            if not node.states:
                return False
            at += 1
        return self._ends(node)

    def _ends(self, node: _Set) -> bool:
        """Whether a text that leads to a set may end there."""
        return 0 in self._closure(node.states, node.before, None)  # The end is the first state that is made.

    def full_matches(self, texts: list[bytes]) -> np.ndarray:
        """Whether the pattern matches the whole of each text, bool `[n]`: many texts are read side by side."""
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        longest = int(lengths.max(initial=0))
        if self._quick is None and lengths.sum() > _MANY * longest:
            found = self._together(texts, lengths, longest)
            if found is not None:
                return found
        return np.fromiter(map(self.full_match, texts), bool, len(texts))

    def _together(self, texts: list[bytes], lengths: np.ndarray, longest: int) -> np.ndarray | None:
        """`full_matches` by a table of sets and classes of bytes; None if it becomes too large."""
        order, width = np.argsort(-lengths, kind="stable"), len(self._samples)
        reading = len(texts) - np.cumsum(np.bincount(lengths, minlength=longest))  # texts that have the byte at a place
        at = (np.cumsum(lengths) - lengths)[order]
        classes = np.frombuffer(b"".join(texts).translate(self._classes), np.uint8)
        nodes = [self._set(frozenset((self._program.start,)), None)]
        rows = {(nodes[0].states, nodes[0].before): 0}
        table = np.full(_FIRST_ROWS * width, -1, np.int32)  # where the row of the next set begins
        state = np.zeros(len(texts), np.int32)
        for place in range(longest):
            count = reading[place]
            key = state[:count] + classes[at[:count] + place]
            following = table.take(key)
            if following.min() < 0:
                for unknown in np.unique(key[following < 0]).tolist():
                    row, number = divmod(unknown, width)
                    node = nodes[row].edges[number] or self._advanced(nodes[row], number)
                    known = rows.setdefault((node.states, node.before), len(nodes))
                    if known > _MOST_KEPT:
                        return None
                    nodes += [node] * (known == len(nodes))
                    if known * width == len(table):
                        table = np.concatenate([table, np.full_like(table, -1)])
                    table[unknown] = known * width
                following = table.take(key)
            state[:count] = following
        ends = np.fromiter(map(self._ends, nodes), bool, len(nodes))
        found = np.empty(len(texts), bool)
        found[order] = ends[state // width]
        return found

    def search(self, text: bytes, start: int = 0) -> tuple | None:
        """The leftmost match from `start` on, of several there the one that comes first in the pattern.

        Returns:
          Where the match and its groups start and end, as in (s0, e0, s1, e1, ...), None for a group without a match;
          or None if there is no match.
        """
        if self._simple is not None:
            match = self._simple.search(text, start)
            if match is None:
                return None
            places = [place for span in match.regs for place in span]
            return tuple(None if place < 0 else place for place in places)
        kinds, nexts, arguments = self._program.kinds, self._program.nexts, self._program.arguments
        blank = (None,) * (2 * self.groups + 2)
        found: tuple | None = None
        pending: list[tuple[int, tuple]] = []
        at, size = start, len(text)
        while True:
            if not pending and found is None and at and self._anchored:
                return None
            if not pending and found is None and self._skip is not None:
                skipped = self._skip.search(text, at)
                if skipped is None:
                    return None
                at = skipped.start()
            if found is None:
                pending.append((self._program.start, blank))
            before, after = text[at - 1] if at else None, text[at] if at < size else None
            seen: set[int] = set()
            advanced: list[tuple[int, tuple]] = []
            # The first of the list has the highest priority.
            todo = pending[::-1]
            while todo:
                state, spans = todo.pop()
                if state in seen:
                    continue
                seen.add(state)
                kind = kinds[state]
                if kind == TAKE:
                    if after in arguments[state]:
                        advanced.append((nexts[state], spans))
                elif kind == FORK:
                    todo += [(following, spans) for following in reversed(nexts[state])]
                elif kind == SAVE:
                    slot = arguments[state]
                    todo.append((nexts[state], (*spans[:slot], at, *spans[slot + 1:])))
                elif kind == END:
                    found = spans
                    break
                elif holds(arguments[state], before, after):
                    todo.append((nexts[state], spans))
            if at == size or (found is not None and not advanced):
                return found
            pending = advanced
            at += 1

    def replace(self, text: bytes, rewrite: bytes, everywhere: bool) -> bytes:
        r"""`text` with its matches written anew.

        Args:
          text: the text.
          rewrite: what stands for a match; `\0` to `\9` are the match and its groups, `\\` is a backslash.
          everywhere: whether all matches are replaced, or the first one.

        Returns:
          The new text. A group that the pattern does not have is empty. At a backslash before anything else the written
          text ends; without `everywhere` nothing is replaced then.
        """
        if not everywhere and not template(rewrite)[1]:
            return text
        if self._quick is not None:
            return self._quick.sub(rewrite_of_re(rewrite, self.groups), text, count=0 if everywhere else 1)
        search = self._search_of(text)
        out, at, last_end = [], 0, -1
        while at <= len(text):
            spans = search(at)
            if spans is None:
                break
            first, end = spans[:2]
            out.append(text[at:first])
            if first == end == last_end:
                # An empty match just after a match does not count.
                step = _character_size(text, at)
                out.append(text[at:at + step])
                at += step
                continue
            out.append(written(rewrite, text, spans))
            at = last_end = end
            if not everywhere:
                break
        return b"".join(out) + text[at:] if last_end >= 0 else text

    def _search_of(self, text: bytes) -> Callable[[int], tuple | None]:
        """`search` of one text, of which many matches are asked for."""
        start = 0
        if self._anchored:
            return lambda at: self.search(text, at)
        if self._skip is not None:
            candidate = self._skip.search(text)
            if candidate is None:
                return lambda at: None
            start = candidate.start()
        if len(text) - start > _MOST_WALKED or len(self._program.kinds) > _MOST_WALKED_STATES:
            return lambda at: self.search(text, at)
        if self._searcher is None:
            self._searcher = Searcher(self._program, self._classes, self._samples)
        return self._searcher.matches(text, start).search


def _character_size(text: bytes, at: int) -> int:
    """How many bytes the UTF-8 character at a place has; 1 where there is none."""
    for size in range(1, 5):
        try:
            text[at:at + size].decode()
        except UnicodeDecodeError:
            continue
        return size
    return 1

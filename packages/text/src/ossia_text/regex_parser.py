"""Regular expressions in RE2's syntax, parsed into a tree.

A node is a tuple: ("set", ranges) for one code point out of sorted ranges, ("byte",) for any byte, ("assert", what),
("cat", nodes), ("alt", nodes), ("repeat", node, least, most or None, greedy), ("group", node, number).
"""
from __future__ import annotations

import bisect
import unicodedata
from functools import lru_cache
from typing import Any

import numpy as np

from ossia_text.unicode_scripts import CODE_POINTS, UNASSIGNED, ranges_of, script_ranges, scripts

LAST = CODE_POINTS - 1
MOST_REPEATS = 1000
_DEEPEST = 1000  # groups in groups

Ranges = tuple[tuple[int, int], ...]
_DIGIT: Ranges = ((48, 57),)
_SPACE: Ranges = ((9, 10), (12, 13), (32, 32))
_WORD: Ranges = ((48, 57), (65, 90), (95, 95), (97, 122))
_PERL = {"d": _DIGIT, "s": _SPACE, "w": _WORD}
_POSIX: dict[str, Ranges] = {
    "alnum": ((48, 57), (65, 90), (97, 122)), "alpha": ((65, 90), (97, 122)), "ascii": ((0, 127),),
    "blank": ((9, 9), (32, 32)), "cntrl": ((0, 31), (127, 127)), "digit": _DIGIT, "graph": ((33, 126),),
    "lower": ((97, 122),), "print": ((32, 126),), "punct": ((33, 47), (58, 64), (91, 96), (123, 126)),
    "space": ((9, 13), (32, 32)), "upper": ((65, 90),), "word": _WORD, "xdigit": ((48, 57), (65, 70), (97, 102)),
}
_ESCAPES = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_HEX = "0123456789abcdefABCDEF"


class PatternError(ValueError):
    """A pattern that is no regular expression; the text says why."""


def merged(ranges: Any) -> Ranges:
    """Ranges sorted, without overlaps."""
    out: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if out and first <= out[-1][1] + 1:
            out[-1] = (out[-1][0], max(last, out[-1][1]))
        else:
            out.append((first, last))
    return tuple(out)


def negated(ranges: Ranges) -> Ranges:
    """The code points outside of merged ranges."""
    out, start = [], 0
    for first, last in ranges:
        if start < first:
            out.append((start, first - 1))
        start = last + 1
    return (*out, (start, LAST)) if start <= LAST else tuple(out)


@lru_cache
def _categories() -> np.ndarray:
    """The general category of every code point; what came after the Unicode of `scripts` is not assigned."""
    known = np.array([unicodedata.category(chr(code)) for code in range(LAST + 1)])
    return np.where((scripts() == UNASSIGNED) & ~np.isin(known, ["Co", "Cs"]), "Cn", known)


@lru_cache
def _cases() -> tuple[list[int], list[tuple[int, ...]]]:
    """Sorted code points that have cases, and of each all that differ from it only in case."""
    classes: dict[int, set[int]] = {}
    cased = set(np.flatnonzero(np.isin(_categories(), ["Ll", "Lt", "Lu", "Mn", "Nl", "So"])).tolist())
    for code in cased:
        char = chr(code)
        for other in (char.lower(), char.upper(), char.casefold()):
            if other != char and len(other) == 1 and ord(other) in cased:
                joined = classes.get(code, {code}) | classes.get(ord(other), {ord(other)})
                for member in joined:
                    classes[member] = joined
    for apart in (0x130, 0x131):  # The dotted I and the dotless i have no other case outside of Turkish.
        for member in classes.pop(apart, set()) - {apart}:
            classes[member].discard(apart)
    codes = sorted(classes)
    return codes, [tuple(sorted(classes[code])) for code in codes]


def folded(ranges: Ranges) -> Ranges:
    """Ranges with the code points that differ from theirs only in case."""
    codes, classes = _cases()
    extra = [(code, code) for first, last in ranges
             for members in classes[bisect.bisect_left(codes, first):bisect.bisect_right(codes, last)]
             for code in members]
    return merged([*ranges, *extra])


@lru_cache
def _property(name: str) -> Ranges | None:
    """The ranges of a general category, such as "Lu" or "L", or of a script; None if there is none of that name."""
    if name == "Any":
        return ((0, LAST),)
    if len(name) > 2:
        return script_ranges(name)
    if not name or name in ("C", "Cn"):
        others = np.isin(_categories(), ["Cc", "Cf", "Co", "Cs"])
        return ranges_of(others) if name == "C" else None
    return ranges_of(np.char.startswith(_categories(), name)) or None


class _Level:
    """What is open at one depth of groups: finished alternatives, the nodes of the current one, and what to restore."""

    def __init__(self, number: int | None, flags: frozenset[str]) -> None:
        self.number, self.flags = number, flags
        self.alternatives: list[Any] = []
        self.nodes: list[Any] = []

    def close(self) -> Any:
        self.alternatives.append(self.nodes[0] if len(self.nodes) == 1 else ("cat", tuple(self.nodes)))
        return self.alternatives[0] if len(self.alternatives) == 1 else ("alt", tuple(self.alternatives))


class Parser:
    """Parses one pattern; `tree()` gives its tree, `groups` the number of its groups after that.

    Args:
      pattern: the pattern in UTF-8.

    Raises:
      PatternError: it is not UTF-8.
    """

    def __init__(self, pattern: bytes) -> None:
        try:
            self.text = pattern.decode()
        except UnicodeDecodeError:
            raise PatternError("invalid UTF-8") from None
        self.at = 0
        self.groups = 0
        self.flags: frozenset[str] = frozenset()
        self._repeats: dict[int, int] = {}  # by node identity: how often the innermost is repeated

    def _next(self, text: str) -> bool:
        """Whether `text` comes next; then it is taken."""
        found = self.text.startswith(text, self.at)
        self.at += len(text) if found else 0
        return found

    def tree(self) -> Any:
        """The tree of the pattern.

        Raises:
          PatternError: it is no regular expression.
        """
        levels = [_Level(None, self.flags)]
        repeated = None  # where the last repetition operator ended and began
        while self.at < len(self.text):
            level, char, start = levels[-1], self.text[self.at], self.at
            if char == "(":
                if self.text.startswith("(?", self.at) and self._group_options(levels):
                    continue
                if self.at == start:
                    self.at += 1
                    self.groups += 1
                    levels.append(_Level(self.groups, self.flags))
                if len(levels) > _DEEPEST:
                    raise PatternError("expression nests too deeply")
            elif char == ")":
                if len(levels) == 1:
                    raise PatternError(f"missing ): {self.text}")
                self.at += 1
                levels.pop()
                node, self.flags = level.close(), level.flags
                if level.number is not None:
                    node = self._carry(("group", node, level.number), node)
                levels[-1].nodes.append(self._carry(node, node))
            elif char == "|":
                self.at += 1
                level.alternatives.append(("cat", tuple(level.nodes)))
                level.nodes = []
            elif char in "*+?" or (char == "{" and self._counts() is not None):
                least, most = self._quantity(char)
                lazy = self._next("?")
                if repeated is not None and repeated[1] == start:
                    raise PatternError(f"bad repetition operator: {self.text[repeated[0]:self.at]}")
                if not level.nodes:
                    raise PatternError(f"no argument for repetition operator: {self.text[start:self.at]}")
                repeated = (start, self.at)
                level.nodes.append(self._repeat(level.nodes.pop(), least, most, lazy == ("U" in self.flags)))
            else:
                level.nodes.extend(self._single(char))
        if len(levels) > 1:
            raise PatternError(f"missing ): {self.text}")
        return levels[0].close()

    def _group_options(self, levels: list[_Level]) -> bool:
        """Reads what follows `(?`; whether it only set flags. A group that it opens becomes a level."""
        start = self.at
        if self._next("(?P<"):
            end = self.text.find(">", self.at)
            name = self.text[self.at:end]
            if end < 0 or not name.isascii() or not name.replace("_", "a").isalnum():
                raise PatternError(f"invalid named capture group: {self.text[start:end + 1 or None]}")
            self.at = end + 1
            self.groups += 1
            levels.append(_Level(self.groups, self.flags))
            return False
        self.at += 2
        flags, on, some = set(self.flags), True, False
        while self.at < len(self.text):
            char = self.text[self.at]
            self.at += 1
            if char in "imsU":
                (flags.add if on else flags.discard)(char)
                some = True
            elif char == "-" and on:
                on, some = False, False
            elif char in ":)" and (on or some):
                if char == ":":
                    levels.append(_Level(None, self.flags))
                self.flags = frozenset(flags)
                return char == ")"
            else:
                break
        else:
            raise PatternError(f"missing ): {self.text}")
        raise PatternError(f"invalid perl operator: {self.text[start:self.at]}")

    def _carry(self, node: Any, inner: Any) -> Any:
        """`node`, as often repeated inside as `inner`."""
        self._repeats[id(node)] = self._inside(inner)
        return node

    def _inside(self, node: Any) -> int:
        """How many copies of its innermost part a node stands for."""
        known = self._repeats.get(id(node))
        if known is not None:
            return known
        return max((self._inside(part) for part in node[1]), default=1) if node[0] in ("cat", "alt") else 1

    def _repeat(self, node: Any, least: int, most: int | None, greedy: bool) -> Any:
        if (least, most) in ((0, None), (1, None), (0, 1)):
            return self._carry(("repeat", node, least, most, greedy), node)
        copies = self._inside(node) * max(least if most is None else most, 1)
        if copies > MOST_REPEATS:
            raise PatternError(f"invalid repetition size: {{{least},{'' if most is None else most}}}")
        made = ("repeat", node, least, most, greedy)
        self._repeats[id(made)] = copies
        return made

    def _counts(self) -> tuple[int, int | None, int] | None:
        """The numbers of `{2}`, `{2,}` or `{2,3}` and where it ends; None if it is none of these."""
        end = self.text.find("}", self.at)
        first, comma, second = self.text[self.at + 1:end if end > 0 else self.at].partition(",")
        for number in (first, second):
            if not all("0" <= c <= "9" for c in number):
                return None
        if not first or (first[0] == "0" and len(first) > 1) or (second[:1] == "0" and len(second) > 1):
            return None
        if max(len(first), len(second)) > 9:
            return None
        least = int(first)
        return least, (int(second) if second else None) if comma else least, end + 1

    def _quantity(self, char: str) -> tuple[int, int | None]:
        start = self.at
        if char != "{":
            self.at += 1
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[char]  # type: ignore[return-value]
        least, most, self.at = self._counts()  # type: ignore[misc]
        if max(least, most or 0) > MOST_REPEATS or (most is not None and most < least):
            raise PatternError(f"invalid repetition size: {self.text[start:self.at]}")
        return least, most

    def _set(self, ranges: Ranges) -> Any:
        return ("set", folded(ranges) if "i" in self.flags else ranges)

    def _literal(self, code: int) -> Any:
        return self._set(((code, code),))

    def _single(self, char: str) -> list[Any]:
        """The nodes of what is no group and no operator."""
        start = self.at
        if char == "[":
            return [("set", self._brackets())]
        self.at += 1
        if char == ".":
            return [("set", ((0, LAST),) if "s" in self.flags else ((0, 9), (11, LAST)))]
        if char == "^":
            return [("assert", "line start" if "m" in self.flags else "text start")]
        if char == "$":
            return [("assert", "line end" if "m" in self.flags else "text end")]
        if char != "\\":
            return [self._literal(ord(char))]
        if self._next("Q"):
            end = self.text.find("\\E", self.at)
            quoted = self.text[self.at:] if end < 0 else self.text[self.at:end]
            self.at = len(self.text) if end < 0 else end + 2
            return [self._literal(ord(c)) for c in quoted]
        for letter, what in (("A", "text start"), ("z", "text end"), ("b", "word border"), ("B", "no word border")):
            if self._next(letter):
                return [("assert", what)]
        if self._next("C"):
            return [("byte",)]
        self.at = start
        found = self._class_escape()
        return [self._literal(self._escape()) if found is None else ("set", found)]

    def _class_escape(self) -> Ranges | None:
        r"""The ranges of `\d`, `\pL` and their like; None, and nothing read, if something else comes next."""
        letter = self.text[self.at + 1:self.at + 2]
        if letter and letter.lower() in _PERL:
            self.at += 2
            return self._sided(_PERL[letter.lower()], letter.isupper())
        if letter not in ("p", "P"):
            return None
        start = self.at
        self.at += 2
        if self._next("{"):
            end = self.text.find("}", self.at)
            if end < 0:
                raise PatternError(f"invalid character class range: {self.text[start:]}")
            name = self.text[self.at:end]
            self.at = end + 1
        else:
            name = self.text[self.at:self.at + 1]
            self.at += 1
        opposite = name.startswith("^")
        ranges = _property(name[1:] if opposite else name)
        if ranges is None:
            raise PatternError(f"invalid character class range: {self.text[start:self.at]}")
        return self._sided(ranges, (letter == "P") != opposite)

    def _sided(self, ranges: Ranges, outside: bool) -> Ranges:
        """Ranges, with other cases if case does not count, or what is outside of them."""
        ranges = folded(ranges) if "i" in self.flags else ranges
        return negated(merged(ranges)) if outside else ranges

    def _escape(self) -> int:
        """The code point of an escape such as `\\n`, `\\x41` or `\\.`."""
        start = self.at
        if self.at + 1 >= len(self.text):
            raise PatternError("trailing \\")
        char = self.text[self.at + 1]
        self.at += 2
        if char in _ESCAPES:
            return _ESCAPES[char]
        following = self.text[self.at:self.at + 1]
        if char == "0" or (char in "1234567" and "0" <= following <= "7"):
            digits = char
            while len(digits) < 3 and self.at < len(self.text) and "0" <= self.text[self.at] <= "7":
                digits += self.text[self.at]
                self.at += 1
            return int(digits, 8)
        if char == "x":
            if self._next("{"):
                end = self.text.find("}", self.at)
                digits = self.text[self.at:max(end, self.at)]
                self.at = end + 1
            else:
                digits = self.text[self.at:self.at + 2]
                self.at += 2
                digits = digits if len(digits) == 2 else ""
            if digits and all(c in _HEX for c in digits) and len(digits.lstrip("0")) <= 6 and int(digits, 16) <= LAST:
                return int(digits, 16)
        elif char < "\x80" and not char.isalnum():
            return ord(char)
        raise PatternError(f"invalid escape sequence: {self.text[start:start + 2]}")

    def _brackets(self) -> Ranges:
        """The ranges of a class in brackets."""
        start = self.at
        self.at += 1
        outside = self._next("^")
        ranges: list[tuple[int, int]] = []
        first = True
        while first or not self.text.startswith("]", self.at):
            if self.at >= len(self.text):
                raise PatternError(f"missing ]: {self.text[start:]}")
            first = False
            named = self._named_class()
            if named is None and self.text[self.at] == "\\":
                named = self._class_escape()
            if named is not None:
                ranges.extend(named)
                continue
            low_at = self.at
            low = self._class_character()
            high = low
            if self.text.startswith("-", self.at) and not self.text.startswith("-]", self.at) \
                    and self.at + 1 < len(self.text):
                self.at += 1
                high = self._class_character()
                if high < low:
                    raise PatternError(f"invalid character class range: {self.text[low_at:self.at]}")
            ranges.extend(self._set(((low, high),))[1])
        self.at += 1
        whole = merged(ranges)
        # `[^a]` takes a line break, as it does in Perl.
        return negated(whole) if outside else whole

    def _class_character(self) -> int:
        if self.at >= len(self.text):
            raise PatternError("missing ]")
        if self.text[self.at] == "\\":
            return self._escape()
        self.at += 1
        return ord(self.text[self.at - 1])

    def _named_class(self) -> Ranges | None:
        """The ranges of `[:alpha:]` and its like; None if it does not come next."""
        if not self.text.startswith("[:", self.at):
            return None
        end = self.text.find(":]", self.at + 2)
        if end < 0:
            return None
        name = self.text[self.at + 2:end]
        outside = name.startswith("^")
        ranges = _POSIX.get(name[1:] if outside else name)
        if ranges is None:
            raise PatternError(f"invalid character class range: {self.text[self.at:end + 2]}")
        self.at = end + 2
        return self._sided(ranges, outside)

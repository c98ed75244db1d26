"""Patterns that `re` matches as RE2 does, and in linear time: those without assertions whose repetitions come last."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

_MOST_WAYS = 64  # in which the alternatives of a pattern can be combined
_DEEPEST = 20

Sequences = Callable[[int, int], Iterable[tuple[tuple[int, int], ...]]]


class _NotSimple(Exception):
    pass


def simple_pattern(tree: Any, sequences: Sequences) -> re.Pattern[bytes] | None:
    """The pattern of a tree for `re`, over bytes; None if it is not simple.

    Without repetitions a match has at most as many steps as the pattern, in each of the ways in which its alternatives
    combine. A repetition of one code point at the end takes what there is, and never gives it back.

    Args:
      tree: what `regex_parser` makes of a pattern.
      sequences: gives the UTF-8 forms of a range of code points, as sequences of byte ranges.
    """
    ways = 1

    def written(node: Any, last: bool, depth: int) -> bytes:
        nonlocal ways
        kind = node[0]
        if depth > _DEEPEST:
            raise _NotSimple
        if kind == "set":
            forms = [
                b"".join(b"[\\x%02x-\\x%02x]" % pair for pair in form) for pair in node[1] for form in sequences(*pair)
            ]
            return b"(?:" + b"|".join(forms) + b")" if forms else b"(?!)"
        if kind == "cat":
            end = len(node[1]) - 1
            return b"".join([written(part, last and i == end, depth + 1) for i, part in enumerate(node[1])])
        if kind == "alt":
            ways *= len(node[1])
            if ways > _MOST_WAYS:
                raise _NotSimple
            return b"(?:" + b"|".join([written(part, False, depth + 1) for part in node[1]]) + b")"
        if kind == "group":
            return b"(" + written(node[1], False, depth + 1) + b")"
        if kind == "repeat" and last and node[1][0] == "set" and node[2:] == (1, None, True):
            return written(node[1], False, depth + 1) + b"+"
        raise _NotSimple

    try:
        return re.compile(written(tree, True, 0), re.DOTALL)
    except (_NotSimple, re.error, OverflowError):
        return None

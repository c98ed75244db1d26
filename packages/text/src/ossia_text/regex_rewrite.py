"""What stands for the matches of a regular expression: rewrites taken apart, and written."""
from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache


@lru_cache(128)
def template(rewrite: bytes) -> tuple[list[bytes | int], bool]:
    """The texts and the numbers of groups that stand for a match, up to a bad escape, and whether there is none."""
    parts: list[bytes | int] = []
    at = 0
    while True:
        escape = rewrite.find(b"\\", at)
        if escape < 0:
            return [*parts, rewrite[at:]], True
        parts.append(rewrite[at:escape])
        following = rewrite[escape + 1:escape + 2]
        if following.isdigit():
            parts.append(int(following))
        elif following == b"\\":
            parts.append(b"\\")
        else:
            return parts, False
        at = escape + 2


def written(rewrite: bytes, text: bytes, spans: tuple) -> bytes:
    """What stands for a match."""
    out: list[bytes] = []
    for part in template(rewrite)[0]:
        if isinstance(part, bytes):
            out.append(part)
        else:
            first, end = spans[2 * part:2 * part + 2] or (None, None)
            out.append(b"" if end is None else text[first:end])
    return b"".join(out)


@lru_cache(128)
def rewrite_of_re(rewrite: bytes, groups: int) -> bytes | Callable[[re.Match[bytes]], bytes]:
    """A rewrite as `re` takes it, for a pattern of so many groups."""
    parts = [part for part in template(rewrite)[0] if isinstance(part, bytes) or part <= groups]
    taken = [part for part in parts if isinstance(part, int)]
    if not taken:
        return b"".join(part.replace(b"\\", b"\\\\") for part in parts if isinstance(part, bytes))
    # A function is faster than a template of `re`, which Python 3.11 takes apart for each text.
    form = b"".join(b"%b" if isinstance(part, int) else part.replace(b"%", b"%%") for part in parts)
    return lambda match: form % tuple([match[group] or b"" for group in taken])

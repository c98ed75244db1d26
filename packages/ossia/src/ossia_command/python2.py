"""Programs in Python 2: which line says so, and what turns them into Python 3."""

from __future__ import annotations

import re
import sys

_SIGNS = tuple(
    re.compile(pattern)
    for pattern in (
        r"^\s*print\s+[^=(\s]",  # print "text"
        r"^\s*print\s*>>",
        r"^\s*except\s+[\w.()\s,]+,\s*\w+\s*:",
        r"^\s*raise\s+[\w.]+\s*,",
        r"^\s*exec\s+[^=(\s]",
        r"(?<![\w.])0[0-7]+(?![\w.])",
        r"(?<![\w.])\d+[lL](?!\w)",
        r"\bur['\"]",
        r"[^'\"#]*`[^`]+`",
        r"<>",
    )
)


def sign(line: str) -> bool:
    """Whether a line that Python 3 refuses looks like Python 2."""
    return any(pattern.search(line) for pattern in _SIGNS)


def explain(error: SyntaxError) -> None:
    """Says on standard error that the program is in Python 2 and what converts it, if the refused line says so."""
    line = (error.text or "").strip("\n")
    tabs = isinstance(error, TabError)
    if not tabs and not sign(line):
        return
    why = "it mixes tabs and spaces as Python 2 allowed" if tabs else f"{line.strip()!r} is Python 2"
    print(
        f"ossia run: line {error.lineno} of {error.filename}: {why}; "
        f"`2to3 -w -n {error.filename}` (up to Python 3.12; on PyPI as `fissix`) converts the program",
        file=sys.stderr,
    )

"""Which of many names are meant, and what they are to be called."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Sequence

import click


def selected(names: Iterable[str], patterns: Sequence[str]) -> list[str]:
    """The names that match one of the patterns of a shell, in order; all without patterns."""
    return [name for name in names if not patterns or any(fnmatch.fnmatchcase(name, each) for each in patterns)]


def renamed(names: Iterable[str], rules: Sequence[str]) -> dict[str, str]:
    """The new name of each name.

    Args:
        names: The names.
        rules: Each `EXPRESSION=REPLACEMENT`, with a regular expression; one after the other, in all of a name.

    Raises:
        click.BadParameter: A rule has no `=` or no valid expression, or two names become one.
    """
    made: dict[str, str] = {}
    for name in names:
        new = name
        for rule in rules:
            expression, separator, replacement = rule.partition("=")
            if not separator:
                raise click.BadParameter(f"{rule!r} is not of the form EXPRESSION=REPLACEMENT")
            try:
                new = re.sub(expression, replacement, new)
            except re.error as error:
                raise click.BadParameter(f"{expression!r} is no regular expression: {error}") from None
        if new in made.values():
            raise click.BadParameter(f"two variables would be called {new!r}")
        made[name] = new
    return made

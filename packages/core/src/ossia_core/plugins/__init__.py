"""The plugin manager, and the tables of public names that plugins declare."""

from __future__ import annotations

import warnings


class PluginWarning(UserWarning):
    """A plugin is left out, or a name that it declares is."""


def warn(message: str) -> None:
    """Issues a PluginWarning."""
    warnings.warn(message, PluginWarning, stacklevel=3)


def describe(error: Exception) -> str:
    """An error's class and message, in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())

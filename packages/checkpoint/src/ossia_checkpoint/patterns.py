"""The files that a prefix or a pattern names, and the error where there are none."""

from __future__ import annotations

import os

from ossia_core import files
from ossia_core.names import errors


def matching(pattern: str) -> list[str]:
    """Paths that `pattern` names: itself if it exists, else those that match its last part's `*`, `?` and `[...]`."""
    system = files.file_system(pattern)
    if system.exists(pattern):
        return [pattern]
    folder, name = os.path.split(pattern)
    if not any(mark in name for mark in "*?["):
        return []
    import fnmatch

    try:
        names = system.list_directory(folder or ".")
    except errors.OpError:
        return []
    return sorted(os.path.join(folder, found) for found in fnmatch.filter(names, name))


def absent(pattern: str) -> errors.OpError:
    """The error for a pattern that no file matches: of another class where there is no such folder either."""
    what, folder = "Unsuccessful TensorSliceReader constructor: Failed to", os.path.dirname(pattern)
    while (above := os.path.dirname(folder)) != folder and any(mark in folder for mark in "*?["):
        folder = above
    system = files.file_system(pattern)
    if folder and not system.is_directory(folder):
        why = f"Not found: {folder}; No such file or directory"
        if system.exists(folder):
            why = f"Failed precondition: {folder}; Not a directory"
        return errors.InvalidArgumentError(None, None, f"{what} get matching files on {pattern}: {why}")
    return errors.NotFoundError(None, None, f"{what} find any matching files for {pattern}")

"""Metrics of earlier evaluations, read from event files."""
from __future__ import annotations

import fnmatch
import os
from typing import Any

from ossia_core import files
from ossia_summary.reading import summary_iterator


def evaluations(pattern: str) -> dict[int, dict[str, Any]]:
    """The numbers in event files by global step, in its order, and by tag.

    Args:
        pattern: A directory, and a pattern for the names of files in it.
    """
    folder, names = os.path.split(pattern)
    system = files.file_system(folder)
    found: dict[int, dict[str, Any]] = {}
    if not system.exists(folder):
        return found
    for name in sorted(fnmatch.filter(system.list_directory(folder), names)):
        for event in summary_iterator(os.path.join(folder, name)):
            numbers = {
                value.tag: value.simple_value for value in event.summary.value if value.HasField("simple_value")
            }
            if numbers:
                found.setdefault(event.step, {}).update(numbers)
    return dict(sorted(found.items()))


def read_eval_metrics(eval_dir: str) -> dict[int, dict[str, Any]]:
    """The metrics of the evaluations in a directory, by global step, in its order, and by name.

    Args:
        eval_dir: The directory, such as `Estimator.eval_dir()`.
    """
    return evaluations(os.path.join(eval_dir, "*tfevents*"))

"""Checkpoints as commands open them."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from ossia_checkpoint.formats import TensorReader

_Item = TypeVar("_Item")
_MANY = 100  # items from which on a progress bar is shown


def open_reader(path: str) -> TensorReader:
    """A reader of a checkpoint, given by its prefix, one of its files or the folder where it is the newest.

    Raises:
        FileNotFoundError: There is none.
        ValueError: There is something else.
    """
    from ossia_checkpoint.reader import open_checkpoint
    from ossia_command import file_kinds

    found = file_kinds.find(path)
    if found.kind != "checkpoint":
        raise ValueError(f"{path!r} is no checkpoint, but of the kind: {found.kind}")
    return open_checkpoint(found.path)


def check_folder(prefix: str) -> None:
    """FileNotFoundError where the folder of a checkpoint to be written is not there."""
    folder = os.path.dirname(prefix) or "."
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"there is no folder {folder!r}")


def with_progress(items: Collection[_Item], what: str) -> Iterable[_Item]:
    """The items, with a progress bar in a terminal if they are many."""
    if len(items) < _MANY or not sys.stderr.isatty():
        return items
    from rich.console import Console
    from rich.progress import track

    return track(items, what, console=Console(stderr=True), transient=True)

"""The folders in which the shards of one save wait until they are merged.

The graph of a sharded save names the folder, `<checkpoint>_temp_<32 hex digits>`. It holds a mark, which tells it from
a folder of that name that somebody else made, and which the process that writes shards keeps locked: a folder whose
mark nobody locks was left by a process that died, and goes at the next save of that checkpoint.
"""

from __future__ import annotations

import contextlib
import os
import re
import threading

from ossia_core import files, temporaries
from ossia_core.forks import forgetful, renewed
from ossia_core.names import errors

_FOLDER = re.compile(r"(.+)_temp_[0-9a-f]{32}", re.DOTALL)
_PART = re.compile(r"part-\d{5}-of-\d{5}(?:\.[\w-]+)+")  # the files of any format
MARK = "ossia-unfinished"
_TEXT = b"Shards of a checkpoint that is being saved by Ossia. After the save this folder may be removed.\n"

_lock = renewed(threading.Lock())


class _Claims(dict[str, "int | None"]):
    """The folders that this process writes to, with the descriptors that hold the locks of their marks."""

    __hash__ = object.__hash__  # type: ignore[assignment]

    def after_fork(self) -> None:
        """A forked child writes to none of them; the locks stay its parent's."""
        for folder in list(self):
            _close(folder)


_claims = _Claims()
forgetful(_claims)


def checkpoint_of(folder: str) -> str | None:
    """The checkpoint whose shards are in `folder`, None for a folder of another kind."""
    match = _FOLDER.fullmatch(folder)
    return match[1] if match else None


def claim(folder: str) -> None:
    """Makes the folder of shards, if it is missing, and keeps it as long as this process lives.

    Raises:
        OpError: The folder cannot be made.
    """
    mark = os.path.join(folder, MARK)
    with _lock:
        while True:
            made = _make(folder)
            if made:
                _close(folder)
            try:
                if made:
                    with files.file_system(mark).open(mark, "wb") as stream:
                        stream.write(_TEXT)
                if folder not in _claims and (made or _is_mark(mark)):
                    _claims[folder] = temporaries.lock(mark)
                return
            except errors.NotFoundError:  # another process took it for one that nobody writes to
                continue
            except errors.OpError:
                _discard(mark)
                _remove_empty(folder)
                raise


def _make(folder: str) -> bool:
    """Whether the folder had to be made."""
    try:
        files.file_system(folder).make_directory(folder)
    except errors.AlreadyExistsError:
        return False
    return True


def _is_mark(path: str) -> bool:
    system = files.file_system(path)
    if system.is_link(path) or not system.exists(path):
        return False
    with contextlib.suppress(errors.OpError), system.open(path, "rb") as stream:
        return _TEXT.startswith(stream.read(len(_TEXT) + 1))  # its process may have died as it wrote it
    return False


def _close(folder: str) -> None:
    descriptor = _claims.pop(folder, None)
    if descriptor is not None:
        os.close(descriptor)


def release(folder: str) -> None:
    """Removes the folder after its shards were merged, unless something else is in it."""
    with _lock:
        mark = os.path.join(folder, MARK)
        if _is_mark(mark):
            _discard(mark)
        _close(folder)
    _remove_empty(folder)


def abandon(checkpoint: str) -> None:
    """Removes what a failed save of a checkpoint left of shards."""
    with _lock:
        for folder in [each for each in _claims if checkpoint_of(each) == checkpoint]:
            _remove(folder)
            _close(folder)


def sweep_saves(save_path: str, latest_filename: str) -> None:
    """Removes what savers of a checkpoint, numbered or not, left when their processes died."""
    directory, name = os.path.split(save_path)
    checkpoint = re.escape(name) + r"(-\d+)?"
    sweep(directory, re.compile(checkpoint))
    written = re.compile(rf"{re.escape(latest_filename)}|{checkpoint}(\.data)?(-\d{{5}}-of-\d{{5}})?(\.[^.]+)?")
    temporaries.sweep(directory, written.fullmatch)


def sweep(directory: str, owned: re.Pattern[str]) -> None:
    """Removes folders of shards that dead processes left in a directory.

    Args:
        directory: The directory.
        owned: Matches the whole names of checkpoints whose shards the caller may remove.
    """
    system = files.file_system(directory)
    with contextlib.suppress(errors.OpError):
        for name in system.list_directory(directory or "."):
            folder = os.path.join(directory, name)
            checkpoint = checkpoint_of(name)
            if checkpoint is None or not owned.fullmatch(checkpoint) or system.is_link(folder):
                continue
            mark = os.path.join(folder, MARK)
            if not _is_mark(mark):
                _remove_empty(folder)  # its process died before it wrote the mark
                continue
            with temporaries.abandoned(mark) as free:
                if free:
                    _remove(folder)


def _remove(folder: str) -> None:
    """Removes the shards in a folder, finished and unfinished, the mark and the folder, unless it holds more."""
    system = files.file_system(folder)
    with contextlib.suppress(errors.OpError):
        names = system.list_directory(folder)
        for name in names:
            path = os.path.join(folder, name)
            if _PART.fullmatch(temporaries.final_name(name) or name) and not system.is_link(path):
                _discard(path)
        _discard(os.path.join(folder, MARK))
    _remove_empty(folder)


def _discard(path: str) -> None:
    with contextlib.suppress(errors.OpError):
        files.file_system(path).remove(path)


def _remove_empty(folder: str) -> None:
    with contextlib.suppress(errors.OpError):
        files.file_system(folder).remove_directory(folder)

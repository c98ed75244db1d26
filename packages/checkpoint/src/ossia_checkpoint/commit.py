"""Files that appear whole or not at all, whatever the moment at which a process or a machine stops.

A file is written under a temporary name beside its place, synced and renamed. A checkpoint of several files is renamed
data first and index last, so that an index never lacks its data. Where this replaces a checkpoint of the same name, the
old files are first linked (or, where a file system has no links, moved) to names that end in `.bak`, the index first;
they are removed, the index first, once the new index is in place. So while `X.index.bak` exists and `X.index` is the
same or missing, the old checkpoint is the valid one, and each of its data files lies under its `.bak` name if there is
one, else under its own; `current` tells a reader.
"""

from __future__ import annotations

import contextlib
import os
import re
from typing import BinaryIO

from ossia_core import files, temporaries
from ossia_core.names import errors

BACKUP = ".bak"

# Whether commits wait until the disk has the bytes; without it they survive a killed process, not a power loss.
durable = True


class Commit:
    """Several files of one directory that become visible together; the last one opened makes the others valid.

    Used as a context manager, it commits at the end of the block, and removes what it wrote if the block raises.
    """

    def __init__(self) -> None:
        self._unfinished: list[temporaries.Unfinished] = []
        self._pending: list[tuple[str, str]] = []  # temporary or adopted path, final path

    def open(self, path: str) -> BinaryIO:
        """A stream whose bytes become the file `path`."""
        unfinished = temporaries.create(path)
        self._unfinished.append(unfinished)
        self._pending.append((unfinished.path, path))
        return unfinished.stream

    def adopt(self, source: str, path: str) -> None:
        """Lets the finished file `source` become `path`; it stays where it is if the commit fails before that."""
        self._pending.append((source, path))

    def __enter__(self) -> Commit:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        if kind is None:
            self.finish()
        else:
            self.abort()

    def finish(self) -> None:
        """Syncs and renames everything.

        Raises:
            OpError: The file system refused; what was there before is intact.
        """
        index = self._pending[-1][1]
        system = files.file_system(index)
        try:
            for unfinished in self._unfinished:
                unfinished.stream.close()
            replaced = self._replace(system, index)
        except (OSError, ValueError) as error:
            self.abort()
            raise files.translate(error, index) from error
        except BaseException:
            self.abort()
            raise
        self._release()
        for path in replaced:
            _discard(system, path)

    def _release(self) -> None:
        for unfinished in self._unfinished:
            unfinished.release()
        self._unfinished.clear()

    def _replace(self, system: files.FileSystem, index: str) -> list[str]:
        """Puts the files in their places; returns what has become superfluous, in the order in which it may go."""
        several = len(self._pending) > 1
        if durable:
            for name, _ in self._pending:
                system.sync(name)
        replaced = _back_up(system, index) if several else []
        for name, path in self._pending[:-1]:
            system.rename(name, path)
        if durable and several:
            system.sync(_directory(index))
        system.rename(*self._pending[-1])
        new = {path for _, path in self._pending}
        self._pending.clear()
        if durable:
            system.sync(_directory(index))
        return [path for path in [*_backups(system, index), *replaced] if path not in new] if several else []

    def abort(self) -> None:
        """Removes everything that was written and not committed."""
        for unfinished in self._unfinished:
            with contextlib.suppress(OSError, ValueError, errors.OpError):
                unfinished.stream.close()
            if any(name == unfinished.path for name, _ in self._pending):
                _discard(files.file_system(unfinished.path), unfinished.path)
        self._pending.clear()
        self._release()


def write(path: str, content: bytes) -> None:
    """Replaces the file `path` with `content` in one step."""
    with Commit() as commit:
        commit.open(path).write(content)


def current(index: str) -> str:
    """What to add to a checkpoint's index file: `BACKUP` where a replacement of it was cut off, else nothing.

    Args:
        index: The path of the index file.
    """
    return BACKUP if _interrupted(files.file_system(index), index) else ""


def exists(index: str) -> bool:
    """Whether there is a checkpoint with that index file, be it that a replacement of it was cut off or goes on."""
    system = files.file_system(index)
    return any(system.exists(path) for path in (index, index + BACKUP, index))  # its name may have changed meanwhile


def version(index: str) -> tuple[object, ...]:
    """What is another value once the checkpoint with that index file is replaced, or begins to be."""
    system = files.file_system(index)
    return tuple(_identity(system, path) for path in (index, index + BACKUP))


def _identity(system: files.FileSystem, path: str) -> object:
    try:
        if not isinstance(system, files.LocalFileSystem):
            return _content(system, path)
        status = os.stat(files.local_path(path))
    except (OSError, errors.OpError):
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def _interrupted(system: files.FileSystem, index: str) -> bool:
    if not system.exists(index + BACKUP):
        return False
    return not system.exists(index) or _content(system, index) == _content(system, index + BACKUP)


def _content(system: files.FileSystem, path: str) -> bytes:
    with system.open(path, "rb") as stream:
        return stream.read()


def _back_up(system: files.FileSystem, index: str) -> list[str]:
    """Keeps the files that are about to be replaced under their backup names; returns the data files among them."""
    if not _interrupted(system, index):
        for path in _backups(system, index):
            _discard(system, path)
        if not system.exists(index):
            return []
        _link(system, index, index + BACKUP)
    data = _beside(system, index, r"\.data-\d{5}-of-\d{5}\Z")
    for path in data:
        if not system.exists(path + BACKUP):
            _link(system, path, path + BACKUP)
    if durable:
        system.sync(_directory(index))
    return data


def data_files(index: str) -> list[str]:
    """The data files of the checkpoint with that index file, those that are kept while it is replaced among them."""
    try:
        return _beside(files.file_system(index), index, r"\.data-\d{5}-of-\d{5}(?:\.bak)?\Z")
    except errors.OpError:
        return []


def _backups(system: files.FileSystem, index: str) -> list[str]:
    """Backup files of a checkpoint, the index first."""
    found = _beside(system, index, r"\.(?:index|data-\d{5}-of-\d{5})\.bak\Z")
    return sorted(found, key=lambda path: path != index + BACKUP)


def _beside(system: files.FileSystem, index: str, ending: str) -> list[str]:
    folder, name = os.path.split(index)
    wanted = re.compile(re.escape(name.removesuffix(".index")) + ending)
    return sorted(os.path.join(folder, found) for found in system.list_directory(folder or ".") if wanted.match(found))


def _link(system: files.FileSystem, path: str, name: str) -> None:
    if isinstance(system, files.LocalFileSystem):
        with contextlib.suppress(OSError):
            os.link(files.local_path(path), files.local_path(name))
            return
    system.rename(path, name)


def _directory(path: str) -> str:
    return os.path.dirname(path) or "."


def _discard(system: files.FileSystem, path: str) -> None:
    with contextlib.suppress(errors.OpError, OSError):
        system.remove(path)

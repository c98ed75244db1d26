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
import secrets
import time
from typing import BinaryIO

from ossia_core import files
from ossia_core.names import errors

BACKUP = ".bak"
STALE_SECONDS = 3600
_TEMPORARY = re.compile(r".*\.tmp-ossia-[0-9a-f]{16}\Z")
_SHARDS = re.compile(r".*_temp_[0-9a-f]{32}\Z")  # where the shards of one save are until they are merged
_ANY = re.compile("")

# Whether commits wait until the disk has the bytes; without it they survive a killed process, not a power loss.
durable = True


def temporary(path: str) -> str:
    """A name for the unfinished form of `path`, in the same directory."""
    return f"{path}.tmp-ossia-{secrets.token_hex(8)}"


class Commit:
    """Several files of one directory that become visible together; the last one opened makes the others valid.

    Used as a context manager, it commits at the end of the block, and removes what it wrote if the block raises.
    """

    def __init__(self) -> None:
        self._streams: list[BinaryIO] = []
        self._pending: list[tuple[str, str]] = []  # temporary or adopted path, final path
        self._written: set[str] = set()

    def open(self, path: str) -> BinaryIO:
        """A stream whose bytes become the file `path`."""
        name = temporary(path)
        stream = files.file_system(path).open(name, "wb")
        self._streams.append(stream)
        self._pending.append((name, path))
        self._written.add(name)
        return stream

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
            for stream in self._streams:
                stream.close()
            replaced = self._replace(system, index)
        except (OSError, ValueError) as error:
            self.abort()
            raise files.translate(error, index) from error
        except BaseException:
            self.abort()
            raise
        for path in replaced:
            _discard(system, path)

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
        for stream in self._streams:
            with contextlib.suppress(OSError, ValueError, errors.OpError):
                stream.close()
        for name, _ in self._pending:
            if name in self._written:
                _discard(files.file_system(name), name)
        self._pending.clear()


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


def sweep(directory: str) -> None:
    """Removes unfinished files and directories of shards that interrupted writes left more than an hour ago."""
    system = files.file_system(directory)
    for path in _stale(system, directory, _TEMPORARY):
        _discard(system, path)
    for folder in _stale(system, directory, _SHARDS):
        for path in _stale(system, folder, _ANY):
            _discard(system, path)
        with contextlib.suppress(errors.OpError):
            system.remove_directory(folder)  # unless something in it is newer


def _stale(system: files.FileSystem, directory: str, names: re.Pattern[str]) -> list[str]:
    """Paths of what is older than an hour among the names that a pattern matches."""
    try:
        found = [os.path.join(directory, name) for name in system.list_directory(directory or ".") if names.match(name)]
    except errors.OpError:
        return []
    return [path for path in found if _age(system, path) > STALE_SECONDS]


def _age(system: files.FileSystem, path: str) -> float:
    try:
        return time.time() - system.stat(path).mtime_nsec / 1e9
    except errors.OpError:
        return 0.0

"""Names of unfinished files, and what a process that ended in the midst of writing left under them.

A file that must be seen whole or not at all is written under a temporary name beside its place. The name ends in random
digits and a checksum over all before, so that a file of such a name is one that was made here. While it is written its
process holds a shared lock on it (`flock`), which the system releases when the process ends: who can lock the file
alone knows that nobody writes it, and may remove it. Where a file system has no locks, a file that has not changed for
an hour counts as left behind. Links are never followed.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
import time
import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple

from ossia_core import files
from ossia_core.names import errors

try:
    import fcntl
except ImportError:  # no POSIX
    fcntl = None  # type: ignore[assignment]

STALE_SECONDS = 3600
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_NAME = re.compile(r"(.+)\.tmp-ossia-([0-9a-f]{8})([0-9a-f]{8})", re.DOTALL)


class Unfinished(NamedTuple):
    """A file that is being written."""

    path: str
    stream: BinaryIO
    descriptor: int | None  # holds the lock

    def release(self) -> None:
        """Gives up the lock: the file has its final name, or is gone."""
        if self.descriptor is not None:
            os.close(self.descriptor)


def create(path: str) -> Unfinished:
    """Opens the unfinished form of `path`, under a new name in the same directory.

    Raises:
        OpError: The file system refuses.
    """
    while True:
        name = temporary(path)
        stream = files.file_system(path).open(name, "wb")
        try:
            return Unfinished(name, stream, lock(name))
        except errors.NotFoundError:  # another process took it for one that nobody writes
            stream.close()


def temporary(path: str) -> str:
    """A new name for the unfinished form of `path`, in the same directory."""
    folder, name = os.path.split(path)
    digits = secrets.token_hex(4)
    return os.path.join(folder, f"{name}.tmp-ossia-{digits}{_checksum(name + digits)}")


def final_name(name: str) -> str | None:
    """The name of the file whose unfinished form has this name; None for a name that was not made here."""
    match = _NAME.fullmatch(name)
    return match[1] if match and _checksum(match[1] + match[2]) == match[3] else None


def _checksum(text: str) -> str:
    return f"{zlib.crc32(os.fsencode(text)):08x}"


def lock(path: str) -> int | None:
    """Keeps others from removing the file at `path` while this process lives.

    Returns:
        A descriptor, which holds the lock until it is closed; None where the file system has no locks.

    Raises:
        NotFoundError: The file was removed before it was locked.
    """
    if not _has_locks(path):
        return None
    local = files.local_path(path)
    try:
        descriptor = os.open(local, _FLAGS)
    except FileNotFoundError:
        raise _removed(path) from None
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), os.lstat(local)):
            return descriptor
    except (BlockingIOError, FileNotFoundError):
        pass
    except OSError:
        os.close(descriptor)
        return None
    os.close(descriptor)
    raise _removed(path)


def _removed(path: str) -> errors.NotFoundError:
    return errors.NotFoundError(None, None, f"{path} was removed while it was made.")


def _has_locks(path: str) -> bool:
    return fcntl is not None and isinstance(files.file_system(path), files.LocalFileSystem)


@contextlib.contextmanager
def abandoned(path: str) -> Iterator[bool]:
    """Whether the file at `path` is locked by nobody; nobody gets a lock before the end of the block."""
    if not _has_locks(path):
        yield _old(files.file_system(path), path)
        return
    try:
        descriptor = os.open(files.local_path(path), _FLAGS)
    except OSError:  # a link, or gone
        yield False
        return
    try:
        yield _alone(descriptor)
    finally:
        os.close(descriptor)


def _alone(descriptor: int) -> bool:
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # the file system has no locks
        return time.time() - os.fstat(descriptor).st_mtime > STALE_SECONDS
    return True


def _old(system: files.FileSystem, path: str) -> bool:
    try:
        found = system.stat(path)
    except errors.OpError:
        return False
    age = time.time() - found.mtime_nsec / 1e9
    return not found.is_directory and not system.is_link(path) and age > STALE_SECONDS


def sweep(directory: str, owned: Callable[[str], object]) -> None:
    """Removes unfinished files that dead processes left in a directory.

    Args:
        directory: The directory; its subdirectories are left alone.
        owned: Whether the caller owns the file of a name, and so may remove its unfinished forms.
    """
    system = files.file_system(directory)
    with contextlib.suppress(errors.OpError):
        for name in system.list_directory(directory or "."):
            final = final_name(name)
            if final is not None and owned(final):
                discard_abandoned(os.path.join(directory, name))


def discard_abandoned(path: str) -> None:
    """Removes the file at `path` if nobody holds a lock on it."""
    with abandoned(path) as free:
        if free:
            with contextlib.suppress(errors.OpError):
                files.file_system(path).remove(path)

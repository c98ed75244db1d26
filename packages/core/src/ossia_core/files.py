"""File systems: what everything that opens a path goes through, so that a plugin can put other stores behind it."""

from __future__ import annotations

import abc
import contextlib
import errno
import io
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, NamedTuple

from ossia_core.names import errors
from ossia_core.plugins import manager as plugins
from ossia_core.plugins.api_table import provides

_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9.]*)://")
_COPY_BYTES = 1 << 20
_BUFFER_BYTES = 1 << 16
_ABSENT = (errors.NotFoundError, errors.FailedPreconditionError, errors.InvalidArgumentError)


class FileStatistics(NamedTuple):
    """Size in bytes, time of the last change in nanoseconds since 1970, and whether the path is a directory."""

    length: int
    mtime_nsec: int
    is_directory: bool


class FileSystem(abc.ABC):
    """A store of files under paths of one URL scheme; third parties register subclasses with `ossia_filesystems`.

    Paths are complete (`"s3://bucket/key"`) and of type str. Methods raise the classes of `tf.errors`: NotFoundError
    for a missing path or parent, PermissionDeniedError, FailedPreconditionError (a directory where a file is needed, or
    the other way round), AlreadyExistsError, ResourceExhaustedError (disk full); so do those of the files they open,
    whose errors of the operating system `translate` turns into these classes.

    Example, a store in memory::

        class MemoryFileSystem(FileSystem):
            files: dict[str, bytes] = {}

            def open(self, path, mode):
                return MemoryFile(self.files, path, mode)
            ...
    """

    @abc.abstractmethod
    def open(self, path: str, mode: str) -> BinaryIO:
        """Opens a file; `mode` is `"rb"`, `"wb"`, `"ab"`, `"r+b"`, `"w+b"` or `"a+b"` with Python's meaning."""

    @abc.abstractmethod
    def stat(self, path: str) -> FileStatistics:
        """Statistics of a file or directory; NotFoundError if there is none."""

    @abc.abstractmethod
    def list_directory(self, path: str) -> list[str]:
        """Names (not paths) of what a directory holds, in any order, without `.` and `..`."""

    @abc.abstractmethod
    def make_directory(self, path: str) -> None:
        """Makes one directory; AlreadyExistsError if the path exists."""

    @abc.abstractmethod
    def remove(self, path: str) -> None:
        """Removes a file."""

    @abc.abstractmethod
    def remove_directory(self, path: str) -> None:
        """Removes an empty directory."""

    @abc.abstractmethod
    def rename(self, source: str, target: str) -> None:
        """Moves a file or directory; a file at `target` is replaced, in one step where the store can."""

    def sync(self, path: str) -> None:
        """Waits until a file, or a directory's entries, would survive a power loss; by default does nothing."""
        return None

    def exists(self, path: str) -> bool:
        """Whether there is a file or directory."""
        try:
            self.stat(path)
        except _ABSENT:
            return False
        return True

    def is_directory(self, path: str) -> bool:
        """Whether there is a directory."""
        try:
            return self.stat(path).is_directory
        except _ABSENT:
            return False

    def is_link(self, path: str) -> bool:
        """Whether the path is a link to another; False where the store has none."""
        return False

    def make_directories(self, path: str) -> None:
        """Makes a directory and its missing parents; an existing path is left as it is."""
        if not path or self.exists(path):
            return
        parent = os.path.dirname(path.rstrip("/"))
        if parent and parent != path and not parent.endswith(":/"):
            self.make_directories(parent)
        with contextlib.suppress(errors.AlreadyExistsError):
            self.make_directory(path)

    def copy(self, source: str, target: str) -> None:
        """Copies the bytes of a file onto `target` of the same file system."""
        with self.open(source, "rb") as reader, self.open(target, "wb") as writer:
            shutil.copyfileobj(reader, writer, _COPY_BYTES)


@provides("ossia_filesystems", "file")
class LocalFileSystem(FileSystem):
    """The files of this machine: plain paths, and `file://` before an absolute path.

    A named pipe is not read: the reader would wait for a writer, maybe for ever.
    """

    def open(self, path: str, mode: str) -> BinaryIO:
        with _translated(path) as local:
            if "r" not in mode and os.path.isdir(local):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            raw = _LocalFile(local, mode, opener=_without_waiting if mode == "rb" else None)
            if "+" in mode:
                return io.BufferedRandom(raw, _BUFFER_BYTES)  # type: ignore[return-value]
            return (io.BufferedReader if "r" in mode else io.BufferedWriter)(  # type: ignore[return-value]
                raw, _BUFFER_BYTES
            )

    def stat(self, path: str) -> FileStatistics:
        with _translated(path) as local:
            status = os.stat(local)
            return FileStatistics(status.st_size, status.st_mtime_ns, os.path.isdir(local))

    def list_directory(self, path: str) -> list[str]:
        with _translated(path) as local:
            return os.listdir(local)

    def make_directory(self, path: str) -> None:
        with _translated(path) as local:
            os.mkdir(local)

    def remove(self, path: str) -> None:
        with _translated(path) as local:
            os.unlink(local)

    def remove_directory(self, path: str) -> None:
        with _translated(path) as local:
            os.rmdir(local)

    def rename(self, source: str, target: str) -> None:
        with _translated(source) as local:
            os.replace(local, local_path(target))

    def is_link(self, path: str) -> bool:
        return os.path.islink(local_path(path))

    def sync(self, path: str) -> None:
        with _translated(path) as local:
            descriptor = os.open(local, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


def _without_waiting(path: str, flags: int) -> int:
    """Opens a file to read, but no named pipe."""
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EISDIR, "Is a named pipe, not a file")
    if hasattr(os, "O_NONBLOCK"):
        os.set_blocking(descriptor, True)
    return descriptor


def _told(call: Callable[..., Any]) -> Callable[..., Any]:
    """A method of files whose errors are of `tf.errors`, with the path of the file."""

    def told(file: io.FileIO, *arguments: Any) -> Any:
        try:
            return call(file, *arguments)
        except OSError as error:
            raise translate(error, str(file.name)) from error

    return told


class _LocalFile(io.FileIO):
    """A file of this machine below its buffer: whoever reads or writes it, its errors are of `tf.errors`."""

    read = _told(io.FileIO.read)
    readall = _told(io.FileIO.readall)
    readinto = _told(io.FileIO.readinto)
    write = _told(io.FileIO.write)
    seek = _told(io.FileIO.seek)
    truncate = _told(io.FileIO.truncate)
    close = _told(io.FileIO.close)


def local_path(path: str) -> str:
    """A path of this machine without its `file://`, if it has one."""
    if path.startswith("file://"):
        return "/" + path[len("file://"):].partition("/")[2]
    return path


_BY_ERRNO = {
    errors.NotFoundError: (errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.ESRCH),
    errors.AlreadyExistsError: (errno.EEXIST,),
    errors.PermissionDeniedError: (errno.EPERM, errno.EACCES, errno.EROFS),
    errors.FailedPreconditionError: (errno.ENOTDIR, errno.EISDIR, errno.ENOTEMPTY, errno.EBUSY, errno.ETXTBSY),
    errors.ResourceExhaustedError: (
        errno.ENOSPC,
        errno.EDQUOT,
        errno.EFBIG,
        errno.EMFILE,
        errno.ENFILE,
        errno.EMLINK,
        errno.ENOMEM,
    ),
    errors.InvalidArgumentError: (errno.EINVAL, errno.ENAMETOOLONG, errno.E2BIG, errno.EILSEQ, errno.EDOM),
    errors.OutOfRangeError: (errno.EOVERFLOW, errno.ERANGE),
    errors.UnimplementedError: (errno.ENOSYS, errno.ENOTSUP, errno.EXDEV),
    errors.UnavailableError: (errno.EAGAIN, errno.EINTR, errno.ENETDOWN, errno.EPIPE),
    errors.DeadlineExceededError: (errno.ETIMEDOUT,),
}
_CLASS_OF_ERRNO = {code: cls for cls, codes in _BY_ERRNO.items() for code in codes}


def translate(error: OSError | ValueError, path: str) -> errors.OpError:
    """The class of `tf.errors` for an error of the operating system, with the path, if there is one, in its message."""
    if isinstance(error, ValueError):  # an embedded null byte
        return errors.InvalidArgumentError(None, None, f"{path!r}; {error}")
    cls = _CLASS_OF_ERRNO.get(error.errno or 0, errors.UnknownError)
    return cls(None, None, f"{path}; {error.strerror or error}" if path else str(error.strerror or error))


@contextlib.contextmanager
def _translated(path: str) -> Iterator[str]:
    try:
        yield local_path(path)
    except (OSError, ValueError) as error:
        raise translate(error, path) from error


_LOCAL = LocalFileSystem()
_opened: dict[str, FileSystem] = {f"{__name__}:LocalFileSystem": _LOCAL}  # by target


def file_system(path: str) -> FileSystem:
    """The file system that a path belongs to, by its scheme.

    Raises:
        UnimplementedError: No installed plugin provides the scheme.
    """
    match = _SCHEME.match(path)
    if match is None:
        return _LOCAL
    target = plugins.table("ossia_filesystems").get(match[1])
    if target is None:
        raise errors.UnimplementedError(None, None, f"File system scheme '{match[1]}' not implemented (file: '{path}')")
    found = _opened.get(target)
    if found is None:
        found = _opened.setdefault(target, plugins.load(target)())
    return found

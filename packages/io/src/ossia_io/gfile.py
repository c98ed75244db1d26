"""`tf.gfile.GFile`: a file that is opened when it is first read or written."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from types import TracebackType
from typing import Any, BinaryIO

from ossia_core.files import file_system, translate
from ossia_core.names import errors
from ossia_core.plugins.api_table import public
from ossia_io.paths import Path, text_path

_MODES = ("r", "w", "a", "r+", "w+", "a+")


class _File:
    """A file of any file system, read and written through one handle each.

    Text modes read str (UTF-8), modes with a `b` read bytes; both write str and bytes. `r+` and `w+` begin a new
    content at the first write. After `close` the next use opens the file again.

    Args:
        name: The path.
        mode: `r`, `w`, `a`, `r+`, `w+` or `a+`, with a `b` for bytes.

    Raises:
        InvalidArgumentError: The mode is not one of these.
    """

    def __init__(self, name: Path, mode: str = "r") -> None:
        self._name = name
        self._mode = mode
        kind = mode.replace("b", "")
        if kind not in _MODES:
            raise errors.InvalidArgumentError(None, None, "mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+'")
        self._binary = "b" in mode
        self._readable = kind == "r" or "+" in kind
        self._writable = kind != "r"
        self._append = kind.startswith("a")
        self._reader: BinaryIO | None = None
        self._writer: BinaryIO | None = None

    @property
    def name(self) -> Path:
        """The path as it was given."""
        return self._name

    @property
    def mode(self) -> str:
        """The mode as it was given."""
        return self._mode

    def _reading(self) -> BinaryIO:
        if self._reader is None:
            if not self._readable:
                raise errors.PermissionDeniedError(None, None, "File isn't open for reading")
            path = text_path(self._name)
            self._reader = file_system(path).open(path, "rb")
        return self._reader

    def _writing(self) -> BinaryIO:
        if self._writer is None:
            if not self._writable:
                raise errors.PermissionDeniedError(None, None, "File isn't open for writing")
            path = text_path(self._name)
            self._writer = file_system(path).open(path, "ab" if self._append else "wb")
        return self._writer

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise translate(error, text_path(self._name)) from error

    def size(self) -> int:
        """Length in bytes of what is in the file; what was written since the last `flush` does not count."""
        path = text_path(self._name)
        return file_system(path).stat(path).length

    def read(self, n: int = -1) -> Any:
        """Reads `n` bytes, or all that is left for -1, as str in text modes and bytes in binary ones.

        Raises:
            PermissionDeniedError: The file is open for writing only.
            NotFoundError: There is no such file.
            OverflowError: `n` is below -1.
        """
        reader = self._reading()
        if not isinstance(n, int):
            raise TypeError(f"read() takes a number of bytes, not {n!r}")
        if n < -1:
            raise OverflowError(f"read() takes a number of bytes, or -1 for all, not {n}")
        with self._translated():
            return self._of_mode(reader.read(n))

    def readline(self) -> Any:
        """Reads up to and with the next newline; carriage returns are left out. Empty at the end of the file."""
        reader = self._reading()
        with self._translated():
            return self._of_mode(reader.readline().replace(b"\r", b""))

    def readlines(self) -> list[Any]:
        """All lines that are left, as `readline` gives them."""
        return list(self)

    def _of_mode(self, data: bytes) -> Any:
        return data if self._binary else data.decode("utf-8")

    def write(self, file_content: str | bytes) -> None:
        """Appends text (as UTF-8) or bytes to what was written.

        Raises:
            PermissionDeniedError: The file is open for reading only.
            TypeError: `file_content` is neither str nor bytes.
        """
        writer = self._writing()
        if isinstance(file_content, str):
            file_content = file_content.encode("utf-8")
        elif not isinstance(file_content, bytes):
            raise TypeError(f"Expected binary or unicode string, got {file_content!r}")
        with self._translated():
            writer.write(file_content)

    def seek(self, offset: int | None = None, whence: int = 0, position: int | None = None) -> None:
        """Moves the place of the next read.

        Args:
            offset: Bytes from the place that `whence` names.
            whence: 0 for the start, 1 for the current place, 2 for the end.
            position: An older name of `offset`.

        Raises:
            TypeError: Both `offset` and `position` are given, or neither.
            InvalidArgumentError: `whence` is another number, or the place is before the start.
            OutOfRangeError: The place is behind the end; the next read begins at the end.
        """
        reader = self._reading()
        if position is not None:
            if offset is not None:
                raise TypeError("seek(): offset and position may not be set simultaneously.")
            offset = position
        if offset is None:
            raise TypeError("seek(): offset argument required")
        if whence == 1:
            offset += reader.tell()
        elif whence == 2:
            offset += self.size()
        elif whence != 0:
            raise errors.InvalidArgumentError(
                None, None, f"Invalid whence argument: {whence}. Valid values are 0, 1, or 2."
            )
        if offset < 0:
            raise errors.InvalidArgumentError(None, None, f"Seeking to a negative position: {offset}")
        with self._translated():
            length = self.size()
            reader.seek(min(offset, length))
        if offset > length:
            raise errors.OutOfRangeError(None, None, "reached end of file")

    def seekable(self) -> bool:
        """True: every file can `seek`."""
        return True

    def tell(self) -> int:
        """The place of the next read, or of the next write where the file cannot be read, in bytes from the start."""
        with self._translated():
            return self._reading().tell() if self._readable else self._writing().tell()

    def flush(self) -> None:
        """Hands what was written to the operating system, so that other readers see it."""
        if self._writer is not None:
            with self._translated():
                self._writer.flush()

    def close(self) -> None:
        """Writes what is left and closes the file; closing it again does nothing."""
        reader, self._reader = self._reader, None
        writer, self._writer = self._writer, None
        with self._translated():
            if reader is not None:
                reader.close()
            if writer is not None:
                writer.close()

    def __enter__(self) -> Any:
        return self

    def __exit__(
        self,
        unused_type: type[BaseException] | None,
        unused_value: BaseException | None,
        unused_traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def next(self) -> Any:
        """The next line; StopIteration at the end."""
        return self.__next__()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()


@public("gfile.GFile", "gfile.Open", "io.gfile.GFile", "compat.v2.io.gfile.GFile")
class GFile(_File):
    """A file of any file system; see `_File`."""

    __doc__ = _File.__doc__


@public("gfile.FastGFile")
class FastGFile(_File):
    """`tf.gfile.GFile` under an older name."""

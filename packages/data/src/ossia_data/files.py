"""Datasets of what is in files: lines, TFRecords, records of fixed length, names of files."""
from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

import numpy as np

from ossia_core.files import file_system, translate
from ossia_core.names import errors
from ossia_data.elements import Element, Elements, Iteration, dataset_op, scalar
from ossia_data.rows import Columns, stacked
from ossia_io.paths import glob
from ossia_io.records import TFRecordOptions, record_blocks

_FIRST_PIECE, _PIECE = 1 << 14, 1 << 18  # bytes that are read at once, at first and at most


class OfFiles(Elements):
    """What a function reads of each file, some at a time."""

    def __init__(self, names: Any, read: Callable[[str], Iterator[list[bytes]]]) -> None:
        self._names, self._read = [os.fsdecode(name) for name in np.reshape(names, -1).tolist()], read

    def start(self, iteration: Iteration) -> Iterator[Element]:
        return _Reading(self._names, self._read)


class _Reading:
    def __init__(self, names: list[str], read: Callable[[str], Iterator[list[bytes]]]) -> None:
        self._names, self._read, self._at = names, read, 0
        self._now: Iterator[list[bytes]] | None = None
        self._ready: list[bytes] = []
        self._given = 0

    def __iter__(self) -> _Reading:
        return self

    def __next__(self) -> Element:
        at = self._given
        if at >= len(self._ready):
            self._read_on()
            at = 0
        self._given = at + 1
        return [self._ready[at]]

    def rows(self, count: int) -> Columns | None:
        """The next elements of those that have been read."""
        if self._given >= len(self._ready):
            self._read_on()
        found = self._ready[self._given : self._given + count]
        self._given += len(found)
        return [stacked(found)]

    def _read_on(self) -> None:
        while self._at < len(self._names):
            if self._now is None:
                self._now = self._read(self._names[self._at])
            try:
                self._ready, self._given = next(self._now), 0
                if self._ready:
                    return
            except StopIteration:
                self._at += 1
                self._now = None
            except errors.OpError:
                self._now = None  # a generator that has raised gives nothing any more
                raise
        raise StopIteration


def compression(value: Any) -> str:
    """The compression of files.

    Raises:
        InvalidArgumentError: There is none of that name.
    """
    kind = np.asarray(value).item()
    kind = kind.decode() if isinstance(kind, bytes) else kind
    if kind not in ("", "ZLIB", "GZIP"):
        raise errors.InvalidArgumentError(None, None, f"Unsupported compression_type:{kind}.")
    return kind


def opened(path: str, compression: str) -> BinaryIO:
    """A file, or what inflates it."""
    file = file_system(path).open(path, "rb")
    if compression == "GZIP":
        return gzip.GzipFile(fileobj=file)  # type: ignore[return-value]
    if compression == "ZLIB":
        import io
        with file:
            return io.BytesIO(zlib.decompress(file.read()))
    return file


def lines(path: str, compression: str) -> Iterator[list[bytes]]:
    """The lines of a file, some at a time, without their ends."""
    with opened(path, compression) as file:
        size, held = _FIRST_PIECE, b""
        try:
            read = getattr(file, "read1", file.read)
            while piece := read(size):
                found = (held + piece).split(b"\n") if b"\n" in piece else [held + piece]
                held = found.pop()
                yield found
                size = min(2 * max(size, len(held)), _PIECE)
        except (OSError, EOFError, zlib.error) as error:
            raise _damaged(error, path) from error
        if held:
            yield [held]


def _text_lines(path: str, compression: str) -> Iterator[list[bytes]]:
    """The lines of a file without any carriage returns, as the original reads them."""
    for found in lines(path, compression):
        yield [line.replace(b"\r", b"") for line in found]


def _damaged(error: Exception, path: str) -> errors.OpError:
    if isinstance(error, OSError) and not isinstance(error, gzip.BadGzipFile):
        return translate(error, path)
    return errors.DataLossError(None, None, f"{path} does not inflate: {error}")


def _not_whole(path: str, size: int) -> errors.OpError:
    return errors.InvalidArgumentError(
        None, None,
        f"Excess bytes in {path}: its contents without header and footer are no whole number of records of {size} "
        "bytes.",
    )


def _fixed(path: str, compression: str, header: int, size: int, footer: int) -> Iterator[list[bytes]]:
    if not compression and (file_system(path).stat(path).length - header - footer) % size:
        raise _not_whole(path, size)
    with opened(path, compression) as file:
        try:
            held = file.read(header)
            if len(held) < header:
                raise errors.InvalidArgumentError(None, None, f"{path} has a header of less than {header} bytes.")
            held = b""
            while True:
                piece = file.read(max(_PIECE, size + footer))
                held += piece
                end = max(0, len(held) - footer) // size * size
                yield [held[place : place + size] for place in range(0, end, size)]
                held = held[end:]
                if not piece:
                    break
            if len(held) != footer:
                raise _not_whole(path, size)
        except (OSError, EOFError, zlib.error) as error:
            raise _damaged(error, path) from error


def _records(path: str, compression: str) -> Iterator[list[bytes]]:
    return record_blocks(path, TFRecordOptions(getattr(kinds(), compression or "NONE")))


def kinds() -> Any:
    """The compressions of record files, by name."""
    from ossia_io.records import TFRecordCompressionType
    return TFRecordCompressionType


_FILES = "(filenames: string, compression_type: string, buffer_size: int64) -> handle: variant"
text_line_dataset_op = dataset_op(f"TextLineDataset{_FILES}", stateful=True, outputs=False)
tf_record_dataset_op = dataset_op(f"TFRecordDataset{_FILES}", stateful=True, outputs=False)


@text_line_dataset_op.kernel
def _(filenames, compression_type, buffer_size):
    kind = compression(compression_type)
    return OfFiles(filenames, lambda path: _text_lines(path, kind))


@tf_record_dataset_op.kernel
def _(filenames, compression_type, buffer_size):
    kind = compression(compression_type)
    return OfFiles(filenames, lambda path: _records(path, kind))


def _of_records(filenames, header_bytes, record_bytes, footer_bytes, buffer_size, compression_type=b""):
    kind = compression(compression_type)
    header, size = scalar(header_bytes, "header_bytes"), scalar(record_bytes, "record_bytes")
    footer = scalar(footer_bytes, "footer_bytes")
    for name, number, least in (("header_bytes", header, 0), ("record_bytes", size, 1), ("footer_bytes", footer, 0)):
        if number < least:
            raise errors.InvalidArgumentError(None, None, f"{name} must be {'>' if least else '>='} 0")
    return OfFiles(filenames, lambda path: _fixed(path, kind, header, size, footer))


_FIXED = "filenames: string, header_bytes: int64, record_bytes: int64, footer_bytes: int64, buffer_size: int64"
dataset_op(f"FixedLengthRecordDataset({_FIXED}) -> handle: variant", stateful=True, outputs=False).kernel(_of_records)
fixed_length_record_dataset_v2_op = dataset_op(
    f"FixedLengthRecordDatasetV2({_FIXED}, compression_type: string) -> handle: variant", stateful=True, outputs=False
)
fixed_length_record_dataset_v2_op.kernel(_of_records)

def _matching(patterns: Any) -> Elements:
    names = np.reshape(patterns, -1).tolist()
    found = sorted({os.fsencode(path) for name in names for path in glob(os.fsdecode(name))})
    return OfFiles([b""], lambda _: iter([found]))


for _prefix in ("", "Experimental"):
    dataset_op(
        f"{_prefix}MatchingFilesDataset(patterns: string) -> handle: variant", stateful=True, outputs=False
    ).kernel(_matching)

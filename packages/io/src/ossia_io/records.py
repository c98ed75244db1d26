"""TFRecord files: length, checksum of the length, bytes, checksum of the bytes; plain, zlib or gzip.

Each record is `uint64 length | uint32 masked_crc(length) | length bytes | uint32 masked_crc(bytes)`, little-endian. The
mask is `rotate_right(crc32c, 15) + 0xa282ead8`, so that a checksum of checksums stays one.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from types import TracebackType
from typing import Any, BinaryIO

import google_crc32c

from ossia_core.backend import routine
from ossia_core.files import file_system, translate
from ossia_core.names import errors
from ossia_core.plugins.api_table import public
from ossia_io.inflating import Inflated, read, skip
from ossia_io.paths import Path, text_path

_LENGTH = struct.Struct("<QI")
_CHECKSUM = struct.Struct("<I")
_FRAME = _LENGTH.size + _CHECKSUM.size
_BLOCKS = 1 << 14, 1 << 18  # bytes of a file that are taken apart at once, at first and at most
_PENDING = 1 << 16  # bytes of records that wait to be framed together
_WINDOW_BITS = {"ZLIB": zlib.MAX_WBITS, "GZIP": 16 + zlib.MAX_WBITS}
_MEM_LEVEL = 9


def masked_crc(data: bytes) -> int:
    """The masked CRC-32C of `data`, as it stands in records."""
    crc = google_crc32c.value(data)
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def framed(record: bytes) -> bytes:
    """A record with its length and its two checksums."""
    length = struct.pack("<Q", len(record))
    return b"".join((length, _CHECKSUM.pack(masked_crc(length)), record, _CHECKSUM.pack(masked_crc(record))))


@public("io.TFRecordCompressionType", "python_io.TFRecordCompressionType")
class TFRecordCompressionType:
    """How a TFRecord file is compressed."""

    NONE = 0
    ZLIB = 1
    GZIP = 2


@public("io.TFRecordOptions", "python_io.TFRecordOptions", "compat.v2.io.TFRecordOptions")
class TFRecordOptions:
    """How a TFRecord file is compressed, in detail.

    Args:
        compression_type: `"GZIP"`, `"ZLIB"`, `""` or None, or a member of TFRecordCompressionType.
        flush_mode: zlib's flush mode for what is between two records.
        input_buffer_size: Bytes read at once.
        output_buffer_size: Bytes gathered before they are written.
        window_bits: zlib's `wbits`: 8 to 15, negative for a raw stream, 24 to 31 for gzip.
        compression_level: 0 to 9, -1 for zlib's default.
        compression_method: zlib's method; 8, deflate, is the only one.
        mem_level: 1 to 9, the memory that the compressor may take.
        compression_strategy: zlib's strategy, 0 to 4.

    Raises:
        ValueError: The compression type is none of these.
    """

    compression_type_map = {
        TFRecordCompressionType.ZLIB: "ZLIB",
        TFRecordCompressionType.GZIP: "GZIP",
        TFRecordCompressionType.NONE: "",
    }

    def __init__(
        self,
        compression_type: str | int | TFRecordOptions | None = None,
        flush_mode: int | None = None,
        input_buffer_size: int | None = None,
        output_buffer_size: int | None = None,
        window_bits: int | None = None,
        compression_level: int | None = None,
        compression_method: int | None = None,
        mem_level: int | None = None,
        compression_strategy: int | None = None,
    ) -> None:
        self.get_compression_type_string(compression_type)
        self.compression_type = compression_type
        self.flush_mode = flush_mode
        self.input_buffer_size = input_buffer_size
        self.output_buffer_size = output_buffer_size
        self.window_bits = window_bits
        self.compression_level = compression_level
        self.compression_method = compression_method
        self.mem_level = mem_level
        self.compression_strategy = compression_strategy

    @classmethod
    def get_compression_type_string(cls, options: Any) -> str:
        """The type of options, of a member of TFRecordCompressionType or of a string: `""`, `"ZLIB"` or `"GZIP"`.

        Raises:
            ValueError: It is none of these.
        """
        if not options:
            return ""
        if isinstance(options, TFRecordOptions):
            return cls.get_compression_type_string(options.compression_type)
        if options in cls.compression_type_map:
            return cls.compression_type_map[options]
        if options in cls.compression_type_map.values():
            return options
        raise ValueError(f'Not a valid compression_type: "{options}"')

    def _compressor(self) -> Any:
        """A zlib compressor as the options say, None for plain files."""
        kind = self.get_compression_type_string(self)
        if not kind:
            return None
        settings = (
            _default(self.compression_level, zlib.Z_DEFAULT_COMPRESSION),
            _default(self.compression_method, zlib.DEFLATED),
            _default(self.window_bits, _WINDOW_BITS[kind]),
            _default(self.mem_level, _MEM_LEVEL),
            _default(self.compression_strategy, zlib.Z_DEFAULT_STRATEGY),
        )
        try:
            return zlib.compressobj(*settings)
        except (ValueError, zlib.error) as error:
            raise errors.InvalidArgumentError(
                None, None, f"zlib refuses the compression options {settings}: {error}"
            ) from error


def _default(value: int | None, default: int) -> int:
    return default if value is None else value


def _as_options(options: Any) -> TFRecordOptions:
    return options if isinstance(options, TFRecordOptions) else TFRecordOptions(options)


@public("io.TFRecordWriter", "python_io.TFRecordWriter", "compat.v2.io.TFRecordWriter")
class TFRecordWriter:
    """Writes records to a new file; also a context manager, which closes it.

    Args:
        path: Where to write; an existing file is replaced.
        options: TFRecordOptions, or one of the compression types that it takes.

    Raises:
        ValueError: The compression type is unknown.
        NotFoundError: The directory does not exist.
    """

    _file: BinaryIO | None = None

    def __init__(self, path: Path, options: Any = None) -> None:
        options = _as_options(options)
        self._compressor = options._compressor()
        self._pending: list[bytes] = []
        self._pending_bytes = 0
        self._path = text_path(path)
        self._file = file_system(self._path).open(self._path, "wb")

    def __enter__(self) -> TFRecordWriter:
        return self

    def __exit__(
        self,
        unused_type: type[BaseException] | None,
        unused_value: BaseException | None,
        unused_traceback: TracebackType | None,
    ) -> None:
        self.close()

    def write(self, record: bytes) -> None:
        """Appends one record.

        Args:
            record: Any bytes, none at all too.

        Raises:
            TypeError: `record` is not bytes.
            FailedPreconditionError: The writer is closed.
        """
        if not isinstance(record, bytes):
            raise TypeError(f"expected bytes, {type(record).__name__} found")
        if self._file is None:
            self._opened()
        self._pending.append(record)
        self._pending_bytes += len(record) + _FRAME
        if self._pending_bytes >= _PENDING:
            self._put_pending()

    def flush(self) -> None:
        """Hands what was written to the operating system: a reader sees every record so far.

        Raises:
            FailedPreconditionError: The writer is closed.
        """
        file = self._opened()
        self._put_pending()
        if self._compressor is not None:
            file.write(self._compressor.flush(zlib.Z_SYNC_FLUSH))
        file.flush()

    def close(self) -> None:
        """Ends the file; closing it again does nothing."""
        file = self._file
        if file is None:
            return
        try:
            self._put_pending()
            if self._compressor is not None:
                self._put(b"", end=True)
        finally:
            self._file = None
            file.close()

    def __del__(self) -> None:
        self.close()

    def _put_pending(self) -> None:
        pending, self._pending, self._pending_bytes = self._pending, [], 0
        if pending:
            frame = routine("frame_records")
            self._put(b"".join(map(framed, pending)) if frame is None else frame(pending))

    def _put(self, data: Any, end: bool = False) -> None:
        file = self._opened()
        if self._compressor is not None:
            data = self._compressor.flush() if end else self._compressor.compress(data)
        try:
            file.write(data)
        except OSError as error:
            raise translate(error, self._path) from error

    def _opened(self) -> BinaryIO:
        if self._file is None:
            raise errors.FailedPreconditionError(None, None, "Writer not initialized or previously closed")
        return self._file


@public("io.tf_record_iterator", "python_io.tf_record_iterator")
def tf_record_iterator(path: Path, options: Any = None) -> Iterator[bytes]:
    """Reads the records of a file, one after the other.

    Args:
        path: A TFRecord file.
        options: TFRecordOptions, or one of the compression types that it takes.

    Returns:
        An iterator of bytes. A last record that stops within its first twelve bytes is taken for one that is still
        being written: the iterator ends before it.

    Raises:
        NotFoundError: There is no such file.
        DataLossError: A checksum is wrong, the file ends within a record, or it does not inflate.
    """
    for block in record_blocks(path, options):
        yield from block


def record_blocks(path: Path, options: Any = None, start: int = 0) -> Iterator[list[bytes]]:
    """The records of a file, those that are read together in a list; what is left before an error comes before it.

    Args:
        path: A TFRecord file.
        options: As for `tf_record_iterator`.
        start: As for `read_records_with_offsets`.

    Raises:
        NotFoundError, DataLossError: As for `tf_record_iterator`.
    """
    kind, path, split, offset = TFRecordOptions.get_compression_type_string(options), text_path(path), None, start
    with file_system(path).open(path, "rb") as file:
        try:
            source = _from_place(file, options, kind, start)
            split = routine("split_records")
            size, most = _BLOCKS
            held = b""
            while split is not None:
                try:
                    piece = _read_some(source, held, size)
                except errors.DataLossError:  # it does not inflate
                    break
                records, used, damaged = split(held := held + piece if held else piece)
                held = held[used:]
                offset += used
                if len(records):
                    yield records.tolist()
                if damaged or not piece:
                    source = io.BytesIO(held)
                    break
                size = min(2 * size, most)
            if kind and not isinstance(source, io.BytesIO):
                file.seek(0)
                source = _from_place(file, options, kind, offset)
            for record in _one_by_one(source, offset):
                yield [record]
        except OSError as error:
            raise translate(error, path) from error


def _from_place(file: BinaryIO, options: Any, kind: str, place: int) -> Any:
    """What reads a file, uncompressed, from a place on."""
    if not kind:
        if place:
            file.seek(place)
        return file
    source = Inflated(file, _window_bits(options, kind))
    skip(source, place)
    return source


def _read_some(source: Any, held: bytes, size: int) -> bytes:
    """Some bytes more; where a long record has begun, what it lacks. None at the end."""
    lacking = _FRAME + _LENGTH.unpack_from(held)[0] - len(held) if len(held) >= _LENGTH.size else 0
    if lacking > size:
        return read(source, lacking)
    return source.read_some(size) if isinstance(source, Inflated) else source.read(size)


def read_records_with_offsets(path: Path, options: Any = None, start: int = 0) -> Iterator[tuple[bytes, int]]:
    """The records of a file from a place on, each with the place behind it.

    Args:
        path: A TFRecord file.
        options: As for `tf_record_iterator`.
        start: Where to begin: 0 or a place that was returned, in uncompressed bytes; plain files skip to it, others
            inflate up to it.

    Raises:
        NotFoundError, DataLossError: As for `tf_record_iterator`.
    """
    offset = start
    for block in record_blocks(path, options, start):
        for record in block:
            offset += len(record) + _FRAME
            yield record, offset


def _one_by_one(source: Any, offset: int) -> Iterator[bytes]:
    """The records of what is uncompressed, and stands at this place of its file."""
    while True:
        header = read(source, _LENGTH.size)
        if len(header) < _LENGTH.size:
            return
        length, checksum = _LENGTH.unpack(header)
        if masked_crc(header[:8]) != checksum:
            raise errors.DataLossError(None, None, f"corrupted record at {offset}")
        record = read(source, length)
        tail = read(source, _CHECKSUM.size) if len(record) == length else b""
        if len(tail) < _CHECKSUM.size:
            raise errors.DataLossError(None, None, f"truncated record at {offset}")
        if masked_crc(record) != _CHECKSUM.unpack(tail)[0]:
            raise errors.DataLossError(None, None, f"corrupted record at {offset + _LENGTH.size}")
        offset += _FRAME + length
        yield record


def _window_bits(options: Any, kind: str) -> int:
    chosen = options.window_bits if isinstance(options, TFRecordOptions) else None
    return _default(chosen, _WINDOW_BITS[kind])

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

from ossia_core.files import file_system, translate
from ossia_core.names import errors
from ossia_core.plugins.api_table import public
from ossia_io.paths import Path, text_path

_LENGTH = struct.Struct("<QI")
_CHECKSUM = struct.Struct("<I")
_CHUNK = 1 << 20
# What inflates beyond both limits is refused: deflate itself stays below 1032:1.
_FREE_BYTES, _MAX_RATIO = 64 << 20, 1000
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

    def __init__(self, path: Path, options: Any = None) -> None:
        options = _as_options(options)
        self._compressor = options._compressor()
        self._path = text_path(path)
        self._file: BinaryIO | None = file_system(self._path).open(self._path, "wb")

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
        self._put(framed(record))

    def flush(self) -> None:
        """Hands what was written to the operating system: a reader sees every record so far.

        Raises:
            FailedPreconditionError: The writer is closed.
        """
        file = self._opened()
        if self._compressor is not None:
            file.write(self._compressor.flush(zlib.Z_SYNC_FLUSH))
        file.flush()

    def close(self) -> None:
        """Ends the file; closing it again does nothing."""
        file = self._file
        if file is None:
            return
        try:
            if self._compressor is not None:
                self._put(b"", end=True)
        finally:
            self._file = None
            file.close()

    def _put(self, data: bytes, end: bool = False) -> None:
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
    for record, _ in read_records_with_offsets(path, options):
        yield record


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
    kind = TFRecordOptions.get_compression_type_string(options)
    path = text_path(path)
    with file_system(path).open(path, "rb") as file:
        try:
            source: Any = _Inflated(file, _window_bits(options, kind)) if kind else file
            offset = start
            if kind:
                _skip(source, start)
            elif start:
                source.seek(start)
            while True:
                header = _read(source, _LENGTH.size)
                if len(header) < _LENGTH.size:
                    return
                length, checksum = _LENGTH.unpack(header)
                if masked_crc(header[:8]) != checksum:
                    raise errors.DataLossError(None, None, f"corrupted record at {offset}")
                record = _read(source, length)
                tail = _read(source, _CHECKSUM.size) if len(record) == length else b""
                if len(tail) < _CHECKSUM.size:
                    raise errors.DataLossError(None, None, f"truncated record at {offset}")
                if masked_crc(record) != _CHECKSUM.unpack(tail)[0]:
                    raise errors.DataLossError(None, None, f"corrupted record at {offset + _LENGTH.size}")
                offset += _LENGTH.size + length + _CHECKSUM.size
                yield record, offset
        except OSError as error:
            raise translate(error, path) from error


def _window_bits(options: Any, kind: str) -> int:
    chosen = options.window_bits if isinstance(options, TFRecordOptions) else None
    return _default(chosen, _WINDOW_BITS[kind])


def _read(source: Any, size: int) -> bytes:
    """Up to `size` bytes; takes memory for what is there, whatever `size` says."""
    if size <= _CHUNK:
        return source.read(size)
    pieces = []
    while size and (piece := source.read(min(size, _CHUNK))):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _skip(source: Any, size: int) -> None:
    while size and (piece := source.read(min(size, _CHUNK))):
        size -= len(piece)


class _Inflated:
    """A compressed file read as what it inflates to; what follows the first compressed stream is ignored."""

    def __init__(self, file: BinaryIO, window_bits: int) -> None:
        self._file = file
        self._inflate = zlib.decompressobj(window_bits)
        self._pending = b""
        self._taken = self._given = 0

    def read(self, size: int) -> bytes:
        """`size` bytes, fewer only at the end."""
        pieces = []
        while size > 0:
            piece = self._piece(size)
            if not piece:
                break
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)

    def _piece(self, size: int) -> bytes:
        while not self._inflate.eof:
            data = self._inflate.unconsumed_tail or self._file.read(_CHUNK >> 4)
            if data is not self._inflate.unconsumed_tail:
                self._taken += len(data)
            try:
                piece = self._inflate.decompress(data, size)
            except zlib.error as error:
                reason = str(error).removeprefix("Error ").replace(" while decompressing data", "")
                raise errors.DataLossError(None, None, f"inflate() failed with error {reason}") from error
            self._given += len(piece)
            if self._given > _FREE_BYTES and self._given > _MAX_RATIO * self._taken:
                raise errors.DataLossError(
                    None,
                    None,
                    f"{self._taken} compressed bytes inflate to more than {_MAX_RATIO} times as many; refused",
                )
            if piece:
                return piece
            if not data:
                break
        return b""


def inflate(data: bytes, window_bits: int) -> bytes:
    """What a compressed string stands for; of one that is cut off, what it holds.

    Raises:
        DataLossError: It is damaged, or inflates to too many times its size.
    """
    return _read(_Inflated(io.BytesIO(data), window_bits), 2**63)

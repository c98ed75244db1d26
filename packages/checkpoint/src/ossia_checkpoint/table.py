"""Sorted tables of keys and values in one file, the format of index files and of V1 checkpoints.

A file is a sequence of blocks. A block holds entries whose keys are cut by the prefix they share with the key before,
an array of the entries that are whole (restarts), and a trailer of a compression byte and a checksum. The last block
indexes the others by a key that is no smaller than the last one of each block. A footer of 48 bytes locates it.
"""

from __future__ import annotations

import bisect
import contextlib
import itertools
import struct
import threading
import weakref
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from ossia_checkpoint import checksum, varint
from ossia_core import files
from ossia_core.forks import renewed
from ossia_core.names import errors

_MAGIC = 0xDB4775248B80FB57
_FOOTER_BYTES = 48
_TRAILER_BYTES = 5
_BLOCK_BYTES = 256 << 10
_RESTART_INTERVAL = 16
_PLAIN, _SNAPPY = 0, 1
_SNAPPY_RATIO = 64  # no snappy block expands by more
_KEY_RATIO = 64  # the keys of a block, written out, take no more than this times its bytes ...
_KEY_SLACK = 64 << 10  # ... and these


class Handle(NamedTuple):
    """Where a block lies: its offset and its size without the trailer."""

    offset: int
    size: int

    def encoded(self) -> bytes:
        return varint.encode(self.offset) + varint.encode(self.size)


def _decode_handle(data: bytes, at: int, end: int) -> tuple[Handle, int]:
    offset, at = varint.decode(data, at, end)
    size, at = varint.decode(data, at, end)
    return Handle(offset, size), at


class TableWriter:
    """Writes a table to a binary stream; keys must come in ascending order."""

    def __init__(self, stream: BinaryIO, block_bytes: int = _BLOCK_BYTES) -> None:
        """Starts a table.

        Args:
            stream: Where the bytes go; only `write` is called.
            block_bytes: Size after which a block is closed.
        """
        self._stream = stream
        self._block_bytes = block_bytes
        self._offset = 0
        self._block = _BlockBuilder(_RESTART_INTERVAL)
        self._index = _BlockBuilder(1)
        self._closed_block: Handle | None = None  # waits for the next key, which decides its index key
        self._last_key: bytes | None = None

    def add(self, key: bytes, value: bytes) -> None:
        """Appends an entry.

        Raises:
            InvalidArgumentError: `key` is not larger than the key before.
        """
        if self._last_key is not None and key <= self._last_key:
            raise errors.InvalidArgumentError(None, None, f"Table keys must ascend: {key!r} after {self._last_key!r}.")
        if self._closed_block is not None:
            assert self._last_key is not None
            self._index.add(_separator(self._last_key, key), self._closed_block.encoded())
            self._closed_block = None
        self._block.add(key, value)
        self._last_key = key
        if self._block.size >= self._block_bytes:
            self._close_block()

    def _close_block(self) -> None:
        if not self._block.empty:
            self._closed_block = self._write_block(self._block.finish())
            self._block = _BlockBuilder(_RESTART_INTERVAL)

    def finish(self) -> int:
        """Writes what is left, the index and the footer; returns the size of the table in bytes."""
        self._close_block()
        meta_index = self._write_block(_BlockBuilder(_RESTART_INTERVAL).finish())
        if self._closed_block is not None:
            self._index.add(_successor(self._last_key or b""), self._closed_block.encoded())
        index = self._write_block(self._index.finish())
        handles = meta_index.encoded() + index.encoded()
        self._write(handles.ljust(_FOOTER_BYTES - 8, b"\0") + struct.pack("<Q", _MAGIC))
        return self._offset

    def _write_block(self, content: bytes) -> Handle:
        handle = Handle(self._offset, len(content))
        kind = bytes([_PLAIN])
        self._write(content + kind + struct.pack("<I", checksum.mask(checksum.crc32c(kind, checksum.crc32c(content)))))
        return handle

    def _write(self, data: bytes) -> None:
        self._stream.write(data)
        self._offset += len(data)


class _BlockBuilder:
    def __init__(self, restart_interval: int) -> None:
        self._interval = restart_interval
        self._parts: list[bytes] = []
        self._restarts = [0]
        self._since_restart = 0
        self._last = b""
        self._bytes = 0

    @property
    def empty(self) -> bool:
        return not self._parts

    @property
    def size(self) -> int:
        return self._bytes + 4 * len(self._restarts) + 4

    def add(self, key: bytes, value: bytes) -> None:
        if self._since_restart < self._interval:
            shared = _shared_prefix(self._last, key)
        else:
            shared = 0
            self._restarts.append(self._bytes)
            self._since_restart = 0
        head = varint.encode(shared) + varint.encode(len(key) - shared) + varint.encode(len(value))
        entry = head + key[shared:] + value
        self._parts.append(entry)
        self._bytes += len(entry)
        self._since_restart += 1
        self._last = key

    def finish(self) -> bytes:
        restarts = struct.pack(f"<{len(self._restarts) + 1}I", *self._restarts, len(self._restarts))
        return b"".join(self._parts) + restarts


def _shared_prefix(a: bytes, b: bytes) -> int:
    length = min(len(a), len(b))
    if a[:length] == b[:length]:
        return length
    return next(i for i in range(length) if a[i] != b[i])


def _separator(low: bytes, high: bytes) -> bytes:
    """A short key k with low <= k < high."""
    at = _shared_prefix(low, high)
    if at < min(len(low), len(high)) and low[at] < 0xFF and low[at] + 1 < high[at]:
        return low[:at] + bytes([low[at] + 1])
    return low


def _successor(key: bytes) -> bytes:
    """A short key that is no smaller than `key`."""
    for at, byte in enumerate(key):
        if byte != 0xFF:
            return key[:at] + bytes([byte + 1])
    return key


class TableReader:
    """Reads a table from a file; blocks are read when they are needed, one at a time from any number of threads.

    Raises, from its constructor and every method:
        NotFoundError: There is no such file.
        DataLossError: The file is not a table, or is damaged.
    """

    def __init__(self, path: str) -> None:
        """Opens the table at `path` and reads its index."""
        self.path = path
        self._lock = renewed(threading.Lock())
        self._stream = files.file_system(path).open(path, "rb")
        self._close = weakref.finalize(self, self._stream.close)
        try:
            self._size = self._stream.seek(0, 2)
            if self._size < _FOOTER_BYTES:
                raise self._damaged("file is too short to be an sstable")
            footer = self._read(self._size - _FOOTER_BYTES, _FOOTER_BYTES)
            if struct.unpack("<Q", footer[-8:])[0] != _MAGIC:
                raise self._damaged("not an sstable (bad magic number)")
            with self._explained():
                _, at = _decode_handle(footer, 0, _FOOTER_BYTES - 8)
                index, _ = _decode_handle(footer, at, _FOOTER_BYTES - 8)
                index_entries = list(self._index(index))
            self._last_keys = [key for key, _ in index_entries]
            self._blocks = [block for _, block in index_entries]
            if any(a >= b for a, b in itertools.pairwise(self._last_keys)):
                raise self._damaged("keys do not ascend")
        except BaseException:
            self._close()
            raise
        self._cached: tuple[Handle, list[bytes], list[bytes]] | None = None

    def _index(self, handle: Handle) -> Iterator[tuple[bytes, Handle]]:
        end = 0
        for key, value in self._entries(handle):
            block, _ = _decode_handle(value, 0, len(value))
            if block.offset < end:
                raise self._damaged("blocks overlap")
            end = block.offset + block.size
            yield key, block

    def close(self) -> None:
        """Closes the file; it happens by itself when the reader is no longer used."""
        self._close()

    def __enter__(self) -> TableReader:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def get(self, key: bytes) -> bytes | None:
        """The value of `key`, None if the table has none."""
        at = bisect.bisect_left(self._last_keys, key)
        if at == len(self._blocks):
            return None
        keys, values = self._block(self._blocks[at])
        at = bisect.bisect_left(keys, key)
        return values[at] if at < len(keys) and keys[at] == key else None

    def items(self, start: bytes = b"") -> Iterator[tuple[bytes, bytes]]:
        """All entries in ascending order, from the first key that is not smaller than `start`."""
        last: bytes | None = None
        for handle in self._blocks[bisect.bisect_left(self._last_keys, start) :]:
            keys, values = self._block(handle)
            if last is not None and keys and keys[0] <= last:
                raise self._damaged("keys do not ascend")
            last = keys[-1] if keys else last
            at = bisect.bisect_left(keys, start)
            yield from zip(keys[at:], values[at:])

    def _block(self, handle: Handle) -> tuple[list[bytes], list[bytes]]:
        cached = self._cached
        if cached is None or cached[0] != handle:
            keys: list[bytes] = []
            values: list[bytes] = []
            with self._explained():
                for key, value in self._entries(handle):
                    if keys and key <= keys[-1]:
                        raise self._damaged("keys do not ascend")
                    keys.append(key)
                    values.append(value)
            cached = self._cached = handle, keys, values
        return cached[1], cached[2]

    def _entries(self, handle: Handle) -> Iterator[tuple[bytes, bytes]]:
        content = self._content(handle)
        if len(content) < 4:
            raise self._damaged("bad block contents")
        (restarts,) = struct.unpack("<I", content[-4:])
        end = len(content) - 4 - 4 * restarts
        if end < 0:
            raise self._damaged("bad block contents")
        at = 0
        key = b""
        budget = _KEY_RATIO * len(content) + _KEY_SLACK
        while at < end:
            shared, at = varint.decode(content, at, end, 32)
            added, at = varint.decode(content, at, end, 32)
            length, at = varint.decode(content, at, end, 32)
            budget -= shared + added
            if shared > len(key) or added + length > end - at or budget < 0:
                raise self._damaged("bad entry in block")
            key = key[:shared] + content[at : at + added]
            at += added
            yield key, content[at : at + length]
            at += length

    def _content(self, handle: Handle) -> bytes:
        if handle.offset + handle.size + _TRAILER_BYTES > self._size:
            raise self._damaged("truncated block read")
        stored = self._read(handle.offset, handle.size + _TRAILER_BYTES)
        if checksum.mask(checksum.crc32c(stored[:-4])) != struct.unpack("<I", stored[-4:])[0]:
            raise self._damaged("block checksum mismatch")
        kind = stored[handle.size]
        if kind == _PLAIN:
            return stored[: handle.size]
        if kind == _SNAPPY:
            return self._inflated(stored[: handle.size])
        raise self._damaged("bad block type")

    def _inflated(self, content: bytes) -> bytes:
        try:
            import cramjam
        except ImportError:
            raise errors.UnimplementedError(
                None,
                None,
                f"{self.path} is compressed with snappy: `pip install ossia-checkpoint[snappy]`.",
            ) from None
        length, _ = varint.decode(content, 0, len(content), 32)
        if length > _SNAPPY_RATIO * len(content):
            raise self._damaged("corrupted compressed block contents")
        try:
            return bytes(cramjam.snappy.decompress_raw(content))
        except Exception:
            raise self._damaged("corrupted compressed block contents") from None

    def _read(self, offset: int, size: int) -> bytes:
        with self._lock:
            self._stream.seek(offset)
            data = self._stream.read(size)
        if len(data) != size:
            raise self._damaged("truncated block read")
        return data

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Adds the file's name to the DataLossErrors of what runs inside."""
        try:
            yield
        except errors.DataLossError as error:
            raise (error if self.path in error.message else self._damaged(error.message)) from None

    def _damaged(self, why: str) -> errors.DataLossError:
        return errors.DataLossError(None, None, f"Unable to open table file {self.path}: Data loss: {why}")

"""Checkpoints of format V2: tensors end to end in data files, and an index file that says where each lies.

`prefix.index` is a sorted table. Its empty key holds a header; every other key is a tensor's name with an entry: dtype,
shape, file, offset, size and checksum. A partitioned tensor's entry lists its slices, which have keys and entries of
their own.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import Any, BinaryIO

import numpy as np

from ossia_checkpoint import checksum, commit, varint
from ossia_checkpoint.formats import TensorWriter
from ossia_checkpoint.slices import Slice, slice_key
from ossia_checkpoint.table import TableWriter
from ossia_core.names import dtypes, errors
from ossia_core.names.dtypes import DType

VERSION = 1
CHECKSUM_BYTES = 4


def index_name(prefix: str) -> str:
    """The path of a checkpoint's index file."""
    return f"{prefix}.index"


def data_name(prefix: str, shard: int, shards: int) -> str:
    """The path of one of a checkpoint's data files."""
    return f"{prefix}.data-{shard:05d}-of-{shards:05d}"


class BundleWriter(TensorWriter):
    """Writes a checkpoint of format V2."""

    def __init__(self, prefix: str) -> None:
        """Starts the checkpoint `prefix`, in a directory that exists."""
        super().__init__()
        self.prefix = prefix
        self._commit = commit.Commit()
        self._data = self._commit.open(data_name(prefix, 0, 1))
        self._offset = 0
        self._entries: dict[bytes, Any] = {}
        self._slices: dict[bytes, list[Slice]] = {}

    def add(self, name: str, array: np.ndarray, dtype: DType | None = None) -> None:
        """Stores a tensor."""
        self._add(name.encode(), array, dtype)

    def add_slice(
        self, name: str, shape: tuple[int, ...], box: Slice, array: np.ndarray, dtype: DType | None = None
    ) -> None:
        """Stores a part of a tensor, under a key of its own."""
        if box.shape_in(shape) == shape:
            return self.add(name, array, dtype)
        key = name.encode()
        dtype = dtypes.as_dtype(array.dtype) if dtype is None else dtype
        if box.shape_in(shape) != array.shape:
            raise errors.InvalidArgumentError(
                None, None, f"Slice {box} of tensor {name} does not have the shape {list(array.shape)}."
            )
        whole = self._entries.get(key)
        if whole is None:
            self._entries[key] = _entry(dtype, shape)
        elif (
            whole.dtype != dtype.as_datatype_enum
            or tuple(dim.size for dim in whole.shape.dim) != shape
            or key not in self._slices
        ):
            raise errors.InvalidArgumentError(None, None, f"Slices of tensor {name} differ in dtype or full shape.")
        self._add(slice_key(name, box), array, dtype)
        self._slices.setdefault(key, []).append(box)
        self._entries[key].slices.append(box.to_proto())

    def _add(self, key: bytes, array: np.ndarray, dtype: DType | None) -> None:
        if not key or key in self._entries:
            raise errors.InvalidArgumentError(None, None, f"Adding duplicate key: {key!r}")
        array = np.asarray(array)
        dtype = dtypes.as_dtype(array.dtype) if dtype is None else dtype
        entry = _entry(dtype, array.shape)
        write = {dtypes.string: _write_strings, dtypes.variant: _write_variants}.get(dtype, _write_numbers)
        size, crc = write(self._data, array)
        entry.offset, entry.size, entry.crc32c = self._offset, size, checksum.mask(crc)
        self._offset += size
        self._entries[key] = entry

    def finish(self) -> None:
        """Makes the checkpoint visible, in place of one of the same name."""
        from ossia_core.proto import BundleHeaderProto

        try:
            header = BundleHeaderProto(num_shards=1)
            header.version.producer = VERSION
            write_index(self._commit.open(index_name(self.prefix)), header, self._entries)
        except BaseException:
            self.abort()
            raise
        self._commit.finish()

    def abort(self) -> None:
        """Removes the unfinished files."""
        self._commit.abort()


def _entry(dtype: DType, shape: tuple[int, ...]) -> Any:
    from ossia_core.proto import BundleEntryProto

    entry = BundleEntryProto(dtype=dtype.as_datatype_enum)
    entry.shape.SetInParent()
    for size in shape:
        entry.shape.dim.add(size=size)
    return entry


def write_index(stream: BinaryIO, header: Any, entries: dict[bytes, Any]) -> None:
    """Writes an index file: the header, and the entries by key."""
    table = TableWriter(stream)
    table.add(b"", header.SerializeToString())
    for key in sorted(entries):
        table.add(key, entries[key].SerializeToString())
    table.finish()


def _write_numbers(stream: BinaryIO, array: np.ndarray) -> tuple[int, int]:
    content = np.ascontiguousarray(array, array.dtype.newbyteorder("<")).reshape(-1).view(np.uint8)
    stream.write(content.data)
    return content.nbytes, checksum.crc32c(content)


def _write_strings(stream: BinaryIO, array: np.ndarray) -> tuple[int, int]:
    items = array.reshape(-1).tolist()
    lengths = b"".join(varint.encode(len(item)) for item in items)
    crc = checksum.crc32c(fixed_lengths(map(len, items)))
    stored = struct.pack("<I", checksum.mask(crc))
    content = b"".join(items)
    stream.write(lengths + stored)
    stream.write(content)
    return len(lengths) + CHECKSUM_BYTES + len(content), checksum.crc32c(content, checksum.crc32c(stored, crc))


def _write_variants(stream: BinaryIO, array: np.ndarray) -> tuple[int, int]:
    """Writes protos of variants, each with its length before it and a checksum of both behind it."""
    size = crc = 0
    for item in np.asarray(array, object).reshape(-1).tolist():
        if not hasattr(item, "SerializeToString"):
            raise errors.UnimplementedError(None, None, f"A variant of {type(item).__name__} cannot be written.")
        content = item.SerializeToString()
        crc = checksum.crc32c(content, checksum.crc32c(struct.pack("<Q", len(content)), crc))
        stored = struct.pack("<I", checksum.mask(crc))
        crc = checksum.crc32c(stored, crc)
        written = varint.encode(len(content)) + content + stored
        stream.write(written)
        size += len(written)
    return size, crc


def fixed_lengths(lengths: Iterable[int]) -> bytes:
    """The lengths of strings in the form that their checksum covers."""
    return b"".join(struct.pack("<I" if length < 1 << 32 else "<Q", length) for length in lengths)

"""Checkpoints of format V2: tensors end to end in data files, and an index file that says where each lies.

`prefix.index` is a sorted table. Its empty key holds a header; every other key is a tensor's name with an entry: dtype,
shape, file, offset, size and checksum. A partitioned tensor's entry lists its slices, which have keys and entries of
their own.
"""

from __future__ import annotations

import math
import struct
import threading
import weakref
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from ossia_checkpoint import checksum, commit, varint
from ossia_checkpoint.slices import Slice, assemble, slice_key
from ossia_checkpoint.table import TableReader, TableWriter
from ossia_core import files
from ossia_core.forks import renewed
from ossia_core.names import dtypes, errors, sizes
from ossia_core.names.dtypes import DType

VERSION = 1
_CHECKSUM_BYTES = 4
_COPY_BYTES = 1 << 24


def index_name(prefix: str) -> str:
    """The path of a checkpoint's index file."""
    return f"{prefix}.index"


def data_name(prefix: str, shard: int, shards: int) -> str:
    """The path of one of a checkpoint's data files."""
    return f"{prefix}.data-{shard:05d}-of-{shards:05d}"


class BundleWriter:
    """Writes one checkpoint; nothing is visible under its name before `finish`.

    Used as a context manager, it finishes at the end of the block, and leaves no trace if the block raises.
    """

    def __init__(self, prefix: str) -> None:
        """Starts the checkpoint `prefix`, in a directory that exists."""
        self.prefix = prefix
        self._commit = commit.Commit()
        self._data = self._commit.open(data_name(prefix, 0, 1))
        self._offset = 0
        self._entries: dict[bytes, Any] = {}
        self._slices: dict[bytes, list[Slice]] = {}

    def __enter__(self) -> BundleWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        if kind is None:
            self.finish()
        else:
            self._commit.abort()

    def add(self, name: str, array: np.ndarray, dtype: DType | None = None) -> None:
        """Stores a tensor.

        Args:
            name: Its name.
            array: Its value; strings as an object array of bytes.
            dtype: Its element type; by default that of the array.

        Raises:
            InvalidArgumentError: A tensor of that name is stored already.
        """
        self._add(name.encode(), array, dtype)

    def add_slice(
        self, name: str, shape: tuple[int, ...], box: Slice, array: np.ndarray, dtype: DType | None = None
    ) -> None:
        """Stores a part of a tensor.

        Args:
            name: The name of the whole tensor.
            shape: The shape of the whole tensor.
            box: Where the part lies in it.
            array: The part's value.
            dtype: The element type; by default that of the array.

        Raises:
            InvalidArgumentError: The part does not fit the box or the parts stored before.
        """
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
        size, crc = _write_strings(self._data, array) if dtype is dtypes.string else _write_numbers(self._data, array)
        entry.offset, entry.size, entry.crc32c = self._offset, size, checksum.mask(crc)
        self._offset += size
        self._entries[key] = entry

    def finish(self) -> None:
        """Makes the checkpoint visible, in place of one of the same name."""
        from ossia_core.proto import BundleHeaderProto

        try:
            header = BundleHeaderProto(num_shards=1)
            header.version.producer = VERSION
            _write_index(self._commit.open(index_name(self.prefix)), header, self._entries)
        except BaseException:
            self._commit.abort()
            raise
        self._commit.finish()


def _entry(dtype: DType, shape: tuple[int, ...]) -> Any:
    from ossia_core.proto import BundleEntryProto

    entry = BundleEntryProto(dtype=dtype.as_datatype_enum)
    entry.shape.SetInParent()
    for size in shape:
        entry.shape.dim.add(size=size)
    return entry


def _write_index(stream: BinaryIO, header: Any, entries: dict[bytes, Any]) -> None:
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
    crc = checksum.crc32c(_fixed_lengths(map(len, items)))
    stored = struct.pack("<I", checksum.mask(crc))
    content = b"".join(items)
    stream.write(lengths + stored)
    stream.write(content)
    return len(lengths) + _CHECKSUM_BYTES + len(content), checksum.crc32c(content, checksum.crc32c(stored, crc))


def _fixed_lengths(lengths: Iterable[int]) -> bytes:
    return b"".join(struct.pack("<I" if length < 1 << 32 else "<Q", length) for length in lengths)


class Entry(NamedTuple):
    """What the index says about a tensor or slice."""

    dtype: DType
    shape: tuple[int, ...]
    slices: tuple[Slice, ...]
    shard: int
    offset: int
    size: int
    crc: int


class BundleReader:
    """Reads a checkpoint of format V2; safe to use from several threads.

    Raises, from its constructor and every method:
        NotFoundError: A file or a tensor does not exist.
        DataLossError: A file is damaged.
        InvalidArgumentError: The checkpoint is of a version that this reader may not read, or a slice does not fit.
        ResourceExhaustedError: A tensor does not fit into memory.
    """

    def __init__(self, prefix: str) -> None:
        """Opens the checkpoint `prefix`."""
        self.prefix = prefix
        self._suffix = commit.current(index_name(prefix))
        self._table = TableReader(index_name(prefix) + self._suffix)
        self._shards: dict[int, tuple[BinaryIO, int]] = {}
        self._lock = renewed(threading.Lock())
        self._close = weakref.finalize(self, _close_all, self._shards)
        try:
            self._read_header()
        except BaseException:
            self.close()
            raise

    def _read_header(self) -> None:
        from ossia_core.proto import BundleHeaderProto

        header = _parsed(BundleHeaderProto, self._table.get(b""), self._table.path)
        if header.endianness:
            raise errors.UnimplementedError(
                None, None, f"{self.prefix} was written on a big-endian machine, which is not supported."
            )
        version = header.version
        if version.min_consumer > VERSION or VERSION in version.bad_consumers:
            raise errors.InvalidArgumentError(
                None,
                None,
                f"Checkpoint min consumer version {version.min_consumer} above current version {VERSION} "
                f"for {self.prefix}.",
            )
        self.shards = header.num_shards

    def close(self) -> None:
        """Closes the files; it happens by itself when the reader is no longer used."""
        self._table.close()
        self._close()

    def __enter__(self) -> BundleReader:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def names(self) -> Iterator[str]:
        """Names of all tensors in ascending order; slices are not among them."""
        for key, _ in self._table.items(b"\x01"):
            yield _decoded(key, self.prefix)

    def __contains__(self, name: str) -> bool:
        return bool(name) and self._table.get(name.encode()) is not None

    def entry(self, name: str) -> Entry:
        """What the index says about the tensor `name`."""
        return self._entry(name.encode(), name)

    def _entry(self, key: bytes, shown: str) -> Entry:
        from ossia_core.proto import BundleEntryProto

        value = self._table.get(key) if key else None
        if value is None:
            raise errors.NotFoundError(None, None, f"Key {shown} not found in checkpoint")
        proto = _parsed(BundleEntryProto, value, self._table.path)
        shape = tuple(dim.size for dim in proto.shape.dim)
        try:
            sizes.elements(shape)
            dtype = dtypes.as_dtype(proto.dtype)
            if dtype.name.endswith("_ref"):
                raise TypeError(f"{dtype.name} is no type of stored values")
        except (TypeError, errors.InvalidArgumentError) as error:
            raise self._damaged(shown, str(error)) from None
        boxes = tuple(map(Slice.from_proto, proto.slices))
        return Entry(dtype, shape, boxes, proto.shard_id, proto.offset, proto.size, proto.crc32c)

    def read(self, name: str) -> np.ndarray:
        """The tensor `name`, put together from its slices if it has some."""
        entry = self.entry(name)
        return (
            self._assemble(name, entry, tuple(slice(0, size) for size in entry.shape))
            if entry.slices
            else self._value(name, entry)
        )

    def read_slice(self, name: str, box: Slice) -> np.ndarray:
        """The part of the tensor `name` that `box` names, from whatever slices are stored."""
        entry = self.entry(name)
        wanted = box.within(entry.shape)
        if not entry.slices:
            return np.ascontiguousarray(self._value(name, entry)[wanted])
        if box in entry.slices:
            return self._value(f"{name} {box}", self._part(name, entry, box))
        return self._assemble(name, entry, wanted)

    def _part(self, name: str, whole: Entry, box: Slice) -> Entry:
        try:
            shape = box.shape_in(whole.shape)
        except errors.InvalidArgumentError as error:
            raise self._damaged(name, error.message) from None
        part = self._entry(slice_key(name, box), f"{name} {box}")
        if part.slices or part.dtype is not whole.dtype or part.shape != shape:
            raise self._damaged(name, f"slice {box} does not fit the tensor")
        self._check_place(f"{name} {box}", part)
        return part

    def _assemble(self, name: str, whole: Entry, wanted: tuple[slice, ...]) -> np.ndarray:
        parts = [self._part(name, whole, box) for box in whole.slices]
        if sum(math.prod(part.shape) for part in parts) > math.prod(whole.shape):
            raise self._damaged(name, "its slices overlap")
        try:
            return assemble(
                whole.shape,
                wanted,
                whole.dtype.as_numpy_dtype,
                whole.slices,
                lambda i: self._value(f"{name} {whole.slices[i]}", parts[i]),
            )
        except errors.InvalidArgumentError as error:
            raise errors.InvalidArgumentError(
                None, None, f"Tensor {name} of checkpoint {self.prefix}: {error.message}"
            ) from None

    def _check_place(self, name: str, entry: Entry) -> None:
        """Refuses an entry whose bytes cannot be what it says, before anything is allocated for them."""
        if not 0 <= entry.shard < self.shards:
            raise self._damaged(name, f"its shard {entry.shard} is none of {self.shards}")
        if entry.dtype in (dtypes.resource, dtypes.variant):
            raise errors.UnimplementedError(
                None, None, f"Tensor {name} holds {entry.dtype.name} values, which cannot be read."
            )
        count = math.prod(entry.shape)
        strings = entry.dtype is dtypes.string
        if (
            entry.size < count + _CHECKSUM_BYTES
            if strings
            else entry.size != count * np.dtype(entry.dtype.as_numpy_dtype).itemsize
        ):
            raise self._damaged(name, f"its size {entry.size} does not fit {count} elements of {entry.dtype.name}")
        _, length = self._shard(entry.shard)
        if entry.offset < 0 or entry.offset + entry.size > length:
            raise self._short(name)

    def _value(self, name: str, entry: Entry) -> np.ndarray:
        self._check_place(name, entry)
        if entry.dtype is dtypes.string:
            return self._strings(name, entry).reshape(entry.shape)
        array = np.empty(entry.shape, np.dtype(entry.dtype.as_numpy_dtype))
        content = array.reshape(-1).view(np.uint8)
        stream, _ = self._shard(entry.shard)
        with self._lock:
            stream.seek(entry.offset)
            done = 0
            while done < entry.size:
                got = stream.readinto(content[done : done + _COPY_BYTES].data)  # type: ignore[attr-defined]
                if not got:
                    raise self._short(name)
                done += got
        self._check_crc(name, entry, checksum.crc32c(content))
        return array

    def _strings(self, name: str, entry: Entry) -> np.ndarray:
        stream, _ = self._shard(entry.shard)
        with self._lock:
            stream.seek(entry.offset)
            content = stream.read(entry.size)
        if len(content) != entry.size:
            raise self._short(name)
        lengths, at = [], 0
        try:
            for _ in range(math.prod(entry.shape)):
                length, at = varint.decode(content, at, len(content))
                lengths.append(length)
        except errors.DataLossError:
            raise self._damaged(name, "a string's length is cut off") from None
        crc = checksum.crc32c(_fixed_lengths(lengths))
        stored = content[at : at + _CHECKSUM_BYTES]
        at += _CHECKSUM_BYTES
        if at + sum(lengths) != entry.size or struct.unpack("<I", stored)[0] != checksum.mask(crc):
            raise self._damaged(
                name,
                "The length checksum does not match: expected "
                f"{checksum.unmask(int.from_bytes(stored, 'little'))} but actual is {crc}",
            )
        self._check_crc(name, entry, checksum.crc32c(content[at:], checksum.crc32c(stored, crc)))
        array = np.empty(len(lengths), object)
        for i, length in enumerate(lengths):
            array[i] = content[at : at + length]
            at += length
        return array

    def _check_crc(self, name: str, entry: Entry, crc: int) -> None:
        if checksum.mask(crc) != entry.crc:
            raise self._damaged(
                name,
                f"Checksum does not match: stored {checksum.unmask(entry.crc)} vs. calculated on the restored bytes "
                f"{crc}",
            )

    def _shard(self, shard: int) -> tuple[BinaryIO, int]:
        found = self._shards.get(shard)
        if found is None:
            with self._lock:
                found = self._shards.get(shard)
                if found is None:
                    path = self.data_path(shard)
                    stream = files.file_system(path).open(path, "rb")
                    found = self._shards[shard] = stream, stream.seek(0, 2)
        return found

    def data_path(self, shard: int) -> str:
        """The path of the data file of that number."""
        path = data_name(self.prefix, shard, self.shards)
        kept = path + commit.BACKUP
        return kept if self._suffix and files.file_system(path).exists(kept) else path

    def _damaged(self, name: str, why: str) -> errors.DataLossError:
        return errors.DataLossError(
            None, None, f"Tensor {name!r} of checkpoint {self.prefix} cannot be read: {why}"[:1000]
        )

    def _short(self, name: str) -> errors.OutOfRangeError:
        """What is raised where the data file ends before the tensor does: a file that was not copied whole."""
        return errors.OutOfRangeError(
            None, None, f"Read less bytes than requested: tensor {name!r} of checkpoint {self.prefix}"[:1000]
        )


def _close_all(shards: dict[int, tuple[BinaryIO, int]]) -> None:
    for stream, _ in shards.values():
        stream.close()


def _parsed(cls: Any, value: bytes | None, path: str) -> Any:
    from google.protobuf.message import DecodeError

    if value is None:
        raise errors.DataLossError(None, None, f"{path} has no header entry")
    try:
        return cls.FromString(value)
    except DecodeError:
        raise errors.DataLossError(None, None, f"Entry in {path} is not a {cls.DESCRIPTOR.name}") from None


def _decoded(key: bytes, prefix: str) -> str:
    try:
        return key.decode()
    except UnicodeDecodeError:
        raise errors.DataLossError(
            None, None, f"Checkpoint {prefix} has a tensor whose name is not UTF-8: {key[:200]!r}"
        ) from None


def merge_bundles(prefixes: Iterable[str], destination: str) -> None:
    """Joins checkpoints into one; their data files are moved, their index files removed.

    Args:
        prefixes: The checkpoints, in the order of the shards of the result.
        destination: The prefix of the result.

    Raises:
        InvalidArgumentError: The same tensor, or the same slice of one, is in two of them.
        OpError: A file cannot be read or moved; what was at `destination` is intact.
    """
    from ossia_core.proto import BundleEntryProto, BundleHeaderProto

    entries: dict[bytes, Any] = {}
    moves: list[str] = []
    prefixes = list(prefixes)
    for prefix in prefixes:
        with BundleReader(prefix) as reader:
            first = len(moves)
            moves += [reader.data_path(shard) for shard in range(reader.shards)]
            for key, value in reader._table.items(b"\x00"):
                entry = _parsed(BundleEntryProto, value, prefix)
                entry.shard_id = 0 if entry.slices else entry.shard_id + first
                known = entries.setdefault(key, entry)
                if known is not entry:
                    _join(key, known, entry)
    header = BundleHeaderProto(num_shards=len(moves))
    header.version.producer = VERSION
    with commit.Commit() as joined:
        for shard, path in enumerate(moves):
            joined.adopt(path, data_name(destination, shard, len(moves)))
        _write_index(joined.open(index_name(destination)), header, entries)
    for prefix in prefixes:
        if prefix != destination:
            files.file_system(prefix).remove(index_name(prefix))


def _join(key: bytes, known: Any, entry: Any) -> None:
    if not (known.slices and entry.slices and known.dtype == entry.dtype and known.shape == entry.shape):
        raise errors.InvalidArgumentError(None, None, f"Existing entry in the merged checkpoint: {key!r}")
    known.slices.extend(entry.slices)

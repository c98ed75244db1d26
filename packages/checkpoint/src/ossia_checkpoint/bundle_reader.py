"""Reading checkpoints of format V2; `bundle` tells what is in their files."""

from __future__ import annotations

import contextlib
import math
import struct
import threading
import weakref
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from ossia_checkpoint import checksum, commit, varint
from ossia_checkpoint.bundle import CHECKSUM_BYTES, VERSION, data_name, fixed_lengths, index_name
from ossia_checkpoint.formats import TensorReader, absent_tensor, description
from ossia_checkpoint.slices import Slice, assemble, slice_key
from ossia_checkpoint.table import TableReader
from ossia_core import files
from ossia_core.forks import renewed
from ossia_core.names import dtypes, errors, sizes
from ossia_core.names.dtypes import DType

_COPY_BYTES = 1 << 24
_AT_ONCE = 64  # data files that a reader opens at once
_ATTEMPTS = 100  # to open a checkpoint that is being replaced


class Entry(NamedTuple):
    """What the index says about a tensor or slice."""

    dtype: DType
    shape: tuple[int, ...]
    slices: tuple[Slice, ...]
    shard: int
    offset: int
    size: int
    crc: int


class BundleReader(TensorReader):
    """Reads a checkpoint of format V2.

    Besides what every reader raises, InvalidArgumentError: the checkpoint is of a version that this one may not read.
    """

    def __init__(self, prefix: str) -> None:
        """Opens the checkpoint `prefix`.

        All its files (the first `_AT_ONCE` of very many) are opened here, so that a reader reads one checkpoint
        although another is saved under the same name meanwhile.
        """
        self.prefix = prefix
        self._shards: dict[int, tuple[BinaryIO, int]] = {}
        self._lock = renewed(threading.Lock())
        self._latest: Any = (None, None)  # a key, and the entry that was found for it
        self._close_shards = weakref.finalize(self, _close_all, self._shards)
        for _ in range(_ATTEMPTS):
            version = commit.version(index_name(prefix))
            try:
                self._open()
            except (errors.NotFoundError, errors.DataLossError):
                if version == commit.version(index_name(prefix)):
                    raise
            else:
                if version == commit.version(index_name(prefix)):
                    return
                self._table.close()
                _close_all(self._shards)
        raise errors.AbortedError(None, None, f"Checkpoint {prefix} is replaced faster than it can be opened.")

    def _open(self) -> None:
        self._suffix = commit.current(index_name(self.prefix))
        self._table = TableReader(index_name(self.prefix) + self._suffix)
        try:
            self._read_header()
            for shard in range(min(self.shards, _AT_ONCE)):
                with contextlib.suppress(errors.NotFoundError):  # refused when it is read
                    self._shard(shard)
        except BaseException:
            self._table.close()
            _close_all(self._shards)
            raise

    def _read_header(self) -> None:
        from ossia_core.proto import BundleHeaderProto

        header = parsed(BundleHeaderProto, self._table.get(b""), self._table.path)
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
        self._close_shards()

    def entries(self) -> Iterator[tuple[bytes, bytes]]:
        """All keys of the index but the header's, with their serialised entries, in ascending order of the keys."""
        return self._table.items(b"\x00")

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

        last, found = self._latest  # whoever asks what a tensor is reads it next
        if key == last:
            return found
        value = self._table.get(key) if key else None
        if value is None:
            raise absent_tensor(shown)
        proto = parsed(BundleEntryProto, value, self._table.path)
        shape = tuple(dim.size for dim in proto.shape.dim)
        try:
            sizes.elements(shape)
            dtype = dtypes.as_dtype(proto.dtype)
            if dtype.name.endswith("_ref"):
                raise TypeError(f"{dtype.name} is no type of stored values")
        except (TypeError, errors.InvalidArgumentError) as error:
            raise self._damaged(shown, str(error)) from None
        boxes = tuple(map(Slice.from_proto, proto.slices))
        made = Entry(dtype, shape, boxes, proto.shard_id, proto.offset, proto.size, proto.crc32c)
        self._latest = key, made
        return made

    def describe(self, name: str) -> list[bytes]:
        """A line for the tensor, or for each of its slices."""
        entry = self.entry(name)
        parts = [description(slice_key(name, box), entry.dtype, box.shape_in(entry.shape)) for box in entry.slices]
        return parts or super().describe(name)

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
        if entry.dtype is dtypes.resource:
            raise errors.UnimplementedError(
                None, None, f"Tensor {name} holds {entry.dtype.name} values, which cannot be read."
            )
        count = math.prod(entry.shape)
        strings = entry.dtype in (dtypes.string, dtypes.variant)
        if (
            entry.size < count + CHECKSUM_BYTES
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
        if entry.dtype is dtypes.variant:
            return self._variants(name, entry).reshape(entry.shape)
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
        crc = checksum.crc32c(fixed_lengths(lengths))
        stored = content[at : at + CHECKSUM_BYTES]
        at += CHECKSUM_BYTES
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

    def _variants(self, name: str, entry: Entry) -> np.ndarray:
        """The protos of variants."""
        from ossia_core.proto import VariantTensorDataProto

        stream, _ = self._shard(entry.shard)
        with self._lock:
            stream.seek(entry.offset)
            content = stream.read(entry.size)
        if len(content) != entry.size:
            raise self._short(name)
        array = np.empty(math.prod(entry.shape), object)
        at = crc = 0
        for i in range(len(array)):
            try:
                length, begin = varint.decode(content, at, len(content))
            except errors.DataLossError:
                raise self._damaged(name, "a variant's length is cut off") from None
            at = begin + length + CHECKSUM_BYTES
            if at > len(content):
                raise self._damaged(name, "a variant is cut off")
            item, stored = content[begin : begin + length], content[begin + length : at]
            crc = checksum.crc32c(item, checksum.crc32c(struct.pack("<Q", length), crc))
            if struct.unpack("<I", stored)[0] != checksum.mask(crc):
                raise self._damaged(name, "the checksum of a variant does not match")
            crc = checksum.crc32c(stored, crc)
            array[i] = parsed(VariantTensorDataProto, item, self.prefix)
        self._check_crc(name, entry, crc)
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
                    stream = self._open_data(shard)
                    found = self._shards[shard] = stream, stream.seek(0, 2)
        return found

    def _open_data(self, shard: int) -> BinaryIO:
        path = data_name(self.prefix, shard, self.shards)
        system = files.file_system(path)
        kept = path + commit.BACKUP
        if self._suffix:
            for name in (kept, path, kept):
                with contextlib.suppress(errors.NotFoundError):
                    stream = system.open(name, "rb")
                    if name == kept or not system.exists(kept):  # else new data may have taken the place
                        return stream
                    stream.close()
        return system.open(path, "rb")

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
    shards.clear()


def parsed(cls: Any, value: bytes | None, path: str) -> Any:
    """A message of an index file; DataLossError where there is none, or its bytes are none."""
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

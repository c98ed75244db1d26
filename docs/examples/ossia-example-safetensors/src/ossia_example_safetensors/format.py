"""The safetensors layout (https://huggingface.co/docs/safetensors, "Format"): eight bytes with the size of the header,
the header as JSON, and the tensors end to end, little-endian."""

import json
import math
import struct

import numpy as np

from ossia_checkpoint import commit
from ossia_checkpoint.formats import CheckpointFormat, Entry, TensorReader, TensorWriter, absent_tensor
from ossia_checkpoint.patterns import matching
from ossia_core import files
from ossia_core.names import dtypes, errors, sizes

ENDING = ".safetensors"
MAX_HEADER = 100_000_000
NAMES = {
    dtypes.bool: "BOOL", dtypes.uint8: "U8", dtypes.int8: "I8", dtypes.uint16: "U16", dtypes.int16: "I16",
    dtypes.uint32: "U32", dtypes.int32: "I32", dtypes.uint64: "U64", dtypes.int64: "I64", dtypes.float16: "F16",
    dtypes.bfloat16: "BF16", dtypes.float32: "F32", dtypes.float64: "F64",
}
TYPES = {name: dtype for dtype, name in NAMES.items()}


class SafetensorsFormat(CheckpointFormat):
    """Checkpoints of one file each, `prefix.safetensors`; a reader may be given the file's own path, too."""

    def files(self, prefix):
        return matching(prefix if prefix.endswith(ENDING) else prefix + ENDING)

    def reader(self, prefix):
        return SafetensorsReader(next(iter(self.files(prefix)), prefix + ENDING))

    def writer(self, prefix):
        return SafetensorsWriter(prefix + ENDING)


class SafetensorsWriter(TensorWriter):
    """Collects the tensors, and writes the file when their places are known."""

    def __init__(self, path):
        super().__init__()
        self.path, self.header, self.arrays, self.end = path, {}, [], 0

    def add(self, name, array, dtype=None):
        array = np.asarray(array)
        dtype = dtypes.as_dtype(array.dtype) if dtype is None else dtype
        if dtype not in NAMES:
            raise errors.UnimplementedError(None, None, f"safetensors has no {dtype.name}: tensor {name}")
        if name in self.header or name == "__metadata__":
            raise errors.InvalidArgumentError(None, None, f"Adding duplicate key: {name}")
        begin, self.end = self.end, self.end + array.nbytes
        self.header[name] = {"dtype": NAMES[dtype], "shape": array.shape, "data_offsets": [begin, self.end]}
        self.arrays.append(array)

    def finish(self):
        header = json.dumps(self.header).encode()
        header += b" " * (-len(header) % 8)
        with commit.Commit() as written:
            stream = written.open(self.path)
            stream.write(struct.pack("<Q", len(header)) + header)
            for array in self.arrays:
                stream.write(np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes())

    def abort(self):
        pass  # nothing is written before the end


class SafetensorsReader(TensorReader):
    """Reads the header at once, and each tensor when it is asked for, through a stream of its own."""

    def __init__(self, path):
        self.path = path
        length = files.file_system(path).stat(path).length
        with files.file_system(path).open(path, "rb") as stream:
            size = int.from_bytes(stream.read(8), "little")
            if not 2 <= size <= min(length - 8, MAX_HEADER):
                raise self.damaged(f"a header of {size} bytes does not fit into a file of {length}")
            text = stream.read(size)
        self.start, self.length = 8 + size, length
        try:
            header = json.loads(text, object_pairs_hook=self.distinct)
            header.pop("__metadata__", None)
            self.places = {name: self.checked(name, found) for name, found in sorted(header.items())}
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise self.damaged(f"its header is wrong: {error}") from None

    def distinct(self, pairs):
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a key stands in it twice")
        return dict(pairs)

    def checked(self, name, found):
        (begin, end), shape, dtype = found["data_offsets"], tuple(found["shape"]), TYPES.get(found["dtype"])
        if dtype is None:
            raise errors.UnimplementedError(None, None, f"{self.path}: no element type {str(found['dtype'])[:50]}")
        if not all(type(number) is int and number >= 0 for number in (begin, end, *shape)):
            raise ValueError(f"a size of {name[:100]!r} is no number")
        wanted = math.prod(shape) * np.dtype(dtype.as_numpy_dtype).itemsize
        if end - begin != wanted or self.start + end > self.length:
            raise ValueError(f"{name[:100]!r} has {end - begin} bytes instead of {wanted}, up to {end}")
        return Entry(dtype, shape), begin

    def damaged(self, why):
        return errors.DataLossError(None, None, f"{self.path}: {why}"[:1000])

    def names(self):
        return list(self.places)

    def entry(self, name):
        if name not in self.places:
            raise absent_tensor(name)
        return self.places[name][0]

    def read(self, name):
        entry = self.entry(name)
        sizes.allocatable(entry.shape, np.dtype(entry.dtype.as_numpy_dtype).itemsize)
        array = np.empty(entry.shape, entry.dtype.as_numpy_dtype)
        with files.file_system(self.path).open(self.path, "rb") as stream:
            stream.seek(self.start + self.places[name][1])
            if stream.readinto(array.reshape(-1).view(np.uint8).data) != array.nbytes:
                raise self.damaged(f"it ends within {name!r}")
        return array

    def close(self):
        pass  # no stream stays open

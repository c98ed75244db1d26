"""Checkpoints of format V1: one sorted table whose values are protos, the tensors themselves included.

The empty key describes all tensors and their slices; each slice has a key made of name and extents, whether it is the
whole tensor or not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ossia_checkpoint import commit
from ossia_checkpoint.formats import TensorReader, TensorWriter, description
from ossia_checkpoint.slices import Slice, assemble, slice_key
from ossia_checkpoint.table import TableReader, TableWriter
from ossia_core.names import dtypes, errors, sizes, tensor_proto
from ossia_core.names.dtypes import DType

VERSION = 1
_UNSUPPORTED = (dtypes.bfloat16, dtypes.uint32, dtypes.uint64, dtypes.resource, dtypes.variant)


class V1Writer(TensorWriter):
    """Collects tensors and writes them as one file."""

    def __init__(self, path: str) -> None:
        """Starts the checkpoint file `path`."""
        super().__init__()
        self.path = path
        self._tensors: dict[str, Any] = {}
        self._values: dict[bytes, bytes] = {}

    def add(self, name: str, array: np.ndarray, dtype: DType | None = None) -> None:
        """Stores a whole tensor."""
        array = np.asarray(array)
        self.add_slice(name, array.shape, Slice(((0, -1),) * array.ndim), array, dtype)

    def add_slice(
        self, name: str, shape: tuple[int, ...], box: Slice, array: np.ndarray, dtype: DType | None = None
    ) -> None:
        """Stores a part of a tensor, or the whole, under a key of its own."""
        from ossia_core.proto import SavedSliceMeta, SavedTensorSlices

        array = np.asarray(array)
        dtype = dtypes.as_dtype(array.dtype) if dtype is None else dtype
        if dtype in _UNSUPPORTED:
            raise errors.UnimplementedError(None, None, f"Saving data type {dtype.name} not yet supported")
        if box.shape_in(shape) != array.shape:
            raise errors.InvalidArgumentError(
                None, None, f"Slice {box} of tensor {name} does not have the shape {list(array.shape)}."
            )
        meta = self._tensors.get(name)
        if meta is None:
            meta = self._tensors[name] = SavedSliceMeta(name=name, type=dtype.as_datatype_enum)
            meta.shape.SetInParent()
            for size in shape:
                meta.shape.dim.add(size=size)
        key = slice_key(name, box)
        if (
            key in self._values
            or meta.type != dtype.as_datatype_enum
            or tuple(dim.size for dim in meta.shape.dim) != shape
        ):
            raise errors.InvalidArgumentError(
                None, None, f"Slices of tensor {name} differ in dtype or full shape, or are stored twice."
            )
        meta.slice.append(box.to_proto())
        saved = SavedTensorSlices()
        saved.data.name = name
        saved.data.slice.CopyFrom(box.to_proto())
        saved.data.data.SetInParent()
        tensor_proto.put_values(saved.data.data, array, dtype)
        self._values[key] = saved.SerializeToString()

    def finish(self) -> None:
        """Makes the file visible, in place of one of the same name."""
        from ossia_core.proto import SavedTensorSlices

        head = SavedTensorSlices()
        head.meta.tensor.extend(self._tensors[name] for name in sorted(self._tensors))
        head.meta.versions.producer = VERSION
        with commit.Commit() as written:
            table = TableWriter(written.open(self.path))
            table.add(b"", head.SerializeToString())
            for key in sorted(self._values):
                table.add(key, self._values[key])
            table.finish()

    def abort(self) -> None:
        """Does nothing: nothing is written before `finish`."""


class _Tensor(NamedTuple):
    dtype: DType
    shape: tuple[int, ...]
    boxes: list[Slice]
    tables: list[TableReader]  # where each box is


class V1Reader(TensorReader):
    """Reads checkpoints of format V1, from one file or from all shards of one.

    Besides what every reader raises, InvalidArgumentError: the checkpoint is of a version that this one may not read.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        """Opens the files at `paths`, which hold parts of one checkpoint."""
        self.paths = list(paths)
        self._tables: list[TableReader] = []
        self._tensors: dict[str, _Tensor] = {}
        try:
            for path in self.paths:
                self._tables.append(TableReader(path))
                self._read_meta(self._tables[-1])
        except BaseException:
            self.close()
            raise

    def _read_meta(self, table: TableReader) -> None:
        meta = _parsed(table, b"").meta
        if meta.versions.min_consumer > VERSION or VERSION in meta.versions.bad_consumers:
            raise errors.InvalidArgumentError(
                None,
                None,
                f"Checkpoint min consumer version {meta.versions.min_consumer} above current version {VERSION} "
                f"for {table.path}.",
            )
        for tensor in meta.tensor:
            shape = tuple(dim.size for dim in tensor.shape.dim)
            boxes = [Slice.from_proto(box) for box in tensor.slice]
            try:
                sizes.elements(shape)
                dtype = dtypes.as_dtype(tensor.type)
                if dtype in _UNSUPPORTED or dtype.name.endswith("_ref"):
                    raise TypeError(f"{dtype.name} is no type of stored values")
                for box in boxes:
                    box.within(shape)
            except (TypeError, errors.InvalidArgumentError) as error:
                raise _damaged(table.path, tensor.name, str(error)) from None
            known = self._tensors.setdefault(tensor.name, _Tensor(dtype, shape, [], []))
            if known.dtype is not dtype or known.shape != shape:
                raise _damaged(table.path, tensor.name, "its dtype or shape differs between files")
            for box in boxes:
                if box not in known.boxes:
                    known.boxes.append(box)
                    known.tables.append(table)

    def close(self) -> None:
        """Closes the files; it happens by itself when the reader is no longer used."""
        for table in self._tables:
            table.close()

    def names(self) -> Iterator[str]:
        """Names of all tensors in ascending order."""
        return iter(sorted(self._tensors))

    def __contains__(self, name: str) -> bool:
        return name in self._tensors

    def entry(self, name: str) -> _Tensor:
        """The dtype, shape and boxes of the tensor `name`."""
        found = self._tensors.get(name)
        if found is None:
            raise errors.NotFoundError(
                None, None, f'Tensor name "{name}" not found in checkpoint files {", ".join(self.paths)}'
            )
        return found

    def describe(self, name: str) -> list[bytes]:
        """A line that tells the number of slices, if there are several."""
        entry = self.entry(name)
        more = f", {len(entry.boxes)} slices" if len(entry.boxes) > 1 else ""
        return [description(name.encode(), entry.dtype, entry.shape, more)]

    def read(self, name: str) -> np.ndarray:
        """The tensor `name`, put together from its slices."""
        if name not in self._tensors:
            raise errors.NotFoundError(None, None, f"{name} not found in checkpoint file")
        return self.read_slice(name, Slice(((0, -1),) * len(self.entry(name).shape)))

    def read_slice(self, name: str, box: Slice) -> np.ndarray:
        """The part of the tensor `name` that `box` names, from whatever slices are stored."""
        tensor = self.entry(name)
        wanted = box.within(tensor.shape)
        if box in tensor.boxes:
            return self._value(name, tensor, tensor.boxes.index(box)).copy()
        try:
            return assemble(
                tensor.shape, wanted, tensor.dtype.as_numpy_dtype, tensor.boxes, lambda i: self._value(name, tensor, i)
            )
        except errors.InvalidArgumentError as error:
            raise errors.InvalidArgumentError(
                None, None, f"Tensor {name} of {self.paths[0]}: {error.message}"
            ) from None

    def _value(self, name: str, tensor: _Tensor, number: int) -> np.ndarray:
        box, table = tensor.boxes[number], tensor.tables[number]
        saved = _parsed(table, slice_key(name, box)).data
        if saved.name != name or Slice.from_proto(saved.slice) != box:
            raise _damaged(table.path, name, f"the data of slice {box} are those of another one")
        shape = box.shape_in(tensor.shape)
        try:
            values = tensor_proto.values_of(saved.data, tensor.dtype)
        except errors.InvalidArgumentError as error:
            raise _damaged(table.path, name, error.message) from None
        if values.size != sizes.elements(shape):
            raise _damaged(table.path, name, f"slice {box} holds {values.size} elements, not {sizes.elements(shape)}")
        return values.reshape(shape)


def _parsed(table: TableReader, key: bytes) -> Any:
    from google.protobuf.message import DecodeError

    from ossia_core.proto import SavedTensorSlices

    value = table.get(key)
    if value is None:
        raise _damaged(table.path, repr(key), "it is not in the table")
    try:
        return SavedTensorSlices.FromString(value)
    except DecodeError:
        raise _damaged(table.path, repr(key), "it is no SavedTensorSlices") from None


def _damaged(path: str, name: str, why: str) -> errors.DataLossError:
    return errors.DataLossError(None, None, f"Tensor {name!r} of {path} cannot be read: {why}"[:1000])

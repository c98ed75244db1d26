"""Checkpoint formats: what a format provides, and which of the installed ones a checkpoint is of.

A distribution adds a format with the hook `ossia_checkpoint_formats`; formats V1 and V2 of TensorFlow are two of them.
A program names the one to write, `tf.train.Saver(write_version="safetensors")`; every reader, and every restore, finds
out by itself which one a checkpoint is of.
"""

from __future__ import annotations

import abc
import contextlib
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ossia_checkpoint.slices import Slice, assemble
from ossia_core import files
from ossia_core.names import dtypes, errors
from ossia_core.names.dtypes import DType
from ossia_core.plugins import manager as plugins
from ossia_core.plugins import warn

_HOOK = "ossia_checkpoint_formats"
_Reader = TypeVar("_Reader", bound="TensorReader")
_Writer = TypeVar("_Writer", bound="TensorWriter")


class Entry(NamedTuple):
    """What a checkpoint says about a tensor without reading its value."""

    dtype: DType
    shape: tuple[int, ...]


class TensorReader(abc.ABC):
    """Reads the tensors of one checkpoint; `CheckpointFormat.reader` makes it. Several threads may use it at once.

    The constructor opens the files and reads what is in them but the values. It and every method raise

    - NotFoundError: there is no such file, or no such tensor;
    - DataLossError (or OutOfRangeError, where a file ends too early): a file is damaged. Every size, offset and count
      of a file is checked before something is allocated for it; a format with checksums checks those;
    - UnimplementedError: the file holds something that the reader does not know;
    - ResourceExhaustedError: a tensor does not fit into memory.
    """

    @abc.abstractmethod
    def names(self) -> Iterable[str]:
        """Names of all tensors, in ascending order."""

    @abc.abstractmethod
    def entry(self, name: str) -> Any:
        """What the checkpoint says about a tensor: an `Entry`, or what has the same attributes and more.

        Raises:
            NotFoundError: There is no such tensor; `absent_tensor` makes the error.
        """

    @abc.abstractmethod
    def read(self, name: str) -> np.ndarray:
        """The value of a tensor, of its entry's dtype and shape; strings are an object array of bytes.

        The array belongs to the caller: it may be written to, and is no part of a mapped file.
        """

    def read_slice(self, name: str, box: Slice) -> np.ndarray:
        """A part of a tensor, for one part of a partitioned variable; by default cut out of the whole.

        Args:
            name: The name of the whole tensor.
            box: Where the part lies in it.

        Raises:
            InvalidArgumentError: The box does not lie in the tensor's shape.
        """
        wanted = box.within(self.entry(name).shape)
        return np.ascontiguousarray(self.read(name)[wanted])

    def describe(self, name: str) -> list[bytes]:
        """The lines of `CheckpointReader.debug_string` about a tensor; by default one, with name, dtype and shape."""
        entry = self.entry(name)
        return [description(name.encode(), entry.dtype, entry.shape)]

    @abc.abstractmethod
    def close(self) -> None:
        """Closes the files; it may be called again."""

    def __enter__(self: _Reader) -> _Reader:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()


class TensorWriter(abc.ABC):
    """Writes the tensors of one checkpoint; `CheckpointFormat.writer` makes it, and one thread uses it.

    Used as a context manager, it finishes at the end of the block, and leaves no trace if the block raises. Nothing may
    be visible under the checkpoint's name before `finish`, and what was there stays whole until then: whatever stops
    the process at whatever moment, a reader finds the old values or the new ones, complete. `ossia_checkpoint.commit`
    does it: `commit.write(path, content)` for one file, `commit.Commit` for large or several ones.
    """

    def __init__(self) -> None:
        self._parts: dict[str, _Parts] = {}

    @abc.abstractmethod
    def add(self, name: str, array: np.ndarray, dtype: DType | None = None) -> None:
        """Stores a tensor.

        Args:
            name: Its name.
            array: Its value, which is unchanged until the writer has finished; strings as an object array of bytes.
            dtype: Its element type; by default that of the array.

        Raises:
            UnimplementedError: The format has no such element type.
            InvalidArgumentError: A tensor of that name is stored already.
        """

    def add_slice(
        self, name: str, shape: tuple[int, ...], box: Slice, array: np.ndarray, dtype: DType | None = None
    ) -> None:
        """Stores a part of a tensor; by default the tensor is stored by `add` when the last of its parts has come.

        Args:
            name: The name of the whole tensor.
            shape: The shape of the whole tensor.
            box: Where the part lies in it.
            array: The part's value.
            dtype: The element type; by default that of the array.

        Raises:
            InvalidArgumentError: The part does not fit the box or the parts stored before.
        """
        dtype = dtypes.as_dtype(array.dtype) if dtype is None else dtype
        if box.shape_in(shape) != array.shape:
            raise errors.InvalidArgumentError(
                None, None, f"Slice {box} of tensor {name} does not have the shape {list(array.shape)}."
            )
        parts = self._parts.setdefault(name, _Parts(dtype, shape, [], []))
        if (parts.dtype, parts.shape) != (dtype, shape):
            raise errors.InvalidArgumentError(None, None, f"Slices of tensor {name} differ in dtype or full shape.")
        parts.boxes.append(box)
        parts.arrays.append(array)
        if sum(part.size for part in parts.arrays) >= math.prod(shape):
            del self._parts[name]
            whole = tuple(slice(0, size) for size in shape)
            self.add(
                name, assemble(shape, whole, dtype.as_numpy_dtype, parts.boxes, parts.arrays.__getitem__), dtype
            )

    @abc.abstractmethod
    def finish(self) -> None:
        """Makes the checkpoint visible, in place of one of the same name.

        Raises:
            OpError: The file system refused; what was there before is intact.
        """

    @abc.abstractmethod
    def abort(self) -> None:
        """Removes what was written so far; what was there before is intact."""

    def __enter__(self: _Writer) -> _Writer:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        if kind is None and not self._parts:
            self.finish()
            return
        self.abort()
        if kind is None:
            names = ", ".join(self._parts)
            raise errors.InvalidArgumentError(
                None, None, f"Parts of tensors are missing, which this format stores as a whole: {names}"
            )


class _Parts(NamedTuple):
    dtype: DType
    shape: tuple[int, ...]
    boxes: list[Slice]
    arrays: list[np.ndarray]


class CheckpointFormat(abc.ABC):
    """A layout of files that hold named tensors: how one is recognised, read, written and removed.

    A checkpoint is known by its *prefix*, a path such as `"model_dir/model.ckpt-100"`, which programs pass to
    `Saver.save`. A format keeps each checkpoint in files whose names begin with the prefix, in the same folder, and
    opens them through `ossia_core.files.file_system`, so that they may be in any store. A format is made without
    arguments, once in a process, and keeps no state; several threads may use it at once.

    Three methods are necessary: `files`, `reader` and `writer`. The rest follows from them; a format overrides what it
    can do better.

    Example, a format of one file that ends in `.npz`::

        class NumpyFormat(CheckpointFormat):
            def files(self, prefix):
                return matching(prefix + ".npz")

            def reader(self, prefix):
                return NumpyReader(prefix + ".npz")

            def writer(self, prefix):
                return NumpyWriter(prefix + ".npz")

    `docs/examples/ossia-example-safetensors` is a complete one.
    """

    @abc.abstractmethod
    def files(self, prefix: str) -> Iterable[str]:
        """Paths of the files of a checkpoint that exist, in the order in which they may be removed.

        The first is the one without which the others are no checkpoint; its time is the checkpoint's. Callers often
        want no more than this one: a format that has to list a folder for the others yields the first before it does.

        Args:
            prefix: The checkpoint; `*`, `?` and `[...]` in its last part may match several
                (`ossia_checkpoint.patterns.matching` expands them).

        Returns:
            The paths; none where there is no checkpoint of this format.
        """

    def matches(self, prefix: str) -> bool:
        """Whether there is a checkpoint of this format; by default whether it has files.

        Asked of one installed format after the other, often for checkpoints of others: it should be quick, look for no
        more than names, and give False, not raise, for what it does not know.
        """
        return next(iter(self.files(prefix)), None) is not None

    @abc.abstractmethod
    def reader(self, prefix: str) -> TensorReader:
        """Opens a checkpoint.

        Raises:
            NotFoundError: There is none.
            DataLossError: It is damaged.
        """

    @abc.abstractmethod
    def writer(self, prefix: str) -> TensorWriter:
        """Starts a checkpoint in a folder that exists; one of the same name is replaced when it is finished."""

    def delete(self, prefix: str) -> None:
        """Removes the files of a checkpoint that exist, in the order of `files`; wildcards are taken literally."""
        for path in self.files(prefix):
            if path.startswith(prefix):
                with contextlib.suppress(errors.NotFoundError):
                    files.file_system(path).remove(path)

    def merge(self, prefixes: Sequence[str], destination: str) -> None:
        """Joins the shards that the devices of a sharded save have written, and removes them.

        By default every tensor is read and written again. A tensor whose slices lie in several shards can only be
        joined by a format that overrides this.

        Args:
            prefixes: The checkpoints, in the order of the shards.
            destination: The prefix of the result.

        Raises:
            InvalidArgumentError: The same tensor is in two of them.
        """
        with contextlib.ExitStack() as opened:
            readers = [opened.enter_context(self.reader(prefix)) for prefix in prefixes]
            with self.writer(destination) as writer:
                for reader in readers:
                    for name in reader.names():
                        writer.add(name, reader.read(name), reader.entry(name).dtype)
        for prefix in prefixes:
            self.delete(prefix)


def absent_tensor(name: str) -> errors.NotFoundError:
    """The error of a reader whose checkpoint holds no tensor of that name."""
    return errors.NotFoundError(None, None, f"Key {name} not found in checkpoint")


def description(key: bytes, dtype: DType, shape: Sequence[int], more: str = "") -> bytes:
    """A line of `CheckpointReader.debug_string`."""
    from ossia_core.proto import DataType

    return key + f" ({DataType.Name(dtype.as_datatype_enum)}) [{','.join(map(str, shape))}]{more}\n".encode()


# -- The installed formats


_made: dict[str, CheckpointFormat] = {}  # by target


def named(name: str) -> CheckpointFormat:
    """The installed format of that name.

    Args:
        name: `"V1"`, `"V2"`, or the name that a plugin registers.

    Raises:
        ValueError: There is none; the message names those that there are.
        ImportError: The plugin's module cannot be imported.
    """
    table = plugins.table(_HOOK)
    if name not in table:
        raise ValueError(f"There is no checkpoint format {name!r}; the installed ones are {', '.join(sorted(table))}.")
    return _of_target(table[name])


def _of_target(target: str) -> CheckpointFormat:
    found = _made.get(target)
    if found is None:
        found = _made.setdefault(target, plugins.load(target)())
    return found


def installed() -> Iterator[CheckpointFormat]:
    """The installed formats in the order in which they are asked, each loaded when it is its turn."""
    for name, target in plugins.table(_HOOK).items():
        try:
            yield _of_target(target)
        except (ImportError, AttributeError) as error:
            warn(f"The checkpoint format {name!r} ({target}) cannot be loaded and is left out: {error}")


def format_of(prefix: str) -> CheckpointFormat | None:
    """The first installed format that recognises a checkpoint; None where there is no checkpoint."""
    return next((found for found in installed() if found.matches(prefix)), None)

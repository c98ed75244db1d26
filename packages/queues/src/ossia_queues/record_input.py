"""The records of many files in random order, epoch after epoch, in batches: `data_flow_ops.RecordInput`."""
from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, steps
from ossia_core.forks import renewed
from ossia_core.graph.scopes import name_scope
from ossia_core.names import errors, sizes
from ossia_core.names.shapes import UNKNOWN_SHAPE
from ossia_io.paths import glob
from ossia_io.records import TFRecordOptions, framed, tf_record_iterator
from ossia_ops.array.shape import reshape
from ossia_ops.array.split import split


class ShuffledRecords:
    """Gives the records of all files of an epoch, then those of the next one.

    Files are read in a random order, which moves on by `shift_ratio` of them each epoch; a record is drawn from a
    buffer of those read. The order is a function of the seed, but not the one of TensorFlow, which depends on threads.

    Raises:
        NotFoundError: No file matches.
        InvalidArgumentError: There is no such compression, or the ratio is no number.
    """

    def __init__(self, attrs: Any) -> None:
        pattern = attrs["file_pattern"].decode(errors="surrogateescape")
        self._files = sorted(glob(pattern))
        if not self._files:
            raise errors.NotFoundError(None, None, f"Found no files at {pattern}")
        self._seed, self._ratio = attrs["file_random_seed"], attrs["file_shuffle_shift_ratio"]
        if not np.isfinite(self._ratio):
            raise errors.InvalidArgumentError(None, None, f"file_shuffle_shift_ratio is {self._ratio}")
        self._buffer = max(1, attrs["file_buffer_size"])
        compression = attrs["compression_type"].decode()
        if compression not in ("", "ZLIB", "GZIP"):
            raise errors.InvalidArgumentError(None, None, f"Unsupported compression_type:{compression}.")
        self._options = TFRecordOptions(compression) if compression else None
        self._random = np.random.default_rng(self._seed % 2**64)
        self._records = self._epochs()
        self._lock = renewed(threading.Lock())

    def _epochs(self) -> Iterator[bytes]:
        epoch = 0
        while True:
            files = self._files.copy()
            np.random.default_rng(self._seed % 2**64).shuffle(files)
            first = int(self._ratio * epoch * len(files)) % len(files)
            drawn = False
            for record in self._drawn(files[first:] + files[:first]):
                drawn = True
                yield record
            if not drawn:
                raise errors.OutOfRangeError(None, None, f"There are no records in {self._files}")
            epoch += 1

    def _drawn(self, files: list[str]) -> Iterator[bytes]:
        waiting: list[bytes] = []
        for path in files:
            for record in tf_record_iterator(path, self._options):
                waiting.append(record)
                if len(waiting) == self._buffer:
                    yield self._take(waiting)
        while waiting:
            yield self._take(waiting)

    def _take(self, waiting: list[bytes]) -> bytes:
        place = int(self._random.integers(len(waiting)))
        waiting[place], waiting[-1] = waiting[-1], waiting[place]
        return waiting.pop()

    def take(self, count: int) -> np.ndarray:
        """The next `count` records."""
        if count < 0:
            raise errors.InvalidArgumentError(None, None, f"A batch has no {count} records")
        sizes.allocatable((count,), 8)
        batch = np.empty(count, object)
        with self._lock:
            try:
                for i in range(count):
                    batch[i] = next(self._records)
            except errors.OpError:
                self._records = self._epochs()  # a generator that has raised gives nothing any more
                raise
        return batch


record_input_op = op(
    "RecordInput() -> records: string", stateful=True, file_pattern="string", file_random_seed="int = 301",
    file_shuffle_shift_ratio="float = 0", file_buffer_size="int = 10000", file_parallelism="int = 16",
    batch_size="int = 32", compression_type="string = ''",
)
record_input_op.shape(lambda: UNKNOWN_SHAPE)


@record_input_op.kernel
def _(*, node, context):
    source = context.session_state.resource(b"", node.name, "record input", lambda: ShuffledRecords(node.attrs))
    return source.take(node.attrs["batch_size"])


def _story(pattern: str, **attrs: Any) -> Any:
    def story(given: Any) -> Any:
        for _ in range(2):
            yield record_input_op(file_pattern=pattern, file_parallelism=1, file_buffer_size=1, **attrs)

    return steps(story, files={"one.rec": framed(b"first")})


record_input_op.samples(
    epochs=_story("one.rec", batch_size=3), shifted=_story("*.rec", batch_size=2, file_shuffle_shift_ratio=0.5),
    none=_story("one.rec", batch_size=0), refused_missing=_story("none*"),
)


class RecordInput:
    """Gives records of files, in random order, for as many epochs as are asked for.

    Args:
        file_pattern: Which TFRecord files.
        batch_size: How many records are given at once.
        buffer_size: How many records one is drawn from.
        parallelism: How many files are read at once; any number gives the same records.
        shift_ratio: By which part of the files the order of an epoch moves on from that of the one before.
        seed: Seed of the order.
        name: Name of the op.
        batches: How many batches are given at once; None for one, as a tensor.
        compression_type: None, or a member of `TFRecordCompressionType`.
    """

    def __init__(
        self, file_pattern: str, batch_size: int = 1, buffer_size: int = 1, parallelism: int = 1,
        shift_ratio: float = 0, seed: int = 0, name: str | None = None, batches: int | None = None,
        compression_type: Any = None,
    ) -> None:
        self._batches, self._name = batches, name
        self._each = batch_size * (1 if batches is None else batches)
        self._options = {
            "file_pattern": os.fspath(file_pattern), "file_buffer_size": buffer_size, "file_parallelism": parallelism,
            "file_shuffle_shift_ratio": shift_ratio, "file_random_seed": seed,
            "compression_type": TFRecordOptions.get_compression_type_string(TFRecordOptions(compression_type)),
        }

    def get_yield_op(self) -> Any:
        """A vector of records; or a list of `batches` lists of scalars."""
        records = record_input_op(batch_size=self._each, name=self._name, **self._options)
        if self._batches is None:
            return records
        with name_scope(self._name):
            parts = [reshape(part, []) for part in split(records, self._each, 0)]
        return [parts[i :: self._batches] for i in range(self._batches)]

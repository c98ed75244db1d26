"""`tf.ReaderBase` and what makes readers: records of files whose names come out of a queue."""
from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ossia_core.declare.opdef import OpDef, op
from ossia_core.declare.shape_rules import scalar as scalar_shape
from ossia_core.declare.shape_rules import with_rank
from ossia_core.forks import renewed
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes as core_dtypes
from ossia_core.names import errors
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.state import resource_name
from ossia_queues.queue_ops import fake_queue_op, queue_of
from ossia_queues.waiting import BlockingQueue, Shared

Record = tuple[bytes, bytes]  # key and value


class RecordSource(Shared):
    """Reads the records of one unit of work (a file) after the other; a subclass says what they are.

    Args:
        name: What errors call it.
    """

    kind = ""
    single = False  # whether a unit of work is one record, with which it is complete

    def __init__(self, name: str) -> None:
        self.name = name
        self.produced = self.completed = 0
        self._started = 0
        self._work = b""
        self._records: Iterator[Record] | None = None
        self._lock = renewed(threading.Lock())

    def open(self, work: bytes) -> Iterator[Record]:
        """The records of a unit of work."""
        raise NotImplementedError

    def read(self, queue: BlockingQueue, context: Any) -> Record:  # type: ignore[override]
        """The next record; takes work from the queue where there is none in progress.

        Raises:
            OutOfRangeError: The queue is closed and empty.
            CancelledError: The session closes.
            OpError: The work cannot be read.
        """
        with self._lock:
            while True:
                records = self._current(queue, context)
                for record in records:
                    self.produced += 1
                    if self.single:
                        self._complete()
                    return record
                self._complete()

    def read_up_to(self, queue: BlockingQueue, count: int, context: Any) -> list[Record]:
        """At least one and at most `count` records of one unit of work; raises as `read` does."""
        found: list[Record] = []
        with self._lock:
            while count > 0 and not found:
                records = self._current(queue, context)
                for record in records:
                    found.append(record)
                    self.produced += 1
                    if self.single:
                        self._complete()
                    if self.single or len(found) == count:
                        break
                else:
                    self._complete()
        return found

    def _current(self, queue: BlockingQueue, context: Any) -> Iterator[Record]:
        if self._records is None:
            self._work = b""  # which it stays if the queue has no more
            self._work = _one_string(queue.dequeue(1, context)[0])
            self._started += 1
            self._records = iter(self.open(self._work))
        return self._records

    def _complete(self) -> None:
        self._records = None
        self.completed += 1

    def reset(self) -> None:
        """Forgets the work in progress and the counts."""
        with self._lock:
            self.produced = self.completed = self._started = 0
            self._work, self._records = b"", None

    def serialize(self) -> bytes:
        """The state, for `restore` of another reader of this kind.

        Raises:
            UnimplementedError: This kind cannot.
        """
        if not self.single:
            raise errors.UnimplementedError(None, None, "Reader SerializeState")
        with self._lock:
            counts = (self._started, self.completed, self.produced)
            encoded = b"".join(bytes([8 * i]) + _varint(n) for i, n in enumerate(counts, 1) if n)
            return encoded + (b"\x22" + _varint(len(self._work)) + self._work if self._work else b"")

    def restore(self, state: bytes) -> None:
        """Takes over a state.

        Raises:
            UnimplementedError: This kind cannot.
            InvalidArgumentError: It is none.
        """
        if not self.single:
            raise errors.UnimplementedError(None, None, "Reader RestoreState")
        fields = _decode(state)
        started, completed, produced = (fields.get(i, 0) for i in (1, 2, 3)) if fields is not None else (-1, 0, 0)
        if fields is None or not 0 <= completed <= started or produced < 0:
            shown = state[:200].decode(errors="replace")
            raise errors.InvalidArgumentError(
                None, None, f"Could not parse state for {self.kind} '{self.name}': {shown}"
            )
        with self._lock:
            self._started, self.completed, self.produced = started, completed, produced
            self._work, self._records = fields.get(4, b""), None
            if started > completed:
                self._records = iter(self.open(self._work))


def _one_string(element: tuple) -> bytes:
    if len(element) != 1:
        raise errors.InvalidArgumentError(None, None, "Expected single component queue")
    value = element[0]
    if value.dtype != object:
        raise errors.InvalidArgumentError(None, None, "Expected queue with single string component")
    if value.size != 1:
        raise errors.InvalidArgumentError(None, None, "Expected to dequeue a one-element string tensor")
    return value.item()


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out + bytes([number]))


def _decode(data: bytes) -> dict[int, Any] | None:
    """The fields 1 to 3 (numbers) and 4 (bytes) of a serialised state; None if it is none."""
    fields: dict[int, Any] = {}
    at = 0

    def number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value
            if shift > 63:
                raise IndexError

    try:
        while at < len(data):
            tag = number()
            if tag in (8, 16, 24):
                value = number() & 0xFFFFFFFFFFFFFFFF
                fields[tag >> 3] = value - (value >> 63 << 64)
            elif tag == 34:
                size = number()
                fields[4] = data[at : at + size]
                if len(fields[4]) < size:
                    return None
                at += size
            else:
                return None
    except IndexError:
        return None
    return fields


# -- the ops, each in its form by reference (V1) and by handle (V2) -----------------------------------------


def _both(name: str, rest: str) -> tuple[OpDef, OpDef]:
    """Declares an op on a reader in both forms; `QUEUE` in the signature stands for a queue's handle."""
    return (
        op(f"{name}(reader_handle: Ref(string){rest.replace('QUEUE', 'Ref(string)')}"),
        op(f"{name}V2(reader_handle: resource{rest.replace('QUEUE', 'resource')}", stateful=True),
    )


reader_read_op, reader_read_v2_op = _both("ReaderRead", ", queue_handle: QUEUE) -> key: string, value: string")
reader_read_up_to_op, reader_read_up_to_v2_op = _both(
    "ReaderReadUpTo", ", queue_handle: QUEUE, num_records: int64) -> keys: string, values: string"
)
reader_num_records_produced_op, reader_num_records_produced_v2_op = _both(
    "ReaderNumRecordsProduced", ") -> records_produced: int64"
)
reader_num_work_units_completed_op, reader_num_work_units_completed_v2_op = _both(
    "ReaderNumWorkUnitsCompleted", ") -> units_completed: int64"
)
reader_serialize_state_op, reader_serialize_state_v2_op = _both("ReaderSerializeState", ") -> state: string")
reader_restore_state_op, reader_restore_state_v2_op = _both("ReaderRestoreState", ", state: string)")
reader_reset_op, reader_reset_v2_op = _both("ReaderReset", ")")


def _text(value: Any) -> np.ndarray:
    return np.array(value, dtype=object)


def _read(reader_handle, queue_handle, *, context):
    key, value = reader_handle.read(queue_of(queue_handle), context)
    return _text(key), _text(value)


def _read_up_to(reader_handle, queue_handle, num_records, *, context):
    if num_records < 0:
        raise errors.InvalidArgumentError(None, None, f"num_records must not be negative, got {num_records}")
    records = reader_handle.read_up_to(queue_of(queue_handle), int(num_records), context)
    return _texts([key for key, _ in records]), _texts([value for _, value in records])


def _texts(items: list[bytes]) -> np.ndarray:
    made = np.empty(len(items), dtype=object)
    made[:] = items
    return made


def _restore_state(reader_handle, state):
    reader_handle.restore(np.asarray(state, dtype=object).item())


def _read_shape(reader_handle, queue_handle):
    return TensorShape([]), TensorShape([])


def _read_up_to_shape(reader_handle, queue_handle, num_records):
    with_rank(num_records, 0)
    return TensorShape([None]), TensorShape([None])


def _restore_state_shape(reader_handle, state):
    with_rank(state, 0)
    return ()


_FACETS: tuple[tuple[tuple[OpDef, OpDef], Any, Callable, bool], ...] = (
    ((reader_read_op, reader_read_v2_op), _read_shape, _read, True),
    ((reader_read_up_to_op, reader_read_up_to_v2_op), _read_up_to_shape, _read_up_to, True),
    (
        (reader_num_records_produced_op, reader_num_records_produced_v2_op),
        scalar_shape,
        lambda reader_handle: np.int64(reader_handle.produced),
        False,
    ),
    (
        (reader_num_work_units_completed_op, reader_num_work_units_completed_v2_op),
        scalar_shape,
        lambda reader_handle: np.int64(reader_handle.completed),
        False,
    ),
    (
        (reader_serialize_state_op, reader_serialize_state_v2_op),
        scalar_shape,
        lambda reader_handle: _text(reader_handle.serialize()),
        False,
    ),
    ((reader_restore_state_op, reader_restore_state_v2_op), _restore_state_shape, _restore_state, False),
    ((reader_reset_op, reader_reset_v2_op), None, lambda reader_handle: reader_handle.reset(), False),
)
for _forms, _shape, _kernel, _blocking in _FACETS:
    for _definition in _forms:
        if _shape is not None:
            _definition.shape(_shape)
        _definition.kernel(blocking=_blocking)(_kernel)
    _forms[0].not_differentiable()
for _definition in (reader_read_op, reader_read_v2_op, reader_read_up_to_op, reader_read_up_to_v2_op):
    _definition.changes("reader_handle", "queue_handle")
for _definition in (reader_restore_state_op, reader_restore_state_v2_op, reader_reset_op, reader_reset_v2_op):
    _definition.changes("reader_handle")
for _definition in (
    reader_num_records_produced_op, reader_num_records_produced_v2_op, reader_num_work_units_completed_op,
    reader_num_work_units_completed_v2_op, reader_serialize_state_op, reader_serialize_state_v2_op,
):  # fmt: skip
    _definition.reads("reader_handle")


def complete_reader(by_reference: OpDef, by_handle: OpDef, make: Callable[[dict[str, Any], str], RecordSource]) -> None:
    """Completes the two forms of an op that makes a reader.

    Args:
        by_reference: The op whose handle is a reference to strings.
        by_handle: The op whose handle is a resource.
        make: Makes the reader from the attributes and what errors call it.
    """

    def find(node: Any, session: Any) -> RecordSource:
        kind = f"reader {by_reference.type}"
        try:
            return session.resource(
                node.attrs["container"], resource_name(node), kind, lambda: make(node.attrs, node.name)
            )
        except errors.OpError as error:
            raise error.attach(node) from None

    by_reference.shape(lambda: TensorShape([2]))
    by_handle.shape(scalar_shape)
    by_reference.not_differentiable()
    for definition in (by_reference, by_handle):
        definition.resource(find)


@public("ReaderBase")
class ReaderBase:
    """A reader of records; made by its subclasses.

    Args:
        reader_ref: The tensor with the handle.
        supports_serialize: Whether its state can be saved and restored.
    """

    def __init__(self, reader_ref: Any, supports_serialize: bool = False) -> None:
        self._reader_ref = reader_ref
        self._supports_serialize = supports_serialize

    @property
    def reader_ref(self) -> Any:
        """The tensor with the handle."""
        return self._reader_ref

    @property
    def supports_serialize(self) -> bool:
        """Whether the state can be saved and restored."""
        return self._supports_serialize

    def _op(self, by_reference: OpDef, by_handle: OpDef) -> OpDef:
        return by_handle if self._reader_ref.dtype == core_dtypes.resource else by_reference

    def _queue(self, queue: Any) -> Tensor:
        """The queue, or its handle, as the ops of this reader take it."""
        handle = queue if isinstance(queue, Tensor) else queue.queue_ref
        if self._reader_ref.dtype == core_dtypes.resource or handle.dtype != core_dtypes.resource:
            return handle
        return fake_queue_op(handle)

    def read(self, queue: Any, name: str | None = None) -> Any:
        """The next record, when it is run; waits for work where the queue is empty.

        Args:
            queue: A queue of strings, such as names of files.
            name: Name of the operation.

        Returns:
            A named tuple of the strings `key` and `value`. Running it raises OutOfRangeError at the end of the work.
        """
        return self._op(reader_read_op, reader_read_v2_op)(self._reader_ref, self._queue(queue), name=name)

    def read_up_to(self, queue: Any, num_records: Any, name: str | None = None) -> Any:
        """At least one and at most `num_records` records, as vectors; like `read`."""
        made = self._op(reader_read_up_to_op, reader_read_up_to_v2_op)
        return made(self._reader_ref, self._queue(queue), num_records, name=name)

    def num_records_produced(self, name: str | None = None) -> Any:
        """How many records were read, an int64 scalar."""
        made = self._op(reader_num_records_produced_op, reader_num_records_produced_v2_op)
        return made(self._reader_ref, name=name)

    def num_work_units_completed(self, name: str | None = None) -> Any:
        """How many units of work (files) were read to their end, an int64 scalar."""
        made = self._op(reader_num_work_units_completed_op, reader_num_work_units_completed_v2_op)
        return made(self._reader_ref, name=name)

    def serialize_state(self, name: str | None = None) -> Any:
        """The state as a string; running it raises UnimplementedError where it cannot be saved."""
        return self._op(reader_serialize_state_op, reader_serialize_state_v2_op)(self._reader_ref, name=name)

    def restore_state(self, state: Any, name: str | None = None) -> Any:
        """An operation that restores a state; running it raises UnimplementedError where that is not possible."""
        return self._op(reader_restore_state_op, reader_restore_state_v2_op)(self._reader_ref, state, name=name)

    def reset(self, name: str | None = None) -> Any:
        """An operation that makes the reader as new."""
        return self._op(reader_reset_op, reader_reset_v2_op)(self._reader_ref, name=name)

"""What queues have in common: producers wait while they are full, consumers while they are empty, each in turn."""
from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core.forks import forgetful, renewed
from ossia_core.names import errors
from ossia_core.names.dtypes import DType, engine_name
from ossia_core.names.errors import dims_text
from ossia_core.names.shapes import TensorShape

Element = tuple  # the components of one element, as arrays

_numbers = itertools.count()


class _Attempt:
    """One operation that waits for its turn."""

    __slots__ = ("done", "error", "pending", "taken", "up_to", "wanted")

    def __init__(self, pending: Sequence[Element] = (), wanted: int = 0, up_to: bool = False) -> None:
        self.pending = deque(pending)  # still to be put in
        self.wanted, self.up_to = wanted, up_to
        self.taken: list[Element] = []
        self.done = False
        self.error: errors.OpError | None = None

    def finish(self, error: errors.OpError | None = None) -> None:
        self.error, self.done = error, True


class Shared:
    """What stands behind a handle; `name` is what errors call it."""

    name = ""

    def read(self) -> np.ndarray:
        """The value of a handle that is a reference to strings: a container, which is always the default, and the
        name."""
        return np.array([b"localhost", self.name.encode()], dtype=object)


def check_types(given: Sequence[DType], wanted: Sequence[DType]) -> None:
    """InvalidArgumentError unless the types of a node are those of what its handle stands for."""
    if list(given) != list(wanted):
        have, expected = (", ".join(dtype.name for dtype in types) for types in (given, wanted))
        raise errors.InvalidArgumentError(None, None, f"Signature mismatch, have: {have} expected: {expected}")


class BlockingQueue(Shared):
    """A bounded queue of elements with a fixed number of components; a subclass says how it stores them.

    Args:
        capacity: How many elements it holds; negative for any number.
        dtypes: Types of the components.
        shapes: Their shapes; None where any shape may be put in.
        name: What errors call it.
    """

    kind = ""

    def __init__(self, capacity: int, dtypes: Sequence[DType], shapes: Sequence[TensorShape] | None, name: str) -> None:
        self.capacity = capacity
        self.dtypes = list(dtypes)
        self.shapes: Any = None if shapes is None else list(shapes)
        self.name = name
        self._changed = renewed(threading.Condition())
        self._producers: deque[_Attempt] = deque()
        self._consumers: deque[_Attempt] = deque()
        self._closing: set[_Attempt] = set()
        self._closed = False
        forgetful(self)

    def after_fork(self) -> None:
        """Forget who waited: the child does not have those threads."""
        self._producers.clear()
        self._consumers.clear()
        self._closing.clear()

    # -- storage, for subclasses ------------------------------------------------------------------------

    def stored(self) -> int:
        """How many elements are in the queue."""
        raise NotImplementedError

    def push(self, element: Element) -> None:
        """Stores an element."""
        raise NotImplementedError

    def pop(self) -> Element:
        """Takes an element out."""
        raise NotImplementedError

    def pop_several(self, count: int) -> list[Element]:
        """Takes so many elements out, which are there."""
        return [self.pop() for _ in range(count)]

    def give_back(self, elements: list[Element]) -> None:
        """Stores elements again that a consumer took and then did not get."""
        raise NotImplementedError

    def takeable(self) -> int:
        """How many elements a consumer may take now."""
        return self.stored()

    # -- operations -------------------------------------------------------------------------------------

    def size(self) -> int:
        """How many elements are in the queue."""
        with self._changed:
            return self.stored()

    @property
    def closed(self) -> bool:
        """Whether nothing can be put in any more."""
        return self._closed

    def enqueue(self, elements: Sequence[Element], context: Any) -> None:
        """Puts elements in, one after the other, waiting where there is no room; none always fit.

        Raises:
            CancelledError: The queue is closed, or closes with cancellation, or the session closes.
            DeadlineExceededError: The run takes too long.
        """
        if not elements:
            return
        with self._changed:
            if self._closed:
                raise self._is_closed()
            attempt = _Attempt(elements)
            self._producers.append(attempt)
            self._wait(attempt, self._producers, context, "Enqueue")

    def dequeue(self, wanted: int, context: Any, up_to: bool = False) -> list[Element]:
        """Takes `wanted` elements out, waiting until there are as many.

        Args:
            wanted: How many.
            context: The run.
            up_to: Whether fewer will do, but not none, once the queue is closed.

        Raises:
            OutOfRangeError: The queue is closed and has not enough elements; it keeps those that it has.
            CancelledError: The session closes.
            DeadlineExceededError: The run takes too long.
        """
        if not wanted:
            return []
        with self._changed:
            attempt = _Attempt(wanted=wanted, up_to=up_to)
            self._consumers.append(attempt)
            self._wait(attempt, self._consumers, context, "Dequeue")
            return attempt.taken

    def close(self, cancel_pending_enqueues: bool, context: Any) -> None:
        """Lets nothing more in.

        Args:
            cancel_pending_enqueues: Whether producers that wait now fail; else it waits for them.
            context: The run.

        Raises:
            CancelledError: The queue is closed already and need not cancel; or the session closes.
        """
        with self._changed:
            if cancel_pending_enqueues:
                self._closed = True
                for attempt in self._producers:
                    cancelled = errors.CancelledError(None, None, "Enqueue operation was cancelled")
                    attempt.finish(None if attempt in self._closing else cancelled)
                self._producers.clear()
                self._progress()
                return
            if self._closed:
                raise errors.CancelledError(None, None, f"Queue '{self.name}' is already closed.")
            attempt = _Attempt()
            self._closing.add(attempt)
            self._producers.append(attempt)
            try:
                self._wait(attempt, self._producers, context, "Close")
            finally:
                self._closing.discard(attempt)

    def cancel_all(self) -> None:
        """Wakes all that wait, as the session closes."""
        with self._changed:
            self._changed.notify_all()

    # -- the machinery; the lock is held ----------------------------------------------------------------

    def _wait(self, attempt: _Attempt, line: deque[_Attempt], context: Any, what: str) -> None:
        self._progress()
        if not attempt.done:
            try:
                context.wait(self._changed, lambda: attempt.done)
            except errors.OpError as error:
                if not attempt.done:
                    line.remove(attempt)
                    self.give_back(attempt.taken)
                    self._progress()
                if isinstance(error, errors.CancelledError):
                    raise errors.CancelledError(None, None, f"{what} operation was cancelled") from None
                raise
        if attempt.error is not None:
            raise attempt.error

    def _progress(self) -> None:
        """Serves those in front until nothing moves any more."""
        moved = True
        while moved:
            moved = self._serve_producers() | self._serve_consumers()
        self._changed.notify_all()

    def _serve_producers(self) -> bool:
        moved = False
        while self._producers:
            attempt = self._producers[0]
            if attempt in self._closing:
                self._closed = True
            elif self._closed:
                attempt.finish(self._is_closed())
            count = len(attempt.pending)
            if self.capacity >= 0:
                count = min(count, self.capacity - self.stored())
            if count > 0 and not self._closed:
                for _ in range(count):
                    self.push(attempt.pending.popleft())
                moved = True
            if attempt.pending and not self._closed:
                break
            self._producers.popleft()
            attempt.done = moved = True
        return moved

    def _serve_consumers(self) -> bool:
        moved = False
        while self._consumers:
            attempt = self._consumers[0]
            if self._closed and self.stored() + len(attempt.taken) < attempt.wanted:
                if attempt.up_to and (self.stored() or attempt.taken):
                    attempt.wanted = self.stored() + len(attempt.taken)
                else:
                    self.give_back(attempt.taken)
                    attempt.taken = []
                    attempt.finish(self._exhausted(attempt.wanted))
            count = 0 if attempt.done else min(attempt.wanted - len(attempt.taken), self.takeable())
            if count > 0:
                attempt.taken += self.pop_several(count)
                moved = True
            if len(attempt.taken) < attempt.wanted and not attempt.done:
                break
            self._consumers.popleft()
            attempt.done = moved = True
        return moved

    def _is_closed(self) -> errors.CancelledError:
        return errors.CancelledError(None, None, f"{self.kind} '{self.name}' is closed.")

    def _exhausted(self, wanted: int) -> errors.OutOfRangeError:
        return errors.OutOfRangeError(
            None,
            None,
            f"{self.kind} '{self.name}' is closed and has insufficient elements (requested {wanted}, current size "
            f"{self.stored()})",
        )

    # -- what may go in, and how it comes out -----------------------------------------------------------

    def check(self, components: Sequence[Any], many: bool) -> None:
        """InvalidArgumentError unless the components of an element (or of several, with `many`) fit the queue."""
        if len(components) != len(self.dtypes):
            raise errors.InvalidArgumentError(
                None,
                None,
                f"{self.kind} '{self.name}' has elements of {len(self.dtypes)} components, got {len(components)}",
            )
        count = (np.shape(components[0])[:1] or (None,)) if many else ()
        for i, component in enumerate(components):
            shape = np.shape(component)
            known = [None] * len(shape[len(count) :]) if self.shapes is None else self.shapes[i].as_list()
            expected = [*count, *known]
            if len(shape) != len(expected) or any(e not in (None, s) for e, s in zip(expected, shape, strict=True)):
                raise errors.InvalidArgumentError(
                    None,
                    None,
                    f"Shape mismatch in tuple component {i}. Expected {dims_text(expected)}, got {dims_text(shape)}",
                )

    def batch(self, elements: list[Element]) -> list[np.ndarray]:
        """The components of several elements, each stacked."""
        stacked = []
        for i, dtype in enumerate(self.dtypes):
            rows = [element[i] for element in elements]
            shape = self.batch_shape(i, rows)
            made = np.empty((len(rows), *shape), dtype=dtype.as_numpy_dtype)
            if not rows:
                pass
            elif shape:
                np.concatenate(rows, out=made.reshape(len(rows) * shape[0], *shape[1:]))
            elif made.dtype == object:
                made[...] = [row[()] if isinstance(row, np.ndarray) else row for row in rows]
            else:
                made[...] = rows
            stacked.append(made)
        return stacked

    def batch_shape(self, i: int, rows: list[Any]) -> tuple[int, ...]:
        """The shape of a row of the stacked component `i`."""
        return tuple(self.shapes[i].as_list())

    @property
    def can_batch(self) -> bool:
        """Whether elements can be stacked: their shapes are known."""
        return self.shapes is not None

    def check_same(self, other: BlockingQueue, op_type: str) -> None:
        """InvalidArgumentError unless an op that declares `other` may share this queue."""
        if self.kind != other.kind:
            raise errors.InvalidArgumentError(None, None, f"Expected {self.kind}, found {op_type}")
        for what, mine, theirs in (
            ("capacity", self.capacity, other.capacity),
            ("component types", self.dtypes, other.dtypes),
            ("component shapes", self.shapes or [], other.shapes or []),
        ):
            if mine != theirs:
                verb = "was" if what == "capacity" else "were"
                raise errors.InvalidArgumentError(
                    None,
                    None,
                    f"Shared queue '{self.name}' has {what} {_show(mine)} but requested {what} {verb} {_show(theirs)}",
                )


def _show(value: Any) -> str:
    if not isinstance(value, list):
        return str(value)
    if value and isinstance(value[0], DType):
        return ", ".join(map(engine_name, value))
    return "[" + ",".join(dims_text(shape.as_list()) for shape in value) + "]"


def private_name(node_name: str) -> str:
    """What errors call the queue of a node without a shared name."""
    return f"_{next(_numbers)}_{node_name}"

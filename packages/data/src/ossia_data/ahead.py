"""Elements made ahead, by threads, where that pays: `prefetch`, `map` with parallel calls.

Handing an element from one thread to another takes tens of microseconds. A dataset whose elements take less than that
makes them when they are asked for, however it was written; it is measured all the while, and threads begin as soon as
it has become slow enough.
"""
from __future__ import annotations

import collections
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError as Cancelled
from concurrent.futures import Future
from typing import Any

from ossia_core.forks import renewed
from ossia_core.names import errors
from ossia_data.elements import Element, Elements, Iteration, dataset_op, scalar
from ossia_data.positions import Position, go_to, keep
from ossia_data.rows import ByRows, Columns, OnRows, rows_of

SLOW = 150e-6  # seconds an element; a faster one is not worth a thread
_IN_A_ROW = 4  # slow elements after which threads begin; the first ones are slow because plans are made
_TUNED = 16  # elements ahead where the program leaves their number open


class _Buffer:
    """What a thread has made ahead, and the thread. It does not refer to who reads it, who can be forgotten."""

    def __init__(self, source: Iterator[Element], size: int) -> None:
        self._source, self._size = source, size
        self.items: collections.deque = collections.deque()
        self._lock = renewed(threading.Condition())
        self.closed = False
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to make elements."""
        self._thread = threading.Thread(target=self._work, name="ossia-data", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        while not self.closed:
            ended = False
            try:
                item: Any = next(self._source), None
            except StopIteration:
                item, ended = (None, None), True
            except Exception as error:
                item = None, error
            with self._lock:
                self.items.append(item)
                self._lock.notify_all()
                while len(self.items) >= self._size and not self.closed:
                    self._lock.wait()
            if ended:
                return

    def take(self) -> Element:
        """The next element."""
        with self._lock:
            while not self.items:
                if self.closed:
                    raise errors.CancelledError(None, None, "The iterator was closed while it waited for an element.")
                if self._thread is None or not self._thread.is_alive():
                    self.start()  # a forked child has no thread yet
                self._lock.wait(1.0)
            found, error = self.items[0] if self.items[0] == (None, None) else self.items.popleft()
            if len(self.items) <= self._size // 2:
                self._lock.notify_all()
        if error is not None:
            raise error
        if found is None:
            raise StopIteration
        return found

    def close(self) -> None:
        """Let the thread end; it is waited for, unless it is the one that asks."""
        with self._lock:
            self.closed = True
            self._lock.notify_all()
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(5.0)


class Ahead:
    """The elements of an iterator, made ahead as soon as they are slow.

    Args:
        source: Makes them.
        size: How many at most.
        iteration: What it belongs to, and ends with.
        place: The name of the dataset in positions.
    """

    def __init__(self, source: Iterator[Element], size: int, iteration: Iteration, place: str | None = None) -> None:
        self._source, self._size, self._iteration, self.place = source, max(1, size), iteration, place
        self._slow = 0
        self._buffer: _Buffer | None = None
        self._restored: list[Element] = []

    def __iter__(self) -> Ahead:
        return self

    def __next__(self) -> Element:
        if self._restored:
            return self._restored.pop(0)
        if self._buffer is not None:
            return self._buffer.take()
        begin = time.perf_counter()
        found = next(self._source)
        self._slow = self._slow + 1 if time.perf_counter() - begin > SLOW else 0
        if self._slow >= _IN_A_ROW:
            self._buffer = _Buffer(self._source, self._size)
            weakref.finalize(self, self._buffer.close)
            self._iteration.closes(self._buffer)
            self._buffer.start()
        return found

    def rows(self, count: int) -> Columns | None:
        """Elements that are not made ahead, as columns."""
        if self._restored or self._buffer is not None:
            return None
        begin = time.perf_counter()
        found = rows_of(self._source, count)
        if found is not None:
            taken = (time.perf_counter() - begin) / len(found[0])
            self._slow = self._slow + 1 if taken > SLOW else 0
        return found

    def save(self, position: Position, at: str) -> None:
        """Keep the position; what is ahead is kept as it is."""
        waiting = [] if self._buffer is None else self._pause()
        keep(self._source, position, at)
        kept = [*self._restored, *[found for found, error in waiting if found is not None]]
        position.put(at, "buffer_size", len(kept))
        for i, element in enumerate(kept):
            position.put(at, f"status[{i}].code", 0)
            position.put(at, f"buffer[{i}].size", len(element))
            for j, value in enumerate(element):
                position.put(at, f"buffer[{i}][{j}]", value)
        self._restored = kept

    def _pause(self) -> list:
        buffer, self._buffer = self._buffer, None
        buffer.close()  # type: ignore[union-attr]
        return list(buffer.items)  # type: ignore[union-attr]

    def restore(self, position: Position, at: str) -> None:
        """Go to a position."""
        go_to(self._source, position, at)
        self._restored = [
            [position.value(at, f"buffer[{i}][{j}]") for j in range(position.number(at, f"buffer[{i}].size"))]
            for i in range(position.number(at, "buffer_size")) if not position.number(at, f"status[{i}].code")
        ]


class Prefetch(Elements):
    """The same elements, up to `size` of them ahead; as many as are useful for -1, none for 0."""

    def __init__(self, source: Elements, size: int) -> None:
        self.inputs, self._size = (source,), size

    def start(self, iteration: Iteration) -> Iterator[Element]:
        source = self.input.start(iteration)
        if not self._size:
            return source
        return Ahead(source, _TUNED if self._size < 0 else self._size, iteration, "Prefetch")

    def cardinality(self) -> int:
        return self.input.cardinality()


class Workers(ByRows):
    """What a function makes of each element, in their order; in several threads as soon as the function is slow.

    Args:
        source: Makes the elements.
        function: Is called with each.
        calls: How many calls there are at once; as many as processors for -1.
        iteration: What it belongs to.
        on_rows: Tells what to call on columns.
    """

    place = "ParallelMap"

    def __init__(
        self, source: Iterator[Element], function: Callable[[list], list], calls: int, iteration: Iteration,
        on_rows: OnRows,
    ) -> None:
        super().__init__()
        self._source, self._function, self._iteration, self._on_rows = source, function, iteration, on_rows
        self._calls = (os.cpu_count() or 1) if calls < 0 else calls
        self._slow = 0
        self._made: collections.deque[Future | Element] = collections.deque()
        self._ended = False

    def __iter__(self) -> Workers:
        return self

    def __next__(self) -> Element:
        if self._slow < _IN_A_ROW or self._calls < 2:
            if self._made:
                return self._result(self._made.popleft())
            element = self._following()
            begin = time.perf_counter()
            found = self._called(element)
            self._slow = self._slow + 1 if time.perf_counter() - begin > SLOW else 0
            return found
        pool = self._iteration.pool()
        while not self._ended and len(self._made) < self._calls:
            try:
                element = self._following()
            except StopIteration:
                self._ended = True
                break
            except errors.OpError as error:
                failed: Future = Future()
                failed.set_exception(error)
                self._made.append(failed)
                break
            self._made.append(pool.submit(self._function, element))
        if not self._made:
            raise StopIteration
        return self._result(self._made.popleft())

    def rows(self, count: int) -> Columns | None:
        """What the function makes of the next elements, unless some have been made."""
        return None if self._made or self._ended else super().rows(count)

    def _called(self, element: Element) -> Element:
        try:
            return self._function(element)
        except errors.OutOfRangeError:
            self._ended = True
            raise StopIteration from None

    def _result(self, made: Any) -> Element:
        if not isinstance(made, Future):
            return made
        try:
            return made.result()
        except Cancelled:
            raise errors.CancelledError(None, None, "The iterator was closed while it waited for an element.") from None
        except errors.OutOfRangeError:
            self._ended = True
            self._made.clear()
            raise StopIteration from None

    def save(self, position: Position, at: str) -> None:
        """Keep the position, and what has been made."""
        self._check_nothing_held()
        keep(self._source, position, at)
        self._made = collections.deque(self._result(made) for made in self._made)
        position.put(at, "invocation_results.size", len(self._made))
        for i, element in enumerate(self._made):
            position.put(at, f"invocation_results[{i}].code", 0)
            position.put(at, f"invocation_results[{i}].size", len(element))  # type: ignore[arg-type]
            for j, value in enumerate(element):  # type: ignore[arg-type]
                position.put(at, f"invocation_results[{i}][{j}]", value)

    def restore(self, position: Position, at: str) -> None:
        """Go to a position."""
        go_to(self._source, position, at)
        for i in range(position.number(at, "invocation_results.size")):
            name = f"invocation_results[{i}]"
            if not position.number(at, f"{name}.code") and not position.has(at, f"{name}.end_of_input"):
                size = position.number(at, f"{name}.size")
                self._made.append([position.value(at, f"{name}[{j}]") for j in range(size)])


prefetch_dataset_op = dataset_op(
    "PrefetchDataset(input_dataset: variant, buffer_size: int64) -> handle: variant", slack_period="int = 0",
    legacy_autotune="bool = true",
)


@prefetch_dataset_op.kernel
def _(input_dataset, buffer_size):
    size = scalar(buffer_size, "buffer_size")
    if size < -1:
        raise errors.InvalidArgumentError(None, None, "buffer_size must be >= 0 or set buffer_size to be -1 for auto")
    return Prefetch(input_dataset, size)

"""What a staging area holds: values in the order in which they came, or by key, and who waits for them."""
from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ossia_core.forks import renewed
from ossia_core.names import errors


class Stage:
    """Values that wait to be taken up; putting waits while there are too many or they take too much memory."""

    def __init__(self, capacity: int, memory_limit: int) -> None:
        self._capacity, self._memory_limit = capacity, memory_limit
        self._changed = renewed(threading.Condition())
        self._bytes = 0

    def _held(self) -> int:
        raise NotImplementedError

    def _wait(self, ready: Callable[[], bool], context: Any, what: str) -> None:
        try:
            context.wait(self._changed, ready)
        except errors.CancelledError:
            raise errors.CancelledError(None, None, f"{what} operation was cancelled") from None

    def _admit(self, values: Sequence[np.ndarray], context: Any, new: bool) -> None:
        """Waits until there is room for values."""
        size = _bytes(values)
        if 0 < self._memory_limit < size:
            raise errors.ResourceExhaustedError(
                None,
                None,
                f"Attempted to insert tensors with combined size of '{size}' bytes into Staging Area with a memory "
                f"limit of '{self._memory_limit}'.",
            )

        def room() -> bool:
            full = new and 0 < self._capacity <= self._held()
            return not full and not 0 < self._memory_limit < self._bytes + size

        self._wait(room, context, "Put")
        self._bytes += size

    def size(self) -> int:
        """How many elements there are."""
        with self._changed:
            return self._held()

    def cancel_all(self) -> None:
        """Wakes all that wait, as the session closes."""
        with self._changed:
            self._changed.notify_all()


def _bytes(values: Any) -> int:
    return sum(np.asarray(value).nbytes for value in values if value is not None)


class Line(Stage):
    """Elements in the order in which they came."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._elements: deque[list[np.ndarray]] = deque()

    def _held(self) -> int:
        return len(self._elements)

    def put(self, values: list[np.ndarray], context: Any) -> None:
        """Adds an element."""
        with self._changed:
            self._admit(values, context, new=True)
            self._elements.append(values)
            self._changed.notify_all()

    def get(self, context: Any) -> list[np.ndarray]:
        """Takes the first element, waiting for one."""
        with self._changed:
            self._wait(lambda: bool(self._elements), context, "Get")
            element = self._elements.popleft()
            self._bytes -= _bytes(element)
            self._changed.notify_all()
            return element

    def peek(self, index: int, context: Any) -> list[np.ndarray]:
        """The element at a place, waiting for it."""
        with self._changed:
            self._wait(lambda: len(self._elements) > index, context, "Peek")
            return self._elements[index]

    def clear(self) -> None:
        """Drops all elements."""
        with self._changed:
            self._elements.clear()
            self._bytes = 0
            self._changed.notify_all()


class Keyed(Stage):
    """Elements by key, whose components may come one by one."""

    ordered = False

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._complete: dict[int, list] = {}
        self._incomplete: dict[int, list] = {}

    def _held(self) -> int:
        return len(self._complete)

    def put(self, key: int, indices: list[int], values: list[np.ndarray], count: int, context: Any) -> None:
        """Adds components to the element of a key, which has `count` of them when it is complete."""
        with self._changed:
            if (
                len(indices) != len(values)
                or any(not 0 <= i < count for i in indices)
                or len(set(indices)) < len(indices)
            ):
                raise errors.InvalidArgumentError(
                    None, None, f"Indices {indices} do not say where {len(values)} of {count} components go"
                )
            element = self._incomplete.get(key) or [None] * count
            for i in indices:
                if element[i] is not None:
                    raise errors.InvalidArgumentError(
                        None, None, f"The tensor for index '{i}' for key '{key}' was already initialized '{count}'."
                    )
            self._admit(values, context, new=key not in self._incomplete)
            element = self._incomplete.setdefault(key, [None] * count)
            for i, value in zip(indices, values):
                element[i] = value
            if all(value is not None for value in element):
                del self._incomplete[key]
                if key in self._complete:
                    self._bytes -= _bytes(element)
                self._complete.setdefault(key, element)
                self._changed.notify_all()

    def get(self, key: int, indices: list[int], context: Any) -> list[np.ndarray]:
        """Takes components of the element of a key, waiting for it; the element goes when none is left."""
        with self._changed:
            self._wait(lambda: key in self._complete, context, "Get")
            return self._take(key, indices)

    def get_any(self, indices: list[int], context: Any) -> tuple[int, list[np.ndarray]]:
        """Takes components of an element, of that with the smallest key if they are ordered; returns its key, too."""
        with self._changed:
            self._wait(lambda: bool(self._complete), context, "Get")
            key = min(self._complete) if self.ordered else next(iter(self._complete))
            return key, self._take(key, indices)

    def peek(self, key: int, indices: list[int], context: Any) -> list[np.ndarray]:
        """Components of the element of a key, waiting for it."""
        with self._changed:
            self._wait(lambda: key in self._complete, context, "Peek")
            return self._components(key, indices)

    def _components(self, key: int, indices: list[int]) -> list[np.ndarray]:
        element = self._complete[key]
        for i in indices:
            if not 0 <= i < len(element):
                raise errors.InvalidArgumentError(
                    None, None, f"Index '{i}' is not one of the {len(element)} components"
                )
            if element[i] is None:
                raise errors.InvalidArgumentError(
                    None, None, f"Tensor at index '{i}' for key '{key}' has already been removed."
                )
        return [element[i] for i in indices]

    def _take(self, key: int, indices: list[int]) -> list[np.ndarray]:
        taken = self._components(key, indices)
        element = self._complete[key]
        for i in indices:
            element[i] = None
        if all(value is None for value in element):
            del self._complete[key]
        self._bytes -= _bytes(taken)
        self._changed.notify_all()
        return taken

    def incomplete(self) -> int:
        """How many elements lack components."""
        with self._changed:
            return len(self._incomplete)

    def clear(self) -> None:
        """Drops all elements."""
        with self._changed:
            self._complete.clear()
            self._incomplete.clear()
            self._bytes = 0
            self._changed.notify_all()


class Ordered(Keyed):
    """Elements by key, of which the smallest is taken first."""

    ordered = True

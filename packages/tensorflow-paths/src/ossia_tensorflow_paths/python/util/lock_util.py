"""`lock_util`: a lock that one group of threads at a time holds."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator


class GroupLock:
    """A lock that any number of threads of one group hold together, and those of the other groups wait for.

    Args:
        num_groups: How many groups there are.

    Raises:
        ValueError: There is no group at all.
    """

    def __init__(self, num_groups: int = 2) -> None:
        if num_groups < 1:
            raise ValueError(f"num_groups must be a positive integer, got {num_groups}")
        self._free = threading.Condition()
        self._holders = [0] * num_groups

    def group(self, group_id: int) -> contextlib.AbstractContextManager[None]:
        """A context in which a group holds the lock."""
        self._check(group_id)
        return self._held(group_id)

    @contextlib.contextmanager
    def _held(self, group_id: int) -> Iterator[None]:
        self.acquire(group_id)
        try:
            yield
        finally:
            self.release(group_id)

    def acquire(self, group_id: int) -> None:
        """Waits until no other group holds the lock, and holds it."""
        self._check(group_id)
        with self._free:
            self._free.wait_for(lambda: sum(self._holders) == self._holders[group_id])
            self._holders[group_id] += 1

    def release(self, group_id: int) -> None:
        """Lets go of the lock."""
        self._check(group_id)
        with self._free:
            self._holders[group_id] -= 1
            if self._holders[group_id] == 0:
                self._free.notify_all()

    def _check(self, group_id: int) -> None:
        if not 0 <= group_id < len(self._holders):
            raise ValueError(f"group_id must be between 0 and {len(self._holders) - 1}, got {group_id}")

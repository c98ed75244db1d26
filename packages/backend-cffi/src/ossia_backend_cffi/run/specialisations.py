"""What has been made for given shapes, the least recently used dropped, and which shapes are worth it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

from ossia_core.backend import renewed

_MOST = 16
_MOST_SMALL, _THEIR_BYTES = 256, 1 << 25  # so many while they take no more memory together: loops over arrays that grow
_EAGER = 4                                # made at first sight; further shapes must come twice
_MANY = 24                                # shapes that came once, of one region: the next ones will be others again
_AGAIN = 8                                # times that shapes come which drive out others: in a cycle none would stay


class KnownShapes:
    """Specialisations by key. Each says in `arena_bytes` how much memory it keeps."""

    def __init__(self) -> None:
        self._made: OrderedDict[Hashable, Any] = OrderedDict()
        self._seen: OrderedDict[Hashable, int] = OrderedDict()
        self._bytes = 0
        self._lock = renewed(threading.Lock())

    def get(self, key: Hashable) -> tuple[Any, bool]:
        """What was made for a key, or None; and whether it is to be made now."""
        with self._lock:
            found = self._made.get(key)
            if found is not None:
                self._made.move_to_end(key)
                return found, False
            times = self._seen.pop(key, 0) + 1
            if len(self._made) < _EAGER or times >= (_AGAIN if self._is_full(1) else 2):
                return None, True
            # Shapes that change with every run are not worth a program each.
            self._seen[key] = times
            if len(self._seen) > _MOST_SMALL:
                self._seen.popitem(last=False)
            return None, False

    def once(self) -> list[Hashable]:
        """The keys that have not come often enough for something to be made, when they are many; else none."""
        with self._lock:
            return list(self._seen) if len(self._seen) >= _MANY else []

    def put(self, key: Hashable, made: Any) -> None:
        """Keep what was made for a key."""
        with self._lock:
            self._remove(key)
            self._made[key] = made
            self._bytes += made.arena_bytes
            while self._is_full(0):
                self._remove(next(iter(self._made)))

    def drop(self, key: Hashable) -> None:
        """Forget what was made for a key."""
        with self._lock:
            self._remove(key)

    def _remove(self, key: Hashable) -> None:
        found = self._made.pop(key, None)
        if found is not None:
            self._bytes -= found.arena_bytes

    def _is_full(self, more: int) -> bool:
        count = len(self._made) + more
        return count > _MOST and (count > _MOST_SMALL or self._bytes > _THEIR_BYTES)

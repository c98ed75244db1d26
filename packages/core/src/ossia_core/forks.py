"""What a forked child does not inherit: locks that other threads of its parent held, and the threads that waited."""
from __future__ import annotations

import os
import weakref
from typing import Any, Protocol, TypeVar

Lock = TypeVar("Lock")


class Waited(Protocol):
    """What keeps a note of threads that wait for it or use it."""

    def after_fork(self) -> None:
        """Forget them: called in the child, which has none of them."""


_locks: weakref.WeakSet[Any] = weakref.WeakSet()
_waited: weakref.WeakSet[Waited] = weakref.WeakSet()


def renewed(lock: Lock) -> Lock:
    """The lock, condition or event given, which from now on is free in forked children, whichever thread held it.

    Locks of what lives as long as a session, a graph or the module are made so. What a thread was about to change under
    the lock is in the child as it was at the fork.

    Args:
      lock: a Lock, RLock, Condition or Event of `threading`.
    """
    _locks.add(lock)
    return lock


def forgetful(item: Waited) -> None:
    """Let `item.after_fork()` be called in forked children, as long as the item is in use."""
    _waited.add(item)


def _in_child() -> None:
    for lock in list(_locks):
        is_mine = getattr(getattr(lock, "_lock", lock), "_is_owned", None)
        if is_mine is None or not is_mine():  # what the thread that forked holds itself, it gives back itself
            lock._at_fork_reinit()
    for item in list(_waited):
        item.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)

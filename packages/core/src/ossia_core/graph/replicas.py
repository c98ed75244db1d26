"""Which replica of a distribution strategy a thread builds the graph of; strategies themselves are another package's."""
from __future__ import annotations

import threading
from typing import Any


class _Current(threading.local):
    context: Any = None


_current = _Current()


def replica_context() -> Any:
    """What the thread builds a replica in, where a strategy has several: an object with `merge_call`,
    `num_replicas_in_sync` and `strategy`; None elsewhere."""
    return _current.context


def set_replica_context(context: Any) -> Any:
    """Let the thread build a replica, or none (None); returns what it did before."""
    before, _current.context = _current.context, context
    return before

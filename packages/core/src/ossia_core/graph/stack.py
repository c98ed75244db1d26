"""The default graph and the default session of each thread."""
from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ossia_core.api_table import public

if TYPE_CHECKING:
    from ossia_core.graph.graph import Graph


class DefaultStack(threading.local):
    """A per-thread stack of default objects."""

    def __init__(self) -> None:
        self.items: list[Any] = []

    def get(self) -> Any:
        return self.items[-1] if self.items else None

    @contextlib.contextmanager
    def push(self, item: Any) -> Iterator[Any]:
        self.items.append(item)
        try:
            yield item
        finally:
            # The whole stack may have been reset inside.
            if self.items:
                if self.items[-1] is not item:
                    raise AssertionError(f"Nesting violated for default stack of {type(item)} objects")
                self.items.pop()


graphs = DefaultStack()
sessions = DefaultStack()
_global_default: Graph | None = None
_lock = threading.Lock()


@public("get_default_graph")
def get_default_graph() -> Graph:
    """The graph that new nodes go to in this thread."""
    items = graphs.items
    return items[-1] if items else _global()


def _global() -> Graph:
    global _global_default
    if _global_default is None:
        from ossia_core.graph.graph import Graph
        with _lock:
            if _global_default is None:
                _global_default = Graph()
    return _global_default


@public("reset_default_graph")
def reset_default_graph() -> None:
    """Replace the global default graph by an empty one.

    Raises:
      AssertionError: inside a `with graph.as_default()` block.
    """
    global _global_default
    if graphs.items:
        raise AssertionError(
            "Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared graph, exit the nesting "
            "and create a new graph."
        )
    _global_default = None


def forget_default_graphs() -> None:
    """Replace the global default graph by an empty one, and leave all `with graph.as_default()` blocks."""
    graphs.items.clear()
    reset_default_graph()


@public("get_default_session")
def get_default_session() -> Any:
    """The session that `eval` and `run` use in this thread, or None."""
    items = sessions.items
    return items[-1] if items else None

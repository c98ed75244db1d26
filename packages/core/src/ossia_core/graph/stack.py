"""The default graph and the default session of each thread."""
from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ossia_core.declare.builders import builder
from ossia_core.plugins.api_table import public

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


class GraphStack(DefaultStack):
    """A thread's default graphs, above the one that it has where no graph was made its default."""

    outermost: Graph | None = None


graphs = GraphStack()
sessions = DefaultStack()


@public("get_default_graph")
def get_default_graph() -> Graph:
    """The graph that new nodes go to in this thread."""
    items = graphs.items
    return items[-1] if items else graphs.outermost or _new_outermost()


def _new_outermost() -> Graph:
    made: Graph = builder("Graph")()
    graphs.outermost = made
    return made


def outer_graph(graph: Graph) -> Graph:
    """The graph that one was made in as the body of a function, else the default graph that it took the place of.

    Raises:
      RuntimeError: there is none.
    """
    outer = getattr(graph, "outer_graph", None)
    if outer is not None:
        return outer
    items = graphs.items
    if graph not in items:
        raise RuntimeError("The global graph is in a function.")
    return items[index - 1] if (index := items.index(graph)) else graphs.outermost or _new_outermost()


@public("reset_default_graph")
def reset_default_graph() -> None:
    """Replace the graph that is this thread's default, where none was made that, by an empty one.

    Raises:
      AssertionError: inside a `with graph.as_default()` block.
    """
    if graphs.items:
        raise AssertionError(
            "Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared graph, exit the nesting "
            "and create a new graph."
        )
    graphs.outermost = None


def forget_default_graphs() -> None:
    """Replace the default graph of this thread by an empty one, and leave all `with graph.as_default()` blocks."""
    graphs.items.clear()
    reset_default_graph()


@public("get_default_session")
def get_default_session() -> Any:
    """The session that `eval` and `run` use in this thread, or None."""
    items = sessions.items
    return items[-1] if items else None


class _Replica(threading.local):
    context: Any = None


_replica = _Replica()


def replica_context() -> Any:
    """What the thread builds a replica in, where a distribution strategy has several: an object with `merge_call`,
    `num_replicas_in_sync` and `strategy`; None elsewhere."""
    return _replica.context


def set_replica_context(context: Any) -> Any:
    """Let the thread build a replica, or none (None); returns what it did before."""
    before, _replica.context = _replica.context, context
    return before

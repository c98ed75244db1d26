"""Writers of event files that belong to a graph."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Iterator
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, device, name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.source import no_op
from ossia_summary.v2.recording import SUMMARIES, WRITERS, state
from ossia_summary.writer_ops import (
    close_summary_writer_op,
    create_summary_file_writer_op,
    flush_summary_writer_op,
    import_event_op,
    summary_writer_op,
)

_FLUSH_MILLIS = 2 * 60 * 1000
_MAX_QUEUE = 10
_numbers = itertools.count(1)  # of writers, for the names of their files


@public("compat.v2.summary.SummaryWriter", "contrib.summary.SummaryWriter")
class SummaryWriter:
    """What summaries are written to; `create_file_writer` makes one."""

    def set_as_default(self) -> None:
        """Makes summaries from here on go to this writer."""
        raise NotImplementedError()

    def as_default(self) -> Any:
        """A block in which summaries go to this writer, and that flushes it at its end."""
        raise NotImplementedError()

    def init(self) -> Any:
        """The operation that opens the file."""
        raise NotImplementedError()

    def flush(self) -> Any:
        """An operation that writes out what waits."""
        raise NotImplementedError()

    def close(self) -> Any:
        """An operation that flushes and closes the file."""
        raise NotImplementedError()


class ResourceSummaryWriter(SummaryWriter):
    """A writer that is a resource of the session."""

    def __init__(self, shared_name: str, **file: Any) -> None:
        self._resource = summary_writer_op(shared_name=shared_name)
        self._init_op = create_summary_file_writer_op(self._resource, **file)
        self._closed = False
        get_default_graph().add_to_collection(WRITERS, self._init_op)

    def set_as_default(self) -> None:
        state.writer = self

    @contextlib.contextmanager
    def as_default(self) -> Iterator[ResourceSummaryWriter]:
        if self._closed:
            raise RuntimeError("SummaryWriter is already closed")
        before, state.writer = state.writer, self
        try:
            yield self
            self.flush()
        finally:
            state.writer = before

    def init(self) -> Any:
        return self._init_op

    def flush(self) -> Any:
        return flush(self)

    def close(self) -> Any:
        with control_dependencies([self.flush()]), device("cpu:0"):
            return close_summary_writer_op(self._resource)


class NoopSummaryWriter(SummaryWriter):
    """A writer that writes nothing."""

    def set_as_default(self) -> None:
        pass

    @contextlib.contextmanager
    def as_default(self) -> Iterator[None]:
        yield

    def init(self) -> None:
        pass

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass


@public("compat.v2.summary.create_file_writer")
def create_file_writer_v2(
    logdir: Any, max_queue: Any = None, flush_millis: Any = None, filename_suffix: Any = None, name: str | None = None
) -> SummaryWriter:
    """A writer of an event file; run its `init()` first, in a session.

    Args:
        logdir: The directory, a text or a string tensor.
        max_queue: How many summaries wait at most before they are written, 10 by default.
        flush_millis: The most milliseconds between two writes, two minutes by default.
        filename_suffix: What the name of the file ends with, `.v2` by default.
        name: Name of the scope.

    Raises:
        ValueError: No `logdir`.
    """
    if logdir is None:
        raise ValueError("logdir cannot be None")
    constant = builder("constant")
    with name_scope(name, "create_file_writer") as scope, device("cpu:0"):
        file = {
            "logdir": convert_to_tensor(logdir, dtypes.string),
            "max_queue": constant(_MAX_QUEUE if max_queue is None else max_queue),
            "flush_millis": constant(_FLUSH_MILLIS if flush_millis is None else flush_millis),
        }
        suffix = constant(".v2" if filename_suffix is None else filename_suffix)
        unique = constant(f".{os.getpid()}.{next(_numbers)}")
        return ResourceSummaryWriter(scope.rstrip("/"), **file, filename_suffix=unique + suffix)


@public("contrib.summary.create_file_writer", "contrib.summary.create_summary_file_writer")
def create_file_writer(
    logdir: Any, max_queue: Any = None, flush_millis: Any = None, filename_suffix: Any = None, name: str | None = None
) -> SummaryWriter:
    """The writer of `tf.contrib.summary`: writers of one directory share a file.

    Args:
        logdir: The directory; None for a writer that writes nothing.
        max_queue: How many summaries wait at most before they are written, 10 by default.
        flush_millis: The most milliseconds between two writes, two minutes by default.
        filename_suffix: What the name of the file ends with, `.v2` by default.
        name: The name under which writers share a file; that of the directory by default.
    """
    if logdir is None:
        return NoopSummaryWriter()
    logdir, constant = str(logdir), builder("constant")
    with device("cpu:0"):
        return ResourceSummaryWriter(
            name or f"logdir:{logdir}",
            max_queue=constant(_MAX_QUEUE) if max_queue is None else max_queue,
            flush_millis=constant(_FLUSH_MILLIS) if flush_millis is None else flush_millis,
            filename_suffix=constant(".v2") if filename_suffix is None else filename_suffix,
            logdir=logdir,
        )


create_summary_file_writer = create_file_writer


@public("compat.v2.summary.create_noop_writer")
def create_noop_writer() -> SummaryWriter:
    """A writer that writes nothing."""
    return NoopSummaryWriter()


@public("compat.v2.summary.flush", "contrib.summary.flush")
def flush(writer: Any = None, name: str | None = None) -> Any:
    """An operation that writes out what waits in a writer, by default in that of this block."""
    found = state.writer if writer is None else writer
    if not isinstance(found, ResourceSummaryWriter):
        return no_op()
    with device("cpu:0"):
        return flush_summary_writer_op(found._resource, name=name)


@public("contrib.summary.import_event")
def import_event(tensor: Any, name: str | None = None) -> Any:
    """An operation that writes an Event, given as its bytes."""
    return import_event_op(state.writer._resource, tensor, name=name)


@public("contrib.summary.summary_writer_initializer_op")
def summary_writer_initializer_op() -> list:
    """The operations that open the files of the graph's writers."""
    return get_default_graph().get_collection(WRITERS)


@public("contrib.summary.all_summary_ops")
def all_summary_ops() -> list:
    """The operations of the graph that write summaries."""
    return get_default_graph().get_collection(SUMMARIES)


@public("contrib.summary.initialize")
def initialize(graph: Any = None, session: Any = None) -> None:
    """Opens the files of all writers, in a session, and writes a graph to that of this block.

    Args:
        graph: A graph or GraphDef to write, or None.
        session: The session, the default session by default.

    Raises:
        ValueError: There is no session.
    """
    from ossia_core.graph.stack import get_default_session
    from ossia_summary.v2.summaries import graph as write_graph

    if state.writer is None:
        raise RuntimeError("No default tf.contrib.summary.SummaryWriter found")
    session = get_default_session() if session is None else session
    if session is None:
        raise ValueError("Argument `session` must be passed if no default session exists")
    session.run(summary_writer_initializer_op())
    if graph is not None:
        proto = graph.as_graph_def(add_shapes=True) if hasattr(graph, "as_graph_def") else graph
        session.run(write_graph(builder("constant")(proto.SerializeToString()), step=0))


@public("contrib.summary.eval_dir")
def eval_dir(model_dir: str, name: str | None = None) -> str:
    """The directory for summaries of an evaluation beside those of the training."""
    return os.path.join(model_dir, f"eval_{name}" if name else "eval")

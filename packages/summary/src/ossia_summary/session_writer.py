"""The event file of a `tf.summary.FileWriter` that belongs to a session: ops of the session's graph write it."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.collections import get_collection
from ossia_core.graph.convert import constant
from ossia_core.graph.scopes import control_dependencies, device, name_scope
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.source import placeholder_with_default
from ossia_io.paths import Path, makedirs, text_path
from ossia_summary.writer_ops import (
    close_summary_writer_op,
    create_summary_file_writer_op,
    flush_summary_writer_op,
    import_event_op,
    summary_writer_op,
)

WRITERS = "_SUMMARY_WRITER_V2"  # the collection of writers that a graph holds
SUMMARIES = "_SUMMARY_V2"
_SUFFIX, _DEVICE = ".v2", "cpu:0"


class SessionEventWriter:
    """Writes events to the event file that all writers of one directory share in a session.

    Args:
        session: The session; the ops are added to its graph.
        logdir: Directory, made if it is missing.
        max_queue: Events that wait at most before `add_event` does.
        flush_secs: Seconds after which an event is on disk at the latest.
        filename_suffix: What the file name ends with, `.v2` by default.
    """

    def __init__(
        self, session: Any, logdir: Path, max_queue: int, flush_secs: float, filename_suffix: str | None = None
    ) -> None:
        self._session = session
        self._logdir = text_path(logdir)
        self._closed = False
        makedirs(self._logdir)
        with session.graph.as_default(), name_scope("filewriter"):

            def create() -> Any:
                return create_summary_file_writer_op(writer, self._logdir, max_queue, int(flush_secs * 1000), suffix)

            with device(_DEVICE):
                suffix = filename_suffix or constant(_SUFFIX)
                writer = summary_writer_op(shared_name="logdir:" + self._logdir, name="SummaryWriter")
                session.graph.add_to_collection(WRITERS, create())
            self._event = placeholder_with_default(constant("unused", dtypes.string), shape=[])
            self._add = import_event_op(writer, self._event)
            with device(_DEVICE):
                flush_summary_writer_op(writer)
            self._create = create()
            with device(_DEVICE):
                self._flush = flush_summary_writer_op(writer)
                with control_dependencies([flush_summary_writer_op(writer)]):
                    self._close = close_summary_writer_op(writer)
        session.run(self._create)

    def get_logdir(self) -> str:
        """The directory of the event file."""
        return self._logdir

    def add_event(self, event: Any) -> None:
        """Adds an event."""
        if not self._closed:
            self._session.run(self._add, {self._event: event.SerializeToString()})

    def flush(self) -> None:
        """Waits until all events are in the file."""
        self._session.run(self._flush)

    def close(self) -> None:
        """Writes what is left and closes the file; closing it again does nothing."""
        if not self._closed:
            self._closed = True
            self._session.run(self._close)

    def reopen(self) -> None:
        """After `close`, makes the writer take events again, into another file."""
        if self._closed:
            self._session.run(self._create)
            self._closed = False


@public("summary.all_v2_summary_ops")
def all_v2_summary_ops() -> list[Any]:
    """The summaries in the default graph that write to a writer of the graph themselves."""
    return get_collection(SUMMARIES)


@public("summary.initialize")
def initialize(graph: Any = None, session: Any = None) -> None:
    """Makes the event files of the writers that the default graph holds.

    Args:
        graph: A graph to write to them; its GraphDef is added to each.
        session: The session to run in, the default one if None.

    Raises:
        RuntimeError: The graph holds no writer.
        ValueError: There is no session.
    """
    from ossia_core.graph.stack import get_default_session

    writers = get_collection(WRITERS)
    if not writers:
        raise RuntimeError("No default tf.contrib.summary.SummaryWriter found")
    session = session or get_default_session()
    if session is None:
        raise ValueError("Argument `session` must be passed if no default session exists")
    session.run(writers)
    if graph is not None:
        from ossia_core.proto import Event

        event = Event(graph_def=graph.as_graph_def(add_shapes=True).SerializeToString())
        with session.graph.as_default():
            for create in writers:
                session.run(import_event_op(create.inputs[0], event.SerializeToString()))

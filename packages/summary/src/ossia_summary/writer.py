"""`tf.summary.FileWriter` and its kin: summaries, graphs and session logs as events."""

from __future__ import annotations

import threading
import time
import warnings
from types import TracebackType
from typing import Any

from ossia_core.forks import renewed
from ossia_core.graph.export import op_list
from ossia_core.graph.graph import Graph
from ossia_core.names import version
from ossia_core.plugins.api_table import public
from ossia_core.proto import Event, MetaGraphDef, Summary
from ossia_io.paths import Path
from ossia_summary import assets
from ossia_summary.event_file import EventFileWriter

_CLOSED = (
    "Attempting to use a closed FileWriter. The operation will be a noop unless the FileWriter is explicitly reopened."
)


@public("summary.FileWriter")
class FileWriter:
    """Writes summaries and events to an event file in a directory; also a context manager, which closes it.

    The file is made with the first event, or at once if its name has a suffix: `events.out.tfevents.<seconds>.<host
    name>`. A thread of its own writes it.

    Args:
        logdir: The directory, made if it is missing.
        graph: A Graph, written as the first event together with its MetaGraphDef.
        max_queue: Events that wait at most before `add_...` does.
        flush_secs: Seconds after which an event is on disk at the latest.
        graph_def: A GraphDef, the older form of `graph`.
        filename_suffix: What the file name ends with.
        session: A session whose graph the writer belongs to; writers of one directory then share one file.

    Raises:
        ValueError: Both `graph` and `graph_def` are given.
        TypeError: `graph` is no graph.
    """

    def __init__(
        self,
        logdir: Path,
        graph: Any = None,
        max_queue: int = 10,
        flush_secs: float = 120,
        graph_def: Any = None,
        filename_suffix: str | None = None,
        session: Any = None,
    ) -> None:
        if session is not None:
            from ossia_summary.session_writer import SessionEventWriter

            self.event_writer: Any = SessionEventWriter(session, logdir, max_queue, flush_secs, filename_suffix)
        else:
            self.event_writer = EventFileWriter(logdir, max_queue, flush_secs, filename_suffix)
        self._described_tags: set[str] = set()
        self._run_tags: set[str] = set()
        self._closed = False
        if graph is not None or graph_def is not None:
            written = self._add_graph(graph, graph_def, None)
            self.add_meta_graph(_meta_graph_of(written))

    def __enter__(self) -> FileWriter:
        return self

    def __exit__(
        self,
        unused_type: type[BaseException] | None,
        unused_value: BaseException | None,
        unused_traceback: TracebackType | None,
    ) -> None:
        self.close()

    def get_logdir(self) -> str:
        """The directory of the event file."""
        return self.event_writer.get_logdir()

    def add_summary(self, summary: Any, global_step: Any = None) -> None:
        """Adds a summary.

        Args:
            summary: A `Summary`, or one serialised, as a summary op gives it. The metadata of a tag is written once.
            global_step: The step that it belongs to.

        Raises:
            DecodeError: `summary` is bytes that are no Summary.
        """
        event = Event()
        if isinstance(summary, bytes):
            event.summary.ParseFromString(summary)
        elif isinstance(summary, Summary):
            event.summary.CopyFrom(summary)
        else:
            event.summary.ParseFromString(summary.SerializeToString())
        for value in event.summary.value:
            if value.HasField("metadata"):
                if value.tag in self._described_tags:
                    value.ClearField("metadata")
                else:
                    self._described_tags.add(value.tag)
        self._add(event, global_step)

    def add_session_log(self, session_log: Any, global_step: Any = None) -> None:
        """Adds a `SessionLog`, e.g. that a session started at `global_step`."""
        self._add(_event(session_log=session_log), global_step)

    def add_graph(self, graph: Any, global_step: Any = None, graph_def: Any = None) -> None:
        """Adds a graph, which TensorBoard shows.

        Args:
            graph: A Graph, or a GraphDef.
            global_step: The step that it belongs to.
            graph_def: A GraphDef, the older form of `graph`.

        Raises:
            ValueError: Both are given.
            TypeError: `graph` is no graph.
        """
        self._add_graph(graph, graph_def, global_step)

    def _add_graph(self, graph: Any, graph_def: Any, global_step: Any) -> bytes:
        """Adds the GraphDef of either; returns it as it is written."""
        if graph is not None and graph_def is not None:
            raise ValueError("Please pass only graph, or graph_def (deprecated), but not both.")
        if isinstance(graph, Graph):
            if graph.get_collection(assets.COLLECTION):
                assets.write(graph, self.get_logdir())
            graph_def = graph.as_graph_def(add_shapes=True)
        elif hasattr(graph, "SerializeToString"):
            graph_def = graph
        elif graph_def is None or graph is not None:
            raise TypeError("The passed graph must be an instance of `Graph` or the deprecated `GraphDef`")
        written = graph_def.SerializeToString()
        self._add(Event(graph_def=written), global_step)
        return written

    def add_meta_graph(self, meta_graph_def: Any, global_step: Any = None) -> None:
        """Adds a MetaGraphDef.

        Raises:
            TypeError: It is none.
        """
        if not hasattr(meta_graph_def, "meta_info_def"):
            raise TypeError(f"meta_graph_def must be type MetaGraphDef, saw type: {type(meta_graph_def)}")
        self._add(Event(meta_graph_def=meta_graph_def.SerializeToString()), global_step)

    def add_run_metadata(self, run_metadata: Any, tag: str, global_step: Any = None) -> None:
        """Adds the RunMetadata of one `Session.run` under a tag of its own.

        Raises:
            ValueError: The tag was used before.
        """
        if tag in self._run_tags:
            raise ValueError("The provided tag was already used for this event type")
        self._run_tags.add(tag)
        event = Event()
        event.tagged_run_metadata.tag = tag
        event.tagged_run_metadata.run_metadata = run_metadata.SerializeToString()
        self._add(event, global_step)

    def _add(self, event: Any, global_step: Any) -> None:
        event.wall_time = time.time()
        if global_step is not None:
            event.step = int(global_step)
        self.add_event(event)

    def add_event(self, event: Any) -> None:
        """Adds an `Event` as it is."""
        if self._usable():
            self.event_writer.add_event(event)

    def flush(self) -> None:
        """Waits until all events are in the file."""
        if self._usable():
            self.event_writer.flush()

    def _usable(self) -> bool:
        if self._closed:
            warnings.warn(_CLOSED, stacklevel=4)
        return not self._closed

    def close(self) -> None:
        """Writes what is left and ends the file; closing it again does nothing."""
        if not self._closed:
            self._closed = True
            self.event_writer.close()

    def reopen(self) -> None:
        """After `close`, makes the writer take events again, into another file of the same directory."""
        self.event_writer.reopen()
        self._closed = False


def _event(**fields: Any) -> Any:
    """An event with one message in it, of whichever library made the message."""
    event = Event()
    for name, message in fields.items():
        getattr(event, name).ParseFromString(message.SerializeToString())
    return event


def _meta_graph_of(graph_def: bytes) -> Any:
    meta_graph = MetaGraphDef()
    meta_graph.graph_def.ParseFromString(graph_def)
    info = meta_graph.meta_info_def
    info.tensorflow_version, info.tensorflow_git_version = version.VERSION, version.GIT_VERSION
    info.stripped_op_list.CopyFrom(op_list(meta_graph.graph_def))
    return meta_graph


@public("train.SummaryWriter")
class SummaryWriter(FileWriter):
    """`tf.summary.FileWriter` under its first name, with the graph as the second argument in either form.

    Args:
        logdir: The directory, made if it is missing.
        graph_def: A GraphDef or a Graph.
        max_queue: Events that wait at most before `add_...` does.
        flush_secs: Seconds after which an event is on disk at the latest.
        graph: A Graph, the newer form of `graph_def`.
    """

    def __init__(
        self, logdir: Path, graph_def: Any = None, max_queue: int = 10, flush_secs: float = 120, graph: Any = None
    ) -> None:
        super().__init__(logdir, graph if graph is not None else graph_def, max_queue, flush_secs)

    def add_graph(self, graph_def: Any, global_step: Any = None) -> None:  # type: ignore[override]
        """Adds a GraphDef or a Graph."""
        self._add_graph(graph_def, None, global_step)


@public("summary.FileWriterCache")
class FileWriterCache:
    """One FileWriter per directory, shared by all that ask for it."""

    _cache: dict[str, FileWriter] = {}
    _lock = renewed(threading.RLock())

    @staticmethod
    def clear() -> None:
        """Closes all writers and forgets them."""
        with FileWriterCache._lock:
            for writer in FileWriterCache._cache.values():
                writer.close()
            FileWriterCache._cache = {}

    @staticmethod
    def get(logdir: str) -> FileWriter:
        """The FileWriter of a directory, made for the default graph at the first call."""
        from ossia_core.graph.stack import get_default_graph

        with FileWriterCache._lock:
            if logdir not in FileWriterCache._cache:
                FileWriterCache._cache[logdir] = FileWriter(logdir, graph=get_default_graph())
            return FileWriterCache._cache[logdir]

"""Writers of event files as resources of the graph, and whether summaries are recorded."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

import ossia as tf
from ossia_contrib.framework.conditions import smart_cond
from ossia_core.plugins.api_table import public
from ossia_summary import session_writer

_DEVICE = "cpu:0"


class _State(threading.local):
    writer: Any = None
    recording: Any = False


state = _State()
"""The default writer of the thread, and the condition on which it records."""


@public("contrib.summary.SummaryWriter")
class SummaryWriter:
    """What writes summaries; `create_file_writer` makes one."""

    def set_as_default(self) -> None:
        """Makes it what the summaries that follow write to."""
        raise NotImplementedError

    def as_default(self) -> Any:
        """Makes it what the summaries inside a block write to."""
        raise NotImplementedError

    def init(self) -> Any:
        """An op that makes the file."""
        raise NotImplementedError

    def flush(self) -> Any:
        """An op that writes what waits."""
        raise NotImplementedError

    def close(self) -> Any:
        """An op that writes what waits, and closes the file."""
        raise NotImplementedError


class ResourceSummaryWriter(SummaryWriter):
    """A writer that the graph holds, and that sessions share by name."""

    def __init__(self, shared_name: str, init_op_fn: Callable[[Any], Any], name: str | None = None) -> None:
        self._resource = tf.raw_ops.SummaryWriter(shared_name=shared_name, name=name)
        self._init_op_fn = init_op_fn
        self._closed = False
        self._init_op = self.init()
        tf.add_to_collection(session_writer.WRITERS, self._init_op)

    def set_as_default(self) -> None:
        state.writer = self

    @contextlib.contextmanager
    def as_default(self) -> Iterator[ResourceSummaryWriter]:
        before, state.writer = state.writer, self
        try:
            yield self
            self.flush()
        finally:
            state.writer = before

    def init(self) -> Any:
        return self._init_op_fn(self._resource)

    def flush(self) -> Any:
        return _flushed(self)

    def close(self) -> Any:
        with tf.control_dependencies([self.flush()]), tf.device(_DEVICE):
            return tf.raw_ops.CloseSummaryWriter(writer=self._resource)


class NoopSummaryWriter(SummaryWriter):
    """A writer that writes nothing."""

    def set_as_default(self) -> None:
        """Does nothing."""

    @contextlib.contextmanager
    def as_default(self) -> Iterator[None]:
        yield

    def init(self) -> None:
        """Does nothing."""

    def flush(self) -> None:
        """Does nothing."""

    def close(self) -> None:
        """Does nothing."""


@public("contrib.summary.create_file_writer", "contrib.summary.create_summary_file_writer")
def create_file_writer(
    logdir: str | None, max_queue: Any = None, flush_millis: Any = None, filename_suffix: Any = None,
    name: str | None = None,
) -> SummaryWriter:
    """A writer of an event file.

    Args:
      logdir: folder of the file; None for a writer that writes nothing.
      max_queue: how many summaries wait at most; 10 by default.
      flush_millis: how long they wait at most; two minutes by default.
      filename_suffix: what the name of the file ends with; ".v2" by default.
      name: name under which a session shares it; that of the folder by default.
    """
    if logdir is None:
        return NoopSummaryWriter()
    with tf.device(_DEVICE):
        if max_queue is None:
            max_queue = tf.constant(10)
        if flush_millis is None:
            flush_millis = tf.constant(2 * 60 * 1000)
        if filename_suffix is None:
            filename_suffix = tf.constant(".v2")

        def make(writer: Any) -> Any:
            return tf.raw_ops.CreateSummaryFileWriter(
                writer=writer, logdir=logdir, max_queue=max_queue, flush_millis=flush_millis,
                filename_suffix=filename_suffix,
            )

        return ResourceSummaryWriter("logdir:" + logdir if name is None else name, make, name=None)


@public("contrib.summary.create_db_writer")
def create_db_writer(
    db_uri: str, experiment_name: str | None = None, run_name: str | None = None, user_name: str | None = None,
    name: str | None = None,
) -> SummaryWriter:
    """A writer of a SQLite database.

    Raises:
      NotImplementedError: always; Ossia writes event files.
    """
    raise NotImplementedError("tf.contrib.summary.create_db_writer is not part of Ossia; use create_file_writer.")


def _flushed(writer: Any, name: str | None = None) -> Any:
    with tf.device(_DEVICE):
        return tf.raw_ops.FlushSummaryWriter(writer=writer._resource, name=name)


@public("contrib.summary.flush")
def flush(writer: Any = None, name: str | None = None) -> Any:
    """An op that writes what waits in a writer, in the default one if None.

    Raises:
      ValueError: the writer is no writer.
    """
    writer = state.writer if writer is None else writer
    if writer is None:
        return tf.no_op()
    if isinstance(writer, ResourceSummaryWriter):
        return _flushed(writer, name)
    if isinstance(writer, NoopSummaryWriter):
        return tf.no_op()
    raise ValueError(f"Invalid argument to flush(): {writer!r}")


@public("contrib.summary.all_summary_ops")
def all_summary_ops() -> list[Any]:
    """All summaries of the default graph."""
    return tf.get_collection(session_writer.SUMMARIES)


@public("contrib.summary.summary_writer_initializer_op")
def summary_writer_initializer_op() -> list[Any]:
    """The ops that make the files of all writers of the default graph."""
    return tf.get_collection(session_writer.WRITERS)


@public("contrib.summary.initialize")
def initialize(graph: Any = None, session: Any = None) -> None:
    """Makes the files of all writers of the graph.

    Args:
      graph: a graph that is written to the default writer.
      session: the session; the default one if None.

    Raises:
      RuntimeError: there is no default writer.
      ValueError: there is no session.
    """
    if state.writer is None:
        raise RuntimeError("No default tf.contrib.summary.SummaryWriter found")
    session = session or tf.get_default_session()
    if session is None:
        raise ValueError("Argument `session must be passed if no default session exists")
    session.run(summary_writer_initializer_op())
    if graph is not None:
        from ossia_contrib.summary.records import graph as written  # records need writers

        fed = tf.placeholder(tf.string)
        session.run(written(fed, 0), feed_dict={fed: graph.as_graph_def(add_shapes=True).SerializeToString()})


@public("contrib.summary.should_record_summaries")
def should_record_summaries() -> tf.Tensor:
    """Whether summaries are recorded, a bool of the graph."""
    condition = state.recording() if callable(state.recording) else state.recording
    return tf.logical_and(True, condition)


@contextlib.contextmanager
def _recording(condition: Any) -> Iterator[None]:
    before, state.recording = state.recording, condition
    try:
        yield
    finally:
        state.recording = before


@public("contrib.summary.always_record_summaries")
def always_record_summaries() -> Any:
    """Inside the block summaries are recorded."""
    return _recording(True)


@public("contrib.summary.never_record_summaries")
def never_record_summaries() -> Any:
    """Inside the block summaries are not recorded."""
    return _recording(False)


@public("contrib.summary.record_summaries_every_n_global_steps")
@contextlib.contextmanager
def record_summaries_every_n_global_steps(n: Any, global_step: Any = None) -> Iterator[None]:
    """Inside the block summaries are recorded in every n-th step, by the global step or another."""
    if global_step is None:
        global_step = tf.train.get_or_create_global_step()
    with tf.device(_DEVICE):
        condition = tf.equal(global_step % n, 0)
    with _recording(condition):
        yield


def recorded(write: Callable[[], Any]) -> Any:
    """What `write` makes on the condition of the thread, False otherwise; it joins the summaries of the graph."""
    with tf.device(_DEVICE):
        op = smart_cond(should_record_summaries(), write, lambda: tf.constant(False), name="")
        tf.add_to_collection(session_writer.SUMMARIES, op)
    return op


@public("contrib.summary.eval_dir")
def eval_dir(model_dir: str, name: str | None = None) -> str:
    """The folder for the event files of an evaluation."""
    return os.path.join(model_dir, "eval" if not name else "eval_" + name)

"""`tf.contrib.summary`: summaries that ops of a graph write into an event file, without a `FileWriter`."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public

_INIT_OPS, _SUMMARY_OPS = "_SUMMARY_WRITER_V2", "_SUMMARY_V2"
_state = threading.local()  # `writer`: the default one; `record`: whether summaries are written


def _writer() -> SummaryWriter | None:
    return getattr(_state, "writer", None)


@public("contrib.summary.SummaryWriter")
class SummaryWriter:
    """A file that summaries are written into while it is the default; without a file nothing is written.

    Args:
      shared_name: the name of the file among the runs of a session.
      init_op_fn: makes what opens it.
    """

    def __init__(self, shared_name: str | None = None, init_op_fn: Callable[[Any], Any] | None = None) -> None:
        self._resource = None
        if shared_name is not None and init_op_fn is not None:
            self._resource = tf.raw_ops.SummaryWriter(shared_name=shared_name, container="", name="SummaryWriter")
            self._init_op = init_op_fn(self._resource)
            tf.add_to_collection(_INIT_OPS, self._init_op)

    @contextlib.contextmanager
    def as_default(self) -> Iterator[SummaryWriter]:
        """Inside, summaries are written into this file, which is flushed at the end."""
        before = _writer()
        _state.writer = self if self._resource is not None else None
        try:
            yield self
            self.flush()
        finally:
            _state.writer = before

    def set_as_default(self) -> None:
        """Makes this the file of summaries from now on."""
        _state.writer = self if self._resource is not None else None

    def init(self) -> Any:
        """What opens the file."""
        return self._init_op if self._resource is not None else tf.no_op()

    def flush(self) -> Any:
        """What writes everything to the file."""
        if self._resource is None:
            return None
        with tf.device("/device:CPU:0"):
            return tf.raw_ops.FlushSummaryWriter(writer=self._resource, name=None)

    def close(self) -> Any:
        """What writes everything and closes the file."""
        if self._resource is None:
            return None
        with tf.control_dependencies([self.flush()]), tf.device("/device:CPU:0"):
            return tf.raw_ops.CloseSummaryWriter(writer=self._resource)


@public("contrib.summary.create_file_writer", "contrib.summary.create_summary_file_writer")
def create_file_writer(
    logdir: Any, max_queue: Any = None, flush_millis: Any = None, filename_suffix: Any = None, name: str | None = None
) -> SummaryWriter:
    """An event file.

    Args:
      logdir: the folder; None writes nothing.
      max_queue: how many summaries are kept before they are written, 10 by default.
      flush_millis: how long, two minutes by default.
      filename_suffix: the end of the file's name, `.v2` by default.
      name: the name of the file among the runs of a session, by default the folder.
    """
    if logdir is None:
        return SummaryWriter()
    with tf.device("cpu:0"):
        max_queue = tf.constant(10) if max_queue is None else max_queue
        flush_millis = tf.constant(2 * 60 * 1000) if flush_millis is None else flush_millis
        filename_suffix = tf.constant(".v2") if filename_suffix is None else filename_suffix
        return SummaryWriter(
            "logdir:" + str(logdir) if name is None else name,
            lambda resource: tf.raw_ops.CreateSummaryFileWriter(
                writer=resource, logdir=logdir, max_queue=max_queue, flush_millis=flush_millis,
                filename_suffix=filename_suffix,
            ),
        )


@public("contrib.summary.create_db_writer")
def create_db_writer(
    db_uri: Any, experiment_name: Any = None, run_name: Any = None, user_name: Any = None, name: str | None = None
) -> SummaryWriter:
    """Not there: summaries in a database.

    Raises:
      NotImplementedError: always.
    """
    raise NotImplementedError("tf.contrib.summary.create_db_writer: Ossia writes event files, create_file_writer")


@contextlib.contextmanager
def _recording(record: Any) -> Iterator[None]:
    before = getattr(_state, "record", False)
    _state.record = record
    try:
        yield
    finally:
        _state.record = before


@public("contrib.summary.always_record_summaries")
def always_record_summaries() -> Any:
    """A context in which every run writes its summaries."""
    return _recording(True)


@public("contrib.summary.never_record_summaries")
def never_record_summaries() -> Any:
    """A context in which no summary is written."""
    return _recording(False)


@public("contrib.summary.record_summaries_every_n_global_steps")
def record_summaries_every_n_global_steps(n: int, global_step: Any = None) -> Any:
    """A context in which summaries are written at every n-th step.

    Args:
      n: how many steps lie between.
      global_step: the step, by default the graph's.
    """
    step = tf.train.get_or_create_global_step() if global_step is None else global_step
    with tf.device("cpu:0"):
        return _recording(tf.equal(step % n, 0))


@public("contrib.summary.should_record_summaries")
def should_record_summaries() -> Any:
    """Whether summaries are written here: a bool tensor."""
    return tf.logical_and(True, getattr(_state, "record", False))


@public("contrib.summary.all_summary_ops")
def all_summary_ops() -> Any:
    """What writes the summaries, of the whole graph."""
    return tf.get_collection(_SUMMARY_OPS)


@public("contrib.summary.summary_writer_initializer_op")
def summary_writer_initializer_op() -> Any:
    """What opens the files, of the whole graph."""
    return tf.get_collection(_INIT_OPS)


@public("contrib.summary.initialize")
def initialize(graph: Any = None, session: Any = None) -> None:
    """Opens the files, and writes a graph.

    Args:
      graph: the graph to write, a `Graph` or `GraphDef`.
      session: the session, by default the default one.

    Raises:
      RuntimeError: there is no default file.
      ValueError: there is no session.
    """
    writer = _writer()
    if writer is None:
        raise RuntimeError("No default tf.contrib.summary.SummaryWriter found")
    session = session or tf.get_default_session()
    if session is None:
        raise ValueError("Argument `session must be passed if no default session exists")
    session.run(summary_writer_initializer_op())
    if graph is not None:
        content = (graph.as_graph_def(add_shapes=True) if isinstance(graph, tf.Graph) else graph).SerializeToString()
        fed = tf.placeholder(tf.string)
        written = tf.raw_ops.WriteGraphSummary(writer=writer._resource, step=tf.constant(0, tf.int64), tensor=fed)
        session.run(written, feed_dict={fed: content})


def _write(name: str, tensor: Any, family: str | None, write: Callable[[str, str], Any]) -> Any:
    """Writes a summary, if there is a file and the time for it."""
    writer = _writer()
    if writer is None:
        return tf.no_op()
    recorded = getattr(_state, "record", False)
    with tf.device("cpu:0"):

        def record() -> Any:
            full = f"{family}/{name}" if family else name
            with tf.name_scope(full, values=[tensor]) as scope:
                tag = f"{family}/{scope.rstrip('/')}" if family else scope.rstrip("/")
                with tf.control_dependencies([write(tag, scope)]):
                    return tf.constant(True)

        wanted = should_record_summaries()
        if isinstance(recorded, bool):
            result = record() if recorded else tf.constant(False)
        else:
            result = tf.cond(wanted, record, lambda: tf.constant(False), name="")
    tf.add_to_collection(_SUMMARY_OPS, result)
    return result


def _step(step: Any) -> Any:
    if step is None:
        return tf.train.get_or_create_global_step()
    return step if tf.is_tensor(step) or isinstance(step, tf.Variable) else tf.constant(step, dtype=tf.int64)


def _resource() -> Any:
    writer = _writer()
    return writer._resource if writer else None


@public("contrib.summary.scalar")
def scalar(name: str, tensor: Any, family: str | None = None, step: Any = None) -> Any:
    """Writes a number.

    Args:
      name: the tag.
      tensor: a real scalar.
      family: a name in front of the tag.
      step: the step, by default the graph's global step.

    Returns:
      A bool tensor that writes it when it runs.
    """
    return _write(name, tensor, family, lambda tag, scope: tf.raw_ops.WriteScalarSummary(
        writer=_resource(), step=_step(step), value=tf.identity(tensor), tag=tag, name=scope))


@public("contrib.summary.histogram")
def histogram(name: str, tensor: Any, family: str | None = None, step: Any = None) -> Any:
    """Writes how numbers are distributed; see `scalar`."""
    return _write(name, tensor, family, lambda tag, scope: tf.raw_ops.WriteHistogramSummary(
        writer=_resource(), step=_step(step), values=tf.identity(tensor), tag=tag, name=scope))


@public("contrib.summary.generic")
def generic(name: str, tensor: Any, metadata: Any = None, family: str | None = None, step: Any = None) -> Any:
    """Writes a tensor; see `scalar`.

    Args:
      name: the tag.
      tensor: any tensor.
      metadata: a `SummaryMetadata`, or one that is serialized.
      family: a name in front of the tag.
      step: the step, by default the graph's global step.
    """

    def write(tag: str, scope: str) -> Any:
        serialized = tf.constant("") if metadata is None else getattr(
            metadata, "SerializeToString", lambda: metadata)()
        return tf.raw_ops.WriteSummary(
            writer=_resource(), step=_step(step), tensor=tf.identity(tensor), tag=tag, summary_metadata=serialized,
            name=scope,
        )

    return _write(name, tensor, family, write)


@public("contrib.summary.image")
def image(
    name: str, tensor: Any, bad_color: Any = None, max_images: int = 3, family: str | None = None, step: Any = None
) -> Any:
    """Writes images; see `scalar`.

    Args:
      name: the tag.
      tensor: images `[n, height, width, channels]`.
      bad_color: the colour of what is no number, red by default.
      max_images: how many of them.
      family: a name in front of the tag.
      step: the step, by default the graph's global step.
    """

    def write(tag: str, scope: str) -> Any:
        color = tf.constant([255, 0, 0, 255], dtype=tf.uint8) if bad_color is None else bad_color
        return tf.raw_ops.WriteImageSummary(
            writer=_resource(), step=_step(step), tensor=tf.identity(tensor), bad_color=color, tag=tag,
            max_images=max_images, name=scope,
        )

    return _write(name, tensor, family, write)


@public("contrib.summary.audio")
def audio(
    name: str, tensor: Any, sample_rate: Any, max_outputs: int, family: str | None = None, step: Any = None
) -> Any:
    """Writes sounds; see `scalar`.

    Args:
      name: the tag.
      tensor: sounds `[n, frames, channels]` or `[n, frames]`.
      sample_rate: how many frames a second.
      max_outputs: how many of them.
      family: a name in front of the tag.
      step: the step, by default the graph's global step.
    """
    return _write(name, tensor, family, lambda tag, scope: tf.raw_ops.WriteAudioSummary(
        writer=_resource(), step=_step(step), tensor=tf.identity(tensor), sample_rate=sample_rate, tag=tag,
        max_outputs=max_outputs, name=scope))


@public("contrib.summary.graph")
def graph(param: Any, step: Any = None, name: str | None = None) -> Any:
    """Writes a serialized graph.

    Args:
      param: a string tensor, a serialized `GraphDef`.
      step: the step, by default the graph's global step.
      name: name of the op.
    """
    if _resource() is None:
        return tf.no_op()
    with tf.device("cpu:0"):
        return tf.raw_ops.WriteGraphSummary(writer=_resource(), step=_step(step), tensor=param, name=name)


@public("contrib.summary.import_event")
def import_event(tensor: Any, name: str | None = None) -> Any:
    """Writes a serialized `Event`.

    Args:
      tensor: a string scalar.
      name: name of the op.
    """
    return tf.raw_ops.ImportEvent(writer=_resource(), event=tensor, name=name)


@public("contrib.summary.flush")
def flush(writer: Any = None, name: str | None = None) -> Any:
    """What writes everything to the file.

    Args:
      writer: a `SummaryWriter`, by default the default one.
      name: name of the op.
    """
    resource = _resource() if writer is None else getattr(writer, "_resource", writer)
    if resource is None:
        return tf.no_op()
    with tf.device("cpu:0"):
        return tf.raw_ops.FlushSummaryWriter(writer=resource, name=name)


@public("contrib.summary.eval_dir")
def eval_dir(model_dir: str, name: str | None = None) -> str:
    """The folder of evaluations in the folder of a model."""
    return os.path.join(model_dir, "eval" if not name else "eval_" + name)

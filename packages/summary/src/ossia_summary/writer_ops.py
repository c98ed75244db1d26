"""Event files as resources of a session: writers that belong to a graph, and share a file where they share a name."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import scalar, with_rank
from ossia_core.names.errors import DataLossError, InvalidArgumentError, NotFoundError
from ossia_core.primitives.state import resource_name
from ossia_core.proto import Event
from ossia_summary.event_file import EventFileWriter


class WriterResource:
    """What the handle of a writer stands for: an event file, once `CreateSummaryFileWriter` has run."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._file: EventFileWriter | None = None

    def open(self, logdir: str, max_queue: int, flush_millis: int, suffix: str) -> None:
        """Makes the event file, if it is not open."""
        if self._file is None:
            self._file = EventFileWriter(
                logdir, max_queue, flush_millis / 1000 if flush_millis >= 0 else math.inf, suffix
            )

    def file(self) -> EventFileWriter:
        """The open event file.

        Raises:
            NotFoundError: It was not made, or is closed.
        """
        if self._file is None:
            raise NotFoundError(
                None, None, f"The summary writer {self._name} does not exist: it was not made, or is closed."
            )
        return self._file

    def close(self) -> None:
        """Writes what is left and closes the file."""
        file, self._file = self._file, None
        if file is not None:
            file.close()

    cancel_all = close  # what a session calls when it is closed


summary_writer_op = op(
    "SummaryWriter() -> writer: resource", stateful=True, shared_name="string = ''", container="string = ''"
)
summary_writer_op.shape(scalar)


@summary_writer_op.resource(any_container=True)
def _(node, session):
    name = resource_name(node)
    return session.resource(node.attrs["container"], name, "summary writer", lambda: WriterResource(name))


create_summary_file_writer_op = op(
    "CreateSummaryFileWriter(writer: resource, logdir: string, max_queue: int32, flush_millis: int32, "
    "filename_suffix: string)",
    stateful=True,
)
create_summary_file_writer_op.changes("writer")


@create_summary_file_writer_op.shape
def _(writer, logdir, max_queue, flush_millis, filename_suffix):
    return ()


@create_summary_file_writer_op.kernel
def _(writer, logdir, max_queue, flush_millis, filename_suffix):
    writer.open(_text(logdir), _number(max_queue), _number(flush_millis), _text(filename_suffix))
    return ()


def only(value: Any) -> Any:
    """The element of a scalar, or of an array of one."""
    if np.size(value) != 1:
        raise InvalidArgumentError(None, None, f"Expected a scalar, got shape {list(np.shape(value))}")
    return np.asarray(value, object).item()


def _text(value: Any) -> str:
    return os.fsdecode(only(value))


def _number(value: Any) -> int:
    return int(only(value))


import_event_op = op("ImportEvent(writer: resource, event: string)", stateful=True)
import_event_op.changes("writer")


@import_event_op.shape
def _(writer, event):
    return ()


@import_event_op.kernel
def _(writer, event):
    from google.protobuf.message import DecodeError

    try:
        writer.file().add_event(Event.FromString(only(event)))
    except DecodeError as error:
        raise DataLossError(None, None, f"Bad tf.Event binary proto tensor string: {error}") from error
    return ()


flush_summary_writer_op = op("FlushSummaryWriter(writer: resource)", stateful=True)
flush_summary_writer_op.changes("writer")


@flush_summary_writer_op.shape
def _(writer):
    with_rank(writer, 0)
    return ()


@flush_summary_writer_op.kernel
def _(writer):
    writer.file().flush()
    return ()


close_summary_writer_op = op("CloseSummaryWriter(writer: resource)", stateful=True)
close_summary_writer_op.changes("writer")


@close_summary_writer_op.shape
def _(writer):
    with_rank(writer, 0)
    return ()


@close_summary_writer_op.kernel
def _(writer):
    writer.file()  # it must be there
    writer.close()
    return ()

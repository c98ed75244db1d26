"""Event files: what TensorBoard follows. One record per event, on disk whole or not at all."""

from __future__ import annotations

import contextlib
import os
import queue
import socket
import threading
import time
import weakref
from typing import Any, BinaryIO

from ossia_core.files import file_system, translate
from ossia_core.forks import renewed
from ossia_core.names import errors
from ossia_core.proto import Event
from ossia_io.paths import Path, makedirs, text_path
from ossia_io.records import framed

FILE_VERSION = "brain.Event:2"
_CLOSE = object()
_LONGEST = 1e6  # seconds that a queue can wait for


class EventsWriter:
    """Writes serialised events to `<prefix>.out.tfevents.<seconds>.<host name><suffix>`, made with the first event.

    Each record reaches the file object in one write, so that a process that is killed leaves complete records and at
    most one torn tail. A name that is taken, by another writer of the same second, is avoided.

    Args:
        prefix: Path before `.out.tfevents`, usually `<logdir>/events`.
        suffix: What the file name ends with.
    """

    def __init__(self, prefix: str, suffix: str = "") -> None:
        self._prefix, self._suffix = prefix, suffix
        self._file: BinaryIO | None = None
        self.path = ""

    def write(self, event: bytes) -> None:
        """Appends one event."""
        self.open()
        self._file.write(framed(event))  # type: ignore[union-attr]

    def open(self) -> None:
        """Makes the file, unless it is open."""
        if self._file is not None:
            return
        store = file_system(self._prefix)
        now = time.time()
        second = int(now)
        while store.exists(path := f"{self._prefix}.out.tfevents.{second:010d}.{socket.gethostname()}{self._suffix}"):
            second += 1
        self._file, self.path = store.open(path, "wb"), path
        self._file.write(framed(Event(wall_time=int(now), file_version=FILE_VERSION).SerializeToString()))
        self._file.flush()

    def flush(self) -> None:
        """Hands all events to the operating system."""
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        """Ends the file; the next event begins another."""
        file, self._file = self._file, None
        if file is not None:
            file.close()


class EventFileWriter:
    """Writes events to an event file in a thread of its own, which starts with the first event.

    The file is made with the first event too, or at once if its name has a suffix, as in the original.

    Args:
        logdir: Directory, made if it is missing.
        max_queue: Events that wait at most before `add_event` does; no limit if not positive.
        flush_secs: Seconds after which an event is on disk at the latest.
        filename_suffix: What the file name ends with.
    """

    def __init__(
        self, logdir: Path, max_queue: int = 10, flush_secs: float = 120, filename_suffix: str | None = None
    ) -> None:
        # As in the original, what is no path names a directory as it prints: "None".
        self._logdir = text_path(logdir if isinstance(logdir, (str, bytes, os.PathLike)) else str(logdir))
        makedirs(self._logdir)
        self._max_queue, self._flush_secs = max_queue, flush_secs
        self._lock = renewed(threading.Lock())
        self._worker: _Worker | None = None
        self._finalizer: Any = None
        self.closed = False
        separator = "" if self._logdir.endswith("/") else "/"
        self._writer = EventsWriter(f"{self._logdir}{separator}events", filename_suffix or "")
        if filename_suffix:
            with contextlib.suppress(OSError, errors.OpError):  # the first event tries again
                self._writer.open()
            self._finalizer = weakref.finalize(self, self._writer.close)

    def get_logdir(self) -> str:
        """The directory of the event file."""
        return self._logdir

    def add_event(self, event: Any) -> None:
        """Puts an event in the queue; waits while the queue is full.

        Raises:
            TypeError: `event` is no message.
            FailedPreconditionError and others of `tf.errors`: Earlier events could not be written.
        """
        if not hasattr(event, "SerializeToString"):
            raise TypeError(f"expected an Event, got {type(event).__name__}")
        if not self.closed:
            self._started().put(event.SerializeToString())

    def _started(self) -> _Worker:
        with self._lock:
            if self._worker is None:
                if self._finalizer is not None:
                    self._finalizer.detach()
                self._worker = _Worker(self._writer, self._max_queue, self._flush_secs)
                self._finalizer = weakref.finalize(self, self._worker.end)  # at exit too
            return self._worker

    def flush(self) -> None:
        """Waits until all events are in the file.

        Raises:
            One of `tf.errors`: They could not be written.
        """
        if self._worker is not None:
            self._worker.flush()

    def close(self) -> None:
        """Writes what is left, and ends the file and the thread; closing it again does nothing.

        Raises:
            One of `tf.errors`: Events could not be written.
        """
        with self._lock:
            self.closed = True
            worker, self._worker = self._worker, None
        if worker is not None:
            self._finalizer.detach()
            worker.end()
            worker.raise_failure()
        else:
            self._writer.close()

    def reopen(self) -> None:
        """After `close`, makes the writer take events again, into another file."""
        self.closed = False


class _Written:
    """A mark in the queue, for one who waits until what stands before it is written."""

    def __init__(self) -> None:
        self.lock = threading.Lock()


class _Worker:
    """The thread that writes one event file, and the queue before it.

    The queue is a simple one, whose `put` is a single step: a signal handler that raises in the midst of the steps of
    another one can leave the thread waiting for ever, and the program with it when it ends.
    """

    def __init__(self, writer: EventsWriter, max_queue: int, flush_secs: float) -> None:
        self._writer, self._max_queue = writer, max_queue
        self._flush_secs = min(flush_secs, _LONGEST)
        self._queue: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="ossia-event-file", daemon=True)
        self._thread.start()

    def put(self, item: bytes) -> None:
        self.raise_failure()
        self._check_process()
        if 0 < self._max_queue <= self._queue.qsize():
            written = _Written()
            written.lock.acquire()
            self._queue.put(written)
            written.lock.acquire()  # until the thread has come to what stands before it
        self._queue.put(item)

    def flush(self) -> None:
        self._check_process()
        flushed = threading.Lock()  # released by the thread
        flushed.acquire()
        self._queue.put(flushed)
        flushed.acquire()
        self.raise_failure()

    def _check_process(self) -> None:
        """Refuse what a forked child, which does not have the thread, would wait for in vain."""
        if not self._thread.is_alive():
            raise errors.FailedPreconditionError(
                None, None, f"{self._writer.path} is written by the process that opened it, not by those that it forks"
            )

    def end(self) -> None:
        if self._thread.is_alive():
            self._queue.put(_CLOSE)
            self._thread.join()

    def raise_failure(self) -> None:
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    def _run(self) -> None:
        due: float | None = None  # when what is written must be flushed
        while True:
            try:
                item = self._queue.get(timeout=None if due is None else max(0.0, due - time.monotonic()))
            except queue.Empty:
                item = None
            try:
                if isinstance(item, _Written):
                    item.lock.release()
                    continue
                if isinstance(item, bytes):
                    self._writer.write(item)
                    due = due or time.monotonic() + self._flush_secs
                elif item is _CLOSE:
                    self._writer.close()
                    return
                if not isinstance(item, bytes) or time.monotonic() >= due:  # type: ignore[operator]
                    due = None
                    self._writer.flush()
            except OSError as error:
                self._failure = translate(error, self._writer.path)
            except errors.OpError as error:
                self._failure = error
            finally:
                if not (item is None or item is _CLOSE or isinstance(item, (bytes, _Written))):
                    item.release()
            if item is _CLOSE:
                return

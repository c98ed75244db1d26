"""`tf.train.QueueRunner`: threads that keep a queue filled, and how programs start them."""
from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from ossia_coordination.coordinator import Coordinator
from ossia_core.forks import renewed
from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.stack import get_default_graph, get_default_session
from ossia_core.names import errors, logging
from ossia_core.plugins.api_table import public


@public("train.QueueRunner", "train.queue_runner.QueueRunner")
class QueueRunner:
    """A queue with operations that enqueue into it, each to be run in a thread of its own until the input ends.

    When the last of them ends with one of the `queue_closed_exception_types`, the queue is closed; when the coordinator
    stops, what waits on the queue is cancelled.

    Args:
        queue: The queue.
        enqueue_ops: The operations; one given twice runs in two threads.
        close_op: Closes the queue and lets what is in it be dequeued; `queue.close()` by default.
        cancel_op: Closes the queue and cancels pending enqueues; by default
            `queue.close(cancel_pending_enqueues=True)`.
        queue_closed_exception_types: A tuple of the `tf.errors` that mean that the input has ended; OutOfRangeError by
            default.
        queue_runner_def: A QueueRunnerDef that describes all of this, instead.
        import_scope: A name scope to put before the names in `queue_runner_def`.

    Raises:
        ValueError: Both a queue and `queue_runner_def` are given, or neither with its operations.
        TypeError: `queue_closed_exception_types` is no tuple of `tf.errors`.
    """

    def __init__(
        self,
        queue: Any = None,
        enqueue_ops: Sequence[Any] | None = None,
        close_op: Any = None,
        cancel_op: Any = None,
        queue_closed_exception_types: tuple[type[errors.OpError], ...] | None = None,
        queue_runner_def: Any = None,
        import_scope: str | None = None,
    ) -> None:
        if queue_runner_def is not None:
            if queue or enqueue_ops:
                raise ValueError("queue_runner_def and queue are mutually exclusive.")
            self._init_from_proto(queue_runner_def, import_scope)
        else:
            self._init_from_args(queue, enqueue_ops, close_op, cancel_op, queue_closed_exception_types)
        self._lock = renewed(threading.Lock())
        # How many threads still enqueue, by session.
        self._running: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
        self._exceptions_raised: list[BaseException] = []

    def _init_from_args(self, queue: Any, enqueue_ops: Any, close_op: Any, cancel_op: Any, closed_types: Any) -> None:
        if not queue or not enqueue_ops:
            raise ValueError("Must provide queue and enqueue_ops.")
        if closed_types is None:
            closed_types = (errors.OutOfRangeError,)
        elif not (
            isinstance(closed_types, tuple)
            and closed_types
            and all(isinstance(kind, type) and issubclass(kind, errors.OpError) for kind in closed_types)
        ):
            raise TypeError(
                "queue_closed_exception_types, when provided, must be a tuple of tf.error types, but saw: "
                f"{closed_types}"
            )
        self._queue = queue
        self._enqueue_ops = enqueue_ops
        self._close_op = queue.close() if close_op is None else close_op
        self._cancel_op = queue.close(cancel_pending_enqueues=True) if cancel_op is None else cancel_op
        self._queue_closed_exception_types = closed_types

    def _init_from_proto(self, definition: Any, import_scope: str | None) -> None:
        element = get_default_graph().as_graph_element
        prefix = f"{import_scope.rstrip('/')}/" if import_scope else ""
        self._queue = element(prefix + definition.queue_name)
        self._enqueue_ops = [element(prefix + name) for name in definition.enqueue_op_name]
        self._close_op = element(prefix + definition.close_op_name)
        self._cancel_op = element(prefix + definition.cancel_op_name)
        self._queue_closed_exception_types = tuple(
            errors.exception_type_from_error_code(code) for code in definition.queue_closed_exception_types
        ) or (errors.OutOfRangeError,)

    @property
    def queue(self) -> Any:
        """The queue."""
        return self._queue

    @property
    def enqueue_ops(self) -> Sequence[Any]:
        """The operations that enqueue."""
        return self._enqueue_ops

    @property
    def close_op(self) -> Any:
        """The operation that closes the queue."""
        return self._close_op

    @property
    def cancel_op(self) -> Any:
        """The operation that closes the queue and cancels pending enqueues."""
        return self._cancel_op

    @property
    def queue_closed_exception_types(self) -> tuple[type[errors.OpError], ...]:
        """The errors that mean that the input has ended."""
        return self._queue_closed_exception_types

    @property
    def exceptions_raised(self) -> list[BaseException]:
        """The errors of threads that ran without a coordinator."""
        return self._exceptions_raised

    @property
    def name(self) -> str:
        """The name of the queue."""
        return self._queue.name

    def enqueuer(self, sess: Any, enqueue_op: Any) -> Callable[[], Any]:
        """What a thread calls again and again to enqueue; a subclass may feed the operation.

        Args:
            sess: The session to run in.
            enqueue_op: The operation of the thread.
        """
        return sess.make_callable(enqueue_op)

    def _run(self, sess: Any, enqueue_op: Any, coord: Coordinator | None) -> None:
        ended = False
        try:
            enqueue = self.enqueuer(sess, enqueue_op)
            while not (coord and coord.should_stop()):
                try:
                    enqueue()
                except self._queue_closed_exception_types:
                    ended = True
                    if not self._thread_ended(sess):
                        self._quietly(sess, self._close_op)
                    return
        except Exception as error:
            if coord is None:
                logging.error("Exception in QueueRunner: %s", error)
                with self._lock:
                    self._exceptions_raised.append(error)
                raise
            if not (isinstance(error, errors.CancelledError) and coord.should_stop()):  # else: the session was closed
                coord.request_stop(error)
        finally:
            if not ended:
                self._thread_ended(sess)

    def _thread_ended(self, sess: Any) -> int:
        """Counts a thread as ended; returns how many of the session are left."""
        with self._lock:
            self._running[sess] -= 1
            return self._running[sess]

    @staticmethod
    def _quietly(sess: Any, op: Any) -> None:
        try:
            sess.run(op)
        except Exception as error:
            logging.vlog(1, "Ignored exception: %s", error)

    def _close_on_stop(self, sess: Any, coord: Coordinator) -> None:
        coord.wait_for_stop()
        self._quietly(sess, self._cancel_op)

    def create_threads(
        self, sess: Any, coord: Coordinator | None = None, daemon: bool = False, start: bool = False
    ) -> list[threading.Thread]:
        """Makes the threads for a session.

        Args:
            sess: The session to run in.
            coord: A Coordinator, which is told of errors and stops the threads, and with which they are registered.
            daemon: Whether they are daemon threads.
            start: Whether to start them.

        Returns:
            One thread for each enqueue operation, and with a coordinator one that cancels; none while the session's
            threads of an earlier call still run.
        """
        with self._lock:
            if self._running.get(sess, 0) > 0:
                return []
            self._running[sess] = len(self._enqueue_ops)
            self._exceptions_raised = []
        threads = [
            threading.Thread(target=self._run, args=(sess, op, coord), name=f"QueueRunnerThread-{self.name}-{op.name}")
            for op in self._enqueue_ops
        ]
        if coord:
            name = f"QueueRunnerThread-{self.name}-close_on_stop"
            threads.append(threading.Thread(target=self._close_on_stop, args=(sess, coord), name=name))
        for thread in threads:
            if coord:
                coord.register_thread(thread)
            thread.daemon = daemon or thread.daemon
            if start:
                thread.start()
        return threads

    def to_proto(self, export_scope: str | None = None) -> Any:
        """The QueueRunnerDef of this runner.

        Args:
            export_scope: A name scope to strip from the names.

        Returns:
            The QueueRunnerDef; None where the queue lies outside of `export_scope`.
        """
        from ossia_core.proto import QueueRunnerDef

        scope = f"{export_scope.rstrip('/')}/" if export_scope else ""
        if not self.queue.name.startswith(scope):
            return None
        return QueueRunnerDef(
            queue_name=self.queue.name.removeprefix(scope),
            enqueue_op_name=[op.name.removeprefix(scope) for op in self.enqueue_ops],
            close_op_name=self.close_op.name.removeprefix(scope),
            cancel_op_name=self.cancel_op.name.removeprefix(scope),
            queue_closed_exception_types=[
                errors.error_code_from_exception_type(kind) for kind in self._queue_closed_exception_types
            ],
        )

    @staticmethod
    def from_proto(queue_runner_def: Any, import_scope: str | None = None) -> QueueRunner:
        """The runner that a QueueRunnerDef describes, for nodes of the default graph."""
        return QueueRunner(queue_runner_def=queue_runner_def, import_scope=import_scope)


@public("train.add_queue_runner", "train.queue_runner.add_queue_runner")
def add_queue_runner(qr: QueueRunner, collection: str = GraphKeys.QUEUE_RUNNERS) -> None:
    """Adds a runner to a collection of the default graph, so that `start_queue_runners` finds it."""
    get_default_graph().add_to_collection(collection, qr)


@public("train.start_queue_runners", "train.queue_runner.start_queue_runners")
def start_queue_runners(
    sess: Any = None,
    coord: Coordinator | None = None,
    daemon: bool = True,
    start: bool = True,
    collection: str = GraphKeys.QUEUE_RUNNERS,
) -> list[threading.Thread]:
    """Starts the threads of all queue runners of a graph.

    Args:
        sess: The session; the default session if None.
        coord: The Coordinator of the threads.
        daemon: Whether they are daemon threads.
        start: Whether to start them, or only to make them.
        collection: The collection that the runners are in.

    Returns:
        The threads; none for a monitored session, which starts them itself.

    Raises:
        ValueError: There is no session.
        TypeError: `sess` is no session.
    """
    if sess is None:
        sess = get_default_session()
        if not sess:
            raise ValueError(
                "Cannot start queue runners: No default session is registered. "
                "Use `with sess.as_default()` or pass an explicit session to tf.start_queue_runners(sess=sess)"
            )
    if not hasattr(sess, "make_callable"):
        if hasattr(sess, "run_step_fn"):
            return []
        raise TypeError(f"sess must be a `tf.Session` object. Given class: {type(sess)}")
    runners = sess.graph.get_collection(collection)
    if not runners:
        logging.warning(
            "`tf.train.start_queue_runners()` was called when no queue runners were defined. It can be left out."
        )
    with sess.graph.as_default():
        return [t for runner in runners for t in runner.create_threads(sess, coord=coord, daemon=daemon, start=start)]

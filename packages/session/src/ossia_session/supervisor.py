"""`tf.train.Supervisor`: training sessions with services in threads, as programs had them before hooks."""
from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ossia_checkpoint.saver import Saver
from ossia_coordination.coordinator import Coordinator, LooperThread
from ossia_core.declare.builders import builder
from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.stack import get_default_graph
from ossia_core.names import logging
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import group
from ossia_core.variables.listing import (
    global_variables,
    global_variables_initializer,
    local_variables_initializer,
    report_uninitialized_variables,
    tables_initializer,
)
from ossia_io.graph_files import write_graph
from ossia_ops.state.global_step import global_step as step_value
from ossia_session.manager import SessionManager
from ossia_session.supervisor_threads import CheckpointThread, StepCounterThread, SummaryThread


def _first(key: str) -> Any:
    """The first item of a collection of the default graph; None if it is empty."""
    return next(iter(get_default_graph().get_collection(key)), None)


@public("train.Supervisor")
class Supervisor:
    """Makes sessions whose model is initialised or restored, and runs what saves checkpoints and summaries in threads.

    Newer programs use `tf.train.MonitoredTrainingSession`. Arguments that are `USE_DEFAULT` are taken from the graph's
    collections, or made.

    Args:
        graph: The graph, which is finalised; the default graph if None.
        ready_op: A vector of names of what is not ready.
        ready_for_local_init_op: The same, for running `local_init_op`.
        is_chief: Whether this process initialises and saves the model; others wait for it.
        init_op: Initialises the model.
        init_feed_dict: What to feed to it.
        local_init_op: Initialises what checkpoints do not hold.
        logdir: Directory of checkpoints and event files; None writes none.
        summary_op: The summaries, as one string; None writes none.
        saver: The Saver.
        global_step: The global step.
        save_summaries_secs: Seconds between two summaries; 0 writes none.
        save_model_secs: Seconds between two checkpoints; 0 saves none.
        recovery_wait_secs: Seconds between two looks at whether the model is ready.
        stop_grace_secs: How long threads may still run when it stops.
        checkpoint_basename: What the names of checkpoints begin with.
        session_manager: A SessionManager.
        summary_writer: A FileWriter; None writes nothing.
        init_fn: Called with the session after `init_op`.
        local_init_run_options: RunOptions for `local_init_op`.

    Example:
        supervisor = tf.train.Supervisor(logdir="model")
        with supervisor.managed_session() as session:
            while not supervisor.should_stop():
                session.run(train_op)
    """

    USE_DEFAULT = 0

    def __init__(
        self,
        graph: Any = None,
        ready_op: Any = USE_DEFAULT,
        ready_for_local_init_op: Any = USE_DEFAULT,
        is_chief: bool = True,
        init_op: Any = USE_DEFAULT,
        init_feed_dict: Any = None,
        local_init_op: Any = USE_DEFAULT,
        logdir: str | None = None,
        summary_op: Any = USE_DEFAULT,
        saver: Any = USE_DEFAULT,
        global_step: Any = USE_DEFAULT,
        save_summaries_secs: float = 120,
        save_model_secs: float = 600,
        recovery_wait_secs: float = 30,
        stop_grace_secs: float = 120,
        checkpoint_basename: str = "model.ckpt",
        session_manager: SessionManager | None = None,
        summary_writer: Any = USE_DEFAULT,
        init_fn: Callable[[Any], Any] | None = None,
        local_init_run_options: Any = None,
    ) -> None:
        self._graph = get_default_graph() if graph is None else graph
        self._is_chief = is_chief
        self._coord = Coordinator()
        self._stop_grace_secs = stop_grace_secs
        self._init_fn = init_fn
        self._init_feed_dict = init_feed_dict
        self._graph_added_to_summary = False
        with self._graph.as_default():
            self._ready_op = self._part(ready_op, GraphKeys.READY_OP, report_uninitialized_variables)
            self._ready_for_local_init_op = self._part(
                ready_for_local_init_op, GraphKeys.READY_FOR_LOCAL_INIT_OP, lambda: None
            )
            self._init_op = self._part(init_op, GraphKeys.INIT_OP, global_variables_initializer)
            self._local_init_op = self._part(
                local_init_op,
                GraphKeys.LOCAL_INIT_OP,
                lambda: group(local_variables_initializer(), tables_initializer()),
            )
            self._saver = self._part(saver, GraphKeys.SAVERS, lambda: Saver() if global_variables() else None)
            self._summary_op = self._part(summary_op, GraphKeys.SUMMARY_OP, lambda: builder("summary.merge_all")())
            self._global_step = self._part(global_step, GraphKeys.GLOBAL_STEP, self._default_global_step)
        self._graph_def = self._graph.as_graph_def(add_shapes=True)
        self._saver_def = self._saver.saver_def if self._saver else None
        self._logdir = logdir if is_chief else None
        self._save_summaries_secs = save_summaries_secs if is_chief else None
        self._save_model_secs = save_model_secs if is_chief else None
        self._save_path = os.path.join(self._logdir, checkpoint_basename) if self._logdir else None
        self._summary_writer = None
        if is_chief:
            self._summary_writer = self._default_writer() if self._is_default(summary_writer) else summary_writer
        if session_manager is None:
            session_manager = SessionManager(
                local_init_op=self._local_init_op,
                ready_op=self._ready_op,
                ready_for_local_init_op=self._ready_for_local_init_op,
                graph=self._graph,
                recovery_wait_secs=recovery_wait_secs,
                local_init_run_options=local_init_run_options,
            )
        self._session_manager = session_manager
        self._check_devices()
        self._graph.finalize()

    @staticmethod
    def _is_default(value: Any) -> bool:
        return isinstance(value, int) and value == Supervisor.USE_DEFAULT

    def _part(self, value: Any, key: str, make: Callable[[], Any]) -> Any:
        """What was given, or else the first item of a collection, or else what is made, which is then put there."""
        if not self._is_default(value):
            return value
        found = _first(key)
        if found is None:
            found = make()
            if found is not None:
                get_default_graph().add_to_collection(key, found)
        return found

    def _default_global_step(self) -> Any:
        try:
            step = get_default_graph().get_tensor_by_name("global_step:0")
        except KeyError:
            return None
        if step.dtype.base_dtype.is_integer:
            return step
        logging.warning("Found 'global_step' is not an int type: %s", step.dtype)
        return None

    def _default_writer(self) -> Any:
        if not self._logdir:
            return None
        from ossia_summary.writer import FileWriter

        return FileWriter(self._logdir)

    def _check_devices(self) -> None:
        """With several processes, each variable needs a place."""
        if self._is_chief:
            return
        for op in self._graph.get_operations():
            if op.type in ("Variable", "VariableV2") and not op.device:
                raise ValueError(f"When using replicas, all Variables must have their device set: {op}")

    # -- parts --------------------------------------------------------------------------------------------

    @property
    def is_chief(self) -> bool:
        """Whether this process initialises and saves the model."""
        return self._is_chief

    @property
    def session_manager(self) -> SessionManager:
        """The SessionManager."""
        return self._session_manager

    @property
    def coord(self) -> Coordinator:
        """The Coordinator of the threads."""
        return self._coord

    @property
    def init_op(self) -> Any:
        """The operation that initialises the model."""
        return self._init_op

    @property
    def init_feed_dict(self) -> Any:
        """What is fed to `init_op`."""
        return self._init_feed_dict

    @property
    def ready_op(self) -> Any:
        """The names of what is not ready."""
        return self._ready_op

    @property
    def ready_for_local_init_op(self) -> Any:
        """The names of what the local init op has to wait for."""
        return self._ready_for_local_init_op

    @property
    def summary_writer(self) -> Any:
        """The FileWriter; None without a directory."""
        return self._summary_writer

    @property
    def summary_op(self) -> Any:
        """The summaries, as one string."""
        return self._summary_op

    @property
    def save_summaries_secs(self) -> float | None:
        """Seconds between two summaries."""
        return self._save_summaries_secs

    @property
    def global_step(self) -> Any:
        """The global step."""
        return self._global_step

    @property
    def saver(self) -> Any:
        """The Saver."""
        return self._saver

    @property
    def save_model_secs(self) -> float | None:
        """Seconds between two checkpoints."""
        return self._save_model_secs

    @property
    def save_path(self) -> str | None:
        """What the paths of checkpoints begin with."""
        return self._save_path

    # -- sessions -----------------------------------------------------------------------------------------

    def _write_graph(self) -> None:
        if self._logdir:
            write_graph(self._graph_def, self._logdir, "graph.pbtxt")
        if self._summary_writer and not self._graph_added_to_summary:
            from ossia_checkpoint.meta_graph import export_meta_graph

            meta_graph = export_meta_graph(graph_def=self._graph_def, saver_def=self._saver_def, graph=self._graph)
            self._summary_writer.add_graph(self._graph_def)
            self._summary_writer.add_meta_graph(meta_graph)
            self._graph_added_to_summary = True

    def start_standard_services(self, sess: Any) -> list[LooperThread] | None:
        """Starts the threads that write summaries, measure speed and save checkpoints.

        Returns:
            The threads; None without a directory.

        Raises:
            RuntimeError: This is not the chief.
        """
        if not self._is_chief:
            raise RuntimeError(
                "Only chief supervisor can start standard services. Because only chief supervisors can write events."
            )
        if not self._logdir:
            logging.warning("Standard services need a 'logdir' passed to the SessionManager")
            return None
        if self._global_step is not None and self._summary_writer:
            from ossia_core.proto import SessionLog

            step = step_value(sess, self._global_step)
            self._summary_writer.add_session_log(SessionLog(status=SessionLog.START), step)
        threads: list[LooperThread] = []
        if self._save_summaries_secs and self._summary_writer:
            if self._summary_op is not None:
                threads.append(SummaryThread(self, sess))
            if self._global_step is not None:
                threads.append(StepCounterThread(self, sess))
        if self._saver and self._save_model_secs:
            threads.append(CheckpointThread(self, sess))
        for thread in threads:
            thread.start()
        return threads

    def prepare_or_wait_for_session(
        self,
        master: str = "",
        config: Any = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        start_standard_services: bool = True,
    ) -> Any:
        """A session whose model is ready, with its threads started.

        Args:
            master: The engine to run in; "" is this process.
            config: The ConfigProto of the session.
            wait_for_checkpoint: Whether to wait until there is a checkpoint.
            max_wait_secs: How long to wait at most.
            start_standard_services: Whether to start the services and queue runners.

        Raises:
            RuntimeError: The model is not ready after initialisation.
            DeadlineExceededError: The chief has not made it ready in time.
        """
        self._coord.clear_stop()
        if self._summary_writer:
            self._summary_writer.reopen()
        if self._is_chief:
            sess = self._session_manager.prepare_session(
                master,
                init_op=self._init_op,
                saver=self._saver,
                checkpoint_dir=self._logdir,
                wait_for_checkpoint=wait_for_checkpoint,
                max_wait_secs=max_wait_secs,
                config=config,
                init_feed_dict=self._init_feed_dict,
                init_fn=self._init_fn,
            )
            self._write_graph()
            if start_standard_services:
                logging.info("Starting standard services.")
                self.start_standard_services(sess)
        else:
            sess = self._session_manager.wait_for_session(master, config=config, max_wait_secs=max_wait_secs)
        if start_standard_services:
            logging.info("Starting queue runners.")
            self.start_queue_runners(sess)
        return sess

    def start_queue_runners(self, sess: Any, queue_runners: Iterable[Any] | None = None) -> list:
        """Starts the threads of queue runners, of those in the graph's collection if None; returns the threads."""
        if queue_runners is None:
            queue_runners = self._graph.get_collection(GraphKeys.QUEUE_RUNNERS)
        return [
            thread
            for runner in queue_runners
            for thread in runner.create_threads(sess, coord=self._coord, daemon=True, start=True)
        ]

    def loop(
        self, timer_interval_secs: float | None, target: Callable, args: Sequence[Any] | None = None, kwargs: Any = None
    ) -> LooperThread:
        """Starts a LooperThread of the coordinator; the arguments are those of `LooperThread.loop`."""
        return LooperThread.loop(self._coord, timer_interval_secs, target, args, kwargs)

    def stop(
        self, threads: Iterable[Any] | None = None, close_summary_writer: bool = True, ignore_live_threads: bool = False
    ) -> None:
        """Stops the threads and closes the event file.

        Args:
            threads: Threads to wait for beside those of the coordinator.
            close_summary_writer: Whether to close the FileWriter.
            ignore_live_threads: Whether threads that run beyond the grace period are only logged.

        Raises:
            Exception: The error of a thread.
        """
        self._coord.request_stop()
        try:
            self._coord.join(
                threads, stop_grace_period_secs=self._stop_grace_secs, ignore_live_threads=ignore_live_threads
            )
        finally:
            if close_summary_writer and self._summary_writer:
                from ossia_core.proto import SessionLog

                self._summary_writer.add_session_log(SessionLog(status=SessionLog.STOP))
                self._summary_writer.close()
                self._graph_added_to_summary = False

    def request_stop(self, ex: Any = None) -> None:
        """Asks the threads to stop; see `Coordinator.request_stop`."""
        self._coord.request_stop(ex)

    def should_stop(self) -> bool:
        """Whether a stop was asked for."""
        return self._coord.should_stop()

    def stop_on_exception(self) -> Any:
        """A context manager that turns an exception inside into `request_stop`."""
        return self._coord.stop_on_exception()

    def wait_for_stop(self) -> None:
        """Waits until a stop is asked for."""
        self._coord.wait_for_stop()

    def summary_computed(self, sess: Any, summary: Any, global_step: Any = None) -> None:
        """Writes a summary.

        Args:
            sess: The session, for the global step.
            summary: A Summary, or one serialised.
            global_step: The step; by default the value of the global step.

        Raises:
            RuntimeError: There is no FileWriter.
        """
        if not self._summary_writer:
            raise RuntimeError("Writing a summary requires a summary writer.")
        if global_step is None and self._global_step is not None:
            global_step = step_value(sess, self._global_step)
        self._summary_writer.add_summary(summary, global_step)

    @contextlib.contextmanager
    def managed_session(
        self,
        master: str = "",
        config: Any = None,
        start_standard_services: bool = True,
        close_summary_writer: bool = True,
    ) -> Iterator[Any]:
        """A context manager with a session of `prepare_or_wait_for_session`; at its end everything stops and closes.

        Errors of the threads and of the block are raised there; OutOfRangeError in the block is the end of the input,
        and no error.
        """
        sess = None
        try:
            sess = self.prepare_or_wait_for_session(
                master=master, config=config, start_standard_services=start_standard_services
            )
            yield sess
        except Exception as error:
            self.request_stop(error)
        finally:
            try:
                self.stop(close_summary_writer=close_summary_writer)
            finally:
                if sess is not None:
                    sess.close()

    PrepareSession = prepare_or_wait_for_session
    StartQueueRunners = start_queue_runners
    StartStandardServices = start_standard_services
    Loop = loop
    Stop = stop
    RequestStop = request_stop
    ShouldStop = should_stop
    StopOnException = stop_on_exception
    WaitForStop = wait_for_stop
    SummaryComputed = summary_computed

"""The layers around the `tf.Session` of a monitored session: hooks, threads, recovery."""
from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

from ossia_coordination.coordinator import Coordinator
from ossia_coordination.queue_runner import start_queue_runners
from ossia_core.graph.collections import GraphKeys
from ossia_core.names import errors, logging
from ossia_session.run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues

# What is raised when the other side of a distributed session goes away; the session is then made anew.
PREEMPTION_ERRORS = (errors.AbortedError, errors.UnavailableError)
_ADVICE = (
    "This error may also occur due to a gRPC failure caused by high memory or network bandwidth usage in the parameter "
    "servers. If this error occurs repeatedly, try increasing the number of parameter servers assigned to the job. "
    "Error: %s"
)


class StepContext:
    """What a step function is given: the session, with and without hooks.

    Args:
        session: The `tf.Session`.
        run_with_hooks_fn: The `run` that calls the hooks.
    """

    def __init__(self, session: Any, run_with_hooks_fn: Callable) -> None:
        self._session = session
        self._run_with_hooks_fn = run_with_hooks_fn

    @property
    def session(self) -> Any:
        """The `tf.Session`; its runs do not call hooks."""
        return self._session

    def run_with_hooks(self, *args: Any, **kwargs: Any) -> Any:
        """Like the `run` of the monitored session."""
        return self._run_with_hooks_fn(*args, **kwargs)

    def request_stop(self) -> None:
        """Ends the step function and the `with` block of the monitored session, by raising StopIteration."""
        raise StopIteration("step_fn has requested the iterations to stop.")


class WrappedSession:
    """A session, or a layer around one, with `should_stop`.

    Args:
        sess: A `tf.Session`, what behaves like one, or another layer.
    """

    def __init__(self, sess: Any) -> None:
        self._sess = sess

    @property
    def graph(self) -> Any:
        """The graph of the session."""
        return self._sess.graph

    @property
    def sess_str(self) -> str:
        """Where the session runs."""
        return self._sess.sess_str

    def should_stop(self) -> bool:
        """Whether the loop should end: this layer or one below it says so, or the session is closed."""
        if self._check_stop() or self._sess is None:
            return True
        return isinstance(self._sess, WrappedSession) and self._sess.should_stop()

    def _check_stop(self) -> bool:
        """Whether this layer says so."""
        return False

    def close(self) -> None:
        """Closes the session; that the engine is gone already is logged."""
        if self._sess is not None:
            try:
                self._sess.close()
            except PREEMPTION_ERRORS as error:
                logging.error("An error occurred when attempting to close the session. Error: %s", error)
            finally:
                self._sess = None

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """Like that of `tf.Session`."""
        return self._sess.run(*args, **kwargs)

    def run_step_fn(self, step_fn: Callable, run_with_hooks: Callable | None = None) -> Any:
        """Calls a step function whose `run_with_hooks` is the one given, or `run`."""
        return self._sess.run_step_fn(step_fn, run_with_hooks or self.run)


class HookedSession(WrappedSession):
    """Calls hooks around each run of a session."""

    def __init__(self, sess: Any, hooks: Sequence[SessionRunHook]) -> None:
        super().__init__(sess)
        self._hooks = hooks
        self._should_stop = False

    def _check_stop(self) -> bool:
        return self._should_stop

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Runs, with what the hooks want to run beside it.

        Raises:
            RuntimeError: A stop was asked for, or a tensor is fed twice.
        """
        if self.should_stop():
            raise RuntimeError("Run called even after should_stop requested.")
        context = SessionRunContext(SessionRunArgs(fetches, feed_dict, options), self._sess)
        wanted: dict[Any, Any] = {"caller": fetches}
        feeds: dict = {}
        own_options = None
        for hook in self._hooks:
            request = hook.before_run(context)
            if request is None:
                continue
            if request.fetches is not None:
                wanted[hook] = request.fetches
            if request.feed_dict:
                _check_disjoint(feeds, request.feed_dict, "Same tensor is fed by two hooks.")
                feeds.update(request.feed_dict)
            if request.options:
                own_options = _merge_options(own_options or _copy_options(options), request.options)
        if feeds and feed_dict:
            _check_disjoint(feeds, feed_dict, "Same tensor is fed by a SessionRunHook and user.")
            feeds.update(feed_dict)
        options = own_options or options
        if options is not None and run_metadata is None:
            run_metadata = _message("RunMetadata")
        results = self._sess.run(wanted, feed_dict=feeds or feed_dict, options=options, run_metadata=run_metadata)
        if self._hooks:
            options = options if options is not None else _message("RunOptions")
            run_metadata = run_metadata if run_metadata is not None else _message("RunMetadata")
            for hook in self._hooks:
                hook.after_run(context, SessionRunValues(results.get(hook), options, run_metadata))
        self._should_stop = self._should_stop or context.stop_requested
        return results["caller"]

    def run_step_fn(self, step_fn: Callable, run_with_hooks: Callable | None = None) -> Any:
        """Calls a step function whose `run_with_hooks` is the one given, or `run`."""
        return step_fn(StepContext(self._sess, run_with_hooks or self.run))


def _message(name: str) -> Any:
    from ossia_core import proto

    return getattr(proto, name)()


def _check_disjoint(feeds: dict, more: dict, message: str) -> None:
    both = [key for key in more if key in feeds]
    if both:
        raise RuntimeError(f"{message} Conflict(s): {both}")


def _copy_options(options: Any) -> Any:
    copy = _message("RunOptions")
    if options is not None:
        copy.CopyFrom(options)
    return copy


def _merge_options(options: Any, more: Any) -> Any:
    """The stronger of both in each respect."""
    options.trace_level = max(options.trace_level, more.trace_level)
    options.timeout_in_ms = max(options.timeout_in_ms, more.timeout_in_ms)
    options.inter_op_thread_pool = max(options.inter_op_thread_pool, more.inter_op_thread_pool)
    options.output_partition_graphs = options.output_partition_graphs or more.output_partition_graphs
    options.report_tensor_allocations_upon_oom = (
        options.report_tensor_allocations_upon_oom or more.report_tensor_allocations_upon_oom
    )
    return options


class CoordinatedSession(WrappedSession):
    """A session whose threads (queue runners) stop with it, and whose errors come up in its runs."""

    def __init__(self, sess: Any, coord: Coordinator, stop_grace_period_secs: float = 120) -> None:
        super().__init__(sess)
        self._coord = coord
        self._stop_grace_period_secs = stop_grace_period_secs

    def _check_stop(self) -> bool:
        self._coord.raise_requested_exception()
        return self._coord.should_stop()

    def close(self) -> None:
        """Stops the threads and closes the session; raises the error of a thread."""
        self._coord.request_stop()
        try:
            self._coord.join(stop_grace_period_secs=self._stop_grace_period_secs, ignore_live_threads=True)
        finally:
            # What is worth knowing was raised by the threads.
            with contextlib.suppress(Exception):
                super().close()

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """Like that of the session; where a thread has failed because the engine went away, its error is raised."""
        return self._raising_preemption(lambda: self._sess.run(*args, **kwargs))

    def _raising_preemption(self, run: Callable[[], Any]) -> Any:
        try:
            return run()
        except PREEMPTION_ERRORS:
            raise
        except Exception as error:
            try:
                self._coord.raise_requested_exception()
            except PREEMPTION_ERRORS:
                raise
            except Exception:
                # It comes up when the threads are joined.
                raise error from None
            raise


class CoordinatedCreator:
    """Makes coordinated sessions."""

    def __init__(self, creator: Any, hooks: Sequence[SessionRunHook], stop_grace_period_secs: float) -> None:
        self._creator = creator
        self._hooks = hooks
        self._stop_grace_period_secs = stop_grace_period_secs
        self.tf_sess: Any = None
        self.coord: Coordinator | None = None

    def create_session(self) -> CoordinatedSession:
        """A new session, with its queue runners started and the hooks told of it."""
        self.tf_sess = self._creator.create_session()
        # A thread's OutOfRangeError is kept, so that the run which misses its input can tell why.
        self.coord = Coordinator(clean_stop_exception_types=())
        if self.tf_sess.graph.get_collection(GraphKeys.QUEUE_RUNNERS):
            start_queue_runners(sess=self.tf_sess, coord=self.coord)
        for hook in self._hooks:
            hook.after_create_session(self.tf_sess, self.coord)
        return CoordinatedSession(HookedSession(self.tf_sess, self._hooks), self.coord, self._stop_grace_period_secs)


class RecoverableSession(WrappedSession):
    """A session that is made anew by its creator when its engine goes away (`PREEMPTION_ERRORS`)."""

    def __init__(self, sess_creator: Any) -> None:
        self._creator = sess_creator
        super().__init__(self._create())

    def _create(self) -> Any:
        while True:
            try:
                return self._creator.create_session()
            except PREEMPTION_ERRORS as error:
                logging.info(
                    "An error was raised while a session was being created. This may be due to a preemption of a "
                    f"connected worker or parameter server. A new session will be created. {_ADVICE}",
                    error,
                )

    def _current(self) -> Any:
        if self._sess is None:
            self._sess = self._create()
        return self._sess

    def _check_stop(self) -> bool:
        # Other errors than that of a lost engine come up when the threads are joined.
        try:
            return self._sess is None or isinstance(self._sess, WrappedSession) and self._sess._check_stop()
        except PREEMPTION_ERRORS as error:
            logging.info(
                "An error was raised while considering whether the session is complete. This may be due to a "
                f"preemption in a connected worker or parameter server. {_ADVICE}",
                error,
            )
            self.close()
            self._sess = self._create()
            return False
        except Exception:
            return True

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """Like CoordinatedSession's, again in a new session if the engine went away."""
        return self._retrying(lambda sess: sess.run(*args, **kwargs))

    def run_step_fn(self, step_fn: Callable, run_with_hooks: Callable | None = None) -> Any:
        """Like CoordinatedSession's, again in a new session if the engine went away."""
        return self._retrying(lambda sess: sess.run_step_fn(step_fn, run_with_hooks))

    def _retrying(self, run: Callable[[Any], Any]) -> Any:
        while True:
            try:
                return run(self._current())
            except PREEMPTION_ERRORS as error:
                logging.info(
                    "An error was raised. This may be due to a preemption in a connected worker or parameter server. "
                    f"The current session will be closed and a new session will be created. {_ADVICE}",
                    error,
                )
                self.close()

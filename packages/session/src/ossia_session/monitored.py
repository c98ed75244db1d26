"""`tf.train.MonitoredSession` and what makes one for training."""
from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from ossia_core.graph.stack import get_default_graph
from ossia_core.names import errors
from ossia_core.plugins.api_table import public
from ossia_session.creators import ChiefSessionCreator, SessionCreator, WorkerSessionCreator
from ossia_session.hooks.checkpoint_saver import CheckpointSaverHook
from ossia_session.hooks.step_counter import StepCounterHook
from ossia_session.hooks.summary_saver import SummarySaverHook
from ossia_session.layers import CoordinatedCreator, CoordinatedSession, RecoverableSession, StepContext
from ossia_session.run_hook import SessionRunHook
from ossia_session.scaffold import Scaffold

USE_DEFAULT = object()


class _MonitoredSession:
    """What both monitored sessions share."""

    StepContext = StepContext

    def __init__(
        self,
        session_creator: Any,
        hooks: Sequence[SessionRunHook] | None,
        should_recover: bool,
        stop_grace_period_secs: float = 120,
    ) -> None:
        self._graph_was_finalized = get_default_graph().finalized
        self._hooks = list(hooks or ())
        for hook in self._hooks:
            hook.begin()
        self._coordinated_creator = CoordinatedCreator(
            session_creator or ChiefSessionCreator(), self._hooks, stop_grace_period_secs
        )
        self._sess: RecoverableSession | CoordinatedSession | None = (
            RecoverableSession(self._coordinated_creator)
            if should_recover
            else self._coordinated_creator.create_session()
        )

    @property
    def graph(self) -> Any:
        """The graph; None once the session is closed."""
        return None if self._coordinated_creator.tf_sess is None else self._coordinated_creator.tf_sess.graph

    def _tf_sess(self) -> Any:
        """The `tf.Session` underneath, without the hooks; None once the session is closed."""
        return self._coordinated_creator.tf_sess

    def _open(self) -> RecoverableSession | CoordinatedSession:
        if self._sess is None:
            raise RuntimeError("Session is already closed.")
        return self._sess

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Runs what `fetches` needs, with the hooks around it.

        Args:
            fetches: As for `tf.Session.run`, as are the other arguments.
            feed_dict: Values by tensor.
            options: RunOptions.
            run_metadata: A RunMetadata to be filled.

        Returns:
            The values, in the structure of `fetches`.

        Raises:
            RuntimeError: The session is closed or a hook asked for a stop; and what `tf.Session.run` raises.
        """
        return self._open().run(fetches, feed_dict=feed_dict, options=options, run_metadata=run_metadata)

    def run_step_fn(self, step_fn: Callable) -> Any:
        """Calls a function that makes runs itself, with and without hooks, and returns what it returns.

        Args:
            step_fn: A function of one argument `step_context`, which has the `tf.Session` as `session`,
                `run_with_hooks()`, which is like `run`, and `request_stop()`, which raises StopIteration; or a method
                of `self, step_context`.

        Raises:
            ValueError: The function takes other arguments.
            StopIteration: It called `request_stop()`.
        """
        if not callable(step_fn):
            raise TypeError(f"`step_fn` must be callable, but got {step_fn!r}")
        names = tuple(inspect.signature(step_fn).parameters)
        if names not in (("step_context",), ("self", "step_context")):
            raise ValueError(
                "`step_fn` may either have one `step_context` argument, or `self` and `step_context` arguments if "
                f"it's an instance method. Got {names} instead."
            )
        return self._open().run_step_fn(step_fn)

    def should_stop(self) -> bool:
        """Whether the loop should end: a hook or a thread asked for it, or the session is closed."""
        return self._sess is None or self._sess.should_stop()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, exception_type: type[BaseException] | None, exception_value: Any, traceback: Any) -> bool:
        # The end of the input is how loops usually end.
        clean = exception_type is None or issubclass(exception_type, (errors.OutOfRangeError, StopIteration))
        self._close(call_end=clean)
        return clean and exception_type is not None

    def close(self) -> None:
        """Calls the hooks' `end`, stops the threads and closes the session.

        Raises:
            RuntimeError: The session is closed already.
        """
        self._close(call_end=True)

    def _close(self, call_end: bool) -> None:
        try:
            if call_end:
                if self._sess is None:
                    raise RuntimeError("Session is already closed.")
                for hook in self._hooks:
                    hook.end(self._coordinated_creator.tf_sess)
        finally:
            try:
                if self._sess is not None:
                    self._sess.close()
            finally:
                self._sess = None
                self._coordinated_creator.tf_sess = None
                self._coordinated_creator.coord = None
                if not self._graph_was_finalized:
                    get_default_graph()._unsafe_unfinalize()


@public("train.MonitoredSession")
class MonitoredSession(_MonitoredSession):
    """A session that initialises or restores its model, calls hooks around each run, starts queue runners, and is made
    anew when a distributed engine goes away.

    Used with `with`: leaving the block by OutOfRangeError or StopIteration counts as the end of the input, and is no
        error.

    Args:
        session_creator: A SessionCreator; ChiefSessionCreator() if None.
        hooks: SessionRunHooks.
        stop_grace_period_secs: How long threads may still run when the session closes.

    Example:
        with tf.train.MonitoredSession(hooks=[tf.train.StopAtStepHook(num_steps=10)]) as session:
            while not session.should_stop():
                session.run(train_op)
    """

    def __init__(
        self,
        session_creator: SessionCreator | None = None,
        hooks: Sequence[SessionRunHook] | None = None,
        stop_grace_period_secs: float = 120,
    ) -> None:
        super().__init__(session_creator, hooks, should_recover=True, stop_grace_period_secs=stop_grace_period_secs)


@public("train.SingularMonitoredSession")
class SingularMonitoredSession(_MonitoredSession):
    """Like MonitoredSession, but one `tf.Session` for good, which `raw_session` gives; errors of the engine are raised.

    Args:
        hooks: SessionRunHooks.
        scaffold: A Scaffold; a default one if None.
        master: The engine to run in; "" is this process.
        config: The ConfigProto of the session.
        checkpoint_dir: A directory, whose newest checkpoint is restored.
        stop_grace_period_secs: How long threads may still run when the session closes.
        checkpoint_filename_with_path: A checkpoint to restore, instead.
    """

    def __init__(
        self, hooks: Sequence[SessionRunHook] | None = None, scaffold: Scaffold | None = None, master: str = "",
        config: Any = None, checkpoint_dir: str | None = None, stop_grace_period_secs: float = 120,
        checkpoint_filename_with_path: str | None = None,
    ) -> None:
        creator = ChiefSessionCreator(
            scaffold=scaffold,
            master=master,
            config=config,
            checkpoint_dir=checkpoint_dir,
            checkpoint_filename_with_path=checkpoint_filename_with_path,
        )
        super().__init__(creator, hooks, should_recover=False, stop_grace_period_secs=stop_grace_period_secs)

    def raw_session(self) -> Any:
        """The `tf.Session`."""
        return self._coordinated_creator.tf_sess


@public("train.MonitoredTrainingSession")
def MonitoredTrainingSession(
    master: str = "", is_chief: bool = True, checkpoint_dir: str | None = None, scaffold: Scaffold | None = None,
    hooks: Sequence[SessionRunHook] | None = None, chief_only_hooks: Sequence[SessionRunHook] | None = None,
    save_checkpoint_secs: Any = USE_DEFAULT, save_summaries_steps: Any = USE_DEFAULT,
    save_summaries_secs: Any = USE_DEFAULT, config: Any = None, stop_grace_period_secs: float = 120,
    log_step_count_steps: int | None = 100, max_wait_secs: float = 7200, save_checkpoint_steps: Any = USE_DEFAULT,
    summary_dir: str | None = None, save_graph_def: bool = True,
) -> MonitoredSession:
    """A MonitoredSession that saves checkpoints and summaries and logs its speed, or waits for one that does.

    Args:
        master: The engine to run in; "" is this process.
        is_chief: Whether this process initialises and saves the model; others wait for it.
        checkpoint_dir: Directory of the checkpoints; the newest is restored. None saves nothing.
        scaffold: A Scaffold; a default one if None.
        hooks: SessionRunHooks.
        chief_only_hooks: Hooks for the chief, called before the others.
        save_checkpoint_secs: Seconds between two checkpoints; 600 if steps are not given either.
        save_summaries_steps: Steps between two summaries; 100 if seconds are not given either.
        save_summaries_secs: Seconds between two summaries.
        config: The ConfigProto of the session.
        stop_grace_period_secs: How long threads may still run when the session closes.
        log_step_count_steps: Steps between two logs of the speed; None logs none.
        max_wait_secs: How long others than the chief wait for it.
        save_checkpoint_steps: Steps between two checkpoints.
        summary_dir: Directory of the event file, `checkpoint_dir` by default.
        save_graph_def: Whether to write `graph.pbtxt`, and a meta graph beside each checkpoint.

    Raises:
        ValueError: Both seconds and steps are given for checkpoints or summaries.
        RuntimeError: There is a directory, but the graph has no global step.
    """
    save_summaries_steps, save_summaries_secs = _interval(save_summaries_steps, save_summaries_secs, 100, None)
    save_checkpoint_steps, save_checkpoint_secs = _interval(save_checkpoint_steps, save_checkpoint_secs, None, 600)
    scaffold = scaffold or Scaffold()
    creator: SessionCreator
    if not is_chief:
        creator = WorkerSessionCreator(scaffold=scaffold, master=master, config=config, max_wait_secs=max_wait_secs)
        return MonitoredSession(creator, hooks=hooks or [], stop_grace_period_secs=stop_grace_period_secs)
    all_hooks = list(chief_only_hooks or ())
    creator = ChiefSessionCreator(scaffold=scaffold, checkpoint_dir=checkpoint_dir, master=master, config=config)
    summary_dir = summary_dir or checkpoint_dir
    if summary_dir:
        if log_step_count_steps and log_step_count_steps > 0:
            all_hooks.append(StepCounterHook(output_dir=summary_dir, every_n_steps=log_step_count_steps))
        if _positive(save_summaries_steps) or _positive(save_summaries_secs):
            all_hooks.append(
                SummarySaverHook(
                    scaffold=scaffold,
                    save_steps=save_summaries_steps,
                    save_secs=save_summaries_secs,
                    output_dir=summary_dir,
                )
            )
    if checkpoint_dir and (_positive(save_checkpoint_secs) or _positive(save_checkpoint_steps)):
        all_hooks.append(
            CheckpointSaverHook(
                checkpoint_dir, save_steps=save_checkpoint_steps, save_secs=save_checkpoint_secs, scaffold=scaffold,
                save_graph_def=save_graph_def,
            )
        )
    all_hooks.extend(hooks or ())
    return MonitoredSession(creator, hooks=all_hooks, stop_grace_period_secs=stop_grace_period_secs)


def _interval(steps: Any, secs: Any, default_steps: int | None, default_secs: int | None) -> tuple[Any, Any]:
    """Steps and seconds, with the defaults where neither is given."""
    if steps is USE_DEFAULT and secs is USE_DEFAULT:
        return default_steps, default_secs
    return None if steps is USE_DEFAULT else steps, None if secs is USE_DEFAULT else secs


def _positive(value: Any) -> bool:
    return bool(value and value > 0)

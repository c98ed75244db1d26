"""What hooks are made of: the base class, and what they are told about a run."""
from __future__ import annotations

from typing import Any, NamedTuple

from ossia_core.plugins.api_table import public


@public("train.SessionRunArgs", "estimator.SessionRunArgs", "compat.v2.estimator.SessionRunArgs")
class SessionRunArgs(NamedTuple):
    """What to add to a run, or what the caller of the run asked for.

    Attributes:
        fetches: Anything `Session.run` takes; None fetches nothing.
        feed_dict: Values by tensor.
        options: RunOptions.
    """

    fetches: Any
    feed_dict: Any = None
    options: Any = None


@public("train.SessionRunValues", "estimator.SessionRunValues", "compat.v2.estimator.SessionRunValues")
class SessionRunValues(NamedTuple):
    """What came of a run.

    Attributes:
        results: The values of the hook's own fetches, in their structure; None if it fetched nothing.
        options: The RunOptions of the run.
        run_metadata: The RunMetadata of the run.
    """

    results: Any
    options: Any
    run_metadata: Any


@public("train.SessionRunContext", "estimator.SessionRunContext", "compat.v2.estimator.SessionRunContext")
class SessionRunContext:
    """One run: what was asked for, in which session, and a way to say that it should be the last."""

    def __init__(self, original_args: SessionRunArgs, session: Any) -> None:
        self._original_args = original_args
        self._session = session
        self._stop_requested = False

    @property
    def original_args(self) -> SessionRunArgs:
        """What the program asked for, as SessionRunArgs."""
        return self._original_args

    @property
    def session(self) -> Any:
        """The session that runs it, a `tf.Session`."""
        return self._session

    @property
    def stop_requested(self) -> bool:
        """Whether `request_stop` was called."""
        return self._stop_requested

    def request_stop(self) -> None:
        """Ends the loop of the program after this run: the session's `should_stop()` becomes true."""
        self._stop_requested = True


@public("train.SessionRunHook", "estimator.SessionRunHook", "compat.v2.estimator.SessionRunHook")
class SessionRunHook:
    """Something that happens around the runs of a monitored session; a subclass defines the methods it needs.

    Example:
        class Counter(tf.train.SessionRunHook):
            def begin(self):
                self.runs = 0

            def after_run(self, run_context, run_values):
                self.runs += 1
                if self.runs == 10:
                    run_context.request_stop()
    """

    def begin(self) -> None:
        """Called once, before the session is made: the last chance to add to the default graph."""

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Called when a session was made: at first, and again each time that it was recovered.

        Args:
            session: The `tf.Session`, initialised or restored; its graph is finalised.
            coord: The Coordinator of its threads.
        """

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Called before each run.

        Returns:
            SessionRunArgs to add to the run, or None.
        """
        return None

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Called after each run that succeeded, with the values of what `before_run` asked for."""

    def end(self, session: Any) -> None:
        """Called once with the `tf.Session` before it closes, unless the loop ended with an error."""

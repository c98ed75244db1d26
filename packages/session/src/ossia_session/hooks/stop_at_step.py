"""The hook that ends training at a step."""
from __future__ import annotations

from typing import Any

from ossia_core.plugins.api_table import provides, public
from ossia_session.hooks.step_reading import global_step_read
from ossia_session.run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues


@public("estimator.StopAtStepHook", "compat.v2.estimator.StopAtStepHook")
@provides("ossia_session_hooks", "StopAtStepHook")
class StopAtStepHook(SessionRunHook):
    """Stops at a global step.

    Args:
        num_steps: How many steps to make from where the session starts.
        last_step: The step to stop at, whatever the session starts from; exactly one of both is given.

    Raises:
        ValueError: Both are given, or neither.
    """

    def __init__(self, num_steps: int | None = None, last_step: int | None = None) -> None:
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._num_steps = num_steps
        self._last_step = last_step

    @property
    def last_step(self) -> int | None:
        """The step to stop at; None before the session says from where it starts."""
        return self._last_step

    def begin(self) -> None:
        self._global_step_tensor = global_step_read("StopAtStepHook")

    def after_create_session(self, session: Any, coord: Any) -> None:
        if self._last_step is None:
            self._last_step = session.run(self._global_step_tensor) + self._num_steps

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._global_step_tensor)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        # The step was read before the run increased it, so it is read again when it may be the last.
        if (
            run_values.results + 1 >= self._last_step
            and run_context.session.run(self._global_step_tensor) >= self._last_step
        ):
            run_context.request_stop()

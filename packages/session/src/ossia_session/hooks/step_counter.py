"""The hook that measures speed."""
from __future__ import annotations

from typing import Any

from ossia_core.names import logging
from ossia_core.plugins.api_table import provides, public
from ossia_ops.state.global_step import get_global_step
from ossia_session.hooks.step_reading import global_step_read
from ossia_session.hooks.timer import SecondOrStepTimer
from ossia_session.run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues

_MAX_WARNINGS = 5


@public("estimator.StepCounterHook", "compat.v2.estimator.StepCounterHook")
@provides("ossia_session_hooks", "StepCounterHook")
class StepCounterHook(SessionRunHook):
    """Logs how many steps are made per second, and writes it as a summary.

    Args:
        every_n_steps: Steps between two measurements.
        every_n_secs: Seconds between two measurements; exactly one of both is given.
        output_dir: Directory of the event file.
        summary_writer: A FileWriter to write to instead; without both, it is logged only.

    Raises:
        ValueError: Both or neither of the first two are given.
    """

    def __init__(
        self,
        every_n_steps: int | None = 100,
        every_n_secs: float | None = None,
        output_dir: str | None = None,
        summary_writer: Any = None,
    ) -> None:
        if (every_n_steps is None) == (every_n_secs is None):
            raise ValueError("exactly one of every_n_steps and every_n_secs should be provided.")
        self._timer = SecondOrStepTimer(every_steps=every_n_steps, every_secs=every_n_secs)
        self._summary_writer = summary_writer
        self._output_dir = output_dir
        self._last_global_step: int | None = None
        self._steps_per_run = 1
        self._warnings = 0

    def _set_steps_per_run(self, steps_per_run: int) -> None:
        """Says that each run makes several steps, as on devices that loop by themselves."""
        self._steps_per_run = steps_per_run

    def begin(self) -> None:
        if self._summary_writer is None and self._output_dir:
            from ossia_summary.writer import FileWriterCache

            self._summary_writer = FileWriterCache.get(self._output_dir)
        self._global_step_tensor = global_step_read("StepCounterHook")
        self._summary_tag = get_global_step().op.name + "/sec"

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._global_step_tensor)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        before = run_values.results
        if self._timer.should_trigger_for_step(before + self._steps_per_run):
            step = run_context.session.run(self._global_step_tensor)
            if self._timer.should_trigger_for_step(step):
                seconds, steps = self._timer.update_last_triggered_step(step)
                if seconds is not None and steps is not None:
                    self._log_and_record(steps, seconds, step)
        self._warn_if_stuck(before)
        self._last_global_step = before

    def _log_and_record(self, elapsed_steps: int, elapsed_time: float, global_step: int) -> None:
        speed = elapsed_steps / elapsed_time if elapsed_time > 0 else float("inf")
        if self._summary_writer is not None:
            from ossia_core.proto import Summary

            summary = Summary(value=[Summary.Value(tag=self._summary_tag, simple_value=speed)])
            self._summary_writer.add_summary(summary, global_step)
        logging.info("%s: %g", self._summary_tag, speed)

    def _warn_if_stuck(self, step: int) -> None:
        if step == self._last_global_step and self._warnings < _MAX_WARNINGS:
            self._warnings += 1
            logging.warning(
                "It seems that global step (tf.train.get_global_step) has not been increased. Current value (could be "
                "stable): %s vs previous value: %s. You could increase the global step by passing "
                "tf.train.get_global_step() to Optimizer.apply_gradients or Optimizer.minimize.",
                step,
                self._last_global_step,
            )

"""The hook that writes summaries."""
from __future__ import annotations

from typing import Any

from ossia_core.plugins.api_table import provides, public
from ossia_session.hooks.step_reading import global_step_read
from ossia_session.hooks.timer import SecondOrStepTimer
from ossia_session.run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues


@public("estimator.SummarySaverHook", "compat.v2.estimator.SummarySaverHook")
@provides("ossia_session_hooks", "SummarySaverHook")
class SummarySaverHook(SessionRunHook):
    """Writes the summaries of a graph to an event file.

    Args:
        save_steps: Steps between two summaries.
        save_secs: Seconds between two summaries; exactly one of both is given.
        output_dir: Directory of the event file.
        summary_writer: A FileWriter to write to instead.
        scaffold: A Scaffold, whose `summary_op` is taken.
        summary_op: A summary tensor, or a list of them; exactly one of scaffold and this is given.

    Raises:
        ValueError: One of the choices is not made, or made twice.
    """

    def __init__(
        self,
        save_steps: int | None = None,
        save_secs: float | None = None,
        output_dir: str | None = None,
        summary_writer: Any = None,
        scaffold: Any = None,
        summary_op: Any = None,
    ) -> None:
        if (scaffold is None) == (summary_op is None):
            raise ValueError("Exactly one of scaffold or summary_op must be provided.")
        self._summary_op = summary_op
        self._summary_writer = summary_writer
        self._output_dir = output_dir
        self._scaffold = scaffold
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)

    def begin(self) -> None:
        if self._summary_writer is None and self._output_dir:
            from ossia_summary.writer import FileWriterCache

            self._summary_writer = FileWriterCache.get(self._output_dir)
        self._next_step: int | None = None
        self._global_step_tensor = global_step_read("SummarySaverHook")

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        self._request_summary = self._next_step is None or self._timer.should_trigger_for_step(self._next_step)
        requests = {"global_step": self._global_step_tensor}
        if self._request_summary:
            summaries = self._summaries()
            if summaries is not None:
                requests["summary"] = summaries
        return SessionRunArgs(requests)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if not self._summary_writer:
            return
        step = run_values.results["global_step"] + 1
        if self._next_step is None or self._request_summary:
            step = run_context.session.run(self._global_step_tensor)
        if self._next_step is None:
            from ossia_core.proto import SessionLog

            self._summary_writer.add_session_log(SessionLog(status=SessionLog.START), step)
        if self._request_summary:
            self._timer.update_last_triggered_step(step)
            for summary in run_values.results.get("summary", ()):
                self._summary_writer.add_summary(summary, step)
        self._next_step = step + 1

    def end(self, session: Any = None) -> None:
        if self._summary_writer:
            self._summary_writer.flush()

    def _summaries(self) -> list | None:
        summary = self._summary_op if self._summary_op is not None else self._scaffold.summary_op
        if summary is None:
            return None
        return summary if isinstance(summary, list) else [summary]

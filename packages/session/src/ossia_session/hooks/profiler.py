"""The hook that traces runs."""
from __future__ import annotations

import os
from typing import Any

from ossia_core.files import file_system
from ossia_core.names import logging
from ossia_core.plugins.api_table import provides, public
from ossia_session.hooks.step_reading import global_step_read
from ossia_session.hooks.timeline import chrome_trace
from ossia_session.hooks.timer import SecondOrStepTimer
from ossia_session.run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues


@public("estimator.ProfilerHook", "compat.v2.estimator.ProfilerHook")
@provides("ossia_session_hooks", "ProfilerHook")
class ProfilerHook(SessionRunHook):
    """Traces a run every so many steps or seconds, and writes `timeline-<step>.json`, which chrome://tracing shows.

    Args:
        save_steps: Steps between two traces.
        save_secs: Seconds between two traces; exactly one of both is given.
        output_dir: The directory.
        show_dataflow: Whether the timeline has arrows between ops.
        show_memory: Whether it has the bytes of values.

    Raises:
        ValueError: Both or neither of the first two are given.
    """

    def __init__(
        self,
        save_steps: int | None = None,
        save_secs: float | None = None,
        output_dir: str = "",
        show_dataflow: bool = True,
        show_memory: bool = False,
    ) -> None:
        self._output_dir = output_dir
        self._show_dataflow = show_dataflow
        self._show_memory = show_memory
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)

    def begin(self) -> None:
        from ossia_summary.writer import FileWriterCache

        self._next_step: int | None = None
        self._file_writer = FileWriterCache.get(self._output_dir)
        self._global_step_tensor = global_step_read("ProfilerHook")

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        self._request_trace = self._next_step is not None and self._timer.should_trigger_for_step(self._next_step)
        options = None
        if self._request_trace:
            from ossia_core.proto import RunOptions

            options = RunOptions(trace_level=RunOptions.FULL_TRACE)
        return SessionRunArgs({"global_step": self._global_step_tensor}, options=options)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        stale = run_values.results["global_step"]
        if self._next_step is None:
            self._timer.update_last_triggered_step(stale)  # the first trace comes after so many steps, too
        step = stale + 1
        if self._request_trace:
            step = run_context.session.run(self._global_step_tensor)
            self._timer.update_last_triggered_step(step)
            self._save(step, run_values.run_metadata)
            self._file_writer.add_run_metadata(run_values.run_metadata, f"step_{step}")
        self._next_step = step + 1

    def _save(self, step: int, run_metadata: Any) -> None:
        path = os.path.join(self._output_dir, f"timeline-{step}.json")
        logging.info("Saving timeline for %d into '%s'.", step, path)
        trace = chrome_trace(run_metadata.step_stats, self._show_dataflow, self._show_memory)
        with file_system(path).open(path, "wb") as file:
            file.write(trace.encode())

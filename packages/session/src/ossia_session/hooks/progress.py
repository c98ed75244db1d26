"""The hook that shows how far training is."""
from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Any, TextIO

from ossia_core.graph.collections import GraphKeys, get_collection
from ossia_core.plugins.api_table import provides
from ossia_ops.state.global_step import get_global_step
from ossia_session.hooks.stop_at_step import StopAtStepHook
from ossia_session.run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues

_WIDTH = 24  # of the bar, in characters


@provides("ossia_session_hooks", "ProgressHook")
class ProgressHook(SessionRunHook):
    """Draws a line with a bar, the step, the loss, the speed and the time that is left, where there is a terminal.

    The hook adds nothing to the graph. Without a global step it counts runs.

    Args:
        total_steps: The step at which training ends; None if only `hooks` may tell.
        loss: A scalar tensor, or its name; by default the last of the graph's losses.
        hooks: Hooks of the session, of which a StopAtStepHook tells the step at which training ends.
        every_n_secs: Seconds between two drawings.
        stream: Where to draw, by default standard error; nothing is drawn where it is no terminal.
    """

    def __init__(
        self, total_steps: int | None = None, loss: Any = None, hooks: Sequence[SessionRunHook] = (),
        every_n_secs: float = 0.2, stream: TextIO | None = None,
    ) -> None:
        self._total, self._loss, self._hooks = total_steps, loss, hooks
        self._every_n_secs = every_n_secs
        self._stream = stream or sys.stderr

    def begin(self) -> None:
        self._draws = self._stream.isatty()
        self._fetches: dict[str, Any] = {}
        self._runs = 0
        self._first: tuple[int, float] | None = None
        self._drawn_at, self._last_length = 0.0, 0
        if not self._draws:
            return
        step = get_global_step()
        if step is not None:
            self._fetches["step"] = step
        losses = [self._loss] if self._loss is not None else get_collection(GraphKeys.LOSSES)[-1:]
        if losses:
            self._fetches["loss"] = losses[0]

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        return SessionRunArgs(self._fetches) if self._fetches else None

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if not self._draws:
            return
        self._runs += 1
        results = run_values.results or {}
        step, now = int(results.get("step", self._runs)), time.monotonic()
        if self._first is None:
            self._first = step, now
        self._last = step, results.get("loss"), now
        if now - self._drawn_at >= self._every_n_secs:
            self._drawn_at = now
            self._draw(*self._last)

    def end(self, session: Any) -> None:
        if self._draws and self._first is not None:
            self._draw(*self._last)
            self._stream.write("\n")
            self._stream.flush()

    def _draw(self, step: int, loss: Any, now: float) -> None:
        assert self._first is not None
        start, since = self._first
        speed = (step - start) / (now - since) if now > since else 0.0
        total = self._total or next(
            (hook.last_step for hook in self._hooks if isinstance(hook, StopAtStepHook) and hook.last_step), None
        )
        parts = [f"step {step}" + (f"/{total}" if total else "")]
        if total:
            done = min(1.0, step / total)
            filled = int(done * _WIDTH)
            parts.insert(0, f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {done:4.0%}")
        if loss is not None:
            parts.append(f"loss {float(loss):.4g}")
        if speed:
            parts.append(f"{speed:.1f} steps/s")
            if total:
                parts.append(f"{_clock((total - step) / speed)} left")
        line = "  ".join(parts)
        self._stream.write("\r" + line.ljust(self._last_length))
        self._stream.flush()
        self._last_length = len(line)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(max(0.0, seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"

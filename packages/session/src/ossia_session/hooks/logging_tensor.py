"""The hook that logs values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ossia_core.graph.stack import get_default_graph
from ossia_core.names import logging
from ossia_core.plugins.api_table import provides, public
from ossia_session.hooks.timer import NeverTimer, SecondOrStepTimer
from ossia_session.run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues


@public("estimator.LoggingTensorHook", "compat.v2.estimator.LoggingTensorHook")
@provides("ossia_session_hooks", "LoggingTensorHook")
class LoggingTensorHook(SessionRunHook):
    """Logs values of tensors at level INFO, every so many runs or seconds, or at the end.

    Args:
        tensors: Tensors or names of tensors by label, or a list of them.
        every_n_iter: Runs of this session between two logs.
        every_n_secs: Seconds between two logs.
        at_end: Whether to log when the session ends, too; alone, it logs then only.
        formatter: A function from the values by label to the text.

    Raises:
        ValueError: It is not said when to log, or said twice, or `every_n_iter` is not positive.
    """

    def __init__(
        self,
        tensors: Any,
        every_n_iter: int | None = None,
        every_n_secs: float | None = None,
        at_end: bool = False,
        formatter: Callable[[dict], str] | None = None,
    ) -> None:
        only_at_end = at_end and every_n_iter is None and every_n_secs is None
        if not only_at_end and (every_n_iter is None) == (every_n_secs is None):
            raise ValueError("either at_end and/or exactly one of every_n_iter and every_n_secs must be provided.")
        if every_n_iter is not None and every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        if isinstance(tensors, dict):
            self._tag_order: Sequence[Any] = sorted(tensors)
            self._tensors = tensors
        else:
            self._tag_order = tensors
            self._tensors = {item: item for item in tensors}
        self._formatter = formatter
        self._timer = (
            NeverTimer() if only_at_end else SecondOrStepTimer(every_secs=every_n_secs, every_steps=every_n_iter)
        )
        self._log_at_end = at_end

    def begin(self) -> None:
        self._timer.reset()
        self._iter_count = 0
        element = get_default_graph().as_graph_element
        self._current_tensors = {tag: _element(element, tensor) for tag, tensor in self._tensors.items()}

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        self._should_trigger = self._timer.should_trigger_for_step(self._iter_count)
        return SessionRunArgs(self._current_tensors) if self._should_trigger else None

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if self._should_trigger:
            self._log(run_values.results)
        self._iter_count += 1

    def end(self, session: Any) -> None:
        if self._log_at_end:
            self._log(session.run(self._current_tensors))

    def _log(self, values: dict) -> None:
        elapsed, _ = self._timer.update_last_triggered_step(self._iter_count)
        if self._formatter:
            logging.info(self._formatter(values))
            return
        with np.printoptions(suppress=True):
            text = ", ".join([f"{tag} = {values[tag]!s}" for tag in self._tag_order])
        logging.info("%s" if elapsed is None else f"%s ({elapsed:.3f} sec)", text)


def _element(as_graph_element: Callable[[Any], Any], item: Any) -> Any:
    """The tensor or operation for something that a program names as such."""
    return item if hasattr(item, "graph") and not hasattr(item, "_as_graph_element") else as_graph_element(item)

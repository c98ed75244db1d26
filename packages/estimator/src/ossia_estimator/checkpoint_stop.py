"""`tf.estimator.experimental.make_stop_at_checkpoint_step_hook`: workers stop once the last step is saved."""
from __future__ import annotations

import time
from typing import Any

from ossia_checkpoint.reader import load_checkpoint
from ossia_checkpoint.state import latest_checkpoint
from ossia_core.graph.collections import GraphKeys
from ossia_core.names import logging
from ossia_core.plugins.api_table import public
from ossia_ops.state.global_step import get_global_step
from ossia_session.hooks.stop_at_step import StopAtStepHook
from ossia_session.run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues


@public(
    "estimator.experimental.make_stop_at_checkpoint_step_hook",
    "compat.v2.estimator.experimental.make_stop_at_checkpoint_step_hook",
)
def make_stop_at_checkpoint_step_hook(
    estimator: Any, last_step: int, wait_after_file_check_secs: float = 30
) -> SessionRunHook:
    """A hook that stops the chief at a step, and workers once a checkpoint of that step is there.

    Args:
        estimator: The estimator.
        last_step: The global step.
        wait_after_file_check_secs: How long a worker waits after it has found no such checkpoint.
    """
    if estimator.config.is_chief:
        return StopAtStepHook(last_step=last_step)
    return _StopAtCheckpointStep(estimator.model_dir, last_step, wait_after_file_check_secs)


class _StopAtCheckpointStep(SessionRunHook):
    def __init__(self, model_dir: str, last_step: int, wait_secs: float) -> None:
        if last_step is None:
            raise ValueError("last_step must be specified.")
        if model_dir is None:
            raise ValueError("model_dir must be specified.")
        self._model_dir = model_dir
        self._last_step = last_step
        self._wait_secs = wait_secs

    def begin(self) -> None:
        self._step = get_global_step()
        if self._step is None:
            raise RuntimeError("Global step should be created to use _StopAtCheckpointStepHook.")

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        # The value is that before the step, which others may have made in the meantime.
        if run_values.results + 1 < self._last_step:
            return
        found = latest_checkpoint(self._model_dir)
        saved = int(load_checkpoint(found).get_tensor(GraphKeys.GLOBAL_STEP)) if found else 0
        if saved >= self._last_step:
            run_context.request_stop()
        else:
            logging.info("Checkpoint of step %s is not there yet, only of %s.", self._last_step, saved)
            time.sleep(self._wait_secs)

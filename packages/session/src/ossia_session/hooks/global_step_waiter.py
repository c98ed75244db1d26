"""The hook that lets workers start one after the other."""
from __future__ import annotations

import time

from ossia_core.names import logging
from ossia_core.plugins.api_table import provides, public
from ossia_session.hooks.step_reading import global_step_read
from ossia_session.run_hook import SessionRunArgs, SessionRunContext, SessionRunHook

_POLL_SECONDS = 0.5
_LOG_EVERY_STEPS = 1000


@public("estimator.GlobalStepWaiterHook", "compat.v2.estimator.GlobalStepWaiterHook")
@provides("ossia_session_hooks", "GlobalStepWaiterHook")
class GlobalStepWaiterHook(SessionRunHook):
    """Holds the first run back until other workers have brought the global step so far.

    Args:
        wait_until_step: The step to wait for.
    """

    def __init__(self, wait_until_step: int) -> None:
        self._wait_until_step = wait_until_step

    def begin(self) -> None:
        self._worker_is_started = False
        self._global_step_tensor = global_step_read("_GlobalStepWaiterHook")

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        if self._worker_is_started or self._wait_until_step <= 0:
            self._worker_is_started = True
            return None
        logging.info("Waiting for global step %d before starting training.", self._wait_until_step)
        last_logged = 0
        while (step := run_context.session.run(self._global_step_tensor)) < self._wait_until_step:
            if step - last_logged > _LOG_EVERY_STEPS:
                last_logged = step
                logging.info(
                    "Waiting for global step %d before starting training. Current step is %d.",
                    self._wait_until_step,
                    step,
                )
            time.sleep(_POLL_SECONDS)
        self._worker_is_started = True
        logging.info("Done waiting.")
        return None

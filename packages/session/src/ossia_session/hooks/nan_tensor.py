"""The hook that notices when a loss is no number any more."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.names import logging
from ossia_core.plugins.api_table import provides, public
from ossia_session.run_hook import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues


@public(
    "train.NanLossDuringTrainingError",
    "estimator.NanLossDuringTrainingError",
    "compat.v2.estimator.NanLossDuringTrainingError",
)
class NanLossDuringTrainingError(RuntimeError):
    """The loss became NaN."""

    def __str__(self) -> str:
        return "NaN loss during training."


@public("estimator.NanTensorHook", "compat.v2.estimator.NanTensorHook")
@provides("ossia_session_hooks", "NanTensorHook")
class NanTensorHook(SessionRunHook):
    """Ends training when a tensor becomes NaN.

    Args:
        loss_tensor: The tensor, of one element.
        fail_on_nan_loss: Whether to raise NanLossDuringTrainingError; else training stops.
    """

    def __init__(self, loss_tensor: Any, fail_on_nan_loss: bool = True) -> None:
        self._loss_tensor = loss_tensor
        self._fail_on_nan_loss = fail_on_nan_loss

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._loss_tensor)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if not np.isnan(run_values.results):
            return
        if self._fail_on_nan_loss:
            logging.error("Model diverged with loss = NaN.")
            raise NanLossDuringTrainingError
        logging.warning("Model diverged with loss = NaN.")
        run_context.request_stop()

"""The threads of a supervisor: summaries, steps per second, checkpoints."""
from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from ossia_coordination.coordinator import LooperThread
from ossia_core.names import logging
from ossia_ops.state.global_step import global_step as step_value

if TYPE_CHECKING:
    from ossia_session.supervisor import Supervisor


class SummaryThread(LooperThread):
    """Writes the summaries of a supervisor."""

    def __init__(self, supervisor: Supervisor, sess: Any) -> None:
        super().__init__(supervisor.coord, supervisor.save_summaries_secs)
        self._supervisor, self._sess = supervisor, sess

    def run_loop(self) -> None:
        supervisor = self._supervisor
        if supervisor.global_step is not None:
            summary, step = self._sess.run([supervisor.summary_op, supervisor.global_step])
        else:
            summary, step = self._sess.run(supervisor.summary_op), None
        if supervisor.summary_writer:
            logging.info("Recording summary at step %s.", step)
            supervisor.summary_writer.add_summary(summary, step)


class StepCounterThread(LooperThread):
    """Measures the steps per second of a supervisor."""

    def __init__(self, supervisor: Supervisor, sess: Any) -> None:
        super().__init__(supervisor.coord, supervisor.save_summaries_secs)
        self._supervisor, self._sess = supervisor, sess
        self._tag = f"{supervisor.global_step.op.name}/sec"

    def start_loop(self) -> None:
        self._last_time, self._last_step = time.time(), step_value(self._sess, self._supervisor.global_step)

    def run_loop(self) -> None:
        from ossia_core.proto import Summary

        step, now = step_value(self._sess, self._supervisor.global_step), time.time()
        seconds = now - self._last_time
        speed = (step - self._last_step) / seconds if seconds else float("inf")
        self._last_time, self._last_step = now, step
        if self._supervisor.summary_writer:
            summary = Summary(value=[Summary.Value(tag=self._tag, simple_value=speed)])
            self._supervisor.summary_writer.add_summary(summary, step)
        logging.info("%s: %g", self._tag, speed)


class CheckpointThread(LooperThread):
    """Saves the checkpoints of a supervisor."""

    def __init__(self, supervisor: Supervisor, sess: Any) -> None:
        super().__init__(supervisor.coord, supervisor.save_model_secs)
        self._supervisor, self._sess = supervisor, sess

    def run_loop(self) -> None:
        supervisor = self._supervisor
        logging.info("Saving checkpoint to path %s", supervisor.save_path)
        supervisor.saver.save(self._sess, supervisor.save_path, global_step=supervisor.global_step)
        if supervisor.summary_writer and supervisor.global_step is not None:
            from ossia_core.proto import SessionLog

            log = SessionLog(status=SessionLog.CHECKPOINT, checkpoint_path=supervisor.save_path)
            supervisor.summary_writer.add_session_log(log, step_value(self._sess, supervisor.global_step))

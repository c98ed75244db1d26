"""`training.evaluation`: a checkpoint, evaluated as often as hooks ask for."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import ossia as tf
from ossia_tensorflow_paths.python.training import basic_session_run_hooks as multi_step


def _get_or_create_eval_step() -> Any:
    """The local variable that counts evaluations.

    Raises:
        ValueError: There are several.
    """
    found = tf.get_collection(tf.GraphKeys.EVAL_STEP)
    if len(found) > 1:
        raise ValueError("Multiple tensors added to tf.GraphKeys.EVAL_STEP")
    if found:
        return found[0]
    return tf.get_variable(
        "eval_step", shape=[], dtype=tf.int64, initializer=tf.zeros_initializer(), trainable=False,
        collections=[tf.GraphKeys.LOCAL_VARIABLES, tf.GraphKeys.EVAL_STEP],
    )


def _get_latest_eval_step_value(update_ops: Any) -> Any:
    """How many evaluations there have been once `update_ops` have run."""
    if isinstance(update_ops, dict):
        update_ops = list(update_ops.values())
    with tf.control_dependencies(update_ops):
        return tf.identity(_get_or_create_eval_step().read_value())


class _StopAfterNEvalsHook(tf.train.SessionRunHook):
    """Stops after so many evaluations, never if that is None."""

    def __init__(self, num_evals: int | None, log_progress: bool = True) -> None:
        self._num_evals = num_evals
        self._evals_completed: Any = None
        self._log_progress = log_progress
        self._log_frequency = 1 if num_evals is None or num_evals < 20 else math.floor(num_evals / 10.0)

    def _set_evals_completed_tensor(self, updated_eval_step: Any) -> None:
        self._evals_completed = updated_eval_step

    def before_run(self, run_context: Any) -> Any:
        return tf.train.SessionRunArgs({"evals_completed": self._evals_completed})

    def after_run(self, run_context: Any, run_values: Any) -> None:
        completed = run_values.results["evals_completed"]
        if self._log_progress:
            if self._num_evals is None:
                tf.logging.info("Evaluation [%d]", completed)
            elif completed % self._log_frequency == 0 or completed == self._num_evals:
                tf.logging.info("Evaluation [%d/%d]", completed, self._num_evals)
        if self._num_evals is not None and completed >= self._num_evals:
            run_context.request_stop()


class _MultiStepStopAfterNEvalsHook(tf.train.SessionRunHook):
    """Stops after so many evaluations, of which each run makes several."""

    def __init__(self, num_evals: int, steps_per_run: int = 1) -> None:
        self._num_evals = num_evals
        self._evals_completed: Any = None
        self._steps_per_run_initial_value = steps_per_run

    def _set_evals_completed_tensor(self, updated_eval_step: Any) -> None:
        self._evals_completed = updated_eval_step

    def begin(self) -> None:
        self._steps_per_run_variable = multi_step.get_or_create_steps_per_run_variable()

    def after_create_session(self, session: Any, coord: Any) -> None:
        self._set_steps(0, session)

    def before_run(self, run_context: Any) -> Any:
        return tf.train.SessionRunArgs({"evals_completed": self._evals_completed})

    def after_run(self, run_context: Any, run_values: Any) -> None:
        completed = run_values.results["evals_completed"]
        tf.logging.info("Evaluation [%d/%d]", completed, self._num_evals)
        self._set_steps(completed, run_context.session)
        if completed >= self._num_evals:
            run_context.request_stop()

    def _set_steps(self, completed: int, session: Any) -> None:
        steps = min(self._num_evals - completed, self._steps_per_run_initial_value)
        self._steps_per_run_variable.load(steps, session=session)


_COUNTING = (_StopAfterNEvalsHook, _MultiStepStopAfterNEvalsHook)


def _evaluate_once(
    checkpoint_path: str | None, master: str = "", scaffold: Any = None, eval_ops: Any = None, feed_dict: Any = None,
    final_ops: Any = None, final_ops_feed_dict: Any = None, hooks: Sequence[Any] | None = None, config: Any = None,
) -> Any:
    """Restores a checkpoint, runs `eval_ops` until a hook stops it, and returns the values of `final_ops`."""
    eval_step = _get_or_create_eval_step()
    hooks = list(hooks or [])
    if eval_ops is not None:
        several = any(isinstance(hook, _MultiStepStopAfterNEvalsHook) for hook in hooks)
        steps = multi_step.get_or_create_steps_per_run_variable() if several else None
        by = 1 if steps is None else tf.cast(steps, tf.int64)
        update = tf.assign_add(eval_step, by, use_locking=True)
        if isinstance(eval_ops, dict):
            eval_ops["update_eval_step"] = update
        elif isinstance(eval_ops, (tuple, list)):
            eval_ops = [*eval_ops, update]
        else:
            eval_ops = [eval_ops, update]
        value = _get_latest_eval_step_value(eval_ops)
        for hook in hooks:
            if isinstance(hook, _COUNTING):
                hook._set_evals_completed_tensor(value)
    tf.logging.info("Starting evaluation at %s", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
    creator = tf.train.ChiefSessionCreator(
        scaffold=scaffold, checkpoint_filename_with_path=checkpoint_path, master=master, config=config
    )
    last = tf.train.FinalOpsHook(final_ops, final_ops_feed_dict)
    with tf.train.MonitoredSession(session_creator=creator, hooks=[*hooks, last]) as session:
        while eval_ops is not None and not session.should_stop():
            session.run(eval_ops, feed_dict)
    tf.logging.info("Finished evaluation at %s", _now())
    return last.final_ops_values


def _now() -> str:
    return time.strftime("%Y-%m-%d-%H:%M:%S", time.localtime())

"""Evaluations of checkpoints: once, or of each that a training writes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_checkpoint import state
from ossia_core.plugins.api_table import public, public_value
from ossia_tensorflow_paths.python.training import evaluation

StopAfterNEvalsHook = evaluation._StopAfterNEvalsHook
get_or_create_eval_step = evaluation._get_or_create_eval_step
evaluate_once = evaluation._evaluate_once
wait_for_new_checkpoint = state.wait_for_new_checkpoint
checkpoints_iterator = tf.train.checkpoints_iterator
for _name in ("StopAfterNEvalsHook", "get_or_create_eval_step", "evaluate_once"):
    public_value(f"contrib.training.{_name}", name=_name)
for _name in ("wait_for_new_checkpoint", "checkpoints_iterator"):
    public_value(f"contrib.training.{_name}", f"contrib.slim.evaluation.{_name}", name=_name)


@public("contrib.training.SummaryAtEndHook")
class SummaryAtEndHook(tf.train.SessionRunHook):
    """Writes summaries when a session ends.

    Args:
      log_dir: folder of the event file.
      summary_writer: a writer, in place of a folder.
      summary_op: the summaries; all of the graph if None.
      feed_dict: what to feed to it.

    Raises:
      ValueError: there is neither a folder nor a writer.
    """

    def __init__(
        self, log_dir: str | None = None, summary_writer: Any = None, summary_op: Any = None, feed_dict: Any = None
    ) -> None:
        if log_dir is None and summary_writer is None:
            raise ValueError("exactly one of log_dir and summary_writer should be specified.")
        self._summary_op = summary_op
        self._replace_summary_op = summary_op is None
        self._feed_dict = feed_dict
        self._summary_writer = summary_writer
        self._log_dir = log_dir

    def begin(self) -> None:
        if self._replace_summary_op:
            self._summary_op = tf.summary.merge_all()
        self._global_step = tf.train.get_or_create_global_step()

    def after_create_session(self, session: Any, coord: Any) -> None:
        if self._summary_writer is None and self._log_dir:
            self._summary_writer = tf.summary.FileWriterCache.get(self._log_dir)

    def end(self, session: Any) -> None:
        if self._summary_op is not None and self._summary_writer:
            step = tf.train.global_step(session, self._global_step)
            self._summary_writer.add_summary(session.run(self._summary_op, self._feed_dict), step)
        if self._summary_writer:
            self._summary_writer.flush()


@public("contrib.training.evaluate_repeatedly")
def evaluate_repeatedly(
    checkpoint_dir: str, master: str = "", scaffold: Any = None, eval_ops: Any = None, feed_dict: Any = None,
    final_ops: Any = None, final_ops_feed_dict: Any = None, eval_interval_secs: float = 60,
    hooks: Sequence[Any] | None = None, config: Any = None, max_number_of_evaluations: int | None = None,
    timeout: float | None = None, timeout_fn: Callable[[], bool] | None = None,
) -> Any:
    """Evaluates the newest checkpoint of a folder whenever there is a new one.

    Args:
      checkpoint_dir: the folder.
      master, scaffold, config: as for `tf.train.ChiefSessionCreator`.
      eval_ops: what is run, over and over, until a hook stops it.
      feed_dict: what to feed to it.
      final_ops, final_ops_feed_dict: what is run at the end of each evaluation, and its feeds.
      eval_interval_secs: least time between two evaluations.
      hooks: hooks of the session; `StopAfterNEvalsHook` among them.
      max_number_of_evaluations: after how many it returns; None for no limit.
      timeout: seconds to wait for a checkpoint; None waits without end.
      timeout_fn: called after each timeout; a true result ends it.

    Returns:
      The values of `final_ops` of the last evaluation.
    """
    eval_step = get_or_create_eval_step()
    hooks = list(hooks or [])
    if eval_ops is not None:
        update = tf.assign_add(eval_step, 1)
        if isinstance(eval_ops, dict):
            eval_ops["update_eval_step"] = update
        elif isinstance(eval_ops, (tuple, list)):
            eval_ops = [*eval_ops, update]
        else:
            eval_ops = [eval_ops, update]
        done = evaluation._get_latest_eval_step_value(eval_ops)
        for hook in hooks:
            if isinstance(hook, StopAfterNEvalsHook):
                hook._set_evals_completed_tensor(done)
    last = tf.train.FinalOpsHook(final_ops, final_ops_feed_dict)
    hooks.append(last)
    checkpoints = checkpoints_iterator(
        checkpoint_dir, min_interval_secs=eval_interval_secs, timeout=timeout, timeout_fn=timeout_fn
    )
    for number, path in enumerate(checkpoints, start=1):
        creator = tf.train.ChiefSessionCreator(
            scaffold=scaffold, checkpoint_filename_with_path=path, master=master, config=config
        )
        with tf.train.MonitoredSession(session_creator=creator, hooks=hooks) as session:
            tf.logging.info("Starting evaluation at %s", _now())
            if eval_ops is not None:
                while not session.should_stop():
                    session.run(eval_ops, feed_dict)
            tf.logging.info("Finished evaluation at %s", _now())
        if max_number_of_evaluations is not None and number >= max_number_of_evaluations:
            break
    return last.final_ops_values


def _now() -> str:
    return time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime())

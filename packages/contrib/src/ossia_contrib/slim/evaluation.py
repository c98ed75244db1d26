"""Evaluations of checkpoints with metrics and summaries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_contrib.training import evaluation
from ossia_contrib.training.steps import UNSET
from ossia_core.plugins.api_table import public


def _hooks(num_evals: int, summary_op: Any, summary_op_feed_dict: Any, logdir: str | None, hooks: Any) -> list[Any]:
    if isinstance(summary_op, int) and summary_op == UNSET:
        summary_op = tf.summary.merge_all()
    found: list[Any] = [evaluation.StopAfterNEvalsHook(num_evals)]
    if summary_op is not None:
        found.append(
            evaluation.SummaryAtEndHook(log_dir=logdir, summary_op=summary_op, feed_dict=summary_op_feed_dict)
        )
    return [*found, *(hooks or ())]


@public("contrib.slim.evaluation.evaluate_once")
def evaluate_once(
    master: str, checkpoint_path: str, logdir: str | None, num_evals: int = 1, initial_op: Any = None,
    initial_op_feed_dict: Any = None, eval_op: Any = None, eval_op_feed_dict: Any = None, final_op: Any = None,
    final_op_feed_dict: Any = None, summary_op: Any = UNSET, summary_op_feed_dict: Any = None,
    variables_to_restore: Any = None, session_config: Any = None, hooks: Sequence[Any] | None = None,
) -> Any:
    """Evaluates one checkpoint.

    Args:
      master: the server of the session.
      checkpoint_path: the checkpoint.
      logdir: folder of the event file.
      num_evals: how often `eval_op` is run.
      initial_op, initial_op_feed_dict: what is run before, and its feeds.
      eval_op, eval_op_feed_dict: what updates the metrics, and its feeds.
      final_op, final_op_feed_dict: what is run at the end, and its feeds.
      summary_op, summary_op_feed_dict: the summaries, all of the graph if not given, and their feeds; None for none.
      variables_to_restore: variables that the checkpoint has; all that can be saved if None.
      session_config: a ConfigProto.
      hooks: further hooks of the session.

    Returns:
      The value of `final_op`.
    """
    all_hooks = _hooks(num_evals, summary_op, summary_op_feed_dict, logdir, hooks)
    saver = None if variables_to_restore is None else tf.train.Saver(variables_to_restore)
    return evaluation.evaluate_once(
        checkpoint_path, master=master,
        scaffold=tf.train.Scaffold(init_op=initial_op, init_feed_dict=initial_op_feed_dict, saver=saver),
        eval_ops=eval_op, feed_dict=eval_op_feed_dict, final_ops=final_op, final_ops_feed_dict=final_op_feed_dict,
        hooks=all_hooks, config=session_config,
    )


@public("contrib.slim.evaluation.evaluation_loop")
def evaluation_loop(
    master: str, checkpoint_dir: str, logdir: str | None, num_evals: int = 1, initial_op: Any = None,
    initial_op_feed_dict: Any = None, init_fn: Callable | None = None, eval_op: Any = None,
    eval_op_feed_dict: Any = None, final_op: Any = None, final_op_feed_dict: Any = None, summary_op: Any = UNSET,
    summary_op_feed_dict: Any = None, variables_to_restore: Any = None, eval_interval_secs: float = 60,
    max_number_of_evaluations: int | None = None, session_config: Any = None, timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None, hooks: Sequence[Any] | None = None,
) -> Any:
    """Evaluates the newest checkpoint of a folder whenever there is a new one.

    Args:
      checkpoint_dir: the folder.
      master, logdir, num_evals, initial_op, initial_op_feed_dict, eval_op, eval_op_feed_dict, final_op,
          final_op_feed_dict, summary_op, summary_op_feed_dict, variables_to_restore, session_config, hooks: as for
          `evaluate_once`.
      init_fn: called with the session after `initial_op`.
      eval_interval_secs: least time between two evaluations.
      max_number_of_evaluations: after how many it returns; None for no limit.
      timeout, timeout_fn: as for `tf.train.checkpoints_iterator`.

    Returns:
      The value of `final_op` in the last evaluation.
    """
    all_hooks = _hooks(num_evals, summary_op, summary_op_feed_dict, logdir, hooks)
    saver = None if variables_to_restore is None else tf.train.Saver(variables_to_restore)
    return evaluation.evaluate_repeatedly(
        checkpoint_dir, master=master,
        scaffold=tf.train.Scaffold(
            init_op=initial_op, init_feed_dict=initial_op_feed_dict, init_fn=init_fn, saver=saver
        ),
        eval_ops=eval_op, feed_dict=eval_op_feed_dict, final_ops=final_op, final_ops_feed_dict=final_op_feed_dict,
        eval_interval_secs=eval_interval_secs, hooks=all_hooks, config=session_config,
        max_number_of_evaluations=max_number_of_evaluations, timeout=timeout, timeout_fn=timeout_fn,
    )

"""Sessions in which the first estimators train, evaluate and predict."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import ossia as tf
from ossia_contrib.learn import monitors as monitors_lib
from ossia_contrib.learn.specs import ModelFnOps


def hooks_of(monitors: Any, estimator: Any) -> list[Any]:
    """Hooks of a training: hooks as they are, monitors as hooks.

    Args:
      monitors: a hook or a monitor, or a list of them, or None.
      estimator: what the monitors watch.
    """
    each = [] if monitors is None else monitors if isinstance(monitors, (list, tuple)) else [monitors]
    return monitors_lib.replace_monitors_with_hooks(each, estimator)


def trained(
    ops: ModelFnOps, hooks: list[Any], model_dir: str, feed: Callable | None, config: Any
) -> Any:
    """Trains until a hook stops or the input ends, and returns the last loss.

    Args:
      ops: the model.
      hooks: session hooks.
      model_dir: where checkpoints and events go.
      feed: a function that makes the feeds of a step, or None.
      config: a `RunConfig`.
    """
    step = tf.train.get_global_step()
    logged = tf.train.LoggingTensorHook({"loss": ops.loss, "step": step}, every_n_iter=100)
    all_hooks = [*hooks, tf.train.NanTensorHook(ops.loss), logged, *ops.training_hooks]
    scaffold = ops.scaffold or tf.train.Scaffold()
    if not (scaffold.saver or tf.get_collection(tf.GraphKeys.SAVERS)):
        saver = tf.train.Saver(
            sharded=True, max_to_keep=config.keep_checkpoint_max,
            keep_checkpoint_every_n_hours=config.keep_checkpoint_every_n_hours, defer_build=True,
            save_relative_paths=True,
        )
        tf.add_to_collection(tf.GraphKeys.SAVERS, saver)
    chief = list(ops.training_chief_hooks)
    if (config.save_checkpoints_secs or config.save_checkpoints_steps) and not any(
        isinstance(hook, tf.train.CheckpointSaverHook) for hook in [*all_hooks, *chief]
    ):
        chief.append(
            tf.train.CheckpointSaverHook(
                model_dir, save_secs=config.save_checkpoints_secs, save_steps=config.save_checkpoints_steps,
                scaffold=scaffold,
            )
        )
    loss = None
    with tf.train.MonitoredTrainingSession(
        master=config.master, checkpoint_dir=model_dir, scaffold=scaffold, hooks=all_hooks, chief_only_hooks=chief,
        save_checkpoint_secs=0, save_summaries_steps=config.save_summary_steps, config=_session_config(config),
    ) as session:
        while not session.should_stop():
            try:
                _, loss = session.run([ops.train_op, ops.loss], feed() if feed else None)
            except StopIteration:
                break
    return loss


def _session_config(config: Any) -> Any:
    return config.session_config or getattr(config, "tf_config", None)


def evaluated(
    scaffold: Any, metrics: Mapping[str, Any], hooks: list[Any], checkpoint: str, feed: Callable | None,
    steps: int | None, config: Any, log_progress: bool = True,
) -> dict[str, Any]:
    """Updates metrics until the input ends or after some steps, and returns their values.

    Args:
      scaffold: the parts of the graph, or None.
      metrics: pairs of a value and its update, or single values.
      hooks: session hooks.
      checkpoint: what to restore.
      feed: a function that makes the feeds of a step, or None.
      steps: how many.
      config: a `RunConfig`.
      log_progress: whether to log how far it is.
    """
    pairs = {name: each if isinstance(each, tuple) else (each, tf.no_op()) for name, each in metrics.items()}
    update = tf.group(*[pair[1] for pair in pairs.values()])
    values = {name: pair[0] for name, pair in pairs.items()}
    values["global_step"] = tf.train.get_global_step()
    count = _EvaluationSteps(steps, log_progress)
    counted = count.count(update)
    last = tf.train.FinalOpsHook(values)
    tf.logging.info("Starting evaluation at %s", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
    creator = tf.train.ChiefSessionCreator(
        scaffold=scaffold, checkpoint_filename_with_path=checkpoint,
        master=getattr(config, "evaluation_master", "") or config.master, config=_session_config(config),
    )
    with tf.train.MonitoredSession(creator, [*hooks, count, last]) as session:
        while not session.should_stop():
            try:
                fed = feed() if feed else None
            except StopIteration:
                break
            session.run({"update": update, "step": counted}, fed)
    tf.logging.info("Finished evaluation at %s", time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime()))
    return last.final_ops_values


class _EvaluationSteps(tf.train.SessionRunHook):
    """Counts batches, and stops after so many."""

    def __init__(self, steps: int | None, log_progress: bool) -> None:
        self._steps = steps
        self._log_every = 0 if not log_progress else 1 if steps is None or steps < 20 else steps // 10

    def count(self, update: Any) -> Any:
        """Makes the variable that counts; returns what adds to it."""
        keys = [tf.GraphKeys.LOCAL_VARIABLES, "eval_step"]
        step = tf.get_variable(
            "eval_step", [], tf.int64, tf.zeros_initializer(), trainable=False, collections=keys
        )
        counted = tf.assign_add(step, 1, use_locking=True)
        with tf.control_dependencies([update, counted]):
            self._completed = tf.identity(step.read_value())
        return counted

    def before_run(self, run_context: Any) -> Any:
        return tf.train.SessionRunArgs({"completed": self._completed})

    def after_run(self, run_context: Any, run_values: Any) -> None:
        if self._steps is None:
            return
        completed = int(run_values.results["completed"])
        if self._log_every and (completed % self._log_every == 0 or completed == self._steps):
            tf.logging.info("Evaluation [%d/%d]", completed, self._steps)
        if completed >= self._steps:
            run_context.request_stop()


def write_evaluation(directory: str, results: Mapping[str, Any], step: Any) -> None:
    """Logs metrics, and writes them as one event.

    Args:
      directory: the folder of the event file.
      results: values by name.
      step: the global step.
    """
    text = ", ".join(f"{name} = {value!s}" for name, value in sorted(results.items()))
    tf.logging.info("Saving dict for global step %d: %s", step, text)
    summary = tf.Summary()
    for name, value in results.items():
        if isinstance(value, (float, np.floating)):
            summary.value.add(tag=name, simple_value=float(value))
    writer = tf.summary.FileWriterCache.get(directory)
    writer.add_summary(summary, step)
    writer.flush()


def inference_session(scaffold: Any, checkpoint: str, config: Any) -> Any:
    """A session with the values of a checkpoint."""
    return tf.train.MonitoredSession(
        tf.train.ChiefSessionCreator(
            checkpoint_filename_with_path=checkpoint, scaffold=scaffold, config=_session_config(config)
        )
    )

"""Runs of a graph without an estimator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

import ossia as tf
from ossia_core.plugins.api_table import public
from ossia_tensorflow_paths.python.ops import resources


@public("contrib.learn.graph_actions.run_feeds_iter")
def run_feeds_iter(
    output_dict: Mapping[str, Any], feed_dicts: Sequence[Any], restore_checkpoint_path: str | None = None
) -> Iterator[dict[str, Any]]:
    """Values of tensors, in a new session of their graph.

    Args:
      output_dict: tensors by name.
      feed_dicts: the feeds of each run.
      restore_checkpoint_path: the checkpoint with the values of variables; by default they are initialised.

    Yields:
      The values by name.

    Raises:
      ValueError: there are no feeds, no tensors, or the tensors are of several graphs.
    """
    if not output_dict:
        raise ValueError(f"output_dict is invalid: {output_dict}.")
    if not feed_dicts:
        raise ValueError(f"feed_dicts is invalid: {feed_dicts}.")
    graph = next(iter(output_dict.values())).graph
    if any(each.graph is not graph for each in output_dict.values()):
        raise ValueError("All tensors of output_dict must be of one graph")
    with graph.as_default(), tf.Session(graph=graph) as session:
        session.run(resources.initialize_resources(resources.shared_resources() + resources.local_resources()))
        if restore_checkpoint_path:
            tf.train.Saver().restore(session, restore_checkpoint_path)
        else:
            session.run(tf.global_variables_initializer())
        session.run(tf.local_variables_initializer())
        session.run(tf.tables_initializer())
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator, start=True)
        try:
            for feed_dict in feed_dicts:
                yield session.run(dict(output_dict), feed_dict=feed_dict)
        finally:
            coordinator.request_stop()
            coordinator.join(threads, stop_grace_period_secs=120, ignore_live_threads=True)


@public("contrib.learn.run_feeds", "contrib.learn.graph_actions.run_feeds")
def run_feeds(*args: Any, **kwargs: Any) -> list[dict[str, Any]]:
    """As `run_feeds_iter`, as a list."""
    return list(run_feeds_iter(*args, **kwargs))


@public("contrib.learn.run_n", "contrib.learn.graph_actions.run_n")
def run_n(
    output_dict: Mapping[str, Any], feed_dict: Any = None, restore_checkpoint_path: str | None = None, n: int = 1
) -> list[dict[str, Any]]:
    """Values of tensors in several runs with the same feeds.

    Args:
      output_dict: tensors by name.
      feed_dict: the feeds.
      restore_checkpoint_path: the checkpoint with the values of variables.
      n: how many runs.

    Returns:
      The values by name, of each run.
    """
    return run_feeds(output_dict, [feed_dict] * n, restore_checkpoint_path)


@public("contrib.learn.infer", "contrib.learn.graph_actions.infer")
def infer(restore_checkpoint_path: str | None, output_dict: Mapping[str, Any], feed_dict: Any = None) -> dict[str, Any]:
    """Values of tensors, with those of variables from a checkpoint.

    Args:
      restore_checkpoint_path: the checkpoint; None to initialise variables.
      output_dict: tensors by name.
      feed_dict: the feeds.
    """
    return run_feeds(output_dict, [feed_dict], restore_checkpoint_path)[0]


@public("contrib.learn.train", "contrib.learn.graph_actions.train")
def train(
    graph: tf.Graph, output_dir: str, train_op: Any, loss_op: Any, global_step_tensor: Any = None, init_op: Any = None,
    init_feed_dict: Any = None, init_fn: Any = None, log_every_steps: int = 10, supervisor_is_chief: bool = True,
    supervisor_master: str = "", supervisor_save_model_secs: int = 600, keep_checkpoint_max: int = 5,
    supervisor_save_summaries_steps: int = 100, feed_fn: Any = None, steps: int | None = None,
    fail_on_nan_loss: bool = True, monitors: Any = None, max_steps: int | None = None,
) -> Any:
    """Trains a graph, with checkpoints and summaries.

    Args:
      graph: the graph.
      output_dir: the folder of checkpoints and events.
      train_op: what makes a step.
      loss_op: the loss.
      global_step_tensor: the global step, by default the graph's.
      init_op: what initialises the variables.
      init_feed_dict: feeds for it.
      init_fn: a function of the session, called then.
      log_every_steps: how often the loss is logged.
      supervisor_is_chief: whether this process initialises and saves.
      supervisor_master: the engine.
      supervisor_save_model_secs: how often checkpoints are written.
      keep_checkpoint_max: how many are kept.
      supervisor_save_summaries_steps: how often summaries are written.
      feed_fn: makes the feeds of a step.
      steps: how many steps.
      fail_on_nan_loss: whether to raise an error if the loss is no number.
      monitors: hooks and monitors.
      max_steps: the step to train to.

    Returns:
      The last loss.

    Raises:
      ValueError: an argument is missing, or two exclude each other.
    """
    from ossia_contrib.learn.monitors import replace_monitors_with_hooks  # a training needs them, no other run

    if not output_dir:
        raise ValueError(f"Output directory should be non-empty {output_dir}.")
    if steps is not None and max_steps is not None:
        raise ValueError("Can not provide both steps and max_steps.")
    with graph.as_default():
        step = global_step_tensor if global_step_tensor is not None else tf.train.get_or_create_global_step()
        hooks = [
            tf.train.NanTensorHook(loss_op, fail_on_nan_loss),
            tf.train.LoggingTensorHook({"loss": loss_op, "step": step}, every_n_iter=log_every_steps),
            *replace_monitors_with_hooks(monitors, None),
        ]
        if steps is not None or max_steps is not None:
            hooks.append(tf.train.StopAtStepHook(steps, max_steps))
        scaffold = tf.train.Scaffold(
            init_op=init_op, init_feed_dict=init_feed_dict,
            init_fn=(lambda _, session: init_fn(session)) if init_fn else None,
            saver=tf.train.Saver(max_to_keep=keep_checkpoint_max),
        )
        loss = None
        with tf.train.MonitoredTrainingSession(
            master=supervisor_master, is_chief=supervisor_is_chief, checkpoint_dir=output_dir, scaffold=scaffold,
            hooks=hooks, save_checkpoint_secs=supervisor_save_model_secs,
            save_summaries_steps=supervisor_save_summaries_steps,
        ) as session:
            while not session.should_stop():
                _, loss = session.run([train_op, loss_op], feed_fn() if feed_fn else None)
        if fail_on_nan_loss and loss is not None and np.isnan(loss):
            raise tf.train.NanLossDuringTrainingError
        return loss

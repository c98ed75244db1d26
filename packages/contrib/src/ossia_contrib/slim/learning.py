"""Training ops and the loop that runs them under a supervisor."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_contrib.training import steps
from ossia_contrib.training.steps import UNSET
from ossia_core.plugins.api_table import public


@public("contrib.slim.learning.create_train_op")
def create_train_op(
    total_loss: Any, optimizer: Any, global_step: Any = UNSET, update_ops: Sequence[Any] | None = None,
    variables_to_train: Sequence[Any] | None = None, clip_gradient_norm: float = 0,
    summarize_gradients: bool = False, gate_gradients: int = 1, aggregation_method: Any = None,
    colocate_gradients_with_ops: bool = False, gradient_multipliers: dict | None = None, check_numerics: bool = True,
) -> tf.Tensor:
    """A tensor of the loss that, when it is run, does a training step; it joins TRAIN_OP.

    Args:
      total_loss: the loss.
      optimizer: an optimizer.
      global_step: the step counter; the graph's, made if there is none, if not given; None for none.
      update_ops: what runs before the loss; the collection UPDATE_OPS by default.
      variables_to_train: what is trained; the trainable variables by default.
      clip_gradient_norm: largest norm of each gradient; 0 for no limit.
      summarize_gradients: whether to add a histogram and the norm of each gradient to the summaries.
      gate_gradients, aggregation_method, colocate_gradients_with_ops: as for `Optimizer.compute_gradients`.
      gradient_multipliers: variables, or their names, each with a factor of its gradient.
      check_numerics: whether a loss that is no number fails.

    Raises:
      ValueError: a variable with a multiplier has no gradient.
    """
    def transform(pairs: Any) -> Any:
        if gradient_multipliers:
            with tf.name_scope("multiply_grads"):
                pairs = steps.multiply_gradients(pairs, gradient_multipliers)
        if clip_gradient_norm > 0:
            with tf.name_scope("clip_grads"):
                pairs = steps.clip_gradient_norms(pairs, clip_gradient_norm)
        return pairs

    return steps.create_train_op(
        total_loss, optimizer, global_step=global_step, update_ops=update_ops, variables_to_train=variables_to_train,
        transform_grads_fn=transform, summarize_gradients=summarize_gradients, gate_gradients=gate_gradients,
        aggregation_method=aggregation_method, colocate_gradients_with_ops=colocate_gradients_with_ops,
        check_numerics=check_numerics,
    )


@public("contrib.slim.learning.train_step")
def train_step(sess: Any, train_op: Any, global_step: Any, train_step_kwargs: dict[str, Any]) -> tuple[Any, bool]:
    """One step: trains, and logs, traces and asks whether to stop, as the arguments say.

    Args:
      sess: the session.
      train_op: what is run; it gives the loss.
      global_step: the step counter.
      train_step_kwargs: tensors "should_stop", "should_log" and "should_trace", the folder of traces as "logdir", and a
          "summary_writer"; each may lack.

    Returns:
      The loss, and whether to stop.

    Raises:
      ValueError: there is "should_trace" without "logdir".
    """
    start = time.time()
    options = metadata = None
    if "should_trace" in train_step_kwargs:
        if "logdir" not in train_step_kwargs:
            raise ValueError("logdir must be present in train_step_kwargs when should_trace is present")
        if sess.run(train_step_kwargs["should_trace"]):
            options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
            metadata = tf.RunMetadata()
    loss, step = sess.run([train_op, global_step], options=options, run_metadata=metadata)
    elapsed = time.time() - start
    if metadata is not None:
        _write_trace(metadata, step, train_step_kwargs)
    if "should_log" in train_step_kwargs and sess.run(train_step_kwargs["should_log"]):
        tf.logging.info("global step %d: loss = %.4f (%.3f sec/step)", step, loss, elapsed)
    should_stop = sess.run(train_step_kwargs["should_stop"]) if "should_stop" in train_step_kwargs else False
    return loss, should_stop


def _write_trace(metadata: Any, step: int, train_step_kwargs: dict[str, Any]) -> None:
    from ossia_tensorflow_paths.python.client import timeline  # only traced steps need it

    trace = timeline.Timeline(metadata.step_stats).generate_chrome_trace_format()
    path = os.path.join(train_step_kwargs["logdir"], f"tf_trace-{step}.json")
    tf.logging.info("Writing trace to %s", path)
    with tf.gfile.GFile(path, "w") as file:
        file.write(trace)
    if "summary_writer" in train_step_kwargs:
        train_step_kwargs["summary_writer"].add_run_metadata(metadata, f"run_metadata-{step}")


def _wait_for_step(sess: Any, global_step: Any, step: int) -> None:
    while sess.run(global_step) < step:
        time.sleep(1.0)


def _synchronous(sync_optimizer: Any, startup_delay_steps: int) -> list[Any] | None:
    """The synchronous optimizers as a list; None if there are none."""
    if sync_optimizer is None:
        return None
    if startup_delay_steps > 0:
        raise ValueError("startup_delay_steps must be zero when sync_optimizer is supplied.")
    found = sync_optimizer if isinstance(sync_optimizer, list) else [sync_optimizer]
    if not all(isinstance(optimizer, tf.train.SyncReplicasOptimizer) for optimizer in found):
        raise ValueError("`sync_optimizer` must be a tf.compat.v1.train.SyncReplicasOptimizer.")
    return found


def _step_arguments(
    global_step: Any, number_of_steps: int | None, log_every_n_steps: int, trace_every_n_steps: int | None,
    logdir: str | None, is_chief: bool,
) -> dict[str, Any]:
    with tf.name_scope("train_step"):
        stop = tf.greater_equal(global_step, number_of_steps) if number_of_steps else tf.constant(False)
        arguments: dict[str, Any] = {"should_stop": stop}
        if log_every_n_steps > 0:
            arguments["should_log"] = tf.equal(tf.mod(global_step, log_every_n_steps), 0)
        if is_chief and trace_every_n_steps is not None:
            arguments["should_trace"] = tf.equal(tf.mod(global_step, trace_every_n_steps), 0)
            arguments["logdir"] = logdir
    return arguments


@public("contrib.slim.learning.train")
def train(
    train_op: Any, logdir: str | None, train_step_fn: Callable[..., Any] = train_step, train_step_kwargs: Any = UNSET,
    log_every_n_steps: int = 1, graph: Any = None, master: str = "", is_chief: bool = True, global_step: Any = None,
    number_of_steps: int | None = None, init_op: Any = UNSET, init_feed_dict: Any = None, local_init_op: Any = UNSET,
    init_fn: Callable[[Any], Any] | None = None, ready_op: Any = UNSET, summary_op: Any = UNSET,
    save_summaries_secs: float = 600, summary_writer: Any = UNSET, startup_delay_steps: int = 0, saver: Any = None,
    save_interval_secs: float = 600, sync_optimizer: Any = None, session_config: Any = None,
    session_wrapper: Callable[[Any], Any] | None = None, trace_every_n_steps: int | None = None,
    ignore_live_threads: bool = False,
) -> Any:
    """Trains under a `tf.train.Supervisor`, with logged steps, summaries and checkpoints.

    Args:
      train_op: what a step runs; it gives the loss.
      logdir: folder of checkpoints and event files; None writes none.
      train_step_fn: does a step; called with the session, `train_op`, `global_step` and `train_step_kwargs`.
      train_step_kwargs: arguments of the step; those that `train_step` takes if not given.
      log_every_n_steps: how often a step is logged.
      graph: the graph; the default graph if None.
      master: the server of the session.
      is_chief: whether this process saves and initialises the model.
      global_step: the step counter; the graph's, made if there is none, if None.
      number_of_steps: at which step training ends; None for never.
      init_op, init_feed_dict, local_init_op, init_fn, ready_op, summary_op, summary_writer: as for
          `tf.train.Supervisor`.
      save_summaries_secs, save_interval_secs: seconds between two summaries, and two checkpoints.
      startup_delay_steps: the step that a process which is not the chief waits for.
      saver: what saves the model; a new `tf.train.Saver` if None.
      sync_optimizer: a `tf.train.SyncReplicasOptimizer`, or a list of them.
      session_config: a ConfigProto.
      session_wrapper: a function from the session to the one that is used.
      trace_every_n_steps: how often a step is traced into a file of `logdir`.
      ignore_live_threads: whether threads that do not stop are left alone.

    Returns:
      The loss of the last step.

    Raises:
      ValueError: the arguments do not fit each other.
    """
    if train_op is None:
        raise ValueError("train_op cannot be None.")
    if logdir is None:
        for name, given in (
            ("summary_op", summary_op is not UNSET), ("saver", saver is not None),
            ("trace_every_n_steps", trace_every_n_steps is not None),
        ):
            if given:
                raise ValueError(f"Cannot provide {name} because logdir=None")
    synchronous = _synchronous(sync_optimizer, startup_delay_steps)
    if number_of_steps is not None and number_of_steps <= 0:
        raise ValueError("`number_of_steps` must be either None or a positive number.")
    graph = graph or tf.get_default_graph()
    with graph.as_default():
        if global_step is None:
            global_step = tf.train.get_or_create_global_step()
        saver = saver or tf.train.Saver()
        ready_for_local_init_op = None
        with tf.name_scope("init_ops"):
            if _unset(init_op):
                init_op = tf.global_variables_initializer()
            if _unset(ready_op):
                ready_op = tf.report_uninitialized_variables()
            if _unset(local_init_op):
                local_init_op = tf.group(tf.local_variables_initializer(), tf.tables_initializer())
            if synchronous is not None:
                with tf.control_dependencies([local_init_op] if local_init_op is not None else []):
                    local_init_op = tf.group(
                        *[each.chief_init_op if is_chief else each.local_step_init_op for each in synchronous]
                    )
                ready_for_local_init_op = synchronous[0].ready_for_local_init_op
        if _unset(summary_op):
            summary_op = tf.summary.merge_all()
        tokens, runners = [], []
        if is_chief and synchronous is not None:
            tokens = [each.get_init_tokens_op() for each in synchronous]
            runners = [each.get_chief_queue_runner() for each in synchronous]
        if _unset(train_step_kwargs):
            train_step_kwargs = _step_arguments(
                global_step, number_of_steps, log_every_n_steps, trace_every_n_steps, logdir, is_chief
            )
    supervisor = tf.train.Supervisor(
        graph=graph, is_chief=is_chief, logdir=logdir, init_op=init_op, init_feed_dict=init_feed_dict,
        local_init_op=local_init_op, ready_for_local_init_op=ready_for_local_init_op, ready_op=ready_op,
        summary_op=summary_op, summary_writer=summary_writer, global_step=global_step, saver=saver,
        save_summaries_secs=save_summaries_secs, save_model_secs=save_interval_secs, init_fn=init_fn,
    )
    if summary_writer is not None:
        train_step_kwargs["summary_writer"] = supervisor.summary_writer
    delay = min(startup_delay_steps, number_of_steps or sys.maxsize)

    def loop(sess: Any) -> Any:
        tf.logging.info("Starting Session.")
        if session_wrapper is not None:
            tf.logging.info("Wrapping session with wrapper function: %s", session_wrapper)
            sess = session_wrapper(sess)
        if is_chief:
            if logdir:
                supervisor.start_standard_services(sess)
        elif delay > 0:
            _wait_for_step(sess, global_step, delay)
        threads = supervisor.start_queue_runners(sess)
        tf.logging.info("Starting Queues.")
        if tokens:
            supervisor.start_queue_runners(sess, runners)
            sess.run(tokens)
        loss = None
        try:
            while not supervisor.should_stop():
                loss, should_stop = train_step_fn(sess, train_op, global_step, train_step_kwargs)
                if should_stop:
                    tf.logging.info("Stopping Training.")
                    supervisor.request_stop()
                    break
        except tf.errors.OutOfRangeError as error:
            tf.logging.info("Caught OutOfRangeError. Stopping Training. %s", error)
        if logdir and supervisor.is_chief:
            tf.logging.info("Finished training! Saving model to disk.")
            supervisor.saver.save(sess, supervisor.save_path, global_step=supervisor.global_step)
            supervisor.stop(threads, close_summary_writer=True, ignore_live_threads=ignore_live_threads)
        return loss

    while True:
        try:
            with supervisor.managed_session(master, start_standard_services=False, config=session_config) as sess:
                loss = loop(sess)
            return loss
        except tf.errors.AbortedError:  # a server of the cluster went and came back
            tf.logging.info("Retrying training!")


def _unset(value: Any) -> bool:
    return isinstance(value, int) and value == UNSET

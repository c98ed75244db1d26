"""Training ops: gradients, changed as asked, with the updates that run before the loss; and the loop that runs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public

UNSET = 0  # the original's mark of an argument that is not given, which signatures show


@public("contrib.slim.learning.clip_gradient_norms", "contrib.training.clip_gradient_norms")
def clip_gradient_norms(gradients_to_variables: Sequence[tuple[Any, Any]], max_norm: float) -> list[tuple[Any, Any]]:
    """The pairs (gradient, variable) with each gradient cut to a largest norm of its own."""
    clipped = []
    for grad, var in gradients_to_variables:
        if isinstance(grad, tf.IndexedSlices):
            grad = tf.IndexedSlices(tf.clip_by_norm(grad.values, max_norm), grad.indices, grad.dense_shape)
        elif grad is not None:
            grad = tf.clip_by_norm(grad, max_norm)
        clipped.append((grad, var))
    return clipped


@public("contrib.training.clip_gradient_norms_fn")
def clip_gradient_norms_fn(max_norm: float) -> Callable[[Any], Any]:
    """A function that does `clip_gradient_norms` of the pairs it is given."""
    return lambda grads_and_vars: clip_gradient_norms(grads_and_vars, max_norm)


@public("contrib.slim.learning.multiply_gradients", "contrib.training.multiply_gradients")
def multiply_gradients(grads_and_vars: Any, gradient_multipliers: dict) -> list[tuple[Any, Any]]:
    """Pairs of gradients and variables, with some gradients multiplied.

    Args:
      grads_and_vars: the pairs.
      gradient_multipliers: variables, or their names, each with a factor, a number or tensor.

    Raises:
      ValueError: there are no pairs or no multipliers, or a variable with a multiplier has no gradient.
    """
    if not isinstance(grads_and_vars, list):
        raise ValueError("`grads_and_vars` must be a list.")
    if not gradient_multipliers:
        raise ValueError("`gradient_multipliers` is empty.")
    if not isinstance(gradient_multipliers, dict):
        raise ValueError("`gradient_multipliers` must be a dict.")
    multiplied = []
    for grad, var in grads_and_vars:
        key = var if var in gradient_multipliers else var.op.name
        if key in gradient_multipliers:
            if grad is None:
                raise ValueError("Requested multiple of `None` gradient.")
            factor = gradient_multipliers[key]
            if not isinstance(factor, tf.Tensor):
                factor = tf.constant(factor, dtype=grad.dtype)
            if isinstance(grad, tf.IndexedSlices):
                grad = tf.IndexedSlices(grad.values * factor, grad.indices, grad.dense_shape)
            else:
                grad *= factor
        multiplied.append((grad, var))
    return multiplied


@public("contrib.slim.learning.add_gradients_summaries", "contrib.training.add_gradients_summaries")
def add_gradients_summaries(grads_and_vars: Any) -> list[Any]:
    """Summaries of gradients: for each a histogram, and its norm.

    Args:
      grads_and_vars: pairs of gradients and variables; one without a gradient is named in the log.
    """
    made = []
    for grad, var in grads_and_vars:
        if grad is None:
            tf.logging.info("Var %s has no gradient", var.op.name)
            continue
        values = grad.values if isinstance(grad, tf.IndexedSlices) else grad
        made.append(tf.summary.histogram(f"{var.op.name}_gradient", values))
        made.append(tf.summary.scalar(f"{var.op.name}_gradient_norm", tf.global_norm([values])))
    return made


@public("contrib.training.create_train_op")
def create_train_op(
    total_loss: Any, optimizer: Any, global_step: Any = UNSET, update_ops: Sequence[Any] | None = None,
    variables_to_train: Sequence[Any] | None = None, transform_grads_fn: Callable[[Any], Any] | None = None,
    summarize_gradients: bool = False, gate_gradients: int = 1, aggregation_method: Any = None,
    colocate_gradients_with_ops: bool = False, check_numerics: bool = True,
) -> tf.Tensor:
    """A tensor of the loss that, when it is run, does a training step; it joins TRAIN_OP.

    Args:
      total_loss: the loss.
      optimizer: an optimizer.
      global_step: the step counter; the graph's, made if there is none, if not given; None for none.
      update_ops: what runs before the loss; the collection UPDATE_OPS by default.
      variables_to_train: what is trained; the trainable variables by default.
      transform_grads_fn: a function from the pairs (gradient, variable) to those that are applied.
      summarize_gradients: whether to add a histogram and the norm of each gradient to the summaries.
      gate_gradients, aggregation_method, colocate_gradients_with_ops: as for `Optimizer.compute_gradients`.
      check_numerics: whether a loss that is no number fails.
    """
    if isinstance(global_step, int) and global_step == UNSET:
        global_step = tf.train.get_or_create_global_step()
    before = list(tf.get_collection(tf.GraphKeys.UPDATE_OPS)) if update_ops is None else list(update_ops)
    if before:
        with tf.control_dependencies(before):
            barrier = tf.no_op(name="update_barrier")
        with tf.colocate_with(total_loss), tf.control_dependencies([barrier]):
            total_loss = tf.identity(total_loss, name="control_dependency")
    pairs = optimizer.compute_gradients(
        total_loss, variables_to_train or tf.trainable_variables(), gate_gradients=gate_gradients,
        aggregation_method=aggregation_method, colocate_gradients_with_ops=colocate_gradients_with_ops,
    )
    if transform_grads_fn:
        pairs = transform_grads_fn(pairs)
    if summarize_gradients:
        with tf.name_scope("summarize_grads"):
            add_gradients_summaries(pairs)
    step = optimizer.apply_gradients(pairs, global_step=global_step)
    with tf.name_scope("train_op"):
        if check_numerics:
            total_loss = tf.check_numerics(total_loss, "LossTensor is inf or nan")
        with tf.colocate_with(total_loss), tf.control_dependencies([step]):
            train_op = tf.identity(total_loss, name="control_dependency")
    tf.add_to_collection(tf.GraphKeys.TRAIN_OP, train_op)
    return train_op


@public("contrib.training.train")
def train(
    train_op: Any, logdir: str | None, master: str = "", is_chief: bool = True, scaffold: Any = None, hooks: Any = None,
    chief_only_hooks: Any = None, save_checkpoint_secs: float | None = 600, save_summaries_steps: int | None = 100,
    config: Any = None, max_wait_secs: float = 7200, run_metadata: Any = None,
) -> Any:
    """Runs a training op until a hook stops it, with checkpoints and summaries.

    Args:
      train_op: what a step runs.
      logdir: folder of checkpoints and event files; None writes none.
      master, is_chief, scaffold, hooks, chief_only_hooks, save_checkpoint_secs, save_summaries_steps, config,
          max_wait_secs: as for `tf.train.MonitoredTrainingSession`.
      run_metadata: a RunMetadata for what a step tells of itself.

    Returns:
      What the last step gave.

    Raises:
      ValueError: there is no folder for what should be saved.
    """
    if logdir is None and is_chief:
        wanted = {"save_summaries_steps": save_summaries_steps, "save_checkpoint_secs": save_checkpoint_secs}
        for name, value in wanted.items():
            if value:
                raise ValueError(f"logdir cannot be None when {name} is not None")
    loss = None
    with tf.train.MonitoredTrainingSession(
        master=master, is_chief=is_chief, checkpoint_dir=logdir, scaffold=scaffold, hooks=hooks,
        chief_only_hooks=chief_only_hooks, save_checkpoint_secs=save_checkpoint_secs,
        save_summaries_steps=save_summaries_steps, config=config, max_wait_secs=max_wait_secs,
    ) as session:
        while not session.should_stop():
            loss = session.run(train_op, run_metadata=run_metadata)
    return loss

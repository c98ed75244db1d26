"""Training ops: gradients, multiplied and clipped, with the updates that run before the loss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public

_UNSET = 0  # the original's mark of an argument that is not given, which signatures show


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


@public("contrib.slim.learning.multiply_gradients")
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


@public("contrib.slim.learning.add_gradients_summaries")
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


@public("contrib.slim.learning.create_train_op")
def create_train_op(
    total_loss: Any, optimizer: Any, global_step: Any = _UNSET, update_ops: Sequence[Any] | None = None,
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
    if isinstance(global_step, int) and global_step == _UNSET:
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
    if gradient_multipliers:
        with tf.name_scope("multiply_grads"):
            pairs = multiply_gradients(pairs, gradient_multipliers)
    if clip_gradient_norm > 0:
        with tf.name_scope("clip_grads"):
            pairs = clip_gradient_norms(pairs, clip_gradient_norm)
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

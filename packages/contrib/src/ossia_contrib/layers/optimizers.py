"""`optimize_loss`: one call from a loss to a training op, with clipping, noise, decay and summaries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public, public_value

OPTIMIZER_CLS_NAMES = {
    "Adagrad": tf.train.AdagradOptimizer,
    "Adam": tf.train.AdamOptimizer,
    "Ftrl": tf.train.FtrlOptimizer,
    "Momentum": lambda learning_rate: tf.train.MomentumOptimizer(learning_rate, momentum=0.9),
    "RMSProp": tf.train.RMSPropOptimizer,
    "SGD": tf.train.GradientDescentOptimizer,
}
OPTIMIZER_SUMMARIES = ["learning_rate", "loss", "gradients", "gradient_norm", "global_gradient_norm"]
for _name in ("OPTIMIZER_CLS_NAMES", "OPTIMIZER_SUMMARIES"):
    public_value(f"contrib.layers.{_name}", f"contrib.slim.{_name}", name=_name)


@public("contrib.layers.optimize_loss", "contrib.slim.optimize_loss")
def optimize_loss(
    loss: Any, global_step: Any, learning_rate: Any, optimizer: Any, gradient_noise_scale: float | None = None,
    gradient_multipliers: dict | None = None, clip_gradients: Any = None,
    learning_rate_decay_fn: Callable | None = None, update_ops: Sequence[Any] | None = None,
    variables: Sequence[Any] | None = None, name: str | None = None, summaries: Sequence[str] | None = None,
    colocate_gradients_with_ops: bool = False, increment_global_step: bool = True,
) -> tf.Tensor:
    """A tensor of the loss that, when it is run, does a training step.

    Args:
      loss: the loss, a scalar.
      global_step: the step counter; the graph's if None, which need not be there.
      learning_rate: a number or tensor; None if the optimizer has one.
      optimizer: a name of OPTIMIZER_CLS_NAMES, an optimizer, its class, or a function of the learning rate (without
          arguments if that is None).
      gradient_noise_scale: noise that is added to gradients, in parts of their norm limit.
      gradient_multipliers: variables, or their names, each with a factor of its gradient.
      clip_gradients: largest global norm of the gradients, or a function of the pairs (gradient, variable).
      learning_rate_decay_fn: function of learning rate and step, returning the rate.
      update_ops: what runs before the loss; the collection UPDATE_OPS by default.
      variables: what is trained; the trainable variables by default.
      name: scope; "OptimizeLoss" by default.
      summaries: some of OPTIMIZER_SUMMARIES; loss, learning rate and global norm by default.
      colocate_gradients_with_ops: whether gradients go to the devices of their ops.
      increment_global_step: whether the step counts.

    Raises:
      ValueError: an argument is out of range or of an unknown kind.
    """
    loss = tf.convert_to_tensor(loss)
    if loss.shape.ndims != 0:
        raise ValueError(f"Loss must be scalar, but is of shape {loss.shape}.")
    if global_step is None:
        global_step = tf.train.get_global_step()
    else:
        tf.train.assert_global_step(global_step)
    with tf.variable_scope(name, "OptimizeLoss", [loss, global_step]):
        before = set(tf.get_collection(tf.GraphKeys.UPDATE_OPS)) if update_ops is None else update_ops
        if before:
            loss = _after(list(before), loss)
        rate, decayed = _learning_rate(learning_rate, learning_rate_decay_fn, global_step)
        wanted = _wanted(summaries)
        if decayed and "learning_rate" in wanted:
            tf.summary.scalar("learning_rate", rate)
        opt = _optimizer(optimizer, learning_rate, rate)
        trained = tf.trainable_variables() if variables is None else variables
        pairs = opt.compute_gradients(loss, trained, colocate_gradients_with_ops=colocate_gradients_with_ops)
        if gradient_noise_scale is not None:
            pairs = _noisy(pairs, gradient_noise_scale)
        if gradient_multipliers is not None:
            pairs = _multiplied(pairs, gradient_multipliers)
            if not pairs:
                raise ValueError("Empty list of (gradient, var) pairs encountered.")
        if "global_gradient_norm" in wanted or "gradient_norm" in wanted:
            tf.summary.scalar("global_norm/gradient_norm", tf.global_norm([grad for grad, _ in pairs]))
        if isinstance(clip_gradients, float):
            clipped, _ = tf.clip_by_global_norm([grad for grad, _ in pairs], clip_gradients)
            pairs = list(zip(clipped, [var for _, var in pairs]))
        elif callable(clip_gradients):
            pairs = clip_gradients(pairs)
        elif clip_gradients is not None:
            raise ValueError(f"Unknown type {type(clip_gradients)} for clip_gradients")
        if "loss" in wanted:
            tf.summary.scalar("loss", loss)
        _summarize(pairs, wanted)
        if clip_gradients is not None and ("global_gradient_norm" in wanted or "gradient_norm" in wanted):
            tf.summary.scalar("global_norm/clipped_gradient_norm", tf.global_norm([grad for grad, _ in pairs]))
        step = opt.apply_gradients(
            pairs, global_step=global_step if increment_global_step else None, name="train"
        )
        return _after([step], loss)


def _after(ops: Sequence[Any], value: Any) -> Any:
    """The value, once the ops ran."""
    with tf.colocate_with(value), tf.control_dependencies(ops):
        return tf.identity(value, name="control_dependency")


def _wanted(summaries: Sequence[str] | None) -> Sequence[str]:
    if summaries is None:
        return ["loss", "learning_rate", "global_gradient_norm"]
    for summary in summaries:
        if summary not in OPTIMIZER_SUMMARIES:
            raise ValueError(
                f"Summaries should be one of [{', '.join(OPTIMIZER_SUMMARIES)}], you provided {summary}."
            )
    return summaries


def _learning_rate(learning_rate: Any, decay: Callable | None, global_step: Any) -> tuple[Any, bool]:
    """The learning rate, and whether it changes."""
    if learning_rate is None:
        return None, False
    if isinstance(learning_rate, tf.Tensor) and learning_rate.shape.ndims == 0:
        rate = learning_rate
    elif isinstance(learning_rate, (float, int)):
        if learning_rate < 0.0:
            raise ValueError("Invalid learning_rate %s.", learning_rate)
        rate = tf.get_variable(
            "learning_rate", [], trainable=False, initializer=tf.constant_initializer(learning_rate)
        )
    else:
        raise ValueError(
            f"Learning rate should be 0d Tensor or float. Got {learning_rate} of type {type(learning_rate)}"
        )
    if decay is None:
        return rate, False
    if global_step is None:
        raise ValueError("global_step is required for learning_rate_decay_fn.")
    return decay(rate, global_step), True


def _optimizer(optimizer: Any, learning_rate: Any, rate: Any) -> Any:
    if isinstance(optimizer, str):
        if optimizer not in OPTIMIZER_CLS_NAMES:
            names = ", ".join(OPTIMIZER_CLS_NAMES)
            raise ValueError(f"Optimizer name should be one of [{names}], you provided {optimizer}.")
        if rate is None:
            raise ValueError(f"Learning rate is None, but should be specified if optimizer is string ({optimizer}).")
        made: Any = OPTIMIZER_CLS_NAMES[optimizer]
        return made(learning_rate=rate)
    if isinstance(optimizer, type) and issubclass(optimizer, tf.train.Optimizer):
        if rate is None:
            raise ValueError("Learning rate is None, but should be specified if optimizer is class.")
        made = optimizer
        return made(learning_rate=rate)
    if isinstance(optimizer, tf.train.Optimizer):
        return optimizer
    if callable(optimizer):
        made = optimizer(rate) if learning_rate is not None else optimizer()
        if isinstance(made, tf.train.Optimizer):
            return made
        raise ValueError(f"Unrecognized optimizer: function should return subclass of Optimizer. Got {made}.")
    raise ValueError(
        "Unrecognized optimizer: should be string, subclass of Optimizer, instance of subclass of Optimizer or "
        f"function with one argument. Got {optimizer}."
    )


def _noisy(pairs: Any, scale: float) -> list[tuple[Any, Any]]:
    noisy = []
    for grad, var in pairs:
        if grad is None:
            noisy.append((None, var))
            continue
        values = grad.values if isinstance(grad, tf.IndexedSlices) else grad
        noise = tf.truncated_normal(
            grad.dense_shape if isinstance(grad, tf.IndexedSlices) else values.shape
        ) * scale
        noisy.append((grad + noise, var))
    return noisy


def _multiplied(pairs: Any, multipliers: dict) -> list[tuple[Any, Any]]:
    multiplied = []
    for grad, var in pairs:
        key = var if var in multipliers else var.name
        if grad is not None and key in multipliers:
            if isinstance(grad, tf.IndexedSlices):
                grad = tf.IndexedSlices(grad.values * multipliers[key], grad.indices, grad.dense_shape)
            else:
                grad *= tf.cast(multipliers[key], grad.dtype)
        multiplied.append((grad, var))
    return multiplied


def _summarize(pairs: Any, wanted: Sequence[str]) -> None:
    for grad, var in pairs:
        values = grad.values if isinstance(grad, tf.IndexedSlices) else grad
        if values is None:
            continue
        label = var.name.replace(":", "_")
        if "gradients" in wanted:
            tf.summary.histogram(f"gradients/{label}", values)
        if "gradient_norm" in wanted:
            tf.summary.scalar(f"gradient_norm/{label}", tf.global_norm([values]))

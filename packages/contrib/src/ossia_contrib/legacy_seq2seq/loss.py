"""Cross-entropy of sequences that are lists of tensors, one for each step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.legacy_seq2seq.sequence_loss_by_example")
def sequence_loss_by_example(
    logits: Sequence[Any], targets: Sequence[Any], weights: Sequence[Any], average_across_timesteps: bool = True,
    softmax_loss_function: Callable | None = None, name: str | None = None,
) -> tf.Tensor:
    """The weighted cross-entropy of each sequence.

    Args:
      logits: for each step `[batch, classes]`.
      targets: for each step the classes `[batch]`.
      weights: for each step `[batch]`.
      average_across_timesteps: whether to divide by the sum of the weights.
      softmax_loss_function: function of `labels` and `logits` that takes the place of the cross-entropy.
      name: name scope; "sequence_loss_by_example" by default.

    Returns:
      A value for each sequence.

    Raises:
      ValueError: the lists differ in length.
    """
    if len(targets) != len(logits) or len(weights) != len(logits):
        raise ValueError(
            f"Lengths of logits, weights, and targets must be the same {len(logits)}, {len(weights)}, {len(targets)}."
        )
    with tf.name_scope(name, "sequence_loss_by_example", [*logits, *targets, *weights]):
        losses = []
        for logit, target, weight in zip(logits, targets, weights):
            if softmax_loss_function is None:
                flat = tf.reshape(target, [-1])
                loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=flat, logits=logit)
            else:
                loss = softmax_loss_function(labels=target, logits=logit)
            losses.append(loss * weight)
        total = tf.add_n(losses)
        if average_across_timesteps:
            total /= tf.add_n(list(weights)) + 1e-12  # weights may all be 0
        return total


@public("contrib.legacy_seq2seq.sequence_loss")
def sequence_loss(
    logits: Sequence[Any], targets: Sequence[Any], weights: Sequence[Any], average_across_timesteps: bool = True,
    average_across_batch: bool = True, softmax_loss_function: Callable | None = None, name: str | None = None,
) -> tf.Tensor:
    """The sum of `sequence_loss_by_example`, or its mean over the batch; arguments as there.

    Raises:
      ValueError: the lists differ in length.
    """
    with tf.name_scope(name, "sequence_loss", [*logits, *targets, *weights]):
        cost = tf.reduce_sum(
            sequence_loss_by_example(
                logits, targets, weights, average_across_timesteps=average_across_timesteps,
                softmax_loss_function=softmax_loss_function,
            )
        )
        if average_across_batch:
            return cost / tf.cast(tf.shape(targets[0])[0], cost.dtype)
        return cost

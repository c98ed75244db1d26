"""Cross-entropy of sequences, weighted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.seq2seq.sequence_loss")
def sequence_loss(
    logits: Any, targets: Any, weights: Any, average_across_timesteps: bool = True,
    average_across_batch: bool = True, sum_over_timesteps: bool = False, sum_over_batch: bool = False,
    softmax_loss_function: Callable | None = None, name: str | None = None,
) -> tf.Tensor:
    """The mean or sum of the cross-entropy of each step of each sequence.

    Args:
      logits: `[batch, time, classes]`.
      targets: classes `[batch, time]`.
      weights: `[batch, time]`.
      average_across_timesteps, average_across_batch: whether to divide by the weights of the dimension.
      sum_over_timesteps, sum_over_batch: whether to divide by the number of weights of the dimension that are not 0; a
        dimension that is summed beside one that is averaged stays as it is.
      softmax_loss_function: function of `labels` and `logits` that takes the place of the cross-entropy.
      name: name scope; "sequence_loss" by default.

    Returns:
      A scalar, or a value for each step or for each sequence, where the other dimension is not reduced.

    Raises:
      ValueError: an argument has another rank, or a dimension is to be averaged and summed.
    """
    for tensor, rank, what in ((logits, 3, "Logits"), (targets, 2, "Targets"), (weights, 2, "Weights")):
        if len(tensor.shape) != rank:
            raise ValueError(f"{what} must be a {rank}-D tensor, but has shape {tensor.shape}")
    if average_across_timesteps and sum_over_timesteps:
        raise ValueError("average_across_timesteps and sum_over_timesteps cannot be set to True at same time.")
    if average_across_batch and sum_over_batch:
        raise ValueError("average_across_batch and sum_over_batch cannot be set to True at same time.")
    with tf.name_scope(name, "sequence_loss", [logits, targets, weights]):
        flat_logits = tf.reshape(logits, [-1, tf.shape(logits)[2]])
        flat_targets = tf.reshape(targets, [-1])
        entropy = softmax_loss_function or tf.nn.sparse_softmax_cross_entropy_with_logits
        losses = entropy(labels=flat_targets, logits=flat_logits)
        losses *= tf.reshape(weights, [-1])
        if average_across_timesteps and average_across_batch:
            return tf.div_no_nan(tf.reduce_sum(losses), tf.reduce_sum(weights))
        if sum_over_timesteps and sum_over_batch:
            return tf.div_no_nan(tf.reduce_sum(losses), tf.cast(tf.count_nonzero(weights), losses.dtype))
        losses = tf.reshape(losses, tf.shape(logits)[0:2])
        if average_across_timesteps or average_across_batch:
            axis = 0 if average_across_batch else 1
            return tf.div_no_nan(tf.reduce_sum(losses, axis=[axis]), tf.reduce_sum(weights, axis=[axis]))
        if sum_over_timesteps or sum_over_batch:
            axis = 0 if sum_over_batch else 1
            total = tf.reduce_sum(losses, axis=[axis])
            return tf.div_no_nan(total, tf.cast(tf.count_nonzero(weights, axis=[axis]), losses.dtype))
        return losses

"""Scores of the beams of a search (Wu et al. 2016)."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.seq2seq.attention_wrapper import AttentionWrapperState
from ossia_core.graph.static_value import get_static_value


def attention_probabilities(cell_state: Any, coverage_penalty_weight: Any) -> tf.Tensor | None:
    """The last alignments in the state of a cell; None if they do not count.

    Raises:
      ValueError: they count, and no cell attends to anything.
    """
    if isinstance(coverage_penalty_weight, (int, float)) and coverage_penalty_weight == 0.0:
        return None
    states = [cell_state] if isinstance(cell_state, AttentionWrapperState) else cell_state
    found = []
    for state in states if isinstance(states, (list, tuple)) else ():
        if isinstance(state, AttentionWrapperState):
            found += state.alignments if isinstance(state.alignments, tuple) else [state.alignments]
    if not found:
        raise ValueError("coverage_penalty_weight must be 0.0 if no cell is attention wrapper.")
    return found[0] if len(found) == 1 else tf.concat(found, -1)


def masked_finished(log_probs: Any, end_token: Any, finished: Any) -> tf.Tensor:
    """`log_probs`, where finished beams have the end alone to go on with."""
    classes = tf.shape(log_probs)[2]
    row = tf.one_hot(
        end_token, classes, dtype=log_probs.dtype, on_value=tf.convert_to_tensor(0.0, dtype=log_probs.dtype),
        off_value=log_probs.dtype.min,
    )
    rows = tf.tile(tf.reshape(row, [1, 1, -1]), tf.concat([tf.shape(finished), [1]], 0))
    mask = tf.tile(tf.expand_dims(finished, 2), [1, 1, classes])
    return tf.where(mask, rows, log_probs)


def _length_penalty(lengths: Any, penalty_factor: Any) -> Any:
    penalty_factor = tf.convert_to_tensor(penalty_factor, name="penalty_factor")
    penalty_factor.set_shape(())
    known = get_static_value(penalty_factor)
    if known is not None and known == 0:
        return 1.0
    return tf.div(
        (5.0 + tf.cast(lengths, tf.float32)) ** penalty_factor, (5.0 + 1.0) ** penalty_factor
    )


def scored(
    log_probs: Any, lengths: Any, length_penalty_weight: Any, coverage_penalty_weight: Any, attended: Any,
    finished: Any,
) -> tf.Tensor:
    """Scores of the continuations of beams.

    Raises:
      ValueError: the weight of the coverage is no scalar.
    """
    penalty = tf.cast(_length_penalty(lengths, length_penalty_weight), dtype=log_probs.dtype)
    scores = log_probs / penalty
    weight = tf.convert_to_tensor(coverage_penalty_weight, name="coverage_penalty_weight")
    if weight.shape.ndims != 0:
        raise ValueError(f"coverage_penalty_weight should be a scalar, but saw shape: {weight.shape}")
    if attended is None:
        return scores
    # What has not been attended to at all lies behind the end of a memory.
    attended = tf.where(tf.equal(attended, 0.0), tf.ones_like(attended), attended)
    coverage = tf.reduce_sum(tf.log(tf.minimum(attended, 1.0)), 2)
    coverage *= tf.cast(finished, tf.float32)
    return scores + tf.expand_dims(coverage * weight, 2)

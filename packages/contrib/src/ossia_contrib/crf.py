"""`tf.contrib.crf`: linear-chain conditional random fields (Lafferty et al. 2001)."""

from __future__ import annotations

from typing import Any

import numpy as np

import ossia as tf
from ossia_core.declare.shape_rules import constant
from ossia_core.plugins.api_table import public
from ossia_nn.rnn.cell import RNNCell


def _for_length(inputs: Any, single: Any, several: Any) -> Any:
    """What `single` gives for sequences of one step, else what `several` gives."""
    is_single = tf.equal(inputs.shape[1].value or tf.shape(inputs)[1], 1)
    known = constant(is_single)
    if known is None:
        return tf.cond(is_single, single, several)
    return single() if known else several()


@public("contrib.crf.crf_sequence_score")
def crf_sequence_score(inputs: Any, tag_indices: Any, sequence_lengths: Any, transition_params: Any) -> tf.Tensor:
    """Scores of sequences of tags, not normalized.

    Args:
      inputs: scores of tags `[batch, time, tags]`.
      tag_indices: the tags `[batch, time]`.
      sequence_lengths: lengths `[batch]`.
      transition_params: scores of transitions `[tags, tags]`.

    Returns:
      `[batch]`.
    """
    def single() -> tf.Tensor:
        batch_size = tf.shape(inputs, out_type=tag_indices.dtype)[0]
        example = tf.reshape(tf.range(batch_size, dtype=tag_indices.dtype), [-1, 1])
        scores = tf.gather_nd(
            tf.squeeze(inputs, [1]), tf.concat([example, tag_indices], axis=1)
        )
        return tf.where(tf.less_equal(sequence_lengths, 0), tf.zeros_like(scores), scores)

    def several() -> tf.Tensor:
        unary = crf_unary_score(tag_indices, sequence_lengths, inputs)
        binary = crf_binary_score(tag_indices, sequence_lengths, transition_params)
        return unary + binary

    return _for_length(inputs, single, several)


@public("contrib.crf.crf_multitag_sequence_score")
def crf_multitag_sequence_score(
    inputs: Any, tag_bitmap: Any, sequence_lengths: Any, transition_params: Any
) -> tf.Tensor:
    """The logarithm of the summed exponentials of the scores of all sequences of allowed tags.

    Args:
      inputs, sequence_lengths, transition_params: as of `crf_sequence_score`.
      tag_bitmap: which tags are allowed, bool `[batch, time, tags]`.

    Returns:
      `[batch]`.
    """
    def single() -> tf.Tensor:
        filtered = tf.where(tag_bitmap, inputs, tf.fill(tf.shape(inputs), float("-inf")))
        return tf.reduce_logsumexp(filtered, axis=[1, 2], keepdims=False)

    def several() -> tf.Tensor:
        filtered = tf.where(tag_bitmap, inputs, tf.fill(tf.shape(inputs), float("-inf")))
        return crf_log_norm(
            inputs=filtered, sequence_lengths=sequence_lengths, transition_params=transition_params
        )

    return _for_length(inputs, single, several)


@public("contrib.crf.crf_log_norm")
def crf_log_norm(inputs: Any, sequence_lengths: Any, transition_params: Any) -> tf.Tensor:
    """The logarithm of the normalization; arguments and result as of `crf_sequence_score`."""
    first = tf.squeeze(tf.slice(inputs, [0, 0, 0], [-1, 1, -1]), [1])

    def single() -> tf.Tensor:
        log_norm = tf.reduce_logsumexp(first, [1])
        return tf.where(tf.less_equal(sequence_lengths, 0), tf.zeros_like(log_norm), log_norm)

    def several() -> tf.Tensor:
        rest = tf.slice(inputs, [0, 1, 0], [-1, -1, -1])
        cell = CrfForwardRnnCell(transition_params)
        less = tf.maximum(tf.constant(0, dtype=sequence_lengths.dtype), sequence_lengths - 1)
        _, alphas = tf.nn.dynamic_rnn(
            cell=cell, inputs=rest, sequence_length=less, initial_state=first,
            dtype=tf.float32,
        )
        log_norm = tf.reduce_logsumexp(alphas, [1])
        return tf.where(tf.less_equal(sequence_lengths, 0), tf.zeros_like(log_norm), log_norm)

    return _for_length(inputs, single, several)


@public("contrib.crf.crf_log_likelihood")
def crf_log_likelihood(
    inputs: Any, tag_indices: Any, sequence_lengths: Any, transition_params: Any = None
) -> tuple[tf.Tensor, Any]:
    """Logarithms of the likelihoods of sequences of tags.

    Args:
      inputs, tag_indices, sequence_lengths: as of `crf_sequence_score`.
      transition_params: scores of transitions; a variable "transitions" by default.

    Returns:
      (`[batch]`, the scores of transitions).
    """
    tags = inputs.shape[2].value
    if transition_params is None:
        transition_params = tf.get_variable("transitions", [tags, tags])
    scores = crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params)
    return scores - crf_log_norm(inputs, sequence_lengths, transition_params), transition_params


@public("contrib.crf.crf_unary_score")
def crf_unary_score(tag_indices: Any, sequence_lengths: Any, inputs: Any) -> tf.Tensor:
    """Sums of the scores of the tags; arguments and result as of `crf_sequence_score`."""
    batch_size, steps, tags = tf.shape(inputs)[0], tf.shape(inputs)[1], tf.shape(inputs)[2]
    flat_inputs = tf.reshape(inputs, [-1])
    offsets = tf.expand_dims(tf.range(batch_size) * steps * tags, 1)
    offsets += tf.expand_dims(tf.range(steps) * tags, 0)
    if tag_indices.dtype == tf.int64:
        offsets = tf.cast(offsets, tf.int64)
    flat_indices = tf.reshape(offsets + tag_indices, [-1])
    scores = tf.reshape(tf.gather(flat_inputs, flat_indices), [batch_size, steps])
    masks = tf.sequence_mask(sequence_lengths, maxlen=tf.shape(tag_indices)[1], dtype=tf.float32)
    return tf.reduce_sum(scores * masks, 1)


@public("contrib.crf.crf_binary_score")
def crf_binary_score(tag_indices: Any, sequence_lengths: Any, transition_params: Any) -> tf.Tensor:
    """Sums of the scores of the transitions; arguments and result as of `crf_sequence_score`."""
    tags = transition_params.shape[0]
    transitions = tf.shape(tag_indices)[1] - 1
    starts = tf.slice(tag_indices, [0, 0], [-1, transitions])
    ends = tf.slice(tag_indices, [0, 1], [-1, transitions])
    flat_indices = starts * tags + ends
    scores = tf.gather(tf.reshape(transition_params, [-1]), flat_indices)
    masks = tf.sequence_mask(sequence_lengths, maxlen=tf.shape(tag_indices)[1], dtype=tf.float32)
    return tf.reduce_sum(scores * tf.slice(masks, [0, 1], [-1, -1]), 1)


class _TagCell(RNNCell):
    """A cell whose state is a number for each tag."""

    def __init__(self, num_tags: int) -> None:
        super().__init__()
        self._num_tags = num_tags

    @property
    def state_size(self) -> int:
        """Size of the state."""
        return self._num_tags

    @property
    def output_size(self) -> int:
        """Size of the output."""
        return self._num_tags


@public("contrib.crf.CrfForwardRnnCell")
class CrfForwardRnnCell(_TagCell):
    """A step of the forward algorithm.

    Args:
      transition_params: scores of transitions `[tags, tags]`.
    """

    def __init__(self, transition_params: Any) -> None:
        super().__init__(transition_params.shape[0].value)
        self._transition_params = tf.expand_dims(transition_params, 0)

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """One step: (alphas, alphas)."""
        state = tf.expand_dims(state, 2)
        scores = state + self._transition_params
        alphas = inputs + tf.reduce_logsumexp(scores, [1])
        return alphas, alphas


@public("contrib.crf.viterbi_decode")
def viterbi_decode(score: Any, transition_params: Any) -> tuple[list[int], float]:
    """The best sequence of tags, by NumPy.

    Args:
      score: scores of tags `[time, tags]`.
      transition_params: scores of transitions `[tags, tags]`.

    Returns:
      (the tags, their score).
    """
    trellis = np.zeros_like(score)
    back = np.zeros_like(score, dtype=np.int32)
    trellis[0] = score[0]
    for t in range(1, score.shape[0]):
        candidates = np.expand_dims(trellis[t - 1], 1) + transition_params
        trellis[t] = score[t] + np.max(candidates, 0)
        back[t] = np.argmax(candidates, 0)
    path = [np.argmax(trellis[-1])]
    for pointers in reversed(back[1:]):
        path.append(pointers[path[-1]])
    return path[::-1], np.max(trellis[-1])


@public("contrib.crf.CrfDecodeForwardRnnCell")
class CrfDecodeForwardRnnCell(_TagCell):
    """A step of the Viterbi algorithm from the beginning.

    Args:
      transition_params: scores of transitions `[tags, tags]`.
    """

    def __init__(self, transition_params: Any) -> None:
        super().__init__(transition_params.shape[0].value)
        self._transition_params = tf.expand_dims(transition_params, 0)

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """One step: (from which tag each comes best, best scores)."""
        state = tf.expand_dims(state, 2)
        scores = state + self._transition_params
        new_state = inputs + tf.reduce_max(scores, [1])
        return tf.cast(tf.argmax(scores, 1), dtype=tf.int32), new_state


@public("contrib.crf.CrfDecodeBackwardRnnCell")
class CrfDecodeBackwardRnnCell(_TagCell):
    """A step of the Viterbi algorithm back from the end.

    Args:
      num_tags: number of tags.
    """

    @property
    def state_size(self) -> int:
        """Size of the state: one tag."""
        return 1

    @property
    def output_size(self) -> int:
        """Size of the output: one tag."""
        return 1

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """One step: (the tag before, the same)."""
        state = tf.squeeze(state, axis=[1])
        batch_size = tf.shape(inputs)[0]
        indices = tf.stack([tf.range(batch_size), state], axis=1)
        new_tags = tf.expand_dims(tf.gather_nd(inputs, indices), axis=-1)
        return new_tags, new_tags


@public("contrib.crf.crf_decode")
def crf_decode(potentials: Any, transition_params: Any, sequence_length: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """The best sequences of tags.

    Args:
      potentials: scores of tags `[batch, time, tags]`.
      transition_params: scores of transitions `[tags, tags]`.
      sequence_length: lengths `[batch]`.

    Returns:
      (the tags `[batch, time]` as int32, 0 behind the ends; their scores `[batch]`).
    """
    def single() -> tuple[tf.Tensor, tf.Tensor]:
        squeezed = tf.squeeze(potentials, [1])
        tags = tf.expand_dims(tf.argmax(squeezed, axis=1), 1)
        best = tf.reduce_max(squeezed, axis=1)
        return tf.cast(tags, dtype=tf.int32), best

    def several() -> tuple[tf.Tensor, tf.Tensor]:
        tags = potentials.shape[2].value
        forward = CrfDecodeForwardRnnCell(transition_params)
        first = tf.squeeze(tf.slice(potentials, [0, 0, 0], [-1, 1, -1]), axis=[1])
        inputs = tf.slice(potentials, [0, 1, 0], [-1, -1, -1])
        less = tf.maximum(tf.constant(0, dtype=sequence_length.dtype), sequence_length - 1)
        back, last = tf.nn.dynamic_rnn(
            forward, inputs=inputs, sequence_length=less, initial_state=first, time_major=False, dtype=tf.int32
        )
        back = tf.reverse_sequence(back, less, seq_axis=1)
        start = tf.cast(tf.argmax(last, axis=1), dtype=tf.int32)
        start = tf.expand_dims(start, axis=-1)
        decoded, _ = tf.nn.dynamic_rnn(
            CrfDecodeBackwardRnnCell(tags), inputs=back, sequence_length=less, initial_state=start, time_major=False,
            dtype=tf.int32,
        )
        decoded = tf.squeeze(decoded, axis=[2])
        decoded = tf.concat([start, decoded], axis=1)
        decoded = tf.reverse_sequence(decoded, sequence_length, seq_axis=1)
        return decoded, tf.reduce_max(last, axis=1)

    return _for_length(potentials, single, several)

"""Attention that moves forward only (Raffel et al. 2017)."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

import ossia as tf
from ossia_contrib.seq2seq.attention import BahdanauScores, BaseAttention, LuongScores, dense
from ossia_core.plugins.api_table import public


@public("contrib.seq2seq.safe_cumprod")
def safe_cumprod(x: Any, *args: Any, **kwargs: Any) -> tf.Tensor:
    """The cumulative product of numbers from 0 to 1, through logarithms; other arguments are those of `tf.cumsum`."""
    with tf.name_scope(None, "SafeCumprod", [x]):
        x = tf.convert_to_tensor(x, name="x")
        tiny = np.finfo(x.dtype.as_numpy_dtype).tiny
        return tf.exp(tf.cumsum(tf.log(tf.clip_by_value(x, tiny, 1)), *args, **kwargs))


@public("contrib.seq2seq.monotonic_attention")
def monotonic_attention(p_choose_i: Any, previous_attention: Any, mode: str) -> tf.Tensor:
    """Alignments of monotonic attention.

    Args:
      p_choose_i: probabilities `[batch, time]` to stay at each part of the memory.
      previous_attention: the last alignments.
      mode: "recursive", exact and slow; "parallel", fast, less exact for probabilities near 1; or "hard", for
        probabilities of 0 and 1.

    Raises:
      ValueError: another mode.
    """
    p_choose_i = tf.convert_to_tensor(p_choose_i, name="p_choose_i")
    previous_attention = tf.convert_to_tensor(previous_attention, name="previous_attention")
    if mode == "recursive":
        batch_size = p_choose_i.shape[0].value or tf.shape(p_choose_i)[0]
        passed = tf.concat([tf.ones((batch_size, 1)), 1 - p_choose_i[:, :-1]], 1)
        return p_choose_i * tf.transpose(
            tf.scan(
                lambda x, yz: tf.reshape(yz[0] * x + yz[1], (batch_size,)),
                [tf.transpose(passed), tf.transpose(previous_attention)], tf.zeros((batch_size,)),
            )
        )
    if mode == "parallel":
        passed = safe_cumprod(1 - p_choose_i, axis=1, exclusive=True)
        return p_choose_i * passed * tf.cumsum(previous_attention / tf.clip_by_value(passed, 1e-10, 1.0), axis=1)
    if mode == "hard":
        p_choose_i *= tf.cumsum(previous_attention, axis=1)
        return p_choose_i * tf.cumprod(1 - p_choose_i, axis=1, exclusive=True)
    raise ValueError("mode must be 'recursive', 'parallel', or 'hard'.")


def _monotonic_probability(score: Any, previous: Any, sigmoid_noise: float, mode: str, seed: int | None) -> tf.Tensor:
    if sigmoid_noise > 0:
        noise = tf.random_normal(tf.shape(score), dtype=score.dtype, seed=seed)
        score += sigmoid_noise * noise
    p_choose_i = tf.cast(score > 0, score.dtype) if mode == "hard" else tf.sigmoid(score)
    return monotonic_attention(p_choose_i, previous, mode)


class _Monotonic(BaseAttention):
    """A mechanism whose first alignment is the beginning of the memory."""

    _score_bias_init: float
    _score: Callable

    def initial_alignments(self, batch_size: Any, dtype: Any) -> Any:
        """The first alignments: 1 at the first part."""
        return tf.one_hot(tf.zeros((batch_size,), dtype=tf.int32), self._alignments_size, dtype=dtype)

    def _biased_score(self, query: Any) -> tf.Tensor:
        score = self._score(query)
        return score + tf.get_variable(
            "attention_score_bias", dtype=query.dtype, initializer=self._score_bias_init
        )


@public("contrib.seq2seq.BahdanauMonotonicAttention")
class BahdanauMonotonicAttention(_Monotonic, BahdanauScores):
    """Monotonic attention with the scores of Bahdanau.

    Args:
      num_units, memory, memory_sequence_length, normalize, score_mask_value, dtype, name: as of BahdanauAttention.
      sigmoid_noise: standard deviation of what is added to scores before the sigmoid.
      sigmoid_noise_seed: its seed.
      score_bias_init: first value of the learned bias of scores.
      mode: as of `monotonic_attention`.
    """

    def __init__(
        self, num_units: int, memory: Any, memory_sequence_length: Any = None, normalize: bool = False,
        score_mask_value: Any = None, sigmoid_noise: float = 0.0, sigmoid_noise_seed: int | None = None,
        score_bias_init: float = 0.0, mode: str = "parallel", dtype: Any = None,
        name: str = "BahdanauMonotonicAttention",
    ) -> None:
        dtype = dtype or tf.float32
        super().__init__(
            query_layer=dense(num_units, "query_layer", dtype), memory_layer=dense(num_units, "memory_layer", dtype),
            memory=memory, memory_sequence_length=memory_sequence_length, score_mask_value=score_mask_value, name=name,
            probability_fn=functools.partial(
                _monotonic_probability, sigmoid_noise=sigmoid_noise, mode=mode, seed=sigmoid_noise_seed
            ),
        )
        self._num_units, self._normalize, self._name = num_units, normalize, name
        self._score_bias_init = score_bias_init

    def __call__(self, query: Any, state: Any) -> tuple[Any, Any]:
        """(alignments `[batch, time]`, next state)."""
        with tf.variable_scope(None, "bahdanau_monotonic_attention", [query]):
            score = self._biased_score(query)
        return self._aligned(score, state)


@public("contrib.seq2seq.LuongMonotonicAttention")
class LuongMonotonicAttention(_Monotonic, LuongScores):
    """Monotonic attention with the scores of Luong; arguments as of LuongAttention and BahdanauMonotonicAttention."""

    def __init__(
        self, num_units: int, memory: Any, memory_sequence_length: Any = None, scale: bool = False,
        score_mask_value: Any = None, sigmoid_noise: float = 0.0, sigmoid_noise_seed: int | None = None,
        score_bias_init: float = 0.0, mode: str = "parallel", dtype: Any = None,
        name: str = "LuongMonotonicAttention",
    ) -> None:
        dtype = dtype or tf.float32
        super().__init__(
            query_layer=None, memory_layer=dense(num_units, "memory_layer", dtype), memory=memory,
            memory_sequence_length=memory_sequence_length, score_mask_value=score_mask_value, name=name,
            probability_fn=functools.partial(
                _monotonic_probability, sigmoid_noise=sigmoid_noise, mode=mode, seed=sigmoid_noise_seed
            ),
        )
        self._num_units, self._scale, self._name = num_units, scale, name
        self._score_bias_init = score_bias_init

    def __call__(self, query: Any, state: Any) -> tuple[Any, Any]:
        """(alignments `[batch, time]`, next state)."""
        with tf.variable_scope(None, "luong_monotonic_attention", [query]):
            score = self._biased_score(query)
        return self._aligned(score, state)

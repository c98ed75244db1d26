"""Attention mechanisms: how a query is compared with the parts of a memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import ossia as tf
from ossia_contrib.seq2seq.decoder import zero_state
from ossia_core.plugins.api_table import public


@public("contrib.seq2seq.AttentionMechanism")
class AttentionMechanism:
    """What gives alignments for a query and the last state; a base class."""

    @property
    def alignments_size(self) -> Any:
        """The number of alignments."""
        raise NotImplementedError

    @property
    def state_size(self) -> Any:
        """The size of the state."""
        raise NotImplementedError


def _masked_score(score: Any, memory_sequence_length: Any, score_mask_value: Any) -> Any:
    if memory_sequence_length is None:
        return score
    message = "All values in memory_sequence_length must be greater than zero."
    with tf.control_dependencies([tf.assert_positive(memory_sequence_length, message=message)]):
        mask = tf.sequence_mask(memory_sequence_length, maxlen=tf.shape(score)[1])
    return tf.where(mask, score, score_mask_value * tf.ones_like(score))


def _prepared(memory: Any, memory_sequence_length: Any, check_inner_dims_defined: bool) -> Any:
    """The memory with zeros behind the ends of its sequences."""
    memory = tf.nest.map_structure(lambda m: tf.convert_to_tensor(m, name="memory"), memory)
    if memory_sequence_length is not None:
        memory_sequence_length = tf.convert_to_tensor(memory_sequence_length, name="memory_sequence_length")
    if check_inner_dims_defined:
        for m in tf.nest.flatten(memory):
            if not m.shape[2:].is_fully_defined():
                raise ValueError(
                    f"Expected memory {m.name} to have fully defined inner dims, but saw shape: {m.shape}"
                )
    if memory_sequence_length is None:
        return memory
    first = tf.nest.flatten(memory)[0]
    mask = tf.sequence_mask(memory_sequence_length, maxlen=tf.shape(first)[1], dtype=first.dtype)

    def masked(m: Any) -> Any:
        rank = m.shape.ndims
        ones = tf.ones((rank if rank is not None else tf.rank(m)) - 2, dtype=tf.int32)
        return m * tf.reshape(mask, tf.concat((tf.shape(mask), ones), 0))

    return tf.nest.map_structure(masked, memory)


@public("contrib.seq2seq._BaseAttentionMechanism")
class BaseAttention(AttentionMechanism):
    """A mechanism with keys and values made of a memory; its state are the last alignments."""

    def __init__(
        self, query_layer: Any, memory: Any, probability_fn: Callable, memory_sequence_length: Any = None,
        memory_layer: Any = None, check_inner_dims_defined: bool = True, score_mask_value: Any = None,
        custom_key_value_fn: Callable | None = None, name: str | None = None,
    ) -> None:
        self._query_layer, self._memory_layer = query_layer, memory_layer
        self.dtype = memory_layer.dtype
        if not callable(probability_fn):
            raise TypeError(f"probability_fn must be callable, saw type: {type(probability_fn)}")
        if score_mask_value is None:
            score_mask_value = tf.as_dtype(self.dtype).as_numpy_dtype(-np.inf)
        self._probability_fn = lambda score, before: probability_fn(
            _masked_score(score, memory_sequence_length, score_mask_value), before
        )
        with tf.name_scope(name, "BaseAttentionMechanismInit", tf.nest.flatten(memory)):
            self._values = _prepared(memory, memory_sequence_length, check_inner_dims_defined)
            self._keys = memory_layer(self._values) if memory_layer else self._values
            self._batch_size = self._keys.shape[0].value or tf.shape(self._keys)[0]
            self._alignments_size = self._keys.shape[1].value or tf.shape(self._keys)[1]
            if custom_key_value_fn is not None:
                self._keys, self._values = custom_key_value_fn(self._keys, self._values)

    @property
    def memory_layer(self) -> Any:
        """The layer that makes keys of the memory."""
        return self._memory_layer

    @property
    def query_layer(self) -> Any:
        """The layer that queries go through."""
        return self._query_layer

    @property
    def values(self) -> Any:
        """The values."""
        return self._values

    @property
    def keys(self) -> Any:
        """The keys."""
        return self._keys

    @property
    def batch_size(self) -> Any:
        """The batch size."""
        return self._batch_size

    @property
    def alignments_size(self) -> Any:
        """The number of alignments: the length of the memory."""
        return self._alignments_size

    @property
    def state_size(self) -> Any:
        """The size of the state: that of the alignments."""
        return self._alignments_size

    def initial_alignments(self, batch_size: Any, dtype: Any) -> Any:
        """The first alignments: zeros."""
        return zero_state(self._alignments_size, batch_size, dtype)

    def initial_state(self, batch_size: Any, dtype: Any) -> Any:
        """The first state: the first alignments."""
        return self.initial_alignments(batch_size, dtype)

    def _aligned(self, score: Any, state: Any) -> tuple[Any, Any]:
        alignments = self._probability_fn(score, state)
        return alignments, alignments


def dense(num_units: int, name: str, dtype: Any) -> Any:
    """A layer without bias."""
    return tf.layers.Dense(num_units, name=name, use_bias=False, dtype=dtype)


@public("contrib.seq2seq._luong_score")
def luong_score(query: Any, keys: Any, scale: Any) -> tf.Tensor:
    """Products of a query and keys `[batch, time, units]`, times `scale` if there is one.

    Raises:
      ValueError: depths differ.
    """
    depth, units = query.shape[-1], keys.shape[-1]
    if depth.value != units.value:
        raise ValueError(
            f"Incompatible or unknown inner dimensions between query and keys.  Query ({query}) has units: {depth}.  "
            f"Keys ({keys}) have units: {units}.  Perhaps you need to set num_units to the keys' dimension ({units})?"
        )
    score = tf.squeeze(tf.matmul(tf.expand_dims(query, 1), keys, transpose_b=True), [1])
    return score if scale is None else scale * score


@public("contrib.seq2seq._bahdanau_score")
def bahdanau_score(
    query: Any, keys: Any, attention_v: Any, attention_g: Any = None, attention_b: Any = None
) -> tf.Tensor:
    """Sums of `v * tanh(keys + query)`; with `g` and `b`, `v` is normalized to `g` and `b` is added inside."""
    query = tf.expand_dims(query, 1)
    if attention_g is None or attention_b is None:
        return tf.reduce_sum(attention_v * tf.tanh(keys + query), [2])
    normed_v = attention_g * attention_v * tf.rsqrt(tf.reduce_sum(tf.square(attention_v)))
    return tf.reduce_sum(normed_v * tf.tanh(keys + query + attention_b), [2])


class LuongScores(BaseAttention):
    """Scores of Luong."""

    _scale: bool

    def _score(self, query: Any) -> tf.Tensor:
        attention_g = None
        if self._scale:
            attention_g = tf.get_variable(
                "attention_g", dtype=query.dtype, initializer=tf.ones_initializer(), shape=()
            )
        return luong_score(query, self._keys, attention_g)


class BahdanauScores(BaseAttention):
    """Scores of Bahdanau."""

    _num_units: int
    _normalize: bool

    def _score(self, query: Any) -> tf.Tensor:
        processed = self._query_layer(query) if self._query_layer else query
        attention_v = tf.get_variable("attention_v", [self._num_units], dtype=query.dtype)
        if not self._normalize:
            return bahdanau_score(processed, self._keys, attention_v)
        attention_g = tf.get_variable(
            "attention_g", dtype=query.dtype, initializer=tf.constant_initializer(np.sqrt(1.0 / self._num_units)),
            shape=(),
        )
        attention_b = tf.get_variable(
            "attention_b", [self._num_units], dtype=query.dtype, initializer=tf.zeros_initializer()
        )
        return bahdanau_score(processed, self._keys, attention_v, attention_g, attention_b)


def _without_state(probability_fn: Callable | None) -> Callable:
    chosen = probability_fn or tf.nn.softmax
    return lambda score, _: chosen(score)


@public("contrib.seq2seq.LuongAttention")
class LuongAttention(LuongScores):
    """Multiplicative attention (Luong et al. 2015).

    Args:
      num_units: depth of the keys and of the queries.
      memory: the memory `[batch, time, ...]`.
      memory_sequence_length: lengths `[batch]`.
      scale: whether scores are multiplied by a learned number.
      probability_fn: function from scores to alignments; softmax by default.
      score_mask_value: score of what is behind the ends; minus infinity by default.
      dtype: dtype of the layers; float32 by default.
      custom_key_value_fn: function from keys and values to others.
      name: name of the ops.
    """

    def __init__(
        self, num_units: int, memory: Any, memory_sequence_length: Any = None, scale: bool = False,
        probability_fn: Callable | None = None, score_mask_value: Any = None, dtype: Any = None,
        custom_key_value_fn: Callable | None = None, name: str = "LuongAttention",
    ) -> None:
        super().__init__(
            query_layer=None, memory_layer=dense(num_units, "memory_layer", dtype or tf.float32), memory=memory,
            probability_fn=_without_state(probability_fn), memory_sequence_length=memory_sequence_length,
            score_mask_value=score_mask_value, custom_key_value_fn=custom_key_value_fn, name=name,
        )
        self._num_units, self._scale, self._name = num_units, scale, name

    def __call__(self, query: Any, state: Any) -> tuple[Any, Any]:
        """(alignments `[batch, time]`, next state)."""
        with tf.variable_scope(None, "luong_attention", [query]):
            score = self._score(query)
        return self._aligned(score, state)


@public("contrib.seq2seq.BahdanauAttention")
class BahdanauAttention(BahdanauScores):
    """Additive attention (Bahdanau et al. 2014), with weight normalization if asked for (Salimans and Kingma 2016).

    Args:
      num_units: depth of the keys.
      memory, memory_sequence_length, probability_fn, score_mask_value, dtype, custom_key_value_fn, name: as of
        LuongAttention.
      normalize: whether the vector of the score is normalized.
    """

    def __init__(
        self, num_units: int, memory: Any, memory_sequence_length: Any = None, normalize: bool = False,
        probability_fn: Callable | None = None, score_mask_value: Any = None, dtype: Any = None,
        custom_key_value_fn: Callable | None = None, name: str = "BahdanauAttention",
    ) -> None:
        dtype = dtype or tf.float32
        super().__init__(
            query_layer=dense(num_units, "query_layer", dtype), memory_layer=dense(num_units, "memory_layer", dtype),
            memory=memory, probability_fn=_without_state(probability_fn), custom_key_value_fn=custom_key_value_fn,
            memory_sequence_length=memory_sequence_length, score_mask_value=score_mask_value, name=name,
        )
        self._num_units, self._normalize, self._name = num_units, normalize, name

    def __call__(self, query: Any, state: Any) -> tuple[Any, Any]:
        """(alignments `[batch, time]`, next state)."""
        with tf.variable_scope(None, "bahdanau_attention", [query]):
            score = self._score(query)
        return self._aligned(score, state)

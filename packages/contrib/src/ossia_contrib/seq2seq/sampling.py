"""Draws of classes and of flags, without a distribution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf


def _drawn(sample_n: Callable, sample_shape: Any) -> tf.Tensor:
    """What `sample_n` gives for a number of samples, in the shape that is asked for."""
    with tf.name_scope(None, "call_sampler", values=[sample_shape]):
        sample_shape = tf.convert_to_tensor(sample_shape, dtype=tf.int32, name="sample_shape")
        is_scalar = tf.cast(tf.equal(tf.rank(sample_shape), 0), tf.int32)
        vector = tf.pad(tf.shape(sample_shape), paddings=[[is_scalar, 0]], constant_values=1)
        sample_shape = tf.reshape(sample_shape, vector)
        samples = sample_n(tf.reduce_prod(sample_shape))
        return tf.reshape(samples, tf.concat([sample_shape, tf.shape(samples)[1:]], 0))


def drawn_classes(logits: Any, seed: int | None) -> tf.Tensor:
    """A class of each row of logits `[..., classes]`, int32."""
    logits = tf.convert_to_tensor(logits, name="logits")
    classes = tf.shape(logits)[-1]
    batch_shape = tf.shape(logits)[:-1]

    def sample_n(n: Any) -> tf.Tensor:
        rows = logits if logits.shape.ndims == 2 else tf.reshape(logits, [-1, classes])
        kind = tf.int64 if logits.dtype.size > 4 else tf.int32
        draws = tf.multinomial(rows, n, seed=seed, output_dtype=kind)
        draws = tf.reshape(tf.transpose(draws), tf.concat([[n], batch_shape], 0))
        return tf.cast(draws, tf.int32)

    return _drawn(sample_n, ())


def drawn_flags(probs: Any, dtype: Any, sample_shape: Any, seed: int | None) -> tf.Tensor:
    """1 with the probability `probs`, else 0."""
    probs = tf.convert_to_tensor(probs, name="probs")
    batch_shape = tf.shape(probs)

    def sample_n(n: Any) -> tf.Tensor:
        uniform = tf.random_uniform(tf.concat([[n], batch_shape], 0), seed=seed, dtype=probs.dtype)
        return tf.cast(tf.less(uniform, probs), dtype)

    return _drawn(sample_n, sample_shape)

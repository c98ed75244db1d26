"""`tf.contrib.nn`: order statistics, an activation, cross-entropies with swapped arguments."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.graph.static_value import get_static_value
from ossia_core.plugins.api_table import public


@public("contrib.nn.nth_element")
def nth_element(input: Any, n: Any, reverse: bool = False, name: str | None = None) -> tf.Tensor:
    """The element that would stand at index `n` of each row if the rows were sorted.

    Args:
      input: numbers `[..., columns]`.
      n: an index, a scalar from 0 to below `columns`.
      reverse: whether the rows would be sorted from the largest down.
      name: name of the result.

    Returns:
      `[...]`, one element of each row.

    Raises:
      ValueError: `n` is no scalar, or is out of range.
    """
    return tf.raw_ops.NthElement(input=input, n=n, reverse=reverse, name=name)


@public("contrib.nn.alpha_dropout")
def alpha_dropout(
    x: Any, keep_prob: Any, noise_shape: Any = None, seed: int | None = None, name: str | None = None
) -> tf.Tensor:
    """Dropout that keeps mean and variance of what `selu` gives (Klambauer et al. 2017).

    Args:
      x: the inputs.
      keep_prob: probability to keep an element, a number in (0, 1] or a scalar tensor.
      noise_shape: shape in which elements are dropped; that of `x` by default.
      seed: seed of the random numbers.
      name: name scope.

    Raises:
      ValueError: the probability is out of range.
    """
    with tf.name_scope(name, "alpha_dropout", [x]):
        x = tf.convert_to_tensor(x, name="x")
        if isinstance(keep_prob, (int, float)) and not 0 < keep_prob <= 1:
            raise ValueError(f"keep_prob must be a scalar tensor or a float in the range (0, 1], got {keep_prob}")
        keep_prob = tf.convert_to_tensor(keep_prob, dtype=x.dtype, name="keep_prob")
        keep_prob.shape.assert_is_compatible_with(tf.TensorShape([]))
        if get_static_value(keep_prob) == 1:
            return x
        shape = tf.shape(x) if noise_shape is None else noise_shape
        noise = tf.random_uniform(shape, seed=seed, dtype=x.dtype)
        kept = tf.cast(noise >= 1 - keep_prob, x.dtype)
        dropped = -1.7580993408473766  # what selu gives far below 0
        x = x * kept + dropped * (1 - kept)
        a = (keep_prob + keep_prob * (1 - keep_prob) * (dropped * dropped)) ** -0.5
        b = -a * dropped * (1 - keep_prob)
        x = a * x + b
        return x


@public("contrib.nn.deprecated_flipped_softmax_cross_entropy_with_logits")
def deprecated_flipped_softmax_cross_entropy_with_logits(
    logits: Any, labels: Any, dim: int = -1, name: str | None = None
) -> tf.Tensor:
    """`tf.nn.softmax_cross_entropy_with_logits` with the logits first, as before 1.0."""
    return tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits, dim=dim, name=name)


@public("contrib.nn.deprecated_flipped_sparse_softmax_cross_entropy_with_logits")
def deprecated_flipped_sparse_softmax_cross_entropy_with_logits(
    logits: Any, labels: Any, name: str | None = None
) -> tf.Tensor:
    """`tf.nn.sparse_softmax_cross_entropy_with_logits` with the logits first, as before 1.0."""
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


@public("contrib.nn.deprecated_flipped_sigmoid_cross_entropy_with_logits")
def deprecated_flipped_sigmoid_cross_entropy_with_logits(
    logits: Any, targets: Any, name: str | None = None
) -> tf.Tensor:
    """`tf.nn.sigmoid_cross_entropy_with_logits` with the logits first, as before 1.0."""
    return tf.nn.sigmoid_cross_entropy_with_logits(labels=targets, logits=logits, name=name)

"""`random_ops` and `stateless_random_ops`: the draws of categories that their public functions share."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_ops.random import choice as random_choice

multinomial_categorical_impl = random_choice.drawn_categories


def stateless_multinomial_categorical_impl(logits: Any, num_samples: Any, dtype: Any, seed: Any) -> Any:
    """Categories that depend on `seed`, two integers, alone."""
    logits = tf.convert_to_tensor(logits, name="logits")
    return tf.raw_ops.StatelessMultinomial(logits=logits, num_samples=num_samples, seed=seed, output_dtype=dtype)

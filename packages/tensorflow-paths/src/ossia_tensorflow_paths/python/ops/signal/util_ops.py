"""`signal.util_ops`: the greatest common divisor."""

from __future__ import annotations

import math
from typing import Any

import ossia as tf


def gcd(a: Any, b: Any, name: str | None = None) -> Any:
    """The greatest common divisor of two numbers that are not negative, a constant if both are known.

    Raises:
        ValueError: They are no integers, or no scalars.
    """
    with tf.name_scope(name, "gcd", [a, b]):
        a, b = tf.convert_to_tensor(a), tf.convert_to_tensor(b)
        a.shape.assert_has_rank(0)
        b.shape.assert_has_rank(0)
        for what, number in (("a", a), ("b", b)):
            if not number.dtype.is_integer:
                raise ValueError(f"{what} must be an integer type. Got: {number.dtype}")
        known = tf.get_static_value(a), tf.get_static_value(b)
        if None not in known:
            return tf.convert_to_tensor(math.gcd(*map(int, known)), dtype=a.dtype)
        return tf.while_loop(
            lambda _, b: tf.greater(b, tf.zeros_like(b)), lambda a, b: [b, tf.math.mod(a, b)], [a, b], back_prop=False
        )[0]

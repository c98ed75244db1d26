"""What unit tests take from `stateful_random_ops`, beside the public functions."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia import raw_ops

RNG_ALG_PHILOX = 1
RNG_ALG_THREEFRY = 2


def non_deterministic_ints(shape: Any, dtype: Any = tf.int64, name: str | None = None) -> Any:
    """Integers that no seed decides."""
    return raw_ops.NonDeterministicInts(shape=shape, dtype=dtype, name=name)

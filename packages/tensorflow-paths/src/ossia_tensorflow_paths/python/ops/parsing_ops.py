"""`parsing_ops`: one Example by its own op."""

from __future__ import annotations

from typing import Any

import ossia as tf


def parse_single_example_v2(serialized: Any, features: Any, name: str | None = None) -> dict[Any, Any]:
    """One Example as tensors, as `tf.io.parse_single_example` without names of examples.

    Raises:
        ValueError: `features` is empty, or one of them is not complete.
    """
    if not features:
        raise ValueError(f"Missing: features was {features}.")
    return tf.io.parse_single_example(serialized, features, name)
